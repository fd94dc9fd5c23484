"""Every ruling is a switch: the same pages give another answer when its value is flipped."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.adjudicate.rules.rulings import rulings_for
from s2r.extract import extract
from s2r.models import Page, Status, Verdict
from s2r.policy import REASONS, RULING_VALUES, Case, Policy, Ruling, load_policy
from s2r.verify import verify
from tests import factories

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
ISSUER = "https://www.globenewswire.com/news-release/alderwick.html"
EXCHANGE = "https://listingcenter.nasdaq.com/notices/alderwick.html"
PRESS = "https://www.reuters.com/article/alderwick.html"
NAME = "Alderwick Instruments Inc."
LONDON = {"mic": "XLON", "venue": "London Stock Exchange", "country": "GB", "security": "Ordinary shares of 5p each", "ticker": "ALD"}


@dataclass(frozen=True)
class Row:
    """Pages (address, day line, sentences) about one listing, and `status date reason` under the shipped and the flipped value."""

    ruling: str
    flipped: bool | str
    texts: tuple[tuple[str, str, str], ...]
    shipped: str
    other: str
    listing: dict[str, object] = field(default_factory=dict)


def row(
    ruling: str, flipped: bool | str, text: str, shipped: str, other: str, *, url: str = ISSUER, day: str = "May 4, 2020", **fields: object
) -> Row:
    """A row with one page."""
    return Row(ruling, flipped, ((url, day, text),), shipped, other, fields)


ROWS = (
    row("board_decision_qualifies", False, f"The board of directors of {NAME} has resolved to delist the company's common stock from Nasdaq.", "yes 2020-05-04 voluntary", "no"),
    row("pending_exchange_consent_blocks", True, f"The board of directors of {NAME} has resolved to delist the company's common stock from Nasdaq. The exchange has yet to process the request.", "yes 2020-05-04 voluntary", "no"),
    row("text_condition_blocks", False, f"The board of directors of {NAME} has resolved to delist its common stock from Nasdaq, subject to shareholder approval.", "no", "yes 2020-05-04 voluntary"),
    row("holder_vote_qualifies", False, f"The shareholders of {NAME} have today approved the delisting of the company's ordinary shares.", "yes 2020-05-04 voluntary", "no", **LONDON),
    row("open_court_or_supervisor_blocks", False, f"The shareholders of {NAME} have today approved the delisting of the company's ordinary shares. The delisting remains subject to sanction by the High Court.", "no", "yes 2020-05-04 voluntary", **LONDON),
    row("mandate_is_conditional", False, f"The general meeting of {NAME} authorised the board to apply for the delisting of the shares if the creditors agree.", "no", "yes 2020-05-04 voluntary", **LONDON),
    row("bidder_intention_qualifies", True, f"Corvane Bidco intends to procure the cancellation of the listing of the shares of {NAME} on the London Stock Exchange.", "no", "yes 2020-05-04 merger_acquisition", **LONDON),
    row("unconditional_offer", "always", f"Corvane Bidco announces that its offer for {NAME} has been declared wholly unconditional. Holders who have not accepted are urged to do so.", "no", "yes 2020-05-04 merger_acquisition", **LONDON),
    row("unconditional_offer", "never", f"Corvane Bidco announces that its offer for {NAME} has been declared wholly unconditional. The cancellation of the listing of its ordinary shares on the London Stock Exchange takes place on 2 June 2020.", "yes 2020-05-04 merger_acquisition", "no", **LONDON),
    row("appealable_decision_qualifies", False, f"The Listing Committee decided to cancel the listing of the shares of {NAME}. The company may have the decision reviewed by a committee.", "yes 2020-05-04 noncompliance", "no"),
    row("unconfirmed_decision_qualifies", True, f"The Listing Committee of the exchange approved the delisting of {NAME}, subject to confirmation by the Board of Governors of the exchange.", "no", "yes 2020-05-04 noncompliance"),
    row("staff_determination_qualifies", False, f"{NAME} announced that Nasdaq staff determined that its common stock be delisted.", "yes 2020-05-04 noncompliance", "no"),
    row("proceedings_qualify", False, f"NYSE Regulation has commenced delisting proceedings against {NAME} and its common stock.", "yes 2020-05-04 noncompliance", "no", mic="XNYS", venue="New York Stock Exchange"),
    row("deficiency_qualifies", True, f"{NAME} received a deficiency letter from Nasdaq.", "no", "yes 2020-05-04 noncompliance"),
    row("plan_or_extension_qualifies", True, f"The Panel granted {NAME} an exception until 30 June 2020 to meet the rule of Nasdaq.", "no", "yes 2020-05-04 noncompliance"),
    row("designation_qualifies", True, f"The exchange has placed {NAME} on the watch-list under Rule 1311.", "no", "yes 2020-05-04 noncompliance", mic="XSES", venue="Singapore Exchange", country="SG"),
    row("intent_letter_qualifies", True, f"The JSE sent {NAME} a letter of intention to remove its shares from the list.", "no", "yes 2020-05-04 noncompliance", mic="XJSE", venue="Johannesburg Stock Exchange", country="ZA"),
    row("process_started_qualifies", True, f"The Council of the Exchange has commenced the process of delisting {NAME}.", "no", "yes 2020-05-04 noncompliance", mic="XNSA", venue="Nigerian Stock Exchange", country="NG"),
    row("panel_vote_qualifies", True, f"The review panel of the exchange voted for the delisting of {NAME}, which is subject to a decision of the market committee.", "no", "yes 2020-05-04 noncompliance", mic="XKOS", venue="KOSDAQ", country="KR"),
    row("registration_revoked_qualifies", False, f"The Commission revoked the registration of each class of securities of {NAME} under Section 12(j).", "yes 2020-05-04 regulatory", "no"),
    row("halt_qualifies", True, f"The Commission issued a cease trade order against the shares of {NAME}.", "no", "yes 2020-05-04 noncompliance"),
    row("canonical_date", "decision", f"On April 28, 2020, the board of {NAME} resolved to delist the common stock from Nasdaq.", "yes 2020-05-04 voluntary", "yes 2020-04-28 voluntary"),
    row("letter_or_meeting_date", "always", f"In a letter dated April 30, 2020, Nasdaq notified {NAME} that it has determined to delist the common stock.", "yes 2020-05-04 noncompliance", "yes 2020-04-30 noncompliance"),
    row("letter_or_meeting_date", "never", f"At the general meeting held on April 30, 2020, the shareholders of {NAME} approved the delisting of the common stock from Nasdaq.", "yes 2020-04-30 voluntary", "no in doubt", day=""),
    row("authority_effective_notice_qualifies", False, f"The common stock of {NAME} was removed from listing today.", "yes 2020-05-04 noncompliance", "no", url=EXCHANGE),
    row("third_party_effective_day", "dates", f"{NAME} was delisted from Nasdaq with effect from March 2, 2020.", "no in doubt", "yes 2020-03-02 voluntary", url=PRESS),
    row("third_party_effective_day", "ignored", f"{NAME} was delisted from Nasdaq with effect from March 2, 2020.", "no in doubt", "no", url=PRESS),
    row("later_page_may_prove", False, f"{NAME} announced on May 4, 2020 that its board resolved to delist the common stock from Nasdaq.", "yes 2020-05-04 voluntary", "no", day="March 3, 2021"),
    Row("reversal_undoes", True, ((ISSUER, "May 4, 2020", f"The board of directors of {NAME} has resolved to delist the company's common stock from Nasdaq."), (ISSUER + "?2", "June 8, 2020", f"{NAME} has withdrawn its application to delist and its common stock will remain listed on Nasdaq.")), "yes 2020-05-04 voluntary", "no"),
    row("last_trading_day_qualifies", True, f"The last trading day of the shares of {NAME} is June 24, 2020.", "no", "yes 2020-05-04 voluntary"),
    row("unconditional_redemption_qualifies", False, f"{NAME} has redeemed all of its notes due 2024. The notes will be delisted from Nasdaq and a Form 25 was filed.", "yes 2020-05-04 expiry_redemption", "no", security="5.5% Notes due 2024", security_type="note"),
    row("conditional_redemption_qualifies", True, f"{NAME} issued a conditional notice of redemption for its notes due 2024.", "no", "yes 2020-05-04 expiry_redemption", security="5.5% Notes due 2024", security_type="note"),
    row("cancellation_offer", "quorum", f"{NAME} informs that the quorum of the tender offer for the cancellation of registration was reached and all conditions have been fulfilled.", "no", "yes 2020-05-04 voluntary", mic="BVMF", venue="B3", country="BR"),
    row("cancellation_offer", "never", f"{NAME} informs that the quorum of the tender offer for the cancellation of registration was reached and all conditions have been fulfilled. The delisting of its shares takes place on June 2, 2020.", "yes 2020-05-04 voluntary", "no", mic="BVMF", venue="B3", country="BR"),
    row("fund_manager_resolution_qualifies", False, f"The manager of {NAME} has resolved to close the fund and delist its units.", "yes 2020-05-04 expiry_redemption", "no", security="Units", security_type="fund"),
    row("venue_move_qualifies", False, f"The board of {NAME} resolved to delist the common stock from Nasdaq and to transfer its listing to the New York Stock Exchange.", "yes 2020-05-04 transfer", "no"),
    row("segment_move_qualifies", True, f"{NAME} announces the transfer of its listing from the Nasdaq Global Market to the Nasdaq Capital Market.", "no", "yes 2020-05-04 transfer"),
    row("technical_change_qualifies", True, f"After a reverse stock split of 1 for 15 the old shares of {NAME} are removed from listing on Nasdaq.", "no", "yes 2020-05-04 voluntary"),
    row("leaving_venue_approval_qualifies", False, f"Nasdaq has approved the delisting of the common stock of {NAME}, which will transfer its listing to the NYSE.", "yes 2020-05-04 transfer", "no"),
    row("receiving_venue_approval_qualifies", True, f"The New York Stock Exchange has approved the transfer of the listing of {NAME} from Nasdaq.", "no", "yes 2020-05-04 noncompliance"),
    row("reason_venue_move", "voluntary", f"The board of {NAME} resolved to delist the common stock from Nasdaq and to transfer its listing to the New York Stock Exchange.", "yes 2020-05-04 transfer", "yes 2020-05-04 voluntary"),
    row("reason_venue_move_without_listing", "other", f"The board of directors of {NAME} has resolved to delist the common stock from Nasdaq. The shares may be quoted over-the-counter.", "yes 2020-05-04 voluntary", "yes 2020-05-04 other"),
    row("reason_redemption", "voluntary", f"{NAME} has redeemed all of its notes due 2024. The notes will be delisted from Nasdaq and a Form 25 was filed.", "yes 2020-05-04 expiry_redemption", "yes 2020-05-04 voluntary", security="5.5% Notes due 2024", security_type="note"),
    row("reason_registration_revoked", "noncompliance", f"The Commission revoked the registration of each class of securities of {NAME} under Section 12(j).", "yes 2020-05-04 regulatory", "yes 2020-05-04 noncompliance"),
    row("reason_bankruptcy_determination", "noncompliance", f"Nasdaq staff determined that the common stock of {NAME} be delisted after the company filed for bankruptcy under Chapter 11.", "yes 2020-05-04 insolvency", "yes 2020-05-04 noncompliance"),
    row("reason_cease_trade_or_non_filing", "regulatory", f"Nasdaq staff determined that the common stock of {NAME} be delisted because it failed to file its annual report.", "yes 2020-05-04 noncompliance", "yes 2020-05-04 regulatory"),
    row("reason_squeeze_out", "voluntary", f"Following the squeeze-out of the minority shareholders by the majority holder, {NAME} has applied for the delisting of its common stock from Nasdaq.", "yes 2020-05-04 merger_acquisition", "yes 2020-05-04 voluntary"),
    row("reason_board_wish", "other", f"The board of directors of {NAME} has resolved to delist the company's common stock from Nasdaq because of low liquidity.", "yes 2020-05-04 voluntary", "yes 2020-05-04 other"),
    row("country_means", "issuer", f"The board of directors of {NAME} has resolved to delist the company's common stock.", "yes 2020-05-04 voluntary", "yes 2020-04-05 voluntary", mic="XXXX", venue="Elsewhere Exchange", country="US", day="05/04/2020"),
)  # fmt: skip


def with_value(name: str, value: bool | str) -> Policy:
    """The shipped policy with one ruling decided otherwise."""
    definition = POLICY.definition
    ruling = definition.rulings[name].model_copy(update={"value": value})
    return POLICY.model_copy(update={"definition": definition.model_copy(update={"rulings": definition.rulings | {name: ruling}})})


def pages(case: Row) -> list[Page]:
    """The texts of a row as pages that were read from HTML."""
    found = []
    for url, day, text in case.texts:
        body = f"<html><head><title>Notice</title></head><body><p>{day}</p><p>{text}</p></body></html>".encode()
        found.append(extract(body, "text/html; charset=utf-8", url, digest=factories.digest(body)))
    return found


def said(verdict: Verdict) -> str:
    """`status date reason` of a verdict; a `no` with a conflict is in doubt."""
    doubt = "in doubt" if verdict.status is Status.NO and verdict.conflicts else ""
    return " ".join(str(part) for part in (verdict.status.value, verdict.announcement_date, verdict.reason, doubt) if part)


@pytest.mark.parametrize("case", ROWS, ids=lambda case: f"{case.ruling}={case.flipped}")
def test_flipped_ruling_changes_the_answer(case: Row) -> None:
    """The shipped value and the flipped value give the answers that the ruling's text promises."""
    listing, read = factories.listing(0, **case.listing), pages(case)
    assert said(adjudicate(listing, read, POLICY)) == case.shipped
    assert said(adjudicate(listing, read, with_value(case.ruling, case.flipped))) == case.other


