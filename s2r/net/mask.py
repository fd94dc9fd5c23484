"""Secrets leave the process only in requests: everything that is said, logged or raised passes through a `Mask`."""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus, urlsplit

SHOWN = "***"
_MIN_SECRET = 4  # shorter ones would mask ordinary text
_PARAMETER = re.compile(
    r"(?i)((?:^|[?&;\s\"'])(?:[\w-]*(?:api|access|subscription|auth|secret|private)[_-]?(?:key|token|secret)|key|token|password|passwd|pwd"
    r"|secret|signature|sig|authorization|x-api-key|x-subscription-token)=)[^&#\s\"']+"
)
_HEADER = re.compile(
    r"(?i)\b(authorization|proxy-authorization|x-[\w-]*(?:key|token)|api-key|cookie)(['\"]?\s*[:=,]\s*(?:b(?=['\"]))?['\"]?)(?:(?:bearer|basic|low)\s+)?"
    r"[^\s'\",;]+"
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}")
_USERINFO = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/?#@]+@")


class Mask:
    """Replaces known secrets in any of their written forms, and what looks like one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for secret in secrets if len(secret) >= _MIN_SECRET for form in _forms(secret)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        self._known = re.compile("|".join(map(re.escape, longest_first))) if forms else None

    def known(self, text: str) -> str:
        """`text` without the known secrets, otherwise unchanged: for addresses that are kept as evidence."""
        return self._known.sub(SHOWN, text) if self._known else text

    def __call__(self, text: str) -> str:
        """`text` without known secrets and without values that stand where secrets stand: for messages and logs."""
        text = _USERINFO.sub(rf"\1{SHOWN}@", self.known(text))
        text = _BEARER.sub(rf"\1 {SHOWN}", _HEADER.sub(rf"\1\2{SHOWN}", text))
        return _PARAMETER.sub(rf"\1{SHOWN}", text)

    def holds(self, exc: BaseException) -> bool:
        """Whether the words of an exception, or of one in its chain, hold a secret."""
        seen: set[int] = set()
        link: BaseException | None = exc
        while link is not None and id(link) not in seen:
            seen.add(id(link))
            words = f"{link} {link!r}"
            if self(words) != words:
                return True
            link = link.__cause__ or link.__context__
        return False


def quiet_wire_logs() -> None:
    """Keep the libraries below from logging headers: their debug lines show keys as they are."""
    for name in ("hpack", "h2", "h11", "httpcore", "httpx"):
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, logging.WARNING))


def secrets_of_proxy(url: str) -> tuple[str, ...]:
    """User's password in a proxy address, if there is one."""
    password = urlsplit(url).password if url else None
    return (password,) if password else ()


def _forms(secret: str) -> set[str]:
    """The ways a secret is written: plain, quoted for URLs, without line ends, and inside basic credentials."""
    plain = secret.strip()
    basic = {base64.b64encode(text.encode()).decode().rstrip("=") for text in (plain, f"{plain}:", f":{plain}")}
    forms = {secret, plain, quote(plain, safe=""), quote(plain), quote_plus(plain), *basic}
    forms |= {repr(secret)[1:-1]}
    return {form for form in forms if len(form) >= _MIN_SECRET}
