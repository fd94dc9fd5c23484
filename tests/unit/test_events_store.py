"""Import of tuples, what is rejected and why, which claims become one event, which spellings one firm."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from s2r.errors import InputError
from s2r.events.identity import Unions, base_ticker, surface
from s2r.events.load import iter_tuples, load_tuples
from s2r.events.store import EventStore
from s2r.events.tuples import EventTuple, Evidence
from s2r.policy.event_types import EventTypes, load_event_types

MA = "M&A_announce"


@pytest.fixture(scope="module")
def kinds() -> EventTypes:
    return load_event_types(Path(__file__).parents[2] / "policies")


ROWS = [
    ({"firm": "ALDW", "type": "IPO", "date": "2020-01-05"}, None),
    ({"firm_ticker": "BRTH.O", "event_type": "merger", "anchor_date": "2020-02", "role": "Buyer", "counterparty_ticker": "CRMR"}, None),
    ({"firm": "ALDW", "type": "IPO", "date": "2020-13-05"}, ("anchor_date", "month must be in 1..12")),
    ({"firm": "ALDW", "type": "IPO", "date": "5 Jan 2020"}, ("anchor_date", "is no date")),
    ({"firm": "", "type": "IPO", "date": "2020-01-05"}, ("firm", "is missing")),
    ({"firm": "ALDW", "type": "IPPO", "date": "2020-01-05"}, ("event_type", "is no event type")),
    ({"firm": "ALDW", "type": "merger", "date": "2020-01-05", "role": "owner"}, ("role", "is no role")),
    ({"firm": "ALDW", "type": "delisting", "date": "2020-01-05", "reason": "bad luck"}, ("reason", "is no value of reason")),
]


@pytest.mark.parametrize("form", ["jsonl", "jsonl.gz", "csv"])
def test_rows_are_taken_or_rejected_with_row_column_and_advice(form: str, kinds: EventTypes, tmp_path: Path) -> None:
    """JSON lines, gzipped ones and CSV say the same of the same rows."""
    path = tmp_path / f"t.{form}"
    if form == "csv":
        columns = sorted({name for row, _ in ROWS for name in row})
        lines = [",".join(columns), *(",".join(str(row.get(name, "")) for name in columns) for row, _ in ROWS)]
        path.write_text("\ufeff" + "\r\n".join(lines), "utf-8")
    else:
        text = "\n".join(json.dumps(row) for row, _ in ROWS)
        path.write_bytes(gzip.compress(text.encode()) if form.endswith("gz") else text.encode())
    loaded = load_tuples(path, kinds)
    first = 2 if form == "csv" else 1
    wanted = [(number, *fault) for number, (_, fault) in enumerate(ROWS, start=first) if fault]
    assert [(i.row_number, i.column) for i in loaded.issues] == [(number, column) for number, column, _ in wanted]
    assert all(text in issue.problem and issue.advice for issue, (_, _, text) in zip(loaded.issues, wanted, strict=True))
    assert [(t.firm, t.event_type, t.role) for t in loaded.tuples] == [("ALDW", "IPO", ""), ("BRTH.O", MA, "buyer")]


def test_a_file_that_cannot_be_read_says_the_line(kinds: EventTypes, tmp_path: Path) -> None:
    """Broken JSON, a list, bytes that are no text: refused before any work."""
    path = tmp_path / "t.jsonl"
    for data, message in (
        (b'{"firm": 1}\n{', "line 2 is not JSON"),
        (b"[]", "line 1 is no JSON object"),
        (b"\xff\xfe\x00", "cannot be read"),
    ):
        path.write_bytes(data)
        with pytest.raises(InputError, match=message):
            load_tuples(path, kinds)


def test_gold_answers_give_their_tuples_with_the_deal(kinds: EventTypes, tmp_path: Path) -> None:
    """A question's gold: events, pairs, and deals, whose events carry buyer, target and link."""
    event = {"firm_ticker": "ALDW", "event_type": MA, "anchor_date": "2020-01-05", "role": None}
    pair = [
        {"role": "announce", **{k: v for k, v in event.items() if k != "role"}},
        {"firm_ticker": "ALDW", "event_type": "M&A_complete", "anchor_date": "2020-02-05"},
    ]
    lines = [{"gt": [event]}, {"gt": [{"buyer_ticker": "ALDW", "target_ticker": "Corrie Ltd", "qualifying_events": pair}]}]
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    loaded = load_tuples(path, kinds)
    assert loaded.issues == ()
    with EventStore(tmp_path / "e.db") as store:
        state = store.add(loaded.tuples, "q").resolution
        assert (state.claims, state.events, state.merged) == (3, 2, 1)
        events = store.events(row[0] for row in store.rows("select id from event"))  # type: ignore[misc]
        assert {(e.event_type, e.role, e.counterparty, e.deal) for e in events.values()} == {
            (MA, "buyer", "Corrie Ltd", "ALDW / Corrie Ltd"), ("M&A_complete", "buyer", "Corrie Ltd", "ALDW / Corrie Ltd"),
        }  # fmt: skip


