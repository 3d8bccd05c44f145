"""Floor 1: what there is to learn. Parses and checks YAML, renders texts, makes variants, marks answers."""

from app.course.course import Course, Stage
from app.course.coverage import coverage
from app.course.faults import Fault, Faults
from app.course.kept import load_kept
from app.course.marks import Mark, Unreadable
from app.course.parsing import load, parse
from app.course.proofs import proofs
from app.course.schema import schema

__all__ = [
    "Course",
    "Fault",
    "Faults",
    "Mark",
    "Stage",
    "Unreadable",
    "coverage",
    "load",
    "load_kept",
    "parse",
    "proofs",
    "schema",
]
