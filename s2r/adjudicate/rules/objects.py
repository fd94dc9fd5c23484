"""Acts whose object is not the listing: share capital that is cancelled, a request or notice that is taken back, a study or an end that
is put off, a list that is not the list of quoted securities."""

from __future__ import annotations

import re
from typing import NamedTuple

from s2r.adjudicate.rules.bookorders import only_orders
from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.otherlists import other_list
from s2r.models import Stage


class Object(NamedTuple):
    """What an act is really about: the step that it states, where in folded text the words for it stand, and why."""

    stage: Stage
    start: int
    end: int
    why: str


# what belongs to a company's capital and not to an exchange
CAPITAL = Guarded(
    r"\bshare premium\b|\bcapital redemption reserve\b|\b(?:reduction|reducing) (?:of|in) (?:the |its |company |share |paid-up )*capital\b|\bcapital reduction\b|\btreasury\b|\b(?:bought[- ]back|repurchased|buy-?back)\b"
    r"|\b(?:deferred|own) shares\b|\bkapitalherabsetzung|\beigene[rn]? aktien|\brückkauf|\bréduction (?:de|du) capital|\bautodétenu|\bactions (?:propres|rachetées)|\breducción (?:de|del) capital|\bautocartera\b|\bacciones (?:propias|recompradas|amortizadas)"
    r"|\bredução (?:de|do) capital|\btesouraria\b|\bações (?:próprias|recompradas|extintas)|\briduzione (?:di|del) capitale|\bazioni proprie|\bkapitaalvermindering|\b(?:eigen|ingekochte) aandelen|\bminskning av aktiekapitalet|\båterköpta aktier|\begna aktier"
    r"|\bkapitalnedset|\begne aksjer|\bkapitalnedsæt|\begne aktier|\btilbagekøbte|\bomi(?:a|en) osak|\bomaa osaketta|\bosakepääoman alent|\bakcji własnych|\bobniżeni\w+ kapitału|\bumorz"
    r"|自己株式|資本金の額の減少|库存股|庫藏股|[购購]回(?:注销|註銷|的?\d)|回[购購]股份|减资|減資|자기주식|자사주|감자|\bcổ phiếu quỹ|\bgiảm vốn|\bsaham (?:treasuri|perbendaharaan)|\bpengurangan modal|\bgeri alın|\bsermaye azaltım|أسهم (?:ال)?خزينة|تخفيض رأس المال|ซื้อคืน|ลดทุน"
)
# what ends with a listing: beside it, words of capital tell of a cause
LISTED = re.compile(
    r"de-?list|\blist(?:ed|ing|ings)\b|official list|\bquot(?:ed|ation)\b|\badmi(?:ssion|tted)\b|\btrading\b|\bdealings\b|\bnasdaq\b|\bform 25|zulassung|notierung|notiz\b|kotier|börsenhandel|\bcotation|\bcote\b|négociation|radi(?:ation|ée?s?|er)\b|cotiza|negociación|\bbolsa de valores"
    r"|negociação|listagem|registro de companhia|sociedade aberta|quotazion|negoziazion|delist|\bnotering|\bavnoter|\bafnoter|\bbörs|\bbørs|\bhandel\b|\bpörssi|kaupankäyn|\bobrot|notowa|\bgiełd|上場|上市|掛牌|挂牌|상장|niêm yết|pencatatan|bursa|\bkot(?:u|tan)|\bborsa|البورصة|القيد|เพิกถอน"
)
_MANY_SHARES = (
    r"\d[\d.,]*(?: (?:million|mio|millionen|millions|millones|milhões|milioni|miljoen|miljoner|millioner|mil|nghìn|triệu|juta|ribu))?"
)
# a number of shares that are the company's own: what leaves the list with them is not the class
OWN_LOT = re.compile(
    rf"\b{_MANY_SHARES} (?:(?:ordinary|common|equity) )?(?:(?:treasury|repurchased|bought[- ]back|cancelled|forfeited) (?:[\w-]+ )?shares|shares (?:[\w-]+ )?(?:held (?:in|as) treasury|bought back|repurchased|cancelled))\b"
    rf"|\b{_MANY_SHARES} (?:zurückgekaufte[nr]?|eingezogene[nr]?|eigene[nr]?) (?:[\w-]+)?aktien\b|\b{_MANY_SHARES} actions (?:propres|rachetées|annulées|autodétenues)|\b{_MANY_SHARES} acciones (?:propias|amortizadas|recompradas|en autocartera)"
    rf"|\b{_MANY_SHARES} ações (?:próprias|recompradas|extintas|canceladas|em tesouraria|mantidas em tesouraria)|\b(?:ações próprias|acciones propias|azioni proprie|actions propres)\b[^.;]{{0,60}}? (?:de|di) (?:as |las |les |le )?{_MANY_SHARES} (?:ações|acciones|azioni|actions)\b"
    rf"|\b{_MANY_SHARES} azioni (?:proprie|annullate|riacquistate)|\b{_MANY_SHARES} (?:eigen|ingekochte|ingetrokken) aandelen|\b{_MANY_SHARES} (?:egna|återköpta|indragna) aktier|\b{_MANY_SHARES} egne (?:aksjer|aktier)|\b{_MANY_SHARES} (?:omaa osaketta|mitätöi\w+ osak\w+)"
    rf"|\b{_MANY_SHARES} (?:umorzonych akcji|akcji własnych)|\b{_MANY_SHARES} cổ phiếu quỹ|\b{_MANY_SHARES} saham (?:treasuri|perbendaharaan|hasil pembelian kembali)|\bsaham (?:treasuri|perbendaharaan)\b[^.;]{{0,60}} {_MANY_SHARES} saham"
    r"|(?:庫藏股|库存股|自己株式|자기주식|자사주)[ (]?\d[\d,.]*|[购購]回的?\d[\d,.]*[萬万亿億]?股|\d[\d,.]*[萬万]?股(?:庫藏股|库存股|回[购購]股份)|\d[\d,]* ?[만]?주 ?(?:자기주식|자사주)"
)
_BUT = re.compile(
    r"\b(?:excluding|except|other than|including|includes|net of|ohne|ausgenommen|einschlie(?:ß|ss)lich|abzüglich|hors|hormis|sauf|y compris|excepto|salvo|incluid[ao]s|excluid[ao]s|exceto|incluindo|esclus[ei]|comprese|exclusief|inclusief|exklusive|inklusive|lukuun ottamatta|z wyłączeniem|tidak termasuk|termasuk|hariç|dahil)\b"
    r"|除く|含む|不包括|包括|不含|제외"
)
BESIDE = 24  # folded characters before a lot of own shares within which words except or include it
_WEIGHED = (Stage.DECISION, Stage.DETERMINATION, Stage.APPLICATION, Stage.REMOVAL)


