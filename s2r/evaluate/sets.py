"""`make eval`: audit every gold set that is present, print the measures, compare with pinned floors and pinned cases.

Sets: sealed-dev, audit-cases and dates-dev of a `shared` folder beside the checkout when there is one; embedded ones are the
regions of tests/gold (each apart, and together as `own`), the short cases of `wording`, the demo, and the dated snippets. Results go to
results.json in --out. `--pin` raises the floors to the present results; it lowers one only with --lower, which needs a reason in the
commit.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from s2r.errors import ConfigError
from s2r.evaluate.dates import read_rows, read_snippet
from s2r.evaluate.floor import broken_floors, pinned_sets, raised_floors, read_floors
from s2r.evaluate.gold import Gold, read_gold
from s2r.evaluate.results import Changes, SetResult, compare, of_records, of_snippets, together
from s2r.evaluate.score import CaseScore, Rate, score
from s2r.job import AuditFiles, audit_files, read_records
from s2r.policy import Policy, load_policy, policy_root
from s2r.settings import Settings

GOLD = Path("tests/gold")  # its regions; floor.json and cases.json lie beside them
WORDING = Path("tests/cases/wording")  # short cases of one page, a set apart
FLOORS, CASES = "floor.json", "cases.json"
OUTSIDE = ("sealed-dev", "audit-cases", "dates-dev")  # sets that are not part of the repository
GROUPS = ("stratum", "region", "language", "trap")
WIDTH = 110  # columns where no terminal says how wide it is


@dataclass(frozen=True, slots=True)
class GoldSet:
    """One gold set: universe, pool and gold of an audit, or one file of dated snippets."""

    name: str
    files: tuple[Path, ...]


def known_sets(root: Path, shared: Path) -> list[GoldSet]:
    """All sets there should be, present or not."""
    regions = sorted(p.name for p in (root / GOLD).glob("*") if p.is_dir())
    return [
        GoldSet("sealed-dev", _folder(shared / "sealed-dev")),
        GoldSet("audit-cases", _folder(shared / "real" / "audit-cases")),
        GoldSet("dates-dev", (shared / "dates" / "dates-dev.jsonl",)),
        *(GoldSet(f"own/{name}", _folder(root / GOLD / name)) for name in regions),
        GoldSet("wording", _folder(root / WORDING)),
        GoldSet("demo", (root / "demo" / "universe.csv", root / "demo" / "pool.jsonl", root / "demo" / "gold.csv")),
        GoldSet("dates", (root / "tests" / "cases" / "dates.jsonl",)),
        GoldSet("dates-later", (root / "tests" / "cases" / "dates-later.jsonl",)),
        GoldSet("dates-angles", (root / "tests" / "cases" / "dates-angles.jsonl",)),
    ]


def _folder(folder: Path) -> tuple[Path, ...]:
    return folder / "universe.csv", folder / "docs.jsonl", folder / "gold.csv"


def run_set(gold_set: GoldSet, out: Path, policy: Policy, policies: Path, workers: int, now: dt.datetime) -> SetResult:
    """Audit or read one set afresh and score it; raises ConfigError when it cannot be used."""
    if len(gold_set.files) == 1:
        rows = [snippet for _, snippet in read_rows(gold_set.files[0])]
        return of_snippets(gold_set.name, [(row, read_snippet(row.text, row.context, policy.date_lexicons)) for row in rows])
    universe, pool, gold_file = gold_set.files
    folder = out / gold_set.name
    shutil.rmtree(folder, ignore_errors=True)
    files = AuditFiles(universe=universe, pool=pool, out=folder, cutoff=None, today=now.date())
    settings = Settings(workers=workers)
    asyncio.run(audit_files(files, policy, policies, settings, clock=lambda: now, on_event=lambda event: None, on_total=lambda n: None))
    gold: dict[str, Gold] = read_gold(gold_file)
    scores: list[CaseScore] = score(read_records(folder), gold)
    return of_records(gold_set.name, scores, gold)


def run_sets(sets: Sequence[GoldSet], out: Path, policy: Policy, policies: Path, workers: int, now: dt.datetime) -> Iterator[SetResult]:
    """Results set by set; after the last region also all regions together, as `own`."""
    regions: list[SetResult] = []
    last = max((n for n, s in enumerate(sets) if s.name.startswith("own/")), default=-1)
    for number, gold_set in enumerate(sets):
        result = run_set(gold_set, out, policy, policies, workers, now)
        yield result
        if gold_set.name.startswith("own/"):
            regions.append(result)
        if number == last and len(regions) > 1:
            yield together("own", regions)


@dataclass(frozen=True, slots=True)
class Pins:
    """Pinned floors and case outcomes; either may be missing."""

    floors: Mapping[str, dict[str, float]]
    cases: Mapping[str, dict[str, str]]

    @classmethod
    def read(cls, folder: Path) -> Pins:
        """Both files of a folder; raises ConfigError for one that cannot be read."""
        floors = {name: read_floors(folder / FLOORS, name) for name in pinned_sets(folder / FLOORS)}
        try:
            cases = json.loads((folder / CASES).read_text("utf-8")) if (folder / CASES).is_file() else {}
        except (OSError, ValueError) as exc:
            raise ConfigError(f"pinned cases cannot be read: {exc!r}", subject=str(folder / CASES)) from exc
        return cls(floors, cases)

    def raised(self, results: Sequence[SetResult], *, lower: bool) -> Pins:
        """Pins with the present results in; sets that did not run stay as they are."""
        floors = {r.name: raised_floors(r.rates, self.floors.get(r.name, {}), lower=lower) for r in results}
        return Pins({**self.floors, **floors}, {**self.cases, **{r.name: r.codes for r in results}})

    def write(self, folder: Path) -> None:
        """Write both files."""
        (folder / FLOORS).write_text(json.dumps(self.floors, indent=1, sort_keys=True) + "\n", "utf-8")
        (folder / CASES).write_text(json.dumps(self.cases, indent=0, sort_keys=True) + "\n", "utf-8")


def broken_pins(results: Sequence[SetResult], floors: Mapping[str, dict[str, float]]) -> list[str]:
    """A sentence for everything that fails: a measure under its floor, a gold row without a record."""
    broken = []
    for result in results:
        broken += [f"{result.name}: {line}" for line in broken_floors(result.rates, floors.get(result.name, {}))]
        if result.unscored:
            broken.append(f"{result.name}: no record for {len(result.unscored)} gold rows: {', '.join(result.unscored[:10])}")
    return broken


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/eval"), show_default=True)
@click.option("--root", type=click.Path(path_type=Path), default=Path(), help="Checkout with tests/gold and demo (default: here).")
@click.option("--shared", type=click.Path(path_type=Path), help="Folder with the sets outside the checkout (default: ../shared).")
@click.option("--set", "only", multiple=True, help="Only these sets; `own` stands for all regions.")
@click.option("--workers", type=int, default=2, show_default=True)
@click.option("--pin", is_flag=True, help="Raise the floors to the present results, and pin every case.")
@click.option("--lower", is_flag=True, help="With --pin: also lower floors that are not reached.")
@click.option("--detail/--no-detail", default=True, help="Also by stratum, region, language and trap, and every miss.")
def main(out: Path, root: Path, shared: Path | None, only: Sequence[str], workers: int, pin: bool, lower: bool, detail: bool) -> None:
    """Score every gold set against its floor; exit 3 when one is under it."""
    console = Console(highlight=False, width=max(WIDTH, Console().width))
    try:
        results = _run(console, out, root, shared or root / ".." / "shared", only, workers, detail)
        pins = Pins.read(root / GOLD)
        if pin:
            pins = pins.raised(results, lower=lower)
            pins.write(root / GOLD)
            console.print(f"Pinned to {FLOORS} and {CASES} in {root / GOLD}.", soft_wrap=True)
    except ConfigError as exc:
        click.echo(str(exc), err=True)
        sys.exit(2)
    broken = broken_pins(results, pins.floors)
    if not only:
        embedded = [name for name in pins.floors if name not in OUTSIDE]
        broken += [f"{name}: has floors, but was not found" for name in embedded if name not in {r.name for r in results}]
    _write_results(out / "results.json", results, pins, broken)
    for line in broken:
        console.print(f"FLOOR {line}", markup=False, soft_wrap=True)
    if not pins.floors:
        console.print("No floors are pinned: nothing could fail. Pin them with --pin.")
    sys.exit(3 if broken else 0)


def _run(console: Console, out: Path, root: Path, shared: Path, only: Sequence[str], workers: int, detail: bool) -> list[SetResult]:
    policies = policy_root(Settings())
    policy = load_policy("delisting", policies)
    now = dt.datetime.now(dt.UTC)  # noqa: TID251 - a command owns the clock
    pins = Pins.read(root / GOLD)
    chosen = [s for s in known_sets(root, shared) if not only or s.name in only or ("own" in only and s.name.startswith("own/"))]
    present = [s for s in chosen if all(path.is_file() for path in s.files)]
    if not present:
        raise ConfigError("no gold set is here", subject=str(root), advice="Run it in a checkout of the repository.")
    for gold_set in chosen:
        if gold_set not in present:
            console.print(f"{gold_set.name}: not present at {gold_set.files[0].parent}, skipped", soft_wrap=True)
    results = []
    for result in run_sets(present, out, policy, policies, workers, now):
        results.append(result)
        _show(console, result, pins, detail=detail)
    return results


def _show(console: Console, result: SetResult, pins: Pins, *, detail: bool) -> None:
    console.print(f"\n[bold]{result.name}[/bold]: {len(result.cases)} cases")
    limits = pins.floors.get(result.name, {})
    table = Table("measure", "value [95% Wilson] n", "floor", box=None, pad_edge=False)
    for key, rate in result.rates.items():
        table.add_row(key, str(rate), str(limits.get(key, "")))
    console.print(table)
    if detail:
        for name in GROUPS:
            _show_group(console, result, name)
        if result.name != "own":  # its regions have listed them
            for case in result.cases:
                if case.fault:
                    console.print(case.fault, markup=False, soft_wrap=True)
    _show_changes(console, compare(result, pins.cases.get(result.name, {})), known=result.name in pins.cases)


def _show_group(console: Console, result: SetResult, name: str) -> None:
    groups = result.groups(name)
    if len(groups) < 2:
        return
    heads = [c.replace("_", " ") + (" (A)" if c in ("date_exact", "reason") else "") for c in result.columns]
    table = Table(name, *heads, box=None, pad_edge=False)
    for value, rates in groups.items():
        table.add_row(value, *(str(rates[column]) for column in result.columns))
    console.print(table)


def _show_changes(console: Console, changes: Changes, *, known: bool) -> None:
    if not known:
        console.print("against the pinned cases: none are pinned")
        return
    parts = [f"{name} {', '.join(rows) or 'none'}" for name, rows in asdict(changes).items() if rows or name in ("gained", "lost")]
    console.print(f"against the pinned cases: {'; '.join(parts)}", markup=False, soft_wrap=True)


def _write_results(path: Path, results: Sequence[SetResult], pins: Pins, broken: Sequence[str]) -> None:
    def values(rates: Mapping[str, Rate]) -> dict[str, object]:
        return {k: {"value": r.value, "hits": r.hits, "n": r.n, "interval": r.interval} for k, r in rates.items()}

    sets = {
        r.name: {
            "cases": len(r.cases),
            "measures": values(r.rates),
            "by": {name: {value: values(rates) for value, rates in r.groups(name).items()} for name in GROUPS},
            "changes": asdict(compare(r, pins.cases.get(r.name, {}))),
            "misses": [case.fault for case in r.cases if case.fault],
        }
        for r in results
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"sets": sets, "broken": list(broken)}, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
