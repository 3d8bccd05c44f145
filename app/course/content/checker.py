"""From files to a course: parse, check every name and text, and tell all faults at once. And what `check`
proves beyond them: every item accepts the right answer and rejects wrong ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from app.course.content.course import Course
from app.course.content.cross_references import CrossReferences
from app.course.content.loader import CourseReader
from app.course.content.refs import MAIN_PREFIX
from app.course.content.sources import Sources
from app.course.items.kinds import Generated, Item
from app.course.items.marks import Unreadable
from app.course.learning.figures_in_text import BadReference, UnknownName, typed_figures
from app.course.text import text_fields
from app.course.text.faults import Fault, Faults
from app.course.text.formulas import BadFormula, formula_mathml
from app.course.text.markdown import TERM_PATTERN, UnknownTerm, picture_flaw_words
from app.course.text.yaml12 import YamlDocument


def load_course(folder: Path) -> Course | Faults:
    """The course in a folder."""
    text_by_path = read_texts(folder)
    if isinstance(text_by_path, Faults):
        return text_by_path
    return parse_course(text_by_path)


def read_texts(folder: Path) -> dict[str, str] | Faults:
    """The files of a course: name, relative to its folder, to text."""
    if not (folder / "course.yaml").is_file():
        return Faults([Fault(str(folder), 0, "", "这里没有course.yaml，不像是课程的文件夹")])
    yaml_files = sorted(folder.rglob("*.yaml"))
    try:
        return {
            yaml_file.relative_to(folder).as_posix(): yaml_file.read_text("utf-8-sig")
            for yaml_file in yaml_files
        }
    except (OSError, UnicodeDecodeError) as error:
        return Faults([Fault(str(folder), 0, "", f"文件读不出来：{error}")])


def parse_course(
    text_by_path: Mapping[str, str | YamlDocument],
    course_prefix: str = MAIN_PREFIX,
    site_course: Course | None = None,
) -> Course | Faults:
    """The course in these files (name to text), wherever they come from; or all its faults.

    `site_course`: for what a teacher wrote, the course whose skills, terms and examples it may name.
    """
    course_reader = CourseReader(text_by_path, site_course)
    sources = course_reader.sources
    course = course_reader.course(course_prefix)
    CrossReferences(course, sources).check()
    _check_texts(course, sources)
    if sources.is_own:
        _check_own_items(course, sources)
    else:
        _check_glossary(course, sources)
    if sources.faults:
        return Faults(sources.faults)
    return course


def _check_texts(course: Course, sources: Sources) -> None:
    """Reports whatever cannot be rendered, and every figure that was typed by hand."""
    for yaml_document, content_part in sources.documents_and_parts:
        for field_path, markdown_text, declared_figures in text_fields.texts_with_paths(content_part):
            fault_reporter = sources.reporter_at_path(yaml_document, *field_path)
            for flaw_words in (
                *_flaw_words_of_text(course, markdown_text, declared_figures, sources),
                *picture_flaw_words(markdown_text),
            ):
                fault_reporter.report(flaw_words)
            if _is_pressed(field_path) and TERM_PATTERN.search(markdown_text):
                fault_reporter.report("选项和卡片正面是要点按的，里面不放术语链接")


def _is_pressed(field_path: text_fields.FieldPath) -> bool:
    """Whether a text stands on something that a learner chooses or turns over."""
    return field_path[-1] == "front" or (field_path[-1] == "text" and "options" in field_path)


def _flaw_words_of_text(
    course: Course, markdown_text: str, declared_figures: frozenset[str], sources: Sources
) -> Iterator[str]:
    yield from _flaw_words_of_rendering(course, markdown_text, sources)
    if sources.is_own:
        return
    for typed_figure in typed_figures(markdown_text):
        if typed_figure not in declared_figures:
            yield f"“{typed_figure}”是手写的数字：用{{{{ }}}}让引擎来算，或在literal里说明理由"


def _flaw_words_of_rendering(course: Course, markdown_text: str, sources: Sources) -> Iterator[str]:
    try:
        course.html(markdown_text)
    except UnknownName as error:
        if not sources.unread_kinds & {"examples", "lessons"}:
            yield str(error)
    except UnknownTerm as error:
        if "glossary" not in sources.unread_kinds:
            yield str(error)
    except (BadReference, BadFormula) as error:
        yield str(error)


def _check_glossary(course: Course, sources: Sources) -> None:
    """Reports formulas of terms that cannot be shown; they stand outside of texts."""
    for term_index, glossary_term in enumerate(course.glossary):
        try:
            formula_mathml(glossary_term.formula or "")
        except BadFormula as error:
            sources.reporter_at_path(
                sources.yaml_document_by_path["glossary.yaml"], term_index, "formula"
            ).report(str(error))


def _check_own_items(course: Course, sources: Sources) -> None:
    """Reports what cannot be marked or solved. The items of the site's course are proved by `app check`."""
    for item_id, yaml_document in sources.documents_by_kind["items"].items():
        item = course.items[item_id]
        if isinstance(item, Generated) and item.exercise not in course.exercises:
            continue  # that it is missing was reported
        flaw_words = flaw_words_of(course, item_id)
        if flaw_words:
            sources.reporter_at_path(yaml_document, item_id).report(flaw_words)


PROOF_SEEDS = range(3)
"""The seeds for which generated items are proved; tests try thousands."""


def proof_fault_words(course: Course) -> Iterator[str]:
    """A sentence for each promise that an item breaks."""
    for item in _items_and_variants(course):
        for raw_answer, is_right in item.proofs():
            expected_verdict = "wrong"
            if is_right:
                expected_verdict = "right"
            verdict = _verdict(item, raw_answer)
            if verdict != expected_verdict:
                yield f"题目{item.id}：回答{raw_answer}应当判为{expected_verdict}，却判为{verdict}"


def _items_and_variants(course: Course) -> Iterator[Item]:
    """All items; of generated ones, the variants of a few seeds."""
    for item in course.items.values():
        if isinstance(item, Generated):
            for seed in PROOF_SEEDS:
                yield course.variant(item.id, seed)
        else:
            yield item


def flaw_words_of(course: Course, item_id: str) -> str:
    """Why an item can be neither marked nor solved; nothing when it can."""
    try:
        item = course.variant(item_id, 1)
        for solution_line in item.solution():
            course.line_html(solution_line)
        for raw_answer, is_right in item.proofs():
            if is_right and _verdict(item, raw_answer) != "right":
                return f"这道题判不对：标准答案{raw_answer}也得不到分"
    except (ArithmeticError, ValueError) as error:
        return f"这道题算不出来：{error}"
    return ""


def _verdict(item: Item, raw_answer: Sequence[str]) -> str:
    try:
        return item.mark(raw_answer).verdict
    except Unreadable as error:
        return f"unreadable（{error}）"
