"""Queue, leases and decisions on a small store."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from review_rows import ALONE, AT, fill, says, with_second

from s2r.models import Coverage, Route
from s2r.pipeline.reviewed import Look, keep_reviewed
from s2r.policy import Policy
from s2r.policy.review import load_review
from s2r.reviews import (
    NOBODY,
    WAITING,
    BadDecision,
    Kind,
    LeaseTaken,
    NotAllowed,
    NotFound,
    QueueFilter,
    QueueItem,
    ReviewError,
    SavedView,
    Sort,
    StaleEdit,
    State,
    Workbench,
    all_items,
    claim,
    claim_next,
    counts,
    decide,
    drop_view,
    item,
    open_workbench,
    queue,
    queue_page,
    row_view,
    save_view,
    saved_views,
    undo,
)
from s2r.reviews.counts import FIELDS
from s2r.store.vendors import keep_conflicts


@pytest.fixture
def bench(tmp_path: Path, policy: Policy, policies: Path) -> Iterator[Workbench]:
    """A workbench over six rows where one reviewer decides alone."""
    fill(tmp_path)
    review = load_review(policies).model_copy(update={"second": ALONE})
    made = open_workbench(tmp_path, policy, review)
    yield made
    made.store.close()


def test_queue_is_sorted_filtered_paged_and_counted(bench: Workbench) -> None:
    """Risk times impact first; facets count with all other filters in place; pages do not overlap; the accepted row does not wait."""
    page = queue_page(bench, QueueFilter(), AT, size=2)
    assert [item.row_id for item in page.items] == ["T-01", "T-04"]  # a yes weighs twice
    assert (page.total, page.waiting) == (5, 5)
    rest = queue_page(bench, QueueFilter(), AT, size=9, cursor=page.next_cursor)
    assert [item.row_id for item in rest.items] == ["T-02", "T-03", "T-05"]
    assert rest.next_cursor == ""
    narrow = queue_page(bench, QueueFilter(market=("XLON",), status=("yes",)), AT)
    assert [item.row_id for item in narrow.items] == ["T-01"]
    assert {v.value: v.count for v in narrow.facets["market"]} == {"XLON": 1, "XNAS": 1}
    assert {v.value: v.count for v in narrow.facets["status"]} == {"no": 2, "yes": 1}
    assert {v.value: v.count for v in page.facets["state"]} == {"open": 5, "accepted": 1}


FILTERS = (
    {}, {"market": "XNAS"}, {"market": ["XNAS", "XLON"], "status": "no"}, {"state": list(State)}, {"state": ["decided", "open"], "status": "yes"},
    {"age": ["2-7"]}, {"age": ["0-1", "31-"], "market": "XLON"}, {"assignee": "-"}, {"assignee": ["anna", "ben"]}, {"assignee": ["-", "ben"], "age": "0-1"},
    {"text": "ALDERWICK"}, {"text": "inc t-0"}, {"text": "t-03"}, {"text": "zebrock"}, {"sample": "no"}, {"sample": "yes"}, {"conflict": "wrong_date"},
    {"route_reason": "Rules alone.", "reason": "voluntary"},
)  # fmt: skip


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory, policy: Policy, policies: Path) -> Iterator[Workbench]:
    """Forty rows of all ages, some held, some decided, some with a vendor's row."""
    out = tmp_path_factory.mktemp("mixed")
    fill(out, 40)
    made = open_workbench(out, policy, load_review(policies).model_copy(update={"second": ALONE}))
    for number in range(40):
        since = (AT - dt.timedelta(days=number * number % 45)).isoformat()
        made.store.execute(
            "update review_item set since = ?, sample = ? where row_id = ?", [since, int(number % 7 == 0), f"T-{number + 1:02d}"]
        )
    keep_conflicts(made.store, "plain", {f"T-{number + 1:02d}": ("match", "wrong_date")[number % 2] for number in range(0, 40, 3)})
    for number, by in ((1, "anna"), (4, "ben"), (9, "ben")):
        claim(made, f"T-{number:02d}", by, AT)
    claim(made, "T-11", "cleo", AT - dt.timedelta(days=1))  # it has ended
    for row_id in ("T-07", "T-13", "T-20"):
        decide(made, says(row_id, Kind.CONFIRM), AT)
    yield made
    made.store.close()


