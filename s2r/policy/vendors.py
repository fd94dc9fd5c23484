"""`policies/vendors/<name>.toml`: how one vendor's feed is read and compared. Nothing of it decides a record."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from pydantic import Field

from s2r.errors import PolicyError
from s2r.models.listing import Frozen
from s2r.policy.lines import Path_
from s2r.policy.load import PolicyFault, parse_file
from s2r.policy.structure import Problem, each_of, one_of
from s2r.policy.types import REASONS

FOLDER = "vendors"
TEXT_COLUMNS = ("issuer", "former_name", "security", "security_type", "ticker", "mic", "venue", "country", "isin", "lei", "cik")
DATE_COLUMNS = ("announced", "effective", "last_trading", "filing", "letter", "decision", "suspension", "as_of")
OTHER_COLUMNS = ("row", "code", "reason")
COLUMNS = (*TEXT_COLUMNS, *DATE_COLUMNS, *OTHER_COLUMNS)
KEY_FIELDS = ("isin", "mic", "venue", "ticker", "cik", "lei", "issuer", "class", "country", "date")
STRONG_KEYS = ("isin", "ticker", "cik", "lei", "issuer")  # a key without one of them names no company
SAYS = ("event", "pending", "no_event", "ignored")
SILENCE = ("no_event", "unknown")
KINDS = (
    "match", "confirmed_no_event", "missing_in_vendor", "vendor_only", "stale", "wrong_date", "wrong_reason", "wrong_listing", "unresolved",
)  # fmt: skip
NAMES = ("challenge", "accept")

_TOKENS = re.compile(r"YYYY|MMMM|MMM|MM|M|DD|D|hh|mm|ss")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,40}")
_RANGE = re.compile(r"(\d{1,9})-(\d{1,9})")


class VendorCode(Frozen):
    """What a code of the vendor says. `says`: event (the listing has ended), pending (a step before that), no_event (the listing
    goes on) or ignored (the row is about something else). `reason`: those of ours that it can stand for; none: it gives no reason."""

    says: str = "event"
    reason: tuple[str, ...] = ()
    text: str = ""


class VendorKey(Frozen):
    """Fields that together name a listing; `date` is the vendor's date within `days` of a dated statement of the record, for names and
    tickers that are used again."""

    fields: tuple[str, ...]
    days: int = Field(400, ge=0)


class Tolerance(Frozen):
    """What still counts as the same. `days`: between our date and the vendor's; `kind_days`: between the vendor's date and a dated
    statement that explains it; `lag_days`: that the vendor may take to deliver an event; `reject_share`: of rows that may be unreadable."""

    days: int = Field(0, ge=0)
    kind_days: int = Field(0, ge=0)
    lag_days: int = Field(0, ge=0)
    reject_share: float = Field(0.02, ge=0, le=1)


class Effort(Frozen):
    """Minutes that a person takes for one challenge, by kind where they differ, and what an hour costs in USD."""

    minutes: float = Field(10.0, ge=0)
    minutes_by_kind: dict[str, float] = Field(default_factory=dict)
    usd_per_hour: float = Field(90.0, ge=0)


class VendorFormat(Frozen):
    """One vendor's feed. `columns`: our field -> the vendor's column, or several of which the first filled one counts; `optional`:
    columns that may be absent; `dates`: date forms by field ("default" for the rest), of which a file uses one per column; `unique`: our
    fields that no two rows may share; `mics`: the vendor's codes of exchanges; `silence`: what it means when a listing has no row."""

    name: str
    title: str
    event: str = "delisting"
    like: str = ""  # a file of this folder whose tables are taken over where this one has none
    columns: dict[str, str | tuple[str, ...]]
    optional: tuple[str, ...] = ()
    dates: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    empty: tuple[str, ...] = ()
    key: tuple[VendorKey, ...]
    unique: tuple[str, ...] = ()
    codes: dict[str, VendorCode] = Field(default_factory=dict)
    reasons: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    mics: dict[str, str] = Field(default_factory=dict)
    silence: str = "no_event"
    former_names: str = "challenge"
    tolerance: Tolerance = Tolerance()
    effort: Effort = Effort()
    note: str = ""

    def columns_of(self, field: str) -> tuple[str, ...]:
        """The vendor's columns of one of our fields, best first."""
        given = self.columns.get(field, ())
        return (given,) if isinstance(given, str) else given

    def date_forms(self, field: str) -> tuple[str, ...]:
        """Date forms of a field."""
        return self.dates.get(field) or self.dates.get("default", ("YYYY-MM-DD",))

    def code(self, text: str) -> VendorCode | None:
        """What a code says: itself, else the narrowest range of numbers that holds it, else the entry `*`."""
        if (known := self.codes.get(text)) is not None:
            return known
        if text.isascii() and text.isdigit():
            spans = [(int(m[2]) - int(m[1]), code) for name, code in self.codes.items() if (m := _RANGE.fullmatch(name))
                     and int(m[1]) <= int(text) <= int(m[2])]  # fmt: skip
            if spans:
                return min(spans, key=lambda item: item[0])[1]
        return self.codes.get("*")


