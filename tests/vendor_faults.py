"""Sixty faults for the vendor's feed of the sealed development set, each told from its documents, planted into three deliveries.

A fault is (case, what is planted, the kind that the comparison must give, the kind of date or the words that must be told).
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

COLUMNS = (
    "vendor_id", "issuer", "security", "security_type", "ticker", "mic", "isin", "cik", "status", "reason", "announcement_date", "updated",
)  # fmt: skip
DELIVERED = "2020-12-30"


@dataclass(frozen=True)
class Fault:
    """One planted fault: `change` overwrites cells of the clean row (None: the row is left out)."""

    case: str
    change: Mapping[str, str] | None
    kind: str
    told: str = ""  # the kind of the vendor's date, or a word of the listing that the event belongs to
    also: tuple[str, ...] = field(default=())


def _date(case: str, day: str, kind: str) -> Fault:
    return Fault(case, {"announcement_date": day}, "wrong_date", kind)


def _event(case: str, day: str, kind: str, told: str, reason: str = "other") -> Fault:
    return Fault(case, {"status": "delisted", "announcement_date": day, "reason": reason}, kind, told)


def _other_line(case: str, told: str, **change: str) -> Fault:
    return Fault(case, change, "wrong_listing", told)


def _missing(case: str) -> Fault:
    return Fault(case, None, "missing_in_vendor")


def _stale(case: str, status: str, updated: str) -> Fault:
    return Fault(case, {"status": status, "reason": "", "announcement_date": "", "updated": updated}, "stale")


def _reason(case: str, reason: str) -> Fault:
    return Fault(case, {"reason": reason}, "wrong_reason")


FIRST: tuple[Fault, ...] = (
    _date("AP-001", "2017-08-18", "effective"),
    _date("AP-002", "2017-07-21", "last_trading"),
    _date("EU-001", "2017-12-07", "letter"),
    _date("EU-011", "2009-05-04", "effective"),
    _date("US-001", "2012-08-20", "filing"),
    _date("US-003", "2016-02-09", "filing"),
    _date("US-010", "2020-05-06", "letter"),
    _date("UC-002", "2016-04-05", "last_trading"),
    _other_line("US-005", "XNAS", mic="XNYS", isin=""),  # wrong venue
    _other_line("US-018", "Class A", security="Redeemable Warrants", security_type="warrant", ticker="GWHAW", isin=""),  # wrong class
    _event("EU-010", "2012-05-24", "wrong_listing", "class"),
    _event("US-004", "2011-02-15", "wrong_listing", "plexmart"),  # the ticker's former owner
    _event("AP-013", "2018-08-29", "wrong_listing", "venue"),
    _event("AP-020", "2015-09-09", "vendor_only", ""),
    _event("EU-003", "2016-04-04", "wrong_date", "unknown"),  # invented before the cutoff; the real one lies after it
    _event("UC-014", "2018-11-06", "wrong_date", "effective"),  # expected before the vote that failed
    _missing("AP-005"),
    _stale("AP-006", "suspended", "2016-03-23"),
    _stale("UC-003", "suspended", "2014-09-16"),
    _reason("EU-005", "voluntary"),
)
SECOND: tuple[Fault, ...] = (
    _date("AP-006", "2016-10-13", "effective"),
    _date("AP-008", "2019-11-15", "effective"),
    _date("EU-005", "2012-03-28", "last_trading"),
    _date("EU-014", "2019-09-27", "last_trading"),
    _date("US-021", "2017-12-01", "filing"),
    _date("US-018", "2019-11-20", "filing"),
    _date("UC-007", "2009-07-24", "last_trading"),
    Fault("AP-001", {"issuer": "Meekan Nickel Limited", "isin": ""}, "stale", "former"),  # old name, found by ticker and date
    _other_line("EU-001", "XFRA", mic="XDUS", isin=""),
    _other_line("US-003", "Common Stock", security="8.00% Series A Preferred Stock", security_type="preferred", ticker="MWQPRA", isin=""),
    _event("US-007", "2018-06-29", "wrong_listing", "class"),
    _event("UC-022", "2017-06-26", "wrong_listing", "class"),
    _event("AP-019", "2013-02-08", "wrong_listing", "venue"),
    _event("US-022", "2018-05-21", "wrong_listing", "london"),
    _event("UC-020", "2014-06-30", "wrong_listing", "felgate"),
    _event("US-019", "2018-03-14", "vendor_only", ""),
    Fault(
        "UC-024",
        {
            "issuer": "Owikeno Metals Ltd.",
            "ticker": "OWK",
            "isin": "",
            "status": "delisted",
            "reason": "other",
            "announcement_date": "2017-11-17",
        },
        "vendor_only",
        "effective",
    ),  # the old name's line, called delisted
    _missing("US-005"),
    _missing("UC-009"),
    _stale("UC-006", "pending", "2012-06-20"),
)
THIRD: tuple[Fault, ...] = (
    _date("EU-009", "2014-10-20", "effective"),
    _date("UC-006", "2012-11-12", "effective"),
    _date("EU-011", "2009-04-30", "last_trading"),
    _date("US-005", "2009-03-13", "filing"),
    _date("US-021", "2017-11-13", "letter"),
    _date("UC-003", "2014-09-15", "suspension"),
    Fault("AP-001", {"issuer": "Meekan Nickel Limited"}, "stale", "former"),
    _other_line("EU-014", "XOSL", mic="XSTO", isin=""),
    _other_line(
        "UC-002", "Ordinary", security="Warrants to subscribe for Ordinary Shares", security_type="warrant", ticker="PWAW", isin=""
    ),
    _event("EU-020", "2018-12-11", "wrong_listing", "class"),
    _event("EU-024", "2015-07-13", "wrong_listing", "class"),
    _event("AP-016", "2019-05-17", "wrong_listing", "company"),
    _event("EU-015", "2013-06-14", "wrong_listing", "polmetryks"),
    _event("AP-023", "2013-07-02", "vendor_only", ""),
    _event("UC-011", "2020-09-28", "wrong_date", "suspension"),
    _missing("AP-002"),
    _stale("US-001", "active", "2011-12-01"),
    _stale("US-010", "pending", "2020-05-05"),
    _reason("AP-005", "merger_acquisition"),
    _reason("UC-007", "merger_acquisition"),
)
DELIVERIES = {"first": FIRST, "second": SECOND, "third": THIRD}


def clean_rows(sealed: Path) -> dict[str, dict[str, str]]:
    """What a vendor without faults delivers, by case: events of before the cutoff, everything else active."""
    with (sealed / "gold.csv").open(encoding="utf-8", newline="") as fh:
        gold = {row["case_id"]: row for row in csv.DictReader(fh)}
    rows = {}
    with (sealed / "universe.csv").open(encoding="utf-8", newline="") as fh:
        for row in csv.DictReader(fh):
            right = gold[row["case_id"]]
            event = right["status"] == "yes"
            cells = {name: row.get(name, "") for name in COLUMNS}
            cells |= {
                "vendor_id": f"V{len(rows) + 1:04d}",
                "issuer": row["issuer"].upper() if len(rows) % 3 == 0 else row["issuer"],
                "status": "delisted" if event else "active",
                "reason": right["reason"] if event else "",
                "announcement_date": right["announcement_date"] if event else "",
                "updated": DELIVERED,
            }
            rows[row["case_id"]] = cells
    return rows


def planted(rows: Mapping[str, Mapping[str, str]], faults: Iterable[Fault]) -> list[dict[str, str]]:
    """The rows with the faults in them."""
    changed = {case: dict(cells) for case, cells in rows.items()}
    for fault in faults:
        if fault.change is None:
            del changed[fault.case]
        else:
            changed[fault.case].update(fault.change)
    return list(changed.values())


def write_feed(path: Path, rows: Iterable[Mapping[str, str]]) -> Path:
    """The rows as CSV, or as JSON lines by the name of the file."""
    found = list(rows)
    with path.open("w", encoding="utf-8", newline="") as fh:
        if path.suffix == ".jsonl":
            fh.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in found)
            return path
        writer = csv.DictWriter(fh, fieldnames=list(found[0]))
        writer.writeheader()
        writer.writerows(found)
    return path
