"""One call to a search service: key, address, price and ledger around a request, and what a refusal means."""

from __future__ import annotations

import asyncio
import base64
import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from pydantic import Field, SecretStr

from s2r.errors import S2RError, SourceBroken, SourceError, SourceRefused, SourceUnusable
from s2r.models import Query
from s2r.models.listing import Frozen
from s2r.net.answers import is_page, read_json, said
from s2r.net.hints import is_throttle_page
from s2r.net.mask import Mask
from s2r.net.reply import Reply
from s2r.net.retry import GATEWAY_LOST
from s2r.search.base import Provider, SearchAnswer, State
from s2r.search.dialect import cut_note

MAX_PAID_REPEATS = 1  # of one call whose answer was lost


class HttpDoor(Protocol):
    """What a provider needs of the network; `s2r.net.Net` fits. Raises only `SourceError` and `SourceUnusable`."""

    async def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, str | int | float] | None = None,
        headers: Mapping[str, str] | None = None,
        data: Any = None,
        bucket: str = "",
        safe: bool | None = None,
        on_lost: Callable[[str], bool] | None = None,
    ) -> Reply:
        """The answer to a request, also one with an error status. `data` is sent as JSON, `bucket` names the limit to keep.

        `on_lost` is asked with the cause before a request is repeated that may have been served though no answer came.
        """
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """One request in a service's own dialect. Headers and parameters may hold the key, so they are not shown."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    params: Mapping[str, str | int | float] = field(default_factory=dict, repr=False)
    data: Any = field(default=None, repr=False)
    sent: str = ""  # the query text as it is sent, cut to the service's limits


class Price(Frozen):
    """What a service costs and allows, from policies/prices.toml; `per_1000` is in US dollars, None = unknown."""

    per_1000: float | None = Field(None, ge=0)
    per: str = Field("call", pattern="^(call|credit)$")
    most_per_1000: float | None = Field(None, ge=0, description="the most that 1,000 calls may cost, where it is more")
    as_of: dt.date | None = None
    source: str = ""
    note: str = ""
    rate: float = Field(1.0, gt=0, description="requests per second that the usual plan allows")
    concurrency: int = Field(4, ge=1)

    @property
    def usd(self) -> float | None:
        """Dollars for one call or credit, None when unknown."""
        return None if self.per_1000 is None else self.per_1000 / 1000

    @property
    def most(self) -> float | None:
        """The most dollars that one call may cost, None when unknown: what is set aside for it."""
        return self.usd if self.usd is None or self.most_per_1000 is None else max(self.usd, self.most_per_1000 / 1000)


class Account(Frozen):
    """How one service is reached: key, base address, further options, price. `own_url`: the operator has set the address.

    `contact` is the mail address that the service wants to be told; `shared` names the limit when other clients share it.
    """

    name: str
    key: SecretStr = SecretStr("")
    url: str
    own_url: bool = False
    contact: str = ""
    shared: str = ""
    options: dict[str, str] = Field(default_factory=dict)
    price: Price
    get_key: str = ""

    @property
    def bucket(self) -> str:
        """The limit that all calls keep: the service's own, or that of a domain whose pages are fetched under it too."""
        return self.shared or self.name

    def at(self, path: str) -> str:
        """The address of `path` at the service, also when the operator's address already ends with it."""
        base = self.url.rstrip("/")
        return base if base.endswith(path) else base + path


class Cost(NamedTuple):
    """What an answer says that it cost, each None when it does not say."""

    usd: float | None = None
    credits: float | None = None


class SearchCall(Frozen):
    """One call as the ledger books it. `usd` is None when unknown; `basis`: reported, listed, free, bound (at most this), unknown."""

    provider: str
    state: State
    status: int = 0  # 0: no answer came
    attempts: int = 1
    usd: float | None = None
    credits: float | None = None
    basis: str = "unknown"
    reserved: float | None = None
    intent: int | None = None  # what `reserve` gave for it
    waited_s: float = 0.0
    elapsed_s: float = 0.0
    cause: str = ""


