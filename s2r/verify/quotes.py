"""Each quote stands as one contiguous span in the text extracted from the archived bytes.

What may differ is what `s2r.lang.text.fold` folds (compatibility forms, case, white space, typographic quotes and dashes,
invisible characters); an ellipsis is a character like any other, so joined fragments are not found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2r.lang.text import Folded, fold
from s2r.models import Check, Claim, Match, Page


def check_quotes(claims: Sequence[Claim], pages: Mapping[str, Page]) -> tuple[tuple[Claim, ...], tuple[Check, ...]]:
    """Return the claims with `match`, `check` and corrected offsets, and one check per claim."""
    folded: dict[str, Folded] = {}
    done: list[Claim] = []
    checks: list[Check] = []
    for claim in claims:
        page = pages.get(claim.exhibit)
        found = find_quote(claim, page, folded) if page is not None else None
        outcome = "pass" if found else "fail"
        sentence = _sentence(claim, page, found)
        checks.append(Check(name="quotes", field=claim.field, outcome=outcome, sentence=sentence))
        match, start, end = found or (Match.NOT_FOUND, claim.start, claim.end)
        done.append(claim.model_copy(update={"match": str(match), "start": start, "end": end, "check": outcome}))
    return tuple(done), tuple(checks)


def find_quote(claim: Claim, page: Page, cache: dict[str, Folded]) -> tuple[Match, int, int] | None:
    """Where the quote of `claim` stands in `page`: at its span to the letter, else anywhere to the letter, else after folding."""
    if not claim.quote.strip():
        return None
    if page.text[claim.start : claim.end] == claim.quote and is_whole(page.text, claim.start, claim.end):
        return Match.EXACT, claim.start, claim.end
    if (at := _find(claim.quote, page.text)) >= 0:
        return Match.EXACT, at, at + len(claim.quote)
    if claim.exhibit not in cache:
        cache[claim.exhibit] = fold(page.text)
    haystack = cache[claim.exhibit]
    needle = fold(claim.quote).text.strip()
    at = _find(needle, haystack.text) if needle else -1
    if at < 0:
        return None
    start, end = haystack.span(at, at + len(needle))
    return Match.NORMALISED, start, end


def _find(needle: str, text: str) -> int:
    """Offset of the first place where `needle` stands without being cut out of a longer word or number, -1 when there is none."""
    at = text.find(needle)
    while at >= 0 and not is_whole(text, at, at + len(needle)):
        at = text.find(needle, at + 1)
    return at


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether [start:end) neither begins nor ends inside a word or number: "9 May" is not "19 May", "listed" is not "delisted".

    A Korean word may go on after the end, since particles follow it without a space.
    """
    if start < end and text[start].isalnum() and start > 0:
        before, first = text[start - 1], text[start]
        if _one_word(before, first) or (before in _INSIDE and start > 1 and _digits(text[start - 2], first)):
            return False
    if start < end < len(text) and text[end - 1].isalnum():
        last, after = text[end - 1], text[end]
        if _one_word(last, after) and not _is_hangul(after):
            return False
        if after in _INSIDE and end + 1 < len(text) and _digits(last, text[end + 1]):
            return False
    return True


_INSIDE = frozenset(".,/:-’'")  # between two digits these join one number, date or time
_HAN_NUMBERS = frozenset("〇一二三四五六七八九十百千")


def _one_word(left: str, right: str) -> bool:
    """Both characters belong to one word of a script that separates words with spaces, or to one number."""
    if _digits(left, right) or (left in _HAN_NUMBERS and right in _HAN_NUMBERS):
        return True
    if left.isdigit() or right.isdigit():  # "5m", "16th", "Q4"; but "2020-05-12T16:05", "2013r.", "23일", "2021م"
        return right not in "Tr" and left.isalnum() and right.isalnum() and left.isascii() and right.isascii()
    return left.isalpha() and right.isalpha() and _spaced(left) and _spaced(right)


def _digits(left: str, right: str) -> bool:
    return left.isdigit() and right.isdigit()


def _is_hangul(char: str) -> bool:
    return 0xAC00 <= ord(char) <= 0xD7A3


def _spaced(char: str) -> bool:
    code = ord(char)
    return not (
        0x0E00 <= code <= 0x0EFF or 0x3040 <= code <= 0x30FF or 0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or code >= 0x20000
    )


def _sentence(claim: Claim, page: Page | None, found: tuple[Match, int, int] | None) -> str:
    if page is None:
        return f"Exhibit {claim.exhibit[:19]} of the quote for {claim.field} cannot be opened."
    if found is None:
        return f"The quote for {claim.field} is not one contiguous span of the archived page."
    how = "to the letter" if found[0] is Match.EXACT else "after folding of case, spaces and typography"
    return f"The quote for {claim.field} stands in the archived page at {found[1]}-{found[2]}, {how}."
