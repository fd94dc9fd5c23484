"""The `s2r` command: one file per command family; a command parses, calls one function, renders, maps errors to exit codes."""

from __future__ import annotations

import gc
import importlib
import io
import sys

import click

from s2r.errors import ConfigError, S2RError

# Each command: the function that it is, and its line in the list of all. A module is loaded when its command is asked for.
COMMANDS = {
    "ask": ("s2r.cli.query:ask", "Answer an English question about events."),
    "audit": ("s2r.cli.audit:audit", "Audit the listings of a universe, on a pool or the live web."),
    "backup": ("s2r.cli.serve:backup", "Copy a run folder, also while a run writes to it."),
    "bench": ("s2r.cli.bench:bench", "Measure rules, models and runs against gold."),
    "calibrate": ("s2r.cli.calibrate:calibrate_command", "Fit a risk model on labelled records."),
    "dates": ("s2r.cli.dates:dates", "Read the dates in snippets of text."),
    "doctor": ("s2r.cli.doctor:doctor", "Check this machine, the policies and the services set up."),
    "eval": ("s2r.cli.evaluate:evaluate", "Score the records of a run against a gold file."),
    "events": ("s2r.cli.events:events", "Typed event tuples: import, score, link spellings of firms."),
    "export": ("s2r.cli.export:export", "Write the records or the review queue of a run to a file."),
    "nightly": ("s2r.cli.nightly:nightly", "Audit what changed or expired since the last night."),
    "nights": ("s2r.cli.serve:nights", "Show the history of nights; pause or resume the service."),
    "policy": ("s2r.cli.policy:policy", "Check and show policies."),
    "pool": ("s2r.cli.pool:pool", "Archive and extract all documents of a sealed pool."),
    "query": ("s2r.cli.query:query", "Run a typed specification over the event store."),
    "replay": ("s2r.cli.replay:replay", "Parse and verify the archived answers of models again."),
    "restore": ("s2r.cli.serve:restore", "Bring a backup back as a new run folder."),
    "review": ("s2r.cli.review:review", "Review what an audit did not accept."),
    "risk": ("s2r.cli.risk:risk", "Show and watch risk models."),
    "serve": ("s2r.cli.serve:serve_command", "Run the nights and serve the workbench and REST."),
    "show": ("s2r.cli.show:show", "Print why a record says what it says."),
    "synth": ("s2r.cli.synth:synth", "Write a synthetic universe with its truth."),
    "tokens": ("s2r.cli.users:tokens", "API tokens of users, for programs."),
    "users": ("s2r.cli.users:users", "Users of the service and their roles."),
    "vendor": ("s2r.cli.vendor:vendor", "Compare records with the feed of a data vendor."),
    "verify": ("s2r.cli.verify:verify", "Re-open every archived page of a run and check every claim."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported on use: a command starts without the libraries of the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, loaded; None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name][0].split(":")
        command = getattr(importlib.import_module(module), name)
        if not gc.isenabled():  # see main: what is loaded now stays, and is not looked through again
            from s2r.light import collect_seldom

            collect_seldom()
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of all commands, none of which is loaded for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in sorted(COMMANDS.items())])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="s2r", prog_name="s2r")
def cli() -> None:
    """Audit the corporate-event records of a security universe against archived public evidence."""


def main() -> None:
    """Entry point: run the command and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character is no fault of the run
    gc.disable()  # until the command is loaded: nothing of that is garbage
    try:
        code = cli.main(prog_name="s2r", standalone_mode=False)  # not "python -m s2r": the name by which its pages know it
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except (click.ClickException, click.Abort, KeyboardInterrupt, S2RError) as exc:
        sys.exit(_told(exc))
    sys.exit(code if isinstance(code, int) else 0)


def _told(exc: BaseException) -> int:
    """Say what ended the command; its exit code."""
    from s2r.cli.common import EXIT_CONFIG, EXIT_FAILED, EXIT_INTERRUPTED, show_error

    if isinstance(exc, click.ClickException):
        exc.show()
        return EXIT_CONFIG
    if isinstance(exc, S2RError):
        show_error(exc)
        return EXIT_CONFIG if isinstance(exc, ConfigError) else EXIT_FAILED
    click.echo("Stopped. Repeat the same command to continue.", err=True)
    return EXIT_INTERRUPTED
