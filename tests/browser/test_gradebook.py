"""成绩册 in a browser: a wide table on a phone, sorted, opened, a mark set by hand, taken home; no script."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from python_calamine import CalamineWorkbook

from app.course import Course
from app.records.assignments import lifecycle
from app.records.classes import class_members
from app.records.db.database import open_database
from app.records.grading import extra_columns, mark_overrides
from app.records.grading.regrades import regrading
from app.records.grading.values import CellKey, RegradeOrder
from app.web.site.cookies import SIGN_IN_COOKIE as COOKIE
from tests.browser.conftest import Visit
from tests.browser.looking import in_the_long_run, look_at, printed_pages
from tests.browser.watch import UNREADABLE, Watch, dialogs_of
from tests.web.graded import TEACHER, Term

DESK = {"width": 1280, "height": 800}
DISPLAY = "one => getComputedStyle(one).display"
NAMES = ("林小糖", "陈序", "王一鸣", "李思雨", "欧阳梓萱", "张子涵", "刘洋", "赵雨桐", "周浩然", "吴欣怡")
TITLES = ("第一周：认识增益", "第二周：折损怎么算", "第三周：手算DCG@3，给每一名打折", "第四周", "第五周小测")


@pytest.fixture(scope="module")
def term(data: Path, base_url: str, course: Course) -> Iterator[Term]:
    """A class with five weeks behind it, made beside the running server."""
    assert base_url
    loop = asyncio.new_event_loop()
    with ThreadPoolExecutor(1) as executor:  # Playwright has a loop of its own in this thread
        database = executor.submit(open_database, f"sqlite:///{data / 'tangxu.db'}", thread_count=1).result()

        def write(verb: Callable[..., Any], *arguments: Any) -> Any:
            work = database.write(verb, *arguments)
            return executor.submit(loop.run_until_complete, work).result()

        yield five_weeks(Term(write, course, datetime.now(UTC) - timedelta(days=40)))
        executor.submit(loop.run_until_complete, database.close()).result()
    loop.close()


def five_weeks(term: Term) -> Term:
    term.open("高一8班").join(*NAMES)
    for week, title in enumerate(TITLES):
        begun = term.now
        assignment_id = term.assign(
            title,
            due_at=begun + timedelta(days=4),
            late_until=begun + timedelta(days=6),
            late_factor=0.8,
            passes=2,
        )
        for number, name in enumerate(NAMES[:-1]):
            term.now = begun + timedelta(days=5 if (number + week) % 5 == 0 else 1)
            if (number + week) % 7:
                how = "".join("rw"[(number + week * number_in_week) % 3 == 0] for number_in_week in (1, 2, 3))
                term.do(name, assignment_id, how, hand_in=(number + week) % 8 != 5)
        term.now = begun + timedelta(days=7)
    first, second = term.works[:2]
    cell = CellKey(term.classroom, first, term.places["陈序"])
    term.write(mark_overrides.override_mark, TEACHER, cell, "9", "口头补答，过程写对了", term.now)
    term.write(
        lifecycle.extend_due_times,
        TEACHER,
        term.key(first),
        [cell.enrolment_id],
        term.now + timedelta(days=1),
        "病假",
        term.now,
    )
    term.write(class_members.remove_student, TEACHER, term.classroom, term.places["刘洋"], term.now)
    courses = {"content": term.course}
    part = term.write(regrading.load_regrade_page, TEACHER, term.key(second)).parts[0].id
    order = RegradeOrder(part, "full", "印错了")
    plan = term.write(regrading.preview_regrade, TEACHER, term.key(second), order, courses).plan
    order = order._replace(digest=plan.digest)
    term.write(regrading.regrade_part, TEACHER, term.key(second), order, courses, term.now)
    return term


@pytest.fixture
def teacher(visit: Visit, base_url: str) -> Callable[..., Page]:
    def open_as(**options: Any) -> Page:
        page = visit(**options)
        page.context.add_cookies([{"name": COOKIE, "value": TEACHER.token or "", "url": base_url}])
        return page

    return open_as


def book(term: Term) -> str:
    return f"/classrooms/{term.classroom}/gradebook"


def class_page(term: Term) -> str:
    return f"/classrooms/{term.classroom}"


@pytest.mark.long
def test_every_page_fits_and_is_accessible(teacher: Callable[..., Page], term: Term) -> None:
    page = teacher()
    of_class = f"/classrooms/{term.classroom}"
    first, second = term.works[:2]
    regrades = f"{of_class}/assignments/{second}/regrades"
    paper_marks = f"{of_class}/assignments/{second}/paper-marks"
    page.goto(regrades)
    preview = page.get_by_role("link", name="全员给满分…").first.get_attribute("href") or ""
    works = [term.path(first, "陈序"), term.path(second, "林小糖"), term.path(second, "吴欣怡")]
    column = term.write(extra_columns.add_column, TEACHER, term.classroom, "期中", "100", term.now)
    texts = {term.places["陈序"]: "88", term.places["李思雨"]: "免"}
    term.write(extra_columns.set_extra_marks, TEACHER, term.classroom, column, texts, term.now)
    books = [book(term), f"{book(term)}?sort=-{second}", f"{book(term)}?only=missing&q=陈"]
    forms = [f"{book(term)}/columns/{column}", f"{book(term)}/total"]
    ends = [f"{of_class}/deletion", f"{of_class}/successor"]
    for path in (*books, *forms, *ends, *works, regrades, preview, paper_marks, f"{of_class}/audit"):
        look_at(page, path)
    term.write(extra_columns.remove_column, TEACHER, term.classroom, column, term.now)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_heads_stay_in_sight(teacher: Callable[..., Page], term: Term, width: int) -> None:
    page = teacher(viewport={"width": width, "height": 520})
    page.goto(book(term))
    table = page.locator(".grade-scroll")
    table.evaluate("one => { one.scrollTop = 300; one.scrollLeft = 200; }")
    at = table.evaluate("one => [one.scrollTop, one.scrollLeft]")
    assert at[0] > 0
    assert at[1] > 0 or width > 360
    outer = table.bounding_box()
    corner = page.locator("thead .who").bounding_box()
    name = page.locator("tbody .who").last.bounding_box()
    head = page.locator("thead th").last.bounding_box()
    assert outer
    assert corner
    assert name
    assert head
    assert abs(corner["x"] - outer["x"]) < 3
    assert abs(corner["y"] - outer["y"]) < 3
    assert abs(name["x"] - outer["x"]) < 3
    assert abs(head["y"] - outer["y"]) < 3


def test_sort_open_a_cell_and_set_the_mark_by_hand(
    teacher: Callable[..., Page], term: Term, watch: Watch
) -> None:
    watch.announce(UNREADABLE)
    page = teacher(viewport=DESK)
    page.goto(book(term))
    page.get_by_role("link", name="第四周").first.press("Enter")
    page.wait_for_url(f"**sort=-{term.works[3]}#sorted")
    expect(page.locator("th.work").nth(3)).to_have_attribute("aria-sort", "descending")
    cell_texts = page.locator("tbody tr:not(.left) td:nth-of-type(6)").all_inner_texts()
    marks = [float(text.split()[0]) for text in cell_texts if text[0].isdigit()]
    assert len(marks) > 3
    assert marks == sorted(marks, reverse=True)
    page.locator("tbody tr", has_text="李思雨").locator("td").nth(5).locator("a").click()
    expect(page.locator("h1")).to_have_text("李思雨")
    page.locator("summary", has_text="改分").click()
    page.fill("#points", "十一")
    page.fill("#reason", "口头补答")
    page.keyboard.press("Enter")
    expect(page.locator("#override-error")).to_contain_text("0到10")
    expect(page.locator("#reason")).to_have_value("口头补答")
    page.fill("#points", "9。5")
    page.get_by_role("button", name="就按这个分").click()
    expect(page.locator(".mark-now")).to_have_text("9.5")
    page.goto(f"/classrooms/{term.classroom}/audit")
    expect(page.locator(".audit li").first).to_contain_text("把李思雨的《第四周》")
    page.goto(term.path(term.works[3], "李思雨"))
    page.locator("summary", has_text="再改分").click()
    page.get_by_role("button", name="收回，还按作答算").click()
    expect(page.locator(".mark-line")).not_to_contain_text("改过分")


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_the_column_by_which_rows_are_sorted_stays_in_sight(
    teacher: Callable[..., Page], term: Term, has_script: bool
) -> None:
    """The last of a wide table on a phone: neither the table nor the page begins anew."""
    page = teacher(viewport={"width": 360, "height": 740}, java_script_enabled=has_script)
    page.goto(book(term))
    page.locator("th.work a").last.click()
    page.wait_for_url(f"**sort=-{term.works[4]}#sorted")
    head = page.locator("#sorted")
    expect(head).to_be_in_viewport(ratio=0.9)
    name_column, sorted_column = page.locator("thead th.who").bounding_box(), head.bounding_box()
    assert name_column is not None
    assert sorted_column is not None
    assert sorted_column["x"] >= name_column["x"] + name_column["width"], "not behind the names"


def test_taken_home_as_a_workbook_and_as_csv(
    teacher: Callable[..., Page], term: Term, tmp_path: Path
) -> None:
    page = teacher(viewport=DESK)
    page.goto(f"{book(term)}?sort=-average")
    with page.expect_download() as coming:
        page.get_by_role("link", name="下载Excel").click()
    coming.value.save_as(tmp_path / "book.xlsx")
    assert "成绩册" in coming.value.suggested_filename
    sheet = CalamineWorkbook.from_path(tmp_path / "book.xlsx").get_sheet_by_index(0).to_python()
    with page.expect_download() as coming:
        page.get_by_role("link", name="下载CSV").click()
    coming.value.save_as(tmp_path / "book.csv")
    lines = (tmp_path / "book.csv").read_text("utf-8-sig").splitlines()
    names = [text.split("\n")[0] for text in page.locator("tbody th a, tbody tr.left th").all_inner_texts()]
    assert [row[1] for row in sheet[1:-1]] == [text.split()[0] for text in names]
    assert [line.split(",")[1] for line in lines[1:-1]] == [text.split()[0] for text in names]


def test_on_paper_the_whole_table_is_there(teacher: Callable[..., Page], term: Term, tmp_path: Path) -> None:
    page = teacher(viewport=DESK)
    page.goto(book(term))
    page.emulate_media(media="print")
    assert page.locator(".grade-files, .tabs, .site-header").filter(visible=True).count() == 0
    sizes = page.locator(".grade-scroll").evaluate("one => [one.scrollHeight, one.clientHeight]")
    assert sizes[0] == sizes[1]
    stuck = ".grade-table :is(th, td)"
    assert set(
        page.locator(stuck).evaluate_all("all => all.map((one) => getComputedStyle(one).position)")
    ) == {"static"}
    assert page.pdf(path=tmp_path / "book.pdf", prefer_css_page_size=True).startswith(b"%PDF")


@pytest.mark.parametrize("of", [book, class_page])
@pytest.mark.parametrize("copies", [in_the_long_run(1), 8])
def test_on_paper_it_is_one_page_wide_with_its_heads_repeated(
    teacher: Callable[..., Page], term: Term, of: Callable[[Term], str], copies: int
) -> None:
    """Also with many more columns: each of the class's works is there several times."""
    page = teacher(viewport={"width": 1047, "height": 718})  # A4 across, without its margins
    page.goto(of(term))
    page.locator(".heat-table").evaluate(
        """(table, copies) => {
            for (const row of table.rows)
                for (const cell of [...row.cells].slice(2))
                    for (let i = 1; i < copies; i++) row.append(cell.cloneNode(true));
            table.classList.toggle("is-wide", copies > 2);
            table.classList.toggle("is-very-wide", copies > 6);
        }""",
        copies,
    )
    page.emulate_media(media="print")
    table = page.locator(".heat-table")
    assert table.evaluate("one => one.scrollWidth <= document.documentElement.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1047
    styles = {part: page.locator(f".heat-table {part}").evaluate(DISPLAY) for part in ("thead", "tfoot")}
    assert styles == {"thead": "table-header-group", "tfoot": "table-row-group"}
    assert set(printed_pages(page)) == {"across"}


def test_marked_work_is_printed_upright_without_forms_and_without_names_of_others(
    teacher: Callable[..., Page], term: Term
) -> None:
    page = teacher(viewport=DESK)
    page.goto(term.path(term.works[1], "林小糖"))
    page.locator("main details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    signs = page.locator("#signs")
    expect(signs).to_contain_text("请TA当面讲讲")
    page.emulate_media(media="print")
    expect(signs).to_be_hidden()
    assert page.locator("main :is(form, input, button)").filter(visible=True).count() == 0
    expect(page.locator(".try").first).to_be_visible()
    assert set(printed_pages(page)) == {"upright"}
    page.goto(book(term))
    assert set(printed_pages(page)) == {"across"}


def test_on_paper_a_list_that_scrolls_is_as_long_as_its_rows(
    teacher: Callable[..., Page], term: Term
) -> None:
    page = teacher(viewport={"width": 703, "height": 400})  # A4 upright, without its margins
    page.goto(f"{class_page(term)}/assignments/{term.works[0]}")
    page.locator(".doing tbody").evaluate(
        "one => { for (let i = 0; i < 3; i++) one.innerHTML += one.innerHTML; }"
    )
    page.emulate_media(media="print")
    sizes = page.locator(".doing-scroll").evaluate("one => [one.scrollHeight, one.clientHeight]")
    assert sizes[0] == sizes[1]


def test_names_and_points_stand_beside_each_other_on_a_phone(
    teacher: Callable[..., Page], term: Term
) -> None:
    page = teacher(viewport={"width": 360, "height": 740})
    page.goto(f"{class_page(term)}/assignments/{term.works[0]}")
    scroll_left = "one => { one.scrollLeft = 999; return one.scrollLeft; }"
    assert page.locator(".doing-scroll").evaluate(scroll_left) == 0
    assert page.locator(".doing thead th").all_inner_texts() == ["勾选", "同学", "得分", "做到哪"]
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.locator(".doing thead .ticking").evaluate("one => one.clientWidth") < 60


def test_on_paper_the_questions_are_as_wide_as_the_sheet_below_its_code(
    teacher: Callable[..., Page], term: Term
) -> None:
    page = teacher(viewport={"width": 703, "height": 1032})  # A4 upright, without its margins
    page.goto(f"{class_page(term)}/assignments/{term.works[0]}/paper?versions=own")
    page.emulate_media(media="print")
    code, sheet, questions = (
        page.locator(part).first.bounding_box() for part in (".paper-code", ".paper", ".sheet-questions")
    )
    assert code
    assert sheet
    assert questions
    assert questions["width"] == sheet["width"]
    assert questions["y"] >= code["y"] + code["height"]


def test_what_is_folded_on_marked_work_stays_folded_on_paper(
    teacher: Callable[..., Page], term: Term
) -> None:
    page = teacher(viewport=DESK)
    page.goto(term.path(term.works[1], "林小糖"))
    solutions = page.locator(".right-way .worked")
    page.locator(".right-way summary").first.click()
    page.emulate_media(media="print")
    expect(solutions.nth(0)).to_be_visible()
    expect(solutions.nth(1)).to_be_hidden()


def test_categories_are_asked_for_where_they_count(teacher: Callable[..., Page], term: Term) -> None:
    page = teacher(java_script_enabled=False)
    page.goto(f"{book(term)}/total")
    categories = page.get_by_role("group", name="类别和占比")
    expect(categories).to_be_hidden()
    weight, category = (page.get_by_label(f"《{TITLES[0]}》的{name}") for name in ("权重", "类别"))
    expect(weight).to_be_hidden()
    page.get_by_label("按每份的权重").check()
    expect(weight).to_be_visible()
    expect(category).to_be_hidden()
    page.get_by_label("按类别的占比").check()
    expect(categories).to_be_visible()
    expect(categories.get_by_label("去掉最低").first).to_be_visible()
    expect(weight).to_be_hidden()
    expect(category).to_be_visible()
    table = page.get_by_role("region", name="每一栏")
    assert table.evaluate("box => box.scrollWidth <= box.clientWidth"), "a phone shows its field"


def test_marks_that_were_typed_into_a_column_are_asked_for_before_leaving(
    teacher: Callable[..., Page], term: Term
) -> None:
    page = teacher()
    dialogs = dialogs_of(page)
    column = term.write(extra_columns.add_column, TEACHER, term.classroom, "出勤", "10", term.now)
    page.goto(f"{book(term)}/columns/{column}")
    page.get_by_label("陈序").press_sequentially("8")
    page.goto(book(term))
    assert dialogs == ["beforeunload"]
    page.goto(f"{book(term)}/columns/{column}")
    page.get_by_label("陈序").press_sequentially("8")
    with page.expect_navigation():
        page.get_by_role("button", name="存好").first.click()
    assert len(dialogs) == 1, "what is sent is not left behind"
    term.write(extra_columns.remove_column, TEACHER, term.classroom, column, term.now)


@pytest.mark.long
def test_an_item_is_marked_anew_without_a_script(teacher: Callable[..., Page], term: Term) -> None:
    page = teacher(java_script_enabled=False)
    page.goto(book(term))
    page.locator("summary", has_text="重新评分").click()
    page.locator(".panel").get_by_role("link", name="第五周小测").click()
    page.get_by_role("link", name="全员给满分…").last.click()
    expect(page.locator(".regrade-table tbody tr").first).to_be_visible()
    page.fill("#reason", "图印错了")
    page.get_by_role("button", name="这道题全员给满分").click()
    expect(page.locator(".audit li").first).to_contain_text("第2–3题给全员满分")
    page.goto(f"{book(term)}?sort=-{term.works[4]}")
    expect(page.locator("tbody tr").first.locator("td").nth(6)).to_contain_text("10")
