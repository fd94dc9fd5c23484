"""`s2r verify` proves a run again from its bytes: whatever was changed afterwards is found, and the records that rest on it are named."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Command
from factories import settings, world, write_world
from warcio.archiveiterator import ArchiveIterator

from s2r.archive import Archive
from s2r.errors import ConfigError
from s2r.job import AuditFiles, audit_files
from s2r.job.finish import records_digest
from s2r.models import Record
from s2r.policy import Policy
from s2r.proof import prove

NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
ROWS = 5


@pytest.fixture(scope="module")
def proven(policy: Policy, policies: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One audited run folder; tests take copies of it."""
    folder = tmp_path_factory.mktemp("proven")
    write_world(folder, ROWS)
    files = AuditFiles(folder / "universe.csv", folder / "pool.jsonl", folder / "out", cutoff=None, today=NOW.date())
    asyncio.run(audit_files(files, policy, policies, settings(), clock=lambda: NOW, on_event=lambda e: None, on_total=lambda n: None))
    return folder / "out"


@pytest.fixture
def out(proven: Path, tmp_path: Path) -> Path:
    """A copy of the run folder that may be damaged."""
    return Path(shutil.copytree(proven, tmp_path / "out"))


def warc(out: Path) -> Path:
    """The only WARC file of a run folder."""
    (found,) = (out / "archive").glob("*.warc.gz")
    return found


def members(path: Path) -> list[tuple[str, int, int]]:
    """Kind, offset and length of every member of a WARC file."""
    found = []
    with path.open("rb") as fh:
        records = ArchiveIterator(fh)
        for record in records:
            record.content_stream().read()
            kind, offset = record.rec_type, records.get_record_offset()
            found.append((kind, offset, records.get_record_length()))
    return found


def readers(out: Path, digest: str) -> set[str]:
    """Row ids of the records that read a page."""
    lines = (out / "records.jsonl").read_text("utf-8").splitlines()
    return {record.row_id for record in map(Record.model_validate_json, lines) if digest in record.coverage.exhibits}


def named(text: str) -> set[str]:
    """Row ids named as affected in the output of `s2r verify`."""
    return {row_id for found in re.findall(r"Records: ([^.]+)\.", text) for row_id in found.split(", ")}


def test_sound_run_is_proven(out: Path, s2r: Command) -> None:
    """Exit 0, with the numbers of what was checked."""
    ran = s2r("verify", out)
    assert ran.code == 0, ran.out
    assert re.fullmatch(rf"{2 * ROWS} archived pages and \d+ claims of {ROWS} records checked: 0 faults.\n", ran.out)


