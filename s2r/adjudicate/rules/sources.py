"""What kind of source a page is, and how far its word goes."""

from __future__ import annotations

from s2r.models import Listing, Page
from s2r.policy import Policy, source_kind

SECOND_HAND = frozenset({"press", "aggregator", "forum", "unknown"})  # report what others disclosed
WEAK = frozenset({"aggregator", "forum"})  # never date an event


def kind_of(page: Page, policy: Policy, listing: Listing) -> str:
    """exchange, regulator, filing, issuer, wire, press, aggregator, forum or unknown."""
    return "filing" if page.form else source_kind(page.url, policy, listing.issuer)
