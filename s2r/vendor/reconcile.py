"""Every record against what the vendor delivered: one comparison each, with what is wrong, why, and the quotes that show it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from s2r.models import Package, Record, Route, Status
from s2r.policy import Policy
from s2r.policy.vendors import VendorFormat
from s2r.vendor.book import Book
from s2r.vendor.datekind import Story, explain_date
from s2r.vendor.elsewhere import Owner, describe, owner_in_pages, owner_in_run
from s2r.vendor.evidence import Evidence
from s2r.vendor.identity import OF_PROCEDURE, Fit, Identities, Matching, Subject, whole_day
from s2r.vendor.names import Relation
from s2r.vendor.texts import challenge_text, says
from s2r.vendor.types import Comparison, Feed, Kind, Quote, Says, VendorRow

_NO_STORY = {"unknown", "swapped", "none", "other", "birth_or_history"}


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """All comparisons in the order of the records, then those of rows that no record answers; `outside` are rows of the feed about
    listings that are not in the universe."""

    feed: Feed
    comparisons: tuple[Comparison, ...]
    outside: tuple[VendorRow, ...]


def reconcile(records: Book, feed: Feed, given: VendorFormat, policy: Policy, evidence: Evidence) -> Reconciliation:
    """Compare a feed with the records of a run; neither is changed."""
    identities = Identities(records, given, policy, lambda record, name: evidence.former_name(record, name) is not None)
    placed = identities.place(feed.rows)
    broken = identities.place(feed.broken)
    strays = _strays(placed, identities, given)
    doubtful: dict[str, tuple[VendorRow, Sequence[Subject]]] = {}
    for row, rivals in placed.doubtful:
        for rival in rivals:
            doubtful.setdefault(rival.row_id, (row, rivals))
    done = []
    for subject in identities.subjects:
        row_id = subject.row_id
        fits, unread = placed.fits.get(row_id, ()), broken.fits.get(row_id, ())
        case = _Case(subject, subject.load(), fits, strays.get(row_id), unread, doubtful.get(row_id), identities, feed, given, evidence)
        done.append(case.compare())
    told = {id(made.row) for made in done}
    done += [_in_doubt(row, subjects, feed) for row, subjects in placed.doubtful if id(row) not in told]
    taken = {id(row) for row in strays.values()}
    outside = tuple(row for row in placed.outside if id(row) not in taken)
    return Reconciliation(feed, tuple(done), outside)


def _strays(placed: Matching, identities: Identities, given: VendorFormat) -> dict[str, VendorRow]:
    """Rows about no listing of the universe that carry the event of one: same company, same day, another class or venue."""
    found: dict[str, VendorRow] = {}
    for row in placed.outside:
        if row.says is not Says.EVENT or row.day is None:
            continue
        owners = [subject for subject in identities.named(row.issuer) if _could_own(row, subject, placed, identities, given)]
        if len(owners) == 1:
            found.setdefault(owners[0].row_id, row)
    return found


def _could_own(row: VendorRow, subject: Subject, placed: Matching, identities: Identities, given: VendorFormat) -> bool:
    if subject.status is not Status.YES or any(fit.row.says is Says.EVENT for fit in placed.fits.get(subject.row_id, ())):
        return False
    if row.day is None or not subject.own_days or not identities.same_issuer(row, subject):
        return False
    return min(abs((day - row.day).days) for day in subject.own_days) <= given.tolerance.days


def _in_doubt(row: VendorRow, subjects: Sequence[Subject], feed: Feed) -> Comparison:
    """A row whose keys fit several listings."""
    names = "; ".join(f"{s.row_id} ({s.listing.security or s.listing.mic})" for s in subjects[:4])
    return Comparison(
        kind=Kind.UNRESOLVED,
        row=row,
        issuer=row.issuer or subjects[0].listing.issuer,
        security=row.security,
        mic=row.mic,
        vendor_value=vendor_value(row),
        sentence=f"The row of {feed.name} fits {len(subjects)} listings of the universe ({names}); its keys do not tell them apart.",
        holds=False,
    )


@dataclass(frozen=True)
class _Case:
    """One record with the rows of the feed that are about it."""

    subject: Subject
    record: Record
    fits: Sequence[Fit]
    stray: VendorRow | None
    broken: Sequence[Fit]
    doubtful: tuple[VendorRow, Sequence[Subject]] | None  # a row that may be about this listing, and all that it may be about
    identities: Identities
    feed: Feed
    given: VendorFormat
    evidence: Evidence

    def compare(self) -> Comparison:
        """What comes of the comparison."""
        fit = self._event()
        if cause := self._open():
            return self._made(Kind.UNRESOLVED, fit, cause, holds=False)
        if fit is None and self.broken:
            numbers = ", ".join(str(item.row.number) for item in self.broken)
            return self._made(
                Kind.UNRESOLVED, self.broken[0], f"The vendor's row {numbers} cannot be read (see the list of its defects).", holds=False
            )
        if fit is None and self.doubtful is not None:
            row, rivals = self.doubtful
            others = "; ".join(rival.row_id for rival in rivals if rival.row_id != self.record.row_id)
            return self._made(Kind.UNRESOLVED, None, says("in_doubt", row=row.row or row.number, others=others), row=row, holds=False)
        if self.record.status is Status.YES:
            return self._proven(fit)
        return self._none(fit)

    def _open(self) -> str:
        """Why the record decides nothing, "" when it does."""
        record = self.record
        if record.error:
            return f"The audit of this listing failed: {record.error}"
        if record.status is Status.ABSTAIN:
            return f"The audit gives no answer: {record.abstain_reason or record.coverage.statement}"
        if record.package is Package.FAIL:
            return "A proof of the record does not hold against its archived page."
        if record.status is Status.NO and not record.coverage.sufficient:
            return f"The search was not sufficient for a no: {record.coverage.statement}"
        return ""

    def _event(self) -> Fit | None:
        """The row of the vendor's event; of several the one with an announcement date, then the earliest."""
        events = [fit for fit in self.fits if fit.row.says is Says.EVENT]
        return min(events, key=lambda f: (f.row.announced is None, f.row.day or dt.date.max, f.row.number), default=None)

    def _weaker(self) -> Fit | None:
        """The newest row that says less than an event."""
        rest = [fit for fit in self.fits if fit.row.says in (Says.PENDING, Says.NO_EVENT)]
        return max(rest, key=lambda f: (f.row.dates.get("as_of", dt.date.min), f.row.says is Says.PENDING, f.row.number), default=None)

    # ---- a proven event ----

    def _proven(self, fit: Fit | None) -> Comparison:
        record = self.record
        if fit is None:
            return self._without_row()
        quotes = self._proof()
        ours, theirs = record.announcement_date, fit.row.announced
        faults: list[tuple[Kind, str, str, list[Quote]]] = []  # kind, field, sentence, quotes
        date_kind, belongs = "", ""
        if self.feed.has_announced and not self._same_day(ours, theirs):
            if theirs is None:
                date_kind = "none"
                faults.append((Kind.WRONG_DATE, "announcement_date", says("no_date", ours=ours), []))
            elif ours is None:
                return self._undated(fit, theirs)
            else:
                story, owner = self._told(theirs, ours)
                if owner is not None:
                    belongs = owner.words
                    faults.append((Kind.WRONG_LISTING, "listing", says("belongs", day=theirs, owner=owner.words), _some(owner.quote)))
                else:
                    date_kind = story.kind
                    sentence = says("wrong_date", theirs=theirs, ours=ours, story=story.words)
                    faults.append((Kind.WRONG_DATE, "announcement_date", sentence, _some(story.quote)))
        elif not self.feed.has_announced and fit.row.day is not None and (owner := self._told(fit.row.day, ours)[1]) is not None:
            belongs = owner.words
            faults.append((Kind.WRONG_LISTING, "listing", says("belongs", day=fit.row.day, owner=owner.words), _some(owner.quote)))
        if record.reason and fit.row.reasons and record.reason not in fit.row.reasons:
            theirs_text = " or ".join(fit.row.reasons).replace("_", " ")
            sentence = says("wrong_reason", theirs=theirs_text, ours=record.reason.replace("_", " "))
            faults.append((Kind.WRONG_REASON, "reason", sentence, []))
        if fit.name is Relation.FORMER and self.given.former_names == "challenge":
            quote = self.evidence.former_name(record, fit.row.issuer)
            sentence = says("former_name", theirs=fit.row.issuer, ours=record.listing.issuer)
            faults.append((Kind.STALE, "issuer", sentence, _some(quote)))
        if not faults:
            return self._made(Kind.MATCH, fit, says("match"), quotes=quotes)
        kind, field, _, _ = faults[0]
        return self._made(
            kind,
            fit,
            " ".join(sentence for _, _, sentence, _ in faults),
            also=tuple(other for other, _, _, _ in faults[1:]),
            field=field,
            date_kind=date_kind,
            belongs_to=belongs,
            quotes=[*quotes, *(quote for _, _, _, some in faults for quote in some)],
        )

    def _same_day(self, ours: dt.date | None, theirs: dt.date | None) -> bool:
        return ours is not None and theirs is not None and abs((ours - theirs).days) <= self.given.tolerance.days

    def _told(self, theirs: dt.date, ours: dt.date | None) -> tuple[Story, Owner | None]:
        """What the vendor's date is here, or whose event it is."""
        tolerance = self.given.tolerance
        story = explain_date(self.record, theirs, ours, self.evidence, within=tolerance.kind_days)
        if story.kind in OF_PROCEDURE:
            return story, None
        return story, self._owner(theirs)

    def _owner(self, day: dt.date) -> Owner | None:
        tolerance = self.given.tolerance
        run = owner_in_run(day, self.subject, self.identities, tolerance.days)
        return run or owner_in_pages(self.record, day, self.evidence, tolerance.kind_days)

    def _undated(self, fit: Fit, theirs: dt.date) -> Comparison:
        """The day of our disclosure is not proven, perhaps a day that it is not after."""
        bound = next(
            (c.value.removeprefix("../") for c in self.record.claims if c.field == "announcement_date" and c.value.startswith("../")), ""
        )
        latest = whole_day(bound)
        if latest is not None and theirs > latest:
            sentence = says("after_bound", theirs=theirs, latest=latest)
            return self._made(Kind.WRONG_DATE, fit, sentence, field="announcement_date", date_kind="unknown", quotes=self._proof())
        return self._made(Kind.UNRESOLVED, fit, says("undated"), quotes=self._proof(), holds=False)

    def _without_row(self) -> Comparison:
        """Proven, and the vendor has no event."""
        record, quotes = self.record, self._proof()
        day = record.announcement_date
        if self.stray is not None:
            row = self.stray
            mine = record.listing
            belongs = describe(mine.issuer, mine.security, mine.mic, mine.isin, mine.ticker)
            given = describe(row.issuer, row.security, row.mic or row.venue, row.isin, row.ticker)
            sentence = says("stray", given=given, owner=belongs)
            return self._made(Kind.WRONG_LISTING, None, sentence, row=row, field="listing", belongs_to=belongs, quotes=quotes)
        weaker = self._weaker()
        known = self.feed.delivered
        if day is not None and known is not None and (known - day).days < self.given.tolerance.lag_days:
            sentence = says("lag", days=self.given.tolerance.lag_days, day=day, known=known)
            return self._made(Kind.UNRESOLVED, weaker, sentence, quotes=quotes)
        if weaker is not None:
            sentence = says("stale", state=self._state(weaker.row), day=day or says("some_day"))
            return self._made(Kind.STALE, weaker, sentence, field="status", quotes=quotes)
        if self.given.silence == "unknown":
            return self._made(Kind.UNRESOLVED, None, says("silent"), quotes=quotes)
        return self._made(Kind.MISSING, None, says("missing", day=day or says("some_day")), field="status", quotes=quotes)

    def _state(self, row: VendorRow) -> str:
        code = self.given.code(row.code)
        text = code.text if code and code.text else row.code or str(row.says)
        updated = row.dates.get("as_of")
        return f"{text} (updated {updated})" if updated else text

    # ---- no event by the cutoff ----

    def _none(self, fit: Fit | None) -> Comparison:
        record = self.record
        if fit is None:
            return self._made(Kind.CONFIRMED_NO_EVENT, self._weaker(), says("none"))
        day = fit.row.announced or fit.row.day
        later = record.later_event
        if day is not None and day > record.cutoff:
            sentence = says("after_cutoff", day=day, cutoff=record.cutoff)
            return self._made(Kind.CONFIRMED_NO_EVENT, fit, sentence)
        story, owner = Story("none"), None
        if day is not None:
            story = explain_date(
                record, day, whole_day(later.date) if later else None, self.evidence, within=self.given.tolerance.kind_days
            )
            owner = self._owner(day)
            if (owner is not None and owner.part != "listing") or (owner is not None and story.kind in _NO_STORY):
                sentence = says("belongs", day=day, owner=owner.words)
                return self._made(Kind.WRONG_LISTING, fit, sentence, field="listing", belongs_to=owner.words, quotes=_some(owner.quote))
        if later is not None:
            quote = self.evidence.quote("later event", later.quote, later.exhibit, later.url)
            sentence = says("later", theirs=day or says("some_day"), ours=later.date, story=story.words)
            return self._made(
                Kind.WRONG_DATE, fit, sentence, field="announcement_date", date_kind=story.kind, quotes=[quote, *_some(story.quote)],
                our_value=f"disclosed {later.date}, after the cutoff {record.cutoff}",
            )  # fmt: skip
        shown = (
            says("vendor_only_story", day=day, story=story.words)
            if day is not None and story.kind not in _NO_STORY
            else says("vendor_only")
        )
        return self._made(Kind.VENDOR_ONLY, fit, shown, field="status", date_kind=story.kind, quotes=_some(story.quote))

    # ---- what all have ----

    def _proof(self) -> list[Quote]:
        """Quotes of the claims, each once."""
        seen: dict[tuple[str, int, int], Quote] = {}
        for claim in self.record.claims:
            quote = self.evidence.claim(claim)
            key = quote.exhibit, quote.start, quote.end
            if key in seen and quote.start >= 0:
                seen[key] = seen[key].model_copy(update={"about": f"{seen[key].about}, {quote.about}"})
            else:
                seen[key] = quote
        return list(seen.values())

    def _made(
        self,
        kind: Kind,
        fit: Fit | None,
        sentence: str,
        *,
        row: VendorRow | None = None,
        also: tuple[Kind, ...] = (),
        field: str = "",
        date_kind: str = "",
        belongs_to: str = "",
        our_value: str = "",
        quotes: Iterable[Quote] = (),
        holds: bool = True,
    ) -> Comparison:
        record, listing = self.record, self.record.listing
        theirs = fit.row if fit else row
        given = tuple(quotes)
        doubts = self._doubts(kind, given, fit)
        made = Comparison(
            kind=kind,
            row_id=record.row_id,
            row=theirs,
            issuer=listing.issuer,
            security=listing.security,
            mic=listing.mic,
            also=also,
            field=field,
            vendor_value=vendor_value(theirs),
            our_value=our_value or own_value(record),
            date_kind=date_kind,
            belongs_to=belongs_to,
            matched_by=fit.by if fit else "",
            sentence=sentence,
            quotes=given,
            coverage=record.coverage.statement,
            holds=holds and not doubts,
            before_sending=" ".join(doubts),
        )
        return made.model_copy(update={"text": challenge_text(made, record, self.feed)}) if made.challenged else made

    def _doubts(self, kind: Kind, quotes: Sequence[Quote], fit: Fit | None) -> list[str]:
        """What a person should look at before a challenge is sent."""
        record = self.record
        doubts = []
        if record.route is not Route.ACCEPT:
            doubts.append(f"The record is routed to {record.route.value}: {' '.join(record.route_reasons)}")
        if record.package is not Package.PASS:
            doubts.append(f"The evidence package is {record.package.value}.")
        if record.conflicts:
            doubts.append(f"Pages disagree: {record.conflicts[0]}")
        if any(quote.match == "not_found" for quote in quotes):
            doubts.append("A quote was not found in its archived page any more.")
        if fit is not None and fit.name is Relation.OTHER:
            doubts.append(f"The vendor's row was found by {fit.by}, but its name {fit.row.issuer!r} is another one.")
        return doubts


def vendor_value(row: VendorRow | None) -> str:
    """What a row of the feed says, in one line."""
    if row is None:
        return "no row"
    dates = ", ".join(f"{name.replace('_', ' ')} {day}" for name, day in row.dates.items() if name != "as_of")
    reason = row.reason_code or " or ".join(row.reasons)
    return "; ".join(part for part in (row.code or str(row.says), dates, reason) if part)


def own_value(record: Record) -> str:
    """What the record says, in one line."""
    if record.status is not Status.YES:
        return f"{record.status.value} event by {record.cutoff}" if record.status is Status.NO else "no answer"
    day = record.announcement_date.isoformat() if record.announcement_date else "on a day that no page states"
    return "; ".join(part for part in (f"announced {day}", record.reason or "", record.disclosure_type or "") if part)


def _some(quote: Quote | None) -> list[Quote]:
    return [quote] if quote is not None else []
