"""Which listing a row of the feed is about: its keys in the order of the policy, with names, classes and venues that must not disagree."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from s2r import adjudicate
from s2r.adjudicate.rules.securities import CLASSES_OF_TYPE, designators
from s2r.lang.text import fold
from s2r.models import Listing, Record, Status
from s2r.policy import Policy
from s2r.policy.vendors import VendorFormat, VendorKey
from s2r.vendor.book import Book
from s2r.vendor.feed import has_field
from s2r.vendor.names import Relation, name_words, relation
from s2r.vendor.types import VendorRow

RARE = 50  # issuers that share a word
OF_LISTING = ("issuer", "security", "security_type", "ticker", "mic", "isin", "lei", "cik")
Former = Callable[[Record, str], bool]  # whether the evidence of a record says that a name is a former one of its issuer
# kinds of days that a procedure has: a vendor's date that is one of them belongs to the listing, whatever else happened that day
OF_PROCEDURE = frozenset({"effective", "last_trading", "filing", "letter", "decision", "meeting", "deadline", "record"})


@dataclass(frozen=True, slots=True)
class Subject:
    """What matching needs of a record, which is read again when more is asked for (`load`)."""

    row_id: str
    listing: Listing
    status: Status
    announced: dt.date | None
    classes: frozenset[str]
    marks: dict[str, frozenset[str]]
    days: tuple[dt.date, ...]  # of statements about this listing
    own_days: tuple[dt.date, ...]  # of the steps of its event
    load: Callable[[], Record]

    @property
    def record(self) -> Record:
        """The whole record."""
        return self.load()


@dataclass(frozen=True, slots=True)
class Fit:
    """A row and the record that it is about. `by` is the key that found it; `name` how its name stands to the issuer's."""

    row: VendorRow
    subject: Subject
    by: str
    name: Relation


@dataclass
class Matching:
    """All rows of a feed placed: by row id of the record, in doubt (with the records that it could be), or outside of the universe."""

    fits: dict[str, list[Fit]] = field(default_factory=lambda: defaultdict(list))
    doubtful: list[tuple[VendorRow, tuple[Subject, ...]]] = field(default_factory=list)
    outside: list[VendorRow] = field(default_factory=list)


class Identities:
    """The records of a run, found by the keys of a vendor."""

    def __init__(self, records: Book, given: VendorFormat, policy: Policy, former: Former) -> None:
        self.subjects = tuple(make_subject(record, partial(records.again, n), policy) for n, record in enumerate(records))
        self._given, self._policy, self._former = given, policy, former

    def place(self, rows: Iterable[VendorRow]) -> Matching:
        """Place every row."""
        done = Matching()
        for row in rows:
            found = self.find(row)
            if found and all(same_listing(fit.subject.listing, found[0].subject.listing) for fit in found):
                for fit in found:  # one listing, audited at several cutoffs
                    done.fits[fit.subject.row_id].append(fit)
            elif found:
                done.doubtful.append((row, tuple(fit.subject for fit in found)))
            else:
                done.outside.append(row)
        return done

    def find(self, row: VendorRow) -> list[Fit]:
        """The records of the first key under which there are any; several when they cannot be told apart."""
        for key in self._given.key:
            if not all(has_field(row, name) for name in key.fields):
                continue
            fits = [fit for subject in self._near(row, key) if (fit := self._fit(row, subject, key)) is not None]
            if len(fits) > 1:
                fits = self._nearest(row, fits)
            if fits:
                return fits
        return []

    def _near(self, row: VendorRow, key: VendorKey) -> Sequence[Subject]:
        """Records that share the most telling field of the key."""
        for name in ("isin", "cik", "lei", "ticker"):
            if name in key.fields:
                return self._by[name].get(normal(name, getattr(row, name)), ())
        return self.named(row.issuer)

    def named(self, name: str) -> Sequence[Subject]:
        """Records whose issuer shares a word with a name; only these can be the same company. A word that many issuers have ("holdings") is
        asked for only when the name has no rarer one."""
        lists = sorted((self._words[word] for word in name_words(name) if word in self._words), key=len)
        found = {id(subject): subject for n, known in enumerate(lists) if n == 0 or len(known) <= RARE for subject in known}
        return tuple(found.values())

    @cached_property
    def _words(self) -> dict[str, list[Subject]]:
        table: dict[str, list[Subject]] = defaultdict(list)
        for subject in self.subjects:
            for word in name_words(subject.listing.issuer):
                table[word].append(subject)
        return table

    @cached_property
    def _by(self) -> dict[str, dict[str, list[Subject]]]:
        found: dict[str, dict[str, list[Subject]]] = {name: defaultdict(list) for name in ("isin", "cik", "lei", "ticker")}
        for subject in self.subjects:
            for name, table in found.items():
                if value := normal(name, getattr(subject.listing, name)):
                    table[value].append(subject)
        return found

    def _fit(self, row: VendorRow, subject: Subject, key: VendorKey) -> Fit | None:
        by = "+".join(key.fields)
        name = relation(row.issuer, subject.listing.issuer)
        if name is Relation.OTHER and self._former(subject.load(), row.issuer):
            name = Relation.FORMER
        for part in key.fields:
            if part == "date" and not self._in_time(row, subject, key, name):
                return None
            if part == "issuer" and name not in (Relation.SAME, Relation.FORMER):
                return None
            if part == "class" and not self.same_class(row, subject, stated=True):
                return None
            if part in ("mic", "venue") and not same_venue(row.mic, subject.listing.mic, self._policy):
                return None
            if part in ("isin", "cik", "lei", "ticker", "country") and normal(part, getattr(row, part)) != normal(
                part, getattr(subject.listing, part)
            ):
                return None
        if "isin" not in key.fields and (name is Relation.OTHER or not self.same_class(row, subject) or self._other_isin(row, subject)):
            return None  # a ticker that was used before, another class under one symbol
        return Fit(row, subject, by, name)

    def _other_isin(self, row: VendorRow, subject: Subject) -> bool:
        """Both have an ISIN and these differ; a renamed or split line gets a new one, so a name that agrees is believed over it."""
        mine = subject.listing.isin
        return bool(row.isin and mine and row.isin != mine) and relation(row.issuer, subject.listing.issuer) is not Relation.SAME

    def _in_time(self, row: VendorRow, subject: Subject, key: VendorKey, name: Relation) -> bool:
        day = row.day
        if day is None:
            return False
        if not subject.days:
            return name in (Relation.SAME, Relation.FORMER)
        return min(abs((day - known).days) for known in subject.days) <= key.days or name in (Relation.SAME, Relation.FORMER)

    def same_class(self, row: VendorRow, subject: Subject, *, stated: bool = False) -> bool:
        """Whether the row can be about the class of the listing; with `stated` it must name one."""
        classes, marks = class_of(row.security, row.security_type, row.mic, self._policy)
        if not classes and not marks:
            return not stated
        return fits_class(classes, marks, subject.classes, subject.marks)

    def _nearest(self, row: VendorRow, fits: list[Fit]) -> list[Fit]:
        """Of several records under one key those whose class the row states, then those with the same code of venue, then the same ISIN."""
        stated = [fit for fit in fits if self.same_class(row, fit.subject, stated=True)]
        fits = stated or fits
        fits = [fit for fit in fits if fit.row.mic == fit.subject.listing.mic] or fits
        numbered = [fit for fit in fits if row.isin and fit.subject.listing.isin == row.isin]
        return numbered or fits

    def same_issuer(self, row: VendorRow, subject: Subject) -> bool:
        """Whether the row names the issuer of the record, under any of its names or numbers."""
        listing = subject.listing
        for name in ("isin", "lei", "cik"):
            mine, theirs = normal(name, getattr(listing, name)), normal(name, getattr(row, name))
            if mine and mine == theirs:
                return True
        found = relation(row.issuer, listing.issuer)
        if found is Relation.OTHER and row.ticker and normal("ticker", row.ticker) == normal("ticker", listing.ticker):
            return self._former(subject.load(), row.issuer)
        return found in (Relation.SAME, Relation.FORMER)


