"""What the tutor says to an answer: feedback, another help, why it cannot be read, the calculation."""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from app import engine
from app.course import Course, Unreadable
from app.course.items.kinds import Item, Numeric, Order, Steps
from app.course.items.marks import Mark, Mood
from app.course.items.printed_figures import short_text
from app.engine.diagnosis import NAME_BY_ROUNDING_ID
from app.web.items.kinds import ItemWithAnswers, SeenAnswer
from app.web.site.rendering import markup, text_htmls

STUCK_MISTAKE_COUNT = 2
"""After so many repetitions more words do not help: an easier question does, or the calculation."""
MOST_COUNTED_MISTAKES = STUCK_MISTAKE_COUNT + 1
"""From here on the same is said."""
HELP_DECIMALS = 3
TAG_OR_OPERATOR_PATTERN = re.compile(r"<[^<>]*>|(?<=[0-9)）])([=≈+÷×])")
"""A tag, or a sign of a calculation after a number."""
SIDE_END_PATTERN = re.compile("[=≈，：；<>]")
LONGEST_WHOLE_SIDE = 12
"""Of one side of a calculation: `3÷log₂(2)` stays in one line."""


class TutorRemark(NamedTuple):
    """Words of the tutor, with its face."""

    mood: Mood
    html: Markup


def feedback_remarks(course: Course, item: Item, seen_answers: Sequence[SeenAnswer]) -> list[TutorRemark]:
    """What the tutor says to the last answer."""
    return tutor_remarks(course, last_mark(item, seen_answers))


def tutor_remarks(course: Course, mark: Mark | None, is_probe: bool = False) -> list[TutorRemark]:
    """What the tutor says to the last answer; `mark`: its mark."""
    if mark is None:
        return []
    mood: Mood = "pleased" if mark.verdict == "right" else "puzzled"
    if is_probe and mark.verdict != "right":
        mood = "thinking"
    feedback_htmls = text_htmls(course, mark.feedback)
    return [TutorRemark(mood, feedback_html) for feedback_html in feedback_htmls]


def last_mark(item: Item, seen_answers: Sequence[SeenAnswer]) -> Mark | None:
    """The last answer, marked again; None where there is none, the item has changed since, or a table is
    worth something else by the rules of today: what they say would contradict the mark that is stored."""
    if not seen_answers or not seen_answers[-1].raw:
        return None
    try:
        mark = item.mark(seen_answers[-1].raw, len(seen_answers))
    except Unreadable:
        return None
    if isinstance(item, Steps) and not seen_answers[-1].is_worth(mark.score):
        return None
    return mark


def further_remarks(
    item_with_answers: ItemWithAnswers[Item], mark: Mark | None, same_mistake_count: int
) -> list[TutorRemark]:
    """How its scene grades, after a wrong order; another help for a mistake that came back."""
    if mark is None:
        return []
    further_sentences = []
    if mark.verdict == "wrong":
        further_sentences += ladder_sentences(item_with_answers)
    if same_mistake_count:
        further_sentences.append(another_help_sentence(item_with_answers.item, mark, same_mistake_count))
    return [
        TutorRemark("thinking", remark_html)
        for remark_html in text_htmls(item_with_answers.course, further_sentences)
    ]


def ladder_sentences(item_with_answers: ItemWithAnswers[Item]) -> list[str]:
    """What each grade asks for in the scene that dresses an order; nothing for any other item."""
    item = item_with_answers.item
    if not isinstance(item, Order) or not item.query:
        return []
    ladder = item_with_answers.course.ladder_by_scene_query.get(item.query)
    if ladder is None or ladder.partition("；")[0] in item.stem:
        return []
    return [f"甜度是这样打的：{ladder}；不沾边的0分。"]


def count_repeated_mistakes(item_with_answers: ItemWithAnswers[Item], mark: Mark | None) -> int:
    """How often the last mistake had been made right before; `mark`: of the last answer."""
    if mark is None or not item_with_answers.is_open:
        return 0
    raw_answers = [seen_answer.raw for seen_answer in item_with_answers.answers if seen_answer.raw]
    return same_mistake_count_of(item_with_answers.item, raw_answers, mark)


def same_mistake_count_of(item: Item, raw_answers: Sequence[Sequence[str]], mark: Mark) -> int:
    """How many answers right before the last one were the same mistake, up to `MOST_COUNTED_MISTAKES`.

    `raw_answers`: all that were sent, the last one among them; `mark`: of the last one.
    """
    same_mistake_count = 0
    if mark.verdict != "wrong" or not isinstance(item, Numeric | Steps):
        return same_mistake_count
    for raw_answer in reversed(raw_answers[:-1]):
        if same_mistake_count == MOST_COUNTED_MISTAKES or not is_same_mistake(item, raw_answer, mark):
            break
        same_mistake_count += 1
    return same_mistake_count


def is_same_mistake(item: Item, raw_answer: Sequence[str], mark: Mark) -> bool:
    """Whether an earlier answer was the same mistake; unexplained, any number is, and the same table."""
    try:
        earlier_mark = item.mark(raw_answer, 2)
    except Unreadable:
        return False
    if mark.misconception_code:
        return earlier_mark.misconception_code == mark.misconception_code
    if isinstance(item, Numeric):
        return earlier_mark.verdict == "wrong" and not earlier_mark.misconception_code
    return earlier_mark.understood_answer == mark.understood_answer


