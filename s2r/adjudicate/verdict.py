"""One verdict of the rules: pages prepared once, judged one by one, and brought together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2r.adjudicate.rules.candidates import Judged
from s2r.adjudicate.rules.combine import decide, judge_document
from s2r.adjudicate.rules.document import Document, block_languages, prepare
from s2r.adjudicate.rules.identity import INFLECTING
from s2r.adjudicate.rules.lexis import Lexis, Line, compile_lexicon
from s2r.adjudicate.rules.shortnames import listed_names
from s2r.adjudicate.rules.sources import kind_of
from s2r.adjudicate.rules.target import inflected_name, make_target
from s2r.lang.names import Strength, name_matcher
from s2r.lang.recent import LARGE_PAGE, RECENT, Recent
from s2r.models import Listing, Page, Verdict
from s2r.policy import DateLexicon, Policy, Venue

SHORT_PAGE = 600  # characters; the language of a shorter page is not surely told
_LINES: dict[tuple[str, str], Sequence[Line]] = {}  # parsed once per policy and language
_LEXIS: dict[tuple[str, ...], Lexis] = {}  # one per policy and set of languages; a handful of entries


def lexis_for(policy: Policy, languages: Sequence[str]) -> Lexis:
    """Compiled phrases of the languages that have a lexicon; English is always read (tables, tickers, foreign notices)."""
    chosen = tuple(code for code in dict.fromkeys((*languages, "en")) if code in policy.lexicons)
    key = (policy.digest, *chosen)
    if key not in _LEXIS:
        for code in chosen:
            if (policy.digest, code) not in _LINES:
                _LINES[policy.digest, code] = compile_lexicon(policy.lexicons[code])
        _LEXIS[key] = Lexis(_LINES[policy.digest, code] for code in chosen)
    return _LEXIS[key]


def adjudicate(
    listing: Listing, pages: Sequence[Page], policy: Policy, *, coverage_sufficient: bool = True, coverage_cause: str = ""
) -> Verdict:
    """Decide one listing from its pages. Deterministic: the same pages in any order give the same verdict.

    `coverage_sufficient` is the policy's word on what was searched: without it a missing event is an abstention with
    `coverage_cause`, never a no.
    """
    return adjudicate_documents(listing, pages, policy, coverage_sufficient=coverage_sufficient, coverage_cause=coverage_cause)[0]


def adjudicate_documents(
    listing: Listing, pages: Sequence[Page], policy: Policy, *, coverage_sufficient: bool = True, coverage_cause: str = ""
) -> tuple[Verdict, tuple[Judged, ...]]:
    """As `adjudicate`, with what was read in each document, in the order of their addresses."""
    venue = policy.venues.get(listing.mic)
    target = make_target(listing, policy, lexis_for(policy, venue.languages if venue else ()))
    documents = [_prepare(page, number, listing, policy) for number, page in enumerate(sorted(pages, key=lambda p: (p.url, p.digest)))]
    judged = tuple(judge_document(doc, target, policy) for doc in documents)
    return decide(target, judged, policy, coverage_sufficient=coverage_sufficient, coverage_cause=coverage_cause), judged


def read_document(page: Page, listing: Listing, policy: Policy) -> Document:
    """One page as the rules read it for a listing."""
    return _prepare(page, 0, listing, policy)


_READ: Recent[tuple[str, str, int, str, str, str], tuple[Page, Policy, Document]] = Recent(RECENT)


def _prepare(page: Page, number: int, listing: Listing, policy: Policy) -> Document:
    """The page as the rules read it; for listings of one venue it is read once while it is among the last ones."""
    venue = policy.venues.get(listing.mic)
    stated = listing.country if policy.ruling("country_means") == "venue" else ""  # of the issuer: says nothing about dates
    kind = kind_of(page, policy, listing)
    key = (page.digest, page.url, id(policy), listing.mic, stated, kind)  # the policy is kept beside the document, so its id stays its own
    known = _READ.get(key)
    if known is not None and known[0].text is page.text and known[0] == page:
        return replace(known[2], order=number)
    document = _read(page, number, venue, stated, kind, policy)
    if len(page.text) <= LARGE_PAGE:
        _READ.keep(key, (page, policy, document))
    return document


def _read(page: Page, number: int, venue: Venue | None, stated: str, kind: str, policy: Policy) -> Document:
    market = venue.languages if venue else ()
    other = block_languages(page, {*market, "en"})
    unsure = not page.lang or (page.lang not in market and len(page.text) < SHORT_PAGE)
    languages = reading_languages([*([page.lang] if page.lang else []), *other.values(), *(market if unsure else ())])
    lexis = lexis_for(policy, languages)
    cues: list[DateLexicon] = [policy.date_lexicons[code] for code in dict.fromkeys((*languages, "en")) if code in policy.date_lexicons]
    return prepare(
        page,
        lexis=lexis,
        cues=cues,
        languages=other,
        source_kind=kind,
        country=venue.country if venue else stated,
        anchor=None,
        timezone=venue.timezone if venue else "",
        order=number,
        market=next((code for code in market if unsure and code != "en"), ""),  # English months are read with any
    )


def reading_languages(found: Sequence[str]) -> list[str]:
    """Lexicons to read a page with, from the languages found in it; Chinese pages with both scripts, as quotes mix them."""
    languages = list(found)
    if any(code.startswith("zh") for code in languages):
        languages += ["zh-Hans", "zh-Hant"]
    return list(dict.fromkeys(languages))


def names_listing(listing: Listing, page: Page) -> bool:
    """The page names the issuer, or carries the listing's ISIN."""
    if listing.isin and listing.isin in page.text:
        return True
    matcher = name_matcher(listing.issuer)
    text = f"{page.title}\n{page.text}"
    mentions = matcher.find(text)
    if any(m.strength is not Strength.NAMESAKE for m in mentions) or listed_names(listing.issuer, listing.ticker.strip(), text, mentions):
        return True
    inflected = inflected_name(listing.issuer) if page.lang in INFLECTING else None
    return inflected is not None and inflected.search(text) is not None
