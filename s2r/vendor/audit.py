"""The vendor audit of a run folder, from the files to the files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from s2r.errors import ConfigError
from s2r.policy import Policy
from s2r.policy.vendors import VendorFormat, load_vendor
from s2r.store import Store
from s2r.store.vendors import keep_conflicts
from s2r.vendor.book import RunBook
from s2r.vendor.evidence import Evidence
from s2r.vendor.feed import read_feed
from s2r.vendor.files import Written, write_comparison
from s2r.vendor.reconcile import Reconciliation, reconcile
from s2r.vendor.rows import write_rows
from s2r.vendor.summary import Summary, summarise
from s2r.vendor.types import Feed


@dataclass(frozen=True, slots=True)
class Delivery:
    """A feed that was read, with the policy that it was read by."""

    feed: Feed
    given: VendorFormat


@dataclass(frozen=True, slots=True)
class VendorOutcome:
    """What a vendor audit found, in numbers and in files."""

    done: Reconciliation
    summary: Summary
    written: Written


def read_delivery(path: Path, name: str, policy: Policy, policies: Path) -> Delivery:
    """Read a feed as `vendors/<name>.toml` says; raises ConfigError when it cannot be compared with records of `policy`."""
    given = load_vendor(name, policies)
    if given.event != policy.definition.event_type:
        advice = f"Give a vendor file for {policy.definition.event_type}."
        raise ConfigError(
            f"speaks of {given.event}, the policy of {policy.definition.event_type}", subject=f"vendors/{name}.toml", advice=advice
        )
    return Delivery(read_feed(path, given, policy), given)


def compare_run(run: Path, delivery: Delivery, policy: Policy, to: Path | None = None) -> VendorOutcome:
    """Compare the records of a run folder with a delivery and write the files (default: `<run>/vendor/<name>`, and then the reviewers of
    the run see it, too)."""
    book = RunBook(run)
    folder = to or run / "vendor" / delivery.feed.name
    with Evidence(run, policy) as evidence:
        done = reconcile(book, delivery.feed, delivery.given, policy, evidence)
        summary = summarise(done, book, delivery.given.effort, policy.policy_id)
        written = write_comparison(folder, done, summary, evidence)
        write_rows(folder, done.comparisons, str(delivery.feed.delivered or ""))
        if to is None and (run / "s2r.db").is_file():
            with Store(run / "s2r.db") as store:
                keep_conflicts(store, delivery.feed.name, {made.row_id: made.kind.value for made in done.comparisons if made.row_id})
        return VendorOutcome(done, summary, written)
