"""What all commands share: exit codes, consoles, settings, the policy and its place."""

from __future__ import annotations

import datetime as dt
import json
import os
from importlib import metadata
from pathlib import Path

import click
from rich.console import Console

from s2r.errors import S2RError
from s2r.policy import Policy, load_policy, policy_root
from s2r.settings import Settings, load_settings

EXIT_OK = 0
EXIT_FAILED = 1  # the run failed
EXIT_CONFIG = 2  # configuration or input error before work began
EXIT_GATE = 3  # a gate failed (eval, verify)
EXIT_FAULTS = 4  # done, but some rows failed
EXIT_BUDGET = 5  # stopped at a budget
EXIT_INTERRUPTED = 130  # Ctrl-C


def stdout() -> Console:
    """Results go here."""
    return Console(soft_wrap=True, highlight=False)


def stderr() -> Console:
    """Progress and messages go here."""
    return Console(stderr=True, soft_wrap=True, highlight=False)


def show_error(error: S2RError) -> None:
    """One plain message: what, about what, what to do."""
    click.echo(f"Error: {error}", err=True)


def emit(value: object) -> None:
    """One JSON line on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def now() -> dt.datetime:
    """The wall clock (UTC); only commands own one."""
    return dt.datetime.now(dt.UTC)  # noqa: TID251


def version() -> str:
    """Installed version of s2r."""
    return metadata.version("s2r")


def read_settings(**flags: object) -> Settings:
    """Settings from flags, environment and s2r.toml, with the number of workers filled in."""
    settings = load_settings(os.environ, flags)
    if settings.workers == 0:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
        settings = settings.model_copy(update={"workers": cores})
    return settings


def read_policy(name: str, settings: Settings) -> tuple[Policy, Path]:
    """The policy and the folder it came from."""
    root = policy_root(settings)
    return load_policy(name, root), root


def parse_day(context: click.Context, parameter: click.Parameter, value: str | None) -> dt.date | None:
    """Click callback for a YYYY-MM-DD option."""
    if value is None:
        return None
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a day; write YYYY-MM-DD.") from None
