"""The files of docs/deploy keep their word: units and images name commands, options, users and files that are there."""

from __future__ import annotations

import configparser
import ipaddress
import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
import yaml
from conftest import REPO

from s2r.cli import cli
from s2r.settings import Settings

DEPLOY = REPO / "docs" / "deploy"
UNIT_KEYS = {
    "Unit": {"Description", "Documentation", "Wants", "After"},
    "Install": {"WantedBy"},
    "Service": {
        "Type", "User", "Group", "StateDirectory", "StateDirectoryMode", "WorkingDirectory", "Environment", "EnvironmentFile", "ExecStart",
        "KillSignal", "KillMode", "TimeoutStopSec", "Restart", "RestartSec", "RestartPreventExitStatus", "UMask", "NoNewPrivileges",
        "CapabilityBoundingSet", "ProtectSystem", "ProtectHome", "ProtectClock", "ProtectHostname", "ProtectControlGroups",
        "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables", "PrivateTmp", "PrivateDevices", "RestrictAddressFamilies",
        "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "LockPersonality", "SystemCallArchitectures", "SystemCallFilter",
    },
}  # fmt: skip
INSTRUCTIONS = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}


def parsed(arguments: Sequence[str]) -> dict[str, object]:
    """The options of `s2r ARGUMENTS` as our own command line reads them; raises UsageError for one that it does not have."""
    context = click.Context(cli, info_name="s2r")
    name, command, rest = cli.resolve_command(context, list(arguments))
    assert command is not None
    return command.make_context(name, rest, parent=context).params


def settings_of(pairs: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE pairs, of which each S2R_ name is a setting of s2r."""
    found = dict(pair.split("=", 1) for pair in pairs)
    for name in found:
        assert not name.startswith("S2R_") or name.removeprefix("S2R_").lower() in Settings.model_fields, name
    return found


def unit() -> configparser.ConfigParser:
    """The unit of systemd."""
    read = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string((DEPLOY / "s2r.service").read_text("utf-8"))
    return read


def test_the_unit_has_known_keys_and_runs_our_command() -> None:
    """Each key is one of systemd in its section; ExecStart is read by our own command line; a fault of configuration is not tried again."""
    read = unit()
    assert {section: set(read[section]) for section in read.sections()} == UNIT_KEYS
    service = read["Service"]
    program, *arguments = shlex.split(service["ExecStart"])
    assert Path(program).name == "s2r"
    options = parsed(arguments)
    assert (options["host"], options["login"], options["log_form"]) == ("127.0.0.1", True, "json")
    assert Path(str(options["out"])).is_relative_to("/var/lib/" + service["StateDirectory"])
    settings_of(shlex.split(service["Environment"]))
    assert service["RestartPreventExitStatus"] == "2"


def test_the_unit_runs_as_nobody_special_and_stops_gently() -> None:
    """Its own user, no capabilities, only its own folder to write to; only the main process is told to stop, and has time to finish rows."""
    service = unit()["Service"]
    assert service["User"] not in ("", "root", "0")
    assert service["CapabilityBoundingSet"] == ""
    assert (service["NoNewPrivileges"], service["ProtectSystem"], service["UMask"]) == ("yes", "strict", "0077")
    assert (service["KillSignal"], service["KillMode"]) == ("SIGTERM", "mixed")
    assert re.fullmatch(r"\d+min", service["TimeoutStopSec"])


def dockerfile() -> list[tuple[str, str]]:
    """Instructions of the Dockerfile, continued lines joined."""
    text = re.sub(r"\\\n", " ", (DEPLOY / "Dockerfile").read_text("utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_image_is_built_from_files_that_are_there() -> None:
    """Known instructions, a base image with a version that we support, pins with hashes, and copies of what the repository has."""
    found = dockerfile()
    assert {word for word, _ in found} == INSTRUCTIONS
    for image in (rest.split()[0] for word, rest in found if word == "FROM"):
        assert re.fullmatch(r"python:3\.\d+-slim-\w+", image)
    copied = [rest.split()[:-1] for word, rest in found if word == "COPY" and "--from=" not in rest]
    assert copied
    assert [source for sources in copied for source in sources if not (REPO / source).exists()] == []
    assert any("--require-hashes -r requirements.txt" in rest for word, rest in found if word == "RUN")


def test_the_image_runs_our_command_as_a_user() -> None:
    """The last user is a number above those of the system; entry point and command are read by our own command line; the port is ours."""
    found = dockerfile()
    last = dict(found)
    user = last["USER"].split(":")[0]
    assert user.isdigit()
    assert int(user) > 999
    (program, *first) = json.loads(last["ENTRYPOINT"])
    assert program == "s2r"
    options = parsed([*first, *json.loads(last["CMD"])])
    assert str(options["port"]) == last["EXPOSE"]
    assert f":{options['port']}/healthz" in last["HEALTHCHECK"]
    assert Path(str(options["out"])).is_relative_to(json.loads(last["VOLUME"])[0])
    settings_of(shlex.split(last["ENV"])[1:])


def test_the_composition_runs_our_command_behind_a_proxy() -> None:
    """The command is ours; only the proxy has a port outside, and its network is the one that it is trusted from; nothing is writable but
    the volume."""
    read = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    ours, proxy = read["services"]["s2r"], read["services"]["proxy"]
    build = (DEPLOY / ours["build"]["context"]).resolve()
    assert (build, (build / ours["build"]["dockerfile"]).is_file()) == (REPO, True)
    options = parsed([re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", part) for part in ours["command"]])
    assert options["hosts"] == ("s2r.example.org",)
    assert options["proxies"] == (read["networks"]["inside"]["ipam"]["config"][0]["subnet"],)
    assert all(ipaddress.ip_network(str(network)).is_private for network in options["proxies"])  # type: ignore[attr-defined]
    assert "ports" not in ours
    assert (ours["read_only"], ours["cap_drop"], ours["security_opt"]) == (True, ["ALL"], ["no-new-privileges:true"])
    assert set(ours["networks"]) == set(proxy["networks"]) == set(read["networks"])
    named = {volume.split(":")[0] for service in (ours, proxy) for volume in service["volumes"] if not volume.startswith(".")}
    assert named == set(read["volumes"])
    assert ours["stop_grace_period"] == unit()["Service"]["TimeoutStopSec"].removesuffix("in")
    assert not any(image.endswith(":latest") or ":" not in image for image in [proxy["image"]])


@pytest.mark.parametrize("line", [["serve", "u.csv", "--hots", "0.0.0.0"], ["serve", "--port", "x"], ["sreve"]])
def test_a_wrong_command_line_would_be_seen(line: list[str]) -> None:
    """What these tests parse with refuses what our command line does not have."""
    with pytest.raises(click.UsageError):
        parsed(line)
