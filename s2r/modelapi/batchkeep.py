"""Batches of a run in `models.db`: each is noted before it is sent, so that a kill loses none and none is sent twice."""

from __future__ import annotations

import datetime as dt
import zlib
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from s2r.modelapi.keep import ModelsFile

_SCHEMA = """
create table if not exists batch(token text primary key, at text not null, endpoint text not null, role text not null, api text not null,
  state text not null, remote text not null default '', refuted text not null default '',
  size integer not null) without rowid;
create table if not exists batch_item(token text not null, name text not null, key text not null, row_id text not null,
  prompt text not null, pack text not null, path text not null, body blob not null, reserved real,
  state text not null, outcome text not null default '', primary key(token, name)) without rowid;
create index if not exists batch_item_key on batch_item(key, state);
"""  # fmt: skip
_COLUMNS = "i.token, name, key, row_id, prompt, pack, path, body, reserved, i.state, outcome"


class BatchState(StrEnum):
    """How far a batch is."""

    INTENT = "intent"  # noted; it may or may not have reached its service
    OPEN = "open"  # its service has it
    ENDED = "ended"  # its results are kept
    VOID = "void"  # it never reached its service, or was refused whole


class ItemState(StrEnum):
    """How far one request of a batch is."""

    OPEN = "open"
    ENDED = "ended"  # its outcome is kept, and waits to be taken
    TAKEN = "taken"  # its outcome was taken
    VOID = "void"  # as its batch


class KeptBatch(NamedTuple):
    """One batch. `remote` is its id at the service, "" while unknown; `refuted` are ids that turned out to be other batches."""

    token: str
    at: dt.datetime
    api: str
    state: BatchState
    remote: str
    refuted: tuple[str, ...]
    size: int


class KeptItem(NamedTuple):
    """One request of a batch. `key` names the question whatever the model behind its name; `body` is the request's JSON."""

    token: str
    name: str
    key: str
    row_id: str
    prompt: str
    pack: str
    path: str
    body: bytes
    reserved: float | None
    state: ItemState
    outcome: str = ""


class KeptBatches(ModelsFile):
    """The batches of one endpoint and role in an archive's `models.db`; usable from any thread. Raises `StoreError`."""

    _holds, _advice = "batches", "Free space or fix permissions, then repeat the same command; batches under way are found again."

    def __init__(self, folder: Path, endpoint: str, role: str) -> None:
        self._endpoint, self._role = endpoint, role
        super().__init__(folder, _SCHEMA)

    def intend(self, token: str, api: str, items: Sequence[KeptItem], at: dt.datetime) -> None:
        """Note a batch with all its requests before it is sent."""
        rows = [
            (token, one.name, one.key, one.row_id, one.prompt, one.pack, one.path, zlib.compress(one.body), one.reserved, ItemState.OPEN)
            for one in items
        ]
        sql = "insert into batch_item(token, name, key, row_id, prompt, pack, path, body, reserved, state) values (?,?,?,?,?,?,?,?,?,?)"
        with self._mapped(), self._db:
            self._db.execute(
                "insert into batch(token, at, endpoint, role, api, state, size) values (?,?,?,?,?,?,?)",
                (token, at.astimezone(dt.UTC).isoformat(), self._endpoint, self._role, api, BatchState.INTENT, len(items)),
            )
            self._db.executemany(sql, rows)

    def opened(self, token: str, remote: str) -> None:
        """A batch has reached its service under this id."""
        self._write("update batch set state=?, remote=? where token=?", BatchState.OPEN, remote, token)

    def refuted(self, token: str, remote: str) -> None:
        """This id is another batch; ours has no id again."""
        self._write("update batch set state=?, remote='', refuted=refuted || ? || char(10) where token=?", BatchState.INTENT, remote, token)

    def voided(self, token: str) -> None:
        """A batch never was: its questions may be asked again."""
        with self._mapped(), self._db:
            self._db.execute("update batch set state=? where token=?", (BatchState.VOID, token))
            self._db.execute("update batch_item set state=?, body=x'' where token=? and state=?", (ItemState.VOID, token, ItemState.OPEN))

    def ended(self, token: str) -> None:
        """All results of a batch are kept."""
        self._write("update batch set state=? where token=?", BatchState.ENDED, token)

    def batches(self, *states: BatchState) -> list[KeptBatch]:
        """Batches of this endpoint and role in these states, oldest first."""
        marks = ",".join("?" * len(states))
        sql = "select token, at, api, state, remote, refuted, size from batch where endpoint=? and role=? "
        sql += f"and state in ({marks}) order by at, token"
        return [
            KeptBatch(
                token, dt.datetime.fromisoformat(at), api, BatchState(state), remote, tuple(filter(None, refuted.split("\n"))), int(size)
            )
            for token, at, api, state, remote, refuted, size in self._all(sql, self._endpoint, self._role, *states)
        ]

    def known(self) -> set[str]:
        """Ids of all batches of this endpoint that are in this file."""
        return {str(row[0]) for row in self._all("select remote from batch where endpoint=? and remote<>''", self._endpoint)}

    def items(self, token: str, state: ItemState) -> list[KeptItem]:
        """Requests of a batch in this state, by name."""
        sql = f"select {_COLUMNS} from batch_item i where token=? and state=? order by name"  # noqa: S608
        return [_item(row) for row in self._all(sql, token, state)]

    def item(self, key: str, *states: ItemState) -> KeptItem | None:
        """The newest request for a question in these states, None when there is none."""
        marks = ",".join("?" * len(states))
        sql = (
            f"select {_COLUMNS} from batch_item i join batch b using (token) where key=? and i.state in ({marks}) "  # noqa: S608
            "and endpoint=? and role=? order by b.at desc, token limit 1"
        )
        rows = self._all(sql, key, *states, self._endpoint, self._role)
        return _item(rows[0]) if rows else None

    def keep_outcome(self, item: KeptItem, outcome: str) -> None:
        """Keep what came of a request; its body goes, which stands in the archive of exchanges."""
        sql = "update batch_item set state=?, outcome=?, body=x'' where token=? and name=? and state=?"
        self._write(sql, ItemState.ENDED, outcome, item.token, item.name, ItemState.OPEN)

    def taken(self, item: KeptItem) -> None:
        """The outcome of a request was taken: the same question later is a new one."""
        self._write("update batch_item set state=? where token=? and name=?", ItemState.TAKEN, item.token, item.name)


def _item(row: Sequence[object]) -> KeptItem:
    *told, body, reserved, state, outcome = row
    token, name, key, row_id, prompt, pack, path = map(str, told)
    plain = zlib.decompress(body) if isinstance(body, bytes) and body else b""
    most = float(reserved) if isinstance(reserved, int | float) else None
    return KeptItem(token, name, key, row_id, prompt, pack, path, plain, most, ItemState(str(state)), str(outcome))
