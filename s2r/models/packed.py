"""Many listings in little memory: each is kept as JSON and made when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from pydantic_core import PydanticSerializationError

from s2r.models.listing import Listing


class Listings(Sequence[Listing]):
    """A sequence of listings that can only grow, at about a tenth of what the objects would take; equal to any sequence of the same."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, given: Iterable[Listing] = ()) -> None:
        self._kept: list[bytes | Listing] = list(given._kept) if isinstance(given, Listings) else [_packed(one) for one in given]

    def append(self, listing: Listing) -> None:
        """Add one at the end."""
        self._kept.append(_packed(listing))

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Listing]:
        return map(_made, self._kept)

    @overload
    def __getitem__(self, place: int) -> Listing: ...

    @overload
    def __getitem__(self, place: slice) -> list[Listing]: ...

    def __getitem__(self, place: int | slice) -> Listing | list[Listing]:
        return _made(self._kept[place]) if isinstance(place, int) else [_made(one) for one in self._kept[place]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return f"Listings({list(self)!r})"


def _packed(listing: Listing) -> bytes | Listing:
    try:
        return listing.model_dump_json(exclude_defaults=True).encode("utf-8")
    except PydanticSerializationError:  # half of a surrogate pair, which no JSON can hold
        return listing


def _made(kept: bytes | Listing) -> Listing:
    return kept if isinstance(kept, Listing) else Listing.model_validate_json(kept)
