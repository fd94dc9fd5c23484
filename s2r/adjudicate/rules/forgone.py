"""Decisions not to end a listing: it is forgone ("resolved to refrain from a delisting"), put off, or forbidden by a court."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.guarded import Guarded, Searched

_END = (
    r"(?:delist\w*|widerruf\w*|dekotier\w*|rückzug\w*|antrag\w*|gesuch\w*|beëindig\w*|schrap\w*|verzoek\w*|avnoter\w*|ansök\w*|afnoter\w*|anmod\w*|sletning\w*|slette\w*|stryk\w*|søk\w*|poist\w*|hake\w*|hakemu\w*"
    r"|wycofa\w*|wyklucz\w*|wniosk\w*|złożeni\w*|einstellung|withdraw\w*|cancell\w*)"
)
_IN_BETWEEN = r"(?: [^\s.;:]+){0,7}?"
# "von einem Delisting Abstand zu nehmen": the end of the listing stands before the verb
_AFTER = rf"\b(?:von|vom|auf|van){_IN_BETWEEN} {_END}{_IN_BETWEEN} (?:abstand (?:zu )?(?:nehm|genommen)\w*|zu verzichten|verzichte\w*|abzusehen|absehen|abgesehen|af te zien|afziet|afgezien)\b"
# "afzien van beëindiging", "avstå från att ansöka om avnotering": after it
_BEFORE = (
    rf"\b(?:af(?:zien|ziet|gezien)|af te zien) van{_IN_BETWEEN} {_END}|\b(?:avstå\w*|afstå\w*|frafalle\w*|avstod|afstod|afstår|avstår) (?:från|fra|å){_IN_BETWEEN} {_END}|\bluopu\w+{_IN_BETWEEN} poist\w+{_IN_BETWEEN} (?:hank\w+|suunnitel\w+|haku\w*|hakemise\w+)"
    rf"|\b(?:zrezygnowa\w+|rezygnacj\w+|odstąpi\w+|odstąpieni\w+|zaniecha\w+) (?:z|od)?{_IN_BETWEEN} {_END}|\b(?:verzichtet|verzichten|abstand) (?:auf|von){_IN_BETWEEN} {_END}"
)
# a decision to decide later
_PUT_OFF = (
    r"\b(?:zu (?:vertagen|verschieben)|uit te stellen|aan te houden|te verdagen|att (?:skjuta upp|uppskjuta|bordlägga|ajournera)|å utsette|at udskyde|at udsætte|lyk[äk]\w+|siirtä\w+ (?:asian|päätöksen|käsittely\w*)"
    r"|odroczy\w*|odroczeni\w*|przełoży\w*)\b"
)
_FORBIDDEN = (
    r"\b(?:untersagt\w*|verboten|verbietet|verboden|verbiedt|verbood|förbj\w+|förbud\w*|forbudt?|forbyder|forbyr|forbød|kieltä\w*|kielsi|kieltänyt|zakaza\w+|wstrzyma\w+)\b[^.;]{0,110}?\b"
    rf"{_END}"
)
FORGONE = Guarded(f"{_AFTER}|{_BEFORE}|{_FORBIDDEN}")
PUT_OFF = Guarded(_PUT_OFF)
NEARBY = 60  # folded characters of a step before and after which the words that put it off stand


def forgone(scan: Searched, start: int, end: int, low: int, high: int) -> re.Match[str] | None:
    """Words in [low, high) of folded text by which the step [start, end) is not taken."""
    found = next((m for m in FORGONE.finditer(scan, low, high) if m.start() < end + NEARBY and start < m.end()), None)
    if found is not None:
        return found
    off = PUT_OFF.search(scan, max(low, start - NEARBY), min(high, end + NEARBY))
    between = scan.text[end : off.start()] if off is not None else ""
    return None if off is None or ";" in between or " und " in between else off
