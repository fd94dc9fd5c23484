"""Which pages were provably public by a cutoff: by a capture, the header of a filing, or the date of an exchange's own notice.

Pure: the capture of a page comes as a claim of origin `capture`. Days are local days at the venue; a capture time counts there too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from s2r.adjudicate.cutoff import venue_zone
from s2r.adjudicate.rules.docdate import LAST_RESORT, publication
from s2r.adjudicate.verdict import read_document
from s2r.extract.published import CAPTURE
from s2r.models import Listing, Loss, Means, Page, PointInTime, Proof
from s2r.policy import Policy, listed_kind

EVENING = "17:30"  # Eastern: what EDGAR accepts later is filed on the next business day, and made public then
HEAD_LINE = 15  # rank of a date line at the head of a notice, with or without a label, that is no day ahead
_STATED = ("json-ld", "microdata", "meta", "time", "front-matter", "header:date", "feed", "xml", "json")


def split_public(pages: Sequence[Page], listing: Listing, policy: Policy) -> tuple[list[Page], PointInTime]:
    """The pages that were provably public by the listing's cutoff, in their order, and what was counted and withheld, with reasons."""
    told = [public_by(page, listing, policy) for page in pages]
    proofs = tuple(one for one in told if isinstance(one, Proof))
    losses = tuple(one for one in told if isinstance(one, Loss))
    return [page for page, one in zip(pages, told, strict=True) if isinstance(one, Proof)], PointInTime(proofs=proofs, losses=losses)


def public_by(page: Page, listing: Listing, policy: Policy) -> Proof | Loss:
    """Why a page counts as public by the listing's cutoff, or why it does not; its own word counts only on listed official sites."""
    captured = captured_at(page)
    if captured is not None and captured.astimezone(venue_zone(listing, policy)).date() <= listing.cutoff:
        return Proof(exhibit=page.digest, url=page.url, means=Means.CAPTURE, at=captured.isoformat(timespec="seconds"))
    kind = listed_kind(page.url, policy)
    if kind == "filing" and (day := _filed(page)):
        return _by_day(page, listing, Means.FILING, day, "filed_later", "the filing header dates it")
    if kind == "exchange":
        if (changed := _changed(page)) and changed > listing.cutoff:
            return _lost(
                page, "changed_later", f"the page of the exchange says that it was changed on {changed}, after the cutoff {listing.cutoff}"
            )
        if day := _noticed(page, listing, policy):
            return _by_day(page, listing, Means.EXCHANGE_NOTICE, day, "dated_later", "the notice of the exchange is dated")
    seen = f"its first known capture is of {captured:%Y-%m-%d %H:%M} UTC" if captured else "no capture of it is known"
    return _lost(
        page, "captured_later", f"{seen}, and no filing header and no notice of an exchange dates it by the cutoff {listing.cutoff}"
    )


def captured_at(page: Page) -> dt.datetime | None:
    """The earliest capture (UTC) among the claims of a page, None when it has none."""
    return min((dt.datetime.fromisoformat(claim.raw) for claim in page.claims if claim.origin == CAPTURE), default=None)


def _by_day(page: Page, listing: Listing, means: Means, day: dt.date, why: str, words: str) -> Proof | Loss:
    if day <= listing.cutoff:
        return Proof(exhibit=page.digest, url=page.url, means=means, at=day.isoformat())
    return _lost(page, why, f"{words} {day}, after the cutoff {listing.cutoff}")


def _lost(page: Page, why: str, sentence: str) -> Loss:
    return Loss(exhibit=page.digest, url=page.url, why=why, sentence=sentence[0].upper() + sentence[1:] + ".")


def _filed(page: Page) -> dt.date | None:
    """The day from which a filing was public, by its header: the filing date, else that of its acceptance."""
    days = {claim.origin: claim.value for claim in page.claims if claim.value and len(claim.value) == 10}
    if filed := days.get("header:filed_as_of"):
        return dt.date.fromisoformat(filed)
    if accepted := days.get("header:acceptance"):
        late = page.meta.get("acceptance", "").partition("T")[2] >= EVENING
        return dt.date.fromisoformat(accepted) + dt.timedelta(days=late)
    return None


def _changed(page: Page) -> dt.date | None:
    """The last day on which a page says that it was changed."""
    return max(
        (dt.date.fromisoformat(c.value) for c in page.claims if "modified" in c.flags and c.value and len(c.value) == 10), default=None
    )


def _noticed(page: Page, listing: Listing, policy: Policy) -> dt.date | None:
    """The day that a notice states for itself at its head, or in its metadata, whichever is later; None when it states none.

    Guesses, dates of addresses and days that the text tells of do not count.
    """
    found = publication(read_document(page, listing, policy))
    head = next((one.day for one in found if one.origin == "text" and one.rank <= HEAD_LINE), None)
    days = [one.day for one in found if one.origin.startswith(_STATED) and one.rank < LAST_RESORT]
    return max([*days, *([head] if head else [])], default=None)