@pytest.mark.parametrize("query", FILTERS, ids=lambda query: QueueFilter.from_query(query).to_query() or "all")
def test_counts_and_pages_are_those_of_looking_at_each_row(mixed: Workbench, query: dict[str, list[str] | str]) -> None:
    """Total, every facet and every order are what one finds by going through all rows."""
    wanted = QueueFilter.from_query(query)
    rows = [item(mixed, row_id, AT) for row_id in mixed.store.row_ids()]

    def values(row: QueueItem) -> dict[str, str]:
        days = (AT.date() - dt.datetime.fromisoformat(row.since).date()).days
        age = "0-1" if days <= 1 else "2-7" if days <= 7 else "8-30" if days <= 30 else "31-"
        return {name: str(getattr(row, name)) for name in FIELDS} | {"age": age, "assignee": row.assignee or NOBODY}

    def passes(row: QueueItem, but: str = "") -> bool:
        told = values(row)
        text = f"{row.row_id} {row.issuer} {row.security} {row.ticker} {row.mic}".lower()
        if wanted.sample not in (None, row.sample) or not all(word in text for word in wanted.text.lower().split()):
            return False
        allowed = {name: [str(value) for value in getattr(wanted, name)] for name in told}
        allowed["state"] = allowed["state"] or list(map(str, WAITING))
        return all(not allowed[name] or told[name] in allowed[name] for name in told if name != but)

    page = queue_page(mixed, wanted, AT)
    assert page.total == sum(map(passes, rows))
    for name, found in page.facets.items():
        counted = Counter(values(row)[name] for row in rows if passes(row, name))
        assert {v.value: v.count for v in found if v.count} == dict(counted), name
    for sort in Sort:
        ordered = [row.row_id for row in all_items(mixed, wanted, AT, sort=sort, size=3)]
        key = {Sort.PRIORITY: "priority", Sort.AGE: "since", Sort.CONFIDENCE: "confidence", Sort.ISSUER: "issuer", Sort.ROW: "position"}[
            sort
        ]
        due = sorted((row for row in rows if passes(row)), key=lambda row: row.row_id)
        due.sort(key=lambda row: getattr(row, key), reverse=sort is Sort.PRIORITY)
        assert ordered == [row.row_id for row in due], sort


