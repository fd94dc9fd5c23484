"""Identifiers and ticker mentions, from tests/cases/ids.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2r.lang.ids import (
    check_cik,
    check_cusip,
    check_isin,
    check_lei,
    check_mic,
    check_sedol,
    check_wkn,
    find_ids,
    find_isins,
    ticker_mentions,
)

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "ids.toml").read_text("utf-8"))
CHECKS = {
    "isin": check_isin,
    "lei": check_lei,
    "cusip": check_cusip,
    "sedol": check_sedol,
    "wkn": check_wkn,
    "cik": check_cik,
    "mic": lambda value: check_mic(value, {"XNAS", "XLON"}),
}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


@pytest.mark.parametrize("case", CASES["check"], ids=lambda c: f"{c['kind']}-{c['value']}")
def test_identifiers_are_checked(case: dict[str, Any]) -> None:
    """A wrong identifier gives a problem that names the value and says what to do; a right one gives none."""
    problem = CHECKS[case["kind"]](case["value"])
    if case["ok"]:
        assert problem is None
    else:
        assert problem is not None
        assert case["says"] in problem.problem
        assert case["value"] in problem.problem
        assert problem.advice


@given(st.text(LETTERS, min_size=9, max_size=9), st.integers(0, 8), st.sampled_from(LETTERS))
def test_isin_check_digit_catches_any_single_mistyped_digit(body: str, at: int, other: str) -> None:
    """Changing one digit of a valid ISIN to another digit is always noticed."""
    [value] = [number for digit in "0123456789" if check_isin(number := f"GB{body}{digit}") is None]
    if body[at].isdigit() and other.isdigit() and other != body[at]:
        assert check_isin(value[: 2 + at] + other + value[3 + at :]) is not None


@pytest.mark.parametrize("case", CASES["find"], ids=lambda c: c["text"][:30])
def test_identifiers_are_found_in_text(case: dict[str, Any]) -> None:
    """Identifiers are found with their kind and verdict, and their span is where they are written."""
    found = find_ids(case["text"])
    assert [f"{s.kind}:{s.value}:{'ok' if s.valid else 'bad'}" for s in found] == case["found"]
    for span in found:
        assert case["text"][span.start : span.end].replace(" ", "") == span.value


@pytest.mark.parametrize("case", CASES["ticker"], ids=lambda c: f"{c['ticker']}-{c['text'][:25]}")
def test_tickers_are_seen_with_their_exchange(case: dict[str, Any]) -> None:
    """Each mention has its kind, the exchange beside it, and whether that is the listing's own venue."""
    found = ticker_mentions(case["text"], case["ticker"], case.get("aliases", ()))
    sign = {True: "+", False: "-", None: ""}
    assert [f"{m.kind}@{m.exchange}{sign[m.own_venue]}" for m in found] == case["seen"]
    assert all(case["text"][m.start : m.end] == m.text for m in found)


@given(st.text(max_size=60), st.sampled_from(["TZLN", "VEST B", "7789", "001096", "FWD.PR.A", "A", "*", ""]))
@settings(deadline=None)
def test_any_text_is_searched_without_error(text: str, ticker: str) -> None:
    """Tickers and identifiers are looked for in any text; spans lie inside it."""
    for mention in ticker_mentions(f"{text} {ticker}{text}", ticker, ("Nasdaq",)):
        assert mention.text.strip()
    for span in (*find_ids(text), *find_isins(text)):
        assert 0 <= span.start < span.end <= len(text)


@pytest.mark.timeout(60)
@pytest.mark.slow
def test_search_takes_linear_time() -> None:
    """A filing full of the ticker and of chains does not stall the search."""
    ticker_mentions("NASDAQ: A, B; C & D and TZLN " * 20_000, "TZLN", ("Nasdaq",))
    find_ids("CUSIP " * 50_000 + "US0378331005 " * 20_000)
