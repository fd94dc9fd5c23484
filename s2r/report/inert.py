"""Make hostile text harmless: visible control characters, and links for plain web addresses only."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import urlsplit

# bidirectional embeddings, overrides and isolates reorder what stands around them; shown as codes, never obeyed
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# what `_visible` changes; most texts hold nothing of it
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
    + "]"
)
_HOST = re.compile(r"[^\s/\\@\"'<>`{}|^%]{1,253}\Z")


def visible(value: object) -> str:
    """Text without characters that a page would obey: control characters become U+FFFD, bidi controls "[U+202E]"."""
    text = "" if value is None else str(value)
    if not _OBEYED.search(text):
        return text
    return "".join(_visible(c) for c in text.replace("\r\n", "\n").replace("\r", "\n"))


def _visible(char: str) -> str:
    if char in _BIDI:
        return f"[U+{ord(char):04X}]"
    if char in "\n\t":
        return char
    if unicodedata.category(char) in ("Cc", "Cs") or (ord(char) & 0xFFFE) == 0xFFFE or 0xFDD0 <= ord(char) <= 0xFDEF:
        return "\ufffd"
    return char


def web_link(url: str) -> str:
    """`url` when a browser may follow it: http or https, a plain host without user name, no white space; else ""."""
    if url != visible(url) or any(c.isspace() for c in url) or "\\" in url:
        return ""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not url.lower().startswith(f"{parts.scheme}://"):
        return ""
    return url if parts.hostname and _HOST.match(parts.hostname) and "@" not in parts.netloc else ""


def text_width(text: str) -> float:
    """Estimated width in em of `text` in a common sans-serif face; errs on the wide side."""
    return sum(_width(c) for c in text)


def _width(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if unicodedata.combining(char):
        return 0.0
    if char in "mwMW@%—<>=+~":
        return 0.95 if char in "mwMW@%—" else 0.84
    if char in "iljtfrI.,:;'|!()[] ·":
        return 0.33
    return 0.72 if char.isupper() else 0.64 if char.isdigit() else 0.61


def wrap(text: str, width_em: float, lines: int) -> list[str]:
    """`text` in at most `lines` lines of `width_em`; what does not fit is cut with an ellipsis."""
    done: list[str] = []
    rest = text
    while rest:
        fit = _fitting(rest, width_em)
        if fit == len(rest):
            done.append(rest)
            break
        if len(done) == lines - 1:
            done.append(rest[: _fitting(rest, width_em - 1)].rstrip() + "…")
            break
        at = rest.rfind(" ", 0, fit + 1)
        cut = at if at > fit // 2 else fit
        done.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return done or [""]


def _fitting(text: str, width_em: float) -> int:
    used = 0.0
    for n, char in enumerate(text):
        used += _width(char)
        if used > width_em:
            return max(n, 1)
    return len(text)
