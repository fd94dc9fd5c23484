"""How nights follow each other: where the records stand at the end of each, what changed, and what it cost, as charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2r.models import Route, Status
from s2r.report.charts import Bar, Chart, Series, bar_chart
from s2r.report.curves import Curve, xy_svg
from s2r.report.plots import Dot, DotRow, dot_chart, series_of
from s2r.store import Store
from s2r.store.nights import DONE, Night

MOST_SHARES, MOST_NIGHTS = 90, 14  # nights that the curves and the bars show
CHANGED = {"new": "c-yes", "changed": "c-pass", "withdrawn": "c-unverifiable", "failed": "c-fail"}
_STANDING = (
    "select status, route, coalesce(covered, 0) as covered, count(*) as n from revision r indexed by revision_covered "
    "where number = (select max(number) from revision s where s.row_id = r.row_id) and row_id not in (select row_id from withdrawn) "
    "group by 1, 2, 3"
)


def standing_mark(store: Store) -> str:
    """A mark that stays the same as long as no count of `standing` can change."""
    ((last, all_of_them),) = store.tuples("select coalesce(max(id), 0), count(*) from revision")
    ((gone, newest),) = store.tuples("select count(*), coalesce(max(since), '') from withdrawn")
    return f"{last} {all_of_them} {gone} {newest}"


def known_standing(nights: Sequence[Night], mark: str) -> dict[str, int] | None:
    """The counts that the last finished night left, None when its mark is another one."""
    last = next((night for night in reversed(nights) if night.state == DONE), None)
    if last is None or last.outcome.get("standing_mark") != mark:
        return None
    return {key: int(n) for key, n in _numbers(last.outcome.get("standing")).items()}


def standing(store: Store) -> dict[str, int]:
    """Counts of the current records of listings that are still in the universe: `all`, `covered` (the coverage rule was met), and
    by status and route."""
    found = dict.fromkeys(("all", "covered", *(s.value for s in Status), *(r.value for r in Route)), 0)
    for row in store.rows(_STANDING):
        n = int(str(row["n"]))
        for key in ("all", str(row["status"]), str(row["route"]), *(("covered",) if row["covered"] else ())):
            found[key] = found.get(key, 0) + n
    return found


def trend_charts(nights: Sequence[Night], job: str) -> tuple[Chart, ...]:
    """Charts of the finished nights of a job, oldest first; none before the second night."""
    done = [night for night in nights if night.job == job and night.state == DONE]
    if len(done) < 2:
        return ()
    return (_shares(done[-MOST_SHARES:]), _changes(done[-MOST_NIGHTS:]), _costs(done[-MOST_NIGHTS:]))


def _shares(nights: Sequence[Night]) -> Chart:
    title = "Where the records stand, by night"
    desc = "Shares of all listings at the end of each night: accepted, sent to review, and searched well enough."
    points: dict[str, list[tuple[float, float]]] = {"accept": [], "review": [], "covered": []}
    rows = []
    for x, night in enumerate(nights, start=1):
        stands = _numbers(night.outcome.get("standing"))
        if not (everything := stands.get("all", 0)):
            continue
        shares = {key: stands.get(key, 0) / everything for key in points}
        for key, share in shares.items():
            points[key].append((float(x), share))
        rows.append((_name(night), f"{everything:.0f}", *(f"{share:.1%}" for share in shares.values())))
    curves = (
        Curve("accepted", "c-pass", points["accept"]),
        Curve("to review", "c-fail", points["review"]),
        Curve("searched well enough", "c-plain", points["covered"], dashed=True),
    )
    series = tuple(Series(curve.label, curve.label, curve.css) for curve in curves)
    svg = xy_svg("shares", title, desc, curves, "nights, oldest first", "share of listings", square=True, x_top=float(max(len(nights), 1)))
    return Chart("shares", title, desc, len(rows), svg, ("night", "listings", *(c.label for c in curves)), tuple(rows), series)


def _changes(nights: Sequence[Night]) -> Chart:
    series = tuple(Series(kind, kind, css) for kind, css in CHANGED.items())
    bars = []
    for night in nights:
        counts = _numbers(night.outcome.get("counts"))
        bars.append(Bar(_name(night), tuple(int(counts.get(kind, 0)) for kind in CHANGED)))
    desc = "Rows that are new, that changed, whose event was withdrawn, and whose look failed."
    return bar_chart("changes-by-night", "Changes by night", desc, "night", bars, series, len(nights))


def _costs(nights: Sequence[Night]) -> Chart:
    rows = []
    for night in nights:
        usd = float(str(night.outcome.get("usd") or 0.0))
        rows.append(DotRow(_name(night), (Dot(0, usd, usd, usd, f"{_name(night)}: {_usd(usd)}"),)))
    desc = "Known costs of searches, fetches and model calls, in US dollars."
    return dot_chart("cost-by-night", "Cost by night", desc, len(nights), rows, series_of(("US dollars",)), _usd, head="night")


def _usd(value: float) -> str:
    return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def _name(night: Night) -> str:
    return f"{night.id}: {night.started_at:%Y-%m-%d}"


def _numbers(found: object) -> dict[str, float]:
    return {str(key): float(str(value)) for key, value in found.items()} if isinstance(found, Mapping) else {}
