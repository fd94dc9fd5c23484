"""Queries name the listing in every form and language that pages use, in a fixed order; answers are merged honestly."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2r.errors import SourceError, SourceUnusable
from s2r.models import Hit, Listing, Query
from s2r.policy import EventDefinition, Lexicon, OfficialSource, Policy, Venue
from s2r.search import SearchAnswer, State, build_queries, canonical_url, merge_hits, search
from s2r.search.queries import script_language, short_names

CUTOFF = dt.date(2020, 12, 31)
VENUES = [
    Venue(mic="XFRA", name="Frankfurter Wertpapierbörse", country="DE", languages=("de",), timezone="Europe/Berlin",
          aliases=("Frankfurt Stock Exchange", "FWB"), terms=("Widerruf der Zulassung",),
          official=(OfficialSource(name="Börse", domain="boerse.example", kind="exchange"),
                    OfficialSource(name="Register", domain="register.example", kind="filing"),
                    OfficialSource(name="Börse again", domain="boerse.example", kind="exchange"))),
    Venue(mic="XTKS", name="Tokyo Stock Exchange", country="JP", languages=("ja",), timezone="Asia/Tokyo",
          aliases=("TSE", "東京証券取引所")),
    Venue(mic="XBOM", name="BSE Limited", country="IN", languages=("en", "hi"), timezone="Asia/Kolkata",
          aliases=("BSE", "बीएसई", "孟买证券交易所")),
    Venue(mic="XNYS", name="New York Stock Exchange", country="US", languages=("en",), timezone="America/New_York",
          aliases=("NYSE", "紐約證券交易所", "ニューヨーク証券取引所", "뉴욕증권거래소")),
]  # fmt: skip
LEXICONS = {
    "en": ("delisting", "cancellation of listing", "Form 25"),
    "de": ("Delisting", "Widerruf der Zulassung"),
    "ja": ("上場廃止", "整理銘柄"),
    "zh-Hant": ("撤銷上市",),
}
POLICY = Policy(
    definition=EventDefinition.model_construct(name="delisting", version="1"),
    lexicons={lang: Lexicon(language=lang, query=words) for lang, words in LEXICONS.items()},
    date_lexicons={},
    venues={venue.mic: venue for venue in VENUES},
    sources=(),
    digest="0" * 64,
)


def listing(issuer: str, **more: str) -> Listing:
    return Listing.model_validate({"row_id": "1", "issuer": issuer, "cutoff": CUTOFF, **more})


def texts(row: Listing, kind: str = "") -> list[str]:
    return [query.text for query in build_queries(row, POLICY) if not kind or query.kind == kind]


OSTBECK = listing("Ostbeck Armaturen AG", mic="XFRA", ticker="OBA", isin="DE000A1QZ7K9", venue="Frankfurt")


def test_names_are_asked_in_full_and_short_with_the_event_in_market_languages() -> None:
    """The full name, the name without legal form, and the event's best words in German and English."""
    assert texts(OSTBECK, "name") == [
        '"Ostbeck Armaturen AG"',
        '"Ostbeck Armaturen"',
        '"Ostbeck Armaturen" Delisting',
        '"Ostbeck Armaturen" Widerruf der Zulassung',
        '"Ostbeck Armaturen" cancellation of listing',
        '"Ostbeck" Delisting FWB',
    ]


