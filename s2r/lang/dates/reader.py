# ruff: noqa: E501 - word lists and patterns stay on one line
"""Read all date expressions of a text: find candidates, settle overlaps and ranges, resolve them in reading order."""

from __future__ import annotations

import datetime as dt
import re

from s2r.lang.dates.candidate import Candidate, Shift, Week
from s2r.lang.dates.cjk import HAN, HANGUL, find_han, find_hangul, han_regions
from s2r.lang.dates.dateline import is_dateline_position, is_stamp
from s2r.lang.dates.grammar import grammar
from s2r.lang.dates.names import WORDS, language_of
from s2r.lang.dates.numeric import find_founding_years, find_numeric, utc_stamp
from s2r.lang.dates.resolve import Context, Resolved, resolve
from s2r.lang.dates.scan import Scanned, foreign, scan
from s2r.lang.dates.spelled import find_spelled
from s2r.lang.dates.western import find_named
from s2r.models.evidence import DateMention, Precision

COUNTRY_ZONES = {
    "US": "America/New_York", "CA": "America/Toronto", "MX": "America/Mexico_City", "BR": "America/Sao_Paulo", "AR": "America/Argentina/Buenos_Aires",
    "CL": "America/Santiago", "CO": "America/Bogota", "PE": "America/Lima", "GB": "Europe/London", "IE": "Europe/Dublin", "PT": "Europe/Lisbon",
    "FR": "Europe/Paris", "DE": "Europe/Berlin", "AT": "Europe/Vienna", "CH": "Europe/Zurich", "IT": "Europe/Rome", "ES": "Europe/Madrid",
    "NL": "Europe/Amsterdam", "BE": "Europe/Brussels", "LU": "Europe/Luxembourg", "SE": "Europe/Stockholm", "NO": "Europe/Oslo", "DK": "Europe/Copenhagen",
    "FI": "Europe/Helsinki", "IS": "Atlantic/Reykjavik", "PL": "Europe/Warsaw", "CZ": "Europe/Prague", "HU": "Europe/Budapest", "GR": "Europe/Athens",
    "RO": "Europe/Bucharest", "TR": "Europe/Istanbul", "RU": "Europe/Moscow", "IL": "Asia/Jerusalem", "EG": "Africa/Cairo", "SA": "Asia/Riyadh",
    "AE": "Asia/Dubai", "ZA": "Africa/Johannesburg", "NG": "Africa/Lagos", "KE": "Africa/Nairobi", "IN": "Asia/Kolkata", "TH": "Asia/Bangkok",
    "VN": "Asia/Ho_Chi_Minh", "MY": "Asia/Kuala_Lumpur", "SG": "Asia/Singapore", "ID": "Asia/Jakarta", "PH": "Asia/Manila", "HK": "Asia/Hong_Kong",
    "CN": "Asia/Shanghai", "TW": "Asia/Taipei", "KR": "Asia/Seoul", "JP": "Asia/Tokyo", "AU": "Australia/Sydney", "NZ": "Pacific/Auckland",
    "PK": "Asia/Karachi", "BD": "Asia/Dhaka", "LK": "Asia/Colombo", "EE": "Europe/Tallinn", "LV": "Europe/Riga", "LT": "Europe/Vilnius",
}  # fmt: skip
_MONTH_FIRST = ("US", "PH")
_STOPWORDS = {
    "en": "the of and to in that has its from with by shares listing", "de": "der die das und den von mit wird dem für aktien börse", "fr": "le la les des et du une est sur actions cotation",
    "it": "il di che la dalla delle azioni per del con dal quotazione", "es": "el la los las de que del por acciones bolsa con", "pt": "o os da do das que em para ações bolsa com não",
    "nl": "de het een van en dat aandelen beurs voor wordt met", "sv": "och att av på för den som aktier aktierna från har", "no": "og av på for som aksjer aksjene fra har ble ikke", "da": "og af på for som aktier aktierne fra har blev ikke",
    "fi": "ja on osakkeet yhtiön osakkeiden pörssin joka ovat mukaan kaupankäynti", "pl": "i w z na spółki akcji obrotu giełdy się dnia oraz", "tr": "ve bir bu için olarak borsa payları şirket ile pay",
    "id": "yang dan di pada dari saham dengan bursa perseroan efek", "ms": "yang dan di pada dari saham dengan bursa syarikat itu", "vi": "của và cổ phiếu niêm yết ngày các công ty theo",
    "cs": "a v na se že akcie burza dne společnosti", "hu": "a az és részvény tőzsde hogy társaság", "ro": "și de la din acțiunilor bursa pentru", "ca": "el la els de i del accions borsa amb",
}  # fmt: skip
_STOPSETS = {lang: frozenset(words.split()) for lang, words in _STOPWORDS.items()}
_SCRIPTS = (
    (re.compile("[\u0e00-\u0e7f]"), "th"),
    (re.compile("[\u0900-\u097f]"), "hi"),
    (re.compile("[\u0600-\u06ff]"), "ar"),
    (re.compile("[\u0400-\u04ff]"), "ru"),
    (re.compile("[\u0370-\u03ff]"), "el"),
)
_EN_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)")
_SLASHED = re.compile(r"/(\d{1,2})/(?:19|20)?\d\d(?![\w/])")  # begins with a sign, by which it is found first
_BEFORE_SLASH = re.compile(r"(?<![\w/.-])(\d{1,2})\Z")
_WORD = re.compile(r"[^\W\d_]+")
_KANA = re.compile("[\u3041-\u30ff]")
_AFTER_WEEKDAY = re.compile(r"[,(]?\s{0,2}(?:den|dem|the|le|d\.|dnia|ngày|tanggal|,)?\s{0,2}")
_HAN_RANGE = re.compile(r"\s?(?:至|到|から|~|-|—|―|より|부터|에서|起至|及び|及|および)\s?(?:[((][^()()]{1,4}[))])?")
_ANY_RANGE = re.compile(r"\s{0,3}(?:~|-|s/d|至)\s{0,3}")
_PAREN_RANGE = re.compile(r"[((][月火水木金土日월화수목금토일][))]\s?(?:~|-|から|至|부터)\s?")


