"""What an answer says about pace: Retry-After, rate headers, waits in the body, throttle pages, spent quotas. Pure.

Sources: RFC 9110 (Retry-After), the IETF RateLimit drafts, and the header and body shapes of the services that s2r speaks to.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

MAX_WAIT = 7 * 86_400.0  # a longer wait is a mistake or a spent month
_SPAN = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?\Z")
_DELAY = re.compile(rb'"(?:retryDelay|retry_after_seconds|retry_after)"\s*:\s*"?([\d.]+)')
_QUOTA = re.compile(
    r"insufficient_quota|no_more_credits|api_key_budget_exceeded|not enough credits|quota[_ ]exhausted|billing_hard_limit|plan limit"
    r"|credit balance is too low|usage limit exceeded|monthly quota|payment required",
    re.IGNORECASE,
)
_THROTTLE = re.compile(
    r"request rate threshold exceeded|rate limit(?:ed| exceeded)|too many requests|exceeded the (?:allowed )?(?:number|rate) of requests",
    re.IGNORECASE,
)
_TITLE = re.compile(rb"<title[^>]{0,200}>(.{0,300}?)</title>|<h1[^>]{0,200}>(.{0,300}?)</h1>", re.IGNORECASE | re.DOTALL)
_THROTTLE_WAIT = 600.0  # EDGAR lifts its threshold page after ten minutes of peace
_REMAINING = re.compile(r"remain(?:ing)?")
_EPOCH = 1_000_000_000
LIMITED = frozenset({429, 503, 529})


def is_limited(status: int, body: bytes = b"") -> bool:
    """Whether an answer says "slower": by its status, or a refusal that is a throttle page."""
    return status in LIMITED or (status == 403 and is_throttle_page(body))


def is_stored(headers: Mapping[str, str]) -> bool:
    """Whether an answer is a page that an archive kept (RFC 7089): its status and words were the site's, and say nothing of the pace."""
    return "memento-datetime" in headers


def is_throttle_page(body: bytes) -> bool:
    """Whether a page says by title or heading (or a short body as a whole) that too much was asked in too short a time."""
    heads = b" ".join(group for match in _TITLE.finditer(body[:20_000]) for group in match.groups() if group)
    return bool(_THROTTLE.search(heads.decode("latin-1")) or (len(body) < 600 and _THROTTLE.search(body.decode("latin-1"))))


def is_spent(status: int, body: bytes) -> bool:
    """Whether no wait helps: credits, plan or quota are used up (402, 432, 433, or a 429 whose body says so)."""
    if status in (402, 432, 433):
        return True
    return status in (429, 403, 400) and bool(_QUOTA.search(body[:20_000].decode("utf-8", "replace")))


def asked_wait(status: int, headers: Mapping[str, str], body: bytes, now: float) -> float | None:
    """Seconds to wait before the next request as the answer asks, None when it does not say; `now` is a Unix time."""
    found = [wait for wait in (retry_after(headers.get("retry-after", ""), now), rate_wait(headers, now)) if wait is not None]
    if status in LIMITED and (match := _DELAY.search(body[:20_000])):
        found.append(float(match.group(1)))
    if not found and status in (403, 429, 503) and b"<" in body[:200] and is_throttle_page(body):
        found.append(_THROTTLE_WAIT)
    return min(max(found), MAX_WAIT) if found else None


def retry_after(value: str, now: float) -> float | None:
    """Seconds of a Retry-After header: a number (also with a fraction or a unit), or an HTTP date."""
    value = value.strip()
    if not value:
        return None
    if re.fullmatch(r"\d+(?:\.\d+)?", value):
        return float(value)
    if (span := _span(value)) is not None:
        return span
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return _instant(value, now)
    return max(0.0, (when if when.tzinfo else when.replace(tzinfo=dt.UTC)).timestamp() - now)


def rate_wait(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds until the rate headers give room again; None when they say nothing or some is left in every window.

    Reads X-RateLimit-Remaining (or -Remain)/-Reset (single or comma lists, also -Requests and -Tokens), RateLimit-*, the RateLimit
    field of the drafts, and the anthropic-ratelimit-* family (RFC 3339 resets).
    """
    found = []
    for name, value in headers.items():
        low = name.lower()
        if "ratelimit" not in low.replace("-", "") or "remain" not in low:
            continue
        resets = headers.get(_REMAINING.sub("reset", low), "").split(",")
        for place, left in enumerate(value.split(",")):
            if left.strip() in ("0", "0.0") and place < len(resets) and (wait := _reset(resets[place].strip(), now)) is not None:
                found.append(wait)
    if match := re.search(r"(?:^|[;,\s])r(?:emaining)?=0\b.*?[;,\s]\s*(?:t|reset)=(\d+)", headers.get("ratelimit", "")):
        found.append(float(match.group(1)))
    return max(found) if found else None


def error_code(body: bytes) -> str:
    """The code that a JSON error body gives, "" when there is none; never raises."""
    try:
        data = json.loads(body[:200_000])
    except (ValueError, RecursionError):
        return ""
    error = data.get("error", data) if isinstance(data, dict) else None
    if isinstance(error, dict):
        return str(error.get("code") or error.get("type") or error.get("status") or error.get("message") or "")[:100]
    return str(error)[:100] if isinstance(error, str) else ""


def _reset(value: str, now: float) -> float | None:
    if re.fullmatch(r"\d+(?:\.\d+)?", value):
        number = float(value)
        if number > _EPOCH * 1000:
            number /= 1000
        return max(0.0, number - now) if number > _EPOCH else number
    span = _span(value)
    return span if span is not None else _instant(value, now)


def _span(value: str) -> float | None:
    """Seconds of "1s", "6m0s", "1h2m3.5s", "120ms"."""
    match = _SPAN.fullmatch(value)
    if not match or not any(match.groups()):
        return None
    days, hours, minutes, seconds, millis = (float(group or 0) for group in match.groups())
    return days * 86_400 + hours * 3600 + minutes * 60 + seconds + millis / 1000


def _instant(value: str, now: float) -> float | None:
    """Seconds until an RFC 3339 time; one without a zone is read as UTC."""
    try:
        when = dt.datetime.fromisoformat(value)
    except ValueError:
        return None
    return max(0.0, (when if when.tzinfo else when.replace(tzinfo=dt.UTC)).timestamp() - now)
