"""What the review queue shows and sorts by, kept beside each row's current revision: columns are worked out once, when it is appended."""

from __future__ import annotations

import datetime as dt
import hashlib
import sqlite3
from enum import StrEnum

from s2r.lang.detect import detect_language
from s2r.lang.text import fold_text
from s2r.models import Record, Route

PENDING = ("second", "disagreed", "undecided")
WAITING = ("open", "second", "disagreed", "undecided", "returned")
COLUMNS = (
    "row_id", "number", "position", "issuer", "security", "ticker", "mic", "market", "cutoff", "status", "day", "reason", "confidence",
    "risk", "route", "route_reason", "package", "language", "alike", "search",
)  # fmt: skip
_SAMPLE = 2000  # characters of quotes that tell the language


def values_of(record: Record, number: int, position: int) -> dict[str, object]:
    """The columns of a record that stands as revision `number`. `alike` is the same for rows that only differ in their listing; `risk` is
    the largest of a fitted model, else what the confidence leaves."""
    listing = record.listing
    market = listing.mic or listing.country
    why = record.route_reasons[0] if record.route_reasons else ""
    answer = (record.status.value, str(record.announcement_date or ""), record.reason or "", record.package.value)
    quotes = " ".join(dict.fromkeys(claim.quote for claim in record.claims))[:_SAMPLE]
    names = (record.row_id, listing.issuer, listing.security, listing.ticker, listing.isin, listing.lei, listing.cik, listing.mic)
    return {
        "row_id": record.row_id,
        "number": number,
        "position": position,
        "issuer": listing.issuer,
        "security": listing.security,
        "ticker": listing.ticker,
        "mic": listing.mic,
        "market": market,
        "cutoff": record.cutoff.isoformat(),
        "status": answer[0],
        "day": answer[1],
        "reason": answer[2],
        "confidence": record.confidence,
        "risk": max(record.risk.values()) if record.risk else round(1.0 - record.confidence, 6),
        "route": record.route.value,
        "route_reason": why,
        "package": answer[3],
        "language": detect_language(quotes) if quotes else "",
        "alike": hashlib.sha256("\n".join((*answer, *record.route_reasons, market)).encode("utf-8", "replace")).hexdigest()[:12],
        "search": fold_text(" ".join(filter(None, names))),
    }


class Kept(StrEnum):
    """What a new revision of the audit means for what people have said of its row."""

    FRESH = "fresh"  # nothing was said, or it was said of other evidence and is not settled
    CARRIED = "carried"  # the evidence is the same: what was said stands
    RETURNED = "returned"  # it was settled, and a later audit found other evidence


def keep_item(
    db: sqlite3.Connection, record: Record, number: int, position: int, stamp: str, kept: Kept = Kept.FRESH, proposal: int = 0
) -> None:
    """Keep the columns of a new revision that the audit made. A fresh row waits when its route is not `accept`. Whoever decides sets the
    state after it."""
    values = values_of(record, number, position) | {"weighed": ""}
    known = db.execute("select state, since, sample, proposal from review_item where row_id = ?", (record.row_id,)).fetchone()
    if kept is Kept.RETURNED:
        values |= {"state": "returned", "waiting": 1, "since": stamp, "first_by": "", "first_id": 0, "decided": 0, "proposal": proposal}
    elif kept is Kept.FRESH:
        accepted = record.route is Route.ACCEPT and not (known and known[2])
        since = known[1] if known and known[0] in WAITING else stamp
        values |= {"state": "accepted" if accepted else "open", "waiting": int(not accepted), "since": since, "judged": number}
        values |= {"first_by": "", "first_id": 0, "decided": 0, "proposal": 0}
    elif known and known[0] in PENDING and not known[3]:
        values["judged"] = number
    names = list(values)
    if known:
        db.execute(f"update review_item set {', '.join(f'{name} = ?' for name in names)} where row_id = ?",  # noqa: S608 - names of columns
                   [*values.values(), record.row_id])  # fmt: skip
    else:
        marks = ", ".join("?" * len(names))
        db.execute(f"insert into review_item ({', '.join(names)}) values ({marks})", list(values.values()))  # noqa: S608


def stamp_of(moment: dt.datetime) -> str:
    """A moment as it is kept: ISO 8601 in UTC, so that texts sort as times do."""
    return moment.astimezone(dt.UTC).isoformat()


def share_of(seed: int, row_id: str) -> float:
    """A number in [0, 1) that a seed deals to a row, whatever the other rows are."""
    return int(hashlib.sha256(f"{seed}|{row_id}".encode("utf-8", "replace")).hexdigest()[:13], 16) / 16**13
