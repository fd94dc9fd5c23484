"""Synthetic answers with known truth: a run folder whose records are wrong more often where confidence and proof are weak, and its labels."""

from __future__ import annotations

import csv
import datetime as dt
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from s2r.models import Check, Claim, Coverage, Finding, Listing, Modality, Package, Record, Stage, Status, Usage
from s2r.policy import Policy
from s2r.risk.features import feature_set
from s2r.risk.model import Fit, RiskModel, Source
from s2r.risk.targets import Target
from s2r.risk.threshold import Choice, Method, Promise

CUTOFF = dt.date(2024, 12, 31)
MARKETS = ("XNYS", "XNAS", "XLON", "XTKS", "XPAR")
REASONS = ("merger_acquisition", "voluntary", "noncompliance", "insolvency")
QUOTES = {
    "XTKS": "東京証券取引所は当社株式の上場廃止を決定した旨を公表しました。",
    "XPAR": "La société annonce que ses actions seront radiées du marché réglementé à la suite du retrait obligatoire.",
}
ENGLISH = "The exchange has determined to remove the shares of the company from listing, effective at the opening of trading."
HEAD = ("row_id", "status", "announcement_date", "reason", "stratum")


@dataclass(frozen=True)
class Answer:
    """A record and the row of its label."""

    record: Record
    label: Mapping[str, str]


def answers(policy: Policy, n: int, seed: int, mix: Mapping[str, float] | None = None, weaker: float = 0.0) -> list[Answer]:
    """`n` answers over strata A, B, C in equal parts or by `mix`; some issuers have two listings. `weaker` makes all proofs poorer."""
    draw = random.Random(seed)
    shares = mix or {"A": 1.0, "B": 1.0, "C": 1.0}
    strata = draw.choices(list(shares), list(shares.values()), k=n)
    found: list[Answer] = []
    for k, stratum in enumerate(strata):
        twin = k > 0 and k % 11 == 0
        issuer = found[-1].record.listing.issuer if twin else f"Synthetic {seed} Holding {k} plc"
        found.append(_answer(policy, draw, k, stratum, issuer, weaker))
    return found


def _answer(policy: Policy, draw: random.Random, k: int, stratum: str, issuer: str, weaker: float) -> Answer:
    strength = min(1.0, max(0.0, draw.betavariate(4, 1.3) - weaker))
    market = draw.choice(MARKETS)
    day = dt.date(2020, 1, 1) + dt.timedelta(days=draw.randrange(1500))
    reason = draw.choice(REASONS)
    slip = draw.random() < 0.004 + 0.75 * max(0.0, 0.75 - strength)
    truly = stratum == "A"
    status = Status.ABSTAIN if draw.random() < 0.03 else Status.YES if truly != (slip and draw.random() < 0.4) else Status.NO
    said, why = day, reason
    if status is Status.YES and truly and slip:
        said, why = (day + dt.timedelta(days=draw.choice((3, 20, 90))), reason) if draw.random() < 0.7 else (day, draw.choice(REASONS))
    record = record_of(policy, draw, f"S-{k:04d}", issuer, market, status, said, why, strength, second=said != day and draw.random() < 0.6)
    label = {
        "row_id": record.row_id,
        "status": "yes" if truly else "no",
        "announcement_date": day.isoformat() if truly else "",
        "reason": reason if truly else "",
        "stratum": stratum,
    }
    return Answer(record, label)


