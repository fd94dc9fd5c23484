"""The `s2r` command: one file per command family; a command parses, calls one function, renders, maps errors to exit codes."""

from __future__ import annotations

import io
import sys
from importlib import metadata

import click

from s2r.cli.audit import audit
from s2r.cli.common import EXIT_CONFIG, EXIT_FAILED, EXIT_INTERRUPTED, show_error
from s2r.cli.dates import dates
from s2r.cli.doctor import doctor
from s2r.cli.evaluate import evaluate
from s2r.cli.export import export
from s2r.cli.policy import policy
from s2r.cli.pool import pool
from s2r.cli.show import show
from s2r.cli.verify import verify
from s2r.errors import ConfigError, S2RError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(metadata.version("s2r"), prog_name="s2r")
def cli() -> None:
    """Audit the corporate-event records of a security universe against archived public evidence."""


for command in (audit, dates, doctor, evaluate, export, policy, pool, show, verify):
    cli.add_command(command)


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
