"""Sentences that look like the end of a listing: a step off a watch list, and a line of shares whose place another one takes."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.lexis import Scan

AFTER = 100  # folded characters from a step to the list that it is off
# "from the watch-list", "från observationslistan", "z listy alertów": a list that warns, with the word that says off it
OFF_WATCH = re.compile(
    r"\bfrom (?:the |its |their )?(?:\w+ ){0,2}?(?:watch-?list|watch list|observation (?:list|segment)|surveillance (?:list|segment|measures?)|alert list|penalty bench|pn17\b|gn3\b|recovery (?:box|segment)|special treatment|warning board)"
    r"|\bvon der (?:\w+ )?(?:beobachtungs|überwachungs|watch-?)liste|\b(?:du compartiment|de la liste|du groupe|du segment) (?:des |de )?(?:[\w' ]{0,24})(?:surveillance|observation|alerte|penalty)"
    r"|\bde la (?:lista|segmento) de (?:vigilancia|observación|alerta)\w*|\bda lista de (?:observação|alerta|vigilância|companhias em situação irregular)|\bdalla (?:black ?list|lista (?:nera|di osservazione|di vigilanza))"
    r"|\bvan (?:het|de) (?:strafbank\w*|waarschuwingslijst|observatielijst|penalty bench)|\bfrån (?:observations|bevaknings)\w+|\bfra (?:(?:nasdaq|børsens|oslo børs'?)\w* )?(?:observations\w+|straffebenk\w*|særlig observasjon|straffesegment\w*)"
    r"|\b(?:tarkkailu|valvonta)(?:lista|segmenti|luokita)\w*(?:lta|stä|sta)\b|\bz (?:segmentu )?[\"„]?(?:listy|lista) alert\w+|\b(?:izleme|gözaltı|yakın izleme) (?:listesinden|pazarından)"
    r"|\bdari (?:papan pemantauan|pemantauan) khusus|\bkhỏi diện (?:cảnh báo|kiểm soát|hạn chế|đình chỉ)"
)
# what else the step may be off: then it is no matter of a watch list only
LISTED = re.compile(
    r"de-?list|official list|\bquotation|trading on|avnoter|afnoter|\bnotering|börslist|pörssilist|kaupankäyn|radiation|radier|exclusión|cotización|negociação|quotazione|\bobrotu|zulassung|notierung|hủy niêm yết"
)
_OLD = (
    r"\b(?:existing|old|present|current|bisherigen?|alten?|oude|bestaande|gamla|nuvarande|gamle|nåværende|nuværende|vanha\w*|nykyi\w+|dotychczasow\w+) (?:[\w-]+ ){0,2}?(?:shares?|stock|units|line|aktien?|stückaktien|aandelen|aktie\w*|aksje\w*|osak\w+|akcj\w+)\b"
    r"|\b(?:actions|titres) (?:anciennes?|actuelles?|existantes?)|\b(?:acciones|títulos) (?:actuales|antigu[ao]s|existentes)|\bações (?:atuais|antigas|existentes)|\bazioni (?:attuali|vecchie|esistenti)|\bcổ phiếu cũ"
    r"|旧株|旧股|舊股|原股份|구주권?|구 주권"
)
_NEW = (
    r"\b(?:new|consolidated|sub-?divided|neuen?|zusammengelegten?|nieuwe|nya|nye|uudet|uusi\w*|nowe|nowych) (?:[\w-]+ ){0,2}?(?:shares?|stock|units|line|aktien?|stückaktien|aandelen|aktie\w*|aksje\w*|osak\w+|akcj\w+)\b"
    r"|\b(?:actions|titres) (?:nouvelles|regroupées)|\bnouvelles actions|\b(?:acciones|títulos) (?:nuev[ao]s|resultantes|agrupad[ao]s)|\bnuevas acciones|\bações (?:novas|resultantes|grupadas)|\bnovas ações|\bazioni (?:nuove|raggruppate)"
    r"|\bnuove azioni|\bcổ phiếu mới|新株|新股|신주권?|신 주권"
)
OLD_LINE, NEW_LINE = re.compile(_OLD), re.compile(_NEW)


def off_watch_list(text: str, start: int, end: int, high: int) -> re.Match[str] | None:
    """The list of warned companies that a step [start, end) of folded text takes the shares off, and nothing else; looked for up to `high`."""
    high = min(high, end + AFTER)
    found = OFF_WATCH.search(text, start, high)
    return found if found is not None and not LISTED.search(text, start, high) else None


def line_replaced(scan: Scan, start: int, end: int) -> bool:
    """The sentence [start, end) of folded text names an old line and a new one of the same shares, and no takeover."""
    if not OLD_LINE.search(scan.text, start, end) or not NEW_LINE.search(scan.text, start, end):
        return False
    return not scan.within("reason.merger_acquisition", start, end)
