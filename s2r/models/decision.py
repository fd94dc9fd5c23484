"""What was found, decided, checked, weighed and routed."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from pydantic import Field

from s2r.models.evidence import Gap, Precision
from s2r.models.listing import Frozen

OPEN_START = "../"  # before a day: an interval whose start is unknown, "on that day or earlier" (ISO 8601-2)


class Status(StrEnum):
    """The answer of a record."""

    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"


class Stage(StrEnum):
    """Procedural step that a passage states."""

    RUMOUR = "rumour"
    WARNING = "warning"
    CURE = "cure"
    PLAN = "plan"
    PROPOSAL = "proposal"
    CONDITIONAL_DECISION = "conditional_decision"
    CONDITION_MET = "condition_met"
    DECISION = "decision"
    APPLICATION = "application"
    DETERMINATION = "determination"
    FILING = "filing"
    SUSPENSION = "suspension"
    LAST_TRADING = "last_trading"
    REMOVAL = "removal"
    REVERSAL = "reversal"
    APPEAL = "appeal"
    SEGMENT = "segment"
    TECHNICAL = "technical"
    NONE = "none"


class Modality(StrEnum):
    """How a passage states its step."""

    ASSERTED = "asserted"
    NEGATED = "negated"
    CONDITIONAL = "conditional"
    PLANNED = "planned"
    HYPOTHETICAL = "hypothetical"
    ATTRIBUTED = "attributed"
    HISTORY = "history"


class Finding(Frozen):
    """One judgement about one passage, with the sentence, its span in the page text and the rule that made it."""

    digest: str
    url: str
    start: int
    end: int
    sentence: str
    stage: Stage
    modality: Modality
    target: str  # this | other | ambiguous
    rule: str
    why: str = ""
    date: str = ""  # disclosure date this finding yields, ISO, possibly partial
    date_raw: str = ""
    date_start: int = -1
    date_end: int = -1
    date_origin: str = ""
    source_kind: str = ""
    qualifies: bool = False


class TimelinePoint(Frozen):
    """A dated statement for the timeline: ISO date, its kind, the source kind and the passage."""

    date: str
    kind: str
    stage: str
    source_kind: str
    url: str
    digest: str
    quote: str
    after_cutoff: bool = False


class Match(StrEnum):
    """How a quote was found in the archived text."""

    EXACT = "exact"
    NORMALISED = "normalised"
    NOT_FOUND = "not_found"


class Claim(Frozen):
    """One field of the record with the verbatim quote that proves it.

    `start`/`end` are character offsets into the text extracted from the archived bytes of `exhibit`; `field` is status,
    announcement_date, reason or disclosure_type; an announcement_date of "../2024-07-19" says "not after 19 July 2024, on a day
    that no page states" (ISO 8601-2). `match` and `check` are filled by verification ("" before).
    """

    field: str
    value: str
    quote: str
    exhibit: str
    url: str
    start: int
    end: int
    match: str = ""
    check: str = ""


class LaterEvent(Frozen):
    """A qualifying event disclosed after the cutoff; it never changes the answer."""

    date: str
    exhibit: str
    url: str = ""
    quote: str = ""


class Verdict(Frozen):
    """What an adjudicator concluded, before verification. `steps` is the chain of reasons in reading order."""

    status: Status
    announcement_date: dt.date | None = None
    date_precision: Precision = Precision.NONE
    reason: str | None = None
    disclosure_type: str | None = None
    confidence: float
    claims: tuple[Claim, ...] = ()
    findings: tuple[Finding, ...] = ()
    timeline: tuple[TimelinePoint, ...] = ()
    conflicts: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    later_event: LaterEvent | None = None
    abstain_reason: str = ""
    adjudicator: str = "rules"


class Check(Frozen):
    """Result of one verification: outcome pass, fail or unverifiable, and a sentence with the values used."""

    name: str
    field: str
    outcome: str
    sentence: str


class Package(StrEnum):
    """Outcome of the evidence audit of a record."""

    PASS = "pass"
    FAIL = "fail"
    UNVERIFIABLE = "unverifiable"


class Route(StrEnum):
    """Where a record goes."""

    ACCEPT = "accept"
    REVIEW = "review"
    SEARCH_AGAIN = "search_again"
    ESCALATE = "escalate"


class Means(StrEnum):
    """What proves that a page was public by a day."""

    CAPTURE = "capture"  # its very bytes were captured by then
    FILING = "filing"  # the header of a filing system
    EXCHANGE_NOTICE = "exchange_notice"  # the date of a notice at an official source


class Proof(Frozen):
    """Why a page counts as public by the cutoff; `at` is an ISO time (UTC) or day."""

    exhibit: str
    url: str
    means: Means
    at: str


class Loss(Frozen):
    """A page that is withheld, as nothing proves that it was public by the cutoff. `why`: captured_later, filed_later, dated_later,
    changed_later."""

    exhibit: str
    url: str
    why: str
    sentence: str


class PointInTime(Frozen):
    """What an audit at a point in time counted and what it withheld."""

    proofs: tuple[Proof, ...] = ()
    losses: tuple[Loss, ...] = ()


class Coverage(Frozen):
    """What was searched. `providers` maps a provider to answered, empty or failed: cause; `exhibits` are the digests of the pages
    read, on all of which a `no` rests; `notes` say what else the providers told of their answers (a query that was cut);
    `point_in_time` is set when only pages proven public by the cutoff were to count."""

    queries: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    providers: dict[str, str] = Field(default_factory=dict)
    pages_read: int = 0
    pages_relevant: int = 0
    exhibits: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()
    sufficient: bool = False
    statement: str = ""
    point_in_time: PointInTime | None = None


class Usage(Frozen):
    """Counted work of one record; provider-reported where a provider reports."""

    searches: int = 0
    fetches: int = 0
    pages: int = 0
    bytes: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
