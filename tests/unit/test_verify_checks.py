"""Chronology, subject and sources of a `yes`, checked against the re-opened page; and what makes a package pass."""

from __future__ import annotations

import datetime as dt

import pytest
from factories import claim, finding, listing, page, verdict

from s2r.models import Check, DateClaim, DateKind, Listing, Package, Page, Precision, Status, Verdict
from s2r.policy import Policy
from s2r.verify import Audit, verify
from s2r.verify.datekind import other_kind
from s2r.verify.reasons import check_reasons

ROW = listing(0, isin="US0000000001", cik="0001234567")
SAID = "Alderwick Instruments Inc. today announced that its board has decided to delist its common stock from Nasdaq."
TEXT = f"CHICAGO, May 4, 2019 -- {SAID} The directors cited the cost of remaining listed."
DAY = dt.date(2019, 5, 4)


def yes(source: Page, quote: str = "May 4, 2019", day: dt.date = DAY, **kinds: object) -> Verdict:
    """A `yes` whose three claims quote this page; the date claim quotes `quote`."""
    sentence = next((s for s in (SAID,) if s in source.text), source.text[:60])
    return verdict(
        announcement_date=day,
        reason="voluntary",
        claims=(
            claim(source, sentence),
            claim(source, quote, "announcement_date", day.isoformat()),
            claim(source, "cost of remaining listed" if "cost of remaining listed" in source.text else sentence, "reason", "voluntary"),
        ),
        findings=(finding(source, sentence, date=day.isoformat(), **kinds),),
    )


def audit(source: Page, policy: Policy, given: Verdict | None = None, row: Listing = ROW) -> Audit:
    """Evidence audit of a verdict over one page."""
    return verify(row, given or yes(source), {source.digest: source}, policy, coverage_sufficient=True)


def of(found: Audit, name: str) -> list[Check]:
    """Checks of one name."""
    return [check for check in found.checks if check.name == name]


def test_sound_package_passes(policy: Policy) -> None:
    """All claims found, the date stated and before the cutoff, the issuer named, a source that counts."""
    found = audit(page(TEXT), policy)
    assert [(c.name, c.outcome, c.sentence) for c in found.checks if c.outcome != "pass"] == []
    assert found.package is Package.PASS


# ---- chronology ----


def test_unknown_day_needs_a_quoted_bound_by_the_cutoff(policy: Policy) -> None:
    """ "Not after 20 May" is unverifiable as a day, fails when the quote says another day or the bound lies after the cutoff."""
    source = page(f"{SAID} The listing ends on May 20, 2019.")

    def package(bound: str, cutoff: dt.date) -> Package:
        given = yes(source, "May 20, 2019")
        claims = tuple(c.model_copy(update={"value": f"../{bound}"}) if c.field == "announcement_date" else c for c in given.claims)
        undated = given.model_copy(update={"announcement_date": None, "claims": claims})
        return audit(source, policy, undated, listing(0, cutoff=cutoff)).package

    assert package("2019-05-20", dt.date(2019, 5, 20)) is Package.UNVERIFIABLE
    assert package("2019-05-21", dt.date(2019, 5, 30)) is Package.FAIL
    assert package("2019-05-20", dt.date(2019, 5, 19)) is Package.FAIL


def test_date_after_the_cutoff_fails(policy: Policy) -> None:
    """The day after; the day itself passes."""
    for cutoff, package in ((dt.date(2019, 5, 3), Package.FAIL), (DAY, Package.PASS)):
        assert audit(page(TEXT), policy, row=listing(0, cutoff=cutoff)).package is package


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("May 5, 2019", TEXT.replace("May 4", "May 5")),
        ("May 2019", TEXT.replace("May 4, 2019", "May 2019")),
        ("the cost of remaining listed", TEXT),
    ],
    ids=["another day", "only a month", "no date"],
)
def test_quote_that_does_not_state_the_day_fails(quote: str, text: str, policy: Policy) -> None:
    """The value must stand in its own quote."""
    source = page(text)
    found = audit(source, policy, yes(source, quote))
    assert found.package is Package.FAIL
    assert any("does not state 2019-05-04" in check.sentence for check in of(found, "chronology"))


def test_relative_quote_is_read_by_the_dates_of_its_page(policy: Policy) -> None:
    """ "on Friday" is a day when the page's own date says which."""
    source = page(f"CHICAGO, May 6, 2019 -- {SAID.replace('today', 'on Saturday')} The directors cited the cost of remaining listed.")
    found = audit(source, policy, yes(source, "on Saturday"))
    assert of(found, "chronology")[-1].outcome == "pass"
    assert "when read on 2019-05-06" in of(found, "chronology")[-1].sentence


