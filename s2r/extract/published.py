"""All claims of a document about its own date, with their origin; none is chosen here.

Stamps keep the calendar day as written. A stamp in UTC has the flag `utc`, one with another offset `offset`: the local day at
a venue can differ. Flags: modified, utc, offset, low_trust, boilerplate, ambiguous, malformed, not_listed.
"""

from __future__ import annotations

import datetime as dt
import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from s2r.extract.boilerplate import words
from s2r.models import DateClaim, DateKind, Precision

logging.getLogger("htmldate").addHandler(logging.NullHandler())

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug", "september sep sept",
         "october oct", "november nov", "december dec"), 1)
    for name in names.split()
}  # fmt: skip
_ZONE = r"(?P<zone>\s*(?:Z\b|UTC\b|GMT\b|[+-]\d{2}:?\d{2}\b|[+-]\d{2}\b))"
_CLOCK = r"(?:[T\s,]+(?:at\s+)?\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:[.,]\d+)?(?:\s*[ap]\.?m\.?)?" + _ZONE + r"?)?"
_ISO = re.compile(r"(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})" + _CLOCK, re.I)
_COMPACT = re.compile(r"(?P<y>(?:19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})(?:T?\d{4,6}" + _ZONE + r"?)?\Z", re.I)
_MONTH_ONLY = re.compile(r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})\Z")
_YEAR_ONLY = re.compile(r"(?P<y>(?:19|20)\d{2})\Z")
_DMY_NAME = re.compile(
    r"(?:[a-z]{3,9}\.?,?\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)?[\s.-]+(?P<n>[a-z]{3,9})\.?,?[\s-]+(?P<y>\d{4})\b" + _CLOCK, re.I
)
_MDY_NAME = re.compile(r"(?:[a-z]{3,9}\.?,?\s+)?(?P<n>[a-z]{3,9})\.?\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>\d{4})\b" + _CLOCK, re.I)
_CTIME = re.compile(
    r"[a-z]{3}\s+(?P<n>[a-z]{3})\s+(?P<d>\d{1,2})\s+[\d:]+(?P<zone>\s+(?:UTC|GMT|[A-Z]{3,4}|[+-]\d{4}))?\s+(?P<y>\d{4})", re.I
)
_NUMERIC = re.compile(r"(?P<a>\d{1,2})(?P<s>[./-])(?P<b>\d{1,2})(?P=s)(?P<y>\d{4})\b" + _CLOCK, re.I)
_CJK = re.compile(r"(?P<y>\d{4})\s*[年년]\s*(?P<m>\d{1,2})\s*[月월]\s*(?P<d>\d{1,2})\s*[日일]")
_EPOCH = re.compile(r"\d{10}(?:\d{3})?\Z")

_PUBLISHED = words("""
articlepublishedtime articlepublished ogpublishedtime ogarticlepublishedtime ogpubdate datepublished date dcdate dcdateissued dcdatecreated
dcdatepublished dctermsdate dctermsissued dctermscreated dctermsavailable dctermspublished pubdate publishdate publisheddate publishtime
publishedtime publicationdate publisheddatetime publishdatetime publishedatdate publishedat citationdate citationpublicationdate
citationonlinedate sailthrudate parselypubdate btpubdate originalpublicationdate articledateoriginal articledate articlecreated displaydate
cxenseparserecspublishtime rnewsdatepublished created datecreated prismpublicationdate eprintsdate shareaholicarticlepublishedtime
releasedate vrpublishedtime issued dateissued issuedate ptime pdate timestamp firstpublished rbpubdate contentdate docdate newsdate
""")
_MODIFIED = words("""
articlemodifiedtime articlemodified ogupdatedtime ogmodifiedtime lastmodified lastmod lastupdate lastupdated revised dctermsmodified
dcdatemodified datemodified articleupdated modified modifieddate modifieddatetime updatedtime updated dateupdated updateddate btmoddate
utime cxenseparserecsmodifiedtime revisiondate dateupdate uploaddate
""")
_NOT_PUBLICATION = re.compile(r"expir|event|start|end|birth|unavail|review|valid|embargo|refresh|revisit", re.I)
_NAME = re.compile(r"[^a-z0-9]")
_URL_DAY = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d{2})(?P<s>[-/_.]?)(?P<m>\d{2})(?:(?P=s)|(?<=/\d{2}))(?P<d>\d{2})(?!\d)")
_URL_NAME = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d{2})[-/_](?P<n>[a-z]{3,9})[-/_](?P<d>\d{1,2})(?!\d)", re.I)
_URL_MONTH = re.compile(r"/(?P<y>(?:19|20)\d{2})[/-](?P<m>\d{2})(?=/|\Z)")
CAPTURE = "capture"  # origin of the bound that a capture sets
_FIRST_YEAR, _LAST_YEAR = 1990, 2035
_HTMLDATE_LIMIT = 400_000


