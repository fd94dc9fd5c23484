"""The issuer by the short name under which its exchange lists it, where a page gives that name with the issuer's own code."""

from __future__ import annotations

import re

from s2r.lang.name_parts import has_cjk, parse_name, strip_forms
from s2r.lang.name_words import CJK_INDUSTRY, CJK_STRUCTURE
from s2r.lang.names import NameMention, Strength

SHORTEST = 2  # characters of a short name ("嘉隆" of 嘉隆電子股份有限公司)
# between a short name and the code: brackets with an exchange or a mark before the figures, or a space
_CODE_AFTER = r"(?:股份|集團|集团|控股)?[ ]?[(（\[【][^()（）\[\]【】\n]{{0,12}}?0{{0,2}}{code}(?!\d)"
_CODE_BEFORE = r"(?<!\d)0{{0,2}}{code}[)）\]】]?[ ]?"
_LABEL = r"(?:公司(?:名稱|名称|簡稱|简称)|(?:證券|证券|股票|股份|有價證券)(?:名稱|名称|簡稱|简称)|銘柄名?|종목명?|회사명)[ ]?[:：|]?[ ]?(?:\*?ST)?"
_LETTER = "[\u3400-\u9fff\u30a1-\u30ff\uac00-\ud7af]"
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
    word, after, before = re.escape(name), _CODE_AFTER.format(code=code), _CODE_BEFORE.format(code=code)
    return re.search(rf"{word}{after}|{before}{word}(?!{_LETTER})|{_LABEL}{word}(?!{_LETTER})", text) is not None


def _uses(name: str, core: str, text: str, known: tuple[NameMention, ...], found: dict[int, NameMention]) -> dict[int, NameMention]:
    taken = [(m.start, m.end) for m in (*known, *found.values())]
    uses: dict[int, NameMention] = {}
    for match in re.finditer(re.escape(name), text):
        start, end = match.span()
        other = _ANOTHER.match(text, end) and not text.startswith(core, start)
        if not other and not any(low < end and start < high for low, high in taken):
            uses[start] = NameMention(start, end, name, Strength.SHORT)
    return uses
