"""Plain text, Markdown, filings as text, SEC submissions and Form 25 XML."""

from __future__ import annotations

import pytest

from s2r.extract import decode, extract
from s2r.models import BlockKind, DateKind, Page

NOTICE = """RAPORT BIEŻĄCY nr 9/2015                         Data: 26-03-2015
POLMETRIX SPÓŁKA AKCYJNA (PMX)

Temat: Zakończenie procesu scalenia akcji

Zarząd Polmetrix S.A. z siedzibą w Zabrzu informuje, że w dniu dzisiejszym
Krajowy Depozyt dokonał wymiany akcji Spółki w stosunku 10:1. Obrót
akcjami zostanie wznowiony jutro.

HECHO RELEVANTE

1. Section 802.01D of the Manual lets the Exchange give consideration to
delisting a security trading at an abnormally low price.

2. The Exchange decided on January 21, 2016 that the Common Stock should be
suspended and directed this application.
- - - - - - - - - - - -
Closing words
"""

SUBMISSION = """<SEC-DOCUMENT>0000870000-15-000132.txt : 20150320
<SEC-HEADER>0000870000-15-000132.hdr.sgml : 20150320
<ACCEPTANCE-DATETIME>20150320173126
ACCESSION NUMBER:\t\t0000870000-15-000132
CONFORMED SUBMISSION TYPE:\t25-NSE
PUBLIC DOCUMENT COUNT:\t\t2
FILED AS OF DATE:\t\t20150323

SUBJECT COMPANY:\t

\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\tKETTLE WORKS CORP
\t\tCENTRAL INDEX KEY:\t\t\t0000090000
\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\tRETAIL-RADIO TV & CONSUMER ELECTRONICS STORES [5731]

\tFORMER COMPANY:\t
\t\tFORMER CONFORMED NAME:\tIRON POT CORP /DE/
\t\tDATE OF NAME CHANGE:\t19920703

FILED BY:\t\t

\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\tNEW YORK STOCK EXCHANGE LLC
\t\tCENTRAL INDEX KEY:\t\t\t0000870000

\tFORMER COMPANY:\t
\t\tFORMER CONFORMED NAME:\tNEW YORK STOCK EXCHANGE INC
\t\tDATE OF NAME CHANGE:\t19910628
</SEC-HEADER>
<DOCUMENT>
<TYPE>25-NSE
<SEQUENCE>1
<FILENAME>primary_doc.xml
<TEXT>
<XML>
<?xml version="1.0"?>
<notificationOfRemoval>
    <exchange><cik>0000870000</cik><entityName>NEW YORK STOCK EXCHANGE LLC</entityName></exchange>
    <issuer><cik>90000</cik><entityName>KETTLE WORKS &amp; SONS CORP</entityName></issuer>
    <descriptionClassSecurity>Common Stock</descriptionClassSecurity>
    <ruleProvision>17 CFR 240.12d2-2(b)</ruleProvision>
    <signatureData><signatureName>A. Clerk</signatureName><signatureDate>2015-03-20</signatureDate></signatureData>
</notificationOfRemoval>
</XML>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-99.25
<SEQUENCE>2
<FILENAME>ruleprovisionnotice.htm
<TEXT>
NOTIFICATION OF THE REMOVAL FROM LISTING AND REGISTRATION OF THE STATED SECURITIES

The company did not cure its noncompliance with the NYSE&#146;s continued listing standard.

</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-99.1
<SEQUENCE>3
<FILENAME>ex991.htm
<DESCRIPTION>PRESS RELEASE
<TEXT>
<HTML><BODY><P>The shares of Kettle Works&nbsp;Corp will be removed.</P><TABLE><TR><TD>Symbol</TD><TD>KTW</TD></TR></TABLE></BODY></HTML>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>GRAPHIC
<SEQUENCE>4
<FILENAME>logo.jpg
<TEXT>
begin 644 logo.jpg
M_]C_X  02D9)1@ ! @
end
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
"""

EIGHT_K = """ACCESSION NUMBER: 0001938214-12-000011
CONFORMED SUBMISSION TYPE: 8-K
CONFORMED PERIOD OF REPORT: 20120131
ITEM INFORMATION: Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing
ITEM INFORMATION: Financial Statements and Exhibits
FILED AS OF DATE: 20120203
COMPANY CONFORMED NAME: TESSALINE NETWORKS INC

Item 3.01.  Notice of Delisting.

On January 31, 2012 the registrant was handed a Staff Determination.
"""


def read(text: str, kind: str = "text/plain") -> Page:
    return extract(text.encode(), kind, "https://filings.example/x", digest="d")


def outline(page: Page) -> list[tuple[str, str]]:
    return [(block.kind.value, page.text[block.start : block.end]) for block in page.blocks]


def test_paragraphs_of_a_notice_are_blocks_and_text_is_verbatim() -> None:
    """Blank lines separate blocks; a wrapped paragraph is one block with its line breaks; rules are dropped."""
    page = read(NOTICE)
    kinds = outline(page)
    assert kinds[2][1].startswith("Zarząd Polmetrix")
    assert kinds[2][1].endswith("wznowiony jutro.")
    assert ("heading", "HECHO RELEVANTE") in kinds
    assert [kind for kind, text in kinds if text[:2] in ("1.", "2.")] == ["item", "item"]
    assert kinds[-1] == ("paragraph", "Closing words")
    for block in page.blocks:
        at = page.source_offset(block.start)
        assert NOTICE[at : at + block.end - block.start] == page.text[block.start : block.end]


