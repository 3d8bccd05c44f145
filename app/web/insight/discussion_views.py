"""讲评 as the projector shows it: the question, the class's first answers as bars, and never a name."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.course import Course
from app.course.authoring.snapshots import thaw
from app.course.content.misconception_names import named
from app.course.items.kinds import Generated, Item, Multiple, Numeric, Single, Spot, TrueFalse
from app.records.insight.discussions import DiscussionData, FirstAnswer, commonest
from app.web.insight.question_words import Courses, beside, home_of, plain_parts
from app.web.items.answered import texts
from app.web.items.kinds import Parts
from app.web.site.responses import markup

OPTIONS = (Single, Multiple, TrueFalse, Spot)
"""Kinds whose answers are chosen from what stands there."""


@dataclass(frozen=True)
class Bar:
    """An answer with how many gave it. `right` is told only once the answer is shown."""

    label: Markup
    count: int
    share: float
    right: bool
    said: str = ""


@dataclass(frozen=True)
class DiscussionView:
    """A question on the wall. Without `stem` its item can no longer be read."""

    kind: str
    stem: Markup | None
    parts: Parts | None
    bars: Sequence[Bar]
    answers: int
    several: bool
    solution: Sequence[Markup]


def discussion(courses: Courses, look: DiscussionData) -> DiscussionView:
    """The question as most saw it; before anybody answered, as it would be asked now."""
    then, item = question(courses, look)
    if then is None or item is None:
        return DiscussionView("", None, None, by_mistake(look.answers, ""), len(look.answers), False, ())
    seen = {one.version for one in look.answers}
    return DiscussionView(
        kind=item.kind,
        stem=markup(then.html(item.stem)),
        parts=plain_parts(then, item),
        bars=bars(then, item, look.answers, commonest(look.answers)),
        answers=len(look.answers),
        several=len(seen) > 1 or (not look.answers and varies(courses, look)),
        solution=[markup(then.line(line)) for line in item.solution()],
    )


def varies(courses: Courses, look: DiscussionData) -> bool:
    """Whether everybody is asked for other numbers."""
    course = home_of(courses, look.question.item)
    item = course.items.get(course.bare(look.question.item)) if course else None
    return isinstance(item, Generated) and not look.question.same


def question(courses: Courses, look: DiscussionData) -> tuple[Course | None, Item | None]:
    if look.body is not None:
        then = thaw(beside(courses, look.question.item), look.body, look.task.row.seed)
        return (then, next(iter(then.items.values()))) if then else (None, None)
    course = home_of(courses, look.question.item)
    bare = course.bare(look.question.item) if course else ""
    return (
        (course, course.variant(bare, look.task.row.seed))
        if course and bare in course.items
        else (None, None)
    )


def bars(course: Course, item: Item, answers: Sequence[FirstAnswer], shown: str) -> Sequence[Bar]:
    """`shown`: the version of the question that stands beside them."""
    if isinstance(item, OPTIONS):
        return by_option(course, item, answers)
    return by_mistake(answers, shown if isinstance(item, Numeric) else "")


def by_option(course: Course, item: Item, answers: Sequence[FirstAnswer]) -> list[Bar]:
    """A bar for each option, in the order in which they stand there; of several choices each counts."""
    chosen = Counter(one for answer in answers for one in answer.raw)
    right = right_ids(item)
    return [
        Bar(text, chosen[name], chosen[name] / max(len(answers), 1), name in right)
        for name, text in texts(course, item).items()
    ]


def right_ids(item: Item) -> frozenset[str]:
    match item:
        case Single() | Multiple():
            return frozenset(one.id for one in item.right_options)
        case TrueFalse():
            return frozenset(["true" if item.answer else "false"])
        case Spot():
            return frozenset(one.id for one in item.lines if one.wrong)
    return frozenset()


def by_mistake(answers: Sequence[FirstAnswer], shown: str) -> list[Bar]:
    """Right, each diagnosed mistake, the rest; the mistakes by how many made them."""
    groups: dict[tuple[int, str], list[FirstAnswer]] = {}
    for answer in answers:
        groups.setdefault(group_of(answer), []).append(answer)
    order: Callable[[tuple[int, str]], tuple[int, int]] = lambda key: (key[0], -len(groups[key]))  # noqa: E731
    return [
        Bar(
            label(key),
            len(groups[key]),
            len(groups[key]) / len(answers),
            key[0] == 0,
            typical(groups[key], shown),
        )
        for key in sorted(groups, key=order)
    ]


def group_of(answer: FirstAnswer) -> tuple[int, str]:
    if answer.verdict == "right":
        return 0, ""
    if answer.misconception:
        return 1, answer.misconception
    return (3, "") if answer.verdict == "shown" else (2, "")


WORDS: Mapping[int, str] = {0: "对了", 2: "别的答案", 3: "直接看了答案"}


def label(key: tuple[int, str]) -> Markup:
    return Markup.escape(named(key[1]).name if key[0] == 1 else WORDS[key[0]])


def typical(answers: Sequence[FirstAnswer], shown: str) -> str:
    """The number that most of a group wrote, where all of them had the question that is shown."""
    values = Counter(one.value for one in answers if one.value is not None)
    fits = {one.version for one in answers} == {shown}
    return str(values.most_common(1)[0][0]) if values and fits else ""
