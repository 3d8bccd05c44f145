"""What is written: blanks to fill with words or numbers, and a few words of one's own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from app.course.items.kinds import FillInBlanks, ShortAnswer
from app.course.items.kinds.base import is_made_option_id
from app.web.items.kinds.base import ItemWithAnswers, KindView
from app.web.site.rendering import line_htmls, text_html


class BlankView(NamedTuple):
    """A blank as it stands in the form; `is_numeric`: only a number fills it."""

    typed_text: str
    is_numeric: bool


@dataclass(frozen=True)
class FillKindView(KindView):
    """The blanks in their order."""

    blanks: Sequence[BlankView] = ()


def fill_kind_view(item_with_answers: ItemWithAnswers[FillInBlanks]) -> FillKindView:
    texts_in_form = list(item_with_answers.texts_in_form)
    texts_in_form += [""] * len(item_with_answers.item.blanks)
    blank_views = []
    for blank, typed_text in zip(item_with_answers.item.blanks, texts_in_form, strict=False):
        shown_text = typed_text
        if is_made_option_id(typed_text):  # saved while there was something to choose from
            shown_text = ""
        blank_views.append(BlankView(shown_text, blank.is_numeric))
    return FillKindView(blanks=blank_views)


@dataclass(frozen=True)
class ShortKindView(KindView):
    """What was written; once it is sent, the points and the model answer to hold it against.

    `is_marked`: a teacher holds it against them, where it is asked in an assignment; `waits_for_teacher`: it
    was handed in, and they have not yet; `line_htmls_with_ticks`: what they found, each line of the rubric
    with whether the answer meets it.
    """

    typed_text: str = ""
    checkpoint_htmls: Sequence[Markup] = ()
    model_answer_html: Markup | None = None
    is_marked: bool = False
    waits_for_teacher: bool = False
    line_htmls_with_ticks: Sequence[tuple[Markup, bool]] = ()


def short_kind_view(item_with_answers: ItemWithAnswers[ShortAnswer]) -> ShortKindView:
    typed_text = "\n".join(item_with_answers.texts_in_form)
    is_marked = bool(item_with_answers.item.rubric)
    if item_with_answers.is_open or not typed_text:
        return ShortKindView(
            typed_text=typed_text,
            show_label="看参考回答",
            answer_label="写好了",
            end_words="看过参考回答",
            is_marked=is_marked,
        )
    checkpoint_htmls = line_htmls(item_with_answers.course, item_with_answers.item.checkpoint_sentences)
    model_answer_html = text_html(item_with_answers.course, item_with_answers.item.model)
    return ShortKindView(
        typed_text=typed_text,
        checkpoint_htmls=checkpoint_htmls,
        model_answer_html=model_answer_html,
        end_words="写下来了",
        is_marked=is_marked,
    )
