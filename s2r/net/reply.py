"""What a request gives back."""

from __future__ import annotations

import json
from typing import Any

from pydantic import Field

from s2r.errors import SourceBroken
from s2r.models.listing import Frozen


class Reply(Frozen):
    """One answer, whatever its status. `headers` have lower-case names; `body` is decoded from its transfer and content codings.

    `url` was asked for, `final_url` answered; `hops` holds "<status> <address>" of each redirect on the way. `flags`: downgrade
    (https led to http). Addresses hold no secrets. `waited_s` is the time spent in queues and pauses, `elapsed_s` all time.
    """

    url: str
    final_url: str
    status: int
    headers: tuple[tuple[str, str], ...] = Field(repr=False)
    body: bytes = Field(repr=False)
    hops: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    http: str = ""
    attempts: int = 1
    waited_s: float = 0.0
    elapsed_s: float = 0.0
    asked_wait_s: float | None = None  # what the answer says about the next request
    spent: bool = False  # credits, plan or quota are used up

    def header(self, name: str) -> str:
        """The last value of a header, "" when there is none."""
        return next((value for key, value in reversed(self.headers) if key == name.lower()), "")

    @property
    def content_type(self) -> str:
        """The media type as declared."""
        return self.header("content-type")

    @property
    def text(self) -> str:
        """The body by its declared charset, else UTF-8; what does not fit is replaced."""
        charset = self.content_type.lower().partition("charset=")[2].split(";")[0].strip(" \"'") or "utf-8"
        try:
            return self.body.decode(charset, "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")

    def json_data(self) -> Any:
        """The body read as JSON; `SourceBroken` when it is not (a page, cut short, wrong charset)."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as exc:
            start = " ".join(self.text[:80].split())
            raise SourceBroken(f"no JSON in the answer with status {self.status} ({start!r})", subject=self.final_url) from exc
