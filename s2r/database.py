"""sqlite-utils without numpy, which it loads to map types of which nothing of ours holds one: that takes more memory than all the rest."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def _without(name: str) -> Iterator[None]:
    """An optional package counts as missing while another one is loaded; where it is loaded already it stays."""
    if name in sys.modules:
        yield
        return
    missing: Any = None  # how the import system says that a module is not there
    sys.modules[name] = missing
    try:
        yield
    finally:
        del sys.modules[name]


with _without("numpy"):
    from sqlite_utils import Database, Migrations

__all__ = ["Database", "Migrations"]
