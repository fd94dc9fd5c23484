"""The evidence of a record as the pages show it: documents, the spans that its claims quote, and text around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from s2r.extract import decode
from s2r.lang.sentences import split_sentences
from s2r.modelapi.keep import Exchange, KeptModels
from s2r.models import Claim, Page, Record
from s2r.report.context import Exhibits, Opened
from s2r.verify.quotes import find_quote
from s2r.web.inert import MAX_SOURCE, Shown, Spot, inert_html, inert_text, sentences

AROUND = 12_000  # characters of text on each side of a quote that a panel shows
KEPT_PAGES = 64
_ORDER = ("announcement_date", "status", "reason", "disclosure_type")


@dataclass(frozen=True, slots=True)
class Proof:
    """A quoted place of a record with the claims that rest on it; `number` names it in addresses, from 1."""

    number: int
    claims: tuple[Claim, ...]

    @property
    def claim(self) -> Claim:
        """What all of its claims share: quote, exhibit, URL and span."""
        return self.claims[0]


@dataclass(frozen=True, slots=True)
class Panel:
    """One document beside a record. `text` is the stretch from `start` to `end` of `size` characters, as sentences; `now` is the number
    of the proof that it was opened for (0: none); `problem` says why there is no text."""

    digest: str
    url: str
    opened: Opened
    text: Markup = field(default_factory=Markup)
    start: int = 0
    end: int = 0
    size: int = 0
    now: int = 0
    problem: str = ""


def proofs(record: Record) -> tuple[Proof, ...]:
    """The proofs of a record, that of the date first; claims on the same quote at the same place are one."""
    groups: dict[tuple[str, int, int, str], list[Claim]] = {}
    for claim in sorted(record.claims, key=lambda c: _ORDER.index(c.field) if c.field in _ORDER else len(_ORDER)):
        groups.setdefault((claim.exhibit, claim.start, claim.end, claim.quote), []).append(claim)
    return tuple(Proof(number, tuple(group)) for number, group in enumerate(groups.values(), 1))


def documents(record: Record) -> Mapping[str, str]:
    """Digest and address of every document that the record rests on or has a statement of: quoted ones first, then by date."""
    found: dict[str, str] = {proof.claim.exhibit: proof.claim.url for proof in proofs(record)}
    if record.later_event:
        found.setdefault(record.later_event.exhibit, record.later_event.url)
    for finding in sorted(record.findings, key=lambda f: (f.date or "9999", f.url)):
        found.setdefault(finding.digest, finding.url)
    for point in record.timeline:
        found.setdefault(point.digest, point.url)
    for digest in record.coverage.exhibits:
        found.setdefault(digest, "")
    return found


def spots(record: Record, digest: str, page: Page) -> tuple[Spot, ...]:
    """Where the proofs of a record stand in a document: at the claim's offsets, else where its quote stands."""
    found = []
    for proof in proofs(record):
        if proof.claim.exhibit == digest and (place := find_quote(proof.claim, page, {})) is not None:
            found.append(Spot(proof.number, place[1], place[2]))
    return tuple(found)


def panel(exhibits: Exhibits, record: Record, digest: str, number: int = 0, around: int = AROUND) -> Panel:
    """The text of a document around one of the proofs that quote it (0: around the first of them)."""
    url = documents(record).get(digest, "")
    opened = exhibits.open(digest, url)
    page = opened.page
    if page is None:
        return Panel(digest, url, opened, problem=opened.problem)
    marked = spots(record, digest, page)
    middle = next((s for s in marked if s.number == number), marked[0] if marked else Spot(0, 0, 0))
    size = len(page.text)
    start, end = _line(page.text, max(0, middle.start - around)), min(size, middle.end + around)
    spans = [(low + start, high + start) for low, high in split_sentences(page.text[start:end], page.lang)]
    text = sentences(page.text, spans, marked, start, end)
    return Panel(digest, url or page.url, opened, text, start, end, size, middle.number)


def layout(exhibits: Exhibits, record: Record, digest: str) -> tuple[Shown, Page]:
    """A document as it is laid out, inert, with its page; why it cannot be opened where it cannot. Raises IntegrityError when its bytes
    are damaged."""
    url = documents(record).get(digest, "")
    opened = exhibits.open(digest, url)
    page = opened.page
    if page is None:
        return Shown(Markup("<p>{}</p>").format(opened.problem), frozenset()), Page(digest=digest, url=url, text="")
    marked = spots(record, digest, page)
    capture = exhibits.capture(digest, url)
    if _is_html(page, capture.body):
        source = decode(capture.body, capture.content_type).text
        if len(source) <= MAX_SOURCE:
            return inert_html(source, page, marked), page
    return inert_text(page, marked), page


def exchange_of(archive: Path, record: Record, digest: str) -> Exchange | None:
    """What was sent to a model about a record and what it answered, as archived; None for what is no exchange about this record. Raises
    IntegrityError when it is damaged."""
    opinions = record.adjudication.opinions if record.adjudication else ()
    if digest not in {known for opinion in opinions for known in opinion.exchanges}:
        return None
    with KeptModels(archive, read_only=True) as kept:
        return kept.exchange(digest)


def answer_text(exchange: Exchange) -> str:
    """The body of an answer as text."""
    return exchange.body.encode("latin-1").decode("utf-8", "replace")


def _is_html(page: Page, body: bytes) -> bool:
    head = body[:3000].lower()
    return ("html" in page.content_type or b"<html" in head) and body.lstrip()[:5] != b"%PDF-" and not page.content_type.endswith("/pdf")


def _line(text: str, at: int) -> int:
    """The start of the line in which `at` stands, when it is near; so that a stretch does not begin inside a sentence."""
    found = text.rfind("\n", max(0, at - 2000), at)
    return 0 if at == 0 else found + 1 if found >= 0 else at
