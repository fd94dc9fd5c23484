"""Steps that are only asked about or possible: indirect questions ("ob die Zulassung widerrufen wird"), and modal verbs at the end of a clause."""

from __future__ import annotations

import re

ASKED = 90  # folded characters between the word that opens an indirect question and the step
WHETHER = re.compile(
    r"\b(?:ob|huruvida|hvorvidt|whether|czy)\b|\b(?:frågan|frågor|spørsmålet?|spørgsmålet?|vraag|pröva|prövar|vurdere|vurderer|avgöra|avgör|avgjøre|afgøre|beslissen|beoordelen|bezien|stilling til|ställning till)"
    r"(?: [^\W\d_]+){0,2}? (?:om|of)\b|\b[^\W\d_]+t(?:aanko|äänkö)\b"
)
OPENS = re.compile(
    r"\W*(?:of|om)\b(?=[^.]{5,200}\b(?:beslist|besloten|bezien|beslutas|avgörs|prövas|avgjøres|vurderes|afgøres|beslutter)\b)"
)
# right after a verb that ends its clause: "widerrufen werden kann", "beëindigd kan worden"
POSSIBLE = re.compile(r" ?(?:werden |worden |zu )?(?:kann|können|könnten?|könne|kan|kunnen|zou kunnen)\b")
_GOES_ON = re.compile(r", (?:und|en|och|og|ja|i|oraz|and) ")


def asked(text: str, start: int, end: int, low: int) -> re.Match[str] | None:
    """The word that makes the step [start, end) of folded text an indirect question, looked for from `low`."""
    if (opening := OPENS.match(text, low)) is not None and opening.end() <= start + ASKED:
        return opening
    for found in WHETHER.finditer(text, max(low, start - ASKED), end):
        if not _GOES_ON.search(text, found.end(), max(found.end(), start)):
            return found
    return None


def possible(text: str, end: int) -> re.Match[str] | None:
    """A modal verb right after a step that ends at `end` of folded text."""
    return POSSIBLE.match(text, end)
