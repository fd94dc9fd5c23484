"""Every line of every lexicon matches its example, refuses its counter-example, and keeps to the rules of `policies/README.md`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from s2r.lang.text import fold
from s2r.policy import LEXICON_KEYS, Lexicon, Phrase

FILES = sorted((Path(__file__).parents[2] / "policies").glob("*/lexicon/*.toml"))
LEXICONS = {f"{path.parents[1].name}/{path.stem}": Lexicon.model_validate(tomllib.loads(path.read_text("utf-8"))) for path in FILES}
LINES = [
    pytest.param(phrase, id=f"{name}:{family}:{i}")
    for name, lexicon in LEXICONS.items()
    for family, phrases in lexicon.families()
    for i, phrase in enumerate(phrases)
]
UNBOUNDED = re.compile(r"(?<!\\)\.(?:[*+]|\{\d*,\})")


@pytest.mark.parametrize("phrase", LINES)
def test_phrase_matches_its_examples(phrase: Phrase) -> None:
    """The pattern is found in the folded example and not in the folded counter-example."""
    pattern = re.compile(phrase.pattern)
    assert phrase.example
    assert pattern.search(fold(phrase.example).text)
    assert not (phrase.not_example and pattern.search(fold(phrase.not_example).text))


@pytest.mark.parametrize("phrase", LINES)
def test_pattern_is_bounded(phrase: Phrase) -> None:
    """No pattern has an unbounded gap or matches the empty string."""
    assert not UNBOUNDED.search(phrase.pattern)
    assert not re.compile(phrase.pattern).search("")


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
