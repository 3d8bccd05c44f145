"""The groups in which a class stands on 今天, as a reader finds them."""

from tests.web.cast import Page


def group(page: Page, name: str) -> str:
    """Who stands in a group of 今天, in words; nothing where there is no such group."""
    blocks = page.main.one("dl", class_="seats").all("div", class_=f"g-{name}")
    return " ".join(part.text for part in blocks)
