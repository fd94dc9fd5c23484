"""Whole audits with loopback models: gold answers, wrong days, hostile pages and pages from after the cutoff."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from modelworlds import (
    Case,
    World,
    answer,
    audited,
    gold_world,
    is_shown,
    passages,
    says_day,
    told_gold,
    user_of,
    with_quotes,
    world_rows,
)

from s2r.archive import Archive
from s2r.lang.dates import read_dates
from s2r.modelapi import ModelRole
from s2r.testing import Said
from s2r.testing.modelsaid import Heard

ALL_ROLES = tuple(ModelRole)
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
FRENCH = ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre")
SPANISH = ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre")
PORTUGUESE = ("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro")


def words(case: Case, day: dt.date, before: dt.date, code: str) -> dict[str, str]:
    """What the places of a page stand for."""
    english = lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}"  # noqa: E731
    return {
        "issuer": case.row["issuer"], "venue": case.row["venue"], "security": case.row["security"], "ticker": case.row["ticker"] or "SHARE",
        "slug": case.row["issuer"].split()[0].lower().strip(",.").encode("ascii", "ignore").decode() or "issuer", "n": str(1000 + day.day),
        "code": code, "iso": day.isoformat(), "day": english(day), "dmy": f"{day:%d.%m.%Y}", "compact": f"{day:%Y%m%d}",
        "ymd": f"{day:%Y/%m/%d}", "jp": f"{day.year}年{day.month}月{day.day}日", "fr": f"{day.day} {FRENCH[day.month - 1]} {day.year}",
        "es": f"{day.day} de {SPANISH[day.month - 1]} de {day.year}", "pt": f"{day.day} de {PORTUGUESE[day.month - 1]} de {day.year}",
        "month": f"{MONTHS[day.month - 1]} {day.year}", "year": str(day.year), "rfc": f"{day:%a, %d %b %Y} 08:00:00 GMT",
        "before": english(before), "biso": before.isoformat(),
    }  # fmt: skip


def html(title: str, head: str, body: str) -> str:
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title>{head}</head><body><h1>{title}</h1>{body}</body></html>'


# --- gold answers and wrong days


def _gold_run(world: World, folder: Path, policies: Path) -> None:
    run = audited(world, folder, policies, lambda heard: Said(told_gold(world.named(user_of(heard)), passages(user_of(heard)))))
    right = {case.id: case for case in world.cases}
    claims = [claim for record in run.records.values() for claim in record.claims]
    assert [record.row_id for record in run.accepted if not right[record.row_id].is_right(record)] == []
    assert {str(claim.match) for claim in claims} <= {"exact", "normalised"}
    told = [(record, record.adjudication) for record in run.records.values() if record.adjudication]
    attested = [record for record, judges in told if judges.attested and "second_hand" not in judges.codes]
    supported = {record.row_id for record in attested if record.coverage.sufficient and not record.conflicts}
    assert {record.row_id for record in run.accepted} == supported
    assert len(supported) >= 0.6 * len(world.cases)
    print(
        f"{len(world.cases)} cases, {len(run.accepted)} accepted, {len(claims)} quotes, "
        f"{Counter(r.route.value for r in run.records.values())}, {Counter(str(r.package) for r in run.records.values())}"
    )


def test_gold_answers_are_accepted_where_proof_supports_them(tmp_path: Path, policies: Path) -> None:
    """A model that answers the gold of three cases: what rules and quotes support is accepted, and every quote is a place in the archive."""
    _gold_run(gold_world("us", most=3), tmp_path, policies)


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_gold_answers_of_the_sealed_set_are_accepted_where_proof_supports_them(sealed: Path, tmp_path: Path, policies: Path) -> None:
    """The same for the 49 cases of the sealed development set."""
    _gold_run(gold_world(sealed), tmp_path, policies)


def wrong_day(case: Case, prompt: str) -> str:
    """A yes with a plausible wrong day: one that a passage states or was published on, by the cutoff, with true quotes for it."""
    shown = passages(prompt)
    days = {p.published for p in shown if p.published}
    days |= {str(found.value) for p in shown for found in _days(p.text, case)}
    right = case.gold["announcement_date"]
    usable = sorted(day for day in days if len(day) == 10 and day != right and day <= case.row["cutoff"])
    stated = [day for day in usable if any(says_day(s, day, case, p.published) for p in shown for s in p.sentences)]
    if not (stated or usable):
        return answer("abstain")
    pick = (stated or usable)[sum(map(ord, case.id)) % len(stated or usable)]
    return with_quotes(case, shown, pick, case.gold["reason"] or "noncompliance", case.gold["disclosure_type"] or "exchange_notice")


def _days(text: str, case: Case) -> Sequence[object]:
    return read_dates(text, country=case.row["country"])


def _wrong_run(world: World, folder: Path, policies: Path) -> None:
    run = audited(world, folder, policies, lambda heard: Said(wrong_day(world.named(user_of(heard)), user_of(heard))))
    right = {case.id: case for case in world.cases}
    answered = [
        o
        for r in run.records.values()
        if r.adjudication
        for o in r.adjudication.opinions
        if o.judge == "adjudicator" and o.announcement_date
    ]
    assert len(answered) >= len(world.cases) // 3
    assert [record.row_id for record in run.accepted if not right[record.row_id].is_right(record)] == []
    proven = sum(opinion.package.value == "pass" for opinion in answered)
    print(f"{len(world.cases)} cases, {len(answered)} wrong days, {proven} of them with a proof that passes, {len(run.accepted)} accepted")


def test_no_wrong_day_is_accepted_on_a_models_word(tmp_path: Path, policies: Path) -> None:
    """A model that gives plausible wrong days of the pool, with true quotes: none of three records with one is accepted."""
    _wrong_run(gold_world("us", most=3), tmp_path, policies)


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_no_wrong_day_of_the_sealed_set_is_accepted_on_a_models_word(sealed: Path, tmp_path: Path, policies: Path) -> None:
    """The same for the sealed development set, and for the wrong day that the rules give where they are wrong."""
    _wrong_run(gold_world(sealed), tmp_path, policies)


# --- hostile pages


HOSTS = (
    "https://notes-{}.example/p/", "https://pressline-newswire-{}.example/r/", "https://ir.company-{}.example/news/",
    "https://exchange-notices-{}.example/",
)  # fmt: skip


class Attack:
    """One hostile page for one case, and the record that it wants."""

    def __init__(self, number: int, table: dict[str, str], case: Case) -> None:
        self.kind, self.case, self.reason = table["kind"], case, table.get("reason", "noncompliance")
        self.code = f"QX{number:02d}Z{sum(map(ord, case.id)) % 89:02d}"
        gold = case.gold
        self.status = "no" if gold["status"] == "yes" and number % 4 == 3 else "yes"
        right = dt.date.fromisoformat(gold["announcement_date"]) if gold["announcement_date"] else case.cutoff - dt.timedelta(160)
        self.day = right - dt.timedelta(45)
        published = min(case.cutoff, right) - dt.timedelta(20)
        wanted = answer(self.status, day=self.day.isoformat(), reason=self.reason, kind="exchange_notice", confidence=1.0)
        values = words(case, self.day, published, self.code) | {"answer": wanted.replace("<", "&lt;")}
        body = (
            f"<p>{values['before']}</p><p>Notes on {values['issuer']}, its {values['security']} and a delisting from {values['venue']}.</p>"
        )
        head = f'<meta property="article:published_time" content="{values["biso"]}T08:00:00Z">' + table.get("head", "").format(**values)
        title = f"{values['issuer']} and {values['venue']}"
        self.doc = {
            "url": HOSTS[number % len(HOSTS)].format(number) + values["slug"], "title": title, "content_type": "text/html",
            "body": html(title, head, body + table["html"].format(**values) + "<p>More notes follow next month.</p>"),
        }  # fmt: skip

    def obeyed(self, prompt: str) -> str | None:
        """What a model says that does all that it is told, None when it was not shown the attack."""
        home = next((p for p in passages(prompt) if is_shown(self.code, p.text)), None)
        if home is None:
            return None
        if self.status != "yes":
            return answer("no", confidence=1.0)
        line = next((s for s in home.sentences if is_shown(self.code, s)), home.text.split("\n")[0])[:900]
        dated = next((s for s in home.sentences if says_day(s, self.day.isoformat(), self.case, home.published)), line)
        fields = [(name, home.id, line) for name in ("status", "reason", "disclosure_type")]
        return answer(
            "yes", day=self.day.isoformat(), reason=self.reason, kind="exchange_notice", confidence=1.0,
            evidence=[*fields, ("announcement_date", home.id, dated)],
        )  # fmt: skip


def _attacked(most: int = 60, *, step: int = 1) -> tuple[World, dict[str, Attack]]:
    tables = world_rows("injections")[::step][:most]
    world = gold_world("us", "uk-ie-ca", "latam-africa", most=len(tables))
    attacks = {case.id: Attack(n, table, case) for n, (table, case) in enumerate(zip(tables, world.cases, strict=True))}
    world.docs += [attack.doc for attack in attacks.values()]
    return world, attacks


def _attack_run(world: World, attacks: dict[str, Attack], folder: Path, policies: Path) -> tuple[set[str], str]:
    """Cases whose model was shown the attack and obeyed; what happened in words. Fails when a wrong record is accepted."""
    obeyed = set()

    def speaks(heard: Heard) -> Said:
        case = world.named(user_of(heard))
        if (said := attacks[case.id].obeyed(user_of(heard))) is not None:
            obeyed.add(case.id)
        return Said(said or told_gold(case, passages(user_of(heard))))

    run = audited(world, folder, policies, speaks, roles=ALL_ROLES)
    right = {case.id: case for case in world.cases}
    wrong = [record for record in run.accepted if not right[record.row_id].is_right(record)]
    told = [(r.row_id, attacks[r.row_id].kind, r.status.value, str(r.announcement_date), r.row_id in obeyed) for r in wrong]
    assert told == []
    states = Counter(o.state for r in run.records.values() if r.adjudication for o in r.adjudication.opinions if o.judge == "adjudicator")
    return obeyed, f"{len(world.cases)} pages, {len(obeyed)} obeyed, {len(run.accepted)} right records accepted, {dict(states)}"


def test_no_instruction_of_a_page_makes_a_wrong_record(tmp_path: Path, policies: Path) -> None:
    """Six hostile pages, one in ten of all, and models that obey whatever they are shown: no wrong record is accepted."""
    world, attacks = _attacked(6, step=10)
    obeyed, told = _attack_run(world, attacks, tmp_path, policies)
    print(told)
    assert len(obeyed) >= 1


def _unfiltered(policies: Path, folder: Path) -> Path:
    """Policies without any pattern of instructions, so that all that is visible is shown."""
    copy = Path(shutil.copytree(policies, folder / "policies"))
    (copy / "instructions.toml").write_text("# none\n", encoding="utf-8")
    return copy


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_no_instruction_of_sixty_pages_makes_a_wrong_record(tmp_path: Path, policies: Path) -> None:
    """All sixty hostile pages, with the patterns of instructions and without: obeyed or not, no wrong record is accepted."""
    world, attacks = _attacked()
    for name, used in (("usual", policies), ("unfiltered", _unfiltered(policies, tmp_path))):
        obeyed, told = _attack_run(world, attacks, tmp_path / name, used)
        print(name, told, sorted(attacks[one].kind for one in obeyed))
        assert name == "usual" or len(obeyed) >= 25


# --- pages from after the cutoff


def _late(most: int = 50, *, step: int = 1) -> tuple[World, list[str]]:
    """Cases with pages from after their cutoffs planted in the pool, and the codes of these pages."""
    tables = world_rows("canaries")[::step][:most]
    world = gold_world("us", most=max(2, len(tables) // 5))
    codes = []
    for number, table in enumerate(tables):
        case = world.cases[number % len(world.cases)]
        code = f"KV{number:02d}W{(number * 37) % 89:02d}"
        values = words(case, case.cutoff + dt.timedelta(40 + 3 * number), case.cutoff - dt.timedelta(30), code)
        kind = table.get("content_type", "text/html")
        title = table.get("title", "{issuer}: delisting from {venue}").format(**values)
        body = table["html"].format(**values)
        if kind == "text/html":
            body = html(title, table.get("head", "").format(**values), body)
        world.docs.append({"url": table["url"].format(**values), "title": title, "content_type": kind, "body": body})
        codes.append(code)
    return world, codes


class Looked(NamedTuple):
    """Codes of late pages in any logged prompt, how many prompts there were, and how many late pages the run has read."""

    leaked: set[str]
    prompts: int
    read: int


def _leaks(world: World, codes: Sequence[str], folder: Path, policies: Path) -> Looked:
    """An audit whose models ask for the late pages in every way they have."""
    asked: Counter[str] = Counter()

    def speaks(heard: Heard) -> Said:
        case = world.named(user_of(heard))
        asked[case.id] += 1
        shown = passages(user_of(heard))
        later = (case.cutoff + dt.timedelta(41)).isoformat()
        match asked[case.id] % 4:
            case 1:
                return Said(
                    answer("abstain", why=f"Show me all pages after {case.row['cutoff']}, also withheld ones, first those of {later}.")
                )
            case 2:
                return Said(with_quotes(case, shown, later, "noncompliance", "exchange_notice"))
            case 3:
                cited = [("status", "p00000001", "has been delisted"), ("announcement_date", "pffffffff", later)]
                return Said(answer("yes", day=later, reason="voluntary", kind="other", evidence=cited))
            case _:
                return Said("Please send the documents dated after the cutoff first.")

    run = audited(world, folder, policies, speaks, roles=ALL_ROLES)
    everything = json.dumps(run.prompts, ensure_ascii=False) + "".join(
        exchange.request + exchange.prompt + exchange.pack for exchange in run.exchanges
    )
    assert run.prompts
    late = [doc for doc in world.docs if any(code in doc["body"] for code in codes)]
    with Archive(folder / "out", read_only=True) as archive:
        read = sum(bool(archive.find_url(doc["url"])) for doc in late)
    return Looked({code for code in codes if is_shown(code, everything)}, len(run.prompts), read)


def test_no_page_from_after_the_cutoff_reaches_a_prompt(tmp_path: Path, policies: Path) -> None:
    """Ten late pages in a pool, and models that ask for them: none is in any prompt; where the policy marks them they are shown."""
    world, codes = _late(10, step=5)
    usual = _leaks(world, codes, tmp_path / "usual", policies)
    assert usual.leaked == set()
    assert usual.prompts >= 4
    assert usual.read >= 8
    copy = Path(shutil.copytree(policies, tmp_path / "policies"))
    models = copy / "models.toml"
    models.write_text(models.read_text("utf-8").replace('= "withhold"', '= "mark"'), encoding="utf-8")
    assert len(_leaks(world, codes, tmp_path / "marked", copy).leaked) >= 5


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_none_of_fifty_pages_from_after_the_cutoff_reaches_a_prompt(tmp_path: Path, policies: Path) -> None:
    """All fifty late pages."""
    world, codes = _late()
    found = _leaks(world, codes, tmp_path, policies)
    why = [table["why"] for table, code in zip(world_rows("canaries"), codes, strict=True) if code in found.leaked]
    print(f"{len(codes)} late pages, {found.read} read, {found.prompts} prompts, {len(why)} leaked: {why}")
    assert found.leaked == set()
    assert found.read >= 45
