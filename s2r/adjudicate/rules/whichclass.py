"""Whether a step told of "the ordinary shares" means the class of the listing, where its page names another class of the issuer as well."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.candidates import Candidate
from s2r.models import Listing

_LETTERED = re.compile(
    r"\b[Cc]lass ([A-K])\b|\b([A-K])[ -](?:[Oo]rdinary |[Cc]ommon |[Vv]oting |[Nn]on-voting )?(?:[Ss]hares?|[Ss]tock|[Uu]nits?|[Oo]rdinary)\b"
)
_ALL = re.compile(r"\b(?:all|both|each|every|entire|any)\b", re.IGNORECASE)


def class_doubt(chosen: Candidate, listing: Listing) -> str:
    """Why it is not certain that the chosen step means the class of the listing, "" where it is or where one class alone is named."""
    own = _letters(listing.security)
    if len(own) != 1:
        return ""
    text = chosen.doc.page.text
    said = text[chosen.unit.start : chosen.unit.end]
    others = sorted(_letters(text) - own)
    if not others or _letters(said) or _ALL.search(said) or (listing.isin and listing.isin in said):
        return ""
    return (
        f"The row means {listing.security!r}; {chosen.doc.page.url} tells the end of shares without naming their class, and names class "
        f"{', '.join(others)} as well: which class ends is not certain."
    )


def _letters(text: str) -> set[str]:
    return {match[1] or match[2] for match in _LETTERED.finditer(text)}
