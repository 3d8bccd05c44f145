"""Exercises: what can be practised without end. A seed makes the variant, a scene dresses it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from app import engine
from app.course.exercises import conventions
from app.course.exercises.scenes import Scene, dressed_ranking, scene_of_seed
from app.course.items import rounding
from app.course.items.asked_tables import asked_table
from app.course.items.examples import Ranking
from app.course.items.kinds.base import Item
from app.course.items.kinds.generated import Generated
from app.course.items.kinds.numeric import AskedQuantity, Numeric
from app.course.items.kinds.options import SingleChoice
from app.course.items.kinds.order import Candy, Order
from app.course.items.kinds.steps import Steps
from app.course.items.solutions import quantity_name
from app.course.text.model_base import ContentPart, Id, Text, Title

NAME_BY_LEVEL: Mapping[int, str] = {1: "易", 2: "中", 3: "难"}
LAST_SEED = 999_999_999
"""The largest seed that an address may say; those that come from a secret lie above it."""
CHOICE_GENERATORS = ("which-convention",)
"""The generators of questions to be answered by choosing."""


class Exercise(ContentPart):
    """A kind of question with its hints; the engine's generator of the same name draws the numbers.

    `given`, for kind steps: what the tutor fills at each level. `superseded_by`: the exercise that is offered
    in its place; what was given out before, an assignment, a link or a sheet, keeps this one and its numbers.
    """

    title: Title
    kind: Literal["numeric", "steps", "order", "single"]
    generator: str
    skill: Id
    summary: Text
    ask: Text
    hints: list[Text] = Field(min_length=2, max_length=4)
    minutes: int = Field(default=2, ge=1, le=15)
    given: dict[int, list[str]] = Field(default_factory=dict)
    superseded_by: Id | None = None

    @model_validator(mode="after")
    def _generator_is_there(self) -> Self:
        generator_names = engine.generator_names()
        if self.kind == "single":
            generator_names = CHOICE_GENERATORS
        if self.generator not in generator_names:
            raise ValueError(f"引擎里没有出题器“{self.generator}”；有这些：{'、'.join(generator_names)}")
        return self


def offered_exercises(exercise_by_id: Mapping[str, Exercise]) -> Mapping[str, Exercise]:
    """The exercises that are offered: of several versions the newest."""
    return {
        exercise_id: exercise
        for exercise_id, exercise in exercise_by_id.items()
        if exercise.superseded_by is None
    }


def newest_exercise_id(exercise_by_id: Mapping[str, Exercise], exercise_id: str) -> str:
    """The exercise that is offered in the place of this one: mostly itself."""
    return exercise_by_id[exercise_id].superseded_by or exercise_id


def practice_items(exercise_by_id: Mapping[str, Exercise]) -> Iterator[Generated]:
    """An item for each exercise and level: what the practice pages ask."""
    for exercise_id in exercise_by_id:
        for level in engine.LEVELS:
            item_id = practice_item_id(exercise_id, level)
            yield Generated(kind="generated", id=item_id, exercise=exercise_id, level=level)


def practice_item_id(exercise_id: str, level: int) -> str:
    """The item of an exercise at a level.

    >>> practice_item_id("dcg-at-k", 2)
    'practice-dcg-at-k-2'
    """
    return f"practice-{exercise_id}-{level}"


def make_variant(item: Generated, exercise: Exercise, scene_by_id: Mapping[str, Scene], seed: int) -> Item:
    """The variant of a generated item for a seed: the same one everywhere."""
    if exercise.kind == "single":
        return _choice_item(item, exercise, seed)
    question = engine.generate(exercise.generator, item.level, seed)
    scene = scene_of_seed(scene_by_id, seed, item.exercise)
    if isinstance(question, engine.TableQuestion):
        return _table_item(item, exercise, scene, question)
    ranking = _ranking_in_scene(question, scene, seed)
    value_by_placeholder = {
        "name": quantity_name(question),
        "k": question.k,
        "rank": question.rank,
        "ladder": scene.rungs_markdown,
    }
    item_fields = _shared_fields(item, exercise, value_by_placeholder)
    if exercise.kind == "order":
        return Order.model_validate(item_fields | _order_fields(ranking))
    item_fields |= {"question": AskedQuantity.of(question), "ranking": ranking}
    if exercise.kind == "steps":
        item_fields["given"] = exercise.given.get(item.level, [])
        return Steps.model_validate(item_fields)
    item_fields["decimals"] = rounding.TABLE_DECIMALS
    if question.quantity in rounding.WHOLE_QUANTITIES:
        item_fields["decimals"] = 0
    return Numeric.model_validate(item_fields)


def _choice_item(item: Generated, exercise: Exercise, seed: int) -> SingleChoice:
    """Which library printed a figure, as an item; documents have names, for some rules for ties ask them."""
    convention_question = engine.which_convention(item.level, seed)
    item_fields = _shared_fields(item, exercise, conventions.value_by_placeholder(convention_question))
    item_fields |= conventions.item_fields_of(convention_question, item_fields["stem"], item.id, seed)
    return SingleChoice.model_validate(item_fields)


def _ranking_in_scene(question: engine.Question, scene: Scene, seed: int) -> Ranking:
    whole_grades = _whole_grades(question.grades)
    pool = _whole_grades(question.pool or ())
    return dressed_ranking(scene, whole_grades, pool[len(whole_grades) :], seed)


def _whole_grades(grades: Sequence[float | None]) -> list[int]:
    return [int(grade or 0) for grade in grades]


def _table_item(
    item: Generated, exercise: Exercise, scene: Scene, table_question: engine.TableQuestion
) -> Numeric:
    """The variant of an exercise about a table, which stands in its stem."""
    table = asked_table(table_question)
    value_by_placeholder = {
        "name": quantity_name(table_question),
        "engine": scene.engine,
        "query": scene.query,
        **table.value_by_placeholder,
    }
    item_fields = _shared_fields(item, exercise, value_by_placeholder)
    return Numeric.model_validate(item_fields | {"question": table, "decimals": rounding.TABLE_DECIMALS})


def _shared_fields(
    item: Generated, exercise: Exercise, value_by_placeholder: Mapping[str, object]
) -> dict[str, Any]:
    return {
        "kind": exercise.kind,
        "id": item.id,
        "skill": exercise.skill,
        "stem": exercise.ask.format(**value_by_placeholder),
        "hints": [hint.format(**value_by_placeholder) for hint in exercise.hints],
        "minutes": exercise.minutes,
        "easier": item.easier,
    }


def _order_fields(ranking: Ranking) -> dict[str, Any]:
    candies = []
    for rank, document in enumerate(ranking.documents, 1):
        candies.append(Candy(id=f"d{rank}", text=document.title, grade=document.grade or 0))
    return {"documents": candies, "query": ranking.query}
