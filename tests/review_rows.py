"""A small run folder under review, for the tests of the workbench."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from factories import capture, listing, record

from s2r.archive import Archive
from s2r.models import Route, Status
from s2r.policy.review import Second
from s2r.reviews import Decision, Kind, Workbench
from s2r.store import Store

AT = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
ALONE = Second(share=0.0, samples=False)


def fill(out: Path, rows: int = 6) -> None:
    """A run folder with rows of the small world: of every three one yes and two noes; one row is accepted."""
    with Store(out / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=AT)
        for number in range(rows):
            given: dict[str, object] = {"confidence": 0.3 + number / 100, "route": Route.REVIEW, "route_reasons": ("Rules alone.",)}
            if number % 3 == 0:
                given |= {"status": Status.YES, "announcement_date": dt.date(2020, 5, 1 + number % 30), "reason": "voluntary"}
            if number == rows - 1:
                given["route"] = Route.ACCEPT
            made = record(listing(number, mic="XNAS" if number % 2 else "XLON"), **given)
            store.append(made, inputs=f"i{number}", position=number, author="s2r", why="audit", now=AT)


def with_second(bench: Workbench) -> Workbench:
    """The same workbench where two reviewers decide every row."""
    return Workbench(bench.store, bench.policy, bench.review.model_copy(update={"second": Second(share=1.0)}), bench.out)


def says(row_id: str, kind: Kind, by: str = "anna", seen: int = 1, **more: object) -> Decision:
    """A decision with a reason code that fits."""
    codes = {Kind.CONFIRM: "evidence_holds", Kind.CORRECT: "no_event", Kind.REJECT: "not_proven", Kind.CANNOT_DECIDE: "sources_missing"}
    return Decision.model_validate({"row_id": row_id, "kind": kind, "by": by, "seen": seen, "reason_code": codes[kind]} | more)


NOTICE = (
    "<html><head><title>Notice</title></head><body><h1>Delisting</h1><p>Alderwick Instruments Inc. announced on 4 May 2020 that its board "
    "has decided to delist its common stock from the Nasdaq Stock Market.</p><p>Trading goes on.</p></body></html>"
)
QUOTE = "announced on 4 May 2020 that its board has decided to delist its common stock"
ADDRESS = "https://wire.example/alderwick/notice"


def archive_notice(out: Path) -> str:
    """Archive a page of the first issuer; return its digest."""
    with Archive(out) as archive:
        return archive.put(capture(NOTICE, ADDRESS, title="Notice")).digest
