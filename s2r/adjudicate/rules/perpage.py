"""What the text of a page tells by itself, whatever the listing: worked out once, also where the page is judged for many listings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar, cast

from s2r.adjudicate.rules.document import Document

T = TypeVar("T")
_PAGE = -1  # stands for no unit of the document


def of_page(doc: Document, tell: Callable[[str], Iterable[T]]) -> tuple[T, ...]:
    """All that a function finds in the text of a page, in its order."""
    key = (tell, _PAGE)
    if key not in doc.told:
        doc.told[key] = tuple(tell(doc.page.text))
    return cast("tuple[T, ...]", doc.told[key])
