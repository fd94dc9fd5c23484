"""What must be the same on coordinator and workers, so that a page is read alike wherever it is read."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

import s2r

# libraries whose versions decide what is read in a page
_READING = ("backports.zstd", "beautifulsoup4", "charset-normalizer", "htmldate", "lxml", "pydantic", "pypdfium2", "trafilatura")


@cache
def fingerprint() -> dict[str, str]:
    """Versions of this process by name; that of s2r holds a digest of its code."""
    found = {"Python": ".".join(platform.python_version_tuple()[:2]), "s2r": f"{metadata.version('s2r')} (code {_code_digest()})"}
    for name in _READING:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "none"
    return found


def differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """What a worker has otherwise, in words for people; "" when it has all alike."""
    return "; ".join(
        f"{name} is {theirs.get(name, 'unknown')} there, {version} here" for name, version in ours.items() if theirs.get(name) != version
    )


def _code_digest() -> str:
    """First 12 hex digits of the SHA-256 over all files of the package."""
    root, found = Path(s2r.__file__).parent, hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.suffix in (".py", ".toml", ".j2") and "_policies" not in path.parts):
        found.update(f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    return found.hexdigest()[:12]
