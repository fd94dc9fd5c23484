"""Which class of security a text speaks about: words for classes (from the lexicon) and designators (coupon, maturity, series, letter)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from s2r.lang.literals import Opened, Sought
from s2r.models import Listing

# security_type of the universe -> classes of the lexicon that name it
CLASSES_OF_TYPE = {
    "common": frozenset({"common"}),
    "preferred": frozenset({"preferred"}),
    "adr": frozenset({"adr"}),
    "unit": frozenset({"unit", "fund"}),
    "warrant": frozenset({"warrant"}),
    "right": frozenset({"right"}),
    "note": frozenset({"note"}),
    "fund": frozenset({"fund", "common", "unit"}),
    "option": frozenset({"option"}),
    "etf": frozenset({"fund", "common", "unit"}),
    "etn": frozenset({"note", "fund"}),
    "reit": frozenset({"common", "unit", "fund"}),
    "trust": frozenset({"common", "unit", "fund"}),
    "ads": frozenset({"adr"}),
    "gdr": frozenset({"adr"}),
    "bond": frozenset({"note"}),
    "debenture": frozenset({"note"}),
}
_LETTER = re.compile(
    r"(?<![a-z0-9à-ÿ.])([abch]|n(?= ordinary)) ?(?:ordinary )?(?:shares?\b|股|株|-?aktie(?:n|r|rna|rnas|rne|rnes|s|ns)?\b|-?aksje(?:n|r|ne|ns|s)?\b|-?aande(?:el|len)\b|-?osake\w*|-?osakk\w*)"
    r"|\bakcj[ei]\w* (?:zwykł\w+ )?serii ([a-z])\b|(?<![a-z0-9à-ÿ.])([abchkr])-sar(?:ja|jan)\b|\bsarjan ([abchkr]) (?:-?osak|osakk)"
    r"|\b(?:aktie\w*|aksje\w*|aandelen) (?:av |i |af |van |in )?(?:serien?|klassen?|klasse|aktieklasse|aksjeklasse|soort|categorie) ([a-h])\b"
    r"|\b(?:acciones|actions|azioni|ações)(?: ordinarias| ordinaires| ordinarie| ordinárias)? (?:de (?:la )?)?(?:serie|clase|catégorie|classe|categoria|série) \"?([b-z])\"?(?![a-z0-9à-ÿ])"
)
_LETTER_OPENED = Opened(_LETTER, 5)  # as long as a word: nothing bounds a match
_DESIGNATORS = (
    ("coupon", re.compile(r"\b(\d{1,2}(?:[.,]\d{1,4})?) ?(?:%|per ?cent)")),
    ("due", re.compile(r"\bdue (?:[a-z]+ (?:\d{1,2}, )?)?((?:19|20)\d\d)\b")),
    ("series", re.compile(r"\b(?:series|serie|séries?|série) (?!of\b)([a-z]{1,2}|\d{1,2})\b")),
    ("class", re.compile(r"\b(?:class|klasse|classe|clase) ([a-h])\b")),
    ("letter", _LETTER),
    (
        "holder",
        re.compile(
            r"\b(inhaber)(?:-|stamm|stück)*aktien?\b|\b(namen)s?(?:-|stamm|stück)*aktien?\b|\b(bearer|registered) (?:ordinary )?shares?\b"
            r"|\bactions (au porteur|nominatives)\b|\bazioni (al portatore|nominative)\b|\bacciones (al portador|nominativas)\b|\baandelen (aan toonder|op naam)\b"
        ),
    ),
    ("onpn", re.compile(r"\((on|pn[ab]?)\)|\b(on|pn[ab]?) (?:shares|ações)\b|\bações (?:ordinárias|preferenciais) \(?(on|pn[ab]?)\)?|\b(pn[ab]?)\b")),
)  # fmt: skip
_BEARER = ("inhaber", "bearer", "au porteur", "al portatore", "al portador", "aan toonder")
_SOUGHT = Sought(pattern for kind, pattern in _DESIGNATORS if kind != "letter")
KINDS = tuple(name for name, _ in _DESIGNATORS)


class Designator(NamedTuple):
    """One distinguishing mark of a security in folded text."""

    kind: str
    value: str
    start: int
    end: int


def designators(folded: str, kinds: Collection[str] = KINDS) -> tuple[Designator, ...]:
    """Coupons, maturities, series, class and share letters in folded text, or those of some kinds."""
    found = []
    seeker = _SOUGHT.over(folded) if any(kind != "letter" for kind in kinds) else None
    for kind, pattern in _DESIGNATORS:
        if kind not in kinds:
            continue
        for match in seeker.finditer(pattern) if seeker is not None and kind != "letter" else _LETTER_OPENED.finditer(folded):
            value = next(group for group in match.groups() if group)
            if kind == "holder":
                value = "bearer" if value in _BEARER else "registered"
            if kind == "coupon":
                value = value.replace(",", ".").rstrip("0").rstrip(".") if "." in value or "," in value else value
            found.append(Designator(kind, value, match.start(), match.end()))
    return tuple(found)


_STOCK = re.compile(r"\b(?:shares?|stock)\b|\bunits?,? (?:each )?(?:consisting|comprising)\b")


def listing_classes(listing: Listing, found_in_security: frozenset[str]) -> frozenset[str]:
    """Lexicon classes that name the listing's security: by its type, widened by the words of its description."""
    by_type = CLASSES_OF_TYPE.get(listing.security_type.strip().lower())
    if by_type is None:
        return found_in_security or frozenset({"common"})
    if "adr" in found_in_security and listing.security_type.strip().lower() == "common":
        return by_type | {"adr"}
    if "unit" in found_in_security and by_type == {"common"} and not _STOCK.search(listing.security.lower()):
        return by_type | {"unit"}  # what a partnership or trust has for shares
    if "preferred" in found_in_security and "common" not in found_in_security:
        return by_type | {"preferred"}  # the income or capital shares of a split trust
    return by_type


