"""Registers of the loopback world: EDGAR, Companies House, OpenFIGI and GLEIF, in their own forms, rules and refusals.

Their search answers with the pages of the world's pool as if they were filings or companies; everything else that a register holds
(submissions, histories, mappings) is put there with `World.put`.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from s2r.testing.server import Answer, Seen, html_answer, json_answer
from s2r.testing.services import Asked, Found, Service

_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
_FORMS = re.compile(r"[A-Z0-9 -]+(?:,[A-Z0-9 -]+)*\Z")


def _number(url: str, digits: int) -> str:
    """A number that stands for an address, always the same one."""
    return str(zlib.crc32(url.encode()) % 10**digits).zfill(digits)


def _named(text: str) -> str:
    """A name as a phrase: registers look for names, not for single words of them."""
    return f'"{text}"'


# --- EDGAR: full-text search


def admit_edgar(seen: Seen, key: str) -> Answer | None:
    """The refusal of a client that does not give a mail address, or asks for more than JSON rules allow; None for all others."""
    if "@" not in seen.headers.get("user-agent", ""):
        title = "SEC.gov | Your Request Originates from an Undeclared Automated Tool"
        return html_answer(title, "Please declare your traffic by updating your user agent to include company specific information.", 403)
    return None


def _edgar_read(seen: Seen, key: str) -> Asked | Answer:
    if refused := admit_edgar(seen, key):
        return refused
    params = seen.params
    good = "q" in params and len(params["q"]) <= 500 and _FORMS.match(params.get("forms", "8-K")) is not None
    if "dateRange" in params:
        good &= params["dateRange"] == "custom" and all(_DAY.match(params.get(name, "")) for name in ("startdt", "enddt"))
    good &= all(re.fullmatch(r"\d{10}(,\d{10})*", params[name]) is not None for name in ("ciks",) if name in params)
    return Asked(params["q"], 100) if good else _edgar_error(400, "Bad request")


def _edgar_render(asked: Asked, found: Sequence[Found]) -> Answer:
    rows = []
    for place, hit in enumerate(found, start=1):
        cik, document = _number(urlsplit(hit.url).netloc, 7), urlsplit(hit.url).path.rpartition("/")[2] or "d8k"
        accession = f"0001193125-24-{_number(hit.url, 6)}"
        shown = f"{hit.title}  (ACME)  (CIK {cik.zfill(10)})"
        about = {"form": "8-K", "root_forms": ["8-K"], "file_type": "8-K", "file_date": "2024-03-01", "period_ending": None}
        source = about | {"ciks": [cik.zfill(10)], "display_names": [shown], "adsh": accession, "items": ["3.01"], "sequence": place}
        rows.append({"_index": "edgar_file", "_id": f"{accession}:{document}.htm", "_score": 7.1, "_source": source})
    total = {"value": len(rows), "relation": "eq"}
    return json_answer({"took": 41, "timed_out": False, "_shards": {"total": 50, "successful": 50, "failed": 0},
                        "hits": {"total": total, "max_score": 7.1, "hits": rows}, "aggregations": {}})  # fmt: skip


def _edgar_error(status: int, words: str) -> Answer:
    return json_answer({"message": words}, status)


# --- Companies House: search for companies


def admit_companies_house(seen: Seen, key: str) -> Answer | None:
    """The refusal of a call without the key as user of HTTP Basic."""
    want = "Basic " + base64.b64encode(f"{key}:".encode()).decode()
    return None if seen.headers.get("authorization") == want else _house_error(401, "Invalid Authorization")


def _house_read(seen: Seen, key: str) -> Asked | Answer:
    if refused := admit_companies_house(seen, key):
        return refused
    params = seen.params
    size = params.get("items_per_page", "20")
    good = 1 <= len(params.get("q", "")) <= 160 and size.isdigit() and 1 <= int(size) <= 100
    return Asked(_named(params["q"]), int(size)) if good else _house_error(400, "invalid-request")


def _house_render(asked: Asked, found: Sequence[Found]) -> Answer:
    items = [_company(hit.title.upper(), _number(hit.url, 8)) for hit in found]
    left = (("X-Ratelimit-Limit", "600"), ("X-Ratelimit-Remain", "598"), ("X-Ratelimit-Reset", "1795950300"), ("X-Ratelimit-Window", "5m"))
    data: dict[str, Any] = {"kind": "search#companies", "items": items, "items_per_page": asked.limit, "page_number": 1, "start_index": 0}
    return json_answer(data | {"total_results": len(items)}, 200, *left)


def _company(title: str, number: str) -> dict[str, Any]:
    about = {"company_status": "active", "company_type": "plc", "date_of_creation": "1980-01-02", "address": {}}
    found = {"kind": "searchresults#company", "title": title, "company_number": number, "description": f"{number} - Incorporated"}
    return found | about | {"links": {"self": f"/company/{number}"}, "matches": {"title": [1, 4]}}


def _house_error(status: int, words: str) -> Answer:
    return json_answer({"errors": [{"error": words, "type": "ch:service"}]}, status)


# --- OpenFIGI: search in words


def admit_openfigi(seen: Seen, key: str) -> Answer | None:
    """The refusal of a wrong key; none is needed."""
    given = seen.headers.get("x-openfigi-apikey", key)
    return None if given == key else _figi_error(401, "Unauthorized: invalid API key")


def _figi_read(seen: Seen, key: str) -> Asked | Answer:
    if refused := admit_openfigi(seen, key):
        return refused
    text = seen.data.get("query") if seen.method == "POST" and isinstance(seen.data, dict) else None
    return Asked(_named(text), 100) if isinstance(text, str) and text else _figi_error(400, "Request body must hold a query.")


def _figi_render(asked: Asked, found: Sequence[Found]) -> Answer:
    rows = [{"figi": f"BBG{_number(hit.url, 9)}", "compositeFIGI": f"BBG{_number(hit.url, 9)}", "shareClassFIGI": None, "ticker": "ACME",
             "name": hit.title.upper(), "exchCode": "UN", "marketSector": "Equity", "securityType": "Common Stock",
             "securityType2": "Common Stock", "securityDescription": "ACME", "uniqueID": None} for hit in found]  # fmt: skip
    limits = (("ratelimit-limit", "20"), ("ratelimit-remaining", "19"), ("ratelimit-reset", "60"))
    return json_answer({"data": rows}, 200, *limits)


def _figi_error(status: int, words: str) -> Answer:
    return json_answer({"error": words}, status)


# --- GLEIF: records by legal name


def _gleif_read(seen: Seen, key: str) -> Asked | Answer:
    params = seen.params
    size = params.get("page[size]", "10")
    text = next((params[name] for name in ("filter[entity.legalName]", "filter[lei]", "filter[isin]") if params.get(name)), "")
    good = bool(text) and size.isdigit() and 1 <= int(size) <= 200
    return Asked(_named(text), int(size)) if good else _gleif_error(400, "Bad request")


def _gleif_render(asked: Asked, found: Sequence[Found]) -> Answer:
    data = [lei_record(f"549300{_number(hit.url, 12)}00", hit.title) for hit in found]
    page = {"currentPage": 1, "perPage": asked.limit, "from": 1, "to": len(data), "total": len(data), "lastPage": 1}
    meta = {"goldenCopy": {"publishDate": "2026-11-28T16:00:00Z"}, "pagination": page}
    answer = json_answer({"meta": meta, "links": {}, "data": data})
    return answer.with_headers(("Content-Type", "application/vnd.api+json"))


def lei_record(lei: str, name: str, *, former: Sequence[str] = (), status: str = "ACTIVE") -> dict[str, Any]:
    """One LEI record as GLEIF gives it."""
    others = [{"name": one, "language": "en", "type": "PREVIOUS_LEGAL_NAME"} for one in former]
    entity = {"legalName": {"name": name, "language": "en"}, "otherNames": others, "jurisdiction": "US-DE", "category": "GENERAL",
              "status": status, "expiration": {"date": None, "reason": None}, "successorEntities": []}  # fmt: skip
    registration = {"initialRegistrationDate": "2012-06-06T00:00:00Z", "status": "ISSUED", "corroborationLevel": "FULLY_CORROBORATED"}
    attributes = {"lei": lei, "entity": entity, "registration": registration, "bic": None}
    return {"type": "lei-records", "id": lei, "attributes": attributes, "relationships": {}, "links": {}}


def _gleif_error(status: int, words: str) -> Answer:
    return json_answer({"errors": [{"status": str(status), "title": words, "detail": words}]}, status)


REGISTERS: tuple[Service, ...] = (
    Service(
        "edgar", "efts.sec.gov", "/LATEST/search-index", _edgar_read, _edgar_render, _edgar_error,
        unserved=json_answer({"took": 9000, "timed_out": True, "hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}}),
        absent=json_answer({"took": 3, "timed_out": False}),
        absent_means="failed",
        broken=json_answer({"timed_out": False, "hits": {"total": {"value": 2, "relation": "eq"},
                            "hits": [{"_id": "no accession", "_source": {"ciks": ["x"]}}, 7]}}),
        pages=False, admit=admit_edgar,
    ),
    Service(
        "companies_house", "api.company-information.service.gov.uk", "/search/companies", _house_read, _house_render, _house_error,
        unserved=json_answer({"errors": [{"error": "service-unavailable", "type": "ch:service"}]}),
        absent=json_answer({"kind": "search#companies", "total_results": 0}),
        absent_means="failed",
        broken=json_answer({"kind": "search#companies", "items": [{"title": "no number"}, None], "total_results": 2}),
        pages=False, admit=admit_companies_house,
    ),
    Service(
        "openfigi", "api.openfigi.com", "/v3/search", _figi_read, _figi_render, _figi_error,
        unserved=json_answer({"error": "Internal error"}),
        absent=json_answer({"next": None}),
        absent_means="failed",
        broken=json_answer({"data": [{"name": "no figi"}, 7]}),
        pages=False, admit=admit_openfigi,
    ),
    Service(
        "gleif", "api.gleif.org", "/api/v1/lei-records", _gleif_read, _gleif_render, _gleif_error,
        unserved=json_answer({"errors": [{"status": "500", "title": "Internal error"}]}),
        absent=json_answer({"meta": {"pagination": {"total": 0}}}),
        absent_means="failed",
        broken=json_answer({"meta": {}, "data": [{"type": "lei-records", "id": ""}, None]}),
        pages=False,
    ),
)  # fmt: skip
