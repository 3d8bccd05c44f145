"""代码题 in a real browser: solved, missed, looping for ever; the keys, drafts, a phone, no script."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from app.course import Course
from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.looking import axe, fits
from tests.browser.school import posted_account, send_account
from tests.browser.watch import Watch, into

EXERCISES = (
    *("code-dcg", "code-empty-query", "code-gain", "code-ideal"),
    *("code-mean-ndcg", "code-mend-article", "code-ndcg", "code-ties"),
)
"""By name, so that nobody reads the content before a test runs."""
ALWAYS = {"code-dcg"}
"""The others by `make test-all`. What the usual mistakes are is shown for all of them with CPython, in
`tests/course/learning/test_coding.py`."""
DCG = "/code/code-dcg"
ROUNDED = (
    "from math import log2\n"
    "def dcg(grades):\n"
    "    return round(sum(one / log2(i + 2) for i, one in enumerate(grades)), 2)"
)
WIDE = "def dcg(grades):\n    print('x' * 300)\n    return 1 / 0" + " + 1" * 60 + "\ndcg([])"
"""Long lines in the editor, in what is printed and in what is said."""

KINDS_OF_MESSAGES = """
window.kinds = [];
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({ data }) => window.kinds.push(data.type));
  }
};
"""
"""Keeps what kinds of messages came from the thread in which code runs."""


class Coder(Learner):
    """Somebody with an exercise open."""

    def open(self, name: str) -> None:
        self.go(f"/code/{name}")
        expect(self.page.locator(".code-exercise.awake")).to_be_visible()

    @property
    def area(self) -> Locator:
        return self.page.locator(".code-editor textarea")

    @property
    def said(self) -> Locator:
        """What the tutor says, once the run is over."""
        expect(self.page.locator("[data-run][aria-disabled]")).to_have_count(0)
        return self.page.locator(".code-said .bubble:not([hidden])")

    def try_out(self, code: str) -> None:
        self.area.fill(code)
        self.press(self.button("运行"))
        expect(self.page.locator(".code-said .bubble:not([hidden])")).to_be_visible()
        expect(self.page.locator("[data-run][aria-disabled]")).to_have_count(0)


@pytest.fixture
def coder(visit: Visit, course: Course) -> Coder:
    return Coder(visit(), course)


@pytest.fixture(scope="module")
def stumbler(browser: Browser, phone: dict[str, Any], course: Course) -> Iterator[tuple[Coder, Watch]]:
    """Somebody who makes one mistake after another on one page: every run has an interpreter of its own."""
    watch, context = Watch(), browser.new_context(**phone)
    watch.follow(context)
    coder = Coder(context.new_page(), course)
    coder.open("code-dcg")
    yield coder, watch
    context.close()


def words(html: str, page: Page) -> str:
    """The text of a piece of HTML, as the browser reads it, without spaces."""
    read = "html => new DOMParser().parseFromString(html, 'text/html').body.textContent"
    return "".join(str(page.evaluate(read, html)).split())


def test_every_exercise_is_tried_here(course: Course) -> None:
    assert sorted(EXERCISES) == sorted(course.code_exercises)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in ALWAYS else pytest.mark.long) for name in EXERCISES],
)
def test_an_exercise_is_solved_and_every_usual_mistake_met(coder: Coder, course: Course, name: str) -> None:
    """The solution passes under MicroPython too; each model of a mistake gets its own hint."""
    coder.open(name)
    own = course.code_exercises[name]
    coder.try_out(own.solution)
    expect(coder.page.locator(".code-tests .passed")).to_have_count(len(own.tests))
    expect(coder.said).to_contain_text(f"{len(own.tests)}个测试全通过")
    for usual in filter(lambda one: one.wrong, own.usual):
        coder.try_out(usual.wrong or "")
        assert coder.page.locator(".code-tests .failed").count()
        message = "".join(coder.said.inner_text().split())
        hint = words(course.html(usual.hint), coder.page)
        assert hint in "".join((coder.said.text_content() or message).split()), usual.hint
    coder.try_out(own.starter)
    assert coder.page.locator(".code-said .pleased:not([hidden])").count() == 0


def test_a_wrong_number_is_shown_beside_the_right_one(coder: Coder) -> None:
    coder.open("code-dcg")
    coder.try_out("def dcg(grades):\n    return sum(grades)")
    expect(coder.said).to_contain_text("5个测试，过了2个")
    third = coder.page.locator(".code-tests li").nth(2)
    expect(third).to_contain_text("应当得4.76186")
    expect(third).to_contain_text("你的得6")
    expect(coder.page.locator(".code-tests .passed")).to_have_count(3 - 1)


def test_the_failing_line_is_marked_and_can_be_gone_to(coder: Coder) -> None:
    coder.open("code-dcg")
    coder.try_out("def dcg(grades):\n    total = 0\n    return total / len([])")
    expect(coder.page.locator(".code-gutter .bad")).to_have_count(1)
    expect(coder.page.locator(".code-gutter li").nth(2)).to_have_class("bad")
    expect(coder.said).to_contain_text("除以0")
    expect(coder.said).to_contain_text("ZeroDivisionError: divide by zero")
    coder.press(coder.button("第3行"))
    expect(coder.area).to_be_focused()
    selection = coder.area.evaluate("one => one.value.slice(one.selectionStart, one.selectionEnd)")
    assert selection == "    return total / len([])"
    coder.page.keyboard.type("    return 0")
    expect(coder.page.locator(".code-gutter .bad")).to_have_count(0)


def long(code: str, sign: str) -> Any:
    """A second case of what another one shows: by `make test-all`."""
    return pytest.param(code, sign, marks=pytest.mark.long)


@pytest.mark.parametrize(
    ("code", "sign"),
    [
        ("def dcg(grades)：\n    return 0", "全角的“：”"),
        ("def dcg(grades):\n    return max(0，1)", "全角的“，”"),
        long("def dcg(grades，k=None):\n    x = 1\n    return grades", "第1行里有全角的“，”"),
        ('def dcg(grades):\n    """先排，\n    再截。"""\n    return summe', "名字summe没有定义过"),
        ("def dcg(grades):\n　　return 0", "第2行里有全角的空格"),
        ("def dcg(grades):\n    if grades ！= []:\n        return 0", "不等于写!="),
        ("def dcg(grades)\n    return 0", "少了冒号"),
        long("def dcg(grades, k=None):\n    for i, g in enumerate(grades, 1)\n        return g", "少了冒号"),
        long("def dcg(grades):\n    if grades: return 0)", "括号没有成对"),
        ("def dcg(grades):\n    if grades = []:\n        return 0", "两个等号"),
        ("def dcg(grades):\n    return (sum(grades)", "括号没有成对"),
        ("def dcg(grades):\nreturn 0", "读不懂"),
        ("def dcg(grades):\n    x = 1\n      y = 2", "缩进没有对齐"),
        ("def DCG(grades):\n    return 0", "没有找到dcg"),
        ("def dcg(grades):\n    return log2(2)", "from math import log2"),
        long("def dcg(grades):\n    return summe", "名字summe没有定义过"),
        ("import numpy", "MicroPython"),
        ("def dcg(grades):\n    print(sum(grades))", "忘了return"),
        ("def dcg(grades):\n    return dcg(grades)", "没完没了"),
        (ROUNDED, "四舍五入"),
        ("def dcg(grades):\n    return 77", "手算一遍"),
        ("import sys\nsys.exit()", "出错了"),
    ],
    ids=str,
)  # fmt: skip
def test_an_error_is_explained_in_chinese(stumbler: tuple[Coder, Watch], code: str, sign: str) -> None:
    coder, watch = stumbler
    coder.try_out(code)
    expect(coder.said).to_have_class("bubble puzzled")
    expect(coder.said).to_contain_text(sign)
    assert watch.unexpected() == []


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("while True:\n    pass", marks=pytest.mark.long),
        "while True:\n    print('糖')",
        pytest.param("def dcg(grades):\n    while grades != 3:\n        pass", marks=pytest.mark.long),
    ],
)
def test_what_never_ends_is_ended(coder: Coder, code: str) -> None:
    """After two seconds, with a sentence; and the next run works."""
    coder.open("code-dcg")
    coder.try_out(code)
    expect(coder.said).to_contain_text("跑了2秒还没完")
    if "print" in code:
        assert 90 < coder.page.locator(".code-printed pre").inner_text().count("\n") < 110
    coder.try_out(coder.course.code_exercises["code-dcg"].solution)
    expect(coder.said).to_contain_text("全通过")


def send_broken_judge(route: Route) -> None:
    response = route.fetch()
    body = response.text().replace("const JUDGE = `", "const JUDGE = `\nraise ValueError('the judge broke')")
    route.fulfill(response=response, body=body)


def test_the_two_seconds_begin_with_the_code_of_the_learner(coder: Coder) -> None:
    """On a slow machine reading the judge takes longer, and no loop is to blame: WebKitGTK, 2.1 s."""
    coder.page.add_init_script(KINDS_OF_MESSAGES)
    coder.page.route("**/modules/10-worker.*.js", send_broken_judge)
    coder.open("code-dcg")
    coder.try_out(coder.course.code_exercises["code-dcg"].solution)
    assert coder.page.evaluate("kinds") == ["broken", "end"], "without `ready`, with which they begin"


def test_what_is_printed_is_seen(coder: Coder) -> None:
    coder.open("code-mend-article")
    expect(coder.page.locator(".code-printed")).to_be_hidden()
    coder.try_out(coder.course.code_exercises["code-mend-article"].solution)
    expect(coder.page.locator(".code-printed pre")).to_contain_text("NDCG@5: 0.901421")


def test_code_of_a_learner_reaches_no_network(coder: Coder, watch: Watch) -> None:
    """Not by what was taken away, and not by what the policy refuses."""
    watch.announce("connect-src|default-src|Content Security Policy|Failed to fetch|violat")
    requests: list[Request] = []
    coder.open("code-dcg")
    coder.page.on("request", into(requests))
    coder.try_out(
        "import js\nfrom math import log2\n"
        "def dcg(grades):\n"
        "    up = js.Object.getPrototypeOf(js.Object.getPrototypeOf(js.Object.getPrototypeOf(js.self)))\n"
        "    js.Object.getOwnPropertyDescriptor(up, 'fetch').value.call(js.self, '/healthz')\n"
        "    return 0\n"
    )
    coder.page.evaluate("fetch('/course').then((answer) => answer.text())")  # by then any other has gone out
    assert [request.url for request in requests if request.url.endswith("/course")]
    assert [request.url for request in requests if "healthz" in request.url] == []


def test_nothing_is_loaded_before_it_runs(visit: Visit) -> None:
    page, requests = visit(), list[Request]()
    page.on("request", into(requests))
    page.goto(DCG, wait_until="networkidle")
    paths = [urlsplit(request.url).path for request in requests]
    assert any("40-exercise" in path for path in paths)
    assert [path for path in paths if "micropython" in path or "worker" in path] == []
    page.get_by_role("button", name="运行").click()
    expect(page.locator(".code-said .bubble:not([hidden])")).to_be_visible()
    paths = [urlsplit(request.url).path for request in requests]
    assert sum("micropython" in path for path in paths) == 2


def test_when_the_interpreter_does_not_come_it_is_said(coder: Coder, watch: Watch) -> None:
    watch.announce("ERR_FAILED")
    coder.page.route("**/*.wasm", lambda route: route.abort())
    coder.open("code-dcg")
    coder.try_out("x = 1")
    expect(coder.said).to_contain_text("没能请来Python")
    expect(coder.area).to_have_value("x = 1")
    coder.page.unroute("**/*.wasm")
    coder.try_out(coder.course.code_exercises["code-dcg"].solution)
    expect(coder.said).to_contain_text("全通过")


def test_the_editor_indents_and_lets_go(coder: Coder) -> None:
    """Enter keeps the indentation, Tab makes one, Backspace takes one; Esc and then Tab leaves."""
    page = coder.page
    coder.open("code-gain")
    coder.area.fill("")
    coder.area.focus()
    page.keyboard.type("def gain(grade, kind):")
    page.keyboard.press("Enter")
    page.keyboard.type("if grade:")
    page.keyboard.press("Enter")
    page.keyboard.type("x = 1")
    page.keyboard.press("Enter")
    page.keyboard.press("Backspace")
    page.keyboard.type("return 0")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("y")
    code = "def gain(grade, kind):\n    if grade:\n        x = 1\n    return 0\n        y"
    expect(coder.area).to_have_value(code)
    expect(page.locator(".code-gutter li")).to_have_count(5)
    page.keyboard.press("Control+a")
    page.keyboard.press("Tab")
    expect(coder.area).to_have_value("\n".join("    " + line for line in code.split("\n")))
    page.keyboard.press("Control+z")
    expect(coder.area).to_have_value(code)
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(coder.button("运行")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(coder.area).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(coder.area).not_to_be_focused()


def test_the_keyboard_is_enough(coder: Coder) -> None:
    """Ctrl and Enter runs from within; the ways out are told beside the editor."""
    page = coder.page
    coder.open("code-dcg")
    attribute = coder.area.get_attribute("aria-describedby")
    expect(page.locator(f"#{attribute}")).to_contain_text("先按Esc，再按Tab")
    coder.area.fill(coder.course.code_exercises["code-dcg"].solution)
    coder.area.focus()
    page.keyboard.press("Control+Enter")
    expect(coder.said).to_contain_text("全通过")
    expect(coder.area).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(coder.said).to_contain_text("全通过")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(coder.area).to_have_value(coder.course.code_exercises["code-dcg"].starter.rstrip("\n"))


COMPOSED = """area => area.dispatchEvent(
  new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, bubbles: true, cancelable: true})
)"""


def test_the_key_that_ends_a_chinese_word_begins_no_line(coder: Coder) -> None:
    """Safari ends the word first, and then tells of the key."""
    coder.open("code-gain")
    coder.area.fill("糖")
    coder.area.evaluate(COMPOSED)
    expect(coder.area).to_have_value("糖")


def test_a_draft_survives_a_reload_and_goes_with_who_leaves(coder: Coder) -> None:
    page = coder.page
    coder.go("/lessons/concepts/which-is-better")
    coder.next_step()
    coder.open("code-gain")
    starter = coder.area.input_value()
    coder.area.fill("x = '我的糖'\n\n")
    page.reload()
    expect(coder.area).to_have_value("x = '我的糖'\n\n")
    expect(page.locator(".code-gutter li")).to_have_count(4 - 1)
    coder.open("code-dcg")
    expect(coder.area).to_have_value(coder.course.code_exercises["code-dcg"].starter.rstrip("\n"))
    coder.leave_browser()
    coder.open("code-gain")
    expect(coder.area).to_have_value(starter)


def test_a_draft_is_no_longer_there_when_its_tab_was_closed(coder: Coder) -> None:
    coder.open("code-gain")
    starter = coder.area.input_value()
    coder.area.fill("x = '我的糖'")
    next_one = Coder(coder.page.context.new_page(), coder.course)
    coder.page.close()
    next_one.open("code-gain")
    expect(next_one.area).to_have_value(starter)


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_draft_of_an_account_outlives_its_tab_where_nobody_shares_the_device(
    coder: Coder, is_shared: bool
) -> None:
    login, draft = posted_account(coder.page), "x = '我的糖'"
    if is_shared:
        coder.go("/sign-in")
        coder.page.get_by_label("这是公用电脑").check()
        send_account(coder.page, login, "登录")
    coder.open("code-gain")
    starter = coder.area.input_value()
    coder.area.fill(draft)
    next_tab = Coder(coder.page.context.new_page(), coder.course)
    coder.page.close()
    next_tab.open("code-gain")
    expect(next_tab.area).to_have_value(starter if is_shared else draft)
    next_tab.area.fill(draft)
    next_tab.press(next_tab.button("退出登录"))
    next_tab.go("/sign-in")
    send_account(next_tab.page, login, "登录")
    next_tab.open("code-gain")
    expect(next_tab.area).to_have_value(starter)


def test_a_draft_of_before_is_taken_over_by_the_first_tab_and_goes_with_who_leaves(coder: Coder) -> None:
    """It was kept for all tabs, and for longer."""
    coder.go("/lessons/concepts/which-is-better")
    coder.next_step()
    coder.page.evaluate("for (const name of ['gain', 'dcg']) localStorage[`tangxu-code:code-${name}`] = name")
    coder.open("code-gain")
    expect(coder.area).to_have_value("gain")
    assert coder.page.evaluate("Object.keys(localStorage)") == ["tangxu-code:code-dcg"]
    coder.leave_browser()
    coder.page.wait_for_function("!('tangxu-code:code-dcg' in localStorage)")


@pytest.mark.parametrize(
    "path", ["/code", DCG, pytest.param("/code/code-mend-article", marks=pytest.mark.long)]
)
def test_an_exercise_fits_a_phone_and_is_accessible(coder: Coder, path: str) -> None:
    """Before and after a run with an error in it, in light and dark, with all its details open."""
    page = coder.page
    coder.go(path)
    if path != "/code":
        expect(page.locator(".code-exercise.awake")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for is_after_run in (False,) if path == "/code" else (False, True):
        if is_after_run:
            coder.try_out(WIDE)
        page.emulate_media(color_scheme="light")
        fits(page)
        assert axe(page) == []
        page.emulate_media(color_scheme="dark")
        assert axe(page, "color-contrast") == []
        page.set_viewport_size({"width": 320, "height": 640})
        fits(page)
        page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(eyes.MOVING) == []


def test_without_a_script_everything_is_there_to_read(visit: Visit, course: Course) -> None:
    page = visit(java_script_enabled=False)
    page.goto(DCG)
    expect(page.locator("textarea")).to_have_value(course.code_exercises["code-dcg"].starter.rstrip("\n"))
    expect(page.get_by_role("button", name="运行")).to_be_hidden()
    expect(page.locator(".code-asleep")).to_contain_text("在自己电脑上跑")
    page.get_by_text("参考写法").click()
    expect(page.locator(".code-solution")).to_contain_text("enumerate(grades, start=1)")
    expect(page.locator(".code-usual")).to_be_hidden()


def test_an_exercise_that_comes_with_the_next_step_wakes_too(coder: Coder) -> None:
    """As 下一步 brings it: a fragment that htmx puts below the steps."""
    coder.go("/lessons/concepts/which-is-better")
    arguments = "{target: '#dialogue', swap: 'beforeend', select: '.code-exercise'}"
    coder.page.evaluate(f"() => {{ htmx.ajax('GET', '/code/code-gain', {arguments}); }}")
    expect(coder.page.locator(".dialogue .code-exercise.awake")).to_be_visible()
    coder.try_out(coder.course.code_exercises["code-gain"].solution)
    expect(coder.said).to_contain_text("全通过")
    fits(coder.page)
