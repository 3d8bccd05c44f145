"""The 小测 that closes a stage, and flashcards: what a course makes of them, and what it refuses."""

from app.course import Course
from app.course.content.model import Quiz
from app.course.learning.steps import Ask
from tests.course.learning.quizzes import CARDS, ITEM, LESSON, NEW, with_quiz
from tests.course.small import FILES, changed, faults, parsed
from tests.tables import each

SECOND_LESSON = """\
goals: [再来。]
quiz: [{quiz}]
sections:
  - id: three
    title: 第三节
    minutes: 1
    steps:
      - {{id: ask-far, kind: ask, item: far}}
"""


def with_second_stage(quiz: list[str], about: dict[str, str]) -> dict[str, str]:
    """A second stage whose items are `about` these knowledge points."""
    items = "".join(ITEM.format(id=name, skill=skill) for name, skill in {"far": "ndcg", **about}.items())
    return {
        **changed("course.yaml", "summary: 还没写。}", "summary: 还没写。, folder: 02-later}"),
        "skills.yaml": FILES["skills.yaml"] + "ndcg: {name: NDCG, needs: [dcg]}\n",
        "02-later/lesson.yaml": SECOND_LESSON.format(quiz=", ".join(quiz)),
        "02-later/items.yaml": items,
        "02-later/examples.yaml": "far-tea:\n  title: 茶\n  documents:\n    - {title: 茶, grade: 1}\n",
    }


def test_a_quiz_is_the_last_section_of_its_stage() -> None:
    stage = parsed(with_quiz(NEW)).stages[0]
    assert [section.id for section in stage.sections] == ["one", "two", "cards", "hands", "first-quiz"]
    assert stage.sections[-1] is stage.quiz
    assert isinstance(stage.quiz, Quiz)
    assert [step.item for step in stage.quiz.steps if isinstance(step, Ask)] == NEW
    assert stage.quiz.minutes == 2 * len(NEW)
    assert stage.next_section("hands") is stage.quiz
    assert stage.next_section("first-quiz") is None


def test_what_a_quiz_asks_counts() -> None:
    course = parsed(with_quiz(NEW))
    assert set(NEW) <= set(course.scored_item_ids(course.stages[0]))
    assert course.stages[0].quiz
    assert set(NEW) <= set(course.stages[0].quiz.item_ids_with_twins(course.items))


def test_a_stage_without_a_quiz_ends_with_its_last_section() -> None:
    stage = parsed(FILES).stages[0]
    assert stage.quiz is None
    assert [section.id for section in stage.sections] == ["one", "two", "cards", "hands"]


def test_a_knowledge_point_is_at_home_where_it_is_first_asked_for() -> None:
    """Not where a probe asks before anything was taught, and not in a 小测."""
    course = parsed(with_quiz(NEW))
    assert {name: section.id for name, (_, section) in course.section_by_skill_id.items()} == {
        "order": "one",
        "dcg": "two",
    }


@each(
    ("quiz", "message"),
    [
        ([*NEW[:5], "gone"], "quiz.5: 没有叫“gone”的题目"),
        ([*NEW, "new-1"], "quiz.6: “new-1”在小测里写了两次"),
        ([*NEW, "sum"], "quiz.6: “sum”在这个阶段的课文里已经问过了，小测要换一道"),
        (NEW[:5], "quiz: 至少要有6个，这里只有5个"),
        (NEW * 2, "quiz: 最多10个，这里有12个"),
    ],
)
def test_a_quiz_that_does_not_work_is_refused(quiz: list[str], message: str) -> None:
    messages = [line for line in faults(with_quiz(quiz)) if line.startswith(LESSON)]
    assert messages == [f"{LESSON}:1: {message}"]


def test_a_probe_is_no_question_of_a_quiz() -> None:
    files = with_second_stage([*NEW, "which"], dict.fromkeys(NEW, "dcg"))
    [fault_message] = faults(files)
    assert "“which”是不计分的试探题，不能放进小测" in fault_message


def test_the_section_of_a_quiz_has_an_id_of_its_own() -> None:
    files = with_quiz(NEW)
    files[LESSON] = files[LESSON].replace("id: one\n", "id: first-quiz\n")
    assert "别的节不能用" in faults(files)[0]


