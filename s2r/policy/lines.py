"""Line of every key in a TOML text that is known to be well-formed; tomllib itself gives none.

A key path is a tuple of names and list indexes, as in pydantic error locations: ("stage", "warning", 2, "pattern").
"""

from __future__ import annotations

import re

Path_ = tuple[str | int, ...]

_KEY = re.compile(r"""[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))[ \t]*(\.?)""")
_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
_SPACE = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_BARE = re.compile(r"[^,\]}\s#]+(?: \d[^,\]}\s#]*)?")


class _Scanner:
    """Walks one well-formed TOML text once and notes where each key and each list item begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path_, int] = {}
        self.counts: dict[Path_, int] = {}

    def note(self, path: Path_) -> None:
        self.lines.setdefault(path, self.text.count("\n", 0, self.at) + 1)

    def skip(self) -> None:
        if match := _SPACE.match(self.text, self.at):
            self.at = match.end()

    def key(self) -> tuple[str, ...]:
        names: list[str] = []
        while match := _KEY.match(self.text, self.at):
            names.append(next(g for g in match.groups()[:3] if g is not None))
            self.at = match.end()
            if not match.group(4):
                break
        return tuple(names)

    def prefix(self, names: tuple[str, ...]) -> Path_:
        """Path of a header: a name that is an array of tables stands for its last item."""
        path: Path_ = ()
        for name in names:
            path = (*path, name)
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
        return path

    def header(self) -> Path_:
        array = self.text.startswith("[[", self.at)
        start = self.at
        self.at += 2 if array else 1
        names = self.key()
        self.at, end = start, self.at
        for depth in range(1, len(names)):
            self.note(self.prefix(names[:depth]))
        if array:
            parent = (*self.prefix(names[:-1]), names[-1])
            self.note(parent)
            self.counts[parent] = self.counts.get(parent, 0) + 1
            path: Path_ = (*parent, self.counts[parent] - 1)
        else:
            path = self.prefix(names)
        self.note(path)
        self.at = self.text.index("]", end) + (2 if array else 1)
        return path

    def pair(self, table: Path_) -> None:
        self.skip()
        start = self.at
        names = self.key()
        self.at, end = start, self.at
        path = table
        for name in names:
            path = (*path, name)
            self.note(path)
        self.at = self.text.index("=", end) + 1
        self.value(path)

    def value(self, path: Path_) -> None:
        self.skip()
        char = self.text[self.at]
        if char in "[{":
            self.group(path, "]" if char == "[" else "}")
        elif match := (_STRING if char in "\"'" else _BARE).match(self.text, self.at):
            self.at = match.end()

    def group(self, path: Path_, close: str) -> None:
        self.at += 1
        index = 0
        while True:
            self.skip()
            if self.text[self.at] == close:
                self.at += 1
                return
            if self.text[self.at] == ",":
                self.at += 1
            elif close == "}":
                self.pair(path)
            else:
                self.note((*path, index))
                self.value((*path, index))
                index += 1

    def run(self) -> dict[Path_, int]:
        table: Path_ = ()
        while True:
            self.skip()
            if self.at >= len(self.text):
                return self.lines
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)


def key_lines(text: str) -> dict[Path_, int]:
    """1-based line of every key path in a well-formed TOML `text`."""
    return _Scanner(text).run()


def line_of(lines: dict[Path_, int], path: Path_) -> int:
    """Line of `path`, or of its nearest noted ancestor (a missing key is reported at its table); 1 for the whole file."""
    for end in range(len(path), 0, -1):
        if (line := lines.get(path[:end])) is not None:
            return line
    return 1


def dotted(path: Path_) -> str:
    """A key path as people write it: stage.warning[2].pattern."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")
