"""What was searched, and whether that is enough to say "no"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import urlsplit

from s2r.lang.text import counted
from s2r.models import Coverage, Gap, Listing, Outcome, PointInTime, Query
from s2r.policy import Policy

# what came in place of a page that is there; one that is gone or empty has nothing to say
CLOSED = frozenset(
    {Outcome.BLOCKED, Outcome.CONSENT, Outcome.SCRIPT_SHELL, Outcome.PAYWALL, Outcome.ERROR, Outcome.TOO_LARGE, Outcome.REFUSED}
)

LACKING = "Not enough for a no:"  # what follows names what was missing


def is_closed(gap: Gap) -> bool:
    """Whether a page was found that is there and could not be had."""
    return gap.step == "fetch" and gap.outcome in CLOSED


def make_coverage(
    listing: Listing,
    policy: Policy,
    *,
    queries: Sequence[Query],
    providers: Mapping[str, str],
    exhibits: Sequence[str],
    pages_relevant: int,
    gaps: Sequence[Gap],
    promising: Collection[str] = (),
    point_in_time: PointInTime | None = None,
    notes: Sequence[str] = (),
) -> Coverage:
    """The coverage statement of one record; `exhibits` are the digests of the pages read, `sufficient` follows the policy's rule,
    the statement names what is short. `promising` are addresses whose title or snippet names the issuer and the event."""
    pages_read = len(exhibits)
    languages = tuple(sorted({query.lang for query in queries if query.lang}))
    short = _shortcomings(
        listing, policy, queries=queries, languages=languages, providers=providers, pages_read=pages_read, pages_relevant=pages_relevant
    )
    short += _unread(listing, policy, gaps, promising, pages_read)
    answered = sum(1 for state in providers.values() if state == "answered")
    naming = f"{pages_relevant} {'names' if pages_relevant == 1 else 'name'} the issuer"
    text = (
        f"{counted(len(queries), 'query', 'queries')} in {counted(len(languages), 'language')} to {counted(len(providers), 'provider')}, "
        f"{answered} answered; {counted(pages_read, 'page')} read, {naming}, "
        f"{counted(len(gaps), 'gap')}."
    )
    if point_in_time is not None:
        text += " " + point_in_time_text(point_in_time)
    if short:
        text += f" {LACKING} " + "; ".join(short) + "."
    return Coverage(
        queries=tuple(query.text for query in queries),
        languages=languages,
        providers=dict(providers),
        pages_read=pages_read,
        pages_relevant=pages_relevant,
        exhibits=tuple(exhibits),
        gaps=tuple(gaps),
        notes=tuple(notes),
        sufficient=not short,
        statement=text,
        point_in_time=point_in_time,
    )


def point_in_time_text(told: PointInTime) -> str:
    """What an audit at a point in time counted and withheld, in one sentence."""
    means, reasons = Counter(proof.means.value for proof in told.proofs), Counter(loss.why for loss in told.losses)
    by = ", ".join(f"{count} by {name.replace('_', ' ')}" for name, count in sorted(means.items()))
    why = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in sorted(reasons.items()))
    text = f"Point in time: {counted(len(told.proofs), 'page')} proven public by the cutoff" + (f" ({by})" if by else "")
    return text + f", {len(told.losses)} withheld" + (f" ({why})." if why else ".")


def _shortcomings(
    listing: Listing,
    policy: Policy,
    *,
    queries: Sequence[Query],
    languages: Sequence[str],
    providers: Mapping[str, str],
    pages_read: int,
    pages_relevant: int,
) -> list[str]:
    rule = policy.definition.coverage
    short = []
    failed = sorted(f"{name} {state}" for name, state in providers.items() if state.startswith("failed"))
    answered = sum(1 for state in providers.values() if state == "answered")
    if failed and not rule.allow_failed_providers:
        short.append(f"a search provider failed ({', '.join(failed)}): run the row again when it answers")
    if answered < rule.min_answered_providers:
        short.append(f"{answered} of at least {rule.min_answered_providers} providers found anything: add sources")
    if len(queries) < rule.min_queries:
        short.append(f"{len(queries)} of at least {rule.min_queries} queries could be made: add the issuer's names or identifiers")
    if pages_read < rule.min_pages_read:
        short.append(f"{pages_read} of at least {rule.min_pages_read} pages could be read")
    elif pages_relevant == 0:
        short.append("no page names the issuer: check its name, or add sources that know it")
    venue = policy.venues.get(listing.mic)
    if rule.require_native_language and venue is not None:
        native = next((code for code in venue.languages if code in policy.lexicons), "")  # the first is the native one
        if native and native not in languages:
            short.append(f"nothing was asked in the language of the venue ({native})")
    return short


def _unread(listing: Listing, policy: Policy, gaps: Sequence[Gap], promising: Collection[str], pages_read: int) -> list[str]:
    """What pages that could not be had take from a `no`, with the cause and the next step of the first of each kind."""
    rule, venue = policy.definition.coverage, policy.venues.get(listing.mic)
    sites = tuple(source.domain for source in venue.official) if venue else ()
    closed = {gap.url: gap for gap in gaps if is_closed(gap)}
    official = [gap for gap in closed.values() if any(_lies_on(gap.url, site) for site in sites)]
    named = [gap for gap in closed.values() if gap.url in promising]
    short = []
    if official and not rule.allow_unread_official:
        short.append(f"{counted(len(official), 'page')} of official sources could not be read ({_told(official[0])})")
    if named and not rule.allow_unread_promising:
        speak = "speaks" if len(named) == 1 else "speak"
        short.append(f"{counted(len(named), 'page')} that {speak} of the issuer and the event could not be read ({_told(named[0])})")
    if closed and len(closed) > rule.max_unread_share * (len(closed) + pages_read):
        short.append(f"{len(closed)} of {len(closed) + pages_read} pages found could not be read ({_told(next(iter(closed.values())))})")
    return short


def _told(gap: Gap) -> str:
    step = f"; {gap.next_step[:1].lower()}{gap.next_step[1:].rstrip('.')}" if gap.next_step else ""
    return f"{gap.url}: {gap.outcome.value}, {gap.cause.rstrip('.')}{step}"


def _lies_on(url: str, site: str) -> bool:
    """Whether an address lies on a site, which may have a path and counts for its sub-domains."""
    try:
        parts = urlsplit(url.lower())
    except ValueError:
        return False
    domain, _, path = site.lower().partition("/")
    host = parts.hostname or ""
    return (host == domain or host.endswith(f".{domain}")) and parts.path.lstrip("/").startswith(path)