def same_listing(one: Listing, other: Listing) -> bool:
    """Whether two rows of the universe are one listing, perhaps at two cutoffs."""
    return all(getattr(one, name) == getattr(other, name) for name in OF_LISTING)


def make_subject(record: Record, load: Callable[[], Record], policy: Policy) -> Subject:
    """A record with its class and the days of the statements about it."""
    listing = record.listing
    classes, marks = class_of(
        f"{listing.security} {listing.ticker if '.' in listing.ticker else ''}", listing.security_type, listing.mic, policy
    )
    days = {day for point in record.timeline if (day := whole_day(point.date))}
    days |= {day for found in record.findings if found.target == "this" and (day := whole_day(found.date))}
    if record.announcement_date:
        days.add(record.announcement_date)
    if record.later_event and (day := whole_day(record.later_event.date)):
        days.add(day)
    own = {day for point in record.timeline if point.kind in OF_PROCEDURE and (day := whole_day(point.date))}
    if record.announcement_date:
        own.add(record.announcement_date)
    return Subject(
        record.row_id, listing, record.status, record.announcement_date, classes, marks, tuple(sorted(days)), tuple(sorted(own)), load
    )


def class_of(security: str, kind: str, mic: str, policy: Policy) -> tuple[frozenset[str], dict[str, frozenset[str]]]:
    """(classes, marks) of a security by its type and the words of its description; none when nothing is said."""
    text = fold(security).text
    venue = policy.venues.get(mic)
    lexis = adjudicate.lexis_for(policy, venue.languages if venue else ())
    named = frozenset(name.removeprefix("security.") for name in lexis.scan(text).named("security.")) if text.strip() else frozenset()
    by_type = CLASSES_OF_TYPE.get(kind.strip().lower(), frozenset())
    marks: dict[str, set[str]] = defaultdict(set)
    for mark in designators(text):
        marks[mark.kind].add(mark.value)
    if named and by_type and not named & by_type:
        by_type = frozenset()
    return (by_type | named if "adr" in named else by_type or named), {kind: frozenset(values) for kind, values in marks.items()}


def fits_class(
    classes: frozenset[str], marks: dict[str, frozenset[str]], own: frozenset[str], own_marks: dict[str, frozenset[str]]
) -> bool:
    """Whether two descriptions can be one class: a class in common, and no coupon, maturity, series or letter that differs."""
    if classes and own and not classes & own:
        return False
    return all(not own_marks.get(kind) or values & own_marks[kind] for kind, values in marks.items())


def same_venue(theirs: str, ours: str, policy: Policy) -> bool:
    """Whether two codes are one venue; a market and its operator's code are."""
    if not theirs or not ours:
        return False
    if theirs == ours:
        return True
    one, other = policy.venues.get(theirs), policy.venues.get(ours)
    return bool((one and one is other) or (one and one.operating_mic == ours) or (other and other.operating_mic == theirs))


def normal(name: str, value: str) -> str:
    """An identifier without differences of form: capitals, leading zeros of numbers, signs in tickers."""
    text = value.strip().upper()
    if name in ("ticker", "cik"):
        text = re.sub(r"[^0-9A-Z\u0080-\uffff]", "", text)
        return text.lstrip("0") if text.isdigit() else text
    return text


def whole_day(value: str) -> dt.date | None:
    """The day of an ISO date; None for a month, a year or nothing."""
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        return None
