"""Questions in plain text, the Chinese way: read from what somebody pasted, and written as somebody would.

1. 【单选】排在第3位，这一项要打几折？
A. 打五折
B. 打七折
答案：A
解析：名次加1是4，对数是2。
"""

from dataclasses import replace

from app.course.questions import answer_keys
from app.course.questions.draft_questions import (
    LETTERS,
    MOST_QUESTIONS,
    NAME_BY_DRAFT_KIND,
    DraftQuestion,
    QuestionList,
    UnfitQuestion,
    UnreadQuestion,
)
from app.course.questions.question_answers import (
    checkpoints_of,
    draft_of_block,
    letters_of_right_options,
    stem_with_gap_and_answer,
)
from app.course.questions.question_blocks import BlockCutter, QuestionBlock, SourceLine, TextInBlocks
from app.course.questions.question_signs import TITLE_REMARK

LONGEST_TITLE = 40
MIXED_HEADING = "综合题"
"""A heading that leaves open of which kind the questions below it are."""
TOO_MANY_QUESTIONS_WORDS = f"一次最多{MOST_QUESTIONS}道，这一道下一次再贴"
NOT_IN_A_QUESTION_WORDS = "没看懂这几行属于哪一题"


def read(pasted_text: str) -> QuestionList:
    """The questions of a text; what could not be taken is told with its line and comes back as it was.

    >>> questions = read("1. 越甜越靠前。（√）\\n2. 第3位打几折？\\nA. 五折\\nB. 七折")
    >>> questions.questions[0].is_true
    True
    >>> [(question.line_number, question.problem) for question in questions.unread_questions]
    [(4, '没有答案：在题目下面写一行“答案：…”')]
    """
    text_in_blocks, unread_questions = text_blocks_and_unread_questions(pasted_text)
    title, stray_lines = title_and_stray_lines(text_in_blocks)
    draft_questions: list[DraftQuestion] = []
    for stray_line_group in groups_of_adjacent_lines(stray_lines):
        first_line_number, _ = stray_line_group[0]
        unread_questions.append(
            UnreadQuestion(first_line_number, NOT_IN_A_QUESTION_WORDS, source_text_of(stray_line_group))
        )
    for question_block in text_in_blocks.blocks:
        try:
            draft_questions.append(draft_within_limit(question_block, len(draft_questions)))
        except UnfitQuestion as error:
            line_number = error.line_number or question_block.line_number
            unread_questions.append(UnreadQuestion(line_number, str(error), block_source(question_block)))
    return QuestionList(
        tuple(draft_questions),
        tuple(sorted(unread_questions, key=lambda unread_question: unread_question.line_number)),
        title,
    )


def text_blocks_and_unread_questions(pasted_text: str) -> tuple[TextInBlocks, list[UnreadQuestion]]:
    """The blocks of a text, with the answers of the key at its end; and what of the key has no place.

    Where no two questions wait for an answer there is no key: what looks like one is the last answer.
    """
    answer_key = answer_keys.split_key(pasted_text)
    text_in_blocks = BlockCutter().cut(answer_key.text)
    if answer_key.text == pasted_text or sum(map(waits_for_answer, text_in_blocks.blocks)) < 2:
        return BlockCutter().cut(pasted_text), []
    return text_in_blocks, [
        *answer_key.unread_questions,
        *answer_keys.put_answers(text_in_blocks.blocks, answer_key.entries),
    ]


def waits_for_answer(question_block: QuestionBlock) -> bool:
    """Whether no answer stands below a question or in it."""
    stem = "\n".join(line for _, line in question_block.stem)
    _, answer_in_stem = stem_with_gap_and_answer(stem, has_options=bool(question_block.options))
    return not (question_block.is_answered or answer_in_stem or letters_of_right_options(question_block))


def append_questions(questions_text: str, further_text: str) -> str:
    """A text with more questions below, behind a heading that begins them anew: their numbers may be the
    same, and the kind that was named last is not theirs. Their title stands in it.

    >>> print(append_questions("1. 甲。（√）", "第三章\\n1. 乙。（×）"))
    1. 甲。（√）
    <BLANKLINE>
    综合题（第三章）
    1. 乙。（×）
    """
    if not questions_text.strip():
        return further_text
    text_in_blocks = BlockCutter().cut(further_text)
    further_lines = further_text.split("\n")
    title, _ = title_and_stray_lines(text_in_blocks)
    heading = MIXED_HEADING
    if title:
        heading = f"{MIXED_HEADING}（{title}）"
        title_line_number, _ = text_in_blocks.stray_lines[0]
        further_lines[title_line_number - 1] = ""
    if not any(question_block.is_numbered for question_block in text_in_blocks.blocks):
        for question_number, question_block in enumerate(text_in_blocks.blocks, 1):
            further_lines[question_block.line_number - 1] = (
                f"{question_number}. {further_lines[question_block.line_number - 1].lstrip()}"
            )
    numbered_text = "\n".join(further_lines).lstrip("\n")
    return f"{questions_text.rstrip()}\n\n{heading}\n{numbered_text}"