def test_date_of_metadata_may_support_the_day(policy: Policy) -> None:
    """A claim without a place in the text rests on the page's metadata, and its quote is not found in the text."""
    stamp = DateClaim(raw="2019-05-04", value="2019-05-04", precision=Precision.DAY, kind=DateKind.PAGE, origin="meta:date")
    source = page(TEXT.replace("CHICAGO, May 4, 2019 -- ", ""), claims=(stamp,))
    found = audit(source, policy, yes(source, "published online"))
    assert [c.outcome for c in of(found, "chronology")] == ["pass", "pass", "pass"]
    assert found.package is Package.FAIL  # its quote stands nowhere


def test_implausible_day_fails(policy: Policy) -> None:
    """Nothing was announced in 1019."""
    source = page(TEXT.replace("2019", "1019"))
    assert audit(source, policy, yes(source, "May 4, 1019", dt.date(1019, 5, 4))).package is Package.FAIL


OTHER = [
    ("en", "Effective date: May 4, 2019", DateKind.EFFECTIVE),
    ("en", "The shares will be delisted with effect from May 4, 2019.", DateKind.EFFECTIVE),
    ("en", "The last day of trading will be May 4, 2019.", DateKind.LAST_TRADING),
    ("en", "Trading in the shares has been suspended since May 4, 2019.", DateKind.SUSPENSION),
    ("en", "The company has until May 4, 2019 to regain compliance.", DateKind.DEADLINE),
    ("de", "Letzter Handelstag ist der 4. Mai 2019.", DateKind.LAST_TRADING),
    ("fr", "La radiation prendra effet le 4 mai 2019.", DateKind.EFFECTIVE),
    ("sv", "Sista dag för handel är den 4 maj 2019.", DateKind.LAST_TRADING),
    ("ja", "上場廃止日は2019年5月4日です。", DateKind.EFFECTIVE),
]


@pytest.mark.parametrize(("lang", "text", "kind"), OTHER, ids=[f"{lang}-{kind}" for lang, _, kind in OTHER])
def test_date_of_another_kind_fails(lang: str, text: str, kind: DateKind, policy: Policy) -> None:
    """A day that its own words call effective, last trading, suspension or deadline announces nothing."""
    quote = next(q for q in ("May 4, 2019", "4. Mai 2019", "4 mai 2019", "4 maj 2019", "2019年5月4日") if q in text)
    source = page(f"{SAID} The directors cited the cost of remaining listed.\n{text}", lang=lang)
    found = audit(source, policy, yes(source, quote))
    assert found.package is Package.FAIL
    assert any(f"its words make it {kind.value.replace('_', ' ')}" in check.sentence for check in of(found, "chronology"))


@pytest.mark.parametrize(
    ("lang", "text", "quote"),
    [
        ("en", "CHICAGO, May 4, 2019 -- Alderwick today said so.", "May 4, 2019"),
        ("en", "On May 4, 2019 the company announced that trading would end with effect from June 1, 2019.", "May 4, 2019"),
        ("en", "The exchange decided on May 4, 2019 to remove the shares; the last day of trading is May 20, 2019.", "May 4, 2019"),
        ("de", "Am 4. Mai 2019 hat der Vorstand beschlossen, die Zulassung widerrufen zu lassen.", "4. Mai 2019"),
        ("ja", "2019年5月4日、取引所は上場廃止を決定したと発表した。", "2019年5月4日"),
        ("sv", "Börsen meddelade den 4 maj 2019 att aktien avnoteras. Sista dag för handel är den 20 maj 2019.", "4 maj 2019"),
    ],
)
def test_date_of_a_disclosure_is_left_alone(lang: str, text: str, quote: str, policy: Policy) -> None:
    """Also when a date of another kind stands in the same sentence or the next."""
    at = text.index(quote)
    assert other_kind(text, at, at + len(quote), lang, policy) is None


