"""The state of the workbench: a list, what else was judged, a convention; as an address says it.

The fields: `list` (a text that `pasting` reads), `pool` (`3 2x4`: judged, but not in the list), `k`, and the
convention, either as `gain` and `discount`, or as a signature in `convention`, or both. `versus` names the
library that is compared in detail. `row=3-2-0` is the list in another order, or with other grades. A `task`
says what the list is moved for, and `start` in which order its grades stood before.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from urllib.parse import urlencode

from app.course.items.marks import Unreadable
from app.course.text.typed import whole_number
from app.course.workbench.documents import Grade, ListedDocument, PastedList, grade_text, text_of
from app.course.workbench.pasting import MOST_DOCUMENTS, pasted_list_of, read_pool
from app.engine.conventions import CONVENTIONS, COURSE, Convention
from app.engine.discounts import DISCOUNTS
from app.engine.gains import GAINS
from app.engine.signatures import LONGEST_SIGNATURE, parse_signature, rules_of, signature

LONGEST_QUERY = 1900
"""Characters of an address behind its `?`: with host and path it has at most 2,000."""
LONGEST_PART = 40
LONGEST_FIELD = 400
"""Characters of a field that are shown again."""
SHORTEST_DOCUMENT = 2
"""Characters that a document takes at least."""
START_LIST = "3 2 3 0 1 2"
TASKS = ("reach", "worsen")
EMPTY_LIST = "先贴一列甜度，比如3 2 3 0 1 2；或者一行一篇，写甜度和分数。"
FAULT_OF_FIELD = {
    "k": f"k是1到{MOST_DOCUMENTS}的整数；不截断就空着。",
    "gain": "增益（gain）写linear（线性）或者exponential（指数）。",
    "discount": f"折损（discount）写{'、'.join(DISCOUNTS)}里的一个。",
    "versus": "没有叫这个名字的库：从约定卡里挑一个。",
    "row": "一排糖写成3-2-0-1这样。",
}
_ROW = re.compile("[0-9](?:-[0-9]){0,59}")

Query = Mapping[str, Sequence[str]]
"""The fields of an address; of a field that stands there several times the last one counts."""


@dataclass(frozen=True)
class WorkbenchState:
    """A list and how it is counted. beyond: grades of judged documents outside the list, sweetest first.

    task: of `TASKS`, or nothing; start: the grades of the list when it was given.
    """

    documents: tuple[ListedDocument, ...]
    grades_beyond: tuple[float, ...] = ()
    k: int | None = None
    convention: Convention = COURSE
    versus: str = ""
    task: str = ""
    start: tuple[Grade, ...] = ()

    @cached_property
    def listed(self) -> PastedList:
        """The documents with what can be asked of them."""
        return PastedList(self.documents, self.grades_beyond)

    @property
    def pool(self) -> list[Grade] | None:
        """The grades of all judged documents; None where nothing but the list was judged."""
        if not self.grades_beyond:
            return None
        return self.listed.pool


@dataclass(frozen=True)
class StateReading:
    """A state as an address or a form gives it, and what could not be read.

    typed: the text of the list as it was typed. faults: by field, and in `unread` what was typed there.
    listed: the list with the faults of its lines, as it was pasted.
    """

    state: WorkbenchState
    typed: str
    listed: PastedList
    faults: Mapping[str, str] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether everything could be read."""
        return not self.faults and not self.listed.faults


