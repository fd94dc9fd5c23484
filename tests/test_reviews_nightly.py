"""Nights over rows that people have reviewed: a decision stands while the evidence does, and is never replaced."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from pathlib import Path

import pytest
from factories import settings, world, write_pool, write_universe

from s2r.job import AuditFiles, audit_files
from s2r.models import Record, Route, Status
from s2r.policy import Policy
from s2r.policy.review import ReviewPolicy, Second
from s2r.reviews import Decision, Kind, QueueFilter, State, Workbench, claim, decide, queue_page, row_view, undo
from s2r.store import Store

AT = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
pytestmark = pytest.mark.proof
REVIEW = ReviewPolicy(second=Second(share=0.0, samples=False))
ROW = "T-01"


class Folder:
    """A run folder over the small world, audited as often as one likes."""

    def __init__(self, path: Path, policy: Policy, policies: Path) -> None:
        self.path, self.policy, self.policies, self.now = path, policy, policies, AT
        self.listings, self.pages = world(3)
        write_universe(path / "universe.csv", self.listings)

    async def audit(self) -> None:
        """One audit of all rows, a day later than the one before."""
        write_pool(self.path / "pool.jsonl", self.pages)
        self.now += dt.timedelta(days=1)
        files = AuditFiles(self.path / "universe.csv", self.path / "pool.jsonl", self.path / "out", None, self.now.date())
        await audit_files(
            files, self.policy, self.policies, settings(workers=1), clock=lambda: self.now, on_event=lambda event: None,
            on_total=lambda total: None,
        )  # fmt: skip

    def record(self) -> Record:
        """What records.jsonl says of the row."""
        lines = (self.path / "out" / "records.jsonl").read_text("utf-8").splitlines()
        return next(record for record in map(Record.model_validate_json, lines) if record.row_id == ROW)


def says(kind: Kind, seen: int, by: str = "anna", **more: object) -> Decision:
    """A decision about the row."""
    return Decision.model_validate({"row_id": ROW, "kind": kind, "by": by, "seen": seen} | more)


@pytest.fixture
def folder(tmp_path: Path, policy: Policy, policies: Path) -> Folder:
    """A folder that was not audited yet."""
    return Folder(tmp_path, policy, policies)


async def _steps(folder: Folder) -> None:
    await folder.audit()
    assert folder.record().status is Status.YES
    with Store(folder.path / "out" / "s2r.db") as store:
        bench = Workbench(store, folder.policy, REVIEW, folder.path / "out")
        other = decide(bench, says(Kind.CORRECT, 1, status="no", note="It left another venue."), folder.now)
        assert (other.state, other.number) == (State.DECIDED, 2)
    await folder.audit()
    assert (folder.record().status, folder.record().route) == (Status.NO, Route.ACCEPT)

    folder.pages.append({"url": "https://wire.example/unrelated", "title": "Weather", "content_type": "text/html", "body": "<p>Rain.</p>"})
    await folder.audit()  # the pool, and with it the inputs, are another; the evidence of the row is not
    assert (folder.record().status, folder.record().route) == (Status.NO, Route.ACCEPT)
    with Store(folder.path / "out" / "s2r.db") as store:
        bench = Workbench(store, folder.policy, REVIEW, folder.path / "out")
        view = row_view(bench, ROW, "ben", folder.now)
        assert view.item.state is State.DECIDED
        assert [(r.number, r.author) for r in view.revisions] == [(1, "s2r"), (2, "anna"), (3, "s2r")]
        assert view.revisions[2].why == "audit: same evidence, the review stands"

    folder.pages[:] = [page for page in folder.pages if not _about(page, folder.listings[0].issuer)]
    await folder.audit()
    standing = folder.record()
    assert (standing.status, standing.route) == (Status.NO, Route.REVIEW)  # the reviewer's answer, for review
    with Store(folder.path / "out" / "s2r.db") as store:
        bench = Workbench(store, folder.policy, REVIEW, folder.path / "out")
        view = row_view(bench, ROW, "ben", folder.now)
        assert view.item.state is State.RETURNED
        assert view.before is not None
        assert (view.before.status, view.record.status) == (Status.NO, Status.ABSTAIN)  # what was decided, what is found now
        assert ROW in {item.row_id for item in queue_page(bench, QueueFilter(state=(State.RETURNED,)), folder.now).items}
        claim(bench, ROW, "ben", folder.now)
        done = decide(bench, says(Kind.REJECT, view.item.number, by="ben"), folder.now)
        assert done.state is State.DECIDED
        assert undo(bench, ROW, "ben", folder.now).state is State.RETURNED
    await folder.audit()
    assert json.loads((folder.path / "out" / "run.json").read_text("utf-8"))["rows"] == 3


def _about(page: dict[str, object], issuer: str) -> bool:
    return issuer.split(maxsplit=1)[0] in str(page.get("body")) + str(page.get("title"))


def test_decision_outlives_audits_and_comes_back_with_other_evidence(folder: Folder) -> None:
    """The same command changes nothing; other inputs with the same evidence carry the decision on; other evidence brings the row back
    with both shown, and the reviewer's answer stands until somebody decides again."""
    asyncio.run(_steps(folder))
