"""The web side: who is let in, by which role, with which headers."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from factories import settings
from fastapi import APIRouter
from prometheus_client.parser import text_string_to_metric_families
from web_client import NOW, app_on, client, token

from s2r.access import AccessStore, AuditLog, Role, Sessions, Users
from s2r.access.attempts import PER_ACCOUNT, WINDOW
from s2r.access.keys import IDLE
from s2r.policy import Policy
from s2r.web.app import check_roles, create_app, routes_of
from s2r.web.armour import OPEN
from s2r.web.desk import WebDesk

WORD = "correct horse battery"
HOST = "192.0.2.7"
COOKIE = "__Host-s2r"


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that cost next to nothing: what real ones cost is looked at where users are tested."""
    monkeypatch.setattr("s2r.access.users._HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@pytest.fixture
def desk(tmp_path: Path, policy: Policy, policies: Path) -> WebDesk:
    """A service on loopback over an empty run folder."""
    return WebDesk(out=tmp_path / "run", policy=policy, policies=policies, settings=settings(), clock=lambda: NOW)


@pytest.fixture
def outside(desk: WebDesk) -> WebDesk:
    """The same service bound to an address of the network, with a user of each role; only the reviewer has a password."""
    with AccessStore(desk.access_path) as access:
        for role in Role:
            Users(access).add(f"a-{role}", role, WORD if role is Role.REVIEWER else None, NOW)
    return replace(desk, host=HOST)


# ---- who is let in ----


def test_loopback_needs_no_login(desk: WebDesk) -> None:
    """On loopback the user is `local`, an admin or what the operator says; every answer carries the security headers."""
    answer = client(desk).get("/api/v1/me")
    assert (answer.status_code, answer.json()["name"], answer.json()["role"]) == (200, "local", "admin")
    assert "default-src 'none'; script-src 'self'; style-src 'self';" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert client(replace(desk, local_role=Role.VIEWER)).get("/api/v1/me").json()["role"] == "viewer"


def test_beyond_loopback_nobody_is_known(outside: WebDesk) -> None:
    """Bound to an address of the network, an API answers 401 as a problem and a page leads to the login."""
    web = client(outside, HOST)
    answer = web.get("/api/v1/me")
    assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json")
    page = web.get("/queue?x=1", headers={"accept": "text/html"})
    assert (page.status_code, page.headers["location"]) == (303, "/login?next=/queue%3Fx%3D1")
    assert web.get("/queue", headers={"hx-request": "true"}).headers["hx-redirect"] == "/login"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "[", "", "a/127.0.0.1"]
)
def test_a_foreign_name_gets_nothing(desk: WebDesk, host: str) -> None:
    """A page whose name was made to resolve to loopback (DNS rebinding) is refused; names that the operator allows are not."""
    assert client(desk).get("/healthz", headers={"host": host}).status_code == 421
    assert (
        client(replace(desk, hosts=("S2R.example",), login=False)).get("/healthz", headers={"host": "s2r.example:8443"}).status_code == 200
    )


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ({}, False),
        ({"host": "::1"}, False),
        ({"host": "localhost"}, False),
        ({"host": "0.0.0.0"}, True),
        ({"host": "::"}, True),
        ({"host": "s2r.example"}, True),
        ({"hosts": ("s2r.example",)}, True),
        ({"proxy_header": "X-Remote-User"}, True),
        ({"proxy_addresses": ("127.0.0.1",)}, True),
        ({"login": True}, True),
    ],
)
def test_when_a_login_is_asked_for(desk: WebDesk, change: dict[str, object], asked: bool) -> None:
    """A service that others can reach, itself or by a proxy beside it, asks for a login."""
    assert replace(desk, **change).needs_login is asked  # type: ignore[arg-type]


def test_a_proxy_before_a_service_without_login_is_refused(desk: WebDesk) -> None:
    """What a proxy on this machine passes on does not come from this machine."""
    answer = client(desk).get("/api/v1/me", headers={"x-forwarded-for": "203.0.113.9"})
    assert (answer.status_code, answer.json()["advice"]) == (403, "Start it with --login.")


