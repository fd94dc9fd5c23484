"""What the figures of each view mean, in one place."""

from __future__ import annotations

NOTES: dict[str, str] = {
    "decision": """
Strata: A, disclosed by the cutoff; B, only after it; C, never. A record that failed or is missing counts as wrong.

A-precision: share of A among the records answered yes. A-recall, B-FEPR (future event projected back) and C-FPR: share of A, B and C
answered yes. Precision depends on the mix of strata.

Intervals: 95% Wilson; of macro-F1 from a Dirichlet posterior within strata.
""",
    "completion": """
Dates, reason and A-joint: of all of A; a missed event counts as wrong. A-joint: yes, with date (exact, or within 7 days) and reason.
Overall joint: A-joint within 7 in A, the right answer in B and C.

Cost: model calls and searches, without review. Seconds: per record, from its first step to its last.

Intervals: 95% Wilson; median by order statistics; means by bootstrap within strata.
""",
    "faults": """
Each record stands in the first class that holds, in this order: {classes}.

Kinds: answer (no usable record, abstained, missed, projected back, never was), date (none, too early, too late), reason.

Intervals: 95% Wilson.
""",
    "packages": """
Outcome of the evidence audit by the answer given: pass, all proofs hold against the archived pages; fail, one does not;
unverifiable, one is missing or could not be checked. Records that failed have no package.

Right when passed: share of whole records that are right (overall joint) among those that passed.

Intervals: 95% Wilson.
""",
    "selective": """
Accepted: routed past the reviewer by the run's own table and risk model. Wrong: not right as a whole (overall joint).

Accepted positives fall apart by the first thing that is wrong: answer (the event was not disclosed by the cutoff), date (missing or
more than 7 days off), reason.

Surest first: by the estimated risk of the joint answer, else by the stated confidence. No threshold is chosen on these records.

Intervals: 95% Wilson.
""",
    "countries": """
Country of the listing as the universe gives it (-: none). A panel under {small} records says next to nothing, as its intervals show.

Intervals: 95% Wilson.
""",
    "paired": """
Difference: second minus first over the same rows. First only, second only: rows on which only one of both meets the measure.

McNemar: exact, two-sided. Ten measures are tested side by side, and none is corrected for that.

Intervals: 95%, Newcombe's for paired shares, a Dirichlet posterior for macro-F1, a paired bootstrap within strata for cost.
""",
    "alone": """
A difference needs two arms over the same rows, such as --arms closed:MODEL,web:MODEL.
""",
    "cost": """
Assumed: {minutes} minutes of review per record, ${wage} per hour (${usd} per record), and {success} of the wrong records that are
reviewed set right. Set them with --review-minutes, --review-usd and --review-success.

Plans: as routed; every yes (and all without an answer); all records. Corrected: share of the reviewed records that are wrong (overall
joint) and set right. Machine, review and hours are per 1,000 records of the universe.

Cost per corrected = (machine + review) / records set right. Cost per right record = (machine + review) / records that are right in the
end. A universe with another mix of strata has other costs.

Intervals: 95% Wilson for shares and for what is proportional to them, bootstrap within strata for other money; none where nothing varied.
""",
}


def notes(key: str, **values: object) -> tuple[str, ...]:
    """The paragraphs about a view; raises KeyError for an unknown key or a missing value."""
    return tuple(" ".join(part.split()) for part in NOTES[key].format(**values).strip().split("\n\n"))
