"""Synthetic universes and adjudicators: the same every time, of the shares that were asked for, and named synthetic everywhere."""

from __future__ import annotations

import csv
import datetime as dt
import json
import math
from collections import Counter
from importlib import resources
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from s2r.cli import cli
from s2r.errors import ConfigError
from s2r.evaluate.gold import Gold, check_gold, read_gold
from s2r.evaluate.harness.outcomes import Fault, score_arm
from s2r.models import Route, Status
from s2r.policy import Policy
from s2r.synth.adjudicator import Answer, Drift, Profile, answer, load_profiles
from s2r.synth.cases import Case, UniverseSpec, cases, documents, make_case, stratum_of
from s2r.synth.markets import markets
from s2r.synth.names import SPACE, coin, japanese_ticker, ticker
from s2r.synth.write import SynthArm
from s2r.universe import read_universe

PROFILES = load_profiles()


def run(folder: Path, *arguments: str) -> Path:
    """`s2r synth` into a folder."""
    done = CliRunner().invoke(cli, ["synth", "--out", str(folder), *arguments])
    assert done.exit_code == 0, done.output
    return folder


# ---- universe ----


def test_same_seed_gives_the_same_files_and_another_seed_others(tmp_path: Path) -> None:
    """All files of a universe are equal byte by byte for one seed, and differ for the next."""
    arms = ("--rows", "40", "--arm", "web=published")
    one, two, other = (run(tmp_path / name, *arms, "--seed", seed) for name, seed in (("a", "5"), ("b", "5"), ("c", "6")))
    files = sorted(p.relative_to(one) for p in one.rglob("*") if p.is_file())
    assert [str(f) for f in files] == [
        "arms/web/records.jsonl", "arms/web/run.json", "arms/web/truth.jsonl", "docs.jsonl", "docs_gold.jsonl", "gold.csv", "synthetic.json",
        "universe.csv",
    ]  # fmt: skip
    assert all((one / f).read_bytes() == (two / f).read_bytes() for f in files)
    assert not any((one / f).read_bytes() == (other / f).read_bytes() for f in files)


def test_a_row_does_not_depend_on_how_many_there_are() -> None:
    """The first rows of a million are those of ten, and come without the others being made."""
    few = list(cases(UniverseSpec(10, seed=3)))
    assert list(islice(cases(UniverseSpec(1_000_000, seed=3)), 10)) == few


