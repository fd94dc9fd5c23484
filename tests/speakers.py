"""What the models of the small world say in tests."""

from __future__ import annotations

import re

from s2r.testing.asked import Asked, read_prompt, saying
from s2r.testing.modelsaid import Heard, Said

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


def quoted(asked: Asked, day: str) -> list[tuple[str, str, str]]:
    """Proof of a delisting on `day`: the passage that states it, its sentence about the listing, and the day."""
    year, month, number = day.split("-")
    words = f"{MONTHS[int(month) - 1]} {int(number)}, {year}"
    shown = next(p for p in asked.passages if words in p.text)
    line = shown.line("delist") or shown.line("Nasdaq")
    return [
        ("status", shown.id, line),
        ("announcement_date", shown.id, words),
        ("reason", shown.id, line),
        ("disclosure_type", shown.id, line),
    ]


def honest(heard: Heard) -> Said:
    """A model that reads well: of every three listings one leaves of its own will, one is only warned, one is bought."""
    asked = read_prompt(heard)
    event = next((p for p in asked.passages if "voluntarily delist" in p.text or "completed its acquisition" in p.text), None)
    if event is None:
        return saying("no")
    found = re.search(r"May (\d+), 2019", event.text)
    assert found
    day = f"2019-05-{int(found[1]):02d}"
    reason = "voluntary" if "voluntarily" in event.text else "merger_acquisition"
    return saying("yes", *quoted(asked, day), announcement_date=day, reason=reason, disclosure_type="issuer_announcement")
