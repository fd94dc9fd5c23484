"""From an article to event tuples. The text states events; the title lends firms, and its own statement where the text has none."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Protocol

from s2r.events.extract.firms import Printed, printed_firms
from s2r.events.extract.roles import roles_of
from s2r.events.extract.statement import STRONG, Statement, read_statements
from s2r.events.tuples import EventTuple, Evidence, first_last
from s2r.lang.dates import read_dates
from s2r.lang.sentences import split_sentences
from s2r.models.evidence import Precision
from s2r.models.listing import Frozen
from s2r.policy.event_types import EventTypes

MOST_TITLE_FIRMS = 2  # a title with more tickers is a list of the day's movers
BACK_DAYS = 120  # a date before that is another event
_ANNOUNCED = re.compile(r"\bannounc\w+,?(?: (?:on|in|back|late|early|last|this|that|of))*\s*$", re.IGNORECASE)
_DONE = ("completion", "effective")  # retold long after: a month is better than the day of the page
_DATED = ("completion", "effective", "announcement", "cancellation")  # anchors for which a day in the sentence counts
_NO_NAMES = frozenset("The This That These Those Its Our They There Last Earlier Meanwhile Separately Shares Also".split())  # noqa: SIM905


class Article(Frozen):
    """One article: title, its day, its text, where it stands."""

    title: str
    date: dt.date | None
    text: str
    url: str = ""
    exhibit: str = ""
    offset: int = 0  # of `text` in the text of its page


class Extractor(Protocol):
    """What an extractor does, by rules or by a model."""

    def __call__(self, article: Article, kinds: EventTypes) -> list[EventTuple]:
        """Event tuples of an article, each with the passage that states it."""
        ...


def extract_events(article: Article, kinds: EventTypes) -> list[EventTuple]:
    """Event tuples of an article by rules, without repeats. A statement of the title counts only for a cycle that the text is silent on."""
    titled = printed_firms(article.title)
    lent = titled if len({firm.ticker for firm in titled}) <= MOST_TITLE_FIRMS else ()
    found: list[EventTuple] = []
    cycles: set[str] = set()
    for start, end in split_sentences(article.text, "en") or [(0, len(article.text))]:
        sentence = article.text[start:end]
        for statement in read_statements(sentence, kinds):
            made = _tuples(article, sentence, article.offset + start, statement, lent, kinds)
            found += made
            if made and statement.strength == STRONG:
                cycles.add(kinds[statement.type].cycle or statement.type)
    for statement in read_statements(article.title, kinds):
        if (kinds[statement.type].cycle or statement.type) not in cycles:
            found += _tuples(article, article.title, -1, statement, printed_firms(article.text[:400]), kinds)
    unique: dict[tuple[str, str, str], EventTuple] = {}
    for event in found:
        unique.setdefault((event.firm, event.event_type, event.anchor_date), event)
    return list(unique.values())


def _tuples(
    article: Article, sentence: str, offset: int, statement: Statement, lent: Sequence[Printed], kinds: EventTypes
) -> list[EventTuple]:
    """Tuples of one statement: its firms, or, where the sentence prints none, those that are lent; a name where no ticker is printed."""
    own = list({firm.ticker: firm for firm in printed_firms(sentence)}.values())
    firms = own or list({firm.ticker: firm for firm in lent}.values())
    kind = kinds[statement.type]
    date, anchor_kind = _date(article, sentence, kind.anchor)
    if not date:
        return []
    if not firms:
        name = _leading_name(sentence) or _leading_name(article.title)
        firms = [Printed(0, 0, name)] if name else []
    roles = roles_of(sentence, own, statement) if kind.roles else {}
    quote = Evidence(
        url=article.url, exhibit=article.exhibit, title=article.title, date=article.date.isoformat() if article.date else "", quote=sentence,
        start=offset, end=offset + len(sentence) if offset >= 0 else -1,
    )  # fmt: skip
    partners = {firm.ticker: next((other.ticker for other in own if other.ticker != firm.ticker), "") for firm in own} if kind.cycle else {}
    return [
        EventTuple(
            firm=firm.ticker, event_type=statement.type, anchor_date=date, anchor_kind=anchor_kind, role=roles.get(firm.ticker, ""),
            counterparty=partners.get(firm.ticker, ""), evidence=(quote,),
        )
        for firm in firms
    ]  # fmt: skip


def _date(article: Article, sentence: str, anchor: str) -> tuple[str, str]:
    """Anchor date and its kind: a day of the sentence that is not after the article and not long before it, else the day of the article."""
    for mention in read_dates(sentence, lang="en", country="US", anchor=article.date):
        if mention.value is None or mention.precision not in (Precision.DAY, Precision.MONTH):
            continue
        told = _ANNOUNCED.search(sentence[: mention.start])
        if not told and (anchor not in _DATED or (mention.precision is Precision.MONTH and anchor not in _DONE)):
            continue
        first, last = first_last(mention.value)
        if article.date is None or (first <= article.date and (article.date - last).days <= BACK_DAYS):
            return mention.value, ""
    return (article.date.isoformat(), "report") if article.date else ("", "")


def _leading_name(text: str) -> str:
    """Capitalised words at the head of a sentence, as a name of last resort."""
    match = re.match(r"(?:[A-Z][\w.&'-]*\s+){0,3}[A-Z][\w.&'-]*", text)
    name = match.group().removesuffix("'s") if match else ""
    return name if len(name) > 2 and name not in _NO_NAMES else ""
