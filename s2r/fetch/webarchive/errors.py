"""What a web archive answers in place of a capture, and what its answers mean: never "no captures" for a failure."""

from __future__ import annotations

from s2r.errors import S2RError, SourceBroken, SourceError, SourceRefused
from s2r.net.hints import is_limited
from s2r.net.reply import Reply

_OWNER = ("AdministrativeAccessControlException", "AccessControlException", "excluded from the Wayback Machine")
_ROBOTS = ("RobotAccessControlException", "RobotsAccessControlException", "blocked by robots.txt")
_HEAD = 200_000


class NoCapture(SourceError):
    """The archive itself says that it holds no such capture."""


class ArchiveRefused(SourceRefused):
    """The archive does not show this site: its owner, the archive or robots.txt excludes it. It may well hold captures."""


class ArchiveBusy(SourceRefused):
    """The archive asks to slow down."""


class ArchiveBroken(SourceBroken):
    """The archive failed, or its answer cannot be read: cut short, a page in place of data, rows that are none."""


def read_refusal(reply: Reply, subject: str) -> S2RError | None:
    """The error that an answer of the archive's own means, None for one that may hold data; not for stored pages."""
    words = reply.header("x-archive-wayback-runtime-error") + reply.body[:_HEAD].decode("utf-8", "replace")
    if any(mark in words for mark in _ROBOTS):
        return ArchiveRefused("the archive does not show it, because the site's robots.txt excludes it", subject=subject, advice=_LOOK)
    if any(mark in words for mark in _OWNER):
        return ArchiveRefused("the site is excluded from the archive", subject=subject, advice=_LOOK)
    if is_limited(reply.status, reply.body):
        return ArchiveBusy(f"the archive asks to slow down (status {reply.status})", subject=subject, advice="Run the row again later.")
    if reply.status in (404, 410):
        return NoCapture(f"the archive says that it has no capture (status {reply.status})", subject=subject)
    if reply.status >= 500:
        return ArchiveBroken(f"the archive failed (status {reply.status})", subject=subject, advice="Run the row again later.")
    if reply.status >= 400:
        return ArchiveBroken(f"the archive refuses the request (status {reply.status})", subject=subject, advice="Check the address.")
    return None


_LOOK = "Look for a copy in another archive, or add the page to a pool."
