"""The state of the workbench: its address says all of it, and what cannot be read is said field by field."""

from dataclasses import replace
from urllib.parse import parse_qs

from hypothesis import given
from hypothesis import strategies as st

from app.course.workbench.cells import title_of
from app.course.workbench.documents import ListedDocument
from app.course.workbench.state import (
    LONGEST_QUERY_STRING,
    REORDERING_TASKS,
    WorkbenchState,
    fields_of_state,
    fits_in_address,
    query_string_of,
    read_state,
    reordered_documents,
    with_answers,
)
from app.engine.conventions import CONVENTIONS, COURSE
from app.engine.reconciling import all_conventions
from app.engine.signatures import signature
from tests.tables import each

GRADES = st.none() | st.integers(0, 100) | st.floats(0, 100).map(lambda number: number + 0.0)
SCORES = st.floats(-1e12, 1e12).map(lambda number: number + 0.0)
TITLES = st.text(max_size=12).map(title_of)
LISTS = st.one_of(
    st.lists(st.builds(ListedDocument, GRADES, st.none(), st.just("")), min_size=1, max_size=20),
    st.lists(st.builds(ListedDocument, GRADES, SCORES, st.just("")), min_size=1, max_size=20),
    st.lists(st.builds(ListedDocument, GRADES, st.none(), TITLES), min_size=1, max_size=20),
    st.lists(st.builds(ListedDocument, GRADES, SCORES, TITLES), min_size=1, max_size=20),
)
STATES = st.builds(
    WorkbenchState,
    LISTS.map(lambda documents: tuple(whole(document) for document in documents)),
    st.lists(st.integers(0, 9), max_size=9).map(lambda grades: tuple(sorted(grades, reverse=True))),
    st.none() | st.integers(1, 1000),
    st.sampled_from([*CONVENTIONS.values()]).filter(lambda convention: convention.name != "ir-measures")
    | st.sampled_from(all_conventions()).map(with_answers),
    st.sampled_from(["", "trec_eval", "lightgbm"]),
)


@given(STATES, st.sampled_from(REORDERING_TASKS))
def test_a_task_stays_with_its_grades(workbench_state: WorkbenchState, task: str) -> None:
    start = tuple(reversed(workbench_state.pasted_list.grades))
    workbench_state = replace(workbench_state, task=task, start_grades=start)
    query = parse_qs(query_string_of(workbench_state), keep_blank_values=True)
    assert read_state(query).state == workbench_state
    other_query = {**query, "list": ["1 2 3 4 5 6 7 8 9 10 11"]}
    assert read_state(other_query).state.task == ""


def whole(document: ListedDocument) -> ListedDocument:
    """Whole grades are whole numbers, as they are read."""
    grade = document.grade
    if grade is not None and grade == int(grade):
        return document._replace(grade=int(grade))
    return document


@given(STATES)
def test_an_address_says_the_whole_state(workbench_state: WorkbenchState) -> None:
    query = parse_qs(query_string_of(workbench_state), keep_blank_values=True)
    reading = read_state(query)
    assert reading.is_whole
    assert reading.state == workbench_state
    assert fields_of_state(reading.state) == fields_of_state(workbench_state)


def test_sixty_documents_fit_and_fifteen_with_titles() -> None:
    scores = [-0.12345678901234567 / (place + 1) for place in range(60)]
    listed = tuple(ListedDocument(3, score) for score in scores)
    assert fits_in_address(WorkbenchState(listed, (3,) * 65, 10, CONVENTIONS["gdeval"], "trec_eval"))
    titled = tuple(ListedDocument(2, 0.25, "成都火锅哪家最好") for _ in range(15))
    assert fits_in_address(WorkbenchState(titled, (3, 3), 10, CONVENTIONS["gdeval"]))
    long = WorkbenchState(tuple(ListedDocument(2, 0.25, "成都火锅哪家最好") for _ in range(60)))
    assert not fits_in_address(long)
    assert len(query_string_of(long)) > LONGEST_QUERY_STRING


