"""What speaks for and against an answer, which step is taken next, and what the judges come to together; pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from s2r.adjudicate.llm.reading import RULE
from s2r.models import Opinion, Package, Status, Verdict
from s2r.policy.asking import ALWAYS, LadderStep, Routing

OFFICIAL = ("exchange", "regulator", "filing")
FIRST_HAND = ("issuer", "wire")  # who discloses without being an authority
ANSWERED, ABSTAINED, REJECTED = "answered", "abstained", "rejected"


class Standing(NamedTuple):
    """What the judges come to: `attested` when rules and answer agree, each with its proof; `dissent` when one contradicts it."""

    attested: bool
    dissent: bool


def codes_of(answer: Opinion, verdict: Verdict | None, rules: Opinion, routing: Routing) -> tuple[str, ...]:
    """The reasons for doubt about a model's answer, as routing.toml names them."""
    if answer.state == REJECTED:
        return ("rejected",)
    if answer.state == ABSTAINED:
        return ("abstained", *(("status_differs",) if rules.status is not Status.ABSTAIN else ()))
    if answer.state != ANSWERED or verdict is None:
        return ("unanswered",)
    found = []
    if answer.status is not rules.status:
        found.append("status_differs")
    elif answer.status is Status.YES:
        found += ["date_differs"] if answer.announcement_date != rules.announcement_date else []
        found += ["reason_differs"] if answer.reason != rules.reason else []
    if answer.package is Package.FAIL:
        found.append("unproven")
    elif answer.package is Package.UNVERIFIABLE:
        found.append("unverifiable")
    if verdict.conflicts:
        found.append("conflicts")
    if answer.confidence < routing.low_confidence:
        found.append("low_confidence")
    if answer.status is Status.YES:
        kinds = {f.source_kind for f in verdict.findings if f.rule == RULE}
        found += ["not_official"] if kinds.isdisjoint(OFFICIAL) else []
        found += ["second_hand"] if kinds.isdisjoint((*OFFICIAL, *FIRST_HAND)) else []
    return tuple(found)


def timeline_codes(answer: Opinion, rules: Verdict, cutoff: dt.date) -> tuple[tuple[str, ...], str]:
    """The answer against the dated statements of all pages that rules take for a qualifying disclosure: codes, and a sentence."""
    days = sorted({f.date for f in rules.findings if f.qualifies and f.target == "this" and f.rule != RULE and f"{cutoff}" >= f.date > ""})
    if answer.state != ANSWERED or answer.status is Status.ABSTAIN:
        return (), "There is no answer to hold against the timeline."
    if answer.status is Status.NO:
        if days:
            return ("earlier_disclosure",), f"The timeline holds a qualifying disclosure on {days[0]}, and the answer is no."
        return (), "The timeline holds no qualifying disclosure by the cutoff."
    told = str(answer.announcement_date or "no day")
    codes = []
    if days and days[0] < told:
        codes.append("earlier_disclosure")
    if told not in days:
        codes.append("undated_day")
    first = f"the first on {days[0]}" if days else "none"
    return tuple(codes), f"Qualifying disclosures in the timeline: {len(days)}, {first}; the answer gives {told}."


def next_step(routing: Routing, taken: Sequence[str], codes: Sequence[str]) -> tuple[LadderStep, tuple[str, ...]] | None:
    """The first step not yet passed for which a code stands, with these codes; None when none is left. Steps are never gone back to."""
    names = [step.name for step in routing.step]
    passed = max((names.index(name) for name in taken), default=-1)
    for step in routing.step[passed + 1 :]:
        because = tuple(code for code in codes if code in step.when)
        if because or ALWAYS in step.when:
            return step, because or (ALWAYS,)
    return None


def agree(one: Opinion, other: Opinion) -> bool:
    """Both give an answer, and it is the same: status, and for `yes` a day and a reason."""
    if one.status is Status.ABSTAIN or one.status is not other.status:
        return False
    if one.status is Status.NO:
        return True
    same_day = one.announcement_date is not None and one.announcement_date == other.announcement_date
    return same_day and one.reason is not None and one.reason == other.reason


def contradict(one: Opinion, other: Opinion) -> bool:
    """Both give an answer, and they cannot both be right: another status, day or reason; one who knows none contradicts nobody."""
    if Status.ABSTAIN in (one.status, other.status):
        return False
    days, reasons = {one.announcement_date, other.announcement_date} - {None}, {one.reason, other.reason} - {None}
    return one.status is not other.status or len(days) > 1 or len(reasons) > 1


def standing(answer: Opinion, rules: Opinion, others: Sequence[Opinion]) -> Standing:
    """How the answer of the record stands; `others` are the further models that count."""
    usable = answer.state == ANSWERED and answer.status is not Status.ABSTAIN
    proven = answer.package is Package.PASS and rules.package is Package.PASS
    dissent = usable and any(contradict(answer, other) for other in (rules, *others) if other.state == ANSWERED)
    return Standing(usable and proven and agree(answer, rules) and not dissent, dissent)


def panel_choice(opinions: Sequence[Opinion], need: int) -> int | None:
    """The first of the answers that at least `need` judges give alike, None when there is none."""
    best: tuple[int, int] | None = None
    for index, one in enumerate(opinions):
        votes = sum(one is other or (other.state == ANSWERED and agree(one, other)) for other in opinions)
        usable = one.state == ANSWERED and one.status is not Status.ABSTAIN
        if usable and votes >= need and (best is None or votes > best[0]):
            best = (votes, index)
    return best[1] if best else None
