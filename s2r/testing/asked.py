"""What a prompt of s2r asks, read as a model would read it, and answers of its form: for scripted models that answer by what they see."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from s2r.testing.modelsaid import USUAL, Heard, Said, Tokens

_PASSAGE = re.compile(
    r'<passage id="(?P<id>\w+)" document="(?P<document>\d+)" kind="(?P<kind>\w+)" published="(?P<published>[\w-]+)" '
    r'class="(?P<klass>\w+)" key="(?P<key>\w+)">\n(?P<text>.*?)\n</passage key="(?P=key)">',
    re.DOTALL,
)
_IDENTITY = re.compile(r"^(issuer|security|ticker|mic|isin|cutoff): (.*)$", re.MULTILINE)


class Shown(NamedTuple):
    """One passage as the prompt shows it; `published` is "unknown" when no day is known."""

    id: str
    document: str
    kind: str
    published: str
    klass: str
    text: str

    def line(self, *words: str) -> str:
        """The first line that holds all these words, "" when there is none."""
        return next((line.strip() for line in self.text.splitlines() if all(word in line for word in words)), "")


class Asked(NamedTuple):
    """The listing and the passages of a prompt; `verifies` when the role of the second reader is given."""

    listing: dict[str, str]
    passages: tuple[Shown, ...]
    verifies: bool

    @property
    def issuer(self) -> str:
        """Name of the issuer."""
        return self.listing.get("issuer", "")


def read_prompt(heard: Heard) -> Asked:
    """What is asked in the first turn of a request; the marks are those of `policies/delisting/prompt.*.user.j2`."""
    user = heard.turns[0][1]
    head = user.partition("<passage ")[0]
    found = [Shown(*(match[name] for name in Shown._fields)) for match in _PASSAGE.finditer(user)]
    return Asked(dict(_IDENTITY.findall(head)), tuple(found), heard.system.startswith("You check"))


def saying(status: str, *evidence: tuple[str, str, str], tokens: Tokens | None = USUAL, **fields: Any) -> Said:
    """An answer of the form; `evidence` are (field, id of the passage, quote). A `yes` has the date's precision by its length."""
    date = fields.pop("announcement_date", None)
    precision = {10: "day", 7: "month", 4: "year"}.get(len(date or ""), "none")
    answer = {
        "evidence": [{"field": field, "passage": passage, "quote": quote} for field, passage, quote in evidence],
        "status": status,
        "announcement_date": date,
        "date_precision": precision,
        "reason": None,
        "disclosure_type": None,
        "confidence": 0.9,
        "abstain_reason": "" if status != "abstain" else "nothing is clear",
    }
    return Said(json.dumps(answer | fields, ensure_ascii=False), tokens=tokens)
