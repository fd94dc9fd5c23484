"""Many listings in little memory: they are kept as JSON in one run of bytes, and each is made when it is asked for."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from pydantic_core import PydanticSerializationError

from s2r.models.listing import Listing


class Listings(Sequence[Listing]):
    """A sequence of listings that can only grow, at about a tenth of what the objects would take; equal to any sequence of the same."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, given: Iterable[Listing] = ()) -> None:
        self._text, self._ends = bytearray(), array("Q")
        self._odd: dict[int, Listing] = {}  # by place: those that no JSON can hold
        self.row_ids: list[str] = []  # of all, in their order: asked for more often than the rest
        for listing in given:
            self.append(listing)

    def append(self, listing: Listing) -> None:
        """Add one at the end."""
        try:
            self._text += listing.model_dump_json(exclude_defaults=True).encode("utf-8")
        except PydanticSerializationError:  # half of a surrogate pair
            self._odd[len(self._ends)] = listing
        self._ends.append(len(self._text))
        self.row_ids.append(listing.row_id)

    def __len__(self) -> int:
        return len(self._ends)

    def __iter__(self) -> Iterator[Listing]:
        return map(self._made, range(len(self)))

    @overload
    def __getitem__(self, place: int) -> Listing: ...

    @overload
    def __getitem__(self, place: slice) -> list[Listing]: ...

    def __getitem__(self, place: int | slice) -> Listing | list[Listing]:
        found = range(len(self))[place]
        return self._made(found) if isinstance(found, int) else list(map(self._made, found))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return f"Listings({list(self)!r})"

    def _made(self, place: int) -> Listing:
        if place in self._odd:
            return self._odd[place]
        return Listing.model_validate_json(bytes(self._text[self._ends[place - 1] if place else 0 : self._ends[place]]))
