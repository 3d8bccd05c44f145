"""Whole scripts: named lists before the dictionaries beside them, and the cut-off that a script writes."""

from app.course.workbench.pasting import MOST_DOCUMENTS, pasted_list_of
from app.course.workbench.programs.cutoffs import written_cutoffs_of
from app.course.workbench.state import read_state
from tests.tables import each

LISTS = "y_true = [[3, 2, 0]]\ny_score = [[.9, .8, .1]]\n"
SCORED = [(3, 0.9), (2, 0.8), (0, 0.1)]
PARAMETERS = 'params = {"objective": "lambdarank", "eval_at": [3]}\n'


@each("text", [PARAMETERS + LISTS, LISTS + PARAMETERS, LISTS + "params = {'max_depth': 6, 'eta': 0.1}"])
def test_parameters_beside_named_lists_are_no_judgements(text: str) -> None:
    reading = pasted_list_of(text)
    assert [(document.grade, document.score) for document in reading.documents] == SCORED
    assert reading.faults == ()


def test_dictionaries_are_read_where_no_list_is_named_as_grades() -> None:
    reading = pasted_list_of(
        "ks = [1, 3]\nqrel = {'q1': {'d1': 3, 'd2': 1}}\nrun = {'q1': {'d2': .9, 'd1': .8}}"
    )
    assert reading.grades == [1, 3]


@each("script", [PARAMETERS + LISTS, LISTS + "ndcg_score(y_true, y_score, k = 3)", LISTS + "# ndcg@3"])
def test_the_one_cutoff_of_a_script_is_taken(script: str) -> None:
    state_reading = read_state({"list": [script], "k": [""]})
    assert state_reading.state.k == 3
    assert state_reading.is_whole


@each(("k", "cutoff"), [("2", 2), ("all", None)])
def test_what_the_field_says_stands_over_the_script(k: str, cutoff: int | None) -> None:
    state_reading = read_state({"list": [LISTS + "k = 3, eval_at = 5"], "k": [k]})
    assert state_reading.state.k == cutoff
    assert state_reading.is_whole


def test_of_several_cutoffs_none_is_taken_and_the_page_says_so() -> None:
    state_reading = read_state({"list": [LISTS + 'params = {"eval_at": [5, 1]}']})
    assert state_reading.state.k is None
    [note] = state_reading.pasted_list.faults
    assert note.is_note
    assert note.fault_words == "脚本里写了k=1、5，这里没照它：要哪一个，填进“只看前k位”"


@each("text", ["k=5\n3 2 0", "y = [3, 2]; k = 0", "y = [3, 2]; k = 0.5", "y = [3, 2]; rank = 5"])
def test_what_is_no_cutoff_of_a_program(text: str) -> None:
    assert written_cutoffs_of(text) == []


def test_a_cutoff_beyond_every_list_is_not_taken() -> None:
    assert read_state({"list": [LISTS + f"k = {MOST_DOCUMENTS + 1}"]}).state.k is None
