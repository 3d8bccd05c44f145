"""The lines of a question read as what they mean: of which kind it is, and what its answer says."""

import re
from collections.abc import Sequence
from dataclasses import replace

from app.course.questions import question_signs as signs
from app.course.questions.draft_questions import (
    LETTERS,
    MOST_CHECKPOINTS,
    MOST_OPTIONS,
    NAME_BY_DRAFT_KIND,
    DraftKind,
    DraftOption,
    DraftQuestion,
    UnfitQuestion,
)
from app.course.questions.question_blanks import blanks_of, is_number, tolerance_line_of
from app.course.questions.question_blocks import QuestionBlock, SourceLine, letter_skips
from app.course.text.markdown import PICTURE_PATTERN, PICTURE_WITHOUT_ALT_WORDS

TRUE_WORDS = frozenset(["对", "√", "✓", "✔", "☑", "正确", "是", "t", "true", "y", "yes", "真"])
FALSE_WORDS = frozenset(
    ["错", "×", "✗", "✘", "✕", "x", "错误", "不对", "不正确", "否", "f", "false", "n", "no", "假", "误"]
)
WORDS_IN_BRACKETS = frozenset(
    word for word in TRUE_WORDS | FALSE_WORDS if not (word.isascii() and len(word) == 1)
)
"""What may answer a statement from brackets behind it: no letter but T and F, for others name variables."""
_LETTER_AND_TEXT_PATTERN = re.compile(r"[(（]?([A-H])[)）]?\s{0,2}[.．、:：)）]\s*\S.*", re.IGNORECASE)
_BRACKETED_TEXT_PATTERN = re.compile(r"[(（【]\s{0,4}([^()（）【】]{1,16}?)\s{0,4}[)）】]")
_GAP_AT_END_PATTERN = re.compile(r"\s{0,9}[(（]\s{0,9}[)）]\s{0,9}(?P<end>[。.？?！!；;]{0,2})\s{0,9}$")
_RIGHT_OPTION_PATTERN = re.compile(r"\s{0,2}[(（]\s{0,2}正确(?:答案|选项)\s{0,2}[)）]$")
"""How a survey marks the options that are right."""
_CHECKPOINT_NUMBER_PATTERN = re.compile(r"(?:[(（]?\d{1,2}[)）.．、]|[①-⑳])\s*(?!\d)")
END_SIGNS = "。.？?！!；; \n"
PICTURE_SIGN, FORMULA_SIGN, UNREAD_SIGN, CUT_SIGN = "【图片】", "【公式】", "【没读出】", "【没读全】"
WORDS_BY_LOSS_SIGN = {
    PICTURE_SIGN: "这里有图片，没有读出来：把图里的内容写成文字，或者另存成png再传，再删掉【图片】",
    FORMULA_SIGN: "这里有一个公式读不出来：用$…$把它写上，再删掉【公式】",
    UNREAD_SIGN: "这里有字或者符号读不出来：从文件里补上，再删掉【没读出】",
    CUT_SIGN: "有一处太长，没有读全：从文件里补上，再删掉【没读全】",
}
"""Marks of what a file held and a text cannot, and what is said of each."""
NO_ANSWER_WORDS = "没有答案：在题目下面写一行“答案：…”"
FEEDBACK_WITHOUT_ANSWER_WORDS = "这一句反馈没有地方放：选择题写“A的反馈：…”，判断题写“答错的反馈：…”"
FEW_OPTIONS_WORDS = "只有一个选项，至少要两个"