def capital(doc: Document, unit: Unit, stage: Stage) -> tuple[int, int] | None:
    """Words for share capital that a sentence cancels where it names no listing, or for a lot of the company's own shares."""
    scan, low, high = doc.scan, unit.fstart, unit.fend
    if stage not in _WEIGHED or (found := CAPITAL.search(scan, low, high)) is None:
        return None
    if (lot := OWN_LOT.search(scan.text, low, high)) is not None:
        before = max(low, lot.start() - BESIDE)
        return None if _BUT.search(scan.text, before, lot.start()) else lot.span()
    return None if LISTED.search(scan.text, low, high) else found.span()


_PAPER = r"(?:applications?|requests?|notices?|notifications?|petitions?|letters?|filings?|form(?: 25)?(?:-?nse)?|25-nse|elections?|resolutions?|decisions?|determinations?|announcements?|calls?)"
_GONE = r"(?:hereby |now |today |also |been |since |subsequently |formally |thereby |therefore )*(?:withdrawn|rescinded|revoked|retracted|annulled|cancell?ed|void(?:ed)?|null and void|of no (?:further |longer )?(?:force|effect)|reversed|vacated|lapsed)"
_OF = r"(?:of|for|to|filed|submitted|lodged|dated|made|given|sent|issued|by|with|seeking|regarding|concerning|in respect of)"
# a noun that is no object of a word before it may be the subject of what follows: "by notice of the exchange the listing has been cancelled"
_GAP = r"(?:(?!\bthat\b|(?<! of)(?<! for)(?<! from)(?<! in)(?<! to)(?<!ing)(?<!withdraw)(?<!cancel)(?<!remove)(?<!delist) (?:the |its |their )(?:\w+ ){0,2}?(?:listing|admission|quotation|shares|securities|stock|registration)\b)(?:[^.;,]|\.\S)){0,150}?"
# the paper is the subject or the object of what takes it back; what follows it tells what it was for
TAKEN_BACK = Guarded(
    rf"\b{_PAPER}(?: {_OF}\b{_GAP})? (?:is|was|were|are|has|have|stands?|became|becomes) {_GONE}\b|\b{_PAPER} was filed in error\b"
    rf"|\b(?:withdraw|withdrew|withdrawn|withdraws|withdrawing|rescind\w*|revok\w+|retract\w*) (?:the|its|that|this|their|an?|our)(?: (?!application for listing|listing application|approval|registration)[\w-]+){{0,3}}? {_PAPER}\b"
    rf"|\bamend\w* (?:\w+ ){{0,3}}(?:to withdraw|withdrawing) (?:the |its )?{_PAPER}\b"
    r"|\b(?:antrag|gesuch|kündigung|mitteilung|beschluss)\b[^.;]{0,110}?\b(?:zurückgezogen|zurückgenommen|zurückzuziehen|zurückzunehmen|hinfällig|gegenstandslos)\b|\b(?:rücknahme|rückzug|zurücknahme) (?:des|ihres|seines) (?:antrag|gesuch|begehren)s?"
    r"|\b(?:demande|requête|avis|notification|décision)\b[^.;,]{0,110}?\b(?:est|sont|a été|ont été|soit) (?:retirée?s?|rapportée?s?|annulée?s?|caduques?|abandonnée?s?)\b|\b(?:retirer|retrait de|retire|retiré|rapporter|annuler|renonce à|renoncer à) (?:sa|la|cette|leur) (?:demande|requête|décision)\b"
    r"|\b(?:solicitud|petición|aviso|acuerdo|notificación)\b[^.;,]{0,110}?\b(?:ha sido|fue|queda|quedó|han sido) (?:hoy |ya )?(?:retirad[ao]|revocad[ao]|desistid[ao]|sin efecto|anulad[ao])\b|\b(?:retirar|desistir de|retirada de|desistimiento de|dejar sin efecto|revocar) (?:la|su|el|dicha) (?:solicitud|petición|acuerdo|aviso)\b"
    r"|\b(?:pedido|requerimento|solicitação|aviso|deliberação)\b[^.;,]{0,110}?\b(?:foi|fica|ficou|foram|é|está) (?:hoje |já )?(?:retirad[ao]|revogad[ao]|cancelad[ao]|sem efeito|anulad[ao])\b|\b(?:retirar|desistir d[oae]|desistência d[oae]|retirada d[oae]|revogar|revogação d[oae]) (?:o |a |seu |sua )?(?:pedido|requerimento|solicitação|deliberação)\b"
    r"|\b(?:richiesta|domanda|istanza|comunicazione|delibera)\b[^.;,]{0,110}?\b(?:è stat[ao]|viene|è) (?:oggi )?(?:ritirat[ao]|revocat[ao]|annullat[ao])\b|\b(?:ritirare|ritiro del|rinunciare al|revocare) ?(?:la|l'|lla |l'|sua)? ?(?:richiesta|domanda|istanza|delibera)\b"
    r"|\b(?:verzoek|aanvraag|aanzegging|besluit|kennisgeving)\b[^.;,]{0,110}?\b(?:ingetrokken|in te trekken|herroepen)\b|\bintrekking van (?:het|de) (?:verzoek|aanvraag)\b"
    r"|\b(?:ansökan|begäran|beslutet|meddelandet)\b[^.;,]{0,110}?\b(?:återkallats?|återkallas|dragits tillbaka|dras tillbaka|återtagits)\b|\b(?:återkalla|dra tillbaka|återta) (?:sin |bolagets )?(?:ansökan|begäran|beslutet)\b"
    r"|\b(?:søknaden|anmodningen|begjæringen|beslutningen|ansøgningen)\b[^.;,]{0,110}?\b(?:trukket(?: tilbake)?|trekkes(?: tilbake)?|tilbakekalt|trukket tilbage|trækkes tilbage|tilbagekaldt)\b|\b(?:trekke|trække|trukket|trakk|tilbagekalde|tilbakekalle)(?: tilbake| tilbage)? (?:sin )?(?:søknaden|søknad|anmodningen|ansøgningen)\b"
    r"|\b(?:hakemus|hakemuksen|pyynnön|ilmoitus)\b[^.;,]{0,110}?\b(?:peruutettu|peruuttaa|perunut|vetää pois|vetänyt pois|vedetty pois)\b|\b(?:peruuttaa|perua|vetää pois|peruutti|perui) (?:\w+ ){0,5}?hakemuk\w+"
    r"|\b(?:wniosek|uchwała|zawiadomienie)\b[^.;,]{0,110}?\b(?:został|została|zostało) (?:\w+ )?(?:cofnięt\w+|wycofan[yae]|uchylon\w+)\b|\b(?:cofnięci\w+|cofnąć|cofnęł\w+|cofnął|wycofaniu|wycofać) (?:wniosku|wniosek)\b"
    r"|(?:申請|請求|届出)(?:の|を)?(?:取り?下げ|撤回)|撤回(?!(?:股份|公司|h股|其|該等|的)*上市)[^。;，,]{0,24}(?:申[请請]|通知)|申[请請](?:已|获|獲|被|遭)+撤回|신청[을의]? ?(?:자진 ?)?(?:철회|취하)|\brút (?:lại )?(?:đơn|hồ sơ)|\b(?:đơn|hồ sơ)\b[^.;]{0,80}?\b(?:đã|được) (?:được )?rút\b"
    r"|\b(?:mencabut|menarik(?: kembali| balik)?|pencabutan|penarikan) (?:kembali )?permohonan|\bpermohonan\b[^.;]{0,80}?\b(?:dicabut|ditarik (?:kembali|balik))|\bbaşvuru\w*(?: \w+){0,2} (?:geri ç\w+|geri al\w+)|سحب (?:طلب|الطلب)|ถอนคำขอ|ยกเลิกคำขอ|आवेदन वापस"
)
# "at its request", "auf Antrag", "na wniosek": what follows is done by the paper, not to it
_BY_IT = re.compile(
    r"\b(?:(?:upon|on|under|following|after|pursuant to|per|by|with|in|at|to|through|via|vide|auf|nach|mit|gemäß|durch|aufgrund|à|sur|par|suite à|après|por|mediante|según|tras|conforme|mediante|após|su|con|dalla|della|dietro|op|na|bij|door|på|efter|etter|gennem|gjennom|po|zgodnie z)(?: (?:the|its|an?|that|this|la|le|sa|cette|el|su|o|het|de|een|sin|seu|un|une|une|einem|einen|dem|den|written|own|company's))*|\ba) $"
)
_FEMININE = ("solicitação", "deliberação")  # their "a" is an article
AGAIN = re.compile(  # and the step is taken after all
    r"\b(?:re-?fil|resubmit|refiled|new (?:application|notice|form)|fresh (?:application|notice)|instead|replac|supersed|neue[rns]? (?:antrag|gesuch)|nouvelle demande|nueva solicitud|novo pedido|nuova richiesta|nieuw verzoek|ny ansökan|ny søknad|ny anmodning|uusi hakemus|nowy wniosek)"
    r"|\bmotions?\b|\bappeals?\b|再申請|重新申|재신청"
)
LINK = 40  # folded characters between a paper that is taken back and the words of the step that it was for


