"""By what Chinese writers set off the parts of a question: numbers, options, 答案, headings of kinds.

Every pattern begins at a fixed place and takes a bounded number of characters, so that no text is read
slowly.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.course.questions.draft_questions import LETTERS, DraftKind

KIND_BY_WORD: dict[str, DraftKind | None] = {
    "单项选择": "single", "单选": "single", "多项选择": "multiple", "多选": "multiple",
    "不定项选择": "multiple", "不定项": "multiple", "判断正误": "true_false", "是非": "true_false",
    "判断": "true_false", "填空": "fill", "简答": "short", "问答": "short", "论述": "short",
    "名词解释": "short", "选择": None, "计算": None, "综合": None,
}  # fmt: skip
"""A word that names a kind of question; None where it leaves open which."""
_ANY_KIND_WORD = "|".join(KIND_BY_WORD)
FIELD_BY_WORD = {
    "标准答案": "answer", "正确答案": "answer", "参考答案": "answer", "答案解析": "explanation",
    "试题解析": "explanation", "答案": "answer", "答": "answer", "解析": "explanation", "分析": "explanation",
    "详解": "explanation", "解答": "explanation", "说明": "explanation", "点评": "explanation",
    "提示": "hint", "误差": "tolerance", "允许误差": "tolerance", "容差": "tolerance", "题型": "kind",
    "要点": "points", "得分点": "points", "采分点": "points", "评分标准": "points", "难度": "ignored",
    "分值": "ignored", "分数": "ignored", "知识点": "ignored", "考点": "ignored", "章节": "ignored",
    "我的答案": "ignored", "题干": "stem", "题目": "stem", "答对的反馈": "praise", "答错的反馈": "correction",
    "answer": "answer", "ans": "answer", "explanation": "explanation", "hint": "hint",
}  # fmt: skip
"""A word before a colon, and the field that stands behind it."""
_ANY_FIELD_WORD = "|".join(sorted(FIELD_BY_WORD, key=len, reverse=True))

_HEADING_PATTERN = re.compile(
    rf"(?:[(（【\[]?\s{{0,2}}(?P<alone>{_ANY_KIND_WORD})题?\s{{0,2}}[】\])）]?(?:\s{{0,2}}[(（].{{0,80}}[)）])?[：:。]?|"
    rf"(?:[一二三四五六七八九十]{{1,3}}\s{{0,2}}[、.．]|第[一二三四五六七八九十\d]{{1,3}}(?:部分|大题|题)|#{{1,4}})"
    rf"[、：:\s]{{0,2}}(?P<behind>{_ANY_KIND_WORD})题\s{{0,2}}(?:[：:（(，,。].{{0,120}})?)"
)
_OTHER_HEADING_PATTERN = re.compile(
    r"[一二三四五六七八九十]{1,3}\s{0,2}[、.．]\s{0,2}(?:应用|计算|综合|综合应用|解答|证明|操作|编程|案例|案例分析|材料|材料分析|分析|阅读)题\s{0,2}(?:[：:（(].{0,120})?"
)
_KIND_TAG_PATTERN = re.compile(
    rf"[(（【\[]\s{{0,2}}(?P<kind>{_ANY_KIND_WORD})题?(?:[,，、\s]{{0,2}}\d{{1,3}}\s?分)?\s{{0,2}}[】\])）]\s*"
)
_POINTS_TAG_PATTERN = re.compile(
    r"[(（【\[]\s{0,2}(?:本题|每题|共)?\d{1,3}(?:\.\d)?\s{0,2}分\s{0,2}[】\])）]\s*"
)
_QUESTION_NUMBER_PATTERN = re.compile(
    rf"(?P<tags>(?:{_KIND_TAG_PATTERN.pattern}|{_POINTS_TAG_PATTERN.pattern}){{0,3}})"
    r"(?:题目|题|Q|第)?\s{0,2}(?:"
    r"[(（]\s{0,2}(?P<bracketed>\d{1,3})\s{0,2}[)）][.．、]?|"
    r"(?P<plain>\d{1,3})\s{0,2}(?:[.．](?!\d)|[、:：)）]|题\s{0,2}[.．、:：]?)|"
    r"(?P<chinese>[一二三四五六七八九十]{1,3})\s{0,2}[、.．]|"
    r"(?P<circled>[①-⑳]))\s*"
)
_NAMED_KIND_WORDS = "|".join(word for word, kind in KIND_BY_WORD.items() if kind)
_KIND_TAG_AT_END_PATTERN = re.compile(
    rf"\s?[(（【\[]\s{{0,2}}(?P<kind>{_NAMED_KIND_WORDS})题?\s{{0,2}}[】\])）]$"
)
_POINTS_AT_END_PATTERN = re.compile(
    r"\s?[(（【\[]\s{0,2}(?:本题|每题|共)?\d{1,3}(?:\.\d)?\s{0,2}分\s{0,2}[】\])）]$"
)
_FIELD_PATTERN = re.compile(
    rf"(?:【\s{{0,2}}(?P<boxed>{_ANY_FIELD_WORD})\s{{0,2}}】\s{{0,2}}[:：]?|(?P<word>{_ANY_FIELD_WORD})\s{{0,2}}[:：])\s*",
    re.IGNORECASE,
)
_FEEDBACK_PATTERN = re.compile(
    r"(?:反馈\s{0,2}(?P<before>[A-H])|(?P<after>[A-H])\s{0,2}的?反馈)\s{0,2}[:：]\s*"
)
_INLINE_FIELD_PATTERN = re.compile(
    r"(?<=[\s。；;.）)？?！!])(?=(?:正确|参考|标准)?答案\s{0,2}[:：]|(?:答案)?解析\s{0,2}[:：])|"
    r"(?<=.)(?=【(?:(?:正确|参考|标准)?答案|(?:答案)?解析|分析|详解)】)"
)
_OPTION_PATTERN = re.compile(
    r"(?:(?<=^)|(?<=[\s；;])|(?<=[^\x00-\x7f]))"
    r"(?:[(（]\s{0,2}(?P<bracketed>[A-Ha-h])\s{0,2}[)）]\s{0,2}[.．、:：]?|(?P<plain>[A-Ha-h])\s{0,2}[.．、:：)）])\s*"
)
LETTERS_ALONE_PATTERN = re.compile(
    r"[(（【]?\s{0,3}[A-H](?:\s{0,2}[、,，;；和/]?\s{0,2}[A-H]){0,7}\s{0,3}[)）】]?[。.]?", re.IGNORECASE
)
"""An answer that names options and says nothing else."""
TITLE_REMARK, LEFT_OUT_REMARK = "# 标题：", "# 没放进来："
"""How the lines of a written file begin that belong to no question."""
_REMARK_PATTERN = re.compile(r"[\ufeff\s]{0,9}#\s?(标题|没放进来)[：:]")
_VERDICT_PATTERN = re.compile(r"[(（【]\s{0,3}([TF√×✓✔✗✘对错])\s{0,3}[)）】]\s{0,3}(?=\S)")
_UNSEEN_SIGN_PATTERN = re.compile("[\u200b-\u200f\u2028-\u202e\u2060\ufeff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NARROW_LETTERS = {
    code: code - 0xFEE0
    for letters in ("Ａ-Ｚ", "ａ-ｚ", "０-９")
    for code in range(ord(letters[0]), ord(letters[2]) + 1)
}
_BLANK_PATTERN = re.compile(r"_{2,}|＿{2,}|[(（]\s{1,20}[)）]|【\s{1,20}】")
BLANK = "____"
"""How a blank is written in one spelling."""


class NumberedLine(NamedTuple):
    """A line that begins with a number. `style`: how numbers are written; `number`: None where it is not told
    by digits."""

    style: str
    number: int | None
    text: str


class OptionPiece(NamedTuple):
    """An option in a line: its letter, and its text up to the next."""

    letter: str
    text: str


def tidy_line(line: str) -> str:
    """A line without what cannot be seen, and with one kind of space.

    >>> tidy_line(" \\u3000Ａ．甲\\u200b\\t乙 ")
    'A．甲 乙'
    """
    visible_text = _UNSEEN_SIGN_PATTERN.sub("", line)
    spaced_text = re.sub(r"[\t\u00a0\u2002-\u200a\u202f\u3000]", " ", visible_text)
    return spaced_text.translate(_NARROW_LETTERS).strip()


def numbered_line_of(line: str) -> NumberedLine | None:
    """The number that begins a question, and what stands behind it; tags may stand before, and stay.

    >>> numbered_line_of("（3）NDCG是什么？")
    NumberedLine(style='bracketed', number=3, text='NDCG是什么？')
    >>> numbered_line_of("[单选题] 3、哪个？").text
    '[单选题] 哪个？'
    >>> numbered_line_of("1.5倍"), numbered_line_of("一、选哪个？").style
    (None, 'chinese')
    """
    number_match = _QUESTION_NUMBER_PATTERN.match(line)
    if number_match is None:
        return None
    number_style = number_match.lastgroup or ""
    question_number = None
    if number_match[number_style].isdecimal():
        question_number = int(number_match[number_style])
    return NumberedLine(number_style, question_number, number_match["tags"] + line[number_match.end() :])


def truth_sign_and_statement(line: str) -> tuple[str, str]:
    """The judgement that stands in brackets before a statement, and the statement.

    >>> truth_sign_and_statement("（F）越淡越靠前。"), truth_sign_and_statement("（A）甲")
    (('F', '越淡越靠前。'), ('', '（A）甲'))
    """
    truth_match = _VERDICT_PATTERN.match(line)
    if truth_match is None:
        return "", line
    return truth_match[1], line[truth_match.end() :]


def remark_flag_and_title(line: str) -> tuple[bool, str]:
    """Whether a line of a written file belongs to no question, and the title that it says.

    >>> list(map(remark_flag_and_title, ["# 标题：一、小测", "# 没放进来：sum", "# 排序"]))
    [(True, '一、小测'), (True, ''), (False, '')]
    """
    remark_match = _REMARK_PATTERN.match(line)
    if remark_match is None:
        return False, ""
    if remark_match[1] == "标题":
        return True, line[remark_match.end() :].strip()
    return True, ""


def heading_flag_and_kind(line: str) -> tuple[bool, DraftKind | None]:
    """Whether a line only says of which kind the questions below it are, and that kind.

    >>> list(map(heading_flag_and_kind, ["二、多项选择题（每题2分，共10分）", "三、判断下面的说法"]))
    [(True, 'multiple'), (False, None)]
    """
    heading_match = _HEADING_PATTERN.fullmatch(line)
    if heading_match is None:
        return False, None
    return True, KIND_BY_WORD[heading_match["alone"] or heading_match["behind"]]


def is_other_heading(line: str) -> bool:
    """Whether a line between questions that are numbered in digits is a heading of a kind with another name.

    >>> is_other_heading("四、应用题（每题10分）"), is_other_heading("四、看得见")
    (True, False)
    """
    return _OTHER_HEADING_PATTERN.fullmatch(line) is not None


def text_and_tagged_kind(stem_text: str) -> tuple[str, DraftKind | None]:
    """A stem without the marks that begin and end it, and the kind that they name.

    >>> text_and_tagged_kind("【多选题】（2分）哪些会变？"), text_and_tagged_kind("哪些会变？[多选题]")
    (('哪些会变？', 'multiple'), ('哪些会变？', 'multiple'))
    """
    draft_kind = None
    for _ in range(3):
        tag_match = _KIND_TAG_PATTERN.match(stem_text)
        if tag_match:
            draft_kind = KIND_BY_WORD[tag_match["kind"]]
        tag_match = tag_match or _POINTS_TAG_PATTERN.match(stem_text)
        if tag_match is None:
            break
        stem_text = stem_text[tag_match.end() :]
    stem_text = _POINTS_AT_END_PATTERN.sub("", stem_text)
    tag_match_at_end = _KIND_TAG_AT_END_PATTERN.search(stem_text)
    if tag_match_at_end is None:
        return stem_text, draft_kind
    return stem_text[: tag_match_at_end.start()], draft_kind or KIND_BY_WORD[tag_match_at_end["kind"]]


def field_and_value_of(line: str) -> tuple[str, str] | None:
    """The field that a line begins, and what stands behind its colon.

    >>> list(map(field_and_value_of, ["【答案】AC", "B的反馈：忘了加1。", "答非所问"]))
    [('answer', 'AC'), ('B', '忘了加1。'), None]
    """
    field_match = _FIELD_PATTERN.match(line)
    if field_match:
        field_word = (field_match["boxed"] or field_match["word"]).lower()
        return FIELD_BY_WORD[field_word], line[field_match.end() :]
    feedback_match = _FEEDBACK_PATTERN.match(line)
    if feedback_match:
        return feedback_match["before"] or feedback_match["after"], line[feedback_match.end() :]
    return None


def logical_lines(line: str) -> list[str]:
    """A line, cut where 答案 or 解析 begins within it.

    >>> logical_lines("D. 七折 答案：B 解析：名次加1。")
    ['D. 七折', '答案：B', '解析：名次加1。']
    """
    return [field_text.strip() for field_text in _INLINE_FIELD_PATTERN.split(line) if field_text.strip()]


def line_head_and_options(line: str, due_letter: str) -> tuple[str, Sequence[OptionPiece]]:
    """What stands before the first option of a line, and its options; `due_letter`: the one that comes next.

    >>> line_head_and_options("选哪个？ A. 甲B．乙", "A")
    ('选哪个？', [OptionPiece(letter='A', text='甲'), OptionPiece(letter='B', text='乙')])
    >>> line_head_and_options("维生素C. 和D.", "A")
    ('维生素C. 和D.', [])
    """
    option_spans = list(_due_option_spans(line, due_letter))
    if not option_spans:
        return line, []
    option_pieces = []
    piece_end_indexes = [start_index for _, start_index, _ in option_spans[1:]]
    for (letter, _, start_index), end_index in zip(
        option_spans, [*piece_end_indexes, len(line)], strict=True
    ):
        option_pieces.append(OptionPiece(letter, line[start_index:end_index].strip(" ；;")))
    return line[: option_spans[0][1]].strip(), option_pieces


def _due_option_spans(line: str, due_letter: str) -> Iterator[tuple[str, int, int]]:
    """The options that begin in a line, one letter after the other: letter, where it begins, where its text.

    The first mark of a line counts whatever its letter is, so that one that is left out is noticed.
    """
    for option_match in _OPTION_PATTERN.finditer(line):
        letter = (option_match["bracketed"] or option_match["plain"]).upper()
        is_at_line_begin = option_match.start() == 0
        if letter != due_letter and not is_at_line_begin:
            continue
        yield letter, option_match.start(), option_match.end()
        due_letter = next_letter(letter)


def next_letter(letter: str) -> str:
    """The letter after this one; nothing after the last.

    >>> next_letter("A"), next_letter("H")
    ('B', '')
    """
    return LETTERS[LETTERS.index(letter) + 1 :][:1]


def with_blanks(stem_text: str) -> str:
    """A stem with its blanks in one spelling.

    >>> with_blanks("名次先加（   ），再取＿＿＿")
    '名次先加____，再取____'
    """
    return _BLANK_PATTERN.sub(BLANK, stem_text)
