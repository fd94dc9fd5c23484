"""Ends of a listing in many wordings of East Asia, South-East Asia and the Arab markets, beside near misses: one file of rows per language.

A row holds the status, who publishes (W a wire, X the exchange, P the press) and the text about {N}."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_wording_traps import MARKETS, POLICY

FOLDER = Path(__file__).parent / "wording"
LANGUAGES = ("ja", "ko", "zh", "tw", "hk", "vi", "id", "ms", "ar", "th")
WIRE = "https://www.globenewswire.com/news-release/a.html"
PRESS = {
    "ja": "https://www.nikkei.com/article/a",
    "ko": "https://www.hankyung.com/article/a",
    "zh": "https://www.cs.com.cn/ssgs/a.html",
    "tw": "https://money.udn.com/money/story/a",
    "hk": "https://www.hket.com/article/a",
    "vi": "https://cafef.vn/a.chn",
    "id": "https://market.bisnis.com/read/a",
    "ms": "https://www.bharian.com.my/bisnes/a",
    "ar": "https://www.almalnews.com/a",
    "th": "https://www.kaohoon.com/a",
}
EXCHANGE = {
    "ja": "https://www.jpx.co.jp/news/1023/a.html",
    "ko": "https://kind.krx.co.kr/a",
    "zh": "https://www.sse.com.cn/disclosure/a.shtml",
    "tw": "https://www.twse.com.tw/zh/announcement/a",
    "hk": "https://www.hkex.com.hk/news/a",
    "vi": "https://www.hsx.vn/a",
    "id": "https://www.idx.co.id/a",
    "ms": "https://www.bursamalaysia.com/a",
    "ar": "https://www.egx.com.eg/a",
    "th": "https://www.set.or.th/a",
}


def _rows() -> list[tuple[str, str, str, str]]:
    rows = []
    for language in LANGUAGES:
        for line in (FOLDER / f"{language}.tsv").read_text(encoding="utf-8").splitlines():
            status, source, text = line.split("\t")
            rows.append((language, status, source, text))
    return rows


ROWS = _rows()


def status_of(market: str, source: str, text: str) -> str:
    """The status for one short page about the listing of `market`."""
    issuer, mic, country, ticker, day, security = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    body = f"<html><body><p>{day}</p><p>{text.replace('{N}', issuer)}</p></body></html>"
    url = {"W": WIRE, "X": EXCHANGE[market], "P": PRESS[market]}[source]
    page = extract(body.encode(), "text/html", url, digest="sha256:1")
    return adjudicate(listing, [page], POLICY).status.value


@pytest.mark.parametrize(("market", "expected", "source", "text"), ROWS, ids=[f"{r[0]} {n} {r[1]}" for n, r in enumerate(ROWS)])
def test_wide(market: str, expected: str, source: str, text: str) -> None:
    """What ends this listing is read in any of the wordings; what only sounds like it is not."""
    assert status_of(market, source, text) == expected
