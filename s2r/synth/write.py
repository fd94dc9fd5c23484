"""Write a synthetic universe in one pass: memory does not grow with its rows."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from s2r.report.files import whole, write_json
from s2r.synth.adjudicator import Answer, Drift, Profile, answer
from s2r.synth.cases import FOOT, Case, Document, UniverseSpec, cases, documents

UNIVERSE = ("case_id", "issuer", "security", "security_type", "ticker", "mic", "venue", "country", "isin", "lei", "cik", "cutoff")
GOLD = ("case_id", "stratum", "status", "announcement_date", "reason", "also_reason", "disclosure_type", "first_url", "trap", "later_date",
        "languages", "rationale")  # fmt: skip
RATIONALE = "synthetic"


@dataclass(frozen=True, slots=True)
class SynthArm:
    """An adjudicator of the universe: the name of its folder, its profile, and how it drifts."""

    name: str
    profile_name: str
    profile: Profile
    drift: Drift | None = None

    def factor(self, number: int, rows: int) -> float:
        """How many times its shares of faults are those of the profile, at a row."""
        return self.drift.factor if self.drift and number >= self.drift.start * rows else 1.0


@dataclass(slots=True)
class Written:
    """What was written."""

    rows: int = 0
    pages: int = 0
    records: int = 0
    strata: Counter[str] = field(default_factory=Counter)
    markets: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)


def write_universe(
    out: Path, spec: UniverseSpec, *, pool: bool, arms: tuple[SynthArm, ...] = (), policy: str, on_row: Callable[[int], None]
) -> Written:
    """Write universe.csv, gold.csv and synthetic.json into `out`, with `pool` docs.jsonl and docs_gold.jsonl, and for every arm
    arms/<name>/records.jsonl, truth.jsonl and run.json. Raises StoreError when they cannot be written."""
    done = Written()
    with ExitStack() as stack:
        rows, gold = stack.enter_context(_csv(out / "universe.csv", UNIVERSE)), stack.enter_context(_csv(out / "gold.csv", GOLD))
        docs = stack.enter_context(whole(out / "docs.jsonl")) if pool else None
        docs_gold = stack.enter_context(whole(out / "docs_gold.jsonl")) if pool else None
        files = [_ArmFiles.open(stack, out / "arms" / arm.name) for arm in arms]
        for case in cases(spec):
            rows(_universe_row(case))
            gold(_gold_row(case))
            if docs and docs_gold:
                for document in documents(spec, case):
                    _line(docs, {k: getattr(document, k) for k in ("url", "title", "content_type", "body")})
                    _line(docs_gold, _document_gold(case, document))
                    done.pages += 1
            for arm, file in zip(arms, files, strict=True):
                made = answer(
                    case,
                    arm.profile_name,
                    arm.profile,
                    seed=spec.seed,
                    policy=policy,
                    arm=arm.name,
                    factor=arm.factor(case.number, spec.rows),
                )
                file.add(made)
                done.records += 1
            done.rows += 1
            done.strata[case.stratum] += 1
            done.markets[case.listing.mic] += 1
            done.languages[case.language] += 1
            on_row(done.rows)
    for arm, file in zip(arms, files, strict=True):
        write_json(out / "arms" / arm.name / "run.json", _run_json(arm, spec, done, file, policy))
    write_json(out / "synthetic.json", _manifest(spec, arms, done))
    return done


@dataclass(slots=True)
class _ArmFiles:
    """The files of an arm while they are written."""

    records: IO[bytes]
    truth: IO[bytes]
    digest: Any
    count: int = 0

    @classmethod
    def open(cls, stack: ExitStack, folder: Path) -> _ArmFiles:
        records, truth = stack.enter_context(whole(folder / "records.jsonl")), stack.enter_context(whole(folder / "truth.jsonl"))
        return cls(records, truth, hashlib.sha256())

    def add(self, made: Answer) -> None:
        line = made.record.model_dump_json().encode("utf-8") + b"\n"
        self.records.write(line)
        self.digest.update(line)
        _line(self.truth, {"row_id": made.record.row_id, "difficulty": made.difficulty, "risk": made.risk, "synthetic": True})
        self.count += 1


@contextmanager
def _csv(path: Path, header: tuple[str, ...]) -> Iterator[Callable[[tuple[str, ...]], object]]:
    """A CSV in UTF-8, written row by row."""
    with whole(path) as fh:
        text = io.TextIOWrapper(fh, encoding="utf-8", newline="", write_through=True)
        writer = csv.writer(text)
        writer.writerow(header)
        yield writer.writerow
        text.detach()


def _line(fh: IO[bytes], value: Mapping[str, object]) -> None:
    fh.write(json.dumps(value, ensure_ascii=False).encode("utf-8") + b"\n")


def _universe_row(case: Case) -> tuple[str, ...]:
    x = case.listing
    return (
        x.row_id,
        x.issuer,
        x.security,
        x.security_type,
        x.ticker,
        x.mic,
        x.venue,
        x.country,
        x.isin,
        x.lei,
        x.cik,
        x.cutoff.isoformat(),
    )


def _gold_row(case: Case) -> tuple[str, ...]:
    day = case.event.isoformat() if case.event else ""
    known = case.stratum == "A"
    url = f"https://notices-{case.listing.mic.lower()}.synthetic.example/{case.listing.row_id.lower()}/notice" if known else ""
    reason, kind = (case.reason, case.disclosure_type) if known else ("", "")
    truth = (case.listing.row_id, case.stratum, case.truth, day if known else "", reason, "", kind, url)
    return (*truth, "+".join(case.traps), "" if known else day, case.language, RATIONALE)


def _document_gold(case: Case, document: Document) -> dict[str, object]:
    return {
        "url": document.url,
        "case_id": case.listing.row_id,
        "published": document.published.isoformat(),
        "lang": document.language,
        "qualifying": document.qualifying,
        "synthetic": True,
    }


def _run_json(arm: SynthArm, spec: UniverseSpec, done: Written, file: _ArmFiles, policy: str) -> dict[str, object]:
    return {
        "synthetic": True,
        "run_id": f"synthetic-{spec.seed}",
        "event_type": "delisting",
        "rows": done.rows,
        "policy": policy,
        "version": "synthetic",
        "adjudicator": f"synthetic:{arm.profile_name}",
        "profile": arm.profile.model_dump(),
        "drift": {"start": arm.drift.start, "factor": arm.drift.factor} if arm.drift else None,
        "records_sha256": file.digest.hexdigest(),
    }


def _manifest(spec: UniverseSpec, arms: tuple[SynthArm, ...], done: Written) -> dict[str, object]:
    return {
        "synthetic": True,
        "note": FOOT,
        "rows": done.rows,
        "seed": spec.seed,
        "mix": list(spec.mix),
        "cutoff": spec.cutoff.isoformat(),
        "traps": spec.traps,
        "noise": spec.noise,
        "recaps": spec.recaps,
        "strata": dict(sorted(done.strata.items())),
        "markets": dict(sorted(done.markets.items())),
        "languages": dict(sorted(done.languages.items())),
        "pages": done.pages,
        "arms": {arm.name: arm.profile_name for arm in arms},
    }
