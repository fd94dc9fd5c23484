"""What one record shows: everything a template needs, prepared and plain."""

from __future__ import annotations

from dataclasses import dataclass

from s2r.models import Claim, Record
from s2r.report.context import Excerpt, Exhibits
from s2r.report.texts import say
from s2r.report.timeline import Timeline, draw_timeline

MAX_QUERIES = 60
MAX_GAPS = 60
MAX_STEPS = 80
MAX_CELL = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table of records: small, so that the table can be chosen without keeping records."""

    position: int  # place of the record in the run, 0-based
    row_id: str
    issuer: str
    security: str
    ticker: str
    mic: str
    cutoff: str
    status: str
    date: str
    reason: str
    package: str
    confidence: float
    route: str
    why: str
    error: bool

    @property
    def key(self) -> tuple[bool, float, str, int]:
        """Order of the table: for review first, least certain first."""
        return self.route == "accept", self.confidence, self.row_id, self.position


@dataclass(frozen=True, slots=True)
class Proof:
    """A quote in context, with the claims that rest on it; `claim` is the first of them."""

    claims: tuple[Claim, ...]
    excerpt: Excerpt

    @property
    def claim(self) -> Claim:
        """What all claims of the proof share: quote, exhibit, URL, span and match."""
        return self.claims[0]

    @property
    def moved(self) -> bool:
        """The quote stands in the page, but not where the record says."""
        return not self.excerpt.problem and (self.excerpt.start, self.excerpt.end) != (self.claim.start, self.claim.end)

    @property
    def differs(self) -> bool:
        """The page has the quote in another typography than the record."""
        return not self.excerpt.problem and self.excerpt.quote != self.claim.quote


@dataclass(frozen=True, slots=True)
class Section:
    """One record with its drawn timeline and opened proofs; `identity` and `extra` are (label, value) pairs."""

    record: Record
    identity: tuple[tuple[str, str], ...]
    proofs: tuple[Proof, ...]
    later: Proof | None
    timeline: Timeline


def make_row(position: int, record: Record) -> Row:
    """The table line of a record."""
    listing = record.listing
    return Row(
        position=position,
        row_id=record.row_id,
        issuer=_short(listing.issuer),
        security=_short(listing.security),
        ticker=_short(listing.ticker),
        mic=_short(listing.mic or listing.venue),
        cutoff=record.cutoff.isoformat(),
        status=record.status.value,
        date=record.announcement_date.isoformat() if record.announcement_date else "",
        reason=record.reason or "",
        package=record.package.value,
        confidence=record.confidence,
        route=record.route.value,
        why=_short(record.route_reasons[0] if record.route_reasons else record.abstain_reason),
        error=record.error is not None,
    )


def _short(text: str) -> str:
    """Text of a table cell; the record's section has it whole."""
    return text if len(text) <= MAX_CELL else text[:MAX_CELL] + "…"


def make_section(record: Record, exhibits: Exhibits, ident: str) -> Section:
    """Open the proofs of a record and draw its timeline."""
    return Section(
        record=record,
        identity=_identity(record),
        proofs=_proofs(record, exhibits),
        later=_later(record, exhibits),
        timeline=draw_timeline(record, ident),
    )


def _proofs(record: Record, exhibits: Exhibits) -> tuple[Proof, ...]:
    """Claims that rest on the same quote at the same place are one proof."""
    groups: dict[tuple[object, ...], list[Claim]] = {}
    for claim in record.claims:
        groups.setdefault((claim.exhibit, claim.url, claim.start, claim.end, claim.quote, claim.match), []).append(claim)
    return tuple(Proof(tuple(group), exhibits.excerpt(group[0])) for group in groups.values())


def _identity(record: Record) -> tuple[tuple[str, str], ...]:
    x = record.listing
    row = say("row_value", id=record.row_id, line=x.row_number) if x.row_number else record.row_id
    fields = {
        "f_issuer": x.issuer,
        "f_security": x.security,
        "f_security_type": x.security_type,
        "f_ticker": x.ticker,
        "f_mic": x.mic,
        "f_venue": x.venue,
        "f_country": x.country,
        "f_isin": x.isin,
        "f_lei": x.lei,
        "f_cik": x.cik,
        "f_row": row,
    }
    return tuple((say(key), value) for key, value in fields.items() if value)


def _later(record: Record, exhibits: Exhibits) -> Proof | None:
    event = record.later_event
    if event is None:
        return None
    claim = Claim(field="later_event", value=event.date, quote=event.quote, exhibit=event.exhibit, url=event.url, start=0, end=0)
    return Proof((claim,), exhibits.excerpt(claim))
