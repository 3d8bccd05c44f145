"""Answers as they are kept in a folder, and the differences of two folders."""

import argparse
import difflib
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from .visitors import AnswerRecord


def write_records(path: Path, records: Sequence[AnswerRecord]) -> None:
    """One line of JSON for each answer; a name that comes again gets a number."""
    names: Counter[str] = Counter()
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            names[record.name] += 1
            number = f" ({names[record.name]})" if names[record.name] > 1 else ""
            row = {"name": record.name + number, "lines": record.lines}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_records(path: Path) -> dict[str, list[str]]:
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return {row["name"]: row["lines"] for row in rows}


def compare_folders(arguments: argparse.Namespace) -> int:
    """The differences, page by page."""
    older = Path(arguments.older)
    newer = Path(arguments.newer)
    ignored = re.compile(arguments.ignore) if arguments.ignore else None
    difference_count = 0
    for name in sorted({path.name for folder in (older, newer) for path in folder.glob("*.jsonl")}):
        before = read_records(older / name)
        after = read_records(newer / name)
        task = name.removesuffix(".jsonl")
        differing_pages = 0
        for page in before | after:
            lines = difference(before.get(page), after.get(page), ignored)
            differing_pages += bool(lines)
            if lines and difference_count + differing_pages <= arguments.most:
                print("\n".join([f"=== {task}: {page}", *lines, ""]))
        difference_count += differing_pages
        print(f"{task:20} {len(before):5} and {len(after):5} answers, {differing_pages} differ")
    return 1 if difference_count else 0


def difference(
    before: list[str] | None, after: list[str] | None, ignored: re.Pattern[str] | None
) -> list[str]:
    if before is None or after is None:
        return ["- (not there)" if before is None else "+ (not there)"]
    if ignored:
        before = [line for line in before if not ignored.search(line)]
        after = [line for line in after if not ignored.search(line)]
    if before == after:
        return []
    return list(difflib.unified_diff(before, after, lineterm="", n=2))[2:]
