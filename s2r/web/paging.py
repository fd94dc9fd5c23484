"""Lists of the REST interface: pages that say how many there are in all, and where the next one begins."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from fastapi import Path, Query
from pydantic import BaseModel, Field

T = TypeVar("T")
MOST = 500  # items on a page
BIGGEST = 2**63 - 1  # that SQLite takes

Limit = Annotated[int, Query(ge=1, le=MOST, description="Items on a page.")]
RowId = Annotated[str, Query(min_length=1, max_length=500, description="Row id, as in the universe.")]
After = Annotated[str, Query(max_length=1000, description="`next` of the page before.")]
Before = Annotated[int | None, Query(ge=1, le=BIGGEST, description="`next` of the page before.")]
Number = Annotated[int, Path(ge=1, le=BIGGEST)]
Digest = Annotated[str, Path(pattern="^sha256:[0-9a-f]{64}$", description="Digest of an archived body.")]


class Listed(BaseModel, Generic[T]):
    """One page of a list. `total` counts all that pass the filters; `next` is the cursor of the next page, null on the last one."""

    items: list[T]
    total: int
    next: str | None = Field(None)
