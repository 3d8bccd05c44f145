"""The kinds of steps of a lesson.

A new kind: copy a neighbour and name it in `AnyStep`; `app/web/learning/step_views.py` presents it, with a
template.
"""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from app.course.learning.figures import draw_differences
from app.course.learning.figures.shuffles import MOST_QUERIES
from app.course.learning.labs.lambdarank import LabSetting
from app.course.learning.labs.workbench import WorkbenchStart
from app.course.learning.reveal_sequence import GuessStyle
from app.course.learning.toys.setting import ToySetting
from app.course.learning.toys.tasks import Handle, Prediction, Task, judge, solving_setting
from app.course.text.model_base import ContentPart, Id, Literals, Text

REFERENCE_FIELDS = ("item", "example", "exercise")
"""Fields of steps that name something else of the course."""
MOST_CANDIES = 6
Until = Literal["dcg", "ratio"]
"""How far an example is opened where it stands: `dcg` stops before the ideal order."""


class Step(ContentPart):
    """One step of a lesson. A kind is a subclass, with a template of its name in templates/learning/steps.

    `KIND_WORD`: what a bookmark calls the kind. `was`: ids of steps that are gone, in whose place it stands:
    their links and places lead to it.
    """

    KIND_WORD: ClassVar[str] = ""
    id: Id
    was: list[Id] = Field(default=[], max_length=6)
    literal: Literals = Field(default_factory=dict)

    @property
    def has_action(self) -> bool:
        """Whether the learner does something in it."""
        return False

    @property
    def asked_item_id(self) -> str | None:
        """The item that it asks, if it asks one."""
        return None

    def target_id_by_field(self) -> dict[str, str]:
        """What it needs: the field (one of `REFERENCE_FIELDS`) → the id in it."""
        target_id_by_field = {}
        for field_name in REFERENCE_FIELDS:
            target_id = getattr(self, field_name, None)
            if target_id is not None:
                target_id_by_field[field_name] = target_id
        return target_id_by_field


class ActiveStep(Step):
    """A step in which the learner does something."""

    @property
    def has_action(self) -> bool:
        return True


class Say(Step):
    """Words of the tutor; `another_way` is 换个说法.

    `cited`: the papers and manuals that the words rest on, each with author, year, venue, and what was read.
    """

    KIND_WORD = "讲一讲"
    kind: Literal["say"]
    tone: Literal["plain", "analogy", "joke", "verse", "idea"] = "plain"
    text: Text
    another_way: Text | None = None
    source: str | None = None
    cited: str | None = None

    @model_validator(mode="after")
    def _an_idea_names_its_source(self) -> Self:
        if (self.tone == "idea") != (self.source is not None):
            raise ValueError("tone: idea要写source（出处），别的tone不写")
        return self


class Ask(ActiveStep):
    """A question; a probe asks before teaching and is never scored. `rows`: examples drawn above it."""

    KIND_WORD = "一道题"
    kind: Literal["ask"]
    item: Id
    probe: bool = False
    rows: list[Id] = Field(default=[], max_length=2)

    @property
    def asked_item_id(self) -> str:
        return self.item


class ExampleStep(ActiveStep):
    """`guess` is how the learner guesses before opening; `until: dcg` stops before the ideal order."""

    KIND_WORD = "翻开一道例题"
    kind: Literal["example"]
    example: Id
    guess: GuessStyle = "compare"
    until: Until = "ratio"


class Figure(Step):
    """Which drawing, of which example."""

    KIND_WORD = "一张图"
    kind: Literal["figure"]
    figure: Literal[
        "contributions", "discount_curve", "candy_row", "range", "stairs", "s_curve", "click_models"
    ]
    example: Id | None = None
    caption: Text | None = None


class DifferencesFigure(Step):
    """Which drawing, of which differences: new minus old, query by query."""

    KIND_WORD = "一张图"
    kind: Literal["figure"]
    figure: Literal["differences", "shuffles"]
    differences: list[float] = Field(min_length=2, max_length=20)
    caption: Text | None = None

    @model_validator(mode="after")
    def _can_be_drawn(self) -> Self:
        if self.figure == "shuffles" and len(self.differences) > MOST_QUERIES:
            raise ValueError(f"图shuffles最多画{MOST_QUERIES}个查询：再多，点就数不清了")
        draw_differences(self.figure, self.differences)  # raises ValueError for what is no difference
        return self


class CardsStep(ActiveStep):
    """Which cards, in order. Turning one over is the learner's action."""

    KIND_WORD = "闪卡"
    kind: Literal["cards"]
    cards: list[Id] = Field(min_length=1, max_length=6)


class CodeStep(ActiveStep):
    """`exercise` is an id in a `code.yaml`."""

    KIND_WORD = "写代码"
    kind: Literal["code"]
    exercise: Id


class Lab(ActiveStep):
    """`start` is where the lab begins; what a learner changes stands in the address."""

    KIND_WORD = "实验"
    kind: Literal["lab"]
    lab: Literal["lambdarank"]
    start: LabSetting = Field(default_factory=LabSetting)


class WorkbenchLab(ActiveStep):
    """A list on the workbench, without its tools; the page with all of them is one press away."""

    KIND_WORD = "实验"
    kind: Literal["lab"]
    lab: Literal["workbench"]
    start: WorkbenchStart


class GameStep(ActiveStep):
    """Which game. It is played on a page of its own, with a seed in its address."""

    KIND_WORD = "一局游戏"
    kind: Literal["game"]
    game: Literal["duel", "monster", "judging", "interleaving", "pushing"]


class ToyStep(ActiveStep):
    """`start` is where the row begins; what a hand changes stands in the address. `told` comes after 好了."""

    KIND_WORD = "一排能动的糖"
    kind: Literal["play"]
    start: ToySetting
    handles: list[Handle] = Field(min_length=1, max_length=4)
    names: list[Text] | None = Field(default=None, min_length=2, max_length=2)
    guess: Prediction
    task: Task
    told: Text

    @model_validator(mode="after")
    def _can_be_done(self) -> Self:
        handles = frozenset(self.handles)
        if len(self.start.row) > MOST_CANDIES:
            raise ValueError(f"课文里的一排最多{MOST_CANDIES}颗糖：手机上还看得清")
        if self.guess.right > len(self.guess.options):
            raise ValueError("guess.right要是一个选项的号")
        if judge(self.task, self.start, self.start, handles).state == "right":
            raise ValueError("任务一开始就完成了：换一排糖，或换个任务")
        if solving_setting(self.task, self.start, handles) is None:
            raise ValueError("这个任务怎么动都完不成：换一排糖，或多给一个把手（handles）")
        return self


class Recap(Step):
    """Points to keep, a table where things stand side by side, and an item of an earlier place."""

    KIND_WORD = "回头看"
    kind: Literal["recap"]
    points: list[Text] = Field(min_length=1, max_length=6)
    table: Text | None = None
    item: Id | None = None

    @property
    def has_action(self) -> bool:
        return self.item is not None

    @property
    def asked_item_id(self) -> str | None:
        return self.item


AnyLab = Annotated[Lab | WorkbenchLab, Field(discriminator="lab")]
AnyFigure = Annotated[Figure | DifferencesFigure, Field(discriminator="figure")]
AnyStep = Annotated[
    Say | Ask | ExampleStep | AnyFigure | CardsStep | CodeStep | AnyLab | GameStep | ToyStep | Recap,
    Field(discriminator="kind"),
]
