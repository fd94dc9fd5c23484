"""A table file (CSV in any common encoding and separator, XLSX, Parquet, JSON lines) as rows of text; nothing is interpreted."""

from __future__ import annotations

import codecs
import csv
import io
import re
from pathlib import Path

from charset_normalizer import from_bytes

from s2r.errors import InputError
from s2r.universe.grid import HEADER_ROWS, IsHeader, Table, TableRow

_CANDIDATES = ["cp932", "gb18030", "cp949", "big5", "cp1252", "cp1250", "cp1251", "cp1254", "cp1253", "cp1255", "cp1256", "cp874"]
_LATIN = {"cp1250", "cp1252", "cp1254", "cp1257", "latin_1"}
_SEPARATORS = ",;\t|"
_SAMPLE = 400_000  # bytes looked at to tell an encoding or a separator
_ODD_CONTROL = re.compile(r"[\x01-\x08\x0e-\x19\x1b-\x1d\x7f]")  # not tab, line ends, NUL, form feeds and separators
_CELL_MAX = 1_000_000  # characters in one cell; more is an unclosed quote


def read_table(
    path: Path, is_header: IsHeader, *, called: str = "universe file", needs: str = "only the column issuer is required"
) -> Table:
    """Read a table file by its content, not by its name; raise `InputError` naming the file and what to do.

    `called` and `needs` are the words of its messages.
    """
    data = _bytes_of(path, called, needs)
    if data.startswith(b"PK\x03\x04"):
        from s2r.universe.workbook import read_xlsx

        return read_xlsx(path, data, is_header)
    if data.startswith(b"PAR1"):
        from s2r.universe.workbook import read_parquet

        return read_parquet(path)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError(
            "is an old Excel file or a password-protected workbook",
            subject=str(path),
            advice="Save it as XLSX without a password, or as CSV (UTF-8).",
        )
    if data.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"%PDF", b"7z\xbc\xaf", b"Rar!", b"\x89PNG", b"\xff\xd8\xff")):
        raise InputError(
            "is not a table (compressed file, PDF or image)",
            subject=str(path),
            advice="Unpack it, or save the table as CSV (UTF-8) or XLSX.",
        )
    text, encoding, guessed = decode(data, str(path))
    if text.lstrip()[:1] == "{":
        from s2r.universe.lines import read_lines

        return read_lines(path, text, encoding, guessed=guessed)
    return _read_csv(path, text, encoding, guessed=guessed, is_header=is_header)


def _bytes_of(path: Path, called: str, needs: str) -> bytes:
    if path.is_dir():
        raise InputError("is a folder", subject=str(path), advice=f"Give the {called} itself (CSV, XLSX, Parquet or JSON lines).")
    try:
        data = path.read_bytes()
    except FileNotFoundError as exc:
        raise InputError("not found", subject=str(path), advice=f"Check the path of the {called}.") from exc
    except OSError as exc:
        raise InputError(
            f"cannot be read: {exc.strerror or exc}", subject=str(path), advice=f"Check the permissions of the {called}."
        ) from exc
    if not data.strip(b"\x00\t\r\n \xef\xbb\xbf\xff\xfe"):
        raise InputError(
            "is empty",
            subject=str(path),
            advice=f"Give a table with a header line and at least one row; {needs}.",
        )
    return data


