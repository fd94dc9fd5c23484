"""A run folder with one of everything that the workbench shows: scripts of the world, long names, vendors, models, people who differ, costs."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

from factories import capture, listing
from review_world import AT, fill, proven, quoted

from s2r.archive import Archive
from s2r.extract import extract
from s2r.modelapi import KeptModels
from s2r.modelapi.keep import Exchange
from s2r.modelapi.types import ModelRole
from s2r.models import Adjudication, Claim, Listing, Opinion, Package, Page, Record, Route, Status
from s2r.policy import Policy
from s2r.policy.review import Second, load_review
from s2r.reviews import Decision, Kind, QueueFilter, Workbench, decide, draw_sample, open_workbench, queue_page, row_view
from s2r.reviews.bench import weigh
from s2r.store import Store
from s2r.store.decided import propose
from s2r.store.vendors import keep_conflicts
from s2r.vendor.rows import write_rows
from s2r.vendor.types import Comparison, Says, VendorRow
from s2r.vendor.types import Kind as Differs

MARKETS = ("XNAS", "XNYS", "XLON", "XPAR", "XTKS", "XHKG", "XSAU", "XTAE", "XBOM", "XBSP", "XTSE", "XASX")
WHY = ("No risk model is fitted.", "Sources contradict each other about the day.", "The estimated risk is above the limit of the policy.")
# row, issuer, market, language, the day as it is written, the sentence that announces it
SCRIPTS = (
    ("W-ja", "株式会社東京精密機器製作所ホールディングス", "XTKS", "ja", "2016年7月14日", "当取引所は本日、株式会社東京精密機器製作所の普通株式の上場廃止を決定した。"),
    ("W-zh", "深圳市恒远智能装备股份有限公司", "XHKG", "zh", "2016年7月14日", "本所今日決定取消深圳市恒远智能装备股份有限公司股份的上市地位。"),
    ("W-ar", "شركة الأنوار للصناعات الدوائية المساهمة العامة", "XSAU", "ar", "14 يوليو 2016", "قررت السوق المالية اليوم إلغاء إدراج أسهم شركة الأنوار للصناعات الدوائية."),
    ("W-he", 'חברת גלי הצפון לאנרגיה מתחדשת בע"מ', "XTAE", "he", "14 ביולי 2016", "הבורסה החליטה היום למחוק מהמסחר את מניות חברת גלי הצפון לאנרגיה."),
    ("W-hi", "हिमालय वस्त्र उद्योग लिमिटेड", "XBOM", "hi", "14 जुलाई 2016", "एक्सचेंज ने आज हिमालय वस्त्र उद्योग लिमिटेड के शेयरों को सूची से हटाने का निर्णय लिया।"),
    ("W-de", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft Aktiengesellschaft & Co. Kommanditgesellschaft auf Aktien",
     "XFRA", "de", "14. Juli 2016", "Die Börse hat heute den Widerruf der Zulassung der Aktien beschlossen."),
)  # fmt: skip


def show(out: Path, policy: Policy, policies: Path) -> None:
    """Fill a run folder."""
    pages = fill(out, 48)
    with Archive(out) as archive:
        worldly = [_foreign(archive, number, *script) for number, script in enumerate(SCRIPTS)]
    asked = _asked(out, pages["T-03"])
    quiet = [_quiet(number) for number in range(60, 72)]
    with Store(out / "s2r.db") as store:
        for position, one in enumerate([*worldly, *quiet], 100):
            store.append(
                one, inputs=f"i{position}", position=position, author="s2r", why="audit", now=AT - dt.timedelta(days=position % 40)
            )
        store.append(asked, inputs="asked", position=2, author="s2r", why="audit", now=AT)
        _spread(store)
        _paid(store)
    _vendors(out)
    _decided(out, policy, policies)


def _foreign(archive: Archive, number: int, row_id: str, issuer: str, mic: str, lang: str, day: str, said: str) -> Record:
    """A yes whose proof is in another script."""
    body = (
        f'<!doctype html><html lang="{lang}"{" dir=rtl" if lang in ("ar", "he") else ""}><head><meta charset="utf-8"><title>{issuer}</title></head>'
        f"<body><main><h1>{issuer}</h1><p>{day}</p><p>{said}</p><p>{issuer} ({mic})</p></main></body></html>"
    ).encode()
    url = f"https://exchange.example/{row_id}/" + "very-long-path-segment-" * (6 if lang == "de" else 1)
    digest = archive.put(capture(body, url)).digest
    page = extract(body, "text/html; charset=utf-8", url, digest=digest)
    subject = listing(number, row_id=row_id, issuer=issuer, mic=mic, venue="", ticker=row_id.upper())
    claims = (quoted(page, "announcement_date", "2016-07-14", day), quoted(page, "status", "yes", said))
    return _record(subject, page, claims)


def _record(subject: Listing, page: Page, claims: tuple[Claim, ...]) -> Record:
    """A yes with these proofs."""
    given: dict[str, object] = {
        "row_id": subject.row_id, "listing": subject, "event_type": "delisting", "cutoff": subject.cutoff, "status": Status.YES,
        "announcement_date": dt.date(2016, 7, 14), "reason": "noncompliance", "disclosure_type": "exchange_notice", "confidence": 0.62,
        "route": Route.REVIEW, "route_reasons": (WHY[1],), "package": Package.PASS, "claims": claims, "run_id": "r-test",
        "timeline": ({"date": "2016-07-14", "kind": "announcement", "stage": "decision", "source_kind": "exchange", "url": page.url, "digest": page.digest, "quote": claims[1].quote},),
    }  # fmt: skip
    return Record.model_validate(given)


def _quiet(number: int) -> Record:
    """A no that quotes nothing; rows of this kind are alike."""
    subject = listing(number, row_id=f"Q-{number}")
    given: dict[str, object] = {
        "row_id": subject.row_id, "listing": subject, "event_type": "delisting", "cutoff": subject.cutoff, "status": Status.NO,
        "confidence": 0.93, "route": Route.REVIEW if number % 3 else Route.ACCEPT, "route_reasons": ("Too little was read.",),
        "package": Package.UNVERIFIABLE, "run_id": "r-test",
    }  # fmt: skip
    return Record.model_validate(given)


def _asked(out: Path, page: Page) -> Record:
    """A record that a model has judged, with the raw exchange."""
    request = {"model": "m-large", "messages": [{"role": "user", "content": f"Passage 1: {page.text[:600]} " + "日本語の文。" * 30}]}
    answer = {
        "status": "yes",
        "announcement_date": "2016-07-14",
        "evidence": [{"passage": "p1", "quote": "The Exchange has today decided"}],
    }
    with KeptModels(out / "archive") as kept:
        digest = kept.keep_exchange(
            Exchange(
                at=AT, row_id="T-03", role=ModelRole.ADJUDICATOR, provider="compat", model="m-large", wire="openai", url="https://models.example/v1",
                purpose="judge", prompt="p1", pack="k1", request=json.dumps(request), status=200,
                body=json.dumps(answer, ensure_ascii=False).encode().decode("latin-1"),
            )
        )  # fmt: skip
    opinions = (
        Opinion(judge="rules", state="answered", status=Status.YES, announcement_date=dt.date(2016, 7, 14), reason="voluntary"),
        Opinion(judge="adjudicator", state="answered", status=Status.YES, announcement_date=dt.date(2016, 7, 12), model="m-large", exchanges=(digest,), usd=0.004),
        Opinion(judge="verifier", state="failed", cause="no answer within 60 s", model="m-small"),
    )  # fmt: skip
    told = Adjudication.model_validate({"arm": "web", "prompt": "p1", "routing": "r1", "opinions": opinions, "dissent": True})
    return proven(2, page).model_copy(update={"adjudication": told, "conflicts": ("Rules say 2016-07-14, the model 2016-07-12.",)})


def _spread(store: Store) -> None:
    """Markets, reasons for review and ages of all kinds."""
    for number in range(48):
        since = (AT - dt.timedelta(days=number * number % 45)).isoformat()
        values = [MARKETS[number % len(MARKETS)], WHY[number % len(WHY)], since, f"T-{number + 1:02d}"]
        store.execute("update review_item set market = ?, route_reason = ?, since = ? where row_id = ?", values)
    keep_conflicts(store, "acme", {f"T-{number + 1:02d}": ("match", "wrong_date", "vendor_only")[number % 3] for number in range(0, 48, 2)})


def _paid(store: Store) -> None:
    """Nine nights that paid for searches and models."""
    for night in range(9):
        run, at = f"night-{night + 1:03d}", AT - dt.timedelta(days=9 - night)
        store.start_run(run, version="1", policy="p", manifest={}, now=at)
        lines = [
            ("search:brave", 40.0, "queries", 0.2 + 0.05 * (night * 7 % 5)),
            ("model:adjudicator:m-large", 12.0, "calls", 0.6 * (night * 3 % 4)),
            ("search:own", 3.0, "queries", None),
        ]
        store.book(run, "T-01", lines, at)


def _vendors(out: Path) -> None:
    """Two vendors; one has another day."""
    cells = {
        "name": "Alderwick Instruments",
        "ticker": "ALDQ",
        "isin": "US0000000001",
        "delist_date": "2016-07-29",
        "reason_text": "Voluntary; effective date",
    }
    row = VendorRow(
        number=7,
        says=Says.EVENT,
        cells=cells,
        issuer=cells["name"],
        ticker="ALDQ",
        isin=cells["isin"],
        reasons=("voluntary",),
        dates={"effective": dt.date(2016, 7, 29)},
    )
    wrong = Comparison(
        kind=Differs.WRONG_DATE, row_id="T-01", row=row, field="announcement_date", vendor_value="2016-07-29", our_value="2016-07-14",
        sentence="The vendor gives the day on which it took effect.",
    )  # fmt: skip
    for name in ("acme", "birch"):
        (out / "vendor" / name).mkdir(parents=True)
    write_rows(out / "vendor" / "acme", [wrong], "2026-02-28")
    right = Comparison(
        kind=Differs.MATCH,
        row_id="T-01",
        row=VendorRow(
            number=3,
            says=Says.EVENT,
            issuer="Alderwick Instruments Inc.",
            dates={"announced": dt.date(2016, 7, 14)},
            cells={"date": "2016-07-14"},
        ),
        sentence="The vendor says the same.",
    )
    write_rows(out / "vendor" / "birch", [right], "2026-02-27")


def _decided(out: Path, policy: Policy, policies: Path) -> None:
    """Reviews by two people, some of which differ, and audit samples that were looked at."""
    made = open_workbench(out, policy, load_review(policies))
    bench = replace(made, review=made.review.model_copy(update={"second": Second(share=0.0, samples=False)}))
    draw_sample(bench, 4, 1, "dora", AT)
    weigh(bench)
    for number, row in enumerate((f"T-{n:02d}" for n in range(10, 34)), 10):
        twice = number % 3 == 0
        bench.store.execute("update review_item set second = ? where row_id = ?", [int(twice), row])
        _say(bench, row, "anna", Kind.REJECT if number % 8 == 3 else Kind.CONFIRM, number)
        if twice and number % 9 != 6:
            _say(bench, row, "ben" if number % 2 else "Ольга Мельниченко-Вознесенская", Kind.CONFIRM if number % 4 else Kind.REJECT, number)
    _say(bench, "T-34", "anna", Kind.CANNOT_DECIDE, 1)
    _say(bench, "T-35", "anna", Kind.CONFIRM, 2)
    other = bench.store.current("T-36")
    assert other is not None
    later = propose(bench.store, other.model_copy(update={"row_id": "T-35"}), inputs="later", why="night", now=AT)
    bench.store.execute("update review_item set state = 'returned', waiting = 1, decided = 0, proposal = ? where row_id = 'T-35'", [later])
    for row in queue_page(bench, QueueFilter(sample=True), AT).items:
        _say(bench, row.row_id, "ben", Kind.CONFIRM, 5)
    bench.store.close()


def _say(bench: Workbench, row: str, by: str, kind: Kind, number: int) -> None:
    """One decision."""
    codes = {Kind.CONFIRM: "evidence_holds", Kind.REJECT: "not_proven", Kind.CANNOT_DECIDE: "sources_missing"}
    seen = row_view(bench, row, by, AT).item.number
    code = "nothing_found" if row.startswith("Q-") else codes[kind]
    said = Decision(
        row_id=row, kind=kind, by=by, seen=seen, reason_code=code, seconds=8.0 + number * 7 % 31,
        note="Looked at the notice of the exchange; the day is the day of the notice." if number % 2 else "",
    )  # fmt: skip
    decide(bench, said, AT - dt.timedelta(days=number % 11, minutes=number))
