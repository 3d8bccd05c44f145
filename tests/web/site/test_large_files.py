"""A file that is too large: its field says so before it is sent, and so does the page that refuses it."""

import pytest

from app.course.authoring.pictures import MOST_UPLOAD_BYTES
from app.course.cards.card_files import MOST_FILE_BYTES
from app.web.authoring import question_files
from app.web.classes.rosters import MOST_ROSTER_BYTES
from app.web.grading.extra_columns import MOST_LIST_BYTES
from tests.web.cast import Page
from tests.web.taught import Term

COLUMN_PATH = "/classrooms/1/gradebook/columns/1"


@pytest.fixture
def extra_column(term: Term) -> None:
    page = term.teacher.open("/classrooms/1/gradebook")
    page = term.teacher.submit(page.form("/classrooms/1/gradebook/columns"), title="期中", total="100")
    assert page.path == COLUMN_PATH


@pytest.mark.parametrize(
    ("path", "most_bytes"),
    [
        ("/own/new", MOST_UPLOAD_BYTES),
        ("/own/pastes", question_files.MOST_FILE_BYTES),
        ("/classrooms/1/roster", MOST_ROSTER_BYTES),
        (COLUMN_PATH, MOST_LIST_BYTES),
        ("/cards/files", MOST_FILE_BYTES),
    ],
)
@pytest.mark.usefixtures("extra_column")
def test_a_field_knows_how_large_its_file_may_be(term: Term, path: str, most_bytes: int) -> None:
    page = term.teacher.open(path)
    field = page.main.one("input", type="file")
    assert int(field["data-most-bytes"]) == most_bytes
    warning = page.by_id(field["data-warning"])
    assert "hidden" in warning.attributes
    limit_words = f"{most_bytes // 2**20}MB" if most_bytes >= 2**20 else f"{most_bytes // 1000}KB"
    assert f"超过{limit_words}，没有选上" in warning.text
    assert any("file-size" in script.get("src") for script in page.root.all("script"))


@pytest.mark.parametrize(
    ("path", "limit_words"),
    [
        ("/own/pictures", "这张图太大了，最多4MB：照片缩小一些"),
        ("/own/pastes/files", "最多4MB：照片缩小一些"),
        ("/own/uploads", "最多100KB：分成几份来写"),
        ("/own/12", "最多100KB：分成几份来写"),
        ("/own/pastes", "最多100KB：分成几份来写"),
        ("/own/12/copies", "写短一些再试"),
        ("/problem-reports", "写短一些再试"),
        ("/classrooms/1/roster-previews", "最多1MB：只留要用的那一页，另存一份"),
        ("/classrooms/1/roster", "最多1MB：只留要用的那一页，另存一份"),
        (f"{COLUMN_PATH}/lists", "最多1MB：只留要用的那一页，另存一份"),
        ("/cards/imports", "最多200KB：分成几份"),
    ],
)
def test_a_file_that_is_much_too_large_is_told_so(term: Term, path: str, limit_words: str) -> None:
    photograph = b"\xff\xd8\xff" + b"?" * 7 * 2**20
    response = term.teacher.client.post(path, files={"file": ("图.jpg", photograph)})
    assert response.status_code == 413
    assert limit_words in Page(response).main.text
