"""Small pieces of SVG: classes only, so that themes and a strict CSP work."""

from html import escape

WIDTH = 360
"""Drawn for a phone; wider screens scale it up."""


def tag(name: str, content: str = "", **attributes: object) -> str:
    """An element; `class_` and `text_anchor` are written without the underscore trick.

    >>> tag("rect", class_="bar", x=1.5)
    '<rect class="bar" x="1.5"/>'
    """
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{_number(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text(content: str, x: float, y: float, class_: str = "label", anchor: str = "middle") -> str:
    return tag("text", escape(content), class_=class_, x=x, y=y, text_anchor=anchor)


def drawing(name: str, height: int, title: str, description: str, *parts: str) -> str:
    """The whole picture, with a title and a description for those who cannot see it."""
    alternative = f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
    return tag("svg", alternative + "".join(parts), class_=f"chart chart-{name}", viewBox=f"0 0 {WIDTH} {height}", role="img")


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return escape(str(value), quote=True)
