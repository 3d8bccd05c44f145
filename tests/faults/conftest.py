"""The desk of the records floor: a database of its own for a test."""

from tests.records.conftest import desk, file, migrated, verb_runs

__all__ = ["desk", "file", "migrated", "verb_runs"]
