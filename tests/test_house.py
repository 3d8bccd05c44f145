"""The house and its dictionary, as `app/README.md` tells them, held against the tree."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source_tree import imports, modules

ROOT = Path(__file__).resolve().parent.parent
HOUSE, DICTIONARY = (ROOT / "app/README.md").read_text("utf-8").split("# The dictionary")
FLOORS = ["course", "records", "web"]
MOST_MODULES = 16
MOST_LINES = 350


def rooms_told(floor: str) -> list[str]:
    """The rooms of a floor in the order of its table."""
    part = re.search(rf"^## Floor \d · `{floor}/`.*?(?=^## )", HOUSE, re.MULTILINE | re.DOTALL)
    assert part, floor
    return re.findall(r"^\| `(\w+)` \|", part[0], re.MULTILINE)


def rooms_there(root: Path, floor: str) -> list[str]:
    return sorted(path.parent.name for path in (root / "app" / floor).glob("*/__init__.py"))


def words() -> Iterator[tuple[str, str]]:
    """Code name and Chinese word of every line of the dictionary."""
    yield from re.findall(r"^\| `(\w+)` \| ([^|]+?) \| [^|]+ \|$", DICTIONARY, re.MULTILINE)


def arrows(root: Path, floor: str) -> dict[str, set[str]]:
    """Which rooms of a floor each room imports."""
    targets: dict[str, set[str]] = defaultdict(set)
    for path, tree in modules(floor, root):
        parts = path.parts[2:]
        if len(parts) < 2 or "migrations" in parts:
            continue
        for name in imports(path, tree):
            steps = name.split(".")
            if steps[:2] == ["app", floor] and len(steps) > 3 and steps[2] != parts[0]:
                targets[parts[0]].add(steps[2])
    return targets


def circle(arrows_of: dict[str, set[str]]) -> list[str]:
    """Rooms that reach themselves by imports; empty where all lead in one direction.

    >>> circle({"grading": {"classes"}, "classes": {"accounts"}})
    []
    >>> circle({"grading": {"classes"}, "classes": {"grading"}})
    ['classes', 'grading']
    """
    rooms: set[str] = set()
    for room in list(arrows_of):
        reached: set[str] = set()
        waiting = list(arrows_of[room])
        while waiting:
            target = waiting.pop()
            if target not in reached:
                reached.add(target)
                waiting += arrows_of.get(target, set())
        if room in reached:
            rooms.add(room)
    return sorted(rooms)


@pytest.mark.parametrize("floor", FLOORS)
def test_every_room_is_told_and_every_told_room_is_there(floor: str) -> None:
    assert sorted(rooms_told(floor)) == rooms_there(ROOT, floor)


@pytest.mark.parametrize("floor", FLOORS)
def test_tests_stand_in_the_rooms_of_what_they_test(floor: str) -> None:
    folders = {path.parent.name for path in (ROOT / "tests" / floor).glob("*/test_*.py")}
    assert folders <= set(rooms_told(floor))
    assert len(folders) >= len(rooms_told(floor)) - 3


TEST_MODULE_IMPORT = re.compile(r"^[ \t]*(?:(?:from|import)\b.*\btest_|test_\w+(?: as \w+)?,$)", re.MULTILINE)
"""Where a test module may be imported, on one line or in brackets: most files need not be parsed."""


def test_no_test_module_imports_another() -> None:
    """What several share stands in a module that is named after what it holds."""
    importers = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        relative_path, source = path.relative_to(ROOT), path.read_text("utf-8")
        names = imports(relative_path, ast.parse(source)) if TEST_MODULE_IMPORT.search(source) else ()
        importers += [f"{relative_path}: {name}" for name in names if ".test_" in name and "tests." in name]
    assert importers == []


def test_rooms_of_a_floor_import_in_one_direction() -> None:
    assert {floor: circle(arrows(ROOT, floor)) for floor in FLOORS} == {floor: [] for floor in FLOORS}


def test_a_planted_circle_is_found(tmp_path: Path) -> None:
    for room, neighbour in (("classes", "grading"), ("grading", "classes")):
        folder = tmp_path / "app/web" / room
        folder.mkdir(parents=True)
        (folder / "pages.py").write_text(f"from app.web.{neighbour} import pages", encoding="utf-8")
    assert circle(arrows(tmp_path, "web")) == ["classes", "grading"]


def test_no_room_is_too_full() -> None:
    folders = [path.parent for path in (ROOT / "app").rglob("__init__.py") if path.parent.name != "versions"]
    full = {folder: len([*folder.glob("*.py")]) - 1 for folder in folders}
    assert {folder: count for folder, count in full.items() if count > MOST_MODULES} == {}


def test_every_word_of_the_dictionary_is_used() -> None:
    """By its code name in code, by its Chinese on pages or in content."""
    code = "".join(path.read_text("utf-8") for path in (ROOT / "app").rglob("*.py"))
    spoken = code + "".join(
        path.read_text("utf-8")
        for folder in ("templates", "content")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".html", ".yaml"}
    )
    listed = list(words())
    assert len(listed) >= 60
    assert [name for name, _ in listed if not re.search(rf"(?<![A-Za-z]){name}", code)] == []
    assert [chinese for _, chinese in listed if chinese not in spoken] == []


def test_a_word_is_explained_once() -> None:
    names = [name for name, _ in words()]
    assert sorted(names) == sorted(set(names))


EXPLANATION_PATTERN = re.compile(r"(?:^|\. |`)([a-z_]\w*(?:`?, `?\w+)*)`?: ")
"""What a docstring explains: `name`: …, or at the begin of a sentence name: … and name, other_name: …"""


def explained_names(docstring: str) -> Iterator[str]:
    """
    >>> list(explained_names("A list. grades, `k`: as in `ndcg`.\\n\\nscores: high\\n>>> {'a': 1}"))
    ['grades', 'k', 'scores']
    """
    for paragraph in docstring.partition(">>>")[0].split("\n\n"):
        for names in EXPLANATION_PATTERN.findall(" ".join(paragraph.split())):
            yield from re.findall(r"\w+", names)


def used_names(node: ast.AST) -> set[str]:
    """Names that a class or function uses, and words that it holds, as those of a `Literal`."""
    names: set[str] = set()
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Constant(value=str(name)):
                names.add(name)
    return names


def test_docstrings_explain_fields_and_parameters_that_are_there() -> None:
    """What was renamed is easily left behind in the text that explains it."""
    explained_count = 0
    missing_names = []
    for floor in ["engine", *FLOORS]:
        for path, tree in modules(floor, ROOT):
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef | ast.FunctionDef):
                    names = set(explained_names(ast.get_docstring(node) or ""))
                    explained_count += len(names)
                    if names and not names <= used_names(node):
                        missing_names.append((path.name, node.name, names - used_names(node)))
    assert explained_count > 700
    assert missing_names == []


REASON_PATTERN = re.compile(
    r"cached_property|default_factory|__(post_init|len|iter|contains)__|(repr|compare|eq)=False"
)
"""What a tuple would not do, as app/README.md has it under "Values"."""


def needless_frozen_classes(folder: str, root: Path = ROOT) -> list[str]:
    """The frozen dataclasses of a folder that a NamedTuple would do for."""
    nodes = [node for _, tree in modules(folder, root, "class ") for node in ast.walk(tree)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    base_names = {ast.unparse(base) for node in classes for base in node.bases}
    needless_names = []
    for node in classes:
        decorators = " ".join(ast.unparse(decorator) for decorator in node.decorator_list)
        fields = {ast.unparse(field.target) for field in node.body if isinstance(field, ast.AnnAssign)}
        has_reason = (
            node.bases
            or node.name in base_names
            or fields & {"count", "index"}
            or REASON_PATTERN.search(ast.unparse(node))
        )
        if "frozen=True" in decorators and not has_reason:
            needless_names.append(node.name)
    return needless_names


@pytest.mark.parametrize("folder", [*FLOORS, "demo", "cli"])
def test_plain_values_are_named_tuples(folder: str) -> None:
    """Those of the engine are given to programs, by `tangxu`."""
    assert needless_frozen_classes(folder) == []


def test_a_planted_frozen_class_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "app/records/cards"
    folder.mkdir(parents=True)
    plain = "@dataclass(frozen=True)\nclass Plain:\n    name: str\n"
    counting = plain.replace("Plain", "Counting").replace("name", "count")
    (folder / "values.py").write_text(f"{plain}\n\n{counting}", encoding="utf-8")
    assert needless_frozen_classes("records", tmp_path) == ["Plain"]


def test_no_template_declares_a_text_to_be_html() -> None:
    """What is HTML says so where it is made: as Markup, or in a block that a template sets."""
    templates = list((ROOT / "templates").rglob("*.html"))
    assert len(templates) > 100
    declaring_names = [path.name for path in templates if re.search(r"\|\s*safe\b", path.read_text("utf-8"))]
    assert declaring_names == []


def test_a_package_that_lists_its_modules_lists_them_all() -> None:
    listing_count = 0
    for path in (ROOT / "app").rglob("__init__.py"):
        docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        if re.search(r"^ {0,4}\w+ {2,}\S", docstring, re.MULTILINE):
            listing_count += 1
            packages = [inner_path.parent for inner_path in path.parent.glob("*/__init__.py")]
            module_names = {module.stem for module in [*path.parent.glob("[a-z]*.py"), *packages]}
            assert module_names <= set(re.findall(r"\w+", docstring)), path
    assert listing_count >= 6
