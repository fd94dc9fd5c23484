"""Where a page names the issuer, and where the same words are a namesake's: by the code, the words or the longer name beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from s2r.adjudicate.rules.document import Document
from s2r.adjudicate.rules.numbered import without_sisters
from s2r.adjudicate.rules.perpage import of_page
from s2r.adjudicate.rules.shortnames import listed_names
from s2r.adjudicate.rules.target import Target
from s2r.lang.name_words import HEADLINE_VERBS, ROLE_WORDS
from s2r.lang.names import NameMention, Strength, extract_names
from s2r.lang.text import fold_text

INFLECTING = frozenset({"pl", "fi", "tr", "cs", "sk", "hu", "et", "lt", "lv", "hr", "sl"})  # languages that decline names
CODE = re.compile(r"(?<!\d)\d{5,6}(?!\d)")
BRACKETS = re.compile(r"[(（][^()（）\n]{5,60}[)）]")
NAME_TAIL = 8  # characters of a legal form between a short name and the brackets with its code


def find_mentions(doc: Document, target: Target, owned: Iterable[tuple[int, int, str]]) -> tuple[NameMention, ...]:
    """Mentions of the issuer's name in reading order, with those of its namesakes. `owned` are companies whose shares the page speaks
    of, in their bare form."""
    text = doc.page.text
    mentions = target.matcher.find(text, doc.folded)
    if doc.page.lang in INFLECTING and target.inflected is not None:
        known = {m.start for m in mentions}
        found = [m for m in target.inflected.finditer(text) if m.start() not in known]
        mentions = (*mentions, *(NameMention(m.start(), m.end(), m.group(), Strength.CORE) for m in found))
    mentions = _without_coded(mentions, text, target.code)
    mentions = without_sisters(mentions, text, target.listing.issuer, target.listing.ticker)
    mentions = _without_repeated(_without_longer(_without_defined(_without_kin(mentions, text, target), text), doc), text)
    listed = listed_names(target.listing.issuer, target.listing.ticker.strip(), text, mentions)
    longer = {start: end for start, end, core in owned if other_of_a_kind(core.split(), target.own_words)}
    return tuple(  # "Cerámicas" in "acciones de Cerámicas Segre" is not the issuer by its first word
        NameMention(m.start, longer[m.start], text[m.start : longer[m.start]], Strength.NAMESAKE)
        if m.strength is Strength.SHORT and longer.get(m.start, m.end) > m.end
        else m
        for m in sorted((*mentions, *listed), key=lambda m: m.start)
    )


def other_of_a_kind(words: list[str], own: Sequence[str]) -> bool:
    """Two names have nothing in common but the word with which both begin ("Banco Segre", "Banco Pirineos")."""
    return len(own) > 1 and words[0] == own[0] and not set(words[1:]) & set(own)


def _without_coded(mentions: tuple[NameMention, ...], text: str, code: str) -> tuple[NameMention, ...]:
    """A short name beside which brackets give another code ("龙泽股份(600831)" for 603947) is a namesake's."""
    if not code.isdigit() or all(m.strength is not Strength.SHORT for m in mentions):
        return mentions
    spans = [(m.start(), m.end(), CODE.findall(m.group())) for m in BRACKETS.finditer(text)]
    foreign = [(low, high) for low, high, codes in spans if (same := [c for c in codes if len(c) == len(code)]) and code not in same]
    return tuple(
        NameMention(m.start, m.end, m.text, Strength.NAMESAKE)
        if m.strength is Strength.SHORT
        and any((m.start < high and 0 <= low - m.end <= NAME_TAIL) or low < m.start < high for low, high in foreign)
        else m
        for m in mentions
    )


_DEFINES = re.compile(r"\(?[^()]{0,24}\((?:[^()\"“”„«»]{0,20})?[\"“”„«']{1,2}\Z")
_CLOSES = re.compile(r"[\"“”»']{1,2}\)")
_BY_PART = (Strength.SHORT, Strength.CORE)


def _without_defined(mentions: tuple[NameMention, ...], text: str) -> tuple[NameMention, ...]:
    """The short name that a document defines for a namesake ('Leda Vastgoed NV ("Leda")') is the namesake's in all of it."""
    taken: set[str] = set()
    for at, m in enumerate(mentions):
        if m.strength in _BY_PART and _CLOSES.match(text, m.end) and at:
            before = mentions[at - 1]
            if before.strength is Strength.NAMESAKE and before.end <= m.start and _DEFINES.search(text, before.end, m.start):
                taken.add(fold_text(m.text))
    if not taken:
        return mentions
    return tuple(
        NameMention(m.start, m.end, m.text, Strength.NAMESAKE)
        if m.strength in _BY_PART and fold_text(m.text).startswith(tuple(taken))
        else m
        for m in mentions
    )


