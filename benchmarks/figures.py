"""What is measured, as it is printed: a figure with its target, and the table of all."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

WORDS = {True: "held", False: "NOT held", None: ""}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured ratio or count. `target` in words, `held` None without one; `of` says what was measured, on how much."""

    part: str
    name: str
    value: str
    target: str = ""
    held: bool | None = None
    of: str = ""

    def row(self) -> dict[str, object]:
        """The figure as JSON."""
        return asdict(self)


def at_most(part: str, name: str, value: float, most: float, of: str, unit: str = "") -> Figure:
    """A figure that must not be more than `most`."""
    return Figure(part, name, f"{value:.3g}{unit}", f"<= {most:g}{unit}", value <= most, of)


def at_least(part: str, name: str, value: float, least: float, of: str, unit: str = "") -> Figure:
    """A figure that must not be less than `least`."""
    return Figure(part, name, f"{value:.3g}{unit}", f">= {least:g}{unit}", value >= least, of)


def told(part: str, name: str, value: object, of: str) -> Figure:
    """A figure without a target."""
    return Figure(part, name, f"{value:.3g}" if isinstance(value, float) else str(value), of=of)


def machine() -> str:
    """The machine in a few words: processor, cores, memory, load, Python."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.is_file() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor() or "?")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GB, load {load}, Python {platform.python_version()}"


def as_markdown(figures: Sequence[Figure]) -> str:
    """The table for README.md."""
    lines = ["| part | figure | measured | target | | of what |", "|---|---|---|---|---|---|"]
    for one in figures:
        lines.append(f"| {one.part} | {one.name} | {one.value} | {one.target} | {WORDS[one.held]} | {one.of.replace('|', '/')} |")
    return "\n".join(lines) + "\n"


def put_table(readme: Path, part: str, figures: Iterable[Figure], heading: str) -> None:
    """Replace the table of `part` in a Markdown file, between its marks; without marks it is added at the end."""
    begin, end = f"<!-- figures: {part} -->", f"<!-- end of {part} -->"
    block = f"{begin}\n{heading}\n\n{as_markdown(list(figures))}{end}"
    text = readme.read_text("utf-8") if readme.is_file() else ""
    if begin in text and end in text:
        head, _, rest = text.partition(begin)
        text = head + block + rest.partition(end)[2]
    else:
        text = f"{text.rstrip()}\n\n{block}\n" if text else f"{block}\n"
    readme.write_text(text, "utf-8")
