"""View 5: what is accepted without review, how often it is wrong, and why accepted positives are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from s2r.evaluate.harness.decision import percent, tick
from s2r.evaluate.harness.figures import NUMBER, RATE, Figure, Grid, View, grid, rate, share, valued
from s2r.evaluate.harness.intervals import bootstrap, percentiles
from s2r.evaluate.harness.outcomes import DATE_FAULTS, NONE, RIGHT, STATUS_FAULTS, Fault, Outcome, Scored
from s2r.evaluate.harness.pictures import rate_rows
from s2r.evaluate.harness.words import notes
from s2r.models import Status
from s2r.report.plots import Curve, curve_chart, dot_chart, series_of
from s2r.risk.model import RiskModel, group_words
from s2r.risk.threshold import Method

TARGET = 0.05  # the accepted error that published studies aim at
ACCEPTED = ("accepted", "accepted error", "error among no", "error among yes", "yes accepted", "to review")
PARTS = ("wrong", "answer", "date", "reason")
ESTIMATED = ("estimated error", "error", "Brier")
LEVELS = tuple(k / 10 for k in range(1, 11))


def acceptance(outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    """The figures of ACCEPTED."""
    taken = [o for o in outcomes if o.accepted]
    return (
        rate(len(taken), len(outcomes)),
        share(taken, _wrong),
        share((o for o in taken if not o.said_yes), _wrong),
        share((o for o in taken if o.said_yes), _wrong),
        share((o for o in outcomes if o.said_yes), lambda o: o.accepted),
        rate(len(outcomes) - len(taken), len(outcomes)),
    )


def decomposition(outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    """The figures of PARTS over accepted positives (accepted and answered yes): the last three add up to the first."""
    faults = [o.fault for o in outcomes if o.accepted and o.said_yes]
    return (
        share(faults, lambda f: f not in RIGHT),
        share(faults, lambda f: f in STATUS_FAULTS),
        share(faults, lambda f: f in DATE_FAULTS),
        share(faults, lambda f: f is Fault.REASON),
    )


def surest_first(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Answered records by falling score; equal scores by row id. What has no answer can never be accepted and is left out."""
    return sorted((o for o in outcomes if o.said not in (NONE, Status.ABSTAIN)), key=lambda o: (-o.score, o.row_id))


def at_level(ordered: Sequence[Outcome], n: int, level: float) -> Figure:
    """Error when the surest records, `level` of all `n`, are accepted; no value when fewer are answered."""
    size = round(level * n)
    if size == 0 or size > len(ordered):
        return Figure(None, 0, "rate", note="not answered" if size else "")
    return share(ordered[:size], _wrong)


def _wrong(outcome: Outcome) -> bool:
    return not outcome.right


