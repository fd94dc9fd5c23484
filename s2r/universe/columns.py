"""Which column of a universe file is which field: case, spaces, underscores and common synonyms do not matter."""

from __future__ import annotations

from s2r.errors import InputError
from s2r.lang.text import fold

FIELDS: dict[str, tuple[str, ...]] = {
    "issuer": (
        "issuer", "issuername", "nameofissuer", "issuerlegalname", "company", "companyname", "nameofcompany", "legalname",
        "entityname", "entity", "corporatename", "organisation", "organization", "emittent", "unternehmen", "gesellschaft", "firma",
        "emetteur", "societe", "emisor", "sociedad", "emissor", "emittente", "societa", "spolka", "bolag", "selskab", "会社名",
        "発行会社", "発行会社名", "銘柄名", "公司名称", "公司名稱", "发行人", "發行人", "회사명", "발행회사", "name",
    ),
    "security": (
        "security", "securityname", "securitydescription", "securitydesc", "instrument", "instrumentname", "issue", "issuename",
        "issuedescription", "classofsecurities", "shareclass", "wertpapier", "titre", "valor", "titolo",
    ),
    "security_type": (
        "securitytype", "typeofsecurity", "sectype", "instrumenttype", "assettype", "assetclass", "type",
    ),
    "ticker": (
        "ticker", "tickersymbol", "tradingsymbol", "symbol", "stockcode", "securitiescode", "localcode", "tidm", "epic",
        "証券コード", "证券代码", "股票代码", "종목코드",
    ),
    "mic": (
        "mic", "miccode", "marketidentifiercode", "marketidentifier", "iso10383", "exchangemic", "venuemic", "marketmic",
        "listingmic",
    ),
    "venue": (
        "venue", "venuename", "exchange", "exchangename", "stockexchange", "listingvenue", "listingexchange", "market",
        "marketname", "borse", "bourse",
    ),
    "country": (
        "country", "countrycode", "countryoflisting", "listingcountry", "exchangecountry", "venuecountry", "countryiso",
        "isocountry", "land", "pays", "pais",
    ),
    "isin": (
        "isin", "isincode", "isinnumber", "isinno",
    ),
    "lei": (
        "lei", "leicode", "legalentityidentifier", "issuerlei",
    ),
    "cik": (
        "cik", "cikcode", "ciknumber", "cikno", "seccik", "edgarcik", "centralindexkey",
    ),
    "cutoff": (
        "cutoff", "cutoffdate", "cutoffday", "asof", "asofdate", "asat", "observationdate", "auditdate", "referencedate",
        "stichtag", "基準日",
    ),
    "row_id": (
        "rowid", "caseid", "id",
    ),
}  # fmt: skip
REQUIRED = ("issuer",)


def normal_header(name: str) -> str:
    """A header without case, spaces, marks and byte order marks: 'Cut-off ' -> 'cutoff', 'MIC_Code' -> 'miccode'."""
    return "".join(c for c in fold(name).text if c.isalnum())


def is_header(cells: tuple[str, ...]) -> bool:
    """True when a row of cells holds the required column."""
    return len(cells) > 0 and any(normal_header(cell) in FIELDS["issuer"] for cell in cells)


def map_columns(header: tuple[str, ...], subject: str) -> dict[str, int]:
    """Field -> column index; the exact name wins over synonyms, an earlier synonym over a later one."""
    names = [normal_header(name) for name in header]
    mapped: dict[str, int] = {}
    for field, synonyms in FIELDS.items():
        for synonym in synonyms:
            places = [k for k, name in enumerate(names) if name == synonym and k not in mapped.values()]
            if len(places) > 1:
                shown = ", ".join(f"{k + 1} ({header[k]!r})" for k in places)
                raise InputError(f"two columns could be {field}: {shown}", subject=subject, advice="Rename or remove one of them.")
            if places:
                mapped[field] = places[0]
                break
    if missing := [field for field in REQUIRED if field not in mapped]:
        seen = ", ".join(repr(name.strip()) for name in header if name.strip()) or "none"
        raise InputError(
            f"the column {missing[0]} is missing; columns seen: {seen[:600]}",
            subject=subject,
            advice=f"Add a header line with a column {missing[0]} (the company's legal name); other useful columns: "
            "row_id, security, ticker, mic, venue, country, isin, lei, cik, cutoff.",
        )
    return mapped


def extra_names(header: tuple[str, ...], mapped: dict[str, int]) -> dict[int, str]:
    """Index -> name of the columns carried through untouched; nameless and repeated ones get a name of their own."""
    out: dict[int, str] = {}
    used: set[str] = set()
    for k, raw in enumerate(header):
        if k in mapped.values():
            continue
        name = raw.strip().lstrip("\ufeff") or f"column {k + 1}"
        unique, n = name, 2
        while unique in used:
            unique, n = f"{name} ({n})", n + 1
        used.add(unique)
        out[k] = unique
    return out
