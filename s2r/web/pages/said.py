"""What is said after an action, on the page that follows it: kept for one page, in this process."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass

from fastapi import Request

_MOST = 2000
_mutex = threading.Lock()
_kept: OrderedDict[str, tuple[str, Said]] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, the row that it is about, and whether its decision can be undone."""

    text: str
    row: str = ""
    undo: bool = False


def keep(said: Said, user: str) -> str:
    """Keep a sentence for a user; what is returned is passed on as the parameter `said`."""
    token = secrets.token_urlsafe(6)
    with _mutex:
        _kept[token] = (user, said)
        while len(_kept) > _MOST:
            _kept.popitem(last=False)
    return token


def told(request: Request, user: str) -> Said | None:
    """The sentence that an address names, to the user whom it is for; it stays, so that a reload shows it again."""
    with _mutex:
        whom, said = _kept.get(request.query_params.get("said", ""), ("", None))
    return said if whom == user else None