_KIN = re.compile(
    r"(?:\b(?:wholly[- ]owned|majority[- ]owned|listed subsidiary|subsidiary|daughter company|hel[aä]gda|helejede|heleide|dotterbolaget|datterselskapet|datterselskabet|tytäryhtiö|tochter|tochtergesellschaft|konzerntochter"
    r"|filiale|sa filiale|filial|controlada|participada|subsidiária|controllata|dochter|dochteronderneming|dochtermaatschappij|spółk\w+ zależn\w+)) \Z",
    re.I,
)
_NEXT_WORD = re.compile(r" ([A-ZÀ-ÖØ-Þ][^\W\d_]{3,})")


def _without_kin(mentions: tuple[NameMention, ...], text: str, target: Target) -> tuple[NameMention, ...]:
    """A word for a subsidiary, the issuer's first word and another word of a name ("wholly-owned Leda Vastgoed") name the subsidiary."""
    own = set(target.own_words)
    return tuple(
        NameMention(m.start, goes_on.end(), text[m.start : goes_on.end()], Strength.NAMESAKE)
        if m.strength is Strength.SHORT
        and (goes_on := _NEXT_WORD.match(text, m.end))
        and _KIN.search(text, max(0, m.start - 40), m.start)
        and fold_text(goes_on[1]) not in own
        and fold_text(goes_on[1]) not in _NO_NAME
        else m
        for m in mentions
    )


_NAME_GOES_ON = re.compile(r"[ \u00a0]([^\W\d_a-zß-ÿ][^\W\d_]{3,}(?:-[^\W\d_]+)*)")


# what releases write in capitals behind a company's short name: "Tolpuddle Shareholders"
_NO_NAME = (
    ROLE_WORDS
    | HEADLINE_VERBS
    | frozenset(
        {"share", "shares", "shareholder", "shareholders", "stockholders", "stock", "units", "unitholders", "board", "director", "directors", "group",
         "offer", "scheme", "optionholders", "securities", "warrants", "notes", "employees", "management", "meeting", "delisting", "aktie", "aktien",
         "aktionäre", "vorstand", "hauptversammlung", "actions", "acciones", "azioni"}
    )
)  # fmt: skip


def _without_repeated(mentions: tuple[NameMention, ...], text: str) -> tuple[NameMention, ...]:
    """On a page that names the issuer by one word only, that word twice before the same other one ("Jindabyne Cloud") is another name."""
    if not mentions or any(
        m.strength in (Strength.FULL, Strength.CORE) or (m.strength is Strength.SHORT and " " in m.text) for m in mentions
    ):
        return mentions
    after = {m.start: _NAME_GOES_ON.match(text, m.end) for m in mentions if m.strength is Strength.SHORT}
    words = {start: fold_text(found[1]) for start, found in after.items() if found}
    repeated = {word for word, times in Counter(words.values()).items() if times > 1 and word not in _NO_NAME}
    if not repeated:
        return mentions
    return tuple(NameMention(m.start, m.end, m.text, Strength.NAMESAKE) if m.strength is Strength.SHORT else m for m in mentions)


def _without_longer(mentions: tuple[NameMention, ...], doc: Document) -> tuple[NameMention, ...]:
    """A short name with which the name of a namesake on the page begins ("the shares of Leda Vastgoed", after "Leda Vastgoed NV") is that one's."""
    if not any(m.strength is Strength.NAMESAKE for m in mentions) or not any(m.strength is Strength.SHORT for m in mentions):
        return mentions
    starts = {m.start for m in mentions if m.strength is Strength.NAMESAKE}
    cores = {span.core for span in of_page(doc, extract_names) if span.start in starts and " " in span.core}
    longer = re.compile("|".join(rf"{re.escape(core)}\b" for core in sorted(cores, key=len, reverse=True))) if cores else None
    return tuple(
        NameMention(m.start, m.end, m.text, Strength.NAMESAKE)
        if longer and m.strength is Strength.SHORT and longer.match(doc.page.text, m.start)
        else m
        for m in mentions
    )