# ---- login, sessions ----


def test_a_session_from_login_to_logout(outside: WebDesk) -> None:
    """The cookie is for this host over TLS and not for scripts; a login rotates it; after logout a copy of it is useless."""
    web = client(outside, HOST)
    form = web.get("/login?next=/queue")
    assert 'value="/queue"' in form.text
    answer = web.post("/login", data={"name": "a-reviewer", "password": WORD, "next": "/queue"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/queue")
    flags = answer.headers["set-cookie"].lower()
    assert all(flag in flags for flag in ("httponly", "samesite=lax", "secure", "path=/")), flags
    assert "domain" not in flags
    first = web.cookies[COOKIE]
    me = web.get("/api/v1/me").json()
    assert (me["name"], me["role"], me["via"]) == ("a-reviewer", "reviewer", "session")
    web.post("/login", data={"name": "a-reviewer", "password": WORD})
    second = web.cookies[COOKIE]
    assert second != first
    assert client(outside, HOST).get("/api/v1/me", headers={"cookie": f"{COOKIE}={first}"}).status_code == 401
    assert web.post("/logout").status_code == 403  # without the token of the form
    csrf = web.get("/api/v1/me").json()["csrf"]
    assert f'value="{csrf}"' in web.get("/logout").text
    assert web.post("/logout", data={"csrf_token": csrf}).headers["location"] == "/login"
    assert client(outside, HOST).get("/api/v1/me", headers={"cookie": f"{COOKIE}={second}"}).status_code == 401


@pytest.mark.parametrize("where", ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/a\nb", "", " /x"])
def test_a_login_leads_nowhere_else(outside: WebDesk, where: str) -> None:
    """`next` is a path of this service or nothing."""
    with AccessStore(outside.access_path) as access:
        assert Users(access).get("a-reviewer")
    answer = client(outside, HOST).post("/login", data={"name": "a-reviewer", "password": WORD, "next": where})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_what_is_typed_is_shown_inert(outside: WebDesk) -> None:
    """`next` with markup comes back as text, and the page allows no script and no frame."""
    answer = client(outside, HOST).get("/login", params={"next": '/"><script>alert(1)</script>'})
    assert "<script>" not in answer.text
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_too_many_attempts_wait_even_after_a_restart(outside: WebDesk) -> None:
    """Wrong words are refused alike for known and unknown names; then even the right word waits, in a new process too, until time is up."""
    web = client(outside, HOST)
    wrong = [web.post("/login", data={"name": "a-viewer", "password": "x"}) for _ in range(PER_ACCOUNT)]
    unknown = web.post("/login", data={"name": "nobody", "password": "x"})
    assert {answer.status_code for answer in [*wrong, unknown]} == {401}
    assert wrong[0].text == unknown.text
    late = client(outside, HOST, peer="203.0.113.80").post("/login", data={"name": "a-viewer", "password": WORD})
    assert (late.status_code, late.headers["retry-after"]) == (429, str(round(WINDOW.total_seconds())))
    after = replace(outside, clock=lambda: NOW + WINDOW + dt.timedelta(seconds=1))
    assert client(after, HOST).post("/login", data={"name": "a-viewer", "password": "x"}).status_code == 401
    with AccessStore(outside.access_path) as access:
        logins = [(line.user, line.outcome, line.address) for line in AuditLog(access).lines() if line.action == "login"]
    assert ("nobody", "refused", "198.51.100.4") in logins
    assert WORD not in str(logins)


def test_a_session_ends_when_it_is_not_used(outside: WebDesk) -> None:
    """After a working day without a request the cookie is useless."""
    with AccessStore(outside.access_path) as access:
        cookie = Sessions(access).start("a-admin", "", NOW)
    late = replace(outside, clock=lambda: NOW + IDLE + dt.timedelta(minutes=1))
    headers = {"cookie": f"{COOKIE}={cookie}"}
    assert client(outside, HOST).get("/api/v1/me", headers=headers).status_code == 200
    assert client(late, HOST).get("/api/v1/me", headers=headers).status_code == 401


# ---- requests that other sites make ----


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"X-CSRF-Token": "wrong"}, 403),
        ({"X-CSRF-Token": "MINE"}, 303),
        ({"X-CSRF-Token": "MINE", "Origin": "http://127.0.0.1"}, 303),
        ({"X-CSRF-Token": "MINE", "Origin": "http://127.0.0.1:9000"}, 403),
        ({"X-CSRF-Token": "MINE", "Origin": "https://evil.example"}, 403),
        ({"X-CSRF-Token": "MINE", "Origin": "null"}, 403),
        ({"X-CSRF-Token": "MINE", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"X-CSRF-Token": "MINE", "Sec-Fetch-Site": "same-origin"}, 303),
    ],
)
def test_an_unsafe_request_needs_the_token_of_its_user(desk: WebDesk, headers: dict[str, str], status: int) -> None:
    """On loopback too: a page of another site, or of another port of this machine, cannot act for the user."""
    web = client(desk)
    mine = web.get("/api/v1/me").json()["csrf"]
    given = {name: mine if value == "MINE" else value for name, value in headers.items()}
    assert web.post("/logout", headers=given).status_code == status


