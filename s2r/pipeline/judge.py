"""The part of a row that workers do: read archived pages, adjudicate, verify against re-opened bytes. No store, no network."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
import traceback
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from s2r.adjudicate.llm.pack import build_pack
from s2r.adjudicate.pointintime import split_public
from s2r.adjudicate.verdict import adjudicate_documents, names_listing
from s2r.archive import Archive
from s2r.archive.reading import Reader
from s2r.errors import IntegrityError, SourceBroken
from s2r.extract import outcome_of
from s2r.extract.published import capture_claim
from s2r.lang.text import fold
from s2r.models import Coverage, Gap, Hit, Listing, Outcome, Package, Page, PointInTime, Status, Verdict
from s2r.pipeline.bound import TimeUp, cpu_bound
from s2r.pipeline.coverage import make_coverage
from s2r.pipeline.parsed import Parsed
from s2r.pipeline.tasks import Judgement, Task, held
from s2r.policy import Policy
from s2r.search.queries import market_languages
from s2r.verify import Audit, verify

_PARSED = Parsed()  # of this worker


def opened(archive: Path | Reader) -> Reader:
    """The archive of a task; one below a folder is opened once in this process, for reading."""
    return _archive_below(archive) if isinstance(archive, Path) else archive


@lru_cache(maxsize=4)
def _archive_below(root: Path) -> Archive:
    return Archive(root, read_only=True)


def judge(task: Task) -> Judgement:
    """Judge one row. A fault of one page is a gap; a fault of the rules themselves is an error of the row, with its place."""
    policy = held(task.policy)
    archive = opened(task.archive)
    pages, gaps, size = _read(task, archive)
    coverage = Coverage()
    most = task.extract_timeout_s * max(1, len(pages))
    try:
        with cpu_bound(most):
            told = None
            if task.point_in_time:
                pages, told = split_public(pages, task.listing, policy)
            coverage = _coverage(task, policy, pages, gaps, told)
            verdict, judged = adjudicate_documents(
                task.listing, pages, policy, coverage_sufficient=coverage.sufficient, coverage_cause=coverage.statement
            )
            cited = {claim.exhibit for claim in verdict.claims}
            audit = verify(task.listing, verdict, reopen(archive, cited, task.exhibits), policy, coverage_sufficient=coverage.sufficient)
            pack = build_pack(task.listing, judged, policy, task.pack.rule, task.pack.instructions) if task.pack else None
    except TimeUp:
        error = f"judging it took more than {most:g} s of CPU time"
    except Exception as exc:  # noqa: BLE001 - the one outer boundary: a bug fails its row, not the run
        place = traceback.extract_tb(exc.__traceback__)[-1]
        error = f"{type(exc).__name__}: {exc} ({Path(place.filename).name}:{place.lineno})"
    else:
        return Judgement(verdict, audit, coverage, len(pages), size, pack=pack)
    verdict = Verdict(status=Status.ABSTAIN, confidence=0.0, abstain_reason=error, steps=(error,))
    return Judgement(verdict, Audit((), (), Package.UNVERIFIABLE), coverage, len(pages), size, error)


def _coverage(task: Task, policy: Policy, pages: Sequence[Page], gaps: Sequence[Gap], told: PointInTime | None) -> Coverage:
    return make_coverage(
        task.listing,
        policy,
        queries=task.queries,
        providers=task.providers,
        exhibits=[page.digest for page in pages],
        pages_relevant=sum(names_listing(task.listing, page) for page in pages),
        gaps=(*task.gaps, *gaps),
        promising=[hit.url for hit in task.unread if _is_promising(task.listing, hit, policy)],
        point_in_time=told,
        notes=task.notes,
    )


def _is_promising(listing: Listing, hit: Hit, policy: Policy) -> bool:
    """Whether title and snippet of a hit name the issuer and, in a language of the market, the event or one of its reasons."""
    said = Page(digest="", url=hit.url, title=hit.title, text=hit.snippet)
    if not names_listing(listing, said):
        return False
    text = fold(f"{hit.title}\n{hit.snippet}").text
    spoken = market_languages(policy.venues.get(listing.mic), policy)
    return any(pattern.search(text) for language in spoken for pattern in _event_patterns(policy.policy_id, language))


@lru_cache(maxsize=64)
def _event_patterns(policy_id: str, language: str) -> tuple[re.Pattern[str], ...]:
    lexicon = held(policy_id).lexicons.get(language)
    if lexicon is None:
        return ()
    phrases = (*lexicon.object, *(phrase for reason in lexicon.reason.values() for phrase in reason))
    return tuple(re.compile(phrase.pattern) for phrase in phrases)


def reopen(archive: Reader, digests: set[str], exhibits: tuple[tuple[str, str, str], ...]) -> dict[str, Page]:
    """Open the archived bytes once more, for verification: a page is what its bytes give, which are checked against their digest. What
    cannot be opened is left out."""
    pages: dict[str, Page] = {}
    place = {digest: (url, title) for digest, url, title in reversed(exhibits)}
    for digest in sorted(digests):
        url, title = place.get(digest, ("", ""))
        with contextlib.suppress(IntegrityError, SourceBroken):
            capture = archive.open(digest, url)
            pages[digest] = _PARSED.page(capture, digest, url or capture.url, title)
    return pages


def _read(task: Task, archive: Reader) -> tuple[list[Page], list[Gap], int]:
    pages: list[Page] = []
    gaps: list[Gap] = []
    size = 0
    seen: set[str] = set()
    captured = _captured(task, archive)
    for digest, url, title in task.exhibits:
        if digest in seen:  # the same bytes at another address say nothing new
            continue
        seen.add(digest)
        try:
            capture = archive.open(digest, url)
            size += len(capture.body)
            with cpu_bound(task.extract_timeout_s):
                page = _PARSED.page(capture, digest, url, title)
            pages.append(page.model_copy(update={"claims": (*page.claims, capture_claim(captured.get(digest, capture.fetched_at)))}))
        except SourceBroken as exc:
            gaps.append(Gap(url=url, step="extract", outcome=outcome_of(exc), cause=exc.message, next_step=exc.advice))
        except IntegrityError as exc:
            gaps.append(Gap(url=url, step="archive", outcome=Outcome.ERROR, cause=exc.message, next_step=exc.advice))
        except TimeUp:
            cause = f"reading it took more than {task.extract_timeout_s:g} s of CPU time"
            gaps.append(Gap(url=url, step="extract", outcome=Outcome.TOO_LARGE, cause=cause, next_step="Raise extract_timeout_s."))
        except Exception as exc:  # noqa: BLE001 - a parser's bug on a hostile page is a gap, not the end of the row
            cause = f"{type(exc).__name__}: {exc}"[:300]
            gaps.append(
                Gap(url=url, step="extract", outcome=Outcome.UNREADABLE, cause=cause, next_step="Report the page; the row goes on.")
            )
    return pages, gaps, size


def _captured(task: Task, archive: Reader) -> dict[str, dt.datetime]:
    """When the bytes of each exhibit were first seen, by their digest; the same bytes at two addresses have one time."""
    found: dict[str, dt.datetime] = {}
    for digest, url, _ in task.exhibits:
        if at := archive.first_seen(digest, url):
            found[digest] = min(found.get(digest, at), at)
    return found
