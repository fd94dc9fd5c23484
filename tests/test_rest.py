"""REST: records, evidence, nights, challenges, the review queue; and its description against generated requests."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import queue
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest
import schemathesis
from factories import listing, record, settings
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as effort
from prometheus_client.parser import text_string_to_metric_families
from review_world import AT, fill, proven
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance
from starlette.testclient import TestClient
from web_client import NOW, app_on, client, token

from s2r.access import AccessStore, Role, Users
from s2r.models import Page, Route, Status
from s2r.nightly.changes import Change, ChangeReport
from s2r.nightly.service import Ask
from s2r.policy import Policy
from s2r.policy.schedule import Job, Schedule
from s2r.report.files import write_csv, write_json
from s2r.store import Store
from s2r.store.nights import Nights
from s2r.vendor.files import COLUMNS
from s2r.web.desk import WebDesk

ROWS = 7
LONGEST = 60_000  # characters of a query that the client sends
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Page]]:
    """A run folder with rows to review, an accepted one, one with an odd id and a second revision, three nights, and a vendor's challenges."""
    out = tmp_path_factory.mktemp("rest") / "run"
    pages = fill(out, ROWS)
    with Store(out / "s2r.db") as store:
        odd = record(listing(8, row_id="a/b c?&%2F.."), route=Route.ACCEPT)
        store.append(odd, inputs="o", position=8, author="s2r", why="audit", now=AT)
        later = proven(0, pages["T-01"], status=Status.YES, confidence=0.9)
        store.append(later, inputs="p", position=0, author="s2r", why="the policy changed", now=AT + dt.timedelta(days=1))
        store.book("r-test", "T-01", [("search", 1.0, "call", 0.25), ("search", 1.0, "call", None)], AT)
        store.intend("r-test", "T-01", "search", "call", 0.5, AT)
        nights = Nights(store)
        for state, hours in (("done", 30), ("failed", 20), ("done", 6)):
            night, _ = nights.open("nightly", NOW - dt.timedelta(hours=hours), {})
            outcome = {"error": "the feed is gone"} if state == "failed" else {"counts": {"new": 2}}
            nights.close(night, state, outcome, NOW - dt.timedelta(hours=hours - 1))
    changes = tuple(Change(row_id=f"T-{n:02d}", kind="new" if n % 2 else "changed", why="new row") for n in range(1, 6))
    report = ChangeReport(night=3, job="nightly", started_at=AT, finished_at=AT, rows=8, looked_at=5, carried=3, counts={"new": 3}, usd=0.25, run_id="r-test", changes=changes)  # fmt: skip
    (out / "nights" / "00003").mkdir(parents=True)
    write_json(out / "nights" / "00003" / "changes.json", report.model_dump(mode="json"))
    _vendor(out / "vendor" / "acme")
    return out, pages


def _vendor(folder: Path) -> None:
    folder.mkdir(parents=True)
    lines = [[f"C{n:04d}", kind, *[""] * (len(COLUMNS) - 2)] for n, kind in enumerate(["wrong_date", "wrong_date", "missing_in_vendor"], 1)]
    for number, line in enumerate(lines, 1):
        line[COLUMNS.index("row_id")], line[COLUMNS.index("why")] = f"T-{number:02d}", "their day, ours"
    write_csv(folder / "challenges.csv", COLUMNS, lines)
    cost = {"audit_usd": 1, "unpriced": 0, "minutes": 3, "people_usd": 2, "corrected": 2, "recovered": 1, "per_record_usd": 1, "text": ""}
    numbers = ("rows", "usable", "broken", "warnings", "listings", "outside", "ready")
    summary: dict[str, object] = dict.fromkeys(numbers, 3) | {
        "vendor": "acme",
        "feed": "f.csv",
        "feed_digest": "d",
        "policy": "p",
        "cost": cost,
    }
    share = {"k": 1, "n": 3, "share": 0.33, "low": 0.1, "high": 0.7}
    summary |= {"challenges": 3, "by_kind": {"wrong_date": 2}, "by_market": {}, "date_kinds": {}, "challenged": share, "agreed": share}
    write_json(folder / "summary.json", summary)


