"""Which questions to ask for a listing, in which languages; pure.

Quoted parts must occur on a page, the other words help ranking. Official sources come first, then names with the event's words
in the languages of the market, identifiers, and venue terms; the order is fixed, so that a caller may cut the list.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from s2r.lang.name_parts import bare, core_name, former_names, has_cjk, local_names, name_variants
from s2r.lang.name_words import CJK_INDUSTRY, CJK_STRUCTURE, LEADING, is_distinctive, is_generic
from s2r.lang.text import fold
from s2r.models import Listing, Query
from s2r.policy import Policy, Venue, squeezed

_EVENT_WORDS = 2  # phrases per language: the best one and one other; more cost a request each and find little
_OFFICIAL = 4  # official sources asked per listing
_VENUE_TERMS = 3
_SHORT_TICKER = 2  # one or two letters are words of every text: never without the venue
_SCRIPT_ALIASES = 2
_RECEIPTS = frozenset({"adr", "ads", "gdr", "depositary receipt", "depositary receipts"})
_SCRIPT_LANGUAGE = {"HANGUL": "ko", "DEVANAGARI": "hi", "THAI": "th", "ARABIC": "ar", "HEBREW": "he", "GREEK": "el", "CYRILLIC": "ru"}
_SITE_LABEL = 8  # letters of a name run together that are no other word
_SINGLE_WORD = 5  # letters that a word needs to stand for a company alone
_MAX_QUERIES = 40


def build_queries(listing: Listing, policy: Policy) -> tuple[Query, ...]:
    """Distinct queries for one listing, best first; needs an issuer name or an identifier to give any."""
    venue = policy.venues.get(listing.mic)
    languages = market_languages(venue, policy)
    names = _main_names(listing.issuer)
    native = (*names, *local_names(listing.issuer))[-1:]  # the name that pages in the market's language use
    found = [
        *_official_queries(native, venue, languages, policy),
        *_name_queries(names, listing.issuer, languages, policy),
        *_site_queries(listing.issuer),
        *_local_queries(listing.issuer, languages, policy),
        *_former_queries(listing.issuer, languages, policy),
        *_identifier_queries(listing, venue),
        *_short_queries(listing, venue, languages, policy),
        *_venue_queries(native, listing, venue, languages),
        *_script_queries(listing, venue, policy),
    ]
    seen: set[tuple[str, str]] = set()
    distinct: list[Query] = []
    for query in found:
        key = (query.text.casefold(), query.site)
        if key not in seen:
            seen.add(key)
            distinct.append(query)
    return tuple(distinct[:_MAX_QUERIES])


def official_queries(listing: Listing, policy: Policy, day: dt.date | None = None) -> tuple[Query, ...]:
    """Further questions to the official sources of the venue, beside those of `build_queries`: the issuer's name with other words for
    the event, and with the year of `day`."""
    venue = policy.venues.get(listing.mic)
    languages = market_languages(venue, policy)
    names = (*_main_names(listing.issuer), *local_names(listing.issuer))[-1:]
    if not venue or not names:
        return ()
    words = [*_event_words(languages[0], policy)[1 : 1 + _EVENT_WORDS], *([str(day.year)] if day else [])]
    known = {(query.text.casefold(), query.site) for query in build_queries(listing, policy)}
    found = [
        Query(text=_text(names, [word]), lang=languages[0], kind="official", site=site)
        for site in dict.fromkeys(official.domain for official in venue.official[:_OFFICIAL])
        for word in dict.fromkeys(words)
    ]
    return tuple(query for query in found if (query.text.casefold(), query.site) not in known)


def market_languages(venue: Venue | None, policy: Policy) -> tuple[str, ...]:
    """Languages to search in that have a lexicon: those of the venue, then English."""
    wanted = [*(venue.languages if venue else ()), "en"]
    known = [found for lang in wanted if (found := _lexicon_language(lang, policy))]
    return tuple(dict.fromkeys(known)) or ("en",)


def _lexicon_language(lang: str, policy: Policy) -> str:
    """The lexicon that serves a language tag: itself, else its primary language."""
    for tag in (lang, lang.lower(), lang.split("-", maxsplit=1)[0].lower()):
        if tag in policy.lexicons:
            return tag
    return ""


def _main_names(issuer: str) -> tuple[str, ...]:
    """Names of the issuer in the script of its main name, the full one first, then the one without legal form."""
    local, former = set(local_names(issuer)), set(former_names(issuer))
    return tuple(name for name in name_variants(issuer) if name not in local and name not in former)[:2]


def _official_queries(names: tuple[str, ...], venue: Venue | None, languages: tuple[str, ...], policy: Policy) -> Iterator[Query]:
    if not venue or not names:
        return
    words = _event_words(languages[0], policy)[:1]
    for source in dict.fromkeys(official.domain for official in venue.official[:_OFFICIAL]):
        yield Query(text=_text([names[-1]], words), lang=languages[0], kind="official", site=source)


def _name_queries(names: tuple[str, ...], issuer: str, languages: tuple[str, ...], policy: Policy) -> Iterator[Query]:
    """The main name alone, then with the event in each language; where there is a local name, that one is used for local words."""
    for name in names:
        yield Query(text=_quote(name), kind="name")
    for lang in (["en"] if local_names(issuer) else languages) if names else ():
        for word in _event_words(lang, policy)[:_EVENT_WORDS]:
            yield Query(text=_text([names[-1]], [word]), lang=lang, kind="name")


def _site_queries(issuer: str) -> Iterator[Query]:
    """The name as it stands in the address of the issuer's site, whose pages often do not name the issuer."""
    label = squeezed(core_name(issuer))
    if len(label) >= _SITE_LABEL and " " in core_name(issuer).strip():
        yield Query(text=_quote(label), kind="site")


