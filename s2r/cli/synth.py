"""`s2r synth`: a synthetic universe with gold, pool and adjudicators of known error rates."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import click

from s2r.cli.common import EXIT_OK, emit, parse_day, read_policy, read_settings, stderr
from s2r.errors import ConfigError
from s2r.synth.adjudicator import Drift, Profile, load_profiles
from s2r.synth.cases import UniverseSpec
from s2r.synth.write import SynthArm, write_universe

STEP = 10_000  # rows between two lines of progress
_ADVICE = "Write NAME=PROFILE, or NAME=PROFILE@START:FACTOR for one that drifts, such as web=published@0.5:2."


@click.command()
@click.option("--rows", type=int, required=True, help="Listings of the universe.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of universe.csv, gold.csv, docs.jsonl, arms/.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same files.")
@click.option("--mix", default="1:1:1", show_default=True, help="Shares of the strata A:B:C, such as 1:49:50.")
@click.option("--cutoff", callback=parse_day, default="2020-12-31", show_default=True, help="Cutoff of all rows.")
@click.option("--markets", default="", help="MICs of the rows, with commas (default: all ten).")
@click.option("--traps", type=click.FloatRange(0, 6), default=UniverseSpec(1).traps, show_default=True, help="Misleading pages per row.")
@click.option(
    "--noise", type=click.FloatRange(0, 50), default=UniverseSpec(1).noise, show_default=True, help="Pages of other news per row."
)
@click.option(
    "--recaps", type=click.FloatRange(0, 50), default=UniverseSpec(1).recaps, show_default=True, help="Pages that retell, per event."
)
@click.option("--pool/--no-pool", default=True, show_default=True, help="Whether pages are written, too.")
@click.option("--arm", "arm_texts", multiple=True, help="An adjudicator: NAME=PROFILE, with @START:FACTOR when it drifts. Several times.")
@click.option("--profiles", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Profiles of your own, as TOML.")
@click.option(
    "--list-profiles", is_flag=True, is_eager=True, expose_value=False, callback=lambda c, _, v: _list(c, wanted=v), help="Show them."
)
@click.option("--json", "as_json", is_flag=True, help="What was written, as one JSON line on stdout.")
def synth(
    *,
    rows: int,
    out: Path,
    seed: int,
    mix: str,
    cutoff: dt.date,
    markets: str,
    traps: float,
    noise: float,
    recaps: float,
    pool: bool,
    arm_texts: tuple[str, ...],
    profiles: Path | None,
    as_json: bool,
) -> int:
    """Write a synthetic universe: fictional issuers at real venues, their pages, the truth, and records with known faults."""
    mics = tuple(part.strip().upper() for part in markets.split(",") if part.strip())
    spec = UniverseSpec(rows, seed, _mix(mix), cutoff, traps, noise, recaps, mics)
    known = load_profiles() | (load_profiles(profiles) if profiles else {})
    arms = tuple(_arm(text, known) for text in arm_texts)
    if len({arm.name for arm in arms}) < len(arms):
        raise ConfigError("two arms have the same name", subject="--arm", advice="Give every arm a name of its own.")
    policy, _ = read_policy("delisting", read_settings())
    console = stderr()

    def told(row: int) -> None:
        if row % STEP == 0:
            console.print(f"{row} of {rows} rows")

    done = write_universe(out, spec, pool=pool, arms=arms, policy=policy.policy_id, on_row=told)
    strata = ", ".join(f"{name} {n}" for name, n in sorted(done.strata.items()))
    console.print(f"Synthetic universe in {out}: {done.rows} rows ({strata}), {done.pages} pages, {done.records} records.")
    if as_json:
        emit({"synthetic": True, "out": str(out), "rows": done.rows, "pages": done.pages, "records": done.records, "strata": done.strata})
    return EXIT_OK


def _list(context: click.Context, *, wanted: bool) -> None:
    if wanted:
        for name, profile in load_profiles().items():
            click.echo(f"{name}: {profile.title}")
        context.exit(EXIT_OK)


def _mix(text: str) -> tuple[int, int, int]:
    parts = re.fullmatch(r"(\d+)[:/](\d+)[:/](\d+)", text.strip())
    if not parts:
        raise ConfigError(f"{text!r} is no mix of strata", subject="--mix", advice="Write A:B:C, such as 1:1:1 or 400:400:400.")
    return int(parts[1]), int(parts[2]), int(parts[3])


def _arm(text: str, known: dict[str, Profile]) -> SynthArm:
    found = re.fullmatch(r"([A-Za-z0-9][A-Za-z0-9:._-]*)=([\w-]+)(?:@([\d.]+):([\d.]+))?", text)
    if not found:
        raise ConfigError(f"{text!r} is no arm", subject="--arm", advice=_ADVICE)
    name, profile, start, factor = found.groups()
    if profile not in known:
        raise ConfigError(f"there is no profile {profile!r}", subject="--arm", advice=f"Choose from {', '.join(known)}.")
    try:
        drift = Drift(float(start), float(factor)) if start else None
    except ValueError:
        raise ConfigError(f"{text!r} drifts at no number", subject="--arm", advice=_ADVICE) from None
    return SynthArm(name.replace(":", "-"), profile, known[profile], drift)