def test_a_login_from_another_site_is_refused(outside: WebDesk) -> None:
    """Another site cannot log a browser in as somebody else."""
    answer = client(outside, HOST).post("/login", data={"name": "a-reviewer", "password": WORD}, headers={"origin": "https://evil.example"})
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


# ---- tokens and proxies ----


def test_a_token_needs_no_form_token_and_nothing_stands_in_for_it(outside: WebDesk) -> None:
    """Programs send a token; one that does not work is refused even beside a good cookie, and on loopback."""
    assert client(outside, HOST).post("/logout", headers=token(outside, "a-viewer", Role.VIEWER)).status_code == 303
    for header in ("Bearer wrong", "Bearer ", "Basic YTpi"):
        assert client(replace(outside, host="127.0.0.1")).get("/api/v1/me", headers={"authorization": header}).status_code == 401


@pytest.mark.parametrize(
    ("peer", "name", "status", "role"),
    [
        ("10.1.2.3", "a-adjudicator", 200, "adjudicator"),
        ("::ffff:10.1.2.3", "a-adjudicator", 200, "adjudicator"),
        ("10.1.2.3", "somebody@corp.example", 200, "viewer"),
        ("10.1.2.3", "", 401, ""),
        ("10.9.9.9", "a-admin", 401, ""),
        ("testclient", "a-admin", 401, ""),
    ],
)
def test_a_proxy_names_its_user_from_known_addresses_only(outside: WebDesk, peer: str, name: str, status: int, role: str) -> None:
    """Single sign-on: the header counts from the addresses of the proxy, and is nothing from anywhere else."""
    desk = replace(outside, proxy_header="X-Remote-User", proxy_addresses=("10.1.2.0/24",), hosts=("s2r.example",))
    answer = client(desk, "s2r.example", peer).get("/api/v1/me", headers={"x-remote-user": name})
    assert (answer.status_code, answer.json().get("role", "")) == (status, role)


def test_a_header_that_comes_twice_names_nobody(outside: WebDesk) -> None:
    """What a browser sends under the name of the proxy's header never counts, even where the proxy lets it through."""
    desk = replace(outside, proxy_header="X-Remote-User", proxy_addresses=("10.1.2.3",))
    twice = [("x-remote-user", "a-admin"), ("x-remote-user", "a-viewer")]
    assert client(desk, HOST, "10.1.2.3").get("/api/v1/me", headers=twice).status_code == 401


