"""Venues that a text names without their names: by the country ("its Swiss listing"), and exchanges that no venue file describes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from s2r.lang.literals import Nearby
from s2r.lang.text import fold
from s2r.policy import Venue

_ADJECTIVES = r"(?:(?:secondary|primary|second|dual|stock|share|exchange|market|main|former|old|public|own|adr|ads) ){0,2}"
_NOUNS = (
    r"(?:listings?|quotations?|quotes?|de-?listings?|bourse|line|stock (?:exchange|market)|notierung|notiz|kotierung|börsennotierung|zweitnotierung|zweitlisting|listing|delisting"
    r"|dekotierung|cotation|cote|cotización|cotização|cotação|listagem|quotazione|notering\w*|avnotering\w*|afnotering\w*|børsnotering\w*|börsnotering\w*|beursnotering|listautumi\w*"
    r"|pörssilistau\w*|notowani\w*|börse|bourse|bolsa|borsa|beurs)\b"
)
# "Swiss listing", "schweizerische Notierung", "米国上場"
_BEFORE = re.compile(
    rf"[a-zß-ÿ]{{0,4}} {_ADJECTIVES}{_NOUNS}|(?:市場|市场|株式市場|股市|证券市场)?(?:での|における|に|的|第二|重複|二次)*(?:上場|上市|挂牌|掛牌|상장)"
)
# "listing in Sweden", "cotation suisse", "listed in the US"
_AFTER = re.compile(
    rf"(?:{_NOUNS}|\b(?:de-?listed|listed|quoted|notiert|kotiert|noterad|noteret|notert|cotée?s?|cotizan?|quotat[aeio])\b)"
    r"(?: (?:in|at|en|au|aux|à|em|nos|no|na|i|w|we|på|til|aan))?(?: (?:the|den|der|die|la|les|los|las|gli|det|het))? $"
)
_END = re.compile(r"[a-zß-ÿ]{0,5}(?![^\W\d_])")


class Regions:
    """Names and adjectives of countries, each with all venues of the country."""

    def __init__(self, venues: Mapping[str, Venue]) -> None:
        self._mics: dict[str, frozenset[str]] = {}
        self._whole: set[str] = set()  # abbreviations ("US"): no ending follows them
        for venue in venues.values():
            known = frozenset(mic for mic, other in venues.items() if other.country == venue.country)
            for name in venue.regions:
                folded = fold(name).text.strip()
                self._mics[folded] = known
                if name.isupper() and name.isascii():
                    self._whole.add(folded)
        self.names = tuple(self._mics)

    def find(self, folded: str, places: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, int, frozenset[str]]]:
        """(start, end, MICs) of countries named beside a word for listing in folded text; `places` are the last characters of all places
        of each name that stands there, in the order of the first."""
        for name, lasts in places.items():
            if name not in self._mics:
                continue
            for last in lasts:
                at, end = last + 1 - len(name), last + 1
                if at and _latin(name[0]) and _latin(folded[at - 1]):
                    continue
                if name in self._whole and folded[end : end + 1].isalpha():
                    continue
                if _BEFORE.match(folded, end) or (_END.match(folded, end) and _AFTER.search(folded, max(0, at - 50), at)):
                    yield at, end, self._mics[name]


def _latin(char: str) -> bool:
    return char.isalnum() and ord(char) < 0x0E00


NATIONAL = {"freiverkehr": "DE"}  # markets of one country, named without a place: elsewhere another venue, at home they tell nothing
LONGEST = 120  # folded characters of a name of an exchange
# a capital letter must begin the word that names the place: "Chicago Stock Exchange", "Bourse de Casablanca", "Bremer Wertpapierbörse"
_UNLISTED = re.compile(
    r"\b(?P<en>[^\W\d_][\w'&-]{2,}) (?:stock|securities|commodity) exchange\b(?! (?:act|commission|rules?|release)\b)"
    r"|\b(?P<de>[a-zß-ÿ-]{3,}(?:er|isch(?:en|e|er))) (?:wertpapier|effekten)?börse\b"
    r"|\b(?:bourse d(?:e |')|bolsa de (?:valores de |comercio de )?|borsa di |beurs van |giełd\w{1,3} w )(?P<ro>[^\W\d_]{4,})"
    r"|(?P<ja>(?!当該|当社|各|上場|海外|外国|国内|他|同|主要|全国|金融)[一-龥]{2,4})証券取引所"
)
_UNLISTED_NEARBY = Nearby(_UNLISTED, reach=LONGEST)
_COMMON_WORDS = (
    "the this that such said each any every all our its their his her other another one two both national foreign domestic local primary principal main relevant registered"
    " respective major first second home from and for with new under with leading recognised recognized regulated overseas international electronic dieser jeder unserer ihrer deutscher"
    " einer keiner seiner anderer valores referencia référence comercio"
)
_COMMON = frozenset(_COMMON_WORDS.split())


def unlisted(folded: str, shown: Callable[[int, int], str]) -> Iterator[tuple[int, int]]:
    """Spans of names of exchanges of the form place + word for exchange. `shown` gives the text as it is written."""
    for match in _UNLISTED_NEARBY.finditer(folded):
        group = match.lastgroup or ""
        word = match[group]
        at, end = match.span(group)
        if word not in _COMMON and (group == "ja" or (shown(at, end)[:1].isupper() and not _headline_case(folded, at, shown))):
            yield match.span()


def _headline_case(folded: str, at: int, shown: Callable[[int, int], str]) -> bool:
    """The words before are written with capitals as well ("Harrow to Switch Stock Exchange Listing"): a capital tells nothing."""
    before = shown(max(0, at - 40), at).rsplit("\n", 1)[-1].split()[-3:]
    long = [word for word in before if len(word) > 3 and word.isalpha()]
    return bool(long) and all(word[:1].isupper() for word in long)
