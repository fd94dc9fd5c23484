"""The models of a run: who is asked, what they are shown, what it may cost; checked before any work, opened with their clients."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from s2r.adjudicate.llm import template_faults
from s2r.errors import ConfigError, PolicyError
from s2r.modelapi import (
    BatchCaller,
    Catalogue,
    KeptBatches,
    KeptModels,
    ModelAccount,
    ModelCaller,
    ModelRole,
    Pricer,
    load_catalogue,
    load_price_lines,
    model_limits,
    model_secrets,
    open_doors,
    read_model_accounts,
    setting_names,
)
from s2r.modelapi.types import WebSearch
from s2r.models import Arm
from s2r.net import AddressRefused, open_limiter
from s2r.pipeline.ledger import RunLedger
from s2r.pipeline.models import NEEDED, ModelSetup
from s2r.policy import Policy
from s2r.policy.asking import Asking, PackRule, load_asking
from s2r.settings import Settings

PROBE_BYTES = 40_000  # of a prompt, to see whether its price is known
_PARTS = ("_model", "_key", "_url", "_schema_dialect")


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the command line says of models: `chosen` by role, arm ("" = web), panel, cap of a record; environment and s2r.toml."""

    chosen: Mapping[ModelRole, str] = field(default_factory=dict)
    arm: str = ""
    panel: str = ""
    max_usd: float | None = None
    max_usd_per_record: float | None = None
    batch: bool = False
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    file: Mapping[str, object] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """Checked before any work. Accounts hold keys; they are never shown."""

    arm: Arm
    accounts: Mapping[ModelRole, ModelAccount] = field(repr=False)
    asking: Asking
    pack: PackRule
    pricer: Pricer
    panel: str = ""
    batch: bool = False

    @property
    def secrets(self) -> tuple[str, ...]:
        """All keys."""
        return model_secrets(self.accounts.values())


def model_setting_names(policies: Path, file: Mapping[str, object]) -> frozenset[str]:
    """All names of s2r.toml that belong to models; where models.toml is at fault, those in `file` that look like it."""
    try:
        return setting_names(load_catalogue(policies))
    except PolicyError:
        return frozenset(name for name in file if name.endswith(_PARTS))


def plan_models(options: ModelOptions, policies: Path, policy: Policy, at: dt.datetime) -> ModelPlan | None:
    """Which models a run asks, None when rules alone decide: no model is named by flag or setting, and no arm.

    Raises `ConfigError` that says what to set, for a model whose price is unknown under a cap, and for faults of the policy files.
    """
    catalogue = _catalogue(policies, options)
    if catalogue is None:
        return None
    accounts = read_model_accounts(options.env, catalogue, options.file, options.chosen)
    if ModelRole.ADJUDICATOR not in accounts:
        if not (options.arm or options.panel or options.chosen):
            return None
        advice = "Name it with --model provider:name (such as openai:gpt-5-mini), or set S2R_ADJUDICATOR_MODEL."
        raise ConfigError("there is no model to ask", subject="s2r audit", advice=advice)
    arm = Arm(options.arm or Arm.WEB)
    _check_panel(options.panel, accounts)
    _check_search(arm, accounts)
    if options.batch:
        _check_batch(arm, accounts[ModelRole.ADJUDICATOR])
    asking = load_asking(policies, policy.definition.name)
    if fault := next(iter(template_faults(asking, policy)), None):
        raise fault.error(policies)
    pricer = Pricer(load_price_lines(policies))
    if options.max_usd is not None or options.max_usd_per_record is not None:
        _check_prices(arm, accounts, pricer, policies, at)
    tokens = [account.profile.pack_tokens for account in accounts.values() if account.profile.pack_tokens]
    pack = catalogue.pack.model_copy(update={"tokens": min([catalogue.pack.tokens, *tokens])})
    return ModelPlan(arm=arm, accounts=accounts, asking=asking, pack=pack, pricer=pricer, panel=options.panel, batch=options.batch)