def test_a_labelled_date_in_the_first_lines_is_a_claim() -> None:
    """ "Data: 26-03-2015" at the top of a current report."""
    claims = [claim for claim in read(NOTICE).claims if claim.origin == "header:date"]
    assert [(claim.value, claim.raw) for claim in claims] == [("2015-03-26", "26-03-2015")]


MARKDOWN = """---
title: "Example plc to leave AIM"
date: 2016-03-02
updated: 2016-03-05
tags: [aim]
---
# Example plc to leave AIM

LONDON, 2 March 2016 -- Example plc said today
that it will leave.

## About
- first
- second

| Item | Date |
"""


def test_front_matter_of_markdown_becomes_claims_and_a_header_block() -> None:
    """Dates and title of front matter are read, the rest is kept as a header block."""
    page = read(MARKDOWN, "text/markdown")
    assert page.title == "Example plc to leave AIM"
    assert [(claim.origin, claim.value, claim.flags) for claim in page.claims] == [
        ("meta:date", "2016-03-02", ()),
        ("meta:updated", "2016-03-05", ("modified",)),
    ]
    assert all(page.text[claim.start : claim.end] == claim.raw for claim in page.claims)
    assert outline(page)[1:] == [
        ("heading", "# Example plc to leave AIM"),
        ("paragraph", "LONDON, 2 March 2016 -- Example plc said today\nthat it will leave."),
        ("heading", "## About"),
        ("item", "- first"),
        ("item", "- second"),
        ("row", "| Item | Date |"),
    ]


def test_a_line_of_dashes_is_no_front_matter() -> None:
    """A text that begins with a rule keeps all its words."""
    assert "Dear holders" in read("---\nDear holders, the listing ends.\n---\nYours").text


def test_submission_header_becomes_meta_and_claims() -> None:
    """Form, parties, former names and the three dates of an EDGAR header."""
    page = read(SUBMISSION)
    assert page.form == "25-NSE"
    assert page.meta["accession"] == "0000870000-15-000132"
    assert page.meta["company"] == "KETTLE WORKS CORP"
    assert page.meta["filed_by"] == "NEW YORK STOCK EXCHANGE LLC"
    assert page.meta["former_names"] == "IRON POT CORP /DE/ (until 1992-07-03)"
    assert (page.meta["cik"], page.meta["sic"]) == ("0000090000", "5731")
    assert page.meta["acceptance"] == "2015-03-20T17:31:26"
    claims = {claim.origin: claim for claim in page.claims}
    assert claims["header:filed_as_of"].value == "2015-03-23"
    assert claims["header:filed_as_of"].kind is DateKind.FILING
    assert (claims["header:acceptance"].value, claims["header:acceptance"].flags) == ("2015-03-20", ("eastern",))
    assert claims["xml:signatureDate"].value == "2015-03-20"
    for claim in page.claims:
        assert page.text[claim.start : claim.end] == claim.raw


def test_documents_inside_a_submission_are_read_with_offsets_into_it() -> None:
    """XML fields are rows, HTML exhibits are walked, text exhibits keep their paragraphs, pictures are skipped."""
    page = read(SUBMISSION)
    blocks = outline(page)
    assert ("row", "description class security | Common Stock") in blocks
    assert ("row", "issuer entity name | KETTLE WORKS & SONS CORP") in blocks
    assert ("paragraph", "The shares of Kettle Works Corp will be removed.") in blocks
    assert ("row", "Symbol | KTW") in blocks
    assert ("paragraph", "The company did not cure its noncompliance with the NYSE’s continued listing standard.") in blocks
    assert ("header", "EX-99.1 PRESS RELEASE") in blocks
    assert "M_]C_X" not in page.text
    assert (page.meta["class"], page.meta["rule"], page.meta["exchange"]) == (
        "Common Stock",
        "17 CFR 240.12d2-2(b)",
        "NEW YORK STOCK EXCHANGE LLC",
    )
    raw = decode(SUBMISSION.encode()).text
    for word in ("Common Stock", "will be removed", "continued listing standard", "KTW"):
        at = page.text.index(word)
        assert raw[page.source_offset(at) :].startswith(word)


def test_form_25_xml_alone_is_read() -> None:
    """primary_doc.xml fetched on its own."""
    xml = SUBMISSION[SUBMISSION.index("<?xml") : SUBMISSION.index("</XML>")]
    page = read(xml, "application/xml")
    assert ("row", "rule provision | 17 CFR 240.12d2-2(b)") in outline(page)
    assert page.form == "25-NSE"
    assert page.meta["class"] == "Common Stock"


def test_items_of_an_8k_come_from_header_titles_and_text() -> None:
    """The header gives titles, the text gives numbers; both become item numbers."""
    page = read(EIGHT_K)
    assert (page.form, page.meta["items"], page.meta["period"]) == ("8-K", "3.01; 9.01", "2012-01-31")
    assert page.blocks[0].kind is BlockKind.HEADER


