"""Which three questions open another day."""

from app.course.practice.warm_up import warm_up_item_ids
from tests.course.small import course

WRONG, RIGHT, SHOWN = "wrong", "right", "shown"


def picked(*answers: tuple[str, str]) -> tuple[str, ...]:
    return warm_up_item_ids(course(), [(f"content:{item}", verdict) for item, verdict in answers])


def test_nothing_answered_nothing_asked() -> None:
    assert picked() == ()


def test_three_at_most_in_the_order_in_which_they_were_answered() -> None:
    assert picked(("sum", RIGHT), ("sort", RIGHT), ("of-tea", RIGHT), ("holds", RIGHT)) == (
        "sum",
        "sort",
        "of-tea",
    )


def test_what_was_not_right_at_once_comes_first() -> None:
    answers = [("sum", RIGHT), ("sort", WRONG), ("sort", RIGHT), ("of-tea", SHOWN), ("all-of-them", RIGHT)]
    assert picked(*answers) == ("sort", "of-tea", "sum")


def test_a_twin_stands_for_its_item() -> None:
    assert picked(("holds", WRONG), ("holds-again", RIGHT)) == ("holds",)
    assert picked(("holds-again", WRONG)) == ("holds",)


def test_what_never_counted_and_what_is_gone_is_left_out() -> None:
    assert picked(("which", WRONG), ("gone", WRONG), ("sum", RIGHT)) == ("sum",)
