"""Floor 1: what there is to learn. Parses and checks YAML, renders texts, makes variants, marks answers."""

from app.course.content.cache import load_cached_course
from app.course.content.checker import load_course, parse_course, proof_fault_words
from app.course.content.course import Course
from app.course.content.coverage import coverage_warnings
from app.course.content.model import Stage, schema_by_file
from app.course.items.marks import Mark, Unreadable
from app.course.text.faults import Fault, Faults

__all__ = [
    "Course",
    "Fault",
    "Faults",
    "Mark",
    "Stage",
    "Unreadable",
    "coverage_warnings",
    "load_cached_course",
    "load_course",
    "parse_course",
    "proof_fault_words",
    "schema_by_file",
]
