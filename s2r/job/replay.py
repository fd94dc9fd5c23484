"""What models said in a run, read once more without a call: exchanges parsed, evidence rebuilt, answers verified and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from s2r.adjudicate.llm import Pack, Passage, answer_form
from s2r.adjudicate.llm.neutral import neutralise
from s2r.adjudicate.llm.pack import packed
from s2r.adjudicate.llm.reading import RULE
from s2r.errors import ConfigError, IntegrityError, StoreError
from s2r.job.folder import read_records
from s2r.modelapi import Catalogue, Exchange, KeptModels, ModelName, Profile, load_catalogue, replayed
from s2r.models import Adjudication, Arm, Opinion, PackNote, Record, Status, Verdict
from s2r.pipeline.judge import opened, reopen
from s2r.pipeline.settle import settle
from s2r.pipeline.tasks import Answered, Settled, hold
from s2r.policy import Policy, load_policy
from s2r.policy.asking import Asking, load_asking

_COMPARED = ("status", "announcement_date", "reason", "disclosure_type", "confidence")
_CHANGED = "cannot be shown again as it was: pages or instructions.toml have changed"
_ANSWERS = ("answered", "abstained", "rejected")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that comes out otherwise than it was recorded: of which row and judge, and what."""

    row_id: str
    judge: str
    problem: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """What was read again: records with a model, opinions with an exchange, and all differences."""

    records: int
    opinions: int
    differences: tuple[Difference, ...]


def replay_run(run: Path, policies: Path) -> Replayed:
    """Replay every record of a run folder that a model was asked about. Raises `ConfigError` when the folder holds no run or nothing that
    a model said; damage to the archive is a difference."""
    records = opinions = 0
    found: list[Difference] = []
    policy, asking, catalogue = _policy(run, policies)
    hold(policy)
    try:
        kept = KeptModels(run / "archive", read_only=True)
    except StoreError as exc:
        raise ConfigError("holds nothing that a model said", subject=str(run), advice="Give a run folder of `s2r audit --model`.") from exc
    with kept:
        for record in read_records(run):
            if record.adjudication is None:
                continue
            records += 1
            opinions += sum(bool(opinion.exchanges) for opinion in record.adjudication.opinions)
            found += _record(record, record.adjudication, run, kept, policy, asking, catalogue)
    return Replayed(records, opinions, tuple(found))


def _policy(run: Path, policies: Path) -> tuple[Policy, Asking, Catalogue]:
    """What the run was asked with: the event type of its manifest, from `policies`."""
    try:
        event = json.loads((run / "run.json").read_text("utf-8")).get("event_type", "delisting")
    except (OSError, ValueError, AttributeError) as exc:
        raise ConfigError("holds no run that ended", subject=str(run), advice="Repeat the audit, then replay it.") from exc
    return load_policy(str(event), policies), load_asking(policies, str(event)), load_catalogue(policies)


def _record(
    record: Record, told: Adjudication, run: Path, kept: KeptModels, policy: Policy, asking: Asking, catalogue: Catalogue
) -> Iterator[Difference]:
    if record.policy != policy.policy_id:
        yield Difference(record.row_id, "", f"the policy is {policy.policy_id} now, and was {record.policy}")
    packs: dict[str, Pack | None] = {}
    for note in told.packs:
        packs[note.digest] = pack = _pack(note, run, asking)
        if pack is None or pack.note.digest != note.digest:
            yield Difference(
                record.row_id,
                "",
                f"the evidence {note.digest[:12]} cannot be shown again as it was: pages or instructions.toml have changed",
            )
    for opinion in told.opinions:
        if not opinion.exchanges:
            continue
        try:
            exchanges = [kept.exchange(digest) for digest in opinion.exchanges]
        except IntegrityError as exc:
            yield Difference(record.row_id, opinion.judge, str(exc))
            continue
        answer = replayed(exchanges, _profile(exchanges, catalogue), answer_form(policy))
        if answer.state.value != opinion.state and not (answer.state.value == "answered" and opinion.state in _ANSWERS):
            yield Difference(
                record.row_id, opinion.judge, f"its answer was {opinion.state}, reads as {answer.state.value} ({answer.cause})"
            )
            continue
        if not answer.text:
            continue
        settled = settle(_answered(record, told, opinion, answer.text, packs.get(opinion.pack), run, policy))
        for problem in _compared(opinion, settled):
            yield Difference(record.row_id, opinion.judge, problem)


