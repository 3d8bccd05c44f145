"""A key apart from its questions: `1-5 ABCDA`, `1.A 2.B`, or a line each below the word 答案.

Its lines are taken out of the text, and what they say goes to the questions with these numbers.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

from app.course.questions import question_signs as signs
from app.course.questions.draft_questions import DraftKind, UnreadQuestion
from app.course.questions.question_blocks import QuestionBlock

Numbered = TypeVar("Numbered")
_HEADING_PATTERN = re.compile(
    r"(?:[一二三四五六七八九十]{1,3}[、.．]|#{1,4})?\s{0,3}[【\[]?(?:参考|标准|正确)?答案"
    r"(?:[与和及]解析|表|页)?[】\]]?\s{0,3}(?:[:：]\s{0,3}|$|(?=\d))"
)
_SECTION_PATTERN = re.compile(
    r"(?P<ordinal>[一二三四五六七八九十]{1,3})[、.．]\s{0,3}(?P<words>[^\d\s：:(（]{0,8}题)?\s{0,3}"
    r"(?:[(（][^)）]{0,40}[)）])?[：:\s]{0,3}(?P<answers>\d.*)"
)
_RANGE_PATTERN = re.compile(
    r"(?P<first>\d{1,3})\s?[-—–~～至到]{1,2}\s?(?P<last>\d{1,3})\s?题?\s?[.．、:：)）]?\s{0,4}"
    r"(?P<answers>[A-Ha-hTF√×✓✗对错][A-Ha-hTF√×✓✗对错\s]{0,240})[,，;；。]?\s{0,6}"
)
_SHORT_ENTRY_PATTERN = re.compile(
    r"(?P<number>\d{1,3})\s?[.．、:：)）]?\s{0,2}(?P<answer>[A-H]{1,6}|[TF√×✓✗对错])(?:[\s,，;；、。]{1,6}|$)"
)
_LONG_ENTRY_PATTERN = re.compile(r"[(（]?(?P<number>\d{1,3})\s?[.．、:：)）]\s{0,2}(?!\d)(?P<answer>\S.*)")
NO_SUCH_QUESTION_FORMAT = "答案表里有第{}题，上面没有这一题"
ANSWERED_TWICE_FORMAT = "第{}题下面已经写了答案，答案表里又是“{}”：留一个"
UNEQUAL_COUNTS_FORMAT = "第{}到{}题是{}道，这里有{}个答案"
UNREADABLE_LINE_WORDS = "答案表里这一行没看懂：写成“1-5 ABCDA”，或者“1.A 2.B”"
AMBIGUOUS_NUMBER_WORDS = "分不清是哪一部分的题：每一部分的答案另起一行，和题目一样的顺序"


class KeyEntry(NamedTuple):
    """What a key says of a question, by its number. `field_name`: answer or explanation; `kind`: of what kind
    the question is by the heading above, None where that says nothing."""

    line_number: int
    number: int
    text: str
    field_name: str = "answer"
    kind: DraftKind | None = None


class SeparateKey(NamedTuple):
    """A text with the lines of its key left empty; what they say, and those that could not be read."""

    text: str
    entries: Sequence[KeyEntry] = ()
    unread_questions: Sequence[UnreadQuestion] = ()


def split_key(questions_text: str) -> SeparateKey:
    """The key at the end of a text, and the text without it.

    >>> key = split_key("1. 甲？\\n2. 乙？\\n答案：\\n1-2 BA")
    >>> [(entry.number, entry.text) for entry in key.entries], key.text
    ([(1, 'B'), (2, 'A')], '1. 甲？\\n2. 乙？\\n\\n')
    """
    typed_lines = questions_text.split("\n")
    first_key_index = first_index_of_key(typed_lines)
    if first_key_index is None:
        return SeparateKey(questions_text)
    key_entries: list[KeyEntry] = []
    unread_questions = []
    draft_kind = None
    for line_number, typed_line in enumerate(typed_lines[first_key_index:], first_key_index + 1):
        section_heading, answer_line = section_and_answers(without_heading(signs.tidy_line(typed_line)))
        is_heading, kind_below = signs.heading_flag_and_kind(section_heading or answer_line)
        if is_heading or section_heading:
            draft_kind = kind_below
        if not answer_line or (is_heading and not section_heading):
            continue
        previous_number = key_entries[-1].number if key_entries else 0
        try:
            entries_on_line = [
                key_entry._replace(kind=draft_kind)
                for key_entry in entries_of(answer_line, line_number, previous_number)
            ]
        except ValueError as error:
            unread_questions.append(UnreadQuestion(line_number, str(error), typed_line))
            continue
        key_entries += entries_on_line
    typed_lines[first_key_index:] = [""] * (len(typed_lines) - first_key_index)
    return SeparateKey("\n".join(typed_lines), key_entries, unread_questions)


def first_index_of_key(typed_lines: Sequence[str]) -> int | None:
    """Where the key begins that ends a text: at its heading, or at the first line with several short answers.

    Below a heading there may be longer answers too, a line each. None where there is no key.
    """
    first_index = None
    has_entries_below = False
    for line_index, typed_line in reversed([*enumerate(typed_lines)]):
        section_heading, line = section_and_answers(signs.tidy_line(typed_line))
        is_heading_of_section, _ = signs.heading_flag_and_kind(line)
        if not line or (is_heading_of_section and not section_heading):
            continue
        answers_text = without_heading(line)
        has_short_answers_alone = is_all_short_answers(answers_text)
        begins_with_heading = answers_text != line
        if begins_with_heading and (has_short_answers_alone or (has_entries_below and not answers_text)):
            return line_index
        if has_short_answers_alone:
            first_index = line_index
        field_name, _ = signs.field_and_value_of(line) or ("", "")
        if has_short_answers_alone or _LONG_ENTRY_PATTERN.fullmatch(line):
            has_entries_below = True
        elif field_name != "explanation":
            break
    return first_index


def without_heading(line: str) -> str:
    """A line without the word 答案 at its head."""
    heading_match = _HEADING_PATTERN.match(line)
    if heading_match is None:
        return line
    return line[heading_match.end() :]


def section_and_answers(line: str) -> tuple[str, str]:
    """The heading of a part at the head of a line, and its answers behind it; no heading for other lines.

    >>> section_and_answers("二、判断题（每题2分）：1-2 √×"), section_and_answers("一、1．A 2．C")
    (('二、判断题', '1-2 √×'), ('一、', '1．A 2．C'))
    >>> section_and_answers("二、判断题（每题2分）"), section_and_answers("一、10分钟能做完")
    (('', '二、判断题（每题2分）'), ('', '一、10分钟能做完'))
    """
    section_match = _SECTION_PATTERN.fullmatch(line)
    if section_match is None:
        return "", line
    answers_text = section_match["answers"]
    if not is_all_short_answers(answers_text) and _LONG_ENTRY_PATTERN.fullmatch(answers_text) is None:
        return "", line
    return f"{section_match['ordinal']}、{section_match['words'] or ''}", answers_text


def is_all_short_answers(line: str) -> bool:
    """Whether a line holds nothing but short answers with their numbers, more than one of them.

    >>> is_all_short_answers("1-5 ABCDA 6~8 √×√"), is_all_short_answers("1. A")
    (True, False)
    """
    if _RANGE_PATTERN.sub("", line) == "" and line:
        return True
    return _SHORT_ENTRY_PATTERN.sub("", line) == "" and len(_SHORT_ENTRY_PATTERN.findall(line)) > 1


def entries_of(line: str, line_number: int, previous_number: int) -> Iterator[KeyEntry]:
    """What a line of a key says; `previous_number`: of which question the line before spoke.
    Raises ValueError."""
    if is_all_short_answers(line):
        for answer_match in _RANGE_PATTERN.finditer(line):
            yield from entries_of_range(answer_match, line_number)
        if not _RANGE_PATTERN.search(line):
            for answer_match in _SHORT_ENTRY_PATTERN.finditer(line):
                yield KeyEntry(line_number, int(answer_match["number"]), answer_match["answer"])
        return
    field_and_value = signs.field_and_value_of(line)
    if field_and_value and field_and_value[0] == "explanation" and previous_number:
        yield KeyEntry(line_number, previous_number, field_and_value[1], "explanation")
        return
    answer_text, *further_lines = signs.logical_lines(line)
    entry_match = _LONG_ENTRY_PATTERN.fullmatch(answer_text)
    if entry_match is None:
        raise ValueError(UNREADABLE_LINE_WORDS)
    question_number = int(entry_match["number"])
    yield KeyEntry(line_number, question_number, entry_match["answer"])
    for further_line in further_lines:
        yield from entries_of(further_line, line_number, question_number)


def entries_of_range(range_match: re.Match[str], line_number: int) -> Iterator[KeyEntry]:
    """The answers to a run of questions: a sign each, or with spaces between where some have more."""
    first_number, last_number = int(range_match["first"]), int(range_match["last"])
    answer_texts = range_match["answers"].split()
    question_count = last_number - first_number + 1
    if len(answer_texts) != question_count:
        answer_texts = list("".join(answer_texts))
    if len(answer_texts) != question_count:
        raise ValueError(
            UNEQUAL_COUNTS_FORMAT.format(first_number, last_number, max(question_count, 0), len(answer_texts))
        )
    for question_number, answer_text in enumerate(answer_texts, first_number):
        yield KeyEntry(line_number, question_number, answer_text)


def put_answers(
    question_blocks: Sequence[QuestionBlock], key_entries: Sequence[KeyEntry]
) -> list[UnreadQuestion]:
    """Put what a key says into its questions; what has no question is told with its line."""
    block_runs = runs_of_rising_numbers(
        [
            (question_block.number, False, question_block)
            for question_block in question_blocks
            if question_block.number
        ]
    )
    entry_runs = runs_of_rising_numbers(
        [(key_entry.number, key_entry.field_name == "explanation", key_entry) for key_entry in key_entries]
    )
    if len(block_runs) != len(entry_runs):
        block_numbers = [question_block.number for question_block in question_blocks if question_block.number]
        if len(set(block_numbers)) < len(block_numbers):
            return [unread_question_of(key_entry, AMBIGUOUS_NUMBER_WORDS) for key_entry in key_entries]
        block_runs = [[*chain.from_iterable(block_runs)]]
        entry_runs = [list(key_entries)]
    unread_questions = []
    for run_blocks, run_entries in zip(block_runs, entry_runs, strict=True):
        block_by_number = {question_block.number: question_block for question_block in run_blocks}
        for key_entry in run_entries:
            problem_words = put_entry(block_by_number.get(key_entry.number), key_entry)
            if problem_words:
                unread_questions.append(unread_question_of(key_entry, problem_words))
    return unread_questions


def runs_of_rising_numbers(numbered_elements: Sequence[tuple[int, bool, Numbered]]) -> list[list[Numbered]]:
    """What is numbered, cut where the numbers begin again: number, whether it goes on, value."""
    rising_runs: list[list[Numbered]] = []
    previous_number = 0
    for element_number, belongs_to_previous, numbered_element in numbered_elements:
        begins_run = element_number <= previous_number and not belongs_to_previous
        if begins_run or not rising_runs:
            rising_runs.append([])
        rising_runs[-1].append(numbered_element)
        previous_number = element_number
    return rising_runs


def put_entry(question_block: QuestionBlock | None, key_entry: KeyEntry) -> str:
    """Put an entry into its question; what keeps it out, or nothing."""
    if question_block is None:
        return NO_SUCH_QUESTION_FORMAT.format(key_entry.number)
    if key_entry.kind and question_block.kind and key_entry.kind != question_block.kind:
        return AMBIGUOUS_NUMBER_WORDS
    if key_entry.field_name == "answer" and question_block.is_answered:
        written_answer_text = "".join(
            answer_line for _, answer_line in question_block.lines_by_field["answer"]
        )
        if written_answer_text.strip() == key_entry.text:
            return ""
        return ANSWERED_TWICE_FORMAT.format(key_entry.number, key_entry.text[:20])
    question_block.lines_by_field.setdefault(key_entry.field_name, []).append(
        (key_entry.line_number, key_entry.text)
    )
    field_word = "答案" if key_entry.field_name == "answer" else "解析"
    question_block.source_lines.append(f"{field_word}：{key_entry.text}")
    return ""


def unread_question_of(key_entry: KeyEntry, problem_words: str) -> UnreadQuestion:
    return UnreadQuestion(key_entry.line_number, problem_words, f"{key_entry.number}. {key_entry.text}")
