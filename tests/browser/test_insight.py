"""What a teacher sees, in a browser: a class at work on one screen, one question on the wall."""

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app import engine
from app.course import Course
from app.course.items.kinds import Numeric
from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.looking import fits, look_at
from tests.browser.watch import OFFLINE, Watch
from tests.records.term import Term, class_of, term

LAPTOP = {"width": 1280, "height": 800}
QUESTIONS = 10
DCG = "practice-dcg-2"
SEED = 7


@dataclass
class Desk:
    """A teacher's browser, the class, and what writes into it."""

    page: Page
    here: str
    classroom: int
    file: Path

    def writing(self) -> AbstractContextManager[Term]:
        return term(self.file, self.classroom, datetime.now(UTC))


Open = Callable[..., Desk]


@pytest.fixture
def desk(visit: Visit, data: Path, base_url: str) -> Open:
    def opened(**options: object) -> Desk:
        token = secrets.token_urlsafe(32)
        classroom = class_of(data / "tangxu.db", token, "高一3班", datetime.now(UTC))
        page = visit(**({"viewport": LAPTOP} | options))
        page.context.add_cookies([{"name": "tangxu", "value": token, "url": base_url}])
        return Desk(page, f"/classrooms/{classroom}", classroom, data / "tangxu.db")

    return opened


def at_work(write: Term, course: Course) -> int:
    """Forty students in an assignment of ten questions: some stuck, some not begun, some through."""
    work = write.assignment([("practice", "content:dcg", 2, QUESTIONS)], title="第二周：DCG与NDCG")
    write.assignment([("practice", "content:cg", 1, 5)], title="热身：CG")
    write.assignment([("practice", "content:idcg", 1, 5)], title="没有时限的一份", due_at=None)
    for number in range(40):
        place = write.student(f"欧阳小糖{number:02}", joined=-5 if number == 39 else -9999)
        if number % 5 == 0:
            continue
        attempt = write.begin(work, place, -30)
        for question in range(1, 4 if number % 5 == 1 else QUESTIONS - number % 3 + 1):
            answer(write, course, attempt, question, right=question % 3 > 0)
        if number % 5 == 1:
            for _ in range(4):
                answer(write, course, attempt, 4, right=False)
        if number % 5 == 2:
            write.hand_in(attempt, -1, 6, QUESTIONS)
    return work


def answer(write: Term, course: Course, attempt: int, question: int, right: bool) -> None:
    item = course.variant(DCG, SEED)
    assert isinstance(item, Numeric)
    wrong = engine.predictions(item.question.engine_question)["natural_log"]
    write.answer(
        attempt,
        f"content:{DCG}#{question}",
        -4,
        "right" if right else "wrong",
        (f"{item.answer if right else wrong:.3f}",),
        course.version_hash_and_body(f"content:{DCG}", SEED)[1],
        misconception=None if right else "natural_log",
    )


def test_a_class_of_forty_stands_on_one_screen(desk: Open, course: Course) -> None:
    teacher = desk()
    with teacher.writing() as write:
        at_work(write, course)
    page = teacher.page
    page.goto(f"{teacher.here}/today")
    expect(page.locator(".chip")).to_have_count(40)
    box = page.locator("#today").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 800, "without scrolling"
    assert page.evaluate("scrollY") == 0
    expect(page.locator(".g-stuck .chip")).to_have_count(8)


EARLIER = (
    "UPDATE response SET created_at = datetime(created_at, '-20 seconds') || '.000000'"
    " WHERE attempt_id = (SELECT max(id) FROM attempt)"
)


