"""A run folder of any size as an audit leaves it, for tests of scale: store, cited pages, and what vendors' rows compare as."""

from __future__ import annotations

import datetime as dt
import hashlib
import random
from collections.abc import Iterator
from html import escape
from pathlib import Path

from s2r.archive import Archive
from s2r.archive.index import NAME as INDEX
from s2r.archive.index import Index, Row, WarcFile
from s2r.extract import extract
from s2r.models import Capture, Claim, Exhibit, Finding, Match, Modality, Page, Record, Route, Stage, Status, TimelinePoint
from s2r.store import Store
from s2r.store.vendors import keep_conflicts
from s2r.synth.adjudicator import answer, load_profiles
from s2r.synth.cases import HOST, Case, UniverseSpec, make_case
from s2r.synth.markets import texts

WHY = (
    "No yes of the rules alone is accepted.", "The estimated risk is above the limit.", "Sources contradict each other.",
    "The search was not wide enough for a no.", "The evidence audit did not pass.", "A judge contradicts the answer.",
)  # fmt: skip
CONFLICTS = ("match", "match", "match", "wrong_date", "missing_in_vendor", "vendor_only", "wrong_reason", "stale")
REVIEWED = 9  # of ten records wait
_BATCH = 2000
_UNREAD = "unread.warc.gz"  # where the index says that pages lie which nobody is to open
_WORDS = {"issuer": "The company", "security": "shares", "venue": "the exchange", "date": "that day"}


def write_folder(out: Path, spec: UniverseSpec, *, evidence: int = 10, bodies: int = 200, now: dt.datetime, policy: str = "") -> None:
    """Write a store with the rows of `spec`, each with `evidence` quoted sentences on as many pages, nine of ten in review. The index of
    the archive knows all pages; those of the first `bodies` rows can be opened. The same spec gives the same records."""
    profile = load_profiles()["published"]
    run_id = f"synthetic-{spec.seed}"
    with Store(out / "s2r.db") as store:
        store.start_run(run_id, version="synthetic", policy=policy, manifest={}, now=now)
        with Archive(out) as archive:
            for start in range(0, spec.rows, _BATCH):
                with store.transaction():
                    for number in range(start, min(start + _BATCH, spec.rows)):
                        case = make_case(spec, number)
                        base = answer(case, "published", profile, seed=spec.seed, policy=policy).record
                        pages = _pages(case, evidence, archive if number < bodies else None, now)
                        record = _with_evidence(base, case, pages, random.Random(f"{spec.seed} {number}"))  # noqa: S311
                        store.append(
                            record, inputs=f"synthetic {number}", position=number, author="s2r", why="audit", now=_when(number, now)
                        )
        _index(out, spec, evidence, bodies, now)
        rows = range(spec.rows)
        draw = random.Random(spec.seed)  # noqa: S311
        keep_conflicts(store, "synthetic", {make_row_id(n): draw.choice(CONFLICTS) for n in rows if draw.random() < 0.7})


def make_row_id(number: int) -> str:
    """The id of row `number` (0-based), as in `make_case`."""
    return f"SYN-{number + 1:06d}"


def _when(number: int, now: dt.datetime) -> dt.datetime:
    """Rows came in over the last sixty days."""
    return now - dt.timedelta(days=number % 60, minutes=number % 1440)


def _address(row_id: str, place: int, mic: str) -> str:
    return f"https://notices-{mic.lower()}.{HOST}/{row_id.lower()}/{place}"


def _sentences(case: Case) -> str:
    """What the pages of a row say, in its language."""
    words = texts(case.language)
    body = (words.notice.get(case.reason) or words.noise).body
    told = body.format_map(_Filled(case.listing.issuer))
    return max((line.strip() for line in told.splitlines()), key=len)[:400]


class _Filled(dict[str, str]):
    """Any field of a text, filled with something."""

    def __init__(self, issuer: str) -> None:
        super().__init__(_WORDS | {"issuer": issuer, "name": issuer})

    def __missing__(self, key: str) -> str:
        return key


