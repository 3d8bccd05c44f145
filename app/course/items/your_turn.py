"""换你: after the tutor has computed, the same question with one thing changed, in its list or in its table.

Each change is a question, and the words that say all of it.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from pydantic import ValidationError

from app import engine
from app.course.items import rounding, solutions
from app.course.items.asked_tables import AnyTable, AskedAgreement, AskedClicks, AskedCoins
from app.course.items.examples import Example, Ranking
from app.course.items.kinds.numeric import AnyAskedQuestion, AskedQuantity, Numeric, grade_list_text
from app.course.items.label_solutions import POSITION_NAMES
from app.course.items.printed_figures import signed_text
from app.engine.questions import QUANTITIES_AT_MOST_ONE, SHARE_QUANTITIES
from app.engine.rounding import FLOAT_NOISE

TURN_SUFFIX = "-turn"
TABLE_QUANTITIES_FROM_0_TO_1 = {"sign_test", "randomisation_test", "kappa", "ips"}
QUANTITIES_FROM_0_TO_1 = QUANTITIES_AT_MOST_ONE | TABLE_QUANTITIES_FROM_0_TO_1 | {"discount"}
"""Of these 1 and 0 are seen without computing."""
SWEETEST_GRADE = 3
"""The top of a scale of grades that shows no higher grade."""
MOVED_DOCUMENT_COUNT = 2
HEAD_LINE_COUNT = 2
"""The lines of a table above its rows: the names of the columns, and the rule."""
QuestionChange = tuple[AskedQuantity, str]
TableChange = tuple[AnyTable, str]
GradeList = Sequence[float | None]


def turn_of_item(item: Numeric) -> Numeric:
    """The question of a numeric item with one thing changed; its twin."""
    changed_question, change_sentence = _chosen_change(item)
    quantity_name = solutions.quantity_name(changed_question.engine_question)
    turn_fields: dict[str, Any] = {
        "id": item.id + TURN_SUFFIX,
        "twin": None,
        "question": changed_question,
        "ranking": _ranking_with_grades_of(item.ranking, changed_question),
        "stem": f"换你：{change_sentence}现在{quantity_name}是多少？",
        "hints": [],
        "explanation": None,
    }
    return item.model_copy(update=turn_fields)


def _ranking_with_grades_of(ranking: Ranking | None, changed_question: AnyAskedQuestion) -> Ranking | None:
    """The documents with the grades that are asked about now; none where those are more or fewer."""
    if (
        ranking is None
        or not isinstance(changed_question, AskedQuantity)
        or changed_question.quantity == "discount"
    ):
        return ranking
    listed_grades = changed_question.listed_grades
    if len(ranking.documents) != len(listed_grades):
        return None
    documents = [
        document.model_copy(update={"grade": grade})
        for document, grade in zip(ranking.documents, listed_grades, strict=True)
    ]
    return ranking.model_copy(update={"documents": documents})


def turn_item_id(example_id: str) -> str:
    """The id of the 换你 at the end of an example."""
    return f"{example_id}-example{TURN_SUFFIX}"


def turn_of_example(example: Example) -> Numeric:
    """NDCG of an example with one grade changed, asked once everything is open."""
    asked_quantity = AskedQuantity(
        quantity="ndcg", grades=example.grades, k=example.k, gain=example.gain, pool=example.pool
    )
    numeric_item = Numeric(
        kind="numeric",
        id=f"{example.id}-example",
        skill="ndcg",
        stem="换你",
        question=asked_quantity,
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
    return next(_table_changes(item.question, item.stem), None) is not None


def _chosen_change(item: Numeric) -> QuestionChange | TableChange:
    """The first change whose answer the old question would not have accepted, that asks for work and in which
    no mistake comes out right. Where there is none, the last condition falls first, then the one before."""
    old_interval = rounding.accepted_range(item.question.engine_question, item.decimals)
    changes: list[QuestionChange | TableChange]
    if isinstance(item.question, AskedQuantity):
        changes = list(_changes(item.question))
    else:
        changes = list(_table_changes(item.question, item.stem))
    changes_with_new_answer = [
        change for change in changes if not _is_right(_answer_after(change), old_interval, item.decimals)
    ]
    laborious_changes = [change for change in changes_with_new_answer if _asks_for_work(change)]
    for change in laborious_changes:
        if not _accepts_mistake(change, item.decimals):
            return change
    return (*laborious_changes, *changes_with_new_answer, *changes)[0]


def _answer_after(change: QuestionChange | TableChange) -> float:
    asked_question, _ = change
    return engine.answer(asked_question.engine_question)


def _is_right(figure: float, accepted_interval: tuple[float, float], decimals: int) -> bool:
    lowest_accepted_value, highest_accepted_value = accepted_interval
    return lowest_accepted_value <= round(figure, decimals) <= highest_accepted_value


def _asks_for_work(change: QuestionChange | TableChange) -> bool:
    """Of a share or a weight, 1 and 0 are seen."""
    asked_question, _ = change
    if asked_question.quantity not in QUANTITIES_FROM_0_TO_1:
        return True
    return FLOAT_NOISE < _answer_after(change) < 1 - FLOAT_NOISE


def _accepts_mistake(change: QuestionChange | TableChange, decimals: int) -> bool:
    """Whether a wrong model leads to a figure that would count as right. One that was described since this is
    asked does not matter: it would give a teacher's question another 换你."""
    asked_question, _ = change
    accepted_interval = rounding.accepted_range(asked_question.engine_question, decimals)
    predicted_value_by_misconception_id = engine.predictions(asked_question.engine_question)
    return any(
        _is_right(predicted_value, accepted_interval, decimals)
        for misconception_id, predicted_value in predicted_value_by_misconception_id.items()
        if misconception_id in engine.FIXED_MISCONCEPTION_IDS
    )


