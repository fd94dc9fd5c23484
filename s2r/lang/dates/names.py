"""Month and weekday names of a language: CLDR names (babel) joined with the hand-listed forms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from s2r.lang.dates import words_germanic, words_nordic, words_other, words_romance
from s2r.lang.dates.scan import fold_word
from s2r.lang.dates.words import Words

_ALL = (*words_germanic.WORDS, *words_romance.WORDS, *words_nordic.WORDS, *words_other.WORDS)
WORDS: dict[str, Words] = {w.lang: w for w in _ALL}
_ALIASES = {"nb": "no", "nn": "no", "in": "id", "fil": "en", "gl": "pt", "af": "nl"}


def language_of(tag: str) -> str:
    """Key of `WORDS` (or zh, ja, ko) for a language tag such as pt-BR or nb; "" when there are no words for it."""
    base = tag.replace("_", "-").split("-")[0].lower()
    base = _ALIASES.get(base, base)
    return base if base in WORDS or base in ("zh", "ja", "ko") else ""


def alternatives(items: Iterable[str]) -> str:
    """One regular-expression group for literal strings, grouped by first letter so that a mismatch fails early."""
    groups: dict[str, list[str]] = defaultdict(list)
    for item in sorted(set(items), key=len, reverse=True):
        groups[item[0]].append(item[1:])
    parts = []
    for first, rests in groups.items():
        body = "|".join(re.escape(rest) for rest in rests)
        parts.append(re.escape(first) + (f"(?:{body})" if len(rests) > 1 or rests[0] else ""))
    return "(?:" + "|".join(parts) + ")"


@lru_cache(maxsize=64)
def month_names(lang: str) -> dict[str, int]:
    """Folded month names, full and short, without a final full stop, mapped to 1-12."""
    from babel import Locale

    words = WORDS[lang]
    names: dict[str, int] = {}
    for tag in words.locales:
        months = Locale.parse(tag).months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in months[context][width].items():
                    folded = fold_word(name).rstrip(".").removeprefix("de ").removeprefix("d'")
                    if not any(c.isdigit() for c in folded):
                        names.setdefault(folded, number)
    return {fold_word(k): v for k, v in words.months.items()} | names if lang != "vi" else dict(words.months)


@lru_cache(maxsize=64)
def short_months(lang: str) -> frozenset[str]:
    """Month names that are abbreviations: three to five letters that are not a full name."""
    from babel import Locale

    full: set[str] = set()
    for tag in WORDS[lang].locales:
        months = Locale.parse(tag).months
        full |= {fold_word(n).removeprefix("de ").removeprefix("d'") for c in ("format", "stand-alone") for n in months[c]["wide"].values()}
    return frozenset(n for n in month_names(lang) if n not in full and len(n) <= 5)


@lru_cache(maxsize=64)
def weekday_patterns(lang: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Two tuples of seven fragments, Monday first: full names (with inflection), and abbreviations ("" where there are none)."""
    from babel import Locale

    words = WORDS[lang]
    full, short = list(words.weekdays), [""] * 7
    if words.locales:
        days = Locale.parse(words.locales[0]).days
        wide = {(c, n): fold_word(v) for c in ("format", "stand-alone") for n, v in days[c]["wide"].items()}
        abbreviated = {(c, n): fold_word(v).rstrip(".") for c in ("format", "stand-alone") for n, v in days[c]["abbreviated"].items()}
        if not full:
            full = ["|".join(sorted({re.escape(wide[c, n]) for c in ("format", "stand-alone")})) for n in range(7)]
        short = ["|".join(sorted({re.escape(abbreviated[c, n]) for c in ("format", "stand-alone")})) for n in range(7)]
    if lang == "en":
        short = ["mon", "tues?", "weds?", "thu(?:rs?)?", "fri", "sat", "sun"]
    return tuple(full), tuple(short)
