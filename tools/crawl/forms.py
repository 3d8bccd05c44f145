"""What a browser sends with a form, filled in one way or another."""

import re
from collections import Counter
from typing import NamedTuple

from .elements import Element

Fields = list[tuple[str, str]]


class Move(NamedTuple):
    """A way to send a form: a button (by its place), and how the fields are filled."""

    button: int
    filling: str


FILLINGS = ("as it stands", "words", "numbers")
"""How fields are filled when nobody says more; `choice 2` ticks the second of a group, `right` knows it."""
RIGHT_ANSWERS = {
    "cg-chengdu": "10",
    "cg-first-two": "5",
    "discount-at-3": "0.50",
    "term-at-second": "2.524",
    "term-of-movie": "0.774",
    "dcg-guided": "3.893",
    "idcg-of-two": "4.631",
    "idcg-sort-then-cut": "5.262",
    "ndcg-guided": "0.913",
    "ndcg-upside-down": "0.582",
}
"""The right numbers of some questions of the lessons."""
TYPED_WORDS, TYPED_NUMBER, TYPED_TIME = "糖葫芦", "7", "2026-11-02T08:30"


def fields_of(form: Element, move: Move, typed: dict[str, str] | None = None) -> Fields:
    """What a browser sends: fields as they stand or as they are filled, changed by what somebody typed."""
    typed = typed or {}
    fields: Fields = []
    groups: Counter[str] = Counter()
    for control in controls(form):
        name = control.get("name")
        groups[name] += 1
        if name not in typed:
            fields += [(name, value) for value in control_values(form, control, move.filling, groups[name])]
    for name, value in typed.items():
        fields.append((name, value))
    pressed = buttons(form)[move.button : move.button + 1]
    if pressed and pressed[0].get("name"):
        fields.append((pressed[0].get("name"), pressed[0].get("value")))
    return fields


def controls(form: Element) -> list[Element]:
    return [
        control
        for control in form.all("input", "select", "textarea")
        if control.get("name") and "disabled" not in control.attributes
    ]


def buttons(form: Element) -> list[Element]:
    kinds = ("submit", "image", "")
    return [
        button
        for button in form.all("button")
        if button.get("type") in kinds and "disabled" not in button.attributes
    ]


def control_values(form: Element, control: Element, filling: str, place: int) -> list[str]:
    kind = control.get("type", "text") if control.tag == "input" else control.tag
    if kind in ("radio", "checkbox"):
        return ticked_values(form, control, kind, filling, place)
    if kind == "select":
        return selected_values(control, filling)
    if kind == "hidden":
        return [control.get("value")]
    if kind in ("submit", "button", "image", "reset", "file"):
        return []
    return [typed_text(form, control, filling)]


def typed_text(form: Element, control: Element, filling: str) -> str:
    """What is written into a field."""
    if filling == FILLINGS[0]:
        return control.get("value") if control.tag == "input" else area_text(control)
    if control.get("type") == "datetime-local":
        return TYPED_TIME
    if filling == "right":
        for field in controls(form):
            if field.get("value") in RIGHT_ANSWERS:
                return RIGHT_ANSWERS[field.get("value")]
    return TYPED_WORDS if filling == "words" else TYPED_NUMBER


def area_text(control: Element) -> str:
    return "".join(control.strings()).removeprefix("\n")


def ticked_values(form: Element, control: Element, kind: str, filling: str, place: int) -> list[str]:
    """Words tick the first of a group, numbers the last one; of checkboxes numbers tick all."""
    count = sum(1 for field in controls(form) if field.get("name") == control.get("name"))
    on = "checked" in control.attributes
    if filling == "words":
        on = place == 1
    if filling == "numbers":
        on = place == count or kind == "checkbox"
    if filling.startswith("choice"):
        on = filling == f"choice {place}"
    return [control.get("value", "on")] if on else []


def selected_values(control: Element, filling: str) -> list[str]:
    options = control.all("option")
    standing = [option for option in options if "selected" in option.attributes] or options[:1]
    selection = options[-1:] if filling == "numbers" else standing
    return [option.get("value", option.text) for option in selection]


def visible_fields(form: Element) -> str:
    """The fields of a form that a person fills in, and what its buttons are called."""
    names = {
        f"{control.get('name')}:{control.get('type')}"
        for control in controls(form)
        if control.get("type") != "hidden"
    }
    labels = {re.sub("[0-9]+", "#", control.get("name")) for control in buttons(form)}
    return " ".join([*sorted(names), *sorted(labels - {""})])
