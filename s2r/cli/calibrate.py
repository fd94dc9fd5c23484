"""`s2r calibrate`: from labelled records to a risk model, its thresholds, and a report on a locked test."""

from __future__ import annotations

from pathlib import Path

import click

from s2r.calibrate import Asked, Calibration, calibrate
from s2r.calibrate.labels import read_labels
from s2r.calibrate.looks import LOG, log_line, read_looks
from s2r.cli.common import EXIT_OK, emit, now, read_policy, read_settings, stderr, stdout, version
from s2r.errors import ConfigError
from s2r.policy.asking import load_asking
from s2r.report.calibration import write_calibration
from s2r.report.files import whole, write_json
from s2r.report.riskwords import look_sentence, measure_rows
from s2r.risk.features import BY_NAME, KINDS
from s2r.risk.load import FOLDER
from s2r.risk.measure import Count, Measured
from s2r.risk.model import group_words
from s2r.risk.targets import Target
from s2r.risk.threshold import Method, Promise

SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


def _mix(context: click.Context, parameter: click.Parameter, value: str | None) -> dict[str, float] | None:
    """Click callback for A=0.01,B=0.01,C=0.98."""
    if not value:
        return None
    try:
        pairs = dict(part.split("=", 1) for part in value.split(","))
        return {name.strip(): float(share) for name, share in pairs.items()}
    except ValueError:
        raise click.BadParameter(f"{value!r} is no mix; write shares of strata as in A=0.01,B=0.01,C=0.98.") from None


def _shares(context: click.Context, parameter: click.Parameter, value: str) -> tuple[float, float, float]:
    """Click callback for 0.4,0.4,0.2."""
    try:
        train, calibration, test = (float(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} are no three shares; write them as in 0.4,0.4,0.2.") from None
    if min(train, calibration, test) <= 0 or abs(train + calibration + test - 1) > 1e-6:
        raise click.BadParameter(f"{value!r} must be positive and sum to 1.")
    return train, calibration, test


@click.command("calibrate")
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@click.option("--gold", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Label file of the run folder SOURCE.")
@click.option("--name", default="", help="Name of the model (default: the event type).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/calibration"), show_default=True, help="Folder of the report.")
@click.option("--policy", "policy_name", default="delisting", show_default=True, help="Event type: a folder of the policies.")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option(
    "--target",
    type=click.Choice([t.value for t in Target]),
    default=Target.JOINT_WITHIN_7.value,
    show_default=True,
    help="What counts as wrong.",
)
@click.option("--error", type=SHARE, default=0.05, show_default=True, help="Most of the accepted records that may be wrong.")
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 1, min_open=True, max_open=True),
    default=0.9,
    show_default=True,
    help="Of the promise, for all groups together.",
)
@click.option("--recall", type=SHARE, help="Least share of true events that are not lost in an accepted no.")
@click.option(
    "--method",
    type=click.Choice([m.value for m in Method]),
    default=Method.CERTIFIED.value,
    show_default=True,
    help="How thresholds are chosen.",
)
@click.option("--by-market", is_flag=True, help="Thresholds by market, where it has enough labels; they share the doubt.")
@click.option("--mix", callback=_mix, help="Shares of the strata where the model will be used: A=0.01,B=0.01,C=0.98.")
@click.option("--balanced", is_flag=True, help="Let right and wrong records weigh the same in the fit.")
@click.option(
    "--strength", type=click.FloatRange(0, min_open=True), default=1.0, show_default=True, help="Inverse strength of the L2 penalty."
)
@click.option("--without", multiple=True, type=click.Choice([*BY_NAME, *KINDS]), help="Leave out a feature; may be repeated.")
@click.option("--shares", callback=_shares, default="0.4,0.4,0.2", show_default=True, help="Of train, calibration and locked test.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the split.")
@click.option("--replace", is_flag=True, help="Replace a model of this name.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def calibrate_command(
    *,
    source: Path,
    gold: Path | None,
    name: str,
    out: Path,
    policy_name: str,
    policies: Path | None,
    target: str,
    error: float,
    confidence: float,
    recall: float | None,
    method: str,
    by_market: bool,
    mix: dict[str, float] | None,
    balanced: bool,
    strength: float,
    without: tuple[str, ...],
    shares: tuple[float, float, float],
    seed: int,
    replace: bool,
    as_json: bool,
) -> int:
    """Fit a risk model on labelled records: SOURCE is a run folder (with --gold), or a label file that names run folders.

    Labels have the columns row_id, status, announcement_date, reason, and may have also_reason, stratum, family, split and run. The
    model goes to risk/NAME.json of the policies, the report to the --out folder.
    """
    if source.is_dir() == (gold is None):
        what = "needs a label file" if gold is None else "is a label file itself"
        raise ConfigError(what, subject=str(source), advice="Give RUN --gold FILE, or a label file with the column run alone.")
    policy, root = read_policy(policy_name, read_settings(policies=policies))
    model_name = name or policy.definition.event_type
    if not model_name.replace("-", "").replace("_", "").replace(".", "").isalnum() or model_name.startswith("."):
        raise ConfigError(f"{model_name!r} is no name of a file", subject="--name", advice="Use letters, digits, - and _.")
    path = root / FOLDER / f"{model_name}.json"
    if path.exists() and not replace:
        raise ConfigError("is there already", subject=str(path), advice="Choose another --name, or give --replace.")
    labels = read_labels(gold or source, source if gold else None, policy)
    asked = Asked(
        name=model_name,
        target=Target(target),
        promise=Promise(error=error, confidence=confidence, recall=recall),
        method=Method(method),
        by_market=by_market,
        mix=mix,
        balanced=balanced,
        strength=strength,
        without=without,
        shares=shares,
        seed=seed,
    )
    earlier, locked = read_looks(root / FOLDER, policy.definition.event_type)
    first = load_asking(root, policy_name).routing.route if any(row.record.adjudication for row in labels.rows) else ()
    stamp = now().isoformat(timespec="seconds")
    found = calibrate(labels, policy, asked, first=first, earlier=earlier, locked=locked, now=stamp, version=version())
    _write(found, path, out)
    _show(found, path, out, as_json=as_json)
    return EXIT_OK


