"""错题本: responses in, open kinds and misconceptions out."""

from datetime import date, datetime, timedelta
from functools import partial

import pytest

from app.course.practice.item_mistakes import (
    MOST_CLEAN_RESPONSES,
    ItemMistakes,
    Mistake,
    MistakeElsewhere,
    WrongResponse,
)
from app.course.practice.notebook import Notebook, notebook_of_answers
from app.course.practice.skill_states import AnswerMoment
from tests.published import published

COURSE = published()
DAY = date(2026, 9, 7)
OWN = COURSE.practised_skills["no-gradient"].item_ids


def book(*answers: str) -> Notebook:
    """Answers such as `- practice-dcg-2 natural_log` and `+ practice-dcg-1`, in order."""
    wrongs: list[WrongResponse] = []
    cleans: dict[str, list[int]] = {}
    for number, answer in enumerate(answers, 1):
        sign, item, *mistake = answer.split()
        if sign == "-":
            wrongs.append(WrongResponse(moment_of(number), item, DAY, mistake[0] if mistake else None))
        else:
            cleans.setdefault(item, []).append(number)
    return notebook_of_answers(COURSE, items_of(wrongs, cleans), day_of)


def moment_of(number: int, day: date = DAY) -> AnswerMoment:
    return AnswerMoment(day.isoformat(), number)


def day_of(moment: datetime | str) -> date:
    """The day of a mistake; most of these moments are a date alone."""
    return date.fromisoformat(str(moment)[:10])


def items_of(wrongs: list[WrongResponse], cleans: dict[str, list[int]]) -> list[ItemMistakes]:
    """The sums of these answers, which are in order."""
    items = []
    for item in dict.fromkeys([*(wrong.item_id for wrong in wrongs), *cleans]):
        of_item = [wrong for wrong in wrongs if wrong.item_id == item]
        mistakes: dict[str, Mistake] = {}
        for wrong in of_item:
            code = wrong.misconception_code or ""
            times = mistakes[code].mistake_count if code in mistakes else 0
            mistakes[code] = Mistake(*wrong.moment, times + 1)
        moments = [moment_of(number) for number in cleans.get(item, [])[::-1][:MOST_CLEAN_RESPONSES]]
        items.append(ItemMistakes(item, moments, len(of_item), partial(list, of_item[::-1]), mistakes))
    return items


def test_an_empty_one() -> None:
    assert book("+ practice-dcg-1").entries == []
    assert set(book().mistake_count_by_step_name.values()) == {0}


def test_all_levels_of_an_exercise_are_one_kind_the_newest_mistake_first() -> None:
    notebook_entries = book("- practice-dcg-2", "- practice-cg-1", "- practice-dcg-1")
    assert [(entry.title, len(entry.wrong_responses)) for entry in notebook_entries.open_entries] == [
        ("算DCG", 2),
        ("把甜度加起来", 1),
    ]
    assert [wrong.response_id for wrong in notebook_entries.entries[0].wrong_responses] == [3, 1]


def test_three_clean_ones_clear_it_and_a_new_mistake_opens_it_again() -> None:
    wrong, clean = "- practice-dcg-2", "+ practice-dcg-1"
    assert book(wrong, clean, clean).open_entries[0].remaining_count == 1
    assert book(wrong, clean, clean, clean).open_entries == []
    assert book(clean, clean, clean, wrong).open_entries[0].remaining_count == 3
    assert book(wrong, clean, clean, clean, wrong).open_entries[0].remaining_count == 3


def test_another_exercise_of_the_same_point_does_not_clear_it() -> None:
    assert book("- practice-dcg-2", *["+ practice-dcg-sum-2"] * 3).open_entries[0].remaining_count == 3


def test_items_of_a_lesson_belong_to_their_point_and_any_question_of_it_counts() -> None:
    notebook_entries = book(f"- {OWN[0]}", f"+ {OWN[1]}", f"+ {OWN[2]}")
    assert (
        notebook_entries.open_entries[0].title,
        notebook_entries.open_entries[0].remaining_count,
        notebook_entries.open_entries[0].kind.id,
    ) == (
        "排序没有坡",
        1,
        "point-no-gradient",
    )
    lesson = next(
        item.id for item in COURSE.items.values()
        if item.skill == "dcg" and item.id in COURSE.section_by_item_id
        and item.kind == "numeric" and not item.twin
    )  # fmt: skip
    assert book(f"- {lesson}", *["+ practice-dcg-2"] * 3).open_entries == []


def test_a_twin_is_a_late_success_and_its_mistake_belongs_to_the_item() -> None:
    twin, item = next(
        (twin, item)
        for twin, item in COURSE.item_id_by_twin_id.items()
        if any(item in point.item_ids for point in COURSE.practised_skills.values())
    )
    notebook_entries = book(f"- {item}", f"+ {twin}")
    assert notebook_entries.open_entries[0].remaining_count == 3
    assert book(f"- {twin}").open_entries[0].kind == notebook_entries.open_entries[0].kind


def test_what_never_counts_is_in_no_notebook() -> None:
    probe = next(iter(COURSE.probe_ids))
    assert book(f"- {probe}", "- gone").entries == []


