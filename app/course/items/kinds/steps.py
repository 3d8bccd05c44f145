"""分步题: the calculation as a table. One slip costs one step: the rest is judged on one's own numbers."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal, Self

from pydantic import Field, model_validator

from app import engine
from app.course.items import numbers, rounding, solutions
from app.course.items.examples import Example, Ranking
from app.course.items.follow_through import COLUMNS, JudgedCell, Table, TableCell
from app.course.items.kinds.base import UNFILLED_SIGN, AnswerProof, Item, TypedItem
from app.course.items.kinds.form_fields import WordsField, item_form
from app.course.items.kinds.numeric import (
    DECIMALS_FIELD,
    QUANTITY_CHOICES,
    AskedQuantity,
    Numeric,
    grade_list_text,
    question_fields,
)
from app.course.items.marks import Mark, Unreadable, wrong_mark
from app.course.items.printed_figures import equals_text
from app.course.text.model_base import Grade

LEFT_CELL_SIGN = "="
"""What the form sends for a cell that is left to the tutor."""
CARRIED_CELL_SIGN = "~"
"""What the form sends for a cell that was right by the learner's own numbers: it follows the new ones."""
NAME_BY_COLUMN = {
    "gain": "第{}位的增益",
    "discount": "第{}位的折损",
    "term": "第{}项",
    "dcg": "DCG",
    "ideal": "理想第{}位的甜度",
    "ideal-term": "理想第{}项",
    "idcg": "IDCG",
    "ndcg": "NDCG",
}
STEP_NAME_BY_COLUMN = {
    "gain": "增益",
    "discount": "折损",
    "term": "各项",
    "dcg": "DCG",
    "ideal": "理想排序",
    "ideal-term": "理想的各项",
    "idcg": "IDCG",
    "ndcg": "NDCG",
}
HINT_BY_COLUMN = {
    "gain": "先看这一位的甜度，再看约定里增益怎么换。",
    "discount": "看看名次，折损表里就有这一位。",
    "term": "这一项是这一位的增益乘折损，两个数都在旁边。",
    "dcg": "把上面的各项一个不漏地加起来。",
    "ideal": "理想排序从最甜的排起，看看这一位轮到哪颗糖。",
    "ideal-term": "理想的这一项，是理想排序里这一位的增益，乘这一位的折损。",
    "idcg": "把理想的各项一个不漏地加起来。",
    "ndcg": "拿DCG除以IDCG，看看是不是除反了，或者少看了一位小数。",
}
"""What to look at in a cell whose number nothing explains."""


