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


def prepared(scan: Searched, start: int, end: int, low: int) -> re.Match[str] | None:
    """Words by which the step [start, end) of folded text is only talked of, mandated for a case that may come, or put to a meeting."""
    for talks in TALKS.finditer(scan, max(low, start - 2 * ASKED), end):
        if talks.end() >= start - BESIDE:
            return talks
    if (purpose := PURPOSE.search(scan, max(low, start - ASKED), end + ASKED)) is not None:
        return purpose
    found = EMPOWERED.search(scan, max(low, start - ASKED), end)
    return None if found is None or (found.start() > start + (end - start) // 2 and " und " in scan.text[start : found.start()]) else found
