"""What a system answered to a query: the documents of a question, with their titles."""

from pydantic import Field

from app.course.items.examples import Document, Example
from app.course.text.model_base import ContentPart, Title


class Ranking(ContentPart):
    """A query and the documents in the system's order; `unseen` are judged but were not returned."""

    query: Title
    engine: Title | None = None
    documents: list[Document] = Field(min_length=1, max_length=15)
    unseen: list[Document] = Field(default=[])


def of_example(example: Example) -> Ranking:
    """The ranking of an example. Of what only its judged pool has, no titles are known.

    >>> tea = Example(title="茶", query="哪里喝茶", documents=[Document(title="茶馆", grade=3)])
    >>> of_example(tea).query, of_example(tea).documents[0].title
    ('哪里喝茶', '茶馆')
    """
    return Ranking(query=example.query or example.title, documents=example.documents)
