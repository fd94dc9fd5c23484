"""Companies of a series ("Acquisition Corp. II"): the one whose name has the same words and no numeral, or another, is a sister."""

from __future__ import annotations

import re

from s2r.lang.names import NameMention, Strength
from s2r.lang.text import fold_text

NUMERAL = re.compile(r"[\s,]+(?:no\.? ?)?(?P<numeral>II|III|IV|VI{0,3}|IX|X|[2-9])\.?$")
_CODED = re.compile(r" ?\((?:[A-Z][\w ]{1,24}: ?)(?P<code>[A-Z]{1,6})(?:[.,; )])")


def without_sisters(mentions: tuple[NameMention, ...], text: str, issuer: str, ticker: str) -> tuple[NameMention, ...]:
    """The whole name without its numeral is a sister's where the page also names the issuer with it, or gives another code behind."""
    numeral = NUMERAL.search(issuer)
    if numeral is None:
        return mentions
    bare = fold_text(issuer[: numeral.start()]).strip(" .,")
    told = any(m.strength in (Strength.FULL, Strength.CORE) for m in mentions)
    own = re.compile(rf"[ ,]{{1,2}}{numeral['numeral']}(?!\w)")
    found = []
    for m in mentions:
        coded = _CODED.match(text, m.end)
        if m.strength is Strength.NAMESAKE and (goes_on := own.match(text, m.end)) is not None:
            found.append(NameMention(m.start, goes_on.end(), text[m.start : goes_on.end()], Strength.SHORT))
        elif (
            m.strength is Strength.SHORT
            and fold_text(m.text).strip(" .,") == bare
            and (told or (coded is not None and coded["code"] != ticker.strip()))
        ):
            found.append(NameMention(m.start, m.end, m.text, Strength.NAMESAKE))
        else:
            found.append(m)
    return tuple(found)
