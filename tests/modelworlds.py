"""Worlds for language models: gold cases of our own, hostile and late pages among them, and loopback models that read what they are shown."""

from __future__ import annotations

import asyncio
import csv
import datetime as dt
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from factories import settings, write_pool

from s2r.job import AuditFiles, AuditOutcome, ModelOptions, audit_files
from s2r.lang.dates import read_dates
from s2r.lang.text import fold, fold_text
from s2r.modelapi import Exchange, KeptModels, ModelRole
from s2r.models import Record, Route
from s2r.policy import load_policy
from s2r.testing import ModelWorld, Said
from s2r.testing.modelsaid import Heard

GOLD = Path(__file__).parent / "gold"
WORLDS = Path(__file__).parent / "worlds"
NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
_PASSAGE = re.compile(
    r'^<passage id="(p\w+)" document="(\d+)" kind="([^"]*)" published="([^"]*)" class="([^"]*)" key="(\w+)">\n(.*?)\n</passage key="\6">$',
    re.DOTALL | re.MULTILINE,
)
_SENTENCE = re.compile(r"[^\n]+?(?:(?<=[.!?])\s+|(?<=[。！？])|\n|$)")
_ADDRESS = re.compile(r"(?i)://|www|\b[a-z0-9-]+\.[a-z]{2,24}/")


class Shown(NamedTuple):
    """One passage as a model is shown it."""

    id: str
    kind: str
    published: str
    text: str

    @property
    def sentences(self) -> list[str]:
        """Pieces that may be quoted."""
        found = (match.group().strip() for match in _SENTENCE.finditer(self.text))
        return [text for text in found if 2 < len(text) <= 1000 and not _ADDRESS.search(text) and "[removed" not in text]


@dataclass(frozen=True)
class Case:
    """One row of a universe with its gold."""

    row: Mapping[str, str]
    gold: Mapping[str, str]

    @property
    def id(self) -> str:
        return self.row["case_id"]

    @property
    def cutoff(self) -> dt.date:
        return dt.date.fromisoformat(self.row["cutoff"])

    @property
    def reasons(self) -> set[str]:
        """Reasons that are right."""
        return {self.gold["reason"], self.gold.get("also_reason", "")} - {""}

    def is_right(self, record: Record) -> bool:
        """Whether a record has status, day and reason of the gold."""
        day = str(record.announcement_date or "")
        if record.status.value != self.gold["status"]:
            return False
        return self.gold["status"] == "no" or (day == self.gold["announcement_date"] and record.reason in self.reasons)


