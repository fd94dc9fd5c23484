"""One small question to the model of each role, and what is wrong when it fails."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from s2r.errors import S2RError
from s2r.job.models import PROBE_BYTES, ModelOptions, ModelPlan, plan_models
from s2r.job.probe import Finding
from s2r.modelapi import ModelAccount, ModelCaller, ModelState, Question, model_limits, open_doors
from s2r.models.listing import Frozen
from s2r.net import Mask, open_limiter
from s2r.policy import load_policy
from s2r.settings import Settings

MAX_OUTPUT = 2048  # tokens of the answer, so that a probe costs next to nothing; reasoning counts


class Ping(Frozen):
    """The answer to a probe."""

    ok: Literal["yes"]


QUESTION = Question(system="You answer probes.", user='Answer with ok = "yes".', form=Ping, prompt="probe@1", row_id="")


async def probe_models(
    options: ModelOptions, policies: Path, settings: Settings, clock: Callable[[], dt.datetime], *, calls: bool
) -> list[Finding]:
    """Every role that has a model: endpoint and price, and with `calls` one small question to each, which is paid for. Nothing of it is
    kept. Raises nothing for what is wrong; holds no key."""
    try:
        plan = plan_models(options, policies, load_policy(root=policies), clock())
    except S2RError as exc:
        return [Finding("models", False, str(exc), exc.advice or "Run `s2r policy check`.")]
    if plan is None:
        return [Finding("models", True, "none set up: rules decide", "")]
    found = [_set_up(account, plan, clock()) for account in plan.accounts.values()]
    return [*found, *await _asked(plan, settings, clock)] if calls else found


def _set_up(account: ModelAccount, plan: ModelPlan, at: dt.datetime) -> Finding:
    most = plan.pricer.bound(account.profile, PROBE_BYTES, None, at)
    price = f"a call of {PROBE_BYTES // 1000} kB costs at most ${most:.4f}" if most is not None else "its price is unknown"
    host = urlsplit(account.profile.url).netloc
    return Finding(f"model {account.role.value}", True, f"{account.profile.name} at {host} ({price})")


async def _asked(plan: ModelPlan, settings: Settings, clock: Callable[[], dt.datetime]) -> Iterable[Finding]:
    limiter, found = open_limiter(settings, model_limits(plan.accounts.values())), list[Finding]()
    hide = Mask(plan.secrets)
    try:
        doors = open_doors(plan.accounts, settings, limiter)
        for role, account in plan.accounts.items():
            changes = {"max_output": min(MAX_OUTPUT, account.profile.max_output), "repairs": 0}
            small = account.model_copy(update={"profile": account.profile.model_copy(update=changes)})
            async with doors[role] as door:
                found.append(await _one(small, ModelCaller(small, door, clock=clock, pricer=plan.pricer), hide))
    except S2RError as exc:
        found.append(Finding("models", False, hide(str(exc)), exc.advice or "Check the addresses, proxies and certificates of the roles."))
    finally:
        limiter.close()
    return found


async def _one(account: ModelAccount, caller: ModelCaller, hide: Mask) -> Finding:
    check, host = f"model {account.role.value}", urlsplit(account.profile.url).netloc
    fix = f"Check {account.setting}_KEY, {account.setting}_URL, S2R_MODEL_PROXY, and that {host} can be reached from here."
    try:
        answer = await caller.ask(QUESTION)
    except S2RError as exc:
        return Finding(check, False, hide(str(exc)), exc.advice or fix)
    if answer.state is ModelState.FAILED:
        return Finding(check, False, hide(answer.cause), fix)
    if answer.state is not ModelState.ANSWERED:
        return Finding(
            check,
            False,
            f"{answer.model}: {answer.state.value}: {hide(answer.cause)}",
            "Try another schema_dialect, or a model that can answer in a form.",
        )
    cost = "unknown" if answer.usd is None else f"${answer.usd:.6f}"
    return Finding(check, True, f"{answer.model} answered in {answer.elapsed_s:.1f} s for {cost}")
