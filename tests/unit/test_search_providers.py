"""Search providers: the conformance suite over all of them and a third party's, their dialects, plans, accounts and prices."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from s2r.errors import BudgetExceeded, ConfigError, PolicyError, SourceBroken, SourceUnusable
from s2r.models import Listing, Query
from s2r.net import NO_RETRY
from s2r.net.reply import Reply
from s2r.policy import Policy
from s2r.search import brave, exa, google_cse, perplexity, searxng, serper, tavily, you
from s2r.search import search as search_all
from s2r.search.base import SearchAnswer, State
from s2r.search.caller import Account, Caller, Price, ProviderSpec, Request
from s2r.search.dialect import answer_of, fit, needed, read_list, read_object, text_of, with_site
from s2r.search.official import companies_house, edgar, gleif, openfigi
from s2r.search.plan import Chain, parse_plan, plan_text, with_hints
from s2r.search.registry import (
    PROVIDERS,
    all_set_ups,
    check_plan,
    default_plan,
    known_providers,
    load_prices,
    open_providers,
    operator_urls,
    read_accounts,
    search_limits,
    secrets_of,
    setting_names,
    unpriced,
)
from s2r.testing import SERVICES, Answer, Asked, Found, Seen, Service, World, fault, json_answer
from s2r.testing.conformance import CHECKS, Check, failures, trial, write_pool
from s2r.testing.registers import REGISTERS

REPO = Path(__file__).parents[2]
DAY, START = dt.date(2020, 12, 31), dt.date(2020, 1, 5)


# --- a provider of another package, as its author would write it


class Acme:
    """A search service that no one but this test knows."""

    name = "acme"

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        text = with_site(query, chars=300)
        headers = {"X-Acme": self._caller.account.key.get_secret_value()}
        request = Request("POST", self._caller.account.at("/find"), headers, data={"words": text, "most": min(limit, 10)}, sent=text)
        return await self._caller.ask(request, query, limit, read_acme)


def read_acme(reply: Reply, query: Query) -> SearchAnswer:
    """Hits of `list`."""
    data = read_object(reply)
    rows = needed(read_list(data, "list"), data, "list")
    return answer_of("acme", query, ((text_of(row, "at"), text_of(row, "title"), text_of(row, "text")) for row in rows))


def read_acme_request(seen: Seen, key: str) -> Asked | Answer:
    """What is asked of the service, or its refusal."""
    if seen.headers.get("x-acme") != key:
        return acme_error(401, "no")
    words, most = seen.data["words"], seen.data["most"]
    site = words.rpartition("site:")[2] if "site:" in words else ""
    return (
        Asked(words.partition("site:")[0], most, (site,) if site else ()) if len(words) <= 300 and most <= 10 else acme_error(400, "long")
    )


def render_acme(asked: Asked, found: Any) -> Answer:
    """Its answer."""
    return json_answer({"list": [{"at": hit.url, "title": hit.title, "text": hit.text} for hit in found]})


def acme_error(status: int, words: str) -> Answer:
    """Its refusals."""
    return json_answer({"error": words}, status)


SPEC = ProviderSpec(
    name="acme",
    title="Acme",
    url="https://search.acme.example",
    get_key="https://acme.example/keys",
    connect=Acme,
    price=Price(per_1000=2.0, as_of=dt.date(2026, 1, 1), source="acme"),
)
SERVICE = Service(
    "acme", "search.acme.example", "/find", read_acme_request, render_acme, acme_error,
    unserved=json_answer({"error": "down"}), absent=json_answer({}), absent_means="failed",
    broken=json_answer({"list": [{"title": "no address"}]}),
)  # fmt: skip
ENTRY = metadata.EntryPoint("acme", f"{__name__}:SPEC", "s2r.search_providers")


def entry(name: str, value: object) -> metadata.EntryPoint:
    """An entry point of this module that names `value`."""
    globals()[f"ENTRY_{name}"] = value
    return metadata.EntryPoint(name, f"{__name__}:ENTRY_{name}", "s2r.search_providers")


REGISTER_SPECS = (edgar.SPEC, companies_house.SPEC, openfigi.SPEC, gleif.SPEC)
ALL = {spec.name: spec for spec in (*PROVIDERS, SPEC)}
CONFORMING = ALL | {spec.name: spec for spec in REGISTER_SPECS}
DIALECTS = {service.name: service for service in (*SERVICES, *REGISTERS, SERVICE)}


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pool of the conformance suite."""
    return write_pool(tmp_path_factory.mktemp("pool"))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
