"""HTML to blocks: structure, invisible text, boilerplate, tables, offsets."""

from __future__ import annotations

import pytest

from s2r.extract import decode, extract
from s2r.models import Block, BlockKind, Page

FILLER = "<p>The Exchange has decided to remove the shares of Example Kettle Works Ltd from the official list.</p>"


def read(source: str, url: str = "https://notices.example/a") -> Page:
    return extract(source.encode(), "text/html", url, digest="sha256:0")


def shown(page: Page, block: Block) -> str:
    return page.text[block.start : block.end]


def outline(page: Page) -> list[tuple[str, str]]:
    return [(block.kind.value, shown(page, block)) for block in page.blocks]


STRUCTURE = [
    (
        "<html><head><title>Fish &amp; Chips plc: removal</title></head><body><h1>Removal</h1><p>Text.</p></body></html>",
        [("title", "Fish & Chips plc: removal"), ("heading", "Removal"), ("paragraph", "Text.")],
    ),
    ("<head><title>T</title><p>Head left open", [("title", "T"), ("paragraph", "Head left open")]),
    ("<h2>Notice<p>first para<p>second para", [("heading", "Notice"), ("paragraph", "first para"), ("paragraph", "second para")]),
    ("<ul><li>one<li>two <b>bold</b></ul>", [("item", "one"), ("item", "two bold")]),
    ("<div>loose text<p>para</p>tail</div>", [("paragraph", "loose text"), ("paragraph", "para"), ("paragraph", "tail")]),
    ("<p>ANNUAL REPORT<br>For the year 2021</p>", [("paragraph", "ANNUAL REPORT\nFor the year 2021")]),
    ("<body>one<br><br>two", [("paragraph", "one"), ("paragraph", "two")]),
    ("<p>  many \n\t blanks&nbsp; here </p>", [("paragraph", "many blanks here")]),
    ("<pre>\nAD HOC\n\n14.11.2017 / 17:41\n   indented\n</pre>", [("pre", "AD HOC"), ("pre", "14.11.2017 / 17:41\n   indented")]),
    ("<p>30 June 2018<sup>1</sup> and the 5<sup>th</sup></p>", [("paragraph", "30 June 2018 1 and the 5th")]),
    ("<p>a &lt;b&gt; &#8364;5 &copy; &unknown; AT&T</p>", [("paragraph", "a <b> €5 © &unknown; AT&T")]),
    ("<p>price < 5 and > 3</p>", [("paragraph", "price < 5 and > 3")]),
    ("<p title=don't>the issuer's shares</p><p title=\"a>b\">next</p>", [("paragraph", "the issuer's shares"), ("paragraph", "next")]),
    ("<p>a<!-- hidden --> b<!-->c</p>", [("paragraph", "a bc")]),
    ("<p>x<script>var a='</p>';</script>y</p>", [("paragraph", "xy")]),
]


@pytest.mark.parametrize(("source", "expected"), STRUCTURE)
def test_blocks_follow_the_structure_that_a_reader_sees(source: str, expected: list[tuple[str, str]]) -> None:
    """Titles, headings, paragraphs, items and preformatted groups become separate blocks."""
    assert outline(read(source)) == expected


TABLES = [
    (
        "<table><tr><th>Issuer<th>ISIN<tr><td>Brackford plc<td>GB0003821739</table>",
        [((), "Issuer | ISIN"), (("Issuer", "ISIN"), "Brackford plc | GB0003821739")],
    ),
    (
        "<table><tr><td>대상종목</td><td>누리한텍 보통주</td></tr><tr><td>상장폐지일</td><td>2016.10.13</td></tr></table>",
        [((), "대상종목 | 누리한텍 보통주"), ((), "상장폐지일 | 2016.10.13")],
    ),
    ("<table><tr><th>Antrag vom</th><td>07.12.2017</td></tr></table>", [(("Antrag vom",), "Antrag vom | 07.12.2017")]),
    (
        "<table><tr><td><b>Issue</b><td><b>Off list</b><tr><td>Notes 2047<td>29 May 2026</table>",
        [((), "Issue | Off list"), (("Issue", "Off list"), "Notes 2047 | 29 May 2026")],
    ),
    (
        "<table><tr><th>Name</th><th>Last day</th><th>Reason</th></tr><tr><td>X plc</td><td></td><td>offer</td></tr></table>",
        [((), "Name | Last day | Reason"), (("Name", "Last day", "Reason"), "X plc |  | offer")],
    ),
    ("<table><tr><td>$</td><td></td><td>10.22</td></tr></table>", [((), "$ | 10.22")]),
    ("<dl><dt>Issuer<dd>X plc<dt>Date<dd>1 May</dl>", [(("Issuer",), "Issuer | X plc"), (("Date",), "Date | 1 May")]),
    ("<table><tr><td><p>two</p><p>lines</p></td><td>b</td></tr></table>", [((), "two lines | b")]),
]


