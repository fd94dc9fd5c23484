"""Typed contents of `policies/`: definition, rulings, routing, lexicons, date cues, venues, sources."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from pydantic import Field

from s2r.models.listing import Frozen

STAGE_FAMILIES = (
    "rumour", "warning", "cure", "plan", "proposal", "conditional_decision", "condition_met", "decision", "application",
    "determination", "filing", "suspension", "last_trading", "removal", "reversal", "appeal", "segment", "technical",
)  # fmt: skip
ACT_FAMILIES = ("decision", "application", "filing", "removal", "proposal", "plan", "condition_met", "publication")
MODALITY_FAMILIES = ("negated", "failed", "conditional", "planned", "hypothetical", "hearsay", "attributed", "history")
CLASS_FAMILIES = ("common", "preferred", "adr", "unit", "warrant", "right", "note", "fund", "option")
ACTOR_FAMILIES = ("exchange", "regulator", "court", "issuer", "board", "holders", "bidder", "committee")
REASONS = ("merger_acquisition", "voluntary", "noncompliance", "insolvency", "transfer", "expiry_redemption", "regulatory", "other")
DISCLOSURE_TYPES = ("exchange_notice", "regulatory_filing", "issuer_announcement", "court_or_regulator", "other")
SOURCE_KINDS = ("exchange", "regulator", "filing", "issuer", "wire", "press", "aggregator", "forum", "unknown")
OFFICIAL_KINDS = ("exchange", "regulator", "filing")
DATE_ORDERS = ("dmy", "mdy", "ymd")
CUE_SIDES = ("before", "after", "around")
# Languages a policy may name: lexicon file names and `languages` of venues.
LANGUAGES = (
    "en", "de", "fr", "nl", "it", "es", "pt", "sv", "fi", "no", "da", "pl", "ja", "zh-Hans", "zh-Hant", "ko", "vi", "ms", "id", "tr",
    "ar", "th", "hi",
)  # fmt: skip
STATED = ("asserted", "attributed", "history")  # modalities in which a step is said to have happened
WITHIN = ("sentence", "passage", "document")
SECTION_FAMILIES = ("related", "page_update", "other_notices", "forum", "aggregator", "exchange_notice", "press", "issuer", "trading")


class Phrase(Frozen):
    """One lexicon line: a Python regular expression over folded text (see `s2r.lang.text.fold`), with an example that must
    match and optionally one (`not_example`) that must not."""

    pattern: str
    example: str
    not_example: str = ""
    weight: float = 1.0  # of a reason phrase; below 1 for words that often stand beside another reason
    note: str = ""


class Lexicon(Frozen):
    """Phrases of one language. `object` names the act of ending a listing, neutral about its stage; `act.<stage>` are verbs
    that together with an `object` in the same sentence state the stage; `stage.<stage>` are complete phrases."""

    language: str
    object: tuple[Phrase, ...] = ()
    act: dict[str, tuple[Phrase, ...]] = Field(default_factory=dict)
    stage: dict[str, tuple[Phrase, ...]] = Field(default_factory=dict)
    modality: dict[str, tuple[Phrase, ...]] = Field(default_factory=dict)
    security: dict[str, tuple[Phrase, ...]] = Field(default_factory=dict)
    actor: dict[str, tuple[Phrase, ...]] = Field(default_factory=dict)
    reason: dict[str, tuple[Phrase, ...]] = Field(default_factory=dict)
    section: dict[str, tuple[Phrase, ...]] = Field(default_factory=dict)
    query: tuple[str, ...] = ()  # search words for this event in this language, best first

    def families(self) -> Iterable[tuple[str, tuple[Phrase, ...]]]:
        """All (family, phrases) pairs, e.g. ("stage.warning", (...))."""
        yield "object", self.object
        for table in ("act", "stage", "modality", "security", "actor", "reason", "section"):
            for name, phrases in getattr(self, table).items():
                yield f"{table}.{name}", phrases


LEXICON_KEYS = {
    "act": ACT_FAMILIES,
    "stage": STAGE_FAMILIES,
    "modality": MODALITY_FAMILIES,
    "security": CLASS_FAMILIES,
    "actor": ACTOR_FAMILIES,
    "reason": REASONS,
    "section": SECTION_FAMILIES,
}


class DateCue(Frozen):
    """A cue that tells what a nearby date is the date of. `side`: before | after | around the date; `within`: characters."""

    kind: str
    pattern: str
    example: str
    side: str = "before"
    within: int = 40
    weight: float = 1.0
    note: str = ""


class DateLexicon(Frozen):
    """Date cues of one language. `object` names the ending of a listing; `qualify` are statements that it was decided, applied
    for or done; `block` are statements that keep a sentence from announcing it: conditional, warned, denied, only considered;
    `settled` are statements that hold in spite of those (the proposal was approved).
    `ahead` are words that put what a sentence says into the future of its writer."""

    language: str
    cue: tuple[DateCue, ...] = ()
    object: tuple[Phrase, ...] = ()
    qualify: tuple[Phrase, ...] = ()
    block: tuple[Phrase, ...] = ()
    settled: tuple[Phrase, ...] = ()
    ahead: tuple[Phrase, ...] = ()


class OfficialSource(Frozen):
    """Where a venue or its regulator publishes. `domain` is used for site-restricted queries; `kind`: exchange | regulator | filing."""

    name: str
    domain: str
    kind: str
    note: str = ""


class Venue(Frozen):
    """One venue (ISO 10383 MIC). `aliases` are other names and abbreviations, in any language; `segments` are tiers of the
    same venue, a move between which is not a delisting. Where names of several venues overlap in a text, the longest wins.
    `city_aliases` ("Frankfurt", "AIM") name the venue only beside a word for exchange or listing. `operator_names` name the
    firm behind several venues: they are neither this venue nor another one. `regions` are names and adjectives of the country, as
    stems: beside a word for listing ("its Swiss listing") they stand for all venues of the country; one file per country has them."""

    mic: str
    name: str
    country: str
    languages: tuple[str, ...]
    date_order: str = "dmy"  # dmy | mdy | ymd: numeric dates
    timezone: str
    aliases: tuple[str, ...] = ()
    city_aliases: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    operator_names: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()
    operating_mic: str = ""
    segment_mics: tuple[str, ...] = ()  # codes under which listings of parts of this venue are delivered
    related_mics: tuple[str, ...] = ()  # venues of one operator or often confused; naming one of them is not naming this one
    official: tuple[OfficialSource, ...] = ()
    terms: tuple[str, ...] = ()  # local terms worth searching for
    ticker_pattern: str = ""
    note: str = ""


class SourceRule(Frozen):
    """How a site is known: exchange, regulator, filing, issuer, wire, press, aggregator, forum; matched on the end of the host
    name (`domain`, with an optional path: "host/path") or a regular expression over host and path (`pattern`)."""

    kind: str
    domain: str = ""
    pattern: str = ""
    block: bool = False
    example: str = ""  # of a pattern: an address that it must match
    note: str = ""


class Voice(Frozen):
    """Words by which a page shows who speaks: exchange, regulator, issuer or press; searched in folded text."""

    kind: str
    pattern: str
    example: str
    not_example: str = ""


class Case(Frozen):
    """Passages that a ruling decides about: all conditions that are set must hold. `family` and `pattern` (over folded text) are
    looked for `within` the sentence, the passage (two sentences either side, and the title) or the document."""

    stage: tuple[str, ...] = ()  # as read; none given: the qualifying ones
    modality: tuple[str, ...] = STATED
    actor: tuple[str, ...] = ()  # who acts in the sentence; "none" where nobody is named
    source: tuple[str, ...] = ()
    family: tuple[str, ...] = ()  # lexicon families; one of them must be found
    reason: tuple[str, ...] = ()  # of a ruling about reasons: the reason that was found
    pattern: str = ""
    example: str = ""
    not_example: str = ""
    within: str = "sentence"
    other_venue: bool = False  # admits a sentence that names another venue than the listing's

    @property
    def special(self) -> bool:
        """Looks at words, not at the stage alone."""
        return bool(self.family or self.pattern)


class Ruling(Frozen):
    """A named switch that decides an unclear case of the definition. With a value of `refused_by` its cases do not qualify, with
    one of `admitted_by` they do; with any other the rules decide as they are, or ask for the value themselves."""

    value: bool | str
    text: str
    refused_by: tuple[bool | str, ...] = (False,)
    admitted_by: tuple[bool | str, ...] = (True,)
    case: tuple[Case, ...] = ()

    @property
    def gives_reason(self) -> bool:
        """Its value is the reason of its cases."""
        return any(case.reason for case in self.case)


CODES = (
    "abstained",  # the model gives no answer
    "rejected",  # its answer cannot be used: a web address, a passage that it was not shown, ...
    "unanswered",  # no answer came: refused, cut off, of the wrong form, failed, or the cap of the record is reached
    "status_differs",  # from that of the rules
    "date_differs",
    "reason_differs",
    "unproven",  # a quote or a check does not hold
    "unverifiable",  # the proof is not complete
    "conflicts",  # sources contradict each other
    "low_confidence",  # below `low_confidence` of routing.toml
    "not_official",  # no exchange, regulator or filing proves the status
    "second_hand",  # nor does the issuer or a wire: only press, aggregators, forums or pages of unknown origin
    "earlier_disclosure",  # the timeline holds an earlier qualifying disclosure
    "undated_day",  # no qualifying passage is dated on the day that the model gives
    "high_risk",  # the risk model does not allow the answer to be accepted
    "verifier_differs",  # the second model contradicts
    "verifier_missing",  # it was to be asked, and gave no answer
)  # reasons for doubt about a model's answer


class RouteRule(Frozen):
    """One row of the routing table; the first rule whose conditions all hold decides. Unset conditions always hold."""

    route: str
    reason: str
    status: tuple[str, ...] = ()
    package: tuple[str, ...] = ()
    coverage_sufficient: bool | None = None
    conflicts: bool | None = None
    error: bool | None = None
    risk_fitted: bool | None = None
    risk_within: bool | None = None  # what the risk model says of accepting the record; without a model neither holds
    attested: bool | None = None  # rules and a model give the same answer, independently, each with its proof
    dissent: bool | None = None  # some judge contradicts the answer
    venue_known: bool | None = None  # whether the MIC of the row is one of the policy's venues
    codes: tuple[str, ...] = ()  # one of these reasons for doubt about a model's answer is left (routing.toml names them)
    min_confidence: float | None = None
    max_confidence: float | None = None


class CoverageRule(Frozen):
    """What must have been searched before a `no` may be given."""

    min_queries: int = 3
    min_answered_providers: int = 1
    min_pages_read: int = 1
    allow_failed_providers: bool = False
    require_native_language: bool = True
    allow_unread_official: bool = False  # a page of an official source of the venue that could not be read
    allow_unread_promising: bool = False  # one whose title or snippet names the issuer and the event
    max_unread_share: float = Field(0.5, ge=0, le=1)  # of the pages found that could not be read, whatever they are


class FilingRule(Frozen):
    """Filings of a register that are read for this event: by `form` (an amendment of it counts too) and, if given, one of its `items`.

    The `most` filings nearest before the cutoff are taken. `whole`: the full submission with header and exhibits, else the main
    document alone. Rules stand best first. `form` of Companies House is a category or a type of its filing history.
    """

    source: str
    form: str
    items: tuple[str, ...] = ()
    most: int = 5
    whole: bool = True
    note: str = ""


REGISTERS = ("edgar", "companies_house")


class EventDefinition(Frozen):
    """policy.toml of one event type."""

    name: str
    version: str
    event_type: str
    definition: str
    qualifying_stages: tuple[str, ...]
    non_qualifying_stages: tuple[str, ...]
    reasons: tuple[str, ...]
    disclosure_types: tuple[str, ...]
    rulings: dict[str, Ruling]
    coverage: CoverageRule = CoverageRule()
    source_rank: tuple[str, ...] = ("exchange", "regulator", "filing", "issuer", "wire", "press", "aggregator", "forum", "unknown")
    undated_supports_accept: bool = False
    filing: tuple[FilingRule, ...] = ()
    route: tuple[RouteRule, ...] = ()


class Policy(Frozen):
    """Everything data-driven that a run obeys; `digest` covers every policy file that was read."""

    definition: EventDefinition
    lexicons: dict[str, Lexicon]
    date_lexicons: dict[str, DateLexicon]
    venues: dict[str, Venue]
    sources: tuple[SourceRule, ...]
    voices: tuple[Voice, ...] = ()
    digest: str

    def filings_of(self, register: str) -> tuple[FilingRule, ...]:
        """The filings of a register that are read for this event, best first."""
        return tuple(rule for rule in self.definition.filing if rule.source == register)

    @property
    def policy_id(self) -> str:
        """`name@version#digest12`, as stored in every record."""
        return f"{self.definition.name}@{self.definition.version}#{self.digest[:12]}"

    def ruling(self, name: str) -> bool | str:
        """Value of a named ruling; a KeyError is a bug (names are checked by `load_policy`)."""
        return self.definition.rulings[name].value

    @cached_property
    def domain_kinds(self) -> dict[str, str]:
        """Kind of site by domain ("host" or "host/path"): `sources.toml` first, then the official sources of all venues."""
        kinds = {o.domain: o.kind for venue in self.venues.values() for o in venue.official}
        return kinds | {rule.domain: rule.kind for rule in self.sources if rule.domain}

    @cached_property
    def address_patterns(self) -> tuple[tuple[str, str], ...]:
        """Patterns of addresses in the order of `sources.toml`, each with the kind of site that it shows."""
        return tuple((rule.pattern, rule.kind) for rule in self.sources if rule.pattern)

    @cached_property
    def voice_patterns(self) -> tuple[tuple[str, str], ...]:
        """Patterns of voices in the order of `sources.toml`, each with the kind of speaker that it shows."""
        return tuple((voice.pattern, voice.kind) for voice in self.voices)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Languages that have a lexicon, sorted."""
        return tuple(sorted(self.lexicons))