def taken_back(doc: Document, unit: Unit, start: int, end: int) -> tuple[int, int] | None:
    """Words that take back the request, notice or form that the step [start, end) of folded text tells of."""
    for found in TAKEN_BACK.finditer(doc.scan, unit.fstart, unit.fend):
        between = doc.folded.text[found.end() : start]
        if _BY_IT.search(doc.folded.text, max(unit.fstart, found.start() - AROUND), found.start()) and not found.group().startswith(
            _FEMININE
        ):
            continue
        near = (found.start() < end and start < found.end()) or (0 <= start - found.end() <= LINK and not _parts(between))
        if near and not AGAIN.search(doc.folded.text, unit.fstart, unit.fend):
            return found.span()
    return None


def _parts(between: str) -> bool:
    return any(mark in between for mark in (",", ";", " and ", " but "))


_ENDING = (
    r"(?:\w*delist\w*|cancell\w+|withdrawal|removal|listing|radiation|retrait|exclusión|deslist\w+|salida|saída|exclusão|cancelamento|deslistagem|revoca|\w*avnoter\w*|\w*afnoter\w*|\w*stryk\w*|slet\w+|schrapp\w*|beëindig\w*|notering\w*|uittreding|\w*widerruf\w*|\w*dekotier\w*|\w*rückzug\w*|poist\w+|wycofa\w+|wyklucz\w+"
    r"|penghapusan|pembatalan|penyahsenaraian)"
)
_WORK = r"(?:stud(?:y|ies)|reviews?|work|plans?|process|procedures?|proceedings|project|preparations?|evaluation|assessment|consideration|discussions?|talks)"
_FEW = r"(?: (?!(?:and|und|et|y|e|og|och|oraz|i|dan) )[^\s.;:,]+){0,7}?"  # words of one phrase
PUT_OFF = Guarded(
    rf"\b(?:to (?:postpone|defer|delay|shelve|put off|hold off|adjourn)|postponing|deferring|delaying|shelving|adjourning|postponed (?:the|its|their|any)|postponement of|deferral of){_FEW} {_ENDING}"
    rf"|\b(?:to (?:suspend|pause|halt|stop|discontinue|freeze|interrupt|abandon|drop)|suspending|pausing|halting|stopping|freezing|abandoning){_FEW} {_WORK}\b{_FEW} {_ENDING}|\b(?:to (?:put|place)|putting|placing){_FEW} {_ENDING}[^.;,]{{0,40}}? on (?:hold|ice)\b"
    rf"|{_ENDING}(?: (?!(?:und|en) )[^\s.;:]+){{0,6}}? (?:zurückzustellen|zurückgestellt|zu sistieren|sistiert|zu vertagen|zu verschieben|verschoben|aufzuschieben|auszusetzen|ruhen zu lassen|op te schorten|uit te stellen|in de wacht te zetten|stil te leggen)\b"
    rf"|\b(?:reporter|différer|ajourner|surseoir|repousser|le report|l'ajournement|geler|interrompre){_FEW} (?:d'une |la |de |du |une )*{_ENDING}|\bsuspendre{_FEW} (?:procédure|étude|projet|processus|travaux){_FEW} {_ENDING}"
    rf"|\b(?:aplazar|posponer|postergar|diferir|aplazamiento|paralizar){_FEW} {_ENDING}|\bsuspender{_FEW} (?:proceso|estudio|trámites?|procedimiento|processo|estudos?|procedimentos?|trabalhos){_FEW} {_ENDING}"
    rf"|\b(?:adiar|postergar|diferir|o adiamento){_FEW} {_ENDING}|\b(?:rinviare|posticipare|differire|rimandare|il rinvio){_FEW} (?:del |dal |della )?{_ENDING}|\bsospendere{_FEW} (?:esame|l'esame|procedura|studio|lo studio|progetto|iter|l'iter){_FEW} {_ENDING}"
    rf"|\b(?:pausa|avvakta|senarelägga|vilandeförklara){_FEW} {_ENDING}|\b(?:lägga|legge|lægge){_FEW} {_ENDING}[^.;,]{{0,40}}? på (?:is|hyllan|hylla|hylden|hylde)\b|\b(?:sette|stille|sætte){_FEW} {_ENDING}[^.;,]{{0,40}}? (?:på vent|i bero)\b"
    rf"|\b(?:keskeyttää|jäädyttää|siirtää){_FEW} {_ENDING}|\bzawiesi\w+{_FEW} (?:procedur\w+|prac\w*|postępowani\w+|proces\w*|plan\w*){_FEW} {_ENDING}|\b(?:wstrzymać|wstrzymaniu){_FEW} {_ENDING}"
    r"|(?:上場廃止|非公開化)[^。、]{0,20}(?:検討|手続き?|準備|申請)?(?:を|の)(?:当面|当分の間|無期限で)?(?:延期|中断|凍結|見送|先送り|保留)|(?:[暂暫][缓緩]|推[迟遲]|押後|延后|延後|延期|擱置|搁置|中止|[暂暫]停)(?:研究|申[请請]|推[进進]|[办辦]理|[筹籌][划劃]|考[虑慮]|本次|公司|股票|主动|主動|自愿|自願|有[关關]|關於|关于|之|的|審議|审议){0,6}(?:终止上市|終止上市|退市|撤銷上市|撤销上市|下市|私有化)"
    r"|상장 ?폐지(?:(?!매매|거래)[^.,]){0,24}(?:보류|연기|중단|유보|미루)|\b(?:hoãn|tạm dừng|tạm hoãn|lùi|dừng)(?: (?!giao|và)[^\s.;,]+){0,6}? hủy niêm yết|\b(?:menunda|menangguhkan|penundaan|menghentikan sementara)(?: (?!dan |perdagangan)[^\s.;,]+){0,6}? (?:delisting|penghapusan|penyahsenaraian|go private)"
    r"|\b(?:kottan|kotundan|borsadan)(?: (?!ve |işlem)[^\s.;,]+){0,4}? (?:\w*ertele\w+|durdur\w+|askıya|beklet\w+)|(?:تأجيل|إرجاء|العدول عن|صرف النظر عن|(?:وقف|تعليق|تجميد)(?: السير في)? (?:إجراءات|دراسة|عملية|مشروع|خطة))(?: [^\s.;,]+){0,5}? (?:ال)?شطب|(?:เลื่อน|ชะลอ|ระงับ)(?:การ)?(?:พิจารณา|ศึกษา|ดำเนินการ)?(?:การ)?(?:ขอ)?เพิกถอน|डीलिस्टिंग(?:(?!और|ट्रेडिंग|कारोबार)[^।]){0,24}(?:स्थगित|टाल)"
)
UNTIL_A_DAY = re.compile(  # the end stays, on a later day
    r"\b(?:to|until|till|auf den|bis zum|au|jusqu'au|al|hasta el|para o?|fino al|naar|tot|till den|til den|til) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?(?:the )?(?:\d|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d)"
    r"|(?:至|到)(?:\d{4} ?年)?\d{1,2} ?月|\d{1,2}月\d{1,2}日(?:に|まで)|\d{1,2} ?월 ?\d{1,2} ?일로|\b(?:đến|sang) ngày \d"
)
AROUND = 90  # folded characters before and after a step within which words put it off


