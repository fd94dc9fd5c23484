"""What a single holder moves at a meeting ("motion by shareholder X: the company shall apply ..."): no step of the company's, unless it is carried."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.models import BlockKind

# whose wish it is, and that it is no more than one
MOTION = Guarded(
    r"\b(?:(?:counter-?)?motion|(?:counter-?)?proposal|resolution|request|requisition) (?:(?:submitted|put forward|moved|made|proposed|brought|tabled|requisitioned) )?(?:by|from|of) (?:a |an |the |our |one |certain |some )?(?:\w+ )?(?:shareholders?|stockholders?|members?|unitholders?)\b|\b(?:shareholder|stockholder|member)s?'? (?:counter-?)?(?:proposal|motion|resolution)\b"
    r"|\b(?:(?:gegen|ergänzungs|zusatz)?antrag|(?:ergänzungs)?verlangen|begehren|vorschlag) (?:de[rs] |von |eines |einer |mehrerer )?(?:\w+ )?(?:aktionär|anteilsinhaber|aktionariat)\w*|\baktionärs(?:antrag|anträge|begehren|vorschlag)\b"
    r"|\b(?:proposition|résolution|projet de résolution|motion|demande) (?:(?:présentée?|déposée?|soumise?|formulée?) )?(?:de |d'|par |des )(?:l'|un |une |les |plusieurs |certains )?(?:\w+ )?actionnaires?\b"
    r"|\b(?:propuesta|moción|solicitud|proposición|punto) (?:(?:presentad[ao]|formulad[ao]|solicitad[ao]) )?(?:por |de )(?:el |la |los |un |una |varios )?(?:accionistas?)\b|\b(?:propuesta|moción|proposición|solicitud) del accionista\b"
    r"|\b(?:proposta|requerimento|moção|pedido) (?:(?:apresentad[ao]|formulad[ao]|submetid[ao]) )?(?:d[oae]s?|pel[oa]s?|por|de um|de uma) (?:um |uma )?acionistas?\b|\b(?:proposta|mozione|richiesta) (?:(?:presentata|formulata|avanzata) )?(?:del|della|dei|di|da|dal|di un|degli)(?: |l')(?:un |alcuni )?(?:soci[oa]?|azionist[aei])\b|\b(?:proposta|mozione|richiesta) (?:(?:presentata|formulata|avanzata) )?(?:dell'|dall')azionista\b"
    r"|\b(?:voorstel|verzoek|motie) (?:van|door|ingediend door) (?:een |de |enkele )?(?:\w+ )?aandeelhouders?\b|\baandeelhoudersvoorstel\b|\b(?:förslag|yrkande|begäran|motion) (?:från|av) (?:en )?(?:aktieägar|delägar)\w*|\b(?:aktieägar)(?:en|na)?s? (?:[\w.]+ ){0,3}?(?:förslag|yrkande)\b"
    r"|\b(?:forslag|krav|anmodning|begjæring) (?:fremsatt |fremsat )?(?:fra|av|af) (?:en )?(?:aksje(?:eier|onær)|aktionær|kapitalejer)\w*|\b(?:aksjonær|aktionær)forslag\w*|\bosakkeenomistajan? (?:[\w.]+ ){0,3}?(?:ehdotu|vaatimu|esity)\w+|\b(?:wniosek|projekt uchwały|żądanie|propozycja) (?:zgłoszon[yae] przez |złożon[yae] przez )?(?:akcjonariusz)\w*"
    r"|株主提案|(?:股东|股東)(?:临时|臨時)?(?:提案|提议|提議|动议|動議)|(?:临时|臨時)提案|주주 ?제안|\b(?:đề xuất|kiến nghị|đề nghị) của (?:nhóm )?cổ đông|\b(?:usulan?|permintaan|cadangan) (?:dari |oleh |daripada )?(?:seorang )?pemegang saham|\b(?:pay sahib\w+|hissedar\w*|orta(?:ğın|klar\w*)) (?:\S+ ){0,3}?(?:önerge|öneri|teklif|talep)\w*"
    r"|(?:اقتراح|مقترح|طلب) (?:من )?(?:أحد )?(?:ال)?مساهم|ข้อเสนอของผู้ถือหุ้น|ผู้ถือหุ้นเสนอ|शेयरधारक(?:ों)? (?:का|के) प्रस्ताव"
)
# what becomes of a motion that is carried
CARRIED = Guarded(
    r"(?<!\bbe )\b(?:carried|passed|adopted|approved|agreed|angenommen|gutgehei(?:ss|ß)en|zugestimmt|stimmt\w* (?:dem antrag |ihm )?zu|stattgegeben|beschlossen|adoptée?s?|approuvée?s?|aprobad[oa]s?|aprueba|aprobó|aprobaron|aprovad[oa]s?|aprovou|aprova|approvat[oaie]|approva|accolt[oa]|aangenomen|goedgekeurd|keurt \w+ goed)\b"
    r"|\b(?:biföll?|bifalls?|bifölls|antog|antogs|beslutade|vedtatt|vedtok|vedtas|vedtaget|vedtages|tiltrådt|hyväksy\w+|przyjęt\w+|przyjęł\w+|podjęt\w+|podjęł\w+|uchwali\w+)\b"
    r"|可決|承認|表决通过|审议通过|表決通過|照案通過|獲通過|获通过|가결|승인|\bđược thông qua|\b(?:disetujui|menyetujui|diluluskan|meluluskan)\b|\bkabul edil|تمت الموافقة|وافقت|ลงมติอนุมัติ|อนุมัติตาม|पारित|स्वीकृत"
)
AFTERWARDS = 4  # sentences after a motion among which its fate is told
HEAD = 90  # characters of a line that only says whose motion follows
_DENIED = ("modality.negated", "modality.failed", "stage.reversal")
_COLON = re.compile(r"[:：]|\)\s?[:：]?|」|】")


def moved(doc: Document, unit: Unit, at: int) -> str:
    """The words that make the step that ends at `at` of folded text the motion of a holder, nowhere said to be carried; "" when none do."""
    found = _opening(doc, unit, at)
    return "" if found is None or _carried(doc, unit, found.start(), at) else found.group()


def _opening(doc: Document, unit: Unit, at: int) -> re.Match[str] | None:
    """A motion up to its colon before the end of the step, in the sentence or in the line right above it."""
    scan = doc.scan
    for found in MOTION.finditer(scan, unit.fstart, at):
        if _COLON.search(scan.text, found.end(), at):
            return found
    above = next((u for u in reversed(doc.units[max(0, unit.index - 1) : unit.index]) if u.main), None)
    if above is None or above.end - above.start > HEAD:
        return None
    headed = above.kind is BlockKind.HEADING or doc.text(above).rstrip()[-1:] in ":：" or above.block != unit.block
    return MOTION.search(scan, above.fstart, above.fend) if headed else None


def _carried(doc: Document, unit: Unit, start: int, at: int) -> bool:
    """The sentence before a motion that opens at `start` and behind the step, or one of the next ones up to another motion, says that it is
    carried."""
    scan = doc.scan
    spans = [(unit.fstart, max(unit.fstart, start)), (at, unit.fend)]
    for other in doc.units[unit.index + 1 : unit.index + 1 + AFTERWARDS]:
        again = MOTION.search(scan, other.fstart, other.fend)
        if again is not None and _COLON.search(scan.text, again.end(), other.fend):
            break
        spans.append((other.fstart, other.fend))
    return any(CARRIED.search(scan, low, high) and not any(scan.within(name, low, high) for name in _DENIED) for low, high in spans)
