from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import pytest

from app.records.db.migrate import migrate
from app.records.people import sums
from tests.records.cast import Desk


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database of the newest revision, to be copied: quicker than migrating for every test."""
    file = tmp_path_factory.mktemp("migrated") / "tangxu.db"
    migrate(f"sqlite:///{file}", file.parent)
    return file


@pytest.fixture
def file(migrated: Path, tmp_path: Path) -> Path:
    found = tmp_path / "tangxu.db"
    copyfile(migrated, found)
    return found


@pytest.fixture
def desk(file: Path) -> Iterator[Desk]:
    """A desk; in the end what was summed up on the way is what the logs say."""
    opened = Desk(file)
    yield opened
    if opened.is_summed:
        assert opened.write(sums.rebuild_all) == 0, "sums differ from the log"
    opened.close()