@pytest.mark.parametrize("name", CONFORMING)
def test_every_provider_keeps_every_check(name: str, check: Check, pool: Path) -> None:
    """The conformance suite, one check and provider, or register, at a time."""
    asyncio.run(check.run(CONFORMING[name], DIALECTS, pool))


def test_the_suite_finds_a_provider_that_takes_failures_for_nothing_found(pool: Path) -> None:
    """A provider that gives `empty` for whatever it cannot read fails the suite."""

    class Careless(Acme):
        async def find(self, query: Query, limit: int) -> SearchAnswer:
            answer = await super().find(query, limit)
            return answer if answer.hits else SearchAnswer(state=State.EMPTY)

    spec = ProviderSpec("acme", "Acme", "https://search.acme.example", "https://acme.example", Careless)
    broken = {name for name, _ in asyncio.run(failures(spec, SERVICE, pool))}
    assert {"fault: HTML in 200", "fault: 429 without a hint", "fault: JSON cut in the middle", "fault: failure inside 200",
            "nothing is lost in bad weather"} <= broken  # fmt: skip


# --- dialects


def account(name: str, **options: str) -> Account:
    """An account of a provider at its usual address."""
    env = {f"S2R_{name.upper()}_KEY": f"k-{name}-5a", "S2R_SEARXNG_URL": "https://searx.example", **options}
    return read_accounts(env, {name: ALL[name]}, {})[name]


HINTED = Query(text='"Ostbeck Armaturen AG" Delisting', lang="de", site="ser.example", country="DE", after=START, before=DAY)
PLAIN = Query(text='"Ostbeck Armaturen AG"')


def test_brave_request_is_as_documented() -> None:
    """Address, key header, parameters and hints of Brave."""
    request = brave.build_request(HINTED, 40, account("brave"))
    assert (request.method, request.url) == ("GET", "https://api.search.brave.com/res/v1/web/search")
    assert request.headers == {"Accept": "application/json", "X-Subscription-Token": "k-brave-5a"}
    wanted = {"count": 20, "country": "DE", "search_lang": "de", "freshness": "2020-01-05to2020-12-31", "spellcheck": "false"}
    assert request.params["q"] == '"Ostbeck Armaturen AG" Delisting site:ser.example'
    assert wanted.items() <= dict(request.params).items()
    plain = brave.build_request(PLAIN, 5, account("brave")).params
    assert plain["country"] == "ALL"
    assert plain["count"] == 5
    assert not {"freshness", "search_lang"} & set(plain)


@pytest.mark.parametrize("module", [brave, exa, google_cse, perplexity, searxng, serper, tavily, you], ids=lambda module: module.NAME)
@pytest.mark.parametrize(("site", "host"), [("nyse.com", "nyse.com"), ("gob.mx/cnbv", "gob.mx"), ("rad.cvm.gov.br", "rad.cvm.gov.br")])
def test_every_dialect_carries_the_site_of_a_notice_page(module: Any, site: str, host: str) -> None:
    """Site-restricted queries reach every service, as an operator in the words or as a filter; a folder at least by its host."""
    options = {"S2R_GOOGLE_CSE_ENGINE": "e"} if module is google_cse else {}
    query = Query(text='"Ostbeck"', kind="official", site=site)
    request = module.build_request(query, 10, account(module.NAME, **options))
    bare = module.build_request(Query(text='"Ostbeck"'), 10, account(module.NAME, **options))
    sent, unsent = (json.dumps([dict(one.params), one.data]) for one in (request, bare))
    assert host in sent
    assert host not in unsent


@pytest.mark.parametrize(
    ("lang", "country", "code"),
    [
        ("ja", "JP", "jp"),
        ("no", "NO", "nb"),
        ("pt", "BR", "pt-br"),
        ("pt", "PT", "pt-pt"),
        ("zh-Hant", "TW", "zh-hant"),
        ("id", "ID", None),
    ],
)
def test_brave_writes_languages_its_own_way(lang: str, country: str, code: str | None) -> None:
    """Languages that Brave names otherwise are translated, those it does not know are left out."""
    query = Query(text="x", lang=lang, country=country)
    assert brave.build_request(query, 5, account("brave")).params.get("search_lang") == code


