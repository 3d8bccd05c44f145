"""A fragment, and the page that it is part of."""

from tests.web.cast import (
    Page,
)
from tests.web.pages import Element

FREE = {"data-hx-swap-oob", "data-focus", "tabindex"}


def normal(element: Element) -> Element:
    """The element without what may differ: a page also has what is for those without a script."""
    copy = Element(
        element.tag, {name: value for name, value in element.attributes.items() if name not in FREE}
    )
    if "class" in copy.attributes:
        copy.attributes["class"] = " ".join(
            class_name for class_name in copy["class"].split() if class_name != "fresh"
        )
    for child in element.children:
        if isinstance(child, str):
            copy.children.append(child)
        elif child.tag != "noscript" and child.get("name") != "guest":
            copy.children.append(normal(child))
    return copy


def assert_is_part(fragment: Page, page: Page) -> None:
    """Every element at the top of the fragment has an id, and stands in the page as it is."""
    tops = [child for child in fragment.root.children if isinstance(child, Element)]
    assert tops
    for top in tops:
        assert normal(top).html == normal(page.by_id(top["id"])).html
