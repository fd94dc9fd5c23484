"""Finding the names of any companies in text by their legal forms."""

from __future__ import annotations

import re
from typing import NamedTuple

from s2r.lang.legal_forms import CJK_FORM, CJK_NAME, LATIN_FORM, form_after, is_word
from s2r.lang.literals import Opened, Sought
from s2r.lang.name_parts import bare, strip_forms
from s2r.lang.name_words import ROLE_WORDS, STRUCTURE
from s2r.lang.text import fold_text


class NameSpan(NamedTuple):
    """The name of some company in text with its legal form; original offsets."""

    start: int
    end: int
    text: str
    core: str
    family: str


_ARTICLES = frozenset({"der", "die", "das", "des", "dem", "den", "the", "im", "beim"})  # a name starts behind one
_NO_CORE = ROLE_WORDS | STRUCTURE
_FIGURE = re.compile(r"[\d.,/:-]{4,}|\d{1,2}\.|§+|[\d.,]*\d%")
_NO_NAME_BEFORE_FORM = frozenset(
    {"filed", "known", "such", "well", "same", "far", "of", "and", "listed", "american", "each"}
)  # 'FILED AS', 'Listed Company'
_TOKEN = re.compile(r"\([A-Z][\w .]{1,20}\)|[^\s()（）{}\[\]<>|;:：!?。、,，\"“”„«»]+")
_CONNECT = frozenset(
    {
        "of",
        "de",
        "du",
        "des",
        "di",
        "del",
        "della",
        "do",
        "da",
        "dos",
        "das",
        "and",
        "und",
        "et",
        "y",
        "e",
        "&",
        "+",
        "og",
        "och",
        "en",
        "van",
        "w",
        "von",
        "der",
        "la",
        "le",
    }
)
_CJK_BACK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7afA-Za-z0-9０-９Ａ-Ｚａ-ｚ&・ー]{1,24}$")
_CAP = "[A-ZÅÄÖÕÜŠŽČĖĪŪ]"
# Baltic and Swedish: "AB Nemunas Tiekimas"
_PREFIXED = re.compile(
    rf"(?:UAB|AB|AS|OÜ|SIA) +({_CAP}[^\W\d_A-Z][\w'&-]*(?: {_CAP}[\w'&-]+){{0,3}})"
)  # Baltic and Swedish: "AB Nemunas Tiekimas"
_LATIN_OPENED = Opened(LATIN_FORM)
_CJK_SOUGHT = Sought([CJK_FORM])
_HANGUL_PARTICLE = re.compile("[은는이가을를의에와과도로만]")
_CJK_LEAD = re.compile(
    r".*(?:决定|終止|终止|撤销|同意|批准|关于|關於|有关|收购|收購|持有|以及|公司|子会社|親会社|対する|による|であり|である|であった|だった|となる|となった|[はがをにへとやのも对與与和及由向被是将為为系在於于])"
)


def extract_names(text: str) -> tuple[NameSpan, ...]:
    """Company names with a legal form of any market, in reading order; meant for a sentence or a paragraph."""
    found: list[NameSpan] = []
    for match in _LATIN_OPENED.finditer(text):
        if is_word(match[0]):
            continue
        low = max(found[-1].end if found else 0, match.start() - 120)
        start = _walk_back(text, low, match.start())
        if start is None:
            if (led := _PREFIXED.match(text, match.start())) and led.start() >= low:
                found.append(NameSpan(led.start(), led.end(), led[0], led[1], "ab"))
            continue
        end = match.end()
        while more := form_after(text, end):
            end = more[0]
        if span := _span(text, start, end):
            found.append(span)
    for match in _CJK_SOUGHT.over(text).finditer(CJK_FORM) if not text.isascii() else ():
        if span := _cjk_span(text, match.start(), match.end()):
            found.append(span)
    if not text.isascii():
        found += _led_by_form(text, found)
    return tuple(sorted(found, key=lambda s: s.start))


# Vietnamese: the form stands before a name of capitalised words, between which one or two small ones may stand ("CTCP Luyện kim Hà Trung")
_VI_FORM = re.compile(
    r"(?<!\w)(?:Công ty (?:[Cc]ổ phần|CP)|CTCP|TCTCP|Tổng [Cc]ông ty (?:[Cc]ổ phần|CP))(?: (?:Tập đoàn|Đầu tư))? (?=[^\W\d_a-zà-ỹ])"
)
_VI_WORD = re.compile(r"(?:- )?([^\W\d_][\w&.'-]*|\d{1,3})(?=[ ,;:.()\n]|$) ?")
_VI_SMALL = (
    "bị đã sẽ được có là và hoặc tại trên trong ngoài vào ra của theo do vì với cho từ từng đến khi sau trước cùng "
    "để nhằm thông công gửi nộp xin rút rời lên xuống chuyển niêm giao đăng mua bán phát nhận vừa mới đang chưa "
    "không cũng còn về này đó bởi thuộc nắm sở hợp sáp kể mã cổ trái như"
)
_VI_STOPS = frozenset(_VI_SMALL.split())  # after them a sentence goes on
_VI_PARTS, _TH_TAIL = ("ng ty", "CTCP"), "จำกัด"  # what each form holds
_THAI = re.compile(r"(?:บริษัท|ธนาคาร) ?(?P<core>[^\s()]{2,40}(?: [^\s()]{2,30}){0,3}?) ?จำกัด(?: ?\(มหาชน\))?")
MOST_WORDS = 10  # of a name
SMALL = 2  # words in small letters between two capitalised ones of a name