BODIES: tuple[tuple[Any, str, Mapping[str, str], Mapping[str, Any], frozenset[str]], ...] = (
    (
        tavily, "https://api.tavily.com/search", {"Authorization": "Bearer k-tavily-5a"},
        {"query": HINTED.text, "include_domains": ["ser.example"], "start_date": "2020-01-05", "end_date": "2020-12-31",
         "auto_parameters": False, "search_depth": "basic", "max_results": 20},
        frozenset({"start_date", "end_date", "include_domains", "country"}),
    ),
    (
        exa, "https://api.exa.ai/search", {"x-api-key": "k-exa-5a"},
        {"query": HINTED.text, "includeDomains": ["ser.example"], "startPublishedDate": "2020-01-05T00:00:00.000Z",
         "endPublishedDate": "2020-12-31T23:59:59.999Z", "userLocation": "DE"},
        frozenset({"startPublishedDate", "endPublishedDate", "includeDomains", "userLocation"}),
    ),
    (
        serper, "https://google.serper.dev/search", {"X-API-KEY": "k-serper-5a"},
        {"q": f"{HINTED.text} site:ser.example", "tbs": "cdr:1,cd_min:1/5/2020,cd_max:12/31/2020", "gl": "de", "hl": "de", "num": 10},
        frozenset({"tbs", "gl", "hl"}),
    ),
    (
        you, "https://ydc-index.io/v1/search", {"X-API-Key": "k-you-5a"},
        {"query": HINTED.text, "include_domains": ["ser.example"], "freshness": "2020-01-05to2020-12-31", "country": "DE", "language": "DE"},
        frozenset({"include_domains", "freshness", "country", "language"}),
    ),
    (
        perplexity, "https://api.perplexity.ai/search", {"Authorization": "Bearer k-perplexity-5a"},
        {"query": HINTED.text, "search_domain_filter": ["ser.example"], "search_after_date_filter": "01/05/2020",
         "search_before_date_filter": "12/31/2020", "country": "DE", "search_language_filter": ["de"], "max_results": 20},
        frozenset({"search_domain_filter", "search_after_date_filter", "search_before_date_filter", "country", "search_language_filter"}),
    ),
)  # fmt: skip


@pytest.mark.parametrize(("module", "url", "headers", "body", "hints"), BODIES, ids=[case[0].NAME for case in BODIES])
def test_posted_requests_are_as_documented(
    module: Any, url: str, headers: Mapping[str, str], body: Mapping[str, Any], hints: frozenset[str]
) -> None:
    """Address, key header, body, and the dialect of each hint; a query without hints sends none."""
    request = module.build_request(HINTED, 40, account(module.NAME))
    assert (request.method, request.url) == ("POST", url)
    assert headers.items() <= dict(request.headers).items()
    assert body.items() <= request.data.items()
    assert not hints & set(module.build_request(PLAIN, 5, account(module.NAME)).data)


def test_searxng_and_google_requests_are_as_documented() -> None:
    """SearXNG takes no dates; Google takes its key in the query string and dates as a sort order."""
    request = searxng.build_request(HINTED, 40, account("searxng"))
    assert (request.method, request.url) == ("GET", "https://searx.example/search")
    assert dict(request.params) == {
        "q": f"{HINTED.text} site:ser.example", "format": "json", "safesearch": 0, "pageno": 1, "language": "de",
    }  # fmt: skip
    request = google_cse.build_request(HINTED, 40, account("google_cse", S2R_GOOGLE_CSE_ENGINE="017:abc"))
    assert request.url == "https://www.googleapis.com/customsearch/v1"
    wanted = {"key": "k-google_cse-5a", "cx": "017:abc", "num": 10, "siteSearch": "ser.example", "sort": "date:r:20200105:20201231"}
    assert wanted.items() <= dict(request.params).items()
    assert "k-google" not in repr(request)


