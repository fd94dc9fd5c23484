"""Invisible elements: by tag, attribute, inline style, and simple rules of style sheets in the page."""

from __future__ import annotations

import re

_HIDDEN = frozenset({"template", "svg", "math", "head", "canvas", "video", "audio", "datalist", "ix:header", "object", "map"})
_END = r"\s*(?:;|!|$)"
_INVISIBLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|content-visibility\s*:\s*hidden|(?:text-indent|left|top|right|bottom)\s*:\s*-\d{4}"
    rf"|font-size\s*:\s*(?:0(?:\.0*)?(?:px|pt|em|rem|%)?|(?:1(?:\.0*)?|0?\.\d+)(?:px|pt)){_END}"
    r"|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,)]"
    r"|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?\s*\))"
    rf"|transform\s*:[^;]*\bscale(?:3d|[xy])?\(\s*0(?:\.0*)?\s*[,)]|(?:^|[;\s])scale\s*:\s*0(?:\.0*)?{_END}"
    rf"|(?:^|[;\s])color\s*:\s*(?:transparent{_END}|(?:rgba|hsla)\([^)]*[,/]\s*0(?:\.0*)?%?\s*\))",
    re.I,
)
_FAINT = re.compile(rf"(?:^|[;\s])opacity\s*:\s*0(?:\.0*)?%?{_END}", re.I)  # also how scripts fade a page in
_NO_SIZE = re.compile(rf"(?:^|[;\s])(?:max-)?(?:height|width)\s*:\s*(?:[01](?:px)?|0(?:em|rem|%)){_END}", re.I)
_CLIPPED = re.compile(r"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.I)
_COLOUR = re.compile(r"(?:^|[;\s])(color|background(?:-color)?)\s*:\s*(#[0-9a-f]{3,8}|rgba?\([\d\s,.%/]+\)|[a-z]+(?![\w(-]))", re.I)
_NAMES = {"white": "#ffffff", "black": "#000000"} | dict.fromkeys(("inherit", "initial", "unset", "revert", "currentcolor", "none"), "")
_HIDES = re.compile(r"none|hidden|clip|opacity|scale|font-size\s*:\s*[01.]|(?<!-)color\s*:|-\d{4}", re.I)
_SHEET_RULE = re.compile(r"([^{}@]{1,400})\{([^{}]{0,2000})\}")
_SIMPLE = re.compile(r"^[.#]([\w-]+)$")


def hidden_by(name: str, attrs: dict[str, str], hidden_names: frozenset[str], *, faint: bool = True) -> str:
    """Why an element is invisible: "hidden", "sheet" (a style sheet in the page, or a style that scripts may lift), or "" when it is
    visible. Without `faint` the latter does not count."""
    if name in _HIDDEN or (name == "dialog" and "open" not in attrs):
        return "hidden"
    if not attrs:
        return ""
    if "hidden" in attrs and attrs["hidden"].lower() != "until-found":
        return "hidden"
    if style := attrs.get("style", ""):
        if _is_unseen(style):
            return "hidden"
        if faint and _FAINT.search(style):
            return "sheet"
    if hidden_names:
        names = {"." + c for c in attrs.get("class", "").split()} | {"#" + attrs.get("id", "")}
        if names & hidden_names:
            return "sheet"
    return ""


def _is_unseen(style: str) -> bool:
    """Whether declarations leave nothing to see: not drawn, of no size, outside of the page, or in the colour of its own ground."""
    if _INVISIBLE.search(style) or (_CLIPPED.search(style) and _NO_SIZE.search(style)):
        return True
    colours = {kind.lower().partition("-")[0]: _colour(value) for kind, value in _COLOUR.findall(style)}
    return bool(colours.get("color")) and colours["color"] == colours.get("background")


def _colour(value: str) -> str:
    """A colour in one spelling (#rrggbb, or as it is written), "" for a word that names none."""
    text = re.sub(r"\s", "", value.lower())
    if match := re.fullmatch(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,1(?:\.0*)?)?\)", text):
        return "#" + "".join(f"{int(part):02x}" for part in match.groups())
    if text.startswith("#"):
        return "#" + "".join(c * 2 for c in text[1:4]) if len(text) < 6 else text[:7]
    return _NAMES.get(text, text)


def sheet_names(css: str) -> frozenset[str]:
    """Class and id selectors (".x", "#y") that a style sheet hides outside any media query."""
    if not _HIDES.search(css):
        return frozenset()
    names: set[str] = set()
    for match in _SHEET_RULE.finditer(css[:200_000].partition("@media")[0]):
        found = {part.strip() for part in match.group(1).split(",") if _SIMPLE.match(part.strip())}
        if found and _HIDES.search(body := match.group(2)) and (_is_unseen(body) or _FAINT.search(body)):
            names |= found
    return frozenset(names)
