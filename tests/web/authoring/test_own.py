"""我的内容 on its pages: written, looked at, refused without loss, shared, walked through by students."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from app.course import Course
from app.course.text.untrusted import LARGEST_FILE
from app.records.accounts.values import Caller
from app.web.authoring.own_views import NAME_BY_TEMPLATE
from app.web.site.off_loop import OffLoop
from app.web.site.site import OwnCourses
from tests.web.authoring.own_texts import BROKEN, SMALL, typed_text, write
from tests.web.cast import HTMX, Ledger, Page, Reader, browser
from tests.web.school import code_of, join_new, new_class, new_teacher

FREE = "title: 甲\nx: &a 1\ny: *a\n"


@pytest.fixture
def colleague(client: TestClient) -> Reader:
    return new_teacher(client, "李")


def faults(page: Page) -> list[str]:
    return [entry.text for entry in page.by_id("own-faults").all("li")]


def upload(teacher: Reader, data: bytes) -> Page:
    response = teacher.client.post("/own/uploads", files={"file": ("我的.yaml", data)})
    assert response.status_code in (200, 422), response.text[:300]
    return Page(response)


def test_the_way_from_me_to_the_first_text(teacher: Reader, ledger: Ledger) -> None:
    page = teacher.open("/me")
    assert page.main.all("a", href="/own")
    page = teacher.open("/own")
    links = page.main.all("ul", class_="own-templates")[1].all("a")
    assert [link.text for link in links] == [f"{word} ，写原文" for word in NAME_BY_TEMPLATE.values()]
    page = teacher.open("/own/new?template=section")
    assert "没有错" in page.by_id("own-faults").text
    assert "早饭也要排先后" in page.by_id("own-preview").text
    assert ledger.count("own_course") == 0, "GET keeps nothing"
    page = teacher.submit(page.form("/own", "存"))
    assert re.fullmatch(r"/own/[0-9]+\?kept=1", page.path)
    assert "存好了" in page.text
    assert ledger.rows("SELECT title FROM own_course") == [("一节小课",)]


@pytest.mark.parametrize("name", NAME_BY_TEMPLATE)
def test_every_template_is_shown_as_students_see_it(teacher: Reader, name: str) -> None:
    page = teacher.open(f"/own/new?template={name}")
    assert "没有错" in page.by_id("own-faults").text
    assert page.by_id("own-preview").one("div", class_="as-student").get("inert") == ""
    assert not [element for element in page.by_id("own-preview").inside if "data-focus" in element.attributes]


def test_a_preview_keeps_nothing_and_answers_to_htmx_with_a_fragment(teacher: Reader, ledger: Ledger) -> None:
    page = teacher.open("/own/new")
    page = teacher.submit(page.form("/own", "预览"), "预览", text=SMALL)
    assert typed_text(page) == SMALL
    assert "越甜越靠前，对吗？" in page.by_id("own-preview").text
    fields = [("text", SMALL), ("own", "0")]
    part = Page(teacher.post("/own/previews", fields, htmx=True))
    assert part.by_id("own-faults").html == page.by_id("own-faults").html
    assert part.by_id("own-preview").get("data-hx-swap-oob") == "true"
    broken = Page(teacher.post("/own/previews", [("text", BROKEN), ("own", "0")], htmx=True))
    assert "上一次没有错的样子" in broken.text
    assert faults(broken) == ["第6行 items.q1.answer 这里要写true或false answer: 5"]
    assert not broken.has("own-preview"), "the last good preview stays"
    assert ledger.count("own_course") == 0


def test_a_half_written_text_is_kept_with_its_faults(teacher: Reader) -> None:
    path = write(teacher, BROKEN)
    page = teacher.open(path)
    assert typed_text(page) == BROKEN
    [fault] = page.by_id("own-faults").all("li")
    assert fault.one("a")["data-line"] == "6"
    page = teacher.submit(page.form(path, "存"))
    assert page.main.one("p", class_="done").one("a")["href"] == "#own-faults"
    page = teacher.submit(page.form(path, "存"), text=SMALL)
    assert "没有错，可以用了：1道题。" in page.text
    assert page.main.one("p", class_="done").text == "存好了。"


def test_what_begins_with_an_empty_line_stays_so(teacher: Reader) -> None:
    """A browser drops the first line end in a text area."""
    path = write(teacher, "\n\n" + SMALL)
    assert "\n\n\n" + SMALL in Page(teacher.client.get(path)).html


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "还没有选文件，或者文件是空的"),
        (b"x" * (LARGEST_FILE + 1), "太大了"),
        (b"\xff\xff\xff\x80", "看不懂这个文件的编码"),
        (FREE.encode(), "这里不能用“&”起名"),
        (b"title: !!str x\n", "不能用“!”开头的标签"),
        ((SMALL + "title: 又\n").encode(), "重复的键'title'（第1行已经有了）"),
        (BROKEN.encode(), "这里要写true或false"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(
    teacher: Reader, ledger: Ledger, data: bytes, sentence: str
) -> None:
    page = upload(teacher, data)
    assert page.status == 422
    assert sentence in page.text
    assert ledger.count("own_course") == 0
    if page.has("own-text"):
        assert typed_text(page) == data.decode(), "what the file says can be mended at once"


@pytest.mark.parametrize("size", [4, 40])
def test_a_file_far_too_large_meets_the_same_sentence(teacher: Reader, ledger: Ledger, size: int) -> None:
    response = teacher.client.post("/own/uploads", files={"file": ("我的.yaml", b"x" * size * LARGEST_FILE)})
    page = Page(response)
    assert page.status in (413, 422)
    assert "太大了，最多100KB：分成几份来写。" in page.main.text
    assert ledger.count("own_course") == 0


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_file_goes_up_and_comes_down(teacher: Reader, code: str) -> None:
    page = upload(teacher, SMALL.replace("\n", "\r\n").encode(code))
    assert typed_text(page) == SMALL
    response = teacher.client.get(page.path.partition("?")[0] + "/file.yaml")
    assert response.text == SMALL
    assert "filename*=UTF-8''%E5%B0%8F" in response.headers["content-disposition"]
    assert response.headers["content-type"].startswith("application/yaml")


@pytest.mark.parametrize(
    "text", [BROKEN, FREE, "x" * (LARGEST_FILE + 1), "", "</textarea><script>1</script>"]
)
def test_every_refusal_keeps_what_was_typed(teacher: Reader, text: str) -> None:
    path = write(teacher)
    for form in ("/own", "/own/previews", path):
        page = Page(teacher.post(form, [("text", text), ("own", "0"), ("begun", "")]))
        assert page.status == (422 if len(text) > LARGEST_FILE and form != "/own/previews" else 200)
        assert typed_text(page) == text if text else True
        assert not page.root.all("script", src="")


def test_a_text_that_changed_elsewhere_is_not_overwritten(teacher: Reader, ledger: Ledger) -> None:
    path = write(teacher)
    old = teacher.open(path).form(path, "存")
    teacher.submit(old, text=SMALL + "# 一\n")
    page = teacher.submit(old, text=SMALL + "# 二\n", status=422)
    assert "别处改过" in page.by_id("own-error").text
    assert typed_text(page) == SMALL + "# 二\n"
    page = teacher.submit(page.form(path, "预览"), "预览")
    page = teacher.submit(page.form(path, "存"), status=422)
    assert ledger.rows("SELECT text FROM own_course") == [(SMALL + "# 一\n",)]


def test_a_colleague_reads_and_copies_by_the_link(
    teacher: Reader, colleague: Reader, guest: Reader, ledger: Ledger
) -> None:
    path = write(teacher)
    page = teacher.submit(teacher.open(path).form(f"{path}/shares", "开"))
    link = page.main.one("p", class_="own-link").one("a")["href"]
    assert page.main.one("p", class_="own-link").text.endswith(link)
    colleague.open(path, status=404)
    page = colleague.open(link)
    assert "越甜越靠前，对吗？" in page.text
    assert "王写的" in page.text
    assert not page.has("own-text")
    assert colleague.client.get(f"{link}/file.yaml").text == SMALL
    copied = colleague.submit(page.form(f"{link}/copies", "抄")).path.partition("?")[0]
    assert copied != path
    colleague.submit(colleague.open(copied).form(copied, "存"), text=SMALL + "# 李\n")
    assert sorted(ledger.rows("SELECT text FROM own_course")) == [(SMALL,), (SMALL + "# 李\n",)]
    assert "answer" not in guest.open(link).text, "a learner finds the lesson, not the text"
    teacher.submit(teacher.open(path).form(f"{path}/shares", "收回"))
    for reader in (colleague, guest):
        reader.open(link, status=404)
    colleague.open(copied)


def test_students_walk_through_a_small_lesson_by_its_link(
    teacher: Reader, guest: Reader, ledger: Ledger
) -> None:
    teacher.open("/own/new?template=section")
    path = teacher.submit(teacher.page.form("/own", "存")).path.partition("?")[0]
    page = teacher.submit(teacher.open(path).form(f"{path}/shares", "开"))
    link = page.main.one("p", class_="own-link").one("a")["href"]
    guest.open(link)
    guest.open(f"{link}/lessons/first")
    guest.go_on()
    reveals = f"{link}/examples/breakfast/reveals"
    page = guest.submit(guest.page.form(reveals, "翻开"))
    assert page.path.startswith(f"{link}/lessons/first?step=2")
    guest.go_on()
    guest.go_on()
    page = guest.answer("guess-first", "false")
    assert "第2位打的折" in page.text
    assert page.path.startswith(f"{link}/lessons/first?step=4")
    own_content_id = path.rpartition("/")[2]
    assert ledger.rows("SELECT item, verdict FROM response") == [
        (f"own-{own_content_id}:guess-first", "wrong")
    ]
    assert ledger.rows("SELECT DISTINCT ref FROM reveal") == [(f"own-{own_content_id}:breakfast",)]
    report = guest.submit(guest.page.form("/reports", "告诉"), text="看不懂")
    assert report.path.startswith(link)
    assert ledger.rows("SELECT item FROM problem_report") == [(f"own-{own_content_id}:guess-first",)]
    assert "4步，共6步" in guest.open(link).text.replace(" ", "")
    for url in ("/", "/progress", "/me", "/practice", "/mistakes", "/cards"):
        guest.open(url)
    attempt = ledger.rows("SELECT id FROM attempt")[0][0]
    assert guest.open(f"/attempts/{attempt}").main.all("a", href=f"/own/{own_content_id}")


def test_a_visit_to_a_lesson_of_a_teacher_loses_no_place_in_the_course(
    teacher: Reader, guest: Reader, course: Course
) -> None:
    stage = course.stages[0]
    guest.open(f"/lessons/{stage.id}/{stage.sections[0].id}")
    guest.go_on()
    teacher.open("/own/new?template=section")
    path = teacher.submit(teacher.page.form("/own", "存")).path.partition("?")[0]
    page = teacher.submit(teacher.open(path).form(f"{path}/shares", "开"))
    guest.open(page.main.one("p", class_="own-link").one("a")["href"] + "/lessons/first")
    guest.go_on()
    for address in ("/", "/progress", "/warm-ups"):
        links = [link["href"] for link in guest.open(address).main.all("a") if link.text.startswith("接着学")]
        assert [link.partition("#")[0] for link in links] == [f"/lessons/{stage.id}/{stage.sections[0].id}"]


def test_a_movable_row_of_a_teacher_moves_by_buttons_and_is_checked(teacher: Reader, guest: Reader) -> None:
    teacher.open("/own/new?template=play")
    path = teacher.submit(teacher.page.form("/own", "存")).path.partition("?")[0]
    page = teacher.submit(teacher.open(path).form(f"{path}/shares", "开"))
    link = page.main.one("p", class_="own-link").one("a")["href"]
    lesson = f"{link}/lessons/first"
    assert "x-robots-tag" not in guest.client.get(lesson).headers
    toy = guest.open(lesson).main.one("article", class_="toy")
    form = toy.one("form")
    assert form["action"].startswith(f"{link}/lessons/first")
    on, *_ = toy.all("button", class_="on")
    assert on["form"] == form["id"]
    hidden = {field["name"]: field["value"] for field in form.all("input", type="hidden")}
    moved = guest.open(f"{lesson}?{urlencode({**hidden, on['name']: on['value']})}")
    assert [candy["data-grade"] for candy in moved.main.one("ol", class_="toy-row").all("li")] == [*"3012"]
    query = "step=step-1&toy=step-1&row=3-2-1-0&guess=3&done=1"
    assert "最少4步" in guest.open(f"{lesson}?{query}").main.one("div", class_="toy-result").text
    assert guest.client.get(f"{lesson}?{query}").headers["x-robots-tag"] == "noindex, nofollow"
    board = guest.client.get(f"{lesson}/toys/step-1?{query}", headers=HTMX)
    assert board.headers["hx-replace-url"] == f"{urlsplit(lesson).path}?{query}#toy-step-1"
    assert "最少4步" in board.text
    assert guest.client.get(f"{lesson}/toys/step-2").status_code == 404
    for closed in (path, f"{path}-wrong-token"):
        assert guest.client.get(f"{closed}/lessons/first/toys/step-1").status_code == 404


def test_cards_of_a_lesson_go_into_one_s_own_deck(teacher: Reader, ledger: Ledger) -> None:
    teacher.open("/own/new?template=cards")
    path = teacher.submit(teacher.page.form("/own", "存")).path.partition("?")[0]
    page = teacher.open(f"{path}/lessons/part-1")
    for _ in range(2):
        teacher.submit(page.form(f"{path}/cards"))
    fronts = [front for (front,) in ledger.rows("SELECT front FROM own_card ORDER BY id")]
    assert fronts == ["第几位正好打五折？", "第1位打折吗？"]
    assert ledger.rows("SELECT DISTINCT tags, source FROM own_card") == [("一组卡片", path)]


def test_a_card_that_came_by_the_link_leads_back_by_the_link(
    teacher: Reader, guest: Reader, ledger: Ledger
) -> None:
    teacher.open("/own/new?template=cards")
    path = teacher.submit(teacher.page.form("/own", "存")).path.partition("?")[0]
    page = teacher.submit(teacher.open(path).form(f"{path}/shares", "开"))
    shared_path = urlsplit(page.main.one("p", class_="own-link").one("a")["href"]).path
    guest.submit(guest.open(f"{shared_path}/lessons/part-1").form(f"{shared_path}/cards"))
    [(source_url,)] = ledger.rows("SELECT DISTINCT source FROM own_card")
    assert guest.open(source_url).status == 200


def test_an_item_alone_asks_gives_hints_and_solves(teacher: Reader) -> None:
    path = write(teacher)
    teacher.open(f"{path}/items/q1")
    page = teacher.submit(teacher.page.answering("q1"), "提示")
    assert "想想糖" in page.text
    page = teacher.submit(page.answering("q1"), "看答案")
    assert "这句话对" in page.text


def test_answers_need_the_link_too(teacher: Reader, guest: Reader, ledger: Ledger) -> None:
    path = write(teacher)
    for move in ("responses", "hints", "solutions", "orderings"):
        fields = [("item", "q1"), ("try", "1"), ("answer", "true")]
        assert guest.post(f"{path}/{move}", fields).status_code == 404
        assert guest.post(f"{path}-wrong-token/{move}", fields).status_code == 404
        assert guest.post(f"/own/x/{move}", fields).status_code == 404
    assert ledger.count("response") == 0


@pytest.mark.both_databases
def test_a_student_learns_what_is_assigned(client: TestClient, teacher: Reader, ledger: Ledger) -> None:
    path = write(teacher)
    classroom = new_class(teacher, "高一3班")
    student = browser(client)
    join_new(student, code_of(teacher, classroom), "小糖")
    student.open(f"{path}/lessons/part-1", status=404)
    ledger_write(
        ledger,
        "INSERT INTO assignment (classroom_id, title, note, seed, everyone, late_factor, passes, tries,"
        " hints, answers, counts, created_at, published_at)"
        " VALUES (?, '作业', '', 1, true, 1, 1, 1, true, 'due', 'best',"
        " '2026-01-01 00:00:00.000000', '2026-01-01 00:00:00.000000')",
        classroom,
    )
    ledger_write(
        ledger,
        "INSERT INTO assignment_part (assignment_id, position, kind, ref, level, count, same, points)"
        " VALUES (1, 1, 'section', ?, 0, 1, false, 1)",
        f"own-{path.rpartition('/')[2]}:own/part-1",
    )
    student.open(f"{path}/lessons/part-1")
    assert "对 · 你选的" in student.answer("q1", "true").text
    assert "小练习" in student.open(path).text
    assert not student.page.has("own-text")
    page = teacher.submit(teacher.open(path).form(f"{path}/deletions", "删"), status=422)
    assert "高一3班的作业“作业”还在用这份内容" in page.main.text
    ledger_write(ledger, "UPDATE assignment SET closed_at = '2026-01-02 00:00:00.000000'")
    form = teacher.open(path).form(f"{path}/deletions", "删")
    for _ in range(2):
        assert teacher.submit(form).path == "/own", "a second tap finds it done"
    place, attempt = (ledger.rows(f"SELECT max(id) FROM {name}")[0][0] for name in ("enrolment", "attempt"))
    attempt_page = teacher.open(f"/classrooms/{classroom}/students/{place}/attempts/{attempt}")
    assert "越甜越靠前，对吗？" in attempt_page.text, "as it was frozen, though the content is gone"


def ledger_write(ledger: Ledger, sql: str, *values: object) -> None:

    with ledger.other_program() as connection:
        connection.execute(sql, values)


def test_what_is_broken_or_gone_says_so_and_answers_stay(teacher: Reader, ledger: Ledger) -> None:
    path = write(teacher)
    teacher.open(f"{path}/lessons/part-1")
    teacher.answer("q1", "true")
    body = ledger.rows("SELECT body FROM item_version")[0][0]
    assert "越甜越靠前，对吗？" in body
    teacher.submit(teacher.open(path).form(path, "存"), text=BROKEN)
    page = teacher.open(f"{path}/lessons/part-1", status=404)
    assert "这份内容现在有错" in page.text
    teacher.submit(teacher.open(path).form(f"{path}/deletions", "删"))
    teacher.open(path, status=404)
    teacher.open(f"{path}/lessons/part-1", status=404)
    assert ledger.count("response") == 1
    assert ledger.rows("SELECT body FROM item_version")[0][0] == body


def test_courses_of_teachers_stand_beside_the_course(
    client: TestClient, app: FastAPI, teacher: Reader, course: Course
) -> None:
    """What an assignment asks for: prefix → course, without what cannot be read."""
    ids = [int(write(teacher, text).rpartition("/")[2]) for text in (SMALL, BROKEN)]
    site = replace(app.state.site, own_courses=OwnCourses(OffLoop()))
    assert client.portal
    own_courses = client.portal.call(site.course_by_prefix_of_own_ids, [*ids, 999])
    assert set(own_courses) == {"content", f"own-{ids[0]}"}
    own = own_courses[f"own-{ids[0]}"]
    assert own.mark(f"own-{ids[0]}:q1", 0, ["true"]).verdict == "right"
    again = client.portal.call(site.course_by_prefix_of_own_ids, ids)
    assert again[f"own-{ids[0]}"] is own, "parsed once"
    assert client.portal.call(site.course_by_prefix_of_own_ids, []) == {"content": course}
    written = client.portal.call(site.course_by_prefix_of_teacher, Caller(teacher.token))
    assert written == again, "what somebody wrote themselves"


def test_only_the_last_ones_are_kept(client: TestClient, course: Course, monkeypatch: Any) -> None:
    monkeypatch.setattr("app.web.site.site.MOST_OWN_COURSES", 2)
    shelf = OwnCourses(OffLoop())
    assert client.portal
    first, *_ = [client.portal.call(shelf.read, number, SMALL, course) for number in (1, 2, 3)]
    assert client.portal.call(shelf.read, 1, SMALL, course) is not first


def test_what_is_being_written_pushes_nothing_out(client: TestClient, app: FastAPI, teacher: Reader) -> None:
    """A teacher who types, with a look after each pause, costs the classes of others nothing."""
    site = app.state.site
    teacher.post("/own/previews", [("text", SMALL), ("own", "0")], htmx=True)
    parsed, drawn = dict(site.own_courses._course_by_key), dict(site._fragments)
    for number in range(5):
        fields = [("text", f"{SMALL}# {number}\n"), ("own", "0")]
        assert teacher.post("/own/previews", fields, htmx=True).status_code == 200
    assert (dict(site.own_courses._course_by_key), dict(site._fragments)) == (parsed, drawn)


def test_a_text_is_parsed_once_a_save(app: FastAPI, teacher: Reader) -> None:
    """The page after 存下来, and the one after a link was opened, show what was parsed then."""
    parsed_texts = app.state.site.own_courses._course_by_key
    parsed_texts.clear()
    saved = teacher.client.post("/own", data={"text": SMALL}, follow_redirects=False)
    [parsed] = parsed_texts.values()
    path = saved.headers["location"].partition("?")[0]
    page = teacher.open(path)
    [course] = parsed_texts.values()
    assert course.items is parsed.items
    assert course.prefix == path.removeprefix("/").replace("/", "-")
    teacher.submit(page.form(f"{path}/shares", "开"))
    [shared] = parsed_texts.values()
    assert shared is course


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200), st.integers(0, len(SMALL)), st.integers(0, 20))
def test_no_text_is_an_error_of_ours(teacher: Reader, noise: str, place: int, length: int) -> None:
    text = SMALL[:place] + noise + SMALL[place + length :]
    for path in ("/own/previews", "/own"):
        assert teacher.post(path, [("text", text), ("own", "0")]).status_code in (200, 422)