def draft_within_limit(question_block: QuestionBlock, taken_count: int) -> DraftQuestion:
    """The question that a block is, beside as many that were taken; raises `UnfitQuestion`."""
    if taken_count == MOST_QUESTIONS:
        raise UnfitQuestion(TOO_MANY_QUESTIONS_WORDS)
    return replace(draft_of_block(question_block), source_text=block_source(question_block))


def title_and_stray_lines(text_in_blocks: TextInBlocks) -> tuple[str, list[SourceLine]]:
    """What stands above the first question as the title, and the other lines that belong to none."""
    if text_in_blocks.title or not text_in_blocks.stray_lines or not text_in_blocks.blocks:
        return text_in_blocks.title, text_in_blocks.stray_lines
    line_number, stray_text = text_in_blocks.stray_lines[0]
    if line_number < text_in_blocks.blocks[0].line_number and len(stray_text.strip()) <= LONGEST_TITLE:
        return stray_text.strip(), text_in_blocks.stray_lines[1:]
    return "", text_in_blocks.stray_lines


def groups_of_adjacent_lines(source_lines: list[SourceLine]) -> list[list[SourceLine]]:
    """Lines that follow each other, together."""
    line_groups: list[list[SourceLine]] = []
    for line_number, line in source_lines:
        if line_groups and line_groups[-1][-1][0] == line_number - 1:
            line_groups[-1].append((line_number, line))
        else:
            line_groups.append([(line_number, line)])
    return line_groups


def source_text_of(source_lines: list[SourceLine]) -> str:
    return "\n".join(line for _, line in source_lines)


def block_source(question_block: QuestionBlock) -> str:
    """A question as it came, below the heading that says its kind."""
    lines_with_heading = [*filter(None, [question_block.heading]), *question_block.source_lines]
    return "\n".join(lines_with_heading).rstrip()


def text_of_questions(question_list: QuestionList) -> str:
    """The questions as text that `read` reads again.

    >>> print(text_of_questions(read("越甜越靠前。 答案：对")), end="")
    1. 【判断】越甜越靠前。
    答案：对
    """
    question_texts = [
        text_of_question(draft_question, question_number)
        for question_number, draft_question in enumerate(question_list.questions, 1)
    ]
    if question_list.title:
        question_texts.insert(0, f"{TITLE_REMARK}{' '.join(question_list.title.split())}\n")
    return "\n".join(question_texts)


def text_of_question(draft_question: DraftQuestion, question_number: int) -> str:
    """One question with its number."""
    question_lines = [
        f"{question_number}. 【{NAME_BY_DRAFT_KIND[draft_question.kind]}】{draft_question.stem}"
    ]
    for letter, draft_option in zip(LETTERS, draft_question.options, strict=False):
        question_lines.append(f"{letter}. {draft_option.text}")
    question_lines.append(f"答案：{draft_question.answer_words}")
    if draft_question.kind == "short" and draft_question.checkpoints != checkpoints_of(
        "", draft_question.model_answer
    ):
        question_lines.append(f"要点：{'；'.join(draft_question.checkpoints)}")
    question_lines += feedback_lines(draft_question)
    for field_name, field_text in (
        ("解析", draft_question.explanation),
        ("提示", "\n".join(draft_question.hints)),
    ):
        if field_text:
            question_lines.append(f"{field_name}：{field_text}")
    return "\n".join(question_lines) + "\n"


def feedback_lines(draft_question: DraftQuestion) -> list[str]:
    """What its author says to each option, or to a judgement.

    >>> feedback_lines(DraftQuestion("true_false", "?", praise="对，名次加1是2。"))
    ['答对的反馈：对，名次加1是2。']
    """
    feedback_by_answer = {
        letter: draft_option.feedback
        for letter, draft_option in zip(LETTERS, draft_question.options, strict=False)
    }
    feedback_by_answer |= {"答对": draft_question.praise, "答错": draft_question.correction}
    return [
        f"{answer_text}的反馈：{feedback}" for answer_text, feedback in feedback_by_answer.items() if feedback
    ]


def can_hold(draft_question: DraftQuestion) -> bool:
    """Whether a text can hold a question as it is: read again, it is the same."""
    question_list = read(text_of_question(draft_question, 1))
    return question_list.questions == (draft_question,)
