"""The features of a risk model, each with its meaning; numbers are computed from `Judged` alone."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from s2r.models import Status
from s2r.risk.judged import Judged

REVISION = 1  # to be raised when a feature is computed in another way under the same words
LEAST_FAMILIES = 10  # of a market or language to get a column of its own
OFFICIAL = frozenset({"exchange", "regulator", "filing"})
PRESS = frozenset({"wire", "press"})


@dataclass(frozen=True, slots=True)
class Feature:
    """One number of a record. `published`: one of the seven of the published study."""

    name: str
    meaning: str
    of: Callable[[Judged], float]
    published: bool = False


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


FEATURES: tuple[Feature, ...] = (
    Feature("confidence", "confidence that the adjudicator states", lambda j: j.confidence, published=True),
    Feature("schema_valid", "1 when the answer has all that its form asks for", lambda j: float(j.valid), published=True),
    Feature("abstained", "1 when no answer was given", lambda j: float(j.status == Status.ABSTAIN.value), published=True),
    Feature("citations", "log of 1 + quotes given", lambda j: math.log1p(j.quotes), published=True),
    Feature("latency", "log of 1 + seconds that the row took", lambda j: math.log1p(j.latency_s), published=True),
    Feature("answer_length", "log of 1 + characters of the answer", lambda j: math.log1p(j.answer_chars), published=True),
    Feature("searches", "log of 1 + search requests", lambda j: math.log1p(j.searches), published=True),
    Feature("answered_yes", "1 when the answer is yes", lambda j: float(j.status == Status.YES.value)),
    Feature("cited_pages", "log of 1 + pages quoted", lambda j: math.log1p(j.cited_pages)),
    Feature("cited_sites", "log of 1 + sites quoted", lambda j: math.log1p(j.cited_sites)),
    Feature("exact_quotes", "share of the quotes that stand to the letter", lambda j: _share(j.exact_quotes, j.quotes)),
    Feature("package_fail", "1 when the evidence audit failed", lambda j: float(j.package == "fail")),
    Feature("package_open", "1 when the evidence could not be verified", lambda j: float(j.package == "unverifiable")),
    Feature("checks_passed", "share of the checks that passed", lambda j: _share(j.checks_passed, _checks(j))),
    Feature("checks_failed", "log of 1 + checks that failed", lambda j: math.log1p(j.checks_failed)),
    Feature(
        "agreement",
        "1 rules and model agree, each with its proof; -1 some judge contradicts the answer; 0 neither",
        lambda j: float(j.agreement),
    ),
    Feature("from_official", "1 when a page of an exchange, regulator or register is quoted", lambda j: _any(j, OFFICIAL)),
    Feature("from_issuer", "1 when a page of the issuer is quoted", lambda j: _any(j, frozenset({"issuer"}))),
    Feature("from_press", "1 when a wire or the press is quoted", lambda j: _any(j, PRESS)),
    Feature("dates", "log of 1 + distinct announcement days that qualifying passages give", lambda j: math.log1p(j.dates)),
    Feature("date_spread", "log of 1 + days between the first and last of them", lambda j: math.log1p(j.date_spread)),
    Feature("conflicts", "log of 1 + contradictions between sources", lambda j: math.log1p(j.conflicts)),
    Feature("pages_read", "log of 1 + pages read", lambda j: math.log1p(j.pages_read)),
    Feature("pages_relevant", "share of the pages read that name the issuer", lambda j: _share(j.pages_relevant, j.pages_read)),
    Feature("gaps", "log of 1 + pages and searches that could not be had", lambda j: math.log1p(j.gaps)),
    Feature("providers_failed", "search providers that failed", lambda j: float(j.providers_failed)),
    Feature("coverage_met", "1 when the search met the coverage rule", lambda j: float(j.sufficient)),
    Feature("languages_asked", "languages of the queries", lambda j: float(j.languages_asked)),
)
BY_NAME = {feature.name: feature for feature in FEATURES}
KINDS: dict[str, Callable[[Judged], str]] = {"market": lambda j: j.market, "language": lambda j: j.language}
KIND_MEANING = {"market": "1 when the listing's market is {level}", "language": "1 when the quotes are in {level}"}


def _checks(j: Judged) -> int:
    return j.checks_passed + j.checks_failed + j.checks_open


def _any(j: Judged, kinds: frozenset[str]) -> float:
    return float(bool(j.source_kinds & kinds))


def feature_set() -> str:
    """Digest of the names and meanings of all features; a model fitted on another set is refused."""
    lines = [str(REVISION), *(f"{f.name}\t{f.meaning}" for f in FEATURES), *(f"{kind}\t{text}" for kind, text in KIND_MEANING.items())]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def choose_columns(rows: Sequence[Judged], families: Sequence[str], without: Iterable[str] = ()) -> tuple[str, ...]:
    """Columns of a model that is fitted on `rows`: all features but those left out, then "market=XNAS" and the like for each level
    that at least LEAST_FAMILIES issuer families have."""
    left = frozenset(without)
    columns = [feature.name for feature in FEATURES if feature.name not in left]
    for kind, level_of in KINDS.items():
        if kind in left:
            continue
        pairs = {(level_of(row), family) for row, family in zip(rows, families, strict=True)}
        counts = Counter(level for level, _ in pairs if level)
        columns += [f"{kind}={level}" for level, count in sorted(counts.items()) if count >= LEAST_FAMILIES]
    return tuple(columns)


def vector(row: Judged, columns: Sequence[str]) -> tuple[float, ...]:
    """The numbers of a record in the order of `columns`."""
    return tuple(_value(row, column) for column in columns)


def _value(row: Judged, column: str) -> float:
    kind, is_level, level = column.partition("=")
    return float(KINDS[kind](row) == level) if is_level else BY_NAME[kind].of(row)


def is_column(column: str) -> bool:
    """Whether this version knows the column."""
    kind, is_level, level = column.partition("=")
    return (kind in KINDS and bool(level)) if is_level else kind in BY_NAME


def meaning(column: str) -> str:
    """What a column says, in words."""
    kind, is_level, level = column.partition("=")
    return KIND_MEANING[kind].format(level=level) if is_level else BY_NAME[kind].meaning
