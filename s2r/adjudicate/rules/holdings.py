"""Companies in which the issuer holds a stake, of which a relative clause tells the step ("X holds 30% of Y, whose shares were delisted")."""

from __future__ import annotations

import re

_STAKE = re.compile(
    r"\d ?(?:%|%|percent\b|per cent\b|prozent\b|procent\b|prosent\b|pct\b|prosenttia\b|por ciento\b|por cento\b|pour cent\b|per cento\b|proc\b|persen\b|peratus\b)|\byüzde \d+|ร้อยละ \d+"
    r"|\b(?:stake|minority interest|shareholding|beteiligung|participation|participación|participação|partecipazione|quota|belang|ejerandel|ägarandel|eierandel|aktiepost|omistusosuu\w*|udział\w*) (?:of [\d.]+ ?% )?(?:in|an|dans|en|em|na|no|w|i)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r", ?(?:whose|which|of which|deren|dessen|die|das|welche[rs]?|dont|qui|laquelle|lequel|cuy[oa]s?|que|cuj[oa]s?|(?:le |il |i |la )?cui|che|la quale|waarvan|dat|wier|vars|som|hvis|jonka|joka|której|którego|która|który|yang)\b"
    r"|, ?(?:bu|söz konusu|anılan) şirket\w*|ซึ่ง|, (?:công ty|doanh nghiệp) (?:này|vừa)\b"
)
# the stake is one in the issuer, or in its capital: no other company comes in
_OWN = re.compile(
    r"\b(?:held by|owned by|its|their|own|the (?:company|issuer|shares|share capital|capital|votes|voting rights)|capital social|ihre[rn]?|seine[rn]?|der (?:aktien|anteile|stimmrechte|stimmen|gesellschaft)|des (?:grund)?kapitals|ses|son|du capital|des (?:actions|droits)"
    r"|la (?:société|sociedad|compañía|società)|a companhia|da companhia|sus?|del capital|do capital|das ações|su[aoe]s?|suoi|delle azioni|zijn|haar|van (?:de aandelen|het kapitaal|de vennootschap)|sin[ae]?|av (?:aktierna|aksjene|aktierne|kapitalet|bolaget|selskapet|selskabet|rösterna)"
    r"|bolaget|selskapet|selskabet|yhtiön|osakkeista|swo\w+|spółki|akcji spółki)\b",
    re.IGNORECASE,
)
_NAME_LAST = re.compile(r"[A-ZÀ-ÞŁŚŻŹĆİĞŞÇÖÜ][^\s,]*(?: [^\s,]+){0,4}$|[\u0e00-\u0e7f)\d]\s?$")


def holds_part(text: str, named_end: int, at: int) -> bool:
    """Between the end of the issuer's name and the step that ends at `at` stand a stake, the company that it is in, and a clause about that one."""
    stake = _STAKE.search(text, named_end, at)
    if stake is None:
        return False
    clause = _RELATIVE.search(text, stake.end(), at)
    if clause is None or clause.end() >= at or ", " in text[clause.end() : at]:
        return False  # none, or one that closes before the step
    return _OWN.search(text, named_end, clause.start()) is None and _NAME_LAST.search(text, named_end, clause.start()) is not None