def estimates(outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    """The figures of ESTIMATED over outcomes that have an estimated risk; intervals by bootstrap within strata."""
    known = [(o.stratum, o.risk, float(_wrong(o))) for o in outcomes if o.risk is not None]
    n = len(known)
    if n == 0:
        return Figure(None, 0, RATE), Figure(None, 0, RATE), Figure(None, 0, NUMBER)
    strata = [[(risk, (risk - wrong) ** 2) for name, risk, wrong in known if name == stratum] for stratum in sorted({k[0] for k in known})]
    drawn = bootstrap(strata)
    risk, brier = (sum(item[k] for group in strata for item in group) / n for k in (0, 1))
    limits = [percentiles(sums[k] / n for sums in drawn) for k in (0, 1)]
    return (
        valued(risk, n, RATE, limits[0], "bootstrap"),
        rate(sum(wrong > 0 for _, _, wrong in known), n),
        valued(brier, n, NUMBER, limits[1], "bootstrap"),
    )


def _estimated(arms: Sequence[Scored]) -> Grid:
    """Estimated against observed error, by what became of the records."""
    parts: tuple[tuple[str, Callable[[Outcome], bool]], ...] = (
        ("answered", lambda o: o.said not in (NONE, Status.ABSTAIN)),
        ("accepted no", lambda o: o.accepted and not o.said_yes),
        ("accepted yes", lambda o: o.accepted and o.said_yes),
        ("to review", lambda o: not o.accepted),
    )
    lines = [((arm.name, name), estimates([o for o in arm.outcomes if test(o)])) for arm in arms for name, test in parts]
    return grid("estimated", "Estimated and observed error", ("arm", "records"), ESTIMATED, lines)


def _about(model: RiskModel) -> tuple[str, ...]:
    """What the risk model of the view is, and what it promises."""
    made = f"certified at {model.promise.confidence:.0%} confidence" if model.method is Method.CERTIFIED else "as observed, not certified"
    limits = "; ".join(
        f"{group_words(c.group)} {'none' if c.threshold is None else f'up to a risk of {c.threshold:.1%}'}" for c in model.choices
    )
    promise = f"at most {model.promise.error:.0%} of what it accepts is wrong ({made}). Limits: {limits}."
    return (
        f"Risk model {model.model_id}, applied to every arm in place of the one that it was run with: {promise}",
        (
            "Estimated: mean risk that the record is wrong as a whole. Brier: mean squared distance from what happened. "
            "A model flatters itself on rows that it was fitted on."
        ),
    )


def selective_view(arms: Sequence[Scored], risk: RiskModel | None = None) -> View:
    """View 5; `risk` is the model that all arms are under, None where each is as its own run has routed it."""
    n = max((len(arm.outcomes) for arm in arms), default=0)
    names = [arm.name for arm in arms]
    lines, curves = [], []
    for number, arm in enumerate(arms):
        ordered = surest_first(arm.outcomes)
        yes = [o for o in ordered if o.said_yes]
        for said, some, whole in (("all", ordered, len(arm.outcomes)), ("yes", yes, len(yes))):
            row = tuple(at_level(some, whole, level) for level in LEVELS)
            lines.append(((arm.name, said), row))
            if said == "all":
                points = [(x, f.value, f.low, f.high) for x, f in zip(LEVELS, row, strict=True) if f.value is not None]
                curves.append(Curve(number, tuple((x, y, low or 0.0, high or 0.0) for x, y, low, high in points)))
    curve = curve_chart(
        "coverage-error",
        "Error of the surest records",
        "Share that is wrong (overall joint) when this share of all records, surest first, is accepted; 95% bands; dashed: 5%.",
        n,
        curves,
        series_of(names),
        percent,
        tick=tick,
        across="accepted",
        up="wrong",
        mark=TARGET,
    )
    parts = {arm.name: dict(zip(PARTS, decomposition(arm.outcomes), strict=True)) for arm in arms}
    chart = dot_chart(
        "accepted-yes",
        "Accepted positives that are wrong",
        "Of the records answered yes and accepted without review: share that is wrong, by what is wrong with it.",
        sum(o.accepted and o.said_yes for arm in arms for o in arm.outcomes),
        rate_rows(PARTS, parts),
        series_of(names),
        percent,
        tick=tick,
        high=1.0,
        mark=TARGET,
        head="wrong by",
        note="" if any(o.accepted for arm in arms for o in arm.outcomes) else "No arm accepted a record.",
    )
    return View(
        "selective",
        "Selective acceptance",
        (*notes("selective"), *(_about(risk) if risk else ())),
        (
            grid("accepted", "As routed", ("arm",), ACCEPTED, (((arm.name,), acceptance(arm.outcomes)) for arm in arms)),
            grid("accepted-yes", "Accepted positives", ("arm",), PARTS, (((arm.name,), decomposition(arm.outcomes)) for arm in arms)),
            grid("levels", "Error when the surest are accepted", ("arm", "answered"), tuple(f"{x:.0%}" for x in LEVELS), lines),
            *((_estimated(arms),) if risk else ()),
        ),
        (curve, chart),
    )