@each(
    ("field", "text"),
    [
        ("k", "0"), ("k", "1001"), ("k", "十"), ("k", "1" * 9999), ("gain", "log"), ("discount", "ln"),
        ("pool", "x"), ("convention", "BLEU"), ("convention", "NDCG|gain:g^3"), ("versus", "nobody"),
        ("row", "3--2"), ("row", "a"), ("list", ""), ("list", "火锅"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said(field: str, text: str) -> None:
    reading = read_state({"list": ["3 0"], field: [text]})
    assert list(reading.fault_by_field) == [field]
    assert reading.fault_by_field[field].endswith("。")
    assert field == "list" or reading.state == read_state({"list": ["3 0"]}).state


def test_a_signature_gives_convention_and_cut_and_the_fields_come_after() -> None:
    line = signature("trec_eval", 5)
    workbench_state = read_state({"convention": [line]}).state
    assert (workbench_state.convention, workbench_state.k) == (CONVENTIONS["trec_eval"], 5)
    workbench_state = read_state({"convention": [line], "k": ["3"], "gain": ["exponential"]}).state
    assert (workbench_state.convention.gain, workbench_state.convention.ties, workbench_state.k) == (
        "exponential",
        "docno-descending",
        3,
    )
    assert read_state({"convention": [line], "k": ["all"]}).state.k is None
    assert read_state({"k": [" "]}).state.k is None


def test_the_judged_beyond_the_list_come_from_qrels_and_from_the_field() -> None:
    text = "q 0 a 3\nq 0 b 2\nq Q0 a 1 1.0 x"
    workbench_state = read_state({"list": [text], "pool": ["1 3"]}).state
    assert [*workbench_state.unlisted_grades] == [3.0, 2.0, 1.0]
    assert workbench_state.written_pool == [3, 3, 2, 1]
    assert read_state({"list": ["3"]}).state.written_pool is None


def test_a_row_orders_the_documents_and_the_scores_stay() -> None:
    documents = [ListedDocument(3, 0.9, "a"), ListedDocument(0, 0.8, "b"), ListedDocument(3, 0.7, "c")]
    assert reordered_documents(documents, [0, 3, 3]) == (
        ListedDocument(0, 0.9, "b"), ListedDocument(3, 0.8, "a"), ListedDocument(3, 0.7, "c")
    )  # fmt: skip
    assert reordered_documents(documents, [0, 3, 2]) == (
        ListedDocument(0),
        ListedDocument(3),
        ListedDocument(2),
    )
    assert reordered_documents(documents, [3, 0]) == (ListedDocument(3), ListedDocument(0))
    assert reordered_documents(documents, [3, 0, 3, 1])[3] == ListedDocument(1)
    assert read_state({"list": ["3 0"], "row": ["0-3"]}).state.pasted_list.grades == [0, 3]


def test_what_the_form_says_of_the_length_of_an_address() -> None:
    """Hundreds of bare grades, some fifteen documents with a Chinese title of ten characters."""
    grades = "\n".join("3210"[number % 4] for number in range(300))
    titled_rows = [f"成都火锅串串冒菜大{number:02}\t{number % 4}" for number in range(30)]
    for text, document_count, fits in (
        (grades, 300, True),
        ("\n".join(titled_rows[:15]), 15, True),
        ("\n".join(titled_rows), 30, False),
    ):
        workbench_state = read_state({"list": [text]}).state
        assert len(workbench_state.documents) == document_count
        assert fits_in_address(workbench_state) == fits


def test_without_fields_there_is_something_to_see() -> None:
    reading = read_state({})
    assert reading.is_whole
    assert reading.state.convention is COURSE
    assert len(reading.state.documents) == 6


@each(("pool_count", "is_refused"), [(999, False), (1000, True)])
def test_an_address_holds_the_grades_of_list_and_pool_together(pool_count: int, is_refused: bool) -> None:
    """Else the address that the page gives would be refused when it is opened again."""
    pasted_text = "q1 Q0 a 1 1 x\nq1 0 a 3\nq1 0 b 1"
    state_reading = read_state({"list": [pasted_text], "pool": [f"2x{pool_count}"]})
    assert ("pool" in state_reading.fault_by_field) == is_refused
    again = read_state(parse_qs(query_string_of(state_reading.state)))
    assert again.state.unlisted_grades == state_reading.state.unlisted_grades
    assert not again.fault_by_field
