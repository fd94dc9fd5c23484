"""Arms of a benchmark: what is run, or read from an earlier run; one answer per row is kept."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from s2r.errors import BudgetExceeded, ConfigError
from s2r.job import AuditFiles, LiveOptions, ModelOptions, audit_files, read_records
from s2r.modelapi import ModelRole
from s2r.models import Arm as Knowledge
from s2r.models import Record
from s2r.pipeline import Event
from s2r.policy import Policy
from s2r.settings import Settings

T = TypeVar("T")

RULES = "rules"
_MODES = tuple(mode.value for mode in Knowledge)
_ADVICE = (
    f"Write rules, {', '.join(f'{mode}:PROVIDER:MODEL' for mode in _MODES)}, or NAME=FOLDER for the run folder of an earlier audit, "
    "separated by commas."
)


@dataclass(frozen=True, slots=True)
class Arm:
    """One arm: its name as it is printed, what a model knows and which model (both "" for rules), and the run folder it is read from
    when it is not run here."""

    name: str
    mode: str = ""
    model: str = ""
    folder: Path | None = None

    @property
    def place(self) -> str:
        """The name as a folder."""
        return re.sub(r"[^A-Za-z0-9._-]+", "-", self.name)


def parse_arms(text: str) -> tuple[Arm, ...]:
    """Arms from the text of `--arms`; raises ConfigError for one that is unknown or named twice."""
    arms = tuple(_arm(part.strip()) for part in text.split(",") if part.strip())
    if not arms:
        raise ConfigError("names no arm", subject="--arms", advice=_ADVICE)
    places: dict[str, str] = {}
    for arm in arms:
        if arm.place.casefold() in places:
            advice = "Give every arm a name of its own."
            raise ConfigError(f"{arm.name!r} and {places[arm.place.casefold()]!r} cannot be told apart", subject="--arms", advice=advice)
        places[arm.place.casefold()] = arm.name
    return arms


def _arm(text: str) -> Arm:
    name, given, folder = text.partition("=")
    if given:
        return _read_arm(name.strip(), folder.strip(), text)
    mode, _, model = text.partition(":")
    if mode in _MODES and model:
        return Arm(text, mode, model)
    if text != RULES:
        raise ConfigError(f"there is no arm {text!r}", subject="--arms", advice=_ADVICE)
    return Arm(text)


def _read_arm(name: str, folder: str, text: str) -> Arm:
    if not name or not folder:
        raise ConfigError(f"{text!r} lacks a name or a folder", subject="--arms", advice=_ADVICE)
    path = Path(folder).expanduser()
    if not (path / "records.jsonl").is_file():
        advice = "Give the --out folder of an audit."
        raise ConfigError(f"{path} holds no records.jsonl", subject=f"--arms {name}", advice=advice)
    return Arm(name, folder=path)


@dataclass(frozen=True, slots=True)
class Bench:
    """What all arms that are run share. `files.out` is the folder of the benchmark; an arm runs in `arms/<name>` below it."""

    files: AuditFiles
    policy: Policy
    policies: Path
    settings: Settings
    live: LiveOptions
    clock: Callable[[], dt.datetime]
    max_usd_per_record: float | None = field(default=None)

    def to_run(self, arms: Sequence[Arm]) -> tuple[Arm, ...]:
        """The arms that are run here."""
        return tuple(arm for arm in arms if arm.folder is None)

    def records(self, arm: Arm, on_event: Callable[[Event], None], on_total: Callable[[int], None]) -> Iterator[Record]:
        """Run an arm, or continue it, and stream its records; an arm with a folder is read.

        Raises ConfigError before any work, BudgetExceeded when a cap leaves rows without an answer.
        """
        if arm.folder is not None:
            return read_records(arm.folder)
        files = replace(self.files, out=self.files.out / "arms" / arm.place)
        outcome = asyncio.run(
            audit_files(
                files,
                self.policy,
                self.policies,
                self.settings,
                clock=self.clock,
                on_event=on_event,
                on_total=on_total,
                live=self.live,
                models=self._models(arm),
            )
        )
        if outcome.result.over_budget or outcome.result.capped:
            advice = "Repeat the same command with a higher cap: what is done stays done."
            raise BudgetExceeded(outcome.result.over_budget or "the cap of a record was reached", subject=arm.name, advice=advice)
        return outcome.records()

    def _models(self, arm: Arm) -> ModelOptions:
        """The one model of an arm: what it is called is what is measured, so models named elsewhere do not join in."""
        return ModelOptions(
            chosen={ModelRole.ADJUDICATOR: arm.model} if arm.model else {},
            arm=arm.mode,
            max_usd=self.live.max_usd,
            max_usd_per_record=self.max_usd_per_record,
            env=_without_models(self.live.env),
            file=_without_models(self.live.file),
        )


def _without_models(settings: Mapping[str, T]) -> dict[str, T]:
    roles = {f"{role.value}_model" for role in ModelRole}
    return {name: value for name, value in settings.items() if name.lower().removeprefix("s2r_") not in roles}
