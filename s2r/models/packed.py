"""Many listings in little memory: they are kept as JSON in one run of bytes, and each is made when it is asked for."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from pydantic_core import PydanticSerializationError

from s2r.models.listing import Listing

CARRIED = {"row_number", "extra"}  # fields of a listing that are carried through and decide nothing


def decisive(listing: Listing) -> bytes:
    """All of a listing that can change its record, as JSON: without what is carried through, and without fields that are empty."""
    try:
        return listing.model_dump_json(exclude_defaults=True, exclude=CARRIED).encode("utf-8")
    except PydanticSerializationError:  # half of a surrogate pair
        return json.dumps(listing.model_dump(exclude_defaults=True, exclude=CARRIED), default=str).encode("ascii")


class Listings(Sequence[Listing]):
    """A sequence of listings that can only grow, at about a tenth of what the objects would take; equal to any sequence of the same."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, given: Iterable[Listing] = ()) -> None:
        self._text, self._splits, self._ends = bytearray(), array("Q"), array("Q")  # what decides up to a split, what is carried after it
        self._odd: dict[int, Listing] = {}  # by place: those that no JSON can hold
        self.row_ids: list[str] = []  # of all, in their order: asked for more often than the rest
        self.cutoffs: list[int] = []  # ordinals of their cutoffs
        for listing in given:
            self.append(listing)

    def append(self, listing: Listing) -> None:
        """Add one at the end."""
        core = decisive(listing)
        try:
            carried = listing.model_dump_json(exclude_defaults=True, include=CARRIED).encode("utf-8")
            if b"\\ud" in core:  # half of a surrogate pair, or a text that only looks like one
                raise ValueError
        except (PydanticSerializationError, ValueError):
            carried = b""
            self._odd[len(self._ends)] = listing
        self._add(core, carried, listing.row_id, listing.cutoff.toordinal())

    def append_from(self, other: Listings, place: int) -> None:
        """Add one of another sequence at the end, without making it."""
        if place in other._odd:
            self.append(other._odd[place])
            return
        low, split, high = other._bounds(place)
        self._add(other._text[low:split], other._text[split:high], other.row_ids[place], other.cutoffs[place])

    def _add(self, core: bytes | bytearray, carried: bytes | bytearray, row_id: str, cutoff: int) -> None:
        self._text += core
        self._splits.append(len(self._text))
        self._text += carried
        self._ends.append(len(self._text))
        self.row_ids.append(row_id)
        self.cutoffs.append(cutoff)

    def decisive(self) -> Iterator[bytes]:
        """`decisive` of each, in order."""
        for place in range(len(self)):
            low, split, _ = self._bounds(place)
            yield bytes(self._text[low:split])

    def written(self) -> Iterator[bytes]:
        """Each with all its fields, in order, as bytes that differ when any field does."""
        for place in range(len(self)):
            low, _, high = self._bounds(place)
            yield repr(self._odd[place]).encode("utf-8", "surrogatepass") if place in self._odd else bytes(self._text[low:high])

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

    def _bounds(self, place: int) -> tuple[int, int, int]:
        return self._ends[place - 1] if place else 0, self._splits[place], self._ends[place]

    def _made(self, place: int) -> Listing:
        if place in self._odd:
            return self._odd[place]
        low, split, high = self._bounds(place)
        core, carried = self._text[low:split], self._text[split:high]
        return Listing.model_validate_json(bytes(core if len(carried) <= 2 else core[:-1] + b"," + carried[1:]))
