"""Heavy packages that others load only if they are there, and that nothing of ours needs through them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


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
