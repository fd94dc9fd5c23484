"""A model's answer -> the same verdict as rules give, with every quote placed in the archived text, or why it cannot be used."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from s2r.adjudicate.llm.form import Answer, Proof
from s2r.adjudicate.llm.passages import Passage
from s2r.lang.text import Folded, find_folded, fold
from s2r.models import Claim, DateClass, Finding, Listing, Modality, Page, Precision, Stage, Status, Verdict

RULE = "model"  # as rule of a finding: a model's reading, not one of ours
_ADDRESS = re.compile(r"(?i)\b[a-z][a-z0-9+.-]{1,20}\s?:\s?//|\bwww\d?\.\w|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}/\w")
_DATES = {Precision.DAY: r"\d{4}-\d\d-\d\d", Precision.MONTH: r"\d{4}-\d\d", Precision.YEAR: r"\d{4}"}


@dataclass(frozen=True, slots=True)
class Read:
    """What an answer comes to: a verdict, or the problems that make it unusable."""

    verdict: Verdict | None
    problems: tuple[str, ...] = ()


def read_answer(
    answer: Answer,
    listing: Listing,
    pages: Mapping[str, Page],
    rules: Verdict,
    *,
    by: str,
    passages: Mapping[str, Passage] | None,
    kinds: Mapping[str, str] | None = None,
) -> Read:
    """Read one answer. `pages` (by exhibit) were extracted anew; `passages` are those that the model was shown, None where it found
    its pages itself, of which `kinds` gives the kind of site; `rules` lend timeline, conflicts and later event.

    A quote that stands nowhere stays a claim without a place, so that verification fails it.
    """
    if problems := tuple(_problems(answer, pages, passages)):
        return Read(None, problems)
    day, precision = _day(answer)
    claims = []
    if answer.status == "yes":
        folded: dict[str, Folded] = {}
        claims = [_claim(proof, answer, pages, passages, folded) for proof in answer.evidence]
    status = Status(answer.status)
    verdict = Verdict(
        status=status,
        announcement_date=day if status is Status.YES else None,
        date_precision=precision if status is Status.YES else Precision.NONE,
        reason=answer.reason if status is Status.YES else None,
        disclosure_type=answer.disclosure_type if status is Status.YES else None,
        confidence=round(answer.confidence, 4),
        claims=tuple(claims),
        findings=(*_findings(claims, answer, listing, passages, kinds or {}), *rules.findings),
        timeline=rules.timeline,
        conflicts=rules.conflicts,
        steps=(_step(answer, by), *(f"Rules: {step}" for step in rules.steps[-1:])),
        later_event=rules.later_event,
        abstain_reason=answer.abstain_reason or ("The model gives no reason." if status is Status.ABSTAIN else ""),
        adjudicator=by,
    )
    return Read(verdict)


def _problems(answer: Answer, pages: Mapping[str, Page], passages: Mapping[str, Passage] | None) -> Iterator[str]:
    texts = [answer.abstain_reason, answer.announcement_date or "", *(text for p in answer.evidence for text in (p.passage, p.quote))]
    if any(_ADDRESS.search(text) for text in texts):
        yield "the answer holds a web address; a model names passages, and addresses come from the archive alone"
    if passages is not None:
        for name in dict.fromkeys(p.passage for p in answer.evidence if p.passage not in passages):
            yield f"it cites {name[:24]!r}, which is none of the passages that it was shown"
        if any(_is_unseen(proof, pages, passages) for proof in answer.evidence):
            yield "it quotes words of a page that it was not shown"
    if any(not proof.quote.strip() for proof in answer.evidence):
        yield "a quote is empty"
    if answer.status == "yes":
        precision = Precision(answer.date_precision)
        if answer.announcement_date and _parsed(answer.announcement_date, precision) is None:
            yield f"the date {answer.announcement_date!r} is no date with the precision {precision.value}"
        if not answer.announcement_date and precision is not Precision.NONE:
            yield f"it gives no date with the precision {precision.value}"


def _is_unseen(proof: Proof, pages: Mapping[str, Page], passages: Mapping[str, Passage]) -> bool:
    """Whether a quote stands in the archived passage, but not in what was shown of it."""
    passage = passages.get(proof.passage)
    page = pages.get(passage.ref.exhibit) if passage else None
    if passage is None or page is None or find_folded(proof.quote, fold(passage.text)):
        return False
    return bool(find_folded(proof.quote, fold(page.text[passage.ref.start : passage.ref.end])))


def _day(answer: Answer) -> tuple[dt.date | None, Precision]:
    """The day, None when less than a day is known, and how much is known."""
    if not answer.announcement_date:
        return None, Precision.NONE
    precision = Precision(answer.date_precision)
    return (_parsed(answer.announcement_date, precision) if precision is Precision.DAY else None), precision


def _parsed(value: str, precision: Precision) -> dt.date | None:
    """The first day of the date, None when the text is none of that precision."""
    if precision not in _DATES or not re.fullmatch(_DATES[precision], value):
        return None
    try:
        return dt.date.fromisoformat(value + {Precision.DAY: "", Precision.MONTH: "-01", Precision.YEAR: "-01-01"}[precision])
    except ValueError:
        return None


def _claim(
    proof: Proof, answer: Answer, pages: Mapping[str, Page], passages: Mapping[str, Passage] | None, folded: dict[str, Folded]
) -> Claim:
    """The claim of a quote, with the words as they are archived; without a place when the quote stands nowhere."""
    value = {
        "status": "yes",
        "announcement_date": answer.announcement_date or "",
        "reason": answer.reason or "",
        "disclosure_type": answer.disclosure_type or "",
    }[proof.field]
    for exhibit, url, start, end in _places(proof, pages, passages):
        page = pages[exhibit]
        part = page.text[start:end]
        at = part.find(proof.quote)
        spans = [(at, at + len(proof.quote))] if at >= 0 else []
        if not spans:
            key = f"{exhibit} {start} {end}"
            folded.setdefault(key, fold(part))
            spans = find_folded(proof.quote, folded[key])
        for low, high in spans:
            quote = page.text[start + low : start + high]
            return Claim(field=proof.field, value=value, quote=quote, exhibit=exhibit, url=url, start=start + low, end=start + high)
    shown = passages.get(proof.passage) if passages else None
    exhibit, url = (shown.ref.exhibit, shown.ref.url) if shown else next(((d, p.url) for d, p in sorted(pages.items())), ("", ""))
    return Claim(field=proof.field, value=value, quote=proof.quote, exhibit=exhibit, url=url, start=-1, end=-1)


def _places(proof: Proof, pages: Mapping[str, Page], passages: Mapping[str, Passage] | None) -> Iterator[tuple[str, str, int, int]]:
    """Where a quote may stand: in its passage; of a model that found its pages itself, in any of them."""
    if passages is not None:
        ref = passages[proof.passage].ref
        if ref.exhibit in pages:
            yield ref.exhibit, ref.url, ref.start, ref.end
        return
    for exhibit, page in sorted(pages.items(), key=lambda item: item[1].url):
        yield exhibit, page.url, 0, len(page.text)


def _findings(
    claims: list[Claim], answer: Answer, listing: Listing, passages: Mapping[str, Passage] | None, kinds: Mapping[str, str]
) -> Iterator[Finding]:
    """What the model takes for the qualifying statement; only a passage of known time dates it."""
    refs = {passage.ref.exhibit: passage.ref for passage in (passages or {}).values()}
    for claim in claims:
        if claim.field != "status" or claim.start < 0:
            continue
        ref = refs.get(claim.exhibit)
        dated = ref is not None and ref.date_class is DateClass.DATED
        yield Finding(
            digest=claim.exhibit,
            url=claim.url,
            start=claim.start,
            end=claim.end,
            sentence=claim.quote,
            stage=Stage.NONE,
            modality=Modality.ASSERTED,
            target="this",
            rule=RULE,
            why="the model takes it for the disclosure",
            date=ref.published if ref and dated else "",
            date_origin=ref.origin if ref and dated else "",
            source_kind=ref.source_kind if ref else kinds.get(claim.exhibit, "unknown"),
            qualifies=True,
        )


def _step(answer: Answer, by: str) -> str:
    day = f" {answer.announcement_date}" if answer.announcement_date else ""
    reason = f", {answer.reason}" if answer.reason else ""
    return f"{by} says {answer.status}{day}{reason} with confidence {answer.confidence:.2f}, on {len(answer.evidence)} quotes."
