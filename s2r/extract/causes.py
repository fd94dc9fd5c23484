"""Typed causes of unreadable bytes, and what outcome each becomes."""

from __future__ import annotations

from enum import StrEnum

from s2r.errors import SourceBroken
from s2r.models import Outcome


class Cause(StrEnum):
    """Why bytes cannot become a page; the value is the message of the error."""

    EMPTY = "empty"
    ENCRYPTED_PDF = "encrypted pdf"
    SCANNED_PDF = "pdf without text layer"
    DAMAGED_PDF = "damaged pdf"
    NOT_TEXT = "not text"
    NO_TEXT = "no readable text"
    SCRIPT_SHELL = "no readable text without scripts"
    DAMAGED_JSON = "damaged json"


_ADVICE = {
    Cause.EMPTY: "Fetch the page again.",
    Cause.ENCRYPTED_PDF: "Find an unprotected copy.",
    Cause.SCANNED_PDF: "Find a copy with text, or have it read by a person.",
    Cause.DAMAGED_PDF: "Fetch the file again or find another copy.",
    Cause.NOT_TEXT: "Find the document in HTML, PDF or text form.",
    Cause.NO_TEXT: "Find another copy of the page.",
    Cause.SCRIPT_SHELL: "Find a copy that shows its text without scripts.",
    Cause.DAMAGED_JSON: "Fetch the file again.",
}


def broken(cause: Cause, url: str) -> SourceBroken:
    """The error for one cause, about one url."""
    return SourceBroken(cause.value, subject=url, advice=_ADVICE[cause])


def outcome_of(error: SourceBroken) -> Outcome:
    """The outcome that a gap gets for an extraction error; unknown causes are `unreadable`."""
    match error.message:
        case Cause.EMPTY:
            return Outcome.EMPTY
        case Cause.SCRIPT_SHELL:
            return Outcome.SCRIPT_SHELL
        case _:
            return Outcome.UNREADABLE
