"""Records against rows of a feed: what each pair comes to, without an audit; the records are made by hand over a real archive."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from report_cases import archived, quoted

from s2r.models import Claim, Coverage, Finding, LaterEvent, Listing, Modality, Package, Record, Route, Stage, Status, TimelinePoint
from s2r.policy import Policy
from s2r.policy.vendors import Effort, VendorFormat, load_vendor
from s2r.vendor import Comparison, Feed, Kind, Says, VendorRow, reconcile
from s2r.vendor.book import Pages
from s2r.vendor.evidence import Evidence
from s2r.vendor.names import Relation, relation, says_former
from s2r.vendor.summary import share, summarise

NOTICE_URL = "https://notices.example/2016/17"
NOTICE = """<!doctype html><html lang="en"><head><title>Notice 2016/17</title></head><body><main><h1>Cancellation of listing</h1>
<p>Bristol, 21 January 2016</p><p>The Exchange has today decided to remove the ordinary shares of Marrow &amp; Vale plc from the
official list, as the price stayed below the limit of rule 8.2.</p><p>The letter to the company is dated 18 January 2016.</p>
<p>Trading ends on 28 January 2016. The cancellation takes effect on 29 January 2016.</p>
<p>Marrow &amp; Vale plc was formerly Marrow Collieries plc.</p></main></body></html>"""
OTHER_URL = "https://notices.example/2014/3"
OTHER = """<!doctype html><html lang="en"><head><title>Notice 2014/3</title></head><body><main><h1>Preference shares</h1>
<p>Bristol, 4 March 2014</p><p>The Exchange has removed the 7% preference shares of Marrow &amp; Vale plc, which were redeemed.</p></main></body></html>"""
CUTOFF = dt.date(2020, 12, 31)
DAY = dt.date(2016, 1, 21)


@dataclass(frozen=True)
class World:
    """An archive of two pages and what is needed to compare."""

    root: Path
    pages: Mapping[str, tuple[str, str]]
    given: VendorFormat
    policy: Policy

    def claim(self, field: str, value: str, quote: str) -> Claim:
        """A claim that quotes the notice."""
        return quoted(field, value, quote, NOTICE_URL, *self.pages[NOTICE_URL])

    def point(self, date: str, kind: str, stage: Stage, quote: str) -> TimelinePoint:
        """A dated statement of the notice."""
        digest, text = self.pages[NOTICE_URL]
        assert quote in text
        return TimelinePoint(date=date, kind=kind, stage=stage, source_kind="exchange", url=NOTICE_URL, digest=digest, quote=quote)

    def proven(self, **change: object) -> Record:
        """A record of a proven event."""
        given: dict[str, object] = {
            "status": Status.YES,
            "announcement_date": DAY,
            "reason": "noncompliance",
            "disclosure_type": "exchange_notice",
            "claims": (
                self.claim("status", "yes", "The Exchange has today decided to remove the ordinary shares of Marrow & Vale plc"),
                self.claim("announcement_date", "2016-01-21", "21 January 2016"),
            ),
            "timeline": (
                self.point("2016-01-28", "last_trading", Stage.LAST_TRADING, "Trading ends on 28 January 2016."),
                self.point("2016-01-29", "effective", Stage.REMOVAL, "The cancellation takes effect on 29 January 2016."),
            ),
        }
        return self.none(**(given | change))

    def none(self, **change: object) -> Record:
        """A record that says no."""
        row = Listing.model_validate(
            {"row_id": "R-1", "issuer": "Marrow & Vale plc", "security": "Ordinary shares of 10p", "security_type": "common", "ticker": "MVL",
             "mic": "XLON", "country": "GB", "isin": "GB0002634946", "cutoff": CUTOFF}
        )  # fmt: skip
        given: dict[str, object] = {
            "row_id": "R-1", "listing": row, "event_type": "delisting", "cutoff": CUTOFF, "status": Status.NO, "package": Package.PASS,
            "route": Route.ACCEPT,
            "coverage": Coverage(sufficient=True, statement="9 queries", exhibits=tuple(digest for digest, _ in self.pages.values())),
        }  # fmt: skip
        return Record.model_validate(given | change)

    def compare(
        self, records: Record | list[Record], *rows: VendorRow, given: VendorFormat | None = None, **feed: object
    ) -> list[Comparison]:
        """The comparisons of records with rows."""
        found = Feed.model_validate({"name": "plain", "path": "feed.csv", "rows": rows} | feed)
        book = Pages(records if isinstance(records, list) else [records])
        with Evidence(self.root, self.policy) as evidence:
            return list(reconcile(book, found, given or self.given, self.policy, evidence).comparisons)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, policies: Path, policy: Policy) -> World:
    """Pages in an archive, and the vendor file `plain`."""
    root = tmp_path_factory.mktemp("world")
    pages = archived(root, [(NOTICE_URL, "text/html; charset=utf-8", NOTICE), (OTHER_URL, "text/html; charset=utf-8", OTHER)])
    return World(root, pages, load_vendor("plain", policies), policy)


def row(says: Says = Says.EVENT, announced: dt.date | None = DAY, **change: object) -> VendorRow:
    """The vendor's row of the listing, right unless told otherwise."""
    given: dict[str, object] = {
        "number": 2, "row": "V1", "issuer": "MARROW & VALE PLC", "security": "ORD 10P", "security_type": "common", "ticker": "MVL",
        "mic": "XLON", "isin": "GB0002634946", "says": says, "reasons": ("noncompliance",) if says is Says.EVENT else (),
        "dates": {"announced": announced} if announced else {},
    }  # fmt: skip
    return VendorRow.model_validate(given | change)


