"""What pages that are no documents say of themselves: barriers, consent walls, paywalls, shells, missing pages, errors.

Words of all languages stand in `walls.toml`; here are the marks that are no words. `*_TITLE` and `*_BUTTON` patterns must fit a whole
segment of a title, heading or button; `*_TEXT` patterns are looked for in short texts.
"""

from __future__ import annotations

import re
import tomllib
from importlib import resources

_WORDS: dict[str, dict[str, list[str]]] = tomllib.loads(resources.files(__package__).joinpath("walls.toml").read_text("utf-8"))


def _whole(table: str, key: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(_WORDS[table][key])})[\s.!?…:]*", re.IGNORECASE)


def _any(table: str, key: str) -> re.Pattern[str]:
    return re.compile("|".join(_WORDS[table][key]), re.IGNORECASE)


BLOCKED_TITLE, BLOCKED_TEXT = _whole("blocked", "title"), _any("blocked", "text")
LOGIN_TITLE, LOGIN_TEXT = _whole("login", "title"), _any("login", "text")
NOT_FOUND_TITLE, NOT_FOUND_TEXT = _whole("not_found", "title"), _any("not_found", "text")
PARKED_TEXT = _any("not_found", "parked")  # so clear that words of documents do not matter
ERROR_TITLE, ERROR_TEXT = _whole("error", "title"), _any("error", "text")
PAYWALL_TEXT, SUBSCRIPTION = _any("paywall", "text"), _any("paywall", "subscription")
CONSENT_TITLE, CONSENT_TEXT = _whole("consent", "title"), _any("consent", "text")
CONSENT_BUTTON, CONSENT_BLOCK = _whole("consent", "button"), _any("consent", "block")
CONSENT_VERB = _any("consent", "verb")  # in the text of a button
NEEDS_SCRIPT, LOADING = _any("script", "needed"), _whole("script", "loading")
THIN = {outcome: _any("thin", outcome) for outcome in ("blocked", "consent", "paywall", "error", "not_found")}  # asked in this order
ADDRESS = _any("thin", "address")  # walls speak to their reader, documents of something
# What the pages that are looked for speak of; a page with little text that speaks of these is no error page.
DOCUMENT_TEXT = _any("document", "text")

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