def _write(found: Calibration, path: Path, out: Path) -> None:
    """The log of looks first: a look that was had is recorded, whatever happens to the rest."""
    log = path.parent / LOG
    before = log.read_bytes() if log.is_file() else b""
    with whole(log) as fh:
        fh.write(before + log_line(found.model.event_type, found.look, found.test_rows).encode())
    with whole(path) as fh:
        fh.write(found.model.model_dump_json(indent=1).encode() + b"\n")
    write_calibration(out / "calibration.html", found.model, calibration=found.calibration, beside=found.beside, curves=found.curves)
    write_json(out / "calibration.json", _summary(found))


def _summary(found: Calibration) -> dict[str, object]:
    assert found.model.test is not None
    return {
        "model": found.model.model_id,
        "choices": [choice.model_dump(mode="json") for choice in found.model.choices],
        "beside": [choice.model_dump(mode="json") for choice in found.model.beside],
        "test": _figures(found.model.test),
        "test_other_method": _figures(found.beside),
        "calibration": _figures(found.calibration),
        "deployed": found.model.deployed.model_dump() if found.model.deployed else None,
        "effective_n": found.model.effective_n,
        "look": found.look.model_dump(),
        "left_out": found.model.left_out,
        "curves": found.curves,
    }


def _figures(measured: Measured) -> dict[str, object]:
    shown: dict[str, object] = {"records": measured.records, "families": measured.families, "brier": measured.brier}
    for name in Measured.model_fields:
        count = getattr(measured, name)
        if isinstance(count, Count):
            shown[name] = {"value": count.value, "hits": count.hits, "n": count.n, "interval": count.interval}
    return shown


def _show(found: Calibration, path: Path, out: Path, *, as_json: bool) -> None:
    if as_json:
        emit(_summary(found))
        return
    console, model = stdout(), found.model
    assert model.test is not None
    for choice in model.choices:
        limit = "nothing is accepted" if choice.threshold is None else f"accepted up to a risk of {choice.threshold:.2%}"
        console.print(f"{group_words(choice.group)}: {limit}. {choice.why}")
    for target, why in model.left_out.items():
        console.print(f"No model of {target}: {why}.")
    console.print("Locked test:")
    for label, value in measure_rows(model.test):
        console.print(f"  {label}: {value}")
    console.print(look_sentence(model))
    stderr().print(f"Model: {path}   Report: {out / 'calibration.html'}   Use it with: s2r audit --risk {model.name}")
