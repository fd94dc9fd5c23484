"""Rows worked on by a Dask cluster: fetch, extract, rules and verify on its workers; limits, budgets and the store stay here."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from s2r.errors import ConfigError
from s2r.net import Limit, Limiter
from s2r.pipeline.engine import Workers
from s2r.pipeline.run import OpenWorkers
from s2r.policy import Policy
from s2r.settings import Settings

if TYPE_CHECKING:
    from s2r.archive import Archive

__all__ = ["check_engine", "workers_of"]

_INSTALL = "Install it here and on the workers: pip install 's2r[dask]'."


def check_engine(settings: Settings) -> None:
    """Raise ConfigError for an engine that the settings do not set up whole, or that is not installed."""
    if settings.engine == "local":
        if settings.scheduler:
            raise ConfigError("is not used by the local engine", subject="--scheduler", advice="Give --engine dask, or leave it out.")
        return
    if missing := [name for name in ("distributed", "fsspec") if find_spec(name) is None]:
        raise ConfigError(f"needs {' and '.join(missing)}, which is not installed", subject="--engine dask", advice=_INSTALL)
    if not settings.scheduler:
        advice = "Give --scheduler tcp://HOST:PORT, or S2R_SCHEDULER. docs/operations.md shows how a cluster is started."
        raise ConfigError("needs the address of a scheduler", subject="--engine dask", advice=advice)


def workers_of(
    settings: Settings, policy: Policy, *, limiter: Limiter | None = None, limits: Mapping[str, Limit] | None = None, in_time: bool = False
) -> OpenWorkers | None:
    """What opens the workers that the settings name, None for processes on this machine. With `limiter` pages of the live web are fetched
    by them, at the pace that it lends; `limits` are its limits, `in_time` as `RunPlan.point_in_time`."""
    if settings.engine == "local":
        return None

    def opened(archive: Archive) -> AbstractAsyncContextManager[Workers]:
        from s2r.cluster.coordinator import open_cluster

        return open_cluster(archive, settings, policy, limiter=limiter, limits=limits or {}, in_time=in_time)

    return opened