def draft_of_block(question_block: QuestionBlock) -> DraftQuestion:
    """The question that a block is; raises `UnfitQuestion` with what is missing."""
    check_losses(question_block)
    stem_lines, tagged_kind = lines_and_tagged_kind(question_block.stem)
    draft_kind = tagged_kind or draft_kind_of_words(question_block) or question_block.kind
    stem = "\n".join(stem_lines)
    answer_text = field_text(question_block, "answer")
    is_judged = bare_word(answer_text) in TRUE_WORDS | FALSE_WORDS
    if is_judged and not question_block.options and draft_kind in (None, "true_false"):
        stem = without_gap_for_judgement(stem)
    stem = signs.with_blanks(stem)
    answer_lines = question_block.lines_by_field.get("answer", ())
    if not answer_lines:
        answer_text = letters_of_right_options(question_block)
    if not answer_lines and not answer_text:
        stem, answer_text = stem_with_gap_and_answer(stem, has_options=bool(question_block.options))
    if not stem:
        raise UnfitQuestion("没有题干")
    draft_kind = draft_kind or guessed_kind(stem, answer_text, has_options=bool(question_block.options))
    check_feedback(question_block, draft_kind)
    hints = tuple(line for _, line in question_block.lines_by_field.get("hint", ()))
    draft_question = DraftQuestion(
        draft_kind,
        stem,
        explanation=field_text(question_block, "explanation"),
        hints=hints,
        line_number=question_block.line_number,
    )
    if not answer_text and not field_text(question_block, "points"):
        raise UnfitQuestion(NO_ANSWER_WORDS, last_line_number(question_block))
    answer_line_number = question_block.line_number
    if answer_lines:
        answer_line_number, _ = answer_lines[0]
    return with_answer(draft_question, question_block, answer_text, answer_line_number)


def without_gap_for_judgement(stem: str) -> str:
    """A statement without the empty brackets behind it, into which √ or × is written on paper.

    >>> without_gap_for_judgement("越甜越靠前（  ）。"), without_gap_for_judgement("（ ）越甜")
    ('越甜越靠前。', '（ ）越甜')
    """
    return _GAP_AT_END_PATTERN.sub(r"\g<end>", stem)


def check_losses(question_block: QuestionBlock) -> None:
    """Raises UnfitQuestion where something of the file is missing in the text: nothing is lost silently."""
    for line_number, line in enumerate(question_block.source_lines, question_block.line_number):
        for loss_sign, loss_words in WORDS_BY_LOSS_SIGN.items():
            if loss_sign in line:
                raise UnfitQuestion(loss_words, line_number)
        if any(not picture_match["alt"].strip() for picture_match in PICTURE_PATTERN.finditer(line)):
            raise UnfitQuestion(PICTURE_WITHOUT_ALT_WORDS, line_number)


def check_feedback(question_block: QuestionBlock, draft_kind: DraftKind) -> None:
    """Raises UnfitQuestion for what is said to an option that is not there, or to a judgement where none is
    asked for."""
    option_letters = {option_piece.letter for _, option_piece in question_block.options}
    for field_name, field_lines in question_block.lines_by_field.items():
        is_of_missing_option = field_name in LETTERS and field_name not in option_letters
        is_of_no_judgement = field_name in ("praise", "correction") and draft_kind != "true_false"
        if field_lines and (is_of_missing_option or is_of_no_judgement):
            line_number, _ = field_lines[0]
            raise UnfitQuestion(FEEDBACK_WITHOUT_ANSWER_WORDS, line_number)


def with_answer(
    draft_question: DraftQuestion, question_block: QuestionBlock, answer_text: str, line_number: int
) -> DraftQuestion:
    """The question with what its kind needs; `line_number`: where its answer stands."""
    if draft_question.kind in ("single", "multiple"):
        return replace(
            draft_question, options=options_of(question_block, draft_question.kind, answer_text, line_number)
        )
    if question_block.options:
        option_line_number, _ = question_block.options[0]
        raise UnfitQuestion(
            f"这里有选项，可是它算{NAME_BY_DRAFT_KIND[draft_question.kind]}题：看看上面的题型",
            option_line_number,
        )
    match draft_question.kind:
        case "true_false":
            praise, correction = (
                field_text(question_block, "praise"),
                field_text(question_block, "correction"),
            )
            is_true = is_answer_true(answer_text, line_number)
            return replace(draft_question, is_true=is_true, praise=praise, correction=correction)
        case "fill":
            draft_blanks = blanks_of(
                draft_question.stem, answer_text, tolerance_line_of(question_block), line_number
            )
            return replace(draft_question, blanks=draft_blanks)
    model_answer = answer_text or field_text(question_block, "points")
    return replace(
        draft_question,
        checkpoints=checkpoints_of(field_text(question_block, "points"), model_answer),
        model_answer=model_answer,
    )


def lines_and_tagged_kind(source_lines: Sequence[SourceLine]) -> tuple[list[str], DraftKind | None]:
    """The lines of a stem without the tag that says its kind, and that kind."""
    stem_lines = [line for _, line in source_lines]
    draft_kind = None
    if stem_lines:
        stem_lines[0], draft_kind = signs.text_and_tagged_kind(stem_lines[0])
    return [stem_line for stem_line in stem_lines if stem_line], draft_kind