def test_every_ruling_has_a_row_for_each_of_its_values() -> None:
    """No switch of the shipped policy is without a case that shows what it does; of a reason one other value is enough."""
    rulings = POLICY.definition.rulings
    assert {case.ruling for case in ROWS} == set(rulings)
    for name, ruling in rulings.items():
        flipped = {case.flipped for case in ROWS if case.ruling == name}
        allowed = RULING_VALUES[name]
        assert flipped == set(allowed) - {ruling.value} or (allowed == REASONS and flipped), name


def test_shipped_values_leave_the_rules_alone() -> None:
    """At their shipped values no case refuses, admits or renames anything, so the rulings cost nothing."""
    found = rulings_for(POLICY)
    assert (found.refusing, found.admitting, found.reasons) == ((), (), ())


WATCH = f"The exchange has placed {NAME} on the watch-list under Rule 1311."
DEFICIENCY = f"{NAME} received a deficiency letter from Nasdaq."


def test_special_case_is_asked_before_the_general_one() -> None:
    """Admitting notices of deficiency does not admit watch lists, which have a ruling of their own."""
    policy = with_value("deficiency_qualifies", True)
    for text, status in ((DEFICIENCY, Status.YES), (WATCH, Status.NO)):
        verdict = adjudicate(factories.listing(0), pages(row("deficiency_qualifies", True, text, "", "")), policy)
        assert verdict.status is status, text


