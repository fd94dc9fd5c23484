"""The one place that knows which libraries read zstd (the standard one from Python 3.14 on, its backport before) and brotli."""

from __future__ import annotations

import sys
from typing import Protocol

import brotli  # type: ignore[import-untyped]  # the package has no type information

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError

WINDOW_LOG_MAX = 23  # 8 MB, the limit of RFC 8878 for the web; a frame may ask for 2 GB
BrotliError: type[Exception] = brotli.error
__all__ = ["BrotliDecompressor", "BrotliError", "ZstdDecompressor", "ZstdError", "open_brotli", "open_zstd"]


class BrotliDecompressor(Protocol):
    """What is used of the brotli package (1.2 or newer: output can be bounded)."""

    def process(self, data: bytes, output_buffer_limit: int) -> bytes:
        """Decoded bytes, about `output_buffer_limit` at most."""
        ...

    def is_finished(self) -> bool:
        """Whether the stream has ended."""
        ...

    def can_accept_more_data(self) -> bool:
        """Whether all output of the input so far was taken."""
        ...


def open_brotli() -> BrotliDecompressor:
    """A decompressor with the window of the web (16 MB at most)."""
    found: BrotliDecompressor = brotli.Decompressor()
    return found


def open_zstd() -> ZstdDecompressor:
    """A decompressor that refuses frames with a window over 8 MB."""
    return ZstdDecompressor(options={DecompressionParameter.window_log_max: WINDOW_LOG_MAX})
