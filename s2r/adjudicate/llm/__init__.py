"""Adjudication by a language model, but for the call: evidence pack, question, answer form, reading, ladder. Pure.

The pipeline builds a pack, renders a question, makes the call, reads the answer into the same verdict as rules give, and lets the
ladder say what is done next. See docs/models.md.
"""

from s2r.adjudicate.llm.form import Answer, Proof, answer_form
from s2r.adjudicate.llm.ladder import agree, codes_of, contradict, next_step, panel_choice, standing, timeline_codes
from s2r.adjudicate.llm.pack import Pack, Passage, build_pack
from s2r.adjudicate.llm.prompt import Rendered, render, template_faults
from s2r.adjudicate.llm.reading import Read, read_answer

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
