"""Cards in and out: nothing half-imported, faults with their lines, files that open."""

import csv
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from app.course import Course
from app.course.cards import card_files
from app.course.cards.card_files import MOST_FILE_BYTES, MOST_ROWS, AnkiNote
from app.records.cards import own_cards
from app.records.cards.scheduling import NEW_MEMORY
from app.records.cards.values import CardRow, DeckData, OwnCardRow
from app.records.db.stored_times import time_of
from app.web.cards import written_decks
from app.web.cards.written_decks import anki_notes, note_key_of
from tests.rationed import rationed_fork
from tests.records.cast import NOW
from tests.web.cast import Ledger, Page, Reader
from tests.web.pages import button, filled

GOOD = "正面,背面,标签\n第几位打对折？,第3位,折损\n<b>几</b>分？,\\(2^3-1\\),\n"
BAD = "问一,答一\n只有一列\n问三,$\\frac{1}$\n问一,答一\n"


def preview_cards(reader: Reader, text: str = "", file: bytes = b"", status: int = 200) -> Page:
    """Send a text or a file, as the form of the page does."""
    form = reader.open("/cards/files").form("/cards/imports", "先看")
    fields = dict(filled(form)) | {"text": text}
    files = {"file": ("cards.csv", file, "text/csv")}
    response = reader.client.post("/cards/imports", data=fields, files=files)
    reader.page = Page(response)
    assert response.status_code == status, response.text
    return reader.page


def test_a_table_is_looked_at_before_it_is_kept(guest: Reader, ledger: Ledger) -> None:
    before = ledger.everything()
    page = preview_cards(guest, GOOD)
    assert "会收进2张" in page.text
    assert ledger.everything() == before
    page = guest.submit(page.form("/cards/imports", "收进这2张"), "收进这2张")
    assert page.path.startswith("/cards/all?stage=own")
    assert page.main.one("p", class_="done").text.startswith("收好了：2张进了你的闪卡。")
    assert not guest.open("/cards/all?kept=%3Cb%3E").main.all("p", class_="done")
    assert "这些你都有了" in guest.open("/cards/all?kept=0").main.one("p", class_="done").text
    assert ledger.rows("SELECT front, back, tags FROM own_card") == [
        ("第几位打对折？", "第3位", "折损"),
        ("几分？", "$2^3-1$", ""),
    ]
    assert ledger.rows("SELECT card FROM card_memory") == [("own:1",), ("own:2",)]
    assert "没有新卡片可收" in preview_cards(guest, GOOD).text


def test_faults_have_lines_and_nothing_is_half_imported(guest: Reader, ledger: Ledger) -> None:
    page = preview_cards(guest, BAD)
    rows = {row.one("th").text: row.text for row in page.main.one("tbody").all("tr")}
    assert "只有一列" in rows["2"]
    assert "公式" in rows["3"]
    assert "和上面重复" in rows["4"]
    form = page.form("/cards/imports", "再看")
    page = guest.submit(form, "再看一眼")
    assert ledger.count("own_card") == 0
    fields = [*filled(form), ("keep", "yes")]
    guest.post("/cards/imports", fields)
    assert ledger.count("own_card") == 0, "a faulty table is not kept without 跳过"
    guest.submit(page.form("/cards/imports", "跳过"), "跳过有错的")
    assert ledger.rows("SELECT front FROM own_card") == [("问一",)]


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_file_of_any_office_is_read(guest: Reader, code: str) -> None:
    page = preview_cards(guest, file=GOOD.replace(",", "\t").replace("\n", "\r\n").encode(code))
    assert "会收进2张" in page.text
    assert "第3位" in page.text


def test_a_head_of_everyday_words_is_no_card(guest: Reader) -> None:
    assert "会收进1张" in preview_cards(guest, "问题,答案\n几折？,对折\n").text


def test_a_package_is_told_how_it_becomes_text(guest: Reader) -> None:
    """Our own for one; a large one is not called too large."""
    package = guest.client.get("/cards/files/deck.apkg").content
    for file in (package, package * 3):
        message = preview_cards(guest, file=file, status=422).by_id("import-error").text
        assert "先在Anki里导出成纯文本" in message


