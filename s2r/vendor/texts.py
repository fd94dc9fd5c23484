"""The words of challenges: sentences of a comparison, and a text that can be sent to the vendor as it is."""

from __future__ import annotations

from s2r.models import Record
from s2r.vendor.types import Comparison, Feed, Kind, VendorRow

SENTENCES = {
    "match": "Event, date and reason agree.",
    "none": "No qualifying event by the cutoff, and the vendor has none.",
    "no_date": "The vendor gives no announcement date; it is {ours}.",
    "wrong_date": "The vendor has {theirs}, which seems to be {story}; the first qualifying disclosure is of {ours}.",
    "wrong_reason": "The vendor's reason is {theirs}; the quotes show {ours}.",
    "former_name": "The vendor's name {theirs!r} is a former one; the issuer is {ours!r}.",
    "belongs": "The event of {day} is not one of this listing: it belongs to {owner}.",
    "stray": "The vendor gives this event for {given}; the quotes name {owner}.",
    "stale": "The vendor still shows {state}; the event was disclosed on {day}.",
    "missing": "The vendor has no row for this listing; the event was disclosed on {day}.",
    "lag": "The vendor has {days} days to deliver; the event was disclosed on {day}, the feed is of {known}.",
    "silent": "The vendor has no row, which for this feed says nothing.",
    "undated": "The event is proven, but no page states the day of its first disclosure, so the vendor's day cannot be judged.",
    "after_bound": "The vendor has {theirs}; the event was disclosed on {latest} at the latest.",
    "after_cutoff": "The vendor's event of {day} lies after the cutoff {cutoff}; by then there is none on either side.",
    "later": "The vendor has {theirs}, which seems to be {story}; the first qualifying disclosure is of {ours}, after the cutoff.",
    "vendor_only": "The vendor has an event, and no evidence of one was found.",
    "vendor_only_story": "The vendor has an event of {day}, which seems to be {story}; no qualifying event was found.",
    "in_doubt": "The vendor's row {row} may be about this listing or about {others}; its keys do not tell them apart.",
    "some_day": "a day that no page states",
}
ASKS = {
    Kind.WRONG_DATE: "Please correct the announcement date to that of the first public disclosure.",
    Kind.WRONG_REASON: "Please correct the reason.",
    Kind.WRONG_LISTING: "Please move the event to the listing that it belongs to.",
    Kind.MISSING: "Please add the event.",
    Kind.STALE: "Please update the row.",
    Kind.VENDOR_ONLY: "Please tell us the source of this event, or withdraw it.",
}
MOST_QUOTES = 4


def says(key: str, /, **values: object) -> str:
    """The sentence `key` with its values."""
    return SENTENCES[key].format(**values)


def challenge_text(made: Comparison, record: Record, feed: Feed) -> str:
    """The text to send: which listing, what the vendor has, what is proven and where, and what is asked for."""
    listing = record.listing
    numbers = ", ".join(
        f"{n} {v}" for n, v in (("ISIN", listing.isin), ("ticker", listing.ticker), ("LEI", listing.lei), ("CIK", listing.cik)) if v
    )
    lines = [
        f"Listing: {', '.join(part for part in (listing.issuer, listing.security, listing.mic, numbers) if part)}",
        f"Your data ({feed.title_line}): {_row(made.row)}{made.vendor_value}",
        f"Our record as of {record.cutoff}: {made.our_value}",
        made.sentence,
    ]
    if made.kind is Kind.VENDOR_ONLY:
        lines.append(f"What was searched: {made.coverage}")
    for quote in made.quotes[:MOST_QUOTES]:
        lines.append(
            f"Source for {quote.about.replace('_', ' ')}: “{' '.join(quote.text.split())}” ({quote.url}, archived as {quote.exhibit[:23]})"
        )
    lines += [ASKS[kind] for kind in dict.fromkeys((made.kind, *made.also)) if kind in ASKS]
    return "\n".join(lines)


def _row(row: VendorRow | None) -> str:
    if row is None:
        return ""
    return f"row {row.row or row.number}: "
