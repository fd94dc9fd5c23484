"""Logistic regression with an L2 penalty (scikit-learn, extra `risk`); the only module that needs a numeric library."""

from __future__ import annotations

import math
from collections.abc import Sequence

from s2r.errors import ConfigError
from s2r.risk.model import Fit, standardised
from s2r.risk.targets import Target


def scaling(rows: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Means and standard deviations of the columns of `rows`; 1 where a column does not vary, so that it counts for nothing."""
    n = len(rows)
    means = [math.fsum(column) / n for column in zip(*rows, strict=True)]
    spreads = [
        math.sqrt(math.fsum((x - mean) ** 2 for x in column) / n) for column, mean in zip(zip(*rows, strict=True), means, strict=True)
    ]
    return tuple(means), tuple(spread if spread > 1e-12 else 1.0 for spread in spreads)


def fit(
    target: Target,
    rows: Sequence[Sequence[float]],
    wrong: Sequence[bool],
    means: Sequence[float],
    scales: Sequence[float],
    *,
    balanced: bool = False,
    strength: float = 1.0,
) -> Fit:
    """Fit one target on rows of raw numbers; raises ConfigError when they hold a single class or scikit-learn is missing.

    `strength` is the inverse of the penalty. With `balanced` both classes weigh the same in the fit; the intercept is then set back
    by the log odds of the classes (King and Zeng 2001), so that what comes out is a probability again.
    """
    losses = sum(wrong)
    if losses in (0, len(wrong)):
        what = "wrong" if losses else "right"
        raise ConfigError(f"all {len(wrong)} records of the training part are {what}", subject=f"target {target.value}")
    try:
        from sklearn.linear_model import LogisticRegression
        from threadpoolctl import threadpool_limits
    except ImportError as exc:
        raise ConfigError(
            "fitting needs scikit-learn", subject="s2r calibrate", advice="Install s2r with the extra risk: s2r[risk]."
        ) from exc
    scaled = [standardised(row, means, scales) for row in rows]
    model = LogisticRegression(C=strength, class_weight="balanced" if balanced else None, solver="newton-cholesky", tol=1e-8)
    with threadpool_limits(limits=1):  # a handful of columns; more threads only wait for each other
        model.fit(scaled, [int(x) for x in wrong])
    shift = math.log(losses / (len(wrong) - losses)) if balanced else 0.0
    return Fit(
        target=target,
        intercept=round(float(model.intercept_[0]) + shift, 9),
        coefficients=tuple(round(float(x), 9) for x in model.coef_[0]),
        records=len(wrong),
        wrong=losses,
    )
