r"""Questions in GIFT, the text format of Moodle: read into drafts, and written.

::名字::题干 { =对的 ~错的#反馈 ####解析 }    {T}    {#0.5:0.01}    {=甲 =乙}    {}

It has no place for hints: they stand in comments above their question, which other programs pass over.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.course.items.kinds.fill import PLAIN_NUMBER_PATTERN
from app.course.items.printed_figures import short_text
from app.course.questions.draft_questions import (
    LETTERS,
    MOST_OPTIONS,
    DraftBlank,
    DraftOption,
    DraftQuestion,
    QuestionList,
    UnfitQuestion,
    UnreadQuestion,
)
from app.course.questions.gift_markup import (
    GiftAnswer,
    answer_and_feedback,
    escape_signs,
    feedback_text,
    text_of_markup,
    without_formats,
)
from app.course.questions.plain_markdown import FORMULA_PATTERN, is_formula
from app.course.questions.question_answers import PICTURE_SIGN, WORDS_BY_LOSS_SIGN
from app.course.questions.question_signs import BLANK, with_blanks

_TITLE_PATTERN = re.compile(r"\s*::(?:[^:\\\n]|\\.){0,200}::")
_CHOICE_PATTERN = re.compile(r"([=~])(?:%(-?\d{1,3}(?:\.\d{1,5})?)%)?((?:[^=~\\]|\\.)*)", re.DOTALL)
_ANSWERS_PATTERN = re.compile(
    r"(?<!\\)\{\s*(?:[=~#]|\}\s*(?:\n|$)|"
    r"(?:T|F|TRUE|FALSE)\s*(?:#(?:[^{}\\]|\\.){0,2000})?\}[^\S\n]*(?:\n[^\S\n]*(?:\n|//|$)|$))"
)
"""Where answers begin; for {T} and {F} also where the question ends, as sets and matrices are written so."""
FEEDBACK_OF_ALL = "####"
COMMENT_SIGN = "//"
HINT_REMARK = f"{COMMENT_SIGN} 提示："
"""How a comment begins that is a hint of the question below it."""
FULL_PERCENT, MOST_PERCENT = 100, 101
"""Percent for what is right, and for all right options together, with room for those that were rounded."""
PARTIAL_MARKS_WORDS = "有的答案只得部分分，这里没有：改成只有对和错，再传"
SEVERAL_RIGHT_WORDS = "这是单选题，却有几个选项都得满分：只留一个，或者改成多选题"


def is_gift(gift_text: str) -> bool:
    """Whether a text looks like GIFT: a question with its answers in braces.

    >>> is_gift("第3位打几折？{=五折 ~七折}"), is_gift("集合{1, 2}有几个数？ 答案：2")
    (True, False)
    >>> is_gift("对吗？{T}"), is_gift("求$A^{T}$。"), is_gift("求A{T}的秩。")
    (True, False, False)
    """
    text_without_formulas = FORMULA_PATTERN.sub(
        lambda formula_match: "" if is_formula(formula_match[1]) else formula_match[0], gift_text
    )
    return _ANSWERS_PATTERN.search(text_without_formulas) is not None


def read(gift_text: str) -> QuestionList:
    """The questions of a text in GIFT, each with the line where it begins.

    >>> read("NDCG大于1。{F#分母最大}").questions[0].correction
    '分母最大'
    """
    questions = []
    unread_questions = []
    for line_number, source_text in numbered_question_sources(gift_text):
        try:
            questions.append(draft_of(source_text, line_number))
        except UnfitQuestion as error:
            unread_questions.append(UnreadQuestion(line_number, str(error), source_text))
    return QuestionList(tuple(questions), tuple(unread_questions))


def numbered_question_sources(gift_text: str) -> Iterator[tuple[int, str]]:
    """The questions as they are written, with the line of each and the hints above it; other comments and
    categories are left out."""
    source_lines: list[str] = []
    first_line_number = 1
    for line_number, line in enumerate([*gift_text.split("\n"), ""], 1):
        stripped_line = line.strip()
        is_hint = stripped_line.startswith(HINT_REMARK)
        if stripped_line.startswith((COMMENT_SIGN, "$CATEGORY")) and not is_hint:
            continue
        if stripped_line:
            if not source_lines:
                first_line_number = line_number
            source_lines.append(stripped_line)
        elif source_lines:
            if not all(source_line.startswith(COMMENT_SIGN) for source_line in source_lines):
                yield first_line_number, "\n".join(source_lines)
            source_lines = []


def draft_of(source_text: str, line_number: int) -> DraftQuestion:
    """One question; raises `UnfitQuestion` for what own content has no kind for."""
    hints, titled_source = _hints_and_question(source_text)
    title_match = _TITLE_PATTERN.match(titled_source)
    question_source = titled_source
    if title_match:
        question_source = titled_source[title_match.end() :]
    question_source = without_formats(question_source)
    if PICTURE_SIGN in question_source:
        raise UnfitQuestion(WORDS_BY_LOSS_SIGN[PICTURE_SIGN])
    opening_index, closing_index = _brace_indexes(question_source)
    stem = text_of_markup(question_source[:opening_index])
    text_behind = text_of_markup(question_source[closing_index + 1 :])
    answer_body, _, general_feedback_markup = question_source[opening_index + 1 : closing_index].partition(
        FEEDBACK_OF_ALL
    )
    draft_question = _draft_of_body(with_blanks(stem), answer_body.strip(), text_behind, line_number)
    explanations = filter(None, [draft_question.explanation, text_of_markup(general_feedback_markup)])
    return replace(
        draft_question,
        explanation="\n".join(explanations),
        hints=hints,
        line_number=line_number,
        source_text=source_text,
    )


def _hints_and_question(source_text: str) -> tuple[tuple[str, ...], str]:
    """The hints that stand in comments, and the question without them."""
    hints = []
    question_lines = []
    for line in source_text.split("\n"):
        if line.startswith(HINT_REMARK):
            hints.append(text_of_markup(line.removeprefix(HINT_REMARK)))
        else:
            question_lines.append(line)
    return tuple(filter(None, hints)), "\n".join(question_lines)


def _brace_indexes(question_source: str) -> tuple[int, int]:
    """Where the answers begin and end."""
    opening_match = re.search(r"(?<!\\)\{", question_source)
    closing_match = re.search(r"(?<!\\)\}", question_source)
    if opening_match is None or closing_match is None or closing_match.start() < opening_match.start():
        raise UnfitQuestion("没有答案：GIFT把答案写在花括号里")
    return opening_match.start(), closing_match.start()


def _draft_of_body(stem: str, answer_body: str, text_behind: str, line_number: int) -> DraftQuestion:
    """The question by what stands in its braces; a blank stands where text goes on behind them."""
    if not stem and not text_behind:
        raise UnfitQuestion("没有题干")
    truth_match = re.fullmatch(r"(TRUE|T|FALSE|F)((?:#(?:[^#\\]|\\.)*){0,2})", answer_body, re.DOTALL)
    if truth_match:
        correction_markup, _, praise_markup = truth_match[2].removeprefix("#").partition("#")
        is_true = truth_match[1].startswith("T")
        return DraftQuestion(
            "true_false",
            f"{stem}{text_behind}",
            is_true=is_true,
            praise=text_of_markup(praise_markup),
            correction=text_of_markup(correction_markup),
        )
    if answer_body.startswith("#"):
        return _number_question(_stem_with_blank(stem, text_behind), answer_body[1:].strip())
    if not answer_body:
        raise UnfitQuestion("没有答案：论述题在GIFT里没有参考答案，补一行“答案：…”", line_number)
    gift_answers = _CHOICE_PATTERN.findall(answer_body)
    if not gift_answers or is_matching(gift_answers):
        raise UnfitQuestion("这是配对题或者别的题型，这里没有：改写成选择题", line_number)
    check_percents(gift_answers)
    if all(answer_sign == "=" for answer_sign, _, _ in gift_answers):
        return DraftQuestion(
            "fill",
            _stem_with_blank(stem, text_behind),
            blanks=(_word_blank(gift_answers),),
            explanation=feedback_text(gift_answers),
        )
    draft_options = tuple(
        _draft_option(answer_sign, percent_text, option_text)
        for answer_sign, percent_text, option_text in gift_answers
    )
    return _choice_question(_stem_with_blank(stem, text_behind), draft_options, line_number)


def is_matching(gift_answers: Sequence[GiftAnswer]) -> bool:
    """Whether things are to be matched, `=猫 -> 鱼`; an option of another question may hold an arrow."""
    return all(answer_sign == "=" and "->" in option_text for answer_sign, _, option_text in gift_answers)


def check_percents(gift_answers: Sequence[GiftAnswer]) -> None:
    """Raises `UnfitQuestion` where an answer is worth a part of the marks beside another that is worth all.

    Without a `=`, the right options of a question with several share the marks.
    """
    answer_signs = {answer_sign for answer_sign, _, _ in gift_answers}
    right_percents = []
    for answer_sign, percent_text, _ in gift_answers:
        if is_right(answer_sign, percent_text):
            right_percents.append(float(percent_text or FULL_PERCENT))
    if "=" not in answer_signs and sum(right_percents) <= MOST_PERCENT:
        return
    if any(right_percent < FULL_PERCENT for right_percent in right_percents):
        raise UnfitQuestion(PARTIAL_MARKS_WORDS)
    if "~" in answer_signs and len(right_percents) > 1:
        raise UnfitQuestion(SEVERAL_RIGHT_WORDS)


def is_right(answer_sign: str, percent_text: str) -> bool:
    """Whether an answer is worth marks, by its sign and its percent, which may be left out."""
    if percent_text:
        return float(percent_text) > 0
    return answer_sign == "="


def _word_blank(gift_answers: Sequence[GiftAnswer]) -> DraftBlank:
    """The words that fill a blank; what is worth nothing stands there only for its feedback."""
    accepted_texts = []
    for answer_sign, percent_text, answer_markup in gift_answers:
        if is_right(answer_sign, percent_text):
            accepted_text, _ = answer_and_feedback(answer_markup)
            accepted_texts.append(accepted_text)
    if not accepted_texts:
        raise UnfitQuestion("没有一个对的答案")
    return DraftBlank(tuple(accepted_texts))


def _choice_question(stem: str, draft_options: Sequence[DraftOption], line_number: int) -> DraftQuestion:
    if not 2 <= len(draft_options) <= MOST_OPTIONS:
        raise UnfitQuestion(f"选项要2到{MOST_OPTIONS}个，这里有{len(draft_options)}个", line_number)
    right_count = sum(draft_option.is_right for draft_option in draft_options)
    if not right_count:
        raise UnfitQuestion("没有一个对的选项", line_number)
    return DraftQuestion("single" if right_count == 1 else "multiple", stem, tuple(draft_options))


def _stem_with_blank(stem: str, text_behind: str) -> str:
    """A stem with a blank where its answer stands, if text goes on behind it."""
    if text_behind:
        return f"{stem}{BLANK}{text_behind}"
    return stem


def _number_question(stem: str, numbers_text: str) -> DraftQuestion:
    """A question that a number answers: one alone, or one behind a `=` with others that are worth less."""
    gift_answers = [("=", "", numbers_text)]
    if numbers_text.startswith("="):
        gift_answers = _CHOICE_PATTERN.findall(numbers_text)
    check_percents([gift_answer for gift_answer in gift_answers if gift_answer[0] == "="])
    right_texts = [
        number_text
        for answer_sign, percent_text, number_text in gift_answers
        if is_right(answer_sign, percent_text)
    ]
    if len(right_texts) != 1:
        raise UnfitQuestion(f"对的数要正好一个，这里有{len(right_texts)}个：写成“{{#0.5:0.01}}”这样")
    return DraftQuestion(
        "fill", stem, blanks=(_number_blank(right_texts[0]),), explanation=feedback_text(gift_answers)
    )


def _number_blank(answer_markup: str) -> DraftBlank:
    """A number with its tolerance: `0.5:0.01`, or from `0.4..0.6`."""
    answer_text, _ = answer_and_feedback(answer_markup)
    lowest_text, range_sign, highest_text = answer_text.partition("..")
    middle_text, _, tolerance_text = answer_text.partition(":")
    typed_texts = [middle_text, tolerance_text or "0"]
    if range_sign:
        typed_texts = [lowest_text, highest_text]
    if not all(PLAIN_NUMBER_PATTERN.fullmatch(typed_text.strip()) for typed_text in typed_texts):
        raise UnfitQuestion(f"看不懂这个数：{answer_markup[:20]}")
    if range_sign:
        middle_value = (float(lowest_text) + float(highest_text)) / 2
        half_width = abs(float(highest_text) - float(lowest_text)) / 2
        return DraftBlank((short_text(middle_value, 9),), short_text(half_width, 9))
    return DraftBlank((middle_text.strip(),), tolerance_text.strip())


def _draft_option(answer_sign: str, percent_text: str, option_text: str) -> DraftOption:
    answer_text, feedback = answer_and_feedback(option_text)
    return DraftOption(answer_text, is_right(answer_sign, percent_text), feedback)


def text_of_questions(question_list: QuestionList) -> str:
    """The questions in GIFT.

    >>> print(text_of_questions(read("第3位？{=五折 ~七折#太多}")), end="")
    ::第1题::第3位？{
    =五折
    ~七折#太多
    }
    """
    return "\n".join(
        text_of_question(draft_question, question_number)
        for question_number, draft_question in enumerate(question_list.questions, 1)
    )


def text_of_question(draft_question: DraftQuestion, question_number: int) -> str:
    """One question with its number as its name, below its hints."""
    hint_lines_text = "".join(f"{HINT_REMARK}{escape_signs(hint)}\n" for hint in draft_question.hints)
    answers_text = "\n".join(_answer_lines(draft_question))
    if draft_question.explanation:
        answers_text += f"\n{FEEDBACK_OF_ALL}{escape_signs(draft_question.explanation)}"
    stem = escape_signs(draft_question.stem)
    return f"{hint_lines_text}::第{question_number}题::{stem}{{\n{answers_text}\n}}\n"


def _answer_lines(draft_question: DraftQuestion) -> Iterator[str]:
    match draft_question.kind:
        case "single" | "multiple":
            yield from _option_lines(draft_question)
        case "true_false":
            letter = "T" if draft_question.is_true else "F"
            feedback = ""
            if draft_question.correction or draft_question.praise:
                feedback = f"#{escape_signs(draft_question.correction)}#{escape_signs(draft_question.praise)}"
            yield letter + feedback.rstrip("#")
        case "fill":
            [draft_blank] = draft_question.blanks
            if draft_blank.tolerance_text:
                yield f"#{draft_blank.accepted_texts[0]}:{draft_blank.tolerance_text}"
            else:
                yield from (f"={escape_signs(accepted_text)}" for accepted_text in draft_blank.accepted_texts)


def _option_lines(draft_question: DraftQuestion) -> Iterator[str]:
    right_count = sum(draft_option.is_right for draft_option in draft_question.options)
    for _, draft_option in zip(LETTERS, draft_question.options, strict=False):
        sign_and_percent = "~"
        if draft_option.is_right and draft_question.kind == "single":
            sign_and_percent = "="
        elif draft_option.is_right:
            sign_and_percent = f"~%{100 / right_count:.5g}%"
        elif draft_question.kind == "multiple":
            sign_and_percent = "~%-100%"
        feedback = draft_option.feedback and f"#{escape_signs(draft_option.feedback)}"
        yield f"{sign_and_percent}{escape_signs(draft_option.text)}{feedback}"


def can_hold(draft_question: DraftQuestion) -> bool:
    """Whether GIFT can hold a question as it is: read again, it is the same."""
    if draft_question.kind == "short" or (draft_question.kind == "fill" and len(draft_question.blanks) > 1):
        return False
    question_list = read(text_of_question(draft_question, 1))
    return question_list.questions == (draft_question,)