def vendor_names(root: Path) -> tuple[str, ...]:
    """Names of the vendor files of a policies folder, sorted."""
    return tuple(sorted(path.stem for path in (root / FOLDER).glob("*.toml")))


def load_vendor(name: str, root: Path) -> VendorFormat:
    """Load `vendors/<name>.toml`; raise `PolicyError` with its first fault, or naming the files that there are."""
    known = vendor_names(root)
    if name not in known:
        advice = f"Known: {', '.join(known) or 'none'}. Write {(root / FOLDER / 'NAME.toml').as_posix()} for another feed."
        lacking = f"no vendor file {name!r}" if name else "which vendor file reads the feed is not given (--as)"
        raise PolicyError(lacking, subject=f"--as {name}" if name else "--as", advice=advice)
    faults: list[PolicyFault] = []
    loaded = _read(name, root, faults)
    if faults or loaded is None:
        raise faults[0].error(root)
    return loaded


def vendor_faults(root: Path) -> list[PolicyFault]:
    """Every fault of the vendor files."""
    faults: list[PolicyFault] = []
    for name in vendor_names(root):
        _read(name, root, faults)
    return faults


def _read(name: str, root: Path, faults: list[PolicyFault]) -> VendorFormat | None:
    relative = f"{FOLDER}/{name}.toml"
    content = (root / relative).read_bytes()

    def problems(given: VendorFormat) -> Iterator[Problem]:
        yield from vendor_problems(given, name)
        if given.like and given.like not in vendor_names(root):
            yield ("like",), f"no vendor file {given.like!r}", f"Use one of: {', '.join(vendor_names(root))}."

    return parse_file(VendorFormat, relative, content, faults, problems, base=lambda data: _base(data, root))


def _base(data: dict[str, Any], root: Path) -> dict[str, Any]:
    """Tables of the file named by `like`; one that cannot be read gives nothing (`vendor_problems` says so)."""
    like = data.get("like")
    path = root / FOLDER / f"{like}.toml"
    if not isinstance(like, str) or not _NAME.fullmatch(like) or not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
    return {key: value for key, value in found.items() if key not in ("name", "title", "like", "note")}


def vendor_problems(given: VendorFormat, stem: str) -> Iterator[Problem]:
    """Faults of a vendor file beyond its types."""
    if given.name != stem:
        yield ("name",), f"{given.name!r} is not the file name {stem!r}", "Name the file after the vendor."
    yield from one_of(("silence",), given.silence, SILENCE)
    yield from one_of(("former_names",), given.former_names, NAMES)
    for field in given.columns:
        yield from one_of(("columns", field), field, COLUMNS)
    if not any(given.columns_of(field) for field in ("announced", "effective", "last_trading", "filing", "decision")):
        yield ("columns",), "no column holds a date", "Map one of announced, effective, last_trading, filing or decision."
    mapped = {column for field in given.columns for column in given.columns_of(field)}
    for index, column in enumerate(given.optional):
        if column not in mapped:
            yield ("optional", index), f"{column!r} is no column of [columns]", "Remove it, or map it."
    for kind in given.effort.minutes_by_kind:
        yield from one_of(("effort", "minutes_by_kind", kind), kind, KINDS)
    yield from _key_problems(given)
    yield from _date_problems(given)
    yield from _code_problems(given)


