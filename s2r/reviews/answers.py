"""From a decision to the record that it makes: pure but for the archived pages that new evidence is looked up in."""

from __future__ import annotations

from pathlib import Path

from s2r.archive import Archive
from s2r.errors import IntegrityError, StoreError
from s2r.models import Claim, Match, Package, Page, Record, Route, Status, Verdict
from s2r.pipeline.judge import reopen
from s2r.policy import Policy
from s2r.policy.review import ReviewPolicy
from s2r.reviews.errors import BadDecision
from s2r.reviews.types import Decision, Evidence, Kind
from s2r.verify import verify
from s2r.verify.quotes import check_quotes

FIELDS = ("status", "announcement_date", "reason", "disclosure_type")
REVIEWER = "reviewer"  # adjudicator of a corrected record
MOST_NOTE = 4000
MOST_EVIDENCE = 20


def check_form(decision: Decision, record: Record, policy: Policy, review: ReviewPolicy) -> None:
    """Raise BadDecision, naming the field, for a decision that lacks something or contradicts itself or the cutoff."""

    def bad(field: str, message: str, advice: str) -> BadDecision:
        return BadDecision(message, field=field, subject=decision.row_id, advice=advice)

    codes = {code.code: code for code in review.codes(decision.kind.value)}
    if codes and decision.reason_code not in codes:
        raise bad("reason_code", f"{decision.reason_code!r} is no reason to {decision.kind.value}", f"Use one of {', '.join(codes)}.")
    code = codes.get(decision.reason_code)
    if code and code.note and not decision.note.strip():
        raise bad("note", f"the reason {code.code} asks for a note", "Write a note.")
    if len(decision.note) > MOST_NOTE:
        raise bad("note", f"the note has {len(decision.note)} characters", f"At most {MOST_NOTE} are kept.")
    if len(decision.evidence) > MOST_EVIDENCE:
        raise bad("evidence", f"{len(decision.evidence)} pieces of evidence", f"Give the {MOST_EVIDENCE} that decide.")
    given = (decision.status, decision.announcement_date, decision.reason, decision.disclosure_type)
    if decision.kind is not Kind.CORRECT:
        if any(given) or decision.evidence:
            raise bad("kind", f"a {decision.kind.value} changes no field", "Decide `correct` to change the answer.")
        if decision.kind is Kind.CONFIRM and (record.status is Status.ABSTAIN or record.error is not None):
            raise bad("kind", "the record gives no answer that could be confirmed", "Correct it, or say that you cannot decide.")
        return
    status = decision.status
    if status not in (Status.YES, Status.NO):
        raise bad("status", "a correction gives an answer", "Give yes or no; `reject` leaves the answer open.")
    if status is Status.NO:
        if any(given[1:]):
            raise bad("announcement_date" if given[1] else "reason", "is given, and a no has none", "Leave it empty.")
    elif decision.announcement_date is None:
        raise bad("announcement_date", "is missing, and a yes has a day", "Give the day of the first qualifying disclosure.")
    elif decision.announcement_date > record.cutoff:
        raise bad("announcement_date", f"is after the cutoff {record.cutoff}", "By the cutoff the answer was no.")
    elif decision.reason not in policy.definition.reasons:
        raise bad("reason", f"{decision.reason!r} is no reason of the policy", f"Use one of {', '.join(policy.definition.reasons)}.")
    for item in decision.evidence:
        if item.field not in FIELDS:
            raise bad("evidence", f"{item.field!r} is no field that a quote can prove", f"Use one of {', '.join(FIELDS)}.")
    if same_answer(decision, record):
        raise bad("kind", "the corrected answer is the one that stands", "Confirm it instead.")
    needs = review.correction_needs_evidence and status is Status.YES
    changed = record.status is not Status.YES or record.announcement_date != decision.announcement_date
    if needs and changed and not any(item.field in ("status", "announcement_date") for item in decision.evidence):
        raise bad("evidence", "a corrected yes needs a quote", "Select the sentence that discloses it, or give the address of its page.")


def same_answer(decision: Decision, record: Record) -> bool:
    """Whether a correction gives the answer of the record, and no new evidence."""
    told = (decision.status, decision.announcement_date, decision.reason)
    kept = (record.status, record.announcement_date, record.reason)
    kind = decision.disclosure_type in (None, record.disclosure_type)
    return told == kept and kind and not decision.evidence


def answer_of(decision: Decision, record: Record) -> tuple[str, ...]:
    """What a decision says of a record, for comparison with another decision: the answer that it leads to."""
    if decision.kind in (Kind.REJECT, Kind.CANNOT_DECIDE):
        return (decision.kind.value,)
    source = decision if decision.kind is Kind.CORRECT else record
    return tuple(str(getattr(source, name) or "") for name in ("status", "announcement_date", "reason"))


