"""Read event tuples from JSON lines or CSV (also gzipped). A row that cannot be used becomes an issue with row, column and advice."""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from s2r.errors import InputError
from s2r.events.tuples import EventTuple, Evidence
from s2r.models.listing import Frozen, RowIssue
from s2r.policy.event_types import ROLES, EventTypes

# Columns by the names under which files have them; the first that is present and not empty counts.
COLUMNS = {
    "firm": ("firm", "firm_ticker", "ticker", "issuer", "company"),
    "event_type": ("event_type", "type", "event"),
    "anchor_date": ("anchor_date", "date", "event_date"),
    "anchor_kind": ("anchor_kind", "date_kind"),
    "role": ("role",),
    "counterparty": ("counterparty", "counterparty_ticker"),
    "deal": ("deal", "deal_id"),
}
NAMES = ("name", "firm_name", "issuer_name", "company_name", "names", "former_names", "isin", "lei", "cik")
EVIDENCE = {"url": ("url", "article_url"), "title": ("title", "article_title"), "date": ("page_date", "article_date"),
            "quote": ("quote", "cited_sentence", "sentence"), "exhibit": ("exhibit",)}  # fmt: skip


class Loaded(Frozen):
    """Tuples in file order, and the rows that could not be used."""

    tuples: tuple[EventTuple, ...]
    issues: tuple[RowIssue, ...]


def load_tuples(path: Path, kinds: EventTypes) -> Loaded:
    """All tuples of a file at once; raises InputError when it cannot be read at all."""
    issues: list[RowIssue] = []
    tuples = tuple(iter_tuples(path, kinds, issues))
    return Loaded(tuples=tuples, issues=tuple(issues))


def iter_tuples(path: Path, kinds: EventTypes, issues: list[RowIssue]) -> Iterator[EventTuple]:
    """Tuples of a file one by one, the rows that cannot be used into `issues`; raises InputError where the file cannot be read.

    JSON lines with a list `gt` (a question with its gold answer) give the tuples of that list, deals included.
    """
    for number, row in read_rows(path):
        for part in _gold_rows(row["gt"]) if isinstance(row.get("gt"), list) else (row,):
            made = _tuple(part, number, kinds)
            if isinstance(made, RowIssue):
                issues.append(made)
            else:
                yield made


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(row number, object) of JSON lines or CSV, told by the name of the file, read line by line; raises InputError."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
        with (gzip.open if packed else open)(path, "rt", encoding="utf-8-sig", newline="") as fh:
            if path.name.removesuffix(".gz").endswith(".csv"):
                yield from enumerate((dict(row) for row in csv.DictReader(fh)), start=2)
            else:
                yield from _json_rows(path, fh)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as exc:
        raise InputError(f"cannot be read: {exc}", subject=str(path), advice="Give JSON lines or CSV in UTF-8, gzipped or not.") from exc


def _json_rows(path: Path, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as exc:
            raise InputError(f"line {number} is not JSON: {exc}", subject=str(path), advice="Give one JSON object a line.") from exc
        if not isinstance(row, dict):
            raise InputError(f"line {number} is no JSON object", subject=str(path), advice="Give one JSON object a line.")
        yield number, row


def _tuple(row: Mapping[str, Any], number: int, kinds: EventTypes) -> EventTuple | RowIssue:
    values = {field: _first(row, names) for field, names in COLUMNS.items()}
    for field in ("firm", "event_type", "anchor_date"):
        if not values[field]:
            advice = f"Fill one of the columns {', '.join(COLUMNS[field])}."
            return _issue(number, field, "", "is missing", advice)
    kind = kinds.find(values["event_type"])
    if kind is None:
        near = ", ".join(kinds.near(values["event_type"]) or kinds.names)
        return _issue(number, "event_type", values["event_type"], "is no event type", f"Near: {near}.")
    values["event_type"] = kind
    values["role"] = values["role"].lower()
    if values["role"] in ("participant", "none", "null"):
        values["role"] = ""
    if values["role"] not in ("", *ROLES):
        return _issue(number, "role", values["role"], "is no role", f"Use {', '.join(ROLES)}, or leave it empty.")
    attributes = {}
    for name, known in kinds[kind].attributes.items():
        if value := _first(row, (name, f"attribute.{name}")) or _inside(row, "attributes", name):
            if known and value not in known:
                return _issue(number, name, value, f"is no value of {name}", f"Known: {', '.join(known)}.")
            attributes[name] = value
    names = tuple(dict.fromkeys(name for column in NAMES for name in _list(row.get(column), column) if name != values["firm"]))
    try:
        return EventTuple(**values, attributes=attributes, names=names, evidence=tuple(_evidence(row)))
    except ValidationError as exc:
        error = exc.errors(include_url=False)[0]
        column = str(error["loc"][0]) if error["loc"] else "row"
        return _issue(number, column, str(error["input"]), str(error["msg"]).removeprefix("Value error, "), "Correct this value.")


def _issue(number: int, column: str, value: str, problem: str, advice: str) -> RowIssue:
    return RowIssue(row_number=number, column=column, value=value, problem=problem, advice=advice, severity="rejected")


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((str(row[name]).strip() for name in names if row.get(name) not in (None, "")), "")


def _inside(row: Mapping[str, Any], column: str, name: str) -> str:
    held = row.get(column)
    return str(held[name]).strip() if isinstance(held, dict) and held.get(name) else ""


def _list(value: Any, column: str) -> list[str]:
    """Names of one column: a list, or text with semicolons; identifiers get their kind in front."""
    parts = value if isinstance(value, list) else str(value or "").split(";")
    found = [str(part).strip() for part in parts if str(part).strip()]
    return [f"{column}:{part}" for part in found] if column in ("isin", "lei", "cik") else found


def _evidence(row: Mapping[str, Any]) -> Iterator[Evidence]:
    chunks = row.get("evidence") or row.get("golden_chunks") or ()
    if isinstance(chunks, list):
        for chunk in chunks:
            if isinstance(chunk, dict):
                yield Evidence(**{field: _first(chunk, (field, *names)) for field, names in EVIDENCE.items()})
    urls = row.get("cited_urls")
    for url in urls if isinstance(urls, list) else ():
        yield Evidence(url=str(url))
    if any(_first(row, EVIDENCE[field]) for field in ("url", "exhibit")):
        yield Evidence(**{field: _first(row, names) for field, names in EVIDENCE.items()})


def _gold_rows(answer: list[Any]) -> Iterator[dict[str, Any]]:
    """Tuples inside the gold answer of a question: events themselves, or the two events of a pair or deal. The events of a deal carry
    its buyer, its target and a link."""
    for row in answer:
        if not isinstance(row, dict):
            continue
        if row.get("event_type"):
            yield row
        deal = f"{row['buyer_ticker']} / {row['target_ticker']}" if row.get("target_ticker") and row.get("buyer_ticker") else ""
        for event in row.get("qualifying_events") or ():
            link = {"deal": deal, "role": "buyer", "counterparty": row["target_ticker"]} if deal else {"role": ""}
            yield {**event, **link}
