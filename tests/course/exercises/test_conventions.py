"""哪一家印的: every wrong library is told by its axes, and the list leads to the workbench."""

import re
from urllib.parse import parse_qs, urlsplit

from app import engine
from app.course.authoring.snapshots import course_with_frozen_item
from app.course.exercises.conventions import workbench_state_of
from app.course.exercises.exercises import practice_item_id
from app.course.items.kinds import SingleChoice
from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.state import fits_in_address, read_state
from app.course.workbench.wording import NAME_BY_ANY_AXIS
from app.engine.conventions import CONVENTIONS
from tests.course.small import FILES, changed, faults
from tests.published import published
from tests.tables import each

COURSE = published()
SEEDS = range(25)
WORKBENCH = re.compile(r"\((/workbench[^)]*)\)")


def variant(level: int, seed: int) -> SingleChoice:
    item = COURSE.variant(practice_item_id("which-convention", level), seed)
    assert isinstance(item, SingleChoice)
    return item


@each("level", engine.LEVELS)
def test_a_wrong_library_is_told_by_the_axes_that_this_list_shows(level: int) -> None:
    for seed in SEEDS:
        convention_question = engine.which_convention(level, seed)
        answer = CONVENTIONS[convention_question.answer]
        libraries = {name.replace("_", "-"): CONVENTIONS[name] for name in convention_question.libraries}
        for option in variant(level, seed).options:
            if option.right:
                assert libraries[option.id] is answer
                continue
            named = [axis for axis, name in NAME_BY_ANY_AXIS.items() if f"**{name}**换成" in option.feedback]
            assert named
            assert all(getattr(answer, axis) != getattr(libraries[option.id], axis) for axis in named)
            assert (
                f"把印出{convention_question.printed_by(answer.name):.3f}的那一家改成它：" in option.feedback
            )
            assert f"{convention_question.printed_by(libraries[option.id].name):.3f}" in option.feedback


@each("level", engine.LEVELS)
def test_no_two_options_say_the_same(level: int) -> None:
    for seed in SEEDS:
        clauses = [option.text.partition("：")[2] for option in variant(level, seed).options]
        assert len(set(clauses)) == 4, clauses


@each(
    ("level", "named", "silent"),
    [(1, "增益", "同分"), (2, "同分", "理想"), (3, "同分", "记0")],
)
def test_options_say_what_the_list_can_show(level: int, named: str, silent: str) -> None:
    item = variant(level, 4)
    assert all(named in option.text for option in item.options)
    assert all(silent not in option.text for option in item.options)


@each("level", engine.LEVELS)
def test_the_way_to_the_workbench_shows_the_printed_figure(level: int) -> None:
    for seed in SEEDS:
        convention_question = engine.which_convention(level, seed)
        [url] = WORKBENCH.findall(variant(level, seed).explanation or "")
        workbench_state = read_state(parse_qs(urlsplit(url).query)).state
        assert workbench_state == workbench_state_of(convention_question)
        assert fits_in_address(workbench_state)
        value = ListEvaluation(workbench_state).ndcg(workbench_state.convention)
        assert f"**NDCG@{convention_question.k} = {value:.3f}**" in variant(level, seed).stem


def test_the_order_of_the_options_is_of_the_seed_and_stays_when_it_is_thawed() -> None:
    orders = set()
    for seed in SEEDS:
        item = variant(2, seed)
        orders.add(tuple(option.id for option in item.options))
        frozen = course_with_frozen_item(COURSE, COURSE.version_hash_and_body(item.id, seed)[1], seed)
        assert frozen is not None
        assert frozen.items[item.id] == item
    assert len(orders) > 10


def test_a_generator_of_numbers_asks_for_no_choice() -> None:
    text = FILES["exercises.yaml"].replace("kind: numeric", "kind: single", 1)
    [fault] = faults(changed("exercises.yaml", FILES["exercises.yaml"], text))
    assert "引擎里没有出题器“dcg”；有这些：which-convention" in fault
