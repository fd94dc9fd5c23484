"""Expressions for dates that run only where they can match find what they find in the whole text."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2r.adjudicate.rules.docdate import published
from s2r.adjudicate.verdict import read_document
from s2r.extract import extract
from s2r.lang.dates import numeric
from s2r.lang.dates.grammar import grammar
from s2r.lang.dates.names import WORDS
from s2r.lang.dates.scan import _table, fold_word, foreign, scan
from s2r.lang.dates.seek import DateSought
from s2r.models import Listing
from s2r.policy import Policy

DATED = [json.loads(line)["text"] for line in (Path(__file__).parents[1] / "cases" / "dates.jsonl").read_text("utf-8").splitlines()]
SNIPPETS = [scan(text).text for text in DATED]
THREE = {
    numeric._YMD: "./-",
    numeric._YMD_STAMP: "-",
    numeric._RANGE_DOTS: ".",
    numeric._RANGE_DM: ".",
    numeric._DMY: "./-",
    numeric._YMD_SHORT: "./-",
}
TWO = {
    numeric._DM_SLASH_Y: "/",
    numeric._COMPACT: "",
    numeric._DM_SLASH: "/",
    numeric._DM_DASH: "-",
    numeric._DM_DOTS: ".",
    numeric._DM_RANGE: "/.",
    numeric._DM_LINE: "/-",
    numeric._DM_BARE_DOTS: ".",
    numeric._HAN_SLASH: "/",
    numeric._MONTH_YEAR: "/.",
}


@pytest.mark.parametrize("lang", sorted(WORDS))
@pytest.mark.slow
def test_words_are_found_where_they_begin(lang: str) -> None:
    """Each pattern of a language gives the same matches as over the whole text, also when they stand far apart in one long text."""
    g = grammar(lang)
    patterns = [p for p in vars(g).values() if isinstance(p, re.Pattern)]
    patterns += [p for item in (g.relative, g.later) for p, _ in item] + [*g.day_only, *g.ago]
    sought = DateSought(patterns)
    for text in (*SNIPPETS, (" x" * 300).join(SNIPPETS[::5])):
        seeker = sought.over(text)
        for pattern in patterns:
            assert [m.span() for m in seeker.finditer(pattern)] == [m.span() for m in pattern.finditer(text)], (pattern.pattern, text[:80])


def test_numbers_are_found_beside_the_marks_that_part_them() -> None:
    """Each pattern of numbers gives the same matches as over the whole text."""
    for text in (
        *SNIPPETS,
        "; ".join(SNIPPETS[::3]),
        "1.2.-5.3.2019 1.-3.2.2019 2019-05-06t10:00 20190506 em 05/2019 1º/3/2020 24/7 2.5.1 3-4",
    ):
        places = numeric._Places(text)
        for find, patterns in ((places.near_three, THREE), (places.near, TWO)):
            for pattern, marks in patterns.items():
                assert [m.span() for m in find(pattern, marks)] == [m.span() for m in pattern.finditer(text)], (pattern.pattern, text[:80])


@given(st.text(st.sampled_from("aÀİſKǅß`´’＇／０١-–\u200b\u3000 年月ł§")))
def test_few_foreign_characters_fold_as_a_table_folds_them(text: str) -> None:
    """Whatever the characters, and whichever way is taken."""
    assert fold_word(text) == text.translate(_table()).lower()
    assert foreign(text) == {char for char in text if char > "\x7f"}


FAR = "Alderwick Instruments Inc. tells here at length what it has done for its holders, as it does in each of its reports. " * 3
LONG_LINES = (
    (f"{FAR}Filed on 4 May 2020. The listing of its shares will end.", 12),
    (f"{FAR}Date of earliest event reported: 4 May 2020. The listing of its shares will end.", 62),
    (f"{FAR}The statement that it announced on 4 May 2020 tells that the listing of its shares will end, as its holders approved.", 32),
)


@pytest.mark.parametrize(("line", "rank"), LONG_LINES)
def test_the_end_of_a_long_line_tells_what_its_date_is(policy: Policy, line: str, rank: int) -> None:
    """A label right before the date counts, words in a sentence do not."""
    page = extract(
        f"<html lang='en'><body><p>{line}</p></body></html>".encode(), "text/html", "https://wire.example/1", digest="sha256:" + "0" * 64
    )
    row = Listing(
        row_id="1", issuer="Alderwick Instruments Inc.", ticker="ALD", mic="XNAS", isin="", country="", cutoff=dt.date(2020, 12, 31)
    )
    found = published(read_document(page, row, policy))
    assert found is not None
    assert (found.day, found.rank) == (dt.date(2020, 5, 4), rank)


ROWS = (
    ("Date of notice", "announcement", True),
    ("Published", "announcement", True),
    ("Date", "announcement", True),
    ("Date of delisting", "effective", False),
    ("Last day of trading", "last_trading", False),
    ("Incorporated", "birth_or_history", False),
)


@pytest.mark.parametrize(("label", "kind", "may"), ROWS)
def test_the_label_of_a_row_says_whether_its_date_may_be_that_of_the_news(policy: Policy, label: str, kind: str, may: bool) -> None:
    """Without its kind being told; a date that is announced by its kind always may be."""
    html = (
        f"<html lang='en'><body><p>Alderwick Instruments Inc.</p><table><tr><td>{label}</td><td>4 May 2020</td></tr></table></body></html>"
    )
    page = extract(html.encode(), "text/html", "https://wire.example/1", digest="sha256:" + "0" * 64)
    row = Listing(
        row_id="1", issuer="Alderwick Instruments Inc.", ticker="ALD", mic="XNAS", isin="", country="", cutoff=dt.date(2020, 12, 31)
    )
    (dated,) = read_document(page, row, policy).dates
    assert (dated.may_announce, dated.kind.value) == (may, kind)
