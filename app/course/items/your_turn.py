"""换你: after the tutor has computed, the same question with one thing changed."""

from collections.abc import Iterator, Sequence
from typing import Any

from app import engine
from app.course.items import rounding, solutions
from app.course.items.examples import Example, Ranking
from app.course.items.kinds.numeric import AnyAskedQuestion, AskedQuantity, Numeric, grade_list
from app.course.items.table_turns import TableChange, table_changes
from app.engine.cumulative import FLOAT_NOISE

TURN_SUFFIX = "-turn"
QUANTITIES_FROM_0_TO_1 = ("ndcg", "sign_test", "randomisation_test", "kappa", "ips")
"""Of these 1 and 0 are seen without computing."""
SWEETEST_GRADE = 3
"""The top of a scale of grades that shows no higher grade."""

QuestionChange = tuple[AskedQuantity, str]
GradeList = Sequence[float | None]


def turn_of_item(item: Numeric) -> Numeric:
    """The question of a numeric item with one thing changed; its twin."""
    question, change_sentence = _chosen_change(item)
    quantity_name = solutions.quantity_name(question.engine_question)
    turn_fields: dict[str, Any] = {
        "id": item.id + TURN_SUFFIX,
        "twin": None,
        "question": question,
        "ranking": _ranking_with_grades_of(item.ranking, question),
        "stem": f"换你：{change_sentence}现在{quantity_name}是多少？",
        "hints": [],
        "explanation": None,
    }
    return item.model_copy(update=turn_fields)


def _ranking_with_grades_of(ranking: Ranking | None, question: AnyAskedQuestion) -> Ranking | None:
    """The documents with the grades that are asked about now; none where those are more or fewer."""
    if ranking is None or not isinstance(question, AskedQuantity) or question.quantity == "discount":
        return ranking
    grades = question.listed_grades
    if len(ranking.documents) != len(grades):
        return None
    documents = [
        document.model_copy(update={"grade": grade})
        for document, grade in zip(ranking.documents, grades, strict=True)
    ]
    return ranking.model_copy(update={"documents": documents})


def turn_item_id(example_id: str) -> str:
    """The id of the 换你 at the end of an example."""
    return f"{example_id}-example{TURN_SUFFIX}"


def turn_of_example(example: Example) -> Numeric:
    """NDCG of an example with one grade changed, asked once everything is open."""
    question = AskedQuantity(
        quantity="ndcg", grades=example.grades, k=example.k, gain=example.gain, pool=example.pool
    )
    numeric_item = Numeric(
        kind="numeric",
        id=f"{example.id}-example",
        skill="ndcg",
        stem="换你",
        question=question,
        decimals=3,
        minutes=3,
    )
    hints = [
        "先把新的甜度写成一列，再照刚才的四步走：各项、理想排序、理想的各项、相除。",
        "别忘了重新排一次理想顺序：甜度变了，最好的排法也可能变。",
    ]
    return turn_of_item(numeric_item).model_copy(update={"hints": hints})


def has_turn(item: Numeric) -> bool:
    """Whether there is something to change: a list of its own, or a table."""
    if isinstance(item.question, AskedQuantity):
        return bool(item.question.grades)
    return next(table_changes(item.question, item.stem), None) is not None


def _chosen_change(item: Numeric) -> QuestionChange | TableChange:
    """The first change whose answer the old question would not have accepted, that asks for work and in which
    no mistake comes out right. Where there is none, the last condition falls first, then the one before."""
    old_interval = rounding.accepted_range(item.question.engine_question, item.decimals)
    changes: list[QuestionChange | TableChange]
    if isinstance(item.question, AskedQuantity):
        changes = list(_changes(item.question))
    else:
        changes = list(table_changes(item.question, item.stem))
    changes_with_new_answer = [
        change for change in changes if not _is_right(_answer_after(change), old_interval, item.decimals)
    ]
    changes_with_work = [change for change in changes_with_new_answer if _asks_for_work(change)]
    for change in changes_with_work:
        if not _accepts_mistake(change, item.decimals):
            return change
    return (*changes_with_work, *changes_with_new_answer, *changes)[0]


def _answer_after(change: QuestionChange | TableChange) -> float:
    question, _ = change
    return engine.answer(question.engine_question)


def _is_right(figure: float, accepted_interval: tuple[float, float], decimals: int) -> bool:
    lowest_accepted_value, highest_accepted_value = accepted_interval
    return lowest_accepted_value <= round(figure, decimals) <= highest_accepted_value