def test_lines_count_also_within_quotes(guest: Reader) -> None:
    page = preview_cards(guest, '"问\n一","答"\n只有一列\n')
    assert "只有一列" in next(
        row.text for row in page.main.one("tbody").all("tr") if row.one("th").text == "3"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "一张卡片也没有"),
        ('"没关上,x\n', "少了一个引号"),
        ("a,b\n" * (MOST_ROWS + 1), f"一次最多{MOST_ROWS}行"),
        ("长" * (MOST_FILE_BYTES // 2 + 1), "太长了"),
    ],
)
def test_what_cannot_be_taken_is_said(guest: Reader, ledger: Ledger, text: str, words: str) -> None:
    message = preview_cards(guest, text, status=422).by_id("import-error").text
    assert words in message
    assert "unexpected" not in message, "nothing of what the library says"
    assert ledger.count("learner") == 0


@pytest.mark.parametrize("code", ["utf-8", "utf-16", "gb18030"])
def test_a_file_is_as_long_as_its_bytes_also_when_it_is_kept(
    guest: Reader, ledger: Ledger, code: str
) -> None:
    """What was looked at is sent once more, as a text that takes half as much again in UTF-8."""
    row_format = "汉" * 400 + ",{:04}\n"
    row_count = MOST_FILE_BYTES // len(row_format.format(0).encode(code))
    table = "".join(map(row_format.format, range(row_count)))
    form = preview_cards(guest, file=table.encode(code)).form("/cards/imports", "收进这")
    fields = dict(filled(form, button(form, f"收进这{row_count}张")))
    fields["text"] = fields["text"].replace("\n", "\r\n")  # as browsers send it
    guest.client.post("/cards/imports", data=fields, files={"file": ("", b"")})
    assert ledger.count("own_card") == row_count


