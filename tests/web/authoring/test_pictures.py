"""Pictures in one's own questions: from the editor or a Word file to the page of a student, and away."""

import asyncio
import base64
import errno
import json
import os
import re
from datetime import timedelta
from pathlib import Path

import pytest

from app.course.authoring import pictures as drawing
from app.course.authoring.pictures import picture_markdown
from app.course.text import markdown
from app.course.text.yaml12 import YamlDocument
from app.records.authoring import picture_files
from app.records.authoring import pictures as stored_pictures
from app.web.authoring import picture_pages, question_files
from app.web.operation import upkeep
from app.web.site import clock
from app.web.site import off_loop as off_loop_module
from app.web.site.off_loop import OffLoop
from app.web.site.site import Site
from tests.pictures import drawn, of_camera
from tests.web.authoring.own_texts import typed_text, write
from tests.web.authoring.pasting import box
from tests.web.authoring.word_files import docx, para
from tests.web.cast import Page, Reader, browser
from tests.web.pages import Element, filled
from tests.web.taught import Term

ITEM = """\
title: 看图
skill: dcg
items:
  curve:
    stem: |-
      看图：

      {0}
    options:
      - {{text: '{0}', right: true}}
      - 往上
"""
LINE = re.compile(r"!\[[^\]]*\]\(picture:([0-9a-f]{32}-[0-9]+x[0-9]+)\)")
BLIP = (
    '<w:r><w:drawing><wp:inline xmlns:wp="urn:wp"><wp:docPr id="1" descr="{alt}"/>'
    '<a:blip xmlns:a="urn:a" xmlns:r="urn:r" r:embed="{id}"/></wp:inline></w:drawing></w:r>'
)


def send(reader: Reader, data: bytes, alt: str = "一条往下的线", status: int = 200, **texts: str) -> Page:
    response = reader.client.post(
        "/own/pictures", files={"file": ("图.png", data)}, data={"alt": alt, "text": "title: 甜", **texts}
    )
    assert response.status_code == status
    return Page(response)


def line_on(page: Page) -> str:
    return page.by_id("picture-line").text


def site_of(term: Term) -> Site:
    site: Site = term.client.app.state.site  # type: ignore[attr-defined]
    return site


def files(term: Term) -> list[Path]:
    return sorted(picture_files.picture_folder_in(site_of(term).settings.data).rglob("*.webp"))


def pictures(element: Element) -> list[Element]:
    return element.all("img", class_="picture")


def test_a_picture_comes_into_a_question_and_to_its_student(term: Term) -> None:
    own = write(term.teacher)
    page = send(term.teacher, of_camera(), text="title: 还没存的字", own=own.rpartition("/")[2], begun="x")
    assert typed_text(page).rstrip() == "title: 还没存的字", "nothing that was typed is lost"
    assert page.by_id("own-write")["action"] == own
    line = line_on(page)
    assert line.startswith("![一条往下的线](picture:")
    write(term.teacher, ITEM.format(line))
    assignment_url = term.draft()
    term.teacher.post(f"{assignment_url}/parts", [("kind", "item"), ("ref", "own-2:curve"), ("points", "2")])
    path = term.publish(assignment_url)
    term.begin(path)
    question = term.student.open(f"{path}/questions/1").main
    [in_stem, in_option] = pictures(question)
    assert (in_stem["width"], in_stem["height"]) == ("48", "64"), "its room is there before it comes"
    assert in_stem["alt"] == in_option["alt"] == "一条往下的线"
    response = term.student.client.get(in_stem["src"])
    assert response.headers["content-type"] == "image/webp"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert b"SECRET" not in response.content
    paper = term.teacher.open(f"{assignment_url}/paper").main
    assert len(pictures(paper)) >= 2