class Steps(TypedItem):
    """A table to fill; `given` names the columns or cells that the tutor fills."""

    KIND_WORD = "分步"
    IS_IN_OTHER_PROGRAMS = False
    WAY_ON_PAPER = "table"
    FORM = item_form(
        *question_fields({name: QUANTITY_CHOICES[name] for name in ("dcg", "ndcg")}),
        WordsField("given", "替学生填好的列", "比如gain discount；还有term、dcg、ideal、ideal-term、idcg"),
        DECIMALS_FIELD,
    )
    kind: Literal["steps"]
    question: AskedQuantity
    given: list[str] = Field(default=[])
    decimals: int = Field(default=3, ge=2, le=6)
    ranking: Ranking | None = None

    @model_validator(mode="after")
    def _asks_for_a_sum_or_a_ratio(self) -> Self:
        if self.question.quantity not in ("dcg", "ndcg"):
            raise ValueError("分步题的quantity只能是dcg或ndcg")
        if self.question.grades is not None:
            self.check_given()
        return self

    def check_given(self) -> None:
        """Raise ValueError where `given` names no cell, or leaves none to fill."""
        cell_and_column_names = {cell.name for cell in self.table.cells} | {
            cell.column for cell in self.table.cells
        }
        if unknown_cell_names := [
            cell_name for cell_name in self.given if cell_name not in cell_and_column_names
        ]:
            raise ValueError(
                f"given里有这张表没有的格子：{'、'.join(unknown_cell_names)}；列有：{'、'.join(COLUMNS)}"
            )
        if not self.blanks:
            raise ValueError("given把格子都填满了：至少留一格给学习者")

    @cached_property
    def table(self) -> Table:
        return Table(self.question.engine_question)

    @property
    def blanks(self) -> tuple[TableCell, ...]:
        """The cells that the learner fills, in order."""
        given_names = set(self.given)
        return tuple(cell for cell in self.table.cells if given_names.isdisjoint((cell.name, cell.column)))

    def judged_cells(self, raw_answer: Sequence[str]) -> tuple[JudgedCell, ...]:
        """Every cell of the table, judged. Raises `Unreadable` where a cell cannot be read or is empty."""
        if len(raw_answer) != len(self.blanks):
            raise Unreadable("格子的数目对不上，也许题目刚刚换过。刷新一下再填。")
        typed_text_by_cell = {
            cell: typed_text.strip() for cell, typed_text in zip(self.blanks, raw_answer, strict=True)
        }
        empty_cells = [cell for cell, typed_text in typed_text_by_cell.items() if not typed_text]
        if empty_cells:
            cells_words = f"等{len(empty_cells)}格" if len(empty_cells) > 1 else ""
            raise Unreadable(
                f"{cell_label(empty_cells[0])}{cells_words}还空着。填上再交，或者按“空着的你来算”。"
            )
        own_number_by_cell_name: dict[str, float] = {}
        cell_names_left_to_tutor: set[str] = set()
        carried_cell_names: set[str] = set()
        for cell, typed_text in typed_text_by_cell.items():
            if typed_text in (LEFT_CELL_SIGN, UNFILLED_SIGN):
                cell_names_left_to_tutor.add(cell.name)
            elif typed_text == CARRIED_CELL_SIGN:
                carried_cell_names.add(cell.name)
            else:
                own_number_by_cell_name[cell.name] = number_in_cell(cell, typed_text)
        return self.table.judge(
            own_number_by_cell_name, self.decimals, cell_names_left_to_tutor, carried_cell_names
        )

    def mark(
        self, raw_answer: Sequence[str], try_number: int = 1, raw_answer_before: Sequence[str] | None = None
    ) -> Mark:
        """Judge what was sent; raises `Unreadable`.

        The form may say of any cell that it was right. This is believed of what is recorded (a later try
        without `raw_answer_before`), for it was looked into then; and never of a first try.
        """
        if try_number > 1 and raw_answer_before is None:
            return self._judge(raw_answer)
        return self._judge(self._raw_answer_with_carried_signs(raw_answer, raw_answer_before or ()))

    def _raw_answer_with_carried_signs(
        self, raw_answer: Sequence[str], raw_answer_before: Sequence[str]
    ) -> Sequence[str]:
        """What was sent; a cell that was not right in the answer before carries nothing over: it is empty."""
        typed_texts = [typed_text.strip() for typed_text in raw_answer]
        if CARRIED_CELL_SIGN not in typed_texts:
            return raw_answer
        right_blank_indexes = self._right_blank_indexes(raw_answer_before)
        for blank_index, typed_text in enumerate(typed_texts):
            if typed_text == CARRIED_CELL_SIGN and blank_index not in right_blank_indexes:
                typed_texts[blank_index] = ""
        return typed_texts

    def _right_blank_indexes(self, raw_answer: Sequence[str]) -> set[int]:
        """Which blanks were right in an answer, by their places; none where it cannot be read now."""
        try:
            judged_cells = self.judged_cells(raw_answer)
        except Unreadable:
            return set()
        verdict_by_cell = {judged_cell.cell: judged_cell.verdict for judged_cell in judged_cells}
        return {index for index, blank in enumerate(self.blanks) if verdict_by_cell[blank] == "right"}

    def score_of(self, judged_cells: Sequence[JudgedCell]) -> float:
        """The share of the steps that are asked that the learner filled, and rightly."""
        is_own_by_column = self._is_own_by_column(judged_cells)
        return sum(is_own_by_column.values()) / len(is_own_by_column)

    def _is_own_by_column(self, judged_cells: Sequence[JudgedCell]) -> dict[str, bool]:
        """Of each step that is asked, in order, whether the learner filled every blank of it, and rightly."""
        is_own_by_column = {cell.column: True for cell in self.blanks}
        for judged_cell in judged_cells:
            if judged_cell.verdict not in ("right", "given"):
                is_own_by_column[judged_cell.cell.column] = False
        return is_own_by_column

    def _judge(self, raw_answer: Sequence[str]) -> Mark:
        judged_cells = self.judged_cells(raw_answer)
        score = self.score_of(judged_cells)
        filled_cells = [judged_cell for judged_cell in judged_cells if judged_cell.typed_number is not None]
        filled_cells_text = " ".join(
            f"{judged_cell.cell.name}={judged_cell.typed_number:.6g}" for judged_cell in filled_cells
        )
        wrong_cells = [judged_cell for judged_cell in judged_cells if judged_cell.verdict == "wrong"]
        if wrong_cells:
            wrong_cell = wrong_cells[0]
            typed_text = raw_answer[self.blanks.index(wrong_cell.cell)]
            diagnosis = self._diagnosis_of(judged_cells, wrong_cell, typed_text)
            return _mark_of_slip(filled_cells_text, judged_cells, wrong_cell, diagnosis, score)
        is_own_by_column = self._is_own_by_column(judged_cells)
        tutor_step_names = [
            STEP_NAME_BY_COLUMN[column] for column, is_own in is_own_by_column.items() if not is_own
        ]
        if score < 0.5:
            if UNFILLED_SIGN not in raw_answer:
                raise Unreadable("留给我的太多了：至少自己填一半的步骤。想直接看算法，就按“算给我看”。")
            if not score:
                raise Unreadable("还没有一步是填完的：一步的格子都填上，这一步才有分。")
            # What was handed in cannot be filled any more: each step that is there counts.
            return wrong_mark(
                filled_cells_text, f"填了的都对，{'、'.join(tutor_step_names)}没有填完。", score=score
            )
        praise_sentence = self._praise_sentence(tutor_step_names)
        return Mark("right", filled_cells_text, (praise_sentence,), score)

    def _praise_sentence(self, tutor_step_names: Sequence[str]) -> str:
        """What a right table hears; `tutor_step_names`: of the steps that were left to the tutor."""
        if not tutor_step_names:
            return f"一步都没走岔：{self.key_text}。"
        return f"你填的都对。{'、'.join(tutor_step_names)}是我替你填的，最后{self.key_text}。"

    def _diagnosis_of(
        self, judged_cells: Sequence[JudgedCell], wrong_cell: JudgedCell, typed_text: str
    ) -> engine.Diagnosis | None:
        """What explains the first slip: everything before it is right, so its own question asks for it.

        An ideal order is explained as a whole.
        """
        if wrong_cell.cell.column == "ideal":
            ideal_grades = [
                judged_cell.shown_number for judged_cell in judged_cells if judged_cell.cell.column == "ideal"
            ]
            return engine.diagnose_ideal(self.table.question, ideal_grades)
        question = self.table.question_of(wrong_cell.cell)
        if question is None:
            return None
        typed_number = numbers.read(typed_text)
        return rounding.diagnose(question, typed_number.value, self.decimals, typed_number.decimals)

    @property
    def rounding_words(self) -> str:
        """How to round, as said beside the table."""
        return f"折损和各项四舍五入到{self.decimals}位小数；每一格也可以写算式"

    @property
    def key_text(self) -> str:
        last_cell_name = self.table.cells[-1].name
        last_value = self.table.true_value_by_cell_name()[last_cell_name]
        return last_cell_name.upper() + equals_text(last_value, self.decimals)

    def solution(self) -> list[str]:
        return solutions.solution_lines(self.question.engine_question, self.decimals)

    def proofs(self) -> Sequence[AnswerProof]:
        """The whole table as it is; the same with a wrong number in its first blank."""
        true_value_by_cell_name = self.table.true_value_by_cell_name()
        right_texts = [f"{true_value_by_cell_name[cell.name]:.{self.decimals}f}" for cell in self.blanks]
        wrong_text = f"{float(right_texts[0]) + 0.7:.{self.decimals}f}"
        return [AnswerProof(right_texts, True), AnswerProof([wrong_text, *right_texts[1:]], False)]

    def resolved(self, example_by_id: Mapping[str, Example]) -> Self:
        if self.question.example is None:
            return self
        ranking = self.ranking or example_by_id[self.question.example].ranking
        asked_quantity = self.question.resolved(example_by_id)
        resolved_item = self.model_copy(update={"question": asked_quantity, "ranking": ranking})
        resolved_item.check_given()
        return resolved_item