def another_help_sentence(item: Item, mark: Mark, same_mistake_count: int) -> str:
    """What is said at the first repetition, and at all later ones; nothing where there is none."""
    if same_mistake_count == 0:
        return ""
    if same_mistake_count >= STUCK_MISTAKE_COUNT:
        return way_out_sentence(item, mark, same_mistake_count)
    wrong_row = wrong_row_of(item, mark)
    if wrong_row is None:
        return thought_sentence(item, mark)
    term_name = f"理想排序的第{wrong_row.rank}项" if wrong_row.is_ideal else f"第{wrong_row.rank}项"
    intro_words = f"同一个地方，第二次了。别的先放下，只看**{term_name}**："
    wrong_text = short_text(wrong_row.wrong_amount, HELP_DECIMALS)
    if not wrong_row.is_counted:
        return f"{intro_words}它不该加进来，你那样算，加了{wrong_text}。数到哪一位就停？"
    right_text = short_text(wrong_row.right_amount, HELP_DECIMALS)
    return f"{intro_words}它该是{right_text}，你那样算是{wrong_text}。差在哪里？"


def wrong_row_of(item: Item, mark: Mark) -> engine.DifferingRow | None:
    """The row that differs, where one mistake explains the number; none in which the answer itself stands."""
    misconception_id = mark.misconception_code
    if (
        not isinstance(item, Numeric)
        or misconception_id is None
        or misconception_id not in engine.MISCONCEPTIONS
    ):
        return None
    wrong_row = engine.differing_row(item.question.engine_question, misconception_id)
    if wrong_row is None or math.isclose(wrong_row.right_amount, item.answer):
        return None
    return wrong_row


def thought_sentence(item: Item, mark: Mark) -> str:
    """What somebody thinks who makes this mistake; of an unknown one, another way to go about it."""
    misconception = engine.MISCONCEPTIONS.get(mark.misconception_code or "")
    if mark.misconception_code in NAME_BY_ROUNDING_ID:
        return "还差在写法上。把整条算式写进格子里，四舍五入归我，对不对一下就知道。"
    if misconception is None and isinstance(item, Numeric) and not mark.misconception_code:
        return "又没对上。换个法子：别先算成小数，把整条算式写进格子里。按计算器的事归我，你只管列式。"
    if misconception is None:
        return "还是这个数，再算一遍也不会变。换个法子：只写第一步，跟提示对一对，对上了再写下一步。"
    thought = misconception.thoughts[0]
    return f"同一个地方，第二次了。你心里是不是这样想的：“{thought}”岔路口就在这句话里，换一条走走看。"


def way_out_sentence(item: Item, mark: Mark, same_mistake_count: int) -> str:
    if same_mistake_count > STUCK_MISTAKE_COUNT:
        intro_words = "还卡在这里，不怪你，"
    elif isinstance(item, Numeric) and not mark.misconception_code:
        intro_words = "三回都没对上，不怪你，"
    else:
        intro_words = "第三次走到同一个路口，不怪你，"
    if item.easier:
        return f"{intro_words}是台阶太高。下面有一道简单的，垫一脚再回来；或者按“算给我看”。"
    return f"{intro_words}是我没讲明白。按“算给我看”，看我一行一行算一遍，再来。"


def unreadable_reason(
    item: Item, raw_answer: tuple[str, ...], seen_answers: Sequence[SeenAnswer] = ()
) -> str:
    """Why what was typed after these answers cannot be read; nothing when it can."""
    last_raw_answer: tuple[str, ...] = ()
    if seen_answers:
        last_raw_answer = seen_answers[-1].raw
    try:
        item.mark(raw_answer, len(seen_answers) + 1, last_raw_answer)
    except Unreadable as error:
        return str(error)
    return ""


def worked_line_htmls(course: Course, item: Item) -> list[Markup]:
    """The calculation, line by line."""
    return [breakable_html(course.line_html(solution_text)) for solution_text in item.solution()]


def breakable_html(html: str) -> Markup:
    """A calculation that may be broken before its signs, so that no phone breaks it within a number; before
    those within a side only where that is long.

    >>> breakable_html("<b>3÷1.585≈1.893</b>")
    Markup('<b>3÷1.585<wbr>≈1.893</b>')
    >>> breakable_html("3.000+1.262+0.500")
    Markup('3.000<wbr>+1.262<wbr>+0.500')
    """

    def with_break(sign_match: re.Match[str]) -> str:
        sign = sign_match[1]
        if not sign:
            return sign_match[0]
        side_begin = SIDE_END_PATTERN.split(html[: sign_match.start()])[-1]
        side_end = SIDE_END_PATTERN.split(html[sign_match.end() :])[0]
        if sign in "+÷×" and len(f"{side_begin}{sign}{side_end}") <= LONGEST_WHOLE_SIDE:
            return sign
        return f"<wbr>{sign}"

    return markup(TAG_OR_OPERATOR_PATTERN.sub(with_break, html))
