"""Whoever puts a dressed row into a wrong order is shown how its scene grades."""

from app.course import Course
from app.course.items.kinds import Order
from tests.web.cast import Reader

SEED = 7


def test_a_wrong_order_is_told_the_ladder_of_its_scene_and_a_right_one_is_not(
    guest: Reader, course: Course
) -> None:
    name = "practice-ideal-order-1"
    item = course.variant(name, SEED)
    assert isinstance(item, Order)
    [scene] = [scene for scene in course.scenes.values() if scene.query == item.query]
    assert scene.ladder
    url = f"/practice/ideal-order?level=1&seed={SEED}"
    as_it_stands = [document.id for document in item.documents]
    best = sorted(item.documents, key=lambda document: -document.grade)
    assert scene.ladder not in guest.open(url).main.text
    assert scene.ladder in guest.answer(name, *as_it_stands).main.text
    assert scene.ladder not in guest.answer(name, *[document.id for document in best]).main.text


def test_every_scene_of_the_course_has_its_ladder(course: Course) -> None:
    for scene in course.scenes.values():
        assert scene.ladder
        assert [f"{grade}分：" in scene.ladder for grade in (4, 3, 2, 1)] == [True] * 4
