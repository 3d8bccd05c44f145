"""Walking through a section of a lesson, step by step, to what is said at its end."""

from playwright.sync_api import expect

from app.course import Stage
from app.course.content.model import Section
from app.course.items.your_turn import turn_item_id
from app.course.learning.steps import AnyStep, Ask, ExampleStep, Recap, ToyStep
from tests.browser.learner import Learner


def walk(learner: Learner, section: Section, is_told: bool) -> None:
    expect(learner.page.locator("h1")).to_have_text(section.title)
    for number, step in enumerate(section.steps, 1):
        expect(learner.page.locator(f"#step-{step.id}")).to_be_visible()
        do_step(learner, step, is_told)
        if number < len(section.steps):
            learner.next_step()


def do_step(learner: Learner, step: AnyStep, is_told: bool) -> None:
    """What a step asks for; `is_told`: the tutor shows it, where a guess is not all that is asked."""
    match step:
        case Ask():
            ask(learner, step.item, is_told and not step.probe)
        case Recap() if step.item:
            ask(learner, step.item, is_told)
        case ToyStep():
            learner.play(step)
        case ExampleStep():
            learner.open_all(step.example)
            if step.until == "ratio":
                learner.answer_rightly(turn_item_id(step.example))


def ask(learner: Learner, item: str, is_told: bool) -> None:
    if not is_told:
        learner.answer_rightly(item)
        return
    if learner.form(item).locator("[data-hint]").count():
        learner.press(learner.form(item).locator("[data-hint]"))
        expect(learner.item(item).locator(".hints li")).to_have_count(1)
        learner.settle()
    learner.press(learner.form(item).locator("[formaction$=solutions]"))
    learner.expect_state(item, "shown")


def leave(learner: Learner, stage: Stage, section: Section) -> None:
    """The end of a section names the next one; the end of a stage the next stage, open or still to come."""
    end, after, following = (
        learner.finish(),
        stage.next_section(section.id),
        learner.course.next_stage(stage.id),
    )
    if after:
        expect(end).to_contain_text(after.title)
        learner.press(end.get_by_role("link", name="接着学"))
    elif following:
        expect(end).to_contain_text(following.title)
        expect(end.get_by_role("link", name="走，去看看")).to_have_count(1 if following.lesson else 0)
