"""Which revision a database is at. Alembic, which costs a start half a second, is imported where it works."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, String, column, delete, false, select
from sqlalchemy import table as named_table

from app.records.db.errors import Busy
from app.records.db.operator_commands import START_COMMAND
from app.records.db.session import VerbSession, asks_once, changes_nothing
from app.records.db.statements import PreparedStatement

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATION_FOLDER = Path(__file__).parents[1] / "migrations/versions"
HEAD = max(path.name.partition("_")[0] for path in MIGRATION_FOLDER.glob("[0-9]*.py"))
"""The newest revision: the files in the folder begin with theirs."""
OUR_TABLES = {"alembic_version", "learner"}
"""Tables of every revision."""

REVISION = named_table("alembic_version", column("version_num", String))
STORED_REVISION = PreparedStatement(select(REVISION.c.version_num))

CHANGE_NOTHING = PreparedStatement(delete(REVISION).where(false()))
"""Refused where nothing may be written, as any change is."""


@asks_once
def revision_of_site(session: VerbSession) -> str | None:
    """The revision that the database of a site says it is at: the cheapest question to it."""
    revision_row = session.first(STORED_REVISION)
    return revision_row[0] if revision_row else None


def mismatch_sentence(current_revision: str) -> str:
    """What an operator can do about a database of another version than the program's.

    >>> mismatch_sentence("0001").endswith("，它自己备份和升级。")
    True
    >>> mismatch_sentence("9999").endswith("请用更新的程序打开它。")
    True
    """
    if current_revision > HEAD:
        return f"数据库的版本是{current_revision}，比程序的{HEAD}新：请用更新的程序打开它。"
    version_words = f"数据库的版本是{current_revision}，程序要的是{HEAD}"
    return f"{version_words}：先启动一次网站（{START_COMMAND}），它自己备份和升级。"


@changes_nothing
def expect_writable(session: VerbSession) -> None:
    """A verb that writes nothing: whether one that does could. `Busy` where another version took over, or
    where nothing may be written.
    """
    if revision_of_site(session) != HEAD:
        raise Busy("数据库已经升级到别的版本，请管理员换成新的程序。")
    session.run(CHANGE_NOTHING)


def alembic_config(connection: Connection) -> "Config":
    from alembic.config import Config

    alembic_settings = Config()
    alembic_settings.set_main_option("script_location", "app.records:migrations")
    alembic_settings.set_main_option("path_separator", "os")
    alembic_settings.attributes["connection"] = connection
    return alembic_settings
