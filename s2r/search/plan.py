"""Which providers are asked, and in which order: `a,b` asks all, `a>b` asks b when a fails."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence

from s2r.errors import ConfigError, SourceError, SourceUnusable
from s2r.models import Query
from s2r.search.base import Provider, SearchAnswer, State

Plan = tuple[tuple[str, ...], ...]  # chains that are all asked; in a chain the next is asked when the one before fails


def parse_plan(text: str, known: Collection[str]) -> Plan:
    """The plan of `--search`; raises `ConfigError` for an unknown name, a name given twice, or a hole."""
    chains = tuple(tuple(name.strip().lower() for name in chain.split(">")) for chain in text.split(","))
    names = [name for chain in chains for name in chain]
    for name in names:
        if not name:
            raise ConfigError("a name is missing", subject=f"--search {text}", advice="Write it as brave,exa or brave>serper,exa.")
        if name not in known:
            raise ConfigError(f"{name!r} is no known provider", subject=f"--search {text}", advice=f"Known: {', '.join(sorted(known))}.")
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise ConfigError(f"{twice[0]!r} is named twice", subject=f"--search {text}", advice="Each provider is asked once for a query.")
    return chains


def plan_text(plan: Plan) -> str:
    """A plan as it is written."""
    return ",".join(">".join(chain) for chain in plan)


def with_hints(queries: Iterable[Query], *, country: str = "", before: dt.date | None = None) -> tuple[Query, ...]:
    """Queries that carry the country of the venue, and if given the last day that pages should be from.

    Several services filter by page age or drop undated pages, so dates cost hits: leave `before` out unless the page must be old.
    """
    country = country.strip().upper()
    hints = {"country": country if len(country) == 2 else "", "before": before}
    return tuple(query.model_copy(update=hints) for query in queries)


class Chain:
    """Providers of which the next is asked when one fails; what is empty is an answer. Named as in the plan (`brave>serper`)."""

    def __init__(self, links: Sequence[Provider]) -> None:
        assert links
        self._links = tuple(links)
        self.name = ">".join(link.name for link in links)

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """The first answer that is no failure; failed with all causes when there is none, `SourceUnusable` when none will ever be."""
        failed: list[str] = []
        unusable = 0
        for link in self._links:
            try:
                answer = await link.find(query, limit)
            except SourceUnusable as exc:
                unusable += 1
                failed.append(f"{link.name}: {exc}")
                continue
            except SourceError as exc:
                answer = SearchAnswer(state=State.FAILED, cause=str(exc) or type(exc).__name__)
            if answer.state is not State.FAILED:
                notes = [f"{link.name} was asked after {'; '.join(failed)}" if failed else "", answer.note]
                return answer.model_copy(update={"note": "; ".join(filter(None, notes))})
            failed.append(f"{link.name}: {answer.cause}")
        if unusable == len(self._links):
            raise SourceUnusable("; ".join(failed))
        return SearchAnswer(state=State.FAILED, cause="; ".join(failed))