@pytest.mark.parametrize(("source", "expected"), TABLES)
def test_table_rows_read_as_label_and_value(source: str, expected: list[tuple[tuple[str, ...], str]]) -> None:
    """A row is one block with its cells in order and the column heads of its table."""
    page = read(source)
    assert [(block.header, shown(page, block)) for block in page.blocks if block.kind is BlockKind.ROW] == expected


def test_layout_tables_keep_their_inner_blocks() -> None:
    """A table that only lays out the page gives its paragraphs and inner tables, not one giant row."""
    long = "The Exchange announces that the listing of the shares is cancelled. " * 5
    page = read(f"<table><tr><td><h2>Notice</h2><p>{long}</p><table><tr><td>ISIN<td>GB00</table></td><td>side</td></tr></table>")
    assert outline(page)[0] == ("heading", "Notice")
    assert ("row", "ISIN | GB00") in outline(page)
    assert ("paragraph", long.strip()) in outline(page)


HIDDEN = [
    '<div style="display:none">hidden words</div>',
    '<div style="DISPLAY : None">hidden words</div>',
    "<div hidden>hidden words</div>",
    '<span style="visibility:hidden">hidden words</span>',
    '<span style="font-size:0">hidden words</span>',
    '<span style="font-size:0px;color:#fff">hidden words</span>',
    '<p style="text-indent:-9999px">hidden words</p>',
    "<template><p>hidden words</p></template>",
    "<dialog>hidden words</dialog>",
    "<svg><text>hidden words</text></svg>",
    '<style>.x, .trap{display:none}</style><p class="trap">hidden words</p>',
    "<style>#trap { display:none }</style><p id=trap>hidden words</p>",
    "<noscript>hidden words</noscript>",
    '<div style="display:none"><p>a</p><div>hidden words</div><p>b</div>',
    '<div style="opacity:0">hidden words</div>',
    '<div style="opacity: 0.0;">hidden words</div>',
    '<p style="font-size:1px;line-height:1px">hidden words</p>',
    '<p style="color:#fff;background-color:#ffffff">hidden words</p>',
    '<p style="background: white; color: rgb(255, 255, 255)">hidden words</p>',
    '<p style="color:transparent">hidden words</p>',
    '<p style="color:rgba(0,0,0,0)">hidden words</p>',
    '<div style="height:0;overflow:hidden">hidden words</div>',
    '<div style="max-height: 1px; overflow: clip">hidden words</div>',
    '<div style="position:absolute;clip:rect(0,0,0,0);width:1px;height:1px">hidden words</div>',
    '<div style="clip-path:inset(100%)">hidden words</div>',
    '<div style="transform:scale(0)">hidden words</div>',
    '<div style="position:absolute;right:-9999px">hidden words</div>',
    '<style>.x{opacity:0}</style><p class="x">hidden words</p>',
    '<style>.x{color:#000;background:#000}</style><p class="x">hidden words</p>',
]


@pytest.mark.parametrize("source", HIDDEN)
def test_invisible_text_is_no_text(source: str) -> None:
    """What no reader sees must not be evidence: hidden text is how pages lie to machines."""
    page = read(f"<body>{FILLER}{source}<p>visible tail</p></body>")
    assert "hidden words" not in page.text
    assert "visible tail" in page.text


