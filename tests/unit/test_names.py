"""Company names: taken apart, found, told from namesakes; tables in tests/cases/names.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2r.lang.names import (
    NameMatcher,
    NameMention,
    Strength,
    acronym,
    core_name,
    extract_names,
    former_names,
    local_names,
    name_matcher,
    name_variants,
)
from s2r.lang.text import fold

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "names.toml").read_text("utf-8"))
NAMES = [name for name in CASES["core"] if len(name) > 4]


def _shown(mention: NameMention) -> str:
    differs = mention.form_differs and mention.strength is not Strength.NAMESAKE
    return f"{mention.strength.value}{'!' if differs else ''}{'*' if mention.former else ''}:{mention.text}"


@pytest.mark.parametrize(("name", "core"), CASES["core"].items())
def test_legal_forms_of_all_markets_come_off(name: str, core: str) -> None:
    """The core is the name without legal forms, and never empty for a name that says something."""
    assert core_name(name) == core


@pytest.mark.parametrize(("name", "expected"), CASES["local"].items())
def test_local_names_are_read_from_the_issuer_field(name: str, expected: list[str]) -> None:
    """Names in another script or language, or current names, given in parentheses."""
    assert list(local_names(name)) == expected


@pytest.mark.parametrize(("name", "expected"), CASES["former"].items())
def test_former_names_are_read_from_the_issuer_field(name: str, expected: list[str]) -> None:
    """Earlier names announced by any of the usual words."""
    assert list(former_names(name)) == expected


@pytest.mark.parametrize(("name", "expected"), CASES["variants"].items())
def test_variants_come_best_first(name: str, expected: list[str]) -> None:
    """All search forms are there, in order, without repetition, and none is an acronym."""
    variants = name_variants(name)
    assert variants[0] == expected[0]
    assert [v for v in variants if v in expected] == expected
    assert len(set(variants)) == len(variants)
    assert acronym(name) not in variants or not acronym(name)


@pytest.mark.parametrize("case", CASES["mention"], ids=lambda c: c["text"][:40])
def test_mentions_and_namesakes(case: dict[str, Any]) -> None:
    """Every mention with its strength; other companies that share words are namesakes or not seen at all."""
    found = NameMatcher(case["issuer"]).find(case["text"])
    assert [_shown(m) for m in found] == case["found"]
    assert all(case["text"][m.start : m.end] == m.text for m in found)


@pytest.mark.parametrize("case", CASES["extract"], ids=lambda c: c["text"][:40])
def test_other_companies_are_seen(case: dict[str, Any]) -> None:
    """Names with a legal form of any market are found with their span."""
    found = extract_names(case["text"])
    assert [s.text for s in found] == case["found"]
    assert all(case["text"][s.start : s.end] == s.text for s in found)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_finds_itself(name: str) -> None:
    """A matcher finds the issuer's own full name in a sentence, whole and not as a namesake."""
    if core_name(name) in {"Company", "SE"}:
        pytest.skip("no name")
    main = name_variants(name)[0]
    found = name_matcher(name).find(f"announcement: {main}: end")
    assert found
    assert found[0].strength in {Strength.FULL, Strength.CORE}
    assert core_name(name) in found[0].text or core_name(name).strip("«»") in found[0].text


@given(st.text(max_size=40))
@settings(deadline=None, max_examples=300)
def test_any_text_is_taken(text: str) -> None:
    """No name and no text makes the tools fail; mentions lie inside the text; a core is a part of the name."""
    assert name_variants(text) or not core_name(text)
    assert core_name(core_name(text)) == core_name(text)
    for mention in NameMatcher(text).find(f"{text} and {text} AG"):
        assert mention.end > mention.start
    extract_names(text)
    found = name_matcher("Ostbeck Armaturen AG (みなせ光学工業株式会社)").find(f"{text}Ostbeck {text} みなせ光学{text}")
    assert all(0 <= m.start < m.end for m in found)


@given(st.sampled_from(NAMES), st.sampled_from(["Inc.", "plc", "AG", "S.A.", "Limited", "Oyj"]))
def test_adding_a_form_does_not_change_the_core(name: str, form: str) -> None:
    """A core with a form put behind it has the same core again."""
    core = core_name(name)
    if core.isascii() and len(core) > 4 and core != "Company":
        assert core_name(f"{core} {form}") == core


def test_folded_text_can_be_shared_between_matchers() -> None:
    """The fold of a page is made once; spans are original offsets all the same."""
    text = "„Ostbeck  Armaturen AG“ … ﬁel"
    [mention] = NameMatcher("Ostbeck Armaturen AG").find(text, fold(text))
    assert text[mention.start : mention.end] == "Ostbeck  Armaturen AG"


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "filler", ["The quick Board of Ostbeck and Sons said. ", "Ostbeck ", "AG SE S.A. ", "A. B. C. ", "株式会社", "海屿精密", "(" * 50]
)
@pytest.mark.slow
def test_hostile_text_takes_linear_time(filler: str) -> None:
    """A long page, even one made of the name or of legal forms, is searched in seconds."""
    text = filler * (100_000 // len(filler))
    NameMatcher("Ostbeck Armaturen AG (海屿精密制造股份有限公司)").find(text)
    extract_names(text)
    NameMatcher(text[:300])


def test_acronyms_are_flagged_apart() -> None:
    """Initials are available by name, never among the variants."""
    assert acronym("Osmotherby Water Systems plc") == "OWS"
    assert acronym("Polmetrix S.A.") == ""
    assert "OWS" not in name_variants("Osmotherby Water Systems plc")
