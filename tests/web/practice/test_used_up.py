"""A skill whose questions are used up for today says so where one is asked for, and leads to its lesson."""

from app.course import Course
from tests.web.cast import Ledger, Page, Reader, right_answer
from tests.web.learning.nights import sleep
from tests.web.pages import Element

SKILL_ID = "no-gradient"
NEXT_URL = f"/practice/next?point={SKILL_ID}"
USED_UP_SENTENCE = "这一类今天的题做完了，明天再来一道。"


def answer_all_items(guest: Reader, course: Course) -> None:
    for item_id in course.practised_skills[SKILL_ID].item_ids:
        guest.open(f"/items/{item_id}?seed=7")
        guest.answer(item_id, *right_answer(course.variant(item_id, 7)))


def row_of_skill(page: Page) -> Element:
    return page.by_id(f"point-{SKILL_ID}")


def test_where_no_question_is_left_the_row_says_so_and_offers_the_lesson(
    guest: Reader, course: Course
) -> None:
    answer_all_items(guest, course)
    page = guest.open(NEXT_URL)
    row = row_of_skill(page)
    assert USED_UP_SENTENCE in row.text
    stage, section = course.section_by_skill_id[SKILL_ID]
    assert row.all("a")[-1]["href"] == f"/lessons/{stage.id}/{section.id}"
    assert NEXT_URL not in {link["href"] for link in row.all("a")}
    assert page.text.count(USED_UP_SENTENCE) == 1


def test_the_row_says_nothing_while_a_question_is_left(guest: Reader, course: Course) -> None:
    page = guest.open(f"/practice/map?point={SKILL_ID}")
    assert USED_UP_SENTENCE not in page.text
    assert NEXT_URL in {link["href"] for link in row_of_skill(page).all("a")}


def test_the_next_day_there_is_a_question_again(guest: Reader, course: Course, ledger: Ledger) -> None:
    answer_all_items(guest, course)
    sleep(ledger)
    assert guest.open(NEXT_URL).path.startswith("/items/")


def test_an_unknown_point_is_no_fault_of_the_map(guest: Reader) -> None:
    assert USED_UP_SENTENCE not in guest.open("/practice/map?point=nothing").text
