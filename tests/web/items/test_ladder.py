"""Whoever is to put a dressed row into order is shown how its scene grades."""

from dataclasses import replace

import pytest

from app.course import Course
from app.course.exercises.scenes import Scene
from app.course.items.kinds import Order
from app.web.items.feedback import ladder_sentences
from app.web.items.kinds import ItemWithAnswers
from tests.web.cast import Reader

SEED = 7


class WalkedScenes(dict[str, Scene]):
    """Scenes that count how often somebody walks through all of them."""

    walks = 0

    def __getattribute__(self, name: str) -> object:
        if name == "values":
            self.walks += 1
        return super().__getattribute__(name)


@pytest.mark.parametrize("exercise", ["ideal-order", "ideal-order-v2"])
def test_who_is_to_judge_by_a_ladder_reads_it_before_and_not_again(
    guest: Reader, course: Course, exercise: str
) -> None:
    """大理住宿 above 大理带娃, or below it? Only the ladder says which of them is sweeter.

    The older exercise is still asked: by a quiz, and by what was assigned.
    """
    name = f"practice-{exercise}-1"
    item = course.variant(name, SEED)
    assert isinstance(item, Order)
    [scene] = [scene for scene in course.scenes.values() if scene.query == item.query]
    question = guest.open(f"/practice/{exercise}?level=1&seed={SEED}").main.text
    rungs = [*(scene.ladder or "").split("；"), "0分：不沾边"]
    assert all(rung in question for rung in rungs)
    upside_down = sorted(item.documents, key=lambda document: document.grade)
    answered = guest.answer(name, *[document.id for document in upside_down]).main.text
    assert "甜度是这样打的" not in answered


def test_an_order_asked_without_its_ladder_is_told_it_from_scenes_walked_once(course: Course) -> None:
    scenes = WalkedScenes(course.scenes)
    walked = replace(course, scenes=scenes)
    for seed in range(6):
        item = walked.variant("practice-ideal-order-1", seed)
        assert isinstance(item, Order)
        bare_item = item.model_copy(update={"stem": "把这几条排成理想排序。"})
        [words] = ladder_sentences(ItemWithAnswers(walked, bare_item, (), "open", None))
        assert walked.ladder_by_scene_query[item.query or ""] in words
    assert scenes.walks == 1


def test_every_scene_of_the_course_has_its_ladder(course: Course) -> None:
    for scene in course.scenes.values():
        assert scene.ladder
        assert [f"{grade}分：" in scene.ladder for grade in (4, 3, 2, 1)] == [True] * 4