def _asks_for_work(change: QuestionChange | TableChange) -> bool:
    """Of a share, 1 and 0 are seen."""
    question, _ = change
    if question.quantity not in QUANTITIES_FROM_0_TO_1:
        return True
    return FLOAT_NOISE < _answer_after(change) < 1 - FLOAT_NOISE


def _accepts_mistake(change: QuestionChange | TableChange, decimals: int) -> bool:
    """Whether a wrong model leads to a figure that would count as right."""
    question, _ = change
    accepted_interval = rounding.accepted_range(question.engine_question, decimals)
    wrong_figures = engine.predictions(question.engine_question).values()
    return any(_is_right(wrong_figure, accepted_interval, decimals) for wrong_figure in wrong_figures)


def _changes(question: AskedQuantity) -> Iterator[QuestionChange]:
    grades = question.listed_grades
    if question.quantity == "discount":
        yield from _rank_changes(question, grades)
        return
    for index in _changeable_indexes(question, grades):
        for grade in _other_grades(grades, index):
            yield _grade_change(question, grades, index, grade)
    if question.rank is None:
        yield from _cut_changes(question, len(grades))


def _rank_changes(question: AskedQuantity, grades: GradeList) -> Iterator[QuestionChange]:
    """The same question at another rank, for a discount does not care for grades."""
    old_rank = question.rank or 1
    for rank in dict.fromkeys([old_rank + 1, old_rank - 1, 2]):
        if rank >= 1:
            unread_grades = [0] * (rank - len(grades))
            padded_grades = [*grades, *unread_grades]
            changed_question = question.model_copy(update={"rank": rank, "grades": padded_grades})
            yield changed_question, f"名次换成第{rank}位。"


def _cut_changes(question: AskedQuantity, list_length: int) -> Iterator[QuestionChange]:
    """Where no grade matters, as in the ideal of a list that is all top: another k."""
    old_cutoff = question.k or list_length
    for cutoff in (old_cutoff + 1, old_cutoff - 1):
        if 1 <= cutoff <= list_length:
            changed_question = question.model_copy(update={"k": cutoff})
            intro_words = f"截断位置从{old_cutoff}改成{cutoff}，甜度还是"
            yield changed_question, intro_words + _question_words(changed_question)


def _grade_change(question: AskedQuantity, grades: GradeList, index: int, grade: float) -> QuestionChange:
    """Another grade in one position, also in the judged pool; the sentence ends with the whole list."""
    old_grade = grades[index] or 0
    pool = question.pool
    if pool is not None:
        pool_index = pool.index(old_grade) if old_grade in pool else len(pool)
        pool = [*pool[:pool_index], grade, *pool[pool_index + 1 :]]
    grades = [*grades[:index], grade, *grades[index + 1 :]]
    changed_question = question.model_copy(update={"grades": grades, "pool": pool})
    intro_words = f"把第{index + 1}位的甜度从{old_grade:g}改成{grade:g}，别的都不动，甜度成了"
    return changed_question, intro_words + _question_words(changed_question)


def _changeable_indexes(question: AskedQuantity, grades: GradeList) -> list[int]:
    """Which grade to change: that of the asked rank, else from the second on; the unjudged ones last."""
    if question.rank:
        return [question.rank - 1]
    cutoff = question.k or len(grades)
    indexes = [*range(1, len(grades)), 0]
    return sorted(indexes, key=lambda index: (grades[index] is None, index >= cutoff))


def _other_grades(grades: GradeList, index: int) -> list[float]:
    """One more, one less, the top, nothing: as long as it stays on the scale."""
    old_grade = grades[index] or 0
    top_grade = max(SWEETEST_GRADE, *(grade or 0 for grade in grades))
    candidate_grades = dict.fromkeys([old_grade + 1, old_grade - 1, top_grade, 0])
    return [grade for grade in candidate_grades if 0 <= grade <= top_grade and grade != old_grade]


def _question_words(question: AskedQuantity) -> str:
    """Everything that the answer depends on, the grades first."""
    clauses = [grade_list(question.listed_grades)]
    if question.pool is not None:
        clauses.append(f"评判池是{grade_list(question.pool)}")
    if question.gain == "exponential":
        clauses.append("照旧用指数增益")
    return "，".join(clauses) + "。"
