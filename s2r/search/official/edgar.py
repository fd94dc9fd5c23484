"""SEC EDGAR: filings of an issuer, chosen by the policy's forms, from ticker files, submissions and full-text search.

Hits lead to www.sec.gov, whose pages count for the same limit of ten requests a second. Full-text search is not documented; its
parameters are those of its own front end.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from typing import Any, NamedTuple

from s2r.errors import S2RError, SourceBroken, SourceError, SourceUnusable
from s2r.models import Hit, Listing, Query
from s2r.net.answers import said
from s2r.net.reply import Reply
from s2r.policy import Policy
from s2r.policy.types import FilingRule
from s2r.search.base import SearchAnswer, State
from s2r.search.caller import Account, Caller, Price, ProviderSpec, Request
from s2r.search.dialect import IN_ADDRESS, answer_of, fit, needed, read_list, read_object, text_of
from s2r.search.official.filings import (
    ARCHIVES,
    MOST,
    Filer,
    Filing,
    acceptance,
    choose_filings,
    json_clock,
    read_columns,
    read_filer,
)
from s2r.search.official.identity import Identity, KnownName, all_names, same_issuer

NAME = "edgar"
MAX_CHARS = 400
_SEARCH, _SUBMISSIONS, _TICKERS = "/LATEST/search-index", "/submissions/", "/files/company_tickers.json"
_HOSTS = {_SEARCH: "https://efts.sec.gov", _SUBMISSIONS: "https://data.sec.gov", _TICKERS: "https://www.sec.gov"}
_SITE = "sec.gov"
_CANDIDATES = 3  # filers of a like name that are looked at
_OLDER = 6  # older pages of filings that are read for one filer
_MENTIONS = 10  # filings of anybody that name the issuer
_ID = re.compile(r"(\d{10}-\d{2}-\d{6}):([\w.,+-]{1,120})\Z")
_CIK = re.compile(r"\(CIK (\d{1,10})\)")
_SHOWN = re.compile(r"(.*?)\s*(?:\([^()]*\)\s*)*\(CIK \d{1,10}\)\s*\Z")
_UNDECLARED = re.compile(rb"undeclared automated tool", re.IGNORECASE)


class _Ticker(NamedTuple):
    cik: str
    ticker: str
    name: str


class _Found(NamedTuple):
    """Filers found for a listing; `sure` is the one that bears its name or number."""

    filer: Filer | None
    note: str = ""


class Edgar:
    """Filings of issuers at the SEC."""

    name = NAME

    def __init__(self, caller: Caller, clock: Callable[[], float] = time.time, *, most: int = MOST) -> None:
        self._caller, self._clock, self._most = caller, clock, most
        self._tickers: tuple[_Ticker, ...] | None = None
        self._filers: dict[str, Filer] = {}
        self._turn = asyncio.Lock()

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """Filings of any form that hold the words of a query; nothing for a query that is about another site."""
        if query.site and not _is_sec(query.site):
            return SearchAnswer(state=State.EMPTY, note=f"EDGAR holds no pages of {query.site}")
        request = full_text(self._caller.account, query.text, after=query.after, before=query.before)
        return await self._caller.ask(request, query, limit, read_answer, refusal=read_refusal)

    async def identify(self, listing: Listing) -> Identity | None:
        """Names and number of the filer; nothing is asked for listings of other markets without a CIK."""
        if not listing.cik and listing.country != "US":
            return None
        found = await self._filer(listing, ())
        filer = found.filer
        if filer is None:
            return Identity(source=NAME, notes=(found.note,) if found.note else ())
        doubts = () if same_issuer(listing.issuer, filer.names) else (f"CIK {filer.cik} is {filer.name}, the row says {listing.issuer}",)
        names = [KnownName(name=filer.name, source=NAME)]
        names += [KnownName(name=one.name, source=NAME, former=True, until=one.until) for one in filer.former]
        return Identity(source=NAME, names=tuple(names), cik=filer.cik, lei=filer.lei, doubts=doubts)

    async def find_for(self, listing: Listing, policy: Policy, limit: int) -> SearchAnswer:
        """The filings that the policy asks for: those of the issuer, then those of anybody that name it. A part that fails makes the
        answer failed, with the hits of the rest. Empty for markets whose issuers do not file here."""
        if not _serves(listing, policy):
            return SearchAnswer(state=State.EMPTY, note="the SEC is no source for this market")
        rules = policy.filings_of(NAME)
        causes: list[str] = []
        notes: list[str] = []
        chosen: list[Hit] = []
        try:
            found = await self._filer(listing, rules)
            notes.append(found.note)
            if found.filer is not None:
                filings, note = await self._filings(found.filer, listing.cutoff, causes)
                notes.append(note)
                chosen = self._hits(found.filer, choose_filings(filings, rules, listing.cutoff), listing)
        except SourceError as exc:
            causes.append(str(exc) or type(exc).__name__)
        mentions = await self._mentions(listing, rules)
        causes += [mentions.cause] if mentions.cause else []
        hits = _joined([*chosen, *mentions.hits])[:limit]
        state = State.FAILED if causes else State.ANSWERED if hits else State.EMPTY
        return SearchAnswer(state=state, hits=hits, cause="; ".join(dict.fromkeys(causes)), note="; ".join(filter(None, notes)))

    async def _filer(self, listing: Listing, rules: Sequence[FilingRule]) -> _Found:
        """The filer of a listing: by its CIK, else by name among current tickers, else (with rules) among those that full-text search
        shows for their forms."""
        if number := listing.cik.strip().lstrip("0"):
            filer = await self._submissions(number)
            if same_issuer(listing.issuer, filer.names):
                return _Found(filer)
            return _Found(filer, f"CIK {filer.cik} is {filer.name}, the row says {listing.issuer}")
        wanted = [one.cik for one in await self._ticker_file() if same_issuer(listing.issuer, (one.name,))]
        if not wanted and rules:
            request = full_text(self._caller.account, _phrase(listing.issuer), rules=rules)
            wanted = await self._caller.read(request, lambda reply: _filers_named(reply, listing.issuer), refusal=read_refusal)
        for number in list(dict.fromkeys(wanted))[:_CANDIDATES]:
            filer = await self._submissions(number)
            if same_issuer(listing.issuer, filer.names):
                return _Found(filer)
        return _Found(None, "no filer of this name was found")

    async def _ticker_file(self) -> tuple[_Ticker, ...]:
        """Current tickers; asked for once."""
        async with self._turn:
            if self._tickers is None:
                self._tickers = await self._caller.read(_get(self._caller.account, _TICKERS), _read_tickers, refusal=read_refusal)
        return self._tickers

    async def _submissions(self, number: str) -> Filer:
        """The submissions file of a filer; asked for once."""
        cik = number.zfill(10)
        if cik not in self._filers:
            request = _get(self._caller.account, f"{_SUBMISSIONS}CIK{cik}.json")
            filer = await self._caller.read(request, lambda reply: read_filer(read_object(reply)), refusal=read_refusal)
            if filer.cik != cik:
                raise SourceBroken(f"asked for CIK {cik}, got the file of {filer.cik}")
            self._filers[cik] = filer
        return self._filers[cik]

    async def _filings(self, filer: Filer, cutoff: dt.date, causes: list[str]) -> tuple[tuple[Filing, ...], str]:
        """Filings of the first page and of the older ones up to the cutoff, newest first; a page that fails is a cause."""
        filings = list(filer.filings)
        older = sorted((page for page in filer.older if page.first <= cutoff), key=lambda page: page.last, reverse=True)
        for page in older[:_OLDER]:
            request = _get(self._caller.account, _SUBMISSIONS + page.name)
            try:
                filings += await self._caller.read(request, lambda reply: read_columns(read_object(reply), filer.cik), refusal=read_refusal)
            except SourceError as exc:
                causes.append(f"{page.name}: {exc}")
        left = len(older) - _OLDER
        return tuple(filings), f"{left} older pages of filings were not read" if left > 0 else ""

    async def _mentions(self, listing: Listing, rules: Sequence[FilingRule]) -> SearchAnswer:
        """Filings of anybody that name the issuer up to the cutoff, such as those of its buyer."""
        query = Query(text=_phrase(listing.issuer), kind="official", site=_SITE, before=listing.cutoff)
        request = full_text(self._caller.account, query.text, rules=rules, before=listing.cutoff)
        answer = await self._caller.ask(request, query, _MENTIONS, read_answer, refusal=read_refusal)
        if answer.state is State.FAILED and "status 5" in answer.cause:  # its search fails at random
            answer = await self._caller.ask(request, query, _MENTIONS, read_answer, refusal=read_refusal)
        return answer

    def _hits(self, filer: Filer, chosen: Iterable[tuple[Filing, bool]], listing: Listing) -> list[Hit]:
        captured = dt.datetime.fromtimestamp(self._clock(), dt.UTC).date()
        clock = json_clock((filing.accepted for filing in filer.filings), captured)
        hits = []
        for rank, (filing, whole) in enumerate(chosen, start=1):
            accepted = acceptance(filing.accepted, clock)
            told = f", accepted {accepted:%Y-%m-%d %H:%M} Eastern time" if accepted else ""
            items = f", items {', '.join(filing.items)}" if filing.items else ""
            snippet = f"{filing.form} of {filer.name}, filed {filing.filed}{told}{items}"
            hits.append(
                Hit(
                    url=filing.url(whole=whole, most=self._most),
                    title=f"{filing.form} {filer.name}",
                    provider=NAME,
                    rank=rank,
                    query=f"filings of CIK {filer.cik} for {listing.issuer}",
                    snippet=snippet,
                )
            )
        return hits


def _serves(listing: Listing, policy: Policy) -> bool:
    """Whether the issuer is one that files here: by its number, its market, or the official sources of its venue."""
    venue = policy.venues.get(listing.mic)
    return bool(listing.cik or listing.country == "US" or (venue and any(_is_sec(one.domain) for one in venue.official)))


def full_text(
    account: Account, text: str, *, rules: Sequence[FilingRule] = (), after: dt.date | None = None, before: dt.date | None = None
) -> Request:
    """A full-text search; a form that is asked for also brings its amendments. Dates are those of filing."""
    words = fit(text, chars=MAX_CHARS, encoded=IN_ADDRESS)
    params: dict[str, str | int | float] = {"q": words}
    if rules:
        params["forms"] = ",".join(dict.fromkeys(rule.form for rule in rules))
    if after or before:
        first, last = after or dt.date(2001, 1, 1), before or dt.date(2100, 1, 1)
        params |= {"dateRange": "custom", "startdt": first.isoformat(), "enddt": last.isoformat()}
    return Request("GET", _at(account, _SEARCH), _headers(account), params, sent=words)


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Hits of a full-text answer; a document's row is left out when its number is not that of its filing."""
    data = read_object(reply)
    rows = _search_rows(data)
    shards = data.get("_shards")
    lost = shards.get("failed") if isinstance(shards, dict) else None
    if data.get("timed_out") is True or lost:
        return SearchAnswer(state=State.FAILED, cause=f"the search was not finished (timed out, or {lost or 0} parts failed)")
    answer = answer_of(NAME, query, _documents(rows))
    total = data["hits"].get("total")
    count = total.get("value") if isinstance(total, dict) else None
    if not rows and isinstance(count, int) and count > 0:
        raise SourceBroken(f"the answer counts {count} filings and holds none")
    return answer


