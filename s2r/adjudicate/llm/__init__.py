"""Adjudication by a language model, but for the call: evidence pack, question, answer form, reading, ladder. Pure.

The pipeline builds a pack, renders a question, makes the call, reads the answer into the same verdict as rules give, and lets the
ladder say what is done next. See docs/models.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2r.adjudicate.llm.form import Answer, Proof, answer_form
from s2r.adjudicate.llm.ladder import agree, codes_of, contradict, next_step, panel_choice, standing, timeline_codes
from s2r.adjudicate.llm.passages import Pack, Passage
from s2r.adjudicate.llm.prompt import Rendered, render, template_faults
from s2r.adjudicate.llm.reading import Read, read_answer

if TYPE_CHECKING:
    from s2r.adjudicate.llm.pack import build_pack

__all__ = [
    "Answer",
    "Pack",
    "Passage",
    "Proof",
    "Read",
    "Rendered",
    "agree",
    "answer_form",
    "build_pack",
    "codes_of",
    "contradict",
    "next_step",
    "panel_choice",
    "read_answer",
    "render",
    "standing",
    "template_faults",
    "timeline_codes",
]


def __getattr__(name: str) -> object:
    """A pack is built from what the rules have read, which only workers load."""
    if name != "build_pack":
        raise AttributeError(f"module 's2r.adjudicate.llm' has no attribute {name!r}")
    from s2r.adjudicate.llm.pack import build_pack

    return build_pack