def language_guess(text: str) -> str:
    """Language whose function words or script the text shows most; "en" when nothing decides."""
    sample = text[:20000]
    if sum(map(len, HANGUL.findall(sample))) * 20 > len(sample) * 3:
        return "ko"
    han = sum(map(len, HAN.findall(sample)))
    if han * 20 > len(sample) * 3:
        return "ja" if len(_KANA.findall(sample)) * 12 > han else "zh"
    for pattern, lang in _SCRIPTS:
        if len(pattern.findall(sample)) * 4 > len(sample):
            return lang
    counts = dict.fromkeys(_STOPSETS, 0)
    for word in _WORD.findall(sample):
        for lang, words in _STOPSETS.items():
            if word in words:
                counts[lang] += 1
    best = max(counts, key=lambda lang: counts[lang])
    return best if counts[best] else "en"


def date_order(lang: str, country: str) -> str:
    """Order of numeric dates: month first only in the United States and the Philippines, or in American English."""
    if country:
        return "mdy" if country.upper() in _MONTH_FIRST else "dmy"
    return "mdy" if lang.replace("_", "-").lower() in ("en-us", "en-ph") else ("" if lang in ("en", "") else "dmy")


def read_dates(
    text: str,
    *,
    lang: str = "",
    country: str = "",
    anchor: dt.date | None = None,
    timezone: str = "",
    order: str = "",
    fallback: dt.date | None = None,
) -> tuple[DateMention, ...]:
    """All date expressions of `text` in reading order, with offsets into it; never raises, linear in the length of the text.

    `anchor` is the document's own date (its dateline), against which "yesterday" or "3 October" are resolved; without it a
    dateline is looked for in the text. Days are local days at the venue: `timezone`, else the time zone of `country`.
    `fallback` is a weaker date of the document, such as page metadata, for texts that state none.
    `order` (dmy, mdy) overrides the order of numeric dates that follows from country and language.
    """
    scanned = scan(text)
    key = language_of(lang) if lang else ""
    key = key or language_guess(scanned.text)
    country = country.upper() or {"ja": "JP", "ko": "KR", "th": "TH"}.get(key, "")
    candidates = _find(scanned, key, country, order or _evident_order(scanned.text) or date_order(lang or key, country))
    zone = timezone or COUNTRY_ZONES.get(country, "")
    alone: list[Resolved] = []
    if anchor is None:
        alone = resolve(candidates, scanned.text, Context(None, zone))
        anchor = _own_dateline(alone, scanned)
        fallback = fallback or _first_day(alone, scanned.text)
        if anchor is None and fallback is None:
            return tuple(_mention(r, scanned, None) for r in alone)
    resolved = resolve(candidates, scanned.text, Context(anchor, zone, fallback), alone)
    return tuple(_mention(r, scanned, anchor) for r in resolved)


