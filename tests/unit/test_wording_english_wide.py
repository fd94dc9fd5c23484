"""More of the English of all markets, in a table beside this file: statements of the end of a listing, and what comes near them.

The columns are the market of `test_wording_english`, the expected status and reason, the source, and the text; ¶ is the end of a line.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.unit.test_wording_english import P, W, X, answer

URLS = {"W": W, "X": X, "P": P}


def rows() -> list[list[str]]:
    """The rows of the table without its head."""
    with (Path(__file__).parent / "wording" / "en.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, "excel-tab", quoting=csv.QUOTE_NONE))[1:]


ROWS = rows()


@pytest.mark.parametrize(("market", "expected", "source", "text"), ROWS, ids=[f"{n} {row[0]} {row[1]}" for n, row in enumerate(ROWS)])
def test_wide(market: str, expected: str, source: str, text: str) -> None:
    """A statement is a yes on the day of its page, with the reason where the text tells one; a near miss is a no."""
    status, _, reason = expected.partition(" ")
    found = answer(market, URLS[source], text.replace(" ¶ ", "\n")).split()
    assert found[0] == status
    if status == "yes":
        assert found[1] == "2020-05-04"
        assert not reason or found[2] == reason
