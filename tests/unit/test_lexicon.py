"""Every line of every lexicon matches its example, refuses its counter-example, and keeps to the rules of `policies/README.md`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from s2r.lang.text import fold
from s2r.policy import LEXICON_KEYS, Lexicon, Phrase

FILES = sorted((Path(__file__).parents[2] / "policies").glob("*/lexicon/*.toml"))
LEXICONS = {f"{path.parents[1].name}/{path.stem}": Lexicon.model_validate(tomllib.loads(path.read_text("utf-8"))) for path in FILES}
UNBOUNDED = re.compile(r"(?<!\\)\.(?:[*+]|\{\d*,\})")


def _lines(name: str) -> Iterator[tuple[str, Phrase, re.Pattern[str]]]:
    """Place ("stage.warning:3"), phrase and compiled pattern of each line of a lexicon; places count from one, as rules are named."""
    for family, phrases in LEXICONS[name].families():
        for number, phrase in enumerate(phrases, start=1):
            yield f"{family}:{number}", phrase, re.compile(phrase.pattern)


@pytest.mark.parametrize("name", LEXICONS)
def test_phrases_match_their_examples(name: str) -> None:
    """Each pattern of a file is found in its folded example and not in the folded counter-example."""
    faults = []
    for place, phrase, pattern in _lines(name):
        if not phrase.example or not pattern.search(fold(phrase.example).text):
            faults.append(f"{place}: {phrase.pattern!r} is not found in {phrase.example!r}")
        if phrase.not_example and pattern.search(fold(phrase.not_example).text):
            faults.append(f"{place}: {phrase.pattern!r} is found in {phrase.not_example!r}")
    assert not faults


@pytest.mark.parametrize("name", LEXICONS)
def test_patterns_are_bounded(name: str) -> None:
    """No pattern of a file has an unbounded gap or matches the empty string."""
    assert not [place for place, phrase, pattern in _lines(name) if UNBOUNDED.search(phrase.pattern) or pattern.search("")]


@pytest.mark.parametrize("name", LEXICONS)
def test_lexicon_is_named_and_keyed(name: str) -> None:
    """A file carries its own language code, known families only, an object, a decision and search words."""
    lexicon = LEXICONS[name]
    assert lexicon.language == name.rsplit("/", 1)[1]
    for table, known in LEXICON_KEYS.items():
        assert set(getattr(lexicon, table)) <= set(known)
    assert lexicon.object
    assert lexicon.stage.get("decision")
    assert lexicon.query