def test_pages_are_the_same_however_rows_are_found(mixed: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rows are found first and sorted then, many are found in order: pages, totals and facets do not tell which."""
    found = [queue_page(mixed, QueueFilter.from_query(query), AT) for query in FILTERS]
    for module in (counts, queue):
        monkeypatch.setattr(module, "FEW", 0)
    assert [queue_page(mixed, QueueFilter.from_query(query), AT) for query in FILTERS] == found


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({}, ""),
        ({"market": ["XNAS", "XLON"], "state": "open"}, "state=open&market=XLON&market=XNAS"),
        ({"text": " Alder wick ", "sample": "yes", "age": ["31-"]}, "age=31-&text=Alder+wick&sample=yes"),
        ({"utm": "x", "assignee": ["-", "anna"]}, "assignee=-&assignee=anna"),
    ],
)
def test_filter_travels_in_an_address(query: dict[str, list[str] | str], text: str) -> None:
    """A filter comes out of a URL as it went in."""
    wanted = QueueFilter.from_query(query)
    assert wanted.to_query() == text


def test_row_has_one_holder_until_its_lease_ends(bench: Workbench) -> None:
    """Another reviewer is told who holds a row and until when; after that it is free."""
    lease = claim(bench, "T-01", "anna", AT, 10)
    with pytest.raises(LeaseTaken, match="anna until 2026-03-02 09:40"):
        claim(bench, "T-01", "ben", AT)
    assert claim(bench, "T-01", "anna", AT).token == lease.token
    other = claim_next(bench, "ben", AT)
    assert other is not None
    assert other.row_id == "T-04"
    assert claim(bench, "T-01", "ben", AT + dt.timedelta(minutes=16)).token != lease.token


def test_confirmation_makes_a_revision_and_undo_another(bench: Workbench) -> None:
    """Nothing is overwritten: the history has all three."""
    made = decide(bench, says("T-01", Kind.CONFIRM), AT)
    assert (made.state, made.number, made.made) == (State.DECIDED, 2, True)
    record = bench.store.current("T-01")
    assert record is not None
    assert record.route is Route.ACCEPT
    with pytest.raises(StaleEdit, match="revision 2 by anna"):
        decide(bench, says("T-01", Kind.REJECT, by="ben"), AT)
    undone = undo(bench, "T-01", "anna", AT)
    assert (undone.state, undone.number) == (State.OPEN, 3)
    assert [r.author for r in row_view(bench, "T-01", "ben", AT).revisions] == ["s2r", "anna", "anna"]


def test_second_review_is_blind_and_disagreement_is_adjudicated(bench: Workbench) -> None:
    """The second reviewer sees nothing of the first; two that differ wait for an adjudicator, who is neither of them."""
    two = with_second(bench)
    assert decide(two, says("T-01", Kind.CONFIRM), AT).state is State.SECOND
    view = row_view(two, "T-01", "ben", AT)
    assert (view.blind, view.decisions, view.item.number) == (True, (), 1)
    with pytest.raises(NotAllowed, match="decided it already"):
        claim(two, "T-01", "anna", AT)
    assert decide(two, says("T-01", Kind.CORRECT, by="ben", status="no"), AT).state is State.DISAGREED
    with pytest.raises(NotAllowed, match="waits for an adjudicator"):
        decide(two, says("T-01", Kind.CONFIRM, by="cleo"), AT)
    done = decide(two, says("T-01", Kind.CONFIRM, by="cleo"), AT, adjudicator=True)
    assert (done.state, done.number) == (State.DECIDED, 2)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"kind": Kind.CONFIRM, "reason_code": "wrong_date"}, "reason_code"),
        ({"kind": Kind.CORRECT, "status": "yes", "announcement_date": "2020-05-09"}, "reason"),
        ({"kind": Kind.CORRECT, "status": "yes", "announcement_date": "2021-05-09", "reason": "voluntary"}, "announcement_date"),
        ({"kind": Kind.CORRECT, "status": "yes", "announcement_date": "2020-05-09", "reason": "voluntary"}, "evidence"),
        ({"kind": Kind.CORRECT, "status": "no", "reason": "voluntary"}, "reason"),
        ({"kind": Kind.REJECT, "status": "no"}, "kind"),
        ({"kind": Kind.REJECT, "reason_code": "other"}, "note"),
    ],
)
def test_decision_that_lacks_something_says_what(bench: Workbench, more: dict[str, object], field: str) -> None:
    """Nothing is kept of a decision that cannot count."""
    kind = Kind(str(more.pop("kind")))
    with pytest.raises(BadDecision) as told:
        decide(bench, says("T-01", kind, **more), AT)
    assert told.value.field == field
    assert bench.store.rows("select * from review_decision") == []


def look(bench: Workbench, number: int, *, inputs: str, again: bool = False, **changes: object) -> bool:
    """A later audit's look at a row of the fixture: what it said first, with changes."""
    base = bench.store.revision(f"T-{number + 1:02d}", 1)
    assert base is not None
    found = Look(base.model_copy(update=changes), inputs, number, "audit", "m", AT + dt.timedelta(days=1), again=again)
    return keep_reviewed(bench.store, found, "s2r")


@pytest.mark.parametrize(
    ("number", "inputs", "changes", "state", "revision", "status"),
    [
        (0, "i0", {}, "decided", 2, "no"),
        (0, "other", {}, "decided", 3, "no"),
        (0, "other", {"route": Route.ACCEPT, "cutoff": dt.date(2021, 6, 30)}, "decided", 3, "no"),
        (0, "other", {"announcement_date": dt.date(2020, 4, 1)}, "returned", 3, "no"),
        (0, "other", {"error": "a page could not be read"}, "decided", 2, "no"),
        (1, "other", {"cutoff": dt.date(2021, 6, 30), "coverage": Coverage(exhibits=("sha256:new",))}, "returned", 3, "no"),
        (1, "other", {"cutoff": dt.date(2021, 6, 30)}, "decided", 3, "no"),
    ],
    ids=["same inputs", "other inputs", "later cutoff of a yes", "other day", "failed look", "later cutoff of a no", "nothing new of a no"],
)
def test_later_audit_never_replaces_a_decision(
    bench: Workbench, number: int, inputs: str, changes: dict[str, object], state: str, revision: int, status: str
) -> None:
    """What a reviewer said is what stands; other evidence brings the row back with both."""
    row_id = f"T-{number + 1:02d}"
    said = says(row_id, Kind.CORRECT, status="no") if number == 0 else says(row_id, Kind.CONFIRM)
    decide(bench, said, AT)
    assert look(bench, number, inputs=inputs, again="error" in changes, **changes)
    view = row_view(bench, row_id, "ben", AT)
    current = bench.store.current(row_id)
    assert current is not None
    assert (view.item.state, view.item.number, current.status) == (state, revision, status)
    if state == "returned":
        assert current.route is Route.REVIEW
        assert view.before == current
        assert (view.record.announcement_date, view.record.cutoff) == (
            changes.get("announcement_date"),
            changes.get("cutoff", view.record.cutoff),
        )
        again = decide(bench, says(row_id, Kind.REJECT, by="ben", seen=revision), AT)
        assert again.state is State.DECIDED
    else:
        assert view.before is None


def test_first_review_stands_over_a_look_with_the_same_evidence_only(bench: Workbench) -> None:
    """A row that waits for its second reviewer keeps the first decision while the evidence is the same, and is judged anew when not."""
    two = with_second(bench)
    decide(two, says("T-01", Kind.CONFIRM), AT)
    assert look(two, 0, inputs="other", policy="newer@1")
    assert row_view(two, "T-01", "ben", AT).item.state is State.SECOND
    assert decide(two, says("T-01", Kind.CONFIRM, by="ben", seen=2), AT).state is State.DECIDED
    settled = bench.store.current("T-01")
    assert settled is not None
    assert (settled.policy, settled.route) == ("newer@1", Route.ACCEPT)
    decide(two, says("T-04", Kind.CONFIRM), AT)
    assert not look(two, 3, inputs="other", announcement_date=dt.date(2020, 4, 1))


def test_store_from_before_reviews_has_its_queue(tmp_path: Path, policy: Policy, policies: Path) -> None:
    """The rows of an older store are in the queue when it is opened; a record of another version is left out and stays where it is."""
    fill(tmp_path, 4)
    db = sqlite3.connect(tmp_path / "s2r.db")
    for (name,) in db.execute("select name from sqlite_master where type = 'table' and name like 'review_%'").fetchall():
        db.execute(f"drop table {name}")
    (log,) = [name for (name,) in db.execute("select name from sqlite_master where type = 'table'") if "migration" in name]
    db.execute(f"delete from {log} where name = 'm005_review'")
    db.execute("update revision set record = json_set(record, '$.form', 'of another version') where row_id = 'T-02'")
    db.commit()
    db.close()
    bench = open_workbench(tmp_path, policy, load_review(policies))
    page = queue_page(bench, QueueFilter(), AT, sort=Sort.ROW)
    assert [row.row_id for row in page.items] == ["T-01", "T-03"]
    assert {value.value: value.count for value in page.facets["state"]} == {"open": 2, "accepted": 1}
    bench.store.close()


def test_undo_goes_back_one_step(bench: Workbench) -> None:
    """What is taken back is the last decision alone: of an adjudicator, of a second reviewer, of a first one; another's is not for all."""
    two = with_second(bench)
    decide(two, says("T-01", Kind.CONFIRM), AT)
    decide(two, says("T-01", Kind.REJECT, by="ben"), AT)
    decide(two, says("T-01", Kind.REJECT, by="cleo"), AT, adjudicator=True)
    with pytest.raises(NotAllowed, match="was decided by cleo"):
        undo(two, "T-01", "ben", AT)
    steps = [undo(two, "T-01", by, AT, adjudicator=by == "cleo") for by in ("cleo", "ben", "anna")]
    assert [(step.state, step.number) for step in steps] == [(State.DISAGREED, 3), (State.SECOND, 3), (State.OPEN, 3)]
    record = bench.store.current("T-01")
    first = bench.store.revision("T-01", 1)
    assert record == first
    with pytest.raises(NotAllowed, match="no decision that could be taken back"):
        undo(two, "T-01", "anna", AT)
    assert claim(two, "T-01", "anna", AT).by == "anna"
    assert decide(two, says("T-04", Kind.CANNOT_DECIDE), AT).state is State.UNDECIDED
    assert undo(two, "T-04", "anna", AT).state is State.OPEN


def test_views_belong_to_who_saved_them_and_shared_ones_are_seen_by_all(bench: Workbench) -> None:
    """A name is one view of a person: saved again it is replaced; others see it when it is shared, and cannot delete it."""

    def seen(by: str) -> list[tuple[str, str, str]]:
        return [(view.name, view.by, view.query) for view in saved_views(bench, by)]

    save_view(bench, SavedView(name=" Nasdaq ", by="anna", query="market=XNAS", sort=Sort.AGE), AT)
    save_view(bench, SavedView(name="Paris", by="anna", query="market=XPAR", shared=True), AT)
    save_view(bench, SavedView(name="Nasdaq", by="ben", query="market=XNYS"), AT)
    assert seen("anna") == [("Nasdaq", "anna", "market=XNAS"), ("Paris", "anna", "market=XPAR")]
    assert seen("ben") == [("Nasdaq", "ben", "market=XNYS"), ("Paris", "anna", "market=XPAR")]
    save_view(bench, SavedView(name="Nasdaq", by="anna", query="market=XNAS&state=open"), AT)
    assert seen("anna")[0] == ("Nasdaq", "anna", "market=XNAS&state=open")
    with pytest.raises(NotFound, match="is no view of yours"):
        drop_view(bench, "Paris", "ben", AT)
    drop_view(bench, "Paris", "anna", AT)
    assert seen("ben") == [("Nasdaq", "ben", "market=XNYS")]
    for name in ("  ", "x" * 81):
        with pytest.raises(ReviewError, match="is no name of a view"):
            save_view(bench, SavedView(name=name, by="anna", query=""), AT)
    told = [row["act"] for row in bench.store.rows("select act from review_log order by id")]
    assert told == ["save view", "save view", "save view", "save view", "drop view"]
