"""Record and vendors side by side: identity, answer, and whatever else each vendor delivered; differences are marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from s2r.lang.name_parts import core_name
from s2r.lang.text import fold_text
from s2r.models import Record
from s2r.report.texts import say
from s2r.reviews import RowView

_IDENTITY = (
    ("f_issuer", "issuer"), ("f_security", "security"), ("f_ticker", "ticker"), ("f_mic", "mic"), ("f_isin", "isin"),
    ("f_country", "country"),
)  # fmt: skip
_ANSWER = (("f_status", "status"), ("f_date", "announcement_date"), ("f_reason", "reason"), ("f_disclosure", "disclosure_type"))


@dataclass(frozen=True, slots=True)
class Told:
    """What a vendor says, and whether the record says something else."""

    value: str = ""
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the comparison: the record's value, and one of each vendor; `coded`: values are codes, which are shown in words."""

    name: str
    ours: str
    theirs: tuple[Told, ...] = ()
    coded: bool = False

    @property
    def differs(self) -> bool:
        """Whether any vendor says something else."""
        return any(told.differs for told in self.theirs)


def compared(found: RowView) -> tuple[Line, ...]:
    """The lines that say anything."""
    record = found.record
    lines = [_line(found, say(key), name, str(getattr(record.listing, name))) for key, name in _IDENTITY]
    lines.append(Line(say("f_cutoff"), record.cutoff.isoformat(), tuple(Told() for _ in found.vendor)))
    answer = _answer(record)
    lines += [_line(found, say(key), name, answer[name], coded=name != "announcement_date") for key, name in _ANSWER]
    columns = dict.fromkeys(name for told in found.vendor for name in told if name.startswith("cell ") and told[name])
    lines += [
        Line(name.removeprefix("cell "), "", tuple(Told(told.get(name, "")) for told in found.vendor))
        for name in columns
        if any(told.get(name) and told[name] not in _said(told) for told in found.vendor)
    ]
    return tuple(line for line in lines if line.ours or any(told.value for told in line.theirs))


def _answer(record: Record) -> dict[str, str]:
    return {
        "status": record.status.value, "announcement_date": str(record.announcement_date or ""), "reason": record.reason or "",
        "disclosure_type": record.disclosure_type or "",
    }  # fmt: skip


def _line(found: RowView, label: str, name: str, ours: str, *, coded: bool = False) -> Line:
    return Line(label, ours, tuple(_told(told, name, ours) for told in found.vendor), coded)


def _told(told: Mapping[str, str], name: str, ours: str) -> Told:
    """What a vendor says of a field. Its comparison decides whether it differs; else the same name, code or one of its reasons does not,
    nor does what the record does not know."""
    about = told.get("field") == name
    value = told.get(f"says {name}", "") or (told.get("vendor_value", "") if about else "")
    return Told(value, bool(value) and (about or (bool(ours) and not _same(name, value, ours))))


def _same(name: str, value: str, ours: str) -> bool:
    if name == "issuer":
        return fold_text(core_name(value)) == fold_text(core_name(ours))
    if name == "reason":
        return ours in value.split(" | ")
    if name == "announcement_date" and " " in value:  # a day of another kind, such as that on which it took effect
        return True
    return fold_text(value) == fold_text(ours)


def _said(told: Mapping[str, str]) -> frozenset[str]:
    """Values that stand in the lines above already."""
    return frozenset(value for name, value in told.items() if name.startswith("says "))