def draft_kind_of_words(question_block: QuestionBlock) -> DraftKind | None:
    """The kind that 题型 names."""
    is_kind_named, draft_kind = signs.heading_flag_and_kind(field_text(question_block, "kind"))
    if is_kind_named:
        return draft_kind
    return None


def field_text(question_block: QuestionBlock, field_name: str) -> str:
    """What stands in a field, line by line."""
    return "\n".join(line for _, line in question_block.lines_by_field.get(field_name, ()))


def last_line_number(question_block: QuestionBlock) -> int:
    """The last line of a question with something in it, where its answer is missed."""
    return max(
        [
            question_block.line_number,
            *(line_number for line_number, _ in [*question_block.stem, *question_block.options]),
        ]
    )


def guessed_kind(stem: str, answer_text: str, has_options: bool) -> DraftKind:
    """The kind of a question that does not say it.

    >>> guessed_kind("？", "AC", True), guessed_kind("。", "√", False), guessed_kind("是____。", "甲", False)
    ('multiple', 'true_false', 'fill')
    """
    if has_options:
        if len(named_letters(answer_text)) > 1:
            return "multiple"
        return "single"
    if bare_word(answer_text) in TRUE_WORDS | FALSE_WORDS and signs.BLANK not in stem:
        return "true_false"
    if signs.BLANK in stem or is_number(answer_text):
        return "fill"
    return "short"


def bare_word(answer_text: str) -> str:
    return answer_text.strip('。. ()（）“”"').casefold()


def stem_with_gap_and_answer(stem: str, has_options: bool) -> tuple[str, str]:
    """The answer that stands in brackets within a stem, and the stem with a gap there; that of a statement
    stands at its end.

    >>> stem_with_gap_and_answer("第3位打（ B ）折。", True)
    ('第3位打____折。', 'B')
    >>> stem_with_gap_and_answer("NDCG可以大于1。（×）", False)
    ('NDCG可以大于1。', '×')
    >>> stem_with_gap_and_answer("越甜越靠前。（T）", False), stem_with_gap_and_answer("求f（x）", False)
    (('越甜越靠前。', 'T'), ('求f（x）', ''))
    """
    bracket_matches = list(_BRACKETED_TEXT_PATTERN.finditer(stem))
    for bracket_match in reversed(bracket_matches):
        answer = bracket_match[1].strip()
        text_before, text_behind = stem[: bracket_match.start()], stem[bracket_match.end() :]
        if has_options and signs.LETTERS_ALONE_PATTERN.fullmatch(answer) and answer == answer.upper():
            return f"{text_before}{signs.BLANK}{text_behind}", answer
        is_at_end_of_stem = not text_behind.strip(END_SIGNS)
        if (
            not has_options
            and is_at_end_of_stem
            and (answer in ("T", "F") or bare_word(answer) in WORDS_IN_BRACKETS)
        ):
            return f"{text_before}{text_behind}".strip(), answer
    return stem, ""


def named_letters(written_answer: str) -> str:
    """The letters that an answer names, without repeats; nothing where it is no list of letters.

    >>> named_letters("A、C"), named_letters("（b）。"), named_letters("B. 五折"), named_letters("五折")
    ('AC', 'B', 'B', '')
    """
    answer_text = written_answer.strip()
    letter_match = _LETTER_AND_TEXT_PATTERN.fullmatch(answer_text)
    if letter_match and not signs.LETTERS_ALONE_PATTERN.fullmatch(answer_text):
        return letter_match[1].upper()
    if not signs.LETTERS_ALONE_PATTERN.fullmatch(answer_text):
        return ""
    letters = re.findall("[A-H]", answer_text.upper())
    return "".join(sorted(set(letters)))


