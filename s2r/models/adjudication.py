"""How a model came to a record: evidence it saw, opinions of models and rules, steps of the ladder with cost and effect."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from pydantic import Field

from s2r.models.decision import Claim, Package, Status
from s2r.models.listing import Frozen


class Arm(StrEnum):
    """What a model knows of a listing; arms of one model differ in nothing else."""

    CLOSED = "closed"  # identity and definition only
    WEB = "web"  # passages of the pages that s2r has found and archived
    NATIVE = "native"  # what the provider's own search tool finds


class DateClass(StrEnum):
    """What is known about the time of a document against the cutoff."""

    DATED = "dated"  # by the cutoff
    UNDATED = "undated"
    EDITED_LATER = "edited_later"  # of its own word changed after the cutoff
    AFTER_CUTOFF = "after_cutoff"


class PassageRef(Frozen):
    """A passage that a model was shown: characters [start:end) of the text of an exhibit, and what it was told of its date."""

    id: str
    exhibit: str
    url: str
    start: int
    end: int
    source_kind: str
    published: str = ""  # ISO day, "" when no day is known
    origin: str = ""
    date_class: DateClass = DateClass.DATED


class PackNote(Frozen):
    """The evidence of one question. `withheld` counts documents by the reason, `neutralised` what was taken out of page text;
    `tokens` is an estimate."""

    digest: str
    tokens: int = 0
    documents: int = 0
    passages: tuple[PassageRef, ...] = ()
    withheld: dict[str, int] = Field(default_factory=dict)
    neutralised: dict[str, int] = Field(default_factory=dict)


class Opinion(Frozen):
    """What one judge said and how it was proven. `judge` is rules or a role; `state` answered, abstained, rejected (not usable as
    an answer, for the reason in `cause`), refused, truncated, invalid, failed or capped. `usd` is None when unknown."""

    judge: str
    state: str
    status: Status = Status.ABSTAIN
    announcement_date: dt.date | None = None
    reason: str | None = None
    disclosure_type: str | None = None
    confidence: float = 0.0
    package: Package = Package.UNVERIFIABLE
    claims: tuple[Claim, ...] = ()
    cause: str = ""
    model: str = ""
    prompt: str = ""
    pack: str = ""  # digest of the evidence
    usd: float | None = 0.0
    cached: bool = False
    calls: int = 0
    repairs: int = 0
    searches: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    latency_s: float = 0.0
    exchanges: tuple[str, ...] = ()


class Rung(Frozen):
    """One step of the ladder: why it was taken, what it cost, what it changed of the record."""

    step: str
    because: tuple[str, ...] = ()
    ran: bool = True
    effect: str = ""
    usd: float | None = 0.0
    latency_s: float = 0.0


class Adjudication(Frozen):
    """How a record was adjudicated with a model. `codes` are the reasons for doubt that are left; `attested`: rules and model give
    the same answer, independently, each with its proof; `dissent`: some judge contradicts the answer."""

    arm: Arm
    prompt: str
    routing: str
    packs: tuple[PackNote, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    rungs: tuple[Rung, ...] = ()
    codes: tuple[str, ...] = ()
    attested: bool = False
    dissent: bool = False
    decided_by: str = ""  # judge whose answer the record gives
    panel: str = ""  # "2 of 3" where a panel was asked