@pytest.mark.parametrize(
    ("mix", "rows", "counts"),
    [
        ((1, 1, 1), 1200, (400, 400, 400)),
        ((400, 400, 400), 1200, (400, 400, 400)),
        ((1, 49, 50), 5000, (50, 2450, 2500)),
        ((1, 0, 0), 7, (7, 0, 0)),
    ],
)
def test_strata_have_the_shares_that_were_asked_for(mix: tuple[int, int, int], rows: int, counts: tuple[int, int, int]) -> None:
    """Whole periods hold each stratum in its share, and every stratum stands in both halves."""
    found = [stratum_of(mix, number) for number in range(rows)]
    assert tuple(found.count(name) for name in "ABC") == counts
    for name, n in zip("ABC", counts, strict=True):
        assert abs(found[: rows // 2].count(name) - n / 2) <= 1


def test_names_are_unique_and_hardly_alike() -> None:
    """Coined words of 20,000 rows are all different, and few differ in one letter only."""
    names = [coin(number, seed=1) for number in range(20_000)]
    assert len(set(names)) == len(names)
    masked = Counter(name[:k] + "_" + name[k + 1 :] for name in names for k in range(len(name)))
    assert sum(n - 1 for n in masked.values()) < 40
    with pytest.raises(ValueError, match="names end"):
        coin(SPACE, seed=1)


def test_no_two_securities_share_a_ticker() -> None:
    """Codes of 100,000 rows are all different; those of the first 2,500 have four letters, and those of Japan four figures as long as
    there are any."""
    codes = [ticker(number, seed=1) for number in range(100_000)]
    assert len(set(codes)) == len(codes)
    assert {len(code) for code in codes[:2_500]} == {4}
    assert codes[2_500] == f"{codes[0]}A"
    assert codes[27 * 2_500] == f"{codes[0]}AA"
    japanese = [japanese_ticker(number) for number in range(30_000)]
    assert len(set(japanese)) == len(japanese)
    assert (japanese[0], japanese[8_999], japanese[9_000]) == ("1000", "9999", "1000A")


def test_gold_and_pages_agree_with_the_strata() -> None:
    """A is disclosed by the cutoff, B after it, C never; the one qualifying page has that day, and no page stands twice."""
    spec = UniverseSpec(300, seed=2)
    for case in cases(spec):
        pages = list(documents(spec, case))
        days = [page.published for page in pages if page.qualifying]
        assert days == ([case.event] if case.event else [])
        assert pages
        assert len({page.url for page in pages}) == len(pages)
        if case.event:
            assert (case.event <= spec.cutoff) == (case.stratum == "A")


def test_universe_and_gold_are_read_as_any_other(policy: Policy, tmp_path: Path) -> None:
    """The files have no defect: every row is a listing, and gold speaks of just these."""
    folder = run(tmp_path / "u", "--rows", "200", "--cutoff", "2021-06-30", "--no-pool")
    found = read_universe(folder / "universe.csv", venues={m.mic: policy.venues[m.mic] for m in markets()})
    assert not found.issues
    gold = read_gold(folder / "gold.csv")
    check_gold(folder / "gold.csv", gold, found.listings)
    assert set(gold) == {x.row_id for x in found.listings}
    assert {x.cutoff for x in found.listings} == {dt.date(2021, 6, 30)}
    assert not (folder / "docs.jsonl").exists()


def test_everything_says_that_it_is_synthetic(tmp_path: Path) -> None:
    """Row ids, pages and their hosts, records, manifests and truths name what they are."""
    folder = run(tmp_path / "u", "--rows", "30", "--arm", "web=published", "--json")
    rows = list(csv.DictReader((folder / "universe.csv").open(encoding="utf-8")))
    assert all(row["case_id"].startswith("SYN-") for row in rows)
    for line in map(json.loads, (folder / "docs.jsonl").read_text("utf-8").splitlines()):
        assert line["url"].split("/")[2].endswith(".synthetic.example")
        assert "Synthetic page made by s2r synth" in line["body"]
    for line in map(json.loads, (folder / "arms/web/records.jsonl").read_text("utf-8").splitlines()):
        assert line["adjudicator"] == "synthetic:published"
        assert line["model"] == "synthetic/published"
        assert "ynthetic" in line["steps"][0]
    for name in ("synthetic.json", "arms/web/run.json"):
        assert json.loads((folder / name).read_text("utf-8"))["synthetic"] is True
    for name in ("docs_gold.jsonl", "arms/web/truth.jsonl"):
        assert all(json.loads(line)["synthetic"] for line in (folder / name).read_text("utf-8").splitlines())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--rows", "0"), "--rows: 0 is no number of rows"),
        (("--rows", "5", "--mix", "1:2"), "--mix: '1:2' is no mix"),
        (("--rows", "5", "--mix", "0:0:0"), "--mix: strata need shares"),
        (("--rows", "5", "--markets", "XNAS,XXXX"), "--markets: there is no market 'XXXX'. Choose from XNAS"),
        (("--rows", "5", "--arm", "web"), "--arm: 'web' is no arm"),
        (("--rows", "5", "--arm", "web=best"), "there is no profile 'best'. Choose from published"),
        (("--rows", "5", "--arm", "web=published@x:2"), "--arm: 'web=published@x:2' is no arm"),
        (("--rows", "5", "--arm", "web=published", "--arm", "web=flawless"), "two arms have the same name"),
    ],
)
def test_what_cannot_be_made_is_refused(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    """A wrong option is named with what to write, and nothing is written."""
    done = CliRunner().invoke(cli, ["synth", "--out", str(tmp_path / "u"), *arguments])
    assert told in str(done.exception)
    assert not (tmp_path / "u").exists()


# ---- adjudicators ----


def drawn(profile: Profile, rows: int, factor: float = 1.0) -> list[Answer]:
    """Answers of a profile over a universe."""
    spec = UniverseSpec(rows, seed=11)
    return [answer(case, "p", profile, seed=11, policy="p", factor=factor) for case in cases(spec)]


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.slow
def test_faults_have_the_shares_of_the_profile(name: str) -> None:
    """Each class of fault is as frequent as its profile says, within what chance allows, and so is the true risk on average."""
    profile, spec = PROFILES[name], UniverseSpec(3000, seed=4)
    every = list(cases(spec))
    made = [answer(case, name, profile, seed=4, policy="p") for case in every]
    gold = {g.row_id: g for g in map(_gold, every)}
    outcomes = score_arm(name, (m.record for m in made), gold, [case.listing for case in every]).outcomes
    for stratum in "ABC":
        some = [o for o in outcomes if o.stratum == stratum]
        wanted = _shares(profile, stratum)
        for fault in Fault:
            if fault in wanted:
                share, n = sum(o.fault is fault for o in some) / len(some), len(some)
                assert abs(share - wanted[fault]) <= 4 * math.sqrt(wanted[fault] * (1 - wanted[fault]) / n) + 1e-9, (stratum, fault)
        risks = [m.risk for m, case in zip(made, every, strict=True) if case.stratum == stratum]
        assert sum(risks) / len(risks) == pytest.approx(profile.wrong(stratum), abs=0.03)


def _gold(case: Case) -> Gold:
    known = case.stratum == "A"
    return Gold(
        row_id=case.listing.row_id,
        stratum=case.stratum,
        status=case.truth,
        announcement_date=case.event if known else None,
        reasons=(case.reason,) if known else (),
    )


def _shares(profile: Profile, stratum: str) -> dict[Fault, float]:
    if stratum == "A":
        return {
            Fault.ABSTAINED: profile.abstain,
            Fault.MISSED: profile.miss,
            Fault.NO_DATE: profile.no_date,
            Fault.EARLY: profile.far * profile.early,
            Fault.LATE: profile.far * (1 - profile.early),
            Fault.REASON: profile.reason,
        }
    yes = Fault.PROJECTED if stratum == "B" else Fault.FALSE_EVENT
    return {Fault.ABSTAINED: profile.abstain, yes: profile.project if stratum == "B" else profile.invent}


@pytest.mark.slow
def test_confidence_falls_with_the_true_risk() -> None:
    """Records of low confidence are wrong more often than those of high confidence, so there is something to calibrate."""
    spec, profile = UniverseSpec(3000, seed=8, mix=(1, 0, 0)), PROFILES["three-in-ten"]
    made = sorted((answer(case, "p", profile, seed=8, policy="p") for case in cases(spec)), key=lambda m: m.record.confidence)
    low, high = made[:1000], made[-1000:]
    assert sum(m.risk for m in low) > 2 * sum(m.risk for m in high)


def test_only_confident_answers_are_routed_past_the_reviewer() -> None:
    """The route follows the thresholds of the profile, by answer; an abstention is never accepted."""
    profile = PROFILES["published-closed"]
    for number in range(600):
        record = answer(make_case(UniverseSpec(600), number), "p", profile, seed=1, policy="p").record
        bound = {Status.YES: profile.accept_yes, Status.NO: profile.accept_no, Status.ABSTAIN: 2.0}[record.status]
        assert (record.route is Route.ACCEPT) == (record.confidence >= bound)


@pytest.mark.slow
def test_drift_begins_where_it_is_said_to() -> None:
    """Before its start a drifting arm is as its profile, after it errors are more frequent and confidence is not lower."""
    arm = SynthArm("web", "one-in-ten", PROFILES["one-in-ten"], Drift(0.5, 3.0))
    assert [arm.factor(number, 100) for number in (0, 49, 50, 99)] == [1.0, 1.0, 3.0, 3.0]
    calm, drifted = (drawn(arm.profile, 1500, factor) for factor in (1.0, 3.0))
    risk = [sum(m.risk for m in made) for made in (calm, drifted)]
    assert risk[1] == pytest.approx(3 * risk[0], rel=0.02)
    stated = [sum(m.record.confidence for m in made) / 1500 for made in (calm, drifted)]
    assert stated[1] == pytest.approx(stated[0], abs=0.005)


@pytest.mark.slow
def test_arms_of_one_universe_err_together_more_often_than_by_chance() -> None:
    """The difficulty of a row is shared by its arms: both are wrong more often than independent ones would be."""
    spec, profile = UniverseSpec(4000, seed=6, mix=(1, 0, 0)), PROFILES["three-in-ten"]
    pairs = [tuple(answer(case, "p", profile, seed=6, policy="p", arm=arm).risk for arm in ("a", "b")) for case in cases(spec)]
    assert all(one == two for one, two in pairs)
    both = sum(one * two for one, two in pairs) / len(pairs)
    assert both > 1.15 * (sum(one for one, _ in pairs) / len(pairs)) ** 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("miss = 0.05", "miss = 1.5"), "published.miss: Input should be less than or equal to 1"),
        (("miss = 0.05", "miss = 0.9"), "more than 1 together"),
        (("miss = 0.05", "mis = 0.05"), "published.miss: Field required"),
        (("[published]", "[published"), "cannot be read"),
    ],
)
def test_wrong_profiles_name_profile_and_key(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    """A profile file of one's own is checked as a whole."""
    text = resources.files("s2r.synth").joinpath("profiles.toml").read_text("utf-8")
    path = tmp_path / "profiles.toml"
    path.write_text(text.replace(*change, 1), "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_profiles(path)
    assert told in str(caught.value)
