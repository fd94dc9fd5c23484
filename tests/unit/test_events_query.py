"""Every operator against an oracle that loops over the tuples, on random worlds; provenance, plans, bound values, names of firms."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from events_world import Oracle, random_tuples

from s2r.errors import InputError
from s2r.events.answer import answer, entities_of, explain
from s2r.events.compile import DUCKDB, compile_spec
from s2r.events.duck import Replica
from s2r.events.spec import read_spec
from s2r.events.store import EventStore
from s2r.events.tuples import EventTuple, Evidence
from s2r.policy.event_types import EventTypes, load_event_types

YEAR = {"start": "2018-01-01", "end": "2018-12-31"}
NEXT = {"start": "2019-01-01", "end": "2019-12-31"}
BOTH = {"start": "2018-01-01", "end": "2019-12-31"}
WINTER = {"start": "2018-11-15", "end": "2019-02-10"}
MA, DONE, RUMOUR, CEO, CFO = "M&A_announce", "M&A_complete", "M&A_rumor", "CEO_change", "CFO_change"
SPECS: list[tuple[Any, list[str], dict[str, Any]]] = [
    ("select", [MA], {"windows": [YEAR]}),
    ("select", ["delisting"], {"windows": [BOTH], "attributes": {"reason": "noncompliance"}}),
    ("select", [DONE], {"windows": [BOTH], "firm": "CRMR"}),
    ("select", [MA], {"windows": [BOTH], "counterparty": "Brantholm Ceramics"}),
    ("select", [MA], {"windows": [{"start": "2019-06-01"}]}),
    ("select", [MA], {}),
    ("distinct", [CEO], {"windows": [WINTER]}),
    ("role", [DONE], {"windows": [BOTH], "roles": ["buyer"]}),
    ({"name": "anchored", "firm": "ALDW", "direction": "after"}, [MA, MA], {"windows": [BOTH]}),
    ({"name": "anchored", "firm": "BRTH", "direction": "before"}, [CEO, RUMOUR], {"windows": [BOTH]}),
    ({"name": "near", "days": 60}, [MA, DONE], {"windows": [BOTH]}),
    ({"name": "near", "days": 0}, [MA, CEO], {"windows": [BOTH]}),
    ({"name": "near", "days": 90}, [MA, MA], {"windows": [YEAR]}),
    ({"name": "followed", "days": 120}, [RUMOUR, MA], {"windows": [BOTH]}),
    ({"name": "followed", "days": 180}, [MA, DONE], {"windows": [BOTH], "roles": ["buyer"]}),
    ({"name": "followed", "days": 400}, [CEO, CFO], {"windows": [YEAR, NEXT]}),
    ("difference", [MA, CFO], {"windows": [BOTH], "firm": "DUNV"}),
    ({"name": "extreme", "position": "first"}, [MA], {"windows": [YEAR]}),
    ({"name": "extreme", "position": "last"}, [CFO], {"windows": [BOTH]}),
    ("interleave", [CEO, CFO, MA], {"windows": [BOTH], "firm": "ELST"}),
    ("intersect", [CEO, CFO], {"windows": [BOTH]}),
    ("intersect", [MA], {"windows": [YEAR, NEXT], "roles": ["buyer"]}),
    ("intersect", [MA], {"windows": [BOTH], "roles": ["buyer", "seller"]}),
    ("intersect", [MA, DONE, CEO], {"windows": [YEAR, NEXT, BOTH]}),
    ("intersect", ["delisting"], {"windows": [YEAR, NEXT], "attributes": {"reason": "noncompliance"}}),
    ({"name": "count", "at_least": 2}, [MA], {"windows": [BOTH]}),
    ({"name": "count", "at_least": 2}, [MA], {"windows": [BOTH], "roles": ["buyer"]}),
    ({"name": "bucket", "unit": "week"}, [MA], {"windows": [WINTER]}),
    ({"name": "bucket", "unit": "month"}, [DONE], {"windows": [BOTH]}),
    ({"name": "bucket", "unit": "quarter"}, [CEO], {"windows": [BOTH]}),
    ({"name": "bucket", "unit": "year"}, [CEO], {"windows": [BOTH]}),
    ("union", [MA, CEO, "IPO"], {"windows": [YEAR]}),
]


@pytest.fixture(scope="module")
def kinds() -> EventTypes:
    return load_event_types(Path(__file__).parents[2] / "policies")


def _rows(found: Any) -> set[tuple[object, ...]]:
    name = found.spec.operator.name
    if found.spec.projection == "firms":
        return {(row["firm_ticker"],) for row in found.rows}
    if found.spec.projection == "pairs":
        return {
            (row["firm_ticker"], *(value for key, value in row.items() if key.endswith(("_date", "_days", "days_between"))))
            for row in found.rows
        }
    keys = ("firm_ticker", "event_type", "anchor_date", *(("bucket",) if name == "bucket" else ()))
    return {tuple(row[key] for key in keys) for row in found.rows}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_operator_agrees_with_the_oracle(seed: int, kinds: EventTypes, tmp_path: Path) -> None:
    """Rows of SQL are the rows of the loop, in worlds with roles, partners, reasons and inexact dates; most answers are not empty."""
    tuples = random_tuples(seed, 400)
    oracle, filled = Oracle(tuples), 0
    with EventStore(tmp_path / "e.db") as store:
        assert store.add(tuples, "world").new == len(tuples)
        for operator, types, predicate in SPECS:
            spec = read_spec({"operator": operator, "types": types, "predicate": predicate}, kinds)
            found = answer(spec, store)
            assert _rows(found) == oracle.answer(spec), spec
            assert found.total == len(_rows(found)), spec
            assert all(row["cited_urls"] for row in found.rows)
            filled += found.total > 0
    assert filled >= len(SPECS) - 4


def test_no_value_of_a_question_is_in_the_statement(kinds: EventTypes) -> None:
    """Types, dates, roles, firms and numbers are bound; the text of the statement holds none of them."""
    for operator, types, predicate in SPECS:
        spec = read_spec({"operator": operator, "types": types, "predicate": predicate}, kinds)
        entities = {"predicate.firm": 987654, "predicate.counterparty": 876543, "operator.firm": 765432}
        statement = compile_spec(spec, entities)
        for value in (*types, *predicate.get("roles", ()), "noncompliance", "2018", "2019", "987654", "876543", "765432", "7366"):
            assert not re.search(rf"(?<!\w){re.escape(value)}", statement.sql), (value, statement.sql)
        assert set(re.findall(r":(v\d+)", statement.sql)) == set(statement.values)


DEALS = [
    # linked by the file, told by both sides under two names of the target
    EventTuple(firm="ALDW", event_type=MA, anchor_date="2018-03-01", role="buyer", counterparty="Corrie Ltd", deal="D1"),
    EventTuple(firm="ALDW", event_type=DONE, anchor_date="2018-05-01", role="buyer", counterparty="Corrie Ltd", deal="D1"),
    EventTuple(firm="BRTH", event_type=MA, anchor_date="2018-03-01", role="seller", counterparty="ALDW"),
    EventTuple(firm="BRTH", event_type=DONE, anchor_date="2018-05-01", role="seller", counterparty="ALDW"),
    # no link: the two firms are the deal; the seller told of the end
    EventTuple(firm="CRMR.O", event_type=MA, anchor_date="2018-12-20", role="buyer", counterparty="Dunvale Inc."),
    EventTuple(firm="Dunvale", event_type=DONE, anchor_date="2019-01-19", role="target", counterparty="CRMR"),
    # another partner: no deal
    EventTuple(firm="CRMR", event_type=DONE, anchor_date="2019-01-10", role="buyer", counterparty="Elstow plc"),
]


def test_deals_are_joined_by_link_or_by_their_firms(kinds: EventTypes, tmp_path: Path) -> None:
    """An announcement finds its own completion, in or after the window; the other side's account is no second deal."""
    with EventStore(tmp_path / "e.db") as store:
        store.add(DEALS, "deals")
        spec = read_spec({"operator": {"name": "completed", "days": 90}, "types": [MA, DONE], "predicate": {"windows": [YEAR]}}, kinds)
        found = {(r["buyer_ticker"], r["target_ticker"], r["announce_date"], r["close_date"], r["days"]) for r in answer(spec, store).rows}
        assert found == {
            ("ALDW", "Corrie Ltd", "2018-03-01", "2018-05-01", 61),
            ("CRMR", "Dunvale Inc.", "2018-12-20", "2019-01-19", 30),
        }
        short = spec.model_copy(update={"operator": spec.operator.model_copy(update={"days": 40})})
        assert {row["buyer_ticker"] for row in answer(short, store).rows} == {"CRMR"}