def _catalogue(policies: Path, options: ModelOptions) -> Catalogue | None:
    """models.toml; None when it is at fault and nothing asks for a model."""
    try:
        return load_catalogue(policies)
    except PolicyError:
        if (
            options.chosen
            or options.arm
            or options.panel
            or options.env.get("S2R_ADJUDICATOR_MODEL")
            or options.file.get("adjudicator_model")
        ):
            raise
        return None


def _check_panel(panel: str, accounts: Mapping[ModelRole, ModelAccount]) -> None:
    if panel and panel not in NEEDED:
        raise ConfigError(f"there is no panel {panel!r}", subject="--panel", advice=f"Use one of: {', '.join(NEEDED)}.")
    if panel and (missing := [role for role in ModelRole if role not in accounts]):
        names = " and ".join(f"S2R_{role.upper()}_MODEL" for role in missing)
        raise ConfigError("a panel needs three judges", subject="--panel", advice=f"Set {names}.")


def _check_search(arm: Arm, accounts: Mapping[ModelRole, ModelAccount]) -> None:
    for account in accounts.values() if arm is Arm.NATIVE else ():
        if account.profile.web == "none":
            advice = "Use --arm web, another model, or set `web` in models.toml."
            raise ConfigError("has no search tool of its own", subject=str(account.profile.name), advice=advice)


def _check_batch(arm: Arm, account: ModelAccount) -> None:
    if arm is Arm.NATIVE:
        raise ConfigError(
            "a search tool does not go into a batch", subject="--batch", advice="Use --arm web or closed, or leave --batch out."
        )
    if account.profile.batch == "none":
        advice = "Leave --batch out, or use a model of OpenAI, Anthropic or Gemini."
        raise ConfigError("has no batch API", subject=f"--batch {account.profile.name}", advice=advice)


def _check_prices(arm: Arm, accounts: Mapping[ModelRole, ModelAccount], pricer: Pricer, policies: Path, at: dt.datetime) -> None:
    search = WebSearch() if arm is Arm.NATIVE else None
    for account in accounts.values():
        if pricer.bound(account.profile, PROBE_BYTES, search, at) is None:
            name = str(account.profile.name)
            advice = f'Add its price to {policies / "prices.toml"} as [model."{name}"], or leave --max-usd and --max-usd-per-record out.'
            raise ConfigError(f"the price of {name} is unknown, so a cap cannot be kept", subject="--max-usd", advice=advice)


@asynccontextmanager
async def open_models(
    plan: ModelPlan, settings: Settings, ledger: RunLedger, archive: Path, clock: Callable[[], dt.datetime]
) -> AsyncIterator[ModelSetup]:
    """The models of a run with their clients, closed at the end; what they say is kept in the folder `archive`. `clock` gives UTC.

    Raises `ConfigError` for an unusable address, proxy or CA bundle.
    """
    async with AsyncExitStack() as stack:
        limiter = open_limiter(settings, model_limits(plan.accounts.values()))
        stack.callback(limiter.close)
        try:
            doors = open_doors(plan.accounts, settings, limiter)
        except AddressRefused as exc:
            raise ConfigError(exc.message, subject=exc.subject, advice="Mend the address of the model.") from exc
        for door in doors.values():
            await stack.enter_async_context(door)
        kept = stack.enter_context(KeptModels(archive))
        callers = {
            role: ModelCaller(
                account,
                doors[role],
                clock=clock,
                pricer=plan.pricer,
                ledger=ledger.of_model(role.value, str(account.profile.name)),
                kept=kept,
                turn=ledger.turn,
            )
            for role, account in plan.accounts.items()
        }
        batches = {}
        for role, account in plan.accounts.items() if plan.batch else ():
            if account.profile.batch == "none":  # asked by calls of its own
                continue
            batches[role] = BatchCaller(
                callers[role],
                doors[role],
                kept,
                stack.enter_context(KeptBatches(archive, account.profile.url, role.value)),
                clock=clock,
                ledger=ledger.of_model(role.value, str(account.profile.name), batch=True),
                pricer=plan.pricer,
                poll_s=settings.batch_poll_s,
                on_taken=ledger.told,
            )
        yield ModelSetup(arm=plan.arm, callers=callers, asking=plan.asking, pack=plan.pack, panel=plan.panel, batches=batches)