VISIBLE = [
    '<div style="font-size:10px">seen words</div>',
    '<div aria-hidden="true">seen words</div>',
    '<div style="opacity:0.9">seen words</div>',
    '<div style="font-size:1em;color:#fff;background:#000">seen words</div>',
    '<div style="font-size:1.5px">seen words</div>',
    '<div style="height:0">seen words</div>',
    '<div style="height:100px;overflow:hidden">seen words</div>',
    '<div style="clip:rect(0,100px,100px,0)">seen words</div>',
    '<div style="transform:scale(0.9)">seen words</div>',
    '<div style="border-color:transparent">seen words</div>',
    '<div style="background-color:#fff">seen words</div>',
    '<div style="color:inherit;background:inherit">seen words</div>',
    '<div style="color:var(--a);background:var(--b)">seen words</div>',
    '<table><tr><td style="width:1%;overflow:hidden">seen words</td></tr></table>',
    '<div hidden="until-found">seen words</div>',
    '<style>@media print{.x{display:none}}</style><p class="x">seen words</p>',
    "<details><summary>More</summary>seen words</details>",
    "<dialog open>seen words</dialog>",
]


@pytest.mark.parametrize("source", VISIBLE)
def test_text_that_can_be_seen_stays(source: str) -> None:
    """Look-alikes of hiding do not hide."""
    assert "seen words" in read(f"<body>{FILLER}{source}</body>").text


def test_a_page_that_scripts_fade_in_is_read() -> None:
    """Where nearly all text waits for a script to be drawn, it is what readers see."""
    assert "whole article" in read(f'<body><main style="opacity:0">{FILLER}<p>The whole article.</p></main><p>Menu</p></body>').text


def test_noscript_text_counts_only_when_there_is_nothing_else() -> None:
    """A page made by scripts shows its noscript text, a complete page does not."""
    assert "needs a browser" in read("<body><noscript>The archive needs a browser with scripts.</noscript></body>").text
    assert "needs a browser" not in read(f"<body>{FILLER}<noscript>The archive needs a browser.</noscript></body>").text


ASIDE = [
    '<nav><a href="/">Home</a> <a href="/n">Notices</a></nav>',
    "<footer>© RegStream Ltd. Registered in England. {}</footer>",
    "<aside><h3>More</h3><ul><li>{}</li></ul></aside>",
    '<div role="navigation">{}</div>',
    '<div class="related-posts">{}</div>',
    '<div class="relatedPosts">{}</div>',
    '<div id="cookie-banner">{}</div>',
    "<div class=crumb>Bulletin Hut &gt; AIM &gt; {}</div>",
    '<div class="rel"><b>More notices today</b> {}</div>',
    "<header><ul><li><a href=/>{}</a></li></ul></header>",
    "<h3>Most read</h3><ul><li>{}</li></ul>",
    "<div class=x><h4>Mehr zum Thema</h4></div><ul><li>{} (Archiv)</li></ul>",
    "<p><b>Related news</b></p><ul><li>{} (12 July 2017)</li></ul>",
    "<div>Läs också: {}</div>",
    "<p>Weitere Ad-hoc-Mitteilungen dieses Tages: {}</p>",
    "<p>相关阅读:{}(5月18日)</p>",
    "<p>[관련] {}(2016.10.12)</p>",
    '<ul><li><a href="/story/1">{}</a> <span class="dt">12-11-2018</span></li></ul>',
    "<table><tr><td>다음글</td><td>{}</td></tr></table>",
]


@pytest.mark.parametrize("source", ASIDE)
def test_other_matter_is_flagged(source: str) -> None:
    """Navigation, related news, banners and link lists are kept as text but are not main."""
    page = read(f"<body><h1>Removal from the list</h1>{FILLER}{source.replace('{}', 'Skerry Bio delisted')}</body>")
    flagged = " ".join(shown(page, block) for block in page.blocks if not block.main)
    assert ("Skerry Bio" in flagged) or ("Notices" in flagged)
    assert "Example Kettle" not in flagged