@pytest.mark.parametrize(
    ("text", "chars", "words", "sent"),
    [
        ('"Acme Corp" delisting', 400, 50, '"Acme Corp" delisting'),
        ('"Acme Corp" delisting notice', 21, 50, '"Acme Corp" delisting'),
        ('delisting "Acme Holdings Corporation"', 20, 50, "delisting Acme"),
        ("one two three four", 400, 3, "one two three"),
        ("無錫精密製造株式会社", 4, 50, "無錫精密"),
        ("  spaces   are  one ", 400, 50, "spaces are one"),
    ],
)
def test_queries_are_cut_at_words_and_keep_quotes_even(text: str, chars: int, words: int, sent: str) -> None:
    """A cut falls between words, and no quotation mark is left alone."""
    assert fit(text, chars=chars, words=words) == sent


def reply(data: Any, status: int = 200) -> Reply:
    """An answer of JSON."""
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    return Reply(
        url="https://x.example/", final_url="https://x.example/", status=status, headers=(("content-type", "application/json"),), body=body
    )


def test_dates_are_kept_as_snippet_text_only() -> None:
    """What a service says about the date of a page is text beside its snippet, whatever its form."""
    for date in ("3 days ago", "2024-03-04T13:00:00", "Mon, 04 Mar 2024 13:00:00 GMT"):
        found = perplexity.read_answer(
            reply({"results": [{"url": "https://a.example/1", "title": "A", "snippet": "S", "date": date}]}), PLAIN
        )
        assert found.hits[0].snippet == f"S [{date}]"
    null = perplexity.read_answer(reply({"results": [{"url": "https://a.example/1", "title": None, "snippet": None, "date": None}]}), PLAIN)
    assert null.hits[0].model_dump() == {
        "url": "https://a.example/1", "title": "", "provider": "perplexity", "rank": 1, "query": PLAIN.text, "snippet": "",
    }  # fmt: skip


def test_partial_results_are_kept_and_told() -> None:
    """Rows that cannot be used are left out and counted; engines that did not serve are named."""
    rows = [{"url": "https://a.example/1", "title": "A <strong>notice</strong>"}, None, {"title": "lost"}, "text"]
    answer = searxng.read_answer(reply({"results": rows, "unresponsive_engines": [["brave", "too many requests"]]}), PLAIN)
    assert answer.state is State.ANSWERED
    assert [hit.title for hit in answer.hits] == ["A notice"]
    assert answer.note == "engines that did not serve: brave too many requests; 3 of 4 results have no web address"


def test_searxng_with_lost_engines_and_no_result_is_a_failure() -> None:
    """Nothing found by engines that did not serve is not "nothing found"."""
    with pytest.raises(SourceBroken, match="duckduckgo timeout"):
        searxng.read_answer(reply({"results": [], "unresponsive_engines": [["duckduckgo", "timeout"]]}), PLAIN)
    assert searxng.read_answer(reply({"results": [], "unresponsive_engines": []}), PLAIN).state is State.EMPTY


def test_searxng_without_json_is_a_matter_of_set_up(pool: Path) -> None:
    """403 of a SearXNG server says which line of its settings to change."""

    async def run() -> str:
        async with trial(ALL["searxng"], pool) as seen:
            seen.world.script("searxng", lambda _, __: Answer(403, (("Content-Type", "text/html"),), b"<html>Forbidden</html>"))
            with pytest.raises(SourceUnusable) as told:
                await seen.find()
            return str(told.value)

    assert "settings.yml" in asyncio.run(run())


def test_an_error_keeps_no_trace_of_a_key_that_the_service_echoed(pool: Path) -> None:
    """Neither the words of the error nor the error that it replaces hold the key."""

    async def run() -> tuple[SourceUnusable, str]:
        async with trial(ALL["brave"], pool) as seen:
            key = seen.world.key("brave")
            seen.world.script("brave", lambda _, __: json_answer({"error": {"detail": f"bad key {key}"}}, 401))
            with pytest.raises(SourceUnusable) as told:
                await seen.find()
            return told.value, key

    error, key = asyncio.run(run())
    assert key not in str(error)
    assert error.__context__ is None


