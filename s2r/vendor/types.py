"""Records of the vendor audit: what a feed says, and how it compares with what is proven. Nothing upstream may import them."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from pydantic import Field

from s2r.models import Frozen, RowIssue


class Says(StrEnum):
    """What a row of a feed says about its listing."""

    EVENT = "event"
    PENDING = "pending"
    NO_EVENT = "no_event"
    IGNORED = "ignored"


class VendorRow(Frozen):
    """One row of a feed as read. `number` is its line; `dates` are by field (announced, effective, ...); `reasons` are those of ours
    that the vendor's reason can stand for (none: it gives no reason); `cells` hold what was delivered, by the vendor's column."""

    number: int
    row: str = ""
    issuer: str = ""
    former_name: str = ""
    security: str = ""
    security_type: str = ""
    ticker: str = ""
    mic: str = ""
    venue: str = ""
    country: str = ""
    isin: str = ""
    lei: str = ""
    cik: str = ""
    code: str = ""
    reason_code: str = ""
    says: Says
    reasons: tuple[str, ...] = ()
    dates: dict[str, dt.date] = Field(default_factory=dict)
    cells: dict[str, str] = Field(default_factory=dict)

    @property
    def announced(self) -> dt.date | None:
        """The vendor's announcement date."""
        return self.dates.get("announced")

    @property
    def day(self) -> dt.date | None:
        """The day by which the row is placed in time: the announcement, else the nearest that it has to it."""
        order = ("announced", "decision", "filing", "letter", "effective", "last_trading", "suspension")
        return next((self.dates[name] for name in order if name in self.dates), None)


class Feed(Frozen):
    """A feed as read: usable rows, rows that could not be read (`broken`, without the values that are wrong), and all issues. `digest`
    covers its bytes and the policy that read it; `delivered` is the newest day on which a row was updated."""

    name: str
    path: str
    rows: tuple[VendorRow, ...]
    broken: tuple[VendorRow, ...] = ()
    issues: tuple[RowIssue, ...] = ()
    format: str = ""
    digest: str = ""
    has_announced: bool = True
    delivered: dt.date | None = None

    @property
    def title_line(self) -> str:
        """The feed as people name it."""
        return f"{self.path}, {self.delivered}" if self.delivered else self.path


class Kind(StrEnum):
    """How a vendor's row and a record compare."""

    MATCH = "match"
    CONFIRMED_NO_EVENT = "confirmed_no_event"
    MISSING = "missing_in_vendor"
    VENDOR_ONLY = "vendor_only"
    STALE = "stale"
    WRONG_DATE = "wrong_date"
    WRONG_REASON = "wrong_reason"
    WRONG_LISTING = "wrong_listing"
    UNRESOLVED = "unresolved"


CHALLENGED = (Kind.WRONG_LISTING, Kind.WRONG_DATE, Kind.MISSING, Kind.STALE, Kind.WRONG_REASON, Kind.VENDOR_ONLY)
CORRECTED = (Kind.WRONG_LISTING, Kind.WRONG_DATE, Kind.STALE, Kind.WRONG_REASON)


class Quote(Frozen):
    """A verbatim quote that supports a challenge, found again in the archived page. `about` says what it shows; `start`/`end` are
    offsets into the text of the page; `warc` and `offset` locate its bytes; `match` is exact, normalised or not_found."""

    about: str
    text: str
    url: str
    exhibit: str
    start: int = -1
    end: int = -1
    match: str = ""
    warc: str = ""
    offset: int = -1


class Comparison(Frozen):
    """One listing, or one row of the feed, compared. `row` is None where the vendor has none, `row_id` is "" for a row of the feed that is
    outside of the universe. `also` are further faults of the same row. `date_kind` says what the vendor's date seems to be;
    `belongs_to` which listing its event belongs to; `holds` is False where a person should look before it is sent."""

    kind: Kind
    row_id: str = ""
    row: VendorRow | None = None
    issuer: str = ""
    security: str = ""
    mic: str = ""
    also: tuple[Kind, ...] = ()
    field: str = ""
    vendor_value: str = ""
    our_value: str = ""
    date_kind: str = ""
    belongs_to: str = ""
    matched_by: str = ""
    sentence: str = ""
    quotes: tuple[Quote, ...] = ()
    coverage: str = ""
    holds: bool = True
    before_sending: str = ""
    text: str = ""

    @property
    def challenged(self) -> bool:
        """Whether it is for the vendor to answer."""
        return self.kind in CHALLENGED
