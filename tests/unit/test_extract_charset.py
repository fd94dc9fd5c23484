"""Charsets: declared, wrong, missing, damaged."""

from __future__ import annotations

import pytest

from s2r.extract import decode, extract

JA = "当社株式は平成28年6月20日付で上場廃止となります。東京証券取引所の規定により、整理銘柄に指定されました。"
KO = "코스닥시장 상장규정에 의하여 동사 주권의 상장폐지가 확정되었음을 알려드립니다. 정리매매기간은 다음과 같습니다."
ZH = "根据本所上市委员会的审核意见,本所决定公司股票自2020年5月15日起暂停上市。公司应当继续履行信息披露义务。"
DE = "Die Geschäftsführung hat die Zulassung der Aktien der Müller Söhne AG widerrufen – für 14,25 €."
RU = "Биржа приняла решение об исключении акций из котировального списка с 3 марта 2016 года. Торги прекращены."


def html(text: str, charset: str) -> str:
    return f'<html><head><meta http-equiv="Content-Type" content="text/html; charset={charset}"></head><body><p>{text}</p></body></html>'


DECLARED = [
    (JA, "Shift_JIS", "cp932"),
    (JA, "EUC-JP", "euc_jp"),
    (JA, "iso-2022-jp", "iso2022_jp"),
    (KO, "euc-kr", "cp949"),
    (KO, "ks_c_5601-1987", "cp949"),
    (ZH, "gb2312", "gb18030"),
    (ZH, "gbk", "gb18030"),
    ("本公司建議撤銷股份上市地位", "big5", "big5hkscs"),
    (DE, "iso-8859-1", "cp1252"),
    (DE, "windows-1252", "cp1252"),
    (RU, "windows-1251", "cp1251"),
    (RU, "koi8-r", "koi8-r"),
    (JA, "utf-8", "utf-8"),
]


@pytest.mark.parametrize(("text", "declared", "used"), DECLARED)
def test_a_true_declaration_is_obeyed(text: str, declared: str, used: str) -> None:
    """Bytes in the declared charset are read with it, or with the superset that browsers use."""
    encoding = {"cp1252": "cp1252"}.get(used, declared if declared != "ks_c_5601-1987" else "cp949")
    found = decode(html(text, declared).encode(encoding), "text/html")
    assert text in found.text
    assert found.charset.replace("-", "_") == used.replace("-", "_")


@pytest.mark.parametrize(
    "declared", ["Shift_JIS", "euc-kr", "EUC-JP", "gb2312", "gbk", "iso-8859-1", "iso-8859-15", "windows-1251", "nonsense"]
)
@pytest.mark.parametrize("text", [JA, KO, ZH, DE])
def test_utf8_bytes_beat_a_false_declaration(text: str, declared: str) -> None:
    """A stored copy in UTF-8 keeps the old meta element of its first life."""
    found = decode(html(text, declared).encode(), "text/html")
    assert found.charset == "utf-8"
    assert text in found.text
    assert found.declared == declared.lower()


def test_http_charset_comes_before_meta() -> None:
    """The header wins over the document when both could be true."""
    body = html(RU, "iso-8859-1").encode("cp1251")
    assert RU in decode(body, "text/html; charset=windows-1251").text


@pytest.mark.parametrize(
    ("text", "encoding", "meta"),
    [
        (KO, "euc_kr", "euc-kr"),
        (KO, "euc_kr", "iso-8859-1"),
        (JA, "euc_jp", "euc-jp"),
        (JA, "shift_jis", "Shift_JIS"),
        (ZH, "gb18030", "gb2312"),
        (ZH, "gb18030", "iso-8859-1"),
        (RU, "cp1251", "windows-1251"),
        (RU, "cp1251", "iso-8859-1"),
        (DE, "cp1252", "iso-8859-1"),
        ("Société à créées, déjà où naïf, çà et là: \u00e9\u00e8\u00ea", "cp1252", "iso-8859-1"),
    ],
)
def test_the_default_of_a_server_gives_way_to_the_bytes(text: str, encoding: str, meta: str) -> None:
    """A header that says ISO-8859-1 for everything is not obeyed over two-byte text; Western text is left alone."""
    assert text in decode(html(text, meta).encode(encoding), "text/html; charset=ISO-8859-1").text


@pytest.mark.parametrize(("lang", "encoding", "text"), [("zh-CN", "gb18030", "请拖动滑块完成验证"), ("ko", "euc_kr", "구독 후 전문 보기"), ("zh-TW", "big5", "股份終止上市")])  # fmt: skip
def test_a_short_text_is_told_by_its_language(lang: str, encoding: str, text: str) -> None:
    """A sentence without a declared charset is read by the charset of the language that the page declares."""
    body = f'<html lang="{lang}"><body><p>{text}</p></body></html>'.encode(encoding)
    assert text in decode(body, "text/html").text


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        (b"\xef\xbb\xbf" + DE.encode(), "utf-8-sig"),
        (DE.encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + DE.encode("utf-16-be"), "utf-16"),
        (DE.encode("utf-16-le"), "utf-16-le"),
        (DE.encode("utf-16-be"), "utf-16-be"),
    ],
)
def test_marks_and_zero_bytes_give_wide_charsets_away(body: bytes, charset: str) -> None:
    """Byte order marks and the pattern of zero bytes decide before anything declared."""
    found = decode(body, "text/plain; charset=iso-8859-1")
    assert (found.text, found.charset) == (DE, charset)


@pytest.mark.parametrize(
    ("text", "encoding"), [(JA, "shift_jis"), (JA, "euc_jp"), (KO, "euc_kr"), (ZH, "gb18030"), (RU, "cp1251"), (DE, "cp1252")]
)
def test_undeclared_bytes_are_detected(text: str, encoding: str) -> None:
    """Without any declaration the text is still read."""
    assert decode((text * 4).encode(encoding), "text/plain").text == text * 4


def test_false_utf8_declaration_falls_back_to_detection() -> None:
    """Declared but undecodable: detect."""
    found = decode(html(DE * 3, "utf-8").encode("cp1252"), "text/html; charset=utf-8")
    assert DE in found.text
    assert found.charset == "cp1252"


def test_a_few_damaged_bytes_do_not_change_the_charset() -> None:
    """One bad byte in a UTF-8 page is a replacement character, not another charset."""
    body = (JA * 20).encode() + b"\xff" + JA.encode()
    found = decode(body, "text/html")
    assert found.charset == "utf-8"
    assert found.text.count("\ufffd") == 1


def test_undefined_bytes_of_windows_1252_do_not_fail() -> None:
    """0x81 and friends become control characters, as in browsers."""
    assert decode(b"<meta charset=iso-8859-1>caf\xe9 \x81\x8d", "text/html").text.endswith("café \x81\x8d")


def test_the_charset_used_is_on_the_page() -> None:
    """Page.charset tells which decoding the source offsets count in."""
    page = extract(html(KO, "euc-kr").encode("euc_kr"), "text/html", "u", digest="d")
    assert (page.charset, page.lang) == ("cp949", "ko")
