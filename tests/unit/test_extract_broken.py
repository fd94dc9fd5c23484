"""Damaged, hostile and huge input: typed refusals, bounded time, nothing lost that can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.errors import SourceBroken, SourceError
from s2r.extract import Cause, extract, outcome_of
from s2r.models import Outcome, Page

BROKEN = Path(__file__).parents[1] / "broken"
KINDS = {".html": "text/html", ".txt": "text/plain", ".pdf": "application/pdf"}
SENTENCE = b"The exchange has determined to delist the shares of Example plc on 3 March 2016. "


def read(name: str) -> Page:
    path = BROKEN / name
    return extract(path.read_bytes(), KINDS[path.suffix], f"https://a.example/{name}", digest="d")


REFUSED = [
    ("white_space.txt", Cause.EMPTY, Outcome.EMPTY),
    ("encrypted.pdf", Cause.ENCRYPTED_PDF, Outcome.UNREADABLE),
    ("scan.pdf", Cause.SCANNED_PDF, Outcome.UNREADABLE),
    ("cut.pdf", Cause.DAMAGED_PDF, Outcome.UNREADABLE),
    ("not_a.pdf", Cause.DAMAGED_PDF, Outcome.UNREADABLE),
    ("picture.html", Cause.NOT_TEXT, Outcome.UNREADABLE),
    ("script_shell.html", Cause.SCRIPT_SHELL, Outcome.SCRIPT_SHELL),
]


@pytest.mark.parametrize(("name", "cause", "outcome"), REFUSED)
def test_unreadable_files_are_refused_with_a_typed_cause(name: str, cause: Cause, outcome: Outcome) -> None:
    """The message is the cause, the subject is the url, and the cause has an outcome for the gap."""
    with pytest.raises(SourceBroken) as caught:
        read(name)
    assert caught.value.message == cause
    assert caught.value.subject == f"https://a.example/{name}"
    assert outcome_of(caught.value) is outcome


READABLE = [
    ("cut_inside_tag.html", "will be removed on 4 May 2016."),
    ("cut_inside_entity.html", "Trading in Müller & Söhne ends on 3 March 2016"),
    ("utf8_called_shift_jis.html", "当社株式は平成28年6月20日付で上場廃止となります。"),
    ("shift_jis_undeclared.html", "整理銘柄に指定されました。"),
    ("latin1_called_utf8.html", "Die Geschäftsführung hat die Zulassung der Aktien der Müller Söhne AG"),
    ("utf8_cut_in_character.txt", "平成28年6月20日付で上場廃止となります"),
    ("utf16_no_mark.txt", "Zarząd informuje o wykluczeniu akcji z obrotu."),
    ("nul_bytes.html", "listing of Example plc was cancelled on 3 March 2016."),
    ("broken_jsonld.html", "Example plc leaves the exchange."),
    ("unclosed_everything.html", "Brackford plc | GB0003821739\nCope Works plc | GB0003821740"),
    ("notice.pdf", "The redeemable notes of Orman Hill Finance are redeemed in full on 1 March 2016"),
]


@pytest.mark.parametrize(("name", "text"), READABLE)
def test_damaged_files_give_what_can_be_read(name: str, text: str) -> None:
    """A cut, a wrong charset or broken markup costs at most the damaged part."""
    assert text in read(name).text


def test_pdf_pages_have_paragraphs_claims_and_running_heads_apart() -> None:
    """Paragraphs keep their wrapped lines together; page heads and numbers are not main; the creation date is a weak claim."""
    page = read("notice.pdf")
    shown = [(block.main, page.text[block.start : block.end].replace("\n", " ")) for block in page.blocks]
    assert (False, "Example Exchange - Daily notices") in shown
    assert (False, "Page 2 of 3") in shown
    assert any(main and text.startswith("Notice 1. The Exchange") and text.endswith("8 February 2016.") for main, text in shown)
    assert [(claim.origin, claim.value, claim.flags) for claim in page.claims] == [("pdf:creation", "2016-02-09", ("low_trust", "offset"))]
    assert page.meta["pages"] == "3"
    assert page.source_map == ()


def test_a_pdf_under_another_content_type_is_still_a_pdf() -> None:
    """Content decides: servers send PDF as octet-stream or html."""
    for kind in ("text/html", "application/octet-stream", ""):
        assert extract((BROKEN / "notice.pdf").read_bytes(), kind, "u", digest="d").content_type == "application/pdf"


def test_html_under_a_pdf_address_is_read_as_html() -> None:
    """An error or consent page served where a PDF was."""
    page = extract(
        b"<html><body><p>The document has moved to our archive.</p></body></html>", "application/pdf", "https://a/x.pdf", digest="d"
    )
    assert "moved to our archive" in page.text


HOSTILE = {
    "deep divs": b"<div>" * 100_000 + SENTENCE + b"</div>" * 100_000,
    "deep bold": b"<b>" * 100_000 + SENTENCE,
    "deep tables": b"<table><tr><td>" * 100_000 + SENTENCE,
    "stray end tags": b"<section><table><td>" + b"<div>" * 30_000 + b"</section>" * 30_000 + SENTENCE,
    "one line of 10 MB": b"<html><body><p>" + SENTENCE * 125_000,
    "open quotes": SENTENCE + b'<a x="' * 300_000,
    "mixed quotes": b"<a x=\"b'><i y='\"> " * 100_000 + SENTENCE,
    "angle brackets": SENTENCE + b"<" * 1_000_000,
    "open comments": SENTENCE + b"<!-- a " * 200_000,
    "open titles": b"<title>x" * 100_000 + SENTENCE,
    "open scripts": SENTENCE + b"<script>x<y " * 200_000,
    "blanks": b"<p>" + b" " * 5_000_000 + SENTENCE,
    "breaks": b"x" + b"<br>" * 200_000 + SENTENCE,
    "bad json-ld": b'<script type="application/ld+json">' + b'{"a":[' * 50_000 + b"</script><p>" + SENTENCE,
    "equal signs": b"<a " + b"= " * 1_000_000 + b">" + SENTENCE,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.slow
def test_hostile_markup_is_read_in_bounded_time(name: str) -> None:
    """Nesting, open constructs and length cost linear time, no recursion, and the sentence is found."""
    page = extract(HOSTILE[name], "text/html", "https://a.example/x", digest="d")
    assert "delist the shares of Example plc on 3 March 2016." in page.text


ODD = {
    "nested json": (b'{"a":' * 100_000, "application/json"),
    "deep xml": (b'<?xml version="1.0"?>' + b"<a>" * 50_000 + b"text", "text/xml"),
    "entity bomb": (b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><r><x>&b;</x></r>', "text/xml"),
    "random": (bytes(range(256)) * 4_000, "text/html"),
    "zip": (b"PK\x03\x04" + bytes(500), "application/octet-stream"),
    "tag soup": (b"<" + b"><".join(bytes([n % 128]) for n in range(3_000)) + b">", "text/html"),
    "only a tag": (b"<html", "text/html"),
    "cut submission": (b"<SEC-DOCUMENT>x\n<DOCUMENT>\n<TYPE>8-K\n<TEXT>", "text/plain"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_bytes_give_a_page_or_a_source_error(name: str) -> None:
    """No other exception leaves extraction."""
    body, kind = ODD[name]
    try:
        page = extract(body, kind, "https://a.example/x", digest="d")
    except SourceError:
        return
    assert page.text
    assert len(page.text) < 4 * len(body)
