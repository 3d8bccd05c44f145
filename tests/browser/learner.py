"""Somebody who learns with a browser: what one does with a page, by finger or by mouse."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from app.course import Course
from app.course.content.model import Section
from app.course.items.kinds import (
    FillInBlanks,
    MultipleChoice,
    Numeric,
    Order,
    ShortAnswer,
    SingleChoice,
    Spot,
    Steps,
    TrueFalse,
)
from app.course.learning.steps import ToyStep
from app.course.learning.toys.setting import HIGHEST_GRADE
from app.course.learning.toys.tasks import solving_setting

PHONE: dict[str, Any] = {"is_mobile": True, "has_touch": True, "reduced_motion": "no-preference"}
"""Options of a visit by finger, in an ordinary browser that may move."""
GRADES = "all => all.map((one) => one.dataset.grade)"
"""The sweetness of the candies of a row, from the first."""
OPTIONS = "all => all.map((one) => [one.value, one.checked])"
"""The options of an item at one look: what each sends, and whether it is ticked."""


def right_answer(course: Course, item_id: str, seed: int = 0) -> list[str]:
    """What a form sends for the right answer; of a generated item, for the variant of this seed."""
    match course.variant(item_id, seed):
        case SingleChoice() | MultipleChoice() as item:
            return [option.id for option in item.right_options]
        case TrueFalse() as item:
            return ["true" if item.answer else "false"]
        case Numeric() as item:
            return [f"{item.answer:.{item.decimals}f}"]
        case Steps() as item:
            truth = item.table.true_value_by_cell_name()
            return [f"{truth[cell.name]:.{item.decimals}f}" for cell in item.blanks]
        case Order() as item:
            return [document.id for document in sorted(item.documents, key=lambda document: -document.grade)]
        case Spot() | FillInBlanks() as item:
            return list(next(raw for raw, is_right in item.proofs() if is_right))
        case ShortAnswer():
            return ["因为排在后面的糖要打折。"]
    raise TypeError(item_id)


def wrong_answer(course: Course, item_id: str, seed: int = 0) -> list[str]:
    """What a form sends for a wrong answer that can be read."""
    match course.variant(item_id, seed):
        case SingleChoice() | MultipleChoice() as item:
            return [next(option.id for option in item.options if not option.right)]
        case TrueFalse() as item:
            return ["false" if item.answer else "true"]
        case Numeric() as item:
            return [f"{item.answer + 7:.{item.decimals}f}"]
        case Steps():
            return ["77", *right_answer(course, item_id, seed)[1:]]
        case Order():
            return right_answer(course, item_id, seed)[::-1]
        case Spot() as item:
            return [next(line.id for line in item.lines if not line.wrong)]
    raise TypeError(item_id)


def section_of(course: Course, stage_id: str, section_id: str) -> Section:
    stage = course.stage(stage_id)
    section = stage.section(section_id) if stage else None
    assert section
    return section


@dataclass
class Learner:
    """A page, and what a learner does on it. `touch`: by finger."""

    page: Page
    course: Course
    touch: bool = False

    def go(self, path: str) -> None:
        self.page.goto(path)

    def leave_browser(self) -> None:
        """换个人用, of a guest: on the page that shows them their 续学码 first."""
        self.go("/me")
        self.press(self.button("换个人用"))
        self.page.wait_for_url(re.compile("/$"))

    def press(self, button: Locator) -> None:
        if self.touch:
            button.tap()
        else:
            button.click()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=name)

    def item(self, item_id: str) -> Locator:
        return self.page.locator(f"#item-{item_id}")

    def form(self, item_id: str) -> Locator:
        return self.page.locator(f"#item-{item_id} > form.answer")

    def answer(self, item_id: str, raw: list[str], state: str) -> None:
        """Fill in and answer; the item is then `is-<state>`, and what is new has the focus."""
        self.fill(item_id, raw)
        self.press(self.form(item_id).locator("[data-answer]"))
        self.expect_state(item_id, state)

    def answer_rightly(self, item_id: str) -> None:
        self.answer(item_id, right_answer(self.course, item_id, self.seed(item_id)), "right")

    def seed(self, item_id: str) -> int:
        """The seed of the variant that the page shows."""
        return int(self.form(item_id).locator("[name=seed]").input_value())

    def fill(self, item_id: str, raw: list[str]) -> None:
        match self.course.variant(item_id, self.seed(item_id)):
            case Numeric() | ShortAnswer():
                self.form(item_id).locator("[name=answer]").fill(raw[0])
            case FillInBlanks() | Steps():
                cells = self.form(item_id).locator("input[name=answer]:not([type=hidden])")
                expect(cells).to_have_count(len(raw))
                for cell, text in zip(cells.all(), raw, strict=True):
                    cell.fill(text)
            case Order():
                self.arrange(item_id, raw)
            case _:
                self.tick(item_id, raw)

    def tick(self, item_id: str, option_ids: list[str]) -> None:
        """Exactly these options of an item."""
        expect(self.form(item_id)).to_be_visible()
        options = self.form(item_id).locator(".option input")
        for place, (value, checked) in enumerate(options.evaluate_all(OPTIONS)):
            if checked != (value in option_ids):
                self.press(options.nth(place))
                expect(options.nth(place)).to_be_checked(checked=not checked)

    def order(self, item_id: str) -> list[str]:
        """The ids of the documents from top to bottom."""
        expect(self.form(item_id)).to_be_visible()
        rows = self.form(item_id).locator(".order > li").all()
        return [row.get_attribute("data-id") or "" for row in rows]

    def arrange(self, item_id: str, ids: list[str]) -> None:
        """Into this order by the buttons ↑."""
        for place, name in enumerate(ids):
            for _ in range(self.order(item_id).index(name) - place):
                self.press(self.form(item_id).locator(f'.move[value="up:{name}"]'))

    def expect_state(self, item_id: str, state: str) -> None:
        expect(self.item(item_id)).to_have_class(re.compile(rf"\bis-{state}\b"))
        self.settle()
        self.expect_focus_in(f"#item-{item_id}")

    def settle(self) -> None:
        """htmx is done: what is pressed in its last twentieth of a second is sent as a plain form."""
        expect(self.page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)

    def expect_focus_in(self, selector: str) -> None:
        """The focus is where something changed, never lost on the body."""
        expect(self.page.locator(f"{selector}:focus-within")).to_have_count(1)

    def steps(self) -> Locator:
        return self.page.locator("#dialogue > .step")

    def play(self, step: ToyStep) -> None:
        """A guess, then the task as it can be done, by the buttons and handles of the row; then 好了."""
        toy = self.page.locator(f"#toy-{step.id}.awake")
        done = solving_setting(step.task, step.start, frozenset(step.handles))
        assert done
        self.press(toy.locator(".toy-guess input").nth(step.guess.right - 1))
        if "grade" in step.handles:
            self.sweeten(toy, step.start.row, done.row)
        elif "swap" in step.handles:
            for place, grade in enumerate(done.row):
                if grade != step.start.row[place]:
                    self.press(toy.locator(".toy-candy").nth(place))
        elif "order" in step.handles:
            self.move_candies(toy, done.row)
        if done.k != step.start.k:
            toy.locator("input[name=k]").fill(str(done.k))
        if done.gain != step.start.gain:
            self.press(toy.locator(f"input[name=gain][value={done.gain}]"))
        self.press(toy.get_by_role("button", name="好了"))
        expect(toy.locator(".toy-result.is-right")).to_be_focused()
        self.settle()

    def sweeten(self, toy: Locator, row: Sequence[int], sweeter: Sequence[int]) -> None:
        for place, (grade, sweet) in enumerate(zip(row, sweeter, strict=True)):
            for _ in range((sweet - grade) % (HIGHEST_GRADE + 1)):
                self.press(toy.locator(".toy-candy").nth(place))

    def move_candies(self, toy: Locator, row: Sequence[int]) -> None:
        """Into this order by the buttons ‹; of equal candies the first that comes."""
        for place, grade in enumerate(row):
            grades: list[str] = toy.locator(".toy-row > li").evaluate_all(GRADES)
            for at in range(grades.index(str(grade), place), place, -1):
                self.press(toy.locator(".toy-move.back").nth(at))

    def open_all(self, example_id: str) -> None:
        """On to the first guess, which is passed over; then 算给我看."""
        example = self.page.locator(f"#example-{example_id}")
        opening = example.locator(".opening")
        openings = opening.get_by_role("button", name="算给我看")
        while opening.count() and not openings.count():
            words = example.locator(".skewer-words").inner_text()
            onward = opening.get_by_role("button", name="直接看")
            if not onward.count():
                onward = opening.locator(".primary")
            self.press(onward)
            expect(example.locator(".skewer-words")).not_to_have_text(words)
            self.settle()
        if openings.count():
            self.press(openings)
        expect(opening).to_have_count(0)

    def next_step(self) -> None:
        """下一步: one more step stands below, and has the focus."""
        before = self.steps().count()
        self.press(self.page.locator(".next [data-next]"))
        expect(self.steps()).to_have_count(before + 1)
        expect(self.steps().last).to_be_focused()

    def finish(self) -> Locator:
        """这一节学完了, or 看看结果 of a 小测: what comes next."""
        self.press(self.button("这一节学完了").or_(self.button("看看结果")))
        expect(self.page.locator("#moves-finish")).to_be_focused()
        return self.page.locator("#moves-finish")
