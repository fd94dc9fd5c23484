"""`s2r risk`: the card of a risk model, a sample of accepted records for review, and a watch over a run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click
from rich.table import Table

from s2r.calibrate.labels import read_labels
from s2r.cli.common import EXIT_GATE, EXIT_OK, PlainConsole, emit, read_policy, read_settings, stderr, stdout
from s2r.errors import ConfigError
from s2r.job import read_records
from s2r.job.finish import watch as watch_run
from s2r.job.folder import hold_folder
from s2r.models import Record
from s2r.policy import policy_root
from s2r.report.files import write_csv
from s2r.report.riskwords import (
    CHOICE_HEAD,
    COEFFICIENT_HEAD,
    MEASURE_HEAD,
    PART_HEAD,
    choice_rows,
    coefficient_rows,
    facts,
    look_sentence,
    measure_rows,
    part_rows,
)
from s2r.report.tables import safe_cell
from s2r.risk.load import model_path, read_risk_model
from s2r.risk.model import RiskModel
from s2r.risk.sample import Drawn, draw_accepted

SAMPLE_HEAD = (
    "row_id", "issuer", "security", "mic", "cutoff", "answer", "answer_date", "answer_reason", "stratum_of_sample", "weight", "run",
    "status", "announcement_date", "reason",
)  # fmt: skip


@click.group()
def risk() -> None:
    """Show and watch risk models (s2r calibrate makes them)."""


@risk.command()
@click.argument("name")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--json", "as_json", is_flag=True, help="The whole model as JSON.")
def show(name: str, policies: Path | None, as_json: bool) -> int:
    """Print the card of the model NAME (or a JSON file): what it rests on, promises, weighs, and how it did on its locked test."""
    model = _model(name, policies)
    if as_json:
        emit(model.model_dump(mode="json"))
        return EXIT_OK
    console = stdout()
    for label, value in facts(model):
        console.print(f"{label}: {value}")
    _table(console, "Parts", PART_HEAD, part_rows(model))
    _table(console, "Thresholds in use", CHOICE_HEAD, choice_rows(model.choices))
    _table(console, "What the other method would choose", CHOICE_HEAD, choice_rows(model.beside))
    _table(console, f"Coefficients ({model.target.value}); a positive one raises the risk", COEFFICIENT_HEAD, coefficient_rows(model))
    if model.test is not None:
        _table(console, "Locked test", MEASURE_HEAD, measure_rows(model.test))
    if model.deployed is not None and model.deployed.value is not None:
        d = model.deployed
        console.print(
            f"Wrong among accepted in the target mix: {d.value:.2%} [{d.low:.2%}, {d.high:.2%}] n = {d.n}, worth {d.effective_n:.0f}"
        )
    for target, why in model.left_out.items():
        console.print(f"No model of {target}: {why}.")
    console.print(look_sentence(model))
    return EXIT_OK


@risk.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--n", "count", type=click.IntRange(1), default=50, show_default=True, help="Records to draw.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed draws the same records.")
@click.option("--out", type=click.Path(path_type=Path), help="CSV to fill in (default: audit_sample.csv in RUN).")
def sample(run: Path, count: int, seed: int, out: Path | None) -> int:
    """Draw accepted records of RUN for review, in every market and answer. The file is a label file: fill in status, date and reason."""
    drawn = draw_accepted(read_records(run), count, seed)
    if not drawn:
        raise ConfigError(
            "holds no accepted record", subject=str(run), advice="There is nothing to sample; all records go to review anyway."
        )
    path = out or run / "audit_sample.csv"
    if path.exists():
        raise ConfigError("is there already", subject=str(path), advice="It may hold reviews; choose another --out or move it.")
    write_csv(path, SAMPLE_HEAD, [_line(item, os.path.relpath(run, path.parent)) for item in drawn])
    strata = len({item.stratum for item in drawn})
    stderr().print(
        f"{len(drawn)} of the accepted records, of {strata} strata: {path}. When it is filled in: s2r risk watch {run} --reviewed {path}"
    )
    return EXIT_OK


def _line(item: Drawn, run: str) -> list[str]:
    record: Record = item.record
    listing, day = record.listing, record.announcement_date
    values = (
        record.row_id,
        listing.issuer,
        listing.security,
        listing.mic,
        record.cutoff,
        record.status.value,
        day or "",
        record.reason or "",
    )
    return [*map(safe_cell, values), item.stratum, f"{item.weight:.4f}", run, "", "", ""]


@risk.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--reviewed", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Label file of reviewed records of RUN.")
@click.option("--risk", "name", default="", help="The model of the run, where its name does not find it.")
@click.option("--policy", "policy_name", default="delisting", show_default=True, help="Event type: a folder of the policies.")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def watch(run: Path, reviewed: Path | None, name: str, policy_name: str, policies: Path | None, as_json: bool) -> int:
    """Compare RUN with what its model was fitted on, and reviewed records with its promise. Exit 3 when there is an alarm.

    Alarms are also kept in run.json and report.html of the run.
    """
    policy, _ = read_policy(policy_name, read_settings(policies=policies))
    model = _model(name or _used(run), policies)
    labels = read_labels(reviewed, run, policy, filled_only=True) if reviewed else None
    truths = {row.label.row_id: row.label.truth for row in labels.rows} if labels else {}
    with hold_folder(run):
        found = watch_run(run, model, truths)
    if as_json:
        emit(found.model_dump(mode="json"))
    else:
        _watched(stdout(), found.model_dump(mode="json"), [alarm.sentence for alarm in found.alarms])
    return EXIT_GATE if found.alarms else EXIT_OK


def _watched(console: PlainConsole, found: dict[str, object], alarms: list[str]) -> None:
    console.print(f"{found['model']}: {found['records']} records compared, {found['accepted']} accepted, {found['reviewed']} reviewed.")
    for alarm in alarms:
        console.print(f"ALARM {alarm}")
    if not alarms:
        console.print("No alarm.")


def _used(run: Path) -> str:
    """The name of the model that a run used, by its run.json."""
    try:
        used = json.loads((run / "run.json").read_text("utf-8")).get("risk")
    except (OSError, ValueError, AttributeError) as exc:
        raise ConfigError("holds no readable run.json", subject=str(run), advice="Give the --out folder of an audit that ended.") from exc
    if not used:
        raise ConfigError("used no risk model", subject=str(run), advice="Audit it with --risk first.")
    return str(used).partition("#")[0]


def _model(name: str, policies: Path | None) -> RiskModel:
    return read_risk_model(model_path(name, policy_root(read_settings(policies=policies))))


def _table(console: PlainConsole, title: str, head: tuple[str, ...], rows: list[tuple[str, ...]] | list[tuple[str, str]]) -> None:
    console.print(f"\n{title}", style="bold")
    table = Table(*head, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    console.print(table)
