"""What a reviewer is told when something cannot be done; each says what to do."""

from __future__ import annotations

import datetime as dt

from s2r.errors import S2RError


class ReviewError(S2RError):
    """A wish of a reviewer that cannot be met; nothing was changed."""


class NotFound(ReviewError):
    """There is no such row, view or exhibit."""


class BadDecision(ReviewError):
    """A decision that lacks something or contradicts itself; `field` names the part."""

    def __init__(self, message: str, *, field: str = "", subject: str = "", advice: str = "") -> None:
        super().__init__(message, subject=subject, advice=advice)
        self.field = field


class NotAllowed(ReviewError):
    """Not for this person or not in this state: an own decision is not reviewed by oneself, a decided row is not claimed."""


class LeaseTaken(ReviewError):
    """Somebody else holds the row until `until` (UTC)."""

    def __init__(self, row_id: str, by: str, until: dt.datetime) -> None:
        advice = "Take another row, or wait until it is free."
        super().__init__(f"is held by {by} until {until:%Y-%m-%d %H:%M} UTC", subject=row_id, advice=advice)
        self.row_id, self.by, self.until = row_id, by, until

    def __reduce__(self) -> tuple[type[LeaseTaken], tuple[str, str, dt.datetime]]:
        """For processes that hand it on."""
        return LeaseTaken, (self.row_id, self.by, self.until)


class LeaseLost(ReviewError):
    """The lease of the caller has ended or was given to another."""


class StaleEdit(ReviewError):
    """The reviewer saw revision `seen`; `number` stands now, made by `author` for `why` and saying `answer`."""

    def __init__(self, row_id: str, seen: int, number: int, author: str, why: str, answer: dict[str, str]) -> None:
        told = ", ".join(f"{name} {value}" for name, value in answer.items() if value)
        super().__init__(
            f"revision {seen} was edited, but revision {number} by {author} ({why}) stands: {told}",
            subject=row_id,
            advice="Look at the newer revision and decide again.",
        )
        self.row_id, self.seen, self.number, self.author, self.why, self.answer = row_id, seen, number, author, why, answer

    def __reduce__(self) -> tuple[type[StaleEdit], tuple[str, int, int, str, str, dict[str, str]]]:
        """For processes that hand it on."""
        return StaleEdit, (self.row_id, self.seen, self.number, self.author, self.why, self.answer)
