"""错题本 shows an order as it was sent, and of several options each on a line of its own."""

from app.course import Course
from app.course.items.kinds import MultipleChoice, Order
from tests.web.cast import Reader, wrong_answer


def test_an_order_is_shown_as_it_was_sent(guest: Reader, course: Course) -> None:
    item_id = next(item.id for item in course.items.values() if isinstance(item, Order))
    item = course.variant(item_id, 7)
    assert isinstance(item, Order)
    text_by_id = {document.id: document.text for document in item.documents}
    guest.open(f"/items/{item_id}?seed=7")
    guest.answer(item_id, *wrong_answer(item))
    sent_titles = [text_by_id[document_id] for document_id in wrong_answer(item)]
    assert f"你答的：{' → '.join(sent_titles)}" in guest.open("/mistakes").text


def test_of_several_options_each_has_its_line_and_what_is_said_to_it(guest: Reader, course: Course) -> None:
    item_id = next(
        item_id
        for skill in course.practised_skills.values()
        for item_id in skill.item_ids
        if isinstance(course.items[item_id], MultipleChoice)
    )
    item = course.variant(item_id, 7)
    guest.open(f"/items/{item_id}?seed=7")
    all_option_ids = [choice.id for choice in item.choices]
    guest.answer(item_id, *all_option_ids)
    was = guest.open("/mistakes").main.one("div", class_="was")
    assert len(was.all("li")) == len(all_option_ids)
    assert all(option_line.all("div", class_="note") for option_line in was.all("li"))


def test_the_cells_of_a_table_are_shown_under_their_names(guest: Reader, course: Course) -> None:
    guest.open("/practice/steps-dcg?level=1&seed=9")
    guest.answer("practice-steps-dcg-1", *wrong_answer(course.variant("practice-steps-dcg-1", 9)))
    [sentence] = guest.open("/mistakes").main.all("p", class_="was")
    assert sentence.text.startswith("你答的：")
    assert "：" in sentence.text.removeprefix("你答的：")
