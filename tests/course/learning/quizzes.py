"""A lesson with a quiz."""

from tests.course.small import FILES

LESSON, CARDS = "01-first/lesson.yaml", "01-first/cards.yaml"


NEW = ["new-1", "new-2", "new-3", "new-4", "new-5", "new-6"]


ITEM = """\
{id}:
  kind: numeric
  skill: {skill}
  minutes: 2
  stem: 是多少？
  question: {{quantity: dcg, grades: [3, 1, 2], k: 2}}
"""


def with_quiz(quiz: list[str], items: list[str] | None = None) -> dict[str, str]:
    """The small course with a 小测 in its first stage."""
    extra = "".join(ITEM.format(id=name, skill="dcg") for name in (NEW if items is None else items))
    lesson = f"quiz: [{', '.join(quiz)}]\n{FILES[LESSON]}"
    return {**FILES, LESSON: lesson, "01-first/items.yaml": FILES["01-first/items.yaml"] + extra}