FORMS = [
    ("FORM 15      FILED AS OF DATE: 20090323\nCERTIFICATION AND NOTICE OF TERMINATION OF REGISTRATION", "15", "2009-03-23"),
    ("25-NSE   FILED AS OF DATE: 20210701\nSUBJECT: OSTRANDER BANCSHARES INC   FILED BY: Nasdaq Stock Market LLC", "25-NSE", "2021-07-01"),
    (
        "CONFORMED SUBMISSION TYPE: 25-NSE    FILED AS OF DATE: 20180629\nSUBJECT COMPANY: STANNARD HILL (0001919033)",
        "25-NSE",
        "2018-06-29",
    ),
    ("UNITED STATES SECURITIES AND EXCHANGE COMMISSION\nWashington, D.C. 20549\n\nFORM 25\nNOTIFICATION OF REMOVAL", "25", None),
    ("CONFORMED SUBMISSION TYPE:\tPOS AM\nFILED AS OF DATE:\t20150320", "POS AM", "2015-03-20"),
    ("SECURITIES AND EXCHANGE COMMISSION Washington, D.C. 20549 FORM 8-K CURRENT REPORT Pursuant to Section 13", "8-K", None),
    ("The company filed a Form 25 with the Securities and Exchange Commission.", "", None),
    ("Letter to holders about our Form 8-K.", "", None),
]


@pytest.mark.parametrize(("text", "form", "filed"), FORMS)
def test_forms_are_known_by_their_head_not_by_mention(text: str, form: str, filed: str | None) -> None:
    """A text that only mentions a form is no filing."""
    page = read(text)
    assert page.form == form
    assert page.meta.get("filed_as_of") == filed


def test_html_filings_have_their_form() -> None:
    """A cover page in HTML."""
    page = read(
        "<html><body><p>FORM 6-K &mdash; August 2022</p><p>The board has notified the New York Stock Exchange.</p></body></html>",
        "text/html",
    )
    assert page.form == "6-K"


def test_old_text_filings_with_table_marks_stay_text() -> None:
    """<TABLE>, <S> and <C> in a text exhibit are EDGAR marks, not HTML; lines stay lines."""
    part = "<TABLE>\n<CAPTION>\n<S>            <C>\nProxies for      19,884\nProxies against   1,359\n</TABLE>\n"
    page = read(f"<SEC-DOCUMENT>x\n<DOCUMENT>\n<TYPE>EX-99\n<TEXT>\n{part}</TEXT>\n</DOCUMENT>\n")
    assert "Proxies for      19,884\nProxies against   1,359" in page.text
    assert "<S>" not in page.text


def test_plain_text_served_as_html_keeps_its_paragraphs() -> None:
    """Without a single tag it is no HTML, whatever the server says."""
    page = read("HECHO RELEVANTE\n\nLa sociedad comunica\nla exclusión.\n", "text/html")
    assert outline(page) == [("heading", "HECHO RELEVANTE"), ("paragraph", "La sociedad comunica\nla exclusión.")]


FEED = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Exchange notices</title><lastBuildDate>Tue, 05 Jan 2016 08:00:00 GMT</lastBuildDate>
<item><title>Removal: Example plc</title><pubDate>Mon, 04 Jan 2016 17:30:00 +0100</pubDate>
<description><![CDATA[<p>The shares are <b>removed</b>.</p>]]></description></item>
<item><title>Halt</title><pubDate>Sun, 03 Jan 2016 09:00:00 GMT</pubDate><description>&lt;p&gt;Trading halted&lt;/p&gt;</description></item>
</channel></rss>"""


@pytest.mark.parametrize("kind", ["application/rss+xml", "text/xml", "text/html"])
def test_feeds_become_headed_items_with_dates(kind: str) -> None:
    """Every item keeps its title, date and text; item dates are flagged as such."""
    page = read(FEED, kind)
    assert page.title == "Exchange notices"
    assert ("heading", "Removal: Example plc") in outline(page)
    assert ("paragraph", "The shares are removed.") in outline(page)
    assert ("paragraph", "Trading halted") in outline(page)
    assert [(claim.origin, claim.value, claim.flags) for claim in page.claims] == [
        ("feed:lastbuilddate", "2016-01-05", ("modified", "utc")),
        ("feed:pubdate", "2016-01-04", ("item", "offset")),
        ("feed:pubdate", "2016-01-03", ("item", "utc")),
    ]


def test_json_becomes_rows() -> None:
    """An API answer is readable text, its dates are claims."""
    page = read(
        '{"title": "Removal", "published": "2016-01-04T08:00:00Z", "body": "<p>The shares are removed.</p>", "n": [1, null]}',
        "application/json",
    )
    assert page.title == "Removal"
    assert ("row", "published | 2016-01-04T08:00:00Z") in outline(page)
    assert ("paragraph", "The shares are removed.") in outline(page)
    assert [(claim.origin, claim.value) for claim in page.claims] == [("json:published", "2016-01-04")]
