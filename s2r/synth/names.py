"""Names of synthetic issuers: one coined word per number, in Latin letters and in Japanese syllables; no two numbers share one."""

from __future__ import annotations

_CONSONANTS = "kstnhmrgdb"
_VOWELS = "aiueo"
_KANA = (
    "カキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモラリルレロガギグゲゴダヂヅデドバビブベボ"
)  # fmt: skip
_SYLLABLES = len(_CONSONANTS) * len(_VOWELS)
LENGTH = 5  # syllables, so that names of one universe seldom differ in one letter only
SPACE = _SYLLABLES**LENGTH
_STRIDE = 167_772_161  # odd, no multiple of 5: it steps through all of SPACE
_SHIFT = 40_503_221


def coin(number: int, seed: int) -> str:
    """The coined word of a number below SPACE: 'Rebatokimu'."""
    return "".join(_CONSONANTS[k // 5] + _VOWELS[k % 5] for k in _digits(number, seed)).capitalize()


def kana(number: int, seed: int) -> str:
    """The same word in Japanese syllables: 'レバトキム'."""
    return "".join(_KANA[k] for k in _digits(number, seed))


def _digits(number: int, seed: int) -> list[int]:
    if not 0 <= number < SPACE:
        raise ValueError(f"names end at {SPACE}")
    place = (number * _STRIDE + seed * _SHIFT) % SPACE
    found = []
    for _ in range(LENGTH):
        place, digit = divmod(place, _SYLLABLES)
        found.append(digit)
    return found
