"""Registers of identity: what they say of an issuer widens names and numbers, and never replaces what the universe says."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from factories import listing

from s2r.errors import ConfigError, SourceBroken, SourceTimeout
from s2r.job.live import LiveOptions
from s2r.job.probe import probe_live
from s2r.models import Listing
from s2r.net import NO_RETRY
from s2r.net.hints import rate_wait
from s2r.policy import Policy
from s2r.search.base import State
from s2r.search.caller import Caller, NoLedger, ProviderSpec
from s2r.search.official import companies_house, gleif, openfigi
from s2r.search.official.companies_house import CompaniesHouse, Entry, choose_entries
from s2r.search.official.gleif import GLEIF
from s2r.search.official.identity import Identity, IdentitySource, KnownName, identify, name_key, same_issuer, widened
from s2r.search.official.openfigi import OpenFIGI, mapping_jobs
from s2r.search.official.opening import COMPANIES_HOUSE, EDGAR, GLEIF_RECORDS, OPENFIGI
from s2r.search.queries import build_queries
from s2r.search.registry import read_accounts
from s2r.search.source import Source, SourceContext, read_source_values, setting_of
from s2r.settings import Settings
from s2r.testing import World, fault, json_answer
from s2r.testing.registers import lei_record

T = TypeVar("T")
ROW = listing(issuer="Alderwick Instruments Inc.", ticker="AWK", mic="XNYS", isin="US0000000001", lei="", cik="")


def connected(world: World, spec: ProviderSpec, use: Callable[[Any], Awaitable[T]]) -> T:
    """What `use` makes of a register connected to a world."""

    async def run() -> T:
        account = read_accounts(world.env(spec.name), {spec.name: spec}, {})[spec.name]
        async with world.net(retry=NO_RETRY) as net:
            return await use(spec.connect(Caller(account, net)))

    return asyncio.run(run())


# --- names and numbers


@pytest.mark.parametrize(
    ("issuer", "name", "same"),
    [
        ("Alderwick Instruments Inc.", "ALDERWICK INSTRUMENTS INC", True),
        ("Alderwick Instruments Inc.", "Alderwick Instruments Corporation", True),
        ("The Alderwick Company", "ALDERWICK CO", True),
        ("Alder & Wick plc", "ALDER AND WICK PUBLIC LIMITED COMPANY", True),
        ("Société Aldérique SA", "SOCIETE ALDERIQUE", True),
        ("Aetna Inc.", "AETNA INC /PA/", True),
        ("New Wick Inc. (formerly Alderwick Corp.)", "ALDERWICK CORP", True),
        ("海屿精密制造 (Haiyu Precision)", "Haiyu Precision", True),
        ("Alderwick Instruments Inc.", "Alderwick Holdings Inc.", False),
        ("Alderwick Inc.", "Alderwick Instruments Inc.", False),
        ("Spirit Airlines, Inc.", "Spirit Aviation Holdings, Inc.", False),
        ("Alderwick Inc.", "", False),
    ],
)
def test_names_agree_word_for_word(issuer: str, name: str, same: bool) -> None:
    """Legal form, case, accents and articles do not matter; another word does."""
    assert same_issuer(issuer, (name,)) is same


def test_an_empty_name_has_no_key() -> None:
    """Nothing agrees with nothing."""
    assert not name_key("")
    assert not same_issuer("", ("",))


def known(source: str, *former: str, **more: Any) -> Identity:
    """What a register says: the row's own name and former ones."""
    names = [KnownName(name="ALDERWICK INSTRUMENTS INC", source=source)]
    names += [KnownName(name=name, source=source, former=True, until=dt.date(2000 + place, 1, 1)) for place, name in enumerate(former)]
    return Identity(source=source, names=tuple(names), **more)


def test_missing_numbers_and_former_names_are_added() -> None:
    """Queries and matching get former names, the latest first and each once; numbers fill empty columns."""
    found = widened(
        ROW, [known("edgar", "Old Wick Corp", "Wick Optical Inc", cik="0001234567"), known("gleif", "WICK OPTICAL INC.", lei="L1")]
    )
    assert found.listing.issuer == "Alderwick Instruments Inc. (formerly Wick Optical Inc) (formerly Old Wick Corp)"
    assert (found.listing.cik, found.listing.lei, found.warnings) == ("0001234567", "L1", ())
    assert found.listing.model_copy(update={"issuer": ROW.issuer, "cik": "", "lei": ""}) == ROW


