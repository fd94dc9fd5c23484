"""Companies House: filing history and insolvency of British companies, chosen by the policy's categories and types.

The register says nothing about listings: its hits are filings about the company, and dissolution is not delisting.
"""

from __future__ import annotations

import base64
import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from s2r.errors import SourceBroken, SourceError
from s2r.models import Hit, Listing, Query
from s2r.net.reply import Reply
from s2r.policy import Policy
from s2r.policy.types import FilingRule
from s2r.search.base import SearchAnswer, State
from s2r.search.caller import Account, Caller, Price, ProviderSpec, Request
from s2r.search.dialect import answer_of, fit, needed, phrase_of, read_list, read_object, text_of
from s2r.search.official.filings import day_of
from s2r.search.official.identity import Identity, KnownName, all_names, same_issuer

NAME = "companies_house"
PAGES = "https://find-and-update.company-information.service.gov.uk/company"
MAX_CHARS, MAX_RESULTS = 150, 100
_SITE = "company-information.service.gov.uk"
_NUMBER = re.compile(r"[A-Z0-9]{8}\Z")
_TRANSACTION = re.compile(r"[A-Za-z0-9_-]{5,80}\Z")
_COUNTRIES = frozenset({"GB", "UK", "IM", "JE", "GG"})
_CANDIDATES, _HISTORY_PAGES = 3, 3


class Company(NamedTuple):
    """A company's profile: former names with the day each was given up, and whether there were insolvency proceedings."""

    number: str
    name: str
    status: str
    former: tuple[KnownName, ...]
    insolvency: bool


class Entry(NamedTuple):
    """One line of a filing history."""

    day: dt.date
    category: str
    type: str
    words: str
    transaction: str


