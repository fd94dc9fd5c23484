"""The quote under a reason states that reason: who acts may suggest one, and proves none but the issuer's own wish."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from s2r.lang.text import fold_text
from s2r.models import Check, Claim, Listing, Page, Verdict
from s2r.policy import Lexicon, Phrase, Policy

OWN_WISH = "voluntary"
_OWN = ("issuer", "board", "holders")  # whose act is a wish of the issuer's own
_UNNAMED = "other"  # what no words name


def check_reasons(
    listing: Listing, verdict: Verdict, claims: Sequence[Claim], pages: Mapping[str, Page], policy: Policy
) -> tuple[Check, ...]:
    """For each reason: whether words of the lexicons that stand for it are in its quote."""
    checks = []
    for claim in claims:
        page = pages.get(claim.exhibit)
        if claim.field == "reason" and claim.value != _UNNAMED and page is not None:
            checks.append(_states(claim, page, policy))
    return tuple(checks)


def _states(claim: Claim, page: Page, policy: Policy) -> Check:
    text, near = fold_text(claim.quote), page.lang.partition("-")[0]
    lexicons = [lexicon for lexicon in policy.lexicons.values() if lexicon.language.partition("-")[0] in ("en", near)]
    meant = {claim.value, *_ruled(claim.value, policy)}
    others: set[str] = set()
    for lexicon in lexicons:
        for name, phrases in lexicon.reason.items():
            if (found := _first(phrases, text)) and name in meant:
                return _check("pass", f"The quote states the reason: '{found}'.")
            if found:
                others.add(name)
    if others:
        return _check("unverifiable", f"The quote does not state {claim.value}; it speaks of {', '.join(sorted(others))}.")
    if claim.value == OWN_WISH and (found := next(filter(None, (_own_act(lexicon, text) for lexicon in lexicons)), "")):
        return _check("pass", f"The quote states an act of the issuer's own: '{found}'.")
    return _check("unverifiable", f"The quote states no reason; {claim.value} was taken from the rest of the page or from who acts.")


def _ruled(value: str, policy: Policy) -> Iterable[str]:
    """Reasons that the rulings of the policy give another name."""
    for ruling in policy.definition.rulings.values():
        if str(ruling.value) == value:
            for case in ruling.case:
                yield from case.reason


def _own_act(lexicon: Lexicon, text: str) -> str:
    families = (*(lexicon.actor.get(name, ()) for name in _OWN), lexicon.stage.get("application", ()), lexicon.act.get("application", ()))
    return next(filter(None, (_first(phrases, text) for phrases in families)), "")


def _first(phrases: Iterable[Phrase], text: str) -> str:
    """What the first phrase that is found covers in `text`, "" when none is."""
    for phrase in phrases:
        if (match := _compiled(phrase.pattern).search(text)) is not None:
            return match.group()
    return ""


@lru_cache(maxsize=8192)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _check(outcome: str, sentence: str) -> Check:
    return Check(name="reason", field="reason", outcome=outcome, sentence=sentence)