def test_what_the_universe_says_is_never_replaced() -> None:
    """A number of the row stays, a doubtful register adds nothing, and both doubt and failure are warnings."""
    row = ROW.model_copy(update={"cik": "77", "lei": "L9"})
    doubtful = known("gleif", "Bigco Inc", lei="L1", doubts=("LEI L9 is BIGCO, the row says Alderwick",))
    failed = Identity(source="openfigi", cause="no answer in time")
    found = widened(row, [known("edgar", cik="0001234567"), doubtful, failed])
    assert found.listing == row
    assert found.warnings == ("gleif: LEI L9 is BIGCO, the row says Alderwick", "openfigi: could not be asked: no answer in time")


def test_registers_that_disagree_add_no_number() -> None:
    """Two LEIs for one issuer: neither is used, and it is said."""
    found = widened(ROW, [known("edgar", lei="L1"), known("gleif", lei="L2")])
    assert found.listing.lei == ""
    assert "different numbers as LEI: L2 (gleif), L1 (edgar)" in found.warnings[0]


@pytest.mark.parametrize("name", ["", "   ", "Wick (Holdings) Ltd", "Alderwick Instruments Incorporated"])
def test_names_that_add_nothing_or_break_the_form_are_left_out(name: str) -> None:
    """Empty names, names with brackets, and the row's own name in another spelling."""
    assert widened(ROW, [known("edgar", name)]).listing == ROW


def test_former_names_reach_the_queries(policy: Policy) -> None:
    """A name that only a register knows is searched for."""
    texts = [query.text for query in build_queries(widened(ROW, [known("edgar", "Wick Optical Inc")]).listing, policy)]
    assert any("Wick Optical" in text for text in texts)
    assert not any("Wick Optical" in query.text for query in build_queries(ROW, policy))


class Broken:
    """A register that cannot be reached."""

    name = "broken"

    async def identify(self, listing: Listing) -> Identity | None:
        """Never an answer."""
        raise SourceTimeout("no answer in time")


class Silent:
    """A register that is not asked about such listings."""

    name = "silent"

    async def identify(self, listing: Listing) -> Identity | None:
        """Nothing."""
        return None


def test_a_register_that_fails_changes_nothing() -> None:
    """The row goes on as it is, with a warning; one that is not asked leaves no trace."""
    found = asyncio.run(identify(ROW, (Broken(), Silent())))
    assert found.listing == ROW
    assert found.warnings == ("broken: could not be asked: no answer in time",)


# --- GLEIF


def gleif_answer(*records: Any) -> Any:
    """An answer of GLEIF with these records."""
    return lambda _, __: json_answer({"meta": {}, "data": list(records)})


@pytest.mark.parametrize(
    ("records", "lei", "doubts", "notes"),
    [
        ((lei_record("L1", "ALDERWICK INSTRUMENTS INC", former=("WICK OPTICAL INC",)),), "L1", 0, "entity ACTIVE, registration ISSUED"),
        ((lei_record("L1", "NEW WICK INC", former=("ALDERWICK INSTRUMENTS INC",), status="INACTIVE"),), "L1", 0, "entity INACTIVE"),
        ((lei_record("L1", "BIGCO INC"),), "L1", 1, "entity ACTIVE"),
        ((), "", 0, "is not known"),
        ((lei_record("L1", "ALDERWICK INSTRUMENTS INC"), lei_record("L2", "OTHER INC")), "", 0, "has 2 records"),
    ],
)
def test_gleif_names_and_state(records: tuple[Any, ...], lei: str, doubts: int, notes: str) -> None:
    """The record of an LEI: legal and former names, state as a note; another entity is a doubt, several records are none."""
    with World() as world:
        world.script("gleif", gleif_answer(*records))
        found = connected(world, gleif.SPEC, lambda source: source.identify(ROW.model_copy(update={"lei": "L1"})))
        assert world.calls("gleif")[0].params["filter[lei]"] == "L1"
    assert isinstance(found, Identity)
    assert (found.lei, len(found.doubts)) == (lei, doubts)
    assert notes in "; ".join(found.notes)


