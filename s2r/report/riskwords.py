"""A risk model in words and figures: the model card, as the report and the command line show it."""

from __future__ import annotations

from s2r.risk.features import meaning
from s2r.risk.measure import Measured
from s2r.risk.model import TARGET_WORDS, RiskModel, group_words
from s2r.risk.threshold import Choice, Method

Facts = list[tuple[str, str]]


def facts(model: RiskModel) -> Facts:
    """What the model is, what it rests on and what it promises, as (label, value)."""
    source, promise = model.source, model.promise
    found = [
        ("model", model.model_id),
        ("event type", model.event_type),
        ("policy", model.policy),
        ("answers of", ", ".join(model.arms)),
        ("features", f"{len(model.columns)} columns of feature set {model.feature_set}"),
        ("fitted", f"{model.fitted_at} with s2r {model.version}"),
        ("labels", f"{sum(p.records for p in source.parts.values())} records, digest {source.digest[:12]}, seed {source.seed}"),
        ("strata", ", ".join(f"{name} {n}" for name, n in source.strata.items())),
        ("wrong means", f"{TARGET_WORDS[model.target]} is wrong ({model.target.value})"),
        ("asked for", _asked(model)),
        ("method", _method(model)),
        ("class weights", "balanced, intercept set back" if model.balanced else "none"),
        ("penalty", f"L2, inverse strength {model.strength:g}"),
    ]
    if promise.recall is not None:
        found.append(("recall asked for", f"at least {promise.recall:.1%} of true events not lost in an accepted no"))
    if model.mix:
        mix = ", ".join(f"{name} {share:.2%} (weight {model.weights.get(name, 0):.3f})" for name, share in model.mix.items())
        found.append(("target mix", mix))
        found.append(
            ("effective sample size", f"{model.effective_n or 0:.0f} of {source.parts['calibration'].records} calibration records")
        )
    return found


def _asked(model: RiskModel) -> str:
    promise = model.promise
    return f"at most {promise.error:.1%} of accepted records wrong, with {promise.confidence:.0%} confidence for all groups together"


def _method(model: RiskModel) -> str:
    if model.method is Method.CERTIFIED:
        return "certified: exact binomial tests in a fixed sequence; an issuer family counts once"
    return "empirical: largest set with this error on the calibration records; promises nothing about new ones"


def part_rows(model: RiskModel) -> list[tuple[str, ...]]:
    """Rows of the table of parts: name, records, families, true events, wrong."""
    return [
        (name, str(part.records), str(part.families), str(part.positives), str(part.wrong)) for name, part in model.source.parts.items()
    ]


PART_HEAD = ("part", "records", "issuer families", "true events", "wrong")
CHOICE_HEAD = ("group", "method", "accepted up to a risk of", "accepted", "of families", "of these wrong", "upper limit", "why")


def choice_rows(choices: tuple[Choice, ...]) -> list[tuple[str, ...]]:
    """Rows of the table of thresholds."""
    return [
        (
            group_words(choice.group),
            choice.method.value,
            "refused" if choice.threshold is None else f"{choice.threshold:.2%}",
            str(choice.records),
            str(choice.families),
            str(choice.wrong),
            f"{choice.limit:.1%}",
            choice.why,
        )
        for choice in choices
    ]


COEFFICIENT_HEAD = ("column", "meaning", "mean", "standard deviation", "coefficient")


def coefficient_rows(model: RiskModel) -> list[tuple[str, ...]]:
    """Rows of the table of coefficients of the target that decides, largest first."""
    fit = next(fit for fit in model.fits if fit.target is model.target)
    rows = zip(model.columns, model.means, model.scales, fit.coefficients, strict=True)
    ordered = sorted(rows, key=lambda row: -abs(row[3]))
    return [(name, meaning(name), f"{mean:.3f}", f"{scale:.3f}", f"{weight:+.3f}") for name, mean, scale, weight in ordered]


MEASURE_HEAD = ("figure", "share [95% exact interval] n")
MEASURES = {
    "eligible": "may be accepted by the routing table",
    "accepted_error": "wrong among accepted",
    "accepted_yes_error": "wrong among accepted yes",
    "accepted_no_error": "wrong among accepted no",
    "ready": "ready: accepted and right, of all",
    "positives_ready": "ready: accepted and right, of true events",
    "review": "to a reviewer, of all",
    "recall": "true events not lost in an accepted no",
    "base_rate": "wrong without any selection",
}


def measure_rows(found: Measured) -> list[tuple[str, str]]:
    """Rows of the table of figures of one part."""
    rows = [(words, str(getattr(found, name))) for name, words in MEASURES.items()]
    return [*rows, ("Brier score", f"{found.brier:.4f} n = {found.records}")]


def look_sentence(model: RiskModel) -> str:
    """How often the locked test has been looked at, and what that does to its figures."""
    if not model.looks:
        return "The locked test has not been looked at."
    last = model.looks[-1]
    if not last.seen_before:
        return f"First look at this locked test of {last.records} records ({last.at[:10]})."
    text = f"{last.seen_before} of the {last.records} test records had been shown by an earlier look; this one is recorded"
    return f"{text}, and a choice that was made after the earlier one makes these figures optimistic."
