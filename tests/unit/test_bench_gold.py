"""Gold files: every defect is named by row and column, and nothing is run."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from factories import listing, write_universe

from s2r.cli import cli
from s2r.errors import InputError
from s2r.evaluate.gold import check_gold, read_gold

HEAD = "case_id,stratum,status,announcement_date,reason,also_reason,later_date"
GOOD = "T-01,A,yes,2019-05-02,voluntary,,"


def write(path: Path, *rows: str, head: str = HEAD) -> Path:
    """A gold file with these lines."""
    path.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    return path


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("T-02,B,maybe,,,,", "gold row 3, column status: 'maybe' is not yes, no or abstain"),
        ("T-02,B,,,,,", "gold row 3, column status: empty"),
        ("T-02,B,YES,,,,", "gold row 3, column status: 'YES' is not yes, no or abstain"),
        ("T-02,D,no,,,,", "gold row 3, column stratum: 'D' is not A, B or C"),
        ("T-02,,no,,,,", "gold row 3, column stratum: empty"),
        ("T-02,B,yes,2019-05-02,voluntary,,", "gold row 3, column stratum: B does not go with status 'yes'"),
        ("T-02,A,no,,,,", "gold row 3, column stratum: A does not go with status 'no'"),
        ("T-02,A,yes,,voluntary,,", "gold row 3, column announcement_date: empty, although the status is yes"),
        ("T-02,A,yes,2.5.2019,voluntary,,", "gold row 3, column announcement_date: '2.5.2019' is not a day"),
        ("T-02,B,no,2019-05-02,,,", "gold row 3, column announcement_date: '2019-05-02' is given, although the status is not yes"),
        ("T-02,A,yes,2019-05-02,delisted,,", "gold row 3, column reason: 'delisted' is not one of merger_acquisition"),
        ("T-02,A,yes,2019-05-02,voluntary,bought,", "gold row 3, column reason: 'bought' is not one of"),
        ("T-02,A,yes,2019-05-02,,,", "gold row 3, column reason: empty, although the status is yes"),
        (",B,no,,,,", "gold row 3, column case_id: empty"),
        ("T-01,B,no,,,,", "gold row 3, column case_id: 'T-01' is already the id of row 2"),
    ],
)
def test_a_wrong_cell_is_named_by_row_and_column(tmp_path: Path, row: str, told: str) -> None:
    """What is wrong with a cell of a gold file is said with its row, its column and its value."""
    with pytest.raises(InputError) as caught:
        read_gold(write(tmp_path / "gold.csv", GOOD, row))
    assert told in str(caught.value)


def test_many_faults_are_told_at_once(tmp_path: Path) -> None:
    """The first faults are told together, with how many there are."""
    rows = [f"T-{k},B,maybe,,,," for k in range(10, 30)]
    with pytest.raises(InputError, match=r"gold row 2.*gold row 9.*first 8 of 20 faults"):
        read_gold(write(tmp_path / "gold.csv", *rows))


@pytest.mark.parametrize(("head", "lacks"), [("case_id,stratum", "status"), ("status,stratum", "case_id")])
def test_a_missing_column_is_named(tmp_path: Path, head: str, lacks: str) -> None:
    """A file without rows' ids or answers is refused with the columns that it has."""
    with pytest.raises(InputError, match=rf"no column {lacks}; columns seen: .*stratum"):
        read_gold(write(tmp_path / "gold.csv", "a,b", head=head))


def test_strata_follow_from_answers_where_they_are_not_given(tmp_path: Path) -> None:
    """Without a column for it, yes is A, a later day makes B, the rest is C."""
    rows = ("1,yes,2019-05-02,voluntary,", "2,no,,,2021-03-01", "3,no,,,")
    gold = read_gold(write(tmp_path / "gold.csv", *rows, head="id,status,announcement_date,reason,later_date"))
    assert [(g.row_id, g.stratum) for g in gold.values()] == [("1", "A"), ("2", "B"), ("3", "C")]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("T-77,B,no,,,,", "gold row 3, column case_id: 'T-77' is no row of the universe"),
        ("T-02,A,yes,2021-01-01,voluntary,,", "gold row 3, column announcement_date: 2021-01-01 is after the cutoff 2020-12-31 of the row"),
    ],
)
def test_gold_that_does_not_fit_the_universe_is_refused(tmp_path: Path, row: str, told: str) -> None:
    """Unknown rows, and disclosures after the cutoff, are named by row and column."""
    path = write(tmp_path / "gold.csv", GOOD, row)
    with pytest.raises(InputError) as caught:
        check_gold(path, read_gold(path), [listing(0), listing(1)])
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "arms", "told"),
    [
        ((GOOD,), "rules", "1 rows of the universe have no gold row (first: row 3, 'T-02')"),
        ((GOOD, "T-02,B,perhaps,,,,"), "rules", "gold row 3, column status: 'perhaps'"),
        ((GOOD, "T-02,B,no,,,,"), "guess", "there is no arm 'guess'"),
        ((GOOD, "T-02,B,no,,,,"), "rules,rules", "'rules' and 'rules' cannot be told apart"),
        ((GOOD, "T-02,B,no,,,,"), "old=nowhere", "nowhere holds no records.jsonl"),
        ((GOOD, "T-02,B,no,,,,"), ",", "names no arm"),
        ((GOOD, "T-02,B,no,,,,"), "=x", "lacks a name or a folder"),
    ],
)
def test_nothing_is_written_before_the_input_is_right(tmp_path: Path, rows: tuple[str, ...], arms: str, told: str) -> None:
    """A benchmark that cannot be measured says why, and leaves no folder."""
    universe = write_universe(tmp_path / "universe.csv", [listing(0), listing(1)])
    gold = write(tmp_path / "gold.csv", *rows)
    pool = tmp_path / "pool.jsonl"
    pool.write_text('{"url": "https://a.example/1", "title": "t", "content_type": "text/plain", "body": "b"}\n', "utf-8")
    command = ["bench", str(universe), "--gold", str(gold), "--pool", str(pool), "--arms", arms, "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(cli, command)
    assert told in str(done.exception)
    assert not (tmp_path / "out").exists()
