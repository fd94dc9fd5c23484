"""Which operator the constituents of a question make up. No model, no template: cues between and around constituents decide.

What cannot be told apart is refused with its closest readings; nothing is guessed in silence.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any

from s2r.errors import InputError
from s2r.events.ask.numbers import NUMBER, number
from s2r.events.ask.read import Known, Mention, Reading, read_question
from s2r.events.spec import Spec, Window, read_spec
from s2r.models.listing import Frozen
from s2r.policy.event_types import EventTypes

MOST_TEXT = 2_000  # characters of a question
_GROUPED = (
    r"group(?:ed|ing)?|bucket(?:ed|s)?|brok(?:en|e)[ -]?down|break(?:ing)?(?: \S+){0,4}? ?down|breakdown|split(?:ting)?(?: up)?|organi[sz]ed?|arranged?|sorted|binned|batch(?:ed)?|"
    r"aggregated?|tall(?:y|ied)|divided?|partition(?:ed)?|bundled?|laid out|clustered|labell?ed|tag(?:ged)?|collated?|categori[sz]ed?|classif(?:y|ied)"
)
_UNITS = {"week": "week", "weekly": "week", "month": "month", "monthly": "month", "quarter": "quarter", "quarterly": "quarter", "year": "year",
          "yearly": "year", "annual": "year", "annually": "year", "calendar": "", "iso": ""}  # fmt: skip
_UNIT = r"(?:iso |calendar )?(week|month|quarter|year)s?"
_BUCKET = tuple(
    map(
        re.compile,
        (
            rf"\b(?:{_GROUPED})\b(?:(?! and then)[^.;?]){{0,60}}?\b(?:by|per|into|in|for each|on an?|according to)(?: the| its| their| each| an?| every)?(?: calendar| iso)* ?(weekly|monthly|quarterly|yearly|annual|week|month|quarter|year)s?\b",
            rf"\b{_UNIT}[ -](?:by|after|on)[ -](?:week|month|quarter|year)\b",
            r"\b(weekly|monthly|quarterly|yearly|annual(?:ly)?)\b",
            rf"\b(?:by|per|for each|for every|each|every) (?:calendar |iso )?{_UNIT}\b(?! end)",
            rf"\b(?:the|its|their|a|with|which) {_UNIT}(?:'s)? (?:label|bucket|tag|name|number|marker|beside|next to|against|alongside|(?:it|each|they|each one|every row|that)(?: \w+)? (?:fell|falls?|belongs?|is|was)\b)",
            rf"\b{_UNIT}(?:ly)? (?:label|bucket|tag|group|bin)s?\b",
            rf"\b(?:to|with|under|into|beside) (?:its|their|the (?:right|respective|corresponding|proper)) (?:calendar )?{_UNIT}\b",
            rf"\bwhich {_UNIT}\b",
        ),
    )
)
_FIRMS = re.compile(
    r"\b(?:which|what|any|name|list|identify|find|give|show|tell me(?: which)?|the|all|every|each|for|those|these|distinct|unique|other)? ?(?:\w+ ){0,2}?"
    r"(?:firms?|compan(?:y|ies)|issuers?|corporations?|corporates?|businesses|names|tickers?|enterprises|organi[sz]ations|outfits|players|stocks)\b|\bwho\b|\bwhose\b|\bwhom\b"
)
_SAME_ORDER = re.compile(
    r"\b(?:each other|one another|apart|any order|either order|whichever|whatever (?:the|their) order|in either direction|either way(?: round)?|no matter (?:the|which|what|in)|"
    r"(?:irrespective|regardless) of|does(?: not|n't) matter|(?:order|sequence)(?: is| being| of \w+)? (?:is )?(?:irrelevant|immaterial|unimportant|ignored|aside)|"
    r"without regard to|order (?:does not|doesn't) (?:count|matter)|(?:in )?whichever order|sequence aside|of the other|between them|both ways|before or after|"
    r"after or before|(?:close|near) to each|come first|came first|was first|were first|order not)\b"
)
_REVERSED = re.compile(
    r"\b(?:after|following|preceded by|on the heels of|in the wake of|on the back of|subsequent to|since|(?:came|come|comes|coming) (?:\S+ ){0,6}?after|later than|behind)\b[^\x00]{0,40}$"
)
_FORWARD = re.compile(
    r"\b(?:before|prior to|ahead of|preceding|preceded|precedes|precede|earlier than|leading up to|followed by|then|and then|led to|leading to|was followed|were followed|gave way to|"
    r"turned into|resulted in|ended in)\b[^\x00]{0,60}$"
)
_THEN = re.compile(r"\band (?:were|was|then|got|subsequently|later|went on to)\s*$")  # "announced ... and were delisted within"
_BEFORE_FIRST = re.compile(r"\b(?:before|prior to|ahead of|preceding)(?: (?:a|an|the|any|its|their|some|such))*\s*$")
_FOLLOW = re.compile(
    r"\b(?:follow(?:ed|s|ing|-up)?|then|after(?:wards?)?|later|thereafter|subsequent(?:ly)?|next|led to|leading to|trigger(?:ed)?|before|preced\w+|prior|on the heels|wake|ahead of)\b"
)
_DEALS = re.compile(
    r"\b(?:per|each|every|single|by|for each|one (?:row|line|entry) (?:per|for|to) (?:each |every )?|a (?:row|line|entry) (?:per|for) (?:each |every |the )?)\s*(?:m ?& ?a )?"
    r"(?:deal|transaction|acquisition|merger)\b(?!s? (?:announcements?|closings?|completions?|cancellations?|rumou?rs?|talks?))|\bdeal[ -]by[ -]deal\b|\b(?:who|which) (?:firm |company )?(?:bought|acquired) (?:whom|who|what|which)\b"
)
DEALS = "deals with a limit on the days from announcement to completion"
_PARTIES = re.compile(
    r"\bbuyer\b.{0,40}\btarget\b|\btarget\b.{0,40}\bbuyer\b|\bacquirer\b.{0,40}\btarget\b|\bboth (?:parties|sides|tickers)\b"
)
_DEAL_NOUN = re.compile(r"\b(?:m ?& ?a|mergers?|acquisitions?|takeovers?|buy-?outs?|deals?|transactions?)\b")
_DONE = re.compile(
    r"\b(?:complet\w+|clos(?:e|ed|es|ing|ings|ure)|finali[sz]\w+|consummat\w+|wrap\w* up|conclu\w+|sealed|finished|done|went through|gone through|cross\w* the (?:finish )?line)\b"
)
_HOW_LONG = re.compile(
    r"\bhow (?:many|much) (?:calendar )?(?:days|time)\b|\bhow (?:long|far apart)\b|\b(?:number|count|tally|total) of (?:calendar )?days\b|\bcount (?:up )?the days\b|\bdays? (?:elapsed|between|separat\w+|lay|count|"
    r"difference)\b|\b(?:gap|interval|lag|time|distance|difference|span|wait|delay)(?: (?:in|of|was|is|\w+))? ?(?:days )?(?:between|from|separating)\b|\bdays (?:apart|in between|from)\b|\bwhat (?:is|was) the (?:gap|lag|interval|delay)\b|"
    r"\b(?:length of time|day count|days passed|days went by)\b"
)
_FIRST = r"(?:earliest|first|very first|oldest|opening|initial|soonest)"
_LAST = r"(?:latest|last|very last|most recent|newest|final|closing)"
_EXTREME = re.compile(rf"\b(?P<a>{_FIRST}|kicked off|opened|got under way)\b|\b(?P<b>{_LAST}|(?:closed|rounded|finished) (?:out|off))\b")
_NO_EXTREME = re.compile(
    r"\b(?:for the|at) (?:first|last)\b|\b(?:oldest|earliest|newest|latest|first|most recent)[ -](?:to|first|date first|one first)\b|\b(?:whichever|whatever) (?:\w+ )?first\b|\bfirst to last\b|\blast but\b|\bat the latest\b|\bat last\b"
)
_CHRONO = re.compile(
    r"\b(?:chronolog\w+|time[- ]?lines?|in (?:date|time|temporal|calendar) order|order(?:ed|ing)? (?:of |by )?(?:date|time|occurrence|day)|by date|date order|time order|in (?:the )?order|in sequence|sequence of|"
    r"oldest (?:to|first)|earliest (?:to|first)|from (?:the )?(?:earliest|oldest|first)|as (?:it|they) (?:happened|unfolded|came)|unfold\w*|sorted|sequentially|one after (?:the )?(?:other|another)|"
    r"(?:date|time)[- ](?:ordered|sorted)|history of)\b"
)
_OR_MORE = re.compile(
    rf"\b(?P<n>{NUMBER}) (?:\w+ )?\x00+(?: in [\w\u2460 ]{{0,20}}?)? (?:or more|at (?:the )?least|at (?:a )?minimum|and (?:more|up))\b"
)
_BARE = re.compile(rf"\b(?:had|have|has|with|made|saw|in|of|closed|did|through) (?P<n>{NUMBER}) (?:\w+ )?\x00")  # "had two deal closings"
_EVENT = "(?:\\w+ ){0,2}\\x00"
# What no operator does: refused, as an answer to half of a question is a wrong one.
_UNSUPPORTED = tuple(
    (re.compile(pattern), what)
    for pattern, what in (
        (
            rf"\b(?:no|not a single|zero|without(?: an?| any)?|never(?: had)?|(?:did|have|has|had|do|does)(?: not|n't)(?: \w+)?(?: an?| any)?|neither) {_EVENT}",
            "what did not happen",
        ),
        (rf"\b(?:exactly|precisely|only|just) {NUMBER} {_EVENT}", "an exact count"),
        (
            rf"\b(?:at most|fewer than|less than|no more than|not more than|up to|under|maximum of) {NUMBER} {_EVENT}|\b{NUMBER} or fewer {_EVENT}",
            "an upper limit of a count",
        ),
        (
            r"\b(?:top|bottom) (?:\d+|three|five|ten)\b|\b(?:most|least) (?:active|frequent|frequently|often)\b|\b(?:the )?(?:most|fewest|largest number of) \x00|\brank(?:ed|ing)?\b",
            "a ranking",
        ),
        (r"\b(?:average|mean|median|percentage|proportion|share of|standard deviation)\b", "a statistic"),
    )
)
_OTHERS = re.compile(
    r"\b(?:other (?:firms?|companies|names|issuers|than|businesses|players|tickers|corporations)|others?|elsewhere|else|aside|exclud\w+|except\w*|apart from|ignor\w+|leav\w+ out|besides|not counting|leaving aside|everyone else|anyone else|"
    r"everybody else|rest of|omit\w*|without counting|anchor|peers|rivals|reference (?:point|event)|outside)\b"
)
_AFTER = re.compile(
    r"\b(?:after(?:wards?)?|follow(?:ed|s|ing)?|succeed(?:ed|s|ing)?|later|since|subsequent(?:ly)?|post-?dat\w+|came next|in the wake|on the heels|thereafter|past)\b"
)
_BEFORE = re.compile(r"\b(?:before(?:hand)?|preced\w+|earlier|prior|ahead of|pre-?dat\w+|leading up|previous(?:ly)?|ante-?dat\w+|up to)\b")
_BOTH = re.compile(
    r"\b(?:both|as well as|as well|and also|also|plus|along with|together with|in addition|alongside|combined with|coupled with|too|likewise|and then again|and again|again|each of|besides|(?:and|&) (?:not only|another)|all of)\b"
)
_LABELLED = re.compile(
    r"\b(?:label\w*|mark\w*|tag\w*|stat(?:e|ing)|show(?:n|ing)?|not(?:e|ing)|indicat\w+|attach\w*|mention\w*|add(?:ing)?|giv(?:e|ing)|with|beside|say(?:ing)?|flag\w*|identif\w+|naming|specify\w*|which)\b"
    r"[^.;]{0,40}\b(?:type|kind|category|sort|which is which|which it is|what it is|what each is|event_type)\b|\blabel(?:l?ed)?\b|\bby (?:event )?type\b|\bin one list\b|\ball together\b|\bside by side\b"
)
_OR = re.compile(r"\bor\b|\beither\b")


class Planned(Frozen):
    """The reading of a question, with what was found in it."""

    question: str
    spec: Spec
    why: str
    notes: tuple[str, ...] = ()


def plan(question: str, kinds: EventTypes, known: Known | None = None, today: dt.date | None = None) -> Planned:
    """The specification that an English question asks for; raises InputError with the closest readings when it is not clear."""
    if len(question) > MOST_TEXT:
        raise InputError(f"is {len(question)} characters long", subject="question", advice=f"Ask it in {MOST_TEXT} characters at most.")
    try:
        r = read_question(question, kinds, known, today)
    except ValueError as exc:
        advice = "Say it with days, months, quarters or years, such as 'from 2018-01-15 to 2018-03-31'."
        raise InputError(f"has a period that cannot be read: {exc}", subject="question", advice=advice) from exc
    if not r.events and r.periods and (deals := _deals(r, kinds, [], _firms(r))) is not None:
        data, why = deals, DEALS
    else:
        _refuse_unread(r, kinds)
        data, why = _operator(r, kinds)
    spec = read_spec(data, kinds)
    return Planned(question=question, spec=spec, why=why, notes=tuple(_notes(r, spec)))


def _operator(r: Reading, kinds: EventTypes) -> tuple[dict[str, Any], str]:
    """Operator and rest of the specification; cues are tried from the most to the least telling one."""
    types, windows = _types(r), _windows(r)
    firms = _firms(r)
    if (data := _deals(r, kinds, types, firms)) is not None:
        return data, DEALS
    if len(firms) == 1 and len(r.events) >= 2 and not r.days and _HOW_LONG.search(r.rest):
        return _q(r, "difference", _pair(r), firm=firms[0]), "days between two events of one firm"
    if r.days and len(r.events) >= 2:
        return _timed_pair(r, firms)
    if len(firms) == 1 and len(types) <= 2 and not r.counts and (direction := _anchor_direction(r, types)):
        pair = [types[0], types[-1]] if len(types) == 2 else [types[0], types[0]]
        return _q(
            r, {"name": "anchored", "firm": firms[0], "direction": direction}, _anchored_pair(r, pair)
        ), f"events {direction} that of {firms[0]}"
    if len(types) == 1 and (unit := _bucket(r)) and len(windows) <= 1:
        return _q(r, {"name": "bucket", "unit": unit}, types, firm=_one(firms)), f"grouped by {unit}"
    if len(firms) == 1 and len(types) >= 2:
        return _q(r, "interleave", types, firm=firms[0]), "events of one firm over several types"
    if len(types) == 1 and len(windows) == 1 and (position := _extreme(r)):
        return _q(r, {"name": "extreme", "position": position}, types, firm=_one(firms)), f"the {position} event"
    if len(types) == 1 and (least := _least(r)) >= 2 and not firms:
        return _q(r, {"name": "count", "at_least": least}, types), f"at least {least} events of one firm"
    if len(windows) >= 2:
        return _over_windows(r, types, windows)
    if len(types) >= 2:
        return _over_types(r, types)
    if r.roles:
        return _q(r, "role", types, firm=_one(firms)), f"participants in the role {r.roles[0].value}"
    if _asks_firms(r) and not firms:
        return _q(r, "distinct", types), "firms with at least one event"
    return _q(r, "select", types, firm=_one(firms)), "events"


def _q(r: Reading, operator: object, types: list[str], *, firm: str = "", windows: list[Window] | None = None) -> dict[str, Any]:
    name = operator["name"] if isinstance(operator, dict) else str(operator)
    predicate: dict[str, Any] = {"windows": [window.model_dump(mode="json") for window in (windows or _windows(r))]}
    roles = list(dict.fromkeys(role.value for role in r.roles))
    if roles and name not in ("completed", "difference"):
        predicate["roles"] = roles[:1]
    if firm:
        predicate["firm"] = firm
    if r.attributes:
        predicate["attributes"] = r.attributes
    return {"operator": operator, "types": types, "predicate": predicate}


def _types(r: Reading) -> list[str]:
    return list(dict.fromkeys(mention.type for mention in r.events))


def _pair(r: Reading) -> list[str]:
    """Types of the first two events, each type once where there are two; a type told twice stands for both."""
    types = _types(r)
    return types[:2] if len(types) >= 2 else [types[0], types[0]]


def _windows(r: Reading) -> list[Window]:
    """Distinct periods; one that lies inside another one narrows it, unless each stands for itself."""
    found = list(dict.fromkeys(period.window for period in r.periods))
    return [w for w in found if not any(o != w and w.start <= o.start and o.end <= w.end for o in found)]


def _firms(r: Reading) -> list[str]:
    return list(dict.fromkeys(named.value for named in r.firms))


def _one(firms: list[str]) -> str:
    return firms[0] if len(firms) == 1 else ""


def _least(r: Reading) -> int:
    apart = [number(match["n"]) for match in _OR_MORE.finditer(r.rest)]
    bare = [number(match["n"]) for match in _BARE.finditer(r.rest)] if not apart and not r.counts else []
    return max([amount.value for amount in r.counts] + apart + bare, default=0)


def _asks_firms(r: Reading) -> bool:
    return bool(_FIRMS.search(r.rest)) or any(_plural_role(r, named.end) for named in r.roles)


def _plural_role(r: Reading, end: int) -> bool:
    return r.rest[end - 1 : end] == "s"


def _bucket(r: Reading) -> str:
    for pattern in _BUCKET:
        if match := pattern.search(r.rest):
            return _UNITS[match.group(1)]
    return ""


def _extreme(r: Reading) -> str:
    """first or last, told by a superlative that is not part of another phrase."""
    text = _NO_EXTREME.sub(lambda m: " " * len(m.group()), r.rest)
    found = _EXTREME.search(text)
    if not found or _CHRONO.search(text):
        return ""
    return "first" if found["a"] else "last"


def _deals(r: Reading, kinds: EventTypes, types: list[str], firms: list[str]) -> dict[str, Any] | None:
    """Announced deals that were completed in time: asked by deal, or about deals and not about firms."""
    announce, complete = kinds.cycle_step("deal", "announce"), kinds.cycle_step("deal", "complete")
    if announce is None or complete is None or len(r.days) != 1 or firms or not set(types) <= {announce, complete}:
        return None
    rest = re.sub(r"\b(?:buyer|target|acquirer)s?'?s?(?: and (?:the )?(?:buyer|target|acquirer)'?s?)? tickers?|\btickers?\b", " ", r.rest)
    by_deal = bool(_DEALS.search(r.low) or _PARTIES.search(r.rest))
    done = complete in types or bool(_DONE.search(r.rest))
    told = announce in types or bool(re.search(r"\bannounc\w+", r.rest))
    if not (done and told) or not (by_deal or not _FIRMS.search(rest)) or (_SAME_ORDER.search(rest) and not by_deal):
        return None
    if not by_deal and not _DEAL_NOUN.search(r.low):
        return None
    return _q(r, {"name": "completed", "days": r.days[0].value}, [announce, complete])


def _timed_pair(r: Reading, firms: list[str]) -> tuple[dict[str, Any], str]:
    """Two events of one firm with a limit on the days between them, in any order or one after the other."""
    if len(r.days) > 1 and len({amount.value for amount in r.days}) > 1:
        raise _unclear(r, "gives several spans of days", ())
    pair, days = _pair(r), r.days[0].value
    both = _q(r, {"name": "near", "days": days}, pair, firm=_one(firms)), "two events of one firm close to each other, in any order"
    if _SAME_ORDER.search(r.rest):
        return both
    order = _order(r)
    if not order and _THEN.search(r.rest[r.events[0].end : r.events[1].start]) and not r.rest[r.events[1].end : r.days[0].start].strip():
        order = 1
    if order:
        types = pair if order > 0 else pair[::-1]
        return _q(r, {"name": "followed", "days": days}, types, firm=_one(firms)), f"{types[0]} and then {types[1]} within the limit"
    if _FOLLOW.search(r.rest) or re.search(r"\blag\b", r.rest):
        return _q(r, {"name": "followed", "days": days}, pair, firm=_one(firms)), f"{pair[0]} and then {pair[1]} within the limit"
    return both


def _order(r: Reading) -> int:
    """1 when the event that is told first came first, -1 when it came second, 0 when nothing says so."""
    first, second = _two(r)
    before, between = r.rest[: first.start], r.rest[first.end : second.start]
    if re.search(
        r"\b(?:after|following|on the heels of|in the wake of|once)(?: (?:a|an|the|any|its|their|some|such|having|had))*\s*$", before
    ):
        return 1
    if _BEFORE_FIRST.search(before):
        return -1
    if re.search(r"\bfrom(?: (?:a|an|the|its|their))*\s*$", before) and re.match(r"\s*(?:on )?to\b", between):
        return 1
    if any(first.end <= amount.start < second.start for amount in r.days):
        tail = r.rest[max(amount.end for amount in r.days if amount.start < second.start) : second.start]
        if re.match(r"\s*(?:of|from)\b(?! (?:then|that))", tail):  # "closed a deal within 60 days of announcing one"
            return -1 if re.match(r"\w+ing\b", r.low[second.start :]) or re.search(r"\blag\b", r.rest) else 0
        if not _REVERSED.search(between):
            return 1
    if _REVERSED.search(between) and not re.search(r"\bwas followed|were followed|followed by\b", between):
        return -1
    if _FORWARD.search(between):
        return 1
    return 0


def _two(r: Reading) -> tuple[Mention, Mention]:
    first = r.events[0]
    others = [mention for mention in r.events[1:] if mention.type != first.type] or r.events[1:]
    return first, others[0]


def _anchor_direction(r: Reading, types: list[str]) -> str:
    """before or after, when the question asks for events of others relative to that of the firm it names."""
    if not types:
        return ""
    place = r.firms[0].start
    # Who stands in front of the relation: candidates ("changes that came after ALDW's") or the anchor ("ALDW changed ...; changes that came after it").
    before, after = bool(_BEFORE.search(r.rest)), bool(_AFTER.search(r.rest))
    if not (before or after) or not (_OTHERS.search(r.rest) or _relates(r, place)):
        return ""
    if before and after:
        return _nearest_relation(r)
    return "before" if before else "after"


def _relates(r: Reading, place: int) -> bool:
    """Whether a relation leads straight to the firm, as in "after ALDW's own"."""
    return bool(
        re.search(
            r"\b(?:after|before|than|preced\w+|follow\w+|prior to|ahead of|since|pre-?dat\w+|post-?dat\w+|of)\s+(?:(?:the|that|those|one|ones|at|of) ){0,4}$",
            r.rest[:place],
        )
    )


def _nearest_relation(r: Reading) -> str:
    """Of two relations the one that stands nearest to the firm or to a word for its event."""
    marks = [named.start for named in r.firms] + [match.start() for match in re.finditer(r"\b(?:it|that|this)\b", r.rest)]

    def gap(pattern: re.Pattern[str]) -> int:
        return min(abs(mark - match.end()) for match in pattern.finditer(r.rest) for mark in marks)

    return "before" if gap(_BEFORE) <= gap(_AFTER) else "after"


def _anchored_pair(r: Reading, pair: list[str]) -> list[str]:
    """(candidate, anchor): the anchor is the event that stands nearest to the firm."""
    if pair[0] == pair[1]:
        return pair
    firm = r.firms[0]
    anchor = min(r.events, key=lambda m: min(abs(m.start - firm.end), abs(firm.start - m.end))).type
    return [next(kind for kind in pair if kind != anchor), anchor]


def _over_windows(r: Reading, types: list[str], windows: list[Window]) -> tuple[dict[str, Any], str]:
    """Several periods: firms with an event in each, or else unclear."""
    if len(types) == 1 and (_asks_firms(r) or _BOTH.search(r.rest) or r.roles):
        if _OR.search(r.rest) and not _BOTH.search(r.rest):
            raise _unclear(
                r,
                "joins periods with 'or'",
                ("firms with an event in each of the periods: say 'in both'", "one period from the first to the last day"),
            )
        return _q(r, "intersect", types, windows=windows), "firms with an event in each period"
    if len(types) == len(windows) and (_asks_firms(r) or _BOTH.search(r.rest)):
        return _q(r, "intersect", types, windows=windows), "firms with the first event in the first period and the second in the second"
    raise _unclear(
        r, f"names {len(windows)} periods",
        ("firms with such an event in each period: ask 'which firms ... in both ... and ...'", "all events: ask for one period, from the first to the last day"),
    )  # fmt: skip


def _over_types(r: Reading, types: list[str]) -> tuple[dict[str, Any], str]:
    """Several types in one period: firms that have all of them, or all events together."""
    labelled, either = bool(_LABELLED.search(r.rest)), bool(_OR.search(r.rest))
    firms = _asks_firms(r)
    together = _q(r, "union", types), "events of several types together"
    if either and not _both_of(r):
        return together
    if labelled and not (firms and _both_of(r)):
        return together
    if firms and (len(types) == 2 or _both_of(r)):
        return _q(r, "intersect", types), "firms with an event of each type"
    if r.roles:
        return _q(r, "intersect", types), "firms in this role in an event of each type"
    return together


def _both_of(r: Reading) -> bool:
    return bool(_BOTH.search(r.rest))


def _refuse_unread(r: Reading, kinds: EventTypes) -> None:
    """Raise when no event type, no period, or more firms than one are found."""
    if not r.events:
        nouns = ", ".join(f"{kind.title} ({name})" for name, kind in kinds.types.items())
        if _DEAL_NOUN.search(r.low):
            steps = [kinds[name].title for name in kinds.names if kinds[name].cycle == "deal"]
            raise _unclear(r, "speaks of deals but not of which step", tuple(f"by '{title}'" for title in steps))
        raise InputError("names no event type", subject="question", advice=f"Known: {nouns}.")
    for pattern, what in _UNSUPPORTED:
        if pattern.search(r.rest):
            advice = "Ask for the events or firms themselves, or for counts by 'at least'."
            raise InputError(f"asks for {what}, which no operator answers", subject="question", advice=advice)
    if not r.periods:
        raise InputError(
            "names no period", subject="question",
            advice="Say when: 'in 2018', 'in Q1 2020', 'between 2019-01-01 and 2019-06-30', 'since 2015'.",
        )  # fmt: skip
    if len(_firms(r)) > 1:
        raise _unclear(r, f"names several firms ({', '.join(_firms(r))})", tuple(f"only {firm}" for firm in _firms(r)))


def _unclear(r: Reading, problem: str, readings: tuple[str, ...]) -> InputError:
    found = f"Found: events {', '.join(_types(r)) or 'none'}; periods {', '.join(f'{w.start} to {w.end}' for w in _windows(r)) or 'none'}."
    closest = f" Closest readings: {'; '.join(readings)}." if readings else ""
    return InputError(f"{problem}, so it is not clear", subject="question", advice=found + closest)


def _notes(r: Reading, spec: Spec) -> Iterator[str]:
    if len({role.value for role in r.roles}) > 1 and spec.predicate.roles:
        yield f"several roles are named; {spec.predicate.roles[0].value} is used"
    if spec.operator.name == "count" and not r.counts and not _OR_MORE.search(r.rest):
        yield "a plain number is read as 'at least'"
    if any(unit in r.text[amount.start : amount.end].lower() for amount in r.days for unit in ("month", "year")):
        yield "months count 30 days, years 365"
