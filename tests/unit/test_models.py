"""Records between steps: frozen, complete, and the same after a trip through JSON."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from factories import claim, listing, page, record
from pydantic import ValidationError

from s2r import models
from s2r.models import DateMention, Frozen, Page, Precision, Record

ORDER = [
    "row_id",
    "listing",
    "event_type",
    "cutoff",
    "status",
    "announcement_date",
    "reason",
    "disclosure_type",
    "confidence",
    "route",
    "route_reasons",
    "risk",
    "package",
    "claims",
    "checks",
    "later_event",
    "coverage",
    "findings",
    "timeline",
    "conflicts",
    "steps",
    "abstain_reason",
    "adjudicator",
    "policy",
    "model",
    "usage",
    "cost_usd",
    "latency_s",
    "run_id",
    "version",
    "error",
]


def test_all_public_models_are_frozen_and_refuse_unknown_fields() -> None:
    """No model takes a field it does not know, and none changes."""
    found = [value for value in (getattr(models, name) for name in models.__all__) if isinstance(value, type) and issubclass(value, Frozen)]
    assert len(found) > 15
    for model in found:
        assert model.model_config.get("frozen") is True
        assert model.model_config.get("extra") == "forbid"
    with pytest.raises(ValidationError):
        listing(colour="red")
    with pytest.raises(ValidationError):
        listing().issuer = "Other Inc."  # type: ignore[misc]


def test_record_keeps_the_order_of_the_contract() -> None:
    """The fields of a line of records.jsonl, in their order; the risk model and what models said come last, where one was used."""
    assert list(Record.model_fields) == [*ORDER, "risk_model", "adjudication"]
    assert list(record().model_dump()) == ORDER
    asked = record(adjudication={"arm": "web", "prompt": "p", "routing": "r"})
    assert list(json.loads(asked.model_dump_json())) == [*ORDER, "adjudication"]
    assert Record.model_validate_json(asked.model_dump_json()) == asked


def test_record_survives_json() -> None:
    """A line read back is the record that was written, non-Latin text included."""
    row = listing(issuer="みなせ光学工業株式会社", extra={"note": "=1+1"})
    proof = claim(page("上場廃止を決定した。"), "上場廃止")
    written = record(row, status="yes", announcement_date=dt.date(2017, 6, 23), claims=(proof,), risk={"status": 0.25}, cost_usd=None)
    text = written.model_dump_json()
    assert "みなせ" in text
    assert Record.model_validate_json(text) == written
    assert Record.model_validate_json(text).model_dump_json() == text


@pytest.mark.parametrize(
    ("value", "precision", "day"),
    [("2017-06-23", Precision.DAY, dt.date(2017, 6, 23)), ("2017-06", Precision.MONTH, None), (None, Precision.DAY, None)],
)
def test_day_of_a_mention(value: str | None, precision: Precision, day: dt.date | None) -> None:
    """Only a resolved date with the precision of a day has one."""
    assert DateMention(raw="x", start=0, end=1, value=value, precision=precision, rule="r").day == day


@pytest.mark.parametrize(("offset", "source"), [(0, 10), (4, 14), (5, 30), (9, 34), (12, 50)])
def test_source_offset(offset: int, source: int) -> None:
    """A character of the text lies in the source as the nearest pair before it says."""
    mapped = Page(digest="sha256:0", url="https://a.example", text="x" * 20, source_map=((0, 10), (5, 30), (12, 50)))
    assert mapped.source_offset(offset) == source
    assert Page(digest="sha256:0", url="https://a.example", text="x").source_offset(7) == 7
