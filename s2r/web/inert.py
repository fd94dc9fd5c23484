"""Archived pages as inert markup: text and plain structure only, with the spans of claims marked where they stand.

Offsets are those of `Page.text`. For HTML they are carried through the sanitiser by markers of noncharacters, which no page may use,
and a span counts as marked only when the text between its markers is the text of the span.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import nh3
from markupsafe import Markup, escape

from s2r.extract.boilerplate import words
from s2r.models import BlockKind, Page
from s2r.report.inert import visible

MAX_SOURCE = 4_000_000  # characters of HTML that are laid out; longer documents are shown as text
_TAGS = words("""
p div section article main header footer nav aside h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr td th pre
blockquote figure figcaption address hr br b strong i em u s small sub sup code q cite abbr time span a ins del center
""")
_ATTRIBUTES = {"a": {"href"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}}
_DROPPED = words("script style template noscript iframe object embed applet svg math canvas audio video frameset")
_HEAD = re.compile(r"</?(?:head|html|body)\b[^<>]*>", re.I)  # their content stays: the title is part of the text
_OPEN, _CLOSE, _STOP = "\ufdd0", "\ufdd1", "\ufdd2"
_MARKS = re.compile(f"[{_OPEN}{_CLOSE}{_STOP}]")
_MARK = re.compile(f"([{_OPEN}{_CLOSE}])(\\d+){_STOP}")
_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"]*")*)\s*/?>')
_HREF = re.compile(r'\shref="([^"]*)"')
_ENTITY = re.compile(r"&(?:#[xX]?[0-9a-fA-F]{1,7}|[a-zA-Z][a-zA-Z0-9]{1,31});?")
STYLE = (
    ":root{color-scheme:light dark}:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}"
    "body{font:16px/1.55 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:.75rem 1rem 40vh;overflow-wrap:anywhere}"
    ".about{border-bottom:2px solid;margin-bottom:1rem;padding-bottom:.5rem;font-size:.85rem}"
    "mark{background:#ffe680;color:#1a1f26;padding:.1em 0;border-bottom:2px solid #c9800a}"
    ":target+mark{outline:3px solid #0a58a8}a{text-decoration:underline dotted}"
    "pre,.text{white-space:pre-wrap}table{border-collapse:collapse}td,th{border:1px solid #8884;padding:.15rem .4rem;text-align:start}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
PAGE_CSP = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"


@dataclass(frozen=True, slots=True)
class Spot:
    """Characters [start:end) of a page's text that are marked and can be jumped to as #claim-`number`."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Shown:
    """Inert markup with the numbers of the spots that are marked in it."""

    markup: Markup
    marked: frozenset[int]


def inert_html(source: str, page: Page, spots: Sequence[Spot]) -> Shown:
    """The layout of an HTML document, given as decoded text, without anything that acts, loads or links."""
    cleaned = nh3.clean(
        _HEAD.sub("", _planted(source, page, spots)),
        tags=set(_TAGS),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        clean_content_tags=set(_DROPPED),
        link_rel=None,
        strip_comments=True,
        url_schemes={"http", "https", "mailto"},
    )
    wanted = {spot.number: page.text[spot.start : spot.end] for spot in spots}
    markup, found = _marked(cleaned, frozenset(wanted))
    true = frozenset(number for number, text in found.items() if _squeezed(text) == _squeezed(wanted[number]))
    if true != frozenset(wanted):
        markup, _ = _marked(cleaned, true)
    return Shown(markup, true)


def inert_text(page: Page, spots: Sequence[Spot]) -> Shown:
    """The text of a page block by block: headings, rows and paragraphs as lines that keep their white space."""
    parts: list[Markup] = []
    at = 0
    for block in sorted(page.blocks, key=lambda b: b.start):
        if block.start < at:
            continue
        parts.append(_stretch(page.text, at, block.start, spots))
        inner = _stretch(page.text, block.start, block.end, spots)
        heading = block.kind in (BlockKind.TITLE, BlockKind.HEADING)
        parts.append(Markup("<strong>{}</strong>").format(inner) if heading else inner)
        at = block.end
    parts.append(_stretch(page.text, at, len(page.text), spots))
    return Shown(Markup('<div class="text">{}</div>').format(Markup("").join(parts)), frozenset(spot.number for spot in spots))


def sentences(text: str, spans: Sequence[tuple[int, int]], spots: Sequence[Spot], start: int, end: int) -> Markup:
    """Characters [start:end) of `text`, escaped, character for character, with spots marked and each sentence an element that can be
    chosen. `spans` are the sentences, in order, with offsets into `text`."""
    parts: list[Markup] = []
    at = start
    for low, high in spans:
        if low < at or high > end:
            continue
        parts.append(_stretch(text, at, low, spots))
        inner = _stretch(text, low, high, spots)
        parts.append(Markup('<span class="s" tabindex="-1" data-start="{}" data-end="{}">{}</span>').format(low, high, inner))
        at = high
    return Markup("").join([*parts, _stretch(text, at, end, spots)])


