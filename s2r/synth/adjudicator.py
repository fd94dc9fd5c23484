"""Synthetic adjudicators: records with faults of known shares, and the true probability that each of them is wrong."""

from __future__ import annotations

import datetime as dt
import hashlib
import math
import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from pydantic import Field, ValidationError, model_validator

from s2r.errors import ConfigError
from s2r.models import Check, Claim, Coverage, Match, Package, Record, Route, Status, Usage
from s2r.models.listing import Frozen
from s2r.policy.types import REASONS
from s2r.synth.cases import HOST, Case

Share = Field(ge=0, le=1)
ROUTED = "Synthetic: the confidence is above the profile's threshold."
HELD = "Synthetic: the confidence is below the profile's threshold, or there is no answer."
MADE = "Synthetic record made by s2r synth; no adjudicator has seen a page."


class Profile(Frozen):
    """Error shares of a synthetic adjudicator; what they mean stands in profiles.toml."""

    title: str
    abstain: float = Share
    miss: float = Share
    no_date: float = Share
    far: float = Share
    reason: float = Share
    near: float = Share
    early: float = Share
    project: float = Share
    invent: float = Share
    hard: float = Share
    confidence: float = Share
    spread: float = Share
    noise: float = Share
    accept_no: float = Share
    accept_yes: float = Share
    passed_yes: float = Share
    failed_yes: float = Share
    passed_no: float = Share
    failed_no: float = Share
    usd: float = Field(ge=0)
    seconds: float = Field(ge=0)
    searches: int = Field(ge=0)

    @model_validator(mode="after")
    def _fits(self) -> Profile:
        if self.wrong("A") > 1:
            raise ValueError("abstain, miss, no_date, far and reason are more than 1 together")
        return self

    def faults(self, stratum: str) -> dict[str, float]:
        """Shares of the faults of a stratum; what is left is right."""
        if stratum == "A":
            return {"abstain": self.abstain, "miss": self.miss, "no_date": self.no_date, "far": self.far, "reason": self.reason}
        return {"abstain": self.abstain, "yes": self.project if stratum == "B" else self.invent}

    def wrong(self, stratum: str) -> float:
        """Share of the records of a stratum that are wrong as a whole."""
        return sum(self.faults(stratum).values())


@dataclass(frozen=True, slots=True)
class Drift:
    """From this share of the rows on, all faults are `factor` times as frequent, while confidence stays as it was."""

    start: float
    factor: float


@dataclass(frozen=True, slots=True)
class Answer:
    """A record and what is true of it: its difficulty (-1 easy to 1 hard) and the probability with which it was drawn wrong."""

    record: Record
    difficulty: float
    risk: float


def load_profiles(path: Path | None = None) -> dict[str, Profile]:
    """Profiles of the package, or of a file of the same form; raises ConfigError naming profile and key."""
    text = path.read_text("utf-8") if path else resources.files("s2r.synth").joinpath("profiles.toml").read_text("utf-8")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise ConfigError(f"cannot be read: {exc}", subject=str(path)) from exc
    found = {}
    for name, table in data.items():
        try:
            found[name] = Profile.model_validate(table)
        except ValidationError as exc:
            first = exc.errors()[0]
            where = ".".join([name, *map(str, first["loc"])])
            raise ConfigError(
                f"{where}: {first['msg']}", subject=str(path or "profiles.toml"), advice="See s2r/synth/profiles.toml."
            ) from exc
    return found