def proven(evidence: tuple[Evidence, ...], record: Record, decision: Decision, out: Path) -> tuple[tuple[Claim, ...], dict[str, Page]]:
    """The claims of new evidence, each found again in its page as archived, and the pages of all claims; raises BadDecision for a quote
    that does not stand there word for word."""
    wanted = {item.exhibit for item in evidence} | {claim.exhibit for claim in record.claims}
    pages = open_pages(out, wanted, {item.exhibit: item.url for item in evidence}) if evidence else {}
    values = {name: str(getattr(decision, name) or "") for name in FIELDS}
    claims = tuple(
        Claim(field=item.field, value=values[item.field], quote=item.quote, exhibit=item.exhibit,
              url=pages[item.exhibit].url if item.exhibit in pages else item.url, start=item.start, end=item.end)
        for item in evidence
    )  # fmt: skip
    found, checks = check_quotes(claims, pages)
    for claim, check in zip(found, checks, strict=True):
        if claim.match == Match.NOT_FOUND.value:
            raise BadDecision(check.sentence, field="evidence", subject=decision.row_id, advice="Select the sentence in the archived page.")
    return found, pages


def open_pages(out: Path, digests: set[str], urls: dict[str, str]) -> dict[str, Page]:
    """Pages of the archive, extracted anew, by digest; those that cannot be opened are left out."""
    try:
        archive = Archive(out, read_only=True)
    except (StoreError, IntegrityError):
        return {}
    with archive:
        return reopen(archive, digests, tuple((digest, urls.get(digest, ""), "") for digest in digests))


def applied(
    decision: Decision, record: Record, claims: tuple[Claim, ...], pages: dict[str, Page], policy: Policy, *, who: str, words: str
) -> Record:
    """The record that a decision makes; `who` are its reviewers, `words` the text of its reason code."""
    said = f"{_SAID[decision.kind]} by {who}: {words or decision.reason_code or 'no reason given'}."
    note = f" {decision.note.strip()}" if decision.note.strip() else ""
    step = said + note
    steps = (*record.steps, step)
    if decision.kind is Kind.CONFIRM:
        return record.model_copy(update={"route": Route.ACCEPT, "route_reasons": (said,), "steps": steps})
    if decision.kind is Kind.CANNOT_DECIDE:
        reasons = (said, *record.route_reasons)
        return record.model_copy(update={"route": Route.REVIEW, "route_reasons": reasons, "steps": steps})
    if decision.kind is Kind.REJECT:
        changes: dict[str, object] = {
            "status": Status.ABSTAIN, "announcement_date": None, "reason": None, "disclosure_type": None, "claims": (), "checks": (),
            "confidence": 0.0, "route": Route.REVIEW, "route_reasons": (said,), "abstain_reason": step, "steps": steps,
            "package": Package.UNVERIFIABLE, "adjudicator": REVIEWER,
        }  # fmt: skip
        return record.model_copy(update=changes)
    return _corrected(decision, record, claims, pages, policy, said, steps)


_SAID = {
    Kind.CONFIRM: "Confirmed",
    Kind.CORRECT: "Corrected",
    Kind.REJECT: "Rejected",
    Kind.CANNOT_DECIDE: "Left undecided",
}


def _corrected(
    decision: Decision, record: Record, claims: tuple[Claim, ...], pages: dict[str, Page], policy: Policy, said: str, steps: tuple[str, ...]
) -> Record:
    """A corrected record: new evidence first, and of the old what proves a value that stays."""
    status = decision.status or record.status
    kind = decision.disclosure_type or record.disclosure_type if status is Status.YES else None
    values = {
        "status": status.value, "announcement_date": str(decision.announcement_date or ""), "reason": decision.reason or "",
        "disclosure_type": kind or "",
    }  # fmt: skip
    kept = tuple(claim for claim in record.claims if values.get(claim.field) and claim.value == values[claim.field])
    changes: dict[str, object] = {
        "status": status, "announcement_date": decision.announcement_date, "reason": decision.reason, "disclosure_type": kind,
        "confidence": 1.0, "route": Route.ACCEPT, "route_reasons": (said,), "steps": steps, "abstain_reason": "", "error": None,
        "later_event": None if status is Status.YES else record.later_event, "adjudicator": REVIEWER,
    }  # fmt: skip
    if claims:
        verdict = Verdict(
            status=status, announcement_date=decision.announcement_date, reason=decision.reason, disclosure_type=kind, confidence=1.0,
            claims=(*claims, *kept), findings=record.findings, timeline=record.timeline, conflicts=record.conflicts, adjudicator=REVIEWER,
        )  # fmt: skip
        audit = verify(record.listing, verdict, pages, policy, coverage_sufficient=record.coverage.sufficient)
        changes |= {"claims": audit.claims, "checks": audit.checks, "package": audit.package}
    else:
        left = {claim.field for claim in kept}
        changes |= {
            "claims": kept,
            "checks": tuple(check for check in record.checks if check.field in left),
            "package": record.package if left and status is record.status else Package.UNVERIFIABLE,
        }
    return record.model_copy(update=changes)


def signed(by: tuple[str, ...]) -> str:
    """Reviewers as the author of a revision."""
    return " and ".join(dict.fromkeys(by))
