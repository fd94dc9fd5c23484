"""SEC submissions and their copies."""

from s2r.extract import extract


def test_text_after_a_header_without_document_tags_is_read() -> None:
    """Copies of filings often keep the header and drop the <DOCUMENT> tags."""
    body = b"<SEC-HEADER>\nCONFORMED SUBMISSION TYPE:\t25\nFILED AS OF DATE:\t20210511\n</SEC-HEADER>\n\nClass:   7.375% Series C Preferred\n\nSigned May 11, 2021\n"
    page = extract(body, "text/plain", "https://filings.example/25.txt", digest="sha256:0")
    assert page.form == "25"
    assert "7.375% Series C Preferred" in page.text
    assert "Signed May 11, 2021" in page.text