def test_other_tools_read_the_archive(out: Path) -> None:
    """`warcio check` passes, and warcio's iterator gives back the body of every page unchanged."""
    check = subprocess.run([sys.executable, "-m", "warcio.cli", "check", warc(out)], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout + check.stderr
    wanted = {str(page["url"]): str(page["body"]).encode() for page in world(ROWS)[1]}
    with warc(out).open("rb") as fh:
        found = {
            record.rec_headers.get_header("WARC-Target-URI"): record.content_stream().read()
            for record in ArchiveIterator(fh)
            if record.rec_type == "response"
        }
    assert found == wanted


@pytest.mark.parametrize("seed", range(12))
def test_flipped_bit_is_found_and_its_records_named(seed: int, out: Path, s2r: Command) -> None:
    """Wherever in a capture one bit is flipped, the records that read this page are named; exit 3."""
    dice, path = random.Random(seed), warc(out)
    with Archive(out, read_only=True) as archive:
        exhibits = sorted(archive.exhibits(), key=lambda e: e.offset)
    head = exhibits[0].offset
    content = bytearray(path.read_bytes())
    at = dice.randrange(head, len(content))
    content[at] ^= 1 << dice.randrange(8)
    path.write_bytes(content)
    hit = [e for e in exhibits if e.offset <= at][-1]
    ran = s2r("verify", out)
    assert ran.code == 3
    assert named(ran.out) == readers(out, hit.digest) != set()


def test_flipped_bit_in_the_opening_record_is_found(out: Path, s2r: Command) -> None:
    """It holds no page, so no record is named, but the archive is not as written."""
    path = warc(out)
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.write_bytes(content)
    ran = s2r("verify", out)
    assert ran.code == 3
    assert "warcinfo" in ran.out


def test_cut_last_member_is_found_and_its_records_named(out: Path, s2r: Command) -> None:
    """The last capture is no longer whole."""
    path = warc(out)
    with Archive(out, read_only=True) as archive:
        last = max(archive.exhibits(), key=lambda e: e.offset)
    kind, offset, _ = members(path)[-1]
    assert kind == "metadata"
    with path.open("rb+") as fh:
        fh.truncate(offset)
    ran = s2r("verify", out)
    assert ran.code == 3
    assert named(ran.out) == readers(out, last.digest) != set()


def test_deleted_member_is_found_and_its_records_named(out: Path, s2r: Command) -> None:
    """A response cut out of the middle: its records are named, and so are those whose pages moved, with where they lie now."""
    path = warc(out)
    with Archive(out, read_only=True) as archive:
        gone = sorted(archive.exhibits(), key=lambda e: e.offset)[3]
    content = path.read_bytes()
    path.write_bytes(content[: gone.offset] + content[gone.offset + gone.length :])
    ran = s2r("verify", out)
    assert ran.code == 3
    assert readers(out, gone.digest) <= named(ran.out)
    assert "an intact copy lies at byte" in ran.out


def test_deleted_warc_file_names_all_records(out: Path, s2r: Command) -> None:
    """Nothing is left to prove anything with."""
    warc(out).unlink()
    ran = s2r("verify", out)
    assert ran.code == 3
    assert named(ran.out) == {f"T-{n:02d}" for n in range(1, ROWS + 1)}


def test_lost_index_is_no_damage(out: Path, s2r: Command) -> None:
    """The WARC files alone prove the records: the index is rebuilt from them in memory."""
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        (out / "archive" / name).unlink(missing_ok=True)
    assert s2r("verify", out).code == 0


def test_index_that_points_elsewhere_is_found(out: Path, s2r: Command) -> None:
    """A wrong offset is a fault, with the place where the page lies."""
    with sqlite3.connect(out / "archive/index.db") as db:
        db.execute("update exhibit set offset = offset + 1 where id = 2")
    db.close()
    ran = s2r("verify", out)
    assert ran.code == 3
    assert "an intact copy lies at byte" in ran.out
    assert named(ran.out)


def rewrite(out: Path, change: dict[str, object], *, told: bool = True) -> None:
    """Change fields of the first claim of the first record; with `told` the digest in run.json is made to fit."""
    lines = (out / "records.jsonl").read_text("utf-8").splitlines()
    first = json.loads(lines[0])
    first["claims"][0] |= change
    lines[0] = json.dumps(first, ensure_ascii=False)
    (out / "records.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    if told:
        manifest = json.loads((out / "run.json").read_text("utf-8")) | {"records_sha256": records_digest(out)}
        (out / "run.json").write_text(json.dumps(manifest), "utf-8")


@pytest.mark.parametrize(
    "change",
    [
        {"start": 5, "end": 40},
        {"quote": "The board has not decided to delist."},
        {"exhibit": "sha256:" + "0" * 64},
        {"match": "normalised"},
    ],
    ids=["offsets", "quote", "exhibit", "match"],
)
def test_changed_claim_is_found(change: dict[str, object], out: Path, s2r: Command) -> None:
    """Wrong offsets, other words, another page and another kind of match each do not hold."""
    rewrite(out, change)
    ran = s2r("verify", out)
    assert ran.code == 3
    assert named(ran.out) == {"T-01"}


def test_changed_records_file_is_found(out: Path, s2r: Command) -> None:
    """Even where every claim still holds: the file is not the one that was written."""
    text = (out / "records.jsonl").read_text("utf-8")
    (out / "records.jsonl").write_text(text.replace('"confidence":0.9', '"confidence":0.95', 1), "utf-8")
    ran = s2r("verify", out)
    assert ran.code == 3
    assert "was changed after it was written" in ran.out


def test_truncated_records_file_is_found_and_mended_by_the_audit(out: Path, proven: Path, s2r: Command, policies: Path) -> None:
    """The damaged line is named; the audit command writes the file again from the store."""
    path = out / "records.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-200])
    ran = s2r("verify", out)
    assert ran.code == 3
    assert f"line {ROWS} is no record" in ran.out
    universe, pool = proven.parent / "universe.csv", proven.parent / "pool.jsonl"
    assert s2r("audit", universe, "--pool", pool, "--out", out, "--policies", policies).code == 0
    assert path.read_bytes() == whole
    assert s2r("verify", out).code == 0


def test_yes_that_lost_a_claim_is_found(out: Path) -> None:
    """A record that says it is proven has quotes for status, date and reason."""
    lines = (out / "records.jsonl").read_text("utf-8").splitlines()
    first = json.loads(lines[0])
    first["claims"] = [claim for claim in first["claims"] if claim["field"] != "reason"]
    (out / "records.jsonl").write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n", "utf-8")
    manifest = json.loads((out / "run.json").read_text("utf-8")) | {"records_sha256": records_digest(out)}
    (out / "run.json").write_text(json.dumps(manifest), "utf-8")
    assert [(fault.subject, fault.records) for fault in prove(out).faults] == [("T-01 reason", ("T-01",))]


def test_faults_as_json_lines(out: Path, s2r: Command) -> None:
    """stdout has JSON lines only; the count goes to stderr."""
    warc(out).unlink()
    ran = s2r("verify", out, "--json")
    assert ran.code == 3
    faults = [json.loads(line) for line in ran.out.splitlines()]
    assert all(set(fault) == {"subject", "problem", "records"} for fault in faults)
    assert "faults" in ran.err


def test_folder_without_a_run_is_an_error_of_input(tmp_path: Path, s2r: Command) -> None:
    """Exit 2 and what to do."""
    with pytest.raises(ConfigError, match=r"holds no records\.jsonl"):
        prove(tmp_path)
    assert s2r("verify", tmp_path).code == 2
    assert s2r("verify", tmp_path / "absent").code == 2