@dataclass(frozen=True, slots=True)
class Stamp:
    """A machine or plain date: ISO value (None when not certain), its precision and flags."""

    value: str | None
    precision: Precision
    flags: tuple[str, ...] = ()


_UNREAD = Stamp(None, Precision.NONE)


def read_stamp(raw: str) -> Stamp:
    """Read a date as found in metadata; a numeric day/month order that cannot be known gives None and `ambiguous`."""
    text = " ".join(raw.split())[:80].strip("'\" ")
    for pattern in (_ISO, _COMPACT, _CJK, _CTIME, _DMY_NAME, _MDY_NAME):
        if (match := pattern.match(text)) and (stamp := _day(match)):
            return stamp
    if match := _NUMERIC.match(text):
        return _numeric(match)
    if (match := _MONTH_ONLY.match(text)) and 1 <= int(match["m"]) <= 12:
        return Stamp(f"{match['y']}-{int(match['m']):02d}", Precision.MONTH)
    if match := _YEAR_ONLY.match(text):
        return Stamp(match["y"], Precision.YEAR)
    if _EPOCH.match(text):
        moment = dt.datetime.fromtimestamp(int(text[:10]), dt.UTC)
        return Stamp(moment.date().isoformat(), Precision.DAY, ("utc",))
    return _UNREAD


def _day(match: re.Match[str]) -> Stamp | None:
    parts = match.groupdict()
    month = _MONTHS.get((parts.get("n") or "").lower()) if "n" in parts else int(parts["m"])
    if month is None:
        return None
    value = _iso(int(parts["y"]), month, int(parts["d"]))
    return Stamp(value, Precision.DAY, _zone_flags(parts.get("zone"))) if value else None


def _numeric(match: re.Match[str]) -> Stamp:
    first, second, year = int(match["a"]), int(match["b"]), int(match["y"])
    flags = _zone_flags(match["zone"])
    if match["s"] == "." or first > 12 or first == second:
        value = _iso(year, second, first)
    elif second > 12:
        value = _iso(year, first, second)
    else:
        return Stamp(None, Precision.NONE, ("ambiguous",))
    return Stamp(value, Precision.DAY, flags) if value else _UNREAD


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError:
        return None


def _zone_flags(zone: str | None) -> tuple[str, ...]:
    if not zone:
        return ()
    bare = zone.strip().upper()
    return ("utc",) if bare in ("Z", "UTC", "GMT") or not bare.strip("+-0:") else ("offset",)


def claim(raw: str, origin: str, *flags: str, start: int = -1, end: int = -1, kind: DateKind = DateKind.PAGE) -> DateClaim | None:
    """A claim from a raw stamp; None when it holds no digit (templates, empty attributes)."""
    if not any(c.isdigit() for c in raw):
        return None
    stamp = read_stamp(raw)
    return DateClaim(
        raw=raw[:120],
        value=stamp.value,
        precision=stamp.precision,
        kind=kind,
        origin=origin,
        start=start,
        end=end,
        flags=tuple(dict.fromkeys((*flags, *stamp.flags))),
    )