def record_of(
    policy: Policy,
    draw: random.Random,
    row_id: str,
    issuer: str,
    market: str,
    status: Status,
    day: dt.date,
    reason: str,
    strength: float,
    *,
    second: bool = False,
) -> Record:
    """One record whose proof is as good as `strength`; `second` adds a passage with another day."""
    yes = status is Status.YES
    weak = draw.random() > 0.2 + strength
    quote = QUOTES.get(market, ENGLISH)
    source = draw.choice(("press", "aggregator", "unknown")) if weak else draw.choice(("exchange", "filing", "issuer"))
    exhibit = f"sha256:{row_id.lower():0>64}"
    fields = (("status", "yes"), ("announcement_date", day.isoformat()), ("reason", reason))
    claims = [
        Claim(field=f, value=v, quote=quote, exhibit=exhibit, url=f"https://{source}.example/{row_id}", start=0, end=len(quote), match="exact", check="pass")
        for f, v in fields
    ]  # fmt: skip
    days = [day, *([day + dt.timedelta(days=40)] if second or (weak and draw.random() < 0.3) else [])]
    findings = [
        Finding(digest=exhibit, url=claims[0].url, start=0, end=len(quote), sentence=quote, stage=Stage.DECISION, modality=Modality.ASSERTED,
                target="this", rule="synthetic", date=d.isoformat(), source_kind=source, qualifies=True)
        for d in days
    ]  # fmt: skip
    package = Package.PASS if status is not Status.ABSTAIN and draw.random() < 0.93 else Package.UNVERIFIABLE
    pages = 2 + int(9 * strength) + draw.randrange(4)
    return Record(
        row_id=row_id,
        listing=Listing(row_id=row_id, row_number=2, issuer=issuer, security=f"Ordinary Shares {row_id}", mic=market, country="", cutoff=CUTOFF),
        event_type=policy.definition.event_type,
        cutoff=CUTOFF,
        status=status,
        announcement_date=day if yes else None,
        reason=reason if yes else None,
        confidence=round(min(0.99, max(0.05, 0.35 + 0.6 * strength + draw.gauss(0, 0.06))), 2),
        package=package,
        claims=tuple(claims) if yes else (),
        checks=tuple(Check(name="quotes", field=f, outcome="pass", sentence="It stands there.") for f, _ in fields) if yes else (),
        coverage=Coverage(queries=("a",), languages=("en",), providers={"pool": "answered"}, pages_read=pages, pages_relevant=max(1, pages // 2), sufficient=True),
        findings=tuple(findings) if yes else (),
        conflicts=("two days",) if yes and len(days) > 1 and draw.random() < 0.2 else (),
        abstain_reason="" if status is not Status.ABSTAIN else "too little was found",
        adjudicator="synthetic",
        policy=policy.policy_id,
        usage=Usage(searches=4 + draw.randrange(20)),
        latency_s=round(draw.uniform(0.5, 20.0), 3),
    )  # fmt: skip


def write_run(folder: Path, found: list[Answer]) -> Path:
    """records.jsonl of a run, and run.json without a risk model."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [answer.record.model_dump_json() for answer in found]
    (folder / "records.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "run.json").write_text(json.dumps({"risk": None}), "utf-8")
    return folder


def write_labels(path: Path, rows: list[dict[str, str]] | list[Mapping[str, str]], head: tuple[str, ...] = HEAD) -> Path:
    """A label file of these rows."""
    with path.open("w", encoding="utf-8", newline="") as fh:
        writer = csv.DictWriter(fh, head, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


def model_of(policy: Policy, **fields: object) -> RiskModel:
    """A small model: the risk falls with confidence; yeses are accepted up to 20%, noes not at all."""
    yes = Choice(
        group="yes",
        method=Method.CERTIFIED,
        threshold=0.2,
        error=0.05,
        confidence=0.95,
        records=90,
        families=88,
        wrong=0,
        limit=0.033,
        why="",
    )
    no = yes.model_copy(update={"group": "no", "threshold": None, "why": "Nothing can be certified."})
    given: dict[str, object] = {
        "name": "small", "event_type": "delisting", "policy": policy.policy_id, "feature_set": feature_set(), "arms": ("synthetic",),
        "version": "0", "fitted_at": "2026-01-01T00:00:00+00:00", "source": Source(digest="d", unlabelled=0, seed=0, parts={}, strata={}),
        "balanced": False, "strength": 1.0, "columns": ("confidence", "market=XLON"), "means": (0.5, 0.0), "scales": (0.25, 1.0),
        "fits": (Fit(target=Target.JOINT_WITHIN_7, intercept=-1.0, coefficients=(-2.0, 0.5), records=9, wrong=3),),
        "target": Target.JOINT_WITHIN_7, "promise": Promise(), "method": Method.CERTIFIED, "groups": ("yes", "no"), "choices": (yes, no),
    }  # fmt: skip
    return RiskModel.model_validate(given | fields)