def _pages(case: Case, evidence: int, archive: Archive | None, now: dt.datetime) -> list[tuple[str, str, str, int, int]]:
    """Digest, address, sentence and its span for each page of a row; archived when there is an archive."""
    said, row_id = _sentences(case), case.listing.row_id
    found = []
    for place in range(evidence):
        url = _address(row_id, place, case.listing.mic)
        if archive is None:
            found.append((_digest(url), url, said, 0, len(said)))
            continue
        body = f"<html><head><title>{escape(row_id)} {place}</title></head><body><h1>{escape(url)}</h1><p>{escape(said)}</p></body></html>"
        capture = Capture(url=url, final_url=url, content_type="text/html; charset=utf-8", body=body.encode(), fetched_at=now)
        exhibit: Exhibit = archive.put(capture)
        page: Page = extract(capture.body, capture.content_type, url, digest=exhibit.digest)
        at = page.text.find(said)
        found.append((exhibit.digest, url, said, at, at + len(said)))
    return found


def _digest(url: str) -> str:
    return "sha256:" + hashlib.sha256(url.encode()).hexdigest()


def _with_evidence(base: Record, case: Case, pages: list[tuple[str, str, str, int, int]], draw: random.Random) -> Record:
    """A record with a claim for each field on its first pages and a judged passage on each of the rest."""
    values = {"status": base.status.value, "announcement_date": str(base.announcement_date or ""), "reason": base.reason or ""}
    claims = tuple(
        Claim(field=name, value=value, quote=said, exhibit=digest, url=url, start=start, end=end, match=Match.EXACT.value, check="pass")
        for (name, value), (digest, url, said, start, end) in zip(values.items(), pages, strict=False)
        if value and base.status is not Status.ABSTAIN
    )
    day = case.event or case.listing.cutoff
    findings = tuple(
        Finding(
            digest=digest, url=url, start=start, end=end, sentence=said, stage=draw.choice((Stage.DECISION, Stage.WARNING, Stage.FILING)),
            modality=Modality.ASSERTED, target="this", rule="synthetic", date=str(day - dt.timedelta(days=draw.randrange(400))),
            source_kind=draw.choice(("exchange", "wire", "issuer")), qualifies=draw.random() < 0.3,
        )
        for digest, url, said, start, end in pages[len(claims) :]
    )  # fmt: skip
    cutoff = base.cutoff.isoformat()
    timeline = tuple(
        TimelinePoint(
            date=one.date, kind="announcement", stage=one.stage.value, source_kind=one.source_kind, url=one.url, digest=one.digest,
            quote=one.sentence[:120], after_cutoff=one.date > cutoff,
        )
        for one in findings
    )  # fmt: skip
    waits = case.number % 10 < REVIEWED
    return base.model_copy(
        update={
            "claims": claims, "findings": findings, "timeline": timeline, "model": None, "adjudicator": "rules",
            "route": Route.REVIEW if waits else Route.ACCEPT, "route_reasons": (draw.choice(WHY),),
            "coverage": base.coverage.model_copy(update={"exhibits": tuple(page[0] for page in pages)}),
        }
    )  # fmt: skip


def _index(out: Path, spec: UniverseSpec, evidence: int, bodies: int, now: dt.datetime) -> None:
    """Rows of the index for the pages of which no bytes are written: what looking one up among all takes is the same."""

    def rows() -> Iterator[Row]:
        for number in range(bodies, spec.rows):
            mic, row_id = make_case(spec, number).listing.mic, make_row_id(number)
            for place in range(evidence):
                url = _address(row_id, place, mic)
                yield Row(
                    digest=_digest(url), url=url, final_url=url, title=row_id, content_type="text/html", charset="utf-8", warc=_UNREAD,
                    offset=0, length=1, captured_at=now, kind="response", span=1, span_sha256="0" * 64, via="synthetic",
                )  # fmt: skip

    index = Index(out / "archive" / INDEX)
    batch: list[Row] = []
    file = WarcFile(_UNREAD, 0, 0, "")
    for row in rows():
        batch.append(row)
        if len(batch) == 20_000:
            index.commit_rows(batch, file)
            batch = []
    index.commit_rows(batch, file)
    index.close()
