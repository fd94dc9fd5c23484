"""Pages that a worker has parsed, kept for other listings and for the second look: the same bytes give the same page."""

from __future__ import annotations

import threading
from collections import OrderedDict

from s2r.extract import extract
from s2r.models import Capture, Page

MOST_CHARACTERS = 2_000_000  # of the pages kept; a page takes several times its text in memory
Key = tuple[str, str, str, str]


class Parsed:
    """The pages parsed last, by digest of their bytes and all else that `extract` is given."""

    def __init__(self, most: int = MOST_CHARACTERS) -> None:
        self._most, self._size = most, 0
        self._pages: OrderedDict[Key, Page] = OrderedDict()
        self._lock = threading.Lock()  # a worker of a cluster judges in several threads

    def page(self, capture: Capture, digest: str, url: str, title: str) -> Page:
        """The page in a capture whose bytes have this digest, which its reader has checked; raises what `extract` raises."""
        key = (digest, capture.content_type, url, title)
        with self._lock:
            if (known := self._pages.get(key)) is not None:
                self._pages.move_to_end(key)
                return known
        page = extract(capture.body, capture.content_type, url, digest=digest, fallback_title=title)
        with self._lock:
            if key not in self._pages:
                self._pages[key] = page
                self._size += len(page.text)
            while self._size > self._most:
                _, gone = self._pages.popitem(last=False)
                self._size -= len(gone.text)
        return page