def test_gleif_is_asked_by_isin_without_an_lei_and_not_by_name() -> None:
    """Names are too much alike to be asked for."""
    with World() as world:
        world.script("gleif", gleif_answer())
        connected(world, gleif.SPEC, lambda source: source.identify(ROW))
        assert world.calls("gleif")[0].params["filter[isin]"] == ROW.isin
        assert connected(world, gleif.SPEC, lambda source: source.identify(ROW.model_copy(update={"isin": ""}))) is None
        assert len(world.calls("gleif")) == 1


# --- OpenFIGI


def instruments(*names: str) -> dict[str, Any]:
    """The answer to one job."""
    return (
        {"data": [{"figi": "BBG000000001", "ticker": "AWK", "name": name} for name in names]}
        if names
        else {"warning": "No identifier found."}
    )


@pytest.mark.parametrize(
    ("answers", "doubts", "note"),
    [
        ([instruments("ALDERWICK INSTRUMENTS INC"), instruments("ALDERWICK INSTRUMENTS INC-CL A")], 0, ""),
        ([instruments("BIGCO INC"), instruments("ALDERWICK INSTRUMENTS INC")], 1, ""),
        ([instruments("ALDERWICK INSTRUMENTS INC"), instruments("NEWCO INC")], 0, "TICKER AWK is of NEWCO INC"),
        ([instruments(), instruments()], 0, "ISIN US0000000001 is not known"),
    ],
)
def test_openfigi_answers_align_with_jobs(answers: list[Any], doubts: int, note: str) -> None:
    """An ISIN of another company is a doubt; a ticker may have been given on, and is a note."""
    with World() as world:
        world.put("openfigi", "/v3/mapping", json_answer(answers))
        found = connected(world, openfigi.SPEC, lambda source: source.identify(ROW))
        sent = world.calls("openfigi")[0]
    assert isinstance(found, Identity)
    assert len(found.doubts) == doubts
    assert note in "; ".join(found.notes)
    assert sent.data == mapping_jobs(ROW)
    assert all(job["includeUnlistedEquities"] for job in sent.data)
    assert sent.data[1]["micCode"] == "XNYS"


@pytest.mark.parametrize(
    "answer",
    [[], [instruments("X")], [instruments("X"), {"error": "Invalid idValue format."}], {"error": "down"}, [instruments("X"), {}], None],
)
def test_openfigi_answers_that_do_not_align_are_broken(answer: Any) -> None:
    """Fewer answers than jobs, a failed job inside 200, or no list: nothing is taken from it."""
    with World() as world:
        world.put("openfigi", "/v3/mapping", json_answer(answer))
        with pytest.raises(SourceBroken):
            connected(world, openfigi.SPEC, lambda source: source.identify(ROW))


# --- Companies House

BRITISH = listing(issuer="Alderwick Instruments plc", mic="XLON", country="GB", isin="GB0000000001", cutoff=dt.date(2020, 12, 31))
PROFILE = {"company_number": "01234567", "company_name": "NEW WICK PLC", "company_status": "administration", "has_insolvency_history": True,
           "previous_company_names": [{"name": "ALDERWICK INSTRUMENTS PLC", "effective_from": "1980-01-02", "ceased_on": "2019-05-06"}]}  # fmt: skip


def entry(day: str, category: str, kind: str, transaction: str) -> dict[str, Any]:
    """A line of a filing history."""
    return {"date": day, "category": category, "type": kind, "description": f"{category} of {day}", "transaction_id": transaction}


HISTORY = [entry("2020-06-01", "insolvency", "AM01", "MzA0aaaa1"), entry("2020-05-01", "accounts", "AA", "MzA0aaaa2"),
           entry("2018-05-01", "change-of-constitution", "CERT10", "MzA0aaaa3"), entry("bad", "insolvency", "AM02", "MzA0aaaa4")]  # fmt: skip


