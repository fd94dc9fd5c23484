"""The kinds of source behind a `yes`: what the policy accepts as support, and whether the support is dated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2r.models import Check, Claim, Listing, Page, Status, Verdict
from s2r.policy import Policy

WEAK = ("aggregator", "forum")


def check_sources(
    listing: Listing, verdict: Verdict, claims: Sequence[Claim], pages: Mapping[str, Page], policy: Policy
) -> tuple[Check, ...]:
    """A `yes` needs at least one dated finding of a source that is more than an aggregator or a forum."""
    if verdict.status is not Status.YES:
        return ()
    cited = {claim.exhibit for claim in claims if claim.field == "status"}
    kinds = sorted({f.source_kind for f in verdict.findings if f.digest in cited and f.qualifies} or {"unknown"})
    strong = [kind for kind in kinds if kind not in WEAK]
    dated = any(f.date for f in verdict.findings if f.digest in cited and f.qualifies)
    checks = [
        Check(
            name="sources",
            field="status",
            outcome="pass" if strong else "unverifiable",
            sentence=f"Support comes from: {', '.join(kinds)}." if strong else f"Only {', '.join(kinds)} support the status.",
        )
    ]
    if not dated and not policy.definition.undated_supports_accept:
        checks.append(Check(name="sources", field="status", outcome="unverifiable", sentence="The only support is undated."))
    return tuple(checks)
