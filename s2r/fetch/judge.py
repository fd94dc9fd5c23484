"""What a fetched body is, by its content: a document, or one of the things that come in its place. Pure."""

from __future__ import annotations

import html
import re

from s2r.extract import decode
from s2r.fetch import walls
from s2r.fetch.wording import Wording
from s2r.lang.markup import looks_like_markup, visible_text
from s2r.models import Capture, Gap, Outcome

_STATUS = {401: Outcome.BLOCKED, 402: Outcome.PAYWALL, 403: Outcome.BLOCKED, 404: Outcome.NOT_FOUND, 410: Outcome.NOT_FOUND,
           407: Outcome.BLOCKED, 429: Outcome.BLOCKED, 451: Outcome.BLOCKED, 503: Outcome.BLOCKED}  # fmt: skip
_NEXT = {
    Outcome.BLOCKED: "Open the page in a browser and add it to a pool, or try an archived copy.",
    Outcome.CONSENT: "Open the page in a browser, accept, and add it to a pool.",
    Outcome.SCRIPT_SHELL: "The text is made by a script: save the page from a browser and add it to a pool.",
    Outcome.PAYWALL: "Use a subscription, or look for the same notice at its official source.",
    Outcome.NOT_FOUND: "Try an archived copy.",
    Outcome.ERROR: "Run the row again.",
    Outcome.UNREADABLE: "Look at the file by hand.",
    Outcome.EMPTY: "Try an archived copy.",
    Outcome.TOO_LARGE: "Raise max_body_mb, or save the part that matters to a pool.",
    Outcome.REFUSED: "The address is not fetched for safety; add the page to a pool if it is needed.",
}
_BINARY = (
    "image/", "audio/", "video/", "font/", "application/zip", "application/x-zip", "application/gzip", "application/x-rar",
    "application/rtf", "application/x-ole-storage",
)  # fmt: skip
_BLANK = b" \t\r\n\0"
_LONG = 30_000  # characters of text; no wall says so much
_HEAD = 40_000  # characters of markup in which titles and marks of barriers stand
# Sizes of prose (sentences, not links) above which a page is a document whatever else stands on it.
_TITLED = 4000  # a titled barrier may explain itself at length
_WALL = 420  # a teaser or an apology; a document is rarely that short and speaks of walls at once
_TEASER = 300  # of an article that says itself that it is not free
_FEW = 60
_THIN = 260  # of all text
_SHORT_TEXT = 450  # of all text: a page that is nothing but the phrase
_NOSCRIPT = re.compile(r"<noscript\b.*?(?:</noscript\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_RUNS = re.compile(r"<script\b[^<>]*\b(?:src\s*=|type\s*=\s*[\"']?module)", re.IGNORECASE)
_BREAK = re.compile(
    r"</?(?:p|div|li|ul|ol|tr|td|th|table|h[1-6]|section|article|main|header|footer|nav|aside|br|button|form|label|option|center|hr|dd|dt|title"
    r"|blockquote|pre|body|html|head|noscript|iframe|figure|figcaption)\b[^<>]*>",
    re.IGNORECASE,
)
_LINK = re.compile(r"<a\b[^<>]*>(?:[^<]|<(?!/a\b)){0,300}</a\s*>", re.IGNORECASE)
_CHROME = re.compile(r"<(nav|footer|header|aside|select)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_SELF_CLOSED = re.compile(r"<(?:script|style|template|title|noscript|nav|footer|textarea)\b[^<>]*/>", re.IGNORECASE)
_FRAMES = re.compile(r"<i?frame\b[^<>]*\bsrc\s*=", re.IGNORECASE)
_MENUS = re.compile(r"<(nav|footer)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_PRESSED = re.compile(
    r"<button\b[^<>]*>(.{0,200}?)</button\s*>|<input\b[^<>]*\bvalue\s*=\s*[\"']([^\"'<>]{1,60})[\"']", re.IGNORECASE | re.DOTALL
)
_TITLES = re.compile(r"<(title|h1)\b[^<>]*>(.{0,400}?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_SEGMENT = re.compile(r"\s+[|–—·:»-]\s+|\s*[|»·]\s*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_WEIGHT = 2.5  # one such character says as much as this many letters
_DATED = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b|(?:19|20)\d\d\s?[年년]|[昭平令]和?成?\d+年|\b25[5-7]\d\b|\b[A-Z]{2}[A-Z0-9]{9}\d\b"
)
_PASSING = frozenset({408, 421, 425, 429})  # beside those from 500 on
_SENTENCE = 45  # weighted length from which a block is a sentence rather than a label


def judge_capture(capture: Capture, max_body: int = 50 << 20) -> Gap | None:
    """What keeps a capture from being evidence, None when nothing does; judged by status, size, type and text."""
    url, body, kind = capture.url, capture.body, capture.content_type.partition(";")[0].strip().lower()
    if capture.status >= 400:
        told, passing = f"the server answered with status {capture.status}", capture.status in _PASSING or capture.status >= 500
        return as_gap(url, _STATUS.get(capture.status, Outcome.ERROR), told, passing=passing)
    if 300 <= capture.status < 400:
        return as_gap(url, Outcome.ERROR, f"the server answered with status {capture.status} and no page")
    if len(body) > max_body:
        return as_gap(url, Outcome.TOO_LARGE, f"{len(body)} bytes, more than the cap of {max_body}")
    if not body.strip(_BLANK):
        return as_gap(url, Outcome.EMPTY, "the body is empty")
    if b"%PDF-" in body[:1024]:
        return None
    if kind.startswith(_BINARY):
        return as_gap(url, Outcome.UNREADABLE, f"{kind} holds no text that can be quoted")
    text = decode(body, capture.content_type).text.lstrip("\ufeff")
    if kind == "application/pdf" and not looks_like_markup("", text):
        return as_gap(url, Outcome.UNREADABLE, "declared as PDF, but it is not one")
    if looks_like_markup("" if kind == "application/pdf" else capture.content_type, text):
        found = judge_markup(_as_html(text))
        return as_gap(url, *found, passing=found[0] is Outcome.ERROR) if found else None
    if "\0" in text[:1024]:
        return as_gap(url, Outcome.UNREADABLE, f"binary content ({kind or 'no type'})")
    return None


def _as_html(text: str) -> str:
    """XML as HTML reads it: elements that end themselves are gone, what stands in CDATA is text."""
    if not text.lstrip().startswith("<?xml"):
        return text
    return _SELF_CLOSED.sub(" ", text.replace("<![CDATA[", "").replace("]]>", ""))


def judge_markup(markup: str) -> tuple[Outcome, str] | None:
    """Outcome and cause when a markup page is a wall, a shell or an error page instead of a document, else None."""
    text = " ".join(visible_text(markup).split())
    if len(text) > _LONG or walls.ARTICLE_BODY.search(markup):
        return None  # a page that long is one; so is an article that stands in the page's own data
    if found := _shell(markup, text):
        return None if walls.SHORT_BODY.search(markup) and not walls.NOT_FREE.search(markup) else found
    if not text and not walls.BLOCKED_MARKUP.search(markup, 0, _HEAD):
        return Outcome.EMPTY, "the page shows no text"
    blocks = _blocks(markup)
    prose = sum(weight for block in blocks if (weight := _weight(block)) >= _SENTENCE)
    if prose > _TITLED:
        return None
    titles = _titles(markup)
    return _titled(titles, prose, text) or _walled(markup, text, prose, blocks, titles)


def as_gap(url: str, outcome: Outcome, cause: str, next_step: str = "", *, passing: bool = False) -> Gap:
    """A gap of the fetch step, with the usual advice for its outcome; `passing` when it may be gone another time."""
    return Gap(url=url, step="fetch", outcome=outcome, cause=cause, next_step=next_step or _NEXT.get(outcome, ""), passing=passing)


def _shell(markup: str, text: str) -> tuple[Outcome, str] | None:
    """An empty frame that a script would fill; a barrier that asks for scripts is a barrier."""
    if len(text) > 2 * _SHORT_TEXT or walls.BLOCKED_MARKUP.search(markup, 0, _HEAD):
        return None
    weight = _weight(text)
    said_barrier = walls.BLOCKED_TEXT.search(text) is not None or any(map(walls.BLOCKED_TITLE.fullmatch, _titles(markup)))
    bare = _weight(" ".join(visible_text(_NOSCRIPT.sub(" ", markup[_after_head(markup) :])).split()))
    if bare < _FEW / 2 and any(_is_hint(match.group()) for match in _NOSCRIPT.finditer(markup)) and not said_barrier:
        return Outcome.SCRIPT_SHELL, "the page shows its readers without JavaScript nothing but a hint"
    if weight < 240 and walls.NEEDS_SCRIPT.search(markup) and not said_barrier:
        return Outcome.SCRIPT_SHELL, "the page asks for JavaScript and shows no text of its own"
    if "<script" not in markup.lower():
        return None
    if weight < 80 and walls.SCRIPT_ROOT.search(markup):
        return Outcome.SCRIPT_SHELL, "the page is an empty frame filled by a script"
    body = " ".join(visible_text(markup[_after_head(markup) :]).split())
    if len(body) < 5 and _RUNS.search(markup):
        return Outcome.SCRIPT_SHELL, "the page shows nothing until a script fills it"
    if body and walls.LOADING.fullmatch(body):
        return Outcome.SCRIPT_SHELL, f"the page shows only {body[:40]!r} until a script fills it"
    return _unfilled(markup, body)


def _unfilled(markup: str, body: str) -> tuple[Outcome, str] | None:
    """A page of site chrome or of placeholders whose matter only a script would bring."""
    if walls.SENDS_ON.search(markup) and _weight(body) < _FEW and not _DATED.search(body):
        return Outcome.SCRIPT_SHELL, "a script of the page leads to another one"
    if walls.TEMPLATE.search(body) and _weight(walls.TEMPLATE.sub("", body)) < _FEW:
        return Outcome.SCRIPT_SHELL, "the page shows placeholders that a script would fill"
    own = " ".join(visible_text(_MENUS.sub(" ", _NOSCRIPT.sub(_unhinted, markup[_after_head(markup) :]))).split())
    if (len(own) < 5 or walls.LOADING.fullmatch(own)) and _RUNS.search(markup):
        return Outcome.SCRIPT_SHELL, "the page shows nothing but its menus until a script fills it"
    return None


def _is_hint(noscript: str) -> bool:
    """Whether a noscript element says that scripts are needed; some hold the article itself."""
    said = visible_text(noscript)
    return _weight(said) < _WALL and re.search(r"\bscripts?\b|javascript", said, re.IGNORECASE) is not None


def _unhinted(match: re.Match[str]) -> str:
    return " " if _is_hint(match.group()) else match.group()


def _titled(titles: list[str], prose: float, text: str) -> tuple[Outcome, str] | None:
    """What the title or first heading says the page is."""
    for title in titles:
        if prose >= _FEW and " " not in title and walls.DOCUMENT_TEXT.stands_in(text):  # one word may be the headline of a story
            continue
        if walls.BLOCKED_TITLE.fullmatch(title):
            return Outcome.BLOCKED, f"the page is a barrier ({title[:80]!r})"
        if prose < _WALL and walls.NOT_FOUND_TITLE.fullmatch(title):
            return Outcome.NOT_FOUND, f"the page says it does not exist ({title[:80]!r})"
        if prose < _WALL and walls.ERROR_TITLE.fullmatch(title) and (title.lower() != "error" or walls.ERROR_TEXT.search(text)):
            return Outcome.ERROR, f"the site says it is out of order ({title[:80]!r})"
        if prose < _WALL and walls.LOGIN_TITLE.fullmatch(title) and walls.LOGIN_TEXT.search(text):
            return Outcome.BLOCKED, f"the page asks to sign in ({title[:80]!r})"
    return None


def _walled(markup: str, text: str, prose: float, blocks: list[str], titles: list[str]) -> tuple[Outcome, str] | None:
    """What a page with little prose says in it."""
    if prose < _WALL and (match := walls.BLOCKED_MARKUP.search(markup, 0, _HEAD)):
        return Outcome.BLOCKED, f"the page is a barrier ({match.group()!r})"
    if _is_consent(markup, blocks, text, titles):
        return Outcome.CONSENT, "the page asks for consent and shows nothing else"
    said = " ".join(_main(blocks))
    if prose >= _WALL:
        return None
    if prose < 2 * _FEW and not _DATED.search(said) and (match := walls.PARKED_TEXT.search(said)):
        return Outcome.NOT_FOUND, f"the page says it does not exist ({match.group()!r})"
    bare = prose < 2 * _FEW and not walls.DOCUMENT_TEXT.stands_in(said)
    if bare and (match := walls.WIDGET.search(markup)):
        return Outcome.BLOCKED, f"the page asks to prove to be human ({match.group()[-20:]!r})"
    if bare and (prose < _FEW or walls.ADDRESS.search(said)) and walls.PASSWORD.search(_CHROME.sub(" ", markup)):
        return Outcome.BLOCKED, "the page asks to sign in (a field for a password)"
    if (match := walls.PAYWALL_TEXT.search(said)) and _own(blocks, walls.PAYWALL_TEXT) < (
        _TEASER if walls.NOT_FREE.search(markup) else _TEASER / 2
    ):
        return Outcome.PAYWALL, f"the text is behind a payment ({match.group()!r})"
    offered = walls.SUBSCRIPTION.search(said) or walls.ADDRESS.search(said)
    if offered and (match := walls.LOCKED.search(markup)) and _own(blocks, walls.SUBSCRIPTION) < _TEASER:
        return Outcome.PAYWALL, f"the text is behind a payment ({match.group()!r})"
    for outcome, pattern, words in (
        (Outcome.BLOCKED, walls.BLOCKED_TEXT, "the page is a barrier"),
        (Outcome.NOT_FOUND, walls.NOT_FOUND_TEXT, "the page says it does not exist"),
        (Outcome.ERROR, walls.ERROR_TEXT, "the site says it is out of order"),
        (Outcome.BLOCKED, walls.LOGIN_TEXT, "the page asks to sign in"),
    ):
        if (match := pattern.search(said)) and not walls.DOCUMENT_TEXT.stands_in(said) and _own(blocks, pattern) < 2 * _FEW:
            if outcome is Outcome.NOT_FOUND and any(_DATED.fullmatch(block) for block in blocks):
                continue  # one of several lists is empty
            return outcome, f"{words} ({match.group()!r})"
    if not blocks and _FRAMES.search(markup):
        return Outcome.EMPTY, "the page holds nothing but frames"
    return _thin(markup, blocks, titles)


def _thin(markup: str, blocks: list[str], titles: list[str]) -> tuple[Outcome, str] | None:
    """A page that says next to nothing, and no date, by the stems of what it says; a document names a day or a security."""
    said = " ".join((*blocks, *_buttons(markup)))
    if _weight(said) > _THIN or _DATED.search(said) or walls.DOCUMENT_TEXT.stands_in(" ".join((said, *titles))):
        return None
    if not walls.ADDRESS.search(said):
        return None
    rest = sum(_weight(block) for block in blocks if not any(pattern.search(block) for pattern in walls.thin().values()))
    for outcome, pattern in walls.thin().items():
        if rest < 2 * _FEW and (match := pattern.search(said)):
            return Outcome(outcome), f"the page says little, and that is of another matter ({match.group()!r})"
    if _weight(said) < _THIN / 2 and sum(_weight(block) for block in blocks if not walls.ADDRESS.search(block)) < _FEW:
        return Outcome.EMPTY, "the page speaks to its reader and shows no matter of its own"
    return None


def _is_consent(markup: str, blocks: list[str], text: str, titles: list[str]) -> bool:
    """Whether everything that the page says is about consent."""
    asked = len({match.group().lower() for match in walls.CONSENT_TEXT.finditer(text)})
    asked += len({block.lower() for block in blocks if walls.CONSENT_BUTTON.fullmatch(block)})
    pressed = {button for button in _buttons(markup) if walls.CONSENT_VERB.search(button)}
    asked += min(len(pressed), 2) if pressed and walls.CONSENT_BLOCK.search(walls.CONSENT_VERB.sub(" ", text)) else 0
    titled = any(walls.CONSENT_TITLE.fullmatch(title) for title in titles)
    if asked + titled < 2:
        return False
    rest = [block for block in blocks if block not in pressed and not _about_consent(block)]
    if titled and not any(map(walls.DOCUMENT_TEXT.stands_in, rest)):
        return sum(map(_weight, rest)) < _WALL
    return sum(map(_weight, rest)) < _FEW


def _buttons(markup: str) -> list[str]:
    """What stands on the first buttons of a page."""
    found = (" ".join(visible_text(match.group(1) or match.group(2) or "").split()) for match in list(_PRESSED.finditer(markup))[:40])
    return [text for text in found if 0 < len(text) <= _FEW]


def _about_consent(block: str) -> bool:
    if walls.CONSENT_TITLE.fullmatch(block) or walls.CONSENT_BUTTON.fullmatch(block):
        return True
    return walls.CONSENT_BLOCK.search(block) is not None and not walls.DOCUMENT_TEXT.stands_in(block)


def _own(blocks: list[str], pattern: Wording) -> float:
    """Weight of the sentences that are not the wall itself, nor its offers and excuses right after it."""
    total, after = 0.0, False
    for block in _main(blocks):
        weight, walled = _weight(block), pattern.stands_in(block)
        after = after or walled
        if weight >= _SENTENCE and (walls.DOCUMENT_TEXT.stands_in(block) if after else not walled):
            total += weight
    return total


def _main(blocks: list[str]) -> list[str]:
    return [block for block in blocks if len(block) > 3]


def _blocks(markup: str) -> list[str]:
    """Texts of the blocks of a page, without navigation, links of their own, scripts and white space."""
    body = _CHROME.sub(" ", markup[_after_head(markup) :])
    parts = (" ".join(visible_text(part).split()) for part in _BREAK.split(_LINK.sub(lambda m: _link(m.group()), body)))
    return [part for part in parts if part]


def _link(link: str) -> str:
    """A link as text when it reads like a sentence, else nothing: menus are no prose."""
    return link if len(link) > 120 else " "


def _after_head(markup: str) -> int:
    at = markup.lower().find("</head", 0, 400_000)
    return max(at, 0)


def _titles(markup: str) -> list[str]:
    """Segments of the title and of the first headings, and the whole of each."""
    found: list[str] = []
    for match in list(_TITLES.finditer(markup, 0, 400_000))[:4]:
        whole = " ".join(html.unescape(re.sub(r"<[^<>]*>", " ", match.group(2))).split())
        found += [whole, *(segment for segment in _SEGMENT.split(whole) if segment)]
    return list(dict.fromkeys(found))


def _weight(text: str) -> float:
    return len(text) + (_CJK_WEIGHT - 1) * len(_CJK.findall(text))
