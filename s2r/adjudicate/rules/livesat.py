"""Ends of a listing told beside the place where the security is listed ("since 2018, when it was delisted from Toronto, listed in New York")."""

from __future__ import annotations

import re
from collections.abc import Iterable

from s2r.adjudicate.rules.guarded import Guarded, Searched

NEAR = 60  # characters between the step and the venue that it is said of
BESIDE = 70  # characters between the words for a listing and its venue
# a security is listed or traded at a place
_LISTED = re.compile(
    r"\b(?:listed|quoted|traded|trades?|trading|dealt in|notiert\w*|gehandelt\w*|gelistet\w*|kotiert\w*|handelsplatz|börsenplatz|notierung|cotée?s?|cote|cotation|cotiza[nr]?|cotización|negociad[oa]s?|negocia[mn]?|listad[oa]s?|quotat[aeio]|quotazione|negoziat[aeio]"
    r"|genoteerd|verhandeld|notering(?:en)?|noterade?|noterat|handlas|notert|noteret|handles|listattu\w*|notowan\w+|işlem gör\w+|niêm yết|giao dịch|tercatat|diperdagangkan|disenaraikan)\b|上場|上市|挂牌|掛牌|买卖|買賣|売買|상장|거래|مدرج|تتداول"
)
_ENDED = re.compile(
    r"\b(?:ceas\w+|stop\w*|no longer|delist\w*|cancel\w*|withdraw\w*|remov\w+|nicht mehr|widerruf\w*|eingestellt|einstellung|beend\w+|dekotier\w*|cessera|cesseront|radié\w*|radiation|retrait|dejar\w+|exclu\w+|deixar\w+|revoc\w+|cesser\w+"
    r"|niet meer|geschrapt|schrapping|beëindig\w+|avnoter\w*|avnotert|afnoter\w*|strøket|strykes|slettes|poist\w+|wyklucz\w+|wycof\w+|çıkar\w+|hủy|dihapus|dikeluarkan)\b|廃止|终止|終止|退市|摘牌|撤[销銷]|폐지|شطب"
)
_BORDER = re.compile(r"[,;、,;]|\b(?:and|und|et|y|e|en|och|og|ja|i) (?=(?:is|are|ist|sind|est|sont|está|están|é|è|ha|has|have|now)\b)")
# the clause that dates how things are: "since 2018, when", "depuis mars 2018, date à laquelle"
_SINCE = Guarded(
    r"\b(?:since|ever since|following|after)\b|\b(?:seit(?:dem)?|nachdem)\b|\b(?:depuis|après)\b|\b(?:desde|tras|después de)\b|\b(?:desde|após|depois)\b|\b(?:da quando|dal|dopo)\b|\b(?:sinds|sedert|nadat)\b|\b(?:sedan|efter att)\b|\b(?:siden|etter at|efter at)\b"
    r"|\b(?:siitä lähtien|sen jälkeen)\b|\b(?:odkąd|od czasu|po tym)\b|(?:以降|以来|以來|自从|自從)|이후|이래|\b(?:kể từ|sejak)\b|\b(?:bu yana|den beri|dan beri)\b|منذ"
)


def listed_apart(scan: Searched, start: int, end: int, span: tuple[int, int], own: Iterable[int], other: Iterable[int]) -> bool:
    """The step [start, end) of the folded sentence `span` is said of one of the `other` venues, in its clause, while the `own` ones are
    named in another clause as where the security is listed; the sentence dates that by the step."""
    low, high = span
    text = scan.text
    near = [at for at in other if start <= at <= end + NEAR and not _BORDER.search(text, max(start, end), max(end, at))]
    near = near or [at for at in other if start - NEAR <= at < start and not _BORDER.search(text, at, start)]
    if not near or not _SINCE.search(scan, low, high):
        return False
    first, last = min(start, *near), max(end, *near)
    for at in own:
        if first <= at <= last:
            return False
        borders = list(_BORDER.finditer(text, last, at)) if at > last else list(_BORDER.finditer(text, at, first))
        if not borders:
            return False
        before = borders[-1].end() if at > last else max((m.end() for m in _BORDER.finditer(text, low, at)), default=low)
        closing = _BORDER.search(text, at, high)
        part = (max(before, at - BESIDE), min(closing.start() if closing else high, at + BESIDE))
        if not _LISTED.search(text, *part) or _ENDED.search(text, *part):
            return False
    return True
