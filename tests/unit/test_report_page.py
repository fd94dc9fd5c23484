"""The HTML report: well-formed, inert, true to the records, and bounded."""

from __future__ import annotations

import re
import weakref
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import lxml.html
import pytest
from report_cases import CUTOFF, NOTICE, archived, digest_of, listing, point, quoted, random_records, record

from s2r.errors import StoreError
from s2r.models import Check, Claim, Coverage, Gap, LaterEvent, Outcome, Record, Route, Status
from s2r.report import write_report
from s2r.report.inert import visible, web_link, wrap
from s2r.report.page import MAX_ROWS, MAX_SECTIONS
from s2r.report.texts import TEXTS, say

URL = "https://exchange.example/notices/2016/17"
MANIFEST: dict[str, object] = {
    "run_id": "r0123456789ab",
    "version": "0.1.0",
    "event_type": "delisting",
    "policy": "delisting@1#0123",
    "sources": "pool:4567",
    "started_at": "2021-01-05T09:00:00+00:00",
    "finished_at": "2021-01-05T09:31:07.5+00:00",
    "rejected_rows": 3,
    "faults": ["row 7 isin: check digit is wrong"],
}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "<!-- open",
    "--> <b>out</b>",
    "]]><script>alert(1)</script>",
    "{{ 7*7 }}{% for x in ().__class__.__base__.__subclasses__() %}{% endfor %}",
    "${7*7} #{7*7} {event} {0.__class__}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)",
    "' onmouseover='alert(1)",
    '" style="background:url(//evil.example/x)',
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<base href='//evil.example/'>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<form action=//evil.example><button>Log in</button></form>",
    "</details></section></main><h1>Report</h1>",
    "<math><mtext><mglyph><style><img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">open</a>',
    "<a href=https://evil.example>official source</a>",
    "<style>*{display:none}</style>",
    "<object data=//evil.example></object><embed src=//evil.example>",
    "x\u202egnp.exe \u2066y",
    "nul \x00 bell \x07 escape \x1b[31m vt \x0b",
    "para\u2028line\u2029sep\u0085nel",
    "＜script＞alert(1)＜/script＞",
    "<scr\x00ipt>alert(1)</scr\x00ipt>",
    "`-alert(1)-`",
    "<plaintext>",
    "<!DOCTYPE html><html><body onload=alert(1)>",
    "--queue:1;}*{display:none}",
]
BAD_URLS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    " javascript:alert(1)",
    "\x01javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "blob:https://evil.example/1",
    "ftp://evil.example/x",
    "mailto:x@evil.example",
    "//evil.example/x",
    "http:evil.example",
    "http:///evil.example",
    "https:\\\\evil.example",
    "https://exchange.example@evil.example/",
    "https://user:pass@evil.example/",
    "http://[::1",
    "http://x.example:99999/",
    "http://x.example/\u202egnp",
    "http://x .example/",
    "ht\ttp://x.example/",
    "http://",
    "",
    "notices/17",
    "http://x<y.example/",
]
GOOD_URLS = [
    URL,
    "http://exchange.example/a?b=c&d=<e>'\"",
    "HTTPS://Exchange.example/",
    "https://取引所.example/告知",
    "http://exchange.example:8080/",
    "https://exchange.example/?q=javascript:alert(1)",
]
VOID = {"meta", "link", "br", "hr", "img", "input", "base", "embed", "source", "wbr", "col"}
_TAGS = """
html head meta title style body a header h1 h2 h3 h4 h5 p nav ul ol li main section dl div dt dd span b strong small figure
figcaption svg desc rect line path circle text g details summary table caption thead tbody tr th td bdi code blockquote mark q
time fieldset legend label input br footer
"""
TAGS = set(_TAGS.split())
BLOCKS = TAGS & set(re.findall(r"\w+", "p div ul ol dl table section figure details blockquote h1 h2 h3 h4 h5 fieldset figcaption"))