def _claim(date: str, kind: str = "", **fields: str) -> EventTuple:
    return EventTuple(firm="ALDW", event_type=MA, anchor_date=date, anchor_kind=kind, **fields)  # type: ignore[arg-type]


MERGES = [
    ("same day, one without a role", [_claim("2020-03-02", role="buyer"), _claim("2020-03-02")], 1),
    ("same day, two roles", [_claim("2020-03-02", role="buyer"), _claim("2020-03-02", role="seller")], 2),
    ("same day, two partners", [_claim("2020-03-02", counterparty="BRTH"), _claim("2020-03-02", counterparty="CRMR")], 2),
    ("same day, one partner in two spellings", [_claim("2020-03-02", counterparty="Brant Inc."), _claim("2020-03-02", counterparty="Brant")], 1),
    ("what says less joins one, and joins two no more", [_claim("2020-03-02", counterparty="BRTH"), _claim("2020-03-02"), _claim("2020-03-02", counterparty="CRMR")], 2),
    ("stated days are not moved", [_claim("2020-03-02"), _claim("2020-03-04")], 2),
    ("a report some days later", [_claim("2020-03-02"), _claim("2020-03-06", "report")], 1),
    ("a report long after", [_claim("2020-03-02"), _claim("2020-03-10", "report")], 2),
    ("reports retell a report", [_claim("2020-03-02", "report"), _claim("2020-03-05", "report")], 1),
    ("a report of another deal", [_claim("2020-03-02", counterparty="BRTH"), _claim("2020-03-04", "report", counterparty="CRMR")], 2),
    ("two deals", [_claim("2020-03-02", deal="D1"), _claim("2020-03-02", deal="D2")], 2),
    ("a month is no day", [_claim("2020-03-01"), _claim("2020-03")], 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "claims", "events"), MERGES)
def test_claims_of_one_event_are_merged_with_a_reason(name: str, claims: list[EventTuple], events: int, tmp_path: Path) -> None:
    """Merged in whatever order they came; every merge has its reason; provenance of all claims is kept."""
    proven = [claim.model_copy(update={"evidence": (Evidence(url=f"https://wire.example/{n}"),)}) for n, claim in enumerate(claims)]
    for number, order in enumerate((proven, proven[::-1])):
        with EventStore(tmp_path / f"{number}.db") as store:
            state = store.add(order, "t").resolution
            assert (state.claims, state.events) == (len(claims), events), name
            assert len(store.merges()) == state.merged == len(claims) - events
            assert all(reason for _, _, reason in store.merges())
            ids = [int(str(row[0])) for row in store.rows("select id from event")]
            assert sum(len(event.evidence) for event in store.events(ids).values()) == len(claims)


