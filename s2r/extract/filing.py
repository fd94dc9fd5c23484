"""Facts of SEC filings read from page text: form, header fields, parties, items, and the filing's date claims."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from s2r.extract.form25 import form25_meta
from s2r.extract.published import claim
from s2r.models import DateClaim, DateKind

_FORMS = (
    r"25(?:-NSE)?|15-12[BG]|15-15D|15F(?:-12[BG]|-15D)?|15|8-K(?:12[BG]3?|15D5)?|6-K|10-K(?:T|SB)?|10-Q(?:SB)?|20-F|40-F|NT 10-[KQ]"
    r"|DEF[AMNR]?\s?14[AC]|PRE[MRC]?\s?14[AC]|SC 13[DGE]3?|SC TO-[TIC]|SC 14D9|N-CSRS?|424B\d|497|CORRESP|S-[1348]|F-[1346]"
)
_FORM_LINE = re.compile(rf"^[ \t|*#]{{0,40}}(?:FORM|Form)[ \t\xa0:]{{1,4}}(?P<form>(?:{_FORMS})(?:/A)?)(?=[\s.,;|)—–-]|$)", re.M)
_FORM_TITLED = re.compile(
    rf"\bFORM\s(?P<form>(?:{_FORMS})(?:/A)?)\s+"
    r"(?:CURRENT|ANNUAL|QUARTERLY|NOTIFICATION|CERTIFICATION|REPORT OF|AMENDMENT|\(Mark|\W{0,3}Pursuant)"
)  # texts that lost their line breaks
_BARE_LINE = re.compile(rf"\A[ \t]*(?P<form>(?:{_FORMS})(?:/A)?)[ \t]{{2,}}\S")
_AGENCY = re.compile(r"securities\s+and\s+exchange\s+commission|FILED AS OF DATE|securities exchange act", re.I)
_AGENCY_MARKS = ("securities", "filed as of date")  # one of which `_AGENCY` needs
_SUBMITTED = ("CONFORMED SUBMISSION TYPE:", "<TYPE>")  # and these `_SUBMISSION_TYPE`
_SUBMISSION_TYPE = re.compile(r"CONFORMED SUBMISSION TYPE:[ \t]*(\S+(?: \S+){0,2}?)(?=[ \t]{2,}|[ \t]*$)|^<TYPE>(\S+(?: \S+)?)", re.M)
_ACCESSION = re.compile(r"ACCESSION[ -]NUMBER[:>]\s*(\d{10}-\d{2}-\d{6})")
_FILED = re.compile(r"FILED AS OF DATE:?\s*(\d{8}|\d{4}-\d{2}-\d{2})|^<FILING-DATE>(\d{8})", re.M)
_PERIOD = re.compile(
    r"CONFORMED PERIOD OF REPORT:?\s*(\d{8})|^<PERIOD>(\d{8})"
    r"|date\s+of\s+(?:report\s*\(?\s*(?:date\s+of\s+)?)?earliest\s+event(?:\s+reported)?\s*\)?\s*[:|]?\s*([A-Z][a-z]{2,8}\.?\s+\d{1,2},\s+\d{4})",
    re.M | re.I,
)
_ACCEPTED = re.compile(r"ACCEPTANCE-DATETIME>?:?\s*(\d{14})")
_HEADER_FIELD = re.compile(r"^[ \t]*(?:<(?P<tag>[A-Z0-9-]+)>|(?P<name>[A-Z][A-Z /&-]{2,40}):)[ \t]*(?P<value>[^\n]*?)[ \t]*$", re.M)
_PARTY = {"SUBJECT COMPANY": "subject", "FILER": "filer", "FILED BY": "filed_by", "ISSUER": "issuer", "REPORTING-OWNER": "owner",
          "REPORTING OWNER": "owner", "SUBJECT-COMPANY": "subject", "FILED-BY": "filed_by", "FILED FOR": "filer"}  # fmt: skip
_COMPANY = ("COMPANY CONFORMED NAME", "CONFORMED-NAME")
_FORMER = ("FORMER CONFORMED NAME", "FORMER-CONFORMED-NAME")
_FORMER_DATE = ("DATE OF NAME CHANGE", "DATE-CHANGED")
_CIK = ("CENTRAL INDEX KEY", "CIK")
_SIC = ("STANDARD INDUSTRIAL CLASSIFICATION", "ASSIGNED-SIC")
_ITEM_NUMBER = re.compile(r"^[ \t|*_]{0,20}Item[ \t\xa0]{1,3}(\d\.\d{2})\b", re.M | re.I)
# Titles that EDGAR writes into the header instead of the item number (Form 8-K, general instructions).
_ITEM_TITLES = {
    "entry into a material definitive agreement": "1.01", "termination of a material definitive agreement": "1.02",
    "bankruptcy or receivership": "1.03", "completion of acquisition or disposition of assets": "2.01",
    "results of operations and financial condition": "2.02", "notice of delisting or failure to satisfy": "3.01",
    "unregistered sales of equity securities": "3.02", "material modifications to rights of security holders": "3.03",
    "material modification to rights of security holders": "3.03", "changes in registrant's certifying accountant": "4.01",
    "non-reliance on previously issued": "4.02", "changes in control of registrant": "5.01", "departure of directors": "5.02",
    "amendments to articles of incorporation": "5.03", "submission of matters to a vote": "5.07", "regulation fd disclosure": "7.01",
    "other events": "8.01", "financial statements and exhibits": "9.01",
}  # fmt: skip
_HEAD = 12_000
_BODY = 400_000


@dataclass(slots=True)
class Filing:
    """Form ("" when the text is no filing), meta fields and date claims with offsets into the text."""

    form: str = ""
    meta: dict[str, str] = field(default_factory=dict)
    claims: list[DateClaim] = field(default_factory=list)


def read_filing(text: str, header_end: int = -1) -> Filing:
    """Facts of a filing in page text; `header_end` bounds a full EDGAR header (-1: abbreviated or none)."""
    head = text[: header_end if header_end > 0 else _HEAD]
    form = _form(head)
    if not form:
        return Filing()
    found = Filing(form=form, meta={"form": form})
    if match := _ACCESSION.search(head):
        found.meta["accession"] = match.group(1)
    _dates(head if header_end <= 0 else text[: header_end + 6000], found)
    _parties(head if header_end > 0 else head[:3000], found.meta)
    if form in ("25", "25/A", "25-NSE", "25-NSE/A"):
        found.meta.update(form25_meta(text))
    if form.startswith("8-K") and (items := _items(text, head)):
        found.meta["items"] = "; ".join(items)
    return found


def _form(head: str) -> str:
    if any(mark in head for mark in _SUBMITTED) and (match := _SUBMISSION_TYPE.search(head)):
        return match.group(1) or match.group(2) or ""
    low = head.lower()
    if not (any(mark in low for mark in _AGENCY_MARKS) and _AGENCY.search(head)) and not _FORM_LINE.match(head.lstrip()):
        return ""
    match = _BARE_LINE.match(head) or _FORM_LINE.search(head[:4000]) or _FORM_TITLED.search(head[:1500])
    return " ".join(match["form"].split()) if match else ""


def _dates(head: str, found: Filing) -> None:
    table = (
        (_FILED, "filed_as_of", DateKind.FILING, ()),
        (_ACCEPTED, "acceptance", DateKind.FILING, ("eastern",)),
        (_PERIOD, "period", DateKind.OTHER, ()),
    )
    for pattern, name, kind, flags in table:
        match = pattern.search(head)
        if match is None or match.lastindex is None:
            continue
        raw, (start, end) = match.group(match.lastindex), match.span(match.lastindex)
        stamp = claim(raw, f"header:{name}", *flags, start=start, end=end, kind=kind)
        if stamp is not None and stamp.value:
            found.claims.append(stamp)
            clock = f"T{raw[8:10]}:{raw[10:12]}:{raw[12:14]}" if name == "acceptance" else ""
            found.meta[name] = stamp.value + clock


def _parties(head: str, meta: dict[str, str]) -> None:
    """Companies, former names with the day each was given up, CIK and SIC by role."""
    role, former = "filer", ""
    companies: list[str] = []
    formers: list[str] = []
    for match in _HEADER_FIELD.finditer(head):
        name, value = (match["tag"] or match["name"]).strip(), match["value"]
        if name in _PARTY:
            role = _PARTY[name]
            if value and role != "owner":  # abbreviated header: "FILER: NAME INC" on one line
                meta.setdefault("filed_by" if role == "filed_by" else "company", _trim_name(value))
        elif name in _COMPANY and value:
            companies.append(value)
            meta.setdefault("filed_by" if role == "filed_by" else "owner" if role == "owner" else "company", value)
        elif name in _FORMER and role not in ("filed_by", "owner"):
            former = value
        elif name in _FORMER_DATE and former:
            formers.append(f"{former} (until {value[:4]}-{value[4:6]}-{value[6:8]})" if len(value) == 8 else former)
            former = ""
        elif name in _CIK and value:
            meta.setdefault("cik" if role not in ("filed_by", "owner") else f"{role}_cik", value)
        elif name in _SIC and value and role not in ("filed_by", "owner"):
            meta.setdefault("sic", value.rsplit("[", 1)[-1].rstrip("]") if "[" in value else value)
    if companies:
        meta["companies"] = "; ".join(dict.fromkeys(companies))
    if formers:
        meta["former_names"] = "; ".join(dict.fromkeys(formers))


def _trim_name(value: str) -> str:
    return re.split(r"\s{2,}|\s+\(?CIK\b|\s+FILED BY:|\s*\(\d{6,10}\)", value)[0].strip()


def _items(text: str, head: str) -> list[str]:
    items: list[str] = []
    for match in re.finditer(r"^[ \t]*(?:ITEM INFORMATION:|<ITEMS>)[ \t]*(\S.*?)[ \t]*$", head, re.M):
        value = match.group(1)
        known = next((number for title, number in _ITEM_TITLES.items() if value.lower().startswith(title)), value)
        items.append(known)
    items += _ITEM_NUMBER.findall(text[:_BODY])
    return list(dict.fromkeys(items))


def notification_meta(fields: list[tuple[str, str, int, int]]) -> dict[str, str]:
    """Meta of a Form 25 or 25-NSE XML document: issuer, exchange, class, rule, signature date."""
    names = {
        "exchange/entityName": "exchange",
        "issuer/entityName": "issuer",
        "issuer/cik": "issuer_cik",
        "descriptionClassSecurity": "class",
        "ruleProvision": "rule",
        "signatureData/signatureDate": "signature_date",
    }
    meta: dict[str, str] = {}
    for path, value, _, _ in fields:
        for ending, key in names.items():
            if path == ending or path.endswith("/" + ending):
                meta[key] = f"{meta[key]}; {value}" if key == "class" and key in meta else meta.get(key, value)
    return meta
