"""Comparisons by row, for those who review a record: one small SQLite file in the folder of the vendor, where all its values stay."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from s2r.errors import StoreError
from s2r.vendor.types import Comparison, Says, VendorRow

NAME = "rows.db"
_SCHEMA = (
    "create table compared(row_id text not null, kind text not null, field text not null, vendor_value text not null, "
    "our_value text not null, sentence text not null, cells text not null, said text not null, delivered text not null)"
)


def write_rows(folder: Path, comparisons: Iterable[Comparison], delivered: str) -> None:
    """Write the comparisons that are about a record to `folder`/rows.db, in place of those before; raises StoreError."""
    aside = folder / f".{NAME}.part"
    try:
        aside.unlink(missing_ok=True)
        with closing(sqlite3.connect(aside)) as db, db:
            db.execute(_SCHEMA)
            db.executemany(
                "insert into compared values (?,?,?,?,?,?,?,?,?)", (_line(made, delivered) for made in comparisons if made.row_id)
            )
            db.execute("create index compared_row on compared(row_id)")
        aside.replace(folder / NAME)
    except (OSError, sqlite3.Error) as exc:
        raise StoreError(f"cannot be written: {exc}", subject=str(folder / NAME), advice="Free space, then repeat the command.") from exc


def _line(made: Comparison, delivered: str) -> tuple[str, ...]:
    cells = json.dumps(made.row.cells if made.row else {}, ensure_ascii=False)
    said = json.dumps(_said(made.row) if made.row else {}, ensure_ascii=False)
    return made.row_id, made.kind.value, made.field, made.vendor_value, made.our_value, made.sentence, cells, said, delivered


def _said(row: VendorRow) -> dict[str, str]:
    """What a vendor's row says, in the words of a record; a day that is none of announcement is named by its kind."""
    day = str(row.announced or "") or next((f"{row.day} ({kind})" for kind, day in row.dates.items() if day == row.day), "")
    status = {Says.EVENT: "yes", Says.NO_EVENT: "no", Says.PENDING: "pending"}.get(row.says, "")
    names = ("issuer", "security", "ticker", "mic", "isin", "country")
    told = {name: str(getattr(row, name)) for name in names}
    return told | {"status": status, "announcement_date": day, "reason": " | ".join(row.reasons)}


def vendor_rows(run: Path, row_id: str) -> tuple[dict[str, str], ...]:
    """How the vendors of a run folder compare with one record: vendor, kind, field, vendor_value, our_value, sentence, delivered, each
    delivered column as `cell <column>`, and what it means as `says <field>`; () where none was compared."""
    found = []
    for path in sorted((run / "vendor").glob(f"*/{NAME}")):
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
                db.row_factory = sqlite3.Row
                rows = [dict(row) for row in db.execute("select * from compared where row_id = ?", (row_id,))]
        except sqlite3.Error:  # of another version; the audit writes it anew
            continue
        for row in rows:
            cells = {f"cell {name}": str(value) for name, value in json.loads(row.pop("cells")).items()}
            cells |= {f"says {name}": str(value) for name, value in json.loads(row.pop("said", "{}")).items()}
            found.append({"vendor": path.parent.name} | {name: str(value) for name, value in row.items() if name != "row_id"} | cells)
    return tuple(found)
