"""What kind of site an address belongs to, by `sources.toml` and the official sources of the venues."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import urlsplit

from s2r.lang.literals import Sought
from s2r.policy.types import Policy

_WAYBACK = re.compile(r"^https?://web\.archive\.org/web/\d+[a-z_]*/(.+)$")
_SECOND_LEVEL = frozenset({"co", "com", "net", "org", "or", "ne", "gov"})  # as in acme.co.uk
VOICE_HEAD, VOICE_TAIL = 1500, 700  # folded characters in which a page shows who speaks
_MIN_NAME = 5  # letters of a host name that may stand for an issuer; shorter ones are words and tickers


def source_kind(url: str, policy: Policy, issuer: str = "") -> str:
    """Kind of site of `url`: exchange, regulator, filing, issuer, wire, press, aggregator, forum or unknown.

    A listed domain (the longest that the host ends with, a longer path first) wins over patterns; the first pattern that
    is found in "host/path", lower case, wins over later ones. With the name of an issuer, a host that is the beginning of
    this name is the issuer's. A Wayback address has the kind of the page it keeps. Never raises.
    """
    if kept := _WAYBACK.match(url):
        return source_kind(kept.group(1), policy, issuer)
    host, path = _host_path(url)
    if not host:
        return "unknown"
    if kind := _domain_kind(host, path, policy.domain_kinds):
        return kind
    if issuer and _is_issuer_host(host, issuer):
        return "issuer"
    address = f"{host}{path or '/'}"
    return _kinds(policy.address_patterns).first(address) or "unknown"


class _Kinds:
    """Patterns in order, each with the kind that it shows."""

    def __init__(self, lines: Iterable[tuple[str, str]]) -> None:
        self._lines = tuple((re.compile(pattern), kind) for pattern, kind in lines)
        self._sought = Sought(pattern for pattern, _ in self._lines)

    def first(self, text: str) -> str:
        """Kind of the first pattern that is found in `text`, "" when none is."""
        possible = map(self._lines.__getitem__, self._sought.possible(text))
        return next((kind for pattern, kind in possible if pattern.search(text)), "")


_KINDS: dict[int, tuple[Sequence[tuple[str, str]], _Kinds]] = {}  # by identity; the lines are kept, so ids stay theirs


def _kinds(lines: tuple[tuple[str, str], ...]) -> _Kinds:
    """The patterns of a policy, compiled once; they are too many to be hashed for each page."""
    known = _KINDS.get(id(lines))
    if known is None:
        known = _KINDS[id(lines)] = lines, _Kinds(lines)
    return known[1]


def listed_kind(url: str, policy: Policy) -> str:
    """Kind of site of `url` by listed domains only, "" for an address that is not among them: a pattern or a name proves nothing."""
    host, path = _host_path(url)
    return (_domain_kind(host, path, policy.domain_kinds) or "") if host else ""


def is_issuer_site(url: str, issuer: str) -> bool:
    """Whether the host of `url` is named after the issuer."""
    return _is_issuer_host(_host_path(url)[0], issuer)


def under_code(url: str, code: str, country: str) -> bool:
    """Whether a folder of the address is the code of a security: four figures or more that are no year, or three letters or more, in
    Brazil without the figure of the class ("/tisa/" for TISA3)."""
    path = _host_path(url)[1]
    folders = [part.lower() for part in path.split("/")[:-1] if part]
    own = code.strip(" *").lower()
    if own.isdigit():
        plain = own.lstrip("0")
        return (
            len(plain) >= _MIN_CODE and not _YEAR.fullmatch(plain) and any(part.isdigit() and part.lstrip("0") == plain for part in folders)
        )
    if country == "BR":
        own = own.rstrip("0123456789")
    return len(own) >= _MIN_CODE - 1 and own not in _FOLDERS and own in folders


_MIN_CODE = 4
_YEAR = re.compile(r"(?:19|20)\d\d")
_WORDS = (
    "all app art bin biz com corp data doc docs dev eng feed file home info item log main map news page pdf post pub site text usa web www"
)
_FOLDERS = frozenset(_WORDS.split())  # words of addresses, whatever codes they are as well


def _is_issuer_host(host: str, issuer: str) -> bool:
    """Whether the site's own label of `host` is the beginning of the squeezed issuer name, or of its second or third word
    (corvaisier.example of Etablissements Corvaisier SA), or made of words of the name in their order, from its first one that is long
    (alderfinance.example of Alder Rural Finance plc), with words that sites of companies add (aldergroup, alder-ir, ri-alder)."""
    labels = [label for label in host.split(".")[:-1] if label not in _SECOND_LEVEL]
    label = squeezed(labels[-1].removeprefix("ir-").removeprefix("ri-").removeprefix("investors-")) if labels else ""
    return len(label) >= _MIN_NAME and (any(name.startswith(label) for name in squeezed_names(issuer)) or _of_words(label, issuer))


@lru_cache(maxsize=4096)
def _of_words(label: str, issuer: str) -> bool:
    """Whether a label begins with the first long word of the name, and all that follows are later words of it or of `_ADDED`."""
    words = [word for part in issuer.split() if (word := squeezed(part))]
    first = next((n for n, word in enumerate(words) if len(word) >= _MIN_NAME and word not in _ADDED), None)
    if first is None or not label.startswith(words[first]):
        return False
    rest = label[len(words[first]) :]
    for word in words[first + 1 :]:
        rest = rest.removeprefix(word) if len(word) > 1 else rest
    while rest and (word := next((added for added in _ADDED if rest.startswith(added)), "")):
        rest = rest.removeprefix(word)
    return not rest


# what sites of companies add to a name, the longer first
_WORDS_ADDED = (
    "group groupe gruppe grupo gruppo groep konzern holding holdings investors investor invest relations corporate corp company "
    "international global online world inc plc ltd limited ag se sa spa nv ab asa oyj as bhd berhad tbk co ir"
)
_ADDED = tuple(sorted(_WORDS_ADDED.split(), key=len, reverse=True))


@lru_cache(maxsize=1024)
def squeezed_names(issuer: str) -> tuple[str, ...]:
    """The name, and the local name in brackets, without its first words, none to two of them, each as it stands in an address."""
    parts = [part.split() for part in re.split(r"[()（）]", issuer) if not part.isascii()]  # the local name
    whole = issuer.split()
    return tuple(
        squeezed("".join(words[first:])) for words in dict.fromkeys(map(tuple, (whole, *parts))) for first in range(min(3, len(words)))
    )


def squeezed(text: str) -> str:
    """ASCII letters and digits of `text`, lower case, without accents: how a name stands in an address."""
    plain = unicodedata.normalize("NFKD", text.lower().replace("ø", "o").replace("ß", "ss").replace("æ", "ae").replace("ł", "l"))
    return "".join(char for char in plain if char.isascii() and char.isalnum())


def _host_path(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url if "//" in url else f"//{url}")
        return (parts.hostname or "").removeprefix("www."), parts.path.lower()
    except ValueError:  # a malformed IPv6 literal
        return "", ""


def _domain_kind(host: str, path: str, kinds: dict[str, str]) -> str | None:
    """Kind by the longest domain that is `host` or ends it at a label; of equal hosts the longest path decides."""
    labels = host.split(".")
    folders = [part for part in path.split("/") if part]
    for first in range(len(labels) - 1):
        suffix = ".".join(labels[first:])
        for depth in range(min(len(folders), 3), 0, -1):
            if kind := kinds.get(f"{suffix}/{'/'.join(folders[:depth])}"):
                return kind
        if kind := kinds.get(suffix):
            return kind
    return None


def voice_kind(folded: str, policy: Policy) -> str:
    """Who speaks in a page's folded text, by the `voice` lines of `sources.toml`: exchange, regulator, issuer or press; "" when
    nothing shows it. The first kind in the order of the file that is found in the first or last lines wins."""
    ends = f"{folded[:VOICE_HEAD]}\n{folded[max(VOICE_HEAD, len(folded) - VOICE_TAIL) :]}"
    return _kinds(policy.voice_patterns).first(ends)
