"""Folding: what may differ, what may not, and the way back to the original."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2r.lang.text import _MAP, find_folded, fold, fold_text

FOLDS = [
    ("Ｎａｓｄａｑ　２０１２", "nasdaq 2012"),
    ("“the  Company”\r\n\tshall", '"the company" shall'),
    ("de\u00adlist\u200bing", "delisting"),
    ("2019–2020 — end", "2019-2020 - end"),
    ("shareholders’ meeting", "shareholders' meeting"),
    ("\ufb01nal \ufb02oat", "final float"),
    ("e\u0301tat d\u0327", "\u00e9tat \u1e11"),
    ("E\u0301", "\u00e9"),
    ("\u304b\u3099\u3059", "\u304c\u3059"),
    ("\uff76\uff9e\uff7d", "\u30ac\u30b9"),
    ("\u1112\u1161\u11ab\u1100\u116e\u11a8", "\ud55c\uad6d"),
    ("\ud558\u11ab", "\ud55c"),
    ("㈱房総水産食品", "(株)房総水産食品"),
    ("ΟΔΟΣ Αθήνας", "οδοσ αθήνασ"),
    ("a\x00b", "a\x00b"),
    ("x\ud800y", "x\ud800y"),
    ("…", "..."),
    ("¼", "1\u20444"),
    ("\u00a0\u2003\u3000 x", " x"),
    ("", ""),
]
NOT_EQUAL = [
    ("Müller", "Muller"),
    ("the Company will delist", "the Company will not delist"),
    ("14.25", "1425"),
    ("May 2", "May 3"),
    ("résumé", "resume"),
    ("Straße", "Strasse"),
]
TRICKY = st.text(
    alphabet=st.one_of(
        st.sampled_from("aZ é \u0301\u0323\u3099\uff9e\u1112\u1161\u11ab가"),
        st.sampled_from("각か㈱ﬁ…İß’“—\t\n \u00a0\u3000\u00ad\u200b\x00\ud800Σς¨´`ｶ０Ａ\u0958\u09c7\u09be\u0f73"),
        st.characters(),
    ),
    max_size=40,
)


def _reference(text: str) -> str:
    """The definition, written down again without any speed-up and without offsets."""
    folded = unicodedata.normalize("NFKC", "".join(_MAP.get(c, c) for c in text)).lower()
    return re.sub(" +", " ", "".join(" " if c.isspace() else _MAP.get(c, c) for c in folded))


@pytest.mark.parametrize(("text", "folded"), FOLDS)
def test_folds_compatibility_case_space_and_typography(text: str, folded: str) -> None:
    """Each line of the table folds to its right side."""
    assert fold(text).text == folded


@pytest.mark.parametrize(("one", "other"), NOT_EQUAL)
def test_words_digits_and_accents_are_kept_apart(one: str, other: str) -> None:
    """What makes another text stays another text."""
    assert fold(one).text != fold(other).text


@given(TRICKY)
@settings(max_examples=400, deadline=None)
def test_every_string_folds_and_the_map_is_complete(text: str) -> None:
    """Any string folds; the offset arrays fit the folded text and the original, in order."""
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(folded.starts, folded.ends, strict=True))
    assert list(folded.starts) == sorted(folded.starts)
    assert list(folded.ends) == sorted(folded.ends)
    assert "  " not in folded.text


@given(TRICKY, st.data())
@settings(max_examples=400, deadline=None)
@pytest.mark.slow
def test_a_folded_slice_maps_back_to_text_that_contains_it(text: str, data: st.DataObject) -> None:
    """The original span of any folded slice folds to something that holds the slice."""
    folded = fold(text)
    start = data.draw(st.integers(0, len(folded.text)))
    end = data.draw(st.integers(start, len(folded.text)))
    low, high = folded.span(start, end)
    assert folded.text[start:end] in fold(text[low:high]).text


@given(TRICKY)
@settings(max_examples=400, deadline=None)
def test_fast_path_agrees_with_the_definition(text: str) -> None:
    """Cluster by cluster gives the same as folding the whole string at once."""
    clean = "".join(c for c in text if c not in "\u00ad\u200b\u200c\u200d")
    assert fold(clean).text == _reference(clean)


@given(st.text(st.sampled_from("aZ \t\n\x0b\x1c\x7f\u00a0\u0130é`-"), max_size=30))
@settings(deadline=None)
def test_folded_text_without_offsets_is_the_same(text: str) -> None:
    """Also of ASCII, which is folded at once."""
    assert fold_text(text) == fold(text).text


@given(st.text(max_size=30))
@settings(deadline=None)
def test_find_folded_finds_every_written_form(needle: str) -> None:
    """A needle set between other words is found at its place, whatever its form."""
    found = find_folded(needle, fold(f"Notice: {needle} end"))
    if fold(needle).text.strip():
        assert any(needle.strip() in f"Notice: {needle} end"[max(0, a - 2) : b + 2] for a, b in found)
    else:
        assert found == []


def test_find_folded_returns_all_places_in_original_offsets() -> None:
    """Spans are original offsets, also behind dropped and widened characters."""
    text = "ﬁrst De\u00adlisting…  DELISTING"
    assert [text[a:b] for a, b in find_folded("delisting", fold(text))] == ["De\u00adlisting", "DELISTING"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "Tessaline Networks, Inc. received a letter\n   from Nasdaq on May 2, 2012.\t\t“Quote” — and\n" * 12_000,
        "Die Zulassung sämtlicher Aktien wird für größere Häuser widerrufen.\n" * 15_000,
        "海屿精密制造股份有限公司因2017年度、2018年度经审计的净利润为负值，决定终止上市。\n" * 25_000,
    ],
    ids=["filing", "german", "chinese"],
)
def test_a_megabyte_folds_without_loss(text: str) -> None:
    """A long filing folds in one go and every folded character leads back into the original."""
    folded = fold(text)
    assert len(folded.starts) == len(folded.text) > 0.5 * len(text)
    assert 0 <= folded.starts[0] <= folded.starts[-1] < len(text)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ["\u0301\u0323" * 100_000, "a" + "\u0323\u0301" * 100_000, " \n" * 200_000, "ﷺ" * 50_000])
def test_hostile_text_takes_linear_time(text: str) -> None:
    """Marks without end, blanks and characters that swell do not stall the fold."""
    fold(text)
