"""数值题: a question that the engine answers; the learner may use the 折损表 and write a sum."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from app import engine
from app.course.items import numbers, rounding, share_solutions, solutions
from app.course.items.asked_tables import AnyTable
from app.course.items.examples import Example, Ranking, convention_clauses
from app.course.items.kinds.base import AnswerProof, TypedItem
from app.course.items.kinds.form_fields import (
    ChoiceField,
    FormField,
    NumberField,
    NumbersField,
    item_form,
)
from app.course.items.marks import Mark, right_mark, wrong_mark
from app.course.items.printed_figures import equals_text, rounded_text
from app.course.text.model_base import ContentPart, GainName, Grade, Id, Pool, check_pool


class AskedQuantity(ContentPart):
    """What is asked: grades of its own, or those of an example."""

    quantity: Literal[
        "gain", "discount", "term", "cg", "dcg", "idcg", "ndcg",
        "precision", "recall", "average_precision", "reciprocal_rank", "auc", "err", "rbp",
    ]  # fmt: skip
    example: Id | None = None
    grades: list[Grade | None] | None = None
    k: int | None = Field(default=None, ge=1)
    gain: GainName = "linear"
    pool: Pool | None = None
    rank: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _grades_or_example(self) -> Self:
        if (self.grades is None) == (self.example is None):
            raise ValueError("grades（甜度）和example（例题）要写一个，只写一个")
        if self.grades is not None:
            check_pool(self.pool, self.grades)
            _ = self.engine_question  # raises ValueError for what the engine cannot answer
        return self

    @classmethod
    def of(cls, question: engine.Question) -> Self:
        """What asks a question that the engine has made, and checked."""
        asked_quantity = cls.model_construct(
            quantity=question.quantity,
            grades=list(question.grades),
            k=question.k,
            gain=question.gain,
            pool=question.pool and list(question.pool),
            rank=question.rank,
        )
        # Where `cached_property` keeps it: a private attribute would count where questions are compared.
        asked_quantity.__dict__["engine_question"] = question
        return asked_quantity

    @property
    def listed_grades(self) -> Sequence[Grade | None]:
        """The list that is asked about; ValueError while those of its example are not known."""
        if self.grades is None:
            raise ValueError(f"the grades of the example {self.example} were not looked up")
        # Content and handed out questions of before may have an empty list, and were answered so.
        return self.grades or [0]

    @cached_property
    def engine_question(self) -> engine.Question:
        """What the engine answers, built and validated once; an example must have been resolved."""
        return engine.Question(self.quantity, self.listed_grades, self.k, self.gain, self.pool, self.rank)

    @property
    def clauses(self) -> list[str]:
        """What it takes for granted, with its name in mind: of a whole list that is DCG@4 of four."""
        grades, pool = self.engine_question.grades, self.pool
        list_length = len(grades) if pool is None or len(pool) == len(grades) else None
        return convention_clauses(self.gain, self.k, pool is not None, self.quantity, list_length)

    @property
    def convention_words(self) -> str:
        return "·".join(self.clauses)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other values; the question of the old ones does not go with it."""
        changed_copy = super().model_copy(update=update, deep=deep)
        changed_copy.__dict__.pop("engine_question", None)
        return changed_copy

    def resolved(self, example_by_id: Mapping[str, Example]) -> "AskedQuantity":
        """The question with the grades of its example, and its convention where it states none of its own.

        Raises KeyError for an example that is not there, ValueError where it has no such rank.
        """
        if self.example is None:
            return self
        example = example_by_id[self.example]
        convention_fields = {"k": example.k, "gain": example.gain, "pool": example.pool}
        own_fields = self.model_dump(exclude_unset=True, exclude={"example"})
        return AskedQuantity(**{**convention_fields, **own_fields, "grades": example.grades})


def grade_list_text(grades: Sequence[Grade | None]) -> str:
    """Grades in words.

    >>> grade_list_text([3, None])
    '3、未标注'
    """
    return "、".join("未标注" if grade is None else f"{grade:g}" for grade in grades)


AnyAskedQuestion = Annotated[AskedQuantity | AnyTable, Field(discriminator="quantity")]
"""What is asked of a list of grades, or of a table."""


QUANTITY_CHOICES = {
    "gain": "增益",
    "discount": "折损",
    "term": "一项",
    "cg": "CG",
    "dcg": "DCG",
    "idcg": "IDCG",
    "ndcg": "NDCG",
    **share_solutions.NAME_BY_SHARE,
    "average_precision": "平均精确率AP",
    "reciprocal_rank": "倒数排名RR",
}
"""What can be asked of a list of grades, as a teacher reads it; the abbreviations are spelt out."""