def document(body: Markup, *, title: str, lang: str, about: Markup, theme: str = "") -> str:
    """A complete page around inert markup, to be served with `PAGE_CSP`."""
    attributes = Markup(' data-theme="{}"').format(theme) if theme in ("light", "dark") else Markup("")
    return Markup(
        '<!doctype html><html lang="{}"{}><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<title>{}</title><style>{}</style></head><body><div class="about">{}</div><main dir="auto">{}</main></body></html>'
    ).format(lang or "und", attributes, visible(title), Markup(STYLE), about, body)  # noqa: S704 - STYLE is a constant of this module


def _planted(source: str, page: Page, spots: Iterable[Spot]) -> str:
    """The source with markers around the characters of each spot; marker characters of the page itself are replaced."""
    source = _MARKS.sub("\ufffd", source)
    marks: list[tuple[int, int, str]] = []
    for spot in spots:
        low, high = _trimmed(page.text, spot)
        if low >= high:
            continue
        first, last = page.source_offset(low), page.source_offset(high - 1)
        entity = _ENTITY.match(source, last)
        marks.append((first, 1, f"{_OPEN}{spot.number}{_STOP}"))
        marks.append((entity.end() if entity else last + 1, 0, f"{_CLOSE}{spot.number}{_STOP}"))
    pieces: list[str] = []
    at = 0
    for place, _, mark in sorted(marks):
        pieces += [source[at:place], mark]
        at = max(at, place)
    return "".join([*pieces, source[at:]])


def _trimmed(text: str, spot: Spot) -> tuple[int, int]:
    """The span without white space and bars between cells at its ends, which stand nowhere in the source; empty when out of range."""
    low, high = (spot.start, spot.end) if 0 <= spot.start < spot.end <= len(text) else (0, 0)
    while low < high and (text[low].isspace() or text[low] == "|"):
        low += 1
    while low < high and (text[high - 1].isspace() or text[high - 1] == "|"):
        high -= 1
    return low, high


def _marked(cleaned: str, wanted: frozenset[int]) -> tuple[Markup, dict[int, str]]:
    """Sanitised markup with markers turned into mark elements, one per text node, and the text found inside each spot."""
    found: dict[int, str] = {}
    open_now: set[int] = set()
    parts: list[str] = []
    at = 0
    for tag in [*_TAG.finditer(cleaned), None]:
        end = tag.start() if tag else len(cleaned)
        parts += _text_run(cleaned[at:end], wanted, open_now, found)
        if tag is None:
            break
        parts.append(_tag(tag))
        at = tag.end()
    return Markup("".join(parts)), found  # noqa: S704 - output of the sanitiser plus marks and titles made here


def _text_run(run: str, wanted: frozenset[int], open_now: set[int], found: dict[int, str]) -> list[str]:
    """A text node, still escaped: markers become anchors, what stands inside an open spot becomes a mark."""
    parts: list[str] = []
    at = 0
    for mark in [*_MARK.finditer(run), None]:
        text = run[at : mark.start() if mark else len(run)]
        for number in open_now:
            found[number] += html.unescape(text)
        parts.append(f"<mark>{text}</mark>" if open_now & wanted and text.strip() else text)
        if mark is None:
            break
        number = int(mark[2])
        if mark[1] == _OPEN:
            open_now.add(number)
            found.setdefault(number, "")
            parts.append(f'<span id="claim-{number}"></span>' if number in wanted else "")
        else:
            open_now.discard(number)
        at = mark.end()
    return parts


def _tag(tag: re.Match[str]) -> str:
    """A tag as it is; a link loses its address to a title, which names it and leads nowhere."""
    if tag[2] != "a":
        return tag[0]
    href = _HREF.search(tag[3])
    return "</a>" if tag[1] else f'<a title="{href[1]}">' if href else "<a>"


def _stretch(text: str, start: int, end: int, spots: Sequence[Spot]) -> Markup:
    """Characters [start:end) of `text`, escaped, with the parts of spots in it as marks and an anchor where a spot begins."""
    inside = [spot for spot in spots if spot.start < end and spot.end > start and spot.start < spot.end]
    cuts = sorted({start, end, *(min(max(at, start), end) for spot in inside for at in (spot.start, spot.end))})
    parts: list[Markup] = []
    for low, high in pairwise(cuts):
        parts += [Markup('<span id="claim-{}"></span>').format(spot.number) for spot in inside if spot.start == low]
        piece = escape(text[low:high])
        parts.append(Markup("<mark>{}</mark>").format(piece) if any(s.start <= low < s.end for s in inside) else piece)
    return Markup("").join(parts)


def _squeezed(text: str) -> str:
    """Text without white space, the bars between cells and what a parser replaces, to compare a span with its rendering."""
    return re.sub(r"[\s|\x00-\x1f\x7f-\x9f\u200b\ufeff\ufffd]+", "", text)
