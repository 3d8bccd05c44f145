"""What is said when a mistake comes back: another help each time, never the same sentence again."""

from collections.abc import Sequence

from app import engine
from app.course.items.kinds import Item, Numeric, Steps
from app.course.items.marks import Mark, Unreadable

STUCK_MISTAKE_COUNT = 2
"""After so many repetitions more words do not help: an easier question does, or the calculation."""
HELP_DECIMALS = 3


def same_mistake_count_of(item: Item, raw_answers: Sequence[Sequence[str]], mark: Mark) -> int:
    """How many answers right before the last one were the same mistake, up to `STUCK_MISTAKE_COUNT`.

    `raw_answers`: all that were sent, the last one among them; `mark`: of the last one.
    """
    same_mistake_count = 0
    if mark.verdict != "wrong" or not isinstance(item, Numeric | Steps):
        return same_mistake_count
    for raw_answer in reversed(raw_answers[:-1]):
        if same_mistake_count == STUCK_MISTAKE_COUNT or not _is_same_mistake(item, raw_answer, mark):
            break
        same_mistake_count += 1
    return same_mistake_count


def _is_same_mistake(item: Item, raw_answer: Sequence[str], mark: Mark) -> bool:
    """Whether an earlier answer was the same mistake; a number that nothing explains, the same number."""
    try:
        earlier_mark = item.mark(raw_answer, 2)
    except Unreadable:
        return False
    if mark.misconception:
        return earlier_mark.misconception == mark.misconception
    return earlier_mark.understood_answer == mark.understood_answer


def another_help_text(item: Item, mark: Mark, same_mistake_count: int) -> str:
    """What is said at the first repetition, and at all later ones; nothing where there is none."""
    if same_mistake_count == 0:
        return ""
    if same_mistake_count >= STUCK_MISTAKE_COUNT:
        return _way_out_sentence(item)
    wrong_row = _differing_row(item, mark)
    if wrong_row is None:
        return _thought_sentence(mark)
    term_name = f"理想排序的第{wrong_row.rank}项" if wrong_row.is_ideal else f"第{wrong_row.rank}项"
    right_text = f"{wrong_row.right_amount:.{HELP_DECIMALS}f}"
    wrong_text = f"{wrong_row.wrong_amount:.{HELP_DECIMALS}f}"
    figure_words = f"它该是{right_text}，你那样算是{wrong_text}"
    return f"同一个地方，第二次了。别的先放下，只看**{term_name}**：{figure_words}。差在哪里？"


def _differing_row(item: Item, mark: Mark) -> engine.DifferingRow | None:
    """The row that differs, where one mistake explains the number."""
    misconception_id = mark.misconception
    if (
        not isinstance(item, Numeric)
        or misconception_id is None
        or misconception_id not in engine.MISCONCEPTIONS
    ):
        return None
    return engine.differing_row(item.question.engine_question, misconception_id)


def _thought_sentence(mark: Mark) -> str:
    """What somebody thinks who makes this mistake; of an unknown one, where to begin."""
    misconception = engine.MISCONCEPTIONS.get(mark.misconception or "")
    if misconception is None:
        return "还是这个数，再算一遍也不会变。换个法子：只写第一步，跟提示对一对，对上了再写下一步。"
    thought = misconception.thoughts[0]
    return f"同一个地方，第二次了。你心里是不是这样想的：“{thought}”岔路口就在这句话里，换一条走走看。"


def _way_out_sentence(item: Item) -> str:
    intro_words = "第三次走到同一个路口，不怪你，"
    if item.easier:
        return f"{intro_words}是台阶太高。下面有一道简单的，垫一脚再回来；或者按“你算一下”，我算给你看。"
    return f"{intro_words}是我没讲明白。按“你算一下”，我一行一行算给你看，看完再来。"