class Ledger(Protocol):
    """Where calls are paid for. `reserve` is asked before each call and raises `BudgetExceeded`; `book` follows once for each.

    A call that is sent again after its answer was lost is two calls, as both may be billed.
    """

    def reserve(self, provider: str, usd: float | None) -> int | None:
        """Set `usd`, the most that it may cost, aside for a call (None: its price is unknown); what it gives comes back with the call."""
        ...

    def book(self, call: SearchCall) -> None:
        """Book a call that ended, and free what was set aside for it."""
        ...


class NoLedger:
    """A ledger that keeps nothing."""

    def reserve(self, provider: str, usd: float | None) -> int | None:
        """Every call may be made."""
        return None

    def book(self, call: SearchCall) -> None:
        """Nothing is kept."""


T = TypeVar("T")
Read = Callable[[Reply, Query], SearchAnswer]
Refusal = Callable[[Reply, Account], S2RError | None]
ReadCost = Callable[[Reply], Cost]


class Caller:
    """Makes the calls of one provider; after a refusal that stays (key, plan, address) none is made any more."""

    def __init__(self, account: Account, door: HttpDoor, ledger: Ledger | None = None) -> None:
        self.account, self._door, self._ledger = account, door, ledger or NoLedger()
        key = account.key.get_secret_value()
        basic = base64.b64encode(f"{key}:".encode()).decode() if key else ""
        self._mask = Mask([key, basic, *account.options.values()])
        self._dropped = ""

    def __repr__(self) -> str:
        return f"Caller({self.account.name!r})"

    async def ask(
        self,
        request: Request,
        query: Query,
        limit: int,
        read: Read,
        *,
        refusal: Refusal | None = None,
        cost: ReadCost | None = None,
    ) -> SearchAnswer:
        """The answer to a request: answered, empty, or failed with its cause; raises `SourceUnusable` when no further call helps."""
        try:
            answer = await self.read(request, lambda reply: read(reply, query), refusal=refusal, cost=cost)
        except SourceError as exc:
            answer = SearchAnswer(state=State.FAILED, cause=self._words(exc))
        notes = "; ".join(filter(None, (answer.note, cut_note(query, request.sent) if request.sent else "")))
        return answer.model_copy(update={"hits": answer.hits[:limit], "note": self._mask(notes)})

    async def read(
        self, request: Request, read: Callable[[Reply], T], *, refusal: Refusal | None = None, cost: ReadCost | None = None
    ) -> T:
        """What `read` makes of the answer to a request; raises `SourceError`, or `SourceUnusable` when no further call helps.

        The words of an error hold no key. Every call is reserved and booked.
        """
        if self._dropped:
            raise SourceUnusable(self._dropped)
        intent, repeats = self._ledger.reserve(self.account.name, self.account.price.most), 0
        reply: Reply | None = None

        def on_lost(cause: str) -> bool:
            """The lost call is booked as one that may have been billed, and paid for once more; a third time it is not sent."""
            nonlocal intent, repeats
            repeats += 1
            if self.account.price.usd == 0.0:
                return True
            if repeats > MAX_PAID_REPEATS:
                return False
            self._book(None, State.FAILED, self._mask(" ".join(cause.split()))[:500], Cost(), intent)
            intent = self._ledger.reserve(self.account.name, self.account.price.most)
            return True

        try:
            reply = await self._door.request(
                request.method,
                request.url,
                params=request.params or None,
                headers=request.headers,
                data=request.data,
                bucket=self.account.bucket,
                safe=True,  # a search changes nothing, so it may be sent again, but it may be billed again
                on_lost=on_lost,
            )
            refused = (refusal(reply, self.account) if refusal else None) or read_refusal(reply, self.account)
            if refused:
                raise refused
            found = read(reply)
        except asyncio.CancelledError:
            self._book(None, State.FAILED, "cancelled", Cost(), intent)
            raise
        except (SourceUnusable, SourceError) as exc:
            failed = type(exc)(self._words(exc))
        else:
            state, cause = (found.state, found.cause) if isinstance(found, SearchAnswer) else (State.ANSWERED, "")
            paid = cost(reply) if cost and 200 <= reply.status < 300 and state is not State.FAILED else Cost()
            self._book(reply, state, cause, paid, intent)
            return found
        if isinstance(failed, SourceUnusable):
            self._dropped = failed.message
        self._book(reply, State.FAILED, failed.message, Cost(), intent)
        raise failed  # outside of the handler: the error that it replaces may hold the key

    def _words(self, exc: S2RError) -> str:
        return self._mask(" ".join(str(exc).split()))[:500] or type(exc).__name__

    def _book(self, reply: Reply | None, state: State, cause: str, cost: Cost, intent: int | None) -> None:
        usd, basis = _price(reply, cost, self.account.price)
        self._ledger.book(
            SearchCall(
                provider=self.account.name,
                state=state,
                status=reply.status if reply else 0,
                attempts=reply.attempts if reply else 1,
                usd=usd,
                credits=cost.credits,
                basis=basis,
                reserved=self.account.price.most,
                intent=intent,
                waited_s=reply.waited_s if reply else 0.0,
                elapsed_s=reply.elapsed_s if reply else 0.0,
                cause=cause,
            )
        )