@pytest.mark.parametrize("mic", sorted(path.stem.upper() for path in (Path(__file__).parents[2] / "policies/venues").glob("*.toml")))
def test_every_venue_is_asked_for_its_own_notices(mic: str, policy: Policy) -> None:
    """The first queries of a listing go to the sites of its venue, as hosts or folders that a search service can filter by."""
    venue = policy.venues[mic]
    listing = Listing(row_id="1", issuer="Alderwick Instruments Inc.", mic=mic, country=venue.country, cutoff=CUTOFF)
    sites = [query.site for query in build_queries(listing, policy) if query.kind == "official"]
    assert sites
    assert sites == list(dict.fromkeys(source.domain for source in venue.official))[: len(sites)]
    assert all(re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+(/[\w-]+)*", site) for site in sites)


def test_official_sources_come_first_and_once() -> None:
    """Site-restricted queries lead, one per domain."""
    queries = build_queries(OSTBECK, POLICY)
    assert [(q.kind, q.site) for q in queries[:3]] == [("official", "boerse.example"), ("official", "register.example"), ("name", "")]
    assert queries[0].lang == "de"


def test_local_names_are_queries_of_their_own() -> None:
    """A name in Japanese is asked with and without legal form and with Japanese words; Japanese words do not go with the Latin name."""
    row = listing("Minase Optical Industries Co. Ltd. (みなせ光学工業株式会社)", mic="XTKS", ticker="7789")
    assert texts(row, "local")[:4] == [
        '"みなせ光学工業株式会社"',
        '"みなせ光学工業"',
        '"みなせ光学工業" 上場廃止',
        '"みなせ光学工業" 整理銘柄',
    ]
    assert '"みなせ光学" 上場廃止 TSE' in texts(row)
    assert '"Minase Optical Industries" 上場廃止' not in texts(row)
    assert '"Minase Optical Industries" delisting' in texts(row)


def test_former_names_are_asked() -> None:
    """A 'formerly' in the issuer field becomes queries under the old name."""
    row = listing("Wannock Copper Inc. (formerly Owikeno Metals Ltd.)", mic="XNYS")
    assert {'"Owikeno Metals Ltd."', '"Owikeno Metals"', '"Owikeno Metals" delisting'} <= set(texts(row))


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"ticker": "T"}, ['"T" "NYSE"']),
        ({"ticker": "HL"}, ['"HL" "NYSE"']),
        ({"ticker": "HLQ"}, ['"HLQ" NYSE']),
        ({"ticker": "FWD.PR.A"}, ['"FWD.PR.A" NYSE']),
        ({"ticker": "T", "mic": ""}, ['"T" "New York"']),
        ({"ticker": "T", "mic": "", "venue": ""}, []),
        ({"isin": "US40537P1021", "lei": "529900T8BM49AURSDO55"}, ['"US40537P1021"', '"529900T8BM49AURSDO55"']),
        ({"cik": "0001927440"}, ['"1927440" CIK']),
        ({"cik": "n/a"}, []),
    ],
)
def test_identifiers(more: dict[str, str], expected: list[str]) -> None:
    """A ticker of one or two letters is never asked without its venue, nor at all when the venue is unknown; a CIK is a number."""
    row = listing("Hailing Offshore Engineering Company Limited", **{"mic": "XNYS", "venue": "New York (main)", **more})
    assert texts(row, "identifier") == expected


def test_two_letter_tickers_never_stand_alone() -> None:
    """Whatever else is missing, no query is a bare short ticker."""
    for ticker in ("T", "F", "HL", "7"):
        for mic in ("", "XNYS"):
            assert f'"{ticker}"' not in texts(listing("", ticker=ticker, mic=mic))


@pytest.mark.parametrize(
    ("core", "shorts"),
    [
        ("Kurrajong Ridge Resources", ("Kurrajong Ridge", "Kurrajong")),
        ("Établissements Corvaisier", ("Corvaisier",)),
        ("Oyan Crest Microfinance Bank", ("Oyan Crest",)),
        ("Boso Suisan Foods", ("Boso Suisan",)),
        ("海屿精密制造", ("海屿精密", "海屿")),
        ("文東地產國際", ("文東地產", "文東")),
        ("Polmetrix", ()),
        ("", ()),
    ],
)
def test_short_names(core: str, shorts: tuple[str, ...]) -> None:
    """The line of business falls away; one word stands alone only when it can point at one company."""
    assert short_names(core) == shorts


def test_notices_in_a_script_whose_name_is_unknown_are_found_by_the_venue() -> None:
    """An Indian company without a Hindi name, and a receipt whose issuer is at home elsewhere, get queries on the venue."""
    assert texts(listing("Vindhya Spintex Limited", mic="XBOM"), "venue")[-1:] == ['"बीएसई"']
    receipt = texts(listing("Hailing Offshore Engineering Company Limited", mic="XNYS", security_type="adr"), "venue")
    assert '"紐約證券交易所" 撤銷上市' in receipt
    assert not any("紐約" in text for text in texts(listing("Marrowick Energy Corporation", mic="XNYS", security_type="common")))


@pytest.mark.parametrize(
    ("name", "lang"),
    [("纽约证券交易所", "zh-Hans"), ("紐約證券交易所", "zh-Hant"), ("東京証券取引所", "ja"), ("ニューヨーク", "ja"), ("紐交所", ""),
     ("뉴욕증권거래소", "ko"), ("बीएसई", "hi"), ("بورصة لندن", "ar"), ("NYSE", ""), ("", "")],
)  # fmt: skip
def test_script_language(name: str, lang: str) -> None:
    """The script of an exchange's name tells its language where it can."""
    assert script_language(name) == lang


