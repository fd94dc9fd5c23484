"""Many reviewers on one store, in processes of their own: no row has two holders, no decision is lost."""

from __future__ import annotations

import multiprocessing
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from factories import listing, record
from review_rows import AT

from s2r.models import Route
from s2r.policy import Policy
from s2r.policy.review import ReviewPolicy, Second
from s2r.reviews import (
    Decision,
    Kind,
    LeaseTaken,
    NotAllowed,
    QueueFilter,
    Workbench,
    claim,
    claim_next,
    decide,
    queue_page,
    release,
    undo,
)
from s2r.store import Store

REVIEW = ReviewPolicy(second=Second(share=0.2, samples=False))
SPAWN = multiprocessing.get_context("spawn")
Said = tuple[list[tuple[str, str]], list[str], list[str]]


def filled(out: Path, rows: int) -> None:
    """A store of rows that wait."""
    with Store(out / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=AT)
        with store.transaction():
            for number in range(rows):
                made = record(listing(number, row_id=f"R-{number:05d}"), route=Route.REVIEW, confidence=(number * 37 % 100) / 100)
                store.append(made, inputs=f"i{number}", position=number, author="s2r", why="audit", now=AT)


def reviewer(out: Path, policy: Policy, name: str, seed: int, rows: int) -> Said:
    """Work until nothing is left: claim, now and then give back, undo, or try a row that another may hold. Returns who held what (row, token),
    rows decided, and rows of which a decision was taken back."""
    draw = random.Random(seed)
    held: list[tuple[str, str]] = []
    decided: list[str] = []
    undone: list[str] = []
    with Store(out / "s2r.db") as store:
        bench = Workbench(store, policy, REVIEW, out)
        while lease := claim_next(bench, name, AT):
            held.append((lease.row_id, lease.token))
            if draw.random() < 0.05:
                release(bench, lease.row_id, lease.token, AT)
                continue
            if draw.random() < 0.1:
                try:
                    claim(bench, f"R-{draw.randrange(rows):05d}", name, AT)
                except (LeaseTaken, NotAllowed):
                    pass
                else:
                    for other in store.rows("select row_id, lease_token from review_item where lease_by = ?", [name]):
                        if other["row_id"] != lease.row_id:
                            release(bench, str(other["row_id"]), str(other["lease_token"]), AT)
            number = int(str(store.rows("select number from review_item where row_id = ?", [lease.row_id])[0]["number"]))
            said = Decision(row_id=lease.row_id, kind=Kind.CONFIRM, by=name, seen=number, lease=lease.token, key=f"{name} {len(held)}")
            decide(bench, said, AT)
            assert decide(bench, said, AT).again
            decided.append(lease.row_id)
            if draw.random() < 0.02:
                with suppress(LeaseTaken, NotAllowed):  # a second reviewer has it by now, or has decided it
                    undo(bench, lease.row_id, name, AT)
                    decided.remove(lease.row_id)
                    undone.append(lease.row_id)
    return held, decided, undone


def check(out: Path, policy: Policy, rows: int, told: list[Said]) -> None:
    """What the store holds is what the reviewers have seen."""
    with Store(out / "s2r.db") as store:
        bench = Workbench(store, policy, REVIEW, out)
        tokens = Counter(token for held, _, _ in told for _, token in held)
        assert max(tokens.values()) == 1  # each lease was given to one
        page = queue_page(bench, QueueFilter(), AT, size=1)
        assert (page.total, store.rows("select count(*) n from review_item where state = 'decided'")[0]["n"]) == (0, rows)
        standing = store.rows(
            "select row_id, count(*) n, count(distinct author) authors from review_decision d where undoes = 0 and not exists "
            "(select 1 from review_decision u where u.undoes = d.id) group by row_id"
        )
        assert Counter(row for _, decided, _ in told for row in decided) == {str(row["row_id"]): row["n"] for row in standing}
        assert all(row["n"] == row["authors"] for row in standing)
        twice = store.rows("select row_id from review_item where second = 1")
        assert {str(row["row_id"]) for row in twice} == {str(row["row_id"]) for row in standing if row["n"] == 2}
        assert len(twice) > 0
        made = {str(row["row_id"]): int(str(row["n"])) for row in store.rows("select row_id, count(*) n from revision group by row_id")}
        assert all(numbers == made[row_id] for row_id, numbers in store.numbers().items())  # no number is left out, none is given twice


def closed(out: Path, policy: Policy, told: list[Said], rows: int) -> list[Said]:
    """Two more, one after the other, for rows that only wait for another person when all have gone."""
    return [*told, *(reviewer(out, policy, f"late reviewer {n}", n, rows) for n in range(2))]


@pytest.mark.proof
def test_fifty_reviewers_over_five_thousand_rows(tmp_path: Path, policy: Policy) -> None:
    """Ten processes with five reviewers each: no double lease, no lost decision, every second review by another person."""
    filled(tmp_path, 5000)
    with SPAWN.Pool(10) as pool:
        jobs = [pool.apply_async(reviewer, (tmp_path, policy, f"reviewer {n}", n, 5000)) for n in range(50)]
        told = [job.get(900) for job in jobs]
    check(tmp_path, policy, 5000, closed(tmp_path, policy, told, 5000))


def test_eight_reviewers_over_a_hundred_rows(tmp_path: Path, policy: Policy) -> None:
    """The same with a connection for each thread."""
    filled(tmp_path, 100)
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda n: reviewer(tmp_path, policy, f"reviewer {n}", n, 100), range(8)))
    check(tmp_path, policy, 100, closed(tmp_path, policy, told, 100))
