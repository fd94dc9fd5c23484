"""Class, exchange and rule of a Form 25 that is a page or plain text; the exchanges' own forms are XML and read there."""

from __future__ import annotations

import re

_EXCHANGE = re.compile(
    r"([^\n()]+(?:\n[^\n()]+)?)\n\s*\(?\s*Exact name of issuer as specified in its charter,?\s+and\s+name of\s+exchange", re.I
)
_CLASS = re.compile(r"\n([^\n]+(?:\n[^\n]+){0,40}?)\n\s*\(?\s*(?:Description|Title) of (?:each )?class of securities", re.I)
_EXCHANGE_LINE = re.compile(r"(?:^|[ \t]{2,})Exchange:[ \t]*([^\n]+?)[ \t]*$", re.I | re.M)
_CLASS_LINE = re.compile(
    r"^[ \t]*(?:Title |Description )?(?:of )?class(?: of securit(?:y|ies))?:[ \t]*([^\n]+(?:(?<=;)\n[^\n]+)*)", re.I | re.M
)
_OFFICES = re.compile(r"principal executive offices?\s*\)?", re.I)
_NUMBER = re.compile(r"commission file number", re.I)
_MARKED = re.compile(
    r"(?:☒|☑|☐✓|\[\s*x\s*\]|\(\s*x\s*\)|^\s*x(?=\s*\|)|þ|ý)[^\n]{0,60}?(17 CFR 240\.12d2-2\s?\([abc]\)(?:\(\d\))?)", re.I | re.M
)


def form25_meta(text: str) -> dict[str, str]:
    """`class`, `exchange` and `rule` as the form's captions and marked box give them; what is not found is missing."""
    meta: dict[str, str] = {}
    if match := _EXCHANGE.search(text):
        issuer_and_exchange = [part.strip() for part in re.split(r"\s+/\s+|\n|\s*;\s*", match.group(1)) if part.strip()]
        if len(issuer_and_exchange) > 1 and not _NUMBER.search(issuer_and_exchange[-2]):
            meta["exchange"] = issuer_and_exchange[-1]
    elif match := _EXCHANGE_LINE.search(text):
        meta["exchange"] = match.group(1)
    if match := _CLASS_LINE.search(text):
        meta["class"] = " ".join(match.group(1).split())
    elif match := _CLASS.search(text):
        block = match.group(1)
        offices = list(_OFFICES.finditer(block))
        lines = [line.strip() for line in block[offices[-1].end() if offices else 0 :].split("\n")]
        if offices and (kept := [line for line in lines if line and line != ")"]):
            meta["class"] = "; ".join(kept)
    marked = {" ".join(match.group(1).split()) for match in _MARKED.finditer(text)}
    if len(marked) == 1:
        meta["rule"] = marked.pop()
    return meta
