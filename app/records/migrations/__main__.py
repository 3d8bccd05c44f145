"""Write the next revision from what has changed in the tables: `python -m app.records.migrations "what"`."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from alembic.script import ScriptDirectory

from app.records.db.revision import alembic_config
from app.records.db.sqlite.upgrade import engine_for_upgrade


def main(message: str) -> None:
    with TemporaryDirectory() as folder, engine_for_upgrade(Path(folder) / "empty.db").begin() as connection:
        config = alembic_config(connection)
        command.upgrade(config, "head")
        revision_number = 1 + len(list(ScriptDirectory.from_config(config).walk_revisions()))
        command.revision(config, message, autogenerate=True, rev_id=f"{revision_number:04}")
        sys.stdout.write("Read it and correct it.\n")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or "changes")
