"""Flat tables of records: records.csv and the reviewer queue; cells are safe from formula injection."""

from __future__ import annotations

from collections.abc import Sequence

from s2r.models import Claim, Record

COLUMNS = (
    "row_id",
    "issuer",
    "security",
    "ticker",
    "mic",
    "isin",
    "cutoff",
    "event_type",
    "status",
    "announcement_date",
    "reason",
    "disclosure_type",
    "confidence",
    "route",
    "route_reasons",
    "package",
    "status_quote",
    "status_url",
    "date_quote",
    "date_url",
    "reason_quote",
    "reason_url",
    "later_event_date",
    "conflicts",
    "coverage",
    "gaps",
    "error",
    "run_id",
    "policy",
    "version",
)
QUEUE_COLUMNS = (
    "row_id",
    "issuer",
    "security",
    "mic",
    "cutoff",
    "proposed_status",
    "proposed_date",
    "proposed_reason",
    "confidence",
    "why_review",
    "status_quote",
    "status_url",
    "date_quote",
    "conflicts",
    "coverage",
    "later_event_date",
    "decision",
    "corrected_date",
    "corrected_reason",
    "note",
)
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")  # full-width ones count in some locales

# not storable in XML (XLSX) or UTF-8
_UNSTORABLE = dict.fromkeys((*range(0x7F, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "\ufffd")


def safe_cell(value: object) -> str:
    """Text of a cell that no spreadsheet runs as a formula: a leading = + - @ and the like gets an apostrophe."""
    text = "" if value is None else str(value)
    if not text.isprintable():
        text = "".join(c for c in text if c >= " " or c in "\t\n").translate(_UNSTORABLE)
    return f"'{text}" if text.startswith(FORMULA_STARTS) or text.lstrip().startswith(FORMULA_STARTS) else text


def record_header(extra: Sequence[str] = ()) -> list[str]:
    """The head of records.csv; a carried-through column with a name of ours is called universe.<name>."""
    return [*COLUMNS, *(safe_cell(f"universe.{name}" if name in COLUMNS else name) for name in extra)]


def record_row(record: Record, extra: Sequence[str] = ()) -> list[str]:
    """One line of records.csv; `extra` names carried-through columns to append."""
    listing = record.listing
    status, date, reason = (_claim(record, name) for name in ("status", "announcement_date", "reason"))
    cells: list[object] = [
        record.row_id,
        listing.issuer,
        listing.security,
        listing.ticker,
        listing.mic,
        listing.isin,
        record.cutoff,
        record.event_type,
        record.status.value,
        record.announcement_date,
        record.reason,
        record.disclosure_type,
        record.confidence,
        record.route.value,
        " ".join(record.route_reasons),
        record.package.value,
        status.quote if status else "",
        status.url if status else "",
        date.quote if date else "",
        date.url if date else "",
        reason.quote if reason else "",
        reason.url if reason else "",
        record.later_event.date if record.later_event else "",
        " ".join(record.conflicts),
        record.coverage.statement,
        len(record.coverage.gaps),
        record.error,
        record.run_id,
        record.policy,
        record.version,
    ]
    return [safe_cell(cell) for cell in (*cells, *(listing.extra.get(name, "") for name in extra))]


def queue_row(record: Record) -> list[str]:
    """One line of the reviewer queue; the last four columns are for the reviewer."""
    listing = record.listing
    status, date = _claim(record, "status"), _claim(record, "announcement_date")
    cells: list[object] = [
        record.row_id,
        listing.issuer,
        listing.security,
        listing.mic,
        record.cutoff,
        record.status.value,
        record.announcement_date,
        record.reason,
        record.confidence,
        " ".join(record.route_reasons),
        status.quote if status else (record.later_event.quote if record.later_event else ""),
        status.url if status else (record.later_event.url if record.later_event else ""),
        date.quote if date else "",
        " ".join(record.conflicts),
        record.coverage.statement,
        record.later_event.date if record.later_event else "",
        "",
        "",
        "",
        "",
    ]
    return [safe_cell(cell) for cell in cells]


def _claim(record: Record, field: str) -> Claim | None:
    return next((claim for claim in record.claims if claim.field == field), None)
