"""Wordings of walls find what the alternation of their expressions finds."""

from __future__ import annotations

import re

import pytest

from s2r.fetch import walls
from s2r.fetch.wording import Wording

PARTS = [
    "accept (?:all|cookies)",
    "cookies?",
    r"\bterms\b",
    "all cook",
    "İzin|izin",
    r"\d{3} error",
    "ΟΡΟΙ|όροι χρήσης",
    "kişisel veri",
    "同意",
    "",
]
TEXTS = [
    "",
    "Please ACCEPT all cookies. Accept cookies; then the Terms: 404 error, 12 error.",
    "İZİN verildi, izin verilmedi, ıssız K (Kelvin sign) ſ",
    "ΌΡΟΙ ΧΡΉΣΗΣ και όροι χρήσης. Οι ΟΡΟΙ.",
    "请同意 Cookie 同意同意. KİŞİSEL VERİ",
    "determined terms termsheet",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("count", [1, 4, 7, len(PARTS) - 1])
def test_a_wording_finds_what_its_alternation_finds(text: str, count: int) -> None:
    """All matches, the first one and that of a whole segment are those of one expression of all alternatives."""
    parts, wording = PARTS[:count], Wording(PARTS[:count])
    plain = re.compile("|".join(parts), re.IGNORECASE)
    assert [match.span() for match in wording.finditer(text)] == [match.span() for match in plain.finditer(text)]
    assert _span(wording.search(text)) == _span(plain.search(text))
    assert wording.stands_in(text) == bool(plain.search(text))
    assert wording.sub("-", text) == plain.sub("-", text)
    for piece in (text, *re.split(r"[,;.]\s*", text)):
        ended = re.compile(rf"(?:{'|'.join(parts)})[\s.!?…:]*", re.IGNORECASE)
        assert bool(Wording(parts, whole=True).fullmatch(f"{piece}!")) == bool(ended.fullmatch(f"{piece}!"))


@pytest.mark.parametrize("name", sorted(walls._MADE_OF))
def test_the_words_of_walls_are_found_as_by_one_expression(name: str) -> None:
    """Each list of the file, over all words of the file: the same first match and the same matches of whole segments."""
    whole, table, key = walls._MADE_OF[name]
    words = walls._words()[table][key]
    plain = re.compile(rf"(?:{'|'.join(words)})[\s.!?…:]*" if whole else "|".join(words), re.IGNORECASE)
    wording = Wording(words, whole=whole)
    for text in _said():
        if whole:
            assert bool(wording.fullmatch(text)) == bool(plain.fullmatch(text)), text
        else:
            assert _span(wording.search(text)) == _span(plain.search(text)), text


def _said() -> list[str]:
    """What the simplest expressions of the file spell out, alone and in capitals."""
    plain = [one for table in walls._words().values() for words in table.values() for one in words if not re.search(r"[\\(\[.?*{|]", one)]
    return [text for one in plain[::3] for text in (one, f"So: {one.upper()} and more")]


def _span(match: re.Match[str] | None) -> tuple[int, int] | None:
    return match.span() if match else None