def read(query: Query) -> StateReading:
    """The state of an address; what is missing or unreadable is as if it were not there.

    >>> reading = read({"list": ["3 2 0"], "k": ["２"], "gain": ["exponential"]})
    >>> reading.state.listed.grades, reading.state.k, reading.state.convention.gain
    ([3, 2, 0], 2, 'exponential')
    >>> read({"list": [""]}).faults
    {'list': '先贴一列甜度，比如3 2 3 0 1 2；或者一行一篇，写甜度和分数。'}
    """
    faults: dict[str, str] = {}
    typed_list = _last_value(query, "list", START_LIST)
    pasted_list = pasted_list_of(typed_list)
    documents = pasted_list.documents
    if not documents:
        faults["list"] = EMPTY_LIST
    row = _last_value(query, "row")
    if row and _ROW.fullmatch(row):
        documents = reorder(documents, [int(grade) for grade in row.split("-")])
        typed_list = text_of(documents)
    elif row:
        faults["row"] = FAULT_OF_FIELD["row"]
    grades_beyond = [*pasted_list.grades_beyond]
    try:
        grades_beyond += read_pool(_last_value(query, "pool"))
    except Unreadable as error:
        faults["pool"] = f"{error}。"
    convention, signature_cutoff = _convention(query, faults)
    versus = _last_value(query, "versus")
    if versus and versus not in CONVENTIONS:
        versus = ""
        faults["versus"] = FAULT_OF_FIELD["versus"]
    task, start = _task(query, documents)
    state = WorkbenchState(
        documents=documents,
        grades_beyond=tuple(sorted(grades_beyond, reverse=True)),
        k=_cutoff(query, signature_cutoff, faults),
        convention=convention,
        versus=versus,
        task=task,
        start=start,
    )
    unread_fields = {field: _last_value(query, field)[:LONGEST_FIELD] for field in faults if field != "list"}
    return StateReading(state, typed_list, pasted_list, faults, unread_fields)


def address_fields(state: WorkbenchState) -> list[tuple[str, str]]:
    """What an address says of a state.

    >>> address_fields(WorkbenchState((ListedDocument(3), ListedDocument(0)), (2, 2, 1), k=5))
    [('list', '3 0'), ('k', '5'), ('pool', '2x2 1')]
    """
    fields = [("list", text_of(state.documents))]
    if state.k is not None:
        fields.append(("k", f"{state.k}"))
    if state.grades_beyond:
        fields.append(("pool", pool_text(state.grades_beyond)))
    fields += convention_fields(state.convention)
    if state.versus:
        fields.append(("versus", state.versus))
    if state.task:
        start_documents = [ListedDocument(grade) for grade in state.start]
        fields += [("task", state.task), ("start", text_of(start_documents))]
    return fields


def query_of(state: WorkbenchState) -> str:
    """The state behind the `?` of an address.

    >>> query_of(WorkbenchState((ListedDocument(3), ListedDocument(0))))
    'list=3+0'
    """
    return urlencode(address_fields(state))


def short_query(state: WorkbenchState) -> str | None:
    """The state behind the `?` of an address, which has room for sixty documents, or fifteen with titles."""
    if SHORTEST_DOCUMENT * len(state.documents) > LONGEST_QUERY:
        return None
    query = query_of(state)
    if len(query) > LONGEST_QUERY:
        return None
    return query


def fits_in_address(state: WorkbenchState) -> bool:
    """Whether an address can hold the state."""
    return short_query(state) is not None


@lru_cache(256)
def convention_fields(convention: Convention) -> tuple[tuple[str, str], ...]:
    """What an address says of a convention: nothing for the course's, a signature where no less will do.

    >>> convention_fields(with_answers(COURSE, gain="exponential"))
    (('gain', 'exponential'),)
    """
    near_convention = with_answers(COURSE, gain=convention.gain, discount=convention.discount)
    if rules_of(near_convention) != rules_of(convention):
        return (("convention", signature(convention)),)
    fields = []
    for field_name in ("gain", "discount"):
        answer = getattr(convention, field_name)
        if answer != getattr(COURSE, field_name):
            fields.append((field_name, answer))
    return tuple(fields)


def with_answers(convention: Convention, **answers: str) -> Convention:
    """The convention with some answers changed, under the name of a library that computes so, if one does.

    >>> with_answers(CONVENTIONS["ranx"], gain="exponential").name
    'ranx-burges'
    """
    return parse_signature(signature(replace(convention, **answers)))[0]  # type: ignore[arg-type]


