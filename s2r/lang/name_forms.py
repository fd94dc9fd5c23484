"""The ways in which an issuer's name may stand in text: whole, by its first words, in other spellings and other scripts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from s2r.lang.name_parts import bare, has_cjk, spellings, strip_forms
from s2r.lang.name_words import CJK_INDUSTRY, CJK_STRUCTURE, LEADING, WEAK, is_distinctive, is_generic
from s2r.lang.text import fold_text


class Strength(StrEnum):
    """How surely a mention names the issuer. NAMESAKE: the words are there, but they are part of another name."""

    FULL = "full"
    CORE = "core"
    SHORT = "short"
    NAMESAKE = "namesake"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way, as an expression over bare folded text, with what tells a mention from the same letters in another name."""

    pattern: str
    strength: Strength
    former: bool
    families: tuple[str, ...]
    rest: tuple[str, ...]  # own words that follow a short form
    size: int
    single: bool  # one word: the mention must start with a capital
    proud: bool  # every word must be capitalised (a name made of ordinary words)
    cjk: bool
    alone: bool  # may be matched without a legal form
    held: str  # a string that each match holds
    head: str  # one with which each match begins, "" when there is none


_AND = r" ?(?:&|\+|and|und|et|og|och|en|y|e|i|ja) ?"
_AND_TIGHT = r"(?: ?& ?| and )"  # 'AT&T'
# letters with their marks, in any script
_WORD = re.compile(r"[^\s!-/:-@\[-`{-~\u00a1-\u00bf\u00d7\u00f7\u2010-\u205e\u3001-\u3003\u3008-\u3011]+|[&+]")
_ROMANCE = frozenset({"sa", "spa", "sab", "sl", "sas"})


def variants_of(name: str, former: bool, families: tuple[str, ...]) -> list[Variant]:
    """All ways of one name; `families` are the legal forms that the issuer has under any of its names."""
    core, own = strip_forms(name)
    if sum(c.isalnum() for c in core) < 2:
        return []
    families = own if former else families
    out: list[Variant] = []
    if has_cjk(core):
        out.append(_cjk_variant(core, Strength.CORE, former, families, ""))
        for short in _cjk_shorts(core, own):
            out.append(_cjk_variant(short, Strength.SHORT, former, families, core[len(short) :]))
        if "gufen" in own and len(core) >= 3:
            held = bare(fold_text(core))[:2]
            stem = re.escape(held)
            pattern = rf"(?:\*st|s\*st|sst|st|退市) ?{stem}|{stem}退(?!市)"
            out.append(Variant(pattern, Strength.SHORT, former, families, (), 3, False, False, True, True, held, ""))
        return out
    for spelling in spellings(core):
        words = _WORD.findall(bare(fold_text(spelling)))
        if not words:
            continue
        out.append(_latin_variant(spelling, words, len(words), Strength.CORE, former=former, families=families))
        out.extend(_latin_variant(spelling, words, n, Strength.SHORT, former=former, families=families) for n in _short_lengths(words))
        if (lead := _leading(words, bool(_ROMANCE & set(own)))) and is_distinctive(words[lead]):
            out.append(
                _latin_variant(spelling, words[lead:], len(words) - lead, Strength.SHORT, former=former, families=families, skip=lead)
            )
            if len(words) - lead == 2 and len(words[lead]) >= _SHORTEST_MIDDLE and words[lead + 1] not in _AND_WORDS:
                out.append(_latin_variant(spelling, words[lead:], 1, Strength.SHORT, former=former, families=families, skip=lead))
    return out


_SHORTEST_MIDDLE = 6  # letters of a name that stands for all of it without the words before and behind ("Royal Vandervelt Paper")
_AND_WORDS = frozenset({"&", "+", "and", "of", "de"})


def _short_lengths(words: list[str]) -> list[int]:
    """How many leading words make a short form: trailing generic words dropped, and the first word alone when it is distinctive."""
    lengths: list[int] = []
    n = len(words)
    while n > 1 and (is_generic(words[n - 1]) or words[n - 1] in {"&", "+", "and", "of", "de"}):
        n -= 1
        if (
            words[n - 1] not in {"&", "+", "and", "of", "de"}
            and any(is_distinctive(w) for w in words[:n])
            and (n > 1 or len(words[0]) >= 5)
        ):
            lengths.append(n)
    first = words[0] if words else ""
    if len(words) > 1 and 1 not in lengths and len(first) >= 5 and is_distinctive(first):
        lengths.append(1)
    if n >= 2 and len(words) > n and n not in lengths and not any(is_generic(w) for w in words[:n]) and sum(map(len, words[:n])) >= 5:
        lengths.append(n)  # 'Man Tung' for 'Man Tung Realty International': ordinary words, but together a name
    return lengths