def put_off(doc: Document, unit: Unit, start: int, end: int) -> tuple[int, int] | None:
    """Words that put off the step [start, end) of folded text, or the work on it, to no day."""
    found = next((m for m in PUT_OFF.finditer(doc.scan, unit.fstart, unit.fend) if m.start() < end + AROUND and start < m.end()), None)
    if found is None or UNTIL_A_DAY.search(doc.folded.text, found.start(), unit.fend):
        return None
    return found.span()


# "order instituting proceedings pursuant to Section 12(j)": what is opened is a case, and whether anything is revoked is for its end to say
_OPENS_CASE = re.compile(
    r"\b(?:institut(?:e|es|ed|ing|ion)|commenc(?:e|es|ed|ing)|open(?:s|ed|ing)?|initiat(?:e|es|ed|ing)|brings?|brought)\b[^.;]{0,60}?\bproceedings?\b|\bproceedings? (?:[^\s.;]+ ){0,6}?(?:be|is|are|was|were|been|being) (?:hereby )?(?:instituted|opened|commenced|initiated)\b"
    r"|\bnotice of (?:\w+ ){0,2}?hearing\b|\border to show cause\b|\bverfahren\b[^.;]{0,60}?\b(?:eröffnet|eingeleitet)\b|\b(?:eröffnet|leitet)\b[^.;]{0,60}?\bverfahren\b|\b(?:engag|ouv|introdui)\w+ [^.;]{0,40}?\bprocédure|\b(?:incoa|inici|abr)\w+ [^.;]{0,40}?\b(?:procedimiento|expediente|processo)"
)
_REVOKED = re.compile(
    r"\b(?:revok(?:es|ed|ing)|revocation (?:is|was)|widerr\w+|entzogen|révoqu\w+|revoc(?:a|ó|ado|ada|ato|ata)|revog(?:a|ou|ado|ada))\b"
)
_SECTION = "12(j)"


