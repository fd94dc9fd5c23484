"""Table rows: cells to "Label | value" rows with their column heads, and tables that only lay out a page."""

from __future__ import annotations

from dataclasses import dataclass, field

from s2r.extract.builder import Piece, Stretch
from s2r.models import BlockKind

_LAYOUT_CELL = 300


@dataclass(slots=True)
class Cell:
    """One table cell with the stretches read in it; `is_head` for th and dt."""

    is_head: bool
    stretches: list[Stretch] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """One open table (or definition list) with its column heads and the row being read."""

    header: tuple[str, ...] = ()
    cells: list[Cell] | None = None
    rows: int = 0
    in_head: bool = False

    def end_row(self) -> list[Stretch]:
        """The finished row as one stretch, or the stretches of its cells when the row is layout; nothing when it is empty."""
        cells, self.cells = self.cells or [], None
        if any(_is_layout(cell) for cell in cells):
            return [stretch for cell in cells for stretch in cell.stretches]
        texts = [_cell_text(cell) for cell in cells]
        filled = [i for i, text in enumerate(texts) if text]
        if not filled:
            return []
        aligned = len(self.header) == len(cells) and len(cells) > 1
        row = _join([cells[i] for i in (range(len(cells)) if aligned else filled)])
        heads = all(cells[i].is_head for i in filled) or self.in_head or (self.rows == 0 and _all_bold(cells))
        self.rows += 1
        if heads and len(filled) > 1 and not self.header:
            self.header = tuple(texts) if len(filled) * 2 >= len(cells) else tuple(texts[i] for i in filled)
        elif self.header:
            row.header = self.header
        elif cells[filled[0]].is_head and len(filled) > 1:
            row.header = (texts[filled[0]],)
        return [row]


def _is_layout(cell: Cell) -> bool:
    if len(cell.stretches) == 1 and cell.stretches[0].kind is BlockKind.PARAGRAPH:
        return False
    kinds = {stretch.kind for stretch in cell.stretches}
    size = sum(stretch.size for stretch in cell.stretches)
    if kinds & {BlockKind.ROW, BlockKind.PRE}:
        return True
    return size > _LAYOUT_CELL or (BlockKind.HEADING in kinds and len(cell.stretches) > 1)


def _cell_text(cell: Cell) -> str:
    return " ".join(stretch.text for stretch in cell.stretches)


def _all_bold(cells: list[Cell]) -> bool:
    filled = [stretch for cell in cells for stretch in cell.stretches]
    return len(filled) > 1 and all(s.bold * 10 >= s.size * 8 and not any(c.isdigit() for c in s.text) for s in filled)


def _join(cells: list[Cell]) -> Stretch:
    """One row: cells joined by " | "; separators take the source offset where the cell before ended."""
    pieces: list[Piece] = []
    row = Stretch(kind=BlockKind.ROW)
    for index, cell in enumerate(cells):
        if index:
            source = pieces[-1][1] + len(pieces[-1][0]) if pieces else 0
            pieces.append((" | ", source))
            row.size += 3
        for number, stretch in enumerate(cell.stretches):
            if number:
                pieces.append((" ", pieces[-1][1] + len(pieces[-1][0])))
                row.size += 1
            row.times += [(a + row.size, b + row.size, value) for a, b, value in stretch.times]
            pieces += stretch.pieces
            row.size += stretch.size
            row.links += stretch.links
            row.anchors += stretch.anchors
            row.bold += stretch.bold
            row.why = row.why or stretch.why
    row.pieces = pieces
    row.close()
    return row