CASES: list[tuple[str, dict[str, object], Kind, str]] = [
    ("all agrees", {}, Kind.MATCH, ""),
    ("effective day", {"announced": dt.date(2016, 1, 29)}, Kind.WRONG_DATE, "effective"),
    ("last trading day", {"announced": dt.date(2016, 1, 28)}, Kind.WRONG_DATE, "last_trading"),
    ("day of the letter, which only the page states", {"announced": dt.date(2016, 1, 18)}, Kind.WRONG_DATE, "letter"),
    ("a day of nothing", {"announced": dt.date(2015, 6, 1)}, Kind.WRONG_DATE, "unknown"),
    ("no day", {"announced": None}, Kind.WRONG_DATE, "none"),
    ("another reason", {"reasons": ("insolvency", "voluntary")}, Kind.WRONG_REASON, ""),
    ("a reason that can be ours", {"reasons": ("insolvency", "noncompliance")}, Kind.MATCH, ""),
    ("a reason that says nothing", {"reasons": ()}, Kind.MATCH, ""),
    ("still active", {"says": Says.NO_EVENT, "announced": None}, Kind.STALE, ""),
    ("pending", {"says": Says.PENDING, "announced": None}, Kind.STALE, ""),
    ("another action", {"says": Says.IGNORED, "announced": None}, Kind.MISSING, ""),
    ("the old name", {"issuer": "Marrow Collieries plc"}, Kind.STALE, ""),
    ("another class on that day", {"security": "7% Preference shares", "security_type": "preferred", "isin": "", "ticker": "MVLP"}, Kind.WRONG_LISTING, ""),
    ("another venue on that day", {"mic": "XDUB", "isin": ""}, Kind.WRONG_LISTING, ""),
]  # fmt: skip