def find_dateline(text: str, *, lang: str = "", country: str = "", timezone: str = "") -> dt.date | None:
    """The date that the text gives as its own: at its head after a place, as a stamp, or after a label such as "press release of"."""
    scanned = scan(text)
    key = (language_of(lang) if lang else "") or language_guess(scanned.text)
    candidates = _find(scanned, key, country.upper(), date_order(lang or key, country))
    return _own_dateline(resolve(candidates, scanned.text, Context(None, timezone or COUNTRY_ZONES.get(country.upper(), ""))), scanned)


def _evident_order(text: str) -> str:
    """Order proven by slash dates of this text that can only be read one way; "" when there are none or they disagree."""
    votes = {"dmy": 0, "mdy": 0}
    for m in _SLASHED.finditer(text):
        if (first := _BEFORE_SLASH.search(text, max(0, m.start() - 3), m.start())) is None:
            continue
        a, b = int(first[1]), int(m[1])
        if 12 < a <= 31 and 1 <= b <= 12:
            votes["dmy"] += 1
        elif 12 < b <= 31 and 1 <= a <= 12:
            votes["mdy"] += 1
    if votes["dmy"] and not votes["mdy"]:
        return "dmy"
    return "mdy" if votes["mdy"] and not votes["dmy"] else ""


def _find(scanned: Scanned, lang: str, country: str, order: str) -> list[Candidate]:
    text = scanned.text
    found: list[Candidate] = list(find_numeric(text, order=order, country=country, lang=lang))
    if lang in WORDS:
        found += find_named(scanned, lang)
        if lang != "en" and _EN_MONTH.search(text):
            found += find_named(scanned, "en", relative=False)
    else:
        found += find_named(scanned, "en", relative=lang not in ("ja", "zh", "ko"))
    found += find_founding_years(text)
    found += find_spelled(text, lang)
    letters = "".join(foreign(text))
    if HAN.search(letters):
        for start, end in han_regions(text, HAN):
            found += (_moved(c, start) for c in find_han(text[start:end], lang=lang, country=country))
    if HANGUL.search(letters):
        for start, end in han_regions(text, HANGUL):
            found += (_moved(c, start) for c in find_hangul(text[start:end]))
    kept = [_with_stamp(c, text) for c in _with_weekday(_settle(found), text)]
    return _ranges(kept, text, lang)


def _moved(c: Candidate, by: int) -> Candidate:
    return c._replace(start=c.start + by, end=c.end + by) if by else c


def _with_weekday(kept: list[Candidate], text: str) -> list[Candidate]:
    """Join a bare weekday to the date right after it ("Freitag, 13.1.2017") and remember it, so that a mismatch shows."""
    out: list[Candidate] = []
    for c in kept:
        last = out[-1] if out else None
        if (
            last
            and last.shift is Shift.WEEKDAY
            and last.week is Week.BARE
            and c.day
            and c.month
            and _AFTER_WEEKDAY.fullmatch(text, last.end, c.start)
        ):
            out[-1] = c._replace(start=last.start, weekday=last.weekday)
        else:
            out.append(c)
    return out


def _with_stamp(c: Candidate, text: str) -> Candidate:
    if c.day is None or c.year is None or c.shift is not Shift.NONE:
        return c
    stamp = utc_stamp(text, c.end)
    return c if stamp is None else c._replace(end=stamp[0], utc=stamp[1])


def _settle(found: list[Candidate]) -> list[Candidate]:
    """The longest candidates win where they overlap; among equals the one found first. Sorted by start."""
    kept: list[Candidate] = []
    cluster: list[Candidate] = []
    reach = -1
    for c in sorted(found, key=lambda c: c.start):  # stable: the order of finding decides among equals
        if c.start >= reach:
            kept += _winners(cluster)
            cluster = []
        cluster.append(c)
        reach = max(reach, c.end)
    return kept + _winners(cluster)


