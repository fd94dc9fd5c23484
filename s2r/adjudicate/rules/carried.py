"""Results of a meeting told in short: "all items were adopted as proposed by the board, item 11 (delisting) with 89% of the votes".

What is carried is named by the number of its item; "as proposed" tells how it was carried, and proposes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.lexis import Hit, Scan
from s2r.adjudicate.rules.stagewords import BREAK
from s2r.adjudicate.rules.unreserved import open_conditions

NAMED = 48  # folded characters from the number of an item to what it is about
_ALL = re.compile(
    r"\b(?:(?:all|every one) (?:of )?(?:the )?(?:\w+ ){0,3}?(?:resolutions?|items?|motions?|proposals?|matters|business)|samtlige (?:\w+ ){0,2}?(?:saker|forslag\w*|punkter|sager|vedtak\w*)"
    r"|alle (?:\w+ ){0,2}?(?:saker|forslag\w*|punkter|sager|anträge\w*|punkte|tagesordnungspunkte|traktanden|beschlussvorschläge|beschlüsse|voorstellen|agendapunten|besluiten|punten|stemmingen)"
    r"|sämtliche\w* (?:\w+ ){0,2}?(?:anträge\w*|punkte|tagesordnungspunkte|traktanden|beschlussvorschläge|beschlüsse)|(?:samtliga|alla) (?:\w+ ){0,2}?(?:ärenden|förslag|punkter|beslut)|styrelsens samtliga förslag"
    r"|kaikki (?:\w+ ){0,3}?(?:asiat|ehdotukset|kohdat|esitykset|asiakohdat)|toutes les (?:\w+ )?résolutions|tous les (?:\w+ )?(?:points|projets de résolutions?)|tod(?:os|as) (?:los|las|os|as) (?:\w+ )?(?:puntos|propuestas|acuerdos|asuntos|itens|propostas|matérias|pontos|deliberações)"
    r"|tutt[ie] (?:i|le|gli) (?:\w+ )?(?:punti|proposte|deliber\w+|argomenti)|wszystkie (?:\w+ )?(?:uchwały|projekty uchwał|punkty)|(?:seluruh|semua) (?:mata acara|usulan|resolusi|agenda|ketetapan)"
    r"|(?:toàn bộ|tất cả) (?:các )?(?:tờ trình|nội dung|vấn đề|nghị quyết)|(?:tüm|bütün) (?:\w+ )?(?:maddeler\w*|öneriler\w*|kararlar\w*))\b"
    r"|(?:議案|全議案)[はがも]?、?(?:すべて|全て|いずれも)|全議案|(?:全部|各项|各項|所有)(?:议案|議案|决议|決議|提案)|모든 ?(?:안건|의안)|(?:안건|의안)(?:이|은)? ?모두"
)
_CARRIED = re.compile(
    r"\b(?:carried|passed|adopted|approved|agreed to|vedtatt|godkjent|bifalt|vedtaget|godkendt|tiltrådt|bifölls|bifallits|antogs|godkändes|beslutade (?:\w+ )?(?:i enlighet|enligt)|hyväksy(?:ttiin|i|tty)"
    r"|angenommen|beschlossen|zugestimmt|gebilligt|genehmigt|gutgehei(?:ss|ß)en|(?:adopt|approuv|vot)ées?|(?:aprobad|aprovad|adoptad)[oa]s?|approvat[eio]|adottat[ei]|aangenomen|goedgekeurd|podjęt[oe]|przyjęt[oe]|uchwalono|disetujui|dipersetujui"
    r"|diluluskan|thông qua|kabul edil\w+|onaylan\w+)\b|可決|(?:审议|審議|表决|表決|投票)?(?:获|獲)?(?:通过|通過)|가결|통과되"
)
_ITEM = re.compile(
    r"\b(?:sak|item|agenda item|resolution|special resolution|motion|proposal|punkt|pkt\.?|ärende|asia\w*|kohta\w*|top|tagesordnungspunkt|traktandum|antrag|agendapunt|punt|voorstel|résolution|point|punto|acuerdo|proposta|ponto|delibera|uchwał[ayę]|nội dung|tờ trình"
    r"|vấn đề|mata acara|resolusi|agenda)(?: n[ro.°º]*\.?)? ?\d{1,2}(?:[.:]\d{1,2})?(?: ?[a-z]\b)?|\bla \d{1,2} ?e(?: résolution)?\b|\b\d{1,2}\. (?:madde|gündem)|第 ?\d{1,2} ?(?:号|號|项|項)(?:議案|议案)?|제 ?\d{1,2}(?:-\d)? ?호 ?(?:의안|안건)?"
)
_BUT = re.compile(
    r"\b(?:except\w*|apart from|save for|other than|excluding|unntatt|(?:med )?unntak|bortset fra|undtage\w*|undtagelse|undantag|förutom|utom|lukuun ottamatta|paitsi|mit ausnahme|au(?:ss|ß)er|sauf|à l'exception|excepté|hormis|salvo|excepto"
    r"|(?:con|com) (?:la )?exce\w+|eccezione|tranne|eccetto|behalve|uitzondering|z wyjątkiem|oprócz|ngoại trừ|trừ|kecuali|hariç|dışında|withdrawn|deferred|postponed|adjourned|defeated|lapsed|trukket|utsatt|falt|nedstemt|udskudt|trukket tilbage|bordla\w+"
    r"|vertagt|zurückgezogen|abgelehnt|rejetée?s?|retirée?s?|reportée?s?|rechazad\w+|retirad\w+|aplazad\w+|rejeitad\w+|adiad\w+|respint\w+|rinviat\w+|verworpen|ingetrokken|aangehouden|hylättiin|siirrettiin|odrzucon\w+)\b"
    r"|除く|除き|除外|除第|以外|제외|부결|철회|否決|否决|撤回(?:した|されました)"
)
_ASKS = re.compile(  # a body that wants all of them to be carried
    r"\b(?:recommend(?:s|ed)?|urges?|asks?|invites?|propos(?:es|ed) that|foreslår|föreslår|tilrår|anbefal\w+|rekommender\w+|ehdottaa|schlägt vor|empf(?:ie|eh)l\w+|propose|recommande|invite|propone|recomienda|propõe|recomenda|raccomanda|invita|stelt voor"
    r"|beveelt aan|proponuje|rekomenduje|merekomendasikan|mengusulkan|đề nghị|đề xuất thông qua|önerir|tavsiye|will be|would be|to be|is to|are to|skal|ska|soll\w*|wird|werden|seront|sera|serán?|serão|saranno|zullen|zostaną|akan|sẽ)\b"
)


_LESS = re.compile(  # what holders approve of an end of a listing without deciding on it
    r"\b(?:authori\w+|fullmakt\w*|bemyndig\w+|ermächtig\w+|autori[sz]\w+|délégation|valtuut\w+|machtig\w+|upoważn\w+|kewenangan|wewenang|pemberian kuasa|ủy quyền|yetki\w*|reports?|rapport\w*|updates?|review|orientering\w*|information|informasjon|utredning\w*"
    r"|bericht\w*|prüfung|selvitys|informe|relatório|relazione|laporan|báo cáo|rapor\w*)\b|授权|授權|委任|報告|报告|위임|보고"
)


def carried(doc: Document, unit: Unit, objects: Sequence[Hit]) -> Hit | None:
    """The end of a listing as the subject of an item that the sentence says was carried with all others, None where it is not."""
    text, low, high = doc.folded.text, unit.fstart, unit.fend
    every = _ALL.search(text, low, high)
    if every is None:
        return None
    act = _CARRIED.search(text, low, high)
    if act is None or _BUT.search(text, low, high) or _ASKS.search(text, low, act.start()) or "?" in text[low:high]:
        return None
    found = next((hit for hit in objects if _named(text, low, hit)), None)
    if found is None or open_conditions(doc.scan, low, high):
        return None
    first, last = sorted((found.start, act.start()))
    if BREAK.search(text, first, last) or any(doc.scan.within(family, low, high) for family in _OTHERS):
        return None
    return found._replace(start=min(found.start, act.start()), end=max(found.end, act.end()))


_OTHERS = ("modality.negated", "modality.failed", "stage.reversal", "stage.segment", "stage.technical", "stage.conditional_decision")


def _named(text: str, low: int, hit: Hit) -> bool:
    """The number of an item stands right before the words."""
    items = list(_ITEM.finditer(text, max(low, hit.start - NAMED - 24), hit.start))
    last = items[-1] if items else None
    if last is None or hit.start - last.end() > NAMED:
        return False
    between = text[last.end() : hit.start]
    return not any(mark in between for mark in ";；。") and not _LESS.search(between)


# holders say yes to what they were asked: "the meeting approved the board's proposal to delist"
_YES = re.compile(
    r"\b(?:beslut\w+ (?:\w+ ){0,3}?(?:i enlighet med|enligt|i overensstemmelse med)|vedt\w+ i (?:tråd|samsvar) med|päätti\b[^.;:]{0,30}|biföll|bifallit|godkände|godkänt|antog|röstade (?:ja till|igenom|för)|sade ja till|hyväksyi|hyväksynyt|puolsi|godkendte|godkendt|vedtog|vedtaget|tiltrådte|vedtok|vedtatt|godkjente|godkjent|sluttet seg (?:\w+ )?til|stemte for|sagde ja til"
    r"|billigten?|gebilligt|genehmigten?|genehmigt|stimmten?|zugestimmt|keurden?|goedgekeurd|aanvaardden?|aanvaard|stemden? in met|ingestemd met)\b[^.;:]{0,60}$"
)


def asks_others(scan: Scan, start: int, end: int, proposal: Hit) -> bool:
    """A proposal follows an act [start, end) of folded text to its end ("resolved to ask"), and is not what holders approve, or this is excepted."""
    if proposal.start <= start or proposal.end < end:
        return False
    if not scan.within("actor.holders", start, proposal.start) or _YES.search(scan.text, start, proposal.start) is None:
        return True
    return _BUT.search(scan.text, proposal.start, end) is not None  # all of them "except item 15 (delisting)"
