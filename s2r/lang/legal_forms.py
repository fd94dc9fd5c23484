"""Legal forms of companies in all markets, as patterns over the original (unfolded) text, each with its family.

A family groups the spellings and translations of one form ("S.A.", "Spółka Akcyjna", "Société Anonyme"). Two-letter forms are
matched in their written case only, because "as", "se" and "co" are words.
"""

from __future__ import annotations

import re

from s2r.lang.required import heads, parse_pattern

_SUFFIXES: tuple[tuple[str, str], ...] = (
    # the longest spellings come first: the first alternative that matches wins
    ("corp", r"(?:&|and|und|et)\s+(?:Co\.?|Company|Cie\.?|Comp\.?)(?:,?\s+(?:Ltd\.?|Limited|Inc\.?|plc|PLC|LLC))?"),
    ("ltd", r"(?i:Public\s+Company\s+Limited|PCL)"),
    ("plc", r"(?i:Public\s+Limited\s+(?:Company|Co\.?)|P\.L\.C\.|plc\.?)"),
    ("jsc", r"(?i:(?:(?:Open|Public|Closed|Private)\s+)?Joint[\s-]+Stock\s+(?:Company|Co\.?))|(?:[PO]J|J)SC"),
    ("gufen", r"(?i:Company\s+Limited\s+by\s+Shares)"),
    ("sdn", r"(?i:Sdn\.?\s+Bhd\.?|Sendirian\s+Berhad)"),
    ("bhd", r"(?i:Berhad|Bhd\.?)"),
    (
        "ltd",
        r"(?i:\(?Pty\)?\.?\s+(?:Ltd\.?|Limited)|Proprietary\s+Limited|Pte\.?\s+(?:Ltd\.?|Limited)|Pvt\.?\s+(?:Ltd\.?|Limited)|Private\s+Limited)",
    ),
    ("llc", r"(?i:Limited\s+Liability\s+(?:Company|Co\.?))|L\.?L\.?C\.?|W\.?L\.?L\.?"),
    ("lp", r"(?i:Limited\s+Liability\s+Partnership|Limited\s+Partnership)|L\.?L\.?P\.?|L\.P\.|LP"),
    ("ltd", r"(?i:Company,?\s+Limited|Co\.?,?\s?Ltd\.?|Co\.,?\s+Limited|Limited|Ltd\.?|Ltée\.?|Limitée|लिमिटेड)"),
    ("corp", r"(?i:Incorporated|Inc\.?|Corporation|Corp\.?)"),
    (
        "sab",
        r"(?i:S\.?\s?A\.?\s?(?:B|P\.?\s?I\.?\s?B?)\.?\s+de\s+C\.?\s?V\.?|S\.?\s?A\.?\s+de\s+C\.?\s?V\.?|S\.?\s?de\s+R\.?\s?L\.?(?:\s+de\s+C\.?\s?V\.?)?)",
    ),
    ("kgaa", r"(?i:(?:GmbH|AG|SE)\s*(?:&|und)\s*Co\.?\s*KGaA|KGaA|Kommanditgesellschaft\s+auf\s+Aktien)"),
    ("kg", r"(?i:(?:GmbH|UG|AG)\s*(?:&|und)\s*Co\.?\s*(?:KG|OHG))|KG|OHG|oHG"),
    ("gmbh", r"(?i:g?GmbH|Gesellschaft\s+mit\s+beschr[äa]nkter\s+Haftung|m\.b\.H\.?)|mbH"),
    ("ag", r"(?i:Aktiengesellschaft)|AG|A\.G\."),
    ("se", r"(?i:Societas\s+Europaea|Société\s+Européenne|Europäische\s+Gesellschaft)|SE|S\.E\."),
    ("spa", r"S\.?\s?[pP]\.?\s?A\.?|(?i:Società\s+per\s+Azioni)"),
    (
        "srl",
        r"(?i:S\.?\s?r\.\s?l\.?|S\.?\s?à\.?\s?r\.?\s?l\.?|SARL|S\.A\.R\.L\.|Sp\.?\s*z\s*o\.?\s?o\.?|s\.\s?r\.\s?o\.?|d\.\s?o\.\s?o\.?)|SRL|Srl",
    ),
    ("asjp", r"(?i:Anonim\s+(?:Şirketi|Ortaklığı|Sirketi))|A\.?\s?Ş\.?|T\.?A\.?Ş\.?"),
    ("sae", r"S\.?A\.?E\.?|S\.?A\.?O\.?[GC]\.?|[KQ]\.?P?\.?S\.?C\.?(?:P\.?)?|PSC|B\.?S\.?C\.?(?:\s?\(?[cC]\)?)?"),
    ("sas", r"S\.?A\.?S\.?U?\.?|S\.?C\.?A\.?|(?i:Société\s+par\s+Actions\s+Simplifiée)"),
    ("sl", r"S\.?L\.?U?\.?|Lda\.?|Ltda\.?|LTDA\.?"),
    (
        "sa",
        r"(?i:Société\s+Anonyme|Sociedad\s+An[óo]nima|Sociedade\s+An[ôo]nima|Sp[óo][łl]ka\s+Akcyjna|S\.A\.I\.C\.?(?:A\.?)?)|S\.?A\.?[AU]\.?|S\s?/\s?A|S\.\s?A\.?|SA|SIIC",
    ),
    ("asa", r"(?i:Allmennaksjeselskap)|ASA"),
    ("as", r"A\s?/\s?S|AS|(?i:Aktieselskab|Aksjeselskap)|a\.\s?s\.?|A\.\s?S\.?|hf\.?|ehf\.?|OÜ|ApS|APS"),
    ("ab", r"(?i:Aktiebolag(?:et)?)|UAB|AB"),
    ("oyj", r"(?i:Oyj\s+Abp|Julkinen\s+osakeyhtiö)|O[yY][jJ]|A[bB][pP]|O[yY]|(?i:Osakeyhtiö)"),
    ("nv", r"N\.?V\.?|(?i:Naamloze\s+Vennootschap)"),
    ("bv", r"B\.?V\.?(?:BA)?|BVBA|SPRL|CVBA|SCRL"),
    ("nyrt", r"(?i:Nyrt\.?|Zrt\.?|Kft\.?|Nyilvánosan\s+Működő\s+Részvénytársaság)|RT\."),
    ("dd", r"d\.\s?d\.?|a\.\s?d\.?|D\.D\.|A\.D\.|АД|ЕАД|ООД"),
    ("tbk", r"(?:\(Persero\)\s*,?\s*)?(?i:Tbk\.?)"),
    ("ae", r"[ΑA]\.\s?[ΕE]\.?"),
    ("il", r"בע\"מ|בע״מ"),
    ("ar", r"ش\.?\s?م\.?\s?[عمك]\.?(?:\s?[مع]\.?)?"),
    ("th", r"จำกัด(?:\s*\(มหาชน\))?"),
    ("nl", r"N\.L\.|NL|(?i:No\s+Liability)"),
    ("corp", r"(?i:Company|Co\.)|Co|CO"),
)
_CJK_SUFFIXES: tuple[tuple[str, str], ...] = (
    ("kk", r"株式会社|株式會社|㈱|[（(]株[)）]"),
    ("yk", r"有限会社|合同会社|合資会社|㈲|[（(]有[)）]"),
    ("gufen", r"股份有限公司|股份公司|[（(]集[团團][)）]股份有限公司"),
    ("gufen", r"集[团團](?:股份)?有限公司|控股有限公司|有限[责責]任公司|有限公司"),
    ("kr", r"주식회사|유한회사|㈜|[（(]주[)）]"),
)
_PREFIXES: tuple[tuple[str, str], ...] = (
    ("tbk", r"(?:PT|P\.T\.)\.?\s"),
    ("jsc", r"(?i:Công\s+ty\s+(?:CP|cổ\s+phần)|CTCP|TCTCP|Tổng\s+công\s+ty\s+cổ\s+phần|Ngân\s+hàng\s+TMCP)\s"),
    ("tnhh", r"(?i:Công\s+ty\s+TNHH(?:\s+MTV)?)\s"),
    ("jsc", r"(?:ПАО|ОАО|ЗАО|НАО|АО|ПрАТ|ПАТ|АТ|PAO|OAO|ZAO|[PO]?JSC)\s"),
    ("srl", r"(?:ООО|ТОВ|OOO)\s"),
    ("uab", r"(?:UAB|AB|AS|OÜ|SIA)\s+(?=[\"„«“'])"),
    ("ar", r"شركة\s"),
    ("th", r"บริษัท\s?"),
)


