"""Cards that a table brings back: known by name, or by their words, also as Anki gives them back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from app.course import Course
from app.course.cards.card_files import MOST_ROWS, CardFileRow, anki_guid, cell_as_markdown
from app.course.text import markdown
from app.records.cards.values import DeckData, OwnCardRow
from app.web.cards.card_list_views import all_card_refs
from app.web.cards.card_views import name_of, review_count_of
from app.web.cards.written_decks import CardSides, note_key_of, sides_of

FrontAndBack = tuple[str, str]
"""Both sides of a card, whatever stands between their words."""
Standing = Literal["new", "there", "changed"]
"""Where a row stands to the deck: not in it, in it, or in it as an own card with other words."""


def rows_with_standings(
    course: Course, card_file_rows: Sequence[CardFileRow], deck_data: DeckData
) -> Iterator[tuple[CardFileRow, Standing]]:
    """Each row, named where it is a card of the course or the learner's; and where it stands to the deck.

    An own card is also known by its number and one of its sides, or by what Anki calls its note: words were
    changed since.
    """
    refs_in_deck = (*deck_data.card_row_by_card_ref(), *deck_data.own_card_row_by_card_ref())
    names_in_deck = {name_of(course, card_ref) for card_ref in refs_in_deck}
    own_card_by_name = {}
    named_sides = set()
    for own_card in deck_data.own_cards:
        own_card_name = name_of(course, own_card.card_ref)
        own_card_by_name[own_card_name] = own_card
        front, back = spaced_front_and_back(own_card.front, own_card.back)
        named_sides |= {(own_card_name, front), (own_card_name, back)}
    name_by_front_and_back = card_name_by_front_and_back(course, deck_data)
    name_by_guid: Mapping[str, str] = {}
    if any(card_file_row.guid for card_file_row in card_file_rows):
        name_by_guid = own_card_name_by_guid(own_card_by_name)
    for card_file_row in card_file_rows:
        front_and_back = spaced_front_and_back(card_file_row.front, card_file_row.back)
        has_known_side = any((card_file_row.card_name, side) in named_sides for side in front_and_back)
        card_name = card_file_row.card_name
        if card_file_row.guid in name_by_guid:
            card_name = name_by_guid[card_file_row.guid]
        elif not has_known_side and course.skill_id_of_card(card_name) is None:
            card_name = name_by_front_and_back.get(front_and_back, "")
        standing: Standing = "new"
        if card_name in names_in_deck:
            standing = standing_of(own_card_by_name.get(card_name), front_and_back)
        yield card_file_row._replace(card_name=card_name), standing


def own_card_name_by_guid(own_card_by_name: Mapping[str, OwnCardRow]) -> Mapping[str, str]:
    """The names of own cards by what Anki calls their notes."""
    name_by_guid = {}
    for own_card_name, own_card in own_card_by_name.items():
        name_by_guid[anki_guid(note_key_of(own_card))] = own_card_name
    return name_by_guid


def standing_of(own_card_row: OwnCardRow | None, front_and_back: FrontAndBack) -> Standing:
    """Whether a card of the deck says something else; never where it is one of the course."""
    if own_card_row is None:
        return "there"
    card_sides = CardSides(own_card_row.front, own_card_row.back, own_card_row.tags)
    if front_and_back in front_and_back_of_programs(card_sides):
        return "there"
    return "changed"


def card_name_by_front_and_back(course: Course, deck_data: DeckData) -> Mapping[FrontAndBack, str]:
    """The names of all cards by their words, as they are written and as they come back from Anki.

    Of the learner's own, the newest: as many as a table may have.
    """
    card_row_by_card_ref = deck_data.card_row_by_card_ref()
    own_card_row_by_card_ref = deck_data.own_card_row_by_card_ref()
    name_by_front_and_back: dict[FrontAndBack, str] = {}
    for card_ref in all_card_refs(course, deck_data._replace(own_cards=deck_data.own_cards[-MOST_ROWS:])):
        card_sides = sides_of(
            course,
            card_ref,
            own_card_row_by_card_ref.get(card_ref),
            review_count_of(card_row_by_card_ref.get(card_ref)),
        )
        if card_sides:
            name_by_front_and_back |= dict.fromkeys(
                front_and_back_of_programs(card_sides), name_of(course, card_ref)
            )
    return name_by_front_and_back


def front_and_back_of_programs(card_sides: CardSides) -> Iterator[FrontAndBack]:
    """The words of a card as we write them, and as Anki does."""
    yield spaced_front_and_back(card_sides.front, card_sides.back)
    front = cell_as_markdown(markdown.render_for_anki(card_sides.front))
    back = cell_as_markdown(markdown.render_for_anki(card_sides.back))
    yield spaced_front_and_back(front, back)


def spaced_front_and_back(front: str, back: str) -> FrontAndBack:
    """Programs end lines in their own ways.

    >>> spaced_front_and_back("第一行\\r\\n第二行", " 答 ")
    ('第一行 第二行', '答')
    """
    return " ".join(front.split()), " ".join(back.split())