def test_users_of_a_proxy_can_be_limited_to_those_that_were_added(outside: WebDesk) -> None:
    """With no role for strangers, only added users come in; what the proxy says of its peer is the address in the log."""
    desk = replace(outside, proxy_header="X-Remote-User", proxy_addresses=("10.1.2.3",), proxy_role=None)
    web = client(desk, HOST, "10.1.2.3")
    assert web.get("/api/v1/me", headers={"x-remote-user": "somebody"}).status_code == 401
    known = {"x-remote-user": "a-viewer", "x-forwarded-for": "198.51.100.1, 203.0.113.5, 10.1.2.3"}
    csrf = web.get("/api/v1/me", headers=known).json()["csrf"]
    assert web.post("/logout", headers=known).status_code == 403
    assert web.post("/logout", headers=known | {"x-csrf-token": csrf}).status_code == 303
    with AccessStore(desk.access_path) as access:
        (allowed, refused) = AuditLog(access).lines()
    assert (allowed.user, allowed.via, allowed.action, allowed.subject, allowed.outcome) == ("a-viewer", "proxy", "POST", "/logout", "303")
    assert allowed.address == "203.0.113.5"
    assert (refused.outcome, refused.at) == ("403", NOW.isoformat())


# ---- every route ----


def _routes(desk: WebDesk) -> list[tuple[str, str, Role | None]]:
    """Method, an address and the least role of every route of the application; parameters of a path are filled in."""
    found = []
    for route in routes_of(app_on(desk)):
        path = "/static/s2r.css" if route.path == "/static" else re.sub(r"\{[^}]+\}", "1", route.path)
        found += [(method, path, route.least) for method in route.methods]
    return found


def test_without_login_nothing_but_healthz_answers(outside: WebDesk) -> None:
    """Every route of the application, generated: beyond loopback, without a login, each is refused but /healthz and the way in."""
    web = client(outside, HOST)
    routes = _routes(outside)
    assert {path for _, path, _ in routes} > {"/api/v1/me", "/api/v1/openapi.json", "/metrics", "/readyz", "/static/s2r.css", "/logout"}
    refused = 0
    for method, path, _ in routes:
        answer = web.request(method, path)
        if path in OPEN:
            assert answer.status_code != 403, path
            continue
        assert answer.status_code == 401, (method, path, answer.status_code)
        assert method == "HEAD" or answer.json()["title"] == "Unauthorized"
        refused += 1
    assert refused == len([path for _, path, _ in routes if path not in OPEN])
    assert {path for path in OPEN if not path.startswith("/login")} == {"/healthz"}


def test_every_route_refuses_lower_roles(outside: WebDesk) -> None:
    """Every route of the application, generated: it declares a least role, each lower role gets 403, and from that role on none does."""
    web = client(outside, HOST)
    tokens = {role: token(outside, f"a-{role}", role) for role in Role}
    for method, path, least in _routes(outside):
        if path in OPEN:
            continue
        assert least is not None, path
        for role in Role:
            if role.may(least) and (method not in ("GET", "HEAD") or role is not least):
                continue  # what it does when it is allowed is tested elsewhere
            status = web.request(method, path, headers=tokens[role]).status_code
            assert (status == 403) is (not role.may(least)), (method, path, role, status)


@pytest.mark.parametrize("nested", [False, True])
def test_a_route_without_a_role_is_a_fault_at_the_start(desk: WebDesk, nested: bool) -> None:
    """Nobody can add a route, by itself or with a router, and forget who may use it."""
    app, router = create_app(desk), APIRouter()

    def forgotten() -> str:
        return ""

    (router if nested else app).get("/api/v1/forgotten")(forgotten)
    if nested:
        app.include_router(router)
    with pytest.raises(ValueError, match="/api/v1/forgotten declares no least role"):
        check_roles(app)


def test_a_body_of_a_stranger_is_capped(outside: WebDesk) -> None:
    """Whoever is not logged in cannot send much."""
    assert client(outside, HOST).post("/login", data={"name": "x", "next": "y" * 70_000}).status_code == 413


# ---- health ----


def test_ready_says_what_is_missing(desk: WebDesk) -> None:
    """A run folder without a store is alive and not ready; metrics say so too, in a form that Prometheus reads."""
    web = client(desk)
    assert web.get("/healthz").json() == {"status": "ok"}
    answer = web.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"] == {"store": "there is no store yet; the first night makes it", "policies": "ok", "last_night": "ok"}
    families = {family.name: family for family in text_string_to_metric_families(web.get("/metrics").text)}
    assert families["s2r_store_readable"].samples[0].value == 1
    assert families["s2r_info"].samples[0].labels["policy"] == desk.policy.policy_id