class CompaniesHouse:
    """Companies and their filings in the British register."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._companies: dict[str, Company | None] = {}

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """Pages of companies by name; nothing for a query that is about another site."""
        if query.site and not query.site.endswith(_SITE):
            return SearchAnswer(state=State.EMPTY, note=f"Companies House holds no pages of {query.site}")
        return await self._caller.ask(_search(self._caller.account, query.text, limit), query, limit, read_answer)

    async def identify(self, listing: Listing) -> Identity | None:
        """Names of a British company; None for others."""
        if not _serves(listing):
            return None
        company = await self._company(listing.issuer)
        if company is None:
            return Identity(source=NAME, notes=("no company of this name was found",))
        return Identity(source=NAME, names=(KnownName(name=company.name, source=NAME), *company.former))

    async def find_for(self, listing: Listing, policy: Policy, limit: int) -> SearchAnswer:
        """Filings of the issuer that the policy asks for, and its insolvency page. Empty for markets that it does not serve."""
        if not _serves(listing):
            return SearchAnswer(state=State.EMPTY, note="Companies House is no source for this market")
        company = await self._company(listing.issuer)
        if company is None:
            return SearchAnswer(state=State.EMPTY, note="no company of this name was found")
        rules = policy.filings_of(NAME)
        cause, entries, left = "", list[Entry](), 0
        try:
            entries, left = await self._history(company.number)
        except SourceError as exc:
            cause = str(exc) or type(exc).__name__
        hits = _hits(company, choose_entries(entries, rules, listing.cutoff), rules, listing)[:limit]
        state = State.FAILED if cause else State.ANSWERED if hits else State.EMPTY
        note = f"{left} older lines of the filing history were not read" if left else ""
        return SearchAnswer(state=state, hits=tuple(hits), cause=cause, note=note)

    async def _company(self, issuer: str) -> Company | None:
        """The company that bears one of the issuer's names now or bore it before; asked for once."""
        if issuer not in self._companies:
            request = _search(self._caller.account, all_names(issuer)[1], 20)
            found = await self._caller.read(request, lambda reply: _named(reply, issuer))
            self._companies[issuer] = None
            for number in found[:_CANDIDATES]:
                company = await self._caller.read(_get(self._caller.account, f"/company/{number}"), read_company)
                if same_issuer(issuer, (company.name, *(one.name for one in company.former))):
                    self._companies[issuer] = company
                    break
        return self._companies[issuer]

    async def _history(self, number: str) -> tuple[list[Entry], int]:
        """The newest lines of a filing history, and how many are left."""
        entries: list[Entry] = []
        total = 0
        for page in range(_HISTORY_PAGES):
            params: dict[str, str | int | float] = {"items_per_page": MAX_RESULTS, "start_index": page * MAX_RESULTS}
            request = _get(self._caller.account, f"/company/{number}/filing-history", params)
            rows, total = await self._caller.read(request, read_history)
            entries += rows
            if (page + 1) * MAX_RESULTS >= total:
                break
        return entries, max(0, total - _HISTORY_PAGES * MAX_RESULTS)


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Pages of the companies found."""
    data = read_object(reply)
    return answer_of(NAME, query, _rows(needed(read_list(data, "items"), data, "items")))


def read_company(reply: Reply) -> Company:
    """A company profile; `SourceBroken` when it is none."""
    data = read_object(reply)
    number, name = text_of(data, "company_number"), text_of(data, "company_name")
    if not _NUMBER.match(number) or not name:
        raise SourceBroken("the answer is no company profile")
    former = tuple(
        KnownName(name=old, source=NAME, former=True, until=day_of(row.get("ceased_on")))
        for row in read_list(data, "previous_company_names") or []
        if isinstance(row, dict) and (old := text_of(row, "name"))
    )
    links = data.get("links")
    told = data.get("has_insolvency_history") is True or (isinstance(links, dict) and bool(links.get("insolvency")))
    return Company(number, name, text_of(data, "company_status"), former, told)


def read_history(reply: Reply) -> tuple[list[Entry], int]:
    """Lines of a filing history and how many there are in all; lines without a day or a document are left out."""
    data = read_object(reply)
    rows = needed(read_list(data, "items"), data, "items")
    total = data.get("total_count")
    entries = []
    for row in rows:
        day = day_of(row.get("date")) if isinstance(row, dict) else None
        transaction = text_of(row, "transaction_id")
        if day and _TRANSACTION.match(transaction):
            entries.append(Entry(day, text_of(row, "category"), text_of(row, "type"), text_of(row, "description"), transaction))
    return entries, total if isinstance(total, int) else len(rows)


def choose_entries(entries: Sequence[Entry], rules: Sequence[FilingRule], cutoff: dt.date) -> tuple[Entry, ...]:
    """Lines that the rules ask for by category or type, in their order; those up to the cutoff first, newest first."""
    taken: dict[str, Entry] = {}
    for rule in rules:
        fitting = [one for one in entries if rule.form in (one.category, one.type) and one.transaction not in taken]
        ordered = sorted(fitting, key=lambda one: (one.day > cutoff, abs((cutoff - one.day).days)))
        taken.update({one.transaction: one for one in ordered[: rule.most]})
    return tuple(taken.values())


def _hits(company: Company, entries: Sequence[Entry], rules: Sequence[FilingRule], listing: Listing) -> list[Hit]:
    rows = [(f"{PAGES}/{company.number}/filing-history/{one.transaction}/document?format=pdf&download=0",
             f"{one.type} {one.words}", f"{one.category} of {company.name}, {one.day}") for one in entries]  # fmt: skip
    if company.insolvency and any(rule.form == "insolvency" for rule in rules):
        rows.insert(0, (f"{PAGES}/{company.number}/insolvency", f"Insolvency of {company.name}", f"status {company.status}"))
    query = f"filings of company {company.number} for {listing.issuer}"
    return [Hit(url=url, title=title, provider=NAME, rank=rank, query=query, snippet=snippet)
            for rank, (url, title, snippet) in enumerate(rows, start=1)]  # fmt: skip


def _named(reply: Reply, issuer: str) -> list[str]:
    """Numbers of the companies found, those of the very name first: others may have borne it before."""
    data = read_object(reply)
    rows = needed(read_list(data, "items"), data, "items")
    found = [(text_of(row, "company_number"), text_of(row, "title")) for row in rows]
    good = [(number, title) for number, title in found if _NUMBER.match(number)]
    if rows and not good:
        raise SourceBroken(f"none of {len(rows)} companies has a number")
    return [number for number, title in sorted(good, key=lambda one: not same_issuer(issuer, (one[1],)))]


def _rows(rows: Sequence[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        number = text_of(row, "company_number")
        url = f"{PAGES}/{number}" if _NUMBER.match(number) else ""
        yield url, text_of(row, "title"), f"{text_of(row, 'company_status')} {text_of(row, 'description')}".strip()


def _search(account: Account, text: str, limit: int) -> Request:
    words = fit(phrase_of(text), chars=MAX_CHARS)
    request = _get(account, "/search/companies", {"q": words, "items_per_page": max(1, min(limit, MAX_RESULTS))})
    return Request(request.method, request.url, request.headers, request.params, sent=words)


def _get(account: Account, path: str, params: Mapping[str, str | int | float] | None = None) -> Request:
    token = base64.b64encode(f"{account.key.get_secret_value()}:".encode()).decode()
    return Request("GET", account.at(path), {"Accept": "application/json", "Authorization": f"Basic {token}"}, params or {})


def _serves(listing: Listing) -> bool:
    """British issuers: by the ISIN, else by the market; a foreign ISIN settles it the other way."""
    if listing.isin:
        return listing.isin[:2] in _COUNTRIES
    return listing.country in _COUNTRIES


SPEC = ProviderSpec(
    name=NAME,
    title="Companies House",
    url="https://api.company-information.service.gov.uk",
    get_key="https://developer.company-information.service.gov.uk",
    connect=CompaniesHouse,
    price=Price(per_1000=0.0, source="https://developer-specs.company-information.service.gov.uk", rate=2.0, concurrency=4),
)
