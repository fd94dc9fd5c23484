"""Checks of policy values beyond their types: enumerations, names of rulings, time zones, file names, references."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from s2r.models.decision import Modality, Package, Route, Stage, Status
from s2r.models.evidence import DateKind
from s2r.policy.lines import Path_
from s2r.policy.rulings import ASKED, RULING_VALUES
from s2r.policy.types import (
    ACTOR_FAMILIES,
    CODES,
    CUE_SIDES,
    DATE_ORDERS,
    DISCLOSURE_TYPES,
    LANGUAGES,
    LEXICON_KEYS,
    OFFICIAL_KINDS,
    REASONS,
    REGISTERS,
    SOURCE_KINDS,
    STAGE_FAMILIES,
    WITHIN,
    Case,
    DateLexicon,
    EventDefinition,
    Lexicon,
    Ruling,
    SourceRule,
    Venue,
    Voice,
)

Problem = tuple[Path_, str, str]  # key path, problem, advice

_MIC = re.compile(r"[A-Z0-9]{4}")
_COUNTRY = re.compile(r"[A-Z]{2}")
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/\S*)?")
_ABBREVIATION = 5  # names of such short words only ("the NSE") are abbreviations, which exchanges of several countries share


def one_of(path: Path_, value: object, allowed: Iterable[object]) -> Iterator[Problem]:
    """A problem unless `value` is one of `allowed`."""
    choices = tuple(allowed)
    if value not in choices:
        yield (
            path,
            f"unknown value {value!r}",
            f"Use one of: {', '.join(str(c).lower() if isinstance(c, bool) else str(c) for c in choices)}.",
        )


def each_of(path: Path_, values: Iterable[object], allowed: Iterable[object]) -> Iterator[Problem]:
    """A problem for each of `values` that is not allowed, at its index."""
    choices = tuple(allowed)
    for index, value in enumerate(values):
        yield from one_of((*path, index), value, choices)


def definition_problems(definition: EventDefinition) -> Iterator[Problem]:
    """Faults of policy.toml."""
    yield from each_of(("qualifying_stages",), definition.qualifying_stages, STAGE_FAMILIES)
    yield from each_of(("non_qualifying_stages",), definition.non_qualifying_stages, STAGE_FAMILIES)
    for index, stage in enumerate(definition.non_qualifying_stages):
        if stage in definition.qualifying_stages:
            yield ("non_qualifying_stages", index), f"{stage!r} is also a qualifying stage", "Keep it in one of the two lists."
    yield from each_of(("reasons",), definition.reasons, REASONS)
    yield from each_of(("disclosure_types",), definition.disclosure_types, DISCLOSURE_TYPES)
    yield from each_of(("source_rank",), definition.source_rank, SOURCE_KINDS)
    yield from _ruling_problems(definition)
    for index, filing in enumerate(definition.filing):
        yield from one_of(("filing", index, "source"), filing.source, REGISTERS)
        if not filing.form.strip():
            yield ("filing", index, "form"), "is empty", "Name a form, such as 8-K."
        if not 1 <= filing.most <= 50:
            yield ("filing", index, "most"), f"{filing.most} is not from 1 to 50", "Give how many filings are read."
    for index, rule in enumerate(definition.route):
        path: Path_ = ("route", index)
        yield from one_of((*path, "route"), rule.route, tuple(r.value for r in Route))
        yield from each_of((*path, "status"), rule.status, tuple(s.value for s in Status))
        yield from each_of((*path, "package"), rule.package, tuple(p.value for p in Package))
        yield from each_of((*path, "codes"), rule.codes, CODES)
        for key in ("min_confidence", "max_confidence"):
            value = getattr(rule, key)
            if value is not None and not 0 <= value <= 1:
                yield (*path, key), f"{value} is not between 0 and 1", "Give a confidence from 0 to 1."
    yield from _acceptance(definition)


def _ruling_problems(definition: EventDefinition) -> Iterator[Problem]:
    """A ruling acts through its cases or because code asks for it by name; one that does neither is a fault."""
    for name, allowed in RULING_VALUES.items():
        if name not in definition.rulings:
            yield ("rulings", name), "ruling is missing", f"Add [rulings.{name}] with value and text."
        else:
            yield from one_of(("rulings", name, "value"), definition.rulings[name].value, allowed)
    for name, ruling in definition.rulings.items():
        path: Path_ = ("rulings", name)
        if name not in RULING_VALUES:
            if not ruling.case:
                yield path, "no code asks for this ruling", f"Give it a case, or use one of: {', '.join(sorted(RULING_VALUES))}."
            own = REASONS if ruling.gives_reason else (*ruling.refused_by, *ruling.admitted_by)
            yield from one_of((*path, "value"), ruling.value, own)
        elif not ruling.case and name not in ASKED:
            yield path, "has no case, so its value changes nothing", "Add a case: the passages that it decides about."
        elif ruling.case and not ruling.gives_reason:
            for key in ("refused_by", "admitted_by"):
                yield from each_of((*path, key), getattr(ruling, key), RULING_VALUES[name])
        for index, case in enumerate(ruling.case):
            yield from _case_problems((*path, "case", index), case, ruling)


def _case_problems(path: Path_, case: Case, ruling: Ruling) -> Iterator[Problem]:
    yield from each_of((*path, "stage"), case.stage, tuple(s.value for s in Stage))
    yield from each_of((*path, "modality"), case.modality, tuple(m.value for m in Modality))
    yield from each_of((*path, "actor"), case.actor, (*ACTOR_FAMILIES, "none"))
    yield from each_of((*path, "source"), case.source, (*SOURCE_KINDS, "court"))
    yield from each_of((*path, "reason"), case.reason, REASONS)
    yield from one_of((*path, "within"), case.within, WITHIN)
    known = {"object", *(f"{table}.{name}" for table, names in LEXICON_KEYS.items() for name in names)}
    for index, family in enumerate(case.family):
        if family not in known:
            yield (*path, "family", index), f"unknown family {family!r}", "Name a lexicon family, such as reason.transfer."
    if bool(case.reason) is not ruling.gives_reason:
        yield path, "the other cases of this ruling name a reason", "Name a reason in all cases of a ruling or in none."


def _acceptance(definition: EventDefinition) -> Iterator[Problem]:
    """Nothing may be accepted without a look at its status, its proof and its coverage."""
    if not definition.route:
        yield ("route",), "the routing table is empty", "Add at least one [[route]] with route and reason."
    for index, rule in enumerate(definition.route):
        if rule.route != Route.ACCEPT.value:
            continue
        for key in ("status", "package", "coverage_sufficient"):
            if not getattr(rule, key):
                yield (
                    ("route", index, key),
                    "a rule that accepts must set this condition",
                    'As in status = ["no"].',
                )


def lexicon_problems(lexicon: Lexicon, stem: str) -> Iterator[Problem]:
    """Faults of one lexicon file; its name without suffix is `stem`."""
    yield from _language(lexicon.language, stem)
    for table, names in LEXICON_KEYS.items():
        for name in getattr(lexicon, table):
            if name not in names:
                yield (table, name), "unknown family", f"Use one of: {', '.join(names)}."
    for index, word in enumerate(lexicon.query):
        if not word.strip():
            yield ("query", index), "is empty", "Remove it."


def date_problems(dates: DateLexicon, stem: str) -> Iterator[Problem]:
    """Faults of one file of date cues; its name without suffix is `stem`."""
    yield from _language(dates.language, stem)
    for index, cue in enumerate(dates.cue):
        yield from one_of(("cue", index, "kind"), cue.kind, tuple(k.value for k in DateKind))
        yield from one_of(("cue", index, "side"), cue.side, CUE_SIDES)
        if cue.within <= 0:
            yield ("cue", index, "within"), f"{cue.within} is not a distance", "Give a number of characters above 0."


def _language(language: str, stem: str) -> Iterator[Problem]:
    yield from one_of(("language",), language, LANGUAGES)
    if language != stem:
        yield ("language",), f"is {language!r} in the file {stem}.toml", "Name the file after its language."


def venue_problems(venue: Venue, stem: str) -> Iterator[Problem]:
    """Faults of one venue file; its name without suffix is `stem`."""
    if not _MIC.fullmatch(venue.mic):
        yield ("mic",), f"{venue.mic!r} is not a market identifier code", "Four capital letters or digits (ISO 10383)."
    if venue.mic.lower() != stem:
        yield ("mic",), f"is {venue.mic!r} in the file {stem}.toml", f"Name the file {venue.mic.lower()}.toml."
    if not _COUNTRY.fullmatch(venue.country):
        yield ("country",), f"{venue.country!r} is not a country code", "Two capital letters (ISO 3166-1)."
    if not venue.languages:
        yield ("languages",), "is empty", "Name at least one language."
    yield from each_of(("languages",), venue.languages, LANGUAGES)
    yield from one_of(("date_order",), venue.date_order, DATE_ORDERS)
    try:
        ZoneInfo(venue.timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a name that is a folder of the database raises OSError
        yield ("timezone",), f"unknown time zone {venue.timezone!r}", "Use a name of the tz database, such as Europe/Paris."
    for index, source in enumerate(venue.official):
        yield from one_of(("official", index, "kind"), source.kind, OFFICIAL_KINDS)
        if not _DOMAIN.fullmatch(source.domain):
            yield ("official", index, "domain"), f"{source.domain!r} is not a domain", "Lower case, without https:// and www."
    for key in ("aliases", "city_aliases", "former_names", "regions", "segments", "terms"):
        for index, text in enumerate(getattr(venue, key)):
            if not text.strip():
                yield (key, index), "is empty", "Remove it."


def venues_problems(venues: Mapping[str, Venue]) -> Iterator[tuple[str, Path_, str, str]]:
    """Faults between venues (by file name): a code twice, a name of two venues, a reference to a venue that is not there."""
    by_mic: dict[str, str] = {}
    for file, venue in venues.items():
        if (other := by_mic.setdefault(venue.mic, file)) != file:
            yield file, ("mic",), f"{venue.mic} is also in {other}", "One file per venue."
    names: dict[str, str] = {}
    for file, venue in venues.items():
        for path, text in _names(venue):
            folded = unicodedata.normalize("NFKC", text).lower()
            other = names.setdefault(folded, file)
            if other != file and max(map(len, folded.split()), default=0) > _ABBREVIATION:
                yield file, path, f"{text!r} is also a name of {other}", "A name must point to one venue; use the longer form."
        for index, mic in enumerate(venue.related_mics):
            if mic not in by_mic:
                yield file, ("related_mics", index), f"no venue {mic}", f"Add venues/{mic.lower()}.toml or remove it."
        if venue.operating_mic and not _MIC.fullmatch(venue.operating_mic):
            yield file, ("operating_mic",), f"{venue.operating_mic!r} is not a market identifier code", "Four capital letters or digits."
        for index, mic in enumerate(venue.segment_mics):
            if not _MIC.fullmatch(mic):
                yield file, ("segment_mics", index), f"{mic!r} is not a market identifier code", "Four capital letters or digits."
            elif (other := by_mic.setdefault(mic, file)) != file:
                yield file, ("segment_mics", index), f"{mic} is also in {other}", "A code belongs to one venue."


def _names(venue: Venue) -> Iterator[tuple[Path_, str]]:
    yield ("name",), venue.name
    for key in ("aliases", "former_names"):
        for index, text in enumerate(getattr(venue, key)):
            yield (key, index), text


def source_problems(rules: Iterable[SourceRule], voices: Iterable[Voice] = ()) -> Iterator[Problem]:
    """Faults of sources.toml."""
    for index, voice in enumerate(voices):
        yield from one_of(("voice", index, "kind"), voice.kind, SOURCE_KINDS)
    seen: dict[str, int] = {}
    for index, rule in enumerate(rules):
        path: Path_ = ("source", index)
        yield from one_of((*path, "kind"), rule.kind, SOURCE_KINDS)
        if bool(rule.domain) == bool(rule.pattern):
            yield path, "needs either domain or pattern", "Give exactly one of the two."
        if rule.domain and not _DOMAIN.fullmatch(rule.domain):
            yield (*path, "domain"), f"{rule.domain!r} is not a domain", "Lower case, without https:// and www."
        if rule.domain and (first := seen.setdefault(rule.domain, index)) != index:
            yield (*path, "domain"), f"{rule.domain!r} is already source[{first}]", "Remove one of the two."
