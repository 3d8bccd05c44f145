"""Names under which the records keep what belongs to a course: `content:dcg-at-3`, `own-42:q1#3`."""

import re
from typing import NamedTuple

OWN_COURSE = re.compile(r"own-([0-9]{1,15})")
NUMBER = re.compile("[0-9]{1,6}")


class Ref(NamedTuple):
    """A name as the records keep it: the course, the id inside it, the question of an assignment.

    `course` is the prefix of a course: `content`, or `own-42` for the content that a teacher wrote. It is
    empty for what belongs to no course: an attempt at an assignment is `assignment-7`. `number` counts the
    questions of an assignment from 1; None for an item by itself.
    """

    course: str
    name: str
    number: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Ref":
        """Read a name.

        >>> Ref.parse("own-42:q1#3")
        Ref(course='own-42', name='q1', number=3)
        >>> Ref.parse("assignment-7")
        Ref(course='', name='assignment-7', number=None)
        """
        item, _, number = text.partition("#")
        course, colon, name = item.partition(":")
        question = None
        if NUMBER.fullmatch(number):
            question = int(number)
        if not colon:
            return cls("", item, question)
        return cls(course, name, question)

    def __str__(self) -> str:
        """The text that `parse` reads."""
        text = self.name
        if self.course:
            text = f"{self.course}:{text}"
        if self.number is not None:
            text += f"#{self.number}"
        return text

    @property
    def item(self) -> str:
        """The item without the number of its question.

        >>> Ref.parse("own-42:q1#3").item
        'own-42:q1'
        """
        return str(self._replace(number=None))

    @property
    def own_id(self) -> int | None:
        """The id of the own content that it belongs to; None for a piece of the course of the site.

        >>> Ref.parse("own-42:q1").own_id, Ref.parse("content:q1").own_id
        (42, None)
        """
        prefix = OWN_COURSE.fullmatch(self.course)
        if prefix is None:
            return None
        return int(prefix[1])

    def name_after(self, kind: str) -> str | None:
        """What follows the kind in the name; None for a name of another kind.

        >>> ref = Ref.parse("content:practice-dcg-2")
        >>> ref.name_after("practice"), ref.name_after("item")
        ('dcg-2', None)
        """
        start = f"{kind}-"
        if not self.name.startswith(start):
            return None
        return self.name.removeprefix(start)
