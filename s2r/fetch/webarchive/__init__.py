"""Pages as web archives kept them: the Wayback Machine and every archive that speaks Memento (RFC 7089)."""

from s2r.fetch.webarchive.cdx import CdxRow
from s2r.fetch.webarchive.choice import InTime, LiveOrArchived
from s2r.fetch.webarchive.client import Endpoints, Found, Memento, Snapshot, WebArchive, archive_limits, archive_urls, archives_of
from s2r.fetch.webarchive.errors import ArchiveBroken, ArchiveBusy, ArchiveRefused, NoCapture
from s2r.fetch.webarchive.rfc7089 import TimeMap
from s2r.fetch.webarchive.source import ArchivedPages

__all__ = [
    "ArchiveBroken",
    "ArchiveBusy",
    "ArchiveRefused",
    "ArchivedPages",
    "CdxRow",
    "Endpoints",
    "Found",
    "InTime",
    "LiveOrArchived",
    "Memento",
    "NoCapture",
    "Snapshot",
    "TimeMap",
    "WebArchive",
    "archive_limits",
    "archive_urls",
    "archives_of",
]
