"""JSON lines as rows of text: one object a line; numbers keep their digits, a missing key is an empty cell."""

from __future__ import annotations

import json
from pathlib import Path

from s2r.errors import InputError
from s2r.universe.grid import Table, TableRow

_ADVICE = "Write one JSON object with plain values on each line."


def read_lines(path: Path, text: str, encoding: str, *, guessed: bool) -> Table:
    """All objects of a JSON lines text; the header is every key in the order in which it first comes. Rows have their line number.

    Raises `InputError` naming the line that is no object of plain values.
    """
    items: list[tuple[int, dict[str, str]]] = []
    header: dict[str, None] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        values = _object(path, number, line)
        header.update(dict.fromkeys(values))
        items.append((number, values))
    rows = tuple(TableRow(number, tuple(values.get(name, "") for name in header)) for number, values in items)
    return Table(tuple(header), rows, "jsonl", encoding, guessed)


def _object(path: Path, number: int, line: str) -> dict[str, str]:
    subject = f"{path}, line {number}"
    try:
        found = json.loads(line, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=list)
    except (ValueError, RecursionError) as exc:
        raise InputError(f"is no JSON: {exc}", subject=subject, advice=_ADVICE) from exc
    if not line.lstrip().startswith("{"):
        raise InputError("is no JSON object", subject=subject, advice=_ADVICE)
    values: dict[str, str] = {}
    for name, value in found:
        if name in values:
            raise InputError(f"the key {name!r} stands twice", subject=subject, advice="Give every key once.")
        if isinstance(value, list):  # an array, or the pairs of an object
            raise InputError(f"the value of {name!r} is nested", subject=subject, advice=_ADVICE)
        values[name] = "" if value is None else ("TRUE" if value else "FALSE") if isinstance(value, bool) else str(value)
    return values
