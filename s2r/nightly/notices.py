"""Telling people of a night: a webhook with the change report, and whatever `apprise` reaches (mail, chat). At least once, and marked.

A notice carries the number of its night and of its attempt, and each channel is noted once it has taken it; so one that is sent twice
(the service died between sending and noting) can be told from two nights.
"""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from s2r.errors import ConfigError, S2RError, SourceRefused
from s2r.net import Net, Role, open_limiter, open_net
from s2r.policy.schedule import Notices
from s2r.settings import Settings
from s2r.store import Store
from s2r.store.nights import RUNNING, Night, Nights

URLS, WEBHOOK = "S2R_NOTICE_URLS", "S2R_NOTICE_WEBHOOK"
MOST_CHANGES = 200  # in one notice; the report has all


@dataclass(frozen=True, slots=True)
class Notice:
    """What is told of a night. `report` is its change report as JSON types, cut to MOST_CHANGES changes (`more` are left out)."""

    night: int
    attempt: int
    title: str
    text: str
    report: Mapping[str, object] = field(default_factory=dict)
    more: int = 0

    @property
    def id(self) -> str:
        """The same for every attempt to tell of one night."""
        return f"s2r-night-{self.night}"


class Channel(Protocol):
    """A way to tell people. Raises S2RError, whose message holds no address."""

    name: str

    async def send(self, notice: Notice) -> None: ...


class Webhook:
    """Posts the notice as JSON to the operator's address."""

    name = "webhook"

    def __init__(self, net: Net, url: str) -> None:
        self._net, self._url = net, url

    async def send(self, notice: Notice) -> None:
        """Post once; an answer that is no success raises."""
        body = {
            "id": notice.id, "night": notice.night, "attempt": notice.attempt, "title": notice.title, "text": notice.text,
            "report": dict(notice.report), "changes_left_out": notice.more,
        }  # fmt: skip
        headers = {"Idempotency-Key": notice.id}
        reply = await self._net.post(self._url, data=json.loads(json.dumps(body, default=str)), headers=headers, redirects=False)
        if not 200 <= reply.status < 300:
            raise SourceRefused(f"answered {reply.status}", subject="webhook", advice=f"Check {WEBHOOK}.")


class Apprise:
    """Mail and chat, through the library of this name; its addresses hold passwords and are never shown."""

    name = "apprise"

    def __init__(self, urls: Sequence[str]) -> None:
        import apprise

        self._all = apprise.Apprise()
        for number, url in enumerate(urls, start=1):
            if not self._all.add(url):
                raise ConfigError(f"address {number} is none that apprise knows", subject=URLS, advice="See its list of services.")

    async def send(self, notice: Notice) -> None:
        """Send once to all addresses."""
        text = f"{notice.text}\n\n{notice.id}, attempt {notice.attempt}"
        if not await self._all.async_notify(title=notice.title, body=text):
            raise SourceRefused("an address did not take the notice", subject="apprise", advice=f"Check {URLS}.")


@dataclass(frozen=True)
class Addresses:
    """Where notices go; secrets."""

    urls: tuple[str, ...] = field(default=(), repr=False)
    webhook: str = field(default="", repr=False)


def read_addresses(env: Mapping[str, str]) -> Addresses:
    """The addresses of the environment; several for apprise are separated by spaces."""
    return Addresses(tuple(env.get(URLS, "").split()), env.get(WEBHOOK, "").strip())


def open_channels(addresses: Addresses, settings: Settings) -> tuple[Channel, ...]:
    """The channels that are set up; raises ConfigError for an address that cannot be used."""
    found: list[Channel] = []
    if addresses.webhook:
        net = open_net(Role.SEARCH, settings, open_limiter(settings), endpoints=[addresses.webhook], secrets=[addresses.webhook])
        found.append(Webhook(net, addresses.webhook))
    if addresses.urls:
        found.append(Apprise(addresses.urls))
    return tuple(found)


def is_due(night: Night, when: str) -> bool:
    """Whether a night is to be told."""
    counts = night.outcome.get("counts")
    found = counts if isinstance(counts, dict) else {}
    changed = any(found.get(kind) for kind in ("new", "changed", "withdrawn"))
    faulty = bool(found.get("failed") or night.outcome.get("over_budget") or night.outcome.get("error"))
    return when == "always" or (when == "changes" and (changed or faulty)) or (when == "faults" and faulty)


async def tell(out: Path, channels: Sequence[Channel], rule: Notices, now: dt.datetime) -> list[str]:
    """Tell every ended night of a folder that was not told; return what went wrong, in words. Each attempt is noted before it is made."""
    faults: list[str] = []
    with Store(out / "s2r.db") as store:
        nights = Nights(store)
        for night in nights.all():
            if night.state == RUNNING or night.told:
                continue
            if not channels or not is_due(night, rule.when):
                nights.tell(night, night.notice | {"none": "nobody is to be told"})
                continue
            faults += await _tell(nights, night, out, channels, rule, now)
    return faults


async def _tell(nights: Nights, night: Night, out: Path, channels: Sequence[Channel], rule: Notices, now: dt.datetime) -> list[str]:
    attempt = int(str(night.notice.get("attempts", 0))) + 1
    before = night.notice.get("taken")
    taken = [str(name) for name in before] if isinstance(before, list) else []
    state: dict[str, object] = {"attempts": attempt, "taken": taken}
    nights.tell(night, state)
    faults = []
    notice = make_notice(night, attempt, out)
    for channel in channels:
        if channel.name in taken:
            continue
        try:
            await channel.send(notice)
        except S2RError as exc:
            faults.append(f"night {night.id}, {channel.name}, attempt {attempt}: {exc}")
            continue
        taken.append(channel.name)
        nights.tell(night, state | {"taken": list(taken)})
    if not faults:
        nights.tell(night, state | {"taken": taken, "sent_at": now.isoformat()})
    elif attempt >= rule.tries:
        nights.tell(night, state | {"taken": taken, "none": f"given up after {attempt} attempts", "faults": faults})
    return faults


def make_notice(night: Night, attempt: int, out: Path) -> Notice:
    """What is told of a night: its numbers and its first changes."""
    try:
        report = json.loads((out / "nights" / f"{night.id:05d}" / "changes.json").read_text("utf-8"))
    except (OSError, ValueError):
        report = {}
    counts = night.outcome.get("counts")
    told = ", ".join(f"{n} {kind}" for kind, n in counts.items() if n) if isinstance(counts, dict) else ""
    changes = report.get("changes", []) if isinstance(report, dict) else []
    lines = [f"{c['kind']}: {c['issuer']} ({c['mic']}, {c['row_id']}): {c['why']}" for c in changes[:20]]
    trouble = str(night.outcome.get("error") or night.outcome.get("over_budget") or "")
    title = f"s2r night {night.id}: {told or 'nothing changed'}" + (" - NOT FINISHED" if trouble else "")
    rest = [f"... and {len(changes) - 20} more"] if len(changes) > 20 else []
    text = "\n".join([*([trouble] if trouble else []), *lines, *rest, f"Report: {out / 'nights' / f'{night.id:05d}' / 'report.html'}"])
    shown = report | {"changes": changes[:MOST_CHANGES]} if report else {}
    return Notice(night.id, attempt, title, text, shown, max(0, len(changes) - MOST_CHANGES))


def environment() -> Addresses:
    """The addresses of this process."""
    return read_addresses(os.environ)
