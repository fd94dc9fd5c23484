"""The eight views of a benchmark: every figure is computed again here from the files alone, by other code."""

from __future__ import annotations

import csv
import datetime as dt
import json
import math
import re
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from s2r.cli import cli
from s2r.evaluate.harness.faults import inventory
from s2r.evaluate.harness.outcomes import Fault, Outcome

pytestmark = pytest.mark.slow

ROWS, SEED = 1200, 7
MINUTES, WAGE = 5.0, 48.0
Key = tuple[str, str, str, str, str]  # view, table, arm, group, measure
WRONG = {"no usable record", "abstained", "event missed", "later event projected back", "event that never was"}
DATES = {"no date", "date too early by more than 7 days", "date too late by more than 7 days"}
CLASSES = (
    "no usable record", "abstained", "event missed", "later event projected back", "event that never was", "no date",
    "date too early by more than 7 days", "date too late by more than 7 days", "wrong reason", "right within 7 days, not exact", "right",
)  # fmt: skip


@dataclass(frozen=True)
class Site:
    """A synthetic universe of 1,200 rows with two adjudicators, and the benchmark of it."""

    data: Path
    out: Path
    text: str

    def figures(self) -> dict[Key, dict[str, str]]:
        """Lines of bench.csv by where they stand."""
        with (self.out / "bench.csv").open(encoding="utf-8-sig", newline="") as fh:
            rows = list(csv.DictReader(fh))
        found = {(r["view"], r["table"], r["arm"], r["group"], r["measure"]): r for r in rows}
        assert len(found) == len(rows)
        return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Made and measured once."""
    base = tmp_path_factory.mktemp("bench")
    arms = ("--arm", "closed:m=published-closed", "--arm", "web:m=published")
    made = CliRunner().invoke(cli, ["synth", "--rows", str(ROWS), "--seed", str(SEED), "--no-pool", "--out", str(base / "data"), *arms])
    assert made.exit_code == 0, made.output
    data, out = base / "data", base / "out"
    read = ",".join(f"{name}={data / 'arms' / name.replace(':', '-')}" for name in ("closed:m", "web:m"))
    command = ["bench", str(data / "universe.csv"), "--gold", str(data / "gold.csv"), "--arms", read, "--out", str(out)]
    done = CliRunner().invoke(cli, [*command, "--review-minutes", str(MINUTES), "--review-usd", str(WAGE)])
    assert done.exit_code == 0, done.output
    return Site(data, out, done.stdout)


# ---- the same figures once more ----


@dataclass(frozen=True)
class Row:
    """A record beside its gold row, as the files have them."""

    stratum: str
    country: str
    truth: str
    said: str
    days: int | None
    reason: bool
    package: str
    accepted: bool
    confidence: float
    row_id: str
    cost: float
    seconds: float
    searches: int

    @property
    def near(self) -> bool:
        return self.stratum == "A" and self.said == "yes" and self.days is not None and -7 <= self.days <= 7

    @property
    def exact(self) -> bool:
        return self.near and self.days == 0

    @property
    def right(self) -> bool:
        return (self.near and self.reason) if self.stratum == "A" else self.said == self.truth

    @property
    def label(self) -> str:
        if self.said == "abstain":
            return "abstained"
        if self.stratum != "A":
            return "right" if self.said == "no" else "later event projected back" if self.stratum == "B" else "event that never was"
        if self.said == "no":
            return "event missed"
        if self.days is None:
            return "no date"
        if abs(self.days) > 7:
            return f"date too {'early' if self.days < 0 else 'late'} by more than 7 days"
        return "wrong reason" if not self.reason else "right" if self.days == 0 else "right within 7 days, not exact"


def rows_of(site: Site, arm: str) -> list[Row]:
    """All rows of an arm."""
    gold = {r["case_id"]: r for r in csv.DictReader((site.data / "gold.csv").open(encoding="utf-8"))}
    found = []
    for line in (site.data / "arms" / arm / "records.jsonl").read_text("utf-8").splitlines():
        r = json.loads(line)
        g = gold[r["row_id"]]
        days = None
        if r["announcement_date"] and g["announcement_date"]:
            days = (dt.date.fromisoformat(r["announcement_date"]) - dt.date.fromisoformat(g["announcement_date"])).days
        found.append(
            Row(
                g["stratum"], r["listing"]["country"], g["status"], r["status"], days, r["status"] == "yes" and r["reason"] == g["reason"],
                r["package"], r["route"] == "accept", r["confidence"], r["row_id"], r["cost_usd"], r["latency_s"], r["usage"]["searches"],
            )
        )  # fmt: skip
    assert len(found) == ROWS
    return found


def share(rows: list[Row], test: str) -> float | None:
    """Share of rows for which an expression over `r` holds."""
    code = compile(test, "test", "eval")
    return sum(bool(eval(code, {"r": r, "WRONG": WRONG, "DATES": DATES})) for r in rows) / len(rows) if rows else None


def macro_f1(rows: list[Row]) -> float:
    """By precision and recall of both classes."""
    scores = []
    for name in ("yes", "no"):
        hits = sum(r.truth == r.said == name for r in rows)
        precision, recall = hits / sum(r.said == name for r in rows), hits / sum(r.truth == name for r in rows)
        scores.append(2 * precision * recall / (precision + recall))
    return statistics.mean(scores)


def expected(site: Site) -> Iterator[tuple[Key, float | None]]:
    """Every figure of the report with its value."""
    arms = {"closed:m": rows_of(site, "closed-m"), "web:m": rows_of(site, "web-m")}
    for arm, rows in arms.items():
        yield from _decision(arm, rows)
        yield from _completion(arm, rows)
        yield from _faults(arm, rows)
        yield from _packages(arm, rows)
        yield from _selective(arm, rows)
        yield from _countries(arm, rows)
        yield from _costs(arm, rows)
    yield from _paired(arms["closed:m"], arms["web:m"])


def _decision(arm: str, rows: list[Row]) -> Iterator[tuple[Key, float | None]]:
    parts = {s: [r for r in rows if r.stratum == s] for s in "ABC"}
    values = {
        "accuracy": share(rows, "r.said == r.truth"),
        "macro-F1": macro_f1(rows),
        "A-precision": share([r for r in rows if r.said == "yes"], "r.stratum == 'A'"),
        "A-recall": share(parts["A"], "r.said == 'yes'"),
        "B-FEPR": share(parts["B"], "r.said == 'yes'"),
        "C-FPR": share(parts["C"], "r.said == 'yes'"),
        "abstain": share(rows, "r.said == 'abstain'"),
    }
    for name, value in values.items():
        yield ("decision", "decision", arm, "", name), value
    for stratum, some in parts.items():
        assert len(some) == 400
        tests = {"accuracy": "r.said == r.truth", "said yes": "r.said == 'yes'", "said no": "r.said == 'no'"}
        for name, test in (tests | {"abstained": "r.said == 'abstain'", "no record": "False"}).items():
            yield ("decision", "stratum", arm, stratum, name), share(some, test)


def _completion(arm: str, rows: list[Row]) -> Iterator[tuple[Key, float | None]]:
    a = [r for r in rows if r.stratum == "A"]
    tests = {"date exact": "r.exact", "date within 7": "r.near", "reason": "r.reason"}
    for name, test in (tests | {"A-joint exact": "r.exact and r.reason", "A-joint within 7": "r.near and r.reason"}).items():
        yield ("completion", "completion", arm, "", name), share(a, test)
    yield ("completion", "completion", arm, "", "overall joint"), share(rows, "r.right")
    values = {
        "cost per 1,000": 1000 * statistics.fmean(r.cost for r in rows),
        "median seconds": statistics.median(r.seconds for r in rows),
        "searches per record": statistics.fmean(r.searches for r in rows),
        "records": float(len(rows)),
        "no record": 0.0,
        "price unknown": 0.0,
    }
    for name, value in values.items():
        yield ("completion", "operations", arm, "", name), value


def _faults(arm: str, rows: list[Row]) -> Iterator[tuple[Key, float | None]]:
    strata = dict(zip(CLASSES[2:5], "ABC", strict=True)) | dict.fromkeys(CLASSES[5:10], "A")
    faults = [r for r in rows if r.label in CLASSES[:9]]
    assert sum(r.right for r in rows) == len(rows) - len(faults)
    for name in CLASSES:
        hits = sum(r.label == name for r in rows)
        own = sum(r.stratum == strata.get(name, r.stratum) for r in rows)
        yield ("faults", "inventory", arm, name, "of all records"), hits / len(rows)
        yield ("faults", "inventory", arm, name, "of its strata"), hits / own
        yield ("faults", "inventory", arm, name, "of all faults"), None if name.startswith("right") else hits / len(faults)
    for name, test in (("answer", "r.label in WRONG"), ("date", "r.label in DATES"), ("reason", "r.label == 'wrong reason'")):
        yield ("faults", "kinds", arm, "", name), share(faults, test)


def _packages(arm: str, rows: list[Row]) -> Iterator[tuple[Key, float | None]]:
    for said in ("yes", "no", "abstain"):
        some = [r for r in rows if r.said == said]
        if some or said != "abstain":
            for package in ("pass", "fail", "unverifiable"):
                yield ("packages", "packages", arm, said, package), share(some, f"r.package == {package!r}")
            yield ("packages", "packages", arm, said, "right when passed"), share([r for r in some if r.package == "pass"], "r.right")


def _selective(arm: str, rows: list[Row]) -> Iterator[tuple[Key, float | None]]:
    taken = [r for r in rows if r.accepted]
    yes = [r for r in taken if r.said == "yes"]
    values = {
        "accepted": len(taken) / len(rows),
        "accepted error": share(taken, "not r.right"),
        "error among no": share([r for r in taken if r.said != "yes"], "not r.right"),
        "error among yes": share(yes, "not r.right"),
        "yes accepted": share([r for r in rows if r.said == "yes"], "r.accepted"),
        "to review": 1 - len(taken) / len(rows),
    }
    for name, value in values.items():
        yield ("selective", "accepted", arm, "", name), value
    tests = {"wrong": "not r.right", "answer": "r.label in WRONG", "date": "r.label in DATES", "reason": "r.label == 'wrong reason'"}
    for name, test in tests.items():
        yield ("selective", "accepted-yes", arm, "", name), share(yes, test)
    ordered = sorted((r for r in rows if r.said != "abstain"), key=lambda r: (-r.confidence, r.row_id))
    for group, some, whole in (("all", ordered, len(rows)), ("yes", [r for r in ordered if r.said == "yes"], None)):
        for tenth in range(1, 11):
            size = round(tenth / 10 * (whole or len(some)))
            value = None if size > len(some) else share(some[:size], "not r.right")
            yield ("selective", "levels", arm, group, f"{10 * tenth}%"), value


def _countries(arm: str, rows: list[Row]) -> Iterator[tuple[Key, float | None]]:
    for country in {r.country for r in rows}:
        some = [r for r in rows if r.country == country]
        a, b, c = ([r for r in some if r.stratum == s] for s in "ABC")
        values = {
            "records": float(len(some)),
            "accuracy": share(some, "r.said == r.truth"),
            "A-recall": share(a, "r.said == 'yes'"),
            "B-FEPR": share(b, "r.said == 'yes'"),
            "C-FPR": share(c, "r.said == 'yes'"),
            "date within 7": share(a, "r.near"),
            "A-joint within 7": share(a, "r.near and r.reason"),
            "overall joint": share(some, "r.right"),
        }
        for name, value in values.items():
            yield ("countries", "countries", arm, country, name), value


def _costs(arm: str, rows: list[Row]) -> Iterator[tuple[Key, float | None]]:
    one = MINUTES / 60 * WAGE
    for plan, test in (("as routed", "not r.accepted"), ("every yes", "r.said != 'no'"), ("all records", "True")):
        code = compile(test, "plan", "eval")
        seen = [r for r in rows if eval(code, {"r": r})]
        fixed, wrong = sum(not r.right for r in seen), sum(not r.right for r in rows)
        total = sum(r.cost for r in rows) + len(seen) * one
        values = {
            "reviewed": len(seen) / len(rows),
            "corrected": fixed / len(seen),
            "wrong after review": (wrong - fixed) / len(rows),
            "machine": 1000 * sum(r.cost for r in rows) / len(rows),
            "review": 1000 * len(seen) * one / len(rows),
            "hours per 1,000": 1000 * len(seen) * MINUTES / 60 / len(rows),
            "cost per corrected": total / fixed,
            "cost per right record": total / (len(rows) - wrong + fixed),
        }
        for name, value in values.items():
            yield ("cost", "cost", arm, plan, name), value


def _paired(closed: list[Row], web: list[Row]) -> Iterator[tuple[Key, float | None]]:
    measures = {
        "accuracy": ("ABC", "r.said == r.truth"), "A-recall": ("A", "r.said == 'yes'"), "B-FEPR": ("B", "r.said == 'yes'"),
        "C-FPR": ("C", "r.said == 'yes'"), "date exact": ("A", "r.exact"), "date within 7": ("A", "r.near"), "reason": ("A", "r.reason"),
        "A-joint exact": ("A", "r.exact and r.reason"), "A-joint within 7": ("A", "r.near and r.reason"), "overall joint": ("ABC", "r.right"),
    }  # fmt: skip
    pair = "web:m minus closed:m"
    for name, (strata, test) in measures.items():
        both = [(share([x], test), share([y], test)) for x, y in zip(closed, web, strict=True) if x.stratum in strata]
        one, two = both.count((1.0, 0.0)), both.count((0.0, 1.0))
        first, second = sum(x or 0 for x, _ in both) / len(both), sum(y or 0 for _, y in both) / len(both)
        tail = sum(math.comb(one + two, k) for k in range(min(one, two) + 1)) / 2 ** (one + two)
        values = {"first": first, "second": second, "difference": second - first, "first only": one, "second only": two}
        for column, value in (values | {"McNemar p": min(1.0, 2 * tail)}).items():
            yield ("paired", "pair-1", pair, name, column), value
    for name, first, second in (
        ("macro-F1", macro_f1(closed), macro_f1(web)),
        ("cost per 1,000", 1000 * statistics.fmean(r.cost for r in closed), 1000 * statistics.fmean(r.cost for r in web)),
    ):
        values = {"first": first, "second": second, "difference": second - first}
        for column, value in (values | dict.fromkeys(("first only", "second only", "McNemar p"))).items():
            yield ("paired", "pair-1", pair, name, column), value


# ---- tests ----


@pytest.mark.slow
def test_every_figure_is_what_the_files_say(site: Site) -> None:
    """Each figure of the eight views, computed again from records and gold, is there with this value, and there is no other."""
    found, wanted = site.figures(), dict(expected(site))
    assert set(found) == set(wanted)
    assert {key[0] for key in found} == {"decision", "completion", "faults", "packages", "selective", "countries", "paired", "cost"}
    wrong = {}
    for key, value in wanted.items():
        text = found[key]["value"]
        if (value is None) != (text == "") or (value is not None and not math.isclose(float(text), value, rel_tol=1e-9, abs_tol=1e-12)):
            wrong[key] = (text, value)
    assert not wrong


def test_every_share_has_its_n_and_the_roots_of_its_score_equation(site: Site) -> None:
    """Each share stands with n, hits and both limits p for which (share - p)^2 n = z^2 p (1 - p)."""
    shares = [line for line in site.figures().values() if line["unit"] == "rate" and line["value"]]
    assert len(shares) > 300
    for line in shares:
        n, share_, z = int(line["n"]), float(line["value"]), 1.959964
        assert n > 0
        assert int(line["hits"]) == pytest.approx(share_ * n)
        for limit in (float(line["low"]), float(line["high"])):
            assert (share_ - limit) ** 2 * n == pytest.approx(z * z * limit * (1 - limit), abs=1e-9)
        assert float(line["low"]) <= share_ <= float(line["high"])


def test_every_other_figure_lies_in_its_interval(site: Site) -> None:
    """Money, medians, macro-F1 and differences have limits around them; counts and tests have none."""
    bare = set()
    for key, line in site.figures().items():
        if line["value"] and line["unit"] != "rate":
            if line["low"]:
                assert float(line["low"]) <= float(line["value"]) <= float(line["high"])
                assert line["method"]
            else:
                bare.add((key[1], key[4]))
    one_per_arm = {("operations", "records"), ("countries", "records"), ("operations", "searches per record")}
    assert bare == one_per_arm | {("pair-1", name) for name in ("first", "second", "first only", "second only", "McNemar p")}


@pytest.mark.parametrize(
    ("view", "table", "measure", "group", "published"),
    [
        ("decision", "decision", "accuracy", "", 0.973),
        ("completion", "completion", "date exact", "", 0.460),
        ("completion", "completion", "A-joint within 7", "", 0.452),
        ("faults", "kinds", "date", "", 0.60),
    ],
)
def test_published_profile_gives_the_published_figures(
    site: Site, view: str, table: str, measure: str, group: str, published: float
) -> None:
    """The adjudicator of the published profile is as good and as bad as published, within what its sample allows."""
    line = site.figures()[view, table, "web:m", group, measure]
    assert abs(float(line["value"]) - published) < 3 * math.sqrt(published * (1 - published) / int(line["n"]))


def test_text_shows_all_views_and_says_that_they_are_synthetic(site: Site) -> None:
    """The terminal shows the eight headings in their order, values with intervals, and that the answers were drawn."""
    heads = re.findall(r"^(\d)\. (.+)$", site.text, re.MULTILINE)
    assert [int(number) for number, _ in heads] == list(range(1, 9))
    assert site.text.startswith("SYNTHETIC")
    shown = float(site.figures()["decision", "decision", "web:m", "", "accuracy"]["value"])
    assert re.search(rf"^accuracy .*{100 * shown:.1f}% \[\d+\.\d, \d+\.\d\] n=1200", site.text, re.MULTILINE)


def test_page_is_closed_and_its_charts_stay_inside_their_frames(site: Site) -> None:
    """The HTML report runs nothing and loads nothing; each chart is well-formed and draws its marks and words inside its frame."""
    page = (site.out / "bench.html").read_text("utf-8")
    assert not re.search(r"<script|<img|<link|@import|url\(|https?://(?!www\.w3\.org)", page)
    assert "Content-Security-Policy" in page
    assert page.count("<section") == 8
    assert "Synthetic: answers of this report were drawn" in page
    charts = [ElementTree.fromstring(svg) for svg in re.findall(r'<svg class="chart".*?</svg>', page, re.DOTALL)]
    assert len(charts) == 9
    for chart in charts:
        _, _, width, height = map(float, chart.attrib["viewBox"].split())
        for node in chart.iter():
            for x in ("x", "x1", "x2", "cx"):
                assert -0.5 <= float(node.get(x, 0)) <= width + 0.5
            for y in ("y", "y1", "y2", "cy"):
                assert -0.5 <= float(node.get(y, 0)) <= height + 0.5


@pytest.mark.slow
def test_figures_on_stdout_are_those_of_the_file(site: Site, tmp_path: Path) -> None:
    """With --json each figure is one line, the same as in the CSV; a second look at the same run prints the same intervals."""
    command = ["bench", str(site.data / "universe.csv"), "--gold", str(site.data / "gold.csv"), "--out", str(tmp_path)]
    command += ["--arms", f"web:m={site.data / 'arms' / 'web-m'}", "--review-minutes", str(MINUTES), "--review-usd", str(WAGE), "--json"]
    lines: list[Mapping[str, object]] = [json.loads(line) for line in CliRunner().invoke(cli, command).stdout.splitlines()]
    found = {key: line for key, line in site.figures().items() if key[2] == "web:m"}
    assert len(lines) == len(found)
    for line in lines:
        key = (str(line["view"]), str(line["table"]), str(line["arm"]), str(line["group"]), str(line["measure"]))
        assert [found[key][name] for name in ("value", "low", "high")] == [
            "" if line[name] is None else repr(line[name]) for name in ("value", "low", "high")
        ]


def test_a_class_is_measured_on_the_strata_where_it_can_occur() -> None:
    """One later event projected back among four of B, one invented among two of C, one missed among three of A, whatever the mix."""
    said = [("A", "no")] + [("A", "yes")] * 2 + [("B", "yes")] + [("B", "no")] * 3 + [("C", "yes"), ("C", "no")]
    outcomes = [
        Outcome(str(k), stratum, "-", "yes" if stratum == "A" else "no", answer, 0, True, "pass", False, 0.5, 0.0, 1.0, 1)
        for k, (stratum, answer) in enumerate(said)
    ]
    found = inventory(outcomes)
    assert [found[fault][1].value for fault in (Fault.MISSED, Fault.PROJECTED, Fault.FALSE_EVENT)] == [1 / 3, 1 / 4, 1 / 2]
    assert [found[fault][0].n for fault in (Fault.MISSED, Fault.RIGHT)] == [9, 9]
