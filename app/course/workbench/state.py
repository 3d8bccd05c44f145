"""The state of the workbench: a list, what else was judged, a convention; as an address says it.

The fields: `list` (a text that `pasting` reads), `pool` (`3 2x4`: judged, but not in the list), `k`, and the
convention, either as `gain` and `discount`, or as a signature in `convention`, or both. `versus` names the
library that is compared in detail. `row=3-2-0` is the list in another order, or with other grades. A `task`
says what the list is moved for, and `start` in which order its grades stood before.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from app.course.items.marks import Unreadable
from app.course.text.typed import AddressFields, last_value, whole_number
from app.course.workbench.documents import LineFault, ListedDocument, PastedList, grade_text, text_of
from app.course.workbench.pasting import MOST_DOCUMENTS, pasted_list_of, read_pool
from app.course.workbench.programs.cutoffs import written_cutoffs_of
from app.engine.checks import Grade
from app.engine.conventions import CONVENTIONS, COURSE, Convention
from app.engine.signatures import LONGEST_SIGNATURE, named_convention, parse_signature, rules_of, signature
from app.engine.terms import DISCOUNTS, GAINS

LONGEST_QUERY_STRING = 1900
"""Characters of an address behind its `?`: with host and path it has at most 2,000."""
LONGEST_SIGNATURE_PART = 40
MOST_CUTOFFS_NAMED = 5
LONGEST_FIELD = 400
"""Characters of a field that are shown again."""
SHORTEST_DOCUMENT = 2
"""Characters that a document takes at least."""
START_LIST = "3 2 3 0 1 2"
REORDERING_TASKS = ("reach", "worsen")
EMPTY_LIST_SENTENCE = "先贴一列甜度，比如3 2 3 0 1 2；或者一行一篇，写甜度和分数。"
FAULT_SENTENCE_BY_FIELD = {
    "k": f"k是1到{MOST_DOCUMENTS}的整数；不截断就空着。",
    "gain": "增益（gain）写linear（线性）或者exponential（指数）。",
    "discount": f"折损（discount）写{'、'.join(DISCOUNTS)}里的一个。",
    "versus": "没有叫这个名字的库：从约定卡里挑一个。",
    "row": "一排糖写成3-2-0-1这样。",
}
_ROW_PATTERN = re.compile("[0-9](?:-[0-9]){0,59}")


@dataclass(frozen=True)
class WorkbenchState:
    """A list and how it is counted. unlisted_grades: of judged documents outside the list, sweetest first.

    task: of `REORDERING_TASKS`, or nothing; start_grades: the grades of the list when it was given.
    """

    documents: tuple[ListedDocument, ...]
    unlisted_grades: tuple[float, ...] = ()
    k: int | None = None
    convention: Convention = COURSE
    compared_preset: str = ""
    task: str = ""
    start_grades: tuple[Grade, ...] = ()

    @cached_property
    def pasted_list(self) -> PastedList:
        """The documents with what can be asked of them."""
        return PastedList(self.documents, self.unlisted_grades)

    @property
    def written_pool(self) -> list[Grade] | None:
        """The grades of all judged documents as written; None where nothing but the list was judged."""
        if not self.unlisted_grades:
            return None
        return [*self.pasted_list.written_grades, *self.unlisted_grades]


class StateReading(NamedTuple):
    """A state as an address or a form gives it, and what could not be read.

    typed_list_text: the list as it was typed. typed_pool_text: the pool as its own field says it, beside what
    that list says of documents outside it.
    pasted_list: the list with the faults of its lines, as it was pasted.
    fault_by_field: in sentences; what was typed in such a field stands in `unread_text_by_field`.
    """

    state: WorkbenchState
    typed_list_text: str
    typed_pool_text: str
    pasted_list: PastedList
    fault_by_field: Mapping[str, str]
    unread_text_by_field: Mapping[str, str]

    @property
    def is_whole(self) -> bool:
        """Whether everything could be read."""
        return not self.fault_by_field and not self.pasted_list.faults


def read_state(address_fields: AddressFields) -> StateReading:
    """The state of an address; what is missing or unreadable is as if it were not there.

    >>> reading = read_state({"list": ["3 2 0"], "k": ["２"], "gain": ["exponential"]})
    >>> reading.state.pasted_list.grades, reading.state.k, reading.state.convention.gain
    ([3, 2, 0], 2, 'exponential')
    >>> read_state({"list": [""]}).fault_by_field
    {'list': '先贴一列甜度，比如3 2 3 0 1 2；或者一行一篇，写甜度和分数。'}
    """
    fault_by_field: dict[str, str] = {}
    typed_list_text = last_value(address_fields, "list", START_LIST)
    pasted_list = pasted_list_of(typed_list_text)
    documents = pasted_list.documents
    pool_grades: list[float] = []
    if not documents:
        fault_by_field["list"] = EMPTY_LIST_SENTENCE
    row_text = last_value(address_fields, "row")
    if row_text and _ROW_PATTERN.fullmatch(row_text):
        documents = reordered_documents(documents, [int(grade) for grade in row_text.split("-")])
        typed_list_text = text_of(documents)
        pool_grades += pasted_list.unlisted_grades  # that text says nothing of them
    elif row_text:
        fault_by_field["row"] = FAULT_SENTENCE_BY_FIELD["row"]
    field_grades: tuple[float, ...] = ()
    try:
        field_grades = read_pool(last_value(address_fields, "pool"), len(pasted_list.unlisted_grades))
    except Unreadable as error:
        fault_by_field["pool"] = f"{error}。"
    convention, signature_cutoff = _convention_and_cutoff(address_fields, fault_by_field)
    cutoff = _read_cutoff(address_fields, signature_cutoff, fault_by_field)
    if cutoff is None and not last_value(address_fields, "k").strip():
        cutoff, pasted_list = _cutoff_of_script(typed_list_text, pasted_list)
    compared_preset = last_value(address_fields, "versus")
    if compared_preset and compared_preset not in CONVENTIONS:
        compared_preset = ""
        fault_by_field["versus"] = FAULT_SENTENCE_BY_FIELD["versus"]
    task, start_grades = _read_task(address_fields, documents)
    workbench_state = WorkbenchState(
        documents=documents,
        unlisted_grades=tuple(sorted((*pasted_list.unlisted_grades, *field_grades), reverse=True)),
        k=cutoff,
        convention=convention,
        compared_preset=compared_preset,
        task=task,
        start_grades=start_grades,
    )
    unread_text_by_field = {
        field_name: last_value(address_fields, field_name)[:LONGEST_FIELD]
        for field_name in fault_by_field
        if field_name != "list"
    }
    typed_pool_text = pool_text([*pool_grades, *field_grades])
    return StateReading(
        workbench_state, typed_list_text, typed_pool_text, pasted_list, fault_by_field, unread_text_by_field
    )


def fields_of_state(workbench_state: WorkbenchState) -> list[tuple[str, str]]:
    """What an address says of a state.

    >>> fields_of_state(WorkbenchState((ListedDocument(3), ListedDocument(0)), (2, 2, 1), k=5))
    [('list', '3 0'), ('k', '5'), ('pool', '2x2 1')]
    """
    name_text_pairs = [("list", text_of(workbench_state.documents))]
    if workbench_state.k is not None:
        name_text_pairs.append(("k", f"{workbench_state.k}"))
    if workbench_state.unlisted_grades:
        name_text_pairs.append(("pool", pool_text(workbench_state.unlisted_grades)))
    name_text_pairs += convention_fields(workbench_state.convention)
    if workbench_state.compared_preset:
        name_text_pairs.append(("versus", workbench_state.compared_preset))
    if workbench_state.task:
        start_documents = [ListedDocument(grade) for grade in workbench_state.start_grades]
        name_text_pairs += [("task", workbench_state.task), ("start", text_of(start_documents))]
    return name_text_pairs


def query_string_of(workbench_state: WorkbenchState) -> str:
    """The state behind the `?` of an address.

    >>> query_string_of(WorkbenchState((ListedDocument(3), ListedDocument(0))))
    'list=3+0'
    """
    return urlencode(fields_of_state(workbench_state))


def short_query_string(workbench_state: WorkbenchState) -> str | None:
    """The state behind the `?` of an address, which has room for sixty documents, or fifteen with titles."""
    if SHORTEST_DOCUMENT * len(workbench_state.documents) > LONGEST_QUERY_STRING:
        return None
    query_string = query_string_of(workbench_state)
    if len(query_string) > LONGEST_QUERY_STRING:
        return None
    return query_string


def fits_in_address(workbench_state: WorkbenchState) -> bool:
    """Whether an address can hold the state."""
    return short_query_string(workbench_state) is not None


@lru_cache(256)
def convention_fields(convention: Convention) -> tuple[tuple[str, str], ...]:
    """What an address says of a convention: nothing for the course's, a signature where no less will do.

    >>> convention_fields(with_answers(COURSE, gain="exponential"))
    (('gain', 'exponential'),)
    """
    convention_of_fields = with_answers(COURSE, gain=convention.gain, discount=convention.discount)
    if rules_of(convention_of_fields) != rules_of(convention):
        return (("convention", signature(convention)),)
    name_text_pairs = []
    for field_name in ("gain", "discount"):
        axis_answer = getattr(convention, field_name)
        if axis_answer != getattr(COURSE, field_name):
            name_text_pairs.append((field_name, axis_answer))
    return tuple(name_text_pairs)


def with_answers(convention: Convention, **axis_answers: str) -> Convention:
    """The convention with some answers changed, under the name of a library that computes so, if one does.

    >>> with_answers(CONVENTIONS["ranx"], gain="exponential").name
    'ranx-burges'
    """
    return named_convention(replace(convention, **axis_answers))  # type: ignore[arg-type]


def pool_text(grades: Sequence[float]) -> str:
    """Grades as `read_pool` reads them, sweetest first.

    >>> pool_text([1, 3, 3])
    '3x2 1'
    """
    grade_texts = []
    for grade, document_count in sorted(Counter(grades).items(), reverse=True):
        entry_text = grade_text(grade)
        if document_count > 1:
            entry_text += f"x{document_count}"
        grade_texts.append(entry_text)
    return " ".join(grade_texts)


def reordered_documents(
    documents: Sequence[ListedDocument], grade_row: Sequence[int]
) -> tuple[ListedDocument, ...]:
    """The documents in the order of a row of grades, the scores staying with the ranks.

    A row of other grades is a list of its own, without scores and titles.

    >>> documents = [ListedDocument(3, title="火锅"), ListedDocument(0, title="冒菜")]
    >>> reordered_documents(documents, [0, 3])[0].title
    '冒菜'
    """
    bare_documents = tuple(ListedDocument(grade) for grade in grade_row)
    remaining_documents = list(documents)
    ordered_documents = []
    for grade, former_document in zip(grade_row, documents, strict=False):
        matching_documents = [document for document in remaining_documents if document.grade == grade]
        if not matching_documents:
            return bare_documents
        remaining_documents.remove(matching_documents[0])
        ordered_documents.append(matching_documents[0]._replace(score=former_document.score))
    if remaining_documents or len(grade_row) > len(ordered_documents):
        return bare_documents
    return tuple(ordered_documents)


def _convention_and_cutoff(
    address_fields: AddressFields, fault_by_field: dict[str, str]
) -> tuple[Convention, int | None]:
    """The convention of the fields, and the cut-off of its signature."""
    convention: Convention = COURSE
    signature_cutoff = None
    convention_text = last_value(address_fields, "convention").strip()
    if convention_text:
        try:
            convention, signature_cutoff = parse_signature(convention_text)
        except ValueError:
            unreadable_text = unreadable_part(convention_text)
            fault_by_field["convention"] = (
                f"约定串里的“{unreadable_text}”看不懂。写成NDCG@10|gain:2^g-1|pool:judged这样，写法在约定串那一栏。"
            )
    for field_name, possible_answers in (("gain", GAINS), ("discount", DISCOUNTS)):
        axis_answer = last_value(address_fields, field_name)
        if axis_answer in possible_answers:
            convention = with_answers(convention, **{field_name: axis_answer})
        elif axis_answer:
            fault_by_field[field_name] = FAULT_SENTENCE_BY_FIELD[field_name]
    return convention, signature_cutoff


def unreadable_part(convention_text: str) -> str:
    """The first part of a signature that cannot be read.

    >>> unreadable_part("NDCG@10|gain:g|ties:luck"), unreadable_part("BLEU")
    ('ties:luck', 'BLEU')
    """
    measure, *signature_fields = convention_text[:LONGEST_SIGNATURE].split("|")
    if not _is_signature(measure):
        return measure.strip()[:LONGEST_SIGNATURE_PART]
    for signature_field in signature_fields:
        if not _is_signature(f"NDCG|{signature_field}"):
            return signature_field.strip()[:LONGEST_SIGNATURE_PART]
    return convention_text[:LONGEST_SIGNATURE_PART]


def _is_signature(signature_text: str) -> bool:
    try:
        parse_signature(signature_text)
    except ValueError:
        return False
    return True


def _read_task(
    address_fields: AddressFields, documents: Sequence[ListedDocument]
) -> tuple[str, tuple[Grade, ...]]:
    """The task, as long as the list has the grades that it was given for."""
    task = last_value(address_fields, "task")
    start_grades = pasted_list_of(last_value(address_fields, "start")).grades
    grades = [document.judged_grade for document in documents]
    if task in REORDERING_TASKS and Counter(start_grades) == Counter(grades):
        return task, tuple(start_grades)
    return "", ()


def _read_cutoff(
    address_fields: AddressFields, signature_cutoff: int | None, fault_by_field: dict[str, str]
) -> int | None:
    cutoff_text = last_value(address_fields, "k").strip()
    if cutoff_text == "all":
        return None
    if cutoff_text:
        cutoff = whole_number(cutoff_text)
        if cutoff is not None and 1 <= cutoff <= MOST_DOCUMENTS:
            return cutoff
        fault_by_field["k"] = FAULT_SENTENCE_BY_FIELD["k"]
    return signature_cutoff


def _cutoff_of_script(pasted_text: str, pasted_list: PastedList) -> tuple[int | None, PastedList]:
    """The one cut-off that a pasted script writes; of several none, and the list with a note of them."""
    cutoffs = written_cutoffs_of(pasted_text)
    if len(cutoffs) > 1:
        cutoffs_text = "、".join(map(str, cutoffs[:MOST_CUTOFFS_NAMED]))
        note_fault = LineFault(0, f"脚本里写了k={cutoffs_text}，这里没照它：要哪一个，填进“只看前k位”")
        return None, replace(pasted_list, faults=(note_fault, *pasted_list.faults))
    if cutoffs and cutoffs[0] <= MOST_DOCUMENTS:
        return cutoffs[0], pasted_list
    return None, pasted_list