def decode(data: bytes, subject: str) -> tuple[str, str, bool]:
    """(text, encoding, guessed); byte order marks and UTF-8 are sure, the rest is told from the byte patterns."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return _decoded(data, encoding, subject), encoding, False
    sample = data[:_SAMPLE]
    nulls = sample.count(0)
    if nulls > len(sample) // 4:
        little = sample[1::2].count(0) >= sample[::2].count(0)
        encoding = "utf-16-le" if little else "utf-16-be"
        return _decoded(data, encoding, subject), encoding, True
    try:
        text, encoding, guessed = data.decode("utf-8"), "utf-8", False
    except UnicodeDecodeError as exc:
        encoding = _guess(data, subject, exc)
        text, guessed = data.decode(encoding), True
    odd = len(_ODD_CONTROL.findall(text, 0, _SAMPLE))
    if (odd > 8 and odd * 50 > min(len(text), _SAMPLE)) or nulls * 10 > len(sample):
        raise InputError("is not a text table (binary data)", subject=subject, advice="Save the table as CSV (UTF-8), XLSX or Parquet.")
    return text, encoding, guessed


def _decoded(data: bytes, encoding: str, subject: str) -> str:
    try:
        return data.decode(encoding).lstrip("\ufeff")
    except UnicodeDecodeError as exc:
        raise InputError(
            f"is damaged: not valid {encoding} at byte {exc.start}", subject=subject, advice="Save it again as UTF-8."
        ) from exc


def _guess(data: bytes, subject: str, cause: UnicodeDecodeError) -> str:
    # lines that hold other than ASCII tell more than the first bytes of a long file
    telling = b"\n".join(line for line in data.splitlines() if not line.isascii())[:_SAMPLE]
    ranked = [match.encoding for match in from_bytes(telling, cp_isolation=_CANDIDATES)]
    for encoding in (*ranked, "cp1252", "gb18030", "cp932", "cp949"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return _which_latin(data, encoding) if encoding in _LATIN else encoding
    advice = f"Byte {cause.start} is not UTF-8 and no other encoding fits; save the file as UTF-8."
    raise InputError("its encoding cannot be told", subject=subject, advice=advice)


def _which_latin(data: bytes, fallback: str) -> str:
    """Western, Central European or Turkish code page: the wrong one puts signs inside words ('Spó³ka', 'Þiþe')."""
    western = data.decode("cp1252", "replace")
    if re.search(r"[^\W\d_][³¹¿£¥¯]|[£¥¯][^\W\d_]{2}", western):
        wanted = "cp1250"
    elif re.search(r"A\.\s?Þ|[a-z][þýð]|Ý[a-zþS]", western) and not re.search(r"[áíúÁÍÚ]|\bhf\b", western):
        wanted = "cp1254"
    else:
        wanted = "cp1252"
    try:
        data.decode(wanted)
    except UnicodeDecodeError:
        return fallback
    return wanted


def _read_csv(path: Path, text: str, encoding: str, *, guessed: bool, is_header: IsHeader) -> Table:
    first = text[:200].split("\n", 1)[0].strip().strip('"')
    declared = re.fullmatch(r"sep=(.)", first, re.IGNORECASE)
    separator = declared[1] if declared else sniff_separator(text, is_header)
    header: tuple[str, ...] | None = None
    waiting: list[TableRow] = []
    rows: list[TableRow] = []
    for row in _records(path, text, separator):
        if declared and row.number == 1:
            continue
        if not any(cell.strip() for cell in row.cells):
            continue
        if header is None:
            if is_header(row.cells):
                header, waiting = row.cells, []
                continue
            waiting.append(row)
            if len(waiting) < HEADER_ROWS:
                continue
            header, rows, waiting = waiting[0].cells, waiting[1:], []
            continue
        rows.append(row)
    if header is None:
        if not waiting:
            raise InputError("holds no text but separators, quotes and blanks", subject=str(path), advice="Give a table with a header.")
        header, rows = waiting[0].cells, waiting[1:]
    return Table(tuple(cell.replace("\x00", "") for cell in header), tuple(rows), "csv", encoding, guessed)


def _records(path: Path, text: str, separator: str) -> list[TableRow]:
    previous_limit = csv.field_size_limit(_CELL_MAX)
    rows: list[TableRow] = []
    reader, nulls = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=False), "\x00" in text
    line = 1
    try:
        for cells in reader:
            if nulls and any("\x00" in cell for cell in cells):
                rows.append(TableRow(line, tuple(cell.replace("\x00", "") for cell in cells), ("NUL characters removed",)))
            else:
                rows.append(TableRow(line, tuple(cells), ()))
            line = reader.line_num + 1
    except csv.Error as exc:
        raise InputError(
            f"cannot be read at line {line}: {exc}", subject=str(path), advice="Close or double the quotes of that row."
        ) from exc
    finally:
        csv.field_size_limit(previous_limit)
    if rows and (last := rows[-1]).cells and _unclosed(text, separator, last):
        raise InputError(
            f"a quote opened at line {last.number} is never closed", subject=str(path), advice="Close or double the quotes of that row."
        )
    return rows


def _unclosed(text: str, separator: str, last: TableRow) -> bool:
    """True when the file ends inside a quoted cell."""
    tail = text.splitlines(keepends=True)[last.number - 1 :] if last.number > 1 else [text]
    try:
        list(csv.reader(io.StringIO("".join(tail), newline=""), delimiter=separator, strict=True))
    except csv.Error as exc:
        return "unexpected end of data" in str(exc)
    return False


def sniff_separator(text: str, is_header: IsHeader) -> str:
    """The separator that gives a known header, else the one that splits the first lines most evenly."""
    sample = text[:_SAMPLE] if len(text) <= _SAMPLE else text[: text.rfind("\n", 0, _SAMPLE) + 1 or _SAMPLE]
    best, best_score = ",", (False, 0, 0)
    for separator in _SEPARATORS:
        try:
            reader = csv.reader(io.StringIO(sample, newline=""), delimiter=separator)
            head = [tuple(cells) for _, cells in zip(range(HEADER_ROWS), reader, strict=False) if any(c.strip() for c in cells)]
        except csv.Error:
            continue
        known = any(is_header(cells) and len(cells) > 1 for cells in head)
        width = max((len(cells) for cells in head), default=0)
        even = sum(1 for cells in head if len(cells) == width and width > 1)
        if (score := (known, even, width)) > best_score:
            best, best_score = separator, score
    return best
