"""What was typed into the form of an item: as it is sent, and as an address carries it."""

from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import Request

from app.course.items.kinds import Item, Order
from app.course.items.kinds.steps import LEFT_MARK
from app.web.site.posted_forms import PostedForm

LONGEST_ANSWER = 4000
"""Characters of an answer that are kept, of all its fields together: a body has room for hundreds."""


class TypedAnswer(NamedTuple):
    """What stands in the form of an item, unrecorded; `is_refused` if it was sent and could not be read."""

    item_id: str
    raw: tuple[str, ...]
    is_refused: bool = True

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
        index = moved_raw.index(moved_text)
        moved_raw.pop(index)
        offset = -1 if direction == "up" else 1
        moved_raw.insert(max(0, index + offset), moved_text)
        return self._replace(raw=tuple(moved_raw))

    def url_within(self, path: str) -> str:
        """The page that shows it, for those without a script: it stands in the address. Where it was refused,
        the page begins at the reason, which may stand a screen below the question.

        >>> TypedAnswer("sum", ("2+x",)).url_within("/lessons/a/b?step=2#item-sum")
        '/lessons/a/b?step=2&item=sum&typed=2%2Bx#item-sum-error'
        """
        address, _, anchor = path.partition("#")
        fields: dict[str, str | tuple[str, ...]] = {"item": self.item_id, "typed": self.raw}
        if not self.is_refused:
            fields["kept"] = "1"
        separator = "&" if "?" in address else "?"
        place = anchor or f"item-{self.item_id}"
        if self.is_refused and place.startswith("item-"):
            place = f"item-{self.item_id}-error"
        return f"{address}{separator}{urlencode(fields, doseq=True)}#{place}"


def untouched_raw(item: Item) -> tuple[str, ...]:
    """What the form of an item sends before anything is done in it: an order stands there from the beginning,
    anything else is empty."""
    if isinstance(item, Order):
        return tuple(document.id for document in item.documents)
    return ()


def typed_answer_in(http: Request) -> TypedAnswer | None:
    """What the address says was typed."""
    query = http.query_params
    if not query.get("item"):
        return None
    return TypedAnswer(query["item"], tuple(query.getlist("typed")), "kept" not in query)


def typed_answer(form: PostedForm) -> TypedAnswer:
    """What was sent; with 空着的你来算, empty cells of a table are left to the tutor.

    >>> form = PostedForm({"item": ["table"], "answer": ["1", ""], "left": ["yes"]})
    >>> typed_answer(form).raw == ("1", LEFT_MARK)
    True
    >>> typed_answer(PostedForm({"answer": ["1", "9" * LONGEST_ANSWER, "2"]})).raw[1:] == ("9" * 3999, "")
    True
    """
    typed_texts = []
    room = LONGEST_ANSWER
    for sent_text in form.texts("answer"):
        typed_texts.append(sent_text[:room])
        room -= len(typed_texts[-1])
    if "left" in form.texts_by_field:
        typed_texts = [typed_text if typed_text.strip() else LEFT_MARK for typed_text in typed_texts]
    return TypedAnswer(form.text("item"), tuple(typed_texts))
