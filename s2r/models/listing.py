"""What is audited: one listing (issuer, security, venue, identifiers) at a cutoff."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, ConfigDict, Field


class Frozen(BaseModel):
    """Base of all records: immutable, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Listing(Frozen):
    """One row of the security universe. All identifier fields are text as delivered, stripped; "" when missing.

    `cutoff` is a calendar day at the venue, inclusive: a disclosure on the cutoff itself counts.
    """

    row_id: str
    row_number: int = 0  # 1-based line of the data row in the source file, header = 1; 0 = not from a file
    issuer: str
    security: str = ""
    security_type: str = ""
    ticker: str = ""
    mic: str = ""
    venue: str = ""
    country: str = ""
    isin: str = ""
    lei: str = ""
    cik: str = ""
    cutoff: dt.date
    venue_note: str = ""  # where its MIC was read from a name, or is contradicted by `venue`: what was taken, and what to do
    extra: dict[str, str] = Field(default_factory=dict)  # other columns, carried through untouched, never judged


CONTRADICTED = "The columns mic and venue contradict each other"  # begins the note of a row where they do


class RowIssue(Frozen):
    """One defect of a universe row: what is wrong, where, and what to do."""

    row_number: int
    row_id: str = ""
    column: str
    value: str = ""
    problem: str
    advice: str
    severity: str  # "rejected" | "warning"