@pytest.mark.parametrize(("change", "kind", "told"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_proven_event_against_a_row(change: dict[str, object], kind: Kind, told: str, world: World) -> None:
    """Each difference has its kind, and every quote stands in the archive."""
    (found,) = world.compare(world.proven(), row(**change))  # type: ignore[arg-type]
    assert (found.kind, found.date_kind) == (kind, told)
    assert all(quote.match == "exact" for quote in found.quotes)
    assert found.holds is True
    if found.challenged:
        assert "Marrow & Vale plc" in found.text
        assert "21 January 2016" in found.text or kind is Kind.STALE
        assert found.quotes


def test_two_faults_of_one_row_are_both_told(world: World) -> None:
    """A wrong day with a wrong reason is one challenge that names both."""
    (found,) = world.compare(world.proven(), row(announced=dt.date(2016, 1, 29), reasons=("voluntary",)))
    assert (found.kind, found.also) == (Kind.WRONG_DATE, (Kind.WRONG_REASON,))
    assert "effective day" in found.sentence
    assert "noncompliance" in found.sentence
    assert "correct the reason" in found.text


def test_an_event_without_any_row(world: World) -> None:
    """Missing when the feed has all events; undecided when its silence says nothing, or while the vendor may still deliver."""
    assert [c.kind for c in world.compare(world.proven())] == [Kind.MISSING]
    silent = world.given.model_copy(update={"silence": "unknown"})
    assert [c.kind for c in world.compare(world.proven(), given=silent)] == [Kind.UNRESOLVED]
    assert [c.kind for c in world.compare(world.proven(), delivered=DAY + dt.timedelta(days=2))] == [Kind.UNRESOLVED]
    assert [c.kind for c in world.compare(world.proven(), delivered=DAY + dt.timedelta(days=3))] == [Kind.MISSING]


def test_tolerance_of_days_comes_from_the_policy(world: World) -> None:
    """A day within the tolerance agrees."""
    loose = world.given.model_copy(update={"tolerance": world.given.tolerance.model_copy(update={"days": 1})})
    late = row(announced=DAY + dt.timedelta(days=1))
    assert [c.kind for c in world.compare(world.proven(), late)] == [Kind.WRONG_DATE]
    assert [c.kind for c in world.compare(world.proven(), late, given=loose)] == [Kind.MATCH]


def test_old_names_may_be_accepted(world: World) -> None:
    """A feed whose names are those of their time is not challenged for them."""
    loose = world.given.model_copy(update={"former_names": "accept"})
    assert [c.kind for c in world.compare(world.proven(), row(issuer="Marrow Collieries plc"), given=loose)] == [Kind.MATCH]


def test_a_bound_of_the_day_is_all_that_is_held_against_a_vendor(world: World) -> None:
    """Where no page states the day, a vendor's day is wrong only beyond the day that it cannot be after."""
    bound = world.claim("announcement_date", "../2016-01-28", "28 January 2016")
    undated = world.proven(announcement_date=None, claims=(world.proven().claims[0], bound))
    assert [c.kind for c in world.compare(undated, row())] == [Kind.UNRESOLVED]
    assert [c.kind for c in world.compare(undated, row(announced=dt.date(2016, 1, 29)))] == [Kind.WRONG_DATE]


NONE_CASES: list[tuple[str, dict[str, object], Kind, str]] = [
    ("active", {"says": Says.NO_EVENT, "announced": None}, Kind.CONFIRMED_NO_EVENT, ""),
    ("pending", {"says": Says.PENDING, "announced": None}, Kind.CONFIRMED_NO_EVENT, ""),
    ("an event after the cutoff", {"announced": dt.date(2021, 2, 1)}, Kind.CONFIRMED_NO_EVENT, ""),
    ("an invented event", {"announced": dt.date(2018, 2, 1)}, Kind.VENDOR_ONLY, "9 queries"),
    ("an event without a day", {"announced": None}, Kind.VENDOR_ONLY, "9 queries"),
    ("the event of another class", {"announced": dt.date(2014, 3, 4)}, Kind.WRONG_LISTING, "preference"),
]


@pytest.mark.parametrize(("change", "kind", "told"), [case[1:] for case in NONE_CASES], ids=[case[0] for case in NONE_CASES])
def test_no_event_against_a_row(change: dict[str, object], kind: Kind, told: str, world: World) -> None:
    """What a record that says no makes of a vendor's row."""
    digest, text = world.pages[OTHER_URL]
    sentence = "The Exchange has removed the 7% preference shares of Marrow & Vale plc, which were redeemed."
    at = text.index(sentence)
    other = Finding(
        digest=digest, url=OTHER_URL, start=at, end=at + len(sentence), sentence=sentence, stage=Stage.REMOVAL, modality=Modality.ASSERTED,
        target="other", rule="test", why="other: names the issuer; speaks of preferred", date="2014-03-04", source_kind="exchange",
    )  # fmt: skip
    (found,) = world.compare(world.none(findings=(other,)), row(**change))  # type: ignore[arg-type]
    assert found.kind is kind
    assert told in f"{found.text} {found.belongs_to}"
    if kind is Kind.WRONG_LISTING:
        assert found.belongs_to == "another class of the issuer (preferred)"


def test_a_day_of_the_own_procedure_is_no_other_listings_event(world: World) -> None:
    """The effective day of both classes stays a wrong date of this one."""
    digest, text = world.pages[NOTICE_URL]
    sentence = "The cancellation takes effect on 29 January 2016."
    at = text.index(sentence)
    other = Finding(
        digest=digest, url=NOTICE_URL, start=at, end=at + len(sentence), sentence=sentence, stage=Stage.REMOVAL, modality=Modality.ASSERTED,
        target="other", rule="test", why="other: speaks of preferred", date="2016-01-29", source_kind="exchange",
    )  # fmt: skip
    (found,) = world.compare(world.proven(findings=(other,)), row(announced=dt.date(2016, 1, 29)))
    assert (found.kind, found.date_kind) == (Kind.WRONG_DATE, "effective")


def test_no_row_and_no_event_confirm_each_other(world: World) -> None:
    """A listing that neither side has an event for needs no row."""
    assert [c.kind for c in world.compare(world.none())] == [Kind.CONFIRMED_NO_EVENT]


def test_an_event_projected_back_over_the_cutoff(world: World) -> None:
    """The vendor dates a later event too early: the challenge shows the day after the cutoff, which never changes the record."""
    digest, _ = world.pages[NOTICE_URL]
    record = world.none(later_event=LaterEvent(date="2021-03-01", exhibit=digest, url=NOTICE_URL, quote="Trading ends on 28 January 2016."))
    (found,) = world.compare(record, row(announced=dt.date(2020, 5, 1)))
    assert (found.kind, found.our_value) == (Kind.WRONG_DATE, "disclosed 2021-03-01, after the cutoff 2020-12-31")


UNDECIDED: list[tuple[str, dict[str, object], str]] = [
    ("abstention", {"status": Status.ABSTAIN, "abstain_reason": "two providers failed"}, "two providers failed"),
    ("failed row", {"status": Status.ABSTAIN, "error": "ValueError: x"}, "ValueError"),
    ("proof that does not hold", {"package": Package.FAIL}, "does not hold"),
    ("thin search", {"status": Status.NO, "coverage": Coverage(statement="1 query")}, "not sufficient"),
]


@pytest.mark.parametrize(("change", "said"), [case[1:] for case in UNDECIDED], ids=[case[0] for case in UNDECIDED])
def test_a_record_that_decides_nothing_challenges_nobody(change: dict[str, object], said: str, world: World) -> None:
    """No challenge comes of a record that is not proven, whatever the vendor says."""
    for delivered in (row(announced=dt.date(2016, 1, 29)), row(Says.NO_EVENT, None), None):
        record = world.none(**change) if change.get("status") is Status.NO else world.proven(**change)
        (found,) = world.compare(record, *([delivered] if delivered else []))
        assert found.kind is Kind.UNRESOLVED
        assert said in found.sentence


def test_a_broken_row_is_not_a_missing_one(world: World) -> None:
    """A row that cannot be read leaves its listing undecided."""
    (found,) = world.compare(world.proven(), broken=(row(Says.IGNORED, None, number=17),))
    assert found.kind is Kind.UNRESOLVED
    assert "row 17" in found.sentence


def test_rows_that_fit_two_listings_are_undecided(world: World) -> None:
    """A row whose keys fit two listings of one issuer is not guessed, and none of both is called missing for it."""
    one = world.proven()
    two = one.model_copy(update={"row_id": "R-2", "listing": one.listing.model_copy(update={"row_id": "R-2", "isin": "", "security": "A shares", "security_type": ""})})  # fmt: skip
    first = one.model_copy(update={"listing": one.listing.model_copy(update={"isin": "", "security": "", "security_type": ""})})
    third = world.none(row_id="R-3", listing=first.listing.model_copy(update={"row_id": "R-3", "security": "C shares"}))
    found = world.compare([first, two, third], row(isin="", security="", security_type=""))
    assert [(c.row_id, c.kind, c.holds) for c in found] == [(name, Kind.UNRESOLVED, False) for name in ("R-1", "R-2", "R-3")]
    assert "or about R-2; R-3;" in found[0].sentence
    assert found[0].row is not None


def test_a_row_in_doubt_between_listings_that_have_their_own_rows(world: World) -> None:
    """Where every listing has a row of its own, the one that fits several is told apart from them."""
    first, second = world.proven(), world.proven()
    two = second.model_copy(update={"row_id": "R-2", "listing": second.listing.model_copy(update={"row_id": "R-2", "security": "A shares", "isin": "GB0002634953"})})  # fmt: skip
    blank = row(isin="", security="", security_type="", number=4)
    found = world.compare([first, two], row(), row(isin="GB0002634953", security="A shares", number=3), blank)
    assert [(c.row_id, c.kind) for c in found] == [("R-1", Kind.MATCH), ("R-2", Kind.MATCH), ("", Kind.UNRESOLVED)]
    assert "R-1" in found[2].sentence


def test_a_listing_at_two_cutoffs_is_compared_at_each(world: World) -> None:
    """One row of the vendor answers every record of its listing: an event between the cutoffs is none at the first, and agrees at the second."""
    late = world.proven()
    cutoff = dt.date(2015, 12, 31)
    early = world.none(row_id="R-0", cutoff=cutoff, listing=late.listing.model_copy(update={"row_id": "R-0", "cutoff": cutoff}))
    found = world.compare([early, late], row())
    assert [(c.row_id, c.kind) for c in found] == [("R-0", Kind.CONFIRMED_NO_EVENT), ("R-1", Kind.MATCH)]


def test_the_class_tells_two_listings_apart(world: World) -> None:
    """Of two listings under one ticker the row goes to the one of its class, and the other's event is told by its record."""
    one = world.proven()
    preferred = one.listing.model_copy(update={"row_id": "R-2", "security": "7% Preference shares", "security_type": "preferred", "isin": "GB0002634953"})  # fmt: skip
    two = world.none(row_id="R-2", listing=preferred)
    wrong = row(isin="GB0002634953", security="7% Preference shares", security_type="preferred")
    found = world.compare([one, two], wrong)
    assert [c.kind for c in found] == [Kind.MISSING, Kind.WRONG_LISTING]
    assert "Ordinary shares of 10p" in found[1].belongs_to


def test_a_ticker_of_another_company_is_no_row_of_ours(world: World) -> None:
    """A ticker that was used before by somebody else finds nothing: the row lies outside of the universe."""
    used = row(issuer="Tarnbrook Textiles plc", isin="", announced=dt.date(2016, 3, 1))
    assert [c.kind for c in world.compare(world.none(), used)] == [Kind.CONFIRMED_NO_EVENT]
    assert [c.kind for c in world.compare(world.proven(), used)] == [Kind.MISSING]


def test_a_quote_that_is_gone_keeps_a_challenge_back(world: World) -> None:
    """A claim whose quote is not in the archive any more is shown as such, and the challenge is not ready."""
    claim = world.proven().claims[0].model_copy(update={"quote": "The Exchange has decided nothing"})
    (found,) = world.compare(world.proven(claims=(claim,)), row(announced=dt.date(2016, 1, 29)))
    assert found.kind is Kind.WRONG_DATE
    assert found.quotes[0].match == "not_found"
    assert found.holds is False
    assert "not found" in found.before_sending


def test_a_record_for_review_is_not_ready_to_be_sent(world: World) -> None:
    """Route, package and conflicts of the record stand with the challenge."""
    record = world.proven(route=Route.REVIEW, route_reasons=("No risk model is fitted.",), conflicts=("press puts it on 2016-01-20.",))
    (found,) = world.compare(record, row(announced=dt.date(2016, 1, 29)))
    assert found.holds is False
    assert "No risk model is fitted." in found.before_sending
    assert "2016-01-20" in found.before_sending


# ---- names ----

NAMES = [
    ("KURRAJONG RIDGE RES LTD", "Kurrajong Ridge Resources Limited", Relation.SAME),
    ("Kurrajong Ridge Resources", "Kurrajong Ridge Resources Limited", Relation.SAME),
    ("SKARVOY LAKS ASA", "Skarvøy Laks ASA", Relation.SAME),
    ("ETABLISSEMENTS CORVAISIER", "Établissements Corvaisier SA", Relation.SAME),
    ("みなせ光学工業", "Minase Optical Industries Co. Ltd. (みなせ光学工業株式会社)", Relation.SAME),
    ("Marrow and Vale plc", "Marrow & Vale plc", Relation.SAME),
    ("Tesaline Networks Inc", "Tessaline Networks, Inc.", Relation.SAME),
    ("Owikeno Metals Ltd.", "Wannock Copper Inc. (formerly Owikeno Metals Ltd.)", Relation.FORMER),
    ("OWIKENO METALS", "Wannock Copper Inc. (formerly Owikeno Metals Ltd.)", Relation.FORMER),
    ("Felgate Digital plc", "Fellgate Diagnostics plc", Relation.OTHER),
    ("Polmetryks SA", "Polmetrix S.A.", Relation.OTHER),
    ("Plexmart Stores Inc", "Pellmont Semiconductor Corp.", Relation.OTHER),
    ("Oyan Crest Insurance Plc", "Oyan Crest Microfinance Bank Plc", Relation.OTHER),
    ("Bluewater Infrastructure LP", "Farrowdale Power Corp.", Relation.OTHER),
    ("", "Farrowdale Power Corp.", Relation.UNKNOWN),
]


@pytest.mark.parametrize(("theirs", "ours", "wanted"), NAMES)
def test_names_of_vendors(theirs: str, ours: str, wanted: Relation) -> None:
    """Capitals, accents, forms and abbreviations make no other company; near names of others do."""
    assert relation(theirs, ours) is wanted


@pytest.mark.parametrize(
    ("text", "former"),
    [
        ("Former names | Meekan Nickel Limited (to 03/05/2010)", True),
        ("the company, formerly known as Meekan Nickel Limited, said", True),
        ("Meekan Nickel Limited has been renamed today", True),
        ("vormals Meekan Nickel Limited", True),
        ("Meekan Nickel Limited made an offer for the company", False),
        ("Priya Raman, formerly of Kestner Devices. Meekan Nickel Limited said", False),
    ],
)
def test_words_that_make_a_name_a_former_one(text: str, former: bool) -> None:
    """Only a name that the words beside it call former is one."""
    at = text.index("Meekan")
    assert says_former(text, at, at + len("Meekan Nickel Limited")) is former


# ---- numbers ----


def test_shares_have_an_interval() -> None:
    """Wilson's interval, by hand: 10 of 50."""
    found = share(10, 50)
    assert (found.share, found.low, found.high) == (0.2, 0.1124, 0.3304)
    assert share(0, 0).share is None


def test_cost_counts_people_and_calls(world: World) -> None:
    """Dollars for each corrected or recovered record: calls of the audit and minutes of people by kind; an unknown price is said."""
    first = world.proven(cost_usd=1.0)
    second = first.model_copy(update={"row_id": "R-2", "listing": first.listing.model_copy(update={"row_id": "R-2", "isin": "GB0002634953"}), "cost_usd": 3.0})  # fmt: skip
    feed = Feed(name="plain", path="feed.csv", rows=(row(announced=dt.date(2016, 1, 29)),))
    effort = Effort(minutes=6.0, minutes_by_kind={"missing_in_vendor": 12.0}, usd_per_hour=100.0)
    with Evidence(world.root, world.policy) as evidence:
        done = reconcile(Pages([first, second]), feed, world.given, world.policy, evidence)
    found = summarise(done, [first, second], effort, "p").cost
    assert (found.corrected, found.recovered, found.minutes) == (1, 1, 18.0)
    assert found.per_record_usd == pytest.approx((4.0 + 30.0) / 2)
    unknown = summarise(done, [first.model_copy(update={"cost_usd": None}), second], effort, "p").cost
    assert unknown.per_record_usd is None
    assert unknown.text.startswith("Unknown: 1 records")
