"""The sources of a live run that are asked once for a listing. A new one is one line here."""

from __future__ import annotations

from s2r.search.official.opening import COMPANIES_HOUSE, EDGAR, GLEIF_RECORDS, OPENFIGI
from s2r.search.source import SourceSpec

SOURCES: tuple[SourceSpec, ...] = (EDGAR, COMPANIES_HOUSE, OPENFIGI, GLEIF_RECORDS)


def known_sources() -> dict[str, SourceSpec]:
    """All sources by name, in the order in which they are asked and merged."""
    return {spec.name: spec for spec in SOURCES}