@pytest.fixture
def desk(made: tuple[Path, dict[str, Page]], tmp_path: Path, policy: Policy, policies: Path) -> WebDesk:
    """A service on loopback over a copy of it."""
    out = Path(shutil.copytree(made[0], tmp_path / "run"))
    schedule = Schedule(job=(Job(id="nightly", hour="2", minute="30"), Job(id="tidy", command="tidy", hour="12", pause=True)))
    return WebDesk(out=out, policy=policy, policies=policies, settings=settings(), clock=lambda: NOW, schedule=schedule)


@pytest.fixture
def web(desk: WebDesk) -> TestClient:
    """A program on loopback with the token that its requests need."""
    opened = client(desk)
    opened.headers["X-CSRF-Token"] = opened.get("/api/v1/me").json()["csrf"]
    return opened


# ---- records ----


def test_records_come_page_by_page_and_whole(web: TestClient) -> None:
    """Every row comes once, in order of its id, whatever the size of a page, and each page says how many there are in all."""
    for size in (1, 3, 8, 100):
        found: list[str] = []
        after: str | None = ""
        while after is not None:
            page = web.get("/api/v1/records", params={"limit": size, "after": after}).json()
            assert page["total"] == ROWS + 1
            found += [line["row_id"] for line in page["items"]]
            after = page["next"]
        assert found == sorted([*(f"T-{n:02d}" for n in range(1, ROWS + 1)), "a/b c?&%2F.."])


@pytest.mark.parametrize(
    ("given", "total"),
    [
        ({"status": "yes"}, ROWS),
        ({"status": "no", "route": "accept"}, 1),
        ({"route": "accept", "status": "yes"}, 0),
        ({"run_id": "r-test"}, ROWS + 1),
        ({"run_id": "other"}, 0),
        ({"since": "2026-03-03T00:00:00"}, 1),
        ({"since": "2026-03-03T01:00:00+02:00"}, 1),
        ({"since": "9999-12-31T23:59:59-23:59"}, 0),
    ],
)
def test_records_are_filtered(web: TestClient, given: dict[str, str], total: int) -> None:
    """By answer, route, run and time; the count is that of the filter."""
    page = web.get("/api/v1/records", params=given).json()
    assert (page["total"], len(page["items"])) == (total, total)


def test_a_record_as_it_is_and_as_it_was(web: TestClient) -> None:
    """The current record, the one that stood at a moment, and all revisions and looks; any row id works."""
    assert web.get("/api/v1/record", params={"row_id": "T-01"}).json()["confidence"] == 0.9
    before = web.get("/api/v1/record", params={"row_id": "T-01", "as_of": (AT + MINUTE).isoformat()})
    assert before.json()["confidence"] == 0.8
    early = web.get("/api/v1/record", params={"row_id": "T-01", "as_of": "2020-01-01T00:00:00Z"})
    assert (early.status_code, early.headers["content-type"]) == (404, "application/problem+json")
    assert "history" in early.json()["advice"]
    history = web.get("/api/v1/record/history", params={"row_id": "T-01"}).json()
    assert [(r["number"], r["why"]) for r in history["revisions"]] == [(1, "audit"), (2, "the policy changed")]
    assert [c["outcome"] for c in history["checks"]] == ["new", "changed"]
    assert web.get("/api/v1/record", params={"row_id": "a/b c?&%2F.."}).json()["status"] == "no"
    assert web.get("/api/v1/record", params={"row_id": "nobody"}).status_code == 404
    assert web.get("/api/v1/record/history", params={"row_id": "nobody"}).status_code == 404


