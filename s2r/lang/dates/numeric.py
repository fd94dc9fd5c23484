# ruff: noqa: E501 - word lists and patterns stay on one line
"""Numeric dates and time stamps, as candidates; numbers that only look like dates are left out by what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from s2r.lang.dates.calendars import buddhist_year
from s2r.lang.dates.candidate import Candidate
from s2r.lang.literals import Sought

_ZONE = r"(?:z\b|utc\b|gmt\b|[+-]\d\d:?\d\d(?!\d))"
_TIME = rf"(?:(?P<hh>[01]?\d|2[0-4])[:.h](?P<mi>[0-5]\d)(?:[:.][0-5]\d(?:[.,]\d+)?)?\s?(?P<ap>[ap]\.?m\b\.?)?\s?(?P<zone>{_ZONE})?)"
STAMP = re.compile(rf"[t ,/|()-]{{0,3}}(?:at\s|kl\.?\s)?{_TIME}")
_YMD = re.compile(
    r"(?<![a-z0-9_à-ɏ.,/+-])(?P<y>(?:1[6-9]|2[0-6])\d\d)(?:(?P<s>[./-])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})|\.\s(?P<m2>\d{1,2})\.\s(?P<d2>\d{1,2})(?=\.|\D|$))(?![a-z0-9_à-ɏ]|[./-]\d)"
)
_YMD_STAMP = re.compile(r"(?<![a-z0-9_à-ɏ.,/+-])(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)(?=t\d\d:?\d\d)")
_DMY = re.compile(
    r"(?<![a-z0-9_à-ɏ/])(?<!\d[.,:+-])(?<![#§])(?P<a>\d{1,2}|1[º°](?=/))(?P<s>[./-]|\.\s|\s/\s|\s-\s)(?P<b>\d{1,2})(?P=s)(?P<y>'?\d{4}|'?\d{2})(?![a-z0-9_à-ɏ]|[./-]\d|[:,]\d|%)"
)
# the Nordic "5/6-2012" and "5/6 2012"
_DM_SLASH_Y = re.compile(
    r"(?<![\w/.,])(?P<a>\d{1,2})(?P<s>/)(?P<b>\d{1,2})(?:-|\s?-\s?|\s|,\s)(?P<y>(?:19|20)?\d\d)(?![\w]|[./-]\d|[:,]\d|%)"
)
_YMD_SHORT = re.compile(
    r"(?<![a-z0-9_à-ɏ.,/+-])'?(?P<y>\d{2})(?P<s>[./-])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![a-z0-9_à-ɏ]|[./-]\d|[:,]\d|%)"
)
_COMPACT = re.compile(r"(?<![a-z0-9_à-ɏ.,/+#-])(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?![a-z0-9_à-ɏ-]|[.,/]\d)")
_BEFORE_DM = (
    r"(?:on|by|until|since|(?:a partir|pregão|sessão|edital|ofício|comunicado|relevante|assembleia|reunião|aviso|carta|leilão|madrugada|noite|manhã|tarde|data|dia) de|le|du|au|dès le|il|del|al|dal|el|hasta el|día|dia|em|no|até|am|vom|zum|bis|bis zum|seit|seit dem|ab|ab dem|den|dem|op|tot|tot en met|per|d\.|pr\.|w dniu|dnia|do|od|z dnia"
    r"|ngày|là|từ|vào|tới|hết|trước|từ ngày|đến|đến ngày|sáng|chiều|tối|hôm|pada|tanggal|bertarikh|viimeistään|tarihinde|วันที่|يوم|بتاريخ|को|fra|til|från|till|senast|senest|dne|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day,?|(?:mo|di|mi|do|fr|sa|so)\.,?|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag),?(?:\s(?:den|dem))?"
    r"|(?:lundi|mardi|mercredi|jeudi|vendredi)(?:\sle)?|(?:lunedì|martedì|mercoledì|giovedì|venerdì)|(?:lunes|martes|miércoles|jueves|viernes)|(?:segunda|terça|quarta|quinta|sexta)-feira,?(?:\sdia)?"
    r"|(?:maandag|dinsdag|woensdag|donderdag|vrijdag)|(?:m[aå]ndag|mandag|tisdag|tirsdag|onsdag|to[rs]sdag|torsdag|fredag)(?:en)?(?:\sden)?"
    r"|(?:maanantai|tiistai|keskiviikko|torstai|perjantai)\w*|(?:poniedziałek|wtorek|środę|czwartek|piątek),?|thứ (?:hai|ba|tư|năm|sáu|[2-6]),?(?:\sngày)?|(?:senin|selasa|rabu|kamis|jumat)\s?\(?)"
).replace(" ", r"\s")
_LEADS_DM = re.compile(rf"(?:(?<!\w){_BEFORE_DM}\s{{1,3}}|\(|(?<=\w):\s)$")
_LEAD = 32  # characters before a day and month that can say that it is one
_DM_SLASH = re.compile(r"(?<![\w/.,])(?P<a>\d{1,2})(?P<s>/)(?P<b>\d{1,2})(?!\w|[./-]\d|\s?%|[:,]\d)")
_DM_RANGE = re.compile(
    r"(?<![\w/.,])(?P<a>\d{1,2})(?P<s>[/.])(?P<b>\d{1,2})(?=\s(?:a|à|al|até|hasta|to|bis|tot|t/m|til|till|au|do|đến)\s(?:o |el |zum |den |le |il )?\d{1,2}[/.]\d{1,2}[/.]\d{2,4})"
)
_DM_DASH = re.compile(
    r"(?<!\w)(?:ngày|từ ngày|đến ngày|op|sáng|chiều)\s(?P<a>\d{1,2})(?P<s>-)(?P<b>\d{1,2})(?!\w|[./-]\d|\s?%)".replace(" ", r"\s")
)
_DM_DOTS = re.compile(r"(?<![\w/.,])(?P<a>\d{1,2})\.(?P<s>\s?)(?P<b>\d{1,2})\.(?!\w|\s?%|\d)")
_DM_LINE = re.compile(r"(?:^|(?<=\n))(?P<a>\d{1,2})(?P<s>[/-])(?P<b>\d{1,2})(?=[,:;)]|\s)")
_DM_BARE_DOTS = re.compile(r"(?<![\w.,/:])(?<!\d[.,:-])(?P<a>\d{1,2})\.(?P<s>\s?)(?P<b>\d{1,2})\.(?=\s?[a-zåäöæøü,;)-]|\s*$)")
_CLOCK = re.compile(
    r"(?<!\w)(?:kl|klo|klocka|klockan|klokken|kello|um|at|à|às|las|alle|ore|om|godz|godzinie|saat|pukul|lúc|jam|gegen|circa|omkring|zirka|ca)\.?\s{1,2}$"
)
_HAN_SLASH = re.compile(r"(?<![\d.,/:年-])(?P<m>1[0-2]|0?[1-9])/(?P<d>[12]\d|3[01]|0?[1-9])(?![\d/.,%]|\s?%)")
_MONTH_YEAR = re.compile(
    r"(?<!\w)(?:em|en|desde|depuis|seit|in|im|since|de|a partir de|i|w|od|từ|tháng|siden|sedan|bulan)\s(?P<m>0?[1-9]|1[0-2])[/.](?P<y>(?:19|20)\d\d)(?![\w/.-]*\d)"
)
_RANGE_DOTS = re.compile(r"(?<!\w)(?<!\d[.,:-])(?P<a>\d{1,2})\.?\s?-\s?(?P<c>\d{1,2})\.(?P<b>\d{1,2})\.(?P<y>\d{4})(?!\w|[./-]\d)")
_RANGE_DM = re.compile(
    r"(?<!\w)(?<!\d[.,:-])(?P<a>\d{1,2})\.(?P<b>\d{1,2})\.\s?-\s?(?P<c>\d{1,2})\.(?P<e>\d{1,2})\.(?P<y>\d{4})(?!\w|[./-]\d)"
)
_SEPARATED = re.compile(r"\d[º°]?(?:(?=\s?([./-])\s?'?\d)|(?=\d{7}))")  # every numeric date has this
_CLOSE = 8  # characters within which the second separator of three numbers comes after the first
_BEFORE, _AFTER = 24, 80  # characters from there within which such a date and what must follow it stand
_COPYRIGHT_SIGNS = ("copyright", "©", "(c)", "&copy;")
_COPYRIGHT = re.compile(r"(?:©|\(c\)|copyright|&copy;)\s{0,2}(?P<y>(?:19|20)\d\d)(?:\s?[-,]\s?(?P<y2>(?:19|20)\d\d))?(?!\d)")
_FOUNDED = re.compile(
    r"gegründet|gründung|founded|incorporated|established|est\.|fondée?|créée?|fondata|fondato|costituita|fundad[ao]|constituid[ao]|creada|opgericht|gesticht|grundad|grundat|bildad|stiftet|grunnlagt|grundlagt|perustet|založen|założon|kuruldu|kurulan|thành lập|didirikan|ditubuhkan|alapít"
)
_SOUGHT = Sought([_FOUNDED])
_BARE_YEAR = re.compile(r"(?<![\w.,/-])(?P<y>1[6-9]\d\d|20[0-2]\d)(?![\w]|[.,/-]\d)")
# a number right after one of these is a rule, paragraph, version, file or code number
_NUMBERED = re.compile(
    r"(?:\b(?:art(?:icle|ikel|ikeln|icolo|ículo|igo|ykuł)?s?|rules?|règles?|regel[ns]?|reglas?|regra|regola|pkt|punkt|section|sección|seção|sezione|sect|sec|abschnitt|afsnit|avsnitt|para(?:graph|graf|grafo|graphe)|ziffer|ziff|abs|nr|no|nos|num|número|numero|numéro|núm|resolution|resolución|resolução|résolution|délibération"
    r"|decree|decreto|décret|law|loi|ley|lei|legge|lov|laki|gesetz|version|versión|versione|versão|ver|v|release|build|chapter|chapitre|kap|kapitel|item|punto|ponto|point|form|file|case|az|ref|code|kode|código|kód|ticker|isin|wkn|tel|phone|fax|tél|ip|level|room|suite|box|uchwał[ay]|sygn|akt|§§?|n|đ|điều|khoản|số|pasal|nomor|kaidah|perkara|clause|clausula|cláusula|kohta|kohdan|luku|sääntö|s|r)"
    r"|n[°º]|#|§|第|№|제|ข้อ|مادة|المادة|नियम|धारा)[.:]?\s{0,2}$"
)


_PROVISION = re.compile(
    r"(?:\b(?:art(?:icle|ikel|ikeln|icolo|ículo|igo|ykuł)?s?|rule|règle|regel|section|abschnitt|version)|§|§§)[.:]?\s{0,2}$"
)


def is_provision(text: str, start: int) -> bool:
    """Whether the number at `start` is that of an article or rule ("Article 17 MAR")."""
    return _PROVISION.search(text[max(0, start - 14) : start]) is not None


def is_numbered(text: str, start: int) -> bool:
    """Whether the number at `start` follows a word such as rule, no., version or § that makes it a reference."""
    return _NUMBERED.search(text[max(0, start - 18) : start]) is not None


def find_numeric(text: str, *, order: str, country: str, lang: str) -> Iterator[Candidate]:
    """Numeric candidates; `order` (dmy or mdy) decides 03/04/2019 when both readings are possible."""
    places = _Places(text)
    if places.none:
        yield from _years_alone(text)
        return
    for m in places.near_three(_YMD, "./-"):
        if not is_numbered(text, m.start()):
            month, day = m["m"] or m["m2"], m["d"] or m["d2"]
            yield Candidate(m.start(), m.end(), "ymd", year=buddhist_year(int(m["y"])), month=int(month), day=int(day))
    for m in places.near_three(_YMD_STAMP, "-"):
        yield Candidate(m.start(), m.end(), "iso-stamp", year=int(m["y"]), month=int(m["m"]), day=int(m["d"]))
    for m in places.near_three(_RANGE_DOTS, "."):
        span = (m.start(), m.end())
        yield Candidate(
            m.start(), m.end("a"), "range", year=int(m["y"]), month=int(m["b"]), day=int(m["a"]), raw=span, flags=("range_start",), rank=2
        )
        yield Candidate(
            m.start("c"), m.end(), "range", year=int(m["y"]), month=int(m["b"]), day=int(m["c"]), raw=span, flags=("range_end",), rank=2
        )
    for m in places.near_three(_RANGE_DM, "."):
        span = (m.start(), m.end())
        yield Candidate(
            m.start(),
            m.end("b") + 1,
            "range",
            year=int(m["y"]),
            month=int(m["b"]),
            day=int(m["a"]),
            raw=span,
            flags=("range_start",),
            rank=2,
        )
        yield Candidate(
            m.start("c"), m.end(), "range", year=int(m["y"]), month=int(m["e"]), day=int(m["c"]), raw=span, flags=("range_end",), rank=2
        )
    for m in places.near_three(_DMY, "./-"):
        if is_numbered(text, m.start()):
            continue
        if country in ("JP", "KR", "CN", "TW") and len(m["y"]) == 2 and int(m["y"]) <= 31 and int(m["b"]) <= 12:
            continue
        yield from _three(m, order)
    if lang in ("da", "no", "sv"):
        for m in places.near(_DM_SLASH_Y, "/"):
            if len(m["y"]) == 4 or m[0][m.start("y") - m.start() - 1] == "-":
                yield from _three(m, "dmy")
    if country in ("JP", "KR", "CN"):
        for m in places.near_three(_YMD_SHORT, "./-"):
            if not is_numbered(text, m.start()) and 1 <= int(m["m"]) <= 12 and 1 <= int(m["d"]) <= 31:
                yield Candidate(
                    m.start(),
                    m.end(),
                    "yymmdd",
                    year=2000 + int(m["y"]) if int(m["y"]) < 50 else 1900 + int(m["y"]),
                    month=int(m["m"]),
                    day=int(m["d"]),
                    flags=("two_digit_year",),
                    rank=1,
                )
    for m in places.near(_COMPACT, ""):
        if not is_numbered(text, m.start()):
            yield Candidate(m.start(), m.end(), "compact", year=int(m["y"]), month=int(m["m"]), day=int(m["d"]))
    yield from _without_year(text, places, order=order, lang=lang)
    for m in places.near(_MONTH_YEAR, "/."):
        yield Candidate(m.start("m"), m.end(), "month-year", year=int(m["y"]), month=int(m["m"]), month_only=True)
    yield from _years_alone(text)


class _Places:
    """Places of a text with numbers that a mark separates, and of long numbers; expressions for dates run only near them."""

    __slots__ = ("_at", "_near", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at: dict[str, list[int]] = {}  # by the mark; long numbers have none
        for m in _SEPARATED.finditer(text):
            self._at.setdefault(m[1] or "", []).append(m.start())
        self._near: dict[tuple[str, bool], list[tuple[int, int]]] = {}

    @property
    def none(self) -> bool:
        """There is no such place."""
        return not self._at

    def near(self, pattern: re.Pattern[str], marks: str) -> Iterable[re.Match[str]]:
        """Matches of a pattern of numbers that one of the marks separates ("": long numbers), which stand nowhere else."""
        return self._found(pattern, self._stretches(marks, three=False))

    def near_three(self, pattern: re.Pattern[str], marks: str) -> Iterable[re.Match[str]]:
        """The same of a pattern of three numbers, in which the same mark comes twice."""
        return self._found(pattern, self._stretches(marks, three=True))

    def _found(self, pattern: re.Pattern[str], stretches: Sequence[tuple[int, int]]) -> Iterable[re.Match[str]]:
        return [m for low, high in stretches for m in pattern.finditer(self._text, low, high)]

    def _stretches(self, marks: str, *, three: bool) -> list[tuple[int, int]]:
        key = marks, three
        if key not in self._near:
            places = [at for mark in marks or ("",) for at in self._marked(mark, three)]
            self._near[key] = _stretches(sorted(places) if len(marks) > 1 else places)
        return self._near[key]

    def _marked(self, mark: str, three: bool) -> list[int]:
        places = self._at.get(mark, [])
        return [at for at, after in pairwise(places) if after - at <= _CLOSE] if three else places


def _stretches(places: Iterable[int]) -> list[tuple[int, int]]:
    """Stretches of a text around ascending places, in order, not overlapping."""
    found: list[tuple[int, int]] = []
    for place in places:
        low = max(0, place - _BEFORE)
        if found and low <= found[-1][1]:
            low = found.pop()[0]
        found.append((low, place + _AFTER))
    return found


def _years_alone(text: str) -> Iterator[Candidate]:
    if not any(sign in text for sign in _COPYRIGHT_SIGNS):
        return
    for m in _COPYRIGHT.finditer(text):
        yield Candidate(m.start("y"), m.end("y"), "copyright", year=int(m["y"]), rank=3)
        if m["y2"]:
            yield Candidate(m.start("y2"), m.end("y2"), "copyright", year=int(m["y2"]), rank=3)


def _three(m: re.Match[str], order: str) -> Iterator[Candidate]:
    a, b = int(m["a"].rstrip("º°")), int(m["b"])
    digits = m["y"].lstrip("'")
    year = int(digits)
    flags: tuple[str, ...] = ()
    if len(digits) == 2:
        year, flags = year + (2000 if year < 50 else 1900), ("two_digit_year",)
    year = buddhist_year(year)
    if not 1600 <= year <= 2199 or not 1 <= max(a, b) <= 31 or min(a, b) < 1 or min(a, b) > 12:
        return
    if a > 12 or b > 12:
        day, month = (a, b) if a > 12 else (b, a)
        if (a > 12) != (order == "dmy") and m["s"].strip() == "." and b > 12:
            return  # 10.13.2019 is no date where the day comes first
    else:
        day, month = (a, b) if order == "dmy" or m["s"].strip() == "." else (b, a)
        if order not in ("dmy", "mdy") and a != b:
            flags = (*flags, "ambiguous")
            day, month = a, b
    yield Candidate(m.start(), m.end(), f"{order or 'dmy'}", year=year, month=month, day=day, flags=flags)


def _without_year(text: str, places: _Places, *, order: str, lang: str) -> Iterator[Candidate]:
    patterns = [(_DM_SLASH, order, "/"), (_DM_DASH, "dmy", "-"), (_DM_DOTS, "dmy", "."), (_DM_RANGE, order, "/.")]
    if lang == "vi":
        patterns.append((_DM_LINE, "dmy", "/-"))
    if lang in ("de", "fi", "cs", "da", "no", "sv"):
        patterns.append((_DM_BARE_DOTS, "dmy", "."))
    for pattern, numbers, marks in patterns:
        for m in places.near(pattern, marks):
            bare = lang == "vi" and int(m["a"]) > int(m["b"]) and m[0] != "24/7"  # no fraction, then
            if pattern in (_DM_SLASH, _DM_DOTS) and not bare and not _LEADS_DM.search(text[max(0, m.start() - _LEAD) : m.start()]):
                continue
            a, b = int(m["a"]), int(m["b"])
            if _CLOCK.search(text[max(0, m.start("a") - 12) : m.start("a")]):
                continue
            day, month = (b, a) if numbers == "mdy" else (a, b)
            if 1 <= day <= 31 and 1 <= month <= 12 and not is_numbered(text, m.start("a")):
                yield Candidate(
                    m.start("a"), m.end("b") + (1 if pattern in (_DM_DOTS, _DM_BARE_DOTS) else 0), "day-month", month=month, day=day
                )
    if lang in ("ja", "zh", "ko"):
        for m in places.near(_HAN_SLASH, "/"):
            if not is_numbered(text, m.start()):
                yield Candidate(m.start(), m.end(), "month-slash-day", month=int(m["m"]), day=int(m["d"]))


def find_founding_years(text: str) -> Iterator[Candidate]:
    """Bare years beside a word of founding or first listing, in any language ("gegründet 1887", "1921 opgericht")."""
    for m in _SOUGHT.over(text).finditer(_FOUNDED):
        for y in _BARE_YEAR.finditer(text, max(0, m.start() - 14), min(len(text), m.end() + 30)):
            yield Candidate(y.start("y"), y.end("y"), "founding-year", year=int(y["y"]))


def utc_stamp(text: str, end: int) -> tuple[int, tuple[int, int, int]] | None:
    """(end of the stamp, (hour, minute, offset minutes)) when a clock time with a zone follows the date that ends at `end`."""
    m = STAMP.match(text, end)
    if m is None or not m["zone"]:
        return None
    hour, minute, zone = int(m["hh"]), int(m["mi"]), m["zone"]
    if m["ap"]:
        hour = hour % 12 + (12 if m["ap"].startswith("p") else 0)
    offset = 0
    if zone[0] in "+-":
        digits = zone[1:].replace(":", "")
        offset = (int(digits[:2]) * 60 + int(digits[2:])) * (-1 if zone[0] == "-" else 1)
    return m.end(), (hour, minute, offset)
