"""Figures about reviews, labels and their parts, bulk decisions and the command line."""

from __future__ import annotations

import csv
import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Command
from factories import listing, record
from review_rows import ALONE, AT, fill, says, with_second

from s2r.calibrate.labels import read_labels
from s2r.calibrate.looks import LOG
from s2r.calibrate.split import dealt_part, family_keys, row_key
from s2r.models import Route, Status
from s2r.policy import Policy
from s2r.policy.review import Bulk, load_review, review_faults
from s2r.reviews import (
    BadDecision,
    Kind,
    NotAllowed,
    QueueFilter,
    State,
    Workbench,
    adjudicate,
    bulk,
    claim,
    decide,
    draw_sample,
    groups,
    item,
    numbers,
    open_workbench,
    undo,
    write_labels,
)
from s2r.reviews.labels import NO_PART
from s2r.reviews.numbers import cohens_kappa
from s2r.web.figures import cost


@pytest.fixture
def bench(tmp_path: Path, policy: Policy, policies: Path) -> Iterator[Workbench]:
    """A workbench over nine rows; three are yes, the last one is accepted."""
    fill(tmp_path / "out", 9)
    made = open_workbench(tmp_path / "out", policy, load_review(policies).model_copy(update={"second": ALONE}))
    yield made
    made.store.close()


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        ([("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15, 0.4),
        ([("yes", "yes")] * 3 + [("no", "no")] * 3, 1.0),
        ([("yes", "no")] * 4 + [("no", "yes")] * 4, -1.0),
        ([("yes", "yes")] * 9, None),
        ([], None),
    ],
    ids=["textbook", "always", "never", "one category", "none"],
)
def test_kappa_is_that_of_cohen(pairs: list[tuple[str, str]], kappa: float | None) -> None:
    """Agreement beyond chance, with an interval around it."""
    value, interval = cohens_kappa(pairs)
    assert value == (None if kappa is None else pytest.approx(kappa))
    if kappa == 0.4:
        assert interval is not None
        assert interval[0] < 0.4 < interval[1]


def test_numbers_count_what_was_decided(bench: Workbench) -> None:
    """Shares with their n; what was taken back does not count; two blind reviewers are compared."""
    decide(bench, says("T-01", Kind.CONFIRM, seconds=12.0), AT)
    decide(bench, says("T-02", Kind.CONFIRM, seconds=8.0), AT)
    undo(bench, "T-02", "anna", AT)
    two = with_second(bench)
    for row_id, second in (("T-03", Kind.CONFIRM), ("T-04", Kind.REJECT)):
        decide(two, says(row_id, Kind.CONFIRM, seconds=10.0), AT)
        decide(two, says(row_id, second, by="ben"), AT)
    adjudicate(two, says("T-04", Kind.CONFIRM, by="cleo"), AT)
    found = numbers(two, AT)
    assert (found.rows, found.waiting, found.states) == (9, 5, {"open": 5, "decided": 3, "accepted": 1})
    assert (found.decisions, found.kinds) == (6, {"confirm": 5, "reject": 1})
    assert (str(found.agreement.same)[:5], found.agreement.adjudicated) == ("50.0%", 1)
    assert [(p.by, p.decisions, p.timed) for p in found.pace] == [("anna", 3, 3), ("ben", 2, 0), ("cleo", 1, 0)]
    assert found.seconds is not None
    assert found.seconds[0] == 10.0
    assert dict(found.by_day)[AT.date().isoformat()] == 6
    assert (found.accepted.hits, found.accepted.n) == (4, 9)


def test_cost_is_told_by_run_and_night(bench: Workbench) -> None:
    """Known costs of each run by what was called, oldest first; calls without a known price are counted, not guessed; the chart says both."""
    assert cost(numbers(bench, AT)).note == "No run has paid for a call."
    for night, usd in ((1, 0.25), (2, 0.5)):
        run, at = f"night-{night}", AT + dt.timedelta(days=night)
        bench.store.start_run(run, version="1", policy="p", manifest={}, now=at)
        lines = [("search:brave", 2.0, "queries", usd), ("search:exa", 1.0, "queries", 0.125), ("model:adjudicator:m", 3.0, "calls", 1.0), ("fetch", 9.0, "pages", 0.0), ("search:own", 1.0, "queries", None)]  # fmt: skip
        bench.store.book(run, "T-01", lines, at)
    found = numbers(bench, AT)
    assert [(run.run_id, run.usd, run.unpriced) for run in found.costs] == [
        ("r-test", {}, 0),
        ("night-1", {"model": 1.0, "search": 0.375}, 1),
        ("night-2", {"model": 1.0, "search": 0.625}, 1),
    ]
    chart = cost(found)
    assert chart.head == ("run", "model", "search", "USD")
    assert chart.rows[1:] == (("2026-03-03 09:30 night-1", "1.00", "0.38", "1.38"), ("2026-03-04 09:30 night-2", "1.00", "0.62", "1.62"))
    assert chart.note == "2 calls have no known price and are not in it."
    assert [text in chart.svg for text in ("03-03: 1.38", "03-04: 1.62")] == [True, True]


def test_accepted_error_comes_from_samples_of_what_was_accepted(bench: Workbench) -> None:
    """Drawn rows wait for review and weigh as many as they stand for; a second draw adds none twice; decided ones are not drawn."""
    for number in range(20, 24):
        made = record(listing(number, mic="XNAS"), route=Route.ACCEPT, confidence=0.9)
        bench.store.append(made, inputs=f"i{number}", position=number, author="s2r", why="audit", now=AT)
    assert draw_sample(bench, 3, 1, "anna", AT) == 3
    drawn = [str(row["row_id"]) for row in bench.store.rows("select row_id from review_item where sample = 1 order by row_id")]
    assert all(item(bench, row_id, AT).state is State.OPEN for row_id in drawn)
    decide(bench, says(drawn[0], Kind.CONFIRM), AT)
    decide(bench, says(drawn[1], Kind.REJECT), AT)
    error = numbers(bench, AT).errors["all"]
    assert (error.wrong.hits, error.wrong.n, error.drawn, error.open) == (1, 2, 3, 1)
    assert error.estimate == pytest.approx(2 / 3)  # the wrong one stands for two rows, the right one for itself
    assert error.interval is not None
    assert error.interval[0] < error.estimate < error.interval[1]
    assert draw_sample(bench, 50, 1, "anna", AT) == 2  # the rest of the accepted rows; the decided ones are not drawn again


def test_labels_keep_their_part_and_the_record_of_the_audit(bench: Workbench, tmp_path: Path, policies: Path) -> None:
    """A label file that calibration reads: truths of the reviewers, records as they were judged, families whole, locked rows apart."""
    bench.store.execute("update revision set record = json_set(record, '$.policy', ?)", [bench.policy.policy_id])
    decide(bench, says("T-01", Kind.CORRECT, status="no"), AT)
    decide(bench, says("T-02", Kind.CONFIRM), AT)
    decide(bench, says("T-03", Kind.REJECT), AT)
    decide(bench, says("T-05", Kind.CONFIRM), AT)
    undo(bench, "T-05", "anna", AT)
    parts = {row_id: dealt_part(family_keys(listing(n))[0], bench.review.labels.shares, 0) for n, row_id in ((0, "T-01"), (1, "T-02"))}
    done = write_labels(bench, tmp_path / "labels", policies)
    assert (done.labels, done.left_out, done.other_policy) == (2, 0, 0)
    labels = read_labels(tmp_path / "labels" / "labels.csv", None, bench.policy).rows
    assert {row.label.row_id: row.label.split for row in labels} == parts
    assert [(row.label.truth.status, row.record.status) for row in labels] == [(Status.NO, Status.YES), (Status.NO, Status.NO)]
    assert labels[0].record.adjudicator == "rules"


def test_family_that_links_two_parts_is_left_out_and_so_is_a_locked_row(bench: Workbench, tmp_path: Path, policies: Path) -> None:
    """No issuer is in two parts, and what a locked test has shown tunes nothing."""
    bench.store.execute("update revision set record = json_set(record, '$.policy', ?)", [bench.policy.policy_id])
    for key, part in ((family_keys(listing(0))[0], "train"), ("lei:L1", "test"), (family_keys(listing(1))[0], "calibration")):
        bench.store.execute("insert into review_family (key, family, part) values (?,?,?)", [key, key, part])
    bench.store.execute("update revision set record = json_set(record, '$.listing.lei', 'L1') where row_id = 'T-01'")
    for row_id in ("T-01", "T-02", "T-03"):
        decide(bench, says(row_id, Kind.CONFIRM), AT)
    assert [row["part"] for row in bench.store.rows("select part from review_decision where row_id = 'T-01'")] == [NO_PART]
    folder = tmp_path / "policies"
    (folder / "risk").mkdir(parents=True)
    locked = bench.store.current("T-02")
    assert locked is not None
    look = {"at": "2026-01-01", "name": "first", "test": "t", "records": 1, "seen_before": 0}
    (folder / "risk" / LOG).write_text(
        json.dumps({"event_type": "delisting", "look": look, "rows": [row_key(locked.listing)]}) + "\n", "utf-8"
    )
    done = write_labels(bench, tmp_path / "labels", folder)
    assert (done.labels, done.left_out) == (1, 2)


def test_group_of_alike_rows_is_decided_at_once(bench: Workbench) -> None:
    """All or none, each a decision of its own, and the act in the log; what differs, is risky or held by another is not of the group."""
    wide = Workbench(bench.store, bench.policy, bench.review.model_copy(update={"bulk": Bulk(max_risk=0.7)}), bench.out)
    claim(wide, "T-02", "ben", AT)
    found = groups(wide, QueueFilter(), AT)
    told = {g.market: (g.status, [row for row, _ in g.rows]) for g in found}
    assert told == {"XLON": ("no", ["T-03", "T-05"]), "XNAS": ("no", ["T-06", "T-08"])}
    group = next(g for g in found if g.market == "XNAS")
    with pytest.raises(NotAllowed, match="T-03"):
        bulk(wide, group.group, [*group.rows, ("T-03", 1)], Kind.CONFIRM, "anna", AT, reason_code="nothing_found")
    assert bench.store.rows("select * from review_decision") == []
    with pytest.raises(NotAllowed, match="T-02"):
        bulk(wide, group.group, [*group.rows, ("T-02", 1)], Kind.CONFIRM, "anna", AT, reason_code="nothing_found")
    with pytest.raises(BadDecision, match="look at each row"):
        bulk(wide, group.group, group.rows, Kind.CANNOT_DECIDE, "anna", AT, reason_code="sources_missing")
    done = bulk(wide, group.group, group.rows, Kind.CONFIRM, "anna", AT, reason_code="nothing_found")
    assert {outcome.state for outcome in done.outcomes} == {State.DECIDED}
    acts = [json.loads(str(row["detail"]))["rows"] for row in bench.store.rows("select detail from review_log where act = 'bulk'")]
    assert acts == [[row for row, _ in group.rows]]
    assert (
        groups(
            Workbench(bench.store, bench.policy, bench.review.model_copy(update={"bulk": Bulk(allowed=False)}), bench.out),
            QueueFilter(),
            AT,
        )
        == ()
    )


def test_commands_work_on_one_queue(bench: Workbench, tmp_path: Path, policies: Path, s2r: Command) -> None:
    """List, claim, decide, export, import, undo and numbers from the command line; a refusal says what to do."""
    base = ("--out", bench.out, "--policies", policies)
    listed = json.loads(s2r("review", "list", *base, "--json", "--query", "status=yes", "--size", 2).out)
    assert (listed["total"], [row["row_id"] for row in listed["items"]]) == (3, ["T-01", "T-04"])
    assert "9 rows" not in s2r("review", "list", *base, "--facets").out
    lease = json.loads(s2r("review", "claim", *base, "--by", "anna", "--json").out)
    assert lease["row_id"] == "T-01"
    told = s2r("review", "decide", "T-01", *base, "--by", "ben", "--kind", "confirm", "--code", "evidence_holds")
    assert (told.code, "held by anna" in told.err) == (1, True)
    done = s2r("review", "decide", "T-01", *base, "--by", "anna", "--kind", "reject", "--code", "not_proven", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["state"] in ("decided", "second")
    assert s2r("review", "undo", "T-01", *base, "--by", "anna").code == 0
    path = tmp_path / "queue.csv"
    assert s2r("review", "export", *base, "--by", "anna", "--to", path, "--market", "XLON").code == 0
    rows = list(csv.DictReader(path.open(encoding="utf-8-sig", newline="")))
    assert {row["mic"] for row in rows} == {"XLON"}
    rows[0] |= {"decision": "confirm", "reason_code": "evidence_holds", "revision": "7"}
    with path.open("w", encoding="utf-8", newline="") as fh:
        writer = csv.DictWriter(fh, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    refused = s2r("review", "import", path, *base, "--by", "anna")
    assert (refused.code, "column revision" in refused.err, "Nothing was kept." in refused.err) == (4, True, True)
    shown = json.loads(s2r("review", "numbers", *base, "--json").out)
    assert shown["rows"] == 9
    assert "Rows: 9" in s2r("review", "numbers", *base).out
    assert "rejected" not in s2r("review", "show", "T-01", *base, "--by", "cleo").out
    assert s2r("review", "show", "T-77", *base).code == 1


def test_names_and_notes_are_printed_as_text(bench: Workbench, policies: Path, s2r: Command) -> None:
    """No name, note or cell gives a terminal an order."""
    odd = record(listing(30, issuer="Zebrock \x1b[31m[bold]Inc.", row_id="T-31"), route=Route.REVIEW, route_reasons=("Why \x1b[2J?",))
    bench.store.append(odd, inputs="odd", position=31, author="s2r", why="audit", now=AT)
    decide(bench, says("T-31", Kind.CONFIRM, note="\x1b]0;title\x07"), AT)
    base = ("--out", bench.out, "--policies", policies)
    for command in (("list", "--state", "decided"), ("show", "T-31"), ("numbers",)):
        ran = s2r("review", command[0], *command[1:], *base)
        assert ran.code == 0
        assert not {"\x1b", "\x07"} & set(ran.out + ran.err)
    assert "[bold]Inc." in s2r("review", "show", "T-31", *base).out


def test_policy_file_of_reviews_is_checked(tmp_path: Path, policies: Path) -> None:
    """An unknown key and values that do not exist are named with file and line."""
    text = (policies / "review.toml").read_text("utf-8")
    for old, new, key in (
        ("[leases]\n", "[leases]\nhours = 1\n", "leases.hours"),
        ("shares = [0.4, 0.4, 0.2]", "shares = [0.4, 0.4, 0.4]", "labels.shares"),
        ('status = ["no"]', 'status = ["never"]', "bulk.status[0]"),
        ("abstain = 1.0", "maybe = 1.0", "queue.impact.status.maybe"),
        ('code = "wrong_date"', 'code = "no_event"', "reason_code[6].code"),
        ('sort = "priority"', 'sort = "size"', "queue.sort"),
    ):
        wrong = text.replace(old, new, 1)
        (tmp_path / "review.toml").write_text(wrong, "utf-8")
        assert [(fault.file, fault.key) for fault in review_faults(tmp_path)] == [("review.toml", key)]
    (tmp_path / "review.toml").write_text(text, "utf-8")
    assert review_faults(tmp_path) == []
