"""Opening an example term by term: the guess, the fresh row, the running total, the chart, what stays."""

import re

from playwright.sync_api import Locator, expect

from app.course import Course
from app.course.items.your_turn import turn_item_id
from app.course.learning.steps import ExampleStep
from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.watch import UNREADABLE, Watch


class Opener(Learner):
    """A learner in front of an example."""

    name: str = ""

    def at(self, example: str, path: str = "") -> "Opener":
        self.name = example
        self.go(path or f"/examples/{example}")
        return self

    @property
    def example(self) -> Locator:
        return self.page.locator(f"#example-{self.name}")

    @property
    def turn(self) -> Locator:
        """The button that opens what comes next."""
        return self.example.locator(".opening button.primary")

    def truth(self, position: int) -> str:
        return self.course.reveal_positions(self.name)[position - 1].right_guess

    def guess(self, position: int, right: bool) -> None:
        choices = self.example.locator(".guess").all()
        values = [choice.get_attribute("value") or "" for choice in choices]
        place_of_guess = next(
            place for place, value in enumerate(values) if (value == self.truth(position)) == right
        )
        self.press(choices[place_of_guess])
        self.expect_open(position)

    def turn_over(self, position: int) -> None:
        self.press(self.turn)
        self.expect_open(position)

    def expect_open(self, count: int) -> None:
        expect(self.example.locator(".skewer-words")).to_have_text(re.compile(rf"翻开了{count} /"))
        self.settle()

    def running(self, rank: int) -> Locator:
        return self.page.locator(f"#example-{self.name}-dcg-{rank} .t-running b")

    def rows(self) -> Locator:
        return self.example.locator(".terms.dcg .term.open")


def test_terms_open_one_by_one_with_guesses(visit: Visit, course: Course) -> None:
    opener = Opener(visit(), course).at("chengdu-3-days")
    trace = course.examples["chengdu-3-days"].trace
    chart = opener.example.locator(".example-chart")
    expect(chart).to_have_count(0)
    opener.turn_over(1)
    drawing = chart.inner_html()
    expect(opener.running(1)).to_have_text(f"{trace.terms[0].running_total:.2f}")

    opener.guess(2, right=True)
    expect(opener.example.locator(".bubble.pleased")).to_be_focused()
    expect(opener.example.locator(".term.fresh")).to_have_attribute("id", "example-chengdu-3-days-dcg-2")
    expect(opener.running(2)).to_have_text(f"{trace.terms[1].running_total:.2f}")
    assert chart.inner_html() != drawing

    opener.turn_over(3)
    opener.guess(4, right=False)
    expect(opener.example.locator(".bubble.puzzled")).to_be_focused()
    opener.press(opener.button("直接看"))
    opener.expect_open(5)
    expect(opener.example.locator(".bubble.thinking")).to_be_focused()


def test_what_is_open_stays_open(visit: Visit, course: Course) -> None:
    """Reload, back and `?shown=` show what they say."""
    opener = Opener(visit(), course).at("chengdu-3-days")
    opener.turn_over(1)
    opener.guess(2, right=True)
    before = opener.example.inner_text()
    opener.page.reload()
    assert opener.example.inner_text() == before
    opener.page.goto("/examples/chengdu-3-days?shown=1")
    expect(opener.rows()).to_have_count(1)
    opener.page.goto("/examples")
    opener.page.go_back()
    expect(opener.rows()).to_have_count(1)
    opener.page.go_back()
    expect(opener.rows()).to_have_count(2)


def test_everything_at_once_and_then_your_turn(visit: Visit, course: Course) -> None:
    """算给我看 opens all of it; 换你 asks the same with one grade changed; 从头再翻一遍 closes it."""
    path, example = step_to_the_ratio(course)
    opener, turn = Opener(visit(), course).at(example, path), turn_item_id(example)
    expect(opener.example.get_by_role("button", name="算给我看")).to_have_count(0)
    opener.open_all(example)
    expect(opener.example.locator(".ratio .result")).to_contain_text(
        f"{course.examples[opener.name].trace.ndcg:.3f}"
    )
    opener.expect_focus_in(f"#example-{opener.name}")
    opener.answer_rightly(turn)
    opener.page.reload()
    expect(opener.item(turn)).to_be_visible()
    expect(opener.form(turn)).to_have_count(0)
    opener.press(opener.button("从头再翻一遍"))
    expect(opener.rows()).to_have_count(0)
    opener.turn_over(1)


def step_to_the_ratio(course: Course) -> tuple[str, str]:
    """Address and example of a step of a lesson that opens everything."""
    return next(
        (f"/lessons/{stage.id}/{section.id}?step={number}", step.example)
        for stage in course.stages
        for section in stage.sections
        for number, step in enumerate(section.steps, 1)
        if isinstance(step, ExampleStep) and step.until == "ratio"
    )


def test_number_is_guessed(visit: Visit, course: Course, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    opener = Opener(visit(), course).at("short-video")
    opener.turn_over(1)
    field = opener.example.locator("input[name=guess]")
    field.fill("两块糖")
    opener.press(opener.turn)
    expect(opener.example.get_by_role("alert")).to_be_visible()
    expect(field).to_have_value("两块糖")
    expect(field).to_be_focused()
    opener.expect_open(1)
    field.fill(opener.truth(2).replace(".", "。"))
    opener.press(opener.turn)
    expect(opener.example.locator(".bubble.pleased")).to_be_focused()
    field.fill("9")
    opener.press(opener.turn)
    expect(opener.example.locator(".bubble.puzzled")).to_contain_text(re.compile("你算的是 ?9"))


def test_example_of_values_to_choose_from(visit: Visit, course: Course) -> None:
    """The whole sequence of the main example, each guess right, up to the ratio."""
    opener = Opener(visit(), course).at("chengdu-food", "/lessons/definitions/read-the-score?step=2")
    sequence = course.reveal_positions("chengdu-food")
    for opening in sequence[:-1]:
        if opening.kind == "ideal_term" and opening.first_position == opening.position:
            continue  # it opens with the last of them
        if opening.guess_mode == "plain":
            opener.turn_over(opening.position)
        else:
            opener.guess(opening.position, right=True)
            expect(opener.example.locator(".bubble.pleased")).to_be_visible()
    opener.press(opener.example.locator(f'.guess[value="{sequence[-1].right_guess}"]'))
    expect(opener.example.locator(".bubble.pleased")).to_be_focused()
    expect(opener.example.locator(".ratio .result")).to_contain_text(sequence[-1].right_guess)
