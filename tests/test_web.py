"""The web side: who is let in, by which role, with which headers."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest
from factories import settings
from starlette.testclient import TestClient

from s2r.policy import Policy
from s2r.web.app import create_app
from s2r.web.desk import WebDesk

NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)


@pytest.fixture
def desk(tmp_path: Path, policy: Policy, policies: Path) -> WebDesk:
    """A service on loopback over an empty run folder."""
    return WebDesk(out=tmp_path, policy=policy, policies=policies, settings=settings(), clock=lambda: NOW)


def client(desk: WebDesk, host: str = "127.0.0.1") -> TestClient:
    """A browser without cookies that speaks to `host`."""
    return TestClient(create_app(desk), base_url=f"http://{host}", follow_redirects=False)


def test_loopback_needs_no_login(desk: WebDesk) -> None:
    """On loopback the user is `local`, an admin; every answer carries the security headers."""
    answer = client(desk).get("/api/v1/me")
    assert (answer.status_code, answer.json()["name"], answer.json()["role"]) == (200, "local", "admin")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_beyond_loopback_nobody_is_known(desk: WebDesk) -> None:
    """Bound to an address of the network, an API answers 401 as a problem and a page leads to the login."""
    web = client(replace(desk, host="192.0.2.7"), "192.0.2.7")
    answer = web.get("/api/v1/me")
    assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json")
    page = web.get("/queue?x=1", headers={"accept": "text/html"})
    assert (page.status_code, page.headers["location"]) == (303, "/login?next=/queue%3Fx%3D1")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "user@evil.example", "[", ""])
def test_a_foreign_name_gets_nothing(desk: WebDesk, host: str) -> None:
    """A page whose name was made to resolve to loopback (DNS rebinding) is refused."""
    assert client(desk).get("/api/v1/me", headers={"host": host}).status_code == 421
