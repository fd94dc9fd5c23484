"""The documents keep their word: commands run as they stand, links lead somewhere, tables name what the code has."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from s2r.cli import COMMANDS, common
from s2r.settings import Settings

REPO = Path(__file__).parents[1]
README = REPO / "README.md"
DOCUMENTS = sorted([README, REPO / "CHANGELOG.md", *REPO.glob("docs/**/*.md"), REPO / "demo/README.md", REPO / "policies/README.md"])
# Documents whose blocks of commands are all run, in order, in a folder where `make demo` has been run.
RUN_DOCUMENTS = ("README.md", "docs/pipeline.md", "docs/rules.md", "docs/operations.md")
RUN_SECONDS = 240

_FENCE = re.compile(r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^```(?P<lang>sh|python)\n(?P<code>.*?)^```$", re.M | re.S)
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
_ROW = re.compile(r"^\| ?`?([^|`]+?)`? ?\|", re.M)


@dataclass(frozen=True)
class Block:
    """One fenced block: `mark` says how it is run ("run exit=0,4 prints=...", "make", "shown: reason"), `line` where it stands."""

    line: int
    lang: str
    mark: str
    code: str

    @property
    def exits(self) -> tuple[int, ...]:
        """Exit codes that the document announces."""
        found = re.search(r"\bexit=([\d,]+)", self.mark)
        return tuple(int(code) for code in found[1].split(",")) if found else (0,)

    @property
    def prints(self) -> str:
        """Text that the output holds, "" when the document announces none."""
        found = re.search(r'\bprints="([^"]+)"', self.mark)
        return found[1] if found else ""


def read_blocks(path: Path) -> list[Block]:
    """All `sh` and `python` blocks of a document."""
    text = path.read_text("utf-8")
    return [
        Block(text.count("\n", 0, match.start("code")), match["lang"], match["mark"] or "", match["code"])
        for match in _FENCE.finditer(text)
    ]


def section(title: str) -> str:
    """The text of one section of the README."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README.read_text("utf-8"), re.M | re.S)
    assert found, f"README has no section {title!r}"
    return found[1]


