"""Questions on their way between other programs and own content: plain texts with formulas, no ids.

Whatever is read (plain text, Word, a table, GIFT) becomes a `DraftQuestion`, and whatever is written out was
one. What is wrong with one is told with the line where it stands, and its source is kept.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

DraftKind = Literal["single", "multiple", "true_false", "fill", "short"]
LETTERS = "ABCDEFGH"
MOST_OPTIONS, MOST_BLANKS, MOST_CHECKPOINTS = 6, 8, 5
MOST_QUESTIONS = 60
"""Questions at once: as many as own content holds."""
NAME_BY_DRAFT_KIND: dict[DraftKind, str] = {
    "single": "单选",
    "multiple": "多选",
    "true_false": "判断",
    "fill": "填空",
    "short": "简答",
}


class UnfitQuestion(ValueError):
    """A question that cannot be taken as it is; the message says what is missing. `line_number`: where, 0
    for its first line."""

    def __init__(self, message: str, line_number: int = 0) -> None:
        super().__init__(message)
        self.line_number = line_number


_POINTS_AT_END_PATTERN = re.compile(r"[（(](?P<points>\d{1,3}(?:\.\d)?)\s{0,3}分[）)][。.]?\Z")


def with_points(rubric_text: str, points: float) -> str:
    """A line of a rubric in words, as papers have it.

    >>> with_points("后面没人翻", 2)
    '后面没人翻（2分）'
    """
    return f"{rubric_text}（{points:g}分）"


def rubric_lines_with_points(checkpoints: Sequence[str]) -> list[tuple[str, float]]:
    """What an answer has to say with what each is worth; nothing where not all of them say it.

    >>> rubric_lines_with_points(["后面没人翻（2分）", "一屏几条 (0.5分)。"])
    [('后面没人翻', 2.0), ('一屏几条', 0.5)]
    >>> rubric_lines_with_points(["甲（2分）", "乙"])
    []
    """
    lines_with_points = []
    for checkpoint in checkpoints:
        points_match = _POINTS_AT_END_PATTERN.search(checkpoint)
        if points_match is None:
            return []
        rubric_text = checkpoint[: points_match.start()].rstrip()
        points = float(points_match["points"])
        if not rubric_text or not points:
            return []
        lines_with_points.append((rubric_text, points))
    return lines_with_points


class DraftOption(NamedTuple):
    """An option; `feedback` is empty where its author wrote none."""

    text: str
    is_right: bool = False
    feedback: str = ""


class DraftBlank(NamedTuple):
    """What fills a blank; `tolerance_text` as it was written, empty where it was not."""

    accepted_texts: tuple[str, ...]
    tolerance_text: str = ""

    @property
    def accepted_words(self) -> str:
        """What is right, as a text says it.

        >>> DraftBlank(("0.5", ".5"), "0.01").accepted_words
        '0.5 / .5±0.01'
        """
        accepted_words = " / ".join(self.accepted_texts)
        if self.tolerance_text:
            accepted_words += f"±{self.tolerance_text}"
        return accepted_words


@dataclass(frozen=True)
class DraftQuestion:
    """A question without an id. Which fields count depends on its kind.

    `is_true`: whether the statement of a 判断题 holds. `checkpoints` and `model_answer`: what an answer to a
    简答题 is held against. `praise` and `correction`: what a 判断题 says to a right and to a wrong answer.
    `source_text`: its lines as they came.
    """

    kind: DraftKind
    stem: str
    options: tuple[DraftOption, ...] = ()
    is_true: bool = False
    blanks: tuple[DraftBlank, ...] = ()
    checkpoints: tuple[str, ...] = ()
    model_answer: str = ""
    praise: str = ""
    correction: str = ""
    explanation: str = ""
    hints: tuple[str, ...] = ()
    line_number: int = field(default=1, compare=False)
    source_text: str = field(default="", compare=False)

    @property
    def answer_words(self) -> str:
        """The right answer as a line of text, with how far a number may be off.

        >>> DraftQuestion("single", "?", (DraftOption("甲"), DraftOption("乙", True))).answer_words
        'B'
        """
        match self.kind:
            case "single" | "multiple":
                lettered_options = zip(LETTERS, self.options, strict=False)
                return "".join(letter for letter, draft_option in lettered_options if draft_option.is_right)
            case "true_false":
                return "对" if self.is_true else "错"
            case "fill":
                return "；".join(blank.accepted_words for blank in self.blanks)
        return self.model_answer


class UnreadQuestion(NamedTuple):
    """What could not be taken: the line where it is at fault, what is missing, and its source."""

    line_number: int
    problem: str
    source_text: str


class QuestionList(NamedTuple):
    """What was read of a text or a file, in its order; `title`: what stands above the first question."""

    questions: tuple[DraftQuestion, ...] = ()
    unread_questions: tuple[UnreadQuestion, ...] = ()
    title: str = ""