def _local_queries(issuer: str, languages: tuple[str, ...], policy: Policy) -> Iterator[Query]:
    names = local_names(issuer)
    for name in names:
        yield Query(text=_quote(name), lang=languages[0], kind="local")
    for word in _event_words(languages[0], policy)[:_EVENT_WORDS] if names else ():
        yield Query(text=_text([names[-1]], [word]), lang=languages[0], kind="local")


def _former_queries(issuer: str, languages: tuple[str, ...], policy: Policy) -> Iterator[Query]:
    for name in former_names(issuer):
        yield Query(text=_quote(name), kind="name")
    for name in former_names(issuer)[-1:]:
        for lang in languages[:1]:
            yield Query(text=_text([name], _event_words(lang, policy)[:1]), lang=lang, kind="name")


def _identifier_queries(listing: Listing, venue: Venue | None) -> Iterator[Query]:
    place = venue_short_name(listing, venue)
    for text in (listing.isin, listing.lei):
        if text:
            yield Query(text=_quote(text), kind="identifier")
    ticker = listing.ticker.strip()
    if ticker and len(ticker) <= _SHORT_TICKER:
        if place:
            yield Query(text=_text([ticker, place], []), kind="identifier")
    elif ticker:
        yield Query(text=_text([ticker], [place]), kind="identifier")
    number = listing.cik.lstrip("0")
    if number.isdigit():
        yield Query(text=_text([number], ["CIK"]), kind="identifier")


def _venue_queries(names: tuple[str, ...], listing: Listing, venue: Venue | None, languages: tuple[str, ...]) -> Iterator[Query]:
    place = venue_short_name(listing, venue)
    if names and place:
        yield Query(text=_text([names[-1]], [place]), lang=languages[0], kind="venue")
    for term in (venue.terms[:_VENUE_TERMS] if venue else ()) if names else ():
        yield Query(text=_text([names[-1]], [term]), lang=languages[0], kind="venue")


def _short_queries(listing: Listing, venue: Venue | None, languages: tuple[str, ...], policy: Policy) -> Iterator[Query]:
    """Short forms as the press uses them, always with the event and the venue beside them."""
    words = [*_event_words(languages[0], policy)[:1], venue_short_name(listing, venue)]
    for name in short_names(core_name(listing.issuer)):
        yield Query(text=_text([name], words), lang=languages[0], kind="name")
    for name in dict.fromkeys(short for local in local_names(listing.issuer)[-1:] for short in short_names(local)):
        yield Query(text=_text([name], words), lang=languages[0], kind="local")