def _alternatives(table: tuple[tuple[str, str], ...]) -> tuple[str, tuple[str, ...]]:
    return "|".join(f"({pattern})" for _, pattern in table), tuple(family for family, _ in table)


_LATIN, _LATIN_FAMILIES = _alternatives(_SUFFIXES)
_CJK, _CJK_FAMILIES = _alternatives(_CJK_SUFFIXES)
_PRE, _PRE_FAMILIES = _alternatives((*_PREFIXES, *_CJK_SUFFIXES))
_NOT_AFTER = r"(?![\w])"


def _beginnings(pattern: str) -> str:
    """An expression of the first two characters with which another one matches, by the first of them."""
    seconds: dict[str, set[str]] = {}
    for head in heads(parse_pattern(pattern), 2):
        seconds.setdefault(head[0], set()).add(head[1:])
    classes = {first: "".join(r"\s" if c == " " else re.escape(c) for c in sorted(others)) for first, others in seconds.items()}
    return "|".join(re.escape(first) if "" in seconds[first] else f"{re.escape(first)}[{classes[first]}]" for first in sorted(seconds))


_BEGINNINGS = _beginnings(_LATIN)

LATIN_FORM = re.compile(rf"(?<![\w.])(?:{_LATIN}){_NOT_AFTER}(?!-\w)")
CJK_FORM = re.compile(_CJK)
CJK_NAME = re.compile(r"[\u30a1-\u30ff\u3400-\u9fff\uac00-\ud7afA-Za-z0-9０-９Ａ-Ｚａ-ｚ&・ー]{1,20}")
_BETWEEN = r"[!?\"”»]?[^\S\n]{0,3},?[^\S\n]{0,3}"
_FORM_NEXT = re.compile(rf"(?:{_BETWEEN}(?:{_LATIN}){_NOT_AFTER})")
# what stands between a name and its form, with the two letters with which any form begins: most names are followed by other words
_LEADS_ON = re.compile(rf"{_BETWEEN}(?:{_BEGINNINGS})")
_CJK_NEXT = re.compile(rf"[^\S\n]?(?:{_CJK})")
_FORM_LAST = re.compile(rf"(?:^|[\s,.;)）-]|(?<=[^\x00-\x7f]))[(（]?(?:{_LATIN})[)）]?[\s,.;]*$")
_CJK_LAST = re.compile(rf"[\s・]*(?:{_CJK})$")
_FIRST = re.compile(rf"(?:{_PRE})\s*")
_WORDLIKE = frozenset({"limited", "company", "incorporated", "corporation", "co", "and company", "et company", "no liability"})
_LAST_TAIL = 60  # longest spelling of a form, with its surroundings