def pool_text(grades: Sequence[float]) -> str:
    """Grades as `read_pool` reads them, sweetest first.

    >>> pool_text([1, 3, 3])
    '3x2 1'
    """
    parts = []
    for grade, count in sorted(Counter(grades).items(), reverse=True):
        run_of_grade = grade_text(grade)
        if count > 1:
            run_of_grade += f"x{count}"
        parts.append(run_of_grade)
    return " ".join(parts)


def reorder(documents: Sequence[ListedDocument], row: Sequence[int]) -> tuple[ListedDocument, ...]:
    """The documents in the order of a row of grades, the scores staying with the ranks.

    A row of other grades is a list of its own, without scores and titles.

    >>> reorder([ListedDocument(3, title="火锅"), ListedDocument(0, title="冒菜")], [0, 3])[0].title
    '冒菜'
    """
    bare_documents = tuple(ListedDocument(grade) for grade in row)
    remaining_documents = list(documents)
    ordered_documents = []
    for grade, former_document in zip(row, documents, strict=False):
        matching_documents = [document for document in remaining_documents if document.grade == grade]
        if not matching_documents:
            return bare_documents
        remaining_documents.remove(matching_documents[0])
        ordered_documents.append(matching_documents[0]._replace(score=former_document.score))
    if remaining_documents or len(row) > len(ordered_documents):
        return bare_documents
    return tuple(ordered_documents)


def _convention(query: Query, faults: dict[str, str]) -> tuple[Convention, int | None]:
    """The convention of the fields, and the cut-off of its signature."""
    convention: Convention = COURSE
    signature_cutoff = None
    convention_text = _last_value(query, "convention").strip()
    if convention_text:
        try:
            convention, signature_cutoff = parse_signature(convention_text)
        except ValueError:
            unreadable = unreadable_part(convention_text)
            faults["convention"] = (
                f"约定串里的“{unreadable}”看不懂。写成NDCG@10|gain:2^g-1|pool:judged这样，写法在约定串那一栏。"
            )
    for field_name, choices in (("gain", GAINS), ("discount", DISCOUNTS)):
        answer = _last_value(query, field_name)
        if answer in choices:
            convention = with_answers(convention, **{field_name: answer})
        elif answer:
            faults[field_name] = FAULT_OF_FIELD[field_name]
    return convention, signature_cutoff


def unreadable_part(convention_text: str) -> str:
    """The first part of a signature that cannot be read.

    >>> unreadable_part("NDCG@10|gain:g|ties:luck"), unreadable_part("BLEU")
    ('ties:luck', 'BLEU')
    """
    measure, *settings = convention_text[:LONGEST_SIGNATURE].split("|")
    if not _is_signature(measure):
        return measure.strip()[:LONGEST_PART]
    for setting in settings:
        if not _is_signature(f"NDCG|{setting}"):
            return setting.strip()[:LONGEST_PART]
    return convention_text[:LONGEST_PART]


def _is_signature(text: str) -> bool:
    try:
        parse_signature(text)
    except ValueError:
        return False
    return True


def _task(query: Query, documents: Sequence[ListedDocument]) -> tuple[str, tuple[Grade, ...]]:
    """The task, as long as the list has the grades that it was given for."""
    task = _last_value(query, "task")
    start_grades = pasted_list_of(_last_value(query, "start")).grades
    grades = [document.grade for document in documents]
    if task in TASKS and Counter(start_grades) == Counter(grades):
        return task, tuple(start_grades)
    return "", ()


def _cutoff(query: Query, signature_cutoff: int | None, faults: dict[str, str]) -> int | None:
    cutoff_text = _last_value(query, "k").strip()
    if cutoff_text == "all":
        return None
    if cutoff_text:
        cutoff = whole_number(cutoff_text)
        if cutoff is not None and 1 <= cutoff <= MOST_DOCUMENTS:
            return cutoff
        faults["k"] = FAULT_OF_FIELD["k"]
    return signature_cutoff


def _last_value(query: Query, field: str, default: str = "") -> str:
    texts = query.get(field)
    if not texts:
        return default
    return texts[-1]
