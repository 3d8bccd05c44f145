"""The ways in which a test is done: each time, or in the long run."""

from collections.abc import Sequence

import pytest

SHORT_RUN = "not long"
"""What `make test` asks for."""


def ways_of_run(config: pytest.Config, each_time: object, in_the_long_run: Sequence[object]) -> list[object]:
    """What a short run leaves out is not even made: it would be four of ten tests, in every process."""
    if config.option.markexpr == SHORT_RUN:
        return [each_time]
    return [each_time, *in_the_long_run]