def house(world: World, *, history: Any = None, profile: Any = PROFILE) -> World:
    """The world with one company, which is found by its former name."""
    company = {"title": "NEW WICK PLC", "company_number": "01234567", "company_status": "administration"}
    other = {"title": "ALDERWICK INSTRUMENTS (HOLDINGS) LTD", "company_number": "07654321"}
    world.script("companies_house", lambda _, __: json_answer({"items": [other, company], "total_results": 2}))
    world.put(
        "companies_house", "/company/07654321", {"company_number": "07654321", "company_name": "ALDERWICK INSTRUMENTS (HOLDINGS) LTD"}
    )
    world.put("companies_house", "/company/01234567", profile)
    lines = {"items": HISTORY, "total_count": len(HISTORY), "start_index": 0, "items_per_page": 100}
    world.put("companies_house", "/company/01234567/filing-history", lines if history is None else history)
    return world


def test_filings_of_a_british_company(policy: Policy) -> None:
    """Found under a name that it gave up; the insolvency page and the filings of the policy, as public pages; accounts stay unread."""
    with World() as world:
        answer = connected(house(world), companies_house.SPEC, lambda source: source.find_for(BRITISH, policy, 40))
        calls = world.calls("companies_house")
    assert answer.state is State.ANSWERED, answer.cause
    base = "https://find-and-update.company-information.service.gov.uk/company/01234567"
    assert [hit.url for hit in answer.hits] == [
        f"{base}/insolvency",
        f"{base}/filing-history/MzA0aaaa1/document?format=pdf&download=0",
        f"{base}/filing-history/MzA0aaaa3/document?format=pdf&download=0",
    ]
    assert all(call.headers["authorization"].startswith("Basic ") for call in calls)


def test_names_of_a_british_company() -> None:
    """The register gives present and former names; a name of before is the row's own."""
    with World() as world:
        found = connected(house(world), companies_house.SPEC, lambda source: source.identify(BRITISH))
    assert isinstance(found, Identity)
    assert [(one.name, one.former, str(one.until)) for one in found.names] == [
        ("NEW WICK PLC", False, "None"),
        ("ALDERWICK INSTRUMENTS PLC", True, "2019-05-06"),
    ]


@pytest.mark.parametrize("told", [fault("500"), fault("HTML in 200"), fault("429 without a hint"), fault("JSON cut in the middle")])
def test_a_history_that_fails_is_no_empty_answer(told: Any, policy: Policy) -> None:
    """Whatever the history fails by, the answer is failed, with the hits that are known."""
    with World() as world:
        house(world)
        world.script("companies_house", None, None, told)
        answer = connected(world, companies_house.SPEC, lambda source: source.find_for(BRITISH, policy, 40))
    assert answer.state is State.FAILED
    assert answer.cause
    assert [hit.url.rpartition("/")[2] for hit in answer.hits] == ["insolvency"]


def test_a_profile_that_is_none_fails(policy: Policy) -> None:
    """An answer in place of a profile is an error, not a company without filings."""
    with World() as world, pytest.raises(SourceBroken):
        connected(house(world, profile={"items": []}), companies_house.SPEC, lambda source: source.find_for(BRITISH, policy, 40))


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ({"isin": "GB0000000001", "country": "GB"}, True),
        ({"isin": "", "country": "GB"}, True),
        ({"isin": "US0000000001", "country": "GB"}, False),
        ({"isin": "GB0000000001", "country": "US"}, True),
        ({"isin": "", "country": "US"}, False),
    ],
)
def test_only_british_companies_are_asked_about(fields: dict[str, str], asked: bool, policy: Policy) -> None:
    """The ISIN tells where an issuer is at home, else the market."""
    with World() as world:
        answer = connected(world, companies_house.SPEC, lambda source: source.find_for(BRITISH.model_copy(update=fields), policy, 40))
        assert answer.state is State.EMPTY
        assert bool(world.calls("companies_house")) is asked


def test_entries_are_chosen_by_category_type_and_cutoff(policy: Policy) -> None:
    """Lines after the cutoff come after those before it."""
    lines = [Entry(dt.date(2020 + year, 1, 1), "insolvency", "AM01", "", f"t{year}") for year in range(5)]
    chosen = choose_entries(lines, policy.filings_of("companies_house"), dt.date(2022, 6, 1))
    assert [one.transaction for one in chosen] == ["t2", "t1", "t0", "t3"]