def _profile(exchanges: Sequence[Exchange], catalogue: Catalogue) -> Profile:
    """How the model was asked, as far as reading needs it."""
    first = exchanges[0]
    try:
        return catalogue.profile(ModelName(first.provider, first.model))
    except ConfigError:  # a provider that models.toml does not have any more
        return Profile(provider=first.provider, model=first.model, wire=first.wire)


def _pack(note: PackNote, run: Path, asking: Asking) -> Pack | None:
    """The evidence once more from the archived pages; None when one of them is not there or not as it was."""
    refs = note.passages
    try:
        pages = reopen(opened(run), {ref.exhibit for ref in refs}, _exhibits(run, [(ref.exhibit, ref.url) for ref in refs]))
    except IntegrityError:
        return None
    if any(ref.exhibit not in pages for ref in refs):
        return None
    numbers: dict[str, int] = {}
    passages = tuple(
        Passage(
            ref=ref,
            text=neutralise(pages[ref.exhibit].text[ref.start : ref.end], asking.instructions).text,
            document=numbers.setdefault(ref.exhibit, len(numbers) + 1),
        )
        for ref in refs
    )
    return packed(passages, note.withheld, note.neutralised)


def _exhibits(run: Path, wanted: Sequence[tuple[str, str]]) -> tuple[tuple[str, str, str], ...]:
    """(digest, address, title) as they were when they were judged; raises `IntegrityError`."""
    archive = opened(run)
    captures = [(digest, url, archive.open(digest, url)) for digest, url in dict.fromkeys(wanted)]
    return tuple((digest, url or capture.url, capture.title) for digest, url, capture in captures)


def _answered(record: Record, told: Adjudication, opinion: Opinion, text: str, pack: Pack | None, run: Path, policy: Policy) -> Answered:
    places = [(ref.exhibit, ref.url) for ref in pack.note.passages] if pack else []
    arm = Arm.WEB if opinion.pack else told.arm
    if arm is Arm.NATIVE:
        places = [(digest, "") for digest in record.coverage.exhibits]
    rules = Verdict(
        status=Status.ABSTAIN, confidence=0.0, findings=tuple(f for f in record.findings if f.rule != RULE), conflicts=record.conflicts
    )
    return Answered(
        listing=record.listing,
        text=text,
        by=record.adjudicator,
        arm=arm,
        pack=pack,
        exhibits=_exhibits(run, places),
        archive=run,
        policy=policy.policy_id,
        rules=rules,
        coverage_sufficient=record.coverage.sufficient,
        coverage_cause=record.coverage.statement,
    )


def _compared(opinion: Opinion, settled: Settled) -> Iterator[str]:
    if settled.verdict is None or settled.audit is None:
        if opinion.state != "rejected":
            yield f"its answer was {opinion.state}, and cannot be used now: {'; '.join(settled.problems)}"
        return
    if opinion.state == "rejected":
        yield f"its answer was rejected ({opinion.cause}), and can be used now"
        return
    for name in _COMPARED:
        before, now = getattr(opinion, name), getattr(settled.verdict, name)
        if before != now:
            yield f"{name} was {before}, is {now}"
    if opinion.claims != settled.audit.claims:
        yield f"its {len(opinion.claims)} quotes do not verify as they did"
    if opinion.package is not settled.audit.package:
        yield f"its proof was {opinion.package.value}, is {settled.audit.package.value}"
