"""A service in a thread of its own with Debian's Chromium in front of it, for the tests of the workbench in a browser."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from factories import settings
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, expect, sync_playwright
from review_world import AT

from s2r.access import AccessStore, Role, Sessions, Users
from s2r.policy import Policy
from s2r.web.app import create_app, work_on
from s2r.web.desk import WebDesk
from s2r.web.entry import cookie_name
from s2r.web.serving import bind, serve_web

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-features=IsolateSandboxedIframes,Translate,OptimizationHints,MediaRouter", "--renderer-process-limit=2",
]  # fmt: skip
PEOPLE = {"anna": Role.REVIEWER, "ben": Role.REVIEWER, "cora": Role.ADJUDICATOR, "dora": Role.ADMIN, "vic": Role.VIEWER}
PASSWORD = "correct horse battery"
WAIT_MS = 60_000  # for a machine that is busy
expect.set_options(timeout=WAIT_MS)


@dataclass
class Service:
    """A service with users, and the browser; `faults` are what any page has said on its console, or loaded from elsewhere."""

    address: str
    app: FastAPI
    desk: WebDesk
    browser: Browser
    faults: list[str] = field(default_factory=list)

    @contextmanager
    def user(self, name: str, **options: object) -> Iterator[Page]:
        """A page of a browser window in which a user is logged in ("": nobody); it closes with the test."""
        context = self.browser.new_context(base_url=self.address, **options)  # type: ignore[arg-type]
        context.set_default_timeout(WAIT_MS)
        if name:
            with AccessStore(self.desk.access_path) as access:
                cookie = Sessions(access).start(name, "127.0.0.1", AT)
            context.add_cookies([{"name": cookie_name(self.desk), "value": cookie, "url": self.address}])
        page = context.new_page()
        self.watch(page)
        try:
            yield page
        finally:
            context.close()

    def work_on(self, out: Path) -> None:
        """Serve another folder, with the same users' names."""
        self.desk = replace(self.desk, out=out)
        people(self.desk)
        work_on(self.app, self.desk)

    def watch(self, page: Page) -> None:
        """Note whatever the page complains about, asks its user, or fetches from elsewhere."""
        page.on("console", lambda message: message.type in ("error", "warning") and self.faults.append(f"{page.url}: {message.text}"))
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        page.on("dialog", lambda dialog: (self.faults.append(f"{page.url}: dialog {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url.startswith((self.address, "data:")) or self.faults.append(f"request {request.url}"))


def people(desk: WebDesk) -> None:
    """Users of all roles; only anna has a password."""
    with AccessStore(desk.access_path) as access:
        for name, role in PEOPLE.items():
            if Users(access).get(name) is None:
                Users(access).add(name, role, PASSWORD if name == "anna" else None, AT)


@contextmanager
def serving(out: Path, policy: Policy, policies: Path, chromium: str) -> Iterator[Service]:
    """The service over a run folder, and a browser."""
    desk = WebDesk(out=out, policy=policy, policies=policies, settings=settings(), clock=lambda: AT, login=True)
    people(desk)
    listening = bind("127.0.0.1", 0)
    port = listening.getsockname()[1]
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    app = create_app(desk)
    thread = threading.Thread(target=lambda: loop.run_until_complete(serve_web(app, listening, stop)), daemon=True)
    thread.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            yield Service(f"http://127.0.0.1:{port}", app, desk, browser)
        finally:
            browser.close()
            loop.call_soon_threadsafe(stop.set)
            thread.join(20)
            loop.close()
