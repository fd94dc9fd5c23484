"""All eight views of some arms over one gold."""

from __future__ import annotations

from collections.abc import Sequence

from s2r.evaluate.harness.costs import ReviewRate, cost_view
from s2r.evaluate.harness.decision import completion_view, decision_view
from s2r.evaluate.harness.faults import fault_view, package_view
from s2r.evaluate.harness.figures import View
from s2r.evaluate.harness.outcomes import Scored
from s2r.evaluate.harness.paired import paired_view
from s2r.evaluate.harness.panels import panel_view
from s2r.evaluate.harness.selective import selective_view
from s2r.risk.model import RiskModel


def all_views(arms: Sequence[Scored], review: ReviewRate, risk: RiskModel | None = None) -> tuple[View, ...]:
    """The views in their published order; all arms have the same rows in the same order. `risk` is the model that all of them are under."""
    return (
        decision_view(arms),
        completion_view(arms),
        fault_view(arms),
        package_view(arms),
        selective_view(arms, risk),
        panel_view(arms),
        paired_view(arms),
        cost_view(arms, review),
    )
