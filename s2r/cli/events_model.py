"""The model of `s2r ask --model` and `s2r events extract --model`: its account, its door, what it says is kept beside the store."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from s2r.cli.common import now
from s2r.modelapi import (
    KeptModels,
    ModelCaller,
    ModelRole,
    Pricer,
    load_catalogue,
    load_price_lines,
    model_limits,
    open_doors,
    read_model_accounts,
)
from s2r.net import open_limiter
from s2r.settings import Settings, read_settings_file

ROLE = ModelRole.ADJUDICATOR  # its endpoint, key, proxy and CA settings are used


@asynccontextmanager
async def open_caller(name: str, settings: Settings, policies: Path, kept: Path) -> AsyncIterator[ModelCaller]:
    """The caller of model `name` (provider:model); answers are kept in the folder `kept`. Raises ConfigError for what is not set up."""
    accounts = read_model_accounts(os.environ, load_catalogue(policies), read_settings_file(), {ROLE: name})
    own = {ROLE: accounts[ROLE]}
    async with AsyncExitStack() as stack:
        limiter = open_limiter(settings, model_limits(own.values()))
        stack.callback(limiter.close)
        door = await stack.enter_async_context(open_doors(own, settings, limiter)[ROLE])
        store = stack.enter_context(KeptModels(kept))
        yield ModelCaller(own[ROLE], door, clock=now, pricer=Pricer(load_price_lines(policies)), kept=store)