def test_a_spent_window_of_companies_house_is_waited_for() -> None:
    """Its header is called Remain, not Remaining, and resets at a Unix time."""
    headers = {"x-ratelimit-limit": "600", "x-ratelimit-remain": "0", "x-ratelimit-reset": "1795950300", "x-ratelimit-window": "5m"}
    assert rate_wait(headers, 1_795_950_100.0) == 200.0
    assert rate_wait({**headers, "x-ratelimit-remain": "5"}, 1_795_950_100.0) is None


# --- as parts of a run


def context(policy: Policy, policies: Any, values: dict[str, str], settings: Settings, net: Any = None) -> SourceContext:
    """What a register is opened with."""
    return SourceContext(values, settings, net, policy, policies, NoLedger(), lambda: dt.datetime(2026, 11, 1, tzinfo=dt.UTC))


def test_settings_of_the_registers() -> None:
    """EDGAR needs the contact of all requests, Companies House its key; without them they are not part of a run."""
    specs = {spec.name: spec for spec in (EDGAR, COMPANIES_HOUSE)}
    assert read_source_values({}, specs) == {}
    assert list(read_source_values({"S2R_CONTACT": "Acme ops@acme.example"}, specs)) == ["edgar"]
    assert read_source_values({"S2R_CONTACT": "Acme"}, specs, {"contact": "Acme ops@acme.example"}) == {}
    assert list(read_source_values({"S2R_COMPANIES_HOUSE_KEY": "k"}, specs, {"contact": "a@b.example"})) == ["edgar", "companies_house"]
    assert [setting_of("edgar", part) for part in EDGAR.parts] == ["S2R_EDGAR_URL", "S2R_CONTACT"]
    assert EDGAR.limits["sec.gov"].rate == 10.0
    assert COMPANIES_HOUSE.limits["companies_house"].rate == 2.0


def test_opening_without_what_is_needed_names_the_setting(policy: Policy, policies: Any) -> None:
    """A clear configuration error before any work."""
    with pytest.raises(ConfigError, match="S2R_CONTACT"):
        EDGAR.open(context(policy, policies, {}, Settings()))
    with pytest.raises(ConfigError, match="S2R_COMPANIES_HOUSE_KEY"):
        COMPANIES_HOUSE.open(context(policy, policies, {}, Settings()))


def test_registers_are_opened_from_the_settings(policy: Policy, policies: Any) -> None:
    """Every register opens with what it needs, and those that know issuers can be asked who one is."""
    settings = Settings(contact="Acme ops@acme.example")
    opened = [EDGAR.open(context(policy, policies, {}, settings)), COMPANIES_HOUSE.open(context(policy, policies, {"key": "k"}, settings))]
    registers = [*opened, *(spec.open(context(policy, policies, {}, settings)) for spec in (OPENFIGI, GLEIF_RECORDS))]
    assert all(isinstance(one, IdentitySource) for one in registers)
    assert [isinstance(one, Source) for one in registers] == [True, True, False, False]
    assert not OPENFIGI.default
    assert not GLEIF_RECORDS.default
    assert [one.name for one in registers] == ["edgar", "companies_house", "openfigi", "gleif"]
    assert isinstance(registers[1], CompaniesHouse)
    assert isinstance(registers[2], OpenFIGI)
    assert isinstance(registers[3], GLEIF)


@pytest.mark.parametrize("broken", ["", "edgar", "gleif"])
@pytest.mark.slow
def test_the_doctor_asks_every_register(broken: str, policies: Path) -> None:
    """One cheap call for each register that a run would ask; one that does not answer is a fault with its cause."""
    with World() as world:
        if broken:
            world.always(broken, fault("500"))
        env = world.env("brave", "edgar", "companies_house", "openfigi", "gleif")
        options = LiveOptions(search="brave,edgar,companies_house,openfigi,gleif", env=env)
        chosen = Settings(contact=env["S2R_CONTACT"], home=policies.parent)
        found = asyncio.run(
            probe_live(options, policies, chosen, lambda: dt.datetime(2026, 11, 1, tzinfo=dt.UTC), calls=True, page=world.origin)
        )
        asked = {one.check.removeprefix("search "): one.ok for one in found if one.check.startswith("search ")}
        assert asked == {name: name != broken for name in ("brave", "edgar", "companies_house", "openfigi", "gleif")}
        assert all(len(world.calls(name)) == 1 for name in asked)
