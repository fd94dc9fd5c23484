"""Formats of the web end to end: what is judged a document is also read, with the sentence and the dates that stand in it."""

from __future__ import annotations

import datetime as dt

import pytest

from s2r.extract import extract
from s2r.fetch import judge_capture
from s2r.models import Capture

AT = dt.datetime(2024, 5, 6, tzinfo=dt.UTC)
S = "The ordinary shares of Bramble Wharf plc will be cancelled from trading on 12 March 2024."
FORMATS = [
    ("xhtml", f'<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>N</title></head><body><p>{S}</p><script type="text/javascript">//<![CDATA[\nvar a="</p>";\n//]]></script></body></html>', "application/xhtml+xml"),
    ("xhtml prefix", f'<?xml version="1.0"?><h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body><h:p>{S}</h:p></h:body></h:html>', "application/xhtml+xml"),
    ("xhtml cdata", f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p><![CDATA[{S}]]></p></body></html>', "application/xhtml+xml"),
    ("xhtml selfclosing script", f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a.js"/><title>T</title></head><body><p>{S}</p></body></html>', "application/xhtml+xml"),
    ("xhtml selfclosing title", f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>{S}</p></body></html>', "application/xhtml+xml"),
    ("amp", f'<!doctype html><html ⚡ lang="en"><head><meta charset="utf-8"><style amp-boilerplate>body{{visibility:hidden}}</style><noscript><style amp-boilerplate>body{{visibility:visible}}</style></noscript><script async src="https://cdn.ampproject.org/v0.js"></script></head><body><amp-consent layout="nodisplay" id="c"><div id="ui">We use cookies <button on="tap:c.accept">Accept</button></div></amp-consent><article><h1>T</h1><p>{S}</p></article></body></html>', "text/html"),
    ("frameset noframes", f'<html><head><title>Exchange bulletin</title></head><frameset cols="20%,80%"><frame src="menu.html"><frame src="body.html"><noframes><body><p>{S}</p></body></noframes></frameset></html>', "text/html"),
    ("noscript article", f'<html><body><div id="root"></div><noscript><article><h1>Notice</h1><p>{S}</p></article></noscript><script src=a.js></script></body></html>', "text/html"),
    ("jsonld only", f'<html><head><title>T</title><script type="application/ld+json">{{"@type":"NewsArticle","headline":"H","articleBody":"{S} {S} {S}","datePublished":"2024-03-04"}}</script></head><body><div id="root"></div><script src=a.js></script></body></html>', "text/html"),
    ("jsonld graph", f'<html><head><title>T</title><script type="application/ld+json">{{"@context":"x","@graph":[{{"@type":"WebSite"}},{{"@type":["Article","NewsArticle"],"headline":"H","articleBody":"{S} {S} {S}","datePublished":"2024-03-04"}}]}}</script></head><body><header><nav><a href=/>Home</a></nav></header><div id="root"></div><script src=a.js></script></body></html>', "text/html"),
    ("jsonld escaped", f'<html><head><title>T</title><script type="application/ld+json">{{"@type":"NewsArticle","headline":"H","articleBody":"\\u003cp\\u003e{S}\\u003c/p\\u003e \\u003cp\\u003e{S}\\u003c/p\\u003e","datePublished":"2024-03-04"}}</script></head><body><div id="root"></div><script src=a.js></script></body></html>', "text/html"),
    ("rss", f'<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>Delisting</title><description>&lt;p&gt;{S}&lt;/p&gt;</description><pubDate>Mon, 04 Mar 2024 13:00:00 GMT</pubDate></item></channel></rss>', "text/html"),
    ("atom xhtml", f'<feed xmlns="http://www.w3.org/2005/Atom"><title>N</title><entry><title>D</title><updated>2024-03-04T00:00:00Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>{S}</p></div></content></entry></feed>', "application/atom+xml"),
    ("rdf", f'<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><item><title>D</title><description>{S}</description><dc:date>2024-03-04</dc:date></item></rdf:RDF>', "application/rdf+xml"),
    ("sgml", f'<SEC-DOCUMENT>0001-24-1.txt : 20240304\n<SEC-HEADER>0001-24-1.hdr.sgml : 20240304\n<ACCEPTANCE-DATETIME>20240304160501\nACCESSION NUMBER:\t\t0001-24-1\nCONFORMED SUBMISSION TYPE:\t8-K\nFILED AS OF DATE:\t\t20240304\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<FILENAME>a.htm\n<TEXT>\n<html><body><p>{S}</p></body></html>\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>', "text/plain"),
    ("sgml html type", f'<SUBMISSION>\n<ACCESSION-NUMBER>0001-24-1\n<TYPE>25-NSE\n<FILING-DATE>20240304\n<DOCUMENT>\n<TYPE>25-NSE\n<TEXT>\n<XML>\n<?xml version="1.0"?><notificationOfRemoval><issuer><entityName>Bramble Wharf plc</entityName></issuer><descriptionClassSecurity>{S}</descriptionClassSecurity></notificationOfRemoval>\n</XML>\n</TEXT>\n</DOCUMENT>\n</SUBMISSION>', "text/plain"),
]  # fmt: skip
DATED = ("jsonld only", "jsonld graph", "jsonld escaped", "rss", "atom xhtml", "rdf", "sgml", "sgml html type")


@pytest.mark.parametrize(("name", "body", "kind"), FORMATS, ids=[row[0] for row in FORMATS])
def test_documents_in_every_format_are_read(name: str, body: str, kind: str) -> None:
    """XHTML, AMP, frames, noscript, JSON-LD, feeds and SEC submissions pass the judge and give their sentence and their dates."""
    capture = Capture(url="https://x.example/n", final_url="https://x.example/n", content_type=kind, body=body.encode(), fetched_at=AT)
    assert judge_capture(capture) is None
    page = extract(capture.body, kind, capture.url, digest="d")
    assert S in page.text
    assert [claim.value for claim in page.claims if claim.value == "2024-03-04"] or name not in DATED


@pytest.mark.parametrize("form", ["rss", "rdf:RDF", "feed"])
def test_feeds_keep_the_order_of_their_entries(form: str) -> None:
    """XHTML bodies stand under the heading of their own entry."""
    entries = "".join(
        f"<entry><title>T{n}</title><content type='xhtml'><div><p>Body {n} <b>bold</b></p></div></content></entry>" for n in range(3)
    )
    page = extract(f"<{form}>{entries}</{form}>".encode(), "application/xml", "u", digest="d")
    assert page.text.split("\n") == ["T0", "Body 0 bold", "T1", "Body 1 bold", "T2", "Body 2 bold"]
