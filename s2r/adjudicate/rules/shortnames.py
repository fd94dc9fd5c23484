"""The issuer by the short name under which its exchange lists it, where a page gives that name with the issuer's own code."""

from __future__ import annotations

import re

from s2r.lang.name_parts import has_cjk, parse_name, strip_forms
from s2r.lang.name_words import CJK_INDUSTRY, CJK_STRUCTURE
from s2r.lang.names import NameMention, Strength

SHORTEST = 2  # characters of a short name ("嘉隆" of 嘉隆電子股份有限公司)
# between a short name and the code: brackets with an exchange or a mark before the figures, or a space
_OPENS = re.compile(r"(?:股份|集團|集团|控股)?[ ]?[(（\[【]")
_IN_BRACKETS, _MOST_IN_BRACKETS = re.compile(r"[^()（）\[\]【】\n]{0,12}?0{0,2}"), 14
_CLOSING = (")", "）", "]", "】")
_ZEROS = re.compile(r"(?<!\d)0{0,2}\Z")
_LABEL = re.compile(
    r"(?:公司(?:名稱|名称|簡稱|简称)|(?:證券|证券|股票|股份|有價證券)(?:名稱|名称|簡稱|简称)|銘柄名?|종목명?|회사명)[ ]?[:：|]?[ ]?(?:\*?ST)?\Z"
)
_LONGEST_LABEL = 12
_LETTER = "[\u3400-\u9fff\u30a1-\u30ff\uac00-\ud7af]"
_GOES_ON = re.compile(_LETTER)
# a line of business or a legal form after the short name, which make it another company's
_ANOTHER = re.compile(rf"(?:{'|'.join((*CJK_STRUCTURE, *CJK_INDUSTRY))})|{_LETTER}{{1,6}}(?:股份有限公司|有限公司|株式会社|주식회사)")


def listed_names(issuer: str, code: str, text: str, known: tuple[NameMention, ...]) -> tuple[NameMention, ...]:
    """Mentions of the issuer by the beginning of its name (two characters or more) that the page joins to the listing's code.

    Such a name counts wherever the page uses it again, unless other characters of a name follow that are not the issuer's.
    """
    if not code.isdigit() or code not in text:
        return ()
    cores = {strip_forms(local)[0] for local in (issuer, *parse_name(issuer).local) if has_cjk(local)}
    found: dict[int, NameMention] = {}
    for core in cores:
        for size in range(len(core) - 1, SHORTEST - 1, -1):
            name = core[:size]
            if text.count(name) and _joined(name, code, text):
                found.update(_uses(name, core, text, known, found))
                break
    return tuple(found[at] for at in sorted(found))


def _joined(name: str, code: str, text: str) -> bool:
    """The page gives the name with the code, or as the name of the security on a page that carries the code."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if _before_code(text, end, code):
            return True
        if not _GOES_ON.match(text, end) and (_behind_code(text, at, code) or _LABEL.search(text, max(0, at - _LONGEST_LABEL), at)):
            return True
        at = text.find(name, at + 1)
    return False


def _before_code(text: str, end: int, code: str) -> bool:
    """Brackets with the code open right after a name that ends at `end`."""
    if (opens := _OPENS.match(text, end)) is None:
        return False
    low = opens.end()
    high = low + _MOST_IN_BRACKETS + len(code)
    at = text.find(code, low, high)
    while at >= 0:
        if _IN_BRACKETS.fullmatch(text, low, at) and not text[at + len(code) : at + len(code) + 1].isdecimal():
            return True
        at = text.find(code, at + 1, high)
    return False


def _behind_code(text: str, at: int, code: str) -> bool:
    """The code stands right before a name that begins at `at`."""
    end = at - text.endswith(" ", 0, at)
    end -= text.endswith(_CLOSING, 0, end)
    return text.endswith(code, 0, end) and _ZEROS.search(text, max(0, end - len(code) - 2), end - len(code)) is not None


def _uses(name: str, core: str, text: str, known: tuple[NameMention, ...], found: dict[int, NameMention]) -> dict[int, NameMention]:
    taken = [(m.start, m.end) for m in (*known, *found.values())]
    uses: dict[int, NameMention] = {}
    for match in re.finditer(re.escape(name), text):
        start, end = match.span()
        other = _ANOTHER.match(text, end) and not text.startswith(core, start)
        if not other and not any(low < end and start < high for low, high in taken):
            uses[start] = NameMention(start, end, name, Strength.SHORT)
    return uses
