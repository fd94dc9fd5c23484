"""What a run asks of models: roles, arm, prompts, evidence rule and ladder, with a digest of all that can change a record."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from s2r.adjudicate.llm import Pack, answer_form, render
from s2r.modelapi import BatchCaller, BatchNews, ModelAnswer, ModelCaller, ModelRole, Question, WebSearch
from s2r.modelapi.profiles import Profile
from s2r.models import Arm, Listing
from s2r.pipeline.tasks import PackPlan
from s2r.policy import Policy
from s2r.policy.asking import Asking, PackRule

JUDGES = 3  # of a panel
NEEDED = {"unanimous": 3, "majority": 2}
_APART = {
    "rate",
    "concurrency",
    "tokens_per_minute",
    "timeout_s",
    "get_key",
    "needs_key",
    "prices",
    "search_reserve",
    "batch",
    "batch_share",
}


@dataclass(frozen=True)
class ModelSetup:
    """The models of a run. `panel` is "" or how many of three judges must agree: unanimous or majority; `searches` bounds what a
    model with its own search tool may search for one record."""

    arm: Arm
    callers: Mapping[ModelRole, ModelCaller]
    asking: Asking
    pack: PackRule
    panel: str = ""
    searches: int = 5
    batches: Mapping[ModelRole, BatchCaller] = field(default_factory=dict)  # roles that are asked by batches

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of all that can change a record, as part of every row's inputs: models and how they are asked, prompts, ladder,
        evidence rule, arm. Pace, patience, prices and keys are not among it."""
        parts = {
            "arm": self.arm.value,
            "panel": self.panel,
            "searches": self.searches,
            "files": self.asking.files,
            "pack": self.pack.model_dump(mode="json"),
            "roles": {role.value: _asked(caller.account.profile) for role, caller in sorted(self.callers.items())},
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def names(self) -> dict[str, str]:
        """provider:model of every role."""
        return {role.value: str(caller.account.profile.name) for role, caller in sorted(self.callers.items())}

    @property
    def pack_plan(self) -> PackPlan | None:
        """How workers choose the evidence, None on the arms that are shown none."""
        return PackPlan(self.pack, self.asking.instructions) if self.arm is Arm.WEB else None

    def judge_name(self, role: ModelRole) -> str:
        """The adjudicator of a record, as it is written there: model and arm."""
        return f"{self.callers[role].account.profile.name}@{self.arm.value}"

    def question(self, listing: Listing, policy: Policy, pack: Pack | None, purpose: str) -> Question:
        """What is asked about one listing; `pack` is the evidence of the arm web."""
        prompt = self.asking.prompts[purpose]
        said = render(prompt, listing, policy, self.arm, pack)
        search = WebSearch(max_uses=self.searches, country=_country(listing, policy)) if self.arm is Arm.NATIVE else None
        return Question(
            system=said.system,
            user=said.user,
            form=answer_form(policy),
            prompt=prompt.id,
            pack=pack.note.digest if pack else "",
            search=search,
            choices={"passage": tuple(passage.ref.id for passage in pack.passages)} if pack else {},
            row_id=listing.row_id,
        )

    async def ask(self, role: ModelRole, question: Question) -> ModelAnswer:
        """The answer of a role; raises `AnswerPending` where it waits in a batch."""
        return await (self.batches.get(role) or self.callers[role]).ask(question)

    async def settle(self, stop: asyncio.Event, on_news: Callable[[BatchNews], None]) -> bool:
        """Send what waits for batches and follow them to their end, one role after the other; False when `stop` was set before."""
        for _, batch in sorted(self.batches.items()):
            if not await batch.settle(stop=stop, on_news=on_news):
                return False
        return True


def _asked(profile: Profile) -> dict[str, object]:
    return profile.model_dump(mode="json", exclude=_APART)


def _country(listing: Listing, policy: Policy) -> str:
    venue = policy.venues.get(listing.mic)
    found = venue.country if venue else listing.country
    return found if len(found) == 2 and found.isalpha() else ""
