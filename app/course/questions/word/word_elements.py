"""How the elements of a Word file are asked, whatever their namespaces.

Run by path from the other programs of this folder, which import nothing of the project.
"""

from xml.etree.ElementTree import Element


def local_name(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def child_on_path(element: Element | None, *element_names: str) -> Element | None:
    """What is reached through children with these names; None where one is missing."""
    for element_name in element_names:
        if element is None:
            return None
        element = next((child for child in element if local_name(child) == element_name), None)
    return element


def attribute_of(element: Element | None, attribute_name: str = "val") -> str:
    """An attribute, whatever its namespace; empty where it is missing."""
    if element is None:
        return ""
    return next(
        (
            attribute_text
            for attribute_key, attribute_text in element.attrib.items()
            if attribute_key.rpartition("}")[2] == attribute_name
        ),
        "",
    )


def small_number(number_text: str) -> int:
    """A small whole number; 0 for anything else."""
    if number_text.isdecimal():
        return int(number_text[:5])
    return 0
