"""Names of the rulings that judging code may ask for, with the values each may take."""

from __future__ import annotations

from s2r.policy.types import REASONS, Policy

SWITCH: tuple[bool, ...] = (True, False)

RULING_VALUES: dict[str, tuple[bool | str, ...]] = {
    # issuer
    "board_decision_qualifies": SWITCH,
    "pending_exchange_consent_blocks": SWITCH,
    "text_condition_blocks": SWITCH,
    "holder_vote_qualifies": SWITCH,
    "open_court_or_supervisor_blocks": SWITCH,
    "mandate_is_conditional": SWITCH,
    # takeover
    "bidder_intention_qualifies": SWITCH,
    "unconditional_offer": ("never", "with_notice_or_application", "always"),
    # exchange, committee, court
    "appealable_decision_qualifies": SWITCH,
    "unconfirmed_decision_qualifies": SWITCH,
    "staff_determination_qualifies": SWITCH,
    "proceedings_qualify": SWITCH,
    "deficiency_qualifies": SWITCH,
    "plan_or_extension_qualifies": SWITCH,
    "designation_qualifies": SWITCH,
    "intent_letter_qualifies": SWITCH,
    "process_started_qualifies": SWITCH,
    "panel_vote_qualifies": SWITCH,
    "registration_revoked_qualifies": SWITCH,
    "halt_qualifies": SWITCH,
    # dates
    "canonical_date": ("publication", "decision"),
    "letter_or_meeting_date": ("if_disclosed_that_day", "always", "never"),
    "authority_effective_notice_qualifies": SWITCH,
    "third_party_effective_day": ("proves_without_date", "dates", "ignored"),
    "later_page_may_prove": SWITCH,
    "reversal_undoes": SWITCH,
    "last_trading_day_qualifies": SWITCH,
    # redemption, funds, offers
    "unconditional_redemption_qualifies": SWITCH,
    "conditional_redemption_qualifies": SWITCH,
    "cancellation_offer": ("quorum_and_filing", "quorum", "never"),
    "fund_manager_resolution_qualifies": SWITCH,
    # venue changes
    "venue_move_qualifies": SWITCH,
    "segment_move_qualifies": SWITCH,
    "technical_change_qualifies": SWITCH,
    "leaving_venue_approval_qualifies": SWITCH,
    "receiving_venue_approval_qualifies": SWITCH,
    # reasons
    "reason_venue_move": REASONS,
    "reason_venue_move_without_listing": REASONS,
    "reason_redemption": REASONS,
    "reason_registration_revoked": REASONS,
    "reason_bankruptcy_determination": REASONS,
    "reason_cease_trade_or_non_filing": REASONS,
    "reason_squeeze_out": REASONS,
    "reason_board_wish": REASONS,
    # listing
    "country_means": ("venue", "issuer"),
}

RULINGS: frozenset[str] = frozenset(RULING_VALUES)

# Rulings that code asks for by name, beside or instead of their cases.
ASKED: frozenset[str] = frozenset(
    {
        "canonical_date",
        "country_means",
        "later_page_may_prove",
        "letter_or_meeting_date",
        "open_court_or_supervisor_blocks",
        "reversal_undoes",
        "segment_move_qualifies",
        "text_condition_blocks",
        "third_party_effective_day",
    }
)


def kinds_taken(policy: Policy) -> frozenset[str]:
    """Kinds of dates, beside those of a disclosure, that the rulings on dates take for its day."""
    kinds: set[str] = set()
    if policy.ruling("canonical_date") == "decision":
        kinds |= {"decision", "meeting", "other"}
    if policy.ruling("letter_or_meeting_date") == "always":
        kinds |= {"letter", "meeting", "record"}
    if policy.ruling("third_party_effective_day") == "dates":
        kinds |= {"effective", "last_trading"}
    return frozenset(kinds)