# ---- subject ----


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (TEXT, "pass"),
        (TEXT.replace("Alderwick Instruments Inc.", "ALDERWICK INSTRUMENTS"), "pass"),
        (TEXT.replace("Alderwick Instruments Inc.", "The company (ISIN US0000000001)"), "pass"),
        (TEXT.replace("Alderwick Instruments Inc.", "The company (Nasdaq: ALDQ)"), "pass"),
        (TEXT.replace("Alderwick Instruments Inc.", "The company (NYSE: ALDQ)"), "fail"),
        (TEXT.replace("Alderwick Instruments Inc.", "Brantholm Shipping Inc."), "fail"),
        (TEXT.replace("Alderwick Instruments Inc.", "Calderwick Instruments Inc."), "fail"),
        (TEXT.replace("Alderwick Instruments Inc.", "Alderwick Instrumentsmith Ltd"), "fail"),
        (TEXT.replace("Alderwick Instruments Inc.", "The company"), "fail"),
    ],
    ids=["name", "capitals", "isin", "ticker", "ticker elsewhere", "other company", "inside a word", "longer word", "nobody"],
)
def test_document_must_be_about_the_listing(text: str, outcome: str, policy: Policy) -> None:
    """A quote from another company's page does not support the record, however well it reads."""
    source = page(text)
    given = verdict(
        announcement_date=DAY,
        reason="voluntary",
        claims=(
            claim(source, "has decided to delist"),
            claim(source, "May 4, 2019", "announcement_date", "2019-05-04"),
            claim(source, "cost of remaining listed", "reason", "voluntary"),
        ),
        findings=(finding(source, "has decided to delist"),),
    )
    found = audit(source, policy, given)
    assert [check.outcome for check in of(found, "subject")] == [outcome]
    assert found.package is (Package.PASS if outcome == "pass" else Package.FAIL)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("wykluczyła z obrotu akcje Mazurskiej Grupy Inwestycyjnej S.A. w dniu 4 maja 2019", "pass"),
        ("wykluczyła z obrotu akcje Mazowieckiej Grupy Inwestycyjnej S.A. w dniu 4 maja 2019", "fail"),
        ("wykluczyła z obrotu akcje Grupy Inwestycyjnej S.A. w dniu 4 maja 2019", "fail"),
    ],
)
def test_declined_name_is_the_issuer_and_a_namesake_is_not(text: str, outcome: str, policy: Policy) -> None:
    """Polish and its kin put endings on names."""
    row = listing(0, issuer="Mazurska Grupa Inwestycyjna S.A.", ticker="", mic="XWAR", country="PL")
    source = page(text, lang="pl")
    given = verdict(announcement_date=DAY, claims=(claim(source, "wykluczyła z obrotu akcje"),), findings=(finding(source, text),))
    assert [check.outcome for check in of(audit(source, policy, given, row), "subject")] == [outcome]


def test_notice_in_two_languages_is_read_in_both(policy: Policy) -> None:
    """A page taken for English may state its day in the language of the venue."""
    source = page(
        f"{SAID}\nBörsen har i dag, den 4 maj 2019, beslutat att aktierna ska avnoteras. The cost of remaining listed.", lang="en"
    )
    given = yes(source, "den 4 maj 2019")
    assert audit(source, policy, given, listing(0, mic="XSTO", country="SE")).package is Package.PASS


def test_ticker_that_is_a_word_is_no_identifier(policy: Policy) -> None:
    """ "all" in a sentence is not the ticker ALL."""
    row = listing(0, issuer="Quillstead Mutual Inc.", ticker="ALL")
    source = page("CHICAGO, May 4, 2019 -- All holders of all classes: it has decided to delist. The cost of remaining listed is cited.")
    given = verdict(
        announcement_date=DAY, claims=(claim(source, "it has decided to delist"),), findings=(finding(source, "it has decided to delist"),)
    )
    assert [check.outcome for check in of(audit(source, policy, given, row), "subject")] == ["fail"]


def test_isin_and_cik_identify(policy: Policy) -> None:
    """Where the name is not there, a valid ISIN or the CIK of the filing is."""
    said = "The shares have been removed from the list."
    valid = page(f"ISIN US0378331005. {said}")
    filed = page(said, meta={"cik": "1234567"}, form="25-NSE")
    for source, row in ((valid, listing(0, isin="US0378331005")), (filed, ROW)):
        given = verdict(announcement_date=DAY, claims=(claim(source, said),), findings=(finding(source, said),))
        assert [check.outcome for check in of(audit(source, policy, given, row), "subject")] == ["pass"]


# ---- sources ----


