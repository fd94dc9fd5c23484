"""A pattern that runs only near the strings it needs finds what it finds in the whole text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from s2r.adjudicate.rules import abroad, owners
from s2r.lang.dates.dateline import _LABEL, PAGE_STAMP
from s2r.lang.dates.grammar import grammar
from s2r.lang.dates.names import WORDS
from s2r.lang.dates.scan import scan
from s2r.lang.legal_forms import LATIN_FORM
from s2r.lang.literals import Alternation, Hint, Literals, Nearby, Opened, Sought, spread
from s2r.lang.required import alternatives, guards, heads, parse_pattern

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
@pytest.mark.slow
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
        for number, pattern in enumerate(patterns):
            expected = [m.span() for m in pattern.finditer(text)]
            assert [m.span() for m in seeker.finditer(pattern)] == expected, (pattern.pattern, text[:80])
            assert number in sought.possible(text) or not expected


def test_stretches_around_places_do_not_overlap() -> None:
    """Places that are near one another share a stretch, so that no match is found twice or cut."""
    assert list(spread([90, 10, 12, 200], 15)) == [(0, 27), (75, 105), (185, 215)]
    assert list(spread([], 15)) == []


HEADS = [
    (r"(?<!\w)(?:the|a) day", {"the", "a d"}),
    (r"[ab]?c\d", {f"{a}c{n}" for a in "ab" for n in range(10)} | {f"c{n}" for n in range(10)}),
    (r"x+y", {"x"}),
    (r"(?i:Ks)p", {a + b + "p" for a in "kK\u212a" for b in "sS\u017f"}),
    (r"ab", {"ab"}),
    (r"(?:a|)b|.", {"ab", "b", ""}),
]


@pytest.mark.parametrize(("pattern", "expected"), HEADS)
def test_what_matches_begin_with(pattern: str, expected: set[str]) -> None:
    """Beginnings of up to three characters; a shorter one stands for all that goes on, and for what ends there."""
    assert heads(parse_pattern(pattern), 3) == expected


FORMS = [
    "Ansa S.p.A. and B&C co., Ltd in A/S",
    "in LIMITED, limıted, ſ.A. Kelvin \u212aG",
    "Acme GmbH & Co. KGaA",
    "co.co Co",
    "",
    "Pty) Ltd (pty) ltd",
    "Acme &\u00a0Co. KGaA, Brix and\tCompany, Corro Pty\nLtd, Dorn\u3000Co.,\u2003Ltd",
]


def test_an_expression_sought_by_its_beginnings_finds_the_same() -> None:
    """Legal forms in date snippets and in odd spellings, as over the whole text."""
    opened = Opened(LATIN_FORM)
    texts = [*DATED, *FORMS, " ".join((*FORMS, *DATED[:50]))]
    assert [[m.span() for m in opened.finditer(t)] for t in texts] == [[m.span() for m in LATIN_FORM.finditer(t)] for t in texts]


@pytest.mark.parametrize("pattern", [PAGE_STAMP, _LABEL])
def test_a_hint_rules_out_only_what_is_not_there(pattern: re.Pattern[str]) -> None:
    """No snippet that holds a match is ruled out, in any letter case; one without its strings is."""
    hint = Hint(pattern)
    texts = [
        form for text in (*DATED, "UPDATED 3 MAY", "Kopyalama © 2011", "HABER TARİHİ 3") for form in (text, text.upper(), text.lower())
    ]
    assert [t for t in texts if pattern.search(t) and not hint(t)] == []
    assert not hint("zzz 12 qqq")


def test_a_hint_needs_a_string() -> None:
    """An expression of digits only gives none."""
    with pytest.raises(ValueError, match="no string stands in each match"):
        Hint(re.compile(r"\d+"))


SPLIT = [
    ("a|b", ["a", "b"]),
    (r"(?:a|b)c|d[|]e|f\|g", ["(?:a|b)c", "d[|]e", r"f\|g"]),
    (r"[]|a]|[^]|\]b]|c", ["[]|a]", r"[^]|\]b]", "c"]),
    ("alone", ["alone"]),
]


@pytest.mark.parametrize(("source", "expected"), SPLIT)
def test_an_expression_is_cut_at_its_outer_bars_only(source: str, expected: list[str]) -> None:
    """Bars in groups, classes and escapes cut nothing."""
    assert alternatives(source) == expected


ALTERNATIVES = [
    ("ab|abc|bc", "abcabc abbc"),
    (r"\bno\b|not|o t|t", "no not to"),
    ("announced?|ounce", "announced ounce announce"),
]


@pytest.mark.parametrize(("source", "text"), ALTERNATIVES)
@pytest.mark.parametrize(("start", "stop"), [(0, 99), (1, 7), (3, 9)])
def test_alternatives_run_one_by_one_find_what_they_find_together(source: str, text: str, start: int, stop: int) -> None:
    """The leftmost match first, of those that begin together the first alternative, and none that overlaps the one before."""
    apart = Alternation([source])
    found = apart.finditer(range(len(apart.sources)), text, start, min(stop, len(text)))
    assert [m.span() for m in found] == [m.span() for m in re.compile(source).finditer(text, start, stop)]


NEARBY = [
    (
        owners._SUBJECT,
        0,
        "Harlow Ventures was removed from the list\nof Corvane Group, which was delisted.\n\nNorth Lake Mining (NLM) rose",
    ),
    (owners._OWNED, 0, "the common stock of Harlow Ventures\nand nothing\nunits of Corvane Energy Partners and shares of Bracken Moor"),
    (
        abroad._UNLISTED,
        abroad.LONGEST,
        "on the chicago stock exchange and, since 2001, at the bremer wertpapierbörse " * 3 + "x" * 300 + " oslo stock exchange",
    ),
]


@pytest.mark.parametrize(("pattern", "reach", "text"), NEARBY)
def test_an_expression_run_near_its_strings_finds_the_same(pattern: re.Pattern[str], reach: int, text: str) -> None:
    """Line by line, or within a reach; on text that holds matches, and on the date snippets."""
    nearby = Nearby(pattern, reach)
    assert [m.span() for m in nearby.finditer(text)] == [m.span() for m in pattern.finditer(text)] != []
    assert [[m.span() for m in nearby.finditer(t)] for t in DATED] == [[m.span() for m in pattern.finditer(t)] for t in DATED]


def test_an_expression_without_a_string_of_its_own_is_refused() -> None:
    """There is nothing near which it could be sought."""
    with pytest.raises(ValueError, match="no string"):
        Nearby(re.compile(r"\w+"))
    with pytest.raises(ValueError, match="with what"):
        Opened(re.compile(r"Ltd|\w+Inc"))