def test_reported_costs_are_booked_before_listed_ones() -> None:
    """Exa reports dollars, Tavily and Serper credits."""
    assert exa.read_cost(reply({"results": [], "costDollars": {"total": 0.012}})).usd == 0.012
    assert tavily.read_cost(reply({"results": [], "usage": {"credits": 2}})).credits == 2.0
    assert serper.read_cost(reply({"credits": 2})).credits == 2.0
    assert exa.read_cost(reply({"results": []})).usd is None


# --- plans


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("brave", (("brave",),)),
        ("brave,exa", (("brave",), ("exa",))),
        (" brave > serper , exa ", (("brave", "serper"), ("exa",))),
        ("BRAVE>exa>you", (("brave", "exa", "you"),)),
    ],
)
def test_plans_are_read(text: str, plan: tuple[tuple[str, ...], ...]) -> None:
    """Commas ask all, `>` asks the next after a failure."""
    assert parse_plan(text, ALL) == plan
    assert parse_plan(plan_text(plan), ALL) == plan


@pytest.mark.parametrize(
    ("text", "told"),
    [("bing", "no known provider"), ("brave,,exa", "missing"), ("", "missing"), ("brave>", "missing"), ("exa,exa", "twice")],
)
def test_wrong_plans_are_refused(text: str, told: str) -> None:
    """Unknown names, holes and repeats are configuration errors with advice."""
    with pytest.raises(ConfigError, match=told) as error:
        parse_plan(text, ALL)
    assert error.value.advice


def plan_world(pool: Path, text: str, *changes: tuple[str, str], queries: int = 1) -> tuple[list[SearchAnswer], dict[str, int]]:
    """Answers of the first chain of a plan while services have lasting faults, and the calls each service got."""

    async def run() -> tuple[list[SearchAnswer], dict[str, int]]:
        with World(pool) as world:
            plan = parse_plan(text, ALL)
            names = [name for chain in plan for name in chain]
            accounts = read_accounts(world.env(*names), ALL, load_prices(REPO / "policies"))
            for name, change in changes:
                world.always(name, fault(change))
            async with world.net(retry=NO_RETRY) as net:
                (provider, *_) = open_providers(plan, accounts, ALL, net)
                found = [await provider.find(Query(text='"Alderwick Instruments"'), 5) for _ in range(queries)]
            return found, {name: len(world.calls(name)) for name in names}

    return asyncio.run(run())


def test_the_next_provider_is_asked_when_one_fails(pool: Path) -> None:
    """A fallback answers in place of one that failed, and it is said after what."""
    (answer,), calls = plan_world(pool, "brave>exa", ("brave", "500"))
    assert answer.state is State.ANSWERED
    assert {hit.provider for hit in answer.hits} == {"exa"}
    assert answer.note.startswith("exa was asked after brave: the service failed")
    assert calls == {"brave": 1, "exa": 1}


def test_a_good_provider_needs_no_fallback(pool: Path) -> None:
    """The second of a chain is not paid for while the first serves."""
    (answer,), calls = plan_world(pool, "brave>exa")
    assert {hit.provider for hit in answer.hits} == {"brave"}
    assert calls == {"brave": 1, "exa": 0}


def test_a_spent_provider_is_asked_once_and_its_fallback_every_time(pool: Path) -> None:
    """After a used-up plan only the fallback is called."""
    answers, calls = plan_world(pool, "tavily>serper", ("tavily", "432 plan limit"), queries=3)
    assert all(answer.state is State.ANSWERED for answer in answers)
    assert calls == {"tavily": 1, "serper": 3}


def test_a_chain_that_fails_whole_is_a_failure_with_all_causes(pool: Path) -> None:
    """No link served: failed, never empty, and each cause is there."""
    (answer,), _ = plan_world(pool, "you>perplexity", ("you", "HTML in 200"), ("perplexity", "503 with Retry-After"))
    assert answer.state is State.FAILED
    assert "you: an HTML page" in answer.cause
    assert "perplexity: asked to slow down" in answer.cause


def test_a_chain_of_unusable_providers_is_unusable(pool: Path) -> None:
    """When no link will ever serve again, the chain is dropped too."""
    with pytest.raises(SourceUnusable, match=r"brave: .*exa: "):
        plan_world(pool, "brave>exa", ("brave", "402"), ("exa", "401"))


