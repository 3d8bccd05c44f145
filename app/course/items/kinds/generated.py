"""出题器出的题: names an exercise instead of a fixed list, so that every learner gets a list of their own."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from app.course.items.kinds.base import TypedItem
from app.course.items.kinds.form_fields import ChoiceField
from app.course.text.model_base import Id, Text

UNKNOWN_SKILL_ID = "unknown"
"""The knowledge point of an item whose exercise is not there; the exercise gives its own."""

Level = Annotated[int, Field(ge=1, le=3)]


class Generated(TypedItem):
    """An exercise at a level. What is asked, marked and frozen is the variant that a seed makes of it."""

    KIND_WORD = "出题器"
    IS_IN_OTHER_PROGRAMS = False
    FORM = (
        ChoiceField("exercise", "练什么", "每人自己的数", suggestion_list_name="exercises"),
        ChoiceField("level", "难度", choices={"1": "易", "2": "中", "3": "难"}),
    )
    kind: Literal["generated"]
    exercise: Id
    level: Level
    skill: Id = UNKNOWN_SKILL_ID
    stem: Text = "由出题器出题。"

    @classmethod
    def name_by_form_template(cls) -> Mapping[str, str]:
        return {cls.kind_name(): "出题器的题"}
