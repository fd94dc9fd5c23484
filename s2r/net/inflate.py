"""Content decoding with caps: gzip, deflate (zlib or raw), brotli, zstd and stacks of them, in bounded memory."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, Callable, Iterator
from typing import Protocol

from s2r.errors import SourceBroken
from s2r.models.listing import Frozen
from s2r.net.codings import BrotliError, ZstdError, open_brotli, open_zstd
from s2r.net.errors import TooLarge

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
MAX_STACK = 3
_STEP = 64 << 10  # bytes made at once by each decoder
_RATIO_FROM = 8 << 20  # below this many bytes any ratio is harmless
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


class Caps(Frozen):
    """Limits of one answer: bytes on the wire, bytes after decoding, the ratio between them; seconds in all and of silence."""

    wire: int = 50 << 20
    body: int = 50 << 20
    ratio: int = 400  # a table of equal rows reaches 250; a bomb 1000 and more
    total_s: float = 30.0
    read_s: float = 20.0


class Decoder(Protocol):
    """One content coding. `feed` yields what a piece of input gives, in pieces of bounded size; `finish` says whether it was whole."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decoded pieces of `data`."""
        ...

    @property
    def whole(self) -> bool:
        """Whether the end of the coded data was seen."""
        ...


class _Zlib:
    """gzip with any number of members, zlib, or raw deflate found out from the first bytes; plain text under a wrong label passes."""

    def __init__(self, name: str) -> None:
        self._gzip = name == "gzip"
        self._head = b""
        self._plain = False
        self._inner: zlib._Decompress | None = None
        self.whole = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._inner is None and not self._plain:
            self._head += data
            if len(self._head) < 2:
                return
            data, self._head = self._head, b""
            self._start(data)
        if self._plain:
            yield data
            return
        while data:
            assert self._inner is not None
            piece = self._inner.decompress(data, _STEP)
            if piece:
                yield piece
            data = self._inner.unconsumed_tail
            if self._inner.eof:
                self.whole = True
                data = self._inner.unused_data
                if not (self._gzip and data[:2] == _GZIP):  # padding after the last member is ignored
                    return
                self._inner, self.whole = zlib.decompressobj(wbits=31), False
            elif not piece and not data:
                return

    def _start(self, head: bytes) -> None:
        if self._gzip:
            self._plain = self.whole = head[:2] != _GZIP
            self._inner = None if self._plain else zlib.decompressobj(wbits=31)
            return
        is_zlib = head[0] & 0x0F == 8 and (head[0] << 8 | head[1]) % 31 == 0
        self._inner = zlib.decompressobj(wbits=15 if is_zlib else -15)


class _Brotli:
    def __init__(self) -> None:
        self._inner = open_brotli()

    @property
    def whole(self) -> bool:
        return self._inner.is_finished()

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self.whole:
            return
        piece = self._inner.process(data, _STEP)
        while True:
            if piece:
                yield piece
            if self._inner.is_finished() or self._inner.can_accept_more_data():
                return
            piece = self._inner.process(b"", _STEP)


class _Zstd:
    def __init__(self) -> None:
        self._inner = open_zstd()
        self._rest = b""
        self.whole = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while True:
            if self._inner.eof:
                data, self.whole = (self._rest or self._inner.unused_data) + data, True
                if data[:4] != _ZSTD:  # padding after the last frame, or too little to tell
                    self._rest = data[:4]
                    return
                self._inner, self._rest, self.whole = open_zstd(), b"", False
            piece = self._inner.decompress(data, _STEP)
            data = b""
            if piece:
                yield piece
            if not self._inner.eof and self._inner.needs_input:
                return


class _Identity:
    whole = True

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data


_DECODERS: dict[str, Callable[[], Decoder]] = {
    "gzip": lambda: _Zlib("gzip"),
    "x-gzip": lambda: _Zlib("gzip"),
    "deflate": lambda: _Zlib("deflate"),
    "br": _Brotli,
    "zstd": _Zstd,
}


def decoders(encoding: str, subject: str) -> list[Decoder]:
    """Decoders for a Content-Encoding header, in the order to apply; `SourceBroken` for an unknown one or a stack too high."""
    names = [name for part in encoding.split(",") if (name := part.strip().lower()) not in ("", "identity", "none", "utf-8", "binary")]
    if len(names) > MAX_STACK:
        raise TooLarge(f"{len(names)} content encodings on each other", subject=subject)
    for name in names:
        if name not in _DECODERS:
            raise SourceBroken(f"unknown content encoding {name[:40]!r}", subject=subject)
    return [_DECODERS[name]() for name in reversed(names)] or [_Identity()]


async def read_body(chunks: AsyncIterable[bytes], encoding: str, caps: Caps, subject: str) -> bytes:
    """The decoded body of a stream of wire bytes; `TooLarge` past a cap, `SourceBroken` when damaged or cut short."""
    stack, out, wire = decoders(encoding, subject), bytearray(), 0
    async for chunk in chunks:
        wire += len(chunk)
        if wire > caps.wire:
            raise TooLarge(f"more than {caps.wire} bytes on the wire", subject=subject)
        try:
            for piece in _through(stack, chunk):
                out += piece
                _check(len(out), wire, caps, subject)
        except (zlib.error, BrotliError, ZstdError, EOFError) as exc:
            raise SourceBroken(f"the {encoding} body is damaged ({exc})", subject=subject) from exc
    if wire and not all(decoder.whole for decoder in stack):
        raise SourceBroken(f"the {encoding} body is cut short", subject=subject)
    return bytes(out)


def _through(stack: list[Decoder], data: bytes) -> Iterator[bytes]:
    if len(stack) == 1:
        yield from stack[0].feed(data)
        return
    for piece in stack[0].feed(data):
        yield from _through(stack[1:], piece)


def _check(size: int, wire: int, caps: Caps, subject: str) -> None:
    if size > caps.body:
        raise TooLarge(f"more than {caps.body} bytes after decoding", subject=subject)
    if size > _RATIO_FROM and size > wire * caps.ratio:
        raise TooLarge(f"{size} bytes out of {wire}: a decompression bomb", subject=subject)