def test_evidence_leads_to_text_and_bytes(web: TestClient, made: tuple[Path, dict[str, Page]]) -> None:
    """The quote of each claim stands at its offsets in the archived text; the bytes come as a download that no browser opens."""
    found = web.get("/api/v1/record/evidence", params={"row_id": "T-02"}).json()
    assert {claim["field"] for claim in found["claims"]} == {"status", "announcement_date", "reason"}
    (document,) = found["documents"]
    assert (document["quoted"], document["url"]) == (True, "https://exchange.example/n/1")
    text = web.get(f"/api/v1/exhibits/{document['exhibit']}/text").json()
    for claim in found["claims"]:
        assert text["text"][claim["start"] : claim["end"]] == claim["quote"]
    part = web.get(f"/api/v1/exhibits/{document['exhibit']}/text", params={"start": 10, "length": 20}).json()
    assert (part["text"], part["length"]) == (text["text"][10:30], len(text["text"]))
    original = web.get(f"/api/v1/exhibits/{document['exhibit']}/original")
    assert b"Notice 1." in original.content
    assert original.headers["content-type"] == "application/octet-stream"
    assert original.headers["content-disposition"].startswith("attachment;")
    assert "sandbox" in original.headers["content-security-policy"]
    assert original.headers["x-archived-type"] == "text/html; charset=utf-8"
    for path in ("text", "original"):
        assert web.get(f"/api/v1/exhibits/sha256:{'0' * 64}/{path}").status_code == 404
        assert web.get(f"/api/v1/exhibits/..%2f..%2fetc/{path}").status_code in (404, 422)


def test_downloads_are_in_the_audit_log(web: TestClient, made: tuple[Path, dict[str, Page]]) -> None:
    """Who took which bytes, and who asked for what was not allowed."""
    digest = made[1]["T-01"].digest
    web.get(f"/api/v1/exhibits/{digest}/original")
    web.post("/api/v1/nights/pause", json={"reason": "x"}, headers={"X-CSRF-Token": "wrong"})
    lines = web.get("/api/v1/audit").json()
    assert [(line["action"], line["outcome"], line["detail"]) for line in lines["items"]] == [
        ("POST", "403", ""),
        ("GET", "200", "download"),
    ]
    assert lines["items"][1]["subject"] == f"/api/v1/exhibits/{digest}/original"
    assert lines["total"] == 2


def test_runs_and_their_manifests(web: TestClient) -> None:
    """Every run with how many records are its own."""
    assert [(run["run_id"], run["records"]) for run in web.get("/api/v1/runs").json()["items"]] == [("r-test", ROWS + 1)]
    assert web.get("/api/v1/run", params={"run_id": "r-test"}).json() == {}
    assert web.get("/api/v1/run", params={"run_id": "x"}).status_code == 404


# ---- nights ----


def test_nights_their_changes_and_jobs(web: TestClient) -> None:
    """History newest first, page by page; changes of a night, by kind; a night without a report says so; jobs with their next time."""
    first = web.get("/api/v1/nights", params={"limit": 2}).json()
    assert [(night["id"], night["state"]) for night in first["items"]] == [(3, "done"), (2, "failed")]
    rest = web.get("/api/v1/nights", params={"before": first["next"]}).json()
    assert ([night["id"] for night in rest["items"]], rest["next"], rest["total"]) == ([1], None, 3)
    assert web.get("/api/v1/nights/2").json()["outcome"]["error"] == "the feed is gone"
    changed = web.get("/api/v1/nights/3/changes", params={"kind": "new", "limit": 2}).json()
    assert ([change["row_id"] for change in changed["items"]], changed["total"], changed["next"]) == (["T-01", "T-03"], 3, "2")
    assert web.get("/api/v1/nights/3/changes", params={"kind": "new", "after": "2"}).json()["next"] is None
    assert web.get("/api/v1/nights/1/changes").status_code == 404
    assert web.get("/api/v1/nights/9").status_code == 404
    jobs = web.get("/api/v1/jobs").json()
    assert (jobs["running_here"], jobs["paused"]) == (False, "")
    assert [job["next_at"] for job in jobs["items"]] == ["2026-03-03T02:30:00Z", None]