def test_a_link_told_later_joins_what_was_imported_before(kinds: EventTypes, tmp_path: Path) -> None:
    """Two spellings are two firms until somebody says that they are one; then a join over both finds its pair."""
    tuples = [
        EventTuple(firm="OLDN", event_type=MA, anchor_date="2018-02-01"),
        EventTuple(firm="NEWN", event_type="delisting", anchor_date="2018-06-01"),
    ]
    spec = read_spec({"operator": {"name": "followed", "days": 180}, "types": [MA, "delisting"], "predicate": {"windows": [YEAR]}}, kinds)
    with EventStore(tmp_path / "e.db") as store:
        store.add(tuples, "t")
        assert answer(spec, store).rows == ()
        store.link("OLDN", "NEWN", "renamed in 2018")
        (row,) = answer(spec, store).rows
        assert (row["e_trigger_anchor_date"], row["lag_days"]) == ("2018-02-01", 120)
        assert ("OLDN", "NEWN", "renamed in 2018") in store.links()


def test_rows_say_where_they_are_written_and_caps_are_told(kinds: EventTypes, tmp_path: Path) -> None:
    """Provenance of all claims of an event; a cut list says so."""
    proof = [Evidence(url=f"https://wire.example/{n}", title="T", date="2018-02-02", quote=f"Q{n}", exhibit=f"sha256:{n}") for n in (1, 2)]
    tuples = [EventTuple(firm="ALDW", event_type="IPO", anchor_date="2018-02-01", evidence=(one,)) for one in proof]
    tuples += [EventTuple(firm="BRTH", event_type="IPO", anchor_date="2018-02-03", evidence=(proof[0],))]
    spec = read_spec({"operator": "select", "types": ["IPO"]}, kinds)
    with EventStore(tmp_path / "e.db") as store:
        store.add(tuples, "t")
        found = answer(spec, store, most=1)
        assert (found.total, found.notes) == (2, ("first 1 of 2 rows",))
        assert found.rows[0]["cited_urls"] == ["https://wire.example/1", "https://wire.example/2"]
        assert [p["exhibit"] for p in found.rows[0]["provenance"]] == ["sha256:1", "sha256:2"]  # type: ignore[attr-defined]
        how = explain(spec, store)
        assert any("event_type" in step for step in how.steps), how.steps