@dataclass
class World:
    """Cases and the pages of their pool."""

    cases: list[Case]
    docs: list[dict[str, Any]] = field(default_factory=list)

    def named(self, prompt: str) -> Case:
        """The case that a prompt asks about."""
        said = dict(re.findall(r"^(issuer|security|ticker|mic|isin|cutoff): (.*)$", prompt, re.MULTILINE))
        fits = [case for case in self.cases if all(" ".join(case.row[name].split()) == value for name, value in said.items())]
        assert len(fits) == 1, f"{len(fits)} cases fit {said}"
        return fits[0]

    def write(self, folder: Path) -> None:
        """Universe and pool in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "universe.csv").open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, list(self.cases[0].row))
            writer.writeheader()
            writer.writerows(dict(case.row) for case in self.cases)
        write_pool(folder / "pool.jsonl", self.docs)


def gold_world(*folders: str | Path, only: Callable[[Case], bool] = lambda case: True, most: int = 1000) -> World:
    """Cases of gold folders with all pages of these folders."""
    world = World([])
    for name in folders:
        root = name if isinstance(name, Path) else GOLD / name
        gold = {row["case_id"]: row for row in _rows(root / "gold.csv")}
        world.cases += [case for row in _rows(root / "universe.csv") if only(case := Case(row, gold[row["case_id"]]))]
        world.docs += [json.loads(line) for line in (root / "docs.jsonl").read_text("utf-8").splitlines()]
    world.cases = world.cases[:most]
    return world


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as fh:
        return list(csv.DictReader(fh))


def world_rows(name: str) -> list[dict[str, str]]:
    """The tables of a file of worlds/."""
    data = tomllib.loads((WORLDS / f"{name}.toml").read_text("utf-8"))
    rows: list[dict[str, str]] = next(iter(data.values()))
    return rows


def passages(prompt: str) -> list[Shown]:
    """The passages of a prompt."""
    return [Shown(m[0], m[2], m[3], m[6]) for m in _PASSAGE.findall(prompt)]


# --- what models say


def answer(
    status: str = "abstain", *, day: str = "", reason: str = "", kind: str = "", confidence: float = 0.9, why: str = "",
    evidence: Iterable[tuple[str, str, str]] = (),
) -> str:  # fmt: skip
    """JSON of the form; `evidence` are (field, passage, quote)."""
    yes = status == "yes"
    return json.dumps(
        {
            "evidence": [{"field": f, "passage": p, "quote": q} for f, p, q in evidence],
            "status": status,
            "announcement_date": day if yes and day else None,
            "date_precision": "day" if yes and day else "none",
            "reason": reason if yes else None,
            "disclosure_type": kind if yes else None,
            "confidence": confidence,
            "abstain_reason": why or ("nothing can be said" if status == "abstain" else ""),
        },
        ensure_ascii=False,
    )


def says_day(text: str, day: str, case: Case, published: str) -> bool:
    """Whether a sentence states a day."""
    context = dt.date.fromisoformat(published) if published else None
    return any(str(found.value) == day for found in read_dates(text, country=case.row["country"], anchor=context))


def told_gold(case: Case, shown: Sequence[Shown]) -> str:
    """The gold of a case with quotes from what was shown: what a perfect reader answers. Abstains when nothing was shown for a yes."""
    gold = case.gold
    if gold["status"] != "yes":
        return answer(gold["status"])
    return with_quotes(case, shown, gold["announcement_date"], gold["reason"], gold["disclosure_type"])


def with_quotes(case: Case, shown: Sequence[Shown], day: str, reason: str, kind: str) -> str:
    """A yes with the best quotes for a day that the passages have."""
    dated = [(p, s) for p in shown for s in p.sentences if says_day(s, day, case, p.published)]
    home = dated[0][0] if dated else next((p for p in shown if p.published == day), shown[0] if shown else None)
    if home is None:
        return answer("abstain", why="nothing was shown")
    about = sorted(home.sentences, key=lambda s: (-_weight(s, case), home.sentences.index(s)))
    status = about[0] if about else home.text.split("\n")[0][:900]
    told = next(((p.id, s) for p in (home, *shown) for s in p.sentences if states(s, reason)), (home.id, status))
    evidence = [("status", home.id, status), ("reason", *told), ("disclosure_type", home.id, status)]
    if dated:
        evidence.append(("announcement_date", dated[0][0].id, dated[0][1]))
    return answer("yes", day=day, reason=reason, kind=kind, evidence=evidence)


_EVENT = re.compile(
    r"(?i)delist|widerruf|radiation|exclusi|cancel|上場廃止|终止上市|除牌|상장폐지|withdraw|remov|avnoter|afnoter|uitnotering|wycof|hủy niêm|شطب|listing"
)


@cache
def _reasons() -> tuple[tuple[str, re.Pattern[str]], ...]:
    lexicons = load_policy("delisting", Path(__file__).parents[1] / "policies").lexicons.values()
    return tuple((name, re.compile(one.pattern)) for lexicon in lexicons for name, found in lexicon.reason.items() for one in found)


def states(sentence: str, reason: str) -> bool:
    """Whether a sentence holds words for a reason."""
    text = fold_text(sentence)
    return any(name == reason and pattern.search(text) for name, pattern in _reasons())


def _weight(sentence: str, case: Case) -> int:
    name = case.row["issuer"].split()[0]
    return 2 * bool(_EVENT.search(sentence)) + (name in sentence)


# --- running


MODELS = {
    ModelRole.ADJUDICATOR: "openai:gpt-5-mini", ModelRole.VERIFIER: "anthropic:claude-sonnet-5-5", ModelRole.ESCALATION: "gemini:gemini-3-flash-preview",
}  # fmt: skip
SERVICES = {ModelRole.ADJUDICATOR: "openai", ModelRole.VERIFIER: "anthropic", ModelRole.ESCALATION: "gemini"}
Speaker = Callable[[Heard], Said]


@dataclass
class Run:
    """One audit with loopback models, and all that it left behind."""

    outcome: AuditOutcome
    records: dict[str, Record]
    exchanges: list[Exchange]
    heard: list[Heard]

    @property
    def accepted(self) -> list[Record]:
        return [record for record in self.records.values() if record.route is Route.ACCEPT]

    @property
    def prompts(self) -> list[str]:
        """Every request as it was archived."""
        return [exchange.request for exchange in self.exchanges]


def audited(
    world: World, folder: Path, policies: Path, speaker: Speaker, *, roles: Sequence[ModelRole] = (ModelRole.ADJUDICATOR,), arm: str = "web",
    max_usd: float | None = None, **options: object,
) -> Run:  # fmt: skip
    """Audit a world with models that say what `speaker` says, each over the real format of its provider."""
    if not (folder / "pool.jsonl").is_file():
        world.write(folder)
    files = AuditFiles(folder / "universe.csv", folder / "pool.jsonl", folder / "out", cutoff=None, today=NOW.date())
    with ModelWorld() as models:
        for role in roles:
            models.speak(SERVICES[role], speaker)
        env = models.env(*(SERVICES[role] for role in roles))
        asked = ModelOptions({role: MODELS[role] for role in roles}, arm, max_usd=max_usd, env=env)
        job = audit_files(
            files, load_policy("delisting", policies), policies, settings(**options), clock=lambda: NOW, on_event=lambda event: None,
            on_total=lambda n: None, models=asked,
        )  # fmt: skip
        outcome = asyncio.run(job)
        heard = [one for role in roles for one in models.heard(SERVICES[role])]
    with KeptModels(folder / "out" / "archive", read_only=True) as kept:
        exchanges = list(kept.exchanges())
    return Run(outcome, {record.row_id: record for record in outcome.records()}, exchanges, heard)


def user_of(heard: Heard) -> str:
    """What was said as user, first."""
    return heard.turns[0][1]


def is_shown(needle: str, text: str) -> bool:
    """Whether words stand in a text, whatever their typography."""
    return fold(needle).text in fold(text).text