def test_listing_without_venue_or_name_still_gives_queries() -> None:
    """An unknown venue falls back to English; without a name the identifiers are asked; with nothing there is nothing to ask."""
    assert '"Ostbeck Armaturen" delisting' in texts(listing("Ostbeck Armaturen AG", mic="ZZZZ"))
    assert texts(listing("", isin="DE000A1QZ7K9")) == ['"DE000A1QZ7K9"']
    assert texts(listing("")) == []


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60), st.sampled_from(["", "XFRA", "XTKS", "XNYS"]), st.text(max_size=8))
def test_any_listing_gives_distinct_queries_in_a_fixed_order(issuer: str, mic: str, ticker: str) -> None:
    """Random names never raise; queries are distinct, balanced in their quotation marks, and the same every time."""
    row = listing(issuer, mic=mic, ticker=ticker)
    queries = build_queries(row, POLICY)
    assert queries == build_queries(row, POLICY)
    assert len({(q.text.casefold(), q.site) for q in queries}) == len(queries)
    assert all(q.text.count('"') % 2 == 0 for q in queries)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://A.example/p", "https://a.example:443/p/", True),
        ("https://a.example/p#x", "https://a.example/p?utm_source=feed", True),
        ("https://a.example/p?id=1", "https://a.example/p?id=2", False),
        ("https://a.example/P", "https://a.example/p", False),
        ("https://a.example:8080/", "https://a.example/", False),
        ("https://[::1]/x", "https://[::1]:443/x", True),
        ("http://[bad", "http://[bad ", True),
    ],
)
def test_canonical_urls(one: str, other: str, same: bool) -> None:
    """Addresses that differ only in ways no server cares about are one page; queries and letter case of paths count."""
    assert (canonical_url(one) == canonical_url(other)) is same


def hit(url: str, rank: int, query: str = "q") -> Hit:
    return Hit(url=url, provider="p", rank=rank, query=query)


def test_merged_hits_are_distinct_and_by_best_rank() -> None:
    """A page found by several queries comes once, at its best rank, before pages that fewer queries found."""
    merged = merge_hits([
        [hit("https://a.example/1", 1), hit("https://a.example/2", 2)],
        [hit("https://a.example/3", 1), hit("http://a.example/2#top", 2)],
        [hit("https://a.example/3?utm_source=x", 1), hit("https://a.example/4", 2)],
    ])  # fmt: skip
    assert [h.url for h in merged] == ["https://a.example/3", "https://a.example/1", "https://a.example/2", "https://a.example/4"]


class Scripted:
    """A provider that answers from a list; an exception in it is raised."""

    def __init__(self, name: str, answers: list[SearchAnswer | Exception]) -> None:
        self.name = name
        self.asked = 0
        self._answers = answers

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        self.asked += 1
        answer = self._answers[min(self.asked, len(self._answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


EMPTY = SearchAnswer(state=State.EMPTY)
FULL = SearchAnswer(state=State.ANSWERED, hits=(hit("https://a.example/1", 1),))


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ([EMPTY], "empty"),
        ([EMPTY, FULL, EMPTY], "answered"),
        ([SourceError("timed out"), EMPTY], "failed: 1 of 9 queries: timed out"),
        ([FULL, SourceError("quota")], "failed: 8 of 9 queries: quota"),
        ([SearchAnswer(state=State.FAILED, cause="HTTP 500"), EMPTY], "failed: 1 of 9 queries: HTTP 500"),
        ([SearchAnswer(state=State.FAILED)], "failed: 9 of 9 queries: no cause given"),
    ],
)
def test_a_failure_never_reads_as_empty(answers: list[SearchAnswer | Exception], state: str) -> None:
    """One failed query makes the provider failed, with the count and the cause; hits that came are kept."""
    outcome = asyncio.run(search(OSTBECK, POLICY, [Scripted("p", answers)], 10, queries=[Query(text=str(n)) for n in range(9)]))
    assert outcome.providers == {"p": state}
    assert bool(outcome.hits) == (FULL in answers)
    assert bool(outcome.gaps) == any(a not in (EMPTY, FULL) and getattr(a, "cause", "x") for a in answers)


def test_an_unusable_provider_is_not_asked_again_and_others_go_on() -> None:
    """A refused key ends that provider for the row; the other provider's answers stand."""
    dead, alive = Scripted("dead", [SourceUnusable("key refused")]), Scripted("alive", [FULL])
    outcome = asyncio.run(search(OSTBECK, POLICY, [dead, alive], 10))
    assert dead.asked == 1
    assert alive.asked == len(outcome.queries) > 5
    assert outcome.providers["dead"].startswith("failed: ")
    assert "key refused" in outcome.providers["dead"]
    assert outcome.providers["alive"] == "answered"
    assert [gap.cause for gap in outcome.gaps] == ["dead: key refused"]


def test_the_cap_is_visible() -> None:
    """Hits beyond the limit are counted, not hidden."""
    many = SearchAnswer(state=State.ANSWERED, hits=tuple(hit(f"https://a.example/{n}", n) for n in range(1, 31)))
    outcome = asyncio.run(search(OSTBECK, POLICY, [Scripted("p", [many])], 12))
    assert (len(outcome.hits), outcome.dropped) == (12, 18)