# between two classes named as one: "the common shares as well as the convertible debentures", "les actions ainsi que les débentures"
_JOINT = re.compile(
    r"(?: [^\W\d_]+){0,2}? ?(?:\([^()]{0,40}\))? ?,? ?(?:\b(?:as well as|together with|along with|and|und|sowie|et|ainsi que|de même que|y|así como|e|assim como|bem como|nonché|en|alsmede|evenals|och|samt|jämte|og|ja|sekä|oraz|i|a także|và|cùng|dan|serta|beserta|ve)\b|&)"
    r" (?:all |both |also )?(?:the|its|die|der|den|les|des|ses|las|los|as|os|le|gli|i|de|het)?(?: (?:said|all|dites|outstanding))? ?"
)
# what makes two clauses of such words: a verb, or a class that only holds, bears or becomes the other
_NOT_JOINT = re.compile(
    r"\b(?:(?:remain|stay|continue|resume|keep|retain|trade|restent|demeurent|conservent|bleiben|behalten|siguen|conservan|permanecem|mantêm|restano|mantengono|blijven|behouden|kvarstår|behåller|forblir|pozostają)|holders?)\b"
)


def joined_classes(text: str, spans: Sequence[tuple[int, int, str]], near: AbstractSet[str]) -> frozenset[str]:
    """The classes of `near` with those that the text names as one with them; `spans` are all of the sentence (start, end, name), in order."""
    names = set(near)
    for pairs in (pairwise(spans), pairwise(spans[::-1])):
        for one, other in pairs:
            low, high = min(one[1], other[1]), max(one[0], other[0])
            joint = one[2] in names and _JOINT.fullmatch(text, low, high) is not None and _NOT_JOINT.search(text, low, high) is None
            if joint:
                names.add(other[2])
    return frozenset(names)
