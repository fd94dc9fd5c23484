"""A pattern that runs only near the strings it needs finds what it finds in the whole text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from s2r.lang.dates.names import WORDS
from s2r.lang.dates.scan import scan
from s2r.lang.dates.western import grammar
from s2r.lang.literals import Literals, Sought, guards, parse_pattern, spread

DATED = [json.loads(line)["text"] for line in (Path(__file__).parents[1] / "cases" / "dates.jsonl").read_text("utf-8").splitlines()]

NEEDED = [
    (r"delist(?:ed|ing)", {"delisted", "delisting"}),
    (r"delist(?:ing)?", {"delist"}),
    (r"\bvoluntary (?:delisting|withdrawal)\b", {"voluntary delisting", "voluntary withdrawal"}),
    (r"(?:jan(?:uary)?|feb(?:ruary)?) \d", {"jan ", "january ", "feb ", "february "}),
    (r"(?:the )?list of (?:[a-z]+ ){0,3}securities", {"securities"}),
    (r"gr[ae]y market", {"gray market", "grey market"}),
    (r"(?=suspended)trading", {"trading"}),
    (r"(?i:Notice) of (?:X|Y)", {" of X", " of Y"}),
    (r"(?:notice|\d+) days", {" days"}),
    (r"上場(?:廃止)?", {"上場"}),
    (r"(?:delisting)?|\d", None),
    (r"\d{4}-\d\d", None),
]


@pytest.mark.parametrize(("pattern", "expected"), NEEDED)
def test_strings_without_which_a_pattern_cannot_match(pattern: str, expected: set[str] | None) -> None:
    """The best set of strings of which each match holds one; none where a pattern can do without."""
    found = guards(parse_pattern(pattern))
    assert (set(found[0]) if found else None) == expected


PLACES = [
    (("he", "she", "hers"), "ushers", {"he": [3], "she": [3], "hers": [5]}),
    (("aa",), "aaaa", {"aa": [1, 2, 3]}),
    (("上場廃止", "廃止"), "株式の上場廃止を決定", {"上場廃止": [6], "廃止": [6]}),
    (("𝒳y",), "a𝒳yb", {"𝒳y": [2]}),
    (("delisting",), "nothing here", {}),
    ((), "nothing sought", {}),
]


@pytest.mark.parametrize(("words", "text", "expected"), PLACES)
def test_places_of_strings(words: tuple[str, ...], text: str, expected: dict[str, list[int]]) -> None:
    """All places of all strings, also inside one another, counted in characters."""
    assert Literals(words).ends(text) == expected


@pytest.mark.parametrize("lang", sorted(WORDS))
def test_date_patterns_find_the_same_near_their_strings(lang: str) -> None:
    """Each pattern of a language gives the same matches as over the whole text, on every snippet of the date cases, also when they
    stand far apart in one long text."""
    g = grammar(lang)
    patterns = [p for p in vars(g).values() if isinstance(p, re.Pattern)]
    patterns += [p for item in (g.relative, g.later) for p, _ in item] + [*g.day_only, *g.ago]
    sought = Sought(patterns)
    snippets = [scan(text).text for text in DATED]
    for text in (*snippets, (" x" * 300).join(snippets[::5])):
        seeker = sought.over(text)
        for pattern in patterns:
            expected = [m.span() for m in pattern.finditer(text)]
            assert [m.span() for m in seeker.finditer(pattern)] == expected, (pattern.pattern, text[:80])
            assert pattern in sought.possible(text) or not expected


def test_stretches_around_places_do_not_overlap() -> None:
    """Places that are near one another share a stretch, so that no match is found twice or cut."""
    assert list(spread([90, 10, 12, 200], 15)) == [(0, 27), (75, 105), (185, 215)]
    assert list(spread([], 15)) == []
