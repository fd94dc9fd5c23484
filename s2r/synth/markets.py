"""Markets and page texts of synthetic universes, as data."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources

from s2r.models.listing import Frozen

TRAPS = ("warning", "suspension", "cured", "other_class", "sister", "namesake")


class Market(Frozen):
    """One venue. `form` makes the issuer's name of the universe, `local` the one of the pages where it differs."""

    mic: str
    venue: str
    sister: str
    country: str
    language: str
    weight: int
    city: str
    form: str
    security: str
    short: str
    other_class: str
    local: str = ""
    local_venue: str = ""
    local_sister: str = ""


class PageText(Frozen):
    """Title and body of a kind of page, with fields in braces."""

    title: str
    body: str
    kind: str = "other"  # disclosure type of a notice


class Texts(Frozen):
    """The pages of one language. `notice` by reason; `locale` writes the dates."""

    trades: tuple[str, ...]
    locale: str
    notice: dict[str, PageText]
    warning: PageText
    suspension: PageText
    cured: PageText
    other_class: PageText
    sister: PageText
    namesake: PageText
    noise: PageText
    recap: PageText
    local_trades: tuple[str, ...] = ()

    def page(self, kind: str) -> PageText:
        """The text of a trap, of noise or of a recap."""
        found = getattr(self, kind)
        assert isinstance(found, PageText)
        return found


@lru_cache(maxsize=1)
def markets() -> tuple[Market, ...]:
    """All markets."""
    data = tomllib.loads(resources.files("s2r.synth").joinpath("markets.toml").read_text("utf-8"))
    return tuple(Market.model_validate(item) for item in data["market"])


@lru_cache(maxsize=32)
def texts(language: str) -> Texts:
    """The pages of a language that a market speaks."""
    data = tomllib.loads(resources.files("s2r.synth").joinpath("texts", f"{language}.toml").read_text("utf-8"))
    return Texts.model_validate(data)
