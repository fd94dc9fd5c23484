"""Sentences that look like the end of a listing: a step off a watch list, a line of shares whose place another one takes, proceedings that
are closed, an end that would be too hard, and an admission."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.lexis import Scan
from s2r.adjudicate.rules.relined import relined
from s2r.lang.literals import Hint

AFTER = 100  # folded characters from a step to the list that it is off
# "from the watch-list", "från observationslistan", "z listy alertów": a list that warns, with the word that says off it
OFF_WATCH = Guarded(
    r"\bfrom (?:the |its |their )?(?:\w+ ){0,2}?(?:watch-?list|watch list|observation (?:list|segment)|surveillance (?:list|segment|measures?)|alert list|penalty bench|pn17\b|gn3\b|recovery (?:box|segment)|special treatment|warning board)"
    r"|\bvon der (?:\w+ )?(?:beobachtungs|überwachungs|watch-?)liste|\b(?:du compartiment|de la liste|du groupe|du segment) (?:des |de )?(?:[\w' ]{0,24})(?:surveillance|observation|alerte|penalty)"
    r"|\bde la (?:lista|segmento) de (?:vigilancia|observación|alerta)\w*|\bda lista de (?:observação|alerta|vigilância|companhias em situação irregular)|\bdalla (?:black ?list|lista (?:nera|di osservazione|di vigilanza))"
    r"|\bvan (?:het|de) (?:strafbank\w*|waarschuwingslijst|observatielijst|penalty bench)|\bfrån (?:observations|bevaknings)\w+|\bfra (?:(?:nasdaq|børsens|oslo børs'?)\w* )?(?:observations\w+|straffebenk\w*|særlig observasjon|straffesegment\w*)"
    r"|\b(?:tarkkailu|valvonta)(?:lista|segmenti|luokita)\w*(?:lta|stä|sta)\b|\bz (?:segmentu )?[\"„]?(?:listy|lista) alert\w+|\b(?:izleme|gözaltı|yakın izleme) (?:listesinden|pazarından)"
    r"|\bdari (?:papan pemantauan|pemantauan) khusus|\bkhỏi diện (?:cảnh báo|kiểm soát|hạn chế|đình chỉ)"
    # "will no longer be an affected listed issuer", "nie znajduje się już na liście alertów": what it is no longer
    r"|\b(?:no longer|ceases? to|ceased to) (?:be |is |are |fall |falls |being )?(?:classed |classified |considered |designated |treated )?(?:as |under |on |within |subject to )?(?:an? |the )?(?:affected listed (?:issuer|corporation)|(?:pn|gn) ?\d+ (?:company|issuer|status)|pn ?17\b|gn ?3\b|watch-?list|special treatment|enhanced surveillance|observation (?:list|status))"
    r"|\btidak lagi (?:diklasifikasikan |dikelaskan |tergolong |berada |masuk |menjadi |merupakan |dianggap )?(?:sebagai |dalam |di bawah )?(?:penerbit tersenarai terjejas|syarikat (?:pn|gn) ?\d+|status (?:pn|gn) ?\d+|pn ?17|gn ?3|(?:papan )?pemantauan khusus|notasi khusus)"
    r"|\bnicht (?:mehr|länger) (?:auf|unter) (?:der |dem )?(?:\w+ )?(?:beobachtungs|überwachungs|watch-?|straf)\w*|\bn['e] ?(?:est|figure|sera|sont|seront) plus (?:\w+ )?(?:placée?s? |inscrite?s? )?(?:sous|sur|dans|à) (?:la |le |l')?(?:liste |compartiment |groupe |segment )?(?:des |de |d')?[\w' ]{0,24}(?:surveillance|observation|alerte|penalty)"
    r"|\b(?:deja|dejará|dejan|ya no (?:está|figura|estará)) (?:de (?:estar|figurar) )?(?:en|bajo|sujeta a) (?:la )?(?:lista |segmento )?(?:de )?(?:vigilancia|observación|alerta)|\b(?:deixa|deixará|não (?:está|estará) mais) (?:de (?:estar|figurar) )?(?:n[ao]|em|sob) (?:lista |segmento )?(?:de )?(?:observação|alerta|vigilância)"
    r"|\bnon (?:è|sarà|figura) più (?:inserita |presente )?(?:nella|in) (?:black ?list|lista (?:nera|di osservazione|di vigilanza))|\bniet (?:langer|meer) op (?:het |de )?(?:strafbank\w*|waarschuwingslijst|observatielijst)"
    r"|\binte längre (?:på |har |under )?(?:observations|bevaknings)\w+|\bikke (?:lenger|længere) (?:på |under |i )?(?:observations\w+|særlig observasjon|straff?e\w+)|\bei (?:ole )?enää (?:\w+ )?(?:tarkkailu|valvonta)\w+|\bnie (?:jest|znajduje się|figuruje) już (?:\w+ )?na [\"„]?liście alert\w+"
    r"|不再(?:被|是|属于|屬於)?(?:实施|實施|列入|列为|列為)?[^。，,;；]{0,10}(?:风险警示|風險警示|观察名单|觀察名單|监管名单)|(?:관리종목|투자주의환기종목)[^.;]{0,12}(?:해제|벗어)|(?:監理銘柄|特設注意市場銘柄|特別注意銘柄)[^。、]{0,10}(?:指定を?解除|でなくな)"
)
# what else the step may be off: then it is no matter of a watch list only
LISTED = Guarded(
    r"de-?list|official list|\bquotation|trading on|avnoter|afnoter|\bnotering|börslist|pörssilist|kaupankäyn|radiation|radier|exclusión|cotización|negociação|quotazione|\bobrotu|zulassung|notierung|hủy niêm yết"
)
_OLD = (
    r"\b(?:existing|old|present|current|bisherigen?|alten?|oude|bestaande|gamla|nuvarande|gamle|nåværende|nuværende|vanha\w*|nykyi\w+|dotychczasow\w+) (?:[\w-]+ ){0,2}?(?:shares?|stock|units|line|aktien?|stückaktien|aandelen|aktie\w*|aksje\w*|osak\w+|akcj\w+)\b"
    r"|\b(?:actions|titres) (?:anciennes?|actuelles?|existantes?)|\b(?:acciones|títulos) (?:actuales|antigu[ao]s|existentes)|\bações (?:atuais|antigas|existentes)|\bazioni (?:attuali|vecchie|esistenti)|\bcổ phiếu cũ"
    r"|\bvanha\w* (?:osake)?(?:laji|sarja)\w*|旧株|旧股|舊股|原股份|구주권?|구 주권"
)
_NEW = (
    r"\b(?:new|consolidated|sub-?divided|neuen?|zusammengelegten?|nieuwe|nya|nye|uudet|uusi\w*|nowe|nowych) (?:[\w-]+ ){0,2}?(?:shares?|stock|units|line|aktien?|stückaktien|aandelen|aktie\w*|aksje\w*|osak\w+|akcj\w+)\b"
    r"|\b(?:actions|titres) (?:nouvelles|regroupées)|\bnouvelles actions|\b(?:acciones|títulos) (?:nuev[ao]s|resultantes|agrupad[ao]s)|\bnuevas acciones|\bações (?:novas|resultantes|grupadas)|\bnovas ações|\bazioni (?:nuove|raggruppate)"
    r"|\bnuove azioni|\bcổ phiếu mới|新株|新股|신주권?|신 주권"
)
OLD_LINE, NEW_LINE = Guarded(_OLD), Guarded(_NEW)


def off_watch_list(scan: Scan, start: int, end: int, high: int) -> re.Match[str] | None:
    """The list of warned companies that a step [start, end) of folded text takes the shares off, and nothing else; looked for up to `high`."""
    high = min(high, end + AFTER)
    found = OFF_WATCH.search(scan, start, high)
    return found if found is not None and not LISTED.search(scan, start, high) else None


# "to the penalty bench", "vers le compartiment des valeurs sous surveillance", "na listę alertów": where such a step takes the shares
ONTO_WATCH = Guarded(
    r"\b(?:to|onto|into|on) (?:the |its |their |[\"“«'] ?)*(?:[\w-]+ ){0,2}?(?:penalty bench|recovery (?:box|segment)|watch-?list|watch list|observation (?:list|segment|status)|surveillance (?:list|segment)|alert (?:list|board)|caution(?:ary)? list|supervision post|warning board)"
    r"|\b(?:auf|in|unter) (?:den |die |das |der |dem )?(?:[\w-]+ ){0,2}?(?:beobachtungs\w+|überwachungs\w+|watch-?list\w*|strafbank\w*|strafsegment\w*|penalty[- ]bench\w*)"
    r"|\b(?:vers|dans|sur|au|à) (?:le |la |l'|un )?(?:compartiment|segment|groupe|liste)?(?: (?:spécial|des|de|du|dit|valeurs|titres|sous|en|la)){0,6} ?[\"“«'(]{0,2} ?(?:penalty bench|recovery box|surveillance|sanctions?\b|alerte|observation)"
    r"|\b(?:naar|op|aan) (?:het |de |een )?(?:[\w-]+ ){0,3}?[\"“«'(]{0,2}(?:strafbank\w*|penalty bench|recovery box|waarschuwingslijst|observatielijst)"
    r"|\b(?:al|a la|en el|en la|hacia el) (?:lista|segmento|compartimento|mercado)?(?: especial)?(?: de)? ?[\"“«'(]{0,2}(?:vigilancia|observación|alertas?|penalty bench|sanción)"
    r"|\b(?:para|no|na|à|ao) (?:o |a )?(?:lista|segmento|compartimento)?(?: especial)?(?: de)? ?[\"“«'(]{0,2}(?:vigilância|observação|alertas?|penalty bench)"
    r"|\b(?:al|nel|nella|alla|verso il) (?:lista|segmento|comparto)?(?: speciale)?(?: di| delle società in)? ?[\"“«'(]{0,2}(?:osservazione|vigilanza|penalty bench|black ?list)"
    r"|\b(?:till|på|i) (?:observations|bevaknings|straff)\w+|\b(?:til|på|i) (?:det |den )?(?:særlig observasjon|observations\w+|straffe\w+|kompartementet penalty bench|penalty bench)"
    r"|\b(?:tarkkailu|valvonta)(?:lista|segment|luokka)\w*(?:lle|lla|ään|een|iin|an)\b|\b(?:na|do) (?:segmentu )?[\"„]?(?:listy|listę|lista) alert\w+"
    r"|\b(?:izleme|gözaltı|yakın izleme) (?:listesine|pazarına|pazarı'na)|\b(?:ke|ke dalam|ke papan) (?:papan )?pemantauan khusus|\b(?:sang|vào) diện (?:cảnh báo|kiểm soát|hạn chế|đình chỉ)"
)


def onto_watch_list(scan: Scan, start: int, end: int, high: int) -> re.Match[str] | None:
    """The list of warned companies to which a step [start, end) of folded text takes the shares, and which ends no listing."""
    high = min(high, end + AFTER)
    found = ONTO_WATCH.search(scan, start, high)
    if found is None or LISTED.search(scan, start, high) or _RELATIVE.search(scan.text, start, found.start()):
        return None
    return found if _TAKES.search(scan.text, start, found.start()) else None


_RELATIVE = re.compile(r", ?(?:which|that|who|die|der|das|deren|dont|qui|que|che|som|joka|jotka|któr\w+|yang)\b")  # told of another step
_TAKES = re.compile(
    r"\b(?:transf\w+|trasf\w+|mov\w+|plac\w+|put|add\w*|assign\w*|includ\w*|relegat\w*|verset\w*|verleg\w*|überführ\w*|setz\w*|gesetzt|aufgenommen|aufzunehmen|inscri\w+|plac\w+|over ?te ?(?:plaatsen|brengen|hevelen|dragen)|over\w+|plaats\w*|ver\w*plaats\w*|geplaatst"
    r"|traslad\w+|pas\w+|inclu\w+|moviment\w+|spost\w+|flytt\w+|placer\w+|överför\w+|overfør\w+|sett\w*|siirt\w+|siirre\w+|przen\w+|przekwalif\w+|umie\w+|wpis\w+|alın\w+|aktar\w+|memindah\w+|dipindah\w+|chuyển|đưa)"
)


def line_replaced(scan: Scan, start: int, end: int) -> bool:
    """The sentence [start, end) of folded text names an old line and a new one of the same shares, and no takeover."""
    if relined(scan, start, end):
        return True
    if not OLD_LINE.search(scan, start, end) or not NEW_LINE.search(scan, start, end):
        return False
    return not scan.within("reason.merger_acquisition", start, end)


_PROCEEDINGS = (
    r"(?:\w*verfahren|procedure|ärendet?|saken|sagen|menettely\w*|asian|postępowani\w+)(?: [^\W\d_]+){0,2}? (?:zu[mr]|betreffend|betr\.|wegen|auf|über|tot|inzake|betreffende|om|rörande|angående|vedrørende|w (?:przedmiocie|sprawie)|o)"
    r" [^.;,]{0,24}?(?:widerruf\w*|delist\w*|dekotier\w*|beëindig\w*|schrap\w*|avnoter\w*|afnoter\w*|stryk\w*|sletning\w*|slette|wykluczeni\w*|wycofani\w*)"
    r"|(?:widerrufs|delisting|dekotierungs|schrappings|avnoterings|strykings|slettelses)-?(?:verfahren\w*|procedure|ärendet?|saken|sagen)|poist\w+ [^.;,]{0,30}?koskev\w+ (?:menettely\w*|asia\w*)"
)
_CLOSED = (
    r"\b(?:eingestellt|beendet|abgeschlossen|erledigt|gesloten|afgesloten|stopgezet|beëindigd|avslutat|avsluta[rst]?|avslutades|avskriv\w+|lagts? ned|avsluttet|avsluttes|henla\w+|afsluttet|afsluttes|indstillet|lukket"
    r"|lopett\w+|päätt(?:yi|ynyt|yy)|raue\w+|raukes\w+|umorz\w+|umarza|zakończ\w+)\b"
)
CLOSED = re.compile(
    rf"\b(?:{_PROCEEDINGS})\b(?:(?! und | en | och | og | ja | i )[^.;]){{0,90}}?{_CLOSED}|{_CLOSED}[^.;,]{{0,30}}?\b(?:{_PROCEEDINGS})\b"
)
_CAN_CLOSE = Hint(CLOSED)  # whether a text can hold one at all
# right after the end of a listing: it is weighed, not decided ("eine Dekotierung wäre unverhältnismässig")
TOO_HARD = re.compile(
    r"[^.;:]{0,48}?\b(?:wären?|würden?|zou(?:den)?|skulle (?:vara|bli|innebära|strida|framstå)|vore|ville (?:være|vært|blive|bli|innebære|indebære|stride)|olisi|olisivat|byłob?y|byłab?y|byłoby|byłaby|stanowił[oa]by)\b"
)
# "hat die Zulassung zum Handel genehmigt": the application that is granted is one to be listed
ADMISSION = re.compile(
    r"\b(?:upptagande(?:t)? (?:till|av)|upptas? till|notering av|opptak (?:til|av|på)|opptatt til|optagelse (?:til|af|på)|optaget til|listalleot\w+|kaupankäynnin kohteeksi|toelating|toegelaten|zulassung (?:zum|zur|neuer|der neuen|von)"
    r"|aufnahme (?:in|des handels)|dopuszczeni\w+|wprowadzeni\w+)\b"
)
_NO_MORE = re.compile(  # "shall no longer be admitted"
    r"\b(?:inte|ej|icke|ikke|nicht|niet|nie|ei|eivät|ettei|etteivät) (?:\w+ )?(?:längre|lenger|længere|mehr|länger|meer|langer|enää|mer|mere|więcej|już)\b[^.;,]{0,36}$"
)
GRANTED = 48  # folded characters after a decision within which its object stands


def proceedings_closed(text: str, start: int, end: int, low: int, high: int) -> re.Match[str] | None:
    """Words in [low, high) of folded text that close proceedings about the end of a listing, around the step [start, end)."""
    if not _CAN_CLOSE(text[low:high]):
        return None
    return next((m for m in CLOSED.finditer(text, low, high) if m.start() < end and start < m.end()), None)


def too_hard(text: str, end: int, high: int) -> re.Match[str] | None:
    """Words right after a step that say what the end of the listing would be."""
    return TOO_HARD.match(text, end, high)


def admission(scan: Scan, start: int, end: int, high: int) -> re.Match[str] | None:
    """The words by which a decision [start, end) of folded text grants an admission, where it ends no listing."""
    high = min(high, end + GRANTED)
    found = ADMISSION.search(scan.text, start, high)
    if found is None or _NO_MORE.search(scan.text, max(start, found.start() - GRANTED), found.start()):
        return None
    if any(hit.start < found.start() or found.end() < hit.end for hit in scan.within("object", start, high)):
        return None  # an end that is named, be it of the admission itself ("the revocation of the admission to")
    return found
