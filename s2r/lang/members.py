"""Concatenated gzip streams, as WARC files use them: one member at a time, strictly; pure."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

MAX_MEMBER = 1 << 30


class DamagedMember(ValueError):
    """Bytes that are not one whole, consistent member; the text says what is wrong."""


def gunzip_member(blocks: Iterable[bytes], most: int = MAX_MEMBER) -> tuple[int, bytes]:
    """Length and content of the gzip member at the start of `blocks`; content beyond `most` + 1 bytes is dropped.

    Raises `DamagedMember` when the member is no gzip, cut off, or does not match its own checksum.
    """
    inflate, taken, out = zlib.decompressobj(31), 0, bytearray()
    for block in blocks:
        taken += len(block)
        rest = block
        while rest and not inflate.eof:
            try:
                piece = inflate.decompress(rest, 1 << 20)
            except zlib.error as exc:
                raise DamagedMember(f"not readable as gzip ({exc})") from exc
            out += piece[: most + 1 - len(out)]
            rest = inflate.unconsumed_tail
        if inflate.eof:
            return taken - len(inflate.unused_data), bytes(out)
    raise DamagedMember("cut off before the end of the record" if taken else "missing: the file ends before this record")