def _script_queries(listing: Listing, venue: Venue | None, policy: Policy) -> Iterator[Query]:
    """Notices about the venue in a script in which the issuer's name is not known: in the languages of the venue, and for
    depositary receipts, whose issuer is at home elsewhere, in every language that has a name for the venue in its own script."""
    if not venue or not listing.issuer or local_names(listing.issuer) or has_cjk(listing.issuer):
        return
    abroad = listing.security_type.casefold() in _RECEIPTS
    at_home = {tag.split("-", maxsplit=1)[0] for tag in venue.languages} | set(venue.languages)
    asked: dict[str, list[str]] = {}
    for alias in venue.aliases:
        lang = script_language(alias)
        if lang and (abroad or lang in at_home):
            asked.setdefault(lang, []).append(alias)
    for lang, aliases in sorted(asked.items()):
        words = _event_words(_lexicon_language(lang, policy), policy)[:1]
        for alias in aliases[: _SCRIPT_ALIASES if lang in at_home else 1]:
            yield Query(text=_text([alias], words), lang=lang, kind="venue")


@lru_cache(maxsize=1024)  # venues have few names, and every row asks for them
def script_language(name: str) -> str:
    """Language of a venue name that its script tells, "" for Latin and for names that may be of several languages.

    In names of exchanges the character for "securities" tells Chinese and Japanese apart.
    """
    scripts = {unicodedata.name(c, "").split(" ", maxsplit=1)[0] for c in name if c.isalpha()}
    if "CJK" in scripts or scripts & {"HIRAGANA", "KATAKANA"}:
        if scripts & {"HIRAGANA", "KATAKANA"}:
            return "ja"
        return next((lang for char, lang in (("证", "zh-Hans"), ("證", "zh-Hant"), ("証", "ja")) if char in name), "")
    return next((lang for script, lang in _SCRIPT_LANGUAGE.items() if script in scripts), "")


def short_names(core: str) -> tuple[str, ...]:
    """Shorter forms of a name without legal form: without its line of business, and its first and last distinctive word or stem.

    "Kurrajong Ridge Resources" gives "Kurrajong Ridge", "Kurrajong"; "海屿精密制造" gives "海屿精密", "海屿".
    """
    if has_cjk(core):
        return _short_cjk(core)
    words = re.findall(r"[^\W_]+(?:[&'’.-][^\W_]+)*", core)
    plain = [bare(fold(word).text) for word in words]
    first = next((i for i, word in enumerate(plain) if word not in LEADING), 0)
    last = len(words)
    while last > first + 1 and is_generic(plain[last - 1]):
        last -= 1
    single = [word for word, form in zip(words, plain, strict=True) if is_distinctive(form) and len(form) >= _SINGLE_WORD]
    forms = [" ".join(words[first:last]) if last - first > 1 else "", *single[:1], *single[-1:]]
    if not any(forms) and len(words) > 2:
        forms = [" ".join(words[:2])]
    return tuple(dict.fromkeys(form for form in forms if form and form != core))


def _short_cjk(core: str) -> tuple[str, ...]:
    """Structure and industry words taken off the end one by one, as long as two characters stay."""
    forms, text = [], core
    tails = sorted((*CJK_STRUCTURE, *CJK_INDUSTRY), key=len, reverse=True)
    while tail := next((t for t in tails if text.endswith(t) and len(text) - len(t) >= 2), None):
        text = text[: -len(tail)]
        forms.append(text)
    return tuple(forms)


def venue_short_name(listing: Listing, venue: Venue | None) -> str:
    """The shortest usual name of the venue (at least three letters), else the venue of the row without its brackets."""
    if venue:
        usual = [name for name in (*venue.aliases, venue.name) if len(name) >= 3 and name.isascii()]
        return min(usual, key=lambda name: (len(name), usual.index(name)), default=venue.name)
    return re.sub(r"\s*\([^)]*\)", "", listing.venue).strip()


def _event_words(lang: str, policy: Policy) -> tuple[str, ...]:
    lexicon = policy.lexicons.get(lang)
    return lexicon.query if lexicon else ()


def _text(must: Iterable[str], words: Iterable[str]) -> str:
    return " ".join([*(_quote(part) for part in must), *(word for word in words if word)])


def _quote(part: str) -> str:
    """`part` as a phrase; quotation marks inside a name would end it."""
    inner = "".join(" " if unicodedata.category(c) in ("Pi", "Pf", "Cc") or c == '"' else c for c in part)
    return '"' + " ".join(inner.split()) + '"'