def test_a_full_disk_is_no_fault_of_the_program(term: Term, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(picture_files, "write_whole_file", refuse)
    page = send(term.teacher, drawn(), text="title: 还没存的字", status=503)
    assert "服务器的磁盘满了，这一次没有保存" in page.main.text
    assert "title: 还没存的字" in page.main.text, "what was typed is shown"


def test_the_address_is_a_key_that_nobody_makes_up(term: Term) -> None:
    line_of_one_site = line_on(send(term.teacher, drawn()))
    [name] = LINE.findall(line_of_one_site)
    [file] = files(term)
    assert file.stem == name
    wrong = ("0" if name[0] != "0" else "1") + name[1:]
    assert browser(term.client).client.get(f"/pictures/{name}.webp").status_code == 200
    for url in (f"{wrong}.webp", f"{name}.png", "..%2f..%2ftangxu.db", f"{name[:-1]}.webp"):
        assert term.student.client.get(f"/pictures/{url}").status_code == 404, url
    assert line_on(send(term.teacher, drawn())) == line_of_one_site, "the same picture is kept once"
    assert len(files(term)) == 1


@pytest.mark.parametrize(
    ("data", "alt", "sentence"),
    [
        (b"GIF89a", "一条线", "只收png、jpg和webp"),
        (b"", "一条线", "还没有选图"),
        (drawn(), "  ", "写一句图上有什么"),
    ],
)
def test_what_is_refused_is_said_and_nothing_is_lost(
    term: Term, data: bytes, alt: str, sentence: str
) -> None:
    page = send(term.teacher, data, alt, 422, text="title: 写了一半")
    assert sentence in page.main.one("details", class_="own-picture").one("p", id="own-error").text
    assert typed_text(page).rstrip() == "title: 写了一半"
    assert "open" in page.main.one("details", class_="own-picture").attributes
    assert files(term) == []


def test_one_too_many_takes_no_room_and_one_given_up_gives_it_back(
    term: Term, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(term.teacher, drawn())
    age(term, hours=2)
    clear(term.teacher)
    assert files(term) == []
    monkeypatch.setattr(stored_pictures, "MOST_PICTURE_MEGABYTES", 0)
    assert "最多0MB" in send(term.teacher, drawn(), status=422).by_id("own-error").text
    assert files(term) == []


def test_a_student_sends_none(term: Term) -> None:
    send(term.student, drawn(), status=404)
    term.student.open("/own/pictures", status=404)
    assert files(term) == []


def test_a_picture_without_words_is_a_fault(term: Term) -> None:
    [name] = LINE.findall(line_on(send(term.teacher, drawn())))
    page = term.teacher.open(write(term.teacher, ITEM.format(f"![](picture:{name})")))
    assert "图要说明图上有什么" in page.by_id("own-faults").text


def test_a_text_that_begins_with_its_picture_is_told_of_quotes(term: Term) -> None:
    line = line_on(send(term.teacher, drawn()))
    path = write(term.teacher, f"title: 图\nitems:\n  q:\n    stem: {line}\n    answer: true\n")
    page = term.teacher.open(path)
    assert "以!开头的文字（图也是），用引号括起来" in page.by_id("own-faults").text


def test_a_picture_from_elsewhere_is_told_in_words_and_breaks_nothing_that_was_assigned(term: Term) -> None:
    page = term.teacher.open(write(term.teacher, ITEM.format("![一条线](https://example.com/a.png)")))
    verdict = page.by_id("own-faults").text
    assert "没有错，可以用了" in verdict
    assert "第8、10行的图不在这个网站上" in verdict
    item = term.teacher.open("/own/1/items/curve").main
    assert item.text.count("［图：一条线］") == 2
    assert pictures(item) == []


def test_a_text_from_another_site_is_told_that_its_picture_is_not_here(term: Term) -> None:
    line = line_on(send(term.teacher, drawn()))
    elsewhere = f"![线](picture:{'0' * 32}-64x48)"
    text = ITEM.replace("- {{text: '{0}'", "- {{text: '{1}'").format(line, elsewhere)
    page = term.teacher.open(write(term.teacher, text))
    verdict = page.by_id("own-faults").text
    assert "没有错，可以用了" in verdict
    assert "第10行的图不在这个网站上" in verdict


def test_a_picture_is_sent_from_the_form_of_a_question_too(term: Term) -> None:
    page = term.teacher.open("/own/new?template=single&view=form")
    fields = dict(filled(page.by_id("own-write"), alt="一条线")) | {"f-stem": "改了一半的题干"}
    response = term.teacher.client.post("/own/pictures", files={"file": ("a.png", drawn())}, data=fields)
    page = Page(response)
    assert page.status == 200
    assert line_on(page).startswith("![一条线](picture:")
    [stem] = [box for box in page.main.all("textarea") if box["name"] == "f-stem"]
    assert stem.text == "改了一半的题干"


def test_pictures_of_a_word_file_come_along(term: Term) -> None:
    relations = "".join(
        f'<Relationship Id="{name}" Target="media/{file}"/>'
        for name, file in (("r1", "1.png"), ("r2", "2.jpg"), ("r3", "3.emf"), ("r4", "4.png"))
    )
    media: dict[str, str | bytes] = {
        "word/_rels/document.xml.rels": f"<Relationships>{relations}</Relationships>",
        "word/media/1.png": drawn(),
        "word/media/2.jpg": of_camera(),
        "word/media/3.emf": b"EMF",
        "word/media/4.png": b"\x89PNG\r\n\x1a\nbroken",
    }
    data = docx(
        para("1. 看图：", BLIP.format(id="r1", alt="往下的[线]")),
        para("A. ", BLIP.format(id="r2", alt="")),
        "B. 往上",
        "答案：B",
        para("2. 这张呢？", BLIP.format(id="r3", alt="")),
        "答案：对",
        para("3. 坏的？", BLIP.format(id="r4", alt="")),
        "答案：对",
        more=media,
    )
    page = Page(term.teacher.client.post("/own/pastes/files", files={"file": ("题.docx", data)}))
    text = box(page)
    assert len(LINE.findall(text)) == len(files(term)) == 2
    assert "看图：![往下的（线）](picture:" in text
    assert text.count("【图片】") == 2, "what cannot be kept is told where it stood"
    assert "图要说明图上有什么" in page.by_id("paste-fates").text
    words = LINE.sub(lambda line: line[0].replace("![]", "![另一条线]"), text)
    page = Page(term.teacher.client.post("/own/pastes", data={"text": words, "take": "yes"}))
    assert "放进了1道" in page.main.text
    item = term.teacher.open("/own/1/items/q1").main
    assert [picture["alt"] for picture in pictures(item)] == ["往下的（线）", "另一条线"]
    again = term.teacher.client.get("/own/1/questions.txt").text
    assert len(LINE.findall(again)) == 2
    assert "q1" in term.teacher.client.get("/own/1/questions.gift").text, "left out, and said so"


ENCODED_PICTURES = {name: base64.b64encode(drawn()).decode() for name in ("r1", "r2", "r3")}


def test_pictures_of_a_word_file_are_read_for_so_long_and_no_longer() -> None:
    off_loop = OffLoop()
    assert set(asyncio.run(question_files.redrawn_picture_by_id(off_loop, ENCODED_PICTURES))) == {
        "r1",
        "r2",
        "r3",
    }
    assert asyncio.run(question_files.redrawn_picture_by_id(off_loop, ENCODED_PICTURES, most_seconds=0)) == {}


def test_others_are_read_between_the_pictures_of_a_word_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sends twenty huge pictures takes a thread for one of them at a time, and then stands behind."""
    turns: list[str] = []
    monkeypatch.setattr(off_loop_module, "THREAD_COUNT", 1)
    monkeypatch.setattr(drawing, "read", lambda _: turns.append("picture"))

    async def send_together() -> None:
        off_loop = OffLoop()
        pictures_sent = asyncio.create_task(question_files.redrawn_picture_by_id(off_loop, ENCODED_PICTURES))
        await asyncio.sleep(0)  # its first picture is on its way
        await off_loop.run(turns.append, "file of somebody else")
        await pictures_sent

    asyncio.run(send_together())
    assert turns == ["picture", "file of somebody else", "picture", "picture"]


@pytest.mark.parametrize("alt", ["一条`线", "线\\", "价格$5", "a](b", "<b>&amp;", "第 #3 条: 线"])
def test_whatever_is_said_of_a_picture_it_is_shown(alt: str) -> None:
    line = picture_markdown(picture_pages.bracketable_line(alt), f"{'0' * 32}-64x48")
    assert YamlDocument("own", f"stem: 看{line}").data == {"stem": f"看{line}"}
    assert "<img" in markdown.render(f"看{line}，`共`$10$元")


def age(term: Term, hours: int) -> None:
    """All pictures were sent so long ago."""
    sent_at = (clock.now() - timedelta(hours=hours)).timestamp()
    for file in files(term):
        os.utime(file, (sent_at, sent_at))


def clear(reader: Reader) -> Page:
    """清掉没用上的, and the page that says what went."""
    return reader.submit(reader.open("/own/pictures").form("/own/pictures/removals"))


def sweep(term: Term) -> int:
    assert term.client.portal is not None
    return term.client.portal.call(upkeep.sweep_pictures, site_of(term), clock.now())


def test_what_stands_nowhere_goes(term: Term) -> None:
    line = line_on(send(term.teacher, drawn()))
    write(term.teacher, ITEM.format(line))
    send(term.teacher, of_camera())
    page = term.teacher.open("/own/pictures")
    assert page.main.text.count("![图上有什么]") == 2
    assert "没有可清的" in clear(term.teacher).main.text, "its text may be open and not kept yet"
    assert len(files(term)) == 2
    age(term, hours=2)
    assert "清掉了1张" in clear(term.teacher).main.text
    assert len(files(term)) == 1
    send(term.teacher, of_camera())
    assert sweep(term) == 0, "its text may still be written"
    age(term, hours=24 * 8)
    assert sweep(term) == 1
    [file] = files(term)
    assert file.stem in line


def test_what_cannot_be_swept_is_no_end_of_upkeep(term: Term, caplog: pytest.LogCaptureFixture) -> None:
    assert term.client.portal is not None
    folder = picture_files.picture_folder_in(site_of(term).settings.data)
    stray_folder = picture_files.picture_path(folder, "ab" * 16)
    stray_folder.mkdir(parents=True)
    os.utime(stray_folder, (0, 0))
    for duty, expected in ((upkeep.sweep_pictures, False), (upkeep.sweep_guests, True)):
        assert term.client.portal.call(upkeep.carry_out, duty, site_of(term), clock.now()) is expected
    assert "sweep_pictures has failed" in caplog.text


def test_a_teacher_takes_pictures_along(term: Term) -> None:
    line_on(send(term.teacher, drawn()))
    [line] = json.loads(term.teacher.client.get("/me/data.json").text)["picture"]
    assert base64.b64decode(line["webp_base64"]) == files(term)[0].read_bytes()
