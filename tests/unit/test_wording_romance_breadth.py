"""How the markets of French, Spanish, Portuguese, Italian, Polish and Turkish say that a listing ends, and what only looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.test_wording_traps import answer

TABLES = Path(__file__).parent / "wording"
LANGUAGES = ("fr", "es", "pt", "it", "pl", "tr")
# expected status, market of the listing, text of a release about {N}
ROWS = [tuple(line.split("\t")) for lang in LANGUAGES for line in (TABLES / f"{lang}.tsv").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("expected", "market", "text"), ROWS, ids=[f"{n} {row[1]} {row[0]}" for n, row in enumerate(ROWS)])
def test_row(expected: str, market: str, text: str) -> None:
    """The status for a release that says nothing else."""
    assert answer(market, text) == expected
