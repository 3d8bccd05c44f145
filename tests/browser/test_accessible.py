"""What WCAG asks for and axe does not measure: words in their order, sizes, edges, spacing, reflow."""

import pytest
from playwright.sync_api import Page, expect

from app.course import Course
from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.looking import fits, in_the_long_run
from tests.browser.scenes import Cookies

ASKING = "/lessons/concepts/which-is-better"
NUMBER = "/lessons/definitions/dcg-by-hand?step=2"
REVEAL = "/examples/chengdu-food"
PAGES = [ASKING, REVEAL, "/progress", *map(in_the_long_run, ("/", NUMBER, "/practice", "/cards"))]


def test_a_question_is_told_in_words(visit: Visit, course: Course) -> None:
    """Stem, options, answer in this order; after the answer, right and wrong in words."""
    learner = Learner(visit(), course)
    learner.go(ASKING)
    expect(learner.item("two-systems-probe")).to_match_aria_snapshot("""
    - group /你家猫滚了一身泥/:
      - paragraph: 先猜一猜，猜错不算错
      - radiogroup /你家猫滚了一身泥/:
        - radio "系统A：3、2、1、0"
        - radio "系统B：0、3、2、1"
        - radio /一样好/
        - radio "说不准"
      - paragraph:
        - button "我猜这个"
    """)
    learner.answer("two-systems-probe", ["b"], "ended")
    expect(learner.item("two-systems-probe").locator(".option.right")).to_contain_text("✓ 对")
    expect(learner.item("two-systems-probe").locator(".option.chosen")).to_contain_text("你猜的")


WALK = (
    """
    - listitem:
      - figure "系统A":
        - list:
          - listitem: 甜度 3
      - figure "系统B"
      - group /你家猫滚了一身泥/:
        - radiogroup /你愿意用哪个/:
          - radio "系统A：3、2、1、0"
          - radio "系统B：0、3、2、1"
        - paragraph:
          - button "我猜这个"
      - group: 这一步还能
    """,
    """
    - listitem:
      - group /你觉得最要紧的理由/:
        - radiogroup /你觉得最要紧的理由/:
          - radio /靠前/
        - paragraph:
          - button "我猜这个"
    """,
    """
    - listitem:
      - paragraph
      - paragraph:
        - strong:
          - link "先后":
            - /url: /glossary#rank
      - group: 换个说法
      - group: 这一步还能
    """,
    """
    - listitem:
      - article /系统B/:
        - heading /系统B/ [level=2]
        - figure "系统的顺序":
          - list:
            - listitem /狗狗沐浴露/: 甜度 0
        - paragraph: DCG 0.00
        - paragraph:
          - button "翻开第1项"
        - table "DCG：把每一项加起来":
          - rowgroup:
            - row:
              - columnheader "名次"
              - columnheader "文档"
    """,
    """
    - listitem:
      - group /把下面5家排成最甜的顺序/:
        - list "现在的顺序，第1位在最上面":
          - listitem:
            - button /往前移一位/ [disabled]
            - button /往后移一位/
        - paragraph:
          - button "回答"
          - button /提示/
    """,
    """
    - listitem:
      - article "一排能动的糖":
        - heading "一排能动的糖" [level=2]
        - group /先猜/:
          - radio "1步"
        - list "这一排糖，从第1位起":
          - listitem:
            - text: 甜度 0
            - button "第1位，甜度0：往前一位" [disabled]
            - button "第1位，甜度0：往后一位"
        - paragraph: /一共还剩/
        - paragraph:
          - button "好了"
          - button "从头来"
    """,
)
"""The first section of the first stage, step by step: names and roles of what one meets, in their order."""


def test_a_walk_through_the_first_section_is_told_in_order(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    learner.go(ASKING)
    for number, sentence in enumerate(WALK, start=1):
        expect(learner.steps()).to_have_count(number)
        expect(learner.steps().last).to_match_aria_snapshot(sentence)
        learner.page.locator(".next [data-next]").click()
    expect(learner.page.locator(".moves")).to_match_aria_snapshot("""
    - heading "这一节完了" [level=2]
    - figure /罐子里/:
      - img /罐子里/
    - paragraph:
      - link "接着学"
    """)


def test_a_reveal_is_told_in_words(visit: Visit) -> None:
    page = visit()
    page.goto(REVEAL)
    page.locator(".opening button.primary").click()
    expect(page.locator(".bubble")).to_be_focused()
    expect(page.locator(".reveal")).to_match_aria_snapshot("""
    - list "分几步走":
      - listitem: DCG
    - figure "系统的顺序":
      - list:
        - listitem "成都火锅大全": 甜度 4
    - paragraph: DCG 4.00
    - paragraph: 第1位 成都火锅大全 4 ÷ 1 = 4.00
    - group /第2位/:
      - button "0.63"
      - button "0.50"
      - button "1.00"
    - button "直接看"
    """)


@pytest.mark.parametrize("path", PAGES)
def test_targets_are_as_large_as_a_fingertip(visit: Visit, busy: Cookies, path: str) -> None:
    """24 px at least, links within a sentence apart."""
    page = visit(storage_state=busy)
    page.goto(path)
    assert page.evaluate(eyes.SMALL_TARGETS) == []


@pytest.mark.parametrize("path", PAGES)
def test_pages_reflow_at_400_percent(visit: Visit, busy: Cookies, path: str) -> None:
    """A window of 1280 × 1024, enlarged four times."""
    page = visit(storage_state=busy, viewport={"width": 320, "height": 256})
    page.goto(path)
    fits(page)


@pytest.mark.parametrize("path", [ASKING, NUMBER, REVEAL])
def test_wider_spacing_loses_nothing(visit: Visit, path: str) -> None:
    page = visit()
    page.goto(path)
    page.evaluate("""() => document.querySelectorAll('body *').forEach((one) => {
      one.style.lineHeight = '1.5';
      one.style.letterSpacing = '.12em';
      one.style.wordSpacing = '.16em';
    })""")
    fits(page)
    assert page.evaluate(eyes.UNREACHABLE) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_rings_and_edges_stand_out(visit: Visit, scheme: str) -> None:
    """Three to one against what lies around: ring, edge of buttons and fields."""
    page = visit(color_scheme=scheme)
    page.goto(NUMBER)
    for front in ("--ring", "--edge", "--berry"):
        for back in ("--paper", "--surface"):
            assert contrast(page, front, back) >= 3, (front, back)


def contrast(page: Page, front: str, back: str) -> float:
    """By the formula of WCAG, from two tokens as the browser computes them."""
    values = [luminance(page, name) for name in (front, back)]
    return (max(values) + 0.05) / (min(values) + 0.05)


def luminance(page: Page, token: str) -> float:
    colour = page.evaluate("name => getComputedStyle(document.documentElement).getPropertyValue(name)", token)
    digits = colour.strip().removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("path", ["/cards", "/play?row=2-1-2", "/lessons/concepts/sweetness?step=play-swap"])
def test_no_two_buttons_are_called_alike(visit: Visit, path: str) -> None:
    """Who hears them in a list hears which set, and which candy; also after one has moved."""
    page = visit()
    page.goto(path)
    for arrow in page.locator(".awake .toy-move.on").all()[:1]:
        arrow.click()
    buttons = page.locator("main").get_by_role("button")
    names = [button.aria_snapshot() for button in buttons.all()]
    assert len(names) > 5
    assert sorted(names) == sorted(set(names))
