"""What is wrong with the making of a page."""

from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.routing import Match

from tests.web.cast import Page
from tests.web.pages import Element

REFERENCES = {"aria-labelledby", "aria-describedby", "aria-controls", "for"}


def faults_of(page: Page, app: FastAPI) -> list[str]:
    """What is wrong with the making of a page."""
    elements = page.root.inside
    ids = Counter(element["id"] for element in elements if "id" in element.attributes)
    faults = [f"id {name} stands there {times} times" for name, times in sorted(ids.items()) if times > 1]
    faults += faults_of_references(elements, set(ids))
    for link in page.root.all("a"):
        if link["href"].startswith("#") and link["href"][1:] not in ids:
            faults.append(f"no such place on the page: {link['href']}")
    for element in elements:
        for name, value in element.attributes.items():
            if name == "style" or name.startswith(("on", "hx-")) or "javascript:" in value:
                faults.append(f"{element.tag} has {name}={value}")
    faults += [
        f"inline {element.tag}"
        for element in elements
        if element.tag == "style" or (element.tag == "script" and element.text)
    ]
    faults += faults_of_scripts(page)
    faults += [fault for form in page.root.all("form") for fault in faults_of_form(form, app, set(ids))]
    if page.root.one("html").get("lang") != "zh-CN":
        faults.append("html says no language")
    return faults


def faults_of_references(elements: list[Element], ids: set[str]) -> Iterator[str]:
    """What names another element of the page names one that is there."""
    for element in elements:
        for name in REFERENCES & element.attributes.keys():
            for target in element[name].split():
                if target not in ids:
                    yield f"{element.tag} points to no element: {name}={target}"


def faults_of_scripts(page: Page) -> Iterator[str]:
    """A page loads htmx where something in it asks by htmx, and nowhere else.

    A section loads it at every step: one frame holds them all, and it is made before its steps are known.
    """
    asks = any(name.startswith("data-hx-") for element in page.root.inside for name in element.attributes)
    loads = any("/htmx-" in script.get("src") for script in page.root.all("script"))
    may_load = asks or page.path.startswith("/lessons/")
    if (asks and not loads) or (loads and not may_load):
        yield f"asks by htmx: {asks}, loads it: {loads}"


def faults_of_form(form: Element, app: FastAPI, ids: set[str]) -> Iterator[str]:
    """Most forms are posted; a form that is sent by get only asks for another look at the same page.

    Without htmx the address may also say to which place of the answer the browser goes.
    """
    reads = form.get("method") == "get"
    actions = {
        form["action"],
        *(button["formaction"] for button in form.all("button") if "formaction" in button.attributes),
    }
    method = "GET" if reads else "POST"
    yield from (f"nothing answers {method} {action}" for action in actions if not takes(app, method, action))
    if form.get("method") != method.lower():
        yield f"form to {form['action']} is sent by {form.get('method') or 'get'}"
    if "data-hx-get" in form.attributes and not reads:
        yield f"htmx asks and no htmx posts: {form['action']}"
    if "data-hx-post" in form.attributes and form["data-hx-post"] != form["action"].partition("#")[0]:
        yield f"htmx and no htmx go different ways: {form['data-hx-post']}, {form['action']}"
    if "data-hx-target" in form.attributes and form["data-hx-target"].removeprefix("#") not in ids:
        yield f"no target {form['data-hx-target']} for the answer of {form['action']}"


def takes(app: FastAPI, method: str, action: str) -> bool:
    scope = {"type": "http", "method": method, "path": urlsplit(action).path, "root_path": "", "headers": []}
    return any(route.matches(scope)[0] is Match.FULL for route in app.routes)