def cell_label(table_cell: TableCell) -> str:
    """A cell as it is spoken of.

    >>> cell_label(TableCell("term", 2))
    '第2项'
    """
    return NAME_BY_COLUMN[table_cell.column].format(table_cell.rank)


def number_in_cell(table_cell: TableCell, typed_text: str) -> float:
    """The number in a cell; what cannot be read is told with the cell's name."""
    try:
        return numbers.read(typed_text).value
    except Unreadable as error:
        raise Unreadable(f"{cell_label(table_cell)}：{error}") from None


def hint_of(table_cell: TableCell) -> str:
    """What to look at in a cell whose number nothing explains."""
    return HINT_BY_COLUMN[table_cell.column]


def _mark_of_slip(
    filled_cells_text: str,
    judged_cells: Sequence[JudgedCell],
    wrong_cell: JudgedCell,
    diagnosis: engine.Diagnosis | None,
    score: float,
) -> Mark:
    """Name the first slip; say that what follows was judged on the learner's own numbers."""
    misconception_code, reason = None, hint_of(wrong_cell.cell)
    if diagnosis is not None:
        misconception_code, reason = diagnosis.code, rounding.explanation_markdown(diagnosis)
    feedback_markdown = f"走岔在**{cell_label(wrong_cell.cell)}**。{reason}"
    followed_step_names = dict.fromkeys(
        STEP_NAME_BY_COLUMN[judged_cell.cell.column]
        for judged_cell in judged_cells
        if judged_cell.follows_own_number
    )
    if followed_step_names:
        feedback_markdown += (
            f"\n\n后面的{'、'.join(followed_step_names)}照你自己的数来看，算得没错，不重复扣分。"
        )
    return wrong_mark(
        filled_cells_text, feedback_markdown, score=score, misconception_code=misconception_code
    )


