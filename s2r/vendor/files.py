"""The files of a comparison: challenges as CSV, XLSX and HTML, all comparisons, the archived texts that are linked to, and the numbers."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from s2r.errors import StoreError
from s2r.models import Page
from s2r.report.files import whole, write_csv, write_json, write_xlsx
from s2r.report.inert import visible, web_link
from s2r.report.page import CSP
from s2r.report.tables import safe_cell
from s2r.vendor.evidence import Evidence
from s2r.vendor.reconcile import Reconciliation
from s2r.vendor.summary import Summary
from s2r.vendor.types import Comparison, Kind, Quote

PAGES = "pages"  # folder of the archived texts
MOST_SHOWN = 500  # challenges in the HTML file; the tables have all
AROUND = 8000  # characters of a long page kept on each side of its quotes
WHOLE_PAGE = 60_000  # characters up to which a page is shown whole
COLUMNS = (
    "challenge", "kind", "also", "vendor", "vendor_row", "row_id", "issuer", "security", "mic", "field", "vendor_value", "our_value",
    "date_kind", "belongs_to", "why", "ready", "before_sending", "status_quote", "status_url", "status_page", "date_quote", "date_url",
    "date_page", "reason_quote", "reason_url", "reason_page", "vendor_date_quote", "vendor_date_url", "vendor_date_page", "coverage",
    "text",
)  # fmt: skip
ALL_COLUMNS = (
    "kind",
    "also",
    "row_id",
    "vendor_row",
    "issuer",
    "mic",
    "vendor_value",
    "our_value",
    "matched_by",
    "date_kind",
    "belongs_to",
    "why",
)
DEFECT_COLUMNS = ("row", "column", "value", "problem", "advice", "severity")
_ABOUT = {"status": ("status", "later event", "another listing", "former name"), "date": ("announcement_date",), "reason": ("reason",),
          "vendor_date": ("vendor date", "date")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Written:
    """Where the files are."""

    folder: Path
    challenges: int


def write_comparison(folder: Path, done: Reconciliation, summary: Summary, evidence: Evidence) -> Written:
    """Write all files of a comparison into `folder`, summary.json last: without it the rest is not complete. Raises StoreError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "summary.json").unlink(missing_ok=True)
        shutil.rmtree(folder / PAGES, ignore_errors=True)
    except OSError as exc:
        advice = "Choose another folder with --to."
        raise StoreError(f"cannot be written: {exc.strerror or exc}", subject=str(folder), advice=advice) from exc
    found = [made for made in done.comparisons if made.challenged]
    env = _environment()
    _write_pages(folder, found, evidence, env)
    rows = [challenge_row(number, made, done.feed.name) for number, made in enumerate(found, start=1)]
    write_csv(folder / "challenges.csv", COLUMNS, rows)
    write_xlsx(folder / "challenges.xlsx", "challenges", COLUMNS, rows)
    write_csv(folder / "comparisons.csv", ALL_COLUMNS, (comparison_row(made) for made in done.comparisons))
    write_csv(folder / "feed_defects.csv", DEFECT_COLUMNS, _defects(done))
    with whole(folder / "challenges.html") as out:
        for piece in env.get_template("challenges.html.j2").generate(**_head(done, summary, found)):
            out.write(piece.encode("utf-8", "replace"))
    write_json(folder / "summary.json", summary.model_dump(mode="json"))
    return Written(folder, len(found))


def challenge_row(number: int, made: Comparison, vendor: str) -> list[str]:
    """One line of challenges.csv; cells are safe from formula injection."""
    by_about: list[object] = []
    for about in ("status", "date", "reason", "vendor_date"):
        quote = _quote_of(made, about)
        by_about += [quote.text, quote.url, page_link(quote)] if quote else ["", "", ""]
    row = made.row
    cells: list[object] = [
        f"C{number:04d}", made.kind.value, " ".join(made.also), vendor, (row.row or row.number) if row else "", made.row_id, made.issuer,
        made.security, made.mic, made.field, made.vendor_value, made.our_value, made.date_kind, made.belongs_to, made.sentence,
        "yes" if made.holds else "after review", made.before_sending, *by_about, made.coverage, made.text,
    ]  # fmt: skip
    return [safe_cell(cell) for cell in cells]


def comparison_row(made: Comparison) -> list[str]:
    """One line of comparisons.csv."""
    row = made.row
    cells: list[object] = [
        made.kind.value, " ".join(made.also), made.row_id, (row.row or row.number) if row else "", made.issuer, made.mic, made.vendor_value,
        made.our_value, made.matched_by, made.date_kind, made.belongs_to, made.sentence,
    ]  # fmt: skip
    return [safe_cell(cell) for cell in cells]


