"""Which blocks are the page's matter: structural reasons from the walk, checked against trafilatura on larger pages.

Rule. A block is not main when the walk gave a reason: `tag` (nav, footer, aside, roles), `header` (site header), `class`
(class words), `related` (under a "Most read" heading), `links` (list items that are mere
links, paragraphs of several links, menu lines). Then, on pages of 3 kB and
more: a block with the reason `class`, `header` or `links` that trafilatura kept is main again; a block without a reason that
trafilatura dropped stays main (its recall is about .95) unless it is mostly links. When less than a tenth of the text, or
next to nothing, would be main, class words are distrusted, then all reasons.
"""

from __future__ import annotations

import logging
import re

from s2r.extract.builder import Stretch
from s2r.models import BlockKind

logging.getLogger("trafilatura").addHandler(logging.NullHandler())  # its complaints about broken pages are no news to users

_SMALL_PAGE = 3000
_SHORT = 25
_THIN = 60
_SEPARATOR = re.compile(r"\s+[|·>»/›•–-]\s+|\n")
_WEAK = ("class", "header", "links")


def settle(stretches: list[Stretch], source: str, *, is_simple: bool) -> None:
    """Settle `why` of all stretches in place ("" = main); `is_simple`: the markup is small and flat enough for tree libraries."""
    for stretch in stretches:
        if stretch.why == "header" and stretch.kind is BlockKind.HEADING and stretch.links * 2 < stretch.size:
            stretch.why = ""
    _menu_lines(stretches)
    if is_simple and len(source) >= _SMALL_PAGE and stretches:
        _consult(stretches, source)
    for distrusted in (("class",), ("class", "header", "links", "related"), ("tag", *_WEAK, "related")):
        total = sum(stretch.size for stretch in stretches)
        main = sum(stretch.size for stretch in stretches if not stretch.why)
        if main * 2 >= total or (main * 10 >= total and main >= _THIN):
            return
        for stretch in stretches:
            if stretch.why in distrusted:
                stretch.why = ""


def _consult(stretches: list[Stretch], source: str) -> None:
    kept = _kept_text(source)
    if len(kept) < 250:
        return
    for stretch in stretches:
        if stretch.size < _SHORT:
            if not stretch.why and stretch.kind is not BlockKind.HEADING and stretch.links * 10 >= stretch.size * 9:
                stretch.why = "links"
            continue
        if stretch.why in _WEAK and _squeeze(stretch.text) in kept:
            stretch.why = ""
        elif not stretch.why and stretch.links * 10 > stretch.size * 6 and _squeeze(stretch.text) not in kept:
            stretch.why = "links"


def _menu_lines(stretches: list[Stretch]) -> None:
    """Lines of short labels without digits ("Home | Rules | Contact") at the top and the bottom of a page."""
    edges = stretches[:4] + stretches[-3:]
    lone = len(stretches) > 1 and stretches[0].kind is BlockKind.ROW and stretches[1].kind is not BlockKind.ROW
    bar = stretches[0] if lone else None  # a one-row table that only lays out the head of the page
    for stretch in edges:
        if stretch.why or stretch.size > 140 or not (stretch.kind is BlockKind.PARAGRAPH or stretch is bar):
            continue
        text = stretch.text
        parts = _SEPARATOR.split(text)
        if len(parts) >= 3 and all(0 < len(part) <= 26 for part in parts) and not any(c.isdigit() for c in text):
            stretch.why = "links"


def _squeeze(text: str) -> str:
    return "".join(text.replace("|", " ").split())


def _kept_text(source: str) -> str:
    """Main text by trafilatura without white space; "" when it fails."""
    from lxml.etree import LxmlError
    from trafilatura import extract as main_text

    try:
        text = main_text(source, fast=True, include_comments=False, include_tables=True, deduplicate=False)
    except (LxmlError, ValueError, TypeError, AttributeError, RecursionError, AssertionError):
        return ""  # it gives up on some broken trees; structure alone decides then
    return _squeeze(text or "")
