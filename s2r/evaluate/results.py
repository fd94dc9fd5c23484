"""One gold set, scored: its cases with what each contributes to the measures, in groups, and its changes against pinned cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from s2r.evaluate.dates import Reading, Snippet
from s2r.evaluate.dates import score as score_dates
from s2r.evaluate.gold import Gold
from s2r.evaluate.score import CaseScore, Rate, measures

RECORD_COLUMNS = ("accuracy", "date_exact", "reason")
DATE_COLUMNS = ("value", "value_and_kind", "announcement")


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `rates` are its own share in every measure; `code` says what it got right, "-" for each part that is wrong;
    `fault` describes a miss, "" when there is none."""

    row_id: str
    rates: Mapping[str, Rate]
    groups: Mapping[str, tuple[str, ...]]
    code: str
    fault: str


@dataclass(frozen=True, slots=True)
class SetResult:
    """A scored set; `columns` are the measures shown by group, `unscored` gold rows for which no record came."""

    name: str
    cases: tuple[Case, ...]
    columns: tuple[str, ...]
    unscored: tuple[str, ...] = ()

    @property
    def rates(self) -> dict[str, Rate]:
        """All measures over all cases."""
        return total(self.cases)

    @property
    def codes(self) -> dict[str, str]:
        """Outcome code by case, as it is pinned."""
        return {case.row_id: case.code for case in self.cases}

    def groups(self, name: str) -> dict[str, dict[str, Rate]]:
        """Measures by value of one grouping, sorted; values that only one case has are taken together under one line."""
        found: dict[str, list[Case]] = {}
        for case in self.cases:
            for value in case.groups.get(name, ()):
                found.setdefault(value, []).append(case)
        single = [cases[0] for cases in found.values() if len(cases) == 1]
        if len(single) < 4:
            return {value: total(found[value]) for value in sorted(found)}
        several = {value: total(found[value]) for value in sorted(found) if len(found[value]) > 1}
        alone = {case.row_id: case for case in single}  # a case with two such values is one case
        return several | {f"({len(single)} more, one case each)": total(alone.values())}


@dataclass(frozen=True, slots=True)
class Changes:
    """Cases that came out otherwise than pinned, as "row old>new"; `unknown` were not pinned, `gone` are pinned only."""

    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    unknown: tuple[str, ...] = field(default=())
    gone: tuple[str, ...] = field(default=())


def total(cases: Iterable[Case]) -> dict[str, Rate]:
    """Sum of the shares of all cases, by measure."""
    sums: dict[str, tuple[int, int]] = {}
    for case in cases:
        for name, rate in case.rates.items():
            hits, n = sums.get(name, (0, 0))
            sums[name] = hits + rate.hits, n + rate.n
    return {name: Rate(hits=hits, n=n) for name, (hits, n) in sums.items()}


def of_records(name: str, scores: Sequence[CaseScore], gold: Mapping[str, Gold]) -> SetResult:
    """Result of an audited set."""
    seen = {s.row_id for s in scores}
    return SetResult(name, tuple(_case(s, gold[s.row_id]) for s in scores), RECORD_COLUMNS, tuple(row for row in gold if row not in seen))


def together(name: str, parts: Sequence[SetResult]) -> SetResult:
    """Several sets of one kind as one."""
    cases = tuple(case for part in parts for case in part.cases)
    return SetResult(name, cases, parts[0].columns if parts else (), tuple(row for part in parts for row in part.unscored))


def _case(s: CaseScore, gold: Gold) -> Case:
    missed = not s.status_ok or (s.stratum == "A" and not (s.date_exact and s.reason_ok))
    groups = {"stratum": (gold.stratum,), "region": _some(gold.region), "language": gold.languages, "trap": gold.tags}
    fault = f"{s.row_id} [{s.stratum}] expected {s.expected} | got {s.got} | {s.detail[:200]}" if missed else ""
    return Case(s.row_id, measures([s]), groups, outcome(s), fault)


def _some(value: str) -> tuple[str, ...]:
    return (value,) if value else ()


def outcome(s: CaseScore) -> str:
    """What a record got right, as a short code: S status, then of stratum A also D date exact, R reason."""
    code = "S" if s.status_ok else "-"
    return code + ("D" if s.date_exact else "-") + ("R" if s.reason_ok else "-") if s.stratum == "A" else code


def of_snippets(name: str, pairs: Sequence[tuple[Snippet, Reading]]) -> SetResult:
    """Result of a set of dated snippets; rows without `expected` are left out."""
    return SetResult(name, tuple(_snippet(*pair) for pair in pairs if pair[0].expected is not None), DATE_COLUMNS)


def _snippet(snippet: Snippet, reading: Reading) -> Case:
    """Codes: V all values and precisions right, K all kinds as well, A announcement date, X nothing read that is not expected."""
    s = score_dates([(snippet, reading)])
    read = s.values + s.extra
    rates = {
        "value": Rate(hits=s.values, n=s.expected),
        "value_and_kind": Rate(hits=s.kinds, n=s.expected),
        "announcement": Rate(hits=s.announcements, n=s.rows),
        "row_right": Rate(hits=s.all_right, n=s.rows),
        "extra": Rate(hits=s.extra, n=read),
        "trapped": Rate(hits=s.trapped, n=read),
    }
    right = (("V", s.values == s.expected), ("K", s.kinds == s.expected), ("A", s.announcements == s.rows), ("X", not s.extra))
    code = "".join(letter if good else "-" for letter, good in right)
    language = snippet.context.lang.replace("_", "-").split("-")[0].lower()
    return Case(snippet.id, rates, {"language": _some(language)}, code, "; ".join(s.misses))


def compare(result: SetResult, pinned: Mapping[str, str]) -> Changes:
    """Gains and losses by case against pinned codes; nothing when the set was never pinned."""
    if not pinned:
        return Changes()
    gained: list[str] = []
    lost: list[str] = []
    other: list[str] = []
    for row, new in result.codes.items():
        old = pinned.get(row, new)
        if old != new:
            more = old.count("-") - new.count("-")
            (gained if more > 0 else lost if more < 0 else other).append(f"{row} {old}>{new}")
    unknown = tuple(row for row in result.codes if row not in pinned)
    gone = tuple(row for row in pinned if row not in result.codes)
    return Changes(tuple(gained), tuple(lost), tuple(other), unknown, gone)
