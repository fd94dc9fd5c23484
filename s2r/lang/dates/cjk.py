# ruff: noqa: E501 - word lists and patterns stay on one line
"""Date expressions of Chinese, Japanese and Korean text, as candidates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2r.lang.dates.calendars import CHINESE_NUMERALS, ERAS, chinese_number, era_year
from s2r.lang.dates.candidate import Candidate, Shift, Week

HAN = re.compile("[\u3005-\u30ff\u3400-\u9fff]+")
HANGUL = re.compile("[\uac00-\ud7a3]+")
_N = rf"(?:\d{{1,2}}|[{CHINESE_NUMERALS}]{{1,3}})"
_Y = rf"(?:\d{{4}}|[{CHINESE_NUMERALS}]{{4}}|'?\d{{2}}(?=年))"
_YEAR_WORDS = {
    "一昨年": ("a", -2), "昨年": ("a", -1), "去年": ("a", -1), "旧年": ("a", -1), "今年": ("a", 0), "本年": ("a", 0), "当年": ("c", 0), "當年": ("c", 0),
    "来年": ("a", 1), "來年": ("a", 1), "明年": ("a", 1), "同年": ("c", 0), "翌年": ("c", 1), "次年": ("c", 1), "前年": ("a", -2), "該年": ("c", 0),
}  # fmt: skip
_MONTH_WORDS = {
    "先々月": ("a", -2), "先月": ("a", -1), "上个月": ("a", -1), "上個月": ("a", -1), "上月": ("a", -1), "前月": ("c", -1), "去月": ("a", -1),
    "今月": ("a", 0), "本月": ("a", 0), "这个月": ("a", 0), "這個月": ("a", 0), "当月": ("c", 0), "當月": ("c", 0), "同月": ("c", 0), "该月": ("c", 0),
    "来月": ("a", 1), "來月": ("a", 1), "下个月": ("a", 1), "下個月": ("a", 1), "下月": ("a", 1), "翌月": ("c", 1), "次月": ("c", 1), "是月": ("c", 0),
}  # fmt: skip
_PART = r"(?:午前|午後|朝方|朝|夕方|夕刻|夜間|夜|深夜|未明|昼|正午|凌晨|晚间|晚間|晚上|晚|上午|下午|早上|早间|早間|早|中午|傍晚|盘后|盤後|盘前|盤前|收市后|收市後|收盘后|收盤後|大引け後|引け後|取引終了後)"
_DURATION = r"(?!(?:間|间|以内|以內|以上|以下|内|內|连续|連続|連續|目|分|均|移动|移動|線|线|游|遊|常|程|経|经|前(?!场|場|引)|后(?!场|場|晚)|後(?!場)|余|餘|超|の(?:猶予|期間|間|うち|経過|移動|平均|整理|取引(?!終了)|余裕|周知|告知|予告)|を超|を経|が経|にわたり|に亘り|ルール|报(?![告名])|報(?![告名道])|刊|元|経|圆|円|本[^日周週月年]|系|产|產|较|比|当たり|あたり|連|個|个|ほど|程度|ごと|ぶり|足らず|限(?!り)|期限|猶予|宽限|寬限|公告期|均价|均價))"
_ERA = "|".join(sorted(map(re.escape, ERAS), key=len, reverse=True))
_MOD = r"(?P<mod>去る|さる|来る|きたる|今(?=\d)|於|于|将于|將於)?"
_FULL = re.compile(
    rf"(?<![\d第])(?:(?:(?P<era>{_ERA}) ?(?P<en>\d{{1,3}}|元|[{CHINESE_NUMERALS}]{{1,3}}|[一二]百[{CHINESE_NUMERALS}]{{0,4}}) ?年)|(?:(?:(?:西元|公元|西暦) ?)?(?P<y>{_Y}) ?年)(?:[((](?:{_ERA})?(?:\d{{1,2}}|元)年[))])?"
    rf"|(?P<yw>{'|'.join(_YEAR_WORDS)}))の? ?(?P<m>{_N}) ?月(?:份)? ?(?:(?P<d>{_N}) ?[日号號](?P<part>(?:[((][月火水木金土日一二三四五六](?:曜日?)?(?:・祝)?[))])?{_PART})?|(?P<vague>上旬|中旬|下旬|初め|初旬|初|末|底|中|末日|月末))?"
)
_ERA_ALONE = re.compile(
    rf"(?P<era>{_ERA}) ?(?P<en>\d{{1,3}}|元|[{CHINESE_NUMERALS}]{{1,3}}|[一二]百[{CHINESE_NUMERALS}]{{0,4}}) ?年(?!度|以上|間|間)"
)
_YEAR = re.compile(
    rf"(?<![\d第])(?:(?:(?P<y>(?:1[89]|20)\d\d|[一二][{CHINESE_NUMERALS}]{{3}}) ?年)|(?P<yw>{'|'.join(_YEAR_WORDS)}))"
    r"(?!度|年度|年报|年報|報|报|半年度|第|[度報报]|間|间|以上|以来の|超|\d|[一二三四上下]半|前三|一季|二季|三季|四季|末|末期|利率|版|期)"
)
_MONTH_DAY = re.compile(
    rf"(?<![\d第〇零一二三四五六七八九十年])(?:(?P<mw>{'|'.join(_MONTH_WORDS)})の? ?|{_MOD}(?P<m>\d{{1,2}}|[一二三四五六七八九十]{{1,2}}) ?月(?:份)? ?)"
    rf"(?P<d>{_N}) ?[日号號](?P<part>(?:[((][月火水木金土日一二三四五六](?:曜日?)?[))])?{_PART})?"
)
_MONTH = re.compile(
    rf"(?<![\d第〇零一二三四五六七八九十年半])(?:(?P<mw>{'|'.join(_MONTH_WORDS)})|(?P<m>\d{{1,2}}|十?[一二三四五六七八九十]) ?月(?:份|期)?)(?P<vague>上旬|中旬|下旬|初め|初旬|初|末|底|中|月末)?(?![\d間间刊餘余以頭度]|個|个|[一二三四五六七八九十廿]{{1,3}}[日号號])"
)
_DAY = re.compile(
    rf"(?<![\d.,:/第〇零一二三四五六七八九十月個个-])(?:(?P<past>去る|さる)|(?P<fut>来る|きたる))?(?P<d>\d{{1,2}}) ?日(?P<part>(?:[((][月火水木金土日一二三四五六](?:曜日?)?[))])?{_PART})?{_DURATION}"
)
_LASTING = re.compile(
    r"(?:停牌|暂停|暫停|为期|為期|滿|满|至少|连续|連續|連続|不超过|不超過|逾|近|約|约|超过|超過|長達|长达|最長|最大|満|計|计|共|再延長|延長|延长|每|各|毎)$"
)
_SHORT_ERA = re.compile(r"(?<![\w.])(?P<era>[mtshr])\.? ?(?P<en>\d{1,2}|元)[./-](?P<m>\d{1,2})[./-](?P<d>\d{1,2})(?![\d.])")
_SHORT_ERA_YEAR = re.compile(r"(?<![\w.])(?P<era>[shr])\.? ?(?P<en>\d{1,2}|元)年(?:(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})日)?)?")
_ROC = re.compile(r"(?<![\d.])(?:民國|民国|中華民國)? ?(?P<en>\d{2,3})[./-](?P<m>\d{1,2})[./-](?P<d>\d{1,2})(?![\d.]|[./-]\d)")
_ROC_YEAR = re.compile(
    r"(?<![\d第])(?P<en>(?:[4-7]\d(?= ?年 ?\d{1,2} ?月)|[89]\d|1[0-2]\d)) ?年(?: ?(?P<m>\d{1,2}) ?月(?: ?(?P<d>\d{1,2}) ?日)?)?(?!度|以|間|内)"
)

_JA_ANCHOR = {
    0: r"本日付?|今日|きょう|今朝|今夕|今晩|今夜|今日中",
    -1: r"昨日|きのう|昨夜|昨晩|昨夕|昨朝",
    -2: r"一昨日|おととい|一昨夜",
    1: r"明日|あす|あした|明朝|明晩",
    2: r"明後日|あさって",
}
_ZH_ANCHOR = {
    0: r"今\([0-3]?\d\)日|今[日天](?:早上|早間|早间|上午|下午|晚上|晚间|晚間|中午|早|晚|盘后|盤後)?|今(?:早|晨|晚|午)|本日(?!内|內)",
    -1: r"昨\([0-3]?\d\)日|昨[日天](?:早上|早間|早间|上午|下午|晚上|晚间|晚間|中午|早|晚|盘后|盤後|夜)?|昨(?:早|晨|晚|夜|午)|昨(?![年月日天晚夜早午晨])",
    -2: r"前[日天](?!的)(?:晚间|晚間|晚|下午)?|前晚",
    -3: r"大前[日天]",
    1: r"明[日天](?:早上|上午|下午|早)?|明(?:早|晨|晚)(?!期)",
    2: r"[后後][日天](?!津)",
}
_CHAIN = {
    0: rf"(?:即日|当日|當日|同日|同天|当天|當天|即晚|当晚|當晚|同晚|是日|该日|該日|同夕|同夜|同朝){_PART}?(?!起|より|から|付で上場)",
    1: rf"(?:翌日|次日|隔日|隔天|翌朝|翌晨|翌夕|第二天|第二日|转天|轉天|明くる日|一日後|一天後|一天后){_PART}?",
    2: r"翌々日|两天后|兩天後|两日后|兩日後|二日後|2日後|第三天",
    -1: rf"前一[日天]|前日|先日来|上一日|前夜|前一晚|一天前|一日前{_PART}?",
    -2: r"前々日|两天前|兩天前|两日前|兩日前",
}
_CHAIN_BUSINESS = {
    1: r"翌(?:営業|取引|立会)日|(?:下|次|翌)一?(?:个|個)?(?:交易|工作|營業|营业)日|翌(?:營業|營業|交易)日|次(?:交易|工作|營業|营业)日",
    -1: r"前(?:営業|取引)日|(?:上|前)一?(?:个|個)?(?:交易|工作|營業|营业)日",
}
_KO_ANCHOR = {
    0: r"오늘(?: (?:오전|오후|아침|저녁))?|금일|오늘자",
    -1: r"어제(?: (?:오전|오후|저녁|밤))?|전일(?!\s?(?:대비|종가))|어젯밤|작일",
    -2: r"그저께|그제|엊그제",
    1: r"내일(?!\s?배움)|명일",
    2: r"모레",
}
_KO_CHAIN = {
    0: r"같은 ?날(?: (?:오전|오후|저녁|밤))?|이날(?: (?:오전|오후|저녁|밤|장 마감 후))?|당일(?: (?:오전|오후))?|그날|동일자|동일(?=[ ,]공시)|즉일",
    1: r"다음 ?날|이튿날|익일|그 다음 ?날|하루 뒤|하루 후",
    2: r"이틀 (?:뒤|후)",
    3: r"사흘 (?:뒤|후)",
    -1: r"전날|그 전날|하루 전|하루 앞서",
    -2: r"이틀 전|이틀 앞서",
}
_KO_BUSINESS = {1: r"(?:다음|익) ?(?:영업일|거래일|매매거래일)|익영업일|익거래일", -1: r"(?:직전|전) ?(?:영업일|거래일)"}
_JA_DAYS = "月火水木金土日"
_ZH_DAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5}
_KO_DAYS = "월화수목금토일"
_JA_WEEKDAY = re.compile(
    rf"(?:(?P<last>先週(?:末の)?の?)|(?P<this>今週の?)|(?P<next>来週の?)|(?P<blast>先々週の?)|(?P<chain>翌週の?|翌))?(?P<d>[{_JA_DAYS}])曜日?(?P<part>{_PART})?"
)
_ZH_WEEKDAY = re.compile(
    rf"(?:(?P<blast>上上|大上)|(?P<last>上|前)|(?P<this>本|这|這|今)|(?P<next>下))?(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?P<d>[一二三四五六日天])(?![个個年季])(?:[((](?:(?P<m>\d{{1,2}})月)?(?P<dd>\d{{1,2}})日[))])?(?P<part>{_PART})?"
)
_KO_YEAR = r"(?P<yw>지난해|작년|재작년|올해|금년|내년|같은 해|이듬해|동년|전년|당해)"
_KO_FULL = re.compile(
    rf"(?<!\d)(?:(?:'?(?P<y>\d{{4}}|\d{{2}}) ?년|{_KO_YEAR}) ?)?(?:(?P<past>지난|올) |(?P<fut>오는|다가오는) )?(?P<m>\d{{1,2}}) ?월(?: ?(?P<d>\d{{1,2}}) ?일(?! ?(?:간|이내|동안))| ?(?P<vague>초순|초|중순|말|하순|말일|중))?(?:\([월화수목금토일]\))?(?P<tail>까지)?"
)
_KO_YEAR_MONTH = re.compile(r"(?<![\d.])(?P<y>(?:19|20)\d\d)\. ?(?P<m>1[0-2]|0?[1-9])\.(?! ?\d)")
_KO_YEAR_ALONE = re.compile(
    rf"(?<!\d)(?:(?P<y>(?:19|20)\d\d) ?년(?!도| ?(?:간|사업|회계|[1-4]분기|상반기|하반기|결산|연결))|{_KO_YEAR}(?! ?(?:\d|대비|동기|말)))"
)
_KO_DAY = re.compile(
    r"(?<![\d.,:/월-])(?:(?P<past>지난) ?|(?P<fut>오는|다가오는) ?)?(?:(?P<mw>지난달|전월|이달|금월|이번 ?달|다음 ?달|내달|같은 ?달|동월) )?(?<![\d.])(?P<d>\d{1,2}) ?일(?! ?(?:간|이내|동안|이상|이하|평균|연속|째|선(?![을를에언고임정])|치|내에|내(?![놓])|정도|분|이 지나|이평|가량|전(?![자날])|후|뒤|의 (?:유예|기간|개선)|[ ]?거래일|[ ]?영업일|반|자리|쯤|넘|만에))(?P<part> (?:오전|오후|저녁|밤|새벽|아침))?(?:\([월화수목금토일]\))?(?P<tail>까지)?"
)
_KO_MONTH = re.compile(r"(?P<mw>지난달|이달|이번 ?달|다음 ?달|내달|같은 ?달|동월)(?: ?(?P<vague>초순|초|중순|말|하순))?(?! ?\d)")
_KO_WEEKDAY = re.compile(
    rf"(?:(?P<last>지난주|전주) |(?P<this>이번 ?주|금주) |(?P<next>다음 ?주|내주) |(?P<past>지난) |(?P<fut>오는) )?(?P<d>[{_KO_DAYS}])요일(?P<part> (?:오전|오후|저녁|밤))?"
)
_KO_MONTH_WORDS = {
    "지난달": ("a", -1),
    "전월": ("a", -1),
    "이달": ("a", 0),
    "금월": ("a", 0),
    "이번달": ("a", 0),
    "다음달": ("a", 1),
    "내달": ("a", 1),
    "같은달": ("c", 0),
    "동월": ("c", 0),
}
_KO_YEAR_WORDS = {
    "지난해": ("a", -1),
    "작년": ("a", -1),
    "전년": ("a", -1),
    "재작년": ("a", -2),
    "올해": ("a", 0),
    "금년": ("a", 0),
    "당해": ("c", 0),
    "내년": ("a", 1),
    "같은 해": ("c", 0),
    "동년": ("c", 0),
    "이듬해": ("c", 1),
}
_QUARTER = re.compile(
    rf"(?:(?:\d{{4}}|[{CHINESE_NUMERALS}]{{4}}|{'|'.join(_YEAR_WORDS)})?年?(?:度)?の?)?(?:第?[一二三四1-4](?:四半期|季度|季)|[上下]半[年期]度?|[一二三四]季[报報]?)|(?:(?:\d{{4}}|지난해|올해|내년|작년) ?년? ?)?(?:[1-4]분기|상반기|하반기)|(?:\d{{4}}年)?[1-4]q"
)
_AGO = (
    re.compile(r"(?<!\d)(?P<n>\d{1,2}|[一二三四五六七八九十两兩]) ?(?:天|日)前(?!后|後|場|场)"),
    re.compile(r"(?<!\d)(?P<n>\d{1,2}) ?일 전(?!\w)|(?P<k>사흘|나흘|이틀) 전"),
)
_KO_NUM = {"이틀": 2, "사흘": 3, "나흘": 4}


def _days(table: dict[int, str], prefix: str) -> re.Pattern[str]:
    names = [f"(?P<{prefix}{'m' if k < 0 else 'p'}{abs(k)}>{v})" for k, v in table.items()]
    return re.compile("|".join(names))


def _amount(match: re.Match[str]) -> int:
    name = match.lastgroup or "xp0"
    return int(name[2:]) * (-1 if name[1] == "m" else 1)


_TABLES = {
    "ja": ((_days(_JA_ANCHOR, "a"), Shift.ANCHOR), (_days(_CHAIN_BUSINESS, "b"), Shift.CHAIN_BUSINESS), (_days(_CHAIN, "c"), Shift.CHAIN)),
    "zh": ((_days(_ZH_ANCHOR, "a"), Shift.ANCHOR), (_days(_CHAIN_BUSINESS, "b"), Shift.CHAIN_BUSINESS), (_days(_CHAIN, "c"), Shift.CHAIN)),
    "ko": ((_days(_KO_ANCHOR, "a"), Shift.ANCHOR), (_days(_KO_BUSINESS, "b"), Shift.CHAIN_BUSINESS), (_days(_KO_CHAIN, "c"), Shift.CHAIN)),
}


def han_regions(text: str, letters: re.Pattern[str], margin: int = 24) -> Iterator[tuple[int, int]]:
    """Stretches of `text` that hold the letters, with a margin for the digits beside them; in order, not overlapping."""
    start = end = -1
    for m in letters.finditer(text):
        if end < 0 or m.start() - margin > end:
            if end >= 0:
                yield start, min(end, len(text))
            start = max(0, m.start() - margin)
        end = m.end() + margin
    if end >= 0:
        yield start, min(end, len(text))


def find_han(text: str, *, lang: str, country: str) -> Iterator[Candidate]:
    """Candidates of Chinese or Japanese text (`lang` zh or ja decides where the two differ)."""
    for m in _FULL.finditer(text):
        yield from _full(m)
    for m in _MONTH_DAY.finditer(text):
        yield _with_month_word(
            m, _MONTH_WORDS, "han-month-day", tense={"去る": -1, "さる": -1, "来る": 1, "きたる": 1}.get(m["mod"] or "", 0), day=m["d"]
        )
    for m in _MONTH.finditer(text):
        if m["mw"] or lang != "zh" or m["vague"] or m["m"]:
            yield _with_month_word(m, _MONTH_WORDS, "han-month", tense=0, day=None)
    for m in _DAY.finditer(text):
        if not 1 <= int(m["d"]) <= 31 or _LASTING.search(text[max(0, m.start() - 6) : m.start()]):
            continue
        yield Candidate(
            m.start(),
            m.end(),
            "han-day",
            day=int(m["d"]),
            shift=Shift.ANCHOR_MONTH,
            tense=-1 if m["past"] else 1 if m["fut"] else 0,
            flags=("day_only",),
        )
    for m in _YEAR.finditer(text):
        if m["yw"]:
            mode, amount = _YEAR_WORDS[m["yw"]]
            yield Candidate(m.start(), m.end(), "han-year", shift=Shift.ANCHOR_YEAR if mode == "a" else Shift.CHAIN_YEAR, amount=amount)
        else:
            yield Candidate(m.start(), m.end(), "han-year", year=chinese_number(m["y"]))
    for m in _ERA_ALONE.finditer(text):
        yield Candidate(m.start(), m.end(), "era-year", year=_era(m["era"], m["en"]))
    for pattern in (_SHORT_ERA, _SHORT_ERA_YEAR):
        for m in pattern.finditer(text):
            if year := _era(m["era"], m["en"]):
                yield Candidate(m.start(), m.end(), "era-short", year=year, month=_int(m["m"]), day=_int(m["d"]), rank=1)
    if country == "TW":
        for pattern in (_ROC, _ROC_YEAR):
            for m in pattern.finditer(text):
                yield Candidate(m.start(), m.end(), "roc", year=1911 + int(m["en"]), month=_int(m["m"]), day=_int(m["d"]), rank=1)
    yield from _relative(text, "ja" if lang == "ja" else "zh")
    yield from _han_weekdays(text, lang)
    for m in _QUARTER.finditer(text):
        yield Candidate(m.start(), m.end(), "quarter", shift=Shift.NULL)
    for m in _AGO[0].finditer(text):
        yield Candidate(m.start(), m.end(), "ago", shift=Shift.ANCHOR, amount=-(chinese_number(m["n"]) or 0), rank=1)


def find_hangul(text: str) -> Iterator[Candidate]:
    """Candidates of Korean text."""
    for m in _KO_FULL.finditer(text):
        mode, amount = _KO_YEAR_WORDS.get(m["yw"] or "", ("", 0))
        shift = {"a": Shift.ANCHOR_YEAR, "c": Shift.CHAIN_YEAR}.get(mode, Shift.NONE)
        year = _short_year(m["y"]) if m["y"] else None
        tense = -1 if m["past"] else 1 if m["fut"] or m["tail"] else 0
        yield Candidate(
            m.start(),
            m.end(),
            "ko-date",
            year=year,
            month=int(m["m"]),
            day=_int(m["d"]),
            shift=shift,
            amount=amount,
            tense=tense,
            month_only=not m["d"],
        )
    for m in _KO_DAY.finditer(text):
        tense = -1 if m["past"] else 1 if m["fut"] or m["tail"] else 0
        mode, amount = _KO_MONTH_WORDS.get((m["mw"] or "").replace(" ", ""), ("a", 0))
        flags = () if m["mw"] else ("day_only",)
        yield Candidate(
            m.start(),
            m.end(),
            "ko-day",
            day=int(m["d"]),
            shift=Shift.ANCHOR_MONTH if mode == "a" else Shift.CHAIN_MONTH,
            amount=amount,
            tense=tense,
            flags=flags,
        )
    for m in _KO_MONTH.finditer(text):
        mode, amount = _KO_MONTH_WORDS[m["mw"].replace(" ", "")]
        yield Candidate(
            m.start(), m.end(), "ko-month", shift=Shift.ANCHOR_MONTH if mode == "a" else Shift.CHAIN_MONTH, amount=amount, month_only=True
        )
    for m in _KO_YEAR_MONTH.finditer(text):
        yield Candidate(m.start(), m.end(), "ko-year-month", year=int(m["y"]), month=int(m["m"]), month_only=True)
    for m in _KO_YEAR_ALONE.finditer(text):
        mode, amount = _KO_YEAR_WORDS.get(m["yw"] or "", ("", 0))
        shift = {"a": Shift.ANCHOR_YEAR, "c": Shift.CHAIN_YEAR}.get(mode, Shift.NONE)
        yield Candidate(m.start(), m.end(), "ko-year", year=_int(m["y"]), shift=shift, amount=amount)
    yield from _relative(text, "ko")
    for m in _KO_WEEKDAY.finditer(text):
        yield _weekday(m, _KO_DAYS.index(m["d"]), "ko-weekday")
    for m in _AGO[1].finditer(text):
        yield Candidate(m.start(), m.end(), "ago", shift=Shift.ANCHOR, amount=-int(m["n"] or _KO_NUM[m["k"]]), rank=1)
    for m in _QUARTER.finditer(text):
        yield Candidate(m.start(), m.end(), "quarter", shift=Shift.NULL)


def _int(text: str | None) -> int | None:
    return chinese_number(text) if text else None


def _short_year(text: str) -> int:
    value = int(text)
    return value if value > 99 else value + (2000 if value < 50 else 1900)


def _era(era: str, number: str) -> int | None:
    value = chinese_number(number)
    return era_year(era, value) if value else None


def _full(m: re.Match[str]) -> Iterator[Candidate]:
    month, day = _int(m["m"]), _int(m["d"])
    vague = m["vague"] is not None or m["d"] is None
    if m["yw"]:
        mode, amount = _YEAR_WORDS[m["yw"]]
        shift = Shift.ANCHOR_YEAR if mode == "a" else Shift.CHAIN_YEAR
        yield Candidate(m.start(), m.end(), "han-relative-year", month=month, day=day, shift=shift, amount=amount, month_only=vague)
        return
    if m["era"]:
        year = _era(m["era"], m["en"])
    else:
        digits = m["y"].lstrip("'")
        year = _short_year(digits) if digits.isascii() else chinese_number(digits)
    flags = ("impossible",) if year is None else ()
    yield Candidate(m.start(), m.end(), "era" if m["era"] else "han", year=year, month=month, day=day, month_only=vague, flags=flags)


def _with_month_word(m: re.Match[str], table: dict[str, tuple[str, int]], rule: str, *, tense: int, day: str | None) -> Candidate:
    value = _int(day)
    if m["mw"]:
        mode, amount = table[m["mw"]]
        shift = Shift.ANCHOR_MONTH if mode == "a" else Shift.CHAIN_MONTH
        return Candidate(m.start(), m.end(), rule, day=value, shift=shift, amount=amount, month_only=value is None)
    start = m.start("m") if "mod" in m.re.groupindex and (m["mod"] or "")[-1:] in ("于", "於", "今") else m.start()
    return Candidate(start, m.end(), rule, month=_int(m["m"]), day=value, tense=tense, month_only=value is None)


def _relative(text: str, lang: str) -> Iterator[Candidate]:
    for pattern, shift in _TABLES[lang]:
        for m in pattern.finditer(text):
            yield Candidate(m.start(), m.end(), f"{lang}-{shift}", shift=shift, amount=_amount(m))


def _weekday(m: re.Match[str], day: int, rule: str) -> Candidate:
    groups = m.groupdict()
    week = Week.BARE
    for name, value in (
        ("last", Week.LAST),
        ("this", Week.THIS),
        ("next", Week.NEXT),
        ("blast", Week.BEFORE_LAST),
        ("past", Week.PAST),
        ("fut", Week.FUTURE),
        ("chain", Week.AFTER),
    ):
        if groups.get(name):
            week = value
    if groups.get("dd"):
        return Candidate(
            m.start(),
            m.end(),
            rule,
            month=_int(groups.get("m")),
            day=int(groups["dd"]),
            weekday=day,
            shift=Shift.NONE if groups.get("m") else Shift.ANCHOR_MONTH,
            flags=() if groups.get("m") else ("day_only",),
        )
    return Candidate(m.start(), m.end(), rule, weekday=day, shift=Shift.WEEKDAY, week=week)


def _han_weekdays(text: str, lang: str) -> Iterator[Candidate]:
    if lang == "ja":
        for m in _JA_WEEKDAY.finditer(text):
            yield _weekday(m, _JA_DAYS.index(m["d"]), "ja-weekday")
    for m in _ZH_WEEKDAY.finditer(text):
        yield _weekday(m, _ZH_DAYS[m["d"]], "zh-weekday")
