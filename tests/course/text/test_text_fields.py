"""Every text of a piece is found and can be changed, wherever it stands."""

from app.course.text.model_base import ContentPart, Text
from app.course.text.text_fields import texts_with_paths, with_changed_texts


class Note(ContentPart):
    text: Text
    name: str


class Letter(ContentPart):
    title: Text
    notes: list[Note]
    notes_by_name: dict[str, Note]
    sayings: dict[str, Text]
    kind: str


LETTER = Letter(
    title="title",
    notes=[Note(text="first note", name="a")],
    notes_by_name={"b": Note(text="second note", name="b")},
    sayings={"morning": "saying"},
    kind="letter",
)


def test_what_is_found_is_what_is_changed() -> None:
    texts = {text for _, text, _ in texts_with_paths(LETTER)}
    assert texts == {"title", "first note", "second note", "saying"}
    changed_letter = with_changed_texts(LETTER, str.upper)
    assert {text for _, text, _ in texts_with_paths(changed_letter)} == {text.upper() for text in texts}
    assert (changed_letter.kind, changed_letter.notes[0].name) == ("letter", "a")