class Strict(HTMLParser):
    """Lists every fault of nesting, closing, attributes and ids."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.faults: list[str] = []
        self.ids: Counter[str] = Counter()
        self.refs: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS and "p" in self.stack and "svg" not in self.stack:
            self.faults.append(f"<{tag}> in <p> at {self.getpos()}")
        if tag == "a" and "a" in self.stack:
            self.faults.append(f"link in link at {self.getpos()}")
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.faults.append(f"attribute twice in <{tag}> at {self.getpos()}")
        for name, value in attrs:
            if name == "id":
                self.ids[str(value)] += 1
            elif name in ("aria-labelledby", "aria-describedby"):
                self.refs.update(str(value).split())
            elif name == "href" and str(value).startswith("#"):
                self.refs.add(str(value)[1:])
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID and "svg" not in self.stack:
            self.faults.append(f"<{tag}/> at {self.getpos()}")

    def handle_endtag(self, tag: str) -> None:
        if not self.stack or self.stack.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing at {self.getpos()}")


def make(tmp_path: Path, records: list[Record], **manifest: object) -> str:
    """The report of `records` as text."""
    path = tmp_path / "report.html"
    write_report(path, lambda: iter(records), {**MANIFEST, "rows": len(records), **manifest}, archive=tmp_path)
    return path.read_bytes().decode("utf-8")


def check_form(page: str) -> None:
    """Tags are nested and closed, ids unique, references resolved."""
    strict = Strict()
    strict.feed(page)
    strict.close()
    assert strict.faults == []
    assert strict.stack == []
    assert [name for name, n in strict.ids.items() if n > 1] == []
    assert strict.refs <= set(strict.ids)


def check_inert(page: str, hosts: set[str]) -> lxml.html.HtmlElement:
    """Only known tags, no script, no event attribute, nothing loaded, links to `hosts` only."""
    assert page.startswith("<!DOCTYPE html>\n")
    tree = lxml.html.document_fromstring(page.encode())
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"]
    assert len(tree.xpath("//style")) == 1
    assert not re.search(r"url\(|@import|expression", tree.xpath("//style")[0].text)
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        assert element.tag in TAGS, element.tag
        for name, value in element.attrib.items():
            assert not name.startswith("on"), (element.tag, name)
            assert name not in {"src", "srcset", "action", "formaction", "background", "xlink:href", "data", "poster", "ping"}
            if name == "style":
                assert re.fullmatch(r"(--[a-z]+:\d+;?)+", value), value
            if name == "href":
                assert value.startswith("#") or (urlsplit(value).scheme in ("http", "https") and urlsplit(value).hostname in hosts), value
                assert value.startswith("#") or {"noreferrer", "noopener"} <= set(element.get("rel").split())
    return tree


def hostile_record(number: int, text: str, url: str = URL) -> Record:
    """A record with `text` in every field that a page, a provider or the universe can fill."""
    claim = Claim(
        field="status", value=text, quote=text, exhibit="sha256:" + "0" * 64, url=url, start=0, end=len(text), match="exact", check=text
    )
    return record(
        of=listing(
            number, row_id=f"{number} {text}", issuer=text, security=text, ticker=text, mic=text, venue=text, isin=text, extra={text: text}
        ),
        status=Status.YES,
        announcement_date="2016-01-21",
        reason=text,
        disclosure_type=text,
        route=Route.REVIEW,
        route_reasons=(text,),
        claims=(claim,),
        checks=(Check(name=text, field=text, outcome=text, sentence=text),),
        later_event=LaterEvent(date=text, exhibit=text, url=url, quote=text),
        coverage=Coverage(
            queries=(text,),
            languages=(text,),
            providers={text: text},
            gaps=(Gap(url=url, step=text, outcome=Outcome.ERROR, cause=text, next_step=text),),
            statement=text,
        ),
        timeline=(
            point("2016-01-21", kind=text, stage=text, source_kind=text, url=url, quote=text),
            point(text, url=url, quote=text),
        ),
        conflicts=(text,),
        steps=(text,),
        abstain_reason=text,
        adjudicator=text,
        model=text,
        policy=text,
        error=text,
    )


def test_hostile_texts_stay_text(tmp_path: Path) -> None:
    """Markup, template code, style and control characters in any field are shown, never obeyed."""
    records = [hostile_record(n, text) for n, text in enumerate(HOSTILE)]
    manifest = {key: text for key, text in zip(MANIFEST, HOSTILE, strict=False) if key not in ("rejected_rows", "faults")}
    page = make(tmp_path, records, **manifest, faults=HOSTILE)
    check_form(page)
    tree = check_inert(page, {"exchange.example"})
    shown = [cell.text_content() for cell in tree.xpath("//ol[@class='steps']/li/bdi")]
    assert sorted(shown) == sorted(visible(text) for text in HOSTILE)
    assert len(tree.xpath("//h1")) == 1
    assert len(tree.xpath("//details[@class='record']")) == len(HOSTILE)


@pytest.mark.parametrize("url", BAD_URLS)
def test_only_plain_web_addresses_become_links(tmp_path: Path, url: str) -> None:
    """Other schemes, user names, control characters and broken addresses are text, not links."""
    assert web_link(url) == ""
    page = make(tmp_path, [hostile_record(1, "text", url)])
    tree = check_inert(page, set())
    assert all(href.startswith("#") for href in tree.xpath("//a/@href"))


@pytest.mark.parametrize("url", GOOD_URLS)
def test_plain_web_addresses_are_links_shown_in_full(tmp_path: Path, url: str) -> None:
    """http and https addresses can be followed and are shown letter by letter."""
    page = make(tmp_path, [hostile_record(1, "text", url)])
    check_form(page)
    tree = lxml.html.document_fromstring(page.encode())
    links = tree.xpath("//a[@class='url']")
    assert links
    assert {(link.get("href"), link.text_content()) for link in links} == {(url, url)}


def test_hostile_page_is_quoted_as_text(tmp_path: Path) -> None:
    """The quote and its surroundings come from the archived page, in which everything is text."""
    body = "\n\n".join(f"Before {n}. {text} After {n}." for n, text in enumerate(HOSTILE) if "\x00" not in text)
    digest, text = archived(tmp_path, [(URL, "text/plain; charset=utf-8", body)])[URL]
    records = []
    for n, wanted in enumerate(HOSTILE):
        if wanted in text:
            records.append(record(n, claims=(quoted("status", "yes", wanted, URL, digest, text),)))
    assert len(records) > 25
    page = make(tmp_path, records)
    check_form(page)
    tree = check_inert(page, {"exchange.example"})
    marks = [mark.text_content() for mark in tree.xpath("//mark")]
    assert marks == [visible(r.claims[0].quote) for r in sorted(records, key=lambda r: r.row_id)]


def test_quote_is_highlighted_in_its_context(tmp_path: Path) -> None:
    """The marked text is the quote of the claim, with what stands before and after it in the page, its URL, digest and span."""
    digest, text = archived(tmp_path, [(URL, "text/html; charset=utf-8", NOTICE)])[URL]
    claims = (
        quoted("status", "yes", "has today decided to remove the ordinary shares of Marrow & Vale plc", URL, digest, text),
        quoted("announcement_date", "2016-01-21", "21 January 2016", URL, digest, text),
    )
    page = make(tmp_path, [record(status=Status.YES, announcement_date="2016-01-21", reason="noncompliance", claims=claims)])
    check_form(page)
    tree = check_inert(page, {"exchange.example"})
    figures = tree.xpath("//figure[@class='proof']")
    assert [f.xpath(".//mark")[0].text_content() for f in figures] == [c.quote for c in claims]
    for figure, claim in zip(figures, claims, strict=True):
        context = figure.xpath(".//blockquote")[0].text_content()
        assert context.strip("…") in text
        assert len(context) > len(claim.quote) + 100
        said = figure.text_content()
        assert digest in said
        assert URL in said
        assert say("claim_offsets_value", start=claim.start, end=claim.end) in said
        assert "2021-01-05 09:30 UTC" in said


def test_long_page_is_cut_around_the_quote(tmp_path: Path) -> None:
    """Some 300 characters stand on each side, at word borders, and the cut is visible."""
    body = "lorem ipsum " * 500 + "The shares are removed from the list. " + "dolor sit " * 500
    digest, text = archived(tmp_path, [(URL, "text/plain", body)])[URL]
    page = make(tmp_path, [record(claims=(quoted("status", "yes", "The shares are removed from the list.", URL, digest, text),))])
    block = lxml.html.document_fromstring(page.encode()).xpath("//blockquote")[0]
    mark = block.xpath("./mark")[0]
    assert 250 <= len(block.text.lstrip("…")) <= 300
    assert 250 <= len(mark.tail.rstrip("…")) <= 300
    assert block.text.startswith("…")
    assert mark.tail.endswith("…")
    assert block.text.lstrip("…").split()[0] in ("lorem", "ipsum")


def test_claims_on_one_quote_share_one_proof(tmp_path: Path) -> None:
    """Status and reason that rest on the same sentence show it once, under both names."""
    digest, text = archived(tmp_path, [(URL, "text/html", NOTICE)])[URL]
    quote = "has today decided to remove the ordinary shares"
    claims = tuple(quoted(f, v, quote, URL, digest, text) for f, v in (("status", "yes"), ("reason", "noncompliance")))
    tree = lxml.html.document_fromstring(make(tmp_path, [record(claims=claims)]).encode())
    captions = [c.text_content() for c in tree.xpath("//figure[@class='proof']/figcaption")]
    assert len(captions) == 1
    assert "status: yes" in captions[0]
    assert "reason: noncompliance" in captions[0]


@pytest.mark.parametrize("case", ["absent", "damaged", "unreadable", "other text", "moved", "no archive"])
def test_proof_that_does_not_hold_says_so(tmp_path: Path, case: str) -> None:
    """An exhibit that is missing, damaged or unreadable, or a quote that is not there, is stated beside the quote."""
    quote = "has today decided to remove"
    pages = {"unreadable": ("application/pdf", "%PDF-1.7 broken"), "other text": ("text/plain", "Nothing of the kind stands here.")}
    kind, body = pages.get(case, ("text/html; charset=utf-8", NOTICE))
    digest = digest_of(body.encode())
    if case != "no archive":
        _archive_without_reading(tmp_path, kind, body)
    if case == "damaged":
        warc = next((tmp_path / "archive").glob("*.warc.gz"))
        data = bytearray(warc.read_bytes())
        data[len(data) // 2] ^= 0xFF
        warc.write_bytes(bytes(data))
    exhibit = "sha256:" + "f" * 64 if case == "absent" else digest
    claim = Claim(
        field="status", value="yes", quote=quote, exhibit=exhibit, url=URL, start=5, end=5 + len(quote), match="exact", check="pass"
    )
    page = make(tmp_path, [record(claims=(claim,))])
    check_form(page)
    figure = lxml.html.document_fromstring(page.encode()).xpath("//figure[@class='proof']")[0]
    said = figure.text_content()
    assert quote in said
    if case == "moved":
        assert figure.xpath(".//mark")[0].text_content() == quote
        assert "stands elsewhere in this page" in said
    else:
        assert figure.xpath(".//mark") == []
        assert figure.xpath(".//p[@class='notice']")
        assert ("could not be opened" in said) == (case != "other text")


def _archive_without_reading(root: Path, kind: str, body: str) -> None:
    from report_cases import FETCHED

    from s2r.archive import Archive
    from s2r.models import Capture

    with Archive(root) as archive:
        archive.put(Capture(url=URL, final_url=URL, content_type=kind, body=body.encode(), fetched_at=FETCHED))


def test_differing_typography_shows_both(tmp_path: Path) -> None:
    """A quote found after folding is marked as the page has it, and given as the record has it."""
    digest, _ = archived(tmp_path, [(URL, "text/plain; charset=utf-8", "The board – unanimously – resolved to “delist” the shares.")])[URL]
    quote = 'The board - unanimously - resolved to "delist" the shares.'
    claim = Claim(field="status", value="yes", quote=quote, exhibit=digest, url=URL, start=0, end=57, match="normalised", check="pass")
    tree = lxml.html.document_fromstring(make(tmp_path, [record(claims=(claim,))]).encode())
    assert tree.xpath("//mark")[0].text_content() == "The board – unanimously – resolved to “delist” the shares."
    assert quote in [q.text_content() for q in tree.xpath("//figure//q")]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.slow
def test_every_number_of_the_summary_is_that_of_the_records(tmp_path: Path, seed: int) -> None:
    """Tiles and facts equal counts made here, independently, from the records."""
    records = random_records(180, seed)
    tree = lxml.html.document_fromstring(make(tmp_path, records).encode())
    shown = {e.get("data-count"): e.text_content().strip() for e in tree.xpath("//*[@data-count]")}
    dumped = [r.model_dump(mode="json") for r in records]
    match = Counter(claim["match"] for r in dumped for claim in r["claims"])
    unknown = sum(r["cost_usd"] is None for r in dumped)
    cost = sum(r["cost_usd"] or 0 for r in dumped)
    assert shown == {
        "records": "180",
        **{s: str(sum(r["status"] == s for r in dumped)) for s in ("yes", "no", "abstain")},
        "review": str(sum(r["route"] != "accept" for r in dumped)),
        "accept": str(sum(r["route"] == "accept" for r in dumped)),
        "conflicts": str(sum(bool(r["conflicts"]) for r in dumped)),
        "later": str(sum(r["later_event"] is not None for r in dumped)),
        "pages": str(sum(r["coverage"]["pages_read"] for r in dumped)),
        "gaps": str(sum(len(r["coverage"]["gaps"]) for r in dumped)),
        "errors": str(sum(r["error"] is not None for r in dumped)),
        "rejected": "3",
        "searches": str(sum(r["usage"]["searches"] for r in dumped)),
        "claims": say("claims_value", n=match.total(), exact=match["exact"], normalised=match["normalised"], not_found=match["not_found"]),
        "cost": say("cost_unknown", cost=f"{cost:.2f}", n=unknown),
    }


@pytest.mark.parametrize("seed", [4, 5])
@pytest.mark.slow
def test_every_figure_of_the_charts_is_that_of_the_records(tmp_path: Path, seed: int) -> None:
    """The data table of each chart equals counts made here, and each drawn bar carries the number of its table."""
    records = random_records(200, seed)
    tree = lxml.html.document_fromstring(make(tmp_path, records).encode())
    yes = [r for r in records if r.status is Status.YES]
    tables = {card.get("id"): _table(card) for card in tree.xpath("//figure[starts-with(@id, 'chart-')]")}
    status = tables["chart-status-card"]
    assert _sums(status) == [*(sum(r.status.value == s for r in records) for s in ("yes", "no", "abstain")), 200]
    for name in ("XLON", "XNYS", "XTKS"):
        row = status.get(name)
        assert row is None or row == [
            sum(r.status.value == s and r.listing.mic == name for r in records) for s in ("yes", "no", "abstain")
        ] + [sum(r.listing.mic == name for r in records)]
    package = tables["chart-package-card"]
    for s in ("yes", "no", "abstain"):
        assert package[s][:3] == [
            sum(r.status.value == s and r.package.value == p for r in records) for p in ("pass", "fail", "unverifiable")
        ]
    route = tables["chart-route-card"]
    assert [route[name] for name in ("review", "accept", "escalate", "search again")] == [
        [sum(r.route.value == code for r in records)] for code in ("review", "accept", "escalate", "search_again")
    ]
    reason = tables["chart-reason-card"]
    assert reason["voluntary"] == [sum(r.reason == "voluntary" for r in yes)]
    assert reason["no reason stated"] == [sum(r.reason is None for r in yes)]
    year = tables["chart-years-card"]
    assert {k: v[0] for k, v in year.items() if v[0]} == Counter(str(r.announcement_date.year) for r in yes if r.announcement_date)
    assert (
        say("chart_undated", n=sum(r.announcement_date is None for r in yes)) in tree.get_element_by_id("chart-years-card").text_content()
    )
    pages = tables["chart-coverage-card"]
    assert _sums(pages)[:2] == [sum(r.coverage.sufficient for r in records), sum(not r.coverage.sufficient for r in records)]
    for card in tree.xpath("//figure[starts-with(@id, 'chart-')]"):
        drawn = Counter(int(t.text_content()) for t in card.xpath(".//svg/text[@class='num']"))
        rows = tables[card.get("id")].values()
        stacked = len(card.xpath(".//thead//th")) > 2
        wanted = Counter(v for row in rows for v in (row[:-1] if stacked else row) if v)
        assert +Counter({k: n for k, n in drawn.items() if k}) == wanted, card.get("id")


def _table(card: lxml.html.HtmlElement) -> dict[str, list[int]]:
    rows = card.xpath(".//tbody/tr")
    return {row.xpath("./th")[0].text_content(): [int(cell.text_content()) for cell in row.xpath("./td")] for row in rows}


def _sums(table: dict[str, list[int]]) -> list[int]:
    return [sum(column) for column in zip(*table.values(), strict=True)]


@pytest.mark.slow
def test_table_and_sections_agree_in_order(tmp_path: Path) -> None:
    """Review comes first, least certain first, and each line leads to the section of its record."""
    records = random_records(90, 6)
    page = make(tmp_path, records)
    check_form(page)
    tree = check_inert(page, {"exchange.example", "gone.example"})
    order = sorted(records, key=lambda r: (r.route is Route.ACCEPT, r.confidence, r.row_id))
    lines = tree.xpath("//table[@class='records']/tbody/tr[not(@class)]")
    assert [line.xpath(".//bdi[@class='id']")[0].text_content() for line in lines] == [r.row_id for r in order]
    for line, one in zip(lines, order, strict=True):
        section = tree.get_element_by_id(line.xpath("./th/a/@href")[0][1:]).getparent()  # inside: a browser opens it by itself
        assert section.tag == "details"
        assert one.row_id in section.xpath("./summary")[0].text_content()
        assert line.xpath("./td")[2].text_content() == one.status.value
    ids = [section.get("id") for section in tree.xpath("//details[@class='record']")]
    assert ids == [f"r{n + 1}" for n in range(90)]


def test_orders_of_the_table_are_permutations(tmp_path: Path) -> None:
    """Each order gives every line its own place, by the field it names."""
    records = random_records(50, 7)
    tree = lxml.html.document_fromstring(make(tmp_path, records).encode())
    by_id = {r.row_id: r for r in records}
    lines = []
    for line in tree.xpath("//table[@class='records']/tbody/tr[@style]"):
        places = dict(re.findall(r"--(\w+):(\d+)", line.get("style")))
        lines.append((by_id[line.xpath(".//bdi[@class='id']")[0].text_content()], {k: int(v) for k, v in places.items()}))
    for name in ("queue", "issuer", "market", "status", "date", "confidence"):
        assert sorted(places[name] for _, places in lines) == list(range(1, 51))
    ordered = [r for r, _ in sorted(lines, key=lambda item: item[1]["confidence"])]
    assert [r.confidence for r in ordered] == sorted(r.confidence for r in records)
    dated = [r for r, _ in sorted(lines, key=lambda item: item[1]["date"])]
    assert [str(r.announcement_date or "9999") for r in dated] == sorted(str(r.announcement_date or "9999") for r in records)


@pytest.mark.slow
def test_large_run_is_capped_in_sight_and_streamed(tmp_path: Path) -> None:
    """Of many records only the first in the queue are shown, the report says so, and few records live at one time."""
    total = MAX_ROWS + 300
    alive: weakref.WeakSet[Record] = weakref.WeakSet()
    most = 0

    class Tracked(Record):
        __hash__ = object.__hash__  # type: ignore[assignment]

    def records() -> Iterator[Record]:
        nonlocal most
        for n in range(total):
            one = Tracked.model_validate(record(n, confidence=(n * 7919 % 1000) / 1000).model_dump())
            alive.add(one)
            most = max(most, len(alive))
            yield one
            del one

    path = tmp_path / "report.html"
    write_report(path, records, {**MANIFEST, "rows": total}, archive=tmp_path)
    tree = lxml.html.document_fromstring(path.read_bytes())
    notices = [p.text_content() for p in tree.xpath("//p[@class='notice']")]
    assert say("first_of", shown=MAX_ROWS, total=total, rest=TEXTS["rest_csv"]) in notices
    assert say("first_of", shown=MAX_SECTIONS, total=total, rest=TEXTS["rest_csv"]) in notices
    assert len(tree.xpath("//details[@class='record']")) == MAX_SECTIONS
    assert len(tree.xpath("//table[@class='records']/tbody/tr[@style]")) == MAX_ROWS
    assert len(tree.xpath("//table[@class='records']//th/a")) == MAX_SECTIONS
    assert tree.xpath("//*[@data-count='records']")[0].text_content() == str(total)
    assert most <= 100  # what the garbage collector has not yet taken


def test_empty_run_is_a_report(tmp_path: Path) -> None:
    """A run without records says so in each part."""
    page = make(tmp_path, [])
    check_form(page)
    check_inert(page, set())
    assert TEXTS["records_none"] in page
    assert page.count(TEXTS["chart_empty"]) == 6


def test_what_the_run_lacks_is_said_openly(tmp_path: Path) -> None:
    """No risk model, rows that wait, faults and a manifest that disagrees are stated; nothing of it when there is none."""
    page = make(tmp_path, random_records(3, 8), rows=9, interrupted=True, waiting=["a", "b"], faults=[f"fault {n}" for n in range(150)])
    for said in (
        TEXTS["no_risk"],
        say("unfinished", n=2),
        say("mismatch", manifest=9, n=3),
        say("faults_count", n=150),
        say("first_of", shown=100, total=150, rest=TEXTS["rest_run_json"]),
    ):
        assert said in page
    calm = make(tmp_path, [record(risk={"status": 0.01})], faults=[])
    assert TEXTS["no_risk"] not in calm
    assert say("risk_given", n=1, total=1) in calm
    assert TEXTS["faults_none"] in calm


@pytest.mark.slow
def test_bare_manifest_is_enough(tmp_path: Path) -> None:
    """Keys that a manifest lacks are shown as unknown."""
    path = tmp_path / "report.html"
    write_report(path, lambda: iter([record()]), {}, archive=tmp_path)
    check_form(path.read_text("utf-8"))


def test_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    """The report depends on records, manifest and archive only."""
    assert make(tmp_path, random_records(30, 9)) == make(tmp_path, random_records(30, 9))


def test_record_shows_what_was_weighed(tmp_path: Path) -> None:
    """Steps, contradictions, the coverage statement, queries, gaps and the later event of a record stand in its section."""
    gap = Gap(url="https://gone.example/x", step="fetch", outcome=Outcome.PAYWALL, cause="asks for a login", next_step="Fetch it by hand.")
    one = record(
        steps=("2015-09-17 issuer: warning, does not qualify.",),
        conflicts=("The press says 2016-01-19.",),
        later_event=LaterEvent(date="2022-08-19", exhibit="sha256:00", quote="applied for delisting"),
        coverage=Coverage(
            queries=("Marrow delisting", "MVL XLON"), providers={"pool": "failed: timeout"}, gaps=(gap,), statement="2 queries, 1 gap."
        ),
    )
    section = lxml.html.document_fromstring(make(tmp_path, [one]).encode()).get_element_by_id("r1").text_content()
    for said in (
        *one.steps,
        *one.conflicts,
        *one.coverage.queries,
        "pool: failed: timeout",
        "2 queries, 1 gap.",
        "asks for a login",
        "Fetch it by hand.",
        say("sec_later_text", date="2022-08-19", cutoff=CUTOFF),
        "applied for delisting",
    ):
        assert said in section


def test_tables_and_landmarks_are_labelled(tmp_path: Path) -> None:
    """Each header cell has a scope, headings skip no level, landmarks and drawings have names."""
    tree = lxml.html.document_fromstring(make(tmp_path, random_records(20, 10)).encode())
    assert tree.get("lang") == "en"
    assert [th for th in tree.xpath("//th") if th.get("scope") not in ("col", "row", "rowgroup")] == []
    levels = [int(h.tag[1]) for h in tree.xpath("//h1|//h2|//h3|//h4|//h5")]
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert len(tree.xpath("//main")) == len(tree.xpath("//header[parent::body]")) == len(tree.xpath("//nav[@aria-label]")) == 1
    for svg in tree.xpath("//svg[not(@aria-hidden)]"):
        assert svg.xpath("./title")[0].text_content()
        assert svg.xpath("./desc")[0].text_content()
    assert [box for box in tree.xpath("//div[@class='scroll']") if box.get("tabindex") != "0"] == []


def test_unwritable_report_is_a_store_error(tmp_path: Path) -> None:
    """A report that cannot be written gives a StoreError, and no half of it remains."""
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreError, match="cannot be written"):
        write_report(tmp_path / "file" / "report.html", lambda: iter([record()]), MANIFEST, archive=tmp_path)


def test_every_text_of_the_report_is_used() -> None:
    """No word of the templates stands outside the dictionary's keys, and no key is left over."""
    folder = Path(write_report.__code__.co_filename).parent
    source = "\n".join(p.read_text("utf-8") for p in [*folder.glob("*.py"), *folder.glob("templates/*.j2")] if p.name != "texts.py")
    called = set(re.findall(r"""\b(?:t|say)\(\s*"([a-z_0-9]+)"[,)]""", source))
    assert called <= set(TEXTS)
    built = {"tile_", "sort_", "col_", "group_", "chart_", "claim_match_", "f_"}
    assert [key for key in TEXTS if key not in called and not key.startswith(tuple(built)) and f'"{key}"' not in source] == []
    prose = re.sub(
        r"\{[{%#].*?[}%#]\}|<style>.*?</style>|<[^>]*>|&\w+;",
        " ",
        "\n".join(p.read_text() for p in folder.glob("templates/*.html.j2")),
        flags=re.S,
    )
    assert re.findall(r"[A-Za-z]{2,}", prose) == []


@pytest.mark.parametrize(
    ("text", "width", "lines", "wanted"),
    [
        ("", 10, 2, [""]),
        ("short", 10, 2, ["short"]),
        ("Sources contradict each other; a reviewer must choose.", 16, 3, ["Sources contradict each other;", "a reviewer must choose."]),
        ("x" * 60, 10, 2, ["x" * 16, "x" * 14 + "…"]),
        ("北京银行股份有限公司", 5, 2, ["北京银行股", "份有限公司"]),
        ("北京银行股份有限公司", 4, 2, ["北京银行", "股份有…"]),
    ],
)
def test_labels_are_wrapped_by_width(text: str, width: float, lines: int, wanted: list[str]) -> None:
    """Labels break at words, wide characters count double, and what does not fit ends in an ellipsis."""
    assert wrap(text, width, lines) == wanted
