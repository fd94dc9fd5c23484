"""Steps that are only asked about, possible or prepared: indirect questions ("ob die Zulassung widerrufen wird"), modal verbs at the end of a
clause, decisions to talk or study, mandates for a case that may come, meetings that are asked for."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.guarded import Guarded, Searched

ASKED = 90  # folded characters between the word that opens an indirect question and the step
BESIDE = 16  # folded characters between "talks on" and the step
WHETHER = Guarded(
    r"\b(?:ob|huruvida|hvorvidt|whether|czy)\b|\b(?:frågan|frågor|spørsmålet?|spørgsmålet?|vraag|pröva|prövar|vurdere|vurderer|avgöra|avgör|avgjøre|afgøre|beslissen|beoordelen|bezien|stilling til|ställning till)"
    r"(?: [^\W\d_]+){0,2}? (?:om|of)\b|\b[^\W\d_]+t(?:aanko|äänkö)\b"
)
OPENS = re.compile(
    r"\W*(?:of|om)\b(?=[^.]{5,200}\b(?:beslist|besloten|bezien|beslutas|avgörs|prövas|avgjøres|vurderes|afgøres|beslutter)\b)"
)
# right after a verb that ends its clause: "widerrufen werden kann", "beëindigd kan worden"
POSSIBLE = re.compile(r" ?(?:werden |worden |zu )?(?:kann|können|könnten?|könne|kan|kunnen|zou kunnen)\b")
# "resolved to open talks on a delisting": inside the step
TALKS = Guarded(
    r"\b(?:gespräche|verhandlungen|abklärungen|vorbereitungen|untersuchungen|analysen|gesprekken|besprekingen|onderhandelingen|(?:een )?onderzoek|samtal(?:en)?|diskussioner(?:na)?|förhandlingar(?:na)?|utredning(?:en)?|drøftelser(?:ne)?|drøftelsene|samtaler(?:ne)?|samtalene|forhandlinger(?:ne)?|forhandlingene|undersøgelser?"
    r"|neuvottelu\w*|keskustelu\w*|selvity\w*|analiz\w*|przegląd\w*|rozm[oó]w\w*|negocjacj\w*|prac)(?: [^\s.;,]+){0,10}? (?:über|zu|zur|zum|naar|over|inzake|om|kring|rörande|vedrørende|angående|dotycząc\w+|nad|na temat|w sprawie)\b"
    r"|\b(?:aloittaa|käynnistää|jatkaa) (?:neuvottelu|keskustelu|selvity)\w+"
)
# "in order to resolve on a delisting": what a meeting is asked for
PURPOSE = Guarded(
    r"\b(?:med henblik på at|för att|for å|um(?: über)?|om te|teneinde te|w celu|celem)(?: [^\s.;:]+){0,5}? (?:beslutte|vedta|besluta|behandle|behandla|stemme|rösta|(?:zu )?beschlie(?:ß|ss)en|abzustimmen|besluiten|stemmen|podjęcia|głosowania|rozpatrzenia)\b"
)
# "authorises the board, if an offer is made, to apply"
EMPOWERED = Guarded(
    r"\b(?:ermächtig\w+|bevollmächtig\w+|gemachtigd|machtig\w+|bemyndig\w+|fullmakt|valtuut\w+|upoważni\w+)\b(?=[^.;]{0,260}?\b(?:bei vorliegen|falls|sofern|soweit|wenn|innerhalb|bis zum|indien|als|binnen|om (?:ett|en|bud\w*|någon)|därest|dersom|hvis"
    r"|såfremt|innen|inden|mikäli|jos|jeżeli|o ile|w przypadku|pod warunkiem)\b)"
)
# "has undertaken to vote in favour": the vote is still ahead
PROMISED = Guarded(
    r"\b(?:undertak\w+|undertook|irrevocabl\w+|pledg\w+|promis\w+|commit\w+|agreed|intend\w*)\b[^.;]{0,60}? to (?:\w+ )?vote (?:[\w']+ ){0,6}?(?:in favou?r|for|in support)\b|\b(?:will|would) (?:\w+ )?vote (?:[\w']+ ){0,6}?(?:in favou?r|for|in support)\b"
    r"|\b(?:verpflichte\w+|zugesag\w+|zusage\w*|versproch\w+)\b[^.;]{0,90}? (?:zu stimmen|stimmen zu wollen|zuzustimmen)\b|\b(?:zu stimmen|zuzustimmen)[^.;]{0,30}? (?:verpflichtet|zugesagt|versprochen)\b|\bstimm(?:bindungs)?(?:zusage|verpflichtung)\w*"
    r"|\b(?:engag\w+|promis\w*)\b[^.;]{0,60}? (?:à |de )?voter (?:\w+ ){0,3}?(?:en faveur|pour)\b|\bengagements? (?:\w+ )?de vote\b"
    r"|\b(?:comprom\w+|comprome\w+)\b[^.;]{0,60}? (?:a |de )?votar (?:\w+ ){0,3}?(?:a favor|favorablemente|favoravelmente)\b|\bcompromisos? de voto\b|\bcompromissos? de voto\b"
    r"|\bimpegn\w+\b[^.;]{0,60}? (?:a |di )?vot(?:are|o) (?:\w+ ){0,3}?(?:a favore|favorevol\w+)\b|\b(?:toegezegd|toezegging\w*|verbonden|verplicht|beloofd)\b[^.;]{0,60}? (?:te stemmen|te zullen stemmen)\b"
    r"|\b(?:förbundit sig|åtagit sig|utfäst sig|lovat)\b[^.;]{0,40}? (?:att )?rösta (?:\w+ ){0,3}?för\b|\b(?:forplikte\w+|forpligte\w+|lovet|lovt|tilsagt|tilkendegivet)\b[^.;]{0,40}? (?:å |at )?stemme (?:\w+ ){0,3}?for\b"
    r"|\bsitoutu\w+\b[^.;]{0,60}? äänestä\w+|\bzobowiąza\w+\b[^.;]{0,40}? głosowa\w+ za\b|\bcam kết (?:bỏ phiếu|biểu quyết) (?:tán thành|ủng hộ)|\bberkomitmen (?:untuk )?(?:memberikan suara|menyetujui)"
    r"|(?:承諾|承诺|不可撤销|不可撤銷)[^。;；]{0,20}(?:投[票贊赞]|表[决決])[^。;；]{0,8}(?:[贊赞]成|同意)|(?:承諾|承诺)[^。;；]{0,24}投[贊赞]成票|賛成(?:の議決権を行使)?する(?:旨|こと)[^。]{0,12}(?:合意|約束|契約|確約)|찬성[^.]{0,20}(?:약정|확약|약속)"
)
_VOTED = re.compile(  # and the vote was taken
    r"\b(?:passed|carried|adopted|voted|(?:was|were|been) approved|(?:meetings?|holders|shareholders|stockholders|members) (?:of [^.;,]{1,60}? )?(?:(?:has|have|today|duly) )*approved|angenommen|gestimmt|stimmten?|adoptée?s?|adopté|ont voté|a voté|approuvée?s?|votaron|votó|aprobad[oa]s?|votaram|votou|aprovad[oa]s?|hanno votato|ha votato|approvat[oa]"
    r"|aangenomen|stemden?|gestemd|antogs|röstade|biföll\w*|vedtatt|vedtok|vedtaget|vedtog|stemte|äänesti\w*|hyväksyt\w+|przyjęt\w+|głosowali|podjęt\w+)\b|可決|通過|通过|가결|통과|được thông qua|\bdisetujui\b"
)
# "the stock will be delisted, a fund manager predicts": nobody who acts says it
FORETOLD = Guarded(
    r"(?<!\bas )\b(?:predict(?:s|ed|ing)?|forecast(?:s|ing)?|prophes(?:ies|ied)|foretold|wager(?:s|ed)?|speculat(?:es|ed))\b(?! by\b)|\b(?:prophezei(?:t|te|en)|prognostizier(?:t|te|en)|orakel(?:t|te)|mutma(?:ß|ss)(?:t|te|en))\b|\b(?:prédi(?:t|sent|sait)|pronostiqu(?:e|ent|ait)|pari(?:e|ent) (?:sur|que)|augur(?:e|ent))\b"
    r"|\b(?:predicen?|predijo|pronostican?|pronosticó|augura[n]?|vaticinan?|vaticinó)\b|\b(?:predizem?|prediz|prognosticam?|vaticinam?|vaticinou|apostam? que)\b|\b(?:predice|pronosticano?|pronostica|scommett(?:e|ono) (?:che|su))\b|\bvoorspel(?:t|len|de|den)\b|\b(?:förutspå(?:r|dde)|förutsäger|spå(?:r|dde)|forutsier|forudsiger|forudså)\b"
    r"|\b(?:ennusta(?:a|vat)|ennusti|veikka(?:a|vat)|veikkasi|arvele(?:e|vat))\b|\b(?:prognozuj[eą]|wróż[yą]|przepowiada(?:ją)?)\b|(?:と(?:予測|予想|予言)(?:する|した|して))|(?:预言|預言|预测|預測|断言|斷言)|(?:내다봤|내다보|예측했|점쳤|관측했)|\bdự đoán\b|\b(?:memprediksi|meramal(?:kan)?|menjangka(?:kan)?)\b|\b(?:öngörüyor|tahmin e(?:diyor|tti))\b|(?:يتوقع|توقع|يتنبأ)(?= (?:محلل|خبير|مدير|مستثمر))"
)
_THAT = re.compile(r"[^.;]{0,12}?\b(?:that|dass|que|che|dat|att|at|että|że|bahwa|bahawa|rằng)\b|[^.;]{0,30}?: ?[\"“„«]?")
_TOLD_AFTER = re.compile(r"[^.;]{0,60}?[,\"”“»] ?(?:so |ainsi |zo |så |\w+ ){0,3}?$")
_GOES_ON = re.compile(r", (?:und|en|och|og|ja|i|oraz|and) ")


def asked(scan: Searched, start: int, end: int, low: int) -> re.Match[str] | None:
    """The word that makes the step [start, end) of folded text an indirect question, looked for from `low`."""
    text = scan.text
    if (opening := OPENS.match(text, low)) is not None and opening.end() <= start + ASKED:
        return opening
    for found in WHETHER.finditer(scan, max(low, start - ASKED), end):
        if not _GOES_ON.search(text, found.end(), max(found.end(), start)):
            return found
    return None


def possible(text: str, end: int) -> re.Match[str] | None:
    """A modal verb right after a step that ends at `end` of folded text."""
    return POSSIBLE.match(text, end)


def foretold(scan: Searched, start: int, end: int, low: int, high: int) -> re.Match[str] | None:
    """The word by which somebody foretells the step [start, end) of folded text in the sentence [low, high)."""
    for found in FORETOLD.finditer(scan, low, high):
        before = found.end() <= start and start - found.end() <= ASKED and _THAT.match(scan.text, found.end(), start) is not None
        if before or (found.start() >= end and _TOLD_AFTER.fullmatch(scan.text, end, found.start()) is not None):
            return found
        if found.group()[0] > "\u0900" and found.start() >= start:  # verbs that end the sentence in East Asian languages
            return found
    return None


def prepared(scan: Searched, start: int, end: int, low: int, high: int) -> re.Match[str] | None:
    """Words by which the step [start, end) of folded text is only talked of, mandated for a case that may come, or put to a meeting
    whose holders have promised their votes. The sentence is [low, high)."""
    for talks in TALKS.finditer(scan, max(low, start - 2 * ASKED), end):
        if talks.end() >= start - BESIDE:
            return talks
    if (purpose := PURPOSE.search(scan, max(low, start - ASKED), end + ASKED)) is not None:
        return purpose
    if (promised := PROMISED.search(scan, low, high)) is not None and not _VOTED.search(scan.text, low, high):
        return promised
    found = EMPOWERED.search(scan, max(low, start - ASKED), end)
    return None if found is None or (found.start() > start + (end - start) // 2 and " und " in scan.text[start : found.start()]) else found