def test_refused_step_leaves_other_steps_of_the_sentence() -> None:
    """An institution that does not take board decisions still takes the application that the same sentence discloses."""
    text = f"The board of {NAME} resolved to leave Nasdaq, and the company has applied to Nasdaq for the delisting of its common stock."
    verdict = adjudicate(
        factories.listing(0), pages(row("board_decision_qualifies", False, text, "", "")), with_value("board_decision_qualifies", False)
    )
    assert said(verdict) == "yes 2020-05-04 voluntary"


OWN = (
    (
        "press_rumour_qualifies",
        Ruling(value=True, text="An adviser's resignation counts.", case=(Case(stage=("none", "warning"), pattern="its nominated adviser has resigned", example="Its nominated adviser has resigned"),)),
        f"{NAME} announces that its nominated adviser has resigned.",
        "no",
        "yes 2020-05-04 voluntary",
    ),
    (
        "reason_low_liquidity",
        Ruling(value="other", text="Low liquidity is another reason.", case=(Case(reason=("voluntary",), pattern="low liquidity", example="for low liquidity"),)),
        f"The board of directors of {NAME} has resolved to delist the company's common stock from Nasdaq because of low liquidity.",
        "yes 2020-05-04 voluntary",
        "yes 2020-05-04 other",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("name", "ruling", "text", "without", "given"), OWN, ids=[item[0] for item in OWN])
def test_own_ruling_acts_without_code(name: str, ruling: Ruling, text: str, without: str, given: str) -> None:
    """A ruling that no code knows acts through its case alone."""
    definition = POLICY.definition.model_copy(update={"rulings": POLICY.definition.rulings | {name: ruling}})
    own = POLICY.model_copy(update={"definition": definition})
    listing, read = factories.listing(0), pages(row(name, True, text, "", ""))
    assert said(adjudicate(listing, read, POLICY)) == without
    assert said(adjudicate(listing, read, own)) == given


@pytest.mark.parametrize(
    ("stages", "text", "answer"),
    [
        (("decision", "appeal"), f"{NAME} has asked Nasdaq for a hearing before a Nasdaq Hearings Panel.", Status.YES),
        (("decision",), f"{NAME} has filed a Form 25 with the SEC to withdraw its common stock from listing on Nasdaq.", Status.NO),
    ],
)
def test_policy_lists_the_qualifying_stages(stages: tuple[str, ...], text: str, answer: Status) -> None:
    """The list of the policy decides which steps qualify, not a list in code."""
    definition = POLICY.definition.model_copy(update={"qualifying_stages": stages})
    policy = POLICY.model_copy(update={"definition": definition})
    verdict = adjudicate(factories.listing(0), pages(row("halt_qualifies", True, text, "", "")), policy)
    assert verdict.status is answer


def test_proof_follows_the_rulings_on_dates() -> None:
    """An effective day that a ruling takes for the disclosure passes the check of dates under that policy, and only there."""
    case = next(r for r in ROWS if (r.ruling, r.flipped) == ("third_party_effective_day", "dates"))
    listing, read = factories.listing(0, **case.listing), pages(case)
    archive, policy = {page.digest: page for page in read}, with_value(case.ruling, case.flipped)
    verdict = adjudicate(listing, read, policy)
    for judge, failed in ((policy, False), (POLICY, True)):
        checks = verify(listing, verdict, archive, judge, coverage_sufficient=True).checks
        assert any(check.name == "chronology" and check.outcome == "fail" for check in checks) is failed
