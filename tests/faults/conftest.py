"""The desk of the records floor: a database of its own for a test."""

from tests.records.conftest import database, desk, file, migrated

__all__ = ["database", "desk", "file", "migrated"]