def test_today_changes_while_a_student_works(desk: Open, visit: Visit, course: Course) -> None:
    """Two browsers: four wrong answers to one item, and a right one."""
    teacher = desk()
    student = Learner(visit(has_touch=True, is_mobile=True), course, touch=True)
    student.go("/items/cg-chengdu?seed=5")
    item = course.items["cg-chengdu"]
    assert isinstance(item, Numeric)
    for number in range(4):
        type_in(student.page, f"9{number}")
        with teacher.writing() as write:  # who answers faster than one can read is guessing, not stuck
            write.connection.execute(EARLIER)
    with teacher.writing() as write:
        learner = write.connection.execute("SELECT max(learner_id) FROM attempt").fetchone()[0]
        write.enrol(learner, "小糖", -9)
        write.assignment([("practice", "content:dcg", 2, 3)], title="第二周")
    page = teacher.page
    page.clock.install()
    page.goto(f"{teacher.here}/today")
    expect(page.locator(".g-stuck .chip")).to_contain_text("小糖")
    page.locator(".g-stuck a").focus()
    type_in(student.page, f"{item.answer:g}")
    page.clock.fast_forward(2_000)
    expect(page.locator(".g-stuck")).to_have_count(0)
    expect(page.locator(".g-new .chip")).to_contain_text("小糖")
    expect(page.locator(".g-new a")).to_be_focused()


def type_in(page: Page, text: str) -> None:
    """Answer, and wait until it is judged."""
    tried = page.locator("form.answer input[name=try]")
    before = tried.get_attribute("value")
    page.fill("form.answer input[name=answer]", text)
    page.locator("[data-answer]").click()
    expect(page.locator(f"form.answer input[name=try][value='{before}']")).to_have_count(0)


def test_a_refresh_that_fails_is_told_until_one_comes_through(desk: Open, watch: Watch) -> None:
    watch.announce(OFFLINE)
    teacher = desk()
    page = teacher.page
    page.clock.install()
    page.goto(f"{teacher.here}/today")
    page.context.set_offline(True)
    page.clock.run_for(9000)
    expect(page.locator("#offline")).to_contain_text("看到的还是刚才的样子")
    page.context.set_offline(False)
    page.clock.run_for(9000)
    expect(page.locator("#offline")).to_be_hidden()


def all_has_gone_out(page: Page) -> None:
    """What a page asks for is seen in order: once this has been answered, so is whatever came before."""
    page.evaluate("fetch('/healthz').then((answer) => answer.text())")


def test_nothing_is_asked_while_nobody_looks(desk: Open) -> None:
    teacher = desk()
    page = teacher.page
    teacher_asks: list[str] = []
    page.clock.install()
    page.on("request", lambda request: teacher_asks.append(request.url) if "/live" in request.url else None)
    page.goto(f"{teacher.here}/today")
    with page.expect_response("**/live*") as first_answer:
        page.clock.run_for(3000)
    first_answer.value.finished()
    all_has_gone_out(page)
    assert len(teacher_asks) == 1
    page.evaluate("Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})")
    page.clock.run_for(60_000)
    all_has_gone_out(page)
    assert len(teacher_asks) == 1
    page.evaluate("delete document.visibilityState")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    all_has_gone_out(page)
    assert len(teacher_asks) == 2, "at once when one comes back"


def test_what_has_not_changed_stays_where_it_is(desk: Open) -> None:
    """The first answer is taken over; an equal one leaves a selection and the place of a reader alone."""
    teacher = desk()
    page = teacher.page
    page.clock.install()
    page.goto(f"{teacher.here}/today")
    section = page.locator("#today")
    for mark, stays in (("first", False), ("second", True)):
        page.evaluate("mark => { document.querySelector('#today').dataset.mark = mark; }", mark)
        with page.expect_response("**/live*"):
            page.clock.run_for(2000)
        expect(page.locator(".htmx-request")).to_have_count(0)
        if stays:
            expect(section).to_have_attribute("data-mark", mark)
        else:
            expect(section).not_to_have_attribute("data-mark", mark)


def test_one_question_on_the_projector(desk: Open, course: Course) -> None:
    teacher = desk()
    with teacher.writing() as write:
        work = at_work(write, course)
    page = teacher.page
    page.goto(f"{teacher.here}/assignments/{work}/review?question=2")
    letters = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.wall .stem')).fontSize)")
    assert letters >= 22, "to be read from the last row"
    assert "小糖" not in page.content()
    nav = page.locator(".wall-moves").bounding_box()
    assert nav
    assert nav["y"] < 200
    page.get_by_role("link", name="揭晓答案").click()
    expect(page.locator(".wall-bar.is-right")).to_have_count(1)
    page.set_viewport_size({"width": 1280, "height": 800})
    solution = page.locator(".wall-solution").bounding_box()
    assert solution
    assert solution["y"] + solution["height"] <= 800, "nobody scrolls a wall"
    page.reload()
    expect(page.locator(".wall-bar.is-right")).to_have_count(1)
    page.get_by_role("link", name="下一题").click()
    page.wait_for_url("**question=3")
    expect(page.locator(".wall-bar.is-right")).to_have_count(0)
    page.go_back()
    expect(page.locator(".wall-bar.is-right")).to_have_count(1)


