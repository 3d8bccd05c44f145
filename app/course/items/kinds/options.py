"""单选题, 多选题, 判断题: to be answered by choosing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from pydantic import Field, model_validator

from app.course.items.kinds.base import (
    AnswerProof,
    Choice,
    Item,
    refuse_repeats,
    solution_with_reason,
)
from app.course.items.kinds.form_fields import (
    ChoiceField,
    FormField,
    ItemBody,
    RowsField,
    TextByInput,
    TickField,
    item_form,
    put_at_path,
)
from app.course.items.marks import Mark, Unreadable, right_mark, wrong_mark
from app.course.text.model_base import ContentPart, Id, Text
from app.engine.generate.random_stream import shuffled


class Option(ContentPart):
    """One option; its feedback says why someone would choose it."""

    id: Id
    text: Text
    right: bool = False
    feedback: Text


class WithOptions(Item):
    """An item with options, shown in an order of the learner's own."""

    WAY_ON_PAPER = "letters"
    FORM = item_form(
        RowsField(
            "options",
            "选项",
            "不写反馈，就只说“不是这一项”",
            columns=(FormField("text", "选项"), TickField("right", "对的"), FormField("feedback", "反馈")),
        )
    )
    options: list[Option] = Field(min_length=2, max_length=6)
    shuffle: bool = True

    @model_validator(mode="after")
    def _option_ids_are_unique(self) -> Self:
        refuse_repeats([option.id for option in self.options], "选项")
        return self

    def variant(self, seed: int) -> Self:
        if not self.shuffle:
            return self
        return self.model_copy(update={"options": shuffled(self.options, seed, self.id)})

    @property
    def choices(self) -> Sequence[Choice]:
        return [Choice(option.id, option.text, option.right, option.feedback) for option in self.options]

    @property
    def key_text(self) -> str:
        lettered_options = zip("ABCDEF", self.options, strict=False)
        return "".join(letter for letter, option in lettered_options if option.right)

    @property
    def right_options(self) -> list[Option]:
        return [option for option in self.options if option.right]

    def chosen_options(self, raw_answer: Sequence[str]) -> list[Option]:
        """The options with these ids; an id that is not there is unreadable."""
        option_by_id = {option.id: option for option in self.options}
        if not option_by_id.keys() >= set(raw_answer):
            raise Unreadable("选的里面有一项已经不在这里了。请从列出的选项里选。")
        return [option_by_id[option_id] for option_id in dict.fromkeys(raw_answer)]


class SingleChoice(WithOptions):
    """One right option; with three options or fewer a twin is asked after a wrong answer."""

    KIND_WORD = "单选"
    IS_IN_OTHER_PROGRAMS = True
    kind: Literal["single"]

    @model_validator(mode="after")
    def _one_is_right(self) -> Self:
        if len(self.right_options) != 1:
            raise ValueError(f"单选题要有正好一个right: true的选项，这里有{len(self.right_options)}个")
        return self

    @property
    def has_one_try_only(self) -> bool:
        return len(self.options) <= 3

    def _judge(self, raw_answer: Sequence[str]) -> Mark:
        chosen_options = self.chosen_options(raw_answer)
        if len(chosen_options) != 1:
            raise Unreadable("请选一个选项。")
        [option] = chosen_options
        if option.right:
            return right_mark(option.id, option.feedback)
        return wrong_mark(option.id, option.feedback)

    def solution(self) -> list[str]:
        [option] = self.right_options
        return solution_with_reason(f"答案是：{option.text}", option.feedback)

    def proofs(self) -> Sequence[AnswerProof]:
        return [AnswerProof([option.id], option.right) for option in self.options]