def _defects(done: Reconciliation) -> Iterator[list[str]]:
    for issue in done.feed.issues:
        cells = (issue.row_number, issue.column, issue.value, issue.problem, issue.advice, issue.severity)
        yield [safe_cell(cell) for cell in cells]


def _quote_of(made: Comparison, about: str) -> Quote | None:
    names = _ABOUT[about]
    return next((q for q in made.quotes if q.match != "not_found" and any(name in q.about.split(", ") for name in names)), None)


def page_link(quote: Quote) -> str:
    """The relative address of a quote in the archived text beside the files; "" when it does not stand there."""
    if quote.match == "not_found" or quote.start < 0:
        return ""
    return f"{PAGES}/{_page_name(quote.exhibit)}#q{quote.start}-{quote.end}"


def _page_name(digest: str) -> str:
    return f"{digest.partition(':')[2][:24]}.html"


def _write_pages(folder: Path, found: Iterable[Comparison], evidence: Evidence, env: Environment) -> None:
    """One inert page for each exhibit that is quoted, with its quotes marked."""
    spans: dict[str, set[tuple[int, int]]] = defaultdict(set)
    urls: dict[str, Quote] = {}
    for made in found:
        for quote in made.quotes:
            if page_link(quote):
                spans[quote.exhibit].add((quote.start, quote.end))
                urls.setdefault(quote.exhibit, quote)
    for digest, places in spans.items():
        quote = urls[digest]
        page = evidence.page(digest, quote.url)
        if page is None:
            continue
        body = env.get_template("page.html.j2").render(page=page, quote=quote, body=marked(page, sorted(places)), CSP=CSP)
        with whole(folder / PAGES / _page_name(digest)) as out:
            out.write(body.encode("utf-8", "replace"))


def marked(page: Page, spans: Sequence[tuple[int, int]]) -> Markup:
    """The text of a page with its quotes marked; of a long page only what stands around them, with the gaps named."""
    text = page.text
    cuts = sorted({0, len(text), *(at for span in spans for at in span), *(edge for span in spans for edge in _edges(span, len(text)))})
    parts: list[Markup] = []
    for low, high in pairwise(cuts):
        parts += [Markup('<a id="q{}-{}"></a>').format(*span) for span in spans if span[0] == low]
        if len(text) > WHOLE_PAGE and not any(span[0] - AROUND <= low and high <= span[1] + AROUND for span in spans):
            parts.append(Markup('<span class="soft">[{} characters left out]</span>').format(high - low))
            continue
        inside = any(start <= low and high <= end for start, end in spans)
        shown = visible(text[low:high])
        parts.append(Markup("<mark>{}</mark>").format(shown) if inside else escape(shown))
    return Markup("").join(parts)


def _edges(span: tuple[int, int], size: int) -> tuple[int, int]:
    return max(0, span[0] - AROUND), min(size, span[1] + AROUND)


def _head(done: Reconciliation, summary: Summary, found: Sequence[Comparison]) -> dict[str, object]:
    order = {kind: n for n, kind in enumerate(Kind)}
    unresolved = [made for made in done.comparisons if made.kind is Kind.UNRESOLVED]
    markets = sorted(summary.by_market.items(), key=lambda item: -sum(item[1].values()))
    return {
        "s": summary,
        "kinds": [kind.value for kind in Kind],
        "markets": markets,
        "challenges": list(enumerate(found, start=1))[:MOST_SHOWN],
        "total": len(found),
        "most": MOST_SHOWN,
        "unresolved": unresolved[:MOST_SHOWN],
        "unresolved_total": len(unresolved),
        "defects": done.feed.issues[:MOST_SHOWN],
        "defect_total": len(done.feed.issues),
        "outside": done.outside[:50],
        "order": order,
        "page_link": page_link,
        "CSP": CSP,
    }


def _environment() -> Environment:
    loader = ChoiceLoader([PackageLoader("s2r.vendor", "templates"), PackageLoader("s2r.report", "templates")])
    env = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.globals.update(link=web_link, SORTS=())  # the style sheet of the report sorts its table
    env.filters["words"] = lambda code: str(code).replace("_", " ")
    env.filters["pct"] = lambda value: "–" if value is None else f"{100 * value:.1f}%"
    env.finalize = lambda value: value if isinstance(value, Markup) else visible(value)  # nothing reaches the page unseen
    return env
