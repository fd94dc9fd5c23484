"""The numbers of a run folder in the text format of Prometheus, read from the store at each request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import metadata

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from s2r.errors import S2RError
from s2r.models import Route, Status
from s2r.nightly.service import paused
from s2r.reviews.types import WAITING
from s2r.store import Store
from s2r.store.counts import count_by_answer, count_nights, count_queue, last_night_end, ledger_state
from s2r.store.nights import DONE, FAILED, RUNNING
from s2r.vendor.summary import summaries
from s2r.web.desk import WebDesk

CONTENT_TYPE = CONTENT_TYPE_LATEST


def render(desk: WebDesk) -> bytes:
    """All metrics as text; `s2r_store_readable` is 0 when the rest could not be read."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Reader(desk))
    return generate_latest(registry)


class _Reader(Collector):
    """Reads the store when it is asked."""

    def __init__(self, desk: WebDesk) -> None:
        self._desk = desk

    def collect(self) -> Iterable[Metric]:
        desk = self._desk
        info = InfoMetricFamily("s2r", "Version and policy that answer")
        info.add_metric([], {"version": metadata.version("s2r"), "policy": desk.policy.policy_id})
        yield info
        yield GaugeMetricFamily("s2r_paused", "1 while no job may start", float(bool(paused(desk.out))))
        found: list[Metric] = []
        readable = 1.0
        if desk.store_path.is_file():
            try:
                with desk.read() as store:
                    found = list(_of_store(store, desk))
            except S2RError:
                readable = 0.0
        challenges = GaugeMetricFamily("s2r_challenges", "Challenges of the newest comparison with each vendor", labels=("vendor",))
        for summary in summaries(desk.out):
            challenges.add_metric([summary.vendor], float(summary.challenges))
        yield challenges
        yield GaugeMetricFamily("s2r_store_readable", "0 when the store of records cannot be read", readable)
        yield from found


def _of_store(store: Store, desk: WebDesk) -> Iterator[Metric]:
    answers = count_by_answer(store)
    records = GaugeMetricFamily("s2r_records", "Current records by status and route", labels=("status", "route"))
    for status in Status:
        for route in Route:
            records.add_metric([status.value, route.value], float(answers.get((status.value, route.value), 0)))
    yield records
    waiting = count_queue(store)
    queue = GaugeMetricFamily("s2r_queue_rows", "Rows that wait for review, by state", labels=("state",))
    for step in WAITING:
        queue.add_metric([step.value], float(waiting.get(step.value, 0)))
    yield queue
    states = count_nights(store)
    nights = GaugeMetricFamily("s2r_nights", "Nights by state", labels=("state",))
    for state in (DONE, FAILED, RUNNING):
        nights.add_metric([state], float(states.get(state, 0)))
    yield nights
    if end := last_night_end(store):
        yield GaugeMetricFamily("s2r_last_night_end_seconds", "When the newest night that is done ended, Unix time", end.timestamp())
        yield GaugeMetricFamily("s2r_last_night_age_seconds", "How long ago that is", (desk.clock() - end).total_seconds())
    ledger = ledger_state(store)
    yield CounterMetricFamily("s2r_cost_usd", "Known cost of all calls, USD", ledger.usd)
    lines = GaugeMetricFamily("s2r_ledger_lines", "Calls never settled, without an answer, or unpriced", labels=("state",))
    for name, number in (("open", ledger.open), ("lost", ledger.lost), ("unpriced", ledger.unpriced)):
        lines.add_metric([name], float(number))
    yield lines
