"""Archived pages as inert markup: what is kept, what is gone, and where spans are marked."""

from __future__ import annotations

import html
import json
import random
import re
from pathlib import Path

import pytest
from markupsafe import Markup

from s2r.errors import SourceBroken
from s2r.extract import decode, extract
from s2r.lang.sentences import split_sentences
from s2r.models import Page
from s2r.web.inert import PAGE_CSP, STYLE, Spot, document, inert_html, inert_text, sentences

URL = "https://wire.example/1"


def read(source: str, kind: str = "text/html") -> Page:
    """A page of a document."""
    return extract(source.encode(), kind, URL, digest="sha256:" + "0" * 64)


def marks(markup: str) -> str:
    """The marked text."""
    return html.unescape("".join(re.findall(r"<mark>(.*?)</mark>", markup, re.DOTALL)))


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("<p>The Exchange <b>has decided</b> to <i>cancel</i> it.</p>", "has decided to cancel"),
        ("<p>Marrow &amp; Vale plc&nbsp;was removed &lt;today&gt;.</p>", "& Vale plc was removed <today>."),
        ("<ul><li>One step</li><li>Two steps</li></ul><p>Ends here now.</p>", "Two steps\nEnds here"),
        ("<table><tr><td>Security</td><td>Common</td></tr><tr><td>Date</td><td>29 July</td></tr></table>", "Common\nDate | 29 July"),
        ("<html><head><title>Notice of removal</title></head><body><p>Text of it.</p></body></html>", "Notice of removal"),
        ("<p>本日、上場廃止を<ruby>決定</ruby>しました。</p><p>以上です。</p>", "上場廃止を決定しました"),
        ("<p style='display:none'>x</p><p>A\ufdd01\ufdd2 page that writes markers itself.</p>", "that writes markers"),
        ("<p>broken <b>nesting <i>of</b> tags</i> is read all the same</p>", "nesting of tags is read"),
    ],
)
def test_a_span_is_marked_where_its_characters_stand(source: str, quote: str) -> None:
    """Across elements, entities, cells and lines the marked characters are those of the span, and its anchor precedes them."""
    page = read(source)
    start = page.text.index(quote)
    shown = inert_html(source, page, [Spot(7, start, start + len(quote))])
    assert shown.marked == {7}
    assert re.sub(r"[\s|]", "", marks(shown.markup)) == re.sub(r"[\s|]", "", quote)
    assert shown.markup.index('id="claim-7"') < shown.markup.index("<mark>")


def test_overlapping_spans_have_an_anchor_each() -> None:
    """Two proofs of one sentence are both to be jumped to; what both cover is marked once."""
    page = read("<p>One two three four five.</p>")
    shown = inert_html("<p>One two three four five.</p>", page, [Spot(1, 4, 13), Spot(2, 8, 18)])
    assert shown.marked == {1, 2}
    assert marks(shown.markup) == "two three four"
    assert shown.markup.count('id="claim-') == 2


def test_a_span_outside_of_the_layout_is_not_marked() -> None:
    """Text that only metadata holds, or that lies beyond the page, has no place in the layout; nothing is marked in its stead."""
    source = (
        '<html><head><meta property="article:published_time" content="2016-07-14"></head><body><p>Some words of text.</p></body></html>'
    )
    page = read(source)
    start = page.text.index("2016-07-14")
    shown = inert_html(source, page, [Spot(1, start, start + 10), Spot(2, 900, 990), Spot(3, 0, 4)])
    assert shown.marked == {3}
    assert marks(shown.markup) == "Some"


