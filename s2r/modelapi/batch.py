"""Questions asked together by a provider's batch API, at a share of the usual price: sent once, followed by id, also after a kill.

`BatchCaller.ask` takes the place of `ModelCaller.ask`: a question without an answer is put into the next batch and raises
`AnswerPending`; `settle` sends what was put there and waits, after which the same questions are answered.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import json
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from s2r.errors import BudgetExceeded, ConfigError, S2RError, SourceBroken, SourceError
from s2r.modelapi.batchforms import BATCH_FORMS, BatchForm, BatchItem, Remote, Result, Sent, results_of, uploaded_id
from s2r.modelapi.batchkeep import BatchState, ItemState, KeptBatch, KeptBatches, KeptItem
from s2r.modelapi.budget import ModelLedger, RecordBudgetExceeded, subject_of
from s2r.modelapi.caller import WIRE_FORMATS, ModelCaller, ModelDoor, encoded
from s2r.modelapi.keep import Exchange, KeptModels, answer_key
from s2r.modelapi.prices import BOUND, FREE, UNKNOWN, Cost, Pricer
from s2r.modelapi.refusal import read_refusal
from s2r.modelapi.schema import checked
from s2r.modelapi.types import NO_USAGE, ModelAnswer, ModelCall, ModelState, Question
from s2r.modelapi.wire import Reading, whole
from s2r.net import Caps, Mask, NotConnected, RetryRule
from s2r.net.answers import read_json
from s2r.net.reply import Reply

SETTLE_S = 120.0  # seconds after which a batch that its service does not list was never received
_MAX_PAGES = 20  # of the list of batches
_MAX_BODY = 512 << 20
_SLACK = dt.timedelta(minutes=10)  # between our clock and that of a service
_MOST_FAULTS = 20  # answers about one batch in a row that are none


class AnswerPending(S2RError):
    """The question waits in a batch; it is answered after `settle`."""


class BatchNews(NamedTuple):
    """How far one batch is, for people: its id at the service, and requests done of all."""

    remote: str
    done: int
    total: int
    ended: bool


class BatchCaller:
    """Asks the model of one role by batches. One event loop; `batches` holds those of the same endpoint and role as `caller`.

    `poll_s`: seconds between two looks at batches under way; `on_taken` is told the dollars of each answer when it is taken. An answer
    of the wrong form is asked for once more by a call of its own.
    """

    def __init__(
        self,
        caller: ModelCaller,
        door: ModelDoor,
        kept: KeptModels,
        batches: KeptBatches,
        *,
        clock: Callable[[], dt.datetime],
        ledger: ModelLedger,
        pricer: Pricer | None = None,
        retry: RetryRule | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        poll_s: float = 30.0,
        on_taken: Callable[[float | None], None] = lambda usd: None,
    ) -> None:
        profile = caller.account.profile
        if profile.batch == "none":
            known = ", ".join(BATCH_FORMS)
            raise ConfigError("has no batch API", subject=str(profile.name), advice=f"Leave --batch out; batch APIs: {known}.")
        self.account, self._caller, self._door, self._kept, self._batches = caller.account, caller, door, kept, batches
        self._form: BatchForm = BATCH_FORMS[profile.batch]
        self._wire, self._pricer, self._ledger = WIRE_FORMATS[profile.wire], pricer or Pricer(), ledger
        self._clock, self._retry, self._sleep, self._poll_s = clock, retry or RetryRule(), sleep, poll_s
        key = caller.account.key.get_secret_value()
        self._mask = Mask([key, key.replace("/", "\\/")])
        self._queue: dict[str, Question] = {}
        self._refused: dict[str, S2RError] = {}
        self._sent: dict[tuple[str, str], Question] = {}
        self._aside: dict[tuple[str, str], float | None] = {}
        self._faults, self._on_taken = 0, on_taken

    def key_of(self, question: Question) -> str:
        """The key of a question in batches, whatever model stands behind the asked name by now."""
        profile = self.account.profile
        return answer_key(profile.url, profile, "", question)

    @property
    def waiting(self) -> int:
        """Questions without an answer: put into the next batch, or under way."""
        return len(self._queue) + sum(batch.size for batch in self._batches.batches(BatchState.INTENT, BatchState.OPEN))

    async def ask(self, question: Question) -> ModelAnswer:
        """As `ModelCaller.ask`; raises `AnswerPending` for a question that waits in a batch, `ConfigError` for one with a search."""
        if question.search:
            raise ConfigError("a search tool does not go into a batch", subject="--batch", advice="Use the arms closed or web.")
        key = self.key_of(question)
        if refused := self._refused.pop(key, None):
            raise refused
        if item := self._batches.item(key, ItemState.ENDED):
            return await self._taken(item, question)
        if found := self._caller.kept_answer(question):
            return found
        if self._batches.item(key, ItemState.OPEN) is None:
            self._queue[key] = question
        raise AnswerPending("waits in a batch", subject=question.row_id or str(self.account.profile.name))

    async def _taken(self, item: KeptItem, question: Question) -> ModelAnswer:
        """The outcome of a request as an answer. One of the wrong form is asked for once more by a call of its own."""
        told = ModelAnswer.model_validate_json(item.outcome)
        self._on_taken(told.usd)
        if told.state is ModelState.ANSWERED:
            text, problems = checked(told.text, question.form)
            if not text:
                again = await self._caller.ask(question)
                self._batches.taken(item)
                return _after(told, again, f"in the batch: {'; '.join(problems)}"[:300])
            told = told.model_copy(update={"text": self._mask.known(text)})
            url, model = self.account.profile.url, self.account.profile.model
            self._kept.keep_resolved(url, model, told.model, self._clock())
            self._kept.keep_answer(self._caller.key_of(question), told, self._clock())
        else:
            told = told.model_copy(update={"text": ""})
        self._batches.taken(item)
        return told

    async def settle(self, *, stop: asyncio.Event | None = None, on_news: Callable[[BatchNews], None] | None = None) -> bool:
        """Send what waits and follow all batches to their end; False when `stop` was set before.

        Batches of an earlier process are followed too, and none is sent twice. Raises `BudgetExceeded` when a cap leaves no room,
        `SourceUnusable` when the service cannot be used, `SourceError` when a batch cannot be followed any more.
        """
        self._set_aside_again()
        while True:
            over = await self._submit()
            moved = False
            for batch in self._batches.batches(BatchState.INTENT):
                moved |= await self._found_again(batch)
            for batch in self._batches.batches(BatchState.OPEN):
                moved |= await self._followed(batch, on_news)
            if not moved and not self._batches.batches(BatchState.INTENT, BatchState.OPEN):
                if over is not None:
                    raise over
                if not self._queue:
                    return True
            if stop is not None and stop.is_set():
                return False
            if not moved:
                await self._sleep(self._poll_s)

    # --- sending

    async def _submit(self) -> BudgetExceeded | None:
        """Send all that waits and fits under the caps; the error of a cap that the next request does not fit under."""
        while self._queue:
            chosen, over = await self._chosen()
            if not chosen:
                return over
            await self._send(chosen)
            if over is not None:
                return over
        return None

    async def _chosen(self) -> tuple[list[tuple[str, Question, bytes, str, float | None]], BudgetExceeded | None]:
        """What goes into the next batch: (key, question, body, path, dollars set aside)."""
        chosen: list[tuple[str, Question, bytes, str, float | None]] = []
        size = 0
        for key, question in list(self._queue.items()):
            request = self._caller.request_of(question)
            body = encoded(request)
            if chosen and (size + len(body) > self._form.most_bytes or len(chosen) >= self._form.most_items):
                break
            try:
                async with asyncio.timeout(0):  # what does not fit now goes into a later batch
                    most = await self._ledger.reserve(question.row_id, subject_of(self._call(question.row_id)), self._bound(body))
            except TimeoutError:
                break
            except RecordBudgetExceeded as exc:
                self._refused[key] = exc
                del self._queue[key]
                continue
            except BudgetExceeded as exc:
                return chosen, exc
            chosen.append((key, question, body, request.path, most))
            size += len(body) + 200
        return chosen, None

    async def _send(self, chosen: Sequence[tuple[str, Question, bytes, str, float | None]]) -> None:
        """Send one batch: noted first, so that it is looked for and not sent again when its answer is lost."""
        at = self._clock()
        seed = [at.isoformat(), str(len(self._batches.batches(*BatchState))), *(key for key, *_ in chosen)]
        token = hashlib.sha256("\n".join(seed).encode()).hexdigest()[:24]
        kept = [
            KeptItem(token, f"{token}-{n:05d}", key, asked.row_id, asked.prompt, asked.pack, path, body, most, ItemState.OPEN)
            for n, (key, asked, body, path, most) in enumerate(chosen)
        ]
        for one, (key, asked, *_) in zip(kept, chosen, strict=True):
            self._sent[token, one.name], self._aside[token, one.name] = asked, one.reserved
            self._queue.pop(key, None)
        items = [BatchItem(one.name, one.path, json.loads(one.body)) for one in kept]
        file = ""
        try:
            if self._form.upload:
                file = uploaded_id(_object(await self._asked("POST", self._form.upload(items, token))))
        except BaseException:
            self._free(kept)
            raise
        self._batches.intend(token, self._form.name, kept, at)
        try:
            reply = await self._posted(self._form.submit(items, token, file))
        except NotConnected:
            self._batches.voided(token)
            self._free(kept)
            raise
        except SourceError:
            return  # it may have come there
        if reply.status >= 500:
            return  # as well
        if refused := self._refusal(reply):
            self._batches.voided(token)
            self._free(kept)
            raise refused
        try:
            self._batches.opened(token, self._form.remote(_object(reply)).ident)
        except SourceBroken:
            return

    async def _posted(self, sent: Sent) -> Reply:
        """The answer to a submission: sent once, but for a plain "slower"."""
        attempt = 0
        while True:
            attempt += 1
            reply = await self._request("POST", sent.path, sent, safe=False)
            slower = reply.status == 429 and not reply.spent
            pause = self._retry.pause(attempt, reply.asked_wait_s, random.random) if slower else None
            if pause is None:
                return reply
            await self._sleep(pause)

    def _free(self, kept: Sequence[KeptItem], *, requeue: bool = False) -> None:
        """Give back what was set aside for requests that were never made; with `requeue` they are asked again."""
        for one in kept:
            asked = self._sent.pop((one.token, one.name), None)
            if (one.token, one.name) in self._aside:
                most = self._aside.pop((one.token, one.name))
                self._ledger.book(self._call(one.row_id, cost=Cost(0.0, FREE), reserved=most, cause="never sent", attempts=0))
            if requeue and asked is not None:
                self._queue[one.key] = asked

    def _set_aside_again(self) -> None:
        """Set money aside for batches of an earlier process; they are paid for in any case, so no cap refuses them."""
        for batch in self._batches.batches(BatchState.INTENT, BatchState.OPEN):
            for one in self._batches.items(batch.token, ItemState.OPEN):
                if (one.token, one.name) in self._aside:
                    continue
                subject = subject_of(self._call(one.row_id))
                self._aside[one.token, one.name] = self._ledger.resume(one.row_id, subject, one.reserved)

    # --- finding again what may or may not have been sent

    async def _found_again(self, batch: KeptBatch) -> bool:
        """Look for a batch whose answer was lost; one that its service does not list after a while was never received."""
        if remote := await self._listed(batch):
            self._batches.opened(batch.token, remote)
            return True
        if (self._clock() - batch.at).total_seconds() < SETTLE_S:
            return False
        kept = self._batches.items(batch.token, ItemState.OPEN)
        self._batches.voided(batch.token)
        self._free(kept, requeue=True)
        return True

    async def _listed(self, batch: KeptBatch) -> str:
        path, known = self._form.list_path, self._batches.known()
        for _ in range(_MAX_PAGES):
            page = self._form.page(_object(await self._asked("GET", Sent(path, b""))))
            for remote in page.found:
                if remote.ident not in known and remote.ident not in batch.refuted and _may_be(remote, batch):
                    return remote.ident
            if not page.after or page.after == path:
                break
            path = page.after
        return ""

    # --- following

    async def _followed(self, batch: KeptBatch, on_news: Callable[[BatchNews], None] | None) -> bool:
        """Look at a batch; whether it has moved: ended with its results kept, or turned out to be another one."""
        try:
            remote = self._form.remote(_object(await self._asked("GET", Sent(self._form.status_path(batch.remote), b""))))
            if not remote.ended:
                self._faults = 0
                if on_news:
                    on_news(BatchNews(batch.remote, remote.done, remote.total or batch.size, False))
                return False
            results = await self._results(remote)
        except SourceError:
            self._faults += 1
            if self._faults >= _MOST_FAULTS:
                raise
            return False
        self._faults = 0
        kept = self._batches.items(batch.token, ItemState.OPEN)
        names = {one.name for one in kept}
        given = {result.name for result in results if result.name}
        if given and not names & given and len(kept) == batch.size:
            self._batches.refuted(batch.token, batch.remote)
            return True
        for one, result in _matched(kept, results, batch.size):
            self._kept_outcome(batch, one, result, remote)
        self._batches.ended(batch.token)
        if on_news:
            on_news(BatchNews(batch.remote, batch.size, batch.size, True))
        return True

    async def _results(self, remote: Remote) -> list[Result]:
        found = [self._form.result(row) for row in remote.inline]
        for path in remote.results:
            reply = await self._request("GET", path, Sent(path, b""), safe=True)
            if refused := self._refusal(reply):
                raise refused
            found += results_of(self._form, reply.body.decode("utf-8", "replace"))
        return found

    def _kept_outcome(self, batch: KeptBatch, item: KeptItem, result: Result | None, remote: Remote) -> None:
        """Read, archive, book and keep what came of one request, in this order: a kill books one request twice at most."""
        profile = self.account.profile
        lost = Cost(None, UNKNOWN) if item.reserved is None else Cost(item.reserved, BOUND)
        reading, cost, cause = None, lost, remote.cause or "the batch ended without a result for it"
        if result is None and remote.cause:
            cost = Cost(0.0, FREE)
        elif result is not None and result.body is None:
            cost, cause = (lost if result.billed else Cost(0.0, FREE)), result.cause
        elif result is not None and result.body is not None:
            try:
                reading = self._wire.read(whole(dict(result.body)), profile)
            except SourceBroken as exc:
                cause = str(exc)
            else:
                found = self._pricer.cost(profile, reading.model, reading.usage, self._clock())
                if found.usd is not None or reading.usage.reported:
                    share = profile.batch_share
                    cost = found if found.usd is None else Cost(found.usd * share, f"{found.basis} x {share:g}")
                cause = reading.cause
        cause = self._mask(cause)[:600]
        exchange = self._archived(item, result, reading, cause)
        state = reading.state if reading else ModelState.FAILED
        most = self._aside.pop((item.token, item.name), None)
        self._sent.pop((item.token, item.name), None)
        self._ledger.book(
            self._call(
                item.row_id, reading=reading, cost=cost, reserved=most, cause=cause, status=result.status if result else 0
            ).model_copy(update={"exchange": exchange})
        )
        answer = ModelAnswer(
            state=state, text=reading.text if reading else "", model=(reading.model if reading else "") or profile.model,
            usage=reading.usage if reading else NO_USAGE, usd=cost.usd, basis=cost.basis, calls=1, cause=cause, exchanges=(exchange,),
            elapsed_s=max(0.0, round((self._clock() - batch.at).total_seconds(), 3)),
        )  # fmt: skip
        self._batches.keep_outcome(item, answer.model_dump_json())

    def _archived(self, item: KeptItem, result: Result | None, reading: Reading | None, cause: str) -> str:
        profile, known = self.account.profile, self._mask.known
        body = json.dumps(result.body, ensure_ascii=False).encode("utf-8", "replace") if result and result.body is not None else b""
        return self._kept.keep_exchange(
            Exchange(
                at=self._clock(), row_id=item.row_id, role=self.account.role, provider=profile.provider, model=profile.model,
                wire=self._wire.name, url=known(self.account.at(item.path)), purpose="batch", prompt=item.prompt, pack=item.pack,
                request=known(item.body.decode()), status=(result.status or 200) if result and result.body is not None else 0,
                headers=(("s2r-batch", item.name),), body=known(body.decode("latin-1")), cause="" if reading else cause,
            )
        )  # fmt: skip

    # --- small parts

    def _bound(self, body: bytes) -> float | None:
        usd = self._pricer.bound(self.account.profile, len(body), None, self._clock())
        return None if usd is None else usd * self.account.profile.batch_share

    def _call(
        self, row_id: str, *, reading: Reading | None = None, cost: Cost | None = None, reserved: float | None = None, cause: str = "",
        status: int = 0, attempts: int = 1,
    ) -> ModelCall:  # fmt: skip
        cost, profile = cost or Cost(None, UNKNOWN), self.account.profile
        return ModelCall(
            role=self.account.role, provider=profile.provider, model=(reading.model if reading else "") or profile.model, row_id=row_id,
            purpose="batch", state=reading.state if reading else ModelState.FAILED, status=status, attempts=attempts,
            usage=reading.usage if reading else NO_USAGE, usd=cost.usd, basis=cost.basis, reserved=reserved, cause=cause,
        )  # fmt: skip

    def _refusal(self, reply: Reply) -> S2RError | None:
        """What a status means, in words without the key; None for success."""
        found = read_refusal(reply, self.account.profile.provider, self.account.setting, self.account.profile.get_key)
        return None if found is None else type(found)(self._mask(str(found))[:600])

    async def _asked(self, method: str, sent: Sent) -> Reply:
        """The answer to a request that changes nothing that counts, so that it may be repeated; raises what a refusal means."""
        reply = await self._request(method, sent.path, sent, safe=True)
        if refused := self._refusal(reply):
            raise refused
        return reply

    async def _request(self, method: str, path: str, sent: Sent, *, safe: bool) -> Reply:
        profile = self.account.profile
        typed = {"content-type": sent.content_type} if sent.content else {}
        try:
            return await self._door.request(
                method, self.account.at(path), headers={**self._wire.headers(self.account.key.get_secret_value()), **typed},
                content=sent.content or None, bucket=self.account.bucket, safe=safe,
                caps=Caps(wire=_MAX_BODY, body=_MAX_BODY, total_s=profile.timeout_s, read_s=profile.timeout_s), redirects=False,
            )  # fmt: skip
        except S2RError as exc:
            failure = type(exc)(self._mask(" ".join(str(exc).split()))[:600])
        raise failure  # outside of the handler, so that no chain leads to words that hold the key


def _may_be(remote: Remote, batch: KeptBatch) -> bool:
    """Whether a listed batch may be ours: by its label, else by size and time (its results decide then)."""
    if remote.label:
        return remote.label == batch.token
    if batch.api != "anthropic" or remote.total != batch.size:
        return False
    try:
        created = dt.datetime.fromisoformat(remote.created)
    except ValueError:
        return False
    return created.tzinfo is not None and batch.at - _SLACK <= created <= batch.at + 6 * _SLACK


def _matched(kept: Sequence[KeptItem], results: Sequence[Result], size: int) -> list[tuple[KeptItem, Result | None]]:
    """Requests with their results: by name, or by position where the service gives no names and all results."""
    if results and not any(result.name for result in results):
        place = {one.name: int(one.name.rpartition("-")[2]) for one in kept}
        return [(one, results[place[one.name]] if len(results) == size else None) for one in kept]
    named = {result.name: result for result in results}
    return [(one, named.get(one.name)) for one in kept]


def _after(told: ModelAnswer, again: ModelAnswer, note: str) -> ModelAnswer:
    """The answer to a question that was asked in a batch, and once more by itself."""
    return again.model_copy(
        update={
            "usage": told.usage + again.usage,
            "usd": None if told.usd is None or again.usd is None else told.usd + again.usd,
            "basis": ", ".join(dict.fromkeys(filter(None, (told.basis, again.basis)))),
            "calls": told.calls + again.calls,
            "repairs": again.repairs + 1,
            "cause": "; ".join(filter(None, (note, again.cause))),
            "exchanges": told.exchanges + again.exchanges,
        }
    )


def _object(reply: Reply) -> Mapping[str, Any]:
    return whole(read_json(reply))
