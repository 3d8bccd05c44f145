"""Cards that a table brings back: known by name, or by their words, also as Anki gives them back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from app.course import Course
from app.course.cards.card_files import MOST_ROWS, CardFileRow, cell_as_markdown
from app.course.text import markdown
from app.records.cards.values import DeckData
from app.web.cards.card_list_views import all_refs
from app.web.cards.card_views import name_of, review_count_of
from app.web.cards.written_decks import CardSides, sides_of

Words = tuple[str, str]
"""Both sides of a card, whatever stands between their words."""


def known_rows(
    course: Course, rows: Sequence[CardFileRow], deck: DeckData
) -> Iterator[tuple[CardFileRow, bool]]:
    """Each row, named where it is a card of the course or the learner's; and whether it is in the deck.

    An own card is also known by its number and one of its sides: the other was changed since.
    """
    refs_in_deck = (*deck.card_by_ref(), *deck.own_card_by_ref())
    names_in_deck = {name_of(course, card_ref) for card_ref in refs_in_deck}
    named_sides = set()
    for own_card in deck.own_cards:
        own_name = name_of(course, own_card.card_ref)
        front, back = words_of(own_card.front, own_card.back)
        named_sides |= {(own_name, front), (own_name, back)}
    name_by_words = card_name_by_words(course, deck)
    for row in rows:
        words = words_of(row.front, row.back)
        has_known_side = any((row.card_name, side) in named_sides for side in words)
        card_name = row.card_name
        if not has_known_side and course.card_skill(card_name) is None:
            card_name = name_by_words.get(words, "")
        yield replace(row, card_name=card_name), card_name in names_in_deck


def card_name_by_words(course: Course, deck: DeckData) -> Mapping[Words, str]:
    """The names of all cards by their words, as they are written and as they come back from Anki.

    Of the learner's own, the newest: as many as a table may have.
    """
    card_row_by_ref = deck.card_by_ref()
    own_card_row_by_ref = deck.own_card_by_ref()
    name_by_words: dict[Words, str] = {}
    for card_ref in all_refs(course, replace(deck, own_cards=deck.own_cards[-MOST_ROWS:])):
        sides = sides_of(
            course,
            card_ref,
            own_card_row_by_ref.get(card_ref),
            review_count_of(card_row_by_ref.get(card_ref)),
        )
        if sides:
            name_by_words |= dict.fromkeys(words_by_program(sides), name_of(course, card_ref))
    return name_by_words


def words_by_program(sides: CardSides) -> Iterator[Words]:
    """The words of a card as we write them, and as Anki does."""
    yield words_of(sides.front, sides.back)
    front = cell_as_markdown(markdown.render_for_anki(sides.front))
    back = cell_as_markdown(markdown.render_for_anki(sides.back))
    yield words_of(front, back)


def words_of(front: str, back: str) -> Words:
    """Programs end lines in their own ways.

    >>> words_of("第一行\\r\\n第二行", " 答 ")
    ('第一行 第二行', '答')
    """
    return " ".join(front.split()), " ".join(back.split())
