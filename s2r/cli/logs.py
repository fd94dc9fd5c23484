"""Logs of the service: plain lines or JSON lines on stderr, every one of them without secrets."""

from __future__ import annotations

import datetime as dt
import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import SplitResult, parse_qsl, urlsplit

from s2r.net.mask import SHOWN, Mask, quiet_wire_logs

_SECRET_NAME = re.compile(r"(?i)(?:key|token|secret|password|webhook|notice_urls)$")
_ADDRESS_NAME = re.compile(r"(?i)(?:proxy|url|urls)$")
_KEY_LENGTH = 8  # of a step of a path that may be a key; shorter ones are words
_TOKEN = re.compile(r"\bs2r_[\w-]{20,}")  # API tokens of s2r itself


class Secrets:
    """What no line of a log may hold: values of settings that are keys, passwords in addresses, tokens in any place."""

    def __init__(self, env: Mapping[str, str], file: Mapping[str, object]) -> None:
        self._mask = Mask(_secrets(env, file))

    def __call__(self, text: str) -> str:
        """`text` with secrets replaced."""
        return _TOKEN.sub(SHOWN, self._mask(text))


def _secrets(env: Mapping[str, str], file: Mapping[str, object]) -> Iterator[str]:
    own = {name: value for name, value in env.items() if name.startswith("S2R_")} | {name: str(value) for name, value in file.items()}
    for name, value in own.items():
        if _SECRET_NAME.search(name):
            yield value.strip()
            for part in value.split():
                yield part
                yield from _parts_of(part)
    for name, value in (dict(env) | own).items():
        if _ADDRESS_NAME.search(name):
            yield from filter(None, (_split(part).password for part in value.split()))


def _parts_of(address: str) -> Iterator[str]:
    """Password, keys in the path and values of the query of an address that is a secret, such as that of a webhook."""
    parts = _split(address)
    if parts.scheme:
        yield from filter(None, (parts.password, *(value for _, value in parse_qsl(parts.query))))
        yield from (step for step in parts.path.split("/") if len(step) >= _KEY_LENGTH and any(c.isdigit() or c.isupper() for c in step))


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


class _Lines(logging.Formatter):
    """One line for each event; `fields` of the event stand beside its message."""

    def __init__(self, secrets: Secrets, *, as_json: bool) -> None:
        super().__init__()
        self._secrets, self._json = secrets, as_json

    def format(self, record: logging.LogRecord) -> str:
        """The line, without secrets wherever they stand in it."""
        at = dt.datetime.fromtimestamp(record.created, dt.UTC)
        fields: dict[str, object] = getattr(record, "fields", {})
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        if not self._json:
            rest = "".join(f" {name}={_shown(value)}" for name, value in fields.items())
            return self._secrets(f"{at:%Y-%m-%d %H:%M:%S} {_shown(record.getMessage())}{rest}{chr(10) if trace else ''}{trace}")
        line: dict[str, object] = {"at": at.isoformat(timespec="milliseconds"), "level": record.levelname.lower(), "logger": record.name}
        line |= {"message": record.getMessage(), **fields} | ({"trace": trace} if trace else {})
        return json.dumps({name: self._clean(value) for name, value in line.items()}, ensure_ascii=False)

    def _clean(self, value: object) -> object:
        return value if isinstance(value, int | float | bool | None) else self._secrets(str(value))


def _shown(value: object) -> str:
    """A value on one line: what was sent to the service must not begin another one."""
    text = str(value)
    return text if text.isprintable() else repr(text)


@contextmanager
def open_logs(secrets: Secrets, *, as_json: bool) -> Iterator[None]:
    """Send the logs of s2r and of the libraries below it to stderr; those that would show headers stay quiet."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines(secrets, as_json=as_json))
    root, own = logging.getLogger(), logging.getLogger("s2r")
    root.addHandler(handler)
    own.setLevel(logging.INFO)
    quiet_wire_logs()
    try:
        yield
    finally:
        root.removeHandler(handler)
