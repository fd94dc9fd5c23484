"""What calls cost: the operator's own prices first, then the price list of genai-prices, else unknown; never a guess."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, ValidationError

from s2r.errors import PolicyError
from s2r.modelapi.profiles import Profile
from s2r.modelapi.types import ModelUsage, WebSearch
from s2r.models.listing import Frozen

PRICES_FILE = "prices.toml"
FREE, OVERRIDE, UNKNOWN, BOUND, CACHE = "free", "override", "unknown", "bound", "cache"
_FRAMING = 1000  # tokens that a provider adds by itself for forms and tools
_MILLION = Decimal(1_000_000)


class PriceLine(Frozen):
    """An operator's price of one model, in US dollars per million tokens; a part left out costs what `input` costs.

    `search_per_1000` is in dollars per 1,000 searches; None = unknown, so that an answer with searches has an unknown price.
    """

    input: float = Field(ge=0)
    cached: float | None = Field(None, ge=0)
    cache_write: float | None = Field(None, ge=0)
    cache_write_1h: float | None = Field(None, ge=0)
    output: float = Field(ge=0)
    search_per_1000: float | None = Field(None, ge=0)
    as_of: dt.date
    source: str


class Cost(NamedTuple):
    """Dollars, None when unknown, and how they are known."""

    usd: float | None
    basis: str


class Pricer:
    """Prices of calls; `lines` are the operator's own, by pattern of `provider:model`."""

    def __init__(self, lines: Mapping[str, PriceLine] | None = None) -> None:
        self._lines = dict(lines or {})

    def cost(self, profile: Profile, model: str, usage: ModelUsage, at: dt.datetime) -> Cost:
        """What `usage` costs with `model` (as the provider names it, else as asked) at a time; unknown without reported usage."""
        if (line := self._line(profile, model)) is not None:
            return _by_line(line, usage) if usage.reported else Cost(None, UNKNOWN)
        if profile.prices == FREE:
            return Cost(0.0, FREE)
        if not profile.prices or not usage.reported:
            return Cost(None, UNKNOWN)
        for name in dict.fromkeys(filter(None, (model, profile.model))):
            if (usd := _by_list(profile.prices, name, usage, at)) is not None:
                return Cost(usd, _list_version())
        return Cost(None, UNKNOWN)

    def bound(self, profile: Profile, prompt_bytes: int, search: WebSearch | None, at: dt.datetime) -> float | None:
        """The most that a call may cost, None when its price is unknown: no tokenizer makes more than one token of a byte.

        What a search tool reads has no bound; `search_reserve` stands for it.
        """
        searches = 0 if search is None else search.max_uses if profile.search_unit == "query" else 1
        most = prompt_bytes + _FRAMING + searches * profile.search_reserve
        return self.cost(profile, "", ModelUsage(input_tokens=most, output_tokens=profile.max_output, searches=searches), at).usd

    def _line(self, profile: Profile, model: str) -> PriceLine | None:
        names = [str(profile.name), *([f"{profile.provider}:{model}"] if model else [])]
        fitting = [pattern for pattern in self._lines if any(fnmatchcase(name, pattern) for name in names)]
        return self._lines[max(fitting, key=lambda pattern: (len(pattern), pattern))] if fitting else None


def load_price_lines(policies: Path) -> dict[str, PriceLine]:
    """The tables `[model."provider:name"]` of prices.toml, {} without any; raises `PolicyError`."""
    path = policies / PRICES_FILE
    try:
        tables = tomllib.loads(path.read_text("utf-8")).get("model", {}) if path.is_file() else {}
        return {name: PriceLine.model_validate(table) for name, table in tables.items()}
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise PolicyError(f"cannot be read: {exc}", subject=str(path), advice="Fix the file.") from exc
    except (ValidationError, AttributeError) as exc:
        raise PolicyError(f"a price of a model is wrong: {exc}", subject=str(path), advice="See docs/operations.md.") from exc


def _by_line(line: PriceLine, usage: ModelUsage) -> Cost:
    if usage.searches and line.search_per_1000 is None:
        return Cost(None, UNKNOWN)
    hour = usage.cache_write_1h_tokens
    fresh = usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens
    if fresh < 0 or hour > usage.cache_write_tokens:
        return Cost(None, UNKNOWN)  # the report contradicts itself
    write = line.input if line.cache_write is None else line.cache_write
    parts = (
        (fresh, line.input),
        (usage.cached_tokens, line.input if line.cached is None else line.cached),
        (usage.cache_write_tokens - hour, write),
        (hour, write if line.cache_write_1h is None else line.cache_write_1h),
        (usage.output_tokens, line.output),
    )
    tokens = sum((tokens * Decimal(str(price)) for tokens, price in parts), Decimal(0)) / _MILLION
    searches = usage.searches * Decimal(str(line.search_per_1000 or 0)) / 1000
    return Cost(float(tokens + searches), OVERRIDE)


def _by_list(provider: str, model: str, usage: ModelUsage, at: dt.datetime) -> float | None:
    """Dollars by genai-prices, None when it has no price for the model, or none for its searches."""
    from genai_prices import Usage, calc_price

    counts = {
        "input_tokens": usage.input_tokens,
        "cache_read_tokens": usage.cached_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
        "cache_write_1h_tokens": usage.cache_write_1h_tokens,
        "output_tokens": usage.output_tokens,
        "web_searches": usage.searches,
    }
    try:
        found = calc_price(
            Usage(**{name: number for name, number in counts.items() if number}), model, provider_id=provider, genai_request_timestamp=at
        )
    except (LookupError, ValueError):  # no such model; or the report contradicts itself
        return None
    prices = found.model_price
    if prices.input_mtok is None or prices.output_mtok is None or (usage.searches and getattr(prices, "web_searches_kcount", None) is None):
        return None
    return float(found.total_price)


@lru_cache(maxsize=1)
def _list_version() -> str:
    return f"genai-prices {metadata.version('genai-prices')}"
