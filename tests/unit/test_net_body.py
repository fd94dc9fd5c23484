"""Bodies are decoded under caps: bombs, drips, cuts and false labels cost little and end as typed errors."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import itertools
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import brotli
import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st
from net_server import answer, client, serving

from s2r.errors import SourceBroken, SourceTimeout
from s2r.net import Caps, TooLarge
from s2r.net.inflate import read_body

TEXT = ("<p>The Exchange has determined to remove the ordinary shares of the issuer from listing. 上場廃止のお知らせ</p>\n" * 400).encode()


def raw_deflate(data: bytes) -> bytes:
    made = zlib.compressobj(wbits=-15)
    return made.compress(data) + made.flush()


CODERS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": lambda data: zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1}),
}


def decoded(data: bytes, encoding: str, step: int = 1000, caps: Caps | None = None) -> bytes:
    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(data), step):
            yield data[start : start + step]

    return asyncio.run(read_body(chunks(), encoding, caps or Caps(), "https://a.example/"))


@pytest.mark.parametrize("step", [1, 7, 1000, 1 << 20])
@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("", TEXT),
        ("identity", TEXT),
        ("gzip", gzip.compress(TEXT)),
        ("x-gzip", gzip.compress(TEXT)),
        ("GZIP", gzip.compress(TEXT)),
        ("gzip", gzip.compress(TEXT[:5000]) + gzip.compress(TEXT[5000:])),
        ("gzip", gzip.compress(TEXT) + b"\0" * 64),
        ("gzip", TEXT),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", raw_deflate(TEXT)),
        ("br", brotli.compress(TEXT)),
        ("zstd", zstd.compress(TEXT)),
        ("zstd", zstd.compress(TEXT[:5000]) + zstd.compress(TEXT[5000:])),
        *[(f"{one}, {two}", CODERS[two](CODERS[one](TEXT))) for one, two in itertools.product(CODERS, CODERS)],
        ("gzip, br, zstd", zstd.compress(brotli.compress(gzip.compress(TEXT)))),
    ],
)
def test_codings_are_undone(encoding: str, body: bytes, step: int) -> None:
    """Each coding, several members, padding, raw deflate, stacks, and text under a false gzip label, in pieces of any size."""
    assert decoded(body, encoding, step) == TEXT


@pytest.mark.parametrize("name", CODERS)
def test_cut_and_damaged_bodies(name: str) -> None:
    """A body cut short or changed on the way is broken, never a shorter document."""
    whole = CODERS[name](bytes(range(256)) * 200 + TEXT)
    for part in (whole[: len(whole) // 2], whole[:-1], whole[:3]):
        with pytest.raises(SourceBroken):
            decoded(part, name)
    with pytest.raises(SourceBroken):
        decoded(whole[:40] + b"\xff" * 40 + whole[80:], name)
    assert decoded(b"", name) == b""


def test_unknown_and_towering_encodings() -> None:
    """An unknown coding and a stack of more than three are refused."""
    for encoding in ("compress", "sdch", "br2", "gzip, lzma"):
        with pytest.raises(SourceBroken, match="unknown"):
            decoded(TEXT, encoding)
    with pytest.raises(TooLarge):
        decoded(TEXT, ", ".join(["gzip"] * 4))


BOMB = """
import asyncio, gzip, sys, zlib
import brotli
from backports import zstd
from s2r.net import Caps, TooLarge
from s2r.net.inflate import read_body
name, stacked = sys.argv[1], sys.argv[2] == "stacked"
def stream(make, done, piece):
    return b"".join([make(piece) for _ in range(128)] + [done()])
piece = b"0" * (1 << 20)  # 128 MB in all
if name == "gzip":
    c = zlib.compressobj(wbits=31); bomb = stream(c.compress, c.flush, piece)
elif name == "deflate":
    c = zlib.compressobj(); bomb = stream(c.compress, c.flush, piece)
elif name == "br":
    c = brotli.Compressor(quality=5); bomb = stream(c.process, c.finish, piece)
else:
    c = zstd.ZstdCompressor(level=3); bomb = stream(c.compress, c.flush, piece)
encoding = name
if stacked:
    bomb, encoding = gzip.compress(bomb), f"{name}, gzip"
async def chunks():
    for start in range(0, len(bomb), 16384):
        yield bomb[start:start + 16384]
async def small():
    yield gzip.compress(b"warm")
asyncio.run(read_body(small(), "gzip", Caps(), "u"))
def peak():  # not ru_maxrss, which starts at the peak of the process that started this one
    with open("/proc/self/status") as fh:
        return next(int(line.split()[1]) for line in fh if line.startswith("VmHWM"))
