"""A table that is shown with what was typed after a wrong try: after a hint, or on coming back."""

from dataclasses import replace

from app.course import Course
from app.course.items.kinds import Steps
from app.course.items.kinds.steps import CARRIED_CELL_SIGN
from app.web.items.feedback import feedback_remarks
from app.web.items.kinds import ItemWithAnswers, SeenAnswer
from app.web.items.kinds.numeric import view_by_cell_name_of
from tests.web.cast import right_answer


def test_what_was_marked_by_another_rule_is_shown_without_the_verdicts_of_today(course: Course) -> None:
    """Beside the mark that was stored they would contradict it; points by hand say nothing of the cells."""
    item = next(item for item in course.items.values() if isinstance(item, Steps) and len(item.blanks) > 3)
    right_texts = tuple(right_answer(item))
    for answer, states in (
        (SeenAnswer("wrong", right_texts, 0.5), {"blank", "given"}),
        (SeenAnswer("wrong", right_texts, 0.5, is_by_hand=True), {"right", "given"}),
        (SeenAnswer("right", right_texts), {"right", "given"}),
    ):
        stored_table = ItemWithAnswers(course, item, [answer], "ended", None)
        view_by_cell_name = view_by_cell_name_of(stored_table)
        assert {cell_view.state for cell_view in view_by_cell_name.values()} <= states
        assert [view_by_cell_name[cell.name].text for cell in item.blanks] == list(right_texts)
        assert bool(feedback_remarks(course, item, [answer])) == ("right" in states)


def test_what_was_right_stays_closed_while_the_others_are_typed_anew(course: Course) -> None:
    item = next(item for item in course.items.values() if isinstance(item, Steps) and len(item.blanks) > 3)
    first_name, *other_names = [cell.name for cell in item.blanks]
    wrong_texts = ("77", *right_answer(item)[1:])
    answers = [SeenAnswer("wrong", wrong_texts, item.mark(wrong_texts).score)]
    judged_table = ItemWithAnswers(course, item, answers, "open", None)
    judged_views = view_by_cell_name_of(judged_table)
    assert judged_views[first_name].state == "wrong"
    sent_texts = [judged_views[name].sent_text or "" for name in other_names]
    typed_table = replace(judged_table, typed_raw_answer=("31", *sent_texts))
    typed_views = view_by_cell_name_of(typed_table)
    assert (typed_views[first_name].text, typed_views[first_name].state) == ("31", "blank")
    closed_names = [name for name in other_names if judged_views[name].state in ("right", "through")]
    assert closed_names
    for name in closed_names:
        assert typed_views[name] == judged_views[name]
    unread_table = replace(judged_table, typed_raw_answer=("十来颗", *[CARRIED_CELL_SIGN] * len(other_names)))
    assert view_by_cell_name_of(unread_table)[first_name].is_stuck
