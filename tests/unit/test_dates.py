"""The date reader: values and precision of expressions in many languages, numbers that are no dates, offsets, and robustness."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2r.lang.dates import find_dateline, language_guess, read_dates
from s2r.models import Precision

CASES = Path(__file__).parent.parent / "cases" / "date_values.txt"


def _rows() -> list[tuple[str, str, str, str, list[tuple[str, str | None]]]]:
    rows = []
    for line in CASES.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        lang, country, anchor, text, wanted = (part.strip() for part in line.split("|"))
        pairs = [tuple(p.strip() for p in item.rsplit("=", 1)) for item in wanted.split(" ; ") if item.strip()]
        rows.append((lang, country, anchor, text, [(raw, None if value == "-" else value) for raw, value in pairs]))
    return rows


@pytest.mark.parametrize(
    ("lang", "country", "anchor", "text", "wanted"), _rows(), ids=lambda v: v if isinstance(v, str) and len(v) > 5 else None
)
def test_reads_values(lang: str, country: str, anchor: str, text: str, wanted: list[tuple[str, str | None]]) -> None:
    """Each expression of the table has the expected text and value, and nothing else is read."""
    mentions = read_dates(text, lang=lang, country=country, anchor=dt.date.fromisoformat(anchor) if anchor else None)
    assert [(m.raw, m.value) for m in mentions] == wanted
    for m in mentions:
        assert text[m.start : m.end] == m.raw
        assert len(m.value or "") == {Precision.DAY: 10, Precision.MONTH: 7, Precision.YEAR: 4, Precision.NONE: 0}[m.precision]


def test_flags_weekday_mismatch() -> None:
    """A weekday that does not fit its date is flagged, and the date stays as written."""
    (mention,) = read_dates("Monday, 6 September 2012", lang="en", country="GB")
    assert mention.value == "2012-09-06"
    assert "weekday_mismatch" in mention.flags


def test_ambiguous_order_is_flagged_without_country() -> None:
    """03/04/2019 with no country says that it could be read two ways; another date of the text can settle it."""
    (mention,) = read_dates("on 03/04/2019", lang="en")
    assert "ambiguous" in mention.flags
    first, second = read_dates("on 03/04/2019 and 03/25/2019", lang="en")
    assert (first.value, second.value) == ("2019-03-04", "2019-03-25")


@pytest.mark.parametrize(
    ("text", "lang", "wanted"),
    [
        ("2016年11月28日　株式会社余呉化学　代表取締役社長", "ja", "2016-11-28"),
        ("香港，二零一六年四月二十八日：獨立股東批准計劃", "zh-Hant", "2016-04-28"),
        ("Meddelelse nr. 14/2019 – 4. juli 2019. Aktierne slettes", "da", "2019-07-04"),
        ("MILANO, 11/01/2021 - Orobica Filati comunica", "it", "2021-01-11"),
        ("Helsingfors 12.9.2014 kl. 9.30: Sibbo Varv", "sv", "2014-09-12"),
        ("Mis à jour le 07/01/2020. Communiqué du 02/12/2011 : Lacaune", "fr", "2011-12-02"),
        ("The board decided on 5 May 2015 to leave.", "en", None),
        ("Sidan uppdaterad 2020-05-05.", "sv", None),
        ("TULSA, Okla., Aug. 9, 2011 (Newswire) -- Cimarron", "en", "2011-08-09"),
        ("2018年5月22日，上交所作出决定", "zh-Hans", None),
        ("本公司于二零一六年四月七日接获函件，指上市委员会已决定取消上市地位。香港，二零一六年四月十日", "zh-Hant", "2016-04-10"),
    ],
)
def test_finds_dateline(text: str, lang: str, wanted: str | None) -> None:
    """A notice's own date is found by where it stands; page stamps and dates in running text are not it."""
    found = find_dateline(text, lang=lang)
    assert (found.isoformat() if found else None) == wanted


def test_relative_days_use_the_texts_own_dateline() -> None:
    """Without an anchor, "yesterday" counts from the dateline of the text."""
    mentions = read_dates("Köln, 14.11.2017 – Wie gestern gemeldet", lang="de", country="DE")
    assert [m.value for m in mentions] == ["2017-11-14", "2017-11-13"]


def test_unresolvable_relative_day_has_no_value() -> None:
    """ "Yesterday" with nothing to count from is a date expression without a value."""
    (mention,) = read_dates("It said so yesterday.", lang="en")
    assert mention.value is None
    assert mention.precision is Precision.NONE


def test_decomposed_and_invisible_characters_keep_offsets() -> None:
    """Offsets lead to the original text when it holds combining or zero-width characters."""
    text = "Le 3 fe\u0301vrier\u200b 2019, puis le 5 aou\u0302t 2019."
    mentions = read_dates(text, lang="fr", country="FR")
    assert [m.value for m in mentions] == ["2019-02-03", "2019-08-05"]
    assert all(text[m.start : m.end] == m.raw for m in mentions)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Der Vorstand der Gesellschaft hat die Aktien", "de"),
        ("株式の上場廃止について", "ja"),
        ("决定终止其股票上市", "zh"),
        ("주권 매매가 정지됐다", "ko"),
        ("osakkeet on poistettu ja yhtiön", "fi"),
    ],
)
def test_guesses_language(text: str, lang: str) -> None:
    """The language is guessed from script and function words."""
    assert language_guess(text.lower()) == lang


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=200),
    st.sampled_from(["", "en", "de", "fr", "fi", "ja", "zh-Hans", "ko", "th", "ar", "vi", "pl", "xx"]),
    st.sampled_from(["", "US", "TW", "JP", "TH"]),
)
def test_never_raises(text: str, lang: str, country: str) -> None:
    """Any text is read without an error, and every mention is a true substring at its offsets."""
    for m in read_dates(text, lang=lang, country=country, anchor=dt.date(2020, 2, 29)):
        assert text[m.start : m.end] == m.raw


_PIECES = st.sampled_from(
    [
        "31",
        "12",
        "2019",
        "/",
        ".",
        "-",
        ",",
        "May",
        "Mai",
        "年",
        "月",
        "日",
        "平成",
        "元",
        "yesterday",
        "Friday",
        "T23:59:59Z",
        "9999",
        "0",
        "29",
        "Feb",
        "至",
        "同日",
        "翌日",
        "지난",
        "일",
        " ",
        "the next day",
        "am ",
        "le ",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=14).map("".join), st.sampled_from(["en", "de", "fr", "ja", "zh", "ko"]))
@pytest.mark.slow
def test_never_raises_on_date_like_text(text: str, lang: str) -> None:
    """Broken and impossible dates never stop the reader, at either end of the calendar."""
    for anchor in (dt.date(1, 1, 1), dt.date(9999, 12, 31), None):
        read_dates(text, lang=lang, country="JP", anchor=anchor)


@pytest.mark.timeout(60)
def test_long_texts_take_linear_time() -> None:
    """A text of 4,000 dates is read before the guard against quadratic reading stops it."""
    text = "The Exchange announced on 5 May 2015 that trading in 1,234,567 shares (12.5%) of the Company would end the next day. " * 100
    assert len(read_dates(text * 20, lang="en")) == 4000
