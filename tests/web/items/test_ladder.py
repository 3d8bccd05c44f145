"""Whoever puts a dressed row into a wrong order is shown how its scene grades."""

from dataclasses import replace

from app.course import Course
from app.course.exercises.scenes import Scene
from app.course.items.kinds import Order
from app.web.items.feedback import ladder_texts
from app.web.items.kinds import ItemMoment
from tests.web.cast import Reader

SEED = 7


class WalkedScenes(dict[str, Scene]):
    """Scenes that count how often somebody walks through all of them."""

    walks = 0

    def __getattribute__(self, name: str) -> object:
        if name == "values":
            self.walks += 1
        return super().__getattribute__(name)


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


def test_who_is_to_judge_by_a_ladder_reads_it_before_and_not_again(guest: Reader, course: Course) -> None:
    """大理住宿 above 大理带娃, or below it? Only the ladder says which of them is sweeter."""
    name = "practice-ideal-order-v2-1"
    item = course.variant(name, SEED)
    assert isinstance(item, Order)
    [scene] = [scene for scene in course.scenes.values() if scene.query == item.query]
    question = guest.open(f"/practice/ideal-order-v2?level=1&seed={SEED}").main.text
    rungs = [*(scene.ladder or "").split("；"), "0分：不沾边"]
    assert all(rung in question for rung in rungs)
    upside_down = sorted(item.documents, key=lambda document: document.grade)
    answered = guest.answer(name, *[document.id for document in upside_down]).main.text
    assert "甜度是这样打的" not in answered


def test_the_scenes_are_walked_through_once(course: Course) -> None:
    scenes = WalkedScenes(course.scenes)
    walked = replace(course, scenes=scenes)
    for seed in range(6):
        item = walked.variant("practice-ideal-order-1", seed)
        assert isinstance(item, Order)
        [words] = ladder_texts(ItemMoment(walked, item, (), "open", None))
        assert walked.ladder_by_scene_query[item.query or ""] in words
    assert scenes.walks == 1


def test_every_scene_of_the_course_has_its_ladder(course: Course) -> None:
    for scene in course.scenes.values():
        assert scene.ladder
        assert [f"{grade}分：" in scene.ladder for grade in (4, 3, 2, 1)] == [True] * 4
