"""Streaming walk over HTML: full visible text as stretches with source offsets, tables as rows, boilerplate told apart."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from s2r.extract import boilerplate
from s2r.extract.boilerplate import words
from s2r.extract.builder import Stretch, cut, line_groups
from s2r.extract.hidden import hidden_by, sheet_names
from s2r.extract.tables import Cell, Table
from s2r.extract.tokens import Kind, attributes, tokens
from s2r.models import BlockKind

_BLOCKS = words("""
html body p div section article main header footer nav aside h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot
tr td th pre listing xmp plaintext blockquote center form fieldset legend address figure figcaption details summary dialog hgroup
search menu dir template noscript select option optgroup button svg math object noframes frameset head canvas video audio map textarea
""")
_VOID = words("area base br col embed hr img input link meta param source track wbr frame basefont bgsound keygen")
_TABLE_PARTS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"})
_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_CLOSES_P = _BLOCKS - words("html body head button svg math object select option optgroup map canvas video audio template noscript td th")
_IN_HEAD = words("title meta link script style base noscript template basefont bgsound")
# An unclosed heading must not swallow the page.
_AFTER_HEADING = words("p ul ol dl table pre hr blockquote h1 h2 h3 h4 h5 h6")
_NEVER_BY_CLASS = frozenset({"article", "tr", "td", "th", "h1"})
_ENTITY = re.compile(r"&(?:#[xX]?[0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);?")
_SCAN = 600  # how far an end tag looks for its start
_MAX_DEPTH = 4000
_LONG_PARAGRAPH = 300


@dataclass(slots=True)
class Element:
    """An open element. `why` is the reason why its content is not main text, inherited; `related` is the level of a heading
    in it that introduced links (0 = none)."""

    name: str
    kind: BlockKind
    why: str = ""
    hidden: bool = False
    level: int = 0
    related: int = 0
    began: int = 0  # stretches made before it


@dataclass(slots=True)
class Walk:
    """What one walk found: stretches in reading order, head title, raw scripts and metas, and html attributes."""

    stretches: list[Stretch] = field(default_factory=list)
    title: str = ""
    title_at: int = -1
    metas: list[dict[str, str]] = field(default_factory=list)
    links: list[dict[str, str]] = field(default_factory=list)
    props: list[tuple[str, str]] = field(default_factory=list)  # itemprop dates: name, value
    json_ld: list[str] = field(default_factory=list)
    lang: str = ""
    scripts: int = 0
    sheet_hidden: int = 0  # characters hidden by a style sheet in the page
    depth: int = 0
    tags: int = 0


class Walker:
    """State of one walk; use `walk`."""

    def __init__(self, source: str, *, noscript: bool, sheet: bool) -> None:
        self.source = source
        self.noscript = noscript
        self.sheet = sheet
        self.out = Walk()
        self.stack: list[Element] = [Element("#root", BlockKind.PARAGRAPH)]
        self.count: dict[str, int] = {}
        self.tables: list[Table] = []
        self.sinks: list[list[Stretch]] = [self.out.stretches]
        self.now = Stretch()
        self.made = 0
        self.in_link = False
        self.bold = 0
        self.in_sup = False
        self.breaks = 0
        self.time: tuple[int, str] | None = None
        self.list_follows = False  # a related line stood just before
        self.hidden_names: frozenset[str] = frozenset()

    # --- text -----------------------------------------------------------------------------------------------------

    def on_text(self, start: int, end: int) -> None:
        """Text between tags, entities decoded one by one so that offsets stay true."""
        top = self.stack[-1]
        if top.name == "head" and not self.source[start:end].isspace():
            self._pop()
            top = self.stack[-1]
        if top.hidden:
            if top.why == "sheet":
                self.out.sheet_hidden += end - start
            return
        text = self.source[start:end]
        if top.kind is BlockKind.PRE:
            self._put_raw(text, start)
            return
        if not self.now.pieces and text.isspace():
            return
        if self.breaks > 1 and not text.isspace():
            self._paragraph_break()
        if not text.isspace():
            self.breaks = 0
        if self.in_sup and self.now.last.isdigit() and text[:1] in "0123456789(*[":
            self.now.add(" ", start)  # a footnote mark must not grow the number before it: 2018<sup>1</sup>
        if "&" not in text:
            self._put(text, start)
            return
        at = 0
        for match in _ENTITY.finditer(text):
            decoded = html.unescape(match.group())
            if decoded == match.group():
                continue
            if at < match.start():
                self._put(text[at : match.start()], start + at)
            self._put(decoded, start + match.start())
            at = match.end()
        if at < len(text):
            self._put(text[at:], start + at)

    def _put(self, text: str, source: int) -> None:
        added = self.now.add(text, source)
        if self.in_link:
            self.now.links += added
        if self.bold:
            self.now.bold += added

    def _put_raw(self, text: str, source: int) -> None:
        at = 0
        for match in _ENTITY.finditer(text) if "&" in text else ():
            self.now.add_raw(text[at : match.start()], source + at)
            self.now.add_raw(html.unescape(match.group()), source + match.start())
            at = match.end()
        self.now.add_raw(text[at:], source + at)

    def _paragraph_break(self) -> None:
        """Two line breaks in a row separate paragraphs, except inside cells, items and headings."""
        if self.stack[-1].kind is BlockKind.PARAGRAPH:
            self.flush()

    # --- blocks ---------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Close the block being read and hand it to the innermost cell or the page."""
        now = self.now
        self.breaks = 0
        if not now.pieces:
            return
        self.now = Stretch()
        if self.time is not None:
            now.times.append((self.time[0], now.size, self.time[1]))
            self.time = (0, self.time[1])
        top = self.stack[-1]
        now.kind, now.level = top.kind, top.level
        if top.kind is BlockKind.PRE:
            self._emit_pre(now, top)
            return
        now.close()
        if not now.pieces:
            return
        now.why = top.why or ("related" if top.related else "")
        self._judge_line(now, top)
        self._emit(now)

    def _emit(self, stretch: Stretch) -> None:
        self.sinks[-1].append(stretch)
        self.made += 1

    def _emit_pre(self, now: Stretch, top: Element) -> None:
        for start, end in line_groups(now.text):
            part = Stretch(kind=BlockKind.PRE, pieces=cut(now.pieces, start, end), size=end - start, links=now.links, why=top.why)
            self._emit(part)

    def _judge_line(self, now: Stretch, top: Element) -> None:
        """Related lines and the headings of related lists (see `boilerplate`)."""
        self.list_follows = False
        if now.kind is BlockKind.HEADING or now.size > _LONG_PARAGRAPH:
            if now.kind is not BlockKind.HEADING and top.related and now.links * 3 < now.size:
                top.related = 0
                now.why = top.why
            return
        text = now.text
        if boilerplate.is_related_line(text):
            now.why = now.why or "related"
            self.list_follows = text.rstrip()[-1] in ":："
        elif now.size <= 70 and now.kind is BlockKind.PARAGRAPH and boilerplate.is_related_heading(text):
            if len(self.sinks) > 1 and not boilerplate.is_next_link(text):
                return  # a label in a table: "Comments", "Contents", "Previous period" are matter
            now.why = now.why or "related"
            self.list_follows = True
        elif _is_link_list(now):
            now.why = now.why or "links"

    def _end_heading(self, element: Element, parent: Element) -> None:
        """After a heading closed: a related heading covers what follows in its parent up to the next heading of its rank."""
        if self.made == element.began:
            return
        sink = self.sinks[-1]
        last = sink[-1] if sink else None
        if last is not None and last.kind is BlockKind.HEADING and boilerplate.is_related_heading(last.text):
            last.why = last.why or "related"
            parent.related = element.level

    # --- tags -----------------------------------------------------------------------------------------------------

    def on_start(self, name: str, raw: str, start: int, end: int) -> None:
        """A start tag."""
        if self.stack[-1].name == "head" and name not in _IN_HEAD:
            self._pop()  # most pages by hand leave out the end tag of the head
        if name in _VOID:
            self._on_void(name, raw, start)
            return
        if name not in _BLOCKS and "-" not in name:
            self._on_inline(name, raw)
            return
        self._close_implied(name)
        self.flush()
        if len(self.stack) > _MAX_DEPTH:
            return
        if name in ("tr", "td", "th", "dt", "dd", "table", "dl"):
            self._start_table_part(name)
        self._push(name, raw)

    def _on_void(self, name: str, raw: str, start: int) -> None:
        if name == "br":
            if not self.stack[-1].hidden:
                self._line_break(start)
        elif name == "hr":
            self._close_implied("hr")
            self.flush()
        elif name == "meta":
            attrs = attributes(raw)
            self.out.metas.append(attrs)
            if (prop := attrs.get("itemprop", "")).startswith("date"):
                self.out.props.append((prop, attrs.get("content", "")))
        elif name == "link":
            self.out.links.append(attributes(raw))

    def _line_break(self, start: int) -> None:
        kind = self.stack[-1].kind
        if kind is BlockKind.PRE:
            self.now.add_raw("\n", start)
            return
        self.breaks += 1
        if len(self.sinks) > 1 or kind is BlockKind.HEADING:
            self.now.add(" ", start)
        else:
            self.now.newline(start)

    def _on_inline(self, name: str, raw: str) -> None:
        top = self.stack[-1]
        if name in ("b", "strong"):
            self.bold += 1
        elif name == "a":
            self.in_link = "href" in raw.lower()
            self.now.anchors += self.in_link
        elif name == "sup":
            self.in_sup = True
        elif name == "time" and not top.hidden:
            attrs = attributes(raw)
            value = attrs.get("datetime", "")
            if (prop := attrs.get("itemprop", "")).startswith("date"):
                self.out.props.append((prop, value))
            self.time = (self.now.size, value)
        if top.hidden:
            self._push(name, raw)
        elif raw and ("style" in raw or "hidden" in raw or "class" in raw or "id" in raw or "itemprop" in raw):
            attrs = attributes(raw)
            if (prop := attrs.get("itemprop", "")).startswith("date") and name != "time":
                self.out.props.append((prop, attrs.get("content", "") or attrs.get("datetime", "")))
            if self._hidden_by(name, attrs):
                self._push(name, raw)

    def _push(self, name: str, raw: str) -> None:
        top = self.stack[-1]
        element = Element(name, top.kind, top.why or ("related" if top.related else ""), top.hidden, top.level, 0, self.made)
        if self.list_follows and name in ("ul", "ol", "dl", "table"):
            element.why = element.why or "related"
        self.list_follows = False
        attrs = attributes(raw) if raw else {}
        if not element.hidden and (hidden := self._hidden_by(name, attrs)):
            element.hidden = True
            element.why = hidden
        if not element.hidden:
            self._set_kind(element, name)
            self._set_why(element, name, attrs)
        if name == "html":
            self.out.lang = self.out.lang or attrs.get("lang", "") or attrs.get("xml:lang", "")
        if name in _HEADINGS and top.related and _HEADINGS[name] <= top.related:
            top.related = 0
            element.why = top.why
        self.stack.append(element)
        self.count[name] = self.count.get(name, 0) + 1
        self.out.depth = max(self.out.depth, len(self.stack))

    def _hidden_by(self, name: str, attrs: dict[str, str]) -> str:
        """Why an element is invisible, or "" when it is visible."""
        if name == "noscript":
            return "" if self.noscript else "hidden"
        return hidden_by(name, attrs, self.hidden_names, faint=self.sheet)

    def _set_kind(self, element: Element, name: str) -> None:
        if name in _HEADINGS:
            element.kind, element.level = BlockKind.HEADING, _HEADINGS[name]
        elif name in ("li", "dt", "dd"):
            element.kind, element.level = BlockKind.ITEM, 0
        elif name in ("pre", "listing", "xmp", "plaintext"):
            element.kind, element.level = BlockKind.PRE, 0
        elif name in ("td", "th", "table", "body", "main", "article", "section", "blockquote", "caption"):
            element.kind, element.level = BlockKind.PARAGRAPH, 0

    def _set_why(self, element: Element, name: str, attrs: dict[str, str]) -> None:
        if name == "main" or attrs.get("role") == "main":
            element.why = "" if element.why == "class" else element.why
            return
        if element.why or name in ("html", "body"):
            return
        if name in boilerplate.TAGS or attrs.get("role", "") in boilerplate.ROLES:
            element.why = "tag"
        elif name == "header" and not (self.count.get("main") or self.count.get("article")):
            element.why = "header"
        elif attrs and name not in _NEVER_BY_CLASS and boilerplate.is_boilerplate_class(f"{attrs.get('class', '')} {attrs.get('id', '')}"):
            element.why = "class"

    def on_end(self, name: str) -> None:
        """An end tag; one that matches nothing open is ignored."""
        if name in ("b", "strong"):
            self.bold = max(0, self.bold - 1)
        elif name == "a":
            self.in_link = False
        elif name == "sup":
            self.in_sup = False
        elif name == "time" and self.time is not None:
            self.now.times.append((self.time[0], self.now.size, self.time[1]))
            self.time = None
        elif name == "br":
            return
        if self.count.get(name, 0):
            self._pop_to(name)
        elif name in _BLOCKS or "-" in name:
            self.flush()

    def _pop_to(self, name: str) -> None:
        stack = self.stack
        structural = name in _TABLE_PARTS or name in ("body", "html")
        floor = max(1, len(stack) - _SCAN)
        for i in range(len(stack) - 1, floor - 1, -1):
            if stack[i].name == name:
                while len(stack) > i:
                    self._pop()
                return
            if not structural and stack[i].name in ("td", "th", "table"):
                break
        self.flush()

    def _pop(self) -> None:
        if self.stack[-1].name in _BLOCKS or "-" in self.stack[-1].name:
            self.flush()
        element = self.stack.pop()
        self.count[element.name] -= 1
        parent = self.stack[-1]
        name = element.name
        if name in ("p", "td", "th", "li"):
            self.in_link, self.bold, self.in_sup = False, 0, False
        if name in _HEADINGS and not element.hidden:
            self._end_heading(element, parent)
        elif element.related and self.made - element.began == 1:
            parent.related = element.related  # a wrapper that held nothing but the heading
        if name in ("td", "th", "dt", "dd") and len(self.sinks) > 1:
            self.sinks.pop()
        elif name == "tr":
            self._end_row()
        elif name in ("table", "dl") and self.tables:
            self._end_row()
            self.tables.pop()
        elif name == "thead" and self.tables:
            self.tables[-1].in_head = False

    def _close_implied(self, name: str) -> None:
        """End tags that HTML lets authors leave out."""
        top = self.stack[-1].name
        if (top == "p" and (name in _CLOSES_P or name == "hr")) or (
            top in _HEADINGS and name in _AFTER_HEADING and (self.now.pieces or self.made > self.stack[-1].began)
        ):
            self._pop()
        if name == "li":
            self._pop_within(("li",), ("ul", "ol", "menu", "dir", "td", "th", "table"))
        elif name in ("dt", "dd"):
            self._pop_within(("dt", "dd"), ("dl", "td", "th", "table"))
        elif name in ("td", "th"):
            self._pop_within(("td", "th"), ("tr", "table"))
        elif name == "tr":
            self._pop_within(("td", "th"), ("tr", "table"))
            self._pop_within(("tr",), ("tbody", "thead", "tfoot", "table"))
        elif name in ("thead", "tbody", "tfoot", "caption"):
            self._pop_within(("td", "th"), ("tr", "table"))
            self._pop_within(("tr",), ("tbody", "thead", "tfoot", "table"))
            self._pop_within(("thead", "tbody", "tfoot"), ("table",))
        elif name in ("option", "optgroup") and top == "option":
            self._pop()

    def _pop_within(self, names: tuple[str, ...], barriers: tuple[str, ...]) -> None:
        """Close the nearest open element of `names` unless a barrier lies above it."""
        if not any(self.count.get(name) for name in names):
            return
        stack = self.stack
        for i in range(len(stack) - 1, max(0, len(stack) - _SCAN), -1):
            if stack[i].name in names:
                while len(stack) > i:
                    self._pop()
                return
            if stack[i].name in barriers:
                return

    # --- tables ---------------------------------------------------------------------------------------------------

    def _start_table_part(self, name: str) -> None:
        if self.stack[-1].hidden:
            return
        if name in ("table", "dl"):
            self.tables.append(Table())
            return
        if not self.tables:
            return
        table = self.tables[-1]
        if name == "tr" or (name == "dt" and table.cells and not table.cells[-1].is_head):
            self._end_row()
        if name == "tr":
            table.cells = []
            table.in_head = self.stack[-1].name == "thead"
            return
        if table.cells is None:
            table.cells = []
        cell = Cell(is_head=name in ("th", "dt"))
        table.cells.append(cell)
        self.sinks.append(cell.stretches)

    def _end_row(self) -> None:
        """Place the finished row: joined cells, or the blocks of its cells when the table only lays out the page."""
        if not self.tables or self.tables[-1].cells is None:
            return
        for stretch in self.tables[-1].end_row():
            self._emit(stretch)

    def finish(self) -> Walk:
        """Close everything that is still open."""
        self.flush()
        while len(self.stack) > 1:
            self._pop()
        return self.out

    def run(self, start: int, end: int) -> Walk:
        """Walk over `source[start:end]`."""
        for kind, name, raw, a, b in tokens(self.source, start, end):
            if kind is Kind.TEXT:
                self.on_text(a, b)
            elif kind is Kind.START:
                self.out.tags += 1
                self.on_start(name, raw, a, b)
            elif kind is Kind.END:
                self.on_end(name)
            else:
                self._on_raw(name, raw, a, b)
        return self.finish()

    def _on_raw(self, name: str, raw: str, a: int, b: int) -> None:
        if name == "title":
            if self.out.title_at < 0 and not self._in_drawing():
                self.out.title_at = a
                self.out.title = self.source[a:b]
        elif name == "script":
            self.out.scripts += 1
            if "ld+json" in raw.lower():
                self.out.json_ld.append(self.source[a:b])
        elif name == "style":
            if self.sheet:
                self.hidden_names |= sheet_names(self.source[a:b])
        elif name in ("textarea", "xmp"):
            self.on_text(a, b)

    def _in_drawing(self) -> bool:
        return bool(self.count.get("svg") or self.count.get("math"))


def _is_link_list(now: Stretch) -> bool:
    """A list item that is a mere link, perhaps with a date beside it, or a paragraph made of several links."""
    rest = now.size - now.links
    if now.kind is BlockKind.ITEM:
        return now.size < 200 and (rest <= now.size * 0.1 or (now.links >= now.size * 0.55 and rest <= 26))
    return now.kind is BlockKind.PARAGRAPH and now.anchors > 1 and rest <= now.size * 0.2


def walk(source: str, start: int = 0, end: int | None = None, *, noscript: bool = False, sheet: bool = True) -> Walk:
    """Walk over HTML in `source[start:end]`; offsets of pieces are absolute. Linear in time, no recursion, never fails.

    `noscript` reads noscript elements too; `sheet` obeys simple hiding rules of style sheets in the page.
    """
    return Walker(source, noscript=noscript, sheet=sheet).run(start, len(source) if end is None else end)
