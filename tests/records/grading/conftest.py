"""The class whose work is graded here."""

import pytest

from tests.records.cast import Desk
from tests.records.grading.graded_class import Class


@pytest.fixture
def three(desk: Desk) -> Class:
    return Class(desk)