@dataclass(frozen=True, slots=True)
class ProviderSpec:
    """One kind of provider: how it is named, where it answers, what it needs, and how it is connected.

    `url` is the base address ("" = the operator has to give one); `options` are further settings it needs, in lower case;
    `legacy` says why a new user cannot have it; `price` holds when policies/prices.toml has none. `needs_contact`: it wants the mail
    address of S2R_CONTACT; `shared` is a domain whose pages count for the same limit.
    """

    name: str
    title: str
    url: str
    get_key: str
    connect: Callable[[Caller], Provider]
    needs_key: bool = True
    options: tuple[str, ...] = ()
    legacy: str = ""
    price: Price | None = None
    needs_contact: bool = False
    shared: str = ""


def is_contact(text: str) -> bool:
    """Whether a text holds a mail address and can stand in a header."""
    return text.isascii() and text.isprintable() and re.search(r"[^\s@()<>]+@[^\s@()<>]+\.[a-zA-Z]{2,}", text) is not None


def read_refusal(reply: Reply, account: Account) -> S2RError | None:
    """The error that a status means, None for success: what stays refused is `SourceUnusable`, the rest may pass."""
    status = reply.status
    if 200 <= status < 300:
        return None
    words = _message(reply)
    told = f"status {status}" + (f": {words}" if words else "")
    name = account.name.upper()
    if reply.spent or status in (402, 432, 433):
        return SourceUnusable(f"credits or plan are used up ({told})", subject=account.name, advice=f"Renew them at {account.get_key}.")
    if status in (429, 503, 529) or (status == 403 and is_throttle_page(reply.body)):
        return SourceRefused(f"asked to slow down ({told})")
    if status == 401 or (status == 403 and not is_page(reply)):
        return SourceUnusable(f"the key is refused ({told})", subject=account.name, advice=f"Check S2R_{name}_KEY; see {account.get_key}.")
    if status == 403:
        return SourceRefused(f"a page refuses access ({told})", advice="A firewall or bot check stands before the service.")
    if status in (404, 405, 410):
        return SourceRefused(f"there is no such service at this address ({told})", advice=f"Check S2R_{name}_URL.")
    if status >= 500:
        return SourceBroken(f"the service failed ({told})")
    if status < 400:
        return SourceBroken(f"the answer is no result ({told})")
    return SourceRefused(f"the request is refused ({told})")


def _price(reply: Reply | None, cost: Cost, price: Price) -> tuple[float | None, str]:
    """Dollars of a call and how they are known; refused calls are free, a lost answer may have been billed."""
    if reply is not None and reply.status not in GATEWAY_LOST and not 200 <= reply.status < 300:
        return 0.0, "free"
    if cost.usd is not None:
        return cost.usd, "reported"
    if price.usd is None:
        return None, "unknown"
    if cost.credits is not None:
        return cost.credits * price.usd, "reported"
    lost = reply is None or reply.status in GATEWAY_LOST
    return (price.most, "bound") if lost else (price.usd, "listed")


def _message(reply: Reply) -> str:
    try:
        return said(read_json(reply))
    except SourceBroken as exc:
        return exc.message if is_page(reply) else " ".join(reply.text[:120].split())
