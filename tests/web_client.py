"""Browsers and programs at the web side of a run folder, in this process."""

from __future__ import annotations

import datetime as dt

from fastapi import FastAPI
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