def _changes(asked_quantity: AskedQuantity) -> Iterator[QuestionChange]:
    """The changes that leave a question with an answer, the plainest first."""
    for change in _possible_changes(asked_quantity):
        changed_question, _ = change
        with suppress(ValueError):
            engine.answer(changed_question.engine_question)
            yield change


def _possible_changes(asked_quantity: AskedQuantity) -> Iterator[QuestionChange]:
    listed_grades = asked_quantity.listed_grades
    if asked_quantity.quantity == "discount":
        yield from _rank_changes(asked_quantity, listed_grades)
        return
    for document_index in _changeable_indexes(asked_quantity, listed_grades):
        for grade in _other_grades(listed_grades, document_index):
            yield _grade_change(asked_quantity, listed_grades, document_index, grade)
    if asked_quantity.rank is None:
        yield from _cut_changes(asked_quantity, len(listed_grades))
    if asked_quantity.quantity in SHARE_QUANTITIES:
        yield from _place_changes(asked_quantity, listed_grades)


def _rank_changes(asked_quantity: AskedQuantity, grades: GradeList) -> Iterator[QuestionChange]:
    """The same question at another rank of the table, for a discount does not care for grades."""
    old_rank = asked_quantity.rank or 1
    for rank in dict.fromkeys([old_rank + 1, old_rank - 1, 2]):
        if 1 <= rank <= rounding.TABLE_RANKS:
            unread_grades = [0] * (rank - len(grades))
            padded_grades = [*grades, *unread_grades]
            changed_question = asked_quantity.model_copy(update={"rank": rank, "grades": padded_grades})
            yield changed_question, f"名次换成第{rank}位。"


def _cut_changes(asked_quantity: AskedQuantity, list_length: int) -> Iterator[QuestionChange]:
    """Where no grade matters, as in the ideal of a list that is all top: another k."""
    old_cutoff = asked_quantity.k or list_length
    largest_cutoff = min(list_length, max(old_cutoff, rounding.TABLE_RANKS))
    for cutoff in (old_cutoff + 1, old_cutoff - 1):
        if 1 <= cutoff <= largest_cutoff:
            changed_question = asked_quantity.model_copy(update={"k": cutoff})
            intro_words = f"截断位置从{old_cutoff}改成{cutoff}，甜度还是"
            yield changed_question, intro_words + _question_words(changed_question)