def test_pause_resume_and_run_now(desk: WebDesk) -> None:
    """An admin pauses with a reason and asks for a night with rows; what cannot be done is said with what to do instead."""
    asks: queue.Queue[Ask] = queue.Queue(2)
    web = client(replace(desk, asks=asks))
    web.headers["X-CSRF-Token"] = web.get("/api/v1/me").json()["csrf"]
    assert web.post("/api/v1/nights/pause", json={"reason": "moving house"}).json() == {"paused": "moving house (local)"}
    refused = web.post("/api/v1/nights/run", json={"job": "nightly"})
    assert (refused.status_code, refused.json()["advice"]) == (409, "POST /api/v1/nights/resume first.")
    assert web.post("/api/v1/nights/resume").json() == {"paused": ""}
    asked = web.post("/api/v1/nights/run", json={"job": "nightly", "rows": ["T-01"]})
    assert (asked.status_code, asked.json()["waiting"]) == (202, 1)
    assert asks.get_nowait() == Ask("nightly", ("T-01",), "local")
    assert web.post("/api/v1/nights/run", json={"job": "nightly", "rows": ["nobody"]}).status_code == 404
    assert web.post("/api/v1/nights/run", json={"job": "tidy"}).status_code == 404
    assert [web.post("/api/v1/nights/run", json={"job": "nightly"}).status_code for _ in range(3)] == [202, 202, 409]
    alone = client(desk)
    headers = {"X-CSRF-Token": web.headers["X-CSRF-Token"]}
    assert "without --web-only" in alone.post("/api/v1/nights/run", json={"job": "nightly"}, headers=headers).json()["advice"]


# ---- challenges ----


def test_challenges_of_vendors(web: TestClient) -> None:
    """Numbers of each comparison, its challenges by kind and page, and those about one row; a name never becomes a path."""
    assert [vendor["challenges"] for vendor in web.get("/api/v1/vendors").json()["items"]] == [3]
    page = web.get("/api/v1/vendors/acme/challenges", params={"kind": "wrong_date", "limit": 1}).json()
    assert ([line["challenge"] for line in page["items"]], page["total"], page["next"]) == (["C0001"], 2, "1")
    assert web.get("/api/v1/vendors/acme/challenges", params={"after": "2"}).json()["items"][0]["row_id"] == "T-03"
    assert web.get("/api/v1/record/challenges", params={"row_id": "T-02"}).json()["total"] == 1
    for name in ("other", "..", "%2e%2e", "..%2fvendor%2facme"):
        assert web.get(f"/api/v1/vendors/{name}/challenges").status_code == 404


# ---- the queue ----


def test_a_row_from_the_queue_to_a_decision_and_back(desk: WebDesk) -> None:
    """A reviewer takes the next row, decides it with a quote of the archived page, and takes it back; a viewer may look only."""
    with AccessStore(desk.access_path) as access:
        for name, role in (("ada", Role.REVIEWER), ("ben", Role.REVIEWER), ("vic", Role.VIEWER)):
            Users(access).add(name, role, None, NOW)
    web = client(desk)
    ada, ben, vic = (token(desk, name, role) for name, role in (("ada", Role.REVIEWER), ("ben", Role.REVIEWER), ("vic", Role.VIEWER)))
    page = web.get("/api/v1/queue", params={"size": 3, "sort": "row"}, headers=vic).json()
    assert (page["total"], len(page["items"]), bool(page["next_cursor"])) == (ROWS, 3, True)
    assert web.get("/api/v1/queue", params={"market": ["XNAS", "XLON"], "text": "alderwick"}, headers=vic).json()["total"] == 1
    assert web.get("/api/v1/queue", params={"state": "lost"}, headers=vic).status_code == 400
    assert web.post("/api/v1/queue/next", json={"text": "alderwick"}, headers=vic).status_code == 403
    lease = web.post("/api/v1/queue/next", json={"text": "alderwick"}, headers=ada).json()
    assert (lease["row_id"], lease["by"]) == ("T-01", "ada")
    held = web.post("/api/v1/queue/claim", json={"row_id": "T-01"}, headers=ben)
    assert (held.status_code, "held by ada" in held.json()["detail"]) == (409, True)
    view = web.get("/api/v1/queue/row", params={"row_id": "T-01"}, headers=ada).json()
    exhibit = view["record"]["claims"][0]["exhibit"]
    proof = [{"field": field, "exhibit": exhibit, "quote": "takes effect on 29 July 2016"} for field in ("status", "announcement_date")]
    wish = {"row_id": "T-01", "kind": "correct", "seen": 1, "status": "yes", "announcement_date": "2016-07-29", "reason": "voluntary",
            "reason_code": "wrong_date", "note": "n", "lease": lease["token"], "evidence": proof}  # fmt: skip
    stale = web.post("/api/v1/queue/decide", json=wish, headers=ada)
    assert (stale.status_code, stale.json()["newer"]["number"]) == (409, 2)
    wrong = web.post("/api/v1/queue/decide", json=wish | {"seen": 2, "evidence": [proof[0] | {"quote": "never said"}]}, headers=ada)
    assert (wrong.status_code, wrong.json()["faults"][0]["where"]) == (422, "evidence")
    done = web.post("/api/v1/queue/decide", json=wish | {"seen": 2, "key": "k1"}, headers=ada)
    assert done.status_code == 200, done.text
    assert web.post("/api/v1/queue/decide", json=wish | {"seen": 2, "key": "k1"}, headers=ada).json()["again"] is True
    assert web.post("/api/v1/queue/undo", json={"row_id": "T-01"}, headers=ben).status_code == 403
    assert web.post("/api/v1/queue/undo", json={"row_id": "T-01"}, headers=ada).status_code == 200
    assert web.get("/api/v1/queue/disagreements", headers=ada).status_code == 403
    assert web.get("/api/v1/queue/numbers", headers=vic).json()["rows"] == ROWS + 1
    with AccessStore(desk.access_path) as access:
        acted = {(line["user"], line["subject"], line["outcome"]) for line in access.rows("select * from audit")}
    assert {("ada", "/api/v1/queue/decide", "200"), ("vic", "/api/v1/queue/next", "403"), ("ben", "/api/v1/queue/undo", "403")} <= acted


