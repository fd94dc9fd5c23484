"""Revisions without the work of reading whole records: the answers of all of them, and the text of one."""

from __future__ import annotations

from s2r.store import Store


def answers(store: Store) -> dict[tuple[str, int], tuple[str, str]]:
    """Status and route of every revision, by row and number."""
    rows = store.tuples("select row_id, number, status, route from revision")
    return {(str(row_id), int(str(number))): (str(status), str(route)) for row_id, number, status, route in rows}


def revision_text(store: Store, row_id: str, number: int) -> str:
    """The JSON of a revision that is there, for those who need little of it."""
    ((text,),) = store.tuples("select record from revision where row_id = ? and number = ?", [row_id, number])
    return str(text)