def _place_changes(asked_quantity: AskedQuantity, grades: GradeList) -> Iterator[QuestionChange]:
    """Two neighbours change places: of a single relevant document another grade leaves all or nothing."""
    for upper_index, (upper_grade, lower_grade) in enumerate(pairwise(grades)):
        new_grades = [*grades[:upper_index], lower_grade, upper_grade, *grades[upper_index + 2 :]]
        changed_question = asked_quantity.model_copy(update={"grades": new_grades})
        intro_words = f"把第{upper_index + 1}位和第{upper_index + 2}位对调，别的都不动，甜度成了"
        yield changed_question, intro_words + _question_words(changed_question)


def _grade_change(
    asked_quantity: AskedQuantity, grades: GradeList, document_index: int, grade: float
) -> QuestionChange:
    """Another grade in one position, also in the judged pool; the sentence ends with the whole list."""
    old_grade = grades[document_index]
    pool = asked_quantity.pool
    if pool is not None:  # nothing in it stands for an unjudged document
        pool_index = pool.index(old_grade) if old_grade in pool else len(pool)
        pool = [*pool[:pool_index], grade, *pool[pool_index + 1 :]]
    grades = [*grades[:document_index], grade, *grades[document_index + 1 :]]
    changed_question = asked_quantity.model_copy(update={"grades": grades, "pool": pool})
    change_words = f"第{document_index + 1}位原来未标注，现在标成{grade:g}"
    if old_grade is not None:
        change_words = f"把第{document_index + 1}位的甜度从{old_grade:g}改成{grade:g}"
    intro_words = f"{change_words}，别的都不动，甜度成了"
    return changed_question, intro_words + _question_words(changed_question)


def _changeable_indexes(asked_quantity: AskedQuantity, grades: GradeList) -> list[int]:
    """Which grade to change: that of the asked rank, else from the second on; the unjudged ones last."""
    if asked_quantity.rank:
        return [asked_quantity.rank - 1]
    cutoff = asked_quantity.k or len(grades)
    document_indexes = [*range(1, len(grades)), 0]
    return sorted(document_indexes, key=lambda index: (grades[index] is None, index >= cutoff))


def _other_grades(grades: GradeList, document_index: int) -> list[float]:
    """One more, one less, the top, nothing: as long as it stays on the scale."""
    old_grade = grades[document_index] or 0
    top_grade = max(SWEETEST_GRADE, *(grade or 0 for grade in grades))
    candidate_grades = dict.fromkeys([old_grade + 1, old_grade - 1, top_grade, 0])
    return [grade for grade in candidate_grades if 0 <= grade <= top_grade and grade != old_grade]


def _question_words(asked_quantity: AskedQuantity) -> str:
    """Everything that the answer depends on, the grades first."""
    clauses = [grade_list_text(asked_quantity.listed_grades)]
    if asked_quantity.pool is not None:
        clauses.append(f"评判池是{grade_list_text(asked_quantity.pool)}")
    if asked_quantity.gain == "exponential":
        clauses.append("照旧用指数增益")
    return "，".join(clauses) + "。"


# Tables.


def _table_changes(asked_table: AnyTable, stem: str) -> Iterator[TableChange]:
    """The changes that leave a question with an answer, the plainest first; none for a swap or a λ."""
    for changed_fields, change_words in _changed_fields_and_words(asked_table):
        try:
            changed_question = type(asked_table).model_validate(asked_table.model_dump() | changed_fields)
        except ValidationError:
            continue
        yield changed_question, f"{change_words}，别的都不动{_whole_question_words(changed_question, stem)}"


def _whole_question_words(asked_table: AnyTable, stem: str) -> str:
    """What the table is now: nobody has to look for the old one, which may be off the screen."""
    if isinstance(asked_table, AskedCoins) and asked_table.quantity == "sign_test":
        win_count = sum(difference > 0 for difference in asked_table.differences)
        loss_count = sum(difference < 0 for difference in asked_table.differences)
        tie_count = len(asked_table.differences) - win_count - loss_count
        tie_words = f"{tie_count}平" if tie_count else ""
        return f"，成了{win_count}赢{loss_count}输{tie_words}。"
    if isinstance(asked_table, AskedCoins):
        return f"，成了{asked_table.table_markdown}。"
    return f"：\n\n{_with_names_of(stem, asked_table.table_markdown)}\n\n"


