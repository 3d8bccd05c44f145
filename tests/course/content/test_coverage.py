"""What `check` proves of the whole: taught before it is scored, asked often enough, with a card."""

from collections import Counter

from app.course import coverage_warnings
from app.course.items.kinds.base import Item
from tests.course.learning.quizzes import NEW, with_quiz
from tests.course.small import FILES, parsed
from tests.published import published
from tests.tables import each

LESSON, ITEMS, CARDS = "01-first/lesson.yaml", "01-first/items.yaml", "01-first/cards.yaml"
MORE = "".join(
    f"more-{number}: {{skill: order, front: 换了会怎样？, back: 会变。, asks: change}}\n"
    for number in range(6)
)
FIRST_SUM = "      - {id: sum, kind: ask, item: sum}\n"
TAUGHT = "      - {id: how, kind: say, text: '先打折，照[[rank]]打，再加。'}\n"


def whole() -> dict[str, str]:
    """The small course with a 小测, as many cards as a stage must have, and a word before each new point."""
    files = with_quiz(NEW)
    lesson = files[LESSON].replace(FIRST_SUM, TAUGHT + FIRST_SUM)
    return {**files, LESSON: lesson, CARDS: files[CARDS] + MORE, "scenes.yaml": FILES["scenes.yaml"]}


def broken(file: str, old: str, new: str) -> list[str]:
    files = whole()
    assert old in files[file]
    return list(coverage_warnings(parsed({**files, file: files[file].replace(old, new)})))


def test_a_course_that_keeps_every_promise() -> None:
    assert list(coverage_warnings(parsed(whole()))) == []


def test_what_is_only_announced_promises_nothing_yet() -> None:
    files = whole()
    files["skills.yaml"] += "far: {name: 远方, needs: [dcg]}\n"
    assert list(coverage_warnings(parsed(files))) == []


def test_once_every_stage_stands_every_knowledge_point_must_be_there() -> None:
    files = whole()
    files["skills.yaml"] += "far: {name: 远方, needs: [dcg]}\n"
    later = "  - {id: later, title: 以后, summary: 还没写。}\n"
    files["course.yaml"] = files["course.yaml"].replace(later, "")
    assert list(coverage_warnings(parsed(files))) == [
        "知识点far只有0道题：至少要3道，或者一个出题器",
        "知识点far还没有卡片",
        "知识点far没有哪一节问到",
    ]


@each(
    ("file", "old", "new", "message"),
    [
        (CARDS, "skill: order", "skill: dcg", "知识点order还没有卡片"),
        (CARDS, MORE.splitlines()[0], "", "《第一站》只有7张卡片：至少要8张"),
        (CARDS, "asks: change", "asks: fact", "《第一站》的卡片里，问“错在哪一步”和“换了会怎样”的不到一半"),
        (LESSON, f"quiz: [{', '.join(NEW)}]", "", "《第一站》还没有小测（lesson.yaml里的quiz）"),
    ],
)
def test_a_promise_that_is_broken_is_told(file: str, old: str, new: str, message: str) -> None:
    assert message in broken(file, old, new)


def test_three_items_of_a_knowledge_point_or_a_generator() -> None:
    files = whole()
    exercises = files.pop("exercises.yaml")
    endless = files[ITEMS].index("endless:")
    files[ITEMS] = files[ITEMS][:endless] + "".join(files[ITEMS][endless:].partition("new-1:")[1:])
    files[LESSON] = files[LESSON].replace("      - {id: endless, kind: ask, item: endless}\n", "")
    files[ITEMS] = files[ITEMS].replace("skill: order", "skill: dcg").replace("skill: dcg", "skill: order", 2)
    assert "知识点order只有1道题：至少要3道，或者一个出题器" in list(coverage_warnings(parsed(files))), (
        exercises
    )


def test_every_point_of_the_course_is_asked_six_times_or_without_end() -> None:
    whole_course = published()
    endless = {exercise.skill for exercise in whole_course.exercises.values()}
    asked_counts = Counter(item.skill for item in whole_course.items.values() if isinstance(item, Item))
    assert [point for point in whole_course.skills if point not in endless and asked_counts[point] < 6] == []


def test_what_is_asked_before_it_was_taught_is_told() -> None:
    """The probe at the beginning may; a question that counts may not."""
    assert broken(LESSON, ", probe: true", "") == ["知识点order在“第一节”里还没讲就问了"]


def test_a_point_of_a_later_section_is_taught_there_first_too() -> None:
    assert "知识点dcg在“第二节”里还没讲就问了" in broken(LESSON, TAUGHT, "")


def test_a_section_takes_no_longer_than_it_says() -> None:
    """Its questions alone: what is played or programmed is outside the count."""
    message = "“第二节”写着5分钟，光是题目就要6分钟：拆开，或者挪走一道"
    assert broken(LESSON, "minutes: 6", "minutes: 5") == [message]


def test_every_term_is_linked_from_somewhere() -> None:
    assert broken(LESSON, "[[rank]]", "名次") == [
        "术语rank没有哪一句话链过去：在头一次用到它的地方写[[rank]]"
    ]


def test_what_a_point_needs_comes_first() -> None:
    faults = broken("skills.yaml", "order: {name: 先后, needs: []}\ndcg: {name: DCG, needs: [order]}",
                  "order: {name: 先后, needs: [dcg]}\ndcg: {name: DCG, needs: []}")  # fmt: skip
    assert faults == ["知识点order要先会dcg，可dcg在“第一节”之前没有问过"]


def test_a_quiz_asks_for_nothing_that_comes_later() -> None:
    files = whole()
    files["skills.yaml"] += "far: {name: 远方, needs: []}\n"
    last = files[ITEMS].rindex("skill: dcg")
    files[ITEMS] = files[ITEMS][:last] + files[ITEMS][last:].replace("skill: dcg", "skill: far", 1)
    assert "《第一站》的小测问了还没讲过的知识点far" in list(coverage_warnings(parsed(files)))
