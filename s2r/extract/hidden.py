"""Invisible elements: by tag, attribute, inline style, and simple rules of style sheets in the page."""

from __future__ import annotations

import re

_HIDDEN = frozenset({"template", "svg", "math", "head", "canvas", "video", "audio", "datalist", "ix:header", "object", "map"})
_INVISIBLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)|(?:text-indent|left|top)\s*:\s*-\d{4}",
    re.I,
)
_SHEET_RULE = re.compile(r"([^{}@]{1,400})\{([^{}]{0,2000})\}")
_SIMPLE = re.compile(r"^[.#]([\w-]+)$")


def hidden_by(name: str, attrs: dict[str, str], hidden_names: frozenset[str]) -> str:
    """Why an element is invisible: "hidden", "sheet" (a style sheet in the page), or "" when it is visible."""
    if name in _HIDDEN or (name == "dialog" and "open" not in attrs):
        return "hidden"
    if not attrs:
        return ""
    if "hidden" in attrs and attrs["hidden"].lower() != "until-found":
        return "hidden"
    if (style := attrs.get("style", "")) and _INVISIBLE.search(style):
        return "hidden"
    if hidden_names:
        names = {"." + c for c in attrs.get("class", "").split()} | {"#" + attrs.get("id", "")}
        if names & hidden_names:
            return "sheet"
    return ""


def sheet_names(css: str) -> frozenset[str]:
    """Class and id selectors (".x", "#y") that a style sheet hides outside any media query."""
    if "none" not in css and "hidden" not in css:
        return frozenset()
    names: set[str] = set()
    for match in _SHEET_RULE.finditer(css[:200_000].partition("@media")[0]):
        if _INVISIBLE.search(match.group(2)):
            names |= {part.strip() for part in match.group(1).split(",") if _SIMPLE.match(part.strip())}
    return frozenset(names)