MATTER = [
    '<div class="has-sidebar"><p>{}</p></div>',
    '<div class="ad-hoc-news"><p>{}</p></div>',
    "<div class=thread><div class=post><b>quarryman62</b> 02 Mar 15 20:14<br>{}</div></div>",
    "<article><header><h2>{}</h2><p>2 May 2016</p></header></article>",
    "<table><tr><td>Comments</td><td>{}</td></tr></table>",
    "<h3>Related news</h3><ul><li>x</li></ul><h3>Decision</h3><p>{}</p>",
    "<p>Related to the above decision, {}</p>",
    '<p>{} (<a href="/x">announcement</a>)</p>',
    '<h1><a href="/x">{}</a></h1>',
]


@pytest.mark.parametrize("source", MATTER)
def test_the_page_s_matter_stays_main(source: str) -> None:
    """Look-alikes of boilerplate are not flagged."""
    page = read(f"<body>{source.replace('{}', 'Skerry Bio was delisted on 2 May 2016')}{FILLER}</body>")
    assert "Skerry Bio" in " ".join(shown(page, block) for block in page.blocks if block.main)


def test_a_page_that_is_wrapped_in_a_suspicious_class_keeps_its_text() -> None:
    """When class words would throw away next to everything they are distrusted."""
    page = read(f'<body><div class="widget-sidebar-related">{FILLER * 3}</div></body>')
    assert all(block.main for block in page.blocks)


OFFSETS = [
    "<html><head><title>A &amp; B</title></head><body><p>Die  Gesch&auml;ftsf&uuml;hrung\n hat <b>heute</b> beschlossen.</p></body></html>",
    "<table><tr><th>Issuer<th>ISIN<tr><td>Müller &amp; Söhne<td>DE00</table>",
    "<pre>one\r\n  two &lt; three\r\n\r\nfour</pre>",
    "<p>上場廃止<br>平成28年6月20日</p>",
]


@pytest.mark.parametrize("source", OFFSETS)
def test_every_character_leads_back_to_its_source(source: str) -> None:
    """The source map points at the same character, at its reference, or at markup for what joins cells and blocks."""
    page = read(source)
    raw = decode(source.encode(), "text/html").text
    starts = [pair[0] for pair in page.source_map]
    assert starts == sorted(set(starts))
    for offset, char in enumerate(page.text):
        at = page.source_offset(offset)
        inside = any(block.start <= offset < block.end for block in page.blocks)
        if inside and not char.isspace() and char != "|":
            assert raw[at] in (char, "&"), (offset, char, raw[at : at + 10])


def test_blocks_cover_the_text_in_order() -> None:
    """Blocks do not overlap, and one line break stands between two blocks."""
    page = read(f"<nav>x</nav>{FILLER}<table><tr><td>a<td>b</table><pre>c\n\nd</pre>")
    for before, after in zip(page.blocks, page.blocks[1:], strict=False):
        assert after.start == before.end + 1
        assert page.text[before.end] == "\n"
    assert page.blocks[-1].end == len(page.text)


def test_title_comes_from_the_page_first() -> None:
    """Title element, then og:title, then the title that search gave."""
    assert extract(b"<title>Own</title><p>x", "text/html", "u", digest="d", fallback_title="Given").title == "Own"
    assert extract(b"<p>some text", "text/html", "u", digest="d", fallback_title="Given").title == "Given"
    assert extract(b'<meta property="og:title" content="Og"><p>x', "text/html", "u", digest="d", fallback_title="Given").title == "Og"


def test_article_body_of_json_ld_is_read_when_the_page_shows_nothing() -> None:
    """A page whose text lives in JSON-LD alone still has its article."""
    body = "The Exchange decided on 3 May 2016 to remove the shares from the list. " * 4
    script = f'<script type="application/ld+json">{{"@type":"NewsArticle","articleBody":"{body}"}}</script>'
    source = f"<html>{script}<body><p>Loading</p></body></html>"
    assert "decided on 3 May 2016" in read(source).text


def test_same_bytes_give_the_same_page() -> None:
    """Extraction reads no clock and keeps no state."""
    source = f"<html><title>x</title><body>{FILLER * 60}<aside>more</aside></body></html>"
    assert read(source) == read(source)
