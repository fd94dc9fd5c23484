"""Hit -> Capture or Gap: ask a fetcher for the page, then judge by content what came; only a readable page is evidence."""

from __future__ import annotations

import datetime as dt
import re
from typing import Protocol

from s2r.errors import SourceBroken, SourceError, SourceRefused, SourceTimeout
from s2r.lang.markup import decode_body, looks_like_markup, visible_text
from s2r.models import Capture, Gap, Hit, Outcome

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
_BINARY = ("image/", "audio/", "video/", "font/", "application/zip", "application/x-zip", "application/gzip", "application/x-rar")
# A page is judged by these only when little else stands on it: news about cookies or robots is news.
_SHORT = 900
_REST = 240
_SITE_NAME = 60  # what a consent page shows beside its question; a notice, however short, is longer
_BLOCKED = re.compile(
    r"verify(?:ing)? (?:that )?you are (?:a )?human|are you (?:a robot|human)\?|checking your browser"
    r"|access (?:to this page has been )?denied"
    r"|unusual traffic|attention required|captcha|request unsuccessful|ddos protection|security check|bot detection|just a moment"
    r"|zugriff verweigert|accès refusé|acceso denegado|acesso negado|访问被拒绝|請完成驗證|请完成验证|アクセスが拒否|접근이 거부",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"accept (?:all|cookies)|we (?:value|care about) your privacy|manage (?:cookies|preferences|consent)|cookie (?:policy|settings|consent)"
    r"|our (?:\d+ )?partners|before you continue|alle akzeptieren|cookie-einstellungen|tout accepter|gérer les cookies|aceptar todo"
    r"|aceitar todos|accetta tutt[oi]|godkänn alla|accepteer alles|zaakceptuj wszystko|すべて同意|全部接受|모두 동의",
    re.IGNORECASE,
)
_CONSENT_LINE = re.compile(
    r"[^.!?\n]*(?:cookie|privacy|consent|partners|accept|reject|akzeptier|accepter|aceptar)[^.!?\n]*[.!?\n]?", re.IGNORECASE
)
_PAYWALL = re.compile(
    r"subscribe (?:now )?to (?:continue|read|unlock)|already a subscriber|this (?:article|content) is (?:for|reserved for) subscribers"
    r"|to continue reading|nur für abonnenten|réservé aux abonnés"
    r"|solo para suscriptores|exclusivo para assinantes|会員限定|有料会員|구독자 전용",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(
    r"^404\b|\b404\W{1,3}(?:not found|error|page)|(?:error|http|fehler|erreur|status)\W{1,3}404\b"
    r"|page (?:was |could )?not (?:be )?found|page (?:no longer exists|does not exist)|seite (?:wurde )?nicht gefunden"
    r"|page (?:introuvable|non trouvée)|página no encontrada|página não encontrada|pagina non trovata|pagina niet gevonden"
    r"|sidan (?:kunde inte hittas|finns inte)|nie znaleziono strony|ページが見つかりません|页面不存在|找不到(?:网页|網頁|页面|頁面)"
    r"|페이지를 찾을 수 없",
    re.IGNORECASE,
)
_NEEDS_SCRIPT = re.compile(
    r"(?:enable|activate|requires?|turn on) javascript|javascript (?:is )?(?:required|disabled|must be enabled)|javascript aktivieren"
    r"|activer javascript|activar? javascript|javascriptを有効|启用\s*javascript|자바스크립트",
    re.IGNORECASE,
)
_SCRIPT_ROOT = re.compile(r"<(?:app-root\b|\w+\s[^<>]*id=[\"']?(?:root|app|__next|__nuxt|main-app)\b)[^<>]*>\s*</", re.IGNORECASE)


class Fetcher(Protocol):
    """Where pages come from: the sealed pool, later the live web or a web archive."""

    @property
    def name(self) -> str:
        """Short name as used in `Capture.via`."""
        ...

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The page at `url`, or a gap; `at` (UTC) is the time of the request. May raise `SourceError`."""
        ...


async def fetch_hit(hit: Hit, fetcher: Fetcher, *, at: dt.datetime | None = None, max_body: int = 50 << 20) -> Capture | Gap:
    """The page behind a hit if it is evidence, else a gap that says what came instead; `max_body` in bytes."""
    try:
        found = await fetcher.fetch(hit.url, at=at)
    except SourceError as exc:
        return _gap(hit.url, _outcome_of(exc), str(exc) or type(exc).__name__)
    if isinstance(found, Gap):
        return found
    gap = judge_capture(found, max_body)
    if gap:
        return gap
    return found if found.title or not hit.title else found.model_copy(update={"title": hit.title})


def judge_capture(capture: Capture, max_body: int = 50 << 20) -> Gap | None:
    """What keeps a capture from being evidence, None when nothing does; judged by status, size, type and text."""
    url, body, kind = capture.url, capture.body, capture.content_type.partition(";")[0].strip().lower()
    if capture.status >= 400:
        return _gap(url, _STATUS.get(capture.status, Outcome.ERROR), f"the server answered with status {capture.status}")
    if 300 <= capture.status < 400:
        return _gap(url, Outcome.ERROR, f"the server answered with status {capture.status} and no page")
    if len(body) > max_body:
        return _gap(url, Outcome.TOO_LARGE, f"{len(body)} bytes, more than the cap of {max_body}")
    if not body.strip():
        return _gap(url, Outcome.EMPTY, "the body is empty")
    if b"%PDF-" in body[:1024]:
        return None
    if kind.startswith(_BINARY):
        return _gap(url, Outcome.UNREADABLE, f"{kind} holds no text that can be quoted")
    text = decode_body(body, capture.content_type)
    if kind == "application/pdf" and not looks_like_markup("", text):
        return _gap(url, Outcome.UNREADABLE, "declared as PDF, but it is not one")
    if looks_like_markup("" if kind == "application/pdf" else capture.content_type, text):
        found = judge_markup(text)
        return _gap(url, *found) if found else None
    if "\0" in text[:1024]:
        return _gap(url, Outcome.UNREADABLE, f"binary content ({kind or 'no type'})")
    return None


def judge_markup(markup: str) -> tuple[Outcome, str] | None:
    """Outcome and cause when a markup page is a wall, a shell or an error page instead of a document, else None."""
    text = " ".join(visible_text(markup).split())
    if len(text) < _REST and _NEEDS_SCRIPT.search(markup):
        return Outcome.SCRIPT_SHELL, "the page asks for JavaScript and shows no text of its own"
    if len(text) < 80 and "<script" in markup.lower() and _SCRIPT_ROOT.search(markup):
        return Outcome.SCRIPT_SHELL, "the page is an empty frame filled by a script"
    if not text:
        return Outcome.EMPTY, "the page shows no text"
    if len(text) > _SHORT:
        return None
    if (match := _BLOCKED.search(text)) and len(text) < _SHORT // 2:
        return Outcome.BLOCKED, f"the page is a barrier ({match.group()!r})"
    if (match := _NOT_FOUND.search(text)) and len(text) < _SHORT // 2:
        return Outcome.NOT_FOUND, f"the page says it does not exist ({match.group()!r})"
    if (match := _PAYWALL.search(text)) and len(text) < _SHORT // 2:
        return Outcome.PAYWALL, f"the text is behind a payment ({match.group()!r})"
    if len(_CONSENT.findall(text)) >= 2 and len(_CONSENT_LINE.sub(" ", text).strip()) < _SITE_NAME:
        return Outcome.CONSENT, "the page asks for consent and shows nothing else"
    return None


def _outcome_of(error: SourceError) -> Outcome:
    match error:
        case SourceRefused():
            return Outcome.REFUSED
        case SourceBroken():
            return Outcome.UNREADABLE
        case SourceTimeout():
            return Outcome.ERROR
        case _:
            return Outcome.ERROR


def _gap(url: str, outcome: Outcome, cause: str) -> Gap:
    return Gap(url=url, step="fetch", outcome=outcome, cause=cause, next_step=_NEXT.get(outcome, ""))
