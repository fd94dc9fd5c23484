"""Names and identifiers in the cited documents do not contradict the listing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from s2r.lang.ids import find_isins
from s2r.lang.name_forms import Strength
from s2r.lang.name_match import name_matcher
from s2r.lang.name_parts import core_name
from s2r.lang.text import fold
from s2r.lang.tickers import ticker_mentions
from s2r.models import Check, Claim, Listing, Page, Status, Verdict
from s2r.policy import Policy

DECLINING = frozenset({"pl", "cs", "sk", "fi", "et", "hu", "tr", "lt", "lv", "hr", "ru", "uk", "el"})  # names take endings there


def check_subject(
    listing: Listing, verdict: Verdict, claims: Sequence[Claim], pages: Mapping[str, Page], policy: Policy
) -> tuple[Check, ...]:
    """For a `yes`: the document of the status claim names the issuer or one of its identifiers, and not only another security's."""
    if verdict.status is not Status.YES:
        return ()
    checks = []
    for claim in claims:
        page = pages.get(claim.exhibit)
        if claim.field == "status" and page is not None:
            checks.append(_names_target(listing, page, policy))
    return tuple(checks)


def _names_target(listing: Listing, page: Page, policy: Policy) -> Check:
    text = f"{page.title}\n{page.text}"
    isins = sorted({span.value for span in find_isins(text)})
    found = _identifier(listing, page, text, isins, policy) or _name(listing, text, page.lang)
    if not found and page.given_title and _name(listing, page.given_title, page.lang):
        return _check("unverifiable", "The document does not name the issuer; only the title under which its source lists it does.")
    if not found:
        other = f"; it carries {', '.join(isins[:3])}" if isins else ""
        return _check("fail", f"The document names neither the issuer nor an identifier of the listing{other}.")
    return _check("pass", found)


def _identifier(listing: Listing, page: Page, text: str, isins: Sequence[str], policy: Policy) -> str:
    """Sentence about the identifier of the listing that the document carries, "" when it carries none."""
    if listing.isin and listing.isin in isins:
        return f"The document carries the listing's ISIN {listing.isin}."
    cik = listing.cik.lstrip("0")
    if cik and cik in {value.lstrip("0") for value in page.meta.get("cik", "").replace(",", " ").split()}:
        return f"The document was filed for the listing's CIK {listing.cik}."
    venue = policy.venues.get(listing.mic)
    aliases = (venue.name, *venue.aliases) if venue else ()
    for mention in ticker_mentions(text, listing.ticker, aliases):
        if mention.kind != "bare" and mention.own_venue is not False:
            return f"The document carries the listing's ticker as {mention.text!r}."
    return ""


def _name(listing: Listing, text: str, lang: str) -> str:
    for mention in name_matcher(listing.issuer).find(text):
        if mention.strength is not Strength.NAMESAKE and not mention.form_differs:
            return f"The document names the issuer as {mention.text!r}."
    if (lang in DECLINING) and (found := _declined(listing.issuer).search(fold(text).text)):
        return f"The document names the issuer as {found.group()!r}, with case endings."
    return ""


@lru_cache(maxsize=256)
def _declined(issuer: str) -> re.Pattern[str]:
    """The name with any endings on its words ("Mazurskiej Grupy" for "Mazurska Grupa"), all of them and in order; folded text."""
    words = fold(core_name(issuer)).text.split()
    stems = [
        re.escape(word[: max(4, len(word) - 3)]) + r"\w{0,5}" if len(word) >= 5 and word.isalpha() else re.escape(word) for word in words
    ]
    return re.compile(r"(?<!\w)" + r"\s".join(stems) + r"(?!\w)") if stems else re.compile("(?!)")


def _check(outcome: str, sentence: str) -> Check:
    return Check(name="subject", field="status", outcome=outcome, sentence=sentence)
