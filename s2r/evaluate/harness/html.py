"""The eight views as one HTML file that opens offline and runs no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from s2r.evaluate.harness.figures import COUNT, Figure, P, View, write
from s2r.report.files import whole
from s2r.report.page import environment
from s2r.report.plots import sample


def write_html(path: Path, views: Sequence[View], facts: Mapping[str, str], *, synthetic: bool) -> None:
    """Write the report of a benchmark, whole or not at all; `facts` says in words what was measured."""
    env = environment()
    env.globals.update(value=_value, limits=_limits, sample=sample)
    page = env.get_template("bench.html.j2").generate(views=views, facts=facts, synthetic=synthetic)
    with whole(path) as out:
        for piece in page:
            out.write(piece.encode("utf-8", "replace"))


def _value(figure: Figure) -> str:
    if figure.value is None:
        return figure.note or "–"
    return f"{figure.value:g}" if figure.unit == COUNT else write(figure.value, figure.unit)


def _limits(figure: Figure) -> str:
    """What stands under a value: its interval and n."""
    if figure.value is None:
        return "" if figure.n == 0 else f"n = {figure.n:,}"
    if figure.unit in (COUNT, P):
        return ""
    n = f"n = {figure.n:,}"
    if figure.low is None or figure.high is None:
        return n
    return f"[{write(figure.low, figure.unit, bare=True)}, {write(figure.high, figure.unit, bare=True)}] {n}"