def _led_by_form(text: str, known: list[NameSpan]) -> list[NameSpan]:
    """Names whose form stands first or around them, in Vietnamese and Thai."""
    found = [NameSpan(m.start(), m.end(), m.group(), m["core"], "th") for m in _THAI.finditer(text)] if _TH_TAIL in text else []
    for form in _VI_FORM.finditer(text) if any(part in text for part in _VI_PARTS) else ():
        end = _vietnamese_end(text, form.end())
        core = text[form.end() : end].strip()
        if len(core) >= 4:
            found.append(NameSpan(form.start(), end, text[form.start() : end], core, "jsc"))
    return [span for span in found if not any(k.start < span.end and span.start < k.end for k in known)]


def _vietnamese_end(text: str, at: int) -> int:
    """Where the capitalised words that begin at `at` end."""
    end, small, words = at, 0, 0
    while words < MOST_WORDS and (word := _VI_WORD.match(text, at)):
        plain, words = word[1], words + 1
        if plain[0].isupper() or plain[0].isdigit():
            end, small = word.end(1), 0
        elif plain in _VI_STOPS or small == SMALL:
            break
        else:
            small += 1
        if not text[word.end(1) : word.end(1) + 1].isspace() or "\n" in word.group():
            break
        at = word.end()
    return end


def _walk_back(text: str, low: int, at: int) -> int | None:
    """Start of the capitalised words before offset `at`; None when there is none that can name a company."""
    starts: list[tuple[int, str]] = []
    tokens = [match.span() for match in _TOKEN.finditer(text, low, at)]
    pos = at - (text[at - 1 : at] == "\n" and low < at)
    while len(starts) < 9 and tokens:
        start, end = tokens.pop()
        gap = text[end:pos]
        if gap and ("\n" in gap or not gap.isspace()):
            break
        plain = text[start:end]
        if plain.lower() in _ARTICLES or _FIGURE.fullmatch(plain):
            break
        if plain.endswith(".") and len(plain) > 3 and not LATIN_FORM.fullmatch(plain) and starts:
            break
        capital = plain[0].isupper() or plain[0].isdigit() or plain[0] == "(" or (len(plain) > 1 and plain[1].isupper())
        if not capital and plain.lower() not in _CONNECT:
            break
        starts.append((start, plain))
        pos = start
        if text[pos - 1 : pos] == "\n":
            break
    if not starts and (comma := re.search(r",[^\S\n]*$", text[low:at])):
        return _walk_back(text, low, low + comma.start())
    if starts and bare(fold_text(starts[0][1])) in _NO_NAME_BEFORE_FORM:
        return None
    while starts and (starts[-1][1].lower() in _CONNECT or bare(fold_text(starts[-1][1])) in ROLE_WORDS):
        starts.pop()
    if not starts or not any(word[0].isalpha() and not LATIN_FORM.fullmatch(word) for _, word in starts):
        return None
    return starts[-1][0]


def _span(text: str, start: int, end: int) -> NameSpan | None:
    surface = text[start:end].strip()
    core, families = strip_forms(surface)
    if not families or len(core) < 2 or bare(fold_text(core)) in _NO_CORE:
        return None
    return NameSpan(start, end, surface, core, families[0])


def _cjk_span(text: str, start: int, end: int) -> NameSpan | None:
    back = _CJK_BACK.search(text, max(0, start - 24), start)
    if back:
        surface = back[0]
        lead = _CJK_LEAD.match(surface)
        low = start - len(surface) + (lead.end() if lead else 0)
        if low < start:
            return _span(text, low, end)
    if text[start:end] in {"주식회사", "유한회사"}:
        spaced = _CJK_BACK.search(text, max(0, start - 25), start - 1) if text[start - 1 : start] == " " else None
        if spaced:
            return _span(text, spaced.start(), end)
    ahead = CJK_NAME.match(text, end)
    if not ahead:
        return None
    high = ahead.end()
    if high - end >= 4 and _HANGUL_PARTICLE.match(text, high - 1):
        high -= 1  # '(주)디앤비소프트와': the particle is no part of the name
    return _span(text, start, high)