@each(("back", "refused"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_quiz_looks_back_at_earlier_stages(back: int, refused: bool) -> None:
    about = {name: "dcg" if number < back else "ndcg" for number, name in enumerate(NEW)}
    files = with_second_stage(NEW, about)
    if refused:
        assert faults(files) == [
            f"02-later/lesson.yaml:2: quiz: 小测要有至少2道题考前面阶段的知识点，这里只有{back}道"
        ]
    else:
        assert isinstance(parsed(files), Course)


def test_an_item_of_an_earlier_stage_may_be_asked_again() -> None:
    course = parsed(with_second_stage([*NEW[:4], "sum", "of-tea"], dict.fromkeys(NEW, "ndcg")))
    assert course.item_refs_by_step_ids["later-quiz", "quiz-5"] == ("content:sum", "content:sum-turn")


def test_cards_belong_to_their_stage_and_know_their_id() -> None:
    course = parsed(FILES)
    assert course.stages[0].card_ids == ("weight-of-third", "ln-for-log2")
    assert course.stages[1].card_ids == ()
    card = course.cards["weight-of-third"]
    assert (card.id, card.skill, card.asks) == ("weight-of-third", "dcg", "fact")
    assert "打0.5折" in course.html(card.back)


def test_a_stage_may_have_no_cards() -> None:
    files = {name: text for name, text in FILES.items() if name != CARDS}
    files[LESSON] = files[LESSON].partition("  - id: cards")[0]
    assert parsed(files).cards == {}


@each(
    ("placement", "message"),
    [
        ("placement: [{item: gone, stage: first}]", "placement.0.item: 没有叫“gone”的题目"),
        ("placement: [{item: new-1, stage: gone}]", "placement.0.stage: 没有叫“gone”的阶段"),
        ("placement: [{item: sum, stage: first}]", "placement.0.item: “sum”课文里也问，会漏题"),
        (
            "placement: [{item: new-1, stage: later}, {item: new-2, stage: first}]",
            "placement.1.stage: 要从前面的阶段问到后面的阶段",
        ),
    ],
)
def test_a_placement_that_does_not_work_is_refused(placement: str, message: str) -> None:
    files = {**with_quiz(NEW), LESSON: FILES[LESSON]}
    files["course.yaml"] = FILES["course.yaml"].replace("stages:", f"{placement}\nstages:")
    assert faults(files) == [f"course.yaml:2: {message}"]


def test_what_places_a_newcomer_is_asked_before_anything_was_taught() -> None:
    files = {**with_quiz(NEW), LESSON: FILES[LESSON]}
    files["course.yaml"] = FILES["course.yaml"].replace(
        "stages:", "placement: [{item: new-1, stage: first}]\nstages:"
    )
    course = parsed(files)
    assert "new-1" in course.probe_ids
    assert [entry.stage for entry in course.placement] == ["first"]


@each(
    ("file", "old", "new", "message"),
    [
        (LESSON, "[weight-of-third]", "[gone]",
         f"{LESSON}:32: sections.2.steps.0.cards.0: 没有叫“gone”的卡片"),
        (CARDS, "skill: dcg\n  front: 第3位", "skill: gone\n  front: 第3位",
         f"{CARDS}:2: weight-of-third.skill: skills.yaml里没有知识点“gone”"),
        (CARDS, "asks: step", "asks: why",
         f"{CARDS}:10: ln-for-log2.asks: 只能是'fact', 'step' or 'change'"),
        (CARDS, "{{ half | 1 }}", "0.5",
         f"{CARDS}:4: weight-of-third.back: “0.5”是手写的数字：用{{{{ }}}}让引擎来算，或在literal里说明理由"),
    ],
)  # fmt: skip
def test_a_card_that_does_not_work_is_refused(file: str, old: str, new: str, message: str) -> None:
    assert faults(changed(file, old, new)) == [message]


def test_a_card_of_two_stages_needs_two_ids() -> None:
    files = with_second_stage(NEW, dict.fromkeys(NEW, "dcg")) | {"02-later/cards.yaml": FILES[CARDS]}
    assert sum("已经用过了" in line for line in faults(files)) == 2
