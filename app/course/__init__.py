"""Floor 1: what there is to learn. Parses and checks YAML, renders texts, makes variants, marks answers."""

from app.course.content.cache import load_cached
from app.course.content.checker import load, parse
from app.course.content.course import Course
from app.course.content.coverage import coverage
from app.course.content.model import Stage, schema
from app.course.content.proofs import proofs
from app.course.items.marks import Mark, Unreadable
from app.course.text.faults import Fault, Faults

__all__ = [
    "Course",
    "Fault",
    "Faults",
    "Mark",
    "Stage",
    "Unreadable",
    "coverage",
    "load",
    "load_cached",
    "parse",
    "proofs",
    "schema",
]
