"""What Alembic runs. The connection and its transaction come from whoever upgrades a database.

Sums of the logs are filled when all revisions are there: their verbs know the tables of the newest one only.
"""

from typing import Any

from alembic import context
from sqlmodel import SQLModel

from app.records import tables
from app.records.db.revision import HEAD
from app.records.db.session import VerbSession
from app.records.db.sqlite.open_file import driver_connection_of
from app.records.people.sums import refold_all

assert tables  # importing it fills the metadata
SUMMING = {"0010", "0044"}
"""The revisions that begin a sum, or give it another shape."""
SHARES = 10
applied: set[str] = set()


def note_applied(*_: Any, **told: Any) -> None:
    """Remember a revision that was run."""
    applied.add(told["step"].up_revision_id)


def print_progress(done: int, learners: int) -> None:
    """A line for every tenth of the learners, where there are many."""
    if learners >= 100 and done * SHARES // learners > (done - 1) * SHARES // learners:
        print(f"汇总学习记录：{done}/{learners}人", flush=True)


def upgrade() -> None:
    """What is asked for of the database at hand."""
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=True,
        transactional_ddl=True,
        user_module_prefix="",
        on_version_apply=note_applied,
    )
    context.run_migrations()
    if applied & SUMMING and context.get_context().get_current_revision() == HEAD:
        refold_all(VerbSession(connection, driver_connection_of(connection)), print_progress)


if hasattr(context, "config"):  # there is one while Alembic works, and none where this file is only read
    upgrade()