def form_after(text: str, at: int) -> tuple[int, str] | None:
    """(end, family) of a legal form that directly follows offset `at` on the same line."""
    if not text[at : at + 3].isascii() and (match := _CJK_NEXT.match(text, at)):
        return match.end(), _CJK_FAMILIES[_index(match)]
    if _LEADS_ON.match(text, at) and (match := _FORM_NEXT.match(text, at)) and not is_word(match[_index(match) + 1]):
        return match.end(), _LATIN_FAMILIES[_index(match)]
    return None


def is_word(form: str) -> bool:
    """True for a form written in lower case that is an ordinary word ('a company', 'limited to')."""
    return form.islower() and " ".join(form.split()) in _WORDLIKE


def form_before(text: str, at: int) -> tuple[int, str] | None:
    """(start, family) of a legal form that directly precedes offset `at`: '株式会社X', '(주)X', 'PT X', 'CTCP X'."""
    low = max(0, at - 40)
    found = None
    for match in _FIRST.finditer(text, low, at):
        if match.end() == at and (match.start() == 0 or not text[match.start() - 1].isalnum() or not text[match.start()].isascii()):
            found = match.start(), _PRE_FAMILIES[_index(match)]
    return found


def form_last(name: str) -> tuple[int, str] | None:
    """(start, family) of the legal form that ends `name`."""
    if match := _CJK_LAST.search(name, max(0, len(name) - _LAST_TAIL)):
        return match.start(), _CJK_FAMILIES[_index(match)]
    if match := _FORM_LAST.search(name, max(0, len(name) - _LAST_TAIL)):
        return match.start(), _LATIN_FAMILIES[_index(match)]
    return None


def form_first(name: str) -> tuple[int, str] | None:
    """(end, family) of the legal form that begins `name`."""
    match = _FIRST.match(name)
    return (match.end(), _PRE_FAMILIES[_index(match)]) if match else None


def _index(match: re.Match[str]) -> int:
    return (match.lastindex or 1) - 1
