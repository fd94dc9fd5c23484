"""An expression of which only those alternatives run whose strings a sentence holds finds what it finds in the whole."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest

from s2r.adjudicate import lexis_for
from s2r.adjudicate.rules.directions import SECOND_LISTING
from s2r.adjudicate.rules.entries import POINTER
from s2r.adjudicate.rules.guarded import EVERY, Guarded
from s2r.adjudicate.rules.lookalikes import OLD_LINE
from s2r.adjudicate.rules.unreserved import DENIED
from s2r.lang.text import fold_text
from s2r.policy import load_policy, policy_root
from s2r.settings import Settings

SENTENCES = [
    "The delisting is not subject to any further condition and takes effect on 3 May.",
    "Das Delisting steht ohne Vorbehalt fest; die folgenden Wertpapiere sind betroffen:",
    "The old shares are replaced by the new shares, line for line.",
    "Its secondary listing in London is kept until further notice.",
    "上場廃止は無条件で、以下の銘柄が対象となる。",
    "La radiation n'est soumise à aucune condition, malgré les actions anciennes ci-dessous.",
    "Nothing of all this is said here.",
]
SEEN = [(DENIED, 0), (POINTER, 1), (OLD_LINE, 2), (SECOND_LISTING, 3), (DENIED, 4), (POINTER, 4), (OLD_LINE, 5)]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_expression_finds_what_the_whole_finds(sentence: str) -> None:
    """All matches in one sentence, and in a text of several of them, by every expression of the rules."""
    text = fold_text(" ".join((sentence, *SENTENCES)))
    bounds = [*accumulate(len(fold_text(s)) + 1 for s in (sentence, *SENTENCES[:-1]))]
    scan = lexis_for(load_policy("delisting", policy_root(Settings())), ["en", "de", "fr", "ja"]).scan(text, bounds)
    for guarded in EVERY:
        whole = re.compile(guarded.pattern)
        for start, end in ((0, bounds[0]), (0, len(text)), (bounds[1], bounds[-1])):
            assert [m.span() for m in guarded.finditer(scan, start, end)] == [m.span() for m in whole.finditer(text, start, end)]


@pytest.mark.parametrize(("guarded", "number"), SEEN)
def test_the_sentences_hold_what_they_are_there_for(guarded: Guarded, number: int) -> None:
    """Each of these expressions matches in its sentence, so that the comparison compares something."""
    text = fold_text(SENTENCES[number])
    scan = lexis_for(load_policy("delisting", policy_root(Settings())), ["en"]).scan(text)
    assert guarded.search(scan, 0, len(text)) is not None


def test_an_expression_made_after_the_lexicon_runs_whole() -> None:
    """One whose strings no pass has looked for finds its matches all the same."""
    scan = lexis_for(load_policy("delisting", policy_root(Settings())), ["en"]).scan("a delisting is at hand")
    late = Guarded(r"\bnotice\b|\bdelisting\b")
    try:
        assert late.search(scan, 0, 22) is not None
        assert late.match(scan, 2, 22) is not None
        assert late.search(scan, 12, 22) is None
    finally:
        EVERY.remove(late)
