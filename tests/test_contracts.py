"""What others rely on: public names, light imports, help texts, the page of commands, the layers."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from conftest import REPO, Command

import s2r
from s2r.cli import COMMANDS as LISTED
from s2r.cli import cli, common
from s2r.settings import Settings

COMMANDS = (REPO / "docs" / "commands.md").read_text("utf-8")


def walk(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """All commands and groups below `command` with their full names."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found, f"{name} lists {child}, which it does not have"
            yield from walk(found, f"{name} {child}")


TREE = list(walk(cli, "s2r"))
LEAVES = [(name, command) for name, command in TREE if not isinstance(command, click.Group)]


def test_public_names_are_sorted_and_importable() -> None:
    """`__all__` holds about a dozen names, each of which is there, and nothing else is."""
    assert list(s2r.__all__) == sorted(s2r.__all__)
    assert len(s2r.__all__) <= 16
    for name in s2r.__all__:
        assert getattr(s2r, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = s2r.nothing  # type: ignore[attr-defined]


def test_import_is_light() -> None:
    """`import s2r` loads none of the parsers, and does nothing."""
    heavy = ("trafilatura", "openpyxl", "lxml", "pypdfium2", "sqlite_utils", "httpx", "warcio", "rich", "pydantic")
    code = f"import sys, s2r; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("name", "command"), TREE, ids=[name for name, _ in TREE])
def test_every_command_has_help(name: str, command: click.Command, s2r: Command) -> None:
    """Help of a command says what it does and describes each of its options; asking for it succeeds."""
    assert command.help
    assert command.help.rstrip().endswith(".")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.name}"
    ran = s2r(*name.split()[1:], "--help")
    assert ran.code == 0
    assert "Usage: s2r" in ran.out


@pytest.mark.parametrize(("name", "command"), LEAVES, ids=[name for name, _ in LEAVES])
def test_every_command_and_option_stands_on_the_page_of_commands(name: str, command: click.Command) -> None:
    """docs/commands.md has a section for it that names each option."""
    section = re.search(rf"^## {re.escape(name)}\b.*?(?=^## |\Z)", COMMANDS, re.MULTILINE | re.DOTALL)
    assert section, name
    for parameter in command.params:
        for option in parameter.opts + parameter.secondary_opts:
            if option.startswith("--") and option != "--help":
                assert option in section.group(), f"{name} {option}"


def test_page_of_commands_names_no_command_that_is_not_there() -> None:
    """A removed command leaves the page too."""
    assert {m.strip() for m in re.findall(r"^## (s2r(?: [a-z]+)+)", COMMANDS, re.MULTILINE)} == {name for name, _ in LEAVES}


def test_exit_codes_stand_on_the_page_of_commands() -> None:
    """Each code of the design that a command can give."""
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", COMMANDS, re.MULTILINE)}
    assert told == {getattr(common, name) for name in vars(common) if name.startswith("EXIT_")}


def test_settings_are_described() -> None:
    """Each setting has a unit or a reason."""
    assert all(field.description for field in Settings.model_fields.values())


def test_list_of_commands_loads_none_of_them() -> None:
    """`s2r --help` fits the screen and imports nothing but click; each line belongs to a command."""
    assert all(len(line) <= 62 and line.endswith(".") for _, line in LISTED.values())
    code = "import sys; from s2r.cli import cli; cli.main(['--help'], standalone_mode=False); print(sorted(m for m in sys.modules if 's2r.' in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=REPO)
    assert done.stdout.splitlines()[-1] == "['s2r.cli', 's2r.errors']", done.stdout + done.stderr
    assert all(name in done.stdout for name in LISTED)


def test_a_process_that_only_hands_out_rows_loads_no_rules() -> None:
    """Workers load the rules; a night in which no row is looked at does without them, and so does the process that asks the workers."""
    code = (
        "import sys, s2r.cli.nightly, s2r.cli.audit, s2r.vendor.audit; "
        "print([m for m in sys.modules if m.startswith(('s2r.adjudicate.rules.', 's2r.lang.dates', 's2r.verify.'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=REPO)
    assert (
        done.stdout.splitlines()[-1] == "['s2r.verify.quotes', 's2r.adjudicate.rules.securities']"
    )  # both light, done.stdout + done.stderr


@pytest.mark.slow
def test_layers_hold() -> None:
    """Imports run one way, and judging code imports no I/O library."""
    script = Path(sys.executable).with_name("lint-imports")
    if not script.exists():
        pytest.skip("import-linter is not installed here")
    done = subprocess.run([script, "--no-cache"], cwd=REPO, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]


def test_no_error_text_runs_into_its_advice() -> None:
    """Subject, problem and advice read as sentences."""
    error = common.S2RError("holds no records.jsonl", subject="out", advice="Give the --out folder of an audit.")
    assert str(error) == "out: holds no records.jsonl. Give the --out folder of an audit."