def case_opened(doc: Document, unit: Unit, start: int, end: int) -> tuple[int, int] | None:
    """Words that open the case under the section by which a registration is revoked, where the step [start, end) is its number alone."""
    text = doc.folded.text
    if _SECTION not in text[start:end] or _REVOKED.search(text, unit.fstart, unit.fend):
        return None
    found = _OPENS_CASE.search(text, unit.fstart, unit.fend)
    return None if found is None else found.span()


def other_object(doc: Document, unit: Unit, stage: Stage, start: int, end: int) -> Object | None:
    """What the act [start, end) of folded text has as its object where that is not the listing; None where it may be the listing."""
    if (span := capital(doc, unit, stage)) is not None:
        return Object(Stage.NONE, *span, "share capital, not a listing")
    if (span := taken_back(doc, unit, start, end)) is not None:
        return Object(Stage.REVERSAL, *span, "a request or notice that is taken back")
    if stage is Stage.DETERMINATION and (span := case_opened(doc, unit, start, end)) is not None:
        return Object(Stage.WARNING, *span, "a case that is opened, no revocation")
    if stage is not Stage.FILING and (span := put_off(doc, unit, start, end)) is not None:
        return Object(Stage.REVERSAL, *span, "put off to no day")
    if stage is not Stage.FILING and (span := other_list(doc, unit, start, end)) is not None:
        return Object(Stage.CURE, *span, "off a list that is not the list of quoted securities")
    if stage is not Stage.FILING and (span := only_orders(doc, unit, start, end)) is not None:
        return Object(Stage.NONE, *span, "orders or trades, not a listing")
    return None