def question_fields(name_by_quantity: Mapping[str, str]) -> tuple[FormField, ...]:
    """What is asked of a list of grades, in a form."""
    return (
        ChoiceField("question.quantity", "问什么", choices=name_by_quantity),
        NumbersField("question.grades", "一列甜度", "系统排出来的顺序，比如3 2 0；未标注的写“未标注”"),
        FormField("question.example", "或者一个例题", "写了甜度就空着", suggestion_list_name="examples"),
        NumberField("question.k", "只看前几位", "空着就是整列"),
        ChoiceField(
            "question.gain", "增益", "没写就是线性", choices={"linear": "线性", "exponential": "指数"}
        ),
        NumbersField("question.pool", "评判池", "打过甜度的全部，空着就是这一列"),
    )


RANK_FIELD = NumberField("question.rank", "问第几位", "问增益、折损、一项的时候写")
DECIMALS_FIELD = NumberField("decimals", "保留几位小数", "空着是3位")


class Numeric(TypedItem):
    """A number to compute, to `decimals` places; `ranking` shows the documents it is about."""

    KIND_WORD = "数值"
    IS_IN_OTHER_PROGRAMS = False
    WAY_ON_PAPER = "working"
    FORM = item_form(*question_fields(QUANTITY_CHOICES), RANK_FIELD, DECIMALS_FIELD)
    kind: Literal["numeric"]
    question: AnyAskedQuestion
    decimals: int = Field(default=3, ge=0, le=6)
    ranking: Ranking | None = None

    def _judge(self, raw_answer: Sequence[str]) -> Mark:
        typed_number = numbers.read(raw_answer[0] if raw_answer else "")
        engine_question = self.question.engine_question
        lowest_accepted_value, highest_accepted_value = rounding.accepted_range(
            engine_question, self.decimals
        )
        if lowest_accepted_value <= typed_number.value <= highest_accepted_value:
            return right_mark(typed_number.echo_text, f"对，{self.key_text}。")
        diagnosis = rounding.diagnose(
            engine_question, typed_number.value, self.decimals, typed_number.decimals
        )
        if diagnosis is None:
            return wrong_mark(
                typed_number.echo_text,
                self._nearness_sentence(typed_number.value, lowest_accepted_value, highest_accepted_value),
            )
        return wrong_mark(
            typed_number.echo_text,
            rounding.explanation_markdown(diagnosis),
            misconception_code=diagnosis.code,
        )

    def _nearness_sentence(
        self, typed_value: float, lowest_accepted_value: float, highest_accepted_value: float
    ) -> str:
        """What is said to a number that no mistake explains."""
        largest_distance = 1.5 * 10**-self.decimals if self.decimals else 0.0
        if (
            lowest_accepted_value - largest_distance
            <= typed_value
            <= highest_accepted_value + largest_distance
        ):
            return f"就差最后一位了：{self.rounding_words}。再看看进位。"
        return rounding.size_sentence(self.question.engine_question, typed_value, highest_accepted_value)

    @property
    def answer(self) -> float:
        return engine.answer(self.question.engine_question)

    @property
    def quantity_name(self) -> str:
        """The asked quantity as it is written: NDCG@3, 第 2 项."""
        return solutions.quantity_name(self.question.engine_question)

    @property
    def rounding_words(self) -> str:
        """How to round, as said beside the question."""
        quantity = self.question.quantity
        rounding_words = f"四舍五入到{self.decimals}位小数" if self.decimals else "写整数"
        if quantity in rounding.DISCOUNTED_QUANTITIES:
            return f"{rounding_words}；用{rounding.table_name(quantity)}上的数来算也可以"
        return rounding_words

    @property
    def accepted_interval_words(self) -> str:
        """The interval that counts as right, one decimal finer; nothing where one number alone is right.

        Rounded inwards: what is printed here is typed, and must count.
        """
        lowest_accepted_value, highest_accepted_value = rounding.accepted_range(
            self.question.engine_question, self.decimals
        )
        lowest_text = rounded_text(lowest_accepted_value, self.decimals + 1, ROUND_CEILING)
        highest_text = rounded_text(highest_accepted_value, self.decimals + 1, ROUND_FLOOR)
        return f"{lowest_text}到{highest_text}" if lowest_text != highest_text else ""

    @property
    def key_text(self) -> str:
        return self.quantity_name + equals_text(self.answer, self.decimals)

    def solution(self) -> list[str]:
        return solutions.solution_lines(self.question.engine_question, self.decimals)

    def proofs(self) -> Sequence[AnswerProof]:
        """The truth as it is asked for; a number off by three in the last place, and by a bit more."""
        wrong_value = self.answer + 3 * 10**-self.decimals + 0.02
        return [
            AnswerProof([f"{self.answer:.{self.decimals}f}"], True),
            AnswerProof([f"{wrong_value:.{self.decimals}f}"], False),
        ]

    def resolved(self, example_by_id: Mapping[str, Example]) -> Self:
        return self.model_copy(update={"question": self.question.resolved(example_by_id)})
