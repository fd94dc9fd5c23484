"""The `s2r` command: one file per command family; a command parses, calls one function, renders, maps errors to exit codes."""

from __future__ import annotations

import importlib
import io
import sys
from importlib import metadata

import click

from s2r.cli.common import EXIT_CONFIG, EXIT_FAILED, EXIT_INTERRUPTED, show_error
from s2r.errors import ConfigError, S2RError

# Each command and the function that is it; a module is loaded when its command is asked for, or to list all commands.
COMMANDS = {
    "ask": "s2r.cli.query:ask",
    "audit": "s2r.cli.audit:audit",
    "backup": "s2r.cli.serve:backup",
    "bench": "s2r.cli.bench:bench",
    "calibrate": "s2r.cli.calibrate:calibrate_command",
    "dates": "s2r.cli.dates:dates",
    "doctor": "s2r.cli.doctor:doctor",
    "eval": "s2r.cli.evaluate:evaluate",
    "events": "s2r.cli.events:events",
    "export": "s2r.cli.export:export",
    "nightly": "s2r.cli.nightly:nightly",
    "nights": "s2r.cli.serve:nights",
    "policy": "s2r.cli.policy:policy",
    "pool": "s2r.cli.pool:pool",
    "query": "s2r.cli.query:query",
    "replay": "s2r.cli.replay:replay",
    "restore": "s2r.cli.serve:restore",
    "review": "s2r.cli.review:review",
    "risk": "s2r.cli.risk:risk",
    "serve": "s2r.cli.serve:serve_command",
    "show": "s2r.cli.show:show",
    "synth": "s2r.cli.synth:synth",
    "tokens": "s2r.cli.users:tokens",
    "users": "s2r.cli.users:users",
    "vendor": "s2r.cli.vendor:vendor",
    "verify": "s2r.cli.verify:verify",
}


class LazyGroup(click.Group):
    """A group whose commands are imported on use: a command starts without the libraries of the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, loaded; None when there is none."""
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, name = place.split(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(metadata.version("s2r"), prog_name="s2r")
def cli() -> None:
    """Audit the corporate-event records of a security universe against archived public evidence."""


def main() -> None:
    """Entry point: run the command and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character is no fault of the run
    try:
        code = cli.main(prog_name="s2r", standalone_mode=False)  # not "python -m s2r": the name by which its pages know it
    except click.ClickException as exc:
        exc.show()
        sys.exit(EXIT_CONFIG)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped. Repeat the same command to continue.", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except ConfigError as exc:
        show_error(exc)
        sys.exit(EXIT_CONFIG)
    except S2RError as exc:
        show_error(exc)
        sys.exit(EXIT_FAILED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)