def test_leases_are_renewed_released_and_listed(web: TestClient) -> None:
    """By their token; one that is gone is said to be."""
    lease = web.post("/api/v1/queue/claim", json={"row_id": "T-03", "minutes": 5}).json()
    longer = web.post("/api/v1/queue/renew", json={"row_id": "T-03", "token": lease["token"], "minutes": 60}).json()
    assert longer["until"] > lease["until"]
    assert [one["row_id"] for one in web.get("/api/v1/queue/leases").json()["items"]] == ["T-03"]
    wish = {"row_id": "T-03", "token": lease["token"]}
    assert [web.post("/api/v1/queue/release", json=wish).json()["released"] for _ in range(2)] == [True, False]
    assert web.post("/api/v1/queue/renew", json=wish).status_code == 409


def test_views_are_saved_listed_and_forgotten(web: TestClient) -> None:
    """A view is its filters as the queue's address gives them; a filter that does not exist is refused."""
    made = web.post("/api/v1/queue/views", json={"name": " Nasdaq ", "market": ["XNAS"], "state": ["open"], "sort": "age", "shared": True})
    assert made.json() == {"name": "Nasdaq", "by": "local", "query": "state=open&market=XNAS", "sort": "age", "shared": True}
    assert web.get("/api/v1/queue/views").json()["items"] == [made.json()]
    assert web.get(f"/queue?{made.json()['query']}").status_code == 200
    assert web.post("/api/v1/queue/views", json={"name": "x", "state": ["lost"]}).status_code == 400
    assert web.post("/api/v1/queue/views/delete", json={"name": "Nasdaq"}).json() == {"name": "Nasdaq"}
    assert web.post("/api/v1/queue/views/delete", json={"name": "Nasdaq"}).status_code == 404
    assert web.get("/api/v1/queue/views").json()["total"] == 0