def test_misconceptions_sit_in_a_step_of_the_formula() -> None:
    notebook_entries = book(
        "- practice-dcg-2 natural_log",
        "- practice-term-2 natural_log+linear_for_exponential",
        "- practice-dcg-2 natural_log|log10",
        "- practice-dcg-2 truncated",
        "+ practice-dcg-2",
    )
    assert [
        (misconception.id, misconception.formula_step, misconception.mistake_count, misconception.clean_count)
        for misconception in notebook_entries.misconceptions
    ] == [
        ("natural_log", "折损", 2, 1),
        ("linear_for_exponential", "增益", 1, 0),
    ]
    assert notebook_entries.mistake_count_by_step_name == {
        "增益": 1,
        "折损": 2,
        "求和": 0,
        "理想": 0,
        "截断": 0,
        "归一": 0,
    }


def test_a_step_of_another_measure_stands_after_the_formula() -> None:
    steps = book("- practice-precision-2 count_not_share").mistake_count_by_step_name
    assert list(steps.items())[-2:] == [("归一", 0), ("分母", 1)]


def test_mistakes_on_cards_and_in_games_count_for_misconceptions() -> None:
    slips = [
        MistakeElsewhere("cards", f"{DAY}", "natural_log"),
        MistakeElsewhere("games", f"{DAY}", "log10|log2_of_rank"),
        MistakeElsewhere("games", f"{DAY}", None),
    ]
    items = items_of([WrongResponse(moment_of(1), "practice-dcg-2", DAY, "natural_log")], {})
    notebook_entries = notebook_of_answers(COURSE, items, day_of, slips)
    [misconception] = notebook_entries.misconceptions
    assert (misconception.id, misconception.mistake_count, misconception.mistake_count_by_source) == (
        "natural_log",
        2,
        {"questions": 1, "cards": 1},
    )
    assert notebook_entries.mistake_count_by_step_name["折损"] == 2
    assert len(notebook_entries.entries) == 1


def test_right_answers_count_after_the_last_mistake_wherever_it_was_made() -> None:
    wrongs, cleans = (
        [WrongResponse(moment_of(1), "practice-dcg-2", DAY, "natural_log")],
        {"practice-dcg-2": [2]},
    )
    day_before, day_after = DAY - timedelta(days=1), DAY + timedelta(days=1)
    for made_at, last_day, clean in (
        (f"{day_before}", DAY, 1),
        (f"{DAY} 12:00", DAY, 0),
        (f"{day_after}", day_after, 0),
    ):
        slips = [MistakeElsewhere("cards", made_at, "natural_log")]
        [misconception] = notebook_of_answers(COURSE, items_of(wrongs, cleans), day_of, slips).misconceptions
        assert (misconception.last_day, misconception.clean_count) == (last_day, clean)


def test_where_not_every_right_answer_is_known_it_says_so() -> None:
    for clean, more in (
        (MOST_CLEAN_RESPONSES - 1, False),
        (MOST_CLEAN_RESPONSES, True),
        (MOST_CLEAN_RESPONSES + 1, True),
    ):
        [misconception] = book("- practice-dcg-2 natural_log", *["+ practice-dcg-2"] * clean).misconceptions
        assert (misconception.clean_count, misconception.may_have_more_clean) == (
            min(clean, MOST_CLEAN_RESPONSES),
            more,
        )
    before = ["+ practice-dcg-2"] * MOST_CLEAN_RESPONSES
    [misconception] = book(*before, "- practice-dcg-2 natural_log", "+ practice-dcg-2").misconceptions
    assert (misconception.clean_count, misconception.may_have_more_clean) == (1, False)


def test_an_entry_knows_how_many_mistakes_there_are() -> None:
    wrongs = [WrongResponse(moment_of(number), "practice-dcg-2", DAY) for number in range(1, 80)]
    [entry] = notebook_of_answers(COURSE, items_of(wrongs, {}), day_of).entries
    assert (entry.mistake_count, len(entry.wrong_responses), entry.wrong_responses[0].response_id) == (
        79,
        50,
        79,
    )


@pytest.mark.parametrize("count", [12, 120])
def test_the_answers_of_a_kind_are_read_when_they_are_asked_for(count: int) -> None:
    items_read: list[str] = []

    def items_of_kind(item: str) -> list[ItemMistakes]:
        """So many questions of assignments that were one item."""
        items = []
        for number in range(1, count + 1):
            wrong = WrongResponse(moment_of(number), item, DAY)

            def read(item: str = item, wrong: WrongResponse = wrong) -> list[WrongResponse]:
                items_read.append(item)
                return [wrong]

            items.append(ItemMistakes(item, (), 1, read, {"": Mistake(*wrong.moment, 1)}))
        return items

    items = items_of_kind("practice-dcg-2") + items_of_kind("practice-cg-1")
    learner_notebook = notebook_of_answers(COURSE, items, day_of)
    entries = [
        (entry.title, entry.mistake_count, entry.remaining_count) for entry in learner_notebook.open_entries
    ]
    assert entries == [("算DCG", count, 3), ("把甜度加起来", count, 3)]
    assert items_read == []
    [first_entry, _] = learner_notebook.entries
    assert first_entry.wrong_responses[0].response_id == first_entry.wrong_responses[0].response_id == count
    assert items_read == ["practice-dcg-2"] * count
