"""A learner with a phone: by finger, 360 px wide, in an ordinary browser that may move."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.course import Course
from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.learner import PHONE, Learner, right_answer, section_of
from tests.browser.watch import UNREADABLE, Watch


@pytest.mark.long
def test_first_section_from_home_to_its_end(visit: Visit, course: Course) -> None:
    learner = Learner(visit(**PHONE), course, touch=True)
    section = section_of(course, "concepts", "which-is-better")
    learner.go("/")
    learner.press(learner.link("从第一颗糖开始"))
    learner.answer("two-systems-probe", ["b"], "ended")
    expect(learner.item("two-systems-probe").locator(".bubble.thinking")).to_be_visible()
    learner.next_step()
    learner.answer_rightly("two-systems-why")
    learner.next_step()
    learner.next_step()

    learner = come_back(visit, learner)
    expect(learner.page.locator(".resume")).to_contain_text(section.title)
    expect(learner.page.locator(".resume")).to_contain_text("第4步，共6步")
    learner.press(learner.link("接着学"))
    expect(learner.steps()).to_have_count(4)
    assert 0 <= top_of(learner.page, f"#step-{section.steps[3].id}") < 400, "one goes on where one stopped"
    expect(learner.item("two-systems-probe").locator(".option.chosen")).to_contain_text("系统B")

    learner.next_step()
    order_by_finger(learner)
    learner.next_step()
    after = course.stages[0].next_section(section.id)
    assert after
    expect(learner.finish()).to_contain_text(after.title)
    learner.page.reload()
    expect(learner.page.locator("#moves-finish")).to_contain_text(after.title)
    learner.press(learner.link("接着学"))
    expect(learner.page.locator("h1")).to_have_text(after.title)


def top_of(page: Page, selector: str) -> float:
    """How far below the top of the screen something begins, in px."""
    top: float = page.locator(selector).evaluate("(thing) => thing.getBoundingClientRect().top")
    return top


def come_back(visit: Visit, learner: Learner) -> Learner:
    """The browser is closed; tomorrow it is opened again with what it kept."""
    state = learner.page.context.storage_state()
    learner.page.context.close()
    again = Learner(visit(**PHONE, storage_state=state), learner.course, touch=True)
    again.go("/")
    return again


def order_by_finger(learner: Learner) -> None:
    """↓, then a drag, a wrong answer, a hint, and the sweetest order by ↑."""
    name = "noodle-order"
    first, second, *_, last = before = learner.order(name)
    learner.press(learner.form(name).locator(f'.move[value="down:{first}"]'))
    assert learner.order(name)[:2] == [second, first]
    expect(learner.page.locator("#status-order")).to_contain_text(f"第2位，共{len(before)}位")
    drag(learner.page, f"#item-{name} li[data-id={last}] .grip", f"#item-{name} li[data-id={second}]")
    assert learner.order(name) == [last, second, first, *before[2:-1]]
    learner.answer(name, learner.order(name), "open")
    expect(learner.item(name).locator(".bubble.puzzled")).to_be_focused()
    learner.press(learner.form(name).locator("[data-hint]"))
    expect(learner.page.locator(f"#item-{name}-hint-1")).to_be_focused()
    learner.answer(name, right_answer(learner.course, name), "corrected")


def drag(page: Page, grip: str, over: str) -> None:
    """A finger takes the grip and lets go on the upper half of another row."""
    page.locator(grip).evaluate("(grip) => grip.scrollIntoView({block: 'center', behavior: 'instant'})")
    start, end = page.locator(grip).bounding_box(), page.locator(over).bounding_box()
    assert start
    assert end
    x, from_y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    way = end["y"] + end["height"] / 4 - from_y
    finger = page.context.new_cdp_session(page)
    touch(finger, "touchStart", [{"x": x, "y": from_y}])
    for part in (*range(1, 9), 8, 8):  # it comes to rest: a tap right after a fling only stops the fling
        touch(finger, "touchMove", [{"x": x, "y": from_y + way * part / 8}])
        page.wait_for_timeout(25)
    touch(finger, "touchEnd", [])


def touch(finger: Any, kind: str, points: list[dict[str, float]]) -> None:
    finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_grip_is_as_large_as_a_fingertip(visit: Visit, course: Course) -> None:
    """WCAG 2.5.8: what is seen of the grip may be small, what can be taken is 24 px at least."""
    learner = Learner(visit(**PHONE), course, touch=True)
    learner.go("/lessons/concepts/which-is-better?step=5")
    reach = learner.page.locator(".grip").first.evaluate(eyes.GRIP_REACH)
    assert reach == [True] * 4


def test_wrong_answer_of_a_one_try_item_asks_its_twin(visit: Visit, course: Course) -> None:
    """The first try counts, the same is not asked again; the twin puts it right."""
    learner = Learner(visit(**PHONE), course, touch=True)
    for path, item, wrong in (
        ("/lessons/concepts/sweetness?step=6", "lipstick-bags", "a"),
        ("/lessons/definitions/normalise?step=4", "perfect-means-sweet", "true"),
    ):
        twin = course.items[item].twin
        assert twin
        learner.go(path)
        learner.answer(item, [wrong], "ended")
        expect(learner.item(item).locator("> .bubble.puzzled")).to_be_visible()
        learner.answer_rightly(twin)
        learner.page.reload()
        expect(learner.form(item)).to_have_count(0)
        expect(learner.form(twin)).to_have_count(0)


def test_number_as_a_chinese_keyboard_writes_it(visit: Visit, course: Course) -> None:
    learner = Learner(visit(**PHONE), course, touch=True)
    learner.go("/lessons/definitions/dcg-by-hand?step=2")
    wide = "".join(
        "。" if sign == "." else chr(ord(sign) + 0xFEE0) for sign in right_answer(course, "dcg-by-hand")[0]
    )
    learner.answer("dcg-by-hand", [wide], "right")
    expect(learner.item("dcg-by-hand")).to_contain_text("已识别为")


def test_unreadable_number_stays_and_costs_nothing(visit: Visit, course: Course, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    learner = Learner(visit(**PHONE), course, touch=True)
    learner.go("/lessons/concepts/sweetness?step=5")
    learner.answer("cg-chengdu", ["十来颗"], "open")
    field = learner.form("cg-chengdu").locator("[name=answer]")
    expect(field).to_have_value("十来颗")
    expect(field).to_be_focused()
    expect(learner.item("cg-chengdu").get_by_role("alert")).to_be_visible()
    learner.answer_rightly("cg-chengdu")
