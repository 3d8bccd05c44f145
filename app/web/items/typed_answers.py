"""What was typed into the form of an item: as it is sent, and as an address carries it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from fastapi import Request

from app.course.items.kinds import Item, Order
from app.course.items.kinds.steps import LEFT_CELL_SIGN
from app.web.site.posted_forms import PostedForm

LONGEST_ANSWER = 4000
"""Characters of an answer that are kept, of all its fields together: a body has room for hundreds.

An address carries no more of all that was typed on its page.
"""
CARRIED_PREFIX = "typed-"
"""How fields of an address begin that carry what was typed into other forms than the one that was sent."""


class TypedAnswer(NamedTuple):
    """What stands in the form of an item, unrecorded; `is_refused` if it was sent and could not be read,
    `is_untaken` if it was sent and not taken: during a pause, or after an answer on another device."""

    item_id: str
    raw: tuple[str, ...]
    is_refused: bool = True
    is_untaken: bool = False

    def with_move(self, move_text: str) -> "TypedAnswer":
        """One of it a place further up or down; as it is for what cannot go further, or is not there.

        >>> order = TypedAnswer("order", ("a", "b", "c"))
        >>> order.with_move("up:c").raw, order.with_move("down:c").raw
        (('a', 'c', 'b'), ('a', 'b', 'c'))
        """
        direction, _, moved_text = move_text.partition(":")
        if moved_text not in self.raw:
            return self
        moved_raw = list(self.raw)
        moved_index = moved_raw.index(moved_text)
        moved_raw.pop(moved_index)
        offset = -1 if direction == "up" else 1
        moved_raw.insert(max(0, moved_index + offset), moved_text)
        return self._replace(raw=tuple(moved_raw))

    def url_within(self, page_path: str) -> str:
        """The page that shows it, for those without a script: it stands in the address, before what the path
        carries of other items. Where it was refused, the page begins at the reason, which may stand a screen
        below the question.

        >>> TypedAnswer("sum", ("2+x",)).url_within("/lessons/a/b?step=2#item-sum")
        '/lessons/a/b?step=2&item=sum&typed=2%2Bx#item-sum-error'
        >>> TypedAnswer("sum", ("2",), False).url_within("/?typed-sum=1&typed-row=3")
        '/?item=sum&typed=2&kept=1&typed-row=3#item-sum'
        >>> TypedAnswer("sum", ("2",), False, is_untaken=True).url_within("/")
        '/?item=sum&typed=2&kept=2#item-sum'
        """
        bare_path, other_answers = path_and_typed_answers(page_path, self.item_id)
        address, _, anchor = bare_path.partition("#")
        address_fields: dict[str, str | tuple[str, ...]] = {"item": self.item_id, "typed": self.raw}
        if not self.is_refused:
            address_fields["kept"] = "2" if self.is_untaken else "1"
        separator = "&" if "?" in address else "?"
        anchor_in_page = anchor or f"item-{self.item_id}"
        if self.is_refused and anchor_in_page.startswith("item-"):
            anchor_in_page = f"item-{self.item_id}-error"
        answer_url = f"{address}{separator}{urlencode(address_fields, doseq=True)}#{anchor_in_page}"
        return path_with_answers(answer_url, other_answers, LONGEST_ANSWER - self.character_count)

    @property
    def character_count(self) -> int:
        """Characters of all its fields together."""
        return sum(map(len, self.raw))


def path_and_typed_answers(path: str, sent_item_id: str) -> tuple[str, list[TypedAnswer]]:
    """A path without the words that it carries, and these, but for those of the item whose form was sent.

    >>> path_and_typed_answers("/?step=2&typed-sum=3&typed-sum=#moves", "")
    ('/?step=2#moves', [TypedAnswer(item_id='sum', raw=('3', ''), is_refused=False, is_untaken=False)])
    """
    address, hash_sign, anchor = path.partition("#")
    page_path, _, query_string = address.partition("?")
    texts_by_item_id: dict[str, list[str]] = {}
    other_fields = []
    for field_text in query_string.split("&"):
        if not field_text.startswith(CARRIED_PREFIX):
            other_fields.append(field_text)
            continue
        for field_name, typed_text in parse_qsl(field_text, keep_blank_values=True):
            item_id = field_name.removeprefix(CARRIED_PREFIX)
            texts_by_item_id.setdefault(item_id, []).append(typed_text)
    if any(other_fields):
        page_path += f"?{'&'.join(other_fields)}"
    texts_by_item_id.pop(sent_item_id, None)
    typed_answers = [
        TypedAnswer(item_id, tuple(raw_answer), False) for item_id, raw_answer in texts_by_item_id.items()
    ]
    return f"{page_path}{hash_sign}{anchor}", typed_answers


def path_with_answers(
    page_path: str, typed_answers: Iterable[TypedAnswer], remaining_character_count: int = LONGEST_ANSWER
) -> str:
    """A path that carries what was typed, as far as there is room for so many characters.

    >>> path_with_answers("/?step=2#moves", [TypedAnswer("sum", ("3",)), TypedAnswer("order", ("a", "b"))], 2)
    '/?step=2&typed-sum=3#moves'
    """
    address, hash_sign, anchor = page_path.partition("#")
    answer_fields = carried_fields(typed_answers, remaining_character_count)
    if answer_fields:
        address += f"{'&' if '?' in address else '?'}{urlencode(answer_fields)}"
    return f"{address}{hash_sign}{anchor}"


def carried_fields(
    typed_answers: Iterable[TypedAnswer], remaining_character_count: int = LONGEST_ANSWER
) -> list[tuple[str, str]]:
    """The fields of an address that carry what was typed, as far as there is room."""
    answer_fields: list[tuple[str, str]] = []
    for typed_answer in typed_answers:
        if typed_answer.character_count <= remaining_character_count:
            remaining_character_count -= typed_answer.character_count
            answer_fields += [
                (f"{CARRIED_PREFIX}{typed_answer.item_id}", typed_text) for typed_text in typed_answer.raw
            ]
    return answer_fields


def answer_fields_of_address(address_fields: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """Those fields of an address that carry what was typed."""
    carried_field_names = [
        field_name for field_name in address_fields if field_name.startswith(CARRIED_PREFIX)
    ]
    return tuple(
        (field_name, field_text)
        for field_name in carried_field_names
        for field_text in address_fields[field_name]
    )


def path_without_answer(page_path: str, item_id: str) -> str:
    """A path that carries nothing for this item any more: its own form has been sent.

    >>> path_without_answer("/?step=2&typed-sum=3&typed-order=a#item-sum", "sum")
    '/?step=2&typed-order=a#item-sum'
    """
    return path_with_answers(*path_and_typed_answers(page_path, item_id))


def answer_typed_into(typed_answers: Sequence[TypedAnswer], item_ids: Iterable[str]) -> TypedAnswer | None:
    """What was typed into one of these items."""
    for typed_answer in typed_answers:
        if typed_answer.item_id in item_ids:
            return typed_answer
    return None


def untouched_answer(item: Item) -> tuple[str, ...]:
    """What the form of an item sends before anything is done in it: an order stands there from the beginning,
    anything else is empty."""
    if isinstance(item, Order):
        return tuple(document.id for document in item.documents)
    return ()


def typed_answer_of_address(http: Request) -> TypedAnswer | None:
    """What the address says was typed."""
    address_fields = http.query_params
    if not address_fields.get("item"):
        return None
    return TypedAnswer(
        address_fields["item"],
        tuple(address_fields.getlist("typed")),
        is_refused="kept" not in address_fields,
        is_untaken=address_fields.get("kept") == "2",
    )


def typed_answers_of_address(http: Request) -> tuple[TypedAnswer, ...]:
    """What the address says was typed: into the form that was sent, and before that into others."""
    sent_answer = typed_answer_of_address(http)
    _, carried_answers = path_and_typed_answers(f"?{http.url.query}", http.query_params.get("item", ""))
    if sent_answer is None:
        return tuple(carried_answers)
    return (sent_answer, *carried_answers)


def typed_answer_of_form(form: PostedForm) -> TypedAnswer:
    """What was sent; with 空着的你来算, empty cells of a table are left to the tutor.

    >>> form = PostedForm({"item": ["table"], "answer": ["1", ""], "left": ["yes"]})
    >>> typed_answer_of_form(form).raw == ("1", LEFT_CELL_SIGN)
    True
    >>> form = PostedForm({"answer": ["1", "9" * LONGEST_ANSWER, "2"]})
    >>> typed_answer_of_form(form).raw[1:] == ("9" * 3999, "")
    True
    """
    typed_texts = []
    remaining_character_count = LONGEST_ANSWER
    for sent_text in form.texts("answer"):
        typed_texts.append(sent_text[:remaining_character_count])
        remaining_character_count -= len(typed_texts[-1])
    if "left" in form.texts_by_field:
        typed_texts = [typed_text if typed_text.strip() else LEFT_CELL_SIGN for typed_text in typed_texts]
    return TypedAnswer(form.text("item"), tuple(typed_texts))
