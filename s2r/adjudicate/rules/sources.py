"""What kind of source a page is, and how far its word goes."""

from __future__ import annotations

from s2r.lang.text import fold_text
from s2r.models import Listing, Page
from s2r.policy import Policy, source_kind, voice_kind

SECOND_HAND = frozenset({"press", "aggregator", "forum", "unknown"})  # report what others disclosed
WEAK = frozenset({"aggregator", "forum"})  # never date an event


def kind_of(page: Page, policy: Policy, listing: Listing) -> str:
    """exchange, regulator, filing, issuer, wire, press, aggregator, forum or unknown.

    By the site; where that says press or nothing, by the voice in which the page speaks: a site that prints a notice word for
    word discloses it.
    """
    if page.form:
        return "filing"
    kind = source_kind(page.url, policy, listing.issuer)
    if kind in ("press", "unknown"):
        return voice_kind(_spoken(page), policy) or kind
    if kind == "aggregator" and voice_kind(_spoken(page), policy) == "filing":
        return "filing"  # a copy of the filing itself
    return kind


def _spoken(page: Page) -> str:
    """Folded text of what the document itself says, without the frame of its site."""
    return fold_text("\n".join(page.text[block.start : block.end] for block in page.blocks if block.main))
