"""起点测试: six questions one after another, and then where to begin, and why."""

import pytest

from app.course import Course
from tests.web.cast import Ledger, Reader, right_answer, wrong_answer


def walk(guest: Reader, course: Course, *answers: str) -> str:
    """Answer (right, wrong) or skip (-) each question in its turn; what the last page says."""
    page = guest.open("/placement")
    for number, (entry, answer) in enumerate(zip(course.placement, answers, strict=True), 1):
        assert f"第{number}题，共6题" in page.text
        item = course.items[entry.item]
        if answer != "-":
            page = guest.answer(item.id, *(right_answer if answer == "right" else wrong_answer)(item))
            assert page.path == f"/placement?step={number}"
        page = guest.open(f"/placement?step={number + 1}")
    return page.main.text


RIGHT, WRONG, SKIPPED = "right", "wrong", "-"


def test_the_home_page_offers_it_to_newcomers(guest: Reader) -> None:
    assert guest.open("/").main.all("a", href="/placement")


def test_who_answered_it_and_comes_to_the_home_page_again_is_led_to_the_recommendation(
    guest: Reader, course: Course
) -> None:
    words = "答过了，推荐也在那里"
    assert words not in guest.open("/").text
    walk(guest, course, *[RIGHT] * 3, *[WRONG] * 3)
    assert words in guest.open("/").text
    assert "推荐你从" in guest.open("/placement").text


def test_who_has_begun_is_offered_to_go_on_instead(guest: Reader) -> None:
    guest.open("/lessons/concepts/which-is-better")
    guest.go_on()
    assert not guest.open("/").main.all("a", href="/placement")


@pytest.mark.parametrize(
    ("answers", "stage", "because"),
    [
        (
            [RIGHT, WRONG, RIGHT, RIGHT, RIGHT, RIGHT],
            "数学定义",
            "第一处停下来的是“一项的值”：这一题差了一点",
        ),
        ([RIGHT, RIGHT, SKIPPED, WRONG, WRONG, WRONG], "举例练习", "这一题你跳过了"),
        ([RIGHT, RIGHT, RIGHT, RIGHT, WRONG, RIGHT], "应用场景", "前面的题你都答对了"),
        ([WRONG, RIGHT, RIGHT, RIGHT, RIGHT, RIGHT], "概念与动机", "后面也有你答对的"),
        ([SKIPPED] * 6, "概念与动机", "从头走最省力"),
    ],
)
def test_it_recommends_the_stage_of_the_first_question_that_was_missed(
    guest: Reader, course: Course, answers: list[str], stage: str, because: str
) -> None:
    text = walk(guest, course, *answers)
    assert f"推荐你从《{stage}》开始" in text
    assert because in text
    assert f"答对{answers.count(RIGHT)}题，共6题" in text


def test_all_right_leads_beyond_the_last_question(guest: Reader, course: Course) -> None:
    text = walk(guest, course, *[RIGHT] * 6)
    stages = [course.stage(entry.stage) for entry in course.placement]
    last = max(stage.number for stage in stages if stage)
    beyond = course.stages[last]
    assert f"推荐你从《{beyond.title}》开始" in text
    assert "都难不住你" in text


def test_the_recommended_stage_can_be_begun_at_once(guest: Reader, course: Course) -> None:
    walk(guest, course, RIGHT, WRONG, RIGHT, RIGHT, RIGHT, RIGHT)
    link = guest.page.main.one("a", class_="primary")
    assert guest.open(link["href"]).main.all("ol", class_="dialogue")


def test_answers_are_kept_as_one_attempt_that_counts_for_nothing(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    walk(guest, course, RIGHT, WRONG, SKIPPED, RIGHT, SKIPPED, SKIPPED)
    assert ledger.rows("SELECT source, ref FROM attempt") == [("practice", "content:placement")]
    assert ledger.rows("SELECT verdict FROM response ORDER BY id") == [("right",), ("wrong",), ("right",)]
    assert "一次就对 0 题" in guest.open("/progress").text
    assert "起点测试" in guest.open("/attempts/1").text


def test_what_is_right_earns_sugar_and_nothing_promises_otherwise(guest: Reader, course: Course) -> None:
    assert "不计分" not in guest.open("/placement").main.text
    walk(guest, course, RIGHT, WRONG, SKIPPED, SKIPPED, SKIPPED, SKIPPED)
    assert "攒了3颗糖" in guest.open("/practice").main.text


def test_who_wants_to_know_again_where_they_stand_is_led_to_the_map(guest: Reader, course: Course) -> None:
    walk(guest, course, *[RIGHT] * 6)
    assert "只问一次" in guest.page.main.text
    assert guest.page.main.all("a", href="/practice/map")


def test_it_goes_on_at_the_first_open_question(guest: Reader, course: Course) -> None:
    first = course.items[course.placement[0].item]
    guest.open("/placement")
    guest.answer(first.id, *right_answer(first))
    assert "第2题，共6题" in guest.open("/placement").text


def test_who_left_a_question_out_comes_back_to_it_and_is_one_link_from_the_recommendation(
    guest: Reader, course: Course
) -> None:
    advice_url = f"/placement?step={len(course.placement) + 1}"
    assert not guest.open("/placement").main.all("a", href=advice_url), "nothing to go by yet"
    walk(guest, course, RIGHT, SKIPPED, RIGHT, WRONG, SKIPPED, SKIPPED)
    page = guest.open("/placement")
    assert "第2题，共6题" in page.text
    assert "看看推荐" in page.main.one("a", href=advice_url).text
    assert "推荐你从《数学定义》开始" in guest.open(advice_url).main.text
    last_question = guest.open(f"/placement?step={len(course.placement)}").main
    assert [link.text for link in last_question.all("a", href=advice_url)] == ["跳过 这一题", "看看推荐"]


def test_a_question_is_asked_once_and_explained(guest: Reader, course: Course) -> None:
    first = course.items[course.placement[0].item]
    guest.open("/placement")
    page = guest.answer(first.id, *wrong_answer(first))
    assert not page.item(first.id).all("form", class_="answer")
    assert "为什么" in page.item(first.id).text
    assert "猜错不算错" in page.item(first.id).text


def test_the_fragment_is_part_of_the_page(guest: Reader, course: Course) -> None:
    first = course.items[course.placement[0].item]
    guest.open("/placement?step=1")
    fragment = guest.answer(first.id, *right_answer(first), htmx=True)
    assert guest.open("/placement?step=1").item(first.id).html == fragment.item(first.id).html


def test_looking_leaves_no_trace(guest: Reader, ledger: Ledger) -> None:
    for step in range(1, 8):
        guest.open(f"/placement?step={step}")
    assert ledger.count("learner") == ledger.count("attempt") == 0


def test_nothing_else_is_posted_there(guest: Reader) -> None:
    assert guest.post("/placement/elsewhere/responses", [("item", "which"), ("try", "1")]).status_code == 404
