"""OpenFIGI: whose security an ISIN or a ticker at a venue is. For identity only; its answers are never evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from s2r.errors import SourceBroken
from s2r.models import Listing, Query
from s2r.net.answers import read_json, said
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer
from s2r.search.caller import Account, Caller, Price, ProviderSpec, Request
from s2r.search.dialect import answer_of, fit, needed, phrase_of, read_list, read_object, text_of
from s2r.search.official.identity import Identity, same_issuer

NAME = "openfigi"
MAX_CHARS = 200
_SEARCH, _MAPPING = "/v3/search", "/v3/mapping"
_RECORD = "https://www.openfigi.com/id/"


class OpenFIGI:
    """Instruments of OpenFIGI."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """Instruments by words."""
        words = fit(phrase_of(query.text), chars=MAX_CHARS)
        request = _post(self._caller.account, _SEARCH, {"query": words}, sent=words)
        return await self._caller.ask(request, query, limit, read_answer)

    async def identify(self, listing: Listing) -> Identity | None:
        """Whether ISIN, and ticker at the venue, belong to the issuer; None without both."""
        jobs = mapping_jobs(listing)
        if not jobs:
            return None
        request = _post(self._caller.account, _MAPPING, jobs)
        answers = await self._caller.read(request, lambda reply: read_mapping(reply, len(jobs)))
        return compare(listing, jobs, answers)


def mapping_jobs(listing: Listing) -> list[dict[str, Any]]:
    """Jobs for the identifiers of a listing; delisted instruments are asked for as well."""
    jobs: list[dict[str, Any]] = []
    if listing.isin:
        jobs.append({"idType": "ID_ISIN", "idValue": listing.isin})
    if listing.ticker and listing.mic:
        jobs.append({"idType": "TICKER", "idValue": listing.ticker, "micCode": listing.mic})
    return [job | {"includeUnlistedEquities": True} for job in jobs]


def read_mapping(reply: Reply, jobs: int) -> list[list[Mapping[str, Any]]]:
    """Instruments of each job, [] where none is known; `SourceBroken` when a job failed or answers do not align with jobs."""
    data = read_json(reply)
    if not isinstance(data, list) or len(data) != jobs:
        words = said(data)
        raise SourceBroken(f"{jobs} jobs were sent and the answer does not align with them" + (f": {words}" if words else ""))
    found: list[list[Mapping[str, Any]]] = []
    for one in data:
        if not isinstance(one, dict) or (one.get("error") and "data" not in one):
            raise SourceBroken(f"a job failed: {said(one)}")
        rows = read_list(one, "data")
        if rows is None and "warning" not in one:
            raise SourceBroken("a job has neither data nor a warning")
        found.append([row for row in rows or [] if isinstance(row, dict)])
    return found


def compare(listing: Listing, jobs: Sequence[Mapping[str, Any]], answers: Sequence[Sequence[Mapping[str, Any]]]) -> Identity:
    """What the instruments say of a listing. A ticker may have been given to another company since, so that it never makes a doubt;
    an ISIN never moves."""
    doubts: list[str] = []
    notes: list[str] = []
    for job, rows in zip(jobs, answers, strict=True):
        names = list(dict.fromkeys(text_of(row, "name") for row in rows if text_of(row, "name")))
        what = f"{job['idType'].removeprefix('ID_')} {job['idValue']}"
        if not names:
            notes.append(f"{what} is not known")
        elif not any(_alike(listing.issuer, name) for name in names):
            told = f"{what} is of {', '.join(names[:3])}, the row says {listing.issuer}"
            (doubts if job["idType"] == "ID_ISIN" else notes).append(told)
    return Identity(source=NAME, doubts=tuple(doubts), notes=tuple(notes))


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Records of instruments."""
    data = read_object(reply)
    return answer_of(NAME, query, _rows(needed(read_list(data, "data"), data, "data")))


def _alike(issuer: str, name: str) -> bool:
    """Whether a name is the issuer's; OpenFIGI cuts names, and ends them with the share class ("ACME CORP-CL A")."""
    plain = name.partition("-CL")[0].partition("-A")[0]
    return same_issuer(issuer, (name, plain))


def _rows(rows: Sequence[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        figi = text_of(row, "figi")
        kind = " ".join(filter(None, (text_of(row, "ticker"), text_of(row, "exchCode"), text_of(row, "securityType"))))
        yield (f"{_RECORD}{figi}" if figi else ""), text_of(row, "name"), kind


def _post(account: Account, path: str, data: Any, sent: str = "") -> Request:
    headers = {"Accept": "application/json"}
    if key := account.key.get_secret_value():
        headers["X-OPENFIGI-APIKEY"] = key
    return Request("POST", account.at(path), headers, data=data, sent=sent)


SPEC = ProviderSpec(
    name=NAME,
    title="OpenFIGI",
    url="https://api.openfigi.com",
    get_key="https://www.openfigi.com/api",
    connect=OpenFIGI,
    needs_key=False,
    price=Price(per_1000=0.0, source="https://www.openfigi.com/api/documentation", rate=0.4, concurrency=1),
)
