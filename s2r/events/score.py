"""Score answers to event questions against their gold denotation, template by template.

Identity of a row is what the template says (firm, type and date, or firm alone, or a pair). The tolerant regime takes dates within a
number of days; the alias regime also takes Reuters codes and spellings of a name for one another. Recall of a question is the share of
its gold rows that some row of the answer matches, so a row of the answer may match several; `pool` counts each row once.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from s2r.events.identity import base_ticker, name_key
from s2r.models.listing import Frozen

TOLERANCE = 7  # days

Row = Mapping[str, Any]


class Template(Frozen):
    """How rows of one template are compared: fields that must agree, dates compared as a set, whether the order counts, whether rows cite
    pages, and what makes rows distinct (by default all that is compared): where firms are asked for, gold has one event of each."""

    keys: tuple[str, ...]
    unordered: tuple[str, ...] = ()
    ordered: bool = False
    cites: bool = True
    distinct: tuple[str, ...] = ()


_EVENT = Template(keys=("firm_ticker", "event_type", "anchor_date"))
_FIRM = Template(keys=("firm_ticker",))
TEMPLATES: dict[str, Template] = {
    "A.3.1": _EVENT.model_copy(update={"distinct": ("firm_ticker",)}),
    **dict.fromkeys(("A.1.1", "A.2.1", "B.1.1", "B.2.1", "B.4.3", "B.4.4"), _EVENT),
    **dict.fromkeys(("A.1.2", "B.3.1", "B.3.2", "B.3.3", "B.4.1", "B.4.2"), _FIRM),
    "B.1.2": Template(keys=("firm_ticker",), unordered=("e1_anchor_date", "e2_anchor_date")),
    "B.1.3": Template(keys=("firm_ticker", "e_trigger_anchor_date", "e_followup_anchor_date")),
    "B.1.4": Template(keys=("buyer_ticker", "target_ticker", "announce_date")),
    "B.1.5": Template(keys=("firm_ticker",), unordered=("e1_anchor_date", "e2_anchor_date"), cites=False),
    "B.2.2": Template(keys=("firm_ticker", "event_type", "anchor_date"), ordered=True),
}


class Regime(Frozen):
    """How strict a comparison is."""

    name: str
    days: int = 0
    aliases: bool = False


REGIMES = (Regime(name="strict"), Regime(name="tolerant", days=TOLERANCE), Regime(name="alias", days=TOLERANCE, aliases=True))


class QuestionScore(Frozen):
    """One question: recall without and with provenance, and the counts of the pool."""

    qid: str
    template: str
    recall: float
    recall_cited: float | None
    gold: int
    answered: int
    matched: int  # gold rows matched one to one
    size_fits: bool  # the answer has as many distinct rows as the gold


class TemplateScore(Frozen):
    """Means over the questions of a template, or of all; precision and F1 over all rows together."""

    template: str
    n: int
    recall: float
    recall_cited: float | None
    size_fits: float
    precision: float
    pool_recall: float
    f1: float
    missing: int


class Scores(Frozen):
    """All scores of one system under one regime."""

    regime: str
    days: int
    by_template: tuple[TemplateScore, ...]
    overall: TemplateScore
    questions: tuple[QuestionScore, ...]


def score(questions: Sequence[Row], answers: Mapping[str, Sequence[Any]], regime: Regime) -> Scores:
    """Score answers (rows by question id) to questions with `qid`, `id` and `gt`; a question without an answer scores 0."""
    known = [question for question in questions if question.get("id") in TEMPLATES]
    scored = [score_question(question, answers.get(str(question["qid"]), ()), regime) for question in known]
    missing = {str(question["qid"]) for question in known if str(question["qid"]) not in answers}
    names = sorted({one.template for one in scored})
    groups = [_mean(name, [one for one in scored if one.template == name], missing) for name in names]
    return Scores(
        regime=regime.name, days=regime.days, by_template=tuple(groups), overall=_mean("all", scored, missing), questions=tuple(scored)
    )


def score_question(question: Row, rows: Sequence[Any], regime: Regime) -> QuestionScore:
    """One question; rows that are no objects are ignored, as they can match nothing."""
    template = TEMPLATES[str(question["id"])]
    gold = [canonical(row, regime) for row in question["gt"]]
    answered = [canonical(row, regime) for row in rows if isinstance(row, Mapping)]
    pooled = template.model_copy(update={"keys": template.distinct}) if template.distinct else template

    def same(left: Row, right: Row) -> bool:
        return matches(left, right, template, regime)

    hits, cited = _hits(gold, answered, template, same)
    distinct = _distinct(answered, template)
    return QuestionScore(
        qid=str(question["qid"]),
        template=str(question["id"]),
        recall=hits / len(gold) if gold else 1.0,
        recall_cited=None if not template.cites else cited / len(gold) if gold else 1.0,
        gold=len(gold),
        answered=len(distinct),
        matched=_one_to_one(gold, distinct, lambda left, right: matches(left, right, pooled, regime)),
        size_fits=len(distinct) == len(_distinct(gold, template)),
    )


def canonical(row: Row, regime: Regime) -> dict[str, Any]:
    """A row as it is compared: tickers trimmed and upper case (in the alias regime by their key), dates of pairs taken from their events
    when the row has none, cited pages as a set."""
    found = dict(row)
    for name in ("firm_ticker", "buyer_ticker", "target_ticker"):
        value = found.get(name)
        if isinstance(value, str):
            found[name] = name_key(base_ticker(value.strip())) if regime.aliases else value.strip().upper()
    events = [event for event in found.get("qualifying_events") or () if isinstance(event, Mapping)]
    for name, event in zip(("e1_anchor_date", "e2_anchor_date"), events, strict=False):
        found.setdefault(name, event.get("anchor_date"))
    urls = set(found.get("cited_urls") or ())
    for part in (found, *events):
        urls |= {chunk.get("article_url") for chunk in part.get("golden_chunks") or () if isinstance(chunk, Mapping)}
    found["cited_urls"] = urls
    return found


def matches(gold: Row, row: Row, template: Template, regime: Regime) -> bool:
    """Whether a row of an answer is the gold row."""
    for key in template.keys:
        if key.endswith("date"):
            if not near(gold.get(key), row.get(key), regime.days):
                return False
        elif gold.get(key) != row.get(key):
            return False
    left, right = (sorted(str(part.get(key) or "") for key in template.unordered) for part in (gold, row))
    return all(near(a, b, regime.days) for a, b in zip(left, right, strict=True))


def near(left: object, right: object, days: int) -> bool:
    """Whether two ISO dates lie at most `days` apart; other values must be equal and present."""
    try:
        return abs((dt.date.fromisoformat(str(left)) - dt.date.fromisoformat(str(right))).days) <= days
    except ValueError:
        return bool(left) and left == right


def _hits(gold: list[dict[str, Any]], rows: list[dict[str, Any]], template: Template, same: Callable[[Row, Row], bool]) -> tuple[int, int]:
    """Gold rows that are matched, and those with a matching row that cites a gold page; in an ordered template only at their place."""
    hits = cited = 0
    for index, wanted in enumerate(gold):
        candidates = rows[index : index + 1] if template.ordered else rows
        found = [row for row in candidates if same(wanted, row)]
        hits += bool(found)
        cited += any(row["cited_urls"] & wanted["cited_urls"] for row in found)
    return hits, cited


def _distinct(rows: list[dict[str, Any]], template: Template) -> list[dict[str, Any]]:
    seen: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        seen.setdefault(tuple(str(row.get(key)) for key in template.distinct or (*template.keys, *template.unordered)), row)
    return list(seen.values())


def _one_to_one(gold: list[dict[str, Any]], rows: list[dict[str, Any]], same: Callable[[Row, Row], bool]) -> int:
    """Size of the largest matching of gold rows with rows (augmenting paths)."""
    edges = [[index for index, row in enumerate(rows) if same(wanted, row)] for wanted in gold]
    owner: dict[int, int] = {}

    def assign(wanted: int, tried: set[int]) -> bool:
        for index in edges[wanted]:
            if index not in tried:
                tried.add(index)
                if index not in owner or assign(owner[index], tried):
                    owner[index] = wanted
                    return True
        return False

    return sum(assign(wanted, set()) for wanted in range(len(gold)))


def _mean(name: str, scored: Sequence[QuestionScore], missing: set[str]) -> TemplateScore:
    n = len(scored)
    cited = [one.recall_cited for one in scored if one.recall_cited is not None]
    matched, answered, gold = (sum(getattr(one, field) for one in scored) for field in ("matched", "answered", "gold"))
    precision, recall = matched / answered if answered else 0.0, matched / gold if gold else 0.0
    return TemplateScore(
        template=name,
        n=n,
        recall=sum(one.recall for one in scored) / n if n else 0.0,
        recall_cited=sum(cited) / len(cited) if cited else None,
        size_fits=sum(one.size_fits for one in scored) / n if n else 0.0,
        precision=precision,
        pool_recall=recall,
        f1=2 * precision * recall / (precision + recall) if matched else 0.0,
        missing=sum(one.qid in missing for one in scored),
    )
