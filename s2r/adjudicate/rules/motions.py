"""What a single holder moves at a meeting ("motion by shareholder X: the company shall apply ..."): no step of the company's, unless it is carried;
and what a meeting votes on without binding the company."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.reason import acting
from s2r.adjudicate.rules.stage import Reading
from s2r.models import BlockKind, Stage

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
# a holder who moves something, as the subject of the sentence; those who control the company are left to what the company does
HOLDER_MOVES = Guarded(
    r"(?<!controlling )(?<!majority )(?<!largest )(?<!sole )(?<!principal )\b(?:shareholder|stockholder|unitholder)s? (?!(?:of record|approval|vote)\b)(?:[\w.&'’()%-]+ ){0,6}?(?:moved|proposed|requested|asked|demanded|called on|called for|tabled|requisitioned|urged|put forward) (?!(?:by|in|at)\b)"
    r"|\b(?:aktionär(?:e|in|innen)?|kleinaktionär(?:e|in)?|minderheitsaktionär(?:e|in)?|aktionärs(?:vereinigung|gruppe|schützer\w*)) (?:[\w.&'’()%-]+ ){0,9}?(?:beantragt(?:e|en)?|verlangt(?:e|en)?|gefordert|fordert(?:e|en)?|vorgeschlagen|stellt(?:e|en)? (?:\w+ ){0,3}?antrag)\b(?=[^.;]{0,12}(?:,|dass|den|die|das|:| ))"
    r"|\b(?:actionnaires?|petits porteurs) (?!(?:majoritaire|principal|de contrôle|de référence|unique))(?:[\w.&'’()%-]+ ){0,6}?(?:a|ont|avait|avaient) (?:\w+ )?(?:demandé|proposé|requis|sollicité|réclamé)\b|\bactionnaires? (?!(?:majoritaire|principal|de contrôle|de référence|unique))(?:[\w.&'’()%-]+ ){0,6}?(?:demandent?|proposent?|réclament?) que\b"
    r"|\baccionistas? (?!(?:mayoritari|principal|únic|de control|de referencia))(?:[\w.&'’()%-]+ ){0,6}?(?:(?:ha|han|había) (?:solicitado|propuesto|pedido|exigido)|solicit(?:ó|aron|a|an)|propuso|propusieron|pid(?:ió|ieron|e|en)|exig(?:ió|ieron|e|en)) (?:a |al |que |la )"
    r"|\bacionistas? (?!(?:controlador|majoritári|principa|únic))(?:[\w.&'’()%-]+ ){0,6}?(?:solicit(?:ou|aram|a|am)|prop(?:ôs|useram|õe|õem)|ped(?:iu|iram|e|em)|requer(?:eu|eram|em)?|exig(?:iu|iram)) (?:à |ao |que |a |o )"
    r"|\b(?:soci[oa]?|azionist[aie]) (?!(?:di maggioranza|di controllo|unico|di riferimento))(?:[\w.&'’()%-]+ ){0,6}?(?:(?:ha|hanno|aveva) (?:chiesto|proposto|richiesto|sollecitato)|chiedono|propongono) (?:di |che |al|a |la )"
    r"|\baandeelhouders? (?:[\w.&'’()%-]+ ){0,8}?(?:verzocht|voorgesteld|gevraagd|geëist|verzoekt|vraagt|eist)\b|\baktieägar(?:e|en|na) (?:[\w.&'’()%-]+ ){0,6}?(?:har |hade )?(?:yrkat|yrkade|yrkar|föreslagit|föreslog|begärt|begärde|krävt|krävde)\b"
    r"|\b(?:aksjonær(?:en|er|ene)?|aktionær(?:en|er|erne)?|kapitalejer(?:en)?) (?:[\w.&'’()%-]+ ){0,6}?(?:foreslått|foreslo|foreslår|krevd|krevde|krever|ba|bedt|foreslået|foreslog|krævet|krævede|anmodet|bad|fremsatt|fremsat|fremsatte) (?:\w+ ){0,6}?(?:om|at|å|forslag)\b"
    r"|\bosakkeenomistaja(?:t)? (?:[\w.&'’()%-]+ ){0,6}?(?:ehdottanut|ehdotti|vaatinut|vaati|esittänyt|esitti|pyytänyt|pyysi)\b|\bakcjonariusz(?:e|ka)? (?!(?:większościow|główn|dominując))(?:[\w.&'’()%-]+ ){0,6}?(?:zaproponował\w*|wniósł|wnieśli|wniosła|zażądał\w*|zawnioskował\w*)\b"
    r"|(?<!支配)(?<!大)(?<!主要)(?<!筆頭)株主(?:の|である|、)?[^。、株]{0,24}(?:は|が|から|より)、?[^。]{0,80}?(?:提案|要求|動議)(?:した|して|しました|があった|がありました|を受け|を提出)|(?<!控股)(?<!大)(?<!主要)(?<!第一大)股[东東](?:[^。,,股]{0,16})(?:提议|提議|提請|提请|提出|動議)[^。]{0,4}(?:公司|将|將|撤|终止|終止|申请|申請)"
    r"|(?<!지배)(?<!대)(?<!주요)주주(?:인)? ?[^.주]{0,20}?(?:가|이|은|는) [^.]{0,60}?(?:제안|요구)(?:했|하였|함|한)|\bcổ đông (?!(?:lớn|chi phối|kiểm soát))(?:\S+ ){0,6}?(?:đã )?(?:đề nghị|đề xuất|kiến nghị|yêu cầu)\b"
    r"|\bpemegang saham (?!(?:pengendali|utama|mayoritas|majoriti|setuju))(?:[\w.&'’()%-]+ ){0,6}?(?:meminta|mengusulkan|mencadangkan|menuntut)\b|\b(?:pay sahibi|hissedar|küçük ortak\w*) (?:\S+ ){0,12}?(?:önerdi|önermiş\w*|talep etti|istedi)\b"
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
    """Why the step that ends at `at` of folded text is the motion of a holder, nowhere said to be carried; "" when it is not."""
    found = _opening(doc, unit, at)
    return "" if found is None or _carried(doc, unit, found.start(), at) else f"the motion of a holder: {found.group()!r}"


def _opening(doc: Document, unit: Unit, at: int) -> re.Match[str] | None:
    """A motion up to its colon before the end of the step, in the sentence or in the line right above it."""
    scan = doc.scan
    for found in MOTION.finditer(scan, unit.fstart, at):
        if _COLON.search(scan.text, found.end(), at):
            return found
    for found in HOLDER_MOVES.finditer(scan, unit.fstart, unit.fend):
        if found.start() < at:
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


# a vote by which nobody is bound
ADVISORY = Guarded(
    r"\b(?:advisory|consultative|non-?binding|indicative|straw) (?:\w+ )?(?:vote|ballot|poll|resolution|motion|referendum)s?\b|\b(?:on|in) an? (?:purely )?(?:advisory|consultative|non-?binding) (?:basis|capacity)\b"
    r"|\bkonsultativ(?:abstimmung|beschl[uü]ss|votum|entscheid)\w*|\b(?:konsultativ|unverbindlich|beratend|indikativ|nicht bindend)e[rnms]? (?:\w+ )?(?:\w*abstimmung|votum|beschluss|beschlüsse|befragung)\w*"
    r"|\b(?:vote|scrutin) (?:\w+ )?(?:consultatif|indicatif|non contraignant)\b|\brésolution (?:\w+ )?(?:consultative|indicative|non contraignante)\b|\bà titre (?:purement |seulement )?(?:consultatif|indicatif)\b"
    r"|\b(?:votación|voto|acuerdo|resolución) (?:\w+ )?(?:consultiv[ao]|no vinculante|orientativ[ao]|indicativ[ao])\b|\bcarácter (?:meramente |puramente )?consultivo\b"
    r"|\b(?:votação|voto|deliberação) (?:\w+ )?(?:consultiv[ao]|não vinculativ[ao]|não vinculante|indicativ[ao])\b|\bcaráter (?:meramente |puramente )?consultivo\b"
    r"|\b(?:voto|votazione|delibera|deliberazione) (?:\w+ )?(?:consultiv[ao]|non vincolante|indicativ[ao])\b|\bin via (?:meramente )?consultiva\b"
    r"|\b(?:raadgevende|adviserende|consultatieve|niet[- ]bindende|peilende|indicatieve) (?:\w+ )?(?:stemming|stem|resolutie)\b|\b(?:rådgivande|konsultativ|vägledande|icke[- ]bindande) (?:\w*omröstning|röstning|beslut)\w*"
    r"|\b(?:rådgivende|veiledende|vejledende|ikke[- ]bindende|konsultativ) (?:avstemn?m?ing|afstemning|vedtak|beslutning)\w*|\bneuvoa-?antav\w+ (?:äänesty|päätö)\w+"
    r"|\bgłosowani\w+ (?:\w+ )?(?:doradcz|konsultacyjn|niewiążąc)\w+|\b(?:doradcz|konsultacyjn|niewiążąc)\w+ (?:głosowani|uchwał)\w+|\buchwał\w+ (?:doradcz|konsultacyjn|niewiążąc|kierunkow)\w+"
    r"|勧告的(?:決議|議案|提案)|(?:谘詢|咨询|諮詢|参考|參考)性(?:的)?(?:投票|表決|表决|決議|决议)|(?:不具|無|无)(?:法律)?[約约]束力的?(?:投票|表決|表决|決議|决议)|권고적 ?(?:결의|주주제안|표결|투표|안건)"
    r"|\bbiểu quyết (?:tham khảo|tư vấn|không ràng buộc)|\b(?:pemungutan suara|pengundian|suara) (?:yang )?(?:tidak mengikat|konsultatif|bersifat nasihat)|\b(?:istişari|bağlayıcı olmayan) (?:oylama|karar)"
)
# said of the vote just told: it binds nobody
NOT_BOUND = Guarded(
    r"\bnot (?:legally |formally )?bound by (?:it|this|that|the (?:vote|result|outcome|resolution|ballot|motion))\b|\b(?:vote|result|outcome|resolution|ballot|motion|it) (?:is|was|has|does|did) (?:\w+ )?(?:not|no) (?:legally )?bind\w*|\b(?:vote|resolution|ballot|motion|it) (?:is|was) (?:\w+ )?(?:advisory|consultative|non-?binding)\b"
    r"|\b(?:daran|hieran|dadurch|an (?:das|den|dieses|diesen|die) \w+) (?:\w+ )?nicht gebunden\b|\b(?:votum|abstimmung|beschluss|ergebnis|abstimmungsergebnis) (?:ist|war|hat) (?:\w+ )?(?:nicht bindend|unverbindlich|konsultativ|keine bindende)\b"
    r"|\b(?:vote|résolution|résultat|scrutin) n['e] ?(?:est|était|a|lie|engage) (?:pas|que|qu)[^.;]{0,30}?(?:contraignant|consultati|indicati|conseil|liant|société)|\bn'est pas lié\w* par (?:ce|le|cette|la) (?:vote|résultat|résolution)\b"
    r"|\b(?:votación|voto|resultado|acuerdo) (?:no es vinculante|no vincula|es (?:\w+ )?consultiv[ao])|\b(?:votação|voto|resultado|deliberação) (?:não é vinculativ[ao]|não vincula|não é vinculante|é (?:\w+ )?consultiv[ao])"
    r"|\b(?:voto|votazione|esito|delibera) (?:non è vincolante|non vincola|ha (?:\w+ )?(?:valore |natura )?consultiv[ao]|è (?:\w+ )?consultiv[ao])|\b(?:stemming|uitslag|uitkomst) (?:is|was|bindt) (?:\w+ )?(?:niet|raadgevend|adviserend)|\bniet (?:aan \w+ )?gebonden aan (?:de|deze) (?:uitslag|uitkomst|stemming)"
    r"|\b(?:omröstningen|resultatet|utfallet|beslutet) (?:är|var) (?:\w+ )?(?:rådgivande|vägledande|inte bindande)|\b(?:avstemningen|avstemmingen|afstemningen|resultatet) (?:er|var) (?:\w+ )?(?:rådgivende|veiledende|vejledende|ikke bindende)"
    r"|\b(?:äänestys|tulos|päätös) (?:ei sido|ei ole sitova|on neuvoa-?antava)|\b(?:głosowanie|uchwała|wynik) (?:\w+ )?(?:nie (?:jest|był[ao]?) wiążąc\w+|nie wiąże|ma charakter (?:doradczy|konsultacyjny))"
    r"|(?:法的)?拘束力(?:は|が)?(?:ない|ありません|有しない|有しません)|(?:不具|沒有|没有|並無|并无)(?:法律)?[約约]束力|구속력(?:은|이)? ?(?:없|갖지)"
)
# what advisory votes are usually about
PAY = re.compile(
    r"remunerat|compensation|\bpay\b|vergütung|rémunérat|remunerac|remuneraç|remunerazion|beloning|ersättning|godtgjør|vederlag|palkit|palkkio|wynagrodz|報酬|薪酬|보수"
)
_OTHERS = ("board", "exchange", "regulator", "committee", "court")


def unbinding(doc: Document, unit: Unit, reading: Reading) -> str:
    """Why the step of a sentence is what holders voted for without binding the company; "" when it is not."""
    if reading.stage not in (Stage.DECISION, Stage.DETERMINATION, Stage.CONDITION_MET, Stage.APPLICATION):
        return ""
    found = ADVISORY.search(doc.scan, unit.fstart, unit.fend)
    if found is None:
        near = (other for other in doc.units[unit.index : unit.index + 1 + BOUND] if other.main)
        found = next((m for other in near if (m := NOT_BOUND.search(doc.scan, other.fstart, other.fend))), None)
    if found is None or PAY.search(doc.folded.text, unit.fstart, unit.fend) or acting(doc, unit, reading.start) in _OTHERS:
        return ""
    return f"a vote that binds nobody: {found.group()!r}"


BOUND = 2  # sentences after a vote among which it is said to bind nobody
