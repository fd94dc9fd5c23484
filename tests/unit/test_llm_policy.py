"""Faults of prompts, ladder, phrases, models and prices: each is told with its file, line and key."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from conftest import REPO, Command
from factories import listing

from s2r.adjudicate.llm import render
from s2r.errors import PolicyError
from s2r.job import policies as policies_module
from s2r.job.policies import model_faults
from s2r.models import Arm
from s2r.policy import Policy, PolicyFault
from s2r.policy.asking import Prompt, load_asking

SYSTEM = "delisting/prompt.adjudicate.system.j2"
USER = "delisting/prompt.verify.user.j2"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the shipped policies that a test may break."""
    return Path(shutil.copytree(REPO / "policies", tmp_path / "policies"))


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "key", "problem"),
    [
        ("routing.toml", 'name = "timeline"', 'name = "moon"', 0, "step[1].name", "unknown value 'moon'"),
        ("routing.toml", '"conflicts", ', '"quarrels", ', 0, "step[2].when[5]", "unknown value 'quarrels'"),
        ("routing.toml", "low_confidence = 0.5", "low_confidence = 5", 0, "low_confidence", "less than or equal to 1"),
        ("routing.toml", "attested = true\n", "", 0, "route[5].attested", "a rule that accepts must set this condition"),
        ("routing.toml", 'package = ["pass"]\n', "", 0, "route[5].package", "a rule that accepts must set this condition"),
        ("routing.toml", 'codes = ["second_hand"]\n', 'codes = ["hearsay"]\n', 0, "route[4].codes[0]", "unknown value 'hearsay'"),
        ("routing.toml", "outvote = true", "outvotes = true", 0, "outvotes", "unknown key"),
        ("instructions.toml", 'example = "The correct answer is no."', 'example = "Yes."', 0, "", "does not match its example"),
        ("instructions.toml", "[[instruction]]", "[[instruct]]", 0, "instruct", "unknown key"),
        (SYSTEM, "{# version: 1 #}", "", 1, "", "has no version"),
        (SYSTEM, "{{ event }}", "{{ events }}", 4, "", "'events' is undefined"),
        (SYSTEM, "{{ event }}", "{{ event", 0, "", "the template fails"),
        (SYSTEM, "{{ event }}", "{{ event.__class__.__mro__ }}", 4, "", "unsafe"),
        (USER, "p.source_kind", "p.kind", 14, "", "has no attribute 'kind'"),
        ("models.toml", "tokens = 12000", "tokens = 12", 0, "", "pack.tokens"),
        ("models.toml", 'undated = "withhold"', 'undated = "hide"', 0, "", "pack.undated"),
        ("models.toml", 'prices = "openai"', 'price = "openai"', 0, "", "unknown key price"),
        ("prices.toml", "per_1000 = 8.0", "per_1000 = -8.0", 0, "search.tavily.per_1000", "greater than or equal to 0"),
        ("prices.toml", "[search.exa]", "[searching.exa]", 0, "searching", "is not a table search or model"),
        ("prices.toml", "[search.brave]", '[model."x:y"]\ninputs = 3\n[search.brave]', 0, "model.x:y.inputs", "unknown key"),
    ],
)
def test_each_fault_is_told_where_it_is(root: Path, file: str, old: str, new: str, line: int, key: str, problem: str) -> None:
    """File, line and key of what was changed, and what is wrong with it."""
    path = root / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    at = text[: text.index(old)].count("\n") + 1
    found = [fault for fault in model_faults(root) if problem in fault.problem and key in fault.key]
    assert found, model_faults(root)
    assert found[0].file == file
    at = line or at
    if line or ("accepts" not in problem and "example" not in problem and "template" not in problem):
        assert found[0].line in range(at, at + 2)


@pytest.mark.parametrize("file", ["routing.toml", "instructions.toml", USER, "models.toml"])
def test_a_missing_file_is_named(root: Path, file: str) -> None:
    """Each is needed to ask a model."""
    (root / file).unlink()
    assert [Path(fault.file).name for fault in model_faults(root)] == [Path(file).name]


def test_the_command_lists_them_beside_the_faults_of_rules(root: Path, s2r: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """With exit code 2, sorted by file."""
    assert model_faults(root) == []
    (root / "routing.toml").unlink()
    other = PolicyFault(file="venues/xnas.toml", line=1, key="", problem="is broken")
    monkeypatch.setattr(policies_module, "check_policies", lambda root, name: [other])
    ran = s2r("policy", "check", "--policies", root)
    assert ran.code == 2
    assert re.findall(r"^(\S+):\d+: ", ran.out, re.MULTILINE) == [f"{root}/routing.toml", "venues/xnas.toml"]


def test_prompts_are_known_by_version_and_digest(root: Path, policy: Policy) -> None:
    """Another word is another prompt, also under the same version; so is the ladder."""
    before = load_asking(root)
    assert before.prompts["verify"].id.startswith("delisting/verify@1#")
    path = root / SYSTEM
    path.write_text(path.read_text("utf-8").replace("You audit", "You check"), "utf-8")
    after = load_asking(root)
    assert before.prompts["adjudicate"].id != after.prompts["adjudicate"].id
    assert before.prompts["verify"].id == after.prompts["verify"].id
    assert before.files != after.files
    assert before.routing_id == after.routing_id


def test_a_template_reaches_nothing_else(policy: Policy) -> None:
    """Neither files nor the inside of what it is given; it fails instead."""
    for text in (
        '{% include "policy.toml" %}',
        "{{ listing.__class__ }}",
        "{{ reasons.append('x') }}",
        "{{ ''.__class__.__base__.__subclasses__() }}",
    ):
        prompt = Prompt(purpose="adjudicate", version="1", system=text, user="", event="delisting")
        with pytest.raises(PolicyError, match="the template fails"):
            render(prompt, listing(), policy, Arm.CLOSED)