def _leading(words: list[str], romance: bool) -> int:
    """Words before the distinctive one: organisation words, in Romance languages also the line of business."""
    n = 0
    while n < len(words) - 1 and (words[n] in LEADING or (romance and is_generic(words[n]))):
        n += 1
    return n


def _latin_variant(
    spelling: str, words: list[str], n: int, strength: Strength, *, former: bool, families: tuple[str, ...], skip: int = 0
) -> Variant:
    text = bare(fold_text(spelling))
    spans = [m.span() for m in _WORD.finditer(text)][skip : skip + n]
    turkish = "asjp" in families or any(c in spelling for c in "ışğİŞĞ")
    pattern = ""
    for k, (start, end) in enumerate(spans):
        word = text[start:end]
        joiner = text[spans[k - 1][1] : start] if k else ""
        if word in {"&", "+", "and"} and 0 < k < n - 1:
            pattern += _AND if " " in joiner else _AND_TIGHT
            continue
        if k and not pattern.endswith((_AND, _AND_TIGHT)):
            pattern += r"[ .,'\"()/-]{1,3}" if " " in joiner else r"[ .'/-]{0,2}"
        escaped = re.escape(word)
        pattern += re.sub("i(?!\u0307)", "i\u0307?", escaped) if turkish else escaped
    last = len(words[n - 1])
    tail = "(?:'?s|u|em|owi)?" if last >= 6 else "(?:'?s)?" if last > 3 else "(?:'s)?"
    tail += r"\)?" if text.rstrip().endswith(")") and n + skip == len(_WORD.findall(text)) else ""
    alone = strength is Strength.SHORT or n > 1 or _may_stand_alone(words, spelling)
    proud = n > 1 and not any(is_distinctive(w) for w in words[:n])
    head = text[slice(*spans[0])]
    return Variant(
        f"{pattern}{tail}",
        strength,
        former,
        families,
        tuple(words[n:]),
        sum(map(len, words[:n])),
        n == 1,
        proud,
        False,
        alone,
        _surest(_PARTED.split(" ".join(text[start:end] for start, end in spans)) if turkish else [text[start:end] for start, end in spans]),
        head[: head.find("i") + 1] or head if turkish else head,
    )


_PARTED = re.compile("[ i]+")  # a dot above may follow an i in Turkish names


def _surest(parts: Iterable[str]) -> str:
    """The longest of the strings, all of which stand in each match; joining words may stand for one another."""
    return max((part for part in parts if part not in _JOINING), key=len, default="")


_JOINING = frozenset({"&", "+", "and"})


def _may_stand_alone(words: list[str], spelling: str) -> bool:
    word = words[0] if words else ""
    initials = len(word) == 3 and spelling.isupper() and word not in WEAK
    return is_distinctive(word) or initials or (len(word) >= 3 and any(c.isdigit() for c in word))


def _cjk_variant(name: str, strength: Strength, former: bool, families: tuple[str, ...], rest: str) -> Variant:
    text = bare(fold_text(name))
    parts = [part for part in re.split(r"[ ・]", text) if part]
    pattern = "[ ・]?".join(map(re.escape, parts))
    if text[0].isascii():
        pattern = rf"(?<![a-z0-9]){pattern}"
    own = (rest,) if rest else ()
    return Variant(pattern, strength, former, families, own, len(text), False, False, True, len(text) >= 2, _surest(parts), parts[0])


def _cjk_shorts(core: str, own: tuple[str, ...]) -> list[str]:
    """Short forms: structure words dropped; industry words too where the market's short names drop them (China)."""
    tails = (*CJK_STRUCTURE, *CJK_INDUSTRY) if {"gufen", "kr"} & set(own) else CJK_STRUCTURE
    out: list[str] = []
    text = core
    while tail := next((t for t in sorted(tails, key=len, reverse=True) if text.endswith(t) and len(text) - len(t) >= 3), None):
        text = text[: -len(tail)]
        out.append(text)
    return out