def read_refusal(reply: Reply, account: Account) -> S2RError | None:
    """The page for clients that do not say who they are: no call helps until they do."""
    if _UNDECLARED.search(reply.body[:20_000]):
        advice = "Set S2R_CONTACT to a name and mail address."
        return SourceUnusable("blocked: the SEC takes us for an undeclared automated tool", subject=account.name, advice=advice)
    return None


def _documents(rows: Sequence[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        source = row.get("_source") if isinstance(row, dict) else None
        match = _ID.match(str(row.get("_id"))) if isinstance(row, dict) else None
        if not isinstance(source, dict) or match is None:
            yield "", "", ""
            continue
        accession, document = match.groups()
        ciks, names = _texts(source.get("ciks")), _texts(source.get("display_names"))
        if str(source.get("adsh", accession)).replace("-", "") != accession.replace("-", "") or not ciks or not ciks[0].isdigit():
            yield "", "", ""
            continue
        form, name = text_of(source, "file_type", "form"), _plain(names[0]) if names else ""
        url = f"{ARCHIVES}/{int(ciks[0])}/{accession.replace('-', '')}/{document}"
        yield url, f"{form} {name}".strip(), f"{form} of {name}, filed {text_of(source, 'file_date')}"


def _filers_named(reply: Reply, issuer: str) -> list[str]:
    """Numbers of filers with the issuer's name among the rows of a full-text answer; an accession may be listed under several."""
    numbers = []
    for row in _search_rows(read_object(reply)):
        source = row.get("_source") if isinstance(row, dict) else None
        for shown in _texts(source.get("display_names")) if isinstance(source, dict) else ():
            if (match := _CIK.search(shown)) and same_issuer(issuer, (_plain(shown),)):
                numbers.append(match.group(1).lstrip("0"))
    return numbers


def _search_rows(data: Mapping[str, Any]) -> list[Any]:
    hits = data.get("hits")
    if not isinstance(hits, dict):
        raise SourceBroken(f"the answer has no hits{': ' + words if (words := said(data)) else ''}")
    return needed(read_list(data, "hits", "hits"), data, "list of hits")


def _read_tickers(reply: Reply) -> tuple[_Ticker, ...]:
    """Both shapes of the ticker files: numbered objects, and rows under a list of fields."""
    data = read_object(reply)
    fields = data.get("fields")
    if isinstance(fields, list) and isinstance(data.get("data"), list):
        rows: Iterable[Any] = (dict(zip(map(str, fields), row, strict=False)) for row in data["data"] if isinstance(row, list))
    else:
        rows = data.values()
    found = tuple(
        _Ticker(str(row.get("cik_str", row.get("cik"))), str(row.get("ticker", "")), str(row.get("title", row.get("name", ""))))
        for row in rows
        if isinstance(row, dict) and str(row.get("cik_str", row.get("cik"))).isdigit()
    )
    if not found:
        raise SourceBroken("the ticker file holds no companies")
    return found


def _joined(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Hits without a second one of the same filing, ranked anew; one filing stands under the number of each of its filers."""
    seen: set[str] = set()
    kept: list[Hit] = []
    for hit in hits:
        match = re.search(r"/(\d{18})/", hit.url)
        key = match.group(1) if match else hit.url
        if key not in seen:
            seen.add(key)
            kept.append(hit.model_copy(update={"rank": len(kept) + 1}))
    return tuple(kept)


def _get(account: Account, path: str) -> Request:
    return Request("GET", _at(account, path), _headers(account))


def _at(account: Account, path: str) -> str:
    """The address of a path: at the operator's own base, else at the SEC's host for it."""
    if account.own_url:
        return account.at(path)
    return next(host for start, host in _HOSTS.items() if path.startswith(start)) + path


def _headers(account: Account) -> dict[str, str]:
    return {"Accept": "application/json", "User-Agent": f"s2r/{metadata.version('s2r')} {account.contact}"}


def _phrase(issuer: str) -> str:
    return '"' + all_names(issuer)[1].replace('"', " ").strip() + '"'


def _plain(shown: str) -> str:
    """The name of "ACME CORP  (ACME)  (CIK 0001234567)"."""
    match = _SHOWN.match(shown)
    return match.group(1).strip() if match else shown.strip()


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _is_sec(site: str) -> bool:
    host = site.partition("/")[0].lower()
    return host == _SITE or host.endswith(f".{_SITE}")


SPEC = ProviderSpec(
    name=NAME,
    title="SEC EDGAR",
    url="https://efts.sec.gov",
    get_key="https://www.sec.gov/search-filings/edgar-search-assistance/accessing-edgar-data",
    connect=Edgar,
    needs_key=False,
    needs_contact=True,
    shared=_SITE,
    price=Price(per_1000=0.0, source="https://www.sec.gov/os/accessing-edgar-data", rate=10.0, concurrency=8),
)