def clean_environment() -> dict[str, str]:
    """The environment without what an outer `make` hands on."""
    return {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like a checkout after `make demo`: own demo, policies and out, the environment of these tests as .venv."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / ".venv").symlink_to(sys.prefix)
    shutil.copytree(REPO / "demo", folder / "demo")
    shutil.copytree(REPO / "policies", folder / "policies")
    command = [".venv/bin/s2r", "audit", "demo/universe.csv", "--pool", "demo/pool.jsonl", "--out", "out/demo"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=RUN_SECONDS)
    assert done.returncode == common.EXIT_FAULTS, done.stderr[-2000:]
    return folder


@pytest.mark.timeout(900)  # a dozen audits and checks, on a machine that may be busy
@pytest.mark.parametrize("name", RUN_DOCUMENTS)
def test_every_command_runs_as_it_stands(name: str, checkout: Path) -> None:
    """Each block of commands in a document runs and ends with an exit code that the document announces."""
    blocks = [block for block in read_blocks(REPO / name) if block.mark.startswith("run")]
    assert blocks, f"{name} has no block to run"
    for block in blocks:
        command = ["bash", "-euo", "pipefail", "-c", block.code] if block.lang == "sh" else [".venv/bin/python", "-c", block.code]
        done = subprocess.run(
            command, cwd=checkout, env=clean_environment(), capture_output=True, text=True, check=False, timeout=RUN_SECONDS
        )
        told = f"{name}:{block.line}: exit {done.returncode}\n{block.code}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}"
        assert done.returncode in block.exits, told
        assert "Traceback" not in done.stderr, told
        assert block.prints in done.stdout + done.stderr, told


@pytest.mark.parametrize("name", RUN_DOCUMENTS)
def test_every_block_is_run_or_says_why_not(name: str) -> None:
    """No block of commands stands in a document without being run, unless a mark gives the reason."""
    for block in read_blocks(REPO / name):
        assert re.match(r"(run\b|make$|shown: \w)", block.mark), (
            f"{name}:{block.line}: mark the block with <!-- run --> or <!-- shown: reason -->"
        )


def test_readme_names_every_command() -> None:
    """Each command of `s2r` is used in the README."""
    text = README.read_text("utf-8")
    missing = [name for name in COMMANDS if f".venv/bin/s2r {name}" not in text]
    assert not missing


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("demo", r"\.venv/bin/s2r audit demo/universe\.csv --pool demo/pool\.jsonl --out out/demo"),
        ("test", r"\.venv/bin/python -m pytest"),
        ("eval", r"s2r\.evaluate\.sets"),
        ("bench", r"s2r\.evaluate\.bench"),
        ("check", r"\.venv/bin/mypy"),
        ("serve", r"127\.0\.0\.1"),
    ],
)
def test_make_targets_do_what_the_readme_says(target: str, expected: str) -> None:
    """The targets that the README names exist, and a dry run shows the command behind them."""
    assert f"make {target}" in README.read_text("utf-8")
    done = subprocess.run(["make", "-n", target], cwd=REPO, env=clean_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(expected, done.stdout)


def test_setup_commands_are_make_demo_and_make_test() -> None:
    """The first block of the README is the whole set-up."""
    first = read_blocks(README)[0]
    assert (first.mark, first.code.split("\n")[:-1]) == ("make", ["make demo", "make test"])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.skipif(not (REPO / ".venv/bin/s2r").exists(), reason="no .venv in this checkout; `make demo` would have to download")
def test_make_demo_runs_and_has_nothing_to_do_the_second_time(tmp_path: Path) -> None:
    """`make demo` leaves a report; repeated, it says that there is nothing to do."""
    command = ["make", "-o", ".venv/.setup", "demo", f"OUT={tmp_path}"]
    first = subprocess.run(command, cwd=REPO, env=clean_environment(), capture_output=True, text=True, check=False, timeout=RUN_SECONDS)
    assert first.returncode == 0, first.stderr[-2000:]
    assert "24 records" in first.stderr
    assert (tmp_path / "demo/report.html").stat().st_size > 10_000
    second = subprocess.run(command, cwd=REPO, env=clean_environment(), capture_output=True, text=True, check=False, timeout=RUN_SECONDS)
    assert "Nothing to do: all 24 records" in second.stderr
    assert second.returncode == 0


def _anchors(path: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(REPO).as_posix())
def test_links_are_relative_and_lead_somewhere(path: Path) -> None:
    """Each link of a document is relative and leads to a file, and to a heading where it names one."""
    for target in _LINK.findall(path.read_text("utf-8")):
        assert "://" not in target, f"{target} is not relative"
        assert not target.startswith("/"), f"{target} is not relative"
        file, _, anchor = target.partition("#")
        place = (path.parent / file).resolve() if file else path
        assert place.is_relative_to(REPO), f"{target} leads out of the repository"
        assert place.exists(), f"{target} does not exist"
        if anchor and place.suffix == ".md":
            assert anchor in _anchors(place), f"{target}: no such heading"


def test_every_document_is_linked_from_the_readme() -> None:
    """A reader finds each page of docs/ from the README; decisions are found from their folder."""
    text = README.read_text("utf-8")
    assert not [path.name for path in REPO.glob("docs/*.md") if f"(docs/{path.name})" not in text]


def test_settings_table_is_complete() -> None:
    """The table of settings has each setting once, with its default."""
    rows = dict(re.findall(r"^\| `S2R_(\w+)` \| ([^|]+?) \|", section("Settings"), re.M))
    assert set(map(str.lower, rows)) == set(Settings.model_fields)
    for name, field in Settings.model_fields.items():
        told = rows[name.upper()]
        if field.default not in (None, ""):
            assert told == f"`{field.default:g}`" if isinstance(field.default, float) else told == f"`{field.default}`"


def test_exit_codes_table_is_complete() -> None:
    """The table of exit codes has each code that commands use."""
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", section("Exit codes"), re.M)}
    assert told == {value for name, value in vars(common).items() if name.startswith("EXIT_")}


def test_files_of_a_run_folder_are_named(checkout: Path) -> None:
    """Whatever a run leaves in its folder stands in the README."""
    text = section("What comes out")
    left = [path.name for path in (checkout / "out/demo").iterdir() if not path.name.startswith(".")]
    assert not [name for name in left if f"`{name}" not in text and not name.startswith("s2r.db-")]


def test_every_dependency_has_its_line_of_why() -> None:
    """The decision on libraries names each dependency of pyproject.toml, and no other one as in use."""
    project = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    wanted = {re.split(r"[\[<>=~! ]", line)[0].lower() for group in groups for line in group}
    text = (REPO / "docs/decisions/0001-libraries.md").read_text("utf-8").partition("## Refused")[0]
    told = {name.lower() for name in _ROW.findall(text)} - {"library", "---", "-----"}
    assert told == wanted


def test_decisions_have_the_three_parts() -> None:
    """Each decision says its context, the choice and the price, and their numbers leave no gap."""
    files = sorted(REPO.glob("docs/decisions/[0-9]*.md"))
    assert [int(path.name[:4]) for path in files] == list(range(1, len(files) + 1))
    for path in files:
        heads = re.findall(r"^## (\w+)", path.read_text("utf-8"), re.M)
        assert {"Context", "Choice", "Price"} <= set(heads), path.name


def test_changelog_keeps_the_form() -> None:
    """The changelog has an Unreleased part, and only the groups of Keep a Changelog."""
    text = (REPO / "CHANGELOG.md").read_text("utf-8")
    assert re.search(r"^## \[?Unreleased\]?$", text, re.M)
    assert set(re.findall(r"^### (\w+)", text, re.M)) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
