"""SVG elements as markup: names and attributes come from this package, all text is escaped."""

from __future__ import annotations

from markupsafe import Markup, escape

from s2r.report.inert import visible


def el(name: str, *children: str | Markup, **attributes: str | float) -> Markup:
    """An element; attributes with `_` are written with `-`, numbers with at most one decimal."""
    written = "".join([f' {key.rstrip("_").replace("_", "-")}="{_written(value)}"' for key, value in attributes.items()])
    inner = "".join([child if isinstance(child, Markup) else escape(visible(child)) for child in children])
    return Markup(f"<{name}{written}>{inner}</{name}>")  # noqa: S704 - all parts are made or escaped here


def _written(value: str | float) -> str:
    return _value(value) if isinstance(value, float) else escape(_value(value))


def picture(ident: str, title: str, desc: str, width: float, height: float, *children: Markup, css: str = "chart") -> Markup:
    """A complete SVG with its text alternative."""
    return el(
        "svg",
        el("title", title, id=f"{ident}-t"),
        el("desc", desc, id=f"{ident}-d"),
        *children,
        class_=css,
        viewBox=f"0 0 {_value(width)} {_value(height)}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{ident}-t {ident}-d",
    )


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
