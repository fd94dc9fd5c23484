"""What was searched, fetched, archived and read."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from pydantic import Field

from s2r.models.listing import Frozen


class Query(Frozen):
    """One question put to a search provider.

    `country` (two letters), `after` and `before` (calendar days, inclusive) are hints that a provider may use to rank or filter;
    what they say about a page is never believed.
    """

    text: str
    lang: str = ""
    kind: str = "name"  # name | site | identifier | venue | official | local
    site: str = ""
    country: str = ""
    after: dt.date | None = None
    before: dt.date | None = None


class Hit(Frozen):
    """One search result. `rank` is 1-based within its query."""

    url: str
    title: str = ""
    provider: str
    rank: int
    query: str
    snippet: str = ""


class Capture(Frozen):
    """Bytes of one page as fetched, after content decoding. `fetched_at` is UTC.

    `hops` holds "<status> <address>" of each redirect that led from `url` to `final_url`; `flags` may hold: downgrade (https led
    to http), front_page, sniffed (the type was told by the bytes).
    """

    url: str
    final_url: str
    title: str = ""
    content_type: str
    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    fetched_at: dt.datetime
    via: str = "pool"
    hops: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


class Outcome(StrEnum):
    """What a fetched item turned out to be, judged by content; only `ok` is evidence."""

    OK = "ok"
    BLOCKED = "blocked"
    CONSENT = "consent"
    SCRIPT_SHELL = "script_shell"
    PAYWALL = "paywall"
    NOT_FOUND = "not_found"
    ERROR = "error"
    UNREADABLE = "unreadable"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    REFUSED = "refused"


class Gap(Frozen):
    """Something that was wanted and not obtained, with its cause and the next step; a `passing` one may be had another time."""

    url: str
    step: str  # search | fetch | archive | extract | adjudicate
    outcome: Outcome
    cause: str
    next_step: str = ""
    passing: bool = False


class Exhibit(Frozen):
    """One archived body. `digest` is "sha256:<hex>" of the body; `warc`, `offset`, `length` locate the response record."""

    digest: str
    url: str
    content_type: str
    warc: str
    offset: int
    length: int
    captured_at: dt.datetime  # UTC


class BlockKind(StrEnum):
    """The structural kind of a stretch of page text."""

    TITLE = "title"  # <title> element or document title
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"  # list item
    ROW = "row"  # one table row; cells are joined by " | "
    PRE = "pre"
    HEADER = "header"  # filing header, mail-style header lines


class Block(Frozen):
    """One block of a page: offsets into `Page.text`. `main` is False for navigation, footers, asides and related links.

    For a ROW, `header` holds the column heads of its table ("" when the table has none), in cell order.
    """

    kind: BlockKind
    start: int
    end: int
    main: bool = True
    header: tuple[str, ...] = ()
    level: int = 0  # heading level 1-6


class Precision(StrEnum):
    """How much of a date is known."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    NONE = "none"


class DateKind(StrEnum):
    """What a date is the date of."""

    ANNOUNCEMENT = "announcement"  # first public disclosure
    DECISION = "decision"
    LETTER = "letter"
    MEETING = "meeting"
    RECORD = "record"
    FILING = "filing"
    SUSPENSION = "suspension"
    LAST_TRADING = "last_trading"
    EFFECTIVE = "effective"
    DEADLINE = "deadline"
    PAGE = "page"
    HISTORY = "birth_or_history"
    OTHER = "other"


class DateMention(Frozen):
    """One date expression in a text. `value` is YYYY, YYYY-MM or YYYY-MM-DD by `precision`, None when not resolvable.

    `flags` may hold: ambiguous, future, impossible, relative, no_year, weekday_mismatch, range_start, range_end, two_digit_year.
    Calendar days are local days at the venue.
    """

    raw: str
    start: int
    end: int
    value: str | None
    precision: Precision
    rule: str
    flags: tuple[str, ...] = ()

    @property
    def day(self) -> dt.date | None:
        """The calendar day, when the precision is a day and the value is resolved."""
        return dt.date.fromisoformat(self.value) if self.value and self.precision is Precision.DAY else None


class DateClaim(Frozen):
    """A date that something in the document claims to be its publication (or another kind of) date, with its origin.

    `origin`: json-ld:<field>, microdata:<field>, meta:<name>, time, feed:<field>, xml:<field>, json:<field>, front-matter:<field>,
    header:filed_as_of, header:acceptance, header:period, header:date, pdf:creation, pdf:modified, http:last-modified, url,
    htmldate, dateline, text, capture (these bytes
    were public no later than then). `start`/`end` are offsets into `Page.text` (-1: not in the text). `flags` may hold: modified, utc,
    offset, eastern, low_trust, boilerplate, ambiguous, malformed, not_listed, item.
    """

    raw: str
    value: str | None
    precision: Precision
    kind: DateKind
    origin: str
    start: int = -1
    end: int = -1
    flags: tuple[str, ...] = ()


class Page(Frozen):
    """A readable document: text, blocks, and all claims about its date. Same bytes give the same Page.

    `text` is the full text (nothing but markup, scripts and styles removed). `source_map` holds (text offset, source offset)
    pairs, ascending: text offset t lies at source offset s + (t - t0) for the last pair (t0, s) with t0 <= t; source offsets
    count characters of the decoded body. `form` is the filing form for SEC documents ("8-K", "25-NSE").
    """

    digest: str
    url: str
    title: str = ""
    given_title: str = ""  # by the source that found the page (a result list, a pool); not part of the document
    content_type: str = ""
    charset: str = ""
    lang: str = ""
    text: str
    blocks: tuple[Block, ...] = ()
    claims: tuple[DateClaim, ...] = ()
    meta: dict[str, str] = Field(default_factory=dict)  # sitename, author, form, cik, accession, filer names, ...
    form: str = ""
    source_map: tuple[tuple[int, int], ...] = ()

    def source_offset(self, offset: int) -> int:
        """Offset in the decoded source of a character of `text`."""
        lo, hi = 0, len(self.source_map)
        while lo < hi:
            mid = (lo + hi) // 2
            if self.source_map[mid][0] <= offset:
                lo = mid + 1
            else:
                hi = mid
        if lo == 0:
            return offset
        text_at, source_at = self.source_map[lo - 1]
        return source_at + (offset - text_at)
