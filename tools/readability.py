"""How the code reads, in figures that line counts hide: `python tools/readability.py [FOLDER] [--list]`.

Names that are pronouns or participles where a noun should stand; class names that stand twice; tokens a
statement and a function (a short line may carry much); conditional expressions and comprehensions for 10,000
tokens; modules in a folder; lines of a file. Docstrings and comments are no tokens. `--list` names places.
"""

import argparse
import ast
import io
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRONOUNS_AND_PARTICIPLES = """
asked beside chosen each everything found given gone got heard here it kept known look looks made
met mine one ones other others another picked rest said seen sent shown something taken that the
them there these this those told wanted what which who whose
"""
NO_NOUNS = frozenset(PRONOUNS_AND_PARTICIPLES.split())
COUNTED = {tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING}
LEFT_OUT = {"migrations", "__pycache__"}


@dataclass
class Figures:
    """What was counted in a tree; places by what they are a case of."""

    tokens: int = 0
    statements: int = 0
    names: int = 0
    conditionals: int = 0
    comprehensions: int = 0
    function_sizes: list[tuple[int, str]] = field(default_factory=list)
    pronouns: list[str] = field(default_factory=list)
    classes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    modules_by_folder: Counter[str] = field(default_factory=Counter)
    lines_by_file: Counter[str] = field(default_factory=Counter)

    @property
    def pronoun_share(self) -> float:
        """Per cent of all names."""
        return 100 * len(self.pronouns) / max(self.names, 1)

    @property
    def tokens_a_statement(self) -> float:
        return self.tokens / max(self.statements, 1)

    @property
    def large_function(self) -> int:
        """Tokens that nine functions of ten stay below."""
        sizes = sorted(size for size, _ in self.function_sizes)
        return sizes[int(len(sizes) * 0.9)] if sizes else 0

    @property
    def doubled_classes(self) -> list[str]:
        return sorted(name for name, places in self.classes.items() if len(places) > 1)

    def per_10_000(self, count: int) -> float:
        return 10_000 * count / max(self.tokens, 1)

    def lines(self) -> Iterator[str]:
        yield f"tokens: {self.tokens}"
        yield f"names that are no nouns: {self.pronoun_share:.2f} %"
        yield f"class names that stand twice: {len(self.doubled_classes)}"
        yield f"tokens a statement: {self.tokens_a_statement:.2f}"
        yield f"tokens a function, nine of ten below: {self.large_function}"
        yield f"conditional expressions for 10,000 tokens: {self.per_10_000(self.conditionals):.1f}"
        yield f"comprehensions for 10,000 tokens: {self.per_10_000(self.comprehensions):.1f}"
        yield f"most modules in a folder: {max(self.modules_by_folder.values(), default=0)}"
        yield f"longest file, lines: {max(self.lines_by_file.values(), default=0)}"

    def places(self) -> Iterator[str]:
        yield from self.pronouns
        yield from (f"{name}: {', '.join(self.classes[name])}" for name in self.doubled_classes)
        yield from (
            f"{size} tokens: {place}" for size, place in sorted(self.function_sizes, reverse=True)[:20]
        )
        yield from (f"{lines} lines: {file}" for file, lines in self.lines_by_file.most_common(10))


def main() -> int:
    parser = argparse.ArgumentParser(description="How the code reads, in figures.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "app")
    parser.add_argument("--list", action="store_true", help="name the places")
    options = parser.parse_args()
    figures = measured(options.folder)
    print(*figures.lines(), sep="\n")
    if options.list:
        print(*figures.places(), sep="\n")
    return 0


def measured(folder: Path) -> Figures:
    """The figures of all Python files in a folder, migrations left out."""
    figures = Figures()
    for path in sorted(folder.rglob("*.py")):
        if LEFT_OUT.isdisjoint(path.parts):
            count(figures, path.relative_to(folder.parent).as_posix(), path.read_text(encoding="utf-8"))
    return figures


def count(figures: Figures, name: str, source: str) -> None:
    """Add one file."""
    tree = ast.parse(source)
    tokens = tokens_by_line(source, tree)
    figures.tokens += sum(tokens.values())
    figures.lines_by_file[name] = len(source.splitlines())
    if not name.endswith("__init__.py"):
        figures.modules_by_folder[name.rpartition("/")[0]] += 1
    count_names(figures, name, module_names(tree))
    for node in ast.walk(tree):
        count_node(figures, node)
        if isinstance(node, ast.ClassDef):
            figures.classes[node.name].append(name)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            place = f"{name}:{node.lineno} {node.name}"
            count_names(figures, place, function_names(node))
            last = node.end_lineno or node.lineno
            size = sum(tokens[line] for line in range(node.lineno, last + 1))
            figures.function_sizes.append((size, place))


def count_node(figures: Figures, node: ast.AST) -> None:
    if isinstance(node, ast.stmt) and not is_prose(node):
        figures.statements += 1
    elif isinstance(node, ast.IfExp):
        figures.conditionals += 1
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        figures.comprehensions += 1


def count_names(figures: Figures, place: str, names: set[str]) -> None:
    figures.names += len(names)
    figures.pronouns += [f"{place}: {name}" for name in sorted(names) if name.lower() in NO_NOUNS]


def module_names(tree: ast.Module) -> set[str]:
    """What a module assigns at its top."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


def function_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Parameters and whatever is stored in a function."""
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and is_stored(node)}
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return stored | {parameter.arg for parameter in parameters}


def is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def tokens_by_line(source: str, tree: ast.Module) -> Counter[int]:
    """How many tokens stand in each line; docstrings and other lone strings are none."""
    prose: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and is_prose(node):
            prose |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    counted: Counter[int] = Counter()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in COUNTED and token.start[0] not in prose:
            counted[token.start[0]] += 1
    return counted


def is_prose(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


if __name__ == "__main__":
    sys.exit(main())
