"""All faults of a policies folder: rules and venues, prompts and ladder, models and prices."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from s2r.adjudicate.llm import template_faults
from s2r.errors import PolicyError
from s2r.modelapi import PriceLine, load_catalogue
from s2r.modelapi.profiles import MODELS_FILE
from s2r.policy import PolicyFault, check_policies, load_policy, policy_root
from s2r.policy.asking import asking_faults, load_asking
from s2r.policy.load import fault_at
from s2r.search.caller import Price
from s2r.search.registry import PRICES_FILE

_TABLES: Mapping[str, type[BaseModel]] = {"search": Price, "model": PriceLine}


def check_folder(root: Path | None = None, name: str = "delisting") -> list[PolicyFault]:
    """Every fault of the policies folder, sorted by file and line; empty when all is well."""
    base = root or policy_root()
    return sorted([*check_policies(base, name), *model_faults(base, name)], key=lambda fault: (fault.file, fault.line))


def model_faults(root: Path, name: str = "delisting") -> list[PolicyFault]:
    """Faults of what only runs with a model or on the live web read: prompts, ladder, phrases, models.toml, prices.toml. Templates are
    tried where all else can be read."""
    found = asking_faults(root, name)
    if not found:
        with suppress(PolicyError):  # of the rules: `check_policies` tells it
            found = template_faults(load_asking(root, name), load_policy(name, root))
    return [*found, *_catalogue(root), *_prices(root)]


def _catalogue(root: Path) -> Iterator[PolicyFault]:
    try:
        load_catalogue(root)
    except PolicyError as exc:
        yield PolicyFault(file=MODELS_FILE, line=_line(exc), key="", problem=exc.message, advice=exc.advice or "See docs/operations.md.")


def _line(exc: PolicyError) -> int:
    told = exc.subject.rpartition(":")[2]
    return int(told) if told.isdigit() else 1


def _prices(root: Path) -> Iterator[PolicyFault]:
    """Faults of prices.toml, which may be missing: then no price is known but those of the list of models."""
    path = root / PRICES_FILE
    if not path.is_file():
        return
    try:
        text = path.read_text("utf-8")
        data = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        yield PolicyFault(file=PRICES_FILE, line=1, key="", problem=f"cannot be read: {exc}", advice="Fix the file.")
        return
    for family, tables in data.items():
        if family not in _TABLES or not isinstance(tables, dict):
            yield fault_at(PRICES_FILE, text, (family,), "is not a table search or model", "As in [search.brave].")
            continue
        for name, table in tables.items():
            yield from _price(text, family, name, table)


def _price(text: str, family: str, name: str, table: Any) -> Iterator[PolicyFault]:
    record = _TABLES[family]
    try:
        record.model_validate(table)
    except ValidationError as exc:
        for error in exc.errors(include_url=False):
            known = ", ".join(record.model_fields)
            problem = f"unknown key; known: {known}" if error["type"] == "extra_forbidden" else error["msg"]
            yield fault_at(PRICES_FILE, text, (family, name, *error["loc"]), problem, "See the head of the file.")
