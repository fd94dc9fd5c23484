"""What models said, kept beside the pages of an archive: raw exchanges without keys, and answers by all that can change them.

One SQLite file, `models.db`. An exchange is content-addressed and checked whenever it is read.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from s2r.errors import IntegrityError, StoreError
from s2r.modelapi.profiles import Profile
from s2r.modelapi.schema import plain_schema
from s2r.modelapi.types import ModelAnswer, ModelRole, ModelState, Question
from s2r.models.listing import Frozen
from s2r.readonly import open_read_only

NAME = "models.db"
KEY_VERSION = 2  # raised when prompts, forms or their check change in code
_SCHEMA = """
create table if not exists exchange(digest text primary key, at text not null, row_id text not null, role text not null,
  provider text not null, content blob not null) without rowid;
create index if not exists exchange_row on exchange(row_id, at);
create table if not exists answer(key text primary key, at text not null, answer text not null) without rowid;
create table if not exists resolved(endpoint text not null, model text not null, name text not null, at text not null,
  primary key(endpoint, model)) without rowid;
"""
_ADVICE = "Free space or fix permissions, then repeat the same command; a damaged file may be moved away, its calls are made anew."
# what of a profile changes no answer: pace, patience, prices, and where its settings come from
_APART = {
    "rate",
    "concurrency",
    "tokens_per_minute",
    "timeout_s",
    "prices",
    "batch",
    "batch_share",
    "search_unit",
    "search_reserve",
    "url",
    "account",
    "needs_key",
    "get_key",
    "pack_tokens",
}


class Exchange(Frozen):
    """One request and what came of it, without keys. `status` 0: no answer came, for the reason in `cause`."""

    at: dt.datetime
    row_id: str
    role: ModelRole
    provider: str
    model: str
    wire: str
    url: str
    purpose: str
    prompt: str
    pack: str
    request: str  # the JSON body as it was sent
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""  # bytes as Latin-1, so that none is lost
    cause: str = ""

    def data(self) -> Any:
        """The answer's JSON; raises `ValueError` when it is none."""
        return json.loads(self.body.encode("latin-1"))


def answer_key(endpoint: str, profile: Profile, resolved: str, question: Question) -> str:
    """SHA-256 in hex of all that can change an answer; `resolved` is the model that the asked name stands for as far as is known."""
    parts = {
        "version": KEY_VERSION,
        "endpoint": endpoint,
        "resolved": resolved,
        "profile": profile.model_dump(mode="json", exclude=_APART),
        "form": plain_schema(question.form),
        "system": question.system,
        "user": question.user,
        "prompt": question.prompt,
        "pack": question.pack,
        "search": question.search.model_dump(mode="json") if question.search else None,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()


class ModelsFile:
    """The file `models.db` of one archive, opened with a schema; usable from any thread. Raises `StoreError` when it cannot be used."""

    _holds, _advice = "model calls", _ADVICE

    def __init__(self, folder: Path, schema: str, *, read_only: bool = False) -> None:
        self.path = folder / NAME
        self._lock = threading.RLock()
        self._synced = True
        with self._mapped():
            if read_only:
                self._db = open_read_only(self.path, "sqlite_master")
                return
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, check_same_thread=False, timeout=30)
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=full")
            self._db.executescript(schema)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextlib.contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except (sqlite3.Error, OSError) as exc:
            raise StoreError(f"the kept {self._holds} cannot be used: {exc}", subject=str(self.path), advice=self._advice) from exc

    def _all(self, sql: str, *values: str) -> list[tuple[Any, ...]]:
        with self._mapped():
            return self._db.execute(sql, values).fetchall()

    def _write(self, sql: str, *values: str | bytes, synced: bool = True) -> None:
        """Write one row. Without `synced` it outlives the process at once, and a power cut when the next synced one is written."""
        with self._mapped():
            if synced is not self._synced:
                self._db.execute(f"pragma synchronous={'full' if synced else 'normal'}")
                self._synced = synced
            with self._db:
                self._db.execute(sql, values)


class KeptModels(ModelsFile):
    """The kept exchanges and answers of one archive."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        super().__init__(folder, _SCHEMA, read_only=read_only)
        self._names: dict[tuple[str, str], str] = {}  # what `resolved` holds, of the models that this process asks

    def answer(self, key: str) -> ModelAnswer | None:
        """The answer that was kept under a key, None when there is none."""
        found = self._one("select answer from answer where key=?", key)
        try:
            return ModelAnswer.model_validate_json(found[0]) if found else None
        except ValidationError:  # another version wrote it in another form
            return None

    def keep_answer(self, key: str, answer: ModelAnswer, at: dt.datetime) -> None:
        """Keep an answer; one that failed in any way is none and is not kept."""
        if answer.state is ModelState.ANSWERED:
            self._write("insert or replace into answer values (?,?,?)", key, _stamp(at), answer.model_dump_json())

    def resolved(self, endpoint: str, model: str) -> str:
        """The name that the provider last gave for an asked model, the asked one when nothing is known."""
        if (endpoint, model) not in self._names:
            found = self._one("select name from resolved where endpoint=? and model=?", endpoint, model)
            if not found:
                return model
            self._names[endpoint, model] = str(found[0])
        return self._names[endpoint, model]

    def keep_resolved(self, endpoint: str, model: str, name: str, at: dt.datetime) -> None:
        """Keep what an asked name stands for now; answers of another model are no longer found under it."""
        if self._names.get((endpoint, model)) != name:
            self._write("insert or replace into resolved values (?,?,?,?)", endpoint, model, name, _stamp(at), synced=False)
            self._names[endpoint, model] = name

    def keep_exchange(self, exchange: Exchange) -> str:
        """Keep one exchange and give its digest; the answer that is read from it syncs both."""
        content = exchange.model_dump_json().encode("utf-8", "backslashreplace")
        digest = hashlib.sha256(content).hexdigest()
        row = (digest, _stamp(exchange.at), exchange.row_id, exchange.role, exchange.provider, zlib.compress(content))
        self._write("insert or ignore into exchange values (?,?,?,?,?,?)", *row, synced=False)
        return digest

    def exchange(self, digest: str) -> Exchange:
        """A kept exchange; raises `IntegrityError` when it is missing or not as it was written."""
        found = self._one("select content from exchange where digest=?", digest)
        if found is None:
            raise IntegrityError("the exchange is not in the archive", subject=digest, advice=f"Searched {self.path}.")
        return _read(digest, found[0])

    def exchanges(self, row_id: str | None = None) -> Iterator[Exchange]:
        """All exchanges, or those of one record, in the order they were made; as `exchange`."""
        where, values = ("", ()) if row_id is None else ("where row_id=?", (row_id,))
        for digest, content in self._all(f"select digest, content from exchange {where} order by at, digest", *values):  # noqa: S608
            yield _read(digest, content)

    def _one(self, sql: str, *values: str) -> tuple[Any, ...] | None:
        return next(iter(self._all(sql, *values)), None)


def _read(digest: str, content: bytes) -> Exchange:
    try:
        plain = zlib.decompress(content)
    except zlib.error as exc:
        raise IntegrityError(f"the exchange cannot be read: {exc}", subject=digest, advice="Restore models.db from a copy.") from exc
    if hashlib.sha256(plain).hexdigest() != digest:
        raise IntegrityError("the exchange was changed after it was written", subject=digest, advice="Restore models.db from a copy.")
    return Exchange.model_validate_json(plain)


def _stamp(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).isoformat()
