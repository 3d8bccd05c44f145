"""Texts of the course as a learner may go on writing them: plain Markdown, for own cards and for files."""

from collections.abc import Iterable

from app.course import Course
from app.course.items.examples import Document, Ranking
from app.course.learning import figures_in_text
from app.course.text.markdown import TERM_PATTERN


def editable_text(course: Course, course_text: str) -> str:
    """A text of the course as a learner may go on writing it: figures filled in, links as words."""
    filled_content = figures_in_text.fill(course_text, course.examples, course.value_by_name)
    name_by_term_id = course.glossary_name_by_id
    return TERM_PATTERN.sub(lambda term: term[2] or name_by_term_id.get(term[1], term[1]), filled_content)


def bulleted_course_markdown(course: Course, markdown_texts: Iterable[str]) -> str:
    """Texts of the course as a list of Markdown."""
    return bulleted_markdown(editable_text(course, markdown_text) for markdown_text in markdown_texts)


def bulleted_markdown(lines: Iterable[str]) -> str:
    """Lines as a list of Markdown."""
    return "\n".join(f"- {line}" for line in lines)


def returned_and_unreturned_texts(ranking: Ranking) -> tuple[str, str]:
    """The documents with their grades, and those that were judged and not returned."""
    returned_lines = [
        f"{rank}. {document_words(document)}" for rank, document in enumerate(ranking.documents, 1)
    ]
    unseen_lines = [f"没端上来：{document_words(document)}" for document in ranking.unseen]
    return "\n".join(returned_lines), bulleted_markdown(unseen_lines)


def document_words(document: Document) -> str:
    """A document with its grade.

    >>> document_words(Document(title="茶馆", grade=None)), document_words(Document(title="茶馆", grade=3))
    ('茶馆：未标注', '茶馆：甜度3')
    """
    if document.grade is None:
        return f"{document.title}：未标注"
    return f"{document.title}：甜度{document.grade:g}"