def test_a_firm_that_is_not_known_is_named_with_the_near_ones(kinds: EventTypes, tmp_path: Path) -> None:
    """Tickers, Reuters codes, names without their legal form and identifiers find their firm; what does not is refused."""
    tuples = [
        EventTuple(firm="ALDW", event_type="IPO", anchor_date="2018-02-01", names=("Alderwick Shipping Inc.", "lei:529900T8BM49AURSDO55")),
        EventTuple(firm="BRTH", event_type="IPO", anchor_date="2018-02-01"),
    ]
    with EventStore(tmp_path / "e.db") as store:
        store.add(tuples, "t")
        ids = {store.firm(text, "predicate.firm") for text in ("ALDW", "ALDW.O", "aldw", "Alderwick Shipping", "LEI:529900T8BM49AURSDO55")}
        assert len(ids) == 1
        with pytest.raises(InputError, match=r"predicate\.firm: 'ALDV' is no known firm\. Near: ALDW"):
            store.firm("ALDV", "predicate.firm")
        spec = read_spec({"operator": "select", "types": ["IPO"], "predicate": {"firm": "BRTH", "windows": [NEXT]}}, kinds)
        assert answer(spec, store).rows == ()


def test_the_same_day_is_near_and_does_not_follow(kinds: EventTypes, tmp_path: Path) -> None:
    """Two events on one day lie 0 days apart; neither followed the other."""
    with EventStore(tmp_path / "e.db") as store:
        store.add([EventTuple(firm="ALDW", event_type=kind, anchor_date="2018-02-01") for kind in (MA, CEO)], "t")
        found = {
            name: answer(read_spec({"operator": {"name": name, "days": 30}, "types": [MA, CEO]}, kinds), store).rows
            for name in ("near", "followed")
        }
    assert [row["gap_days"] for row in found["near"]] == [0]
    assert found["followed"] == ()


def test_what_the_schema_lacks_is_looked_for_in_the_rows_own_exhibits(kinds: EventTypes, tmp_path: Path) -> None:
    """Passages of the selected tuples only, marked as residual, the best fit first; a row without a fit has none."""
    said = [
        EventTuple(firm="ALDW", event_type=MA, anchor_date="2018-02-01", evidence=(Evidence(url="https://wire.example/1", quote="The price is $2 billion in cash."),
                   Evidence(url="https://wire.example/2", quote="Shares rose."))),
        EventTuple(firm="BRTH", event_type=MA, anchor_date="2018-03-01", evidence=(Evidence(url="https://wire.example/3", quote="No terms were told."),)),
        EventTuple(firm="CRMR", event_type=DONE, anchor_date="2018-03-01", evidence=(Evidence(url="https://wire.example/4", quote="The price in cash was small."),)),
    ]  # fmt: skip
    with EventStore(tmp_path / "e.db") as store:
        store.add(said, "t")
        found = answer(read_spec({"operator": "select", "types": [MA], "residual": "What was the price in cash?"}, kinds), store)
    assert [[p["quote"] for p in row["residual"]] for row in found.rows] == [["The price is $2 billion in cash."], []]  # type: ignore[attr-defined]
    assert found.notes[0].startswith("residual: 'What was the price in cash?' is no field")


@pytest.mark.slow
def test_duckdb_gives_the_same_rows(kinds: EventTypes, tmp_path: Path) -> None:
    """The replica answers every specification with the rows of SQLite, labels included."""
    pytest.importorskip("duckdb", reason="the extra duckdb is not installed")
    with EventStore(tmp_path / "e.db") as store:
        store.add([*random_tuples(5, 400), *DEALS], "world")
        replica = Replica(store)
        completed = ({"name": "completed", "days": 90}, [MA, DONE], {"windows": [BOTH]})
        for operator, types, predicate in [*SPECS, completed]:
            spec = read_spec({"operator": operator, "types": types, "predicate": predicate}, kinds)
            entities = entities_of(spec, store)
            ours = compile_spec(spec, entities)
            theirs = replica.rows(compile_spec(spec, entities, DUCKDB))
            assert [tuple(map(str, row)) for row in theirs] == [tuple(map(str, row)) for row in store.rows(ours.sql, ours.values)], spec
