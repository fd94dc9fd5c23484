"""What expressions need, kept beside the compiled files of this package: working it out takes seconds, and it is the same each time.

A file holds the answers for one list of expressions, and is known by a digest of that list and of the code that works them out. Place and
switches are those of Python's own compiled files: `__pycache__`, `PYTHONPYCACHEPREFIX`, `PYTHONDONTWRITEBYTECODE`. Where it cannot be
written or read the answers are worked out anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from s2r.lang import required
from s2r.lang.required import guards, parse_pattern

Needs = tuple[frozenset[str], ...]  # sets of strings of each of which every match holds one, those that tell most first
_MOST_SETS = 4
_MOST_FILES = 6  # of one name: several policies, or several versions of one, are used in turns


def needs_of(name: str, sources: Sequence[str]) -> list[Needs]:
    """What the matches of each of some expressions need, in their order. `name`: whose they are, a word for the name of the file."""
    return kept(name, sources, lambda: [tuple(guards(parse_pattern(source))[:_MOST_SETS]) for source in sources])


def kept(name: str, keys: Sequence[str], work: Callable[[], list[Any]]) -> list[Any]:
    """What `work` gives: for each of the keys a value of numbers, strings, sets and tuples, made by `s2r.lang.required` and
    `s2r.lang.literals` alone."""
    path = _path(name, keys)
    found = _read(path) if path else None
    if found is not None and len(found) == len(keys):
        return found
    found = work()
    if path and not sys.dont_write_bytecode:
        with contextlib.suppress(OSError):
            _write(path, found)
    return found


def _read(path: Path) -> list[Any] | None:
    try:
        found = marshal.loads(path.read_bytes())  # noqa: S302 - written by this package, where its compiled code stands
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return found if isinstance(found, list) else None


def _write(path: Path, found: list[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(f".{os.getpid()}")
    whole.write_bytes(marshal.dumps(found))
    whole.replace(path)
    others = sorted(path.parent.glob(f"needs-{path.name.split('-')[1]}-*.{_TAG}"), key=lambda other: other.stat().st_mtime, reverse=True)
    for old in others[_MOST_FILES:]:
        old.unlink(missing_ok=True)


def _path(name: str, keys: Sequence[str]) -> Path | None:
    folder, code = _place()
    if folder is None:
        return None
    digest = hashlib.sha256(code)
    for key in keys:
        digest.update(key.encode() + b"\0")
    return folder / f"needs-{name}-{digest.hexdigest()[:24]}.{_TAG}"


_TAG = str(sys.implementation.cache_tag)


@cache
def _place() -> tuple[Path | None, bytes]:
    """The folder of the compiled files, None where there is none, and a digest of what works out the answers."""
    source = Path(required.__file__)
    try:
        code = source.read_bytes() + source.with_name("literals.py").read_bytes()
        compiled = Path(cache_from_source(str(source)))
    except (OSError, NotImplementedError):
        return None, b""
    return compiled.parent, hashlib.sha256(code + sys.version.encode()).digest()
