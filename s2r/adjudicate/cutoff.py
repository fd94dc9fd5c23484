"""When the cutoff day of a listing ends."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from s2r.models import Listing
from s2r.policy import Policy


def cutoff_end(listing: Listing, policy: Policy) -> dt.datetime:
    """The last second (UTC) of the listing's cutoff day at its venue."""
    midnight = dt.datetime.combine(listing.cutoff + dt.timedelta(days=1), dt.time(), venue_zone(listing, policy))
    return midnight.astimezone(dt.UTC) - dt.timedelta(seconds=1)


def venue_zone(listing: Listing, policy: Policy) -> dt.tzinfo:
    """The time zone of the listing's venue, UTC where the policy does not know it."""
    venue = policy.venues.get(listing.mic)
    return ZoneInfo(venue.timezone) if venue and venue.timezone else dt.UTC