def test_the_queue_goes_out_as_a_table_and_comes_back_as_decisions(web: TestClient) -> None:
    """An export holds every row of its filter; edited, it is kept whole or not at all, and adds nothing a second time."""
    out = web.get("/api/v1/queue/export", params={"sort": "row"})
    assert out.headers["content-disposition"] == 'attachment; filename="review-queue.csv"'
    lines = list(csv.DictReader(io.StringIO(out.text.lstrip("\ufeff"))))
    assert [line["row_id"] for line in lines] == [f"T-{n:02d}" for n in range(1, ROWS + 1)]
    lines[1] |= {"decision": "confirm", "reason_code": "evidence_holds"}

    def send(**more: str) -> httpx.Response:
        table = io.StringIO()
        writer = csv.DictWriter(table, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
        return web.post("/api/v1/queue/import", files={"file": ("../../edited.csv", table.getvalue())}, data=more)

    lines[2] |= {"decision": "perhaps"}
    refused = send()
    assert (refused.status_code, refused.json()["faults"][0]["row_id"]) == (422, "T-03")
    first = send(partial="true").json()
    assert (first["kept"], [fault["column"] for fault in first["faults"]]) == (1, ["decision"])
    lines[2]["decision"] = ""
    again = send().json()
    assert (again["kept"], again["again"], again["faults"]) == (0, 1, [])
    assert web.post("/api/v1/queue/import", files={"file": ("x.csv", "a,b\n1,2\n")}).status_code == 422


def test_a_page_of_a_private_address_is_not_fetched(web: TestClient) -> None:
    """What a reviewer asks to fetch passes the guard of the crawler."""
    for url in ("http://127.0.0.1:1/", "file:///etc/passwd", "http://169.254.169.254/latest/"):
        answer = web.post("/api/v1/queue/fetch", json={"url": url})
        assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json"), url


# ---- health ----


def test_metrics_count_what_is_in_the_store(web: TestClient) -> None:
    """The library's own parser reads them: records by answer and route, nights, age, cost, lines that were never settled."""
    answer = web.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=1.0.0")
    values = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }
    assert values["s2r_records", (("route", "review"), ("status", "yes"))] == ROWS
    assert values["s2r_records", (("route", "accept"), ("status", "no"))] == 1
    assert values["s2r_records", (("route", "escalate"), ("status", "no"))] == 0
    assert values["s2r_queue_rows", (("state", "open"),)] == ROWS
    assert values["s2r_nights", (("state", "failed"),)] == 1
    assert values["s2r_last_night_age_seconds", ()] == 5 * 3600
    assert values["s2r_cost_usd_total", ()] == 0.75
    assert [values["s2r_ledger_lines", (("state", s),)] for s in ("open", "lost", "unpriced")] == [1, 0, 1]
    assert values["s2r_challenges", (("vendor", "acme"),)] == 3


def test_ready_follows_the_store_the_policies_and_the_last_night(desk: WebDesk) -> None:
    """Ready when all is well; each thing that is not is named, and nothing of it is an error of the service."""
    web = client(desk)
    assert web.get("/readyz").json() == {"ready": True, "checks": {"store": "ok", "policies": "ok", "last_night": "ok"}}
    with Store(desk.store_path) as store:
        night, _ = Nights(store).open("nightly", NOW, {})
        Nights(store).close(night, "failed", {"error": "the universe is gone"}, NOW)
    (desk.out.parent / "none").mkdir()
    broken = client(replace(desk, policies=desk.out.parent / "none")).get("/readyz")
    assert broken.status_code == 503
    assert broken.json()["checks"]["last_night"] == "night 4 (nightly) failed: the universe is gone"
    assert broken.json()["checks"]["policies"] != "ok"
    for beside in ("s2r.db-wal", "s2r.db-shm"):
        (desk.out / beside).unlink(missing_ok=True)
    desk.store_path.write_bytes(b"not a database" * 100)
    spoiled = client(desk)
    assert spoiled.get("/readyz").json()["checks"]["store"] != "ok"
    assert "s2r_store_readable 0.0" in spoiled.get("/metrics").text
    answer = spoiled.get("/api/v1/records")
    assert (answer.status_code, answer.json()["status"]) == (503, 503)


