"""Documents of the issuer about a company that it owns, sisters of a series of companies, notices signed at another exchange, votes that stay open."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.policy import load_policy
from tests import factories
from tests.unit.test_wording_traps import MARKETS

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
MARKET = {
    **MARKETS,
    "jp": ("Kamogawa Seiki Koki Co., Ltd. (鴨川精密工機株式会社)", "XTKS", "JP", "6218", "2020年5月4日", "Common stock"),
    "spac": ("Pinyon Ridge Acquisition Corp. II", "XNYS", "US", "PNYR", "September 28, 2020", "Class A ordinary shares"),
}
ISSUER, EXCHANGE = "https://kamogawa-seiki.example/ir/a.html", "https://boerse-notices.example/a.html"
# market, expected answer, address, headline, paragraphs; {N} is the issuer
PAGES = (
    ("jp", "no", ISSUER, "連結子会社(株式会社コブシ計器)に係る株式売渡請求の承認および同社株式の上場廃止に関するお知らせ | Kamogawa Seiki", "当社は会社法第179条に基づく株式売渡請求を行い、同社は本日開催の取締役会でこれを承認しました。|これに伴い、コブシ計器の普通株式は本日、整理銘柄に指定され、2020年5月29日をもって上場廃止となる予定です。"),
    ("ja", "yes", ISSUER, "{N} 株式売渡請求の承認および当社株式の上場廃止に関するお知らせ", "当社は、本日開催の取締役会で株式売渡請求を承認しました。|これに伴い、{N}の普通株式は本日、整理銘柄に指定され、2020年5月29日をもって上場廃止となります。"),
    ("zh", "no", "https://www.cninfo.com.cn/a.html", "{N}关于控股子公司东明环保终止上市的公告", "上海证券交易所决定终止该公司股票上市,该公司股票将终止上市。"),
    ("zh", "yes", "https://www.cninfo.com.cn/a.html", "{N}关于公司股票终止上市的公告", "{N}收到上海证券交易所决定,本公司股票将于2020年5月11日终止上市。"),
    ("spac", "no", "https://www.globenewswire.com/a.html", "Pinyon Ridge Acquisition Corp. to Redeem Public Shares", "Pinyon Ridge Acquisition Corp. (NYSE: PYR) announced that it will redeem all of its Class A shares as of October 9, 2020. The company has asked the New York Stock Exchange to file a Form 25 to delist its securities.|{N} is not affected."),
    ("spac", "yes", "https://www.globenewswire.com/a.html", "Pinyon Ridge II to Redeem Public Shares", "{N} (NYSE: PNYR) announced that it will redeem all of its Class A shares as of October 9, 2020. The company has asked the New York Stock Exchange to file a Form 25 to delist its securities."),
    ("de", "no", EXCHANGE, "Amtliche Bekanntmachungen der Börse", "Die Geschäftsführung der Börse hat die Zulassung der Aktien der {N} widerrufen.|Düsseldorf, den 4. Mai 2020 – Die Geschäftsführung"),
    ("de", "no", "https://www.boerse-stuttgart.de/a.html", "Amtliche Bekanntmachungen der Börse", "Die Geschäftsführung der Börse hat die Zulassung der Aktien der {N} widerrufen."),
    ("de", "yes", EXCHANGE, "Amtliche Bekanntmachungen der Börse", "Die Geschäftsführung der Börse hat die Zulassung der Aktien der {N} widerrufen.|Frankfurt am Main, den 4. Mai 2020 – Die Geschäftsführung"),
    ("es", "no", "https://www.borsabcn.es/a.html", "Instrucción operativa: exclusión de negociación", "Se acuerda la exclusión de negociación de las acciones de {N}.|Barcelona, a 4 de mayo de 2020. La Sociedad Rectora"),
    ("in", "no", "https://www.globenewswire.com/a.html", "{N} - Postal ballot result: voluntary delisting from BSE", "The special resolution for voluntary delisting of the equity shares from BSE Limited has been passed with the requisite majority.|The delisting is subject to the discovery of a price by reverse book building and its acceptance by the promoters."),
    ("in", "yes", "https://www.globenewswire.com/a.html", "{N} - voluntary delisting from BSE approved", "BSE Limited has approved the voluntary delisting of the equity shares of {N} with effect from 11 May 2020.|The special resolution for voluntary delisting of the equity shares from BSE Limited had been passed."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "url", "title", "text"), PAGES, ids=[f"{m} {e} {t[:40]}" for m, e, _, t, _ in PAGES])
def test_page(market: str, expected: str, url: str, title: str, text: str) -> None:
    """Who speaks, at which exchange, and of whose shares is told by headline, signature and name."""
    issuer, mic, country, ticker, day, security = MARKET[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    body = "".join(f"<p>{part}</p>" for part in (day, *text.split("|")))
    html = f"<html><head><title>{title}</title></head><body><h1>{title.partition(' | ')[0]}</h1>{body}</body></html>".replace("{N}", issuer)
    page = extract(html.encode(), "text/html; charset=utf-8", url, digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).status.value == expected
