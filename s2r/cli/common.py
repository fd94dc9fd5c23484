"""What all commands share: exit codes, consoles, settings, the policy and its place."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.text import Text

from s2r.errors import ConfigError, S2RError
from s2r.settings import Settings, load_settings, read_settings_file

if TYPE_CHECKING:
    from s2r.policy import Policy

EXIT_OK = 0
EXIT_FAILED = 1  # the run failed
EXIT_CONFIG = 2  # configuration or input error before work began
EXIT_GATE = 3  # a gate failed (eval, verify)
EXIT_FAULTS = 4  # done, but some rows failed
EXIT_BUDGET = 5  # stopped at a budget
EXIT_INTERRUPTED = 130  # Ctrl-C


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
MAX_FAULT_LINES = 8  # of the faults of a run
WIDE = 160  # columns of a table that is not shown on a terminal


class PlainConsole(Console):
    """A console that prints text as it is: no markup, no emoji codes, no control characters, whatever a name or a page holds."""

    def __init__(self, *, err: bool = False) -> None:
        super().__init__(stderr=err, soft_wrap=True, highlight=False, markup=False, emoji=False)
        if not self.is_terminal:
            self.width = WIDE

    def render_str(self, text: str, **options: Any) -> Text:
        """As in rich, after `clean`."""
        return super().render_str(clean(text), **options)


def clean(text: str) -> str:
    """`text` without characters that a terminal would obey."""
    return _CONTROL.sub("\ufffd", text)


def stdout() -> PlainConsole:
    """Results go here."""
    return PlainConsole()


def stderr() -> PlainConsole:
    """Progress and messages go here."""
    return PlainConsole(err=True)


def show_error(error: S2RError) -> None:
    """One plain message: what, about what, what to do."""
    click.echo(f"Error: {clean(str(error))}", err=True)


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
    from s2r.job.live import live_setting_names
    from s2r.job.models import model_setting_names
    from s2r.policy import policy_root

    file = read_settings_file()
    found = flags.get("policies") or os.environ.get("S2R_POLICIES") or file.get("policies")
    root = policy_root(Settings(policies=Path(str(found))) if found else None)
    settings = load_settings(os.environ, flags, others=live_setting_names() | model_setting_names(root, file))
    if settings.workers == 0:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
        settings = settings.model_copy(update={"workers": cores})
    return settings


def read_policy(name: str, settings: Settings) -> tuple[Policy, Path]:
    """The policy and the folder it came from."""
    from s2r.policy import load_policy, policy_root

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


def check_feed_flags(feed: Path | None, name: str) -> None:
    """`--vendor` and `--as` go together; raises ConfigError."""
    if bool(feed) != bool(name):
        advice = "Give --vendor FILE and --as NAME together."
        raise ConfigError("a feed is read by a vendor file", subject="--vendor" if feed else "--as", advice=advice)
