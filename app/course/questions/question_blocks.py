"""Plain text cut into questions: which lines belong to one, and which of its parts each line is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from app.course.questions import question_signs as signs
from app.course.questions.draft_questions import DraftKind
from app.course.questions.question_signs import NumberedLine, OptionPiece

LONG_ANSWER_LENGTH = 12
"""Characters from which an answer is taken for sentences."""
SourceLine = tuple[int, str]
"""A line of a text, with its number from 1."""


@dataclass
class QuestionBlock:
    """The lines of one question; it grows as they come.

    `line_number`: of its first line. `kind`: what the heading above it says it is. `lines_by_field`: those of
    答案, 解析 and the others, each with its number; a letter is the field of what is said to that option.
    `source_lines`: its lines as they came. `last_part`: to which part a line without a sign belongs.
    `is_answered_below`: its answer stands below its options.
    """

    line_number: int
    kind: DraftKind | None
    is_numbered: bool
    heading: str
    stem: list[SourceLine] = field(default_factory=list)
    options: list[tuple[int, OptionPiece]] = field(default_factory=list)
    lines_by_field: dict[str, list[SourceLine]] = field(default_factory=dict)
    source_lines: list[str] = field(default_factory=list)
    last_part: str = "stem"
    is_answered_below: bool = False

    @property
    def is_answered(self) -> bool:
        return "answer" in self.lines_by_field

    @property
    def number(self) -> int | None:
        """Its number, where one in digits begins it."""
        if not self.source_lines:
            return None
        numbered_line = signs.numbered_line_of(signs.tidy_line(self.source_lines[0]))
        if numbered_line is None:
            return None
        return numbered_line.number

    @property
    def answer_text(self) -> str:
        """Its answer, in one line."""
        return "".join(line for _, line in self.lines_by_field.get("answer", ()))

    @property
    def awaits_options(self) -> bool:
        """Whether the answer stands above the options: letters, and not all options are there yet."""
        if not self.is_answered or self.is_answered_below:
            return False
        return signs.LETTERS_ALONE_PATTERN.fullmatch(self.answer_text.strip()) is not None

    @property
    def may_answer_go_on(self) -> bool:
        """Whether the answer that is being read may have more paragraphs: words, and no letter or number."""
        if self.options or self.last_part not in ("answer", "points"):
            return False
        if self.kind == "short" or self.last_part == "points":
            return True
        return len(self.answer_text) > LONG_ANSWER_LENGTH

    @property
    def due_letter(self) -> str:
        """The letter of the option that is due."""
        if not self.options:
            return "A"
        _, last_option_piece = self.options[-1]
        return signs.next_letter(last_option_piece.letter)

    def goes_on_with_options(self, line: str) -> bool:
        """Whether a line is the option that is due, below a field that stands above it: 提示, or letters."""
        if self.last_part == "points" or (self.is_answered and not self.awaits_options):
            return False
        text_before, option_pieces = signs.line_head_and_options(line, self.due_letter)
        return not text_before and bool(option_pieces) and option_pieces[0].letter == self.due_letter

    def add_line(self, line_number: int, line: str) -> None:
        """A line, to the part that it begins or goes on with."""
        field_and_value = signs.field_and_value_of(line)
        if field_and_value:
            self._begin_field(line_number, *field_and_value)
        elif self.last_part in ("stem", "option") or self.goes_on_with_options(line):
            self._add_to_question(line_number, line)
        elif self.last_part == "answer" and self.options and self.lines_by_field["answer"]:
            self.last_part = "explanation"
            self.lines_by_field.setdefault("explanation", []).append((line_number, line))
        else:
            self.lines_by_field.setdefault(self.last_part, []).append((line_number, line))

    def _begin_field(self, line_number: int, field_name: str, field_text: str) -> None:
        """A line that begins with the name of a part: 答案, 解析 and the others."""
        if field_name == "ignored":
            return
        self.last_part = field_name
        if field_name == "answer" and self.options:
            self.is_answered_below = True
        lines_of_field = self.stem
        if field_name != "stem":
            lines_of_field = self.lines_by_field.setdefault(field_name, [])
        if field_text:
            lines_of_field.append((line_number, field_text))

    def _add_to_question(self, line_number: int, line: str) -> None:
        """A line of the stem or of the options; both may stand in one."""
        text_before, option_pieces = signs.line_head_and_options(line, self.due_letter)
        if text_before and option_pieces and not self.options and len(option_pieces) < 2:
            text_before, option_pieces = line, []  # a single letter within a sentence is no list of options
        if text_before and self.options:
            last_line_number, last_option_piece = self.options[-1]
            self.options[-1] = (
                last_line_number,
                OptionPiece(last_option_piece.letter, f"{last_option_piece.text} {text_before}".strip()),
            )
        elif text_before:
            self.stem.append((line_number, text_before))
        for option_piece in option_pieces:
            self.options.append((line_number, option_piece))
            self.last_part = "option"


@dataclass
class TextInBlocks:
    """The blocks of a text; `stray_lines`: those of none of them; `title`: what a remark says it is."""

    blocks: list[QuestionBlock] = field(default_factory=list)
    stray_lines: list[SourceLine] = field(default_factory=list)
    title: str = ""


class BlockCutter:
    """Goes through a text line by line, and says to which question each belongs.

    Numbers of the first style that is met begin questions; others number parts of one. Where nothing is
    numbered, a question begins after an empty line once the one before it has its answer.
    """

    def __init__(self) -> None:
        self.text_in_blocks = TextInBlocks()
        self.current_block: QuestionBlock | None = None
        self.kind: DraftKind | None = None
        self.heading = ""
        self.number_style = ""
        self.is_after_gap = True

    def cut(self, questions_text: str) -> TextInBlocks:
        """The blocks of a text."""
        for line_number, line in enumerate(questions_text.split("\n"), 1):
            is_remark, title = signs.remark_flag_and_title(line)
            if is_remark:
                self.text_in_blocks.title = self.text_in_blocks.title or title
                continue
            tidy_line = signs.tidy_line(line)
            if tidy_line:
                self._take_line(line_number, tidy_line, line)
            elif self.current_block:
                self.current_block.source_lines.append("")
            self.is_after_gap = not tidy_line
        self._put_title_aside()
        return self.text_in_blocks

    def _put_title_aside(self) -> None:
        """Words above the first number are no question, where questions are numbered."""
        if not self.number_style or not self.text_in_blocks.blocks:
            return
        first_block = self.text_in_blocks.blocks[0]
        if first_block.is_numbered or first_block.options or first_block.is_answered:
            return
        del self.text_in_blocks.blocks[0]
        numbered_lines = [*enumerate(first_block.source_lines, first_block.line_number)]
        self.text_in_blocks.stray_lines[:0] = [
            (line_number, line) for line_number, line in numbered_lines if line
        ]

    def _take_line(self, line_number: int, line: str, source_line: str) -> None:
        """Put a tidy line where it belongs: to a heading, a new question, the current one, or to none."""
        is_heading, draft_kind = signs.heading_flag_and_kind(line)
        is_numbered_otherwise = self.number_style not in ("", "chinese")
        if is_heading or (is_numbered_otherwise and signs.is_other_heading(line)):
            self.kind = draft_kind
            self.heading = source_line
            self.current_block = None
            return
        numbered_line = signs.numbered_line_of(line)
        if numbered_line and self._begins_question(numbered_line):
            self.number_style = numbered_line.style
            question_block = self._begin_block(line_number)
            truth_sign, line = signs.truth_sign_and_statement(numbered_line.text)
            if truth_sign:
                question_block.lines_by_field["answer"] = [(line_number, truth_sign)]
        elif self._begins_unnumbered_question(line):
            self._begin_block(line_number)
        if self.current_block is None or self._is_stray(line):
            self.text_in_blocks.stray_lines.append((line_number, source_line))
            return
        self.current_block.source_lines.append(source_line)
        for logical_line in signs.logical_lines(line):
            self.current_block.add_line(line_number, logical_line)

    def _begins_question(self, numbered_line: NumberedLine) -> bool:
        """Whether a numbered line begins a question, and not a part of one."""
        if self.current_block is None or not self.number_style:
            return True
        if numbered_line.style != self.number_style:
            return False
        may_number_itself = self.current_block.last_part in ("explanation", "answer", "points")
        if not may_number_itself or not numbered_line.number or not self.current_block.number:
            return True
        return numbered_line.number > self.current_block.number

    def _begins_unnumbered_question(self, line: str) -> bool:
        if self.number_style or signs.field_and_value_of(line):
            return False
        if self.current_block is None:
            stem, option_pieces = signs.line_head_and_options(line, "A")
            return bool(stem) or not option_pieces
        if self.current_block.goes_on_with_options(line):
            return False
        return self.is_after_gap and self.current_block.is_answered

    def _begin_block(self, line_number: int) -> QuestionBlock:
        self.current_block = QuestionBlock(line_number, self.kind, bool(self.number_style), self.heading)
        self.text_in_blocks.blocks.append(self.current_block)
        return self.current_block

    def _is_stray(self, line: str) -> bool:
        """Whether a line stands apart below a question that is complete."""
        if self.current_block is None or not self.is_after_gap or not self.current_block.is_answered:
            return False
        if self.current_block.may_answer_go_on or self.current_block.goes_on_with_options(line):
            return False
        return not signs.field_and_value_of(line)


def letter_skips(numbered_options: Sequence[tuple[int, OptionPiece]]) -> Iterator[tuple[int, str, str]]:
    """Where letters do not follow each other: the line, the letter before, and the one that came."""
    line_numbers_and_letters = [(0, "")] + [
        (line_number, option_piece.letter) for line_number, option_piece in numbered_options
    ]
    for (_, letter_before), (line_number, letter) in pairwise(line_numbers_and_letters):
        due_letter = signs.next_letter(letter_before) if letter_before else "A"
        if letter != due_letter:
            yield line_number, letter_before, letter
