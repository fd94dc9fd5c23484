"""SEC submissions and their copies."""

from s2r.extract import extract


def test_text_after_a_header_without_document_tags_is_read() -> None:
    """Copies of filings often keep the header and drop the <DOCUMENT> tags."""
    body = b"<SEC-HEADER>\nCONFORMED SUBMISSION TYPE:\t25\nFILED AS OF DATE:\t20210511\n</SEC-HEADER>\n\nClass:   7.375% Series C Preferred\n\nSigned May 11, 2021\n"
    page = extract(body, "text/plain", "https://filings.example/25.txt", digest="sha256:0")
    assert page.form == "25"
    assert "7.375% Series C Preferred" in page.text
    assert "Signed May 11, 2021" in page.text


def test_a_huge_submission_is_read_for_its_header_and_documents() -> None:
    """Of 40 MB with pictures the header dates the filing and the document is text; nothing of the pictures is."""
    document = "<html><body><p>Item 3.01. The company notified Nasdaq of its decision to delist its common stock.</p></body></html>"
    picture = (
        "<DOCUMENT>\n<TYPE>GRAPHIC\n<FILENAME>g1.jpg\n<TEXT>\nbegin 644 g1.jpg\n"
        + "M1234567890ABCDEFGH\n" * 2000
        + "end\n</TEXT>\n</DOCUMENT>\n"
    )
    text = (
        "<SEC-HEADER>0001234567-20-000123.hdr.sgml : 20200515\n<ACCEPTANCE-DATETIME>20200515163000\n"
        "CONFORMED SUBMISSION TYPE:\t8-K\nFILED AS OF DATE:\t\t20200515\n</SEC-HEADER>\n"
        f"<DOCUMENT>\n<TYPE>8-K\n<FILENAME>d8k.htm\n<TEXT>\n{document}\n</TEXT>\n</DOCUMENT>\n"
    )
    body = (text + picture * 1000).encode()
    assert len(body) > 35 << 20
    page = extract(body, "text/plain", "https://www.sec.gov/Archives/edgar/data/1234567/0001234567-20-000123.txt", digest="sha256:x")
    assert {claim.origin: claim.value for claim in page.claims}["header:filed_as_of"] == "2020-05-15"
    assert "decision to delist" in page.text
    assert len(page.text) < 2000