def _key_problems(given: VendorFormat) -> Iterator[Problem]:
    if not given.key:
        yield ("key",), "there is no key", 'Add [[key]] fields = ["isin", "mic"], or what names a listing in this feed.'
    for index, key in enumerate(given.key):
        path: Path_ = ("key", index, "fields")
        yield from each_of(path, key.fields, KEY_FIELDS)
        if not set(key.fields) & set(STRONG_KEYS):
            yield path, "names no company or security", f"Add one of: {', '.join(STRONG_KEYS)}."
        for at, field in enumerate(key.fields):
            if field in KEY_FIELDS and not _has_key_field(given, field):
                yield (*path, at), f"{field!r} has no column", f"Map {field!r} in [columns], or leave it out."
    for index, field in enumerate(given.unique):
        if not given.columns_of(field):
            yield ("unique", index), f"{field!r} has no column", "Map it in [columns]."


def _has_key_field(given: VendorFormat, field: str) -> bool:
    needed = {"mic": ("mic", "venue"), "venue": ("mic", "venue"), "class": ("security", "security_type"), "date": DATE_COLUMNS}
    return any(given.columns_of(name) for name in needed.get(field, (field,)))


def _date_problems(given: VendorFormat) -> Iterator[Problem]:
    for field, forms in given.dates.items():
        yield from one_of(("dates", field), field, (*DATE_COLUMNS, "default"))
        for index, form in enumerate(forms):
            if problem := form_problem(form):
                yield ("dates", field, index), problem, "Write it like YYYY-MM-DD, DD/MM/YYYY, D MMM YYYY or YYYYMMDD."
        for (at, one), (other_at, other) in combinations(enumerate(forms), 2):
            if not form_problem(one) and not form_problem(other) and at != other_at and shape_of(one) == shape_of(other):
                yield ("dates", field, other_at), f"{other} and {one} cannot be told apart", "Keep the one that the feed uses."


def _code_problems(given: VendorFormat) -> Iterator[Problem]:
    if given.codes and not given.columns_of("code"):
        yield ("codes",), "there is no column for codes", "Map code in [columns]."
    if given.columns_of("code") and not given.codes:
        yield ("columns", "code"), "no code is listed", 'Add [codes] with what each says, or "*" for all.'
    for name, code in given.codes.items():
        yield from one_of(("codes", name, "says"), code.says, SAYS)
        yield from each_of(("codes", name, "reason"), code.reason, REASONS)
        if (span := _RANGE.fullmatch(name)) and int(span[1]) > int(span[2]):
            yield ("codes", name), "the range runs backwards", "Write the smaller number first."
    if given.reasons and not given.columns_of("reason"):
        yield ("reasons",), "there is no column for reasons", "Map reason in [columns]."
    for name, reasons in given.reasons.items():
        yield from each_of(("reasons", name), reasons, REASONS)
    for name, mic in given.mics.items():
        if not re.fullmatch(r"[A-Z0-9]{4}", mic):
            yield ("mics", name), f"{mic!r} is not a market identifier code", "Four capital letters or digits."


def form_problem(form: str) -> str:
    """What is wrong with a date form, "" when nothing is."""
    found = _TOKENS.findall(form)
    rest = _TOKENS.sub("", form)
    if any(c.isalnum() for c in rest.replace("T", "").replace("Z", "")):
        return f"{form!r} is no form of a date"
    kinds = sorted(token[0] for token in found if token[0] in "YMD")
    if kinds != ["D", "M", "Y"] or len(set(found)) != len(found):
        return f"{form!r} needs one year (YYYY), one month and one day"
    return ""


def shape_of(form: str) -> str:
    """A form without the difference of day and month in figures: two forms of one shape fit the same cells."""
    alike = {"MMMM": "w", "MMM": "w", "MM": "n", "M": "n", "DD": "n", "D": "n"}
    return _TOKENS.sub(lambda match: alike.get(match[0], match[0]), form)
