"""Browsers and programs at the web side of a run folder, in this process."""

from __future__ import annotations

import datetime as dt

from fastapi import FastAPI
from lxml import html as lxml_html
from starlette.testclient import TestClient

from s2r.access import AccessStore, Role, Tokens
from s2r.web.app import create_app, work_on
from s2r.web.desk import WebDesk

NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
_APP: list[FastAPI] = []  # one application for all tests: making it anew takes longer than most of them


def app_on(desk: WebDesk) -> FastAPI:
    """The application on a run folder."""
    if not _APP:
        _APP.append(create_app(desk))
    work_on(_APP[0], desk)
    return _APP[0]


def client(desk: WebDesk, host: str = "127.0.0.1", peer: str = "198.51.100.4") -> TestClient:
    """A browser without cookies at the address `peer` that speaks to `host`."""
    scheme = "https" if desk.secure_cookies else "http"
    return TestClient(app_on(desk), base_url=f"{scheme}://{host}", follow_redirects=False, client=(peer, 50000))


def token(desk: WebDesk, name: str, role: Role) -> dict[str, str]:
    """The header of a new token of a user."""
    with AccessStore(desk.access_path) as access:
        return {"Authorization": f"Bearer {Tokens(access).create(name, 'test', role, NOW)[1]}"}


class Browser:
    """A user on loopback who follows links and sends forms, without scripts."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def get(self, address: str, status: int = 200) -> lxml_html.HtmlElement:
        """A page."""
        answer = self.client.get(address)
        assert answer.status_code == status, answer.text[:2000]
        return lxml_html.fromstring(answer.text)

    def send(self, form: lxml_html.HtmlElement, status: int = 200, to: str = "", **changes: object) -> lxml_html.HtmlElement:
        """Send a form as it stands, with changes; a change to None leaves a field out. `to`: where a button of it sends it."""
        fields: dict[str, list[str]] = {}
        for name, value in form.form_values():
            fields.setdefault(name, []).append(value)
        for name, value in changes.items():
            fields[name] = [] if value is None else [str(v) for v in value] if isinstance(value, list) else [str(value)]
        answer = self.client.post(to or form.get("action"), data=fields)
        assert answer.status_code == status, answer.text[:2000]
        return lxml_html.fromstring(answer.text)


def text_of(element: lxml_html.HtmlElement) -> str:
    """The text of an element on one line."""
    return " ".join(element.text_content().split())


def form_to(page: lxml_html.HtmlElement, action: str) -> lxml_html.HtmlElement:
    """The form of a page that is sent to an address."""
    return next(form for form in page.forms if form.get("action") == action)
