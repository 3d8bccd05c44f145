"""Whatever strangers send is met by a page: requests and files drawn from a seed, which is printed."""

import io
import random
import zipfile
from collections.abc import Iterator, Sequence

import pytest
import xlsxwriter  # type: ignore[import-untyped]
from starlette.testclient import TestClient

from app.course.cards.card_files import AnkiNote, anki_package
from tests.faults.odd_requests import HOSTILE, draw, flaws
from tests.web.cast import FORM, Ledger, Reader
from tests.web.pages import parsed
from tests.web.school import new_class, new_teacher

SEED = 20261122


@pytest.fixture
def teacher(client: TestClient) -> Reader:
    reader = new_teacher(client, "王老师")
    assert new_class(reader, "高一3班") == 1
    return reader


def try_requests(count: int, seed: int, client: TestClient) -> None:
    print(f"seed {seed}")
    chance = random.Random(seed)
    for _ in range(count):
        odd = draw(chance)
        if odd.method == "POST":
            response = client.post(odd.path, data=odd.fields, headers=FORM, follow_redirects=False)
        else:
            response = client.get(odd.path, params=odd.fields, follow_redirects=False)
        assert "content-security-policy" in response.headers
        assert flaws(response.status_code, response.text) == [], str(odd)


def test_three_hundred_odd_requests(teacher: Reader) -> None:
    try_requests(300, SEED, teacher.client)


@pytest.mark.long
def test_three_thousand_odd_requests(teacher: Reader) -> None:
    try_requests(3000, SEED + 1, teacher.client)


def good_files() -> dict[str, bytes]:
    """A sound file of each kind."""
    sheet = io.BytesIO()
    with xlsxwriter.Workbook(sheet, {"in_memory": True}) as book:
        book.add_worksheet().write_column(0, 0, ["姓名", "小糖", "小序"])
    return {
        "xlsx": sheet.getvalue(),
        "csv": "姓名,学号\n小糖,01\n".encode(),
        "apkg": anki_package([AnkiNote("a", "正", "反", "糖序", [])], 1.0),
        "json": '{"cards": [{"front": "一", "back": "二"}]}'.encode(),
        "yaml": "title: 甜\nskill: dcg\nitems:\n  a:\n    stem: 对吗\n    answer: true\n".encode(),
        "txt": "#separator:tab\n正面\t背面\n一\t二\n".encode(),
    }


def broken(draw: random.Random, data: bytes) -> bytes:
    """A file with bytes cut off, changed, doubled or put in; a zip also with other files inside."""
    body = bytearray(data)
    place = draw.randrange(len(body))
    match draw.randrange(5):
        case 0:
            del body[place:]
        case 1:
            for _ in range(20):
                body[draw.randrange(len(body))] = draw.randrange(256)
        case 2:
            body[place:place] = body * 3
        case 3:
            body[place:place] = draw.choice(HOSTILE).encode("utf-8", "surrogatepass") * 20
        case 4 if data.startswith(b"PK"):
            return zip_with_other_bytes(draw, data)
    return bytes(body)


def zip_with_other_bytes(draw: random.Random, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if draw.random() < 0.3:
                content = content[: draw.randrange(len(content) + 1)]
            new.writestr(name, content)
    return out.getvalue()


def broken_files(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    draw = random.Random(seed)
    files = good_files()
    names: Sequence[str] = sorted(files)
    for number in range(count):
        name = names[number % len(names)]
        yield name, broken(draw, files[name])


def try_files(count: int, seed: int, teacher: Reader, ledger: Ledger) -> None:
    """Each file goes to one of the three places that take one."""
    print(f"seed {seed}")
    places = ["/cards/imports", "/classrooms/1/roster-previews", "/own/uploads"]
    for number, (name, data) in enumerate(broken_files(count, seed)):
        path = places[number // 6 % 3]
        files = {"file": (f"a.{name}", data, "application/octet-stream")}
        response = teacher.client.post(path, files=files, data={"text": ""}, follow_redirects=False)
        attempt = (number, name, path, data[:80])
        assert response.status_code in (200, 303, 413, 422), (response.status_code, attempt)
        if response.status_code == 422:
            main = parsed(response.text).one("main")
            messages = main.all(role="alert") or main.all(class_="error") or main.all(class_="fault")
            assert messages or "行" in main.text, attempt
    assert ledger.count("enrolment") == 0


def test_sixty_broken_files(teacher: Reader, ledger: Ledger) -> None:
    try_files(60, SEED, teacher, ledger)


@pytest.mark.long
def test_three_hundred_broken_files(teacher: Reader, ledger: Ledger) -> None:
    try_files(300, SEED + 1, teacher, ledger)
