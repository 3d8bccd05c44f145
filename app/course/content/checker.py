"""From files to a course: parse, check every name and text, and tell all faults at once."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from app.course.content.course import Course
from app.course.content.cross_references import faults_of_names
from app.course.content.loader import Reader, Sources
from app.course.content.proofs import works
from app.course.learning.figures_in_text import BadReference, UnknownName, typed_figures
from app.course.text.faults import Fault, Faults
from app.course.text.formulas import BadFormula, formula
from app.course.text.markdown import TERM, UnknownTerm
from app.course.text.text_fields import Path as TextPath
from app.course.text.text_fields import texts
from app.course.text.yaml12 import YamlDocument


def load(folder: Path) -> Course | Faults:
    """The course in a folder."""
    files = read(folder)
    return files if isinstance(files, Faults) else parse(files)


def read(folder: Path) -> dict[str, str] | Faults:
    """The files of a course: name, relative to its folder, to text."""
    if not (folder / "course.yaml").is_file():
        return Faults([Fault(str(folder), 0, "", "这里没有course.yaml，不像是课程的文件夹")])
    try:
        return {
            path.relative_to(folder).as_posix(): path.read_text("utf-8-sig")
            for path in sorted(folder.rglob("*.yaml"))
        }
    except (OSError, UnicodeDecodeError) as error:
        return Faults([Fault(str(folder), 0, "", f"文件读不出来：{error}")])


def parse(
    files: Mapping[str, str | YamlDocument], prefix: str = "content", beside: Course | None = None
) -> Course | Faults:
    """The course in these files (name to text), wherever they come from; or all its faults.

    `beside`: for what a teacher wrote, the course whose knowledge points, terms and examples it may name.
    """
    reader = Reader(files, beside)
    course = reader.course(prefix)
    faults = [
        *reader.faults,
        *faults_of_names(course, reader.sources),
        *_faults_of_texts(course, reader.sources),
        *(_faults_of_sums if beside else _faults_of_glossary)(course, reader.sources),
    ]
    return Faults(faults) if faults else course


def _faults_of_texts(course: Course, sources: Sources) -> Iterator[Fault]:
    """Whatever cannot be rendered, and every figure that was typed by hand."""
    for document, part, wrapped in sources.parts:
        for path, text, allowed in texts(part):
            for message in _wrong_with(course, text, allowed, sources):
                yield document.fault(path[wrapped:], message)
            if _is_pressed(path) and TERM.search(text):
                yield document.fault(path[wrapped:], "选项和卡片正面是要点按的，里面不放术语链接")


def _is_pressed(path: TextPath) -> bool:
    """Whether a text stands on something that one chooses or turns over."""
    return path[-1] == "front" or (path[-1] == "text" and "options" in path)


def _wrong_with(course: Course, text: str, allowed: frozenset[str], sources: Sources) -> Iterator[str]:
    try:
        course.html(text)
    except UnknownName as error:
        if not sources.unread & {"examples", "lessons"}:
            yield str(error)
    except UnknownTerm as error:
        if "glossary" not in sources.unread:
            yield str(error)
    except (BadReference, BadFormula) as error:
        yield str(error)
    for figure in [] if sources.own else typed_figures(text):
        if figure not in allowed:
            yield f"“{figure}”是手写的数字：用{{{{ }}}}让引擎来算，或在literal里说明理由"


def _faults_of_glossary(course: Course, sources: Sources) -> Iterator[Fault]:
    """Formulas of terms stand outside of texts."""
    for number, term in enumerate(course.glossary):
        try:
            formula(term.formula or "")
        except BadFormula as error:
            yield sources.files["glossary.yaml"].fault((number, "formula"), str(error))


def _faults_of_sums(course: Course, sources: Sources) -> Iterator[Fault]:
    """What cannot be marked or solved. The course's own items are proved by `check`; a teacher's, here."""
    for item_id, document in sources.items.items():
        if wrong := works(course, item_id):
            yield document.fault((item_id,), wrong)