def test_a_fault_of_ours_gives_nothing_away(desk: WebDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug is a problem without its words, under a policy that runs nothing; the log has it."""

    def broken(*_: object) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("s2r.web.api.records.run_lines", broken)
    web = TestClient(app_on(desk), base_url="http://127.0.0.1", raise_server_exceptions=False)
    answer = web.get("/api/v1/runs")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "secret" not in answer.text
    assert answer.headers["content-security-policy"] == "default-src 'none'"


# ---- its description ----


def test_the_description_is_complete(web: TestClient) -> None:
    """Each operation says what it is for and what it answers; each of its refusals is a problem; a token is a way in; no page is in it."""
    told = web.get("/api/v1/openapi.json").json()
    assert told["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert set(told["components"]["schemas"]["ProblemBody"]["properties"]) >= {"title", "status", "detail", "advice", "faults"}
    for path, operations in told["paths"].items():
        assert path.startswith("/api/v1/") or path in ("/healthz", "/readyz", "/metrics")
        for operation in operations.values():
            assert operation["summary"], path
            assert operation["description"].endswith("."), path
            assert operation["tags"], path
            assert any(status.startswith("2") for status in operation["responses"]), path
            for status, answer in operation["responses"].items():
                if status.startswith("4"):
                    (form,) = answer["content"]
                    assert form == "application/problem+json", (path, status)


def _generated(desk: WebDesk, examples: int, mode: GenerationMode = GenerationMode.POSITIVE) -> Iterator[tuple[str, str, int, str]]:
    """Method, path, status and body of generated requests to every operation that the description names, as an admin on loopback. Each
    answer is one that the description allows: status, form and schema."""
    app = app_on(desk)
    web = client(desk)
    csrf = web.get("/api/v1/me").json()["csrf"]
    schema = schemathesis.openapi.from_dict(json.loads(web.get("/api/v1/openapi.json").text))
    assert app is web.app
    for found in schema.get_all_operations():
        operation = found.ok()
        seen: list[tuple[str, str, int, str]] = []
        run = given(case=operation.as_strategy(generation_mode=mode))(_caller(web, csrf, seen))
        effort(
            max_examples=examples, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )(run)()  # fmt: skip
        yield from seen


def _caller(web: TestClient, csrf: str, seen: list[tuple[str, str, int, str]]) -> Callable[[schemathesis.Case], None]:
    def call(case: schemathesis.Case) -> None:
        sent = case.as_transport_kwargs(base_url="http://127.0.0.1")
        given_headers = {name: value for name, value in (sent.get("headers") or {}).items() if name.lower() != "authorization"}
        sent["headers"] = given_headers | {"X-CSRF-Token": csrf}
        sent.pop("cookies", None)
        if sent.get("files"):
            sent["files"] = [(name, _as_file(value)) for name, value in sent["files"]]
        if isinstance(sent.get("data"), bytes):
            sent["content"] = sent.pop("data")
        if len(urlencode(sent.get("params") or {}, doseq=True)) > LONGEST:
            return
        answer = web.request(**sent)
        answer.request.read()
        seen.append((case.method, case.path, answer.status_code, answer.text[:500]))
        case.validate_response(answer, checks=[status_code_conformance, content_type_conformance, response_schema_conformance])

    return call


def _as_file(value: object) -> tuple[str | None, bytes]:
    """A part of a form as the client sends one: its name and bytes."""
    name, content = value[:2] if isinstance(value, tuple) else (None, value)
    return name, content if isinstance(content, bytes) else str(content).encode("utf-8", "replace")


def test_no_generated_request_breaks_the_service(desk: WebDesk) -> None:
    """A few requests to each operation, valid by the description: none ends in a server error, and many are answered well."""
    seen = list(_generated(desk, 2))
    assert [line for line in seen if line[2] >= 500] == []
    assert len({(method, path) for method, path, _, _ in seen}) > 35
    assert sum(status < 300 for _, _, status, _ in seen) > 20


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("mode", "examples"), [(GenerationMode.POSITIVE, 150), (GenerationMode.NEGATIVE, 60)])
def test_many_generated_requests_break_nothing(desk: WebDesk, mode: GenerationMode, examples: int) -> None:
    """The same with many requests to each operation, as the description allows them and as it does not."""
    seen = list(_generated(desk, examples, mode))
    print(
        f"{mode.name}: {len(seen)} requests, {len({line[:2] for line in seen})} operations, {sum(line[2] < 300 for line in seen)} answered well"
    )
    assert [line for line in seen if line[2] >= 500] == []
