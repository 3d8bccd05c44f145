"""错题本: responses in, open kinds and habits out."""

from datetime import date, timedelta

from app.course.practice.notebook import CleanResponse, MistakeElsewhere, Notebook, WrongResponse, notebook
from tests.published import published

COURSE = published()
DAY = date(2026, 9, 7)
OWN = COURSE.points["auc"].items


def book(*answers: str) -> Notebook:
    """Answers such as `- practice-dcg-2 natural_log` and `+ practice-dcg-1`, in order."""
    wrongs, cleans = [], []
    for number, answer in enumerate(answers, 1):
        sign, item, *mistake = answer.split()
        if sign == "-":
            wrongs.append(WrongResponse(number, item, DAY, mistake[0] if mistake else None))
        else:
            cleans.append(CleanResponse(number, item))
    return notebook(COURSE, wrongs, cleans)


def test_an_empty_one() -> None:
    assert book("+ practice-dcg-1").entries == []
    assert set(book().steps.values()) == {0}


def test_all_levels_of_an_exercise_are_one_kind_the_newest_mistake_first() -> None:
    found = book("- practice-dcg-2", "- practice-cg-1", "- practice-dcg-1")
    assert [(one.title, len(one.wrongs)) for one in found.open] == [("算DCG", 2), ("把甜度加起来", 1)]
    assert [wrong.number for wrong in found.entries[0].wrongs] == [3, 1]


def test_three_clean_ones_clear_it_and_a_new_mistake_opens_it_again() -> None:
    wrong, clean = "- practice-dcg-2", "+ practice-dcg-1"
    assert book(wrong, clean, clean).open[0].to_go == 1
    assert book(wrong, clean, clean, clean).open == []
    assert book(clean, clean, clean, wrong).open[0].to_go == 3
    assert book(wrong, clean, clean, clean, wrong).open[0].to_go == 3


def test_another_exercise_of_the_same_point_does_not_clear_it() -> None:
    assert book("- practice-dcg-2", *["+ practice-dcg-sum-2"] * 3).open[0].to_go == 3


def test_items_of_a_lesson_belong_to_their_point_and_any_question_of_it_counts() -> None:
    found = book(f"- {OWN[0]}", f"+ {OWN[1]}", f"+ {OWN[2]}")
    assert (found.open[0].title, found.open[0].to_go, found.open[0].kind.id) == ("AUC", 1, "point-auc")
    lesson = next(
        item.id for item in COURSE.items.values()
        if item.skill == "dcg" and item.id in COURSE.asked_in and item.kind == "numeric" and not item.twin
    )  # fmt: skip
    assert book(f"- {lesson}", *["+ practice-dcg-2"] * 3).open == []


def test_a_twin_is_a_late_success_and_its_mistake_belongs_to_the_item() -> None:
    twin, item = next(
        (twin, item)
        for twin, item in COURSE.twin_of.items()
        if any(item in point.items for point in COURSE.points.values())
    )
    found = book(f"- {item}", f"+ {twin}")
    assert found.open[0].to_go == 3
    assert book(f"- {twin}").open[0].kind == found.open[0].kind


def test_what_never_counts_is_in_no_notebook() -> None:
    probe = next(iter(COURSE.probes))
    assert book(f"- {probe}", "- gone").entries == []


def test_habits_sit_in_a_step_of_the_formula() -> None:
    found = book(
        "- practice-dcg-2 natural_log",
        "- practice-term-2 natural_log+linear_for_exponential",
        "- practice-dcg-2 natural_log|log10",
        "- practice-dcg-2 truncated",
        "+ practice-dcg-2",
    )
    assert [(one.id, one.step, one.times, one.clean) for one in found.habits] == [
        ("natural_log", "折损", 2, 1),
        ("linear_for_exponential", "增益", 1, 0),
    ]
    assert found.steps == {"增益": 1, "折损": 2, "求和": 0, "理想": 0, "截断": 0, "归一": 0}


def test_mistakes_on_cards_and_in_games_are_habits_too() -> None:
    slips = [
        MistakeElsewhere("cards", DAY, "natural_log"),
        MistakeElsewhere("games", DAY, "log10|log2_of_rank"),
        MistakeElsewhere("games", DAY, None),
    ]
    found = notebook(COURSE, [WrongResponse(1, "practice-dcg-2", DAY, "natural_log")], [], slips)
    [habit] = found.habits
    assert (habit.id, habit.times, habit.places) == ("natural_log", 2, {"questions": 1, "cards": 1})
    assert found.steps["折损"] == 2
    assert len(found.entries) == 1


def test_right_answers_count_after_the_last_mistake_wherever_it_was_made() -> None:
    wrongs, cleans = (
        [WrongResponse(1, "practice-dcg-2", DAY, "natural_log")],
        [CleanResponse(2, "practice-dcg-2")],
    )
    for days, clean in ((-1, 1), (1, 0)):
        slips = [MistakeElsewhere("cards", DAY + timedelta(days=days), "natural_log")]
        [habit] = notebook(COURSE, wrongs, cleans, slips).habits
        assert (habit.last, habit.clean) == (max(DAY, slips[0].day), clean)