def test_a_huge_file_is_refused(guest: Reader) -> None:
    preview_cards(guest, file=b"a,b\n" * (MOST_FILE_BYTES // 3), status=422)
    guest.open("/cards/files")
    assert guest.client.post("/cards/imports", content=b"x" * (4 * MOST_FILE_BYTES)).status_code == 413
    assert guest.client.post("/cards/collected", content=b"x" * 70_000).status_code == 413


def test_html_in_a_table_is_only_words(guest: Reader) -> None:
    page = preview_cards(guest, "<script>alert(1)</script>问,<img src=x onerror=alert(1)>答\n")
    page = guest.submit(page.form("/cards/imports", "收进这1张"), "收进这1张")
    assert "alert" not in page.main.html


def test_a_deck_goes_out_and_comes_back(guest: Reader, other_guest: Reader, ledger: Ledger) -> None:
    page = preview_cards(guest, GOOD + "=1+1,@x,\n")
    guest.submit(page.form("/cards/imports", "收进这3张"), "收进这3张")
    response = guest.client.get("/cards/files/cards.csv")
    assert response.headers["content-disposition"] == 'attachment; filename="tangxu-cards.csv"'
    assert "'=1+1" in response.text, "no spreadsheet takes it for a formula"
    page = preview_cards(other_guest, file=response.content)
    assert "会收进3张" in page.text
    other_guest.submit(page.form("/cards/imports", "收进这3张"), "收进这3张")
    own = "SELECT front, back, tags FROM own_card WHERE learner_id = ?"
    assert ledger.rows(own, 1) == ledger.rows(own, 2)


@pytest.mark.parametrize(
    "front",
    ["什么是`<b>`？", "$a<b>c$对吗？", "`&lt;`念什么？", "`<br>`换行", r"\\(x\\)里是什么？", "<b>粗</b>"],
)
def test_what_looks_like_html_comes_back_whole_from_our_own_file(
    guest: Reader, other_guest: Reader, ledger: Ledger, front: str
) -> None:
    guest.submit(guest.open("/cards/new").form("/cards/own", "记下来"), front=front, back=front)
    file_content = guest.client.get("/cards/files/cards.csv").content
    assert "没有新卡片可收" in preview_cards(guest, file=file_content).text
    page = preview_cards(other_guest, file=file_content)
    other_guest.submit(page.form("/cards/imports", "收进这1张"), "收进这1张")
    sides = ledger.rows("SELECT front, back FROM own_card ORDER BY id")
    assert sides == [(front, front), (front, front)]


@pytest.mark.both_databases
def test_cards_of_the_course_come_back_as_themselves(
    guest: Reader, other_guest: Reader, ledger: Ledger
) -> None:
    for form in guest.open("/cards").main.all("form")[:2]:
        guest.submit(form)
    guest.submit(guest.open("/cards/new").form("/cards/own", "记下来"), front="=1+1", back="二")
    body, total = guest.client.get("/cards/files/cards.csv").content, ledger.count("card_memory")
    assert "没有新卡片可收" in preview_cards(guest, file=body).text
    page = preview_cards(other_guest, file=body)
    assert f"会收进{total}张" in page.text
    assert "课程里的卡片" in page.text
    other_guest.submit(page.form("/cards/imports", "收进这"), f"收进这{total}张")
    cards = "SELECT card FROM card_memory WHERE learner_id = ? AND card LIKE 'content:%' ORDER BY card"
    assert ledger.rows(cards, 1) == ledger.rows(cards, 2)
    assert ledger.rows("SELECT learner_id, count(*) FROM own_card GROUP BY 1 ORDER BY 1") == [(1, 1), (2, 1)]


def test_a_card_of_several_lines_is_known_again(guest: Reader, ledger: Ledger) -> None:
    """Browsers send a line's end as two characters, files mostly as one."""
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    guest.submit(form, front="第一行\r\n第二行", back="- 一\r\n- 二")
    assert ledger.rows("SELECT front, back FROM own_card") == [("第一行\n第二行", "- 一\n- 二")]
    with ledger.other_program() as connection:  # as cards were kept before
        connection.execute("UPDATE own_card SET front = ?", ["a\r\nb"])
    page = preview_cards(guest, file=guest.client.get("/cards/files/cards.csv").content)
    assert "没有新卡片可收" in page.text
    assert "没有新卡片可收" in preview_cards(guest, '"a\nb","- 一\n- 二"').text


def test_what_a_file_changes_is_listed_and_not_what_is_there_already(guest: Reader) -> None:
    """A deck that comes back has hundreds of cards as they were, and the new one at its end."""
    page = preview_cards(guest, GOOD)
    guest.submit(page.form("/cards/imports", "收进这2张"), "收进这2张")
    page = preview_cards(guest, GOOD + "新问,新答\n")
    assert [row.one("th").text for row in page.main.one("tbody").all("tr")] == ["4"]
    assert page.main.one("p", role="status").text == "会收进1张。还有2张已经有了，跳过。"
    page = preview_cards(guest, GOOD)
    assert page.main.one("p", role="status").text == "没有新卡片可收。这2张已经有了，跳过。"
    assert not page.main.all("table")


def test_what_another_program_exports_is_read_by_its_head(guest: Reader, ledger: Ledger) -> None:
    text = "#separator:tab\n#html:true\n#tags column:3\n<b>问</b>, 一\t答&nbsp;一\t折损\n"
    page = preview_cards(guest, text)
    assert page.main.one("tbody").one("th").text == "4"
    guest.submit(page.form("/cards/imports", "收进这1张"), "收进这1张")
    assert [tuple(" ".join(cell.split()) for cell in row) for row in rows_of(ledger)] == [
        ("问, 一", "答 一", "折损")
    ]


def as_anki_exports(notes: Iterable[AnkiNote]) -> str:
    """Notes as text, as Anki writes them where nothing is ticked off."""
    rows = [f'"{note.front}"\t"{note.back}"\t{" ".join(note.tags)}' for note in notes]
    return "\n".join(["#separator:tab", "#html:true", "#tags column:3", *rows])


def test_cards_that_went_to_anki_are_known_again(guest: Reader, ledger: Ledger, course: Course) -> None:
    guest.submit(guest.open("/cards").main.all("form")[0])
    own_form = guest.open("/cards/new").form("/cards/own", "记下来")
    guest.submit(own_form, front="什么是$\\DCG$？", back="**折损**累计增益：\n\n1. 一\n2. 二")
    [(front, back, created_at)] = ledger.rows("SELECT front, back, created_at FROM own_card")
    own_row = OwnCardRow(1, front, back, "", "", time_of(created_at), NOW)
    refs = [course.ref(name) for name in course.card_ids_by_stage_id[course.stages[0].id]]
    rows = [CardRow(ref, "", NOW, "active", NEW_MEMORY) for ref in [*refs, "own:1"]]
    deck = DeckData(1, cards=rows, own_cards=[own_row])
    text = as_anki_exports(anki_notes(course, deck))
    assert "没有新卡片可收" in preview_cards(guest, text).text
    guid = card_files.anki_guid(note_key_of(own_row))
    changed_own = f"#separator:tab\n#html:true\n#guid column:1\n#tags column:4\n{guid}\t新问\t新答\t\n"
    page = preview_cards(guest, changed_own)
    assert "已经有了，字不一样" in page.main.one("tbody").text
    assert "没有新卡片可收" in page.text
    assert "会收进1张" in preview_cards(guest, changed_own.replace(guid, "of-another")).text
    changed_text = text.replace("</strong>累计增益", "</strong>在Anki里改过")
    assert "会收进1张" in preview_cards(guest, changed_text).text


def test_cards_of_the_course_come_from_anki_as_themselves(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    [note, *_] = anki_notes(course, DeckData())
    page = preview_cards(guest, as_anki_exports([note, note]))
    assert "课程里的卡片" in page.text
    assert "和上面重复" in page.text
    guest.submit(page.form("/cards/imports", "收进这1张"), "收进这1张")
    assert ledger.rows("SELECT card FROM card_memory") == [(note.note_key,)]
    assert ledger.count("own_card") == 0


def test_every_line_after_the_head_is_a_card(guest: Reader, ledger: Ledger) -> None:
    page = preview_cards(guest, "#1是什么？,排在最前\n若a<b，c>d怎样？,若 a<b 且 c>d\n#html:true,x\n")
    guest.submit(page.form("/cards/imports", "收进这3张"), "收进这3张")
    assert [row[:2] for row in rows_of(ledger)] == [
        ("#1是什么？", "排在最前"),
        ("若a<b，c>d怎样？", "若 a<b 且 c>d"),
        ("#html:true", "x"),
    ]


def rows_of(ledger: Ledger) -> list[tuple[str, ...]]:
    return ledger.rows("SELECT front, back, tags FROM own_card ORDER BY id")


def test_the_log_and_the_whole_are_told(guest: Reader) -> None:
    page = preview_cards(guest, GOOD)
    guest.submit(page.form("/cards/imports", "收进这2张"), "收进这2张")
    guest.submit(guest.open("/cards/review").main.one("form", class_="ratings"), "记得")
    guest.submit(guest.open("/cards/review").form("/cards/undone"))
    rows = list(
        csv.DictReader(io.StringIO(guest.client.get("/cards/files/reviews.csv").text.lstrip("\ufeff")))
    )
    assert [(row["卡片"], row["评分"], row["撤了"]) for row in rows] == [("own-1", "记得", "True")]
    report = json.loads(guest.client.get("/cards/files/deck.json").text)
    assert [card["front"] for card in report["cards"]] == ["第几位打对折？", "几分？"]
    assert report["reviews"][0]["before"][0] == "new"


@pytest.mark.parametrize(("time_zone", "offset_hours"), [("Asia/Shanghai", 8), ("Asia/Tokyo", 9)])
def test_moments_stand_in_the_time_zone_of_the_learner(
    guest: Reader, time_zone: str, offset_hours: int
) -> None:
    page = preview_cards(guest, GOOD)
    guest.submit(page.form("/cards/imports", "收进这2张"), "收进这2张")
    guest.submit(guest.open("/cards/review").main.one("form", class_="ratings"), "记得")
    guest.submit(guest.open("/cards/settings").form("/cards/settings"), time_zone=time_zone)
    moments = []
    for name, heading in (("cards.csv", "到期"), ("reviews.csv", "时刻")):
        file_text = guest.client.get(f"/cards/files/{name}").text.lstrip("\ufeff")
        moments += [row[heading] for row in csv.DictReader(io.StringIO(file_text)) if row[heading]]
    report = json.loads(guest.client.get("/cards/files/deck.json").text)
    moments += [report["reviews"][0]["reviewed_at"], report["cards"][0]["due_at"]]
    assert len(moments) == 4
    assert {datetime.fromisoformat(moment).utcoffset() for moment in moments} == {
        timedelta(hours=offset_hours)
    }


def test_the_package_is_a_zip_of_the_whole_course_for_who_has_no_deck(guest: Reader) -> None:
    response = guest.client.get("/cards/files/deck.apkg")
    with zipfile.ZipFile(io.BytesIO(response.content)) as package:
        assert "collection.anki2" in package.namelist()


def test_a_package_for_which_the_disk_has_no_room_is_told_of(
    guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anki's package is written as a database of its own."""

    def fill_disk(*_: object) -> bytes:
        with closing(sqlite3.connect(":memory:")) as package:
            package.executescript("PRAGMA max_page_count=1; CREATE TABLE notes (front); ")
        return b""

    monkeypatch.setattr(written_decks, "anki_package", fill_disk)
    response = guest.client.get("/cards/files/deck.apkg")
    assert response.status_code == 503
    assert "服务器的磁盘满了；以前保存的都还在。" in response.text


def test_nobody_gets_the_deck_of_another(guest: Reader, other_guest: Reader) -> None:
    page = preview_cards(guest, "秘密,甜\n")
    guest.submit(page.form("/cards/imports", "收进这1张"), "收进这1张")
    for name in ("cards.csv", "reviews.csv", "deck.json"):
        assert "秘密" not in other_guest.client.get(f"/cards/files/{name}").text
    assert other_guest.client.get("/cards/files/passwd").status_code == 404


PARENTHESES = "正面,背面\n" + "\\(" * 58_000 + ",答"
ROWS = "a,b\n" * 40_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PARENTHESES, "这一格有116000个字"),
        (ROWS, "有40000行，一次最多1000行"),
        ("x," + "<br " * 2000, ""),
        ("x,$" + "(" * 1900 + "$", "括号没有关上"),
        ("x," + "<b>" * 2600, "背面还空着"),
    ],
)
def test_a_file_that_would_take_long_is_read_in_no_time(text: str, message: str) -> None:
    """Read in a process with a ration of time: nothing of it depends on how busy the machine is."""
    program = (
        "import sys; from app.course.cards.card_files import read_card_rows, UnfitFile\n"
        "try: print([row.fault for row in read_card_rows(sys.stdin.read(), str)])\n"
        "except UnfitFile as error: print(error)"
    )
    assert message in rationed_fork(program, text, seconds=10)


def test_a_file_is_worked_at_for_a_limited_time(guest: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_files, "MOST_READING_SECONDS", -1.0)
    page = preview_cards(guest, GOOD, status=422)
    assert "还没读完" in page.by_id("import-error").text
    assert page.by_id("text").text


def test_a_table_of_more_cards_than_one_may_have_is_said_and_stays(
    guest: Reader, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = preview_cards(guest, GOOD)
    monkeypatch.setattr(own_cards, "MOST_OWN_CARDS", 1)
    page = guest.submit(page.form("/cards/imports", "收进这2张"), "收进这2张", status=422)
    assert "最多1张" in page.by_id("import-error").text
    assert "第几位打对折？" in page.main.one("textarea", id="text").text
    assert ledger.rows("SELECT id FROM own_card") == []


def test_a_long_cell_is_a_fault_of_its_row(guest: Reader) -> None:
    page = preview_cards(guest, f"问一,答一\n问二,{'长' * (card_files.LONGEST_CELL + 1)}\n")
    assert "会收进1张" in page.text
    assert "太长了" in page.main.one("tbody").text
