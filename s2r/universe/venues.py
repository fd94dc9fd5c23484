"""Which venue a row means: its MIC (ISO 10383), else the venue that its MIC column or its venue column names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from s2r.lang.text import fold_text
from s2r.policy import Venue


class VenueNames:
    """Names, abbreviations and MICs of the venues of a policy."""

    def __init__(self, venues: Iterable[Venue]) -> None:
        self._venues: dict[str, Venue] = {}
        self._named: dict[str, set[str]] = defaultdict(set)
        self._operators: dict[str, set[str]] = defaultdict(set)
        for venue in venues:
            self._venues |= dict.fromkeys((venue.mic, *venue.segment_mics), venue)
            for name in (venue.name, *venue.aliases, *venue.former_names):
                self._named[fold_text(name)].add(venue.mic)
            for name in venue.operator_names:
                self._operators[fold_text(name)].add(venue.mic)

    @property
    def mics(self) -> frozenset[str]:
        """All MICs, upper case."""
        return frozenset(self._venues)

    def name(self, mic: str) -> str:
        """The name of the venue with this MIC."""
        return self._venues[mic].name

    def meant(self, texts: Iterable[str], country: str) -> str:
        """The MIC of the one venue that the first of `texts` with a known name can mean, "" when there is none or there are several.

        `country` (ISO 3166, "" when unknown) settles names that venues of several countries have, and never goes against one that is given:
        a company may be listed abroad.
        """
        for text in texts:
            found = self._named.get(fold_text(text.strip()), set()) if text.strip() else set()
            if len(found) > 1 and country:
                found = {mic for mic in found if self._venues[mic].country == country}
            if found:
                return next(iter(found)) if len(found) == 1 else ""
        return ""

    def contradicted(self, mic: str, text: str) -> str:
        """The MIC of the other venue that `text`, a name or a code, means beside this known `mic`; "" when it can mean the same or nothing.

        The name of the firm behind several venues goes with each of them.
        """
        own, words = self._venues[mic].mic, fold_text(text.strip())
        if not words or own in self._operators.get(words, ()):
            return ""
        coded = self._venues.get(text.strip().upper())
        found = {coded.mic} if coded else self._named.get(words, set())
        return "" if own in found else min(found, default="")
