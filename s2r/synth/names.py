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
_SHORT = 2  # syllables of a ticker: the words of this many numbers in a row all begin with other ones
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_JAPAN = 1_000, 9_000  # the first code of Japan, and how many have four figures
_STRIDE = 167_772_161  # odd, no multiple of 5: it steps through all of SPACE
_SHIFT = 40_503_221


def coin(number: int, seed: int) -> str:
    """The coined word of a number below SPACE: 'Rebatokimu'."""
    return "".join(_CONSONANTS[k // 5] + _VOWELS[k % 5] for k in _digits(number, seed)).capitalize()


def kana(number: int, seed: int) -> str:
    """The same word in Japanese syllables: 'レバトキム'."""
    return "".join(_KANA[k] for k in _digits(number, seed))


def ticker(number: int, seed: int) -> str:
    """The code of the security of a number, which no other number has: 'REBA', and 'REBAA' where the first letters of the words begin
    anew. Two securities of one venue never share a code, and pages that speak of other companies are no answer to it."""
    return coin(number, seed)[: 2 * _SHORT].upper() + _series(number // _SYLLABLES**_SHORT)


def japanese_ticker(number: int) -> str:
    """The same in figures, as Japan has them: '1234', and '1234A' after the last one."""
    first, codes = _JAPAN
    return f"{first + number % codes}{_series(number // codes)}"


def _series(number: int) -> str:
    """Letters that count the rounds: '', 'A' to 'Z', 'AA'."""
    found = ""
    while number:
        number, digit = divmod(number - 1, len(_LETTERS))
        found = _LETTERS[digit] + found
    return found


def _digits(number: int, seed: int) -> list[int]:
    if not 0 <= number < SPACE:
        raise ValueError(f"names end at {SPACE}")
    place = (number * _STRIDE + seed * _SHIFT) % SPACE
    found = []
    for _ in range(LENGTH):
        place, digit = divmod(place, _SYLLABLES)
        found.append(digit)
    return found