def ranking_fault_words(item: Item) -> str:
    """Where the documents that are drawn have other grades than the question asks about, in words.

    Nothing where all is well, or nothing is drawn. A discount does not care for grades, and a table has none.
    The judged pool is held against what is drawn of it.
    """
    if not isinstance(item, Numeric | Steps):
        return ""
    asked_quantity, ranking = item.question, item.ranking
    if ranking is None or not isinstance(asked_quantity, AskedQuantity) or asked_quantity.grades is None:
        return ""
    drawn_grades = [document.grade for document in ranking.documents]
    if drawn_grades != asked_quantity.grades and asked_quantity.quantity != "discount":
        return _difference_words("甜度", drawn_grades, "问的", asked_quantity.grades)
    if asked_quantity.pool is not None and ranking.unseen:
        judged_grades = drawn_grades + [document.grade for document in ranking.unseen]
        drawn_pool = sorted((grade for grade in judged_grades if grade is not None), reverse=True)
        asked_pool = sorted(asked_quantity.pool, reverse=True)
        if drawn_pool != asked_pool:
            return _difference_words("评判池", drawn_pool, "的pool", asked_pool)
    return ""


def _difference_words(
    drawn_noun: str,
    drawn_grades: Sequence[Grade | None],
    asked_noun: str,
    asked_grades: Sequence[Grade | None],
) -> str:
    drawing_words = f"画出来的{drawn_noun}是{grade_list_text(drawn_grades)}"
    return f"{drawing_words}，question{asked_noun}却是{grade_list_text(asked_grades)}：两处要一样"
