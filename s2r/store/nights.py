"""Runs of the service in a store: started before work, finished after it, told at least once; and listings that left the universe."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from dataclasses import dataclass

from s2r.store import Store

RUNNING, DONE, FAILED = "running", "done", "failed"
STALE = dt.timedelta(hours=20)  # a night that was cut off longer ago is not gone on with: its day is over


@dataclass(frozen=True, slots=True)
class Night:
    """One run of the service. `outcome` holds its numbers, `notice` what became of telling it: attempts, and when it was sent."""

    id: int
    job: str
    started_at: dt.datetime
    finished_at: dt.datetime | None
    state: str
    outcome: dict[str, object]
    notice: dict[str, object]

    @property
    def since(self) -> dt.datetime:
        """From when on its report tells: its start, or that of nights that were given up."""
        given = self.outcome.get("since")
        return dt.datetime.fromisoformat(str(given)) if given else self.started_at

    @property
    def told(self) -> bool:
        """Whether its notice is known to have been sent, or none is due."""
        return bool(self.notice.get("sent_at") or self.notice.get("none"))


class Nights:
    """The nights of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def open(self, job: str, now: dt.datetime, first: dict[str, object]) -> tuple[Night, bool]:
        """The night of `job` that was cut off, or a new one with `first` as its outcome so far; and whether it is continued. One that was
        cut off longer ago than STALE is given up: what it did is told with the new one."""
        since = now
        for night in self.all():
            if night.job != job or night.state != RUNNING:
                continue
            if now - night.started_at < STALE:
                return night, True
            since = min(since, night.since)
            self.close(night, FAILED, {"over_budget": "it was cut off and is told with the next one"}, now)
            self.tell(night, {"none": "given up"})
        first = first | ({"since": since.isoformat()} if since != now else {})
        self._store.execute(
            "insert into night (job, started_at, finished_at, state, outcome, notice) values (?,?,'',?,?,'{}')",
            (job, now.isoformat(), RUNNING, json.dumps(first)),
        )
        return self.all()[-1], False

    def close(self, night: Night, state: str, outcome: dict[str, object], now: dt.datetime) -> None:
        """Note the end of a night."""
        self._store.execute(
            "update night set finished_at = ?, state = ?, outcome = ? where id = ?",
            (now.isoformat(), state, json.dumps(night.outcome | outcome, default=str), night.id),
        )

    def discard(self, night: Night) -> None:
        """Forget a night that never began."""
        self._store.execute("delete from night where id = ?", (night.id,))

    def tell(self, night: Night, notice: dict[str, object]) -> None:
        """Note what became of telling a night."""
        self._store.execute("update night set notice = ? where id = ?", (json.dumps(notice, default=str), night.id))

    def all(self) -> list[Night]:
        """Every night, oldest first."""
        return [_night(row) for row in self._store.rows("select * from night order by id")]

    def last(self, job: str) -> Night | None:
        """The newest night of a job that has ended."""
        return next((night for night in reversed(self.all()) if night.job == job and night.state != RUNNING), None)

    def forget(self, before: dt.datetime) -> list[int]:
        """Remove told nights that ended before a moment; return their ids."""
        old = [night.id for night in self.all() if night.told and night.finished_at is not None and night.finished_at < before]
        for number in old:
            self._store.execute("delete from night where id = ?", (number,))
        return old

    def withdrawn(self) -> dict[str, str]:
        """Rows that left the universe, with the time at which this was seen."""
        return {str(row["row_id"]): str(row["since"]) for row in self._store.rows("select row_id, since from withdrawn")}

    def set_withdrawn(self, gone: Iterable[str], back: Iterable[str], now: dt.datetime) -> None:
        """Note rows that left the universe and rows that came back."""
        for row_id in gone:
            self._store.execute("insert or ignore into withdrawn (row_id, since, why) values (?,?,?)", (row_id, now.isoformat(), "left"))
        for row_id in back:
            self._store.execute("delete from withdrawn where row_id = ?", (row_id,))


def _night(row: dict[str, object]) -> Night:
    ended = str(row["finished_at"] or "")
    return Night(
        id=int(str(row["id"])),
        job=str(row["job"]),
        started_at=dt.datetime.fromisoformat(str(row["started_at"])),
        finished_at=dt.datetime.fromisoformat(ended) if ended else None,
        state=str(row["state"]),
        outcome=json.loads(str(row["outcome"] or "{}")),
        notice=json.loads(str(row["notice"] or "{}")),
    )
