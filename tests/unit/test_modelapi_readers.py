"""Readers of the wire formats against answers that no documentation knows; and the suite against a reader that is careless."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from s2r.errors import SourceBroken
from s2r.modelapi import ModelState, Profile, load_catalogue, parse_model
from s2r.modelapi.caller import WIRE_FORMATS
from s2r.modelapi.wire import Reading, count, mapping, string
from s2r.testing.model_conformance import failures
from s2r.testing.model_trial import GOOD, SPECS
from s2r.testing.modelforms import MODEL_SERVICES
from s2r.testing.modelsaid import Cite, Heard, Said, Tokens

CATALOGUE = load_catalogue(Path(__file__).parents[2] / "policies")
NAMES = {
    "openai": "openai:gpt-5",
    "openai_chat": "openai_chat:gpt-5",
    "anthropic": "anthropic:claude-opus-5",
    "gemini": "gemini:gemini-3-pro",
}
SERVICES = {service.name: service for service in MODEL_SERVICES}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**12) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def rendered(name: str) -> tuple[dict[str, Any], Profile]:
    """A full answer of a service, with search, citations and usage."""
    profile = CATALOGUE.profile(parse_model(NAMES[name]))
    said = Said(
        GOOD, "text", Tokens(900, 100, 0, 80, 20), (Cite("https://a.example/1", "A", "left"), Cite("https://b.example/2")), ("q", "r")
    )
    answer = SERVICES[name].render(Heard(profile.model, "s", (("user", "u"),), None, False, True, 4096), said)
    return json.loads(answer.body), profile


def places(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every value below `node`."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield (*path, key)
        yield from places(value, (*path, key))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(data=st.data())
def test_whatever_stands_in_an_answer_is_read_or_refused(name: str, data: st.DataObject) -> None:
    """One value of a true answer is another JSON value: a reading comes out, or `SourceBroken`; never any other error."""
    answer, profile = rendered(name)
    changed = copy.deepcopy(answer)
    *path, last = data.draw(st.sampled_from(list(places(answer))))
    node = changed
    for key in path:
        node = node[key]
    node[last] = data.draw(JSON)
    try:
        reading = WIRE_FORMATS[profile.wire].read(changed, profile)
    except SourceBroken as exc:
        assert "documented form" in str(exc)
    else:
        assert isinstance(reading, Reading)
        assert isinstance(reading.text, str)
        assert all(isinstance(one.url, str) and one.url for one in reading.citations)


@pytest.mark.parametrize(
    "value", [float("inf"), float("nan"), -1, 10**400, True, "7", [1], {"a": 1}, None], ids=lambda value: str(value)[:8]
)
@pytest.mark.parametrize("name", NAMES)
def test_counts_that_are_none_count_nothing(name: str, value: object) -> None:
    """Every number of the usage is replaced: nothing is raised, and the report counts as none."""
    answer, profile = rendered(name)
    for path in places(answer):
        node = answer
        for key in path[:-1]:
            node = node[key]
        if path[0] in ("usage", "usageMetadata") and isinstance(node[path[-1]], int):
            node[path[-1]] = value
    usage = WIRE_FORMATS[profile.wire].read(answer, profile).usage
    assert (usage.input_tokens, usage.output_tokens, usage.reported) == (0, 0, False)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    data=st.dictionaries(st.sampled_from(["output", "status", "choices", "content", "type", "candidates", "stop_reason", "usage"]), JSON)
)
def test_any_object_is_read_or_refused(name: str, data: dict[str, Any]) -> None:
    """Objects that only look like answers."""
    _, profile = rendered(name)
    try:
        reading = WIRE_FORMATS[profile.wire].read(data, profile)
    except SourceBroken:
        return
    assert reading.text == "" or reading.state is not ModelState.FAILED


def test_the_suite_finds_a_reader_that_takes_everything_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that looks neither at refusals nor at the reason of the end fails the checks that are there for it."""

    def careless(data: Any, profile: Profile) -> Reading:
        message = (data.get("choices") or [{}])[0].get("message") or {}
        usage = mapping(data, "usage")
        wire = WIRE_FORMATS["gemini"].read({"candidates": [{"finishReason": "STOP"}]}, profile).usage
        used = wire.model_copy(update={"input_tokens": count(usage, "prompt_tokens"), "output_tokens": count(usage, "completion_tokens")})
        return Reading(ModelState.ANSWERED, string(message, "content"), string(data, "model"), used)

    broken = WIRE_FORMATS["openai_chat"]._replace(read=careless)
    monkeypatch.setitem(WIRE_FORMATS, "openai_chat", broken)  # type: ignore[arg-type]
    found = {name for name, _ in asyncio.run(failures(SPECS[1]))}
    assert {"a refusal is none", "a cut answer is none", "usage as reported"} <= found
    assert "a structured answer" not in found
