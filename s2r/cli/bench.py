"""`s2r bench`: arms over a universe with gold, as the eight published views."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import click

from s2r.cli.common import EXIT_BUDGET, EXIT_OK, emit, now, parse_day, read_policy, read_settings, show_error, stderr, stdout
from s2r.errors import BudgetExceeded, ConfigError, InputError
from s2r.evaluate.gold import Gold, check_gold, read_gold
from s2r.evaluate.harness.arms import Arm, Bench, parse_arms
from s2r.evaluate.harness.costs import ReviewRate
from s2r.evaluate.harness.figures import View
from s2r.evaluate.harness.files import as_text, flat, write_figures
from s2r.evaluate.harness.html import write_html
from s2r.evaluate.harness.outcomes import Scored, score_arm
from s2r.evaluate.harness.risked import risked
from s2r.evaluate.harness.views import all_views
from s2r.job import AuditFiles, LiveOptions
from s2r.models import Listing
from s2r.pipeline import Event, Phase
from s2r.policy.asking import load_asking
from s2r.risk.load import find_risk_model
from s2r.risk.model import RiskModel
from s2r.settings import read_settings_file
from s2r.universe import read_universe

PLAIN = ReviewRate()
STEP = 100  # records between two lines of progress


@click.command()
@click.argument("universe", type=click.Path(path_type=Path))
@click.option("--gold", "gold_file", type=click.Path(path_type=Path), required=True, help="True answers: case_id, stratum, status, ...")
@click.option("--pool", type=click.Path(path_type=Path), help="Sealed pool of the arms that are run; without it the live web.")
@click.option(
    "--arms", "arms_text", default="rules", show_default=True, help="rules, closed:MODEL, web:MODEL, native:MODEL, NAME=FOLDER of a run."
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/bench"), show_default=True, help="Folder of reports and arms.")
@click.option("--policy", "policy_name", default="delisting", show_default=True, help="Event type: a folder of the policies.")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--cutoff", callback=parse_day, help="Cutoff day YYYY-MM-DD for rows that have none.")
@click.option("--point-in-time", is_flag=True, help="Count only pages that were provably public by the cutoff.")
@click.option("--workers", type=int, help="Rows in work at once (default: number of cores).")
@click.option("--search", "search_text", default="", help="Live providers, as of `s2r audit`.")
@click.option("--risk", help="Risk model that every arm is put under: a name in risk/ of the policies, a JSON file, or none.")
@click.option("--max-usd", type=click.FloatRange(min=0), help="Stop before an arm has cost more than this (exit code 5).")
@click.option("--max-usd-per-record", type=click.FloatRange(min=0), help="Ask no more about a record that has cost this (exit code 5).")
@click.option("--review-minutes", type=click.FloatRange(min=0), default=PLAIN.minutes, show_default=True, help="Minutes of one review.")
@click.option("--review-usd", type=click.FloatRange(min=0), default=PLAIN.usd_per_hour, show_default=True, help="Wage per hour.")
@click.option("--review-success", type=click.FloatRange(0, 1), default=PLAIN.success, show_default=True, help="Wrong records set right.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per figure on stdout; everything human goes to stderr.")
def bench(
    *,
    universe: Path,
    gold_file: Path,
    pool: Path | None,
    arms_text: str,
    out: Path,
    policy_name: str,
    policies: Path | None,
    cutoff: dt.date | None,
    point_in_time: bool,
    workers: int | None,
    search_text: str,
    risk: str | None,
    max_usd: float | None,
    max_usd_per_record: float | None,
    review_minutes: float,
    review_usd: float,
    review_success: float,
    as_json: bool,
) -> int:
    """Measure arms over the listings of UNIVERSE against gold. Writes bench.csv and bench.html; the same command again continues."""
    settings = read_settings(policies=policies, workers=workers, risk=risk)
    policy, root = read_policy(policy_name, settings)
    model = find_risk_model(settings.risk, root, policy) if settings.risk else None
    arms = parse_arms(arms_text)
    files = AuditFiles(universe=universe, pool=pool, out=out, cutoff=cutoff, today=now().date(), point_in_time=point_in_time)
    gold = read_gold(gold_file, reasons=policy.definition.reasons)
    listings = read_universe(universe, default_cutoff=cutoff, today=files.today, venues=policy.venues).listings
    check_gold(gold_file, gold, listings)
    run = Bench(files, policy, root, settings, LiveOptions(search_text, max_usd, os.environ, read_settings_file()), now, max_usd_per_record)
    if run.to_run(arms):
        _check_all_known(listings, gold, gold_file)
    try:
        scored = [_scored(run, arm, gold, listings, model) for arm in arms]
    except BudgetExceeded as exc:
        show_error(exc)
        return EXIT_BUDGET
    views = all_views(scored, ReviewRate(review_minutes, review_usd, review_success), model)
    write_figures(out / "bench.csv", views)
    facts = _facts(universe, gold_file, gold, scored) | ({"risk model": model.model_id} if model else {})
    write_html(out / "bench.html", views, facts, synthetic=any(arm.synthetic for arm in scored))
    _show(views, facts, scored, as_json=as_json)
    stderr().print(f"Report: {out / 'bench.html'}   Figures: {out / 'bench.csv'}")
    return EXIT_OK


def _check_all_known(listings: Sequence[Listing], gold: dict[str, Gold], path: Path) -> None:
    """Nothing is paid for that cannot be measured."""
    unknown = [listing for listing in listings if listing.row_id not in gold]
    if unknown:
        first = unknown[0]
        problem = f"{len(unknown)} rows of the universe have no gold row (first: row {first.row_number}, {first.row_id!r})"
        raise InputError(problem, subject=str(path), advice="Take them out of the universe, or add their true answers.")


def _scored(run: Bench, arm: Arm, gold: dict[str, Gold], listings: Sequence[Listing], model: RiskModel | None) -> Scored:
    """Run or read one arm and compare it with gold, under the risk model where there is one."""
    console, done = stderr(), 0

    def event(step: Event) -> None:
        nonlocal done
        if step.phase in (Phase.DONE, Phase.FAILED, Phase.SKIPPED):
            done += 1
            if done % STEP == 0:
                console.print(f"{arm.name}: {done} records")

    def total(rows: int) -> None:
        console.print(f"{arm.name}: {rows} listings")

    records = run.records(arm, event, total)
    if model:
        first = cache(lambda: load_asking(run.policies, run.policy.definition.name).routing.route)
        records = risked(arm.name, records, model, run.policy, first)
    scored = score_arm(arm.name, records, gold, listings)
    if all(o.said == "none" for o in scored.outcomes):
        raise ConfigError("has no usable record for any gold row", subject=arm.name, advice="Look at the causes with `s2r show`.")
    return scored


def _facts(universe: Path, gold_file: Path, gold: dict[str, Gold], arms: list[Scored]) -> dict[str, str]:
    strata = {name: sum(g.stratum == name for g in gold.values()) for name in "ABC"}
    facts = {
        "universe": universe.name,
        "gold": gold_file.name,
        "rows measured": f"{len(gold)} ({', '.join(f'{name} {n}' for name, n in strata.items())})",
        "arms": ", ".join(arm.name for arm in arms),
    }
    extra = [f"{arm.name} {arm.without_gold}" for arm in arms if arm.without_gold]
    return facts | ({"records without gold, left out": ", ".join(extra)} if extra else {})


def _show(views: tuple[View, ...], facts: dict[str, str], arms: list[Scored], *, as_json: bool) -> None:
    if as_json:
        for figure in flat(views):
            emit(figure)
        return
    console = stdout()
    if any(arm.synthetic for arm in arms):
        console.print("SYNTHETIC: answers were drawn by a generator with known error rates.", style="bold")
    for label, text in facts.items():
        console.print(f"{label}: {text}")
    for number, view in enumerate(views, start=1):
        for part in as_text(view, number):
            console.print(part)
