"""The day of a page where its text gives labelled days, days to come and stretches of days beside what its head says of itself."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_wording_traps import MARKETS, POLICY

EXCHANGE = {
    "ja": "https://www.jpx.co.jp/news/1023/a.html",
    "ko": "https://kind.krx.co.kr/a",
    "zh": "https://www.sse.com.cn/disclosure/a.shtml",
    "vi": "https://www.hsx.vn/a",
    "ar": "https://www.egx.com.eg/a",
    "uk": "https://www.londonstockexchange.com/a",
}
HEAD = '<meta property="article:published_time" content="2020-05-04T10:00:00+00:00">'
MARK = '<span itemprop="datePublished" content="2020-05-04"></span>'
# market, head, mark in the page, lines, the day
PAGES = (
    # the name of another day, of which the word for a day is but the end
    ("zh", HEAD, "", ("本所同意{N}股票终止上市。", "摘牌日期:2020年5月29日"), "2020-05-04"),
    ("zh", "", "", ("日期:2020年5月4日", "本所同意{N}股票终止上市。", "摘牌日期:2020年5月29日"), "2020-05-04"),
    ("zh", "", "", ("公告日期:2020年5月4日", "本所同意{N}股票终止上市。"), "2020-05-04"),
    # a stretch of days, and a day to come
    ("ja", HEAD, "", ("改善期間:2019年4月1日~2020年3月31日", "{N}株式の上場廃止を決定した。"), "2020-05-04"),
    ("ja", HEAD, "", ("{N}は、東京証券取引所より株式の上場廃止を決定した旨の連絡を受けました。", "廃止の日 6月5日(金)"), "2020-05-04"),
    ("ar", HEAD, "", ("قررت البورصة شطب أسهم {N}.", "ثانياً: يبدأ ذلك من صباح الأحد 10 مايو 2020"), "2020-05-04"),
    # days with points and spaces, and the label of a posting
    ("ko", "", "", ("한국거래소는 {N} 주권의 상장폐지를 결정하였습니다.", "평가일: 2020. 7. 11.", "게시: 2020. 5. 4. 상장부"), "2020-05-04"),
    # "of the day" in a cell of a table names the act of another
    ("vi", HEAD, "", ("HOSE chấp thuận hủy niêm yết tự nguyện cổ phiếu {N}.", "Căn cứ|Nghị quyết ĐHĐCĐ ngày 22/03/2020"), "2020-05-04"),
    # a mark in the page itself, unless it marks the articles of a list
    ("ja", "", MARK, ("{N}株式の上場廃止を決定した。",), "2020-05-04"),
    ("ja", "", MARK + MARK.replace("05-04", "03-01"), ("2020年5月4日", "{N}株式の上場廃止を決定した。"), "2020-05-04"),
    # what stays: a date line counts before a head that was written later
    ("uk", HEAD.replace("05-04", "05-09"), "", ("4 May 2020", "The exchange has decided to cancel the listing of the shares of {N}."), "2020-05-04"),
)  # fmt: skip


@pytest.mark.parametrize(("market", "head", "mark", "lines", "day"), PAGES, ids=[f"{n} {page[0]}" for n, page in enumerate(PAGES)])
def test_day_of_page(market: str, head: str, mark: str, lines: tuple[str, ...], day: str) -> None:
    """Neither the label of another day nor a day to come is taken for the day on which the page was published."""
    issuer, mic, country, ticker, _, security = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    body = ""
    for line in lines:
        cells = line.replace("{N}", issuer).split("|")
        body += f"<p>{cells[0]}</p>" if len(cells) == 1 else f"<table><tr><td>{cells[0]}</td><td>{cells[1]}</td></tr></table>"
    html = f"<html><head>{head}</head><body><main itemscope>{mark}<h2>{issuer}</h2>{body}</main></body></html>"
    page = extract(html.encode(), "text/html", EXCHANGE[market], digest="sha256:1")
    assert str(adjudicate(listing, [page], POLICY).announcement_date) == day