def test_fan_out_merges_pages_and_tells_each_provider(pool: Path, policy: Policy) -> None:
    """Two services asked side by side give each page once; a failed one is failed in the record, the other answered."""

    async def run() -> tuple[int, int, dict[str, str]]:
        with World(pool) as world:
            world.always("you", fault("500"))
            accounts = read_accounts(world.env("brave", "you", "exa"), ALL, {})
            async with world.net(retry=NO_RETRY) as net:
                providers = open_providers(parse_plan("brave,you,exa", ALL), accounts, ALL, net)
                listing = Listing(row_id="1", issuer="Brantholm Instruments", cutoff=DAY)
                found = await search_all(
                    listing, policy, providers, 40, queries=with_hints([Query(text='"Brantholm Instruments"')], country="us")
                )
        return len(found.hits), len({hit.url for hit in found.hits}), found.providers

    count, distinct, states = asyncio.run(run())
    assert count == distinct == 2
    assert states["brave"] == states["exa"] == "answered"
    assert states["you"].startswith("failed: 1 of 1 queries: the service failed")


def test_hints_are_put_on_queries() -> None:
    """The country of the venue in two letters; dates only when asked for."""
    (query,) = with_hints([Query(text="x")], country=" de ")
    assert (query.country, query.before) == ("DE", None)
    (query,) = with_hints([Query(text="x")], country="Germany", before=DAY)
    assert (query.country, query.before) == ("", DAY)


def test_a_chain_lets_the_budget_through() -> None:
    """A used-up budget is no failure of a provider: no other is tried."""

    class Spent:
        name = "spent"

        async def find(self, query: Query, limit: int) -> SearchAnswer:
            """Never."""
            raise BudgetExceeded("used up")

    with pytest.raises(BudgetExceeded):
        asyncio.run(Chain([Spent(), Spent()]).find(PLAIN, 5))


# --- accounts, prices, entry points


def test_accounts_come_from_the_environment_before_the_file() -> None:
    """Only providers that are set up have an account; the environment goes before s2r.toml."""
    env = {"S2R_BRAVE_KEY": " k1 ", "S2R_EXA_URL": "http://10.1.2.3:8080/exa", "S2R_BRAVE_RATE": "20", "S2R_GOOGLE_CSE_KEY": "g"}
    accounts = read_accounts(env, ALL, load_prices(REPO / "policies"), {"brave_key": "k2", "exa_key": "k3", "workers": 4})
    assert list(accounts) == ["brave", "exa"]
    assert accounts["brave"].key.get_secret_value() == "k1"
    assert accounts["exa"].at("/search") == "http://10.1.2.3:8080/exa/search"
    assert search_limits(accounts)["brave"].rate == 20.0
    assert operator_urls(accounts) == ("http://10.1.2.3:8080/exa",)
    assert secrets_of(accounts) == ("k1", "k3")
    assert default_plan(accounts, ALL) == (("brave",), ("exa",))


@pytest.mark.parametrize("base", ["https://gw.example/v", "https://gw.example/v/", "https://gw.example/v/res/v1/web/search"])
def test_an_address_may_be_a_base_or_whole(base: str) -> None:
    """The path of the service is added once."""
    found = read_accounts({"S2R_BRAVE_KEY": "k", "S2R_BRAVE_URL": base}, ALL, {})["brave"]
    assert brave.build_request(PLAIN, 1, found).url == "https://gw.example/v/res/v1/web/search"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("S2R_BRAVE_URL", "api.search.brave.com"), ("S2R_BRAVE_URL", "ftp://x.example"), ("S2R_BRAVE_URL", "https://u:planted-5@x.example"),
        ("S2R_BRAVE_URL", "http://["), ("S2R_BRAVE_RATE", "fast"), ("S2R_BRAVE_RATE", "0"), ("S2R_BRAVE_RATE", "nan"),
    ],
)  # fmt: skip
def test_wrong_settings_are_named_without_their_secrets(name: str, value: str) -> None:
    """The message names the variable and shows neither key nor password."""
    with pytest.raises(ConfigError) as error:
        read_accounts({"S2R_BRAVE_KEY": "planted-4", name: value}, ALL, {})
    assert name in str(error.value)
    assert "planted" not in str(error.value)


