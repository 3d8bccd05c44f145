"""What is wrong with content: where it stands and what was expected."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Fault:
    """One fault: a file, a line (1-based, 0 for the whole file), a path inside it, a sentence. `kind`: which
    fault it is, where somebody may know better what to say of it: a type of pydantic, or one of ours."""

    file: str
    line_number: int
    path: str
    message: str
    kind: str = field(default="", compare=False)

    def __str__(self) -> str:
        file_and_line = f"{self.file}:{self.line_number}" if self.line_number else self.file
        shown_texts = [file_and_line, self.path, self.message] if self.path else [file_and_line, self.message]
        return ": ".join(shown_texts)


class Faults(Exception):
    """All faults of a course at once.

    >>> print(Faults([Fault("items.yaml", 3, "sum.stem", "缺少这一项")]))
    items.yaml:3: sum.stem: 缺少这一项
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__(*self.faults)

    def lines(self) -> list[str]:
        """One line a fault, in the order of files and lines."""
        return [str(fault) for fault in self.faults]

    def __str__(self) -> str:
        return "\n".join(self.lines())
