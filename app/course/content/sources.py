"""The files of a course: each read into its model, with where everything stands and what is wrong so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from pydantic import TypeAdapter, ValidationError

from app.course.content.model import ADAPTER_BY_FILE
from app.course.text import schema_messages
from app.course.text.faults import Fault, Faults
from app.course.text.yaml12 import Key, YamlDocument

OPTIONAL_FILES = ("cards.yaml", "bands.yaml", "scenes.yaml", "exercises.yaml", "games.yaml", "errata.yaml")
"""The files that a course may do without."""
PieceKind = Literal["items", "examples", "cards", "code"]
"""What the stages hold piece by piece; an id names one piece of its kind in the whole course."""
FileKind = Literal[
    PieceKind, "outline", "lessons", "skills", "glossary", "bands", "scenes", "exercises", "games"
]


class FaultReporter(NamedTuple):
    """A path of keys in a file, and the list that takes what is wrong there."""

    yaml_document: YamlDocument
    faults: list[Fault]
    path: tuple[Key, ...]

    def at(self, *keys: Key) -> "FaultReporter":
        return FaultReporter(self.yaml_document, self.faults, (*self.path, *keys))

    def report(self, message: str, fault_kind: str = "") -> None:
        self.faults.append(self.yaml_document.fault(self.path, message, fault_kind))


def _no_documents() -> Mapping[PieceKind, dict[str, YamlDocument]]:
    return {piece_kind: {} for piece_kind in get_args(PieceKind)}


@dataclass
class Sources:
    """Where the pieces of a course stand, and which kinds of files could not be read to the end.

    Of a kind in `unread_kinds` not everything is known, so nobody may say that one of that kind is missing.
    `is_own`: a teacher's content beside the course, for which fewer rules hold. `documents_by_kind` has those
    of each kind of pieces by id.
    """

    text_by_path: Mapping[str, str | YamlDocument]
    is_own: bool
    faults: list[Fault] = field(default_factory=list)
    yaml_document_by_path: dict[str, YamlDocument] = field(default_factory=dict)
    documents_and_parts: list[tuple[YamlDocument, Any]] = field(default_factory=list)
    unread_kinds: set[FileKind] = field(default_factory=set)
    lesson_document_by_stage_id: dict[str, YamlDocument] = field(default_factory=dict)
    documents_by_kind: Mapping[PieceKind, dict[str, YamlDocument]] = field(default_factory=_no_documents)

    def reporter_at_path(self, yaml_document: YamlDocument, *key_path: Key) -> FaultReporter:
        return FaultReporter(yaml_document, self.faults, key_path)

    def read_pieces(self, file_kind: FileKind, folder: str = "") -> Any:
        """The mapping or list in the file of a kind; an empty mapping for a file that is missing or wrong."""
        return self.read(f"{folder}{file_kind}.yaml", file_kind) or {}

    def read(self, file_path: str, file_kind: FileKind) -> Any:
        """What a file holds; None, and faults, for a file that is missing (if it must be there) or wrong."""
        file_name = file_path.rpartition("/")[2]
        if file_path not in self.text_by_path and file_name in OPTIONAL_FILES:
            return None
        try:
            return self._read(file_path, ADAPTER_BY_FILE[file_name])
        except Faults as error:
            self.unread_kinds.add(file_kind)
            self.faults += error.faults
            return None

    def _read(self, file_path: str, adapter: TypeAdapter[Any]) -> Any:
        if file_path not in self.text_by_path:
            raise Faults([Fault(file_path, 0, "", "缺少这个文件")])
        yaml_document = self.text_by_path[file_path]
        if isinstance(yaml_document, str):
            yaml_document = YamlDocument(file_path, yaml_document)
        self.yaml_document_by_path[file_path] = yaml_document
        try:
            checked_part = adapter.validate_python(yaml_document.data)
        except ValidationError as error:
            raise Faults(
                _schema_fault(yaml_document, schema_error) for schema_error in error.errors()
            ) from error
        self.documents_and_parts.append((yaml_document, checked_part))
        return checked_part


def _schema_fault(yaml_document: YamlDocument, schema_error: Any) -> Fault:
    """The fault of one pydantic error. The name of a kind, which pydantic puts into paths, is left out."""
    key_path = schema_error["loc"]
    if schema_error["type"] != "missing":
        key_path = yaml_document.key_path_in_file(key_path)
    return yaml_document.fault(key_path, schema_messages.words_of_error(schema_error), schema_error["type"])