def _winners(cluster: list[Candidate]) -> list[Candidate]:
    if len(cluster) <= 1:
        return cluster
    kept: list[Candidate] = []
    for c in sorted(cluster, key=lambda c: (-(c.rank if c.rank > 1 else 0), c.start - c.end, -c.rank)):
        if all(c.end <= k.start or k.end <= c.start for k in kept):
            kept.append(c)
    return sorted(kept, key=lambda c: c.start)


def _ranges(kept: list[Candidate], text: str, lang: str) -> list[Candidate]:
    """Mark two dates joined by "to" as the ends of a range: both report the whole span; the first inherits what it lacks."""
    out = list(kept)
    g = grammar(lang) if lang in WORDS else grammar("en")
    for i in range(len(out) - 1):
        a, b = out[i], out[i + 1]
        gap = text[a.end : b.start]
        if len(gap) > 40 or a.raw or b.raw or a.shift is Shift.NULL or b.shift is Shift.NULL:
            continue
        if (not (a.day or a.month) or not (b.day or b.month)) and not (a.year and b.year and a.month is None and b.month is None):
            continue
        joined = any(p.fullmatch(gap) for p in (_ANY_RANGE, _HAN_RANGE, _PAREN_RANGE, g.between))
        if not joined and g.between_and is not None and g.between_and.fullmatch(gap):
            opener = WORDS[g.lang].range_open.replace(" ", r"\s")
            joined = bool(opener and re.search(rf"(?<!\w)(?:{opener})\s{{0,3}}$", text[max(0, a.start - 24) : a.start]))
        if not joined:
            continue
        span = (a.start, b.end)
        year, shift, amount = a.year, a.shift, a.amount
        if a.month is not None and a.year is None and a.shift is Shift.NONE and b.month is not None:
            year, shift, amount = b.year, b.shift, b.amount
        out[i] = a._replace(raw=span, year=year, shift=shift, amount=amount, flags=(*a.flags, "range_start"))
        if b.month is None and b.day is not None and a.month is not None and "day_only" in b.flags:
            flags = tuple(f for f in b.flags if f != "day_only")
            b = b._replace(month=a.month, year=a.year, shift=a.shift, amount=a.amount, flags=flags)
        elif b.month is not None and b.year is None and a.year is not None and b.shift is Shift.NONE:
            year = a.year + (1 if (b.month, b.day or 0) < (a.month or 0, a.day or 0) else 0)
            b = b._replace(year=year)
        if b.year is None and b.month is not None:
            b = b._replace(tense=a.tense)  # "until" closes the period, and says nothing of the time to come
        out[i + 1] = b._replace(raw=span, flags=(*b.flags, "range_end"))
    return out


def _own_dateline(resolved: list[Resolved], scanned: Scanned) -> dt.date | None:
    for r in resolved[:6]:
        c = r.candidate
        if r.day is None or c.shift is not Shift.NONE or c.year is None or c.raw:
            continue
        if is_dateline_position(scanned.original, scanned.origin(c.start), scanned.origin(c.end)):
            return r.day
    return None


def _first_day(resolved: list[Resolved], text: str) -> dt.date | None:
    """The first complete date that is no page stamp."""
    seen = 0
    for r in resolved:
        c = r.candidate
        if c.year and r.day and not is_stamp(text[max(seen, c.start - 40) : c.start]):
            return r.day
        seen = c.end
    return None


def _mention(r: Resolved, scanned: Scanned, anchor: dt.date | None) -> DateMention:
    start, end = r.candidate.raw or (r.candidate.start, r.candidate.end)
    at, to = scanned.origin(start), scanned.origin(end)
    flags = r.flags
    if anchor and r.day and r.day > anchor:
        flags = (*flags, "future")
    return DateMention(
        raw=scanned.original[at:to], start=at, end=to, value=r.value, precision=r.precision, rule=r.candidate.rule, flags=flags
    )


__all__ = ["COUNTRY_ZONES", "Precision", "date_order", "find_dateline", "language_guess", "read_dates"]