def _with_names_of(stem: str, table_markdown: str) -> str:
    """A table whose rows and columns are called as in the stem, where that shows one."""
    stem_table_lines = [line for line in stem.splitlines() if line.startswith("|")]
    new_table_lines = table_markdown.splitlines()
    if len(stem_table_lines) != len(new_table_lines):
        return table_markdown
    head_lines = stem_table_lines[:HEAD_LINE_COUNT]
    named_lines = []
    for stem_line, new_line in zip(
        stem_table_lines[HEAD_LINE_COUNT:], new_table_lines[HEAD_LINE_COUNT:], strict=True
    ):
        new_cells = new_line.split("|")
        new_cells[1] = stem_line.split("|")[1]
        named_lines.append("|".join(new_cells))
    return "\n".join([*head_lines, *named_lines])


def _changed_fields_and_words(asked_table: AnyTable) -> Iterator[tuple[dict[str, Any], str]]:
    match asked_table:
        case AskedCoins():
            yield from _changes_of_differences(asked_table)
        case AskedAgreement():
            yield from _changes_of_counts(asked_table)
        case AskedClicks():
            yield from _changes_of_clicks(asked_table)


def _changes_of_differences(asked_coins: AskedCoins) -> Iterator[tuple[dict[str, Any], str]]:
    """The same differences, one of them with the other sign: a query that was won is lost, or won."""
    for query_index, difference in enumerate(asked_coins.differences):
        if not difference:
            continue
        former_text, turned_text = signed_text(difference, "+g"), signed_text(-difference, "+g")
        change_words = f"有一个差从{former_text}变成{turned_text}"
        if asked_coins.quantity == "sign_test":
            change_words = "有一个查询从赢变成输" if difference > 0 else "有一个查询从输变成赢"
        changed_differences = list(asked_coins.differences)
        changed_differences[query_index] = -difference
        yield {"differences": changed_differences}, change_words


def _changes_of_counts(asked_agreement: AskedAgreement) -> Iterator[tuple[dict[str, Any], str]]:
    """Of two documents on which the judges agreed they think differently."""
    for row_index, counts_of_row in enumerate(asked_agreement.counts):
        for column_index, document_count in enumerate(counts_of_row):
            agreed_count = counts_of_row[row_index]
            if row_index != column_index and agreed_count >= MOVED_DOCUMENT_COUNT:
                changed_counts = list(map(list, asked_agreement.counts))
                changed_counts[row_index][row_index] = agreed_count - MOVED_DOCUMENT_COUNT
                changed_counts[row_index][column_index] = document_count + MOVED_DOCUMENT_COUNT
                agreeing_words = (
                    f"第{row_index + 1}列的{agreed_count}换成{agreed_count - MOVED_DOCUMENT_COUNT}"
                )
                differing_words = (
                    f"第{column_index + 1}列的{document_count}换成{document_count + MOVED_DOCUMENT_COUNT}"
                )
                yield (
                    {"counts": changed_counts},
                    f"表里第{row_index + 1}行，{agreeing_words}，{differing_words}",
                )


def _changes_of_clicks(asked_clicks: AskedClicks) -> Iterator[tuple[dict[str, Any], str]]:
    """Half as many clicks at one position; the last comes first, for there each click counts most."""
    for position_index in reversed(range(len(asked_clicks.positions))):
        fields_of_positions = [asked_position.model_dump() for asked_position in asked_clicks.positions]
        click_count = fields_of_positions[position_index]["clicks"]
        fields_of_positions[position_index]["clicks"] = click_count // 2
        yield (
            {"positions": fields_of_positions},
            f"{POSITION_NAMES[position_index]}的点击从{click_count}次变成{click_count // 2}次",
        )