HOSTILE = """<html><head><base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/x.css"><meta http-equiv="refresh"
content="0;url=https://evil.example"></head><body onload="x()" background="https://evil.example/b.png"><p style="background:url(//evil.example/c)"
class="c" id="claim-1" onclick="x()">Words</p><img src="https://evil.example/p.png" srcset="https://evil.example/q.png 2x"><video
poster="https://evil.example/v"><source src="https://evil.example/w"></video><iframe src="https://evil.example/f" srcdoc="<script>x()</script>">
</iframe><object data="https://evil.example/o"></object><form action="https://evil.example/s"><input name="a"><button>Send</button></form><svg><script>
x()</script><image href="https://evil.example/i"/></svg><math><mi xlink:href="javascript:x()">m</mi></math><a href="javascript:x()">bad</a>
<a href="https://good.example/?a=&quot;&gt;<b>" target="_top" ping="https://evil.example/t">good</a><script>x()</script><style>@import "x"</style>
<template><script>x()</script></template><p>after</p></body></html>"""


def test_nothing_that_acts_or_loads_is_left() -> None:
    """No element or attribute remains that could run, load, submit or lead away; addresses stand in titles only."""
    shown = inert_html(HOSTILE, read(HOSTILE), [])
    names = {name.lower() for name in re.findall(r"<([a-zA-Z0-9]+)", shown.markup)}
    assert not names & {
        "script",
        "style",
        "link",
        "meta",
        "base",
        "img",
        "video",
        "source",
        "iframe",
        "object",
        "form",
        "input",
        "svg",
        "math",
    }
    attributes = {
        name for tag in re.findall(r"<[^>]*>", re.sub(r'"[^"]*"', '""', shown.markup)) for name in re.findall(r"\s([a-z-]+)=", tag)
    }
    assert attributes <= {"title", "colspan", "rowspan"}
    assert "good.example" in shown.markup
    assert "javascript:" not in shown.markup
    assert "Words" in shown.markup
    assert "after" in shown.markup


def test_the_policy_of_an_archived_page_allows_its_own_style_alone() -> None:
    """The document carries one style, whose digest the policy names; scripts, images and frames have no source, and it is sandboxed."""
    text = document(
        inert_text(read("<p>Words of it.</p>"), []).markup,
        title="</title><script>x()</script>",
        lang='"><script>',
        about=Markup("<b>x</b>"),
        theme="dark",
    )
    assert re.findall(r"<style>(.*?)</style>", text) == [STYLE]
    assert "<script" not in text
    assert "default-src 'none'" in PAGE_CSP
    assert "script-src" not in PAGE_CSP
    assert PAGE_CSP.endswith("sandbox")


def test_sentences_keep_every_character() -> None:
    """The text of the panel is the page's, character for character, so that offsets counted in it are offsets into the page."""
    text = "One  line.\n\n<b>Two</b> & three. Vier fünf 🙂 sechs.\nEnde"
    spans = split_sentences(text)
    shown = sentences(text, spans, [Spot(1, 5, 20)], 0, len(text))
    assert html.unescape(re.sub(r"</?(?:span|mark)[^>]*>", "", shown)) == text
    assert [(int(a), int(b)) for a, b in re.findall(r'data-start="(\d+)" data-end="(\d+)"', shown)] == spans


def test_spans_of_real_layouts_are_found(sealed: Path) -> None:
    """Of six spans drawn in every fourth page of the sealed set, all that stand in its body are marked, character for character."""
    drawn = found = 0
    for line in (sealed / "docs.jsonl").read_text("utf-8").splitlines()[::4]:
        given = json.loads(line)
        if "html" not in given["content_type"] or "body" not in given:
            continue
        body = given["body"].encode()
        try:
            page = extract(body, given["content_type"], given["url"], digest="sha256:" + "0" * 64)
        except SourceBroken:
            continue
        end = min(
            (block.start for block in page.blocks if re.match(r"[\w:-]+: ", page.text[block.start : block.end]) and not block.main),
            default=len(page.text),
        )
        dice = random.Random(given["url"])
        spots = [Spot(k, a, min(a + dice.randrange(12, 200), end)) for k in range(6) if (a := dice.randrange(max(end - 20, 1))) < end - 12]
        shown = inert_html(decode(body, given["content_type"]).text, page, spots)
        drawn, found = drawn + len(spots), found + len(shown.marked)
    assert drawn > 300
    assert found >= 0.99 * drawn
