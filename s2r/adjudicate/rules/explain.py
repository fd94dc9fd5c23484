"""What the verdict says of the documents: findings, steps, the dated timeline, conflicts, and an event after the cutoff."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence, Set
from itertools import takewhile

from s2r.adjudicate.rules.candidates import Candidate, Judged
from s2r.adjudicate.rules.docdate import DATE_LINE, Published, ranked
from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.identity import Subject
from s2r.adjudicate.rules.stage import QUALIFYING, Reading
from s2r.models import Claim, Finding, LaterEvent, TimelinePoint

MAX_QUOTE = 600


def quote_span(doc: Document, unit: Unit, reading: Reading) -> tuple[int, int]:
    """The unit, or the part of an overlong one around the decisive words."""
    if unit.end - unit.start <= MAX_QUOTE:
        return unit.start, unit.end
    start, end = doc.folded.span(reading.start, reading.end)
    return max(unit.start, start - 100), min(unit.end, max(end, start) + 200)


def claim_of(field: str, value: str, doc: Document, start: int, end: int) -> Claim:
    quote = doc.page.text[start:end]
    return Claim(field=field, value=value, quote=quote, exhibit=doc.page.digest, url=doc.page.url, start=start, end=end)


def finding_of(judged: Judged, item: tuple[Unit, Reading, Subject, str]) -> Finding:
    unit, reading, subject, obstacle = item
    doc = judged.doc
    match = next((c for c in judged.candidates if c.unit is unit), None)
    best = judged.published
    day = match.day if match else (best.day if best else None)
    return Finding(
        digest=doc.page.digest,
        url=doc.page.url,
        start=unit.start,
        end=unit.end,
        sentence=doc.page.text[unit.start : unit.end][:MAX_QUOTE],
        stage=reading.stage,
        modality=reading.modality,
        target=subject.target,
        rule=reading.rule,
        why=obstacle or (match.why if match else ""),
        date=day.isoformat() if day else "",
        date_raw=doc.page.text[match.date_start : match.date_end] if match and match.date_start >= 0 else "",
        date_start=match.date_start if match else -1,
        date_end=match.date_end if match else -1,
        date_origin=match.origin if match else (best.origin if best else ""),
        source_kind=doc.source_kind,
        qualifies=match is not None and match.direct,
    )


def later_event(after: Sequence[Candidate]) -> LaterEvent | None:
    if not after or after[0].day is None:
        return None
    c = after[0]
    start, end = quote_span(c.doc, c.unit, c.reading)
    return LaterEvent(date=str(c.day), exhibit=c.doc.page.digest, url=c.doc.page.url, quote=c.doc.page.text[start:end])


def conflicts_of(chosen: Candidate, dated: Sequence[Candidate], candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Other days given for the first disclosure, ranked by source; a later document of its own day is no conflict."""
    found = []
    for c in dated:
        if not c.direct and c.day != chosen.day and c.day is not None and chosen.day is not None and c.day < chosen.day:
            found.append(f"{c.source_kind} {c.doc.page.url} puts the disclosure on {c.day}, not {chosen.day}.")
    lines = [p.day for p in takewhile(_is_date_line, ranked(chosen.doc))]
    for other in sorted(set(lines) - {chosen.day}) if chosen.day in lines else ():
        found.append(f"The document itself also carries the date line {other}.")
    return tuple(dict.fromkeys(found))


def _is_date_line(p: Published) -> bool:
    return p.rank <= DATE_LINE


def steps_of(judged: Sequence[Judged], cutoff: dt.date, doubtful: Set[tuple[str, int]] = frozenset()) -> tuple[str, ...]:
    """One sentence per document, in order of publication: what it states about the target and why it does or does not count.

    `doubtful` are passages, by address and number of their unit, that do not count although they state a qualifying step."""
    steps = []
    ordered = sorted(judged, key=lambda j: (j.published.day if j.published else dt.date.max, j.doc.order))
    for j in ordered:
        day = str(j.published.day) if j.published else "undated"
        about = [(u, r, s, o) for u, r, s, o in j.findings if s.target == "this"]
        if j.candidates:
            c = min(j.candidates, key=lambda c: (not c.direct, c.day or dt.date.max))
            stated = "would qualify, but is doubted" if (c.doc.page.url, c.unit.index) in doubtful else "qualifies"
            side = "after the cutoff" if c.day and c.day > cutoff else (stated if c.direct else "retold")
            text = f"{c.reading.stage.value}: {side}, {c.why}"
        elif about:
            _, r, s, o = next((item for item in about if item[1].stage in QUALIFYING), about[0])
            text = f"{r.stage.value} ({r.modality.value}): {o}"
        elif j.findings:
            _, r, s, o = j.findings[0]
            text = f"{r.stage.value}, but {s.target}: {s.why}"
        else:
            text = "states no procedural step"
        steps.append(f"{day} {j.doc.source_kind} {j.doc.page.url}: {text}.")
    return tuple(steps)


def timeline_of(judged: Sequence[Judged], cutoff: dt.date) -> tuple[TimelinePoint, ...]:
    points: dict[tuple[str, str, str], TimelinePoint] = {}
    for j in judged:
        for unit, reading, subject, _ in j.findings:
            if subject.target != "this":
                continue
            quote = j.doc.page.text[unit.start : unit.end][:240]
            days = [(d.day, d.kind.value) for d in j.doc.dates_in(unit.start, unit.end) if d.day is not None]
            if j.published:
                days.append((j.published.day, "published"))
            for day, kind in days:
                key = (day.isoformat(), kind, j.doc.page.url)
                if key not in points:
                    points[key] = TimelinePoint(
                        date=day.isoformat(),
                        kind=kind,
                        stage=reading.stage.value,
                        source_kind=j.doc.source_kind,
                        url=j.doc.page.url,
                        digest=j.doc.page.digest,
                        quote=quote,
                        after_cutoff=day > cutoff,
                    )
    return tuple(sorted(points.values(), key=lambda p: (p.date, p.url, p.kind)))[:200]