def test_importing_twice_adds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tuple that is there is counted as repeated, in one import or in two, over the edges of batches."""
    monkeypatch.setattr("s2r.events.store.BATCH", 2)
    claims = [_claim("2020-03-02"), _claim("2020-03-02"), _claim("2020-05-02")]
    with EventStore(tmp_path / "e.db") as store:
        first, second = store.add(claims, "a"), store.add(claims, "b")
    assert (first.new, first.repeated) == (2, 1)
    assert (second.new, second.repeated, second.resolution) == (0, 3, first.resolution)


def test_a_file_that_breaks_off_adds_nothing(kinds: EventTypes, tmp_path: Path) -> None:
    """An import is taken in whole or not at all."""
    path = tmp_path / "t.jsonl"
    path.write_text('{"firm": "ALDW", "type": "IPO", "date": "2020-01-05"}\n{"firm": ')
    with EventStore(tmp_path / "e.db") as store:
        with pytest.raises(InputError, match="line 2 is not JSON"):
            store.add(iter_tuples(path, kinds, []), "t")
        assert store.rows("select count(*) from claim") == [(0,)]


def test_spellings_of_one_firm_meet_and_say_why(tmp_path: Path) -> None:
    """Reuters codes, legal forms and names in one row; codes of other venues and like tickers stay apart."""
    rows = [("ALDW", ("Alderwick Shipping Inc.", "Alder Lines")), ("ALDW.O", ()), ("Alderwick Shipping", ()), ("ALDW.L", ()), ("ALD", ())]
    tuples = [EventTuple(firm=firm, event_type="IPO", anchor_date=f"2020-01-0{n}", names=names) for n, (firm, names) in enumerate(rows, 1)]
    with EventStore(tmp_path / "e.db") as store:
        store.add(tuples, "t")
        same = {text: store.firm(text, "f") for text in ("ALDW", "ALDW.O", "Alderwick Shipping", "Alder Lines", "ALDW.L", "ALD")}
        assert len({same[text] for text in ("ALDW", "ALDW.O", "Alderwick Shipping", "Alder Lines")}) == 1
        assert len(set(same.values())) == 3
        reasons = [reason for _, _, reason in store.links()]
        assert any("Reuters code" in reason for reason in reasons)
        assert any("legal form" in reason for reason in reasons)
        assert any("named together" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("AAPL.O", "ticker", "ticker:AAPL"), ("BRK.B", "ticker", "ticker:BRK.B"), ("BRK.B.N", "name", "name:brk b n"), ("0700.HK", "ticker", "ticker:0700.HK"),
        ("VOD.L", "ticker", "ticker:VOD.L"), ("Corriemoor Biologics, Inc.", "name", "name:corriemoor biologics"), ("cik: 0000320193", "id", "cik:320193"),
    ],
)  # fmt: skip
def test_kind_and_key_of_a_spelling(text: str, kind: str, key: str) -> None:
    """Tickers with and without exchange marks, names, identifiers."""
    assert (surface(text).kind, surface(text).key) == (kind, key)
    assert base_ticker("MSFT.OQ") == "MSFT"


def test_unions_keep_the_reason_of_every_link() -> None:
    """The smallest member stands for all; a link inside a set is none."""
    unions: Unions[int] = Unions()
    assert [unions.join(*link) for link in ((3, 2, "a"), (1, 2, "b"), (3, 1, "c"))] == [True, True, False]
    assert {unions.root(n) for n in (1, 2, 3)} == {1}
    assert [reason for _, _, reason in unions.reasons] == ["a", "b"]


def test_one_ticker_of_two_issuers_makes_no_one_firm(tmp_path: Path) -> None:
    """A ticker that was used again does not join firms with different identifiers."""
    tuples = [
        EventTuple(firm="lei:529900T8BM49AURSDO55", event_type="delisting", anchor_date="2018-01-02", names=("Old Alder plc", "ALDW")),
        EventTuple(firm="lei:5493001KJTIIGC8Y1R12", event_type="delisting", anchor_date="2023-01-02", names=("New Alder plc", "ALDW")),
    ]
    with EventStore(tmp_path / "e.db") as store:
        assert store.add(tuples, "t").resolution.firms == 2
        assert store.firm("Old Alder", "f") != store.firm("New Alder", "f")
