"""The date is stated or derivable in its quote, plausible, on or before the cutoff, and not of another kind."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from s2r.lang.dates import read_dates
from s2r.models import OPEN_START, Check, Claim, DateKind, Listing, Page, Verdict
from s2r.policy import Policy, kinds_taken
from s2r.verify.datekind import other_kind

EARLIEST = dt.date(1900, 1, 1)


def check_chronology(
    listing: Listing, verdict: Verdict, claims: Sequence[Claim], pages: Mapping[str, Page], policy: Policy
) -> tuple[Check, ...]:
    """Checks of the announcement date, or of the day that it is not after; none for a record without either."""
    day = verdict.announcement_date
    if day is None:
        bounds = (claim for claim in claims if claim.field == "announcement_date" and claim.value.startswith(OPEN_START))
        return tuple(check for claim in bounds for check in _bound(claim, listing, pages.get(claim.exhibit), policy))
    checks = [_by_cutoff(day, listing.cutoff), _plausible(day)]
    for claim in claims:
        if claim.field == "announcement_date":
            checks.append(_stated(claim, day, listing, pages.get(claim.exhibit), policy))
    return tuple(checks)


def _bound(claim: Claim, listing: Listing, page: Page | None, policy: Policy) -> tuple[Check, ...]:
    """The bound is stated and lies by the cutoff; the day itself cannot be verified."""
    day = dt.date.fromisoformat(claim.value.removeprefix(OPEN_START))
    country = _country(listing, policy)
    stated = page is not None and any(
        _reads(claim.quote, day, _languages(page, listing, policy), country, anchor) for anchor in (None, *_anchors(page, country, day))
    )
    outcome = "unverifiable" if stated else "fail"
    sentence = f"No page states the day of the disclosure; it is not after {day}." if stated else f"The quote does not state {day}."
    return _by_cutoff(day, listing.cutoff), Check(name="chronology", field=claim.field, outcome=outcome, sentence=sentence)


def _by_cutoff(day: dt.date, cutoff: dt.date) -> Check:
    ok = day <= cutoff
    side = "on or before" if ok else "after"
    return Check(
        name="chronology", field="announcement_date", outcome="pass" if ok else "fail", sentence=f"{day} is {side} the cutoff {cutoff}."
    )


def _plausible(day: dt.date) -> Check:
    ok = day >= EARLIEST
    return Check(
        name="chronology",
        field="announcement_date",
        outcome="pass" if ok else "fail",
        sentence=f"{day} is {'a plausible' if ok else 'no plausible'} day.",
    )


def _stated(claim: Claim, day: dt.date, listing: Listing, page: Page | None, policy: Policy) -> Check:
    """The quote itself reads as `day`, or a relative expression in it does when the page's own date is taken as anchor."""
    if page is None:
        return Check(name="chronology", field=claim.field, outcome="unverifiable", sentence="The page of the date cannot be opened.")
    country, langs = _country(listing, policy), _languages(page, listing, policy)
    if _reads(claim.quote, day, langs, country, None):
        kind = _other_kind(claim, day, page, country, policy)
        if kind is not None and kind.value not in kinds_taken(policy):
            sentence = f"The quote states {day}, but its words make it {kind.value.replace('_', ' ')}, not a disclosure."
            return Check(name="chronology", field=claim.field, outcome="fail", sentence=sentence)
        return Check(name="chronology", field=claim.field, outcome="pass", sentence=f"The quote states {day}.")
    if claim.start < 0 and any(item.value == day.isoformat() for item in page.claims):
        return Check(name="chronology", field=claim.field, outcome="pass", sentence=f"The page's metadata state {day}.")
    for anchor in _anchors(page, country, day):
        if _reads(claim.quote, day, langs, country, anchor):
            return Check(
                name="chronology",
                field=claim.field,
                outcome="pass",
                sentence=f"The quote gives {day} when read on {anchor}, a date of its page.",
            )
    return Check(
        name="chronology",
        field=claim.field,
        outcome="fail",
        sentence=f"The quote does not state {day}, and it does not follow from its page.",
    )


def _country(listing: Listing, policy: Policy) -> str:
    venue = policy.venues.get(listing.mic)
    return venue.country if venue else listing.country


def _languages(page: Page, listing: Listing, policy: Policy) -> tuple[str, ...]:
    venue = policy.venues.get(listing.mic)
    return tuple(dict.fromkeys((page.lang, *(venue.languages if venue else ()))))  # a page may hold a notice in two languages


def _reads(text: str, day: dt.date, langs: Sequence[str], country: str, anchor: dt.date | None) -> bool:
    return any(mention.day == day for lang in langs for mention in read_dates(text, lang=lang, country=country, anchor=anchor))


def _other_kind(claim: Claim, day: dt.date, page: Page, country: str, policy: Policy) -> DateKind | None:
    """The kind that every mention of `day` in the quote has when none of them can be a disclosure."""
    if page.text[claim.start : claim.end] != claim.quote:
        return None
    kinds = [
        other_kind(page.text, claim.start + mention.start, claim.start + mention.end, page.lang, policy)
        for mention in read_dates(claim.quote, lang=page.lang, country=country)
        if mention.day == day
    ]
    return kinds[0] if kinds and all(kinds) else None


def _anchors(page: Page, country: str, day: dt.date) -> list[dt.date]:
    """Days that the page states in full, within a year of `day`, nearest first."""
    found = {m.day for m in read_dates(page.text, lang=page.lang, country=country) if m.day and "relative" not in m.flags}
    found |= {dt.date.fromisoformat(c.value) for c in page.claims if c.value and len(c.value) == 10}
    return sorted((d for d in found if abs((d - day).days) <= 366), key=lambda d: (abs((d - day).days), d))
