"""The report of a run: one HTML file that opens offline, runs no script and shows archived text as text only."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from s2r.models import Record
from s2r.report.charts import all_charts
from s2r.report.context import Exhibits
from s2r.report.files import whole
from s2r.report.inert import visible, web_link
from s2r.report.sections import MAX_GAPS, MAX_QUERIES, MAX_STEPS, Row, make_row, make_section
from s2r.report.summary import Summary
from s2r.report.texts import KINDS, TIPS, say, words
from s2r.report.watching import read_watch

MAX_SECTIONS = 500  # records shown in full
MAX_ROWS = 2000  # lines of the table
MAX_FAULTS = 100
CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
SORTS = ("queue", "issuer", "market", "status", "date", "confidence")

Records = Callable[[], Iterator[Record]]
Pick = Callable[[Collection[int]], Iterator[tuple[int, Record]]]  # the records at some places (0-based) with their places, in order


class Outline:
    """What a report needs of all records, gathered while they go by; at most twice MAX_ROWS lines are kept."""

    def __init__(self) -> None:
        self.summary = Summary()
        self._rows: list[Row] = []

    def add(self, record: Record) -> None:
        """Take the next record of the run."""
        self._rows.append(make_row(self.summary.n, record))
        self.summary.add(record)
        if len(self._rows) >= 2 * MAX_ROWS:
            self._rows = self.rows

    @property
    def rows(self) -> list[Row]:
        """The lines of the table."""
        return sorted(self._rows, key=lambda row: row.key)[:MAX_ROWS]


def write_report(
    path: Path, records: Records, manifest: Mapping[str, object], *, archive: Path, outline: Outline | None = None, pick: Pick | None = None
) -> None:
    """Write the report of a run to `path`, whole or not at all; raises StoreError when it cannot be written.

    `records` is streamed, up to two times: not for an `outline` that has seen all of them, nor for records that `pick` gives. `archive` is
    the run folder whose archive holds the exhibits. Few table lines and MAX_SECTIONS records are kept at a time, and what is left out is
    stated in the report.
    """
    if outline is None:
        outline = Outline()
        for record in records():
            outline.add(record)
    env, rows = environment(), outline.rows
    wanted = {row.position: number for number, row in enumerate(rows[:MAX_SECTIONS])}
    with Exhibits(archive, for_text=True) as exhibits, whole(path) as out:
        found = pick(wanted) if pick else ((n, record) for n, record in enumerate(records()) if n in wanted)
        sections = _sections(env, found, wanted, exhibits)
        head = _head(outline.summary, manifest, rows)
        for piece in env.get_template("report.html.j2").generate(**head, sections=sections):
            out.write(piece.encode("utf-8", "replace"))


def _sections(env: Environment, records: Iterable[tuple[int, Record]], wanted: Mapping[int, int], exhibits: Exhibits) -> Iterator[Markup]:
    """Rendered sections in the order of the table, though the records come in the order of the run."""
    template = env.get_template("section.html.j2")
    ready: dict[int, Markup] = {}
    following = 0
    for position, record in records:
        number = wanted[position]
        ready[number] = Markup(template.render(ident=f"r{number + 1}", s=make_section(record, exhibits, f"r{number + 1}")))  # noqa: S704
        while following in ready:
            yield ready.pop(following)
            following += 1


def _head(summary: Summary, manifest: Mapping[str, object], rows: Sequence[Row]) -> dict[str, object]:
    faults = manifest.get("faults")
    fault_list = [str(fault) for fault in faults] if isinstance(faults, list | tuple) else []
    return {
        "s": summary,
        "m": manifest,
        "event": words(str(manifest.get("event_type") or "event")),
        "heading": _capital(words(str(manifest.get("event_type") or "event"))),
        "started": _moment(manifest.get("started_at")),
        "finished": _moment(manifest.get("finished_at")),
        "waiting": _count(manifest.get("waiting")),
        "rejected": _count(manifest.get("rejected_rows")),
        "cost": _cost(summary),
        "mismatch": _count(manifest.get("rows")) != summary.n and "rows" in manifest,
        "manifest_rows": _count(manifest.get("rows")),
        "faults": fault_list[:MAX_FAULTS],
        "fault_total": len(fault_list),
        "charts": all_charts(summary),
        "watch": read_watch(manifest),
        "rows": rows,
        "ranks": _ranks(rows),
        "max_sections": MAX_SECTIONS,
        "shown_sections": min(MAX_SECTIONS, summary.n),
    }


def _ranks(rows: Sequence[Row]) -> list[dict[str, int]]:
    """For each row its place in every order of the table, so that style alone can sort it."""
    keys: dict[str, Callable[[Row], tuple[object, ...]]] = {
        "issuer": lambda r: (r.issuer.casefold(),),
        "market": lambda r: (r.mic.casefold(),),
        "status": lambda r: (r.status,),
        "date": lambda r: (r.date or "9999",),
        "confidence": lambda r: (r.confidence,),
    }
    ranks: list[dict[str, int]] = [{} for _ in rows]
    for name, key in keys.items():
        for place, number in enumerate(sorted(range(len(rows)), key=lambda n: key(rows[n]))):
            ranks[number][name] = place + 1
    return ranks


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _moment(value: object) -> str:
    """An ISO time as minutes with its zone; other text as it is; "" when missing."""
    if not value:
        return ""
    try:
        moment = dt.datetime.fromisoformat(str(value))
    except ValueError:
        return str(value)
    return f"{moment:%Y-%m-%d %H:%M} {moment.tzname() or ''}".strip()


def _count(value: object) -> int:
    return len(value) if isinstance(value, list | tuple) else int(value) if isinstance(value, int) else 0


def _cost(summary: Summary) -> str:
    cost = money(summary.cost)
    return say("cost_unknown", cost=cost, n=summary.cost_unknown) if summary.cost_unknown else cost


def money(value: float | None) -> str:
    """Dollars with the digits that matter; "unknown" for None."""
    return say("unknown") if value is None else f"{value:.2f}" if value == 0 or value >= 0.1 else f"{value:.4f}"


def _said(key: str, **values: object) -> str:
    """A text of the report; one without gaps is made ready for a page once."""
    if not values:
        return _ready(say(key))
    return say(key, **{name: value.unescape() if isinstance(value, Markup) else value for name, value in values.items()})


def _worded(code: str) -> str:
    return _ready(words(code))


@lru_cache(maxsize=4096)
def _ready(text: str) -> Markup:
    return escape(visible(text))


def environment() -> Environment:
    """The templates of this package; whatever they print is made visible and escaped."""
    env = Environment(
        loader=PackageLoader("s2r.report", "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    env.globals.update(t=_said, words=_worded, link=web_link, money=money, moment=_moment, KINDS=KINDS, TIPS=TIPS, CSP=CSP, SORTS=SORTS)
    env.globals.update(MAX_QUERIES=MAX_QUERIES, MAX_GAPS=MAX_GAPS, MAX_STEPS=MAX_STEPS)
    env.filters["v"] = visible
    env.finalize = lambda value: value if isinstance(value, Markup) else visible(value)  # nothing reaches the page unseen
    return env
