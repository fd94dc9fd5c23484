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
    """Where the quote of `claim` stands in `page`: at its span to the letter, else anywhere after folding, else None."""
    if not claim.quote.strip():
        return None
    if page.text[claim.start : claim.end] == claim.quote:
        return Match.EXACT, claim.start, claim.end
    at = page.text.find(claim.quote)
    if at >= 0:
        return Match.EXACT, at, at + len(claim.quote)
    if claim.exhibit not in cache:
        cache[claim.exhibit] = fold(page.text)
    haystack = cache[claim.exhibit]
    needle = fold(claim.quote).text.strip()
    at = haystack.text.find(needle) if needle else -1
    while at >= 0 and not _whole(haystack.text, at, at + len(needle)):
        at = haystack.text.find(needle, at + 1)
    if at < 0:
        return None
    start, end = haystack.span(at, at + len(needle))
    return Match.NORMALISED, start, end


def _whole(text: str, start: int, end: int) -> bool:
    """A quote may not begin or end inside a word or number: "9 May" is not "19 May", "listed" is not "delisted"."""
    before = start > 0 and _joined(text[start - 1], text[start])
    after = end < len(text) and _joined(text[end - 1], text[end])
    return not (before or after)


def _joined(left: str, right: str) -> bool:
    """Both characters belong to one word of a script that separates words with spaces, or to one number."""
    if left.isdigit() and right.isdigit():
        return True
    return left.isalpha() and right.isalpha() and _spaced(left) and _spaced(right)


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