@pytest.mark.parametrize(
    ("kinds", "outcome"),
    [
        (["exchange"], "pass"),
        (["press"], "pass"),
        (["aggregator"], "unverifiable"),
        (["forum"], "unverifiable"),
        (["aggregator", "forum"], "unverifiable"),
        (["aggregator", "wire"], "pass"),
    ],
)
def test_aggregators_alone_do_not_verify(kinds: list[str], outcome: str, policy: Policy) -> None:
    """Weak sources may stand beside a strong one, not instead of it."""
    source = page(TEXT)
    given = yes(source).model_copy(update={"findings": tuple(finding(source, SAID, source_kind=kind) for kind in kinds)})
    found = audit(source, policy, given)
    assert [check.outcome for check in of(found, "sources")] == [outcome]
    assert found.package is (Package.PASS if outcome == "pass" else Package.UNVERIFIABLE)


def test_undated_support_alone_does_not_verify(policy: Policy) -> None:
    """Requirement 2; a policy may say otherwise."""
    source = page(TEXT)
    given = yes(source).model_copy(update={"findings": (finding(source, SAID, date=""),)})
    assert audit(source, policy, given).package is Package.UNVERIFIABLE
    lenient = policy.model_copy(update={"definition": policy.definition.model_copy(update={"undated_supports_accept": True})})
    assert audit(source, lenient, given).package is Package.PASS


# ---- package ----


@pytest.mark.parametrize("field", ["status", "announcement_date", "reason"])
def test_yes_without_a_quote_for_a_field_is_unverifiable(field: str, policy: Policy) -> None:
    """Each of the three is quoted."""
    source = page(TEXT)
    given = yes(source)
    given = given.model_copy(update={"claims": tuple(c for c in given.claims if c.field != field)})
    found = audit(source, policy, given)
    assert found.package is Package.UNVERIFIABLE
    assert any(check.name == "completeness" and check.field == field for check in found.checks)


@pytest.mark.parametrize(
    ("status", "covered", "package"),
    [(Status.NO, True, Package.PASS), (Status.NO, False, Package.UNVERIFIABLE), (Status.ABSTAIN, True, Package.UNVERIFIABLE)],
)
def test_package_of_other_answers(status: Status, covered: bool, package: Package, policy: Policy) -> None:
    """A `no` is as good as its coverage; no answer proves nothing."""
    assert verify(ROW, verdict(status), {}, policy, coverage_sufficient=covered).package is package


def test_page_that_cannot_be_opened_fails_the_package(policy: Policy) -> None:
    """The claims rest on nothing."""
    found = verify(ROW, yes(page(TEXT)), {}, policy, coverage_sufficient=True)
    assert found.package is Package.FAIL
    assert {c.match for c in found.claims} == {"not_found"}


@pytest.mark.parametrize(
    ("after", "kind"), [("— Due to a lack of assets, the Board has decided", None), (" is when the form is due.", "deadline")]
)
def test_what_happens_due_to_something_is_no_deadline(after: str, kind: str | None, policy: Policy) -> None:
    """A release that opens with its day and a cause states its day; a day on which something is due does not."""
    found = other_kind(f"June 27, 2025{after}", 0, 13, "en", policy)
    assert (found.value if found else None) == kind


SQUEEZED = "The shares will be delisted because of the share consolidation that follows the tender offer, after which it becomes a wholly owned subsidiary."
REASONS = [  # reason, quote, language of the page, outcome
    ("noncompliance", SQUEEZED, "en", "unverifiable"),
    ("voluntary", SQUEEZED, "en", "unverifiable"),
    ("merger_acquisition", SQUEEZED, "en", "pass"),
    ("noncompliance", "The Exchange has determined to delist the shares.", "en", "unverifiable"),
    ("noncompliance", "It failed to file its annual report.", "en", "pass"),
    ("voluntary", "The Company has applied for the cancellation of its listing.", "en", "pass"),
    ("merger_acquisition", "上場廃止の理由 株式併合によるスクイーズアウト", "ja", "pass"),
]


@pytest.mark.parametrize(("reason", "quote", "lang", "outcome"), REASONS)
def test_a_reason_passes_only_where_its_quote_states_it(reason: str, quote: str, lang: str, outcome: str, policy: Policy) -> None:
    """Who acts, or the rest of the page, may have suggested another: that is no proof."""
    found = page(quote, lang=lang)
    proof = claim(found, quote, "reason", reason)
    checks = check_reasons(listing(), verdict(), (proof,), {found.digest: found}, policy)
    assert [check.outcome for check in checks] == [outcome]
