"""The form of an answer, the same on every arm: ids of passages and quotes, never an address."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from s2r.policy import Policy

FIELDS = ("status", "announcement_date", "reason", "disclosure_type")
MAX_QUOTE = 1_000
MAX_EVIDENCE = 12


class Proof(BaseModel):
    """The words that prove one field."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    field: Literal["status", "announcement_date", "reason", "disclosure_type"]
    passage: str = Field(max_length=64)
    quote: str = Field(max_length=MAX_QUOTE)


class Answer(BaseModel):
    """What a model answers. `answer_form` narrows reason and disclosure type to those of the policy."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    evidence: tuple[Proof, ...] = Field(max_length=MAX_EVIDENCE)
    status: Literal["yes", "no", "abstain"]
    announcement_date: str | None = Field(max_length=10)
    date_precision: Literal["day", "month", "year", "none"]
    reason: str | None
    disclosure_type: str | None
    confidence: float = Field(ge=0, le=1)
    abstain_reason: str = Field(max_length=1_000)


def answer_form(policy: Policy) -> type[Answer]:
    """The form with the reasons and disclosure types of a policy."""
    return _form(policy.definition.reasons, policy.definition.disclosure_types)


@lru_cache(maxsize=8)
def _form(reasons: tuple[str, ...], types: tuple[str, ...]) -> type[Answer]:
    choices: dict[str, Any] = {"reason": (Literal[reasons] | None, ...), "disclosure_type": (Literal[types] | None, ...)}
    return create_model("Record", __base__=Answer, **choices)
