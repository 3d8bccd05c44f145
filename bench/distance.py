"""The site with a database that is further away: `python -m bench.distance serve …`.

Whoever asks it waits a little longer for each message there and back. Nothing stands in between: a program
that carried the messages would take a part of the processors that are measured.
"""

import time

from app.__main__ import main
from app.records.db.postgres.pipeline import Pipeline

MESSAGE_SECONDS = 0.0004
settle_at_once = Pipeline.settle


def settle_later(pipeline: Pipeline) -> None:
    """What was sent arrives later."""
    if pipeline._sent:  # noqa: SLF001
        time.sleep(MESSAGE_SECONDS)
    settle_at_once(pipeline)


# Every process of a site passes here, also where the guard below is closed.
Pipeline.settle = settle_later  # type: ignore[method-assign, assignment]

if __name__ == "__main__":
    main()
