"""`make eval`: audit every gold set that is present, print the measures, compare with pinned floors and pinned cases.

Sets: sealed-dev and audit-cases of a `shared` folder beside the checkout when there is one, the cases of tests/gold, and the
embedded demo. `--pin` writes the present results as the new floor; a floor is lowered only on purpose, by hand, with a reason.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from s2r.evaluate.floor import broken_floors, read_floors
from s2r.evaluate.score import CaseScore, Gold, measures, read_gold, score
from s2r.job import AuditFiles, audit_files, read_records
from s2r.policy import Policy, load_policy, policy_root
from s2r.settings import Settings

PINNED = Path("tests/gold/floor.json")
CASES = Path("tests/gold/cases.json")


@dataclass(frozen=True, slots=True)
class GoldSet:
    """One gold set: where its universe, pool and gold lie. `parts` are folders that are scored together."""

    name: str
    parts: tuple[tuple[Path, Path, Path], ...]  # universe, pool, gold


def present_sets(root: Path, shared: Path) -> list[GoldSet]:
    """All sets that are there; a missing one is left out and named by the caller."""
    regions = sorted(p for p in (root / "tests" / "gold").glob("*") if (p / "gold.csv").is_file())
    found = [
        GoldSet("sealed-dev", (_part(shared / "sealed-dev"),)),
        GoldSet("audit-cases", (_part(shared / "real" / "audit-cases"),)),
        GoldSet("own", tuple(_part(region) for region in regions)),
        GoldSet("demo", ((root / "demo" / "universe.csv", root / "demo" / "pool.jsonl", root / "demo" / "gold.csv"),)),
    ]
    return [s for s in found if s.parts and all(path.is_file() for part in s.parts for path in part)]


def _part(folder: Path) -> tuple[Path, Path, Path]:
    return folder / "universe.csv", folder / "docs.jsonl", folder / "gold.csv"


def run_set(
    gold_set: GoldSet, out: Path, policy: Policy, policies: Path, workers: int, now: dt.datetime
) -> tuple[list[CaseScore], dict[str, Gold]]:
    """Audit one set afresh and score it."""
    scores: list[CaseScore] = []
    gold: dict[str, Gold] = {}
    for number, (universe, pool, gold_file) in enumerate(gold_set.parts):
        folder = out / gold_set.name / (universe.parent.name if len(gold_set.parts) > 1 else str(number))
        shutil.rmtree(folder, ignore_errors=True)
        files = AuditFiles(universe=universe, pool=pool, out=folder, cutoff=None, today=now.date())
        settings = Settings(workers=workers)
        asyncio.run(
            audit_files(files, policy, policies, settings, clock=lambda: now, on_event=lambda event: None, on_total=lambda total: None)
        )
        wanted = read_gold(gold_file)
        gold.update(wanted)
        scores += score(read_records(folder), wanted)
    return scores, gold


def outcome(s: CaseScore) -> str:
    """What a case got right, as a short code: S status, D date exact, R reason."""
    code = "S" if s.status_ok else "-"
    return code + ("D" if s.date_exact else "-") + ("R" if s.reason_ok else "-") if s.stratum == "A" else code


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/eval"), show_default=True)
@click.option(
    "--shared", type=click.Path(path_type=Path), default=Path("../shared"), show_default=True, help="Folder with the shared sets."
)
@click.option("--set", "only", multiple=True, help="Only these sets.")
@click.option("--workers", type=int, default=2, show_default=True)
@click.option("--pin", is_flag=True, help="Write the present results as the new floor.")
@click.option("--detail/--no-detail", default=True, help="Also by stratum, region, language and trap, and every miss.")
def main(out: Path, shared: Path, only: Sequence[str], workers: int, pin: bool, detail: bool) -> None:
    """Score every gold set against its floor; exit 3 when one is under it."""
    console = Console(soft_wrap=True, highlight=False)
    policies = policy_root(Settings())
    policy = load_policy("delisting", policies)
    now = dt.datetime.now(dt.UTC)  # noqa: TID251 - a command owns the clock
    sets = [s for s in present_sets(Path(), shared) if not only or s.name in only]
    for name in ("sealed-dev", "audit-cases"):
        if not any(s.name == name for s in sets) and not only:
            console.print(f"{name}: not present under {shared}, skipped")
    broken: list[str] = []
    pinned = json.loads(CASES.read_text("utf-8")) if CASES.is_file() else {}
    floors = json.loads(PINNED.read_text("utf-8")) if PINNED.is_file() else {}
    for gold_set in sets:
        scores, gold = run_set(gold_set, out, policy, policies, workers, now)
        found = measures(scores)
        limits = read_floors(PINNED, gold_set.name) if gold_set.name in floors else {}
        broken += [f"{gold_set.name}: {line}" for line in broken_floors(found, limits)]
        console.print(f"\n[bold]{gold_set.name}[/bold]: {len(scores)} cases")
        table = Table("measure", "value [95% Wilson] n", "floor", box=None, pad_edge=False)
        for key, rate in found.items():
            table.add_row(key, str(rate), str(limits.get(key, "")))
        console.print(table)
        if detail:
            _details(console, scores, gold)
        _changes(console, scores, pinned.get(gold_set.name, {}))
        if pin:
            ceilings = {"b_fepr", "c_fpr", "abstain"}
            floors[gold_set.name] = {k: round(r.value, 4) for k, r in found.items() if r.value is not None and k not in ceilings}
            floors[gold_set.name] |= {k: round(r.value, 4) for k, r in found.items() if r.value is not None and k in ceilings}
            pinned[gold_set.name] = {s.row_id: outcome(s) for s in scores}
    if pin:
        PINNED.write_text(json.dumps(floors, indent=1, sort_keys=True) + "\n", "utf-8")
        CASES.write_text(json.dumps(pinned, indent=0, sort_keys=True) + "\n", "utf-8")
        console.print(f"Pinned to {PINNED} and {CASES}.")
        return
    for line in broken:
        console.print(f"FLOOR {line}", markup=False)
    sys.exit(3 if broken else 0)


def _details(console: Console, scores: Sequence[CaseScore], gold: dict[str, Gold]) -> None:
    groups: dict[str, Callable[[Gold], tuple[str, ...]]] = {
        "stratum": lambda g: (g.stratum,),
        "region": lambda g: (g.region or "-",),
        "language": lambda g: g.languages or ("-",),
        "trap": lambda g: g.tags or ("-",),
    }
    for name, of in groups.items():
        names = sorted({value for s in scores for value in of(gold[s.row_id])})
        if names == ["-"]:
            continue
        table = Table(name, "accuracy", "date exact (A)", "reason (A)", box=None, pad_edge=False)
        for value in names:
            rates = measures([s for s in scores if value in of(gold[s.row_id])])
            table.add_row(value, str(rates["accuracy"]), str(rates["date_exact"]), str(rates["reason"]))
        console.print(table)
    for s in scores:
        if not s.status_ok or (s.stratum == "A" and not (s.date_exact and s.reason_ok)):
            console.print(f"{s.row_id} [{s.stratum}] expected {s.expected} | got {s.got} | {s.detail[:200]}", markup=False)


def _changes(console: Console, scores: Iterable[CaseScore], pinned: dict[str, str]) -> None:
    """Gains and losses by case against the pinned outcomes."""
    if not pinned:
        return
    changed = [(s.row_id, pinned[s.row_id], outcome(s)) for s in scores if s.row_id in pinned and pinned[s.row_id] != outcome(s)]
    gained = [f"{row} {old}>{new}" for row, old, new in changed if new.count("-") < old.count("-")]
    lost = [f"{row} {old}>{new}" for row, old, new in changed if new.count("-") > old.count("-")]
    other = [f"{row} {old}>{new}" for row, old, new in changed if new.count("-") == old.count("-")]
    console.print(f"against the pinned cases: gained {gained or 'none'}; lost {lost or 'none'}; changed {other or 'none'}", markup=False)


if __name__ == "__main__":
    main()
