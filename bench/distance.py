"""The site with a database whose statements take longer: `python -m bench.distance serve …`.

Whoever asks for rows waits 0.4 ms more for each statement that was sent. Nothing stands in between: a program
that carried the messages would take a part of the processors that are measured.
"""

import time

from app.__main__ import main
from app.records.db.postgres.pipeline import Pipeline

STATEMENT_SECONDS = 0.0004
settle_at_once = Pipeline.settle


def settle_later(pipeline: Pipeline) -> None:
    """What was sent arrives later."""
    if pipeline._sent_statements:  # noqa: SLF001
        time.sleep(STATEMENT_SECONDS * len(pipeline._sent_statements))  # noqa: SLF001
    settle_at_once(pipeline)


# Every process of a site passes here, also where the guard below is closed.
Pipeline.settle = settle_later  # type: ignore[method-assign, assignment]

if __name__ == "__main__":
    main()