def capture_claim(at: dt.datetime) -> DateClaim:
    """The bound that a capture sets: its bytes were public no later than `at` (a time with a zone). It is no publication date."""
    utc = at.astimezone(dt.UTC)
    return DateClaim(
        raw=utc.isoformat(timespec="seconds"),
        value=utc.date().isoformat(),
        precision=Precision.DAY,
        kind=DateKind.PAGE,
        origin=CAPTURE,
        flags=("utc",),
    )


def meta_claims(metas: Iterable[dict[str, str]]) -> list[DateClaim]:
    """Claims of meta elements, origin `meta:<name>`; unknown names that hold a full date get `not_listed`."""
    claims: list[DateClaim] = []
    for attrs in metas:
        name = (attrs.get("property") or attrs.get("name") or attrs.get("itemprop") or attrs.get("http-equiv") or "").strip()
        content = attrs.get("content", "").strip()
        bare = _NAME.sub("", name.lower())
        flags: tuple[str, ...] = ()
        if bare in _MODIFIED:
            flags = ("modified",)
        elif bare not in _PUBLISHED:
            if not re.search(r"date|publi|time|modif|updat", bare) or _NOT_PUBLICATION.search(bare):
                continue
            if read_stamp(content).precision is not Precision.DAY:
                continue
            flags = ("not_listed", "modified") if re.search(r"modif|updat", bare) else ("not_listed",)
        if found := claim(content, f"meta:{name.lower()}", *flags):
            claims.append(found)
    return claims


def url_claims(url: str) -> list[DateClaim]:
    """Dates in the path of a URL, years 1990 to 2035; low trust: upload folders and archives carry other dates."""
    path = unquote(urlsplit(url).path)
    claims: dict[str, DateClaim] = {}
    for pattern in (_URL_DAY, _URL_NAME):
        for match in pattern.finditer(path):
            stamp = _day(match)
            if stamp and stamp.value and _FIRST_YEAR <= int(stamp.value[:4]) <= _LAST_YEAR:
                claims.setdefault(stamp.value, _url_claim(match.group(), stamp.value, Precision.DAY))
    if not claims:
        for match in _URL_MONTH.finditer(path):
            if _FIRST_YEAR <= int(match["y"]) <= _LAST_YEAR and 1 <= int(match["m"]) <= 12:
                value = f"{match['y']}-{match['m']}"
                claims.setdefault(value, _url_claim(match.group().strip("/"), value, Precision.MONTH))
    return list(claims.values())


def _url_claim(raw: str, value: str, precision: Precision) -> DateClaim:
    return DateClaim(raw=raw, value=value, precision=precision, kind=DateKind.PAGE, origin="url", flags=("low_trust",))


def guessed_claim(source: str) -> DateClaim | None:
    """htmldate's guess, for pages that say nothing themselves; low trust. Bounds are fixed so that no clock is read."""
    if len(source) > _HTMLDATE_LIMIT:
        return None
    from htmldate import find_date
    from lxml.etree import LxmlError

    try:
        value = find_date(
            source,
            original_date=True,
            extensive_search=False,
            min_date=f"{_FIRST_YEAR}-01-01",
            max_date=f"{_LAST_YEAR}-12-31",
        )
    except (ValueError, TypeError, AttributeError, LxmlError, RecursionError):
        return None  # htmldate gives up on some broken trees
    return claim(value, "htmldate", "low_trust") if value else None


def kind_of_field(name: str) -> DateKind:
    """What the date in a data field (XML, JSON) is the date of, by the field's name."""
    if re.search(r"publi|pubdate|issued|created|updated|modified|released?", name, re.I):
        return DateKind.PAGE
    if re.search(r"signature|signed", name, re.I):
        return DateKind.LETTER
    return DateKind.FILING if re.search(r"fil(?:ed|ing)", name, re.I) else DateKind.OTHER


def unique(claims: Iterable[DateClaim]) -> tuple[DateClaim, ...]:
    """Claims without repetitions of the same raw text from the same origin and place."""
    return tuple({(c.origin, c.raw, c.start): c for c in claims}.values())
