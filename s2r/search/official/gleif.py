"""GLEIF: the legal entity behind an LEI or an ISIN, its former names and its state. For identity only; never evidence of an event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from s2r.models import Listing, Query
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer
from s2r.search.caller import Account, Caller, Price, ProviderSpec, Request
from s2r.search.dialect import IN_ADDRESS, answer_of, fit, needed, phrase_of, read_list, read_object, text_of
from s2r.search.official.identity import Identity, KnownName, same_issuer

NAME = "gleif"
MAX_CHARS, MAX_RESULTS = 250, 200
_PATH = "/api/v1/lei-records"
_RECORD = "https://search.gleif.org/#/record/"
_FORMER = frozenset({"PREVIOUS_LEGAL_NAME"})
_OTHER = frozenset({"TRADING_OR_OPERATING_NAME", "ALTERNATIVE_LANGUAGE_LEGAL_NAME"})


class GLEIF:
    """Records of legal entities."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """Records by legal name."""
        words = fit(phrase_of(query.text), chars=MAX_CHARS, encoded=IN_ADDRESS)
        size = max(1, min(limit, MAX_RESULTS))
        request = _get(self._caller.account, {"filter[entity.legalName]": words, "page[size]": size}, sent=words)
        return await self._caller.ask(request, query, limit, read_answer)

    async def identify(self, listing: Listing) -> Identity | None:
        """The entity of the row's LEI, else of its ISIN; None without both. Names alone are not asked about: too many are alike."""
        if not listing.lei and not listing.isin:
            return None
        what = {"filter[lei]": listing.lei} if listing.lei else {"filter[isin]": listing.isin}
        records = await self._caller.read(_get(self._caller.account, {**what, "page[size]": 5}), read_records)
        return compare(listing, records)


def read_records(reply: Reply) -> list[Mapping[str, Any]]:
    """Attributes of the records of an answer, [] when it has none; `SourceBroken` for what is no such answer."""
    data = read_object(reply)
    rows = needed(read_list(data, "data"), data, "data")
    found = (row.get("attributes") for row in rows if isinstance(row, dict))
    return [one for one in found if isinstance(one, dict)]


def compare(listing: Listing, records: Sequence[Mapping[str, Any]]) -> Identity:
    """What the record says of a listing: its names and LEI, and its state as a note. An entity of other names is a doubt."""
    asked = f"LEI {listing.lei}" if listing.lei else f"ISIN {listing.isin}"
    if len(records) != 1:
        return Identity(source=NAME, notes=(f"{asked} is not known" if not records else f"{asked} has {len(records)} records",))
    record = records[0]
    entity, registration = _part(record, "entity"), _part(record, "registration")
    legal = text_of(_part(entity, "legalName"), "name")
    others = [row for row in read_list(entity, "otherNames") or [] if isinstance(row, dict) and text_of(row, "name")]
    former = [text_of(row, "name") for row in others if row.get("type") in _FORMER]
    known = [legal, *(text_of(row, "name") for row in others)]
    doubts = () if same_issuer(listing.issuer, known) else (f"{asked} is {legal or 'without a name'}, the row says {listing.issuer}",)
    names = [KnownName(name=legal, source=NAME)] if legal else []
    names += [KnownName(name=text_of(row, "name"), source=NAME) for row in others if row.get("type") in _OTHER]
    names += [KnownName(name=name, source=NAME, former=True) for name in former]
    state = f"entity {text_of(entity, 'status') or 'of unknown state'}, registration {text_of(registration, 'status') or 'unknown'}"
    return Identity(source=NAME, names=tuple(names), lei=text_of(record, "lei"), doubts=doubts, notes=(state, *_ended(entity)))


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Records of entities."""
    data = read_object(reply)
    return answer_of(NAME, query, _rows(needed(read_list(data, "data"), data, "data")))


def _ended(entity: Mapping[str, Any]) -> Iterator[str]:
    """Why an entity ended and who succeeded it, as notes."""
    expiration = _part(entity, "expiration")
    if reason := text_of(expiration, "reason"):
        yield f"ended {text_of(expiration, 'date')[:10]}: {reason}"
    for row in read_list(entity, "successorEntities") or []:
        if name := text_of(row, "name"):
            yield f"succeeded by {name}"


def _rows(rows: Sequence[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        attributes = _part(row, "attributes") if isinstance(row, dict) else {}
        lei, entity = text_of(attributes, "lei"), _part(attributes, "entity")
        yield (f"{_RECORD}{lei}" if lei else ""), text_of(_part(entity, "legalName"), "name"), text_of(entity, "status")


def _part(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _get(account: Account, params: Mapping[str, str | int | float], sent: str = "") -> Request:
    return Request("GET", account.at(_PATH), {"Accept": "application/vnd.api+json"}, params, sent=sent)


SPEC = ProviderSpec(
    name=NAME,
    title="GLEIF",
    url="https://api.gleif.org",
    get_key="https://www.gleif.org/lei-data/gleif-api",
    connect=GLEIF,
    needs_key=False,
    price=Price(per_1000=0.0, source="https://www.gleif.org/lei-data/gleif-api", rate=1.0, concurrency=2),
)
