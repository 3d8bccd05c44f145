"""What Alembic runs. The connection and its transaction come from `app.records.db.migrate`."""

from alembic import context
from sqlmodel import SQLModel

from app.records import tables

assert tables  # importing it fills the metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    transactional_ddl=True,
    user_module_prefix="",
)
context.run_migrations()
