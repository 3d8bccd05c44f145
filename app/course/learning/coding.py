"""代码题: the learner writes a function, tests call it. Practice, never marks: nothing is judged here."""

import re
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator
from pydantic.json_schema import SkipJsonSchema

from app.course.learning.figures_in_text import ListValue
from app.course.text.model_base import ContentPart, Id, Literals, Text, Title

Code = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=200)]
ErrorName = Literal[
    "AttributeError", "ImportError", "IndexError", "KeyError", "NameError", "RuntimeError", "SyntaxError",
    "TypeError", "ValueError", "ZeroDivisionError",
]  # fmt: skip


class Check(ContentPart):
    """A call and what must come of it: a whole number or list, what the engine says, or a Python expression.

    >>> Check(name="两颗", call="dcg([3, 2])", python="3 + 2 / log2(3)").expected
    '3 + 2 / log2(3)'
    """

    call: Line
    before: Line | None = None
    expect: int | list[int] | None = None
    engine: ListValue | None = None
    python: Line | None = None
    name: Title

    @model_validator(mode="after")
    def _expects_one_thing(self) -> Self:
        if [self.expect, self.engine, self.python].count(None) != 2:
            raise ValueError("expect、engine、python要写一个，只写一个：应当得到什么")
        return self

    @property
    def expected(self) -> str:
        """The expected value as Python; `log2` is known there."""
        if self.engine:
            return repr(self.engine.figure())
        if self.python is not None:
            return self.python
        return repr(self.expect)

    @property
    def printed_expectation(self) -> str:
        """The expected value as it is read: a figure of the engine to six places.

        >>> Check(call="f()", name="x", engine=ListValue(quantity="dcg", grades=[3, 2])).printed_expectation
        '4.26186'
        """
        if self.engine:
            return f"{self.engine.figure():.6g}"
        return self.expected


class UsualMistake(ContentPart):
    """A usual mistake and what helps: code that makes it, the error that it ends in, or how it looks.

    `wrong` is an executable model of the mistake, as the engine has them for numbers: where it fails as the
    learner's code fails, the learner has probably made it. All that is given must hold.
    """

    wrong: Code | None = None
    error: ErrorName | None = None
    pattern: Line | None = None
    hint: Text

    @model_validator(mode="after")
    def _can_be_met(self) -> Self:
        if not (self.wrong or self.error or self.pattern):
            raise ValueError("wrong（会这样错的代码）、error（异常的名字）、pattern（样子）至少写一个")
        try:
            re.compile(self.pattern or "")
        except re.error as error:
            raise ValueError(f"pattern不是正则表达式：{error}") from error
        return self


class CodeExercise(ContentPart):
    """An entry of `code.yaml`. The solution passes all checks, the starter does not."""

    title: Title
    skill: Id
    summary: Text
    task: Text
    starter: Code
    tests: list[Check] = Field(min_length=2, max_length=8)
    hints: list[Text] = Field(min_length=1, max_length=4)
    usual: list[UsualMistake] = Field(min_length=1, max_length=14)
    solution: Code
    explanation: Text
    source: Title | None = None
    minutes: int = Field(default=5, ge=1, le=15)
    literal: Literals = Field(default_factory=dict)
    id: SkipJsonSchema[str] = "unnamed"
