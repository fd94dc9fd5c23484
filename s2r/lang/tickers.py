"""Ticker mentions in text, with the exchange written beside them; an ordinary word is never taken for a ticker."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from s2r.lang.name_words import COMMON, INDUSTRY, LEADING, PLACES, ROLE_WORDS, STRUCTURE
from s2r.lang.text import fold_text


@dataclass(frozen=True, slots=True)
class TickerMention:
    """A ticker in text. `kind`: exchange ('ASX: KJR'), label ('symbol "TZLN"'), suffix ('600000.SH'), paren ('(TZLN)'), bare.

    `exchange` is the exchange written before or after it ("" if none); `own_venue` says whether that is one of the venue's names
    (None when no exchange is written).
    """

    start: int
    end: int
    text: str
    kind: str
    exchange: str = ""
    own_venue: bool | None = None


_EXCHANGES = tuple(
    """
    NASDAQ | NasdaqGS | NasdaqGM | NasdaqCM | NYSE American | NYSE MKT | NYSE Arca | NYSEArca | NYSEAMERICAN | NYSEMKT | NYSE |
    AMEX | ASE | CBOE CA | CBOE | BATS | OTCQB | OTCQX | OTC Pink | OTCBB | OTC | PINK | TSX-V | TSXV | TSX Venture | TSX | NEO |
    CSE | CNSX | ASX | NZX | LSE | LON | AIM | AQSE | PLUS | ISE | ESM | Euronext | EPA | PAR | AMS | EBR | BRU | LIS | ELI |
    XETRA | ETR | FRA | FWB | FSE | XTRA | MUN | STU | BER | DUS | HAM | SIX | SWX | VTX | WBAG | VIE | BIT | MIL | MTA | BME | MC
    | MAD | STO | OMX | CPH | HEL | OSE | OSL | OL | ICE | WSE | GPW | PSE | BSE | NSE | BOM | HKEX | HKSE | SEHK | HKG | SGX |
    KLSE | MYX | BURSA | SET | IDX | JKX | TYO | TSE | JPX | TWSE | TPEX | KRX | KOSDAQ | KOSPI | KONEX | SHA | SHE | SSE | SZSE |
    HOSE | HNX | UPCOM | B3 | BVMF | BOVESPA | SAO | BMV | BVL | BCBA | JSE | NGX | NSENG | TADAWUL | DFM | ADX | QSE | TASE |
    BIST | IST | MOEX | MCX | 东证 | 東証 | 札証 | 名証 | 福証 | 上交所 | 深交所 | 上海 | 深圳 | 港交所 | 香港 | 코스닥 | 코스피
    """.split("|")  # noqa: SIM905 - a list of names is read and edited as text
)
_TAGS = frozenset(name.strip().casefold() for name in _EXCHANGES)
_SUFFIXES = frozenset(
    """
    A AS AU AX BA BK BO BR CN CO DE F HE HK IC IR IS JK JO JP K KL KQ KS L LG LM LN LS MC ME MI MX N NS NZ O OB OL OQ PA PK PR PS
    S SA SH SI SN SS ST SW SZ T TA TO TW TWO V VI VN VX WA
    """.split()  # noqa: SIM905 - a word list is read and edited as text
)
_LABELS = (
    r"(?:ticker|trading|stock|share|market)[\s-]*(?:symbols?|codes?|tickers?|short[\s-]?name)|tickers?|symbols?|TIDM|EPIC"
    r"|(?:scrip|security|instrument|issuer|company)\s+code|short\s+name|stock\s+code|ASX\s+code|code"
    r"|(?:Börsen|Ticker|Handels)?(?:kürzel|symbol)|mnémo(?:nique)?|code\s+(?:mnémo(?:nique)?|de\s+n[ée]gociation)|sigle|s[íi]mbolo|sigla"
    r"|c[óo]digo(?:\s+de\s+negocia[çc][ãa]o)?|clave(?:\s+de\s+cotizaci[óo]n)?|simbolo|codice|kortnam[en]|kortnavn"
    r"|ticker-?(?:tunnus|kode|symbol)|kaupankäyntitunnus|tunnus|oznaczeni[eau]m?|skrót|kod|kode(?:\s+saham)?|kod\s+saham"
    r"|mã(?:\s+(?:chứng\s+khoán|ck|cp|cổ\s+phiếu))?|nama\s+(?:saham|pendek)|stock\s+name|証券コード|銘柄コード|コード番号|コード|股票代[码碼号號]"
    r"|证券代[码碼]|證券代[碼號]|股份代[號号]|代[码碼號号]|종목코드|종목번호|단축코드|코드|рыночный\s+код|тикер|رمز"
)
_QUOTES = r"[\"“”'‘’«(\[ ]"
_COPULA = r"(?:is|was|of|are|be|ist|est|es|è|er|on|no|nr|number|番号)?\.?\s*[:=#]?\s*"
_LABEL = re.compile(
    rf"(?<![A-Za-z])(?:{_LABELS})(?:\s*\(s\))?[\"“”'‘’«»()\[\s]{{0,3}}(?:{_COPULA}){{0,2}}{_QUOTES}{{0,2}}$",
    re.IGNORECASE,
)
_CHAIN = r"(?:\$?[A-Za-z0-9][A-Za-z0-9.\-]{0,9}(?:\s*[,;/&]\s*|\s+and\s+)){0,5}"
_WORDS = COMMON | INDUSTRY | LEADING | PLACES | ROLE_WORDS | STRUCTURE
_SHORT_WORDS = frozenset(
    """
    a ab abn acn adr ads ag aim akcje akt am amf an and any are as ask asx at aud bad bafin be bid bit bp buy by cab cad cap car
    care cash cat ceo cfo chf cnmv cny consob coo cto cut dad did dkk do dog due dvd eat ec edge ego eh end era esg esma etf eu
    eur euro ev eve eye fast fca few fit fly for free fun gas gbp gdr get go good got gov gps had has hat he her him his hit hkd
    hope how hr hub hug i id if ill in ipo ir is isin it its ivr jam jar job jpy key kid kind la land law lay led leg let lie life
    like link live lot love low lse mac main may me met mind mix mob mom moon move my nav nd net new next nice no nok non nor not
    now nr ny nyse of off oh ok old on one open or otc otcbb our out own pay peak per pet plan play plc pln pls pm pop post pr put
    q1 q2 q3 q4 ran raw rd rent ride rip rns road rock run sa sad safe sale sand sat save saw say se sec see seed sek sell sent
    set she shoe shop sit six size snow so son song soul spot ssn star stay stem step stop sub sum tab tax team tech ten text than
    that the them then they this tie time tip to too top toy tree trip true try tsx turn tv two type uk unit up us usa usd use van
    via view wait walk wall want war warm was wash wave way we wear web week well were what when who why wide will win wine wing
    wise wish with won wood word work year yen yes yet you your zip zone
    """.split()  # noqa: SIM905 - a word list is read and edited as text
)
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


def is_ordinary_word(ticker: str) -> bool:
    """True when the ticker, written alone, is also a word or a usual abbreviation."""
    word = ticker.lower()
    return len(word) < 3 or word in _SHORT_WORDS or word in _WORDS


@lru_cache(maxsize=1024)
def _ticker_regex(ticker: str) -> re.Pattern[str]:
    core = r"[ .\-/]?".join(re.escape(part) for part in re.split(r"[ .\-/]+", ticker) if part)
    prefix = "(?P<pre>)"
    if ticker.isdigit():
        prefix = r"(?P<pre>A|(?:SH|SZ|sh|sz|HK)[:.]?)?" if len(ticker) == 6 else "(?P<pre>HK[:.]?)?" + "0{0,2}"
    return re.compile(rf"(?<![A-Za-z0-9_.\-/]){prefix}(?P<core>{core})(?P<suffix>[.:\-/ ][A-Z0-9]{{1,5}}(?![A-Za-z0-9]))?(?![A-Za-z0-9_])")


@lru_cache(maxsize=256)
def _exchange_regex(aliases: tuple[str, ...]) -> re.Pattern[str]:
    names = sorted({*(e.strip() for e in _EXCHANGES), *(a.strip() for a in aliases if len(a.strip()) > 1)}, key=lambda n: (-len(n), n))
    body = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in names)
    return re.compile(
        rf"(?<![A-Za-z0-9])(?P<ex>{body})(?:\s+(?:ticker|symbol|code))?[\"”)]?\s*(?::|[-–]\s)\s*[\"“'(]?{_CHAIN}[\"“'(]?\$?$",
        re.IGNORECASE,
    )


def ticker_mentions(text: str, ticker: str, venue_aliases: Collection[str] = ()) -> tuple[TickerMention, ...]:
    """Mentions of `ticker` with the exchange seen beside it, in reading order; an ordinary word never matches bare."""
    wanted = ticker.strip()
    if not wanted:
        return ()
    plain = text if text.isascii() else text.translate(_WIDE)
    aliases = tuple(sorted(venue_aliases))
    own = frozenset(fold_text(alias).strip() for alias in aliases)
    regex = _exchange_regex(aliases)
    found = (_mention(text, match, ticker=wanted, exchange=regex, own=own) for match in _ticker_regex(wanted).finditer(plain))
    return tuple(mention for mention in found if mention)


def _mention(text: str, match: re.Match[str], *, ticker: str, exchange: re.Pattern[str], own: frozenset[str]) -> TickerMention | None:
    plain, start, end, suffix = match.string, match.start(), match.end(), match["suffix"] or ""
    before = plain[max(0, start - 80) : start]
    if suffix[:1] == ":" and (suffix[1:].casefold() in _TAGS or fold_text(suffix[1:]) in own):
        return TickerMention(start, end, text[start:end], "exchange", suffix[1:], fold_text(suffix[1:]) in own if own else None)
    if suffix and (not (suffix[0] in ".:" and suffix[1:] in _SUFFIXES) or re.match(r"[.\-/][A-Z0-9]", plain[end : end + 2])):
        if suffix[0] in ".-/" or (len(suffix) == 2 and suffix[1].isalpha() and not ticker.isdigit()):
            return None  # 'SELASIH-WB', 'FWD.PR.A', 'VEST B': a security of its own
        end, suffix = match.end("core"), ""
    if (seen := exchange.search(before)) is not None:
        name = re.sub(r"\s+", " ", seen["ex"])
        return TickerMention(start, end, text[start:end], "exchange", name, fold_text(name) in own if own else None)
    if _LABEL.search(before) is not None or before.endswith("$"):
        return TickerMention(start, end, text[start:end], "label")
    if suffix or match["pre"]:
        return TickerMention(start, end, text[start:end], "suffix", suffix.lstrip(".:") or (match["pre"] or "").rstrip(":."))
    year = ticker.isdigit() and len(ticker) == 4 and "1900" <= ticker <= "2099"
    if before.endswith("(") and plain[end : end + 1] == ")" and not year:
        return TickerMention(start, end, text[start:end], "paren")
    if ticker.isdigit():
        bare = len(ticker) >= 5 and before[-1:] not in tuple(",.") and not re.match(r"[,.]\d", plain[end : end + 2])
    else:
        bare = not is_ordinary_word(ticker)
    return TickerMention(start, end, text[start:end], "bare") if bare else None