@pytest.mark.long
def test_every_page_fits_and_is_accessible(desk: Open, course: Course) -> None:
    teacher = desk()
    with teacher.writing() as write:
        work = at_work(write, course)
        pre = write.assignment([("practice", "content:dcg", 2, 1)], form="pre", title="前测")
        write.connection.execute("UPDATE assignment SET pair = id WHERE id = ?", (pre,))
        post = write.assignment([("practice", "content:dcg", 2, 1)], form="post", pair=pre, title="后测")
        for test in (pre, post):
            for (place,) in write.connection.execute(
                "SELECT id FROM enrolment WHERE classroom_id = ?", (teacher.classroom,)
            ).fetchall():
                write.hand_in(write.begin(test, place, -20), -9, float(test == post), 1.0)
        write.report(place, f"content:{DCG}", "一份报告")
    wall = f"/assignments/{work}/review?question=4"
    lists = ("/today", "/mistakes", f"/items?assignment={work}", "/items", "/map", "/tests")
    for path in (*lists, wall, f"{wall}&shown=1"):
        look_at(teacher.page, teacher.here + path)


@pytest.mark.long
def test_empty_pages_fit_and_are_accessible(desk: Open) -> None:
    teacher = desk()
    for path in ("/today", "/mistakes", "/items", "/map", "/tests"):
        look_at(teacher.page, teacher.here + path)


@pytest.mark.long
def test_everything_works_without_a_script(desk: Open, course: Course) -> None:
    teacher = desk(java_script_enabled=False)
    with teacher.writing() as write:
        at_work(write, course)
    page = teacher.page
    page.goto("/classrooms")
    page.get_by_role("link", name="高一3班").click()
    page.wait_for_url("**/today")
    page.get_by_role("link", name="刷新").click()
    expect(page.locator(".chip")).to_have_count(40)
    page.get_by_role("link", name="误区").click()
    page.get_by_text("是哪几位").first.click()
    expect(page.locator(".mistake .chip").first).to_be_visible()
    page.select_option("#chooser", label="第二周：DCG与NDCG")
    page.get_by_role("button", name="看", exact=True).click()
    expect(page.locator(".mistake")).to_have_count(1)
    fits(page)
    page.get_by_role("link", name="题目", exact=True).click()
    page.select_option("#chooser", label="第二周：DCG与NDCG")
    page.get_by_role("button", name="看", exact=True).click()
    page.get_by_role("link", name="讲评这道").first.click()
    page.get_by_role("link", name="揭晓答案").click()
    expect(page.locator(".wall-solution")).to_be_visible()


def test_what_a_class_got_wrong_is_printed_as_a_list(desk: Open, course: Course) -> None:
    """Names and answers only where they were opened; of the pages of a class the name of this one."""
    teacher = desk()
    with teacher.writing() as write:
        at_work(write, course)
    page = teacher.page
    page.goto(f"{teacher.here}/mistakes?assignment=all")
    page.get_by_text("是哪几位").first.click()
    page.emulate_media(media="print")
    expect(page.locator(".mistake .chips").first).to_be_visible()
    assert page.locator(".mistake summary").filter(visible=True).all_inner_texts() == ["是哪几位"]
    assert page.locator("main :is(button, label)").filter(visible=True).count() == 0
    assert page.locator(".tabs a").filter(visible=True).all_inner_texts() == ["误区"]
    expect(page.locator(".chooser select")).to_be_visible()
    page.goto(f"{teacher.here}/items?assignment=all")
    expect(page.locator(".item-row").first).to_be_visible()
    assert page.locator(".item-more > *").filter(visible=True).count() == 0
