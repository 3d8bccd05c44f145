"""What all items share: a stem, hints, a twin, and the two verbs `variant` and `mark`."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args

from pydantic import ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from app.course.items.examples import Example
from app.course.items.kinds.form_fields import FormField
from app.course.items.marks import Mark
from app.course.text.model_base import ContentPart, Id, Literals, Text

UNFILLED_SIGN = "—\u2063"
"""Stands in an answer of several texts for one that was still empty when the work was handed in.

What it ends with is not seen, and nobody types it: a dash may be an answer.
"""
# What is said to an answer where the author of its item wrote nothing, first where it is right.
CHOICE_FEEDBACK = ("对。", "不是这一项。")
LINE_FEEDBACK = ("就是这一行。", "这一行没有问题。")
JUDGEMENT_PRAISE = "判断得对。"
CORRECTION_BY_TRUTH = {True: "这句话其实对。", False: "这句话其实不对。"}
"""To a wrong judgement, by whether the sentence is true."""
GONE_OPTION_WORDS = "后来改掉的一项"
"""Stands for an option of which only the id is left."""
PRAISE_WITHOUT_REASON = (CHOICE_FEEDBACK[0], LINE_FEEDBACK[0], JUDGEMENT_PRAISE)


WayOnPaper = Literal["line", "working", "blanks", "room", "table", "order", "letters", "numbers", "boxes"]


def _title_in_schema(item_class: type[Any]) -> str:
    return str(item_class.KIND_WORD)


class AnswerProof(NamedTuple):
    """An answer as it is sent, and whether it is right: `check` tries it."""

    raw_answer: Sequence[str]
    is_right: bool


class Choice(NamedTuple):
    """What can be chosen, in Markdown of one line; `feedback`: what is said to who chose it."""

    id: str
    text: str
    is_right: bool
    feedback: str


class Item(ContentPart):
    """A question. A kind is a subclass: `variant` makes what a learner sees, `mark` judges the answer.

    `KIND_WORD`: what teachers call the kind; `FORM`: the form in which they write one;
    `IS_IN_OTHER_PROGRAMS`: whether others have such a kind, so that `question_exports.py` writes it for them;
    `WAY_ON_PAPER`: how it is answered in print: on a line, with the working before it, in a blank each, in
    room for words, in a table, by numbering documents, or by letter, number or box of a choice.
    """

    model_config = ConfigDict(model_title_generator=_title_in_schema)
    KIND_WORD: ClassVar[str] = ""
    FORM: ClassVar[Sequence[FormField]] = ()
    IS_IN_OTHER_PROGRAMS: ClassVar[bool]
    WAY_ON_PAPER: ClassVar[WayOnPaper] = "line"
    skill: Id
    stem: Text
    hints: list[Text] = Field(default=[], max_length=4)
    minutes: int = Field(default=1, ge=1, le=15)
    easier: Id | None = None
    twin: Id | None = None
    explanation: Text | None = None
    literal: Literals = Field(default_factory=dict)
    id: SkipJsonSchema[str] = "unnamed"
    kind: str

    @property
    def has_one_try_only(self) -> bool:
        """Whether guessing again would give the answer away: then a twin is asked, not the same again."""
        return False

    def variant(self, seed: int) -> Self:  # noqa: ARG002  # for the kinds that vary
        """The item as one learner sees it; the same seed gives the same variant everywhere."""
        return self

    def mark(
        self,
        raw_answer: Sequence[str],
        try_number: int = 1,  # noqa: ARG002  # for the kinds that carry something over
        raw_answer_before: Sequence[str] | None = None,  # noqa: ARG002
    ) -> Mark:
        """Judge what was sent: ids of options, or the typed text. Raises `Unreadable`.

        `raw_answer_before`: the answer before a new one; what is recorded is marked without.
        """
        return self._judge(raw_answer)

    def _judge(self, raw_answer: Sequence[str]) -> Mark:
        raise NotImplementedError

    def frozen_hash_and_body(self) -> tuple[str, str]:
        """Hash and JSON body, as they are kept with the first answer."""
        frozen_json = json.dumps(self.model_dump(mode="json"), ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(frozen_json.encode()).hexdigest()[:32], frozen_json

    def solution(self) -> list[str]:
        """What 算给我看 shows, line by line, in Markdown of one line each."""
        raise NotImplementedError

    @property
    def choices(self) -> Sequence[Choice]:
        """What there is to choose from, in the order in which it stands there; nothing where it is typed."""
        raise NotImplementedError

    @property
    def key_text(self) -> str:
        """What the key on paper says, in Markdown of one line; empty where that takes more."""
        raise NotImplementedError

    def proofs(self) -> Sequence[AnswerProof]:
        """Answers that prove the item: right ones that it has to accept, wrong ones that it has to refuse."""
        raise NotImplementedError(f"{type(self).__name__} has no proofs")

    @classmethod
    def kind_name(cls) -> str:
        """What the kind is called in the files."""
        [kind] = get_args(cls.model_fields["kind"].annotation)
        return str(kind)

    @classmethod
    def name_by_form_template(cls) -> Mapping[str, str]:
        """What teachers call the examples in `templates/authoring/yaml`, by the names of their files."""
        return {cls.kind_name(): f"{cls.KIND_WORD}题"}

    def resolved(self, example_by_id: Mapping[str, Example]) -> Self:  # noqa: ARG002  # for those that name one
        """The item with what it names put in; KeyError or ValueError where that cannot be."""
        return self


class TypedItem(Item):
    """An item whose answer is made by who answers: there is nothing to choose from."""

    @property
    def choices(self) -> Sequence[Choice]:
        return ()


def solution_with_reason(answer_line: str, praise: str) -> list[str]:
    """The answer, and what is said to who chose it, where that gives a reason.

    >>> solution_with_reason("答案是：五折", "第3位打五折。"), solution_with_reason("答案是：五折", "对。")
    (['答案是：五折', '第3位打五折。'], ['答案是：五折'])
    """
    if praise in PRAISE_WITHOUT_REASON:
        return [answer_line]
    return [answer_line, praise]


def made_option_id(option_text: Any) -> str:
    """The id of an option that was written without one: it stays with the text, wherever that stands.

    >>> made_option_id("火锅") == made_option_id("火锅"), made_option_id("火锅") == made_option_id("茶馆")
    (True, False)
    """
    return "o" + hashlib.sha256(str(option_text).encode()).hexdigest()[:7]


def is_made_option_id(answer_text: str) -> bool:
    """Whether a text of an answer is such an id, which says nothing to people.

    >>> is_made_option_id(made_option_id("火锅")), is_made_option_id("火锅")
    (True, False)
    """
    return re.fullmatch("o[0-9a-f]{7}", answer_text) is not None


def words_without_option(answer_text: str) -> str:
    """A text of an answer whose item has no such option any more."""
    if is_made_option_id(answer_text):
        return GONE_OPTION_WORDS
    return answer_text


def refuse_repeats(ids: Sequence[str], list_name: str) -> None:
    """Raises ValueError where two of them are the same."""
    if len(set(ids)) < len(ids):
        raise ValueError(f"{list_name}的id有重复：{ids}")