def test_a_provider_that_is_not_set_up_says_what_to_set() -> None:
    """The advice names every variable and where to get the key."""
    with pytest.raises(ConfigError, match=r"S2R_EXA_KEY .*dashboard\.exa\.ai"):
        check_plan((("exa",),), {}, ALL)
    with pytest.raises(ConfigError, match="S2R_GOOGLE_CSE_KEY and S2R_GOOGLE_CSE_ENGINE"):
        check_plan((("google_cse",),), {}, ALL)
    texts = all_set_ups(ALL)
    assert any("S2R_SEARXNG_URL" in text for text in texts)
    assert not any("GOOGLE" in text for text in texts)


def test_every_setting_has_a_name_for_the_settings_file() -> None:
    """s2r.toml names the settings in lower case."""
    names = setting_names(ALL)
    assert names["brave_key"] == ("brave", "key")
    assert names["google_cse_engine"] == ("google_cse", "engine")


def test_legacy_providers_are_only_used_when_named() -> None:
    """Google Programmable Search works when it is set up and named, and is in no default plan."""
    accounts = read_accounts({"S2R_GOOGLE_CSE_KEY": "g", "S2R_GOOGLE_CSE_ENGINE": "e"}, ALL, {})
    assert list(accounts) == ["google_cse"]
    assert default_plan(accounts, ALL) == ()


def test_every_provider_has_a_dated_price_with_its_source() -> None:
    """The price file covers all providers; a missing price is unknown, not free."""
    prices = load_prices(REPO / "policies")
    assert {spec.name for spec in PROVIDERS} <= set(prices)
    assert all(price.as_of and price.source for price in prices.values())
    accounts = read_accounts({"S2R_BRAVE_KEY": "k", "S2R_ACME_KEY": "k"}, ALL, {})
    assert accounts["brave"].price.usd is None
    assert accounts["acme"].price.usd == 0.002
    assert unpriced((("brave",), ("acme",)), accounts) == ("brave",)


@pytest.mark.parametrize("text", ["[search.brave]\nper_1000 = -1.0", "[search.brave]\nprize = 5.0", "[search", "search = 3"])
def test_a_wrong_price_file_is_a_policy_error(tmp_path: Path, text: str) -> None:
    """Unknown keys and impossible values are refused with the file's name."""
    (tmp_path / "prices.toml").write_text(text)
    with pytest.raises(PolicyError, match=r"prices\.toml"):
        load_prices(tmp_path)


def test_other_packages_offer_providers_by_entry_points() -> None:
    """An entry point of the group gives one more provider."""
    specs = known_providers([ENTRY])
    assert specs["acme"].title == "Acme"
    assert list(specs) == [*(spec.name for spec in PROVIDERS), "acme"]


@pytest.mark.parametrize(
    ("point", "told"),
    [
        (metadata.EntryPoint("gone", "no_such_module_77:SPEC", "s2r.search_providers"), "cannot be loaded"),
        (metadata.EntryPoint("gone", f"{__name__}:NO_SUCH", "s2r.search_providers"), "cannot be loaded"),
        (entry("text", "text"), "is no s2r.search.caller.ProviderSpec"),
        (entry("brave", brave.SPEC), "is in use"),
        (entry("odd", ProviderSpec("Odd Name", "Odd", "https://x.example", "", Acme)), "is not made of"),
    ],
)
def test_wrong_entry_points_are_refused_by_name(point: metadata.EntryPoint, told: str) -> None:
    """A broken package is named, and nothing is overwritten in silence."""
    with pytest.raises(ConfigError, match=told) as error:
        known_providers([point])
    assert point.name in str(error.value)


def test_found_is_what_a_service_renders() -> None:
    """The world's services and the readers of the providers agree on every field that is read."""
    row = Found("https://a.example/1", "Notice", "Acme will be removed.", "2020-03-04")
    for service in SERVICES:
        module = {
            "google_cse": google_cse,
            "brave": brave,
            "tavily": tavily,
            "exa": exa,
            "serper": serper,
            "searxng": searxng,
            "you": you,
        }.get(service.name, perplexity)
        answer = module.read_answer(reply(service.render(Asked("q", 10), [row]).body), PLAIN)
        assert [(hit.url, hit.title) for hit in answer.hits] == [(row.url, row.title)], service.name
        assert answer.hits[0].snippet.endswith("[2020-03-04]"), service.name
