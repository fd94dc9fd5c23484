"""Listing + policy -> ranked hits: queries are put to every provider, answers merged; a failed provider never reads as empty."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from s2r.errors import SourceError, SourceUnusable, first_error
from s2r.models import Gap, Hit, Listing, Outcome, Query
from s2r.models.listing import Frozen
from s2r.policy import Policy
from s2r.search.base import Provider, SearchAnswer, State, canonical_url
from s2r.search.pool import Pool
from s2r.search.queries import build_queries
from s2r.search.source import Source

__all__ = ["Pool", "Provider", "SearchAnswer", "SearchOutcome", "Source", "State", "build_queries", "canonical_url", "merge_hits", "search"]


class SearchOutcome(Frozen):
    """What was asked and found. `providers` maps each provider to "answered", "empty" or "failed: <cause>"; `notes` say what else
    should be known of their answers."""

    hits: tuple[Hit, ...]
    providers: dict[str, str]
    queries: tuple[Query, ...]
    gaps: tuple[Gap, ...] = ()
    dropped: int = 0  # distinct hits beyond the limit
    requests: int = 0
    notes: tuple[str, ...] = ()
    listing: Listing | None = None  # the listing as registers widened it, when they did; the record keeps the universe's own


async def search(
    listing: Listing,
    policy: Policy,
    providers: Sequence[Provider],
    limit: int,
    *,
    queries: Sequence[Query] | None = None,
    sources: Sequence[Source] = (),
) -> SearchOutcome:
    """At most `limit` distinct hits for a listing, best rank first; `queries` replaces those built from the policy.

    Providers are asked every query, `sources` once for the listing. Raises `BudgetExceeded` when a call may not be paid for.
    """
    asked = tuple(build_queries(listing, policy) if queries is None else queries)
    try:
        async with asyncio.TaskGroup() as group:
            whole = [group.create_task(_ask_source(source, listing, policy, limit)) for source in sources]
            each = [group.create_task(_ask(provider, asked, limit)) for provider in providers]
    except BaseExceptionGroup as exc:
        raise first_error(exc) from exc
    found = {source.name: task.result() for source, task in zip(sources, whole, strict=True)}
    found |= {provider.name: task.result() for provider, task in zip(providers, each, strict=True)}
    merged = merge_hits(
        [*(answer.hits for task in whole for answer in task.result())]
        + [answer.hits for answers in zip(*(task.result() for task in each), strict=True) for answer in answers]
    )
    return SearchOutcome(
        hits=merged[:limit],
        providers={name: _state(answers) for name, answers in found.items()},
        queries=asked,
        gaps=tuple(
            Gap(
                url="",
                step="search",
                outcome=Outcome.ERROR,
                cause=f"{name}: {cause}",
                next_step="Run the row again when the provider answers.",
            )
            for name, answers in found.items()
            for cause in dict.fromkeys(answer.cause for answer in answers if answer.cause)
        ),
        dropped=max(0, len(merged) - limit),
        requests=sum(len(answers) for answers in found.values()),
        notes=tuple(f"{name}: {note}" for name, answers in found.items() for note in dict.fromkeys(a.note for a in answers if a.note)),
    )


def merge_hits(answers: Iterable[Sequence[Hit]]) -> tuple[Hit, ...]:
    """Hits of several answers without repeats of a page, by best rank, then by how many answers hold the page, then by order."""
    best: dict[str, tuple[int, int, Hit]] = {}
    counts: dict[str, int] = {}
    for order, hits in enumerate(answers):
        for hit in hits:
            key = canonical_url(hit.url)
            counts[key] = counts.get(key, 0) + 1
            if key not in best or hit.rank < best[key][0]:
                best[key] = (hit.rank, best[key][1] if key in best else order, hit)
    ranked = sorted(best.items(), key=lambda item: (item[1][0], -counts[item[0]], item[1][1], item[0]))
    return tuple(hit for _, (_, _, hit) in ranked)


async def _ask(provider: Provider, queries: Sequence[Query], limit: int) -> list[SearchAnswer]:
    """One answer per query, in order; after `SourceUnusable` the provider is not asked again."""
    answers: list[SearchAnswer] = []
    dropped = ""
    for query in queries:
        if dropped:
            answers.append(SearchAnswer(state=State.FAILED, cause=dropped))
            continue
        try:
            answers.append(await provider.find(query, limit))
        except SourceUnusable as exc:
            dropped = str(exc) or "unusable"
            answers.append(SearchAnswer(state=State.FAILED, cause=dropped))
        except SourceError as exc:
            answers.append(SearchAnswer(state=State.FAILED, cause=str(exc) or type(exc).__name__))
    return answers


async def _ask_source(source: Source, listing: Listing, policy: Policy, limit: int) -> list[SearchAnswer]:
    """The one answer of a source; its failure is an answer too."""
    try:
        return [await source.find_for(listing, policy, limit)]
    except (SourceError, SourceUnusable) as exc:
        return [SearchAnswer(state=State.FAILED, cause=str(exc) or type(exc).__name__)]


def _state(answers: Sequence[SearchAnswer]) -> str:
    """State of a provider over all queries: one failure makes it failed, since what it would have shown is not known."""
    failed = [answer for answer in answers if answer.state is State.FAILED]
    if failed:
        return f"failed: {len(failed)} of {len(answers)} queries: {failed[0].cause or 'no cause given'}"
    if any(answer.state is State.ANSWERED for answer in answers):
        return str(State.ANSWERED)
    return str(State.EMPTY)
