"""What keeps a process light: heavy packages that nothing of ours needs are not loaded, and garbage is not looked for all the time."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_NEW_OBJECTS = 10_000  # the parse of a page makes as many; 700 by default


@contextmanager
def without_numpy() -> Iterator[None]:
    """numpy counts as missing while another package is loaded, which would load it to map types of which we hold none; where it is loaded
    already it stays."""
    if "numpy" in sys.modules:
        yield
        return
    missing: Any = None  # how the import system says that a module is not there
    sys.modules["numpy"] = missing
    try:
        yield
    finally:
        del sys.modules["numpy"]


def collect_seldom() -> None:
    """Look for circular garbage after so many new objects that little of what is looked at still lives: reference counts free nearly all
    before. What exists now stays, and is not looked at again."""
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
    gc.enable()
