"""What pages are made from: the workbench of the service's folder, and the records in it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from s2r.models import Record
from s2r.policy.review import load_review
from s2r.reviews.bench import Workbench, open_workbench
from s2r.reviews.errors import NotFound
from s2r.web.guard import desk_of
from s2r.web.problems import Problem


def bench_of(request: Request) -> Workbench:
    """The workbench, opened at the first request that needs it and kept. Raises Problem 503 while there are no records."""
    kept = getattr(request.app.state, "bench", None)
    if isinstance(kept, Workbench):
        return kept
    desk = desk_of(request)
    if not desk.store_path.is_file():
        raise Problem(503, "There are no records yet.", "Wait for the first night, or run `s2r nightly`.")
    bench = open_workbench(desk.out, desk.policy, load_review(desk.policies))
    request.app.state.bench = bench
    return bench


def record_of(bench: Workbench, row_id: str) -> Record:
    """The current record of a row; raises NotFound."""
    record = bench.store.current(row_id)
    if record is None:
        raise NotFound("is no row of this run", subject=row_id, advice="Look it up in the queue.")
    return record


BenchDep = Annotated[Workbench, Depends(bench_of)]