def answer(case: Case, name: str, profile: Profile, *, seed: int, policy: str, arm: str = "", factor: float = 1.0) -> Answer:
    """The record of one case. Arms share the difficulty of a case and nothing else, so their faults go together, but not always."""
    hardness = random.Random(f"s2r synth {seed} difficulty {case.number}").uniform(-1.0, 1.0)  # noqa: S311
    rng = random.Random(f"s2r synth {seed} {name} {arm} {case.number}")  # noqa: S311
    shares = _shares(profile, case.stratum, hardness, factor)
    fault = rng.choices([*shares, "right"], [*shares.values(), max(0.0, 1.0 - sum(shares.values()))])[0]
    said, day, reason = _said(case, fault, profile, rng)
    stated = profile.confidence - profile.spread * hardness + rng.gauss(0.0, profile.noise)
    confidence = 0.0 if said is Status.ABSTAIN else round(min(0.99, max(0.01, stated)), 4)
    package = _package(profile, said, rng)
    accepted = said is not Status.ABSTAIN and confidence >= (profile.accept_yes if said is Status.YES else profile.accept_no)
    pages = rng.randint(1, 8) if profile.searches else 0
    record = Record(
        row_id=case.listing.row_id,
        listing=case.listing,
        event_type="delisting",
        cutoff=case.listing.cutoff,
        status=said,
        announcement_date=day,
        reason=reason,
        disclosure_type=(case.disclosure_type or "other") if said is Status.YES else None,
        confidence=confidence,
        route=Route.ACCEPT if accepted else Route.REVIEW,
        route_reasons=(ROUTED if accepted else HELD,),
        package=package,
        claims=_claims(case, said, day, reason, package) if profile.searches else (),
        checks=(Check(name="synthetic", field="status", outcome=package.value, sentence="Synthetic outcome."),),
        coverage=Coverage(
            queries=("synthetic",) * profile.searches,
            providers={"synthetic": "answered"} if profile.searches else {},
            pages_read=pages,
            pages_relevant=pages,
            sufficient=bool(profile.searches),
            statement="Synthetic: nothing was searched.",
        ),
        steps=(MADE,),
        abstain_reason="Synthetic abstention." if said is Status.ABSTAIN else "",
        adjudicator=f"synthetic:{name}",
        policy=policy,
        model=f"synthetic/{name}",
        usage=Usage(
            searches=profile.searches, fetches=pages, pages=pages, input_tokens=900 + 700 * pages, output_tokens=rng.randint(120, 600)
        ),
        cost_usd=round(profile.usd * rng.uniform(0.5, 1.5), 6),
        latency_s=round(profile.seconds * math.exp(rng.gauss(0.0, 0.4)), 3),
        run_id=f"synthetic-{seed}",
        version="synthetic",
    )
    return Answer(record, round(hardness, 6), round(sum(shares.values()), 6))


def _shares(profile: Profile, stratum: str, hardness: float, factor: float) -> dict[str, float]:
    """Shares of the faults of a record of this difficulty; over all difficulties they are those of the profile, times `factor`."""
    shares = {name: share * factor for name, share in profile.faults(stratum).items()}
    whole = sum(shares.values())
    if whole == 0:
        return shares
    if whole > 1:
        return {name: share / whole for name, share in shares.items()}
    slope = min(profile.hard, (1.0 - whole) / whole)
    return {name: share * (1.0 + slope * hardness) for name, share in shares.items()}


def _said(case: Case, fault: str, profile: Profile, rng: random.Random) -> tuple[Status, dt.date | None, str | None]:
    if fault == "abstain":
        return Status.ABSTAIN, None, None
    if case.stratum != "A":
        if fault != "yes":
            return Status.NO, None, None
        # a later event is projected back, one that never was is put somewhere
        return Status.YES, case.listing.cutoff - dt.timedelta(days=rng.randint(1, 400)), case.reason or rng.choice(REASONS)
    if fault == "miss":
        return Status.NO, None, None
    assert case.event
    wrong_reason = fault == "reason" or (fault in ("far", "no_date") and rng.random() < profile.reason)
    reason = rng.choice([r for r in REASONS if r != case.reason]) if wrong_reason else case.reason
    if fault == "no_date":
        return Status.YES, None, reason
    days = 0
    if fault == "far":
        days = 8 + int(rng.expovariate(1 / 60))
    elif rng.random() < profile.near:
        days = rng.randint(1, 7)
    day = case.event + dt.timedelta(days=-days if rng.random() < profile.early else days)
    return Status.YES, day, reason


def _package(profile: Profile, said: Status, rng: random.Random) -> Package:
    if said is Status.ABSTAIN:
        return Package.UNVERIFIABLE
    passed, failed = (profile.passed_yes, profile.failed_yes) if said is Status.YES else (profile.passed_no, profile.failed_no)
    drawn = rng.random()
    return Package.PASS if drawn < passed else Package.FAIL if drawn < passed + failed else Package.UNVERIFIABLE


def _claims(case: Case, said: Status, day: dt.date | None, reason: str | None, package: Package) -> tuple[Claim, ...]:
    """One claim per field of a yes, on a page that nobody has read."""
    if said is not Status.YES:
        return ()
    url = f"https://notices-{case.listing.mic.lower()}.{HOST}/{case.listing.row_id.lower()}/notice"
    exhibit = "sha256:" + hashlib.sha256(url.encode()).hexdigest()
    match = Match.NOT_FOUND if package is Package.FAIL else Match.EXACT
    values: Mapping[str, str | None] = {"status": said.value, "announcement_date": day.isoformat() if day else None, "reason": reason}
    quote = f"Synthetic quote about {case.listing.row_id}"
    return tuple(
        Claim(
            field=field, value=value, quote=quote, exhibit=exhibit, url=url, start=0, end=len(quote), match=match.value, check=package.value
        )
        for field, value in values.items()
        if value
    )