class MultipleChoice(WithOptions):
    """Right when exactly the right options are chosen; the score counts each option judged rightly."""

    KIND_WORD = "多选"
    IS_IN_OTHER_PROGRAMS = True
    kind: Literal["multiple"]

    @model_validator(mode="after")
    def _some_are_right(self) -> Self:
        if not self.right_options:
            raise ValueError("多选题至少要有一个right: true的选项")
        return self

    def _judge(self, raw_answer: Sequence[str]) -> Mark:
        chosen_option_ids = {option.id for option in self.chosen_options(raw_answer)}
        if not chosen_option_ids:
            raise Unreadable("还没有选。觉得对的都勾上，再交。")
        chosen_options = [option for option in self.options if option.id in chosen_option_ids]
        chosen_ids_text = " ".join(option.id for option in chosen_options)
        wrongly_chosen_count = sum(not option.right for option in chosen_options)
        missed_count = len(self.right_options) - (len(chosen_options) - wrongly_chosen_count)
        if not missed_count and not wrongly_chosen_count:
            return right_mark(chosen_ids_text, "一个不多，一个不少。")
        score = (len(self.options) - missed_count - wrongly_chosen_count) / len(self.options)
        return wrong_mark(
            chosen_ids_text, _correction_sentence(missed_count, wrongly_chosen_count), score=score
        )

    def solution(self) -> list[str]:
        return [f"该选：{option.text}" for option in self.right_options]

    def proofs(self) -> Sequence[AnswerProof]:
        right_option_ids = [option.id for option in self.right_options]
        answer_proofs = [AnswerProof(right_option_ids, True)]
        if len(right_option_ids) < len(self.options):
            answer_proofs.append(AnswerProof([option.id for option in self.options], False))
        if len(right_option_ids) > 1:
            answer_proofs.append(AnswerProof(right_option_ids[1:], False))
        return answer_proofs


def _correction_sentence(missed_count: int, wrongly_chosen_count: int) -> str:
    """How many choices are to be changed."""
    count_clauses = []
    if missed_count:
        count_clauses.append(f"有{missed_count}个该选的没选上")
    if wrongly_chosen_count:
        count_clauses.append(f"有{wrongly_chosen_count}个不该选的选上了")
    return "，".join(count_clauses) + "。看看每一项后面的话，再调整一次。"


class Feedback(ContentPart):
    """What is said to a right and to a wrong judgement."""

    right: Text
    wrong: Text


@dataclass(frozen=True)
class FeedbackField(FormField):
    """What is said to a right, or to a wrong judgement; a single text is said to both."""

    def input_text(self, item_body: ItemBody) -> str:
        feedback = item_body.get("feedback")
        if isinstance(feedback, str):
            return self.field_text(feedback)
        return super().input_text(item_body)

    def put(self, item_body: ItemBody, text_by_input: TextByInput) -> None:
        feedback = item_body.get("feedback")
        typed_text = text_by_input.get(self.input_name)
        if (
            isinstance(feedback, str)
            and typed_text is not None
            and typed_text.strip() != self.field_text(feedback)
        ):
            put_at_path(item_body, ["feedback"], {"right": feedback, "wrong": feedback})
        super().put(item_body, text_by_input)


TRUTH_WORDS = {True: "这句话对", False: "这句话不对"}


class TrueFalse(Item):
    """`answer` says whether the statement holds."""

    KIND_WORD = "判断"
    IS_IN_OTHER_PROGRAMS = True
    WAY_ON_PAPER = "boxes"
    FORM = item_form(
        ChoiceField("answer", "这句话", choices={"true": "对", "false": "不对"}),
        FeedbackField("feedback.right", "答对了说"),
        FeedbackField("feedback.wrong", "答错了说"),
    )
    kind: Literal["true_false"]
    answer: bool
    feedback: Feedback

    @property
    def has_one_try_only(self) -> bool:
        return True

    @property
    def choices(self) -> Sequence[Choice]:
        choices = []
        for choice_id, truth in (("true", True), ("false", False)):
            is_right = truth == self.answer
            feedback = self.feedback.right if is_right else self.feedback.wrong
            choices.append(Choice(choice_id, TRUTH_WORDS[truth], is_right, feedback))
        return choices

    @property
    def key_text(self) -> str:
        return "对" if self.answer else "不对"

    def _judge(self, raw_answer: Sequence[str]) -> Mark:
        if list(raw_answer) not in (["true"], ["false"]):
            raise Unreadable("请选“对”或“不对”。")
        if (raw_answer[0] == "true") == self.answer:
            return right_mark(raw_answer[0], self.feedback.right)
        return wrong_mark(raw_answer[0], self.feedback.wrong)

    def solution(self) -> list[str]:
        return solution_with_reason(f"{TRUTH_WORDS[self.answer]}。", self.feedback.right)

    def proofs(self) -> Sequence[AnswerProof]:
        return [AnswerProof(["true"], self.answer), AnswerProof(["false"], not self.answer)]
