"""Sentence splitting, from tests/cases/sentences.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2r.lang.sentences import split_sentences

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "sentences.toml").read_text("utf-8"))["case"]
LANGS = ["", "en", "de", "fr", "ja", "zh-Hans", "pl", "da", "nb", "xx"]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['lang']}-{c['sentences'][0][:20]}")
def test_sentences_come_apart_where_they_were_joined(case: dict[str, Any]) -> None:
    """Abbreviations, initials, ordinals, decimals and brackets do not split; real ends do."""
    text = case.get("glue", " ").join(case["sentences"])
    assert [text[a:b] for a, b in split_sentences(text, case["lang"])] == case["sentences"]


@given(st.text(st.one_of(st.sampled_from('aZ. !?\n()（）。「」"14,;:'), st.characters()), max_size=60), st.sampled_from(LANGS))
@settings(max_examples=400, deadline=None)
def test_spans_cover_all_text_once(text: str, lang: str) -> None:
    """Spans are in order, do not overlap, are trimmed, and nothing but white space lies between them."""
    spans = split_sentences(text, lang)
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece", ["word word. ", ". ", "(", "\n", "a(b. C ", "1. ", "。", "A.B.C. ", "x" * 1000 + ". ", "「。」と", "....", ") ", "No. 3 "]
)
@pytest.mark.slow
def test_long_text_takes_linear_time(piece: str) -> None:
    """A text of any shape is split before the guard against quadratic time stops it."""
    text = piece * (300_000 // len(piece))
    split_sentences(text, "en")


def test_long_brackets_are_split_after_all() -> None:
    """A bracket that runs over a page does not swallow its sentences."""
    text = "Note (" + "The Company is here. " * 60 + ") end."
    assert len(split_sentences(text, "en")) > 50
