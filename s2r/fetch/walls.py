"""What pages that are no documents say of themselves: barriers, consent walls, paywalls, shells, missing pages, errors.

Words of all languages stand in `walls.toml`; here are the marks that are no words. `*_TITLE` and `*_BUTTON` patterns must fit a whole
segment of a title, heading or button; `*_TEXT` patterns are looked for in short texts.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

from s2r.fetch.wording import Wording

# Wordings of `walls.toml`: whether one fits a whole segment, table and key. Each is made when it is first asked for,
# as most commands judge no page.
_MADE_OF = {
    "BLOCKED_TITLE": (True, "blocked", "title"),
    "BLOCKED_TEXT": (False, "blocked", "text"),
    "LOGIN_TITLE": (True, "login", "title"),
    "LOGIN_TEXT": (False, "login", "text"),
    "NOT_FOUND_TITLE": (True, "not_found", "title"),
    "NOT_FOUND_TEXT": (False, "not_found", "text"),
    "PARKED_TEXT": (False, "not_found", "parked"),  # so clear that words of documents do not matter
    "ERROR_TITLE": (True, "error", "title"),
    "ERROR_TEXT": (False, "error", "text"),
    "PAYWALL_TEXT": (False, "paywall", "text"),
    "SUBSCRIPTION": (False, "paywall", "subscription"),
    "CONSENT_TITLE": (True, "consent", "title"),
    "CONSENT_TEXT": (False, "consent", "text"),
    "CONSENT_BUTTON": (True, "consent", "button"),
    "CONSENT_BLOCK": (False, "consent", "block"),
    "CONSENT_VERB": (False, "consent", "verb"),  # in the text of a button
    "NEEDS_SCRIPT": (False, "script", "needed"),
    "LOADING": (True, "script", "loading"),
    "ADDRESS": (False, "thin", "address"),  # walls speak to their reader, documents of something
    # What the pages that are looked for speak of; a page with little text that speaks of these is no error page.
    "DOCUMENT_TEXT": (False, "document", "text"),
}


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(resources.files(__package__).joinpath("walls.toml").read_text("utf-8"))


def _wording(whole: bool, table: str, key: str) -> Wording:
    return Wording(_words()[table][key], whole=whole)


@cache
def thin() -> dict[str, Wording]:
    """By outcome, in the order in which they are asked: what a page with next to no text says."""
    return {outcome: _wording(False, "thin", outcome) for outcome in ("blocked", "consent", "paywall", "error", "not_found")}


def __getattr__(name: str) -> Wording:
    """A wording, on first use."""
    if name not in _MADE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = _wording(*_MADE_OF[name])
    return found


BLOCKED_MARKUP = re.compile(
    r"_cf_chl_opt|cdn-cgi/challenge-platform/[^\"']*(?:orchestrate|chl)|_Incapsula_Resource|captcha-delivery\.com|id=[\"']?px-captcha|awsWafCookieDomainList"
    r"|token\.awswaf\.com|gokuProps|/_sec/cp_challenge|sucuri_cloudproxy|ddos-guard|KPSDK|hcaptcha\.com/captcha|arkoselabs|AwsWafCaptcha"
    r"|anubis_challenge|/\.within\.website/",
    re.IGNORECASE,
)
WIDGET = re.compile(r"class=[\"'][^\"']*(?:g-recaptcha|h-captcha|cf-turnstile|geetest)", re.IGNORECASE)  # also on honest forms
PASSWORD = re.compile(r"<input\b[^<>]*type\s*=\s*[\"']?password", re.IGNORECASE)  # also in the head of honest pages
NOT_FREE = re.compile(r"isAccessibleForFree[\"']?\s*(?::|content=)\s*[\"']?(?:false|no)", re.IGNORECASE)
LOCKED = re.compile(r"(?:class|id)=[\"'][^\"']*(?:pay-?wall|reg-?wall|subscri\w*-(?:wall|only))", re.IGNORECASE)
SCRIPT_ROOT = re.compile(r"<(?:app-root\b|\w+\s[^<>]*id=[\"']?(?:root|app|__next|__nuxt|main-app)\b)[^<>]*>\s*</", re.IGNORECASE)
SENDS_ON = re.compile(r"(?<!top\.)\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:replace|assign)\s*\(", re.IGNORECASE)
TEMPLATE = re.compile(r"\{\{[^{}<>]{1,80}\}\}|<%=[^<>]{1,80}%>|\$\{[^{}<>]{1,80}\}|\[\[[\w.]{1,80}\]\]")
ARTICLE_BODY = re.compile(r"[\"']articleBody[\"']\s*:\s*[\"'](?:[^\"'\\]|\\.){200}")
SHORT_BODY = re.compile(r"[\"']articleBody[\"']\s*:\s*[\"'](?:[^\"'\\]|\\.){60}")
