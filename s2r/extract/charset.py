"""Bytes to text: byte order mark, HTTP, meta and XML declarations and detection, reconciled."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_META = re.compile(rb"<meta[^>]{0,300}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([a-zA-Z0-9_.:-]{2,40})", re.I)
_XML = re.compile(rb"^\s{0,64}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([a-zA-Z0-9_.:-]{2,40})", re.I)
_HTTP = re.compile(r"charset\s*=\s*[\"']?\s*([a-zA-Z0-9_.:-]{2,40})", re.I)
# Labels mean their larger superset, as in browsers (WHATWG encoding standard).
_SUPERSET = {
    "iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs",
}  # fmt: skip
_EXTRA_LABELS = {
    "x-sjis": "cp932", "x-euc-jp": "euc_jp", "ks_c_5601-1987": "cp949", "x-gbk": "gb18030", "windows-949": "cp949", "windows-874": "cp874",
    "windows-31j": "cp932", "x-mac-roman": "mac_roman", "macintosh": "mac_roman", "unicode": "utf-16", "utf8": "utf-8",
    "iso-8859-8-i": "iso8859_8",
}  # fmt: skip
_LANG = re.compile(rb"<html[^>]{0,300}?\slang\s?=\s?[\"']?([a-zA-Z-]{2,10})", re.I)
_LANGUAGE = {
    "zh": "gb18030", "zh-cn": "gb18030", "zh-hans": "gb18030", "zh-tw": "big5hkscs", "zh-hk": "big5hkscs", "zh-hant": "big5hkscs",
    "ko": "cp949", "ko-kr": "cp949",
}  # fmt: skip
_HIGH = re.compile(rb"[\x81-\xfe]+")
_PAIRED = 12  # bytes; fewer prove nothing
_META_REACH = 8192
_SAMPLE = 60_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text of a body and the Python name of the charset that was used; `declared` is the label the document gave."""

    text: str
    charset: str
    declared: str = ""


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Decode any bytes to text; never fails. Valid non-ASCII UTF-8 beats every declaration: it does not happen by chance."""
    for bom, name in _BOMS:
        if body.startswith(bom):
            return Decoded(body.decode(name, "replace"), name, name)
    labels = _declared(body, content_type)
    declared = labels[0] if labels else ""
    if (wide := _wide(body)) is not None:
        return Decoded(body.decode(wide, "replace"), wide, declared)
    escaped = next((name for name in map(_codec, labels) if name and name.startswith(("iso2022", "hz"))), None)
    if escaped and (text := _strict(body, escaped)) is not None:
        return Decoded(text, escaped, declared)
    if (text := _strict(_whole_utf8(body), "utf-8")) is not None:
        return Decoded(text, "utf-8", declared)
    codecs_of = [codec for codec in map(_codec, labels) if codec]
    if codecs_of and codecs_of[0] == "cp1252" and _is_paired(body):  # the default of a server, over bytes that say otherwise
        codecs_of = [*(codec for codec in codecs_of if codec != "cp1252"), _detect(body), "cp1252"]
    for codec in codecs_of:
        if (text := _tolerant(body, codec)) is not None:
            return Decoded(text, codec, declared)
    if (text := _tolerant(body, "utf-8")) is not None:
        return Decoded(text, "utf-8", declared)
    guess = _detect(body)
    return Decoded(_with_c1(body) if guess == "cp1252" else body.decode(guess, "replace"), guess, declared)


def _declared(body: bytes, content_type: str) -> list[str]:
    labels: list[str] = []
    if match := _HTTP.search(content_type):
        labels.append(match.group(1))
    head = body[:_META_REACH]
    labels += [m.group(1).decode("ascii") for m in (_XML.match(head), _META.search(head)) if m]
    return list(dict.fromkeys(label.lower() for label in labels))


def _codec(label: str) -> str | None:
    try:
        name = codecs.lookup(_EXTRA_LABELS.get(label, label)).name
    except LookupError:
        return None
    if name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "idna", "punycode", "unicode_escape", "raw_unicode_escape"):
        return None  # the declaration itself was read as ASCII, so it cannot be true
    return _SUPERSET.get(name, name)


def _strict(body: bytes, name: str) -> str | None:
    try:
        return body.decode(name)
    except (UnicodeDecodeError, LookupError, ValueError):
        return None


def _whole_utf8(body: bytes) -> bytes:
    """The body without a character that was cut off at its end."""
    for back in range(1, min(4, len(body) + 1)):
        byte = body[-back]
        if byte >= 0xC0:
            need = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return body[:-back] if need > back else body
        if byte < 0x80:
            break
    return body


def _tolerant(body: bytes, name: str) -> str | None:
    """Decoded text if at most one character in fifty beyond ASCII is damaged (one in four for UTF-8)."""
    if name == "cp1252":
        return _with_c1(body)
    if (text := _strict(body, name)) is not None:
        return text
    try:
        text = body.decode(name, "replace")
    except (LookupError, ValueError):
        return None
    head = text[:200_000]
    bad = head.count("\ufffd")
    good = sum(1 for c in head if c > "\x7f") - bad
    allowed = 3 if name == "utf-8" else 50  # sequences of UTF-8 do not happen by chance: a page of mixed charsets is still UTF-8
    return text if bad * allowed <= good else None


def _with_c1(body: bytes) -> str:
    """Windows-1252 with its five unassigned bytes read as control characters, as browsers do."""
    return body.decode("cp1252", "s2r-latin1")


def _latin1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("s2r-latin1", _latin1)


def _wide(body: bytes) -> str | None:
    """UTF-16 without a byte order mark, known by its zero bytes."""
    head = body[:512]
    if len(head) < 8 or b"\0" not in head:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.6 and even < half * 0.1:
        return "utf-16-le"
    if even > half * 0.6 and odd < half * 0.1:
        return "utf-16-be"
    return None


def _is_paired(body: bytes) -> bool:
    """Whether bytes beyond ASCII nearly always stand side by side, as in East Asian and Cyrillic text and never in Western text."""
    runs = [len(run) for run in _HIGH.findall(body[:_SAMPLE])]
    return sum(runs) >= _PAIRED and sum(length for length in runs if length > 1) >= 0.8 * sum(runs)


def _by_language(body: bytes) -> str | None:
    """The charset that the declared language asks for, when the bytes fit it; for texts too short to be told by their letters."""
    match = _LANG.search(body[:_META_REACH])
    name = _LANGUAGE.get(match.group(1).decode("ascii").lower()) if match else None
    return name if name and _strict(body, name) is not None else None


def _detect(body: bytes) -> str:
    if found := _by_language(body):
        return found
    from charset_normalizer import from_bytes

    first = next((i for i, byte in enumerate(body) if byte > 0x7F), 0)
    start = max(0, min(first - 2000, len(body) - _SAMPLE))
    best = from_bytes(body[start : start + _SAMPLE]).best()
    name = _codec(best.encoding) if best is not None else None
    if name is None or (name.startswith(("cp125", "iso8859", "mac")) and _strict(body, name) == _with_c1(body)):
        return "cp1252"  # one of several names for the same text
    return name
