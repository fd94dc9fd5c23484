"""The words of the interface, read once from words.toml; what is not there is looked for among the words of the report."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from s2r.report import texts


@cache
def _table() -> dict[str, str]:
    found = tomllib.loads(resources.files("s2r.web").joinpath("words.toml").read_text("utf-8"))
    flat = {name: value for name, value in found.items() if isinstance(value, str)}
    for section, entries in found.items():
        if isinstance(entries, dict):
            flat |= {f"{section}.{name}": text for name, text in entries.items()}
    return flat


def say(key: str, /, **values: object) -> str:
    """The text `key` ("queue.title") with its values filled in; raises KeyError for an unknown key or a missing value."""
    text = _table().get(key)
    return texts.say(key, **values) if text is None else text.format(**values)


def known(key: str) -> bool:
    """Whether there is such a text of the interface."""
    return key in _table()
