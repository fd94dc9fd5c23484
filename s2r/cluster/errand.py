"""What goes between coordinator and workers. All of it is made of types of this package, pickled; nothing of it prints what it holds."""

from __future__ import annotations

import datetime as dt
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from s2r.archive.index import Row
from s2r.models import Hit
from s2r.net import Limit
from s2r.policy import Policy
from s2r.settings import Settings


def packed(content: object) -> bytes:
    """Something that travels, pickled."""
    return pickle.dumps(content, protocol=5)


def opened(raw: bytes) -> Any:
    """What was packed."""
    return pickle.loads(raw)  # noqa: S301 - a cluster runs what its users send; who may connect to it is a matter of its TLS


class Sealed:
    """Packed bytes with secrets, which logs of the cluster do not show."""

    __slots__ = ("raw",)

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def __repr__(self) -> str:
        return f"Sealed({len(self.raw)} bytes)"

    def __reduce__(self) -> tuple[type[Sealed], tuple[bytes]]:
        return Sealed, (self.raw,)


def seal(content: object) -> Sealed:
    """Pack something with secrets."""
    return Sealed(packed(content))


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker needs for one run. `parts` is the folder of parts below `base`; `live` says whether pages are fetched there."""

    token: str
    policy: Policy
    settings: Settings = field(repr=False)
    limits: Mapping[str, Limit]
    default: Limit
    base: str
    parts: str
    live: bool
    in_time: bool

    @property
    def topic(self) -> str:
        """Name of the messages to the coordinator."""
        return f"s2r-{self.token}"


@dataclass(frozen=True, slots=True)
class Errand:
    """A page to be fetched: as it is, or as it was `by` a time (UTC); `max_body` in bytes."""

    hit: Hit
    by: dt.datetime | None
    max_body: int


@dataclass(frozen=True, slots=True)
class Landed:
    """A page that was fetched and lies in a part."""

    row: Row
    title: str