def options_of(
    question_block: QuestionBlock, draft_kind: DraftKind, answer_text: str, line_number: int
) -> tuple[DraftOption, ...]:
    """The options of a question with those that are right."""
    check_options(question_block)
    option_texts = [
        _RIGHT_OPTION_PATTERN.sub("", option_piece.text) for _, option_piece in question_block.options
    ]
    right_letters = named_letters(answer_text) or letter_of_text(answer_text, option_texts)
    if not right_letters:
        raise UnfitQuestion(f"看不懂答案“{answer_text[:20]}”：写选项的字母，比如“答案：B”", line_number)
    option_letters = LETTERS[: len(option_texts)]
    for letter in right_letters:
        if letter not in option_letters:
            raise UnfitQuestion(f"答案是{letter}，选项里没有{letter}", line_number)
    if draft_kind == "single" and len(right_letters) > 1:
        raise UnfitQuestion(
            f"单选题只有一个答案，这里写了{right_letters}；多选就在题目前面写【多选】", line_number
        )
    options = []
    for letter, option_text in zip(LETTERS, option_texts, strict=False):
        options.append(DraftOption(option_text, letter in right_letters, field_text(question_block, letter)))
    return tuple(options)


def letters_of_right_options(question_block: QuestionBlock) -> str:
    """The letters of the options that are marked as right where they stand."""
    return "".join(
        option_piece.letter
        for _, option_piece in question_block.options
        if _RIGHT_OPTION_PATTERN.search(option_piece.text)
    )


def letter_of_text(answer_text: str, option_texts: Sequence[str]) -> str:
    """The letter of the option that an answer repeats word by word."""
    if answer_text in option_texts:
        return LETTERS[option_texts.index(answer_text)]
    return ""


def check_options(question_block: QuestionBlock) -> None:
    """Raises UnfitQuestion where options are too few or too many, empty, the same, or one is left out."""
    check_letters(question_block)
    letter_by_text: dict[str, str] = {}
    for line_number, option_piece in question_block.options:
        if not option_piece.text:
            raise UnfitQuestion(f"选项{option_piece.letter}是空的", line_number)
        letter_of_same_text = letter_by_text.setdefault(option_piece.text, option_piece.letter)
        if letter_of_same_text != option_piece.letter:
            raise UnfitQuestion(f"选项{letter_of_same_text}和{option_piece.letter}一样", line_number)


def check_letters(question_block: QuestionBlock) -> None:
    """Raises UnfitQuestion where options are too few or too many, or their letters do not follow."""
    if not question_block.options:
        raise UnfitQuestion("没有选项：每个选项写成“A. …”")
    for line_number, letter_before, letter in letter_skips(question_block.options):
        if letter_before:
            raise UnfitQuestion(
                f"选项{letter_before}后面是{letter}，中间好像少了一个，或者重复了", line_number
            )
        raise UnfitQuestion(f"选项从{letter}开始，A在哪里？", line_number)
    option_count = len(question_block.options)
    first_line_number, _ = question_block.options[0]
    if option_count == 1:
        raise UnfitQuestion(FEW_OPTIONS_WORDS, first_line_number)
    if option_count > MOST_OPTIONS:
        raise UnfitQuestion(
            f"选项最多{MOST_OPTIONS}个，这里有{option_count}个", question_block.options[MOST_OPTIONS][0]
        )


def is_answer_true(answer_text: str, line_number: int) -> bool:
    truth_word = bare_word(answer_text)
    if truth_word in TRUE_WORDS:
        return True
    if truth_word in FALSE_WORDS:
        return False
    raise UnfitQuestion(f"判断题的答案写“对”或者“错”，这里是“{answer_text[:20]}”", line_number)


def checkpoints_of(written_checkpoints_text: str, model_answer: str) -> tuple[str, ...]:
    """What an answer is held against: the checkpoints that are written, else the parts of the model answer.

    >>> checkpoints_of("", "看得见；翻不到")
    ('看得见', '翻不到')
    """
    checkpoints = []
    for checkpoint_text in re.split("[\n；;]", written_checkpoints_text or model_answer):
        checkpoint = checkpoint_text.strip()
        number_match = _CHECKPOINT_NUMBER_PATTERN.match(checkpoint)
        if number_match:
            checkpoint = checkpoint[number_match.end() :]
        if checkpoint:
            checkpoints.append(checkpoint)
    if written_checkpoints_text and len(checkpoints) > MOST_CHECKPOINTS:
        raise UnfitQuestion(f"要点最多{MOST_CHECKPOINTS}个，这里有{len(checkpoints)}个")
    if 0 < len(checkpoints) <= MOST_CHECKPOINTS:
        return tuple(checkpoints)
    return (" ".join(model_answer.split()),)
