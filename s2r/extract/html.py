"""HTML documents to pages."""

from __future__ import annotations

import re

from s2r.extract.builder import Builder, Stretch
from s2r.extract.causes import Cause, broken
from s2r.extract.charset import Decoded
from s2r.extract.filing import read_filing
from s2r.extract.jsonld import Article, read_json_ld
from s2r.extract.mainmatter import settle
from s2r.extract.published import claim, guessed_claim, meta_claims, unique, url_claims
from s2r.extract.walker import Walk, walk
from s2r.models import BlockKind, DateClaim, Page

_LARGEST, _DEEPEST, _MOST_TAGS = 1_500_000, 200, 20_000  # beyond these, tree libraries take seconds or give up
_THIN = 40  # characters below which a page counts as without text
_META_FIELDS = {
    "sitename": ("og:site_name", "application-name", "twitter:site", "publisher", "dc.publisher"),
    "author": ("author", "article:author", "dc.creator", "byl", "parsely-author", "citation_author"),
    "description": ("og:description", "description", "twitter:description"),
    "og_title": ("og:title", "twitter:title", "citation_title", "dc.title", "headline"),
    "type": ("og:type",),
    "keywords": ("keywords", "news_keywords"),
    "robots": ("robots",),
    "generator": ("generator",),
}
_LOCALE = ("og:locale", "content-language", "language", "dc.language", "dcterms.language", "inlanguage")


def read_html(decoded: Decoded, *, url: str, digest: str, content_type: str, fallback_title: str = "", for_text: bool = False) -> Page:
    """Page of an HTML document; raises SourceBroken when nothing is readable.

    `for_text`: only its text and title will be used, so that no other library is asked what of it is the matter and when it came.
    """
    source = decoded.text
    found = visible(source)
    article = read_json_ld(found.json_ld)
    _add_article_body(found, article, source)
    title = title_stretch(found)
    if not found.stretches and title is None:
        raise broken(Cause.SCRIPT_SHELL if found.scripts else Cause.NO_TEXT, url)
    simple = len(source) <= _LARGEST and found.depth <= _DEEPEST and found.tags <= _MOST_TAGS
    settle(found.stretches, source, is_simple=simple and not for_text)
    builder = Builder()
    if title is not None:
        builder.place(title)
    times = place_all(builder, found.stretches)
    meta = _meta(found, article)
    filing = read_filing(builder.text)
    claims = [*_article_claims(article), *meta_claims(found.metas), *_prop_claims(found), *times, *url_claims(url), *filing.claims]
    if (
        simple
        and not for_text
        and not any(c.value and c.origin != "url" and "modified" not in c.flags and "boilerplate" not in c.flags for c in claims)
    ):
        guess = guessed_claim(source)
        claims += [guess] if guess else []
    return Page(
        digest=digest,
        url=url,
        title=(title.text if title is not None else "") or meta.get("og_title", "") or fallback_title or _first_heading(found),
        content_type=content_type,
        charset=decoded.charset,
        lang=_declared_lang(found, article),
        text=builder.text,
        blocks=tuple(builder.blocks),
        claims=unique(claims),
        meta=meta | filing.meta,
        form=filing.form,
        source_map=tuple(builder.map),
    )


def visible(source: str, start: int = 0, end: int | None = None) -> Walk:
    """The walk of a document; invisible parts come back when next to nothing else is there."""
    found = walk(source, start, end)
    size = sum(stretch.size for stretch in found.stretches)
    if found.sheet_hidden > size:
        found = walk(source, start, end, sheet=False)
        size = sum(stretch.size for stretch in found.stretches)
    if size < _THIN and re.search("<noscript", source, re.I):
        found = walk(source, start, end, noscript=True, sheet=False)
    return found


def title_stretch(found: Walk) -> Stretch | None:
    """The title element as a block."""
    if found.title_at < 0:
        return None
    inner = walk(found.title)
    pieces = [(text, at + found.title_at) for stretch in inner.stretches for text, at in stretch.pieces]
    return Stretch(kind=BlockKind.TITLE, pieces=pieces, size=sum(len(text) for text, _ in pieces)) if pieces else None


def place_all(builder: Builder, stretches: list[Stretch]) -> list[DateClaim]:
    """Append blocks; returns the claims of their time elements, with offsets into the page text."""
    claims: list[DateClaim] = []
    for stretch in stretches:
        start = builder.place(stretch)
        for a, b, value in stretch.times if start >= 0 else ():
            shown = stretch.text[a:b]
            lead = len(shown) - len(shown.lstrip())
            flags = ("boilerplate",) if stretch.why else ()
            at = start + a + lead
            if found := claim(value or shown.strip(), "time", *flags, start=at, end=at + len(shown.strip())):
                claims.append(found)
    return claims


def _add_article_body(found: Walk, article: Article, source: str) -> None:
    """The article body of JSON-LD becomes text when the page itself shows next to none."""
    if not article.body or sum(stretch.size for stretch in found.stretches if not stretch.why) >= min(200, len(article.body)):
        return
    at = max(source.find('"articleBody"'), 0)
    for line in re.split(r"\n+", article.body):
        stretch = Stretch()
        stretch.add(line, at)
        stretch.close()
        if stretch.pieces:
            found.stretches.append(stretch)


def _article_claims(article: Article) -> list[DateClaim]:
    claims: list[DateClaim] = []
    for key, raw in article.dates:
        flags = (["modified"] if key == "dateModified" else []) + (["malformed"] if article.broken else [])
        if found := claim(raw, f"json-ld:{key}", *flags):
            claims.append(found)
    return claims


def _prop_claims(found: Walk) -> list[DateClaim]:
    claims: list[DateClaim] = []
    for name, raw in found.props:
        flags = ("modified",) if name == "dateModified" else ()
        if prop := claim(raw, f"microdata:{name}", *flags):
            claims.append(prop)
    return claims


def _meta(found: Walk, article: Article) -> dict[str, str]:
    by_name: dict[str, str] = {}
    for attrs in found.metas:
        name = (attrs.get("property") or attrs.get("name") or attrs.get("http-equiv") or "").lower()
        if name and (content := " ".join(attrs.get("content", "").split())):
            by_name.setdefault(name, content[:500])
    meta = {key: next((by_name[name] for name in names if name in by_name), "") for key, names in _META_FIELDS.items()}
    meta["sitename"] = meta["sitename"] or article.publisher
    meta["author"] = meta["author"] or article.author
    meta["headline"] = article.headline
    for link in found.links:
        if "canonical" in link.get("rel", "").lower():
            meta.setdefault("canonical", link.get("href", ""))
    meta["locale"] = next((by_name[name] for name in _LOCALE if name in by_name), "")
    return {key: value for key, value in meta.items() if value}


def _declared_lang(found: Walk, article: Article) -> str:
    for attrs in found.metas:
        name = (attrs.get("property") or attrs.get("name") or attrs.get("http-equiv") or "").lower()
        if name in _LOCALE and not found.lang:
            return attrs.get("content", "").split(",")[0].strip()
    return found.lang or article.lang


def _first_heading(found: Walk) -> str:
    return next((stretch.text for stretch in found.stretches if stretch.kind is BlockKind.HEADING and not stretch.why), "")[:300]