with open("/proc/self/clear_refs", "w") as fh:
    fh.write("5")  # the peak starts anew at what is resident
before = peak()
try:
    asyncio.run(read_body(chunks(), encoding, Caps(), "u"))
except TooLarge as exc:
    print(peak() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak of a process is read from the process table of Linux")
@pytest.mark.parametrize("how", ["plain", "stacked"])
@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_bombs_stay_small(name: str, how: str) -> None:
    """128 MB of zeros in each of four codings, alone and inside gzip, cost less than 20 MB of memory of the process."""
    done = subprocess.run([sys.executable, "-c", BOMB, name, how], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip(), "the bomb was not recognised"
    assert int(done.stdout) < 20 * 1024, f"{done.stdout.strip()} kB"


def test_zstd_windows_are_capped() -> None:
    """A frame that asks for a window of 128 MB is refused before memory is taken."""
    maker = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 27})
    streamed = maker.compress(TEXT) + maker.flush()
    with pytest.raises(SourceBroken):
        decoded(streamed, "zstd")


def test_honest_repetition_is_no_bomb() -> None:
    """A long table that compresses 80 to 1 passes; the size cap still holds."""
    rows = b"".join(b"<tr><td>%06d</td><td>Ordinary shares</td><td>Delisted</td></tr>" % (n // 40) for n in range(120_000))
    packed = gzip.compress(rows)
    assert len(rows) / len(packed) > 50
    assert decoded(packed, "gzip") == rows
    with pytest.raises(TooLarge, match="after decoding"):
        decoded(packed, "gzip", caps=Caps(body=1_000_000))
    with pytest.raises(TooLarge, match="on the wire"):
        decoded(packed, "gzip", caps=Caps(wire=1000))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br", ""]), st.integers(1, 50))
def test_any_bytes_end(data: bytes, encoding: str, step: int) -> None:
    """Random bytes under any label give a body or a typed error."""
    with contextlib.suppress(SourceBroken):
        decoded(data, encoding, step)


@pytest.mark.parametrize("name", CODERS)
@settings(max_examples=30, deadline=None)
@given(data=st.binary(max_size=3000), step=st.integers(1, 700))
def test_round_trip(name: str, data: bytes, step: int) -> None:
    """What was coded comes back, however it is cut into pieces; data that looks like another member is still data."""
    assert decoded(CODERS[name](data), name, step) == data


def test_a_dripping_server_is_cut_at_the_cap() -> None:
    """One byte at a time never trips a read timeout; the total does."""

    sent: list[int] = []

    async def drip(path: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        for number in range(1000):
            sent.append(number)
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.05)

    async def run() -> None:
        async with serving(drip) as port, client(port, caps=Caps(total_s=0.6)) as net:
            with pytest.raises(SourceTimeout, match="no whole answer within"):
                await net.get(f"http://127.0.0.1:{port}/")

    asyncio.run(run())
    assert 1 < len(sent) < 200  # of 1000 pieces, by the server's own count


def test_dripping_headers_are_cut_too() -> None:
    """Headers that never end are under the same cap."""

    async def drip(path: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(1000):
            writer.write(b"X-%d: y\r\n" % number)
            await writer.drain()
            await asyncio.sleep(0.05)

    async def run() -> None:
        async with serving(drip) as port, client(port, caps=Caps(total_s=0.6)) as net:
            with pytest.raises(SourceTimeout):
                await net.get(f"http://127.0.0.1:{port}/")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("sent", "caps", "fault"),
    [
        (answer(gzip.compress(TEXT), content_encoding="gzip"), Caps(), None),
        (answer(gzip.compress(TEXT)[:-20], content_encoding="gzip"), Caps(), SourceBroken),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nshort", Caps(), SourceBroken),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n", Caps(), SourceBroken),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", Caps(), TooLarge),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 300_000, Caps(wire=100_000), TooLarge),
        (answer(brotli.compress(b"0" * 30_000_000), content_encoding="br"), Caps(), TooLarge),
    ],
)
def test_caps_and_cuts_over_the_wire(sent: bytes, caps: Caps, fault: type[Exception] | None) -> None:
    """Through a real connection: unasked gzip is read, cut bodies are broken, announced and real sizes are capped."""

    async def run() -> bytes:
        async with serving(sent) as port, client(port, caps=caps) as net:
            return (await net.get(f"http://127.0.0.1:{port}/", headers={"accept-encoding": "identity"})).body

    if fault is None:
        assert asyncio.run(run()) == TEXT
    else:
        with pytest.raises(fault) as caught:
            asyncio.run(run())
        assert "127.0.0.1" in caught.value.subject  # type: ignore[attr-defined]
