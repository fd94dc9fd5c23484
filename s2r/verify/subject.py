"""Names and identifiers in the cited documents do not contradict the listing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from s2r.lang.ids import find_isins
from s2r.lang.names import name_variants
from s2r.lang.text import fold
from s2r.models import Check, Claim, Listing, Page, Status, Verdict
from s2r.policy import Policy


def check_subject(
    listing: Listing, verdict: Verdict, claims: Sequence[Claim], pages: Mapping[str, Page], policy: Policy
) -> tuple[Check, ...]:
    """For a `yes`: the document of the status claim names the issuer or one of its identifiers."""
    if verdict.status is not Status.YES:
        return ()
    checks = []
    for claim in claims:
        page = pages.get(claim.exhibit)
        if claim.field == "status" and page is not None:
            checks.append(_names_target(listing, claim, page))
    return tuple(checks)


def _names_target(listing: Listing, claim: Claim, page: Page) -> Check:
    text = fold(f"{page.title}\n{page.text}").text
    for name in name_variants(listing.issuer):
        if (needle := fold(name).text.strip()) and needle in text:
            return Check(name="subject", field="status", outcome="pass", sentence=f"The document names the issuer as {name!r}.")
    for label, value in (("ISIN", listing.isin), ("CIK", listing.cik.lstrip("0")), ("ticker", listing.ticker)):
        if value and re.search(rf"(?<!\w){re.escape(value.lower())}(?!\w)", text):
            return Check(name="subject", field="status", outcome="pass", sentence=f"The document carries the listing's {label} {value}.")
    isins = [span.value for span in find_isins(page.text)]
    other = f"; it carries {', '.join(sorted(set(isins))[:3])}" if isins else ""
    return Check(
        name="subject",
        field="status",
        outcome="fail",
        sentence=f"The document names neither the issuer nor an identifier of the listing{other}.",
    )
