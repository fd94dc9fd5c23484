"""Is a passage about exactly this listing: issuer, class of security, venue.

A namesake, a re-used ticker, another class, another venue or another company never supports the target; what a passage
does not name it inherits from its block, its heading or its document.
"""

from __future__ import annotations

from s2r.adjudicate.rules.document import Unit
from s2r.adjudicate.rules.issuerfit import IssuerFit
from s2r.adjudicate.rules.mentions import FOREIGN_CODE, Fit, Subject
from s2r.adjudicate.rules.namesakes import INFLECTING
from s2r.adjudicate.rules.securityfit import SecurityFit
from s2r.adjudicate.rules.venuefit import VenueFit

__all__ = ["FOREIGN_CODE", "INFLECTING", "Fit", "Identity", "Subject"]


class Identity(IssuerFit, SecurityFit, VenueFit):
    """All mentions of one document, resolved for one target."""

    def subject(self, unit: Unit, fstart: int, fend: int) -> Subject:
        """Resolve the words [fstart, fend) of folded text inside `unit`."""
        key = (unit.index, fstart, fend)
        if key not in self._subjects:
            self._subjects[key] = self._subject(unit, fstart, fend)
        return self._subjects[key]

    def _subject(self, unit: Unit, fstart: int, fend: int) -> Subject:
        at, to = self.doc.folded.span(fstart, fend) if fend > fstart else (None, 0)
        issuer, why = self._issuer(unit, at, to)
        security, why_security = self._security(unit, fstart, fend)
        venue, why_venue = self._venue(unit, fstart, fend)
        reasons = [why] + [w for w in (why_security, why_venue) if w]
        return Subject(issuer, security, venue, "; ".join(reasons), self.names_target(unit.start, unit.end))
