"""A run folder for the tests of the workbench: rows whose proofs stand in archived pages, and rows made of attacks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from conftest import REPO
from factories import capture, finding, listing, record

from s2r.archive import Archive
from s2r.extract import extract
from s2r.models import Claim, Coverage, Finding, Gap, Outcome, Package, Page, Record, Route, Stage, Status, TimelinePoint
from s2r.store import Store

TOGETHER = 6  # attacks in each text of a hostile row
AT = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
NOTICE = """<!doctype html><html lang="en"><head><title>{title}</title><style>.x{{color:red}}</style></head><body>
<nav><a href="/news">News</a> <a href="/rules">Rules</a></nav><main><h1>Notice of cancellation</h1>
<p>London, 14 July 2016</p><p>{lead}</p>
<p>The Exchange has today decided to cancel the listing of the <b>common stock</b> of {issuer} &amp; its trading.</p>
<p>The cancellation takes effect on 29 July 2016.</p>
<table><tr><th>Security</th><th>Date</th></tr><tr><td>Common</td><td>29 July 2016</td></tr></table>
<p>The company had said on 12 July 2016 that it asks the Exchange to cancel the listing.</p></main>{more}</body></html>"""


def notice(
    archive: Archive, url: str, issuer: str, *, title: str = "Notice of cancellation", lead: str = "Notice 77.", more: str = ""
) -> Page:
    """A notice of 14 July 2016, archived; its page as it is read from the archive."""
    body = NOTICE.format(title=title, lead=lead, issuer=issuer, more=more).encode()
    digest = archive.put(capture(body, url)).digest
    return extract(body, "text/html; charset=utf-8", url, digest=digest)


def quoted(page: Page, field: str, value: str, quote: str) -> Claim:
    """A claim whose quote stands in the page."""
    at = page.text.index(quote)
    return Claim(
        field=field, value=value, quote=quote, exhibit=page.digest, url=page.url, start=at, end=at + len(quote), match="exact", check="pass"
    )


def proven(number: int, page: Page, *, issuer: str = "", **fields: object) -> Record:
    """A yes of 14 July 2016 with its proofs in the page, one earlier statement that did not count, and a gap."""
    decision = page.text[page.text.index("The Exchange has today") :].split("\n")[0].strip()
    early = page.text[page.text.index("The company had said") :].split("\n")[0].strip()
    subject = listing(number, **({"issuer": issuer} if issuer else {}))
    claims = tuple(quoted(page, field, value, decision) for field, value in (("status", "yes"), ("reason", "voluntary")))
    point = {"stage": "decision", "source_kind": "exchange", "url": page.url, "digest": page.digest}
    given: dict[str, object] = {
        "status": Status.YES, "announcement_date": dt.date(2016, 7, 14), "reason": "voluntary", "disclosure_type": "exchange_notice",
        "confidence": 0.8, "route": Route.REVIEW, "route_reasons": ("No risk model is fitted.",), "package": Package.PASS,
        "claims": (quoted(page, "announcement_date", "2016-07-14", "14 July 2016"), *claims),
        "findings": (Finding.model_validate(finding(page, early, qualifies=False, date="2016-07-12", stage=Stage.PROPOSAL, why="it asks only")),),
        "timeline": (
            TimelinePoint.model_validate({"date": "2016-07-14", "kind": "announcement", "quote": decision} | point),
            TimelinePoint.model_validate({"date": "2016-07-29", "kind": "effective", "quote": "takes effect on 29 July 2016"} | point),
        ),
        "coverage": Coverage(
            queries=("cancellation",), providers={"pool": "answered"}, pages_read=1, pages_relevant=1, exhibits=(page.digest,), sufficient=True,
            gaps=(Gap(url="https://gone.example/", step="fetch", outcome=Outcome.NOT_FOUND, cause="404", next_step="search again"),),
        ),
        "run_id": "r-test",
    }  # fmt: skip
    return record(subject, **(given | fields))


def hostile(archive: Archive, number: int, attacks: Sequence[str], pages: dict[str, Page]) -> Record:
    """A row every text of which is made of attacks, and a page of its own for each of them; `pages` takes them in."""
    all_of = " ".join(attacks)
    for place, attack in enumerate(attacks):
        more = f"<p>{attack}</p>{attack}"
        pages[f"X-{number:02d}/{place}"] = notice(archive, f"https://bad.example/{number}/{place}", "Bad plc", title=attack, more=more)
    bad = proven(number, pages[f"X-{number:02d}/0"], issuer=f"Bad {number:02d} {all_of}")
    point = bad.timeline[0].model_copy(update={"quote": all_of, "url": all_of, "kind": all_of, "source_kind": all_of})
    texts = {
        "row_id": f"X-{number:02d}", "route_reasons": (all_of,), "conflicts": (all_of,), "steps": (all_of,), "timeline": (point,),
        "findings": (bad.findings[0].model_copy(update={"why": all_of, "sentence": all_of, "url": all_of}),),
        "coverage": bad.coverage.model_copy(
            update={"queries": (all_of,), "statement": all_of, "providers": {all_of: all_of}, "gaps": (bad.coverage.gaps[0].model_copy(update={"url": all_of, "cause": all_of}),)}
        ),
        "listing": bad.listing.model_copy(update={"row_id": f"X-{number:02d}", "security": all_of, "ticker": all_of, "mic": attacks[0]}),
    }  # fmt: skip
    return bad.model_copy(update=texts)


def fill(out: Path, rows: int, attacks: Sequence[str] = ()) -> dict[str, Page]:
    """Rows T-01 and on, each with a page of its own, then rows X-01 and on made of attacks; pages by row id."""
    pages: dict[str, Page] = {}
    made: list[Record] = []
    with Archive(out) as archive:
        for number in range(rows):
            subject = listing(number)
            pages[subject.row_id] = page = notice(archive, f"https://exchange.example/n/{number}", subject.issuer, lead=f"Notice {number}.")
            made.append(proven(number, page))
        for number in range(0, len(attacks), TOGETHER):
            made.append(hostile(archive, number // TOGETHER + 1, attacks[number : number + TOGETHER], pages))
    with Store(out / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=AT)
        for position, one in enumerate(made):
            store.append(one, inputs=f"i{position}", position=position, author="s2r", why="audit", now=AT)
    return pages


def review_policy(folder: Path, *, share: float, to: str = "") -> Path:
    """A policies folder with the review policy of the repository, in which `share` of all rows has two reviewers."""
    text = (REPO / "policies" / "review.toml").read_text("utf-8")
    folder.mkdir()
    (folder / "review.toml").write_text(text.replace("share = 0.1\n", f"share = {share}\n") + to, "utf-8")
    return folder
