"""成绩册 as its teacher meets it, without a script: the table, its files, a cell opened, the log."""

import csv
import io
import re
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from starlette.testclient import TestClient

from app.course import Course
from app.course.assignments.question_sets import QuestionSet
from app.course.items.kinds import Numeric, Order, SingleChoice
from app.records.accounts.values import Caller
from app.records.assignments import lifecycle, lookup
from app.records.assignments.audit import AuditEntry, AuditPage
from app.records.assignments.values import NewPart
from app.records.classes import class_members, classrooms, joining, student_numbers
from app.records.classes.values import ClassRow
from app.records.db.session import VerbSession
from app.records.grading import mark_overrides
from app.records.grading.values import CellKey, GradebookCell
from app.records.learning import responding
from app.records.learning.values import Answer, AttemptKey
from app.web.grading.audit import DESCRIBER_BY_ACTION, audit_lines
from app.web.grading.gradebook import SHADE_LEGEND, cell_look
from app.web.site.cookies import SIGN_IN_COOKIE as COOKIE
from app.web.site.site import Site
from tests.records.cast import newcomer
from tests.web.cast import Ledger, Page, Reader, browser, right_answer
from tests.web.graded import DAY, NOW, TEACHER, Term
from tests.web.grading.open_books import body, book, downloaded_file, first, names, sheet_of, teacher, term
from tests.web.pages import parsed, refused_fields

__all__ = ["first", "teacher", "term"]


@pytest.mark.usefixtures("first")
def test_a_cell_reads_without_its_colour(teacher: Reader, term: Term) -> None:
    page = teacher.open(book(term))
    cells_by_name = {row.one("th").text: [cell.text for cell in row.all("td")] for row in body(page)}
    assert cells_by_name == {
        "小糖": ["100%", "100", "10"],
        "小序": ["10%", "10", "1 迟交"],
        "小方": ["—", "—", "没开始"],
        "小圆": ["—", "—", "做到1/3题"],
    }
    foot = [cell.text for cell in page.main.one("tfoot").all("td")]
    assert foot == ["", "", "5.5 2人有分"]
    assert [span.text for span in page.main.one("span", class_="legend").all("span")] == [
        w for _, w in SHADE_LEGEND
    ]


@pytest.mark.usefixtures("first")
def test_a_link_says_whose_work_it_opens_and_at_what(teacher: Reader, term: Term) -> None:
    """Read by itself it was a bare figure: 7.5."""
    page = teacher.open(book(term))
    labels = [link["aria-label"] for row in body(page) for cell in row.all("td") for link in cell.all("a")]
    [title] = [cell.one("a").text for cell in page.main.all("th", class_="work")]
    expected = [("小糖", "10"), ("小序", "1，迟交"), ("小方", "没开始"), ("小圆", "做到1/3题")]
    assert labels == [f"{name}，{title}：{words}" for name, words in expected]


def test_work_that_was_closed_early_says_when_it_ended(teacher: Reader, term: Term) -> None:
    """Its head went on showing the due time, which was still to come."""
    closed = term.assign("早收的")
    term.assign("没收的")
    term.do("小糖", closed, "---", hand_in=False)
    term.write(lifecycle.close, TEACHER, term.key(closed), NOW + DAY)
    heads = {cell.one("a").text: cell.text for cell in teacher.open(book(term)).main.all("th", class_="work")}
    assert "结束了" in heads["早收的"]
    assert "截止" not in heads["早收的"]
    assert "截止" in heads["没收的"]
    cell_url = f"/classrooms/{term.classroom}/assignments/{closed}/students/{term.places['小糖']}"
    note = teacher.open(cell_url).main.one("header").all("p", class_="note")[0].text
    assert note.endswith("结束")


def test_work_that_was_handed_in_without_an_answer_is_work(teacher: Reader, term: Term) -> None:
    """The page of its student said 还没有答过题."""
    for title, is_handed_in in (("空着交的", True), ("没交的", False)):
        term.do("小糖", term.assign(title), "---", hand_in=is_handed_in)
    works = teacher.open(f"/classrooms/{term.classroom}/students/{term.places['小糖']}").main.one(
        "ol", class_="works"
    )
    assert [link.text for link in works.all("a")] == ["空着交的"]
    assert "一题没答" in works.text
    assert "就交了" not in works.text, "it may have been collected"


def test_a_click_on_a_head_sorts_and_the_address_says_so(teacher: Reader, term: Term, first: int) -> None:
    page = teacher.open(book(term))
    head = page.main.one("table", class_="grade-table").one("thead")
    links = [cell.one("a") for cell in head.all("th")]
    assert [cell["aria-sort"] for cell in head.all("th")] == ["none"] * 4
    assert [link["href"] for link in links] == [
        "?sort=name#sorted",
        "?sort=-average#sorted",
        "?sort=-total#sorted",
        f"?sort=-{first}#sorted",
    ]
    page = teacher.open(f"{book(term)}?sort={first}")
    assert names(page) == ["小序", "小糖", "小方", "小圆"], "whoever has no mark comes last either way"
    assert page.main.one("thead").all("th")[3]["aria-sort"] == "ascending"
    page = teacher.open(f"{book(term)}?sort=-{first}")
    assert names(page) == ["小糖", "小序", "小方", "小圆"]
    assert names(teacher.open(f"{book(term)}?sort=name")) == ["小方", "小糖", "小序", "小圆"], "by sound"
    for text in ("nothing", "-99", "%00", "-"):
        assert names(teacher.open(f"{book(term)}?sort={text}")) == ["小糖", "小序", "小方", "小圆"]


@pytest.mark.usefixtures("first")
def test_whoever_left_comes_last_and_says_so(teacher: Reader, term: Term) -> None:
    term.write(class_members.remove_student, TEACHER, term.classroom, term.places["小糖"], NOW)
    page = teacher.open(f"{book(term)}?sort=-average")
    assert names(page) == ["小序", "小方", "小圆", "小糖 已移出"]
    assert "不算进班级平均" in page.main.text


def test_without_assignments_it_says_what_will_come(teacher: Reader, term: Term) -> None:
    assert "还没有布置出去的作业" in teacher.open(book(term)).main.text


@pytest.mark.usefixtures("first")
def test_the_csv_is_the_same_table(teacher: Reader, term: Term) -> None:
    content, named = downloaded_file(teacher, f"{book(term)}.csv?sort=-average")
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows[0] == ["学号", "姓名", "在不在班", "得分率", "缺交", "第一周（满分10）", "总评", "座号"]
    assert [row[1:] for row in rows[1:]] == [
        ["小糖", "", "100%", "", "10", "100", ""],
        ["小序", "", "10%", "", "1", "10", ""],
        ["小方", "", "", "", "没开始", "", ""],
        ["小圆", "", "", "", "做到1/3题", "", ""],
        ["班级平均", "", "", "", "5.5", "", ""],
    ]
    assert "filename*=UTF-8''%E9%AB%98%E4%B8%803%E7%8F%AD" in named


@pytest.mark.parametrize("risky", ["=1+1", "+1", "-1", "@SUM", "＝1+1", "＋1", "－1", "＠SUM"])
def test_no_cell_is_taken_for_a_formula(teacher: Reader, term: Term, risky: str) -> None:
    term.assign(f"{risky}|calc")
    place = term.places["小糖"]
    term.write(student_numbers.set_student_details, TEACHER, term.classroom, place, f"{risky}糖", "", "", NOW)
    rows = list(csv.reader(io.StringIO(downloaded_file(teacher, f"{book(term)}.csv")[0].decode("utf-8-sig"))))
    assert rows[0][5].startswith(f"'{risky}")
    assert rows[1][1] == f"'{risky}糖"
    sheet = sheet_of(downloaded_file(teacher, f"{book(term)}.xlsx")[0])
    assert sheet[1][1] == f"{risky}糖", "a text, written as one"


@pytest.mark.usefixtures("first")
def test_the_workbook_is_read_back(teacher: Reader, term: Term) -> None:
    content, named = downloaded_file(teacher, f"{book(term)}.xlsx")
    assert named.endswith(".xlsx")
    sheet = sheet_of(content)
    assert sheet[0][5] == "第一周（满分10）"
    assert [row[1:] for row in sheet[1:5]] == [
        ["小糖", "", 1.0, "", 10.0, 100.0, ""],
        ["小序", "", 0.1, "", 1.0, 10.0, ""],
        ["小方", "", "", "", "没开始", "", ""],
        ["小圆", "", "", "", "做到1/3题", "", ""],
    ]
    assert sheet[5][5] == 5.5


def test_a_cell_opens_the_work_as_it_was_seen(
    teacher: Reader, term: Term, first: int, course: Course, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The item has changed since: the teacher still sees what the student saw."""
    page = teacher.open(book(term))
    path = body(page)[1].all("td")[2].one("a")["href"]
    assert path == term.path(first, "小序")
    item = course.items["cg-chengdu"]
    changed = replace(
        course, items={**course.items, "cg-chengdu": item.model_copy(update={"stem": "别的题"})}
    )
    site: Site = teacher.client.app.state.site  # type: ignore[attr-defined]
    monkeypatch.setattr(site.course_source, "course", changed)
    before = ledger.everything()
    page = teacher.open(path)
    assert ledger.everything() == before
    articles = page.main.all("article")
    assert [article.one("span", class_="question-points").text for article in articles] == [
        "2/2分",
        "0/4分",
        "0/4分",
    ]
    assert "成都" in articles[0].text
    assert "别的题" not in page.main.text
    assert "✓ 对" in articles[0].text
    assert "✗ 不对" in articles[1].text
    assert "没有答" in articles[2].text
    assert "2/10分 · 迟交，得分按50%算，1分" in page.main.text
    beads = page.by_id("p1-rail").all("a")
    assert [bead.text.replace(" ", "") for bead in beads] == ["第1题，对", "第2题，不对", "第3题，没答"]
    assert [bead["href"] for bead in beads] == [f"#{article['id']}" for article in articles]


def test_each_question_shows_the_numbers_of_this_student(teacher: Reader, term: Term, first: int) -> None:
    """Of a generated question the frozen variant, not that of somebody else."""
    stems = []
    for name in ("小糖", "小序"):
        articles = teacher.open(term.path(first, name)).main.all("article")
        stems.append(articles[1].one("div", class_="stem").text + str(articles[1].all("li")))
    assert stems[0] != stems[1]


def test_what_is_only_saved_is_shown_as_such(teacher: Reader, term: Term, first: int) -> None:
    page = teacher.open(term.path(first, "小圆"))
    assert "还没有交" in page.main.text
    assert "存着，没有交" in page.main.all("article")[0].text
    assert "没有答" in page.main.all("article")[1].text
    assert "还没有开始做" in teacher.open(term.path(first, "小方")).main.text


def test_what_is_only_saved_is_shown_in_the_words_of_its_question(
    teacher: Reader, term: Term, course: Course
) -> None:
    """No ids of options, and no `true`: an order with arrows, a number as it was typed."""
    parts = [
        NewPart("item", f"content:{item_id}") for item_id in ("zero-tail", "noodle-order", "dcg-by-hand")
    ]
    assignment_id = term.assign("第二周", parts)
    term.do("小圆", assignment_id, "rrr", hand_in=False)
    noodles = course.items["noodle-order"]
    assert isinstance(noodles, Order)
    text_by_id = {document.id: document.text for document in noodles.documents}
    order_text = " → ".join(text_by_id[document_id] for document_id in right_answer(noodles))
    page = teacher.open(term.path(assignment_id, "小圆"))
    saved_texts = [article.one("p", class_="try-said").text for article in page.main.all("article")]
    assert saved_texts == [
        "存着，没有交：这句话对",
        f"存着，没有交：{order_text}",
        f"存着，没有交：{right_answer(course.items['dcg-by-hand'])[0]}",
    ]


def test_a_comment_is_written_beside_an_answer_and_about_the_whole(
    teacher: Reader, term: Term, first: int
) -> None:
    path = term.path(first, "小糖")
    forms = teacher.open(path).main.all("form")
    whole, comment_form, *_ = [form for form in forms if form["action"].endswith("/comments")]
    page = teacher.submit(whole, text="写得清楚。")
    assert page.path == path
    page = teacher.submit(comment_form, text="<b>好</b>")
    assert [paragraph.text for paragraph in page.main.all("p", class_="comment")] == [
        "评语： 写得清楚。",
        "评语： <b>好</b>",
    ]
    assert page.by_id("p1-q1").one("p", class_="comment").text == "评语： <b>好</b>"
    page = teacher.submit(comment_form, status=422, text="好" * 501)
    assert "最多500个字" in page.by_id("p1-q1-error").text
    assert page.by_id("p1-q1-text").text == "好" * 501
    assert page.by_id("mark-title-text").text == "写得清楚。"
    page = teacher.submit(comment_form, status=422, text="别的")
    assert "刚才有人写了“<b>好</b>”" in page.by_id("p1-q1-error").text, "the form is older than these words"
    forms = [form for form in page.main.all("form") if form["action"].endswith("/comments")]
    assert "评语： 别的" in teacher.submit(forms[1]).main.text


@pytest.mark.both_databases
def test_a_mark_is_set_by_hand_and_taken_back(teacher: Reader, term: Term, first: int) -> None:
    path = term.path(first, "小序")
    teacher.open(path)
    form = teacher.page.form(f"{path}/overrides")
    page = teacher.submit(form, points="十分", reason="口头补答", status=422)
    assert "0到10" in page.by_id("override-error").text
    assert page.by_id("points")["value"] == "十分"
    assert page.by_id("reason")["value"] == "口头补答"
    assert page.by_id("points")["aria-describedby"] == "override-error"
    assert refused_fields(page.main) == ["points"]
    page = teacher.submit(form, points="10", reason=" ", status=422)
    assert refused_fields(page.main) == ["reason"]
    page = teacher.submit(page.form(f"{path}/excuses"), status=422, reason=" ")
    assert "写一句理由" in page.by_id("excuse-error").text
    page = teacher.submit(page.form(f"{path}/excuses"), reason="病假")
    assert "不算进总评。理由：病假" in page.main.text
    marks = {row.one("th").text: row.all("td")[-1].text for row in body(teacher.open(book(term)))}
    assert marks["小序"] == "免"
    page = teacher.submit(teacher.open(path).form(f"{path}/withdrawals"))
    page = teacher.submit(page.form(f"{path}/overrides"), points="９。5", reason="口头补答")
    assert page.path == path
    assert page.main.one("p", class_="mark-line").text == "9.5 满分10 迟交，改过分"
    assert "按作答算是1分，改分的理由：口头补答" in page.main.text
    assert "9.5 迟交，改过分" in teacher.open(book(term)).main.text
    teacher.open(path)
    page = teacher.submit(teacher.page.form(f"{path}/withdrawals"))
    assert page.main.one("p", class_="mark-line").text == "1 满分10 迟交"
    log = teacher.open(f"/classrooms/{term.classroom}/audit").main.text
    assert "收回了给小序的《第一周》改的分：9.5分 → 1分" in log
    assert "把小序的《第一周》从1分改成9.5分：口头补答" in log
    assert "发布了《第一周》" in log


def test_a_mark_set_meanwhile_is_not_replaced_unseen(teacher: Reader, term: Term, first: int) -> None:
    path = term.path(first, "小序")
    override, excuse = (teacher.open(path).form(f"{path}/{kind}") for kind in ("overrides", "excuses"))
    cell_key = CellKey(*term.key(first), term.places["小序"])
    term.write(mark_overrides.override_mark, TEACHER, cell_key, "9", "口头补答", term.now)
    page = teacher.submit(excuse, status=422, reason="病假")
    assert "这一格刚才变成了9/10" in page.by_id("excuse-error").text
    page = teacher.submit(override, status=422, points="8.5", reason="补做")
    assert "这一格刚才变成了9/10" in page.by_id("override-error").text
    page = teacher.submit(page.form(f"{path}/overrides"))
    assert "改分的理由：补做" in page.main.text


def test_the_page_of_the_assignment_tells_the_same_mark(teacher: Reader, term: Term, first: int) -> None:
    assignment_url, cell = f"/classrooms/{term.classroom}/assignments/{first}", term.path(first, "小序")
    assert "9.5/10" not in teacher.open(assignment_url).by_id("progress").text
    teacher.open(cell)
    teacher.submit(teacher.page.form(f"{cell}/overrides"), points="9.5", reason="口头补答")
    assert "9.5/10" in teacher.open(assignment_url).by_id("progress").text
    links = {link["href"] for link in teacher.page.main.all("a")}
    mistakes_url = f"/classrooms/{term.classroom}/mistakes?assignment={first}"
    assert {f"{assignment_url}/review", mistakes_url} <= links


def test_an_extension_is_told_on_the_page_and_in_the_log(teacher: Reader, term: Term, first: int) -> None:
    place = term.places["小方"]
    term.write(
        lifecycle.extend_due_times, TEACHER, term.key(first), [place], NOW + 5 * DAY, "病假", NOW + DAY
    )
    assert "延期到2026-09-06 09:00：病假" in teacher.open(term.path(first, "小方")).main.text
    log = teacher.open(f"/classrooms/{term.classroom}/audit").main.text
    assert "给小方的《第一周》延期到09-06 09:00（原来09-03 09:00）：病假" in log


def correct_the_first(teacher: Reader, course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first question gets other grades: what was right is wrong now."""
    item = course.items["cg-chengdu"]
    assert isinstance(item, Numeric)
    other_item = item.model_copy(
        update={"question": item.question.model_copy(update={"grades": [4, 2, 0, 1, 4]})}
    )
    monkeypatch.setattr(
        teacher.client.app.state.site.course_source,  # type: ignore[attr-defined]
        "course",
        course.with_items({**course.items, "cg-chengdu": other_item}),
    )


def test_an_item_is_marked_anew_after_one_has_seen_who_changes(
    teacher: Reader, term: Term, first: int, course: Course, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    regrades_url = f"/classrooms/{term.classroom}/assignments/{first}/regrades"
    page = teacher.open(regrades_url)
    ways = page.main.one("ol", class_="regrade-parts").all("a")
    assert "没有人的分数会变" in teacher.open(ways[0]["href"]).main.text
    correct_the_first(teacher, course, monkeypatch)
    before = ledger.rows("SELECT * FROM submission")
    changed = ["小糖 第1遍 10 → 8 ↓ 10 → 8", "小序 第1遍 2 → 0 ↓ 1 → 0"]
    assert regrade_rows(teacher, ways[0]["href"]) == changed
    excused = (TEACHER, CellKey(term.classroom, first, term.places["小序"]))
    term.write(mark_overrides.excuse_student, *excused, "病假", term.now)
    assert regrade_rows(teacher, ways[0]["href"])[1] == "小序 第1遍 2 → 0 ↓ 免 不变"
    term.write(mark_overrides.take_back_override, *excused, term.now)
    page = teacher.open(ways[0]["href"])
    assert ledger.rows("SELECT * FROM submission") == before
    refused = teacher.submit(page.form(regrades_url), reason="", status=422)
    assert "理由" in refused.by_id("regrade-error").text
    page = teacher.submit(refused.form(regrades_url), reason="答案录错了")
    assert "《第一周》第1题重新评分，2份的分数变了：答案录错了" in page.main.text
    assert "小糖：10分 → 8分" in page.main.text
    work = teacher.open(term.path(first, "小糖")).main.all("article")[0].text
    assert "✓ 对" in work, "the work of then"
    assert "重新评分后：✗ 不对，得0分。" in work


def test_work_that_cannot_be_judged_again_is_named_and_that_of_others_changes(
    teacher: Reader, term: Term, first: int, course: Course, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    correct_the_first(teacher, course, monkeypatch)
    break_questions = "UPDATE submission SET seeds = '[' WHERE enrolment_id = ? RETURNING seeds"
    ledger.rows(break_questions, term.places["小糖"])
    regrades_url = f"/classrooms/{term.classroom}/assignments/{first}/regrades"
    way = teacher.open(regrades_url).main.one("ol", class_="regrade-parts").all("a")[0]["href"]
    assert regrade_rows(teacher, way) == ["小序 第1遍 2 → 0 ↓ 1 → 0"]
    page = teacher.open(way)
    assert "小糖的重新判不了，维持原来的分" in page.main.one("p", role="alert").text
    page = teacher.submit(page.form(regrades_url), reason="答案录错了")
    assert "小糖：批改时程序出了错，维持原来的分" in page.main.text
    assert "小序：2分 → 0分" in page.main.text


def test_nobody_loses_by_a_regrade_that_only_raises(
    teacher: Reader, term: Term, first: int, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    regrades_url = f"/classrooms/{term.classroom}/assignments/{first}/regrades"
    correct_the_first(teacher, course, monkeypatch)
    ways = teacher.open(regrades_url).main.one("ol", class_="regrade-parts").all("a")
    page = teacher.open(ways[0]["href"])
    assert "有2份要降" in page.main.text
    only_up = page.main.one("section", class_="panel").all("a")[0]
    page = teacher.open(only_up["href"])
    assert "没有人的分数会变" in page.main.text
    assert "要少得分的，维持原来的分" in page.main.text
    assert "2份卷子分数不变，看到的正确答案换成今天的" in page.main.text
    teacher.submit(page.form(regrades_url), reason="答案录错了")
    page = teacher.open(only_up["href"])
    assert "没有人的分数会变" in page.main.text
    assert not page.main.all("form"), "it was told"
    work = teacher.open(term.path(first, "小糖")).main.all("article")[0].text
    assert "重新评分后：✓ 对，得2分。" in work


def test_the_answer_and_the_way_to_it_stand_beside_the_work(teacher: Reader, term: Term, first: int) -> None:
    wrong, blank = teacher.open(term.path(first, "小序")).main.all("article")[1:]
    key = wrong.one("details", class_="right-way")
    assert re.search(r"该怎么答： DCG@\d[=≈]", key.text), "k is drawn with the seed"
    assert "之间都算对" in key.text
    assert key.one("ol", class_="worked").all("li")
    assert "没有答" in blank.text
    assert blank.one("div", class_="stem").text, "what was left blank is shown too"
    assert "该怎么答" in blank.text
    assert "0/4分" in blank.text


def test_one_question_gets_other_points_and_its_student_reads_why(
    client: TestClient, teacher: Reader, term: Term, first: int
) -> None:
    student = browser(client)
    student.client.cookies.set(COOKIE, "tang-of-the-graded")
    term.write(join_as, term.classroom, "小塘", "tang-of-the-graded", term.now)
    term.join()
    term.do("小塘", first, "rw-", caller=Caller("tang-of-the-graded"))
    path = term.path(first, "小塘")
    page = teacher.open(path)
    right, wrong, blank = page.main.all("article")
    assert "改这题的分" in right.text
    assert "改这题的分" not in blank.text, "there is no answer"
    [_, form] = page.main.all("form", action=f"{path}/question-marks")
    refused = teacher.submit(form, points="5", reason="过程对", status=422)
    assert "满分是4" in refused.by_id("p1-q2-mark-error").text
    assert refused_fields(refused.main) == ["points"]
    refused = teacher.submit(form, points="3", reason=" ", status=422)
    assert refused_fields(refused.main) == ["reason"]
    assert refused.by_id("points")["value"] == "", "of the whole work nothing was typed"
    [_, form] = refused.main.all("form", action=f"{path}/question-marks")
    teacher.submit(form, points="2", reason="过程对")
    page = teacher.submit(form, points="3", reason="过程对", status=422)
    assert "刚才变成了2/4" in page.by_id("p1-q2-mark-error").text
    [_, form] = page.main.all("form", action=f"{path}/question-marks")
    page = teacher.submit(form, points="3", reason="过程对")
    wrong = page.main.all("article")[1]
    assert "3/4分" in wrong.text
    assert "老师改成了3分。" in wrong.text
    page_part = student.open(f"/assignments/{first}/passes/1").by_id("q2")
    assert "4分里得3分（老师改过，原来0分）" in page_part.text
    assert "老师改了这道题的分：过程对" in page_part.text
    log = teacher.open(f"/classrooms/{term.classroom}/audit").main.text
    assert "把小塘的《第一周》第2题从2分改成3分：过程对" in log
    [_, form] = page.main.all("form", action=f"{path}/question-marks")
    page = teacher.submit(form, "收回")
    assert "0/4分" in page.main.all("article")[1].text


def test_words_that_count_by_being_there_can_be_given_fewer_points(teacher: Reader, term: Term) -> None:
    """An answer in words without a rubric earns its points whatever it says, until its teacher says else."""
    term.join("小塘")
    work = term.assign("说说看", [NewPart("item", "content:why-best-swap", points=2.0)])
    term.do("小塘", work, "r")
    path = term.path(work, "小塘")
    page = teacher.open(path)
    [form] = page.main.all("form", action=f"{path}/question-marks")
    page = teacher.submit(form, points="0.5", reason="只写了一个字")
    assert "0.5/2分" in page.main.one("article").text


def regrade_rows(teacher: Reader, path: str) -> list[str]:
    table = teacher.open(path).main.one("table", class_="regrade-table")
    return [row.text for row in table.one("tbody").all("tr")]


def test_the_student_sees_a_corrected_question_by_its_second_mark(
    client: TestClient,
    teacher: Reader,
    term: Term,
    first: int,
    course: Course,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    student = browser(client)
    student.client.cookies.set(COOKIE, "tang-of-the-graded")
    term.write(join_as, term.classroom, "小塘", "tang-of-the-graded", term.now)
    term.join()
    term.do("小塘", first, "rr-", caller=Caller("tang-of-the-graded"))
    before = student.open(f"/assignments/{first}/passes/1").by_id("question-1")
    assert "is-right" in before["class"]
    correct_the_first(teacher, course, monkeypatch)
    regrades_url = f"/classrooms/{term.classroom}/assignments/{first}/regrades"
    page = teacher.open(teacher.open(regrades_url).main.one("ol", class_="regrade-parts").all("a")[0]["href"])
    teacher.submit(page.form(regrades_url), reason="答案录反了")
    page = student.open(f"/assignments/{first}/passes/1")
    page_part = page.by_id("question-1")
    assert "is-right" not in page_part["class"]
    assert "2分里得0分（重新评分过，原来2分）" in page_part.text
    assert "✓" not in page_part.text
    assert "老师更正了这道题：答案录反了" in page.by_id("q1").text
    assert "老师更正了" not in page.by_id("q2").text
    [correction_line] = [line for line in page.main.all("p", class_="done") if "重新评过" in line.text]
    assert [link["href"] for link in correction_line.all("a")] == ["#q1"]
    assert [link["href"] for link in page.by_id("rail").all("a")] == ["#q1", "#q2", "#q3"]


def test_a_faulty_question_counts_in_full_for_all(teacher: Reader, term: Term, first: int) -> None:
    regrades_url = f"/classrooms/{term.classroom}/assignments/{first}/regrades"
    ways = teacher.open(regrades_url).main.one("ol", class_="regrade-parts").all("a")
    page = teacher.open(ways[5]["href"])
    assert "1位同学的分数会变" in page.main.text
    teacher.submit(page.form(regrades_url), reason="题里的图错了")
    assert "5 迟交" in teacher.open(book(term)).main.text
    assert "全员给满分。题里的图错了" in teacher.open(term.path(first, "小序")).main.text
    page = teacher.open(regrades_url)
    back = page.main.one("ol", class_="regrade-parts").all("a")[3]
    assert back.text.startswith("取消")
    page = teacher.open(back["href"])
    teacher.submit(page.form(regrades_url), reason="图没有错")
    assert "1 迟交" in teacher.open(book(term)).main.text


@pytest.mark.parametrize("query", ["part=0&way=again", "part=99&way=full", "part=1&way=steal", "part=x"])
def test_a_part_that_is_not_there(teacher: Reader, term: Term, first: int, query: str) -> None:
    path = f"/classrooms/{term.classroom}/assignments/{first}/regrades?{query}"
    assert teacher.client.get(path).status_code in (200, 404)


@pytest.mark.usefixtures("first")
def test_an_archived_class_is_only_read(teacher: Reader, term: Term, first: int) -> None:
    term.write(classrooms.archive_class, TEACHER, term.classroom, NOW)
    path = term.path(first, "小序")
    assert teacher.open(path).main.all("form") == []
    assert "归档" in Page(teacher.post(f"{path}/overrides", [("points", "9"), ("reason", "x")])).text
    assert "归档" in Page(teacher.post(f"{path}/withdrawals", [])).text
    regrades_url = f"/classrooms/{term.classroom}/assignments/{first}/regrades"
    part = teacher.open(regrades_url).main.one("ol", class_="regrade-parts").all("a")[0]["href"]
    assert teacher.open(part).main.all("form") == []


def test_an_action_without_a_sentence_is_not_hidden() -> None:
    row = ClassRow(1, "高一3班", NOW, None, "ABCDEF", None)
    noted = AuditEntry(1, NOW, "conjure", {"what": "糖"}, 7, "第一周", None, None, "王")
    [line] = audit_lines(AuditPage(row, (noted,)), ZoneInfo("UTC"))
    assert (line.action_words, line.detail_lines) == ("改动了《第一周》（conjure）", ['{"what": "糖"}'])
    assert "conjure" not in DESCRIBER_BY_ACTION


def test_the_student_sees_what_was_marked_anew_and_set_by_hand(
    client: TestClient, teacher: Reader, term: Term, first: int
) -> None:
    student = browser(client)
    student.client.cookies.set(COOKIE, "xu-of-the-graded")
    term.write(join_as, term.classroom, "小许", "xu-of-the-graded", term.now)
    term.join()
    term.do("小许", first, "ww-", caller=Caller("xu-of-the-graded"))
    work = student.open(f"/assignments/{first}/passes/1").main.text
    assert "2分里得0分" in work
    regrades_url = f"/classrooms/{term.classroom}/assignments/{first}/regrades"
    ways = teacher.open(regrades_url).main.one("ol", class_="regrade-parts").all("a")
    page = teacher.open(ways[2]["href"])
    teacher.submit(page.form(regrades_url), reason="题里的图错了")
    work = student.open(f"/assignments/{first}/passes/1").main.text
    assert "2分里得2分（重新评分过，原来0分）" in work
    assert "老师更正了这道题：题里的图错了" in work
    assert "1分（2分，迟交，得分按50%算），满分10分" in work
    path = term.path(first, "小许")
    teacher.open(path)
    teacher.submit(teacher.page.form(f"{path}/overrides"), points="7", reason="口头补答")
    for where in (f"/assignments/{first}", f"/assignments/{first}/passes/1"):
        assert "老师把这份作业的成绩改成了7分，满分10分" in student.open(where).main.text


def join_as(session: VerbSession, classroom: int, name: str, token: str, at: datetime) -> None:
    """A student whose cookie a browser can carry."""
    classrooms.open_join_code(session, TEACHER, classroom, at)
    code = classrooms.taught_class(session, TEACHER, classroom).code
    joining.join_with_new_account(session, Caller(), code, *newcomer(name, token), at)


def test_options_stand_in_the_order_of_then(teacher: Reader, term: Term, course: Course) -> None:
    """Every student has options in another order; the teacher sees that of this one."""
    choices = [
        option
        for option in course.items.values()
        if isinstance(option, SingleChoice) and len(option.options) > 3
    ]
    assignment_id = term.assign("选择题", [NewPart("item", course.ref(item.id)) for item in choices[:6]])
    row = term.write(lookup.assignment_of_class, term.key(assignment_id))
    orders = []
    for name in ("小糖", "小序"):
        term.do(name, assignment_id, "r" * 6)
        paper = QuestionSet(
            {}, term.write(lookup.parts_of, assignment_id), row.seed, term.places[name], 1, row.hmac_key
        )
        articles = teacher.open(term.path(assignment_id, name)).main.all("article")
        texts_of_articles = [
            [option.text for option in article.one("ul", class_="offered").all("li")] for article in articles
        ]
        for item, assigned_question, texts in zip(choices, paper.questions, texts_of_articles, strict=False):
            options = item.variant(paper.seed_by_question_ref[assigned_question.ref]).options
            assert texts == [parsed(course.line_html(option.text)).text for option in options]
        orders.append(texts_of_articles)
    assert orders[0] != orders[1]


def test_signs_are_folded_and_judge_nobody(teacher: Reader, term: Term, course: Course) -> None:
    item = next(candidate for candidate in course.items.values() if isinstance(candidate, SingleChoice))
    assignment_id = term.assign("选择题", [NewPart("item", course.ref(item.id))])
    term.do("小糖", assignment_id, "r", hand_in=False)
    assert not teacher.open(term.path(assignment_id, "小糖")).has("signs")
    attempt_key = AttemptKey(source="practice", ref=course.ref(item.id), seed=1)
    caller = Caller(term.token("小糖"))
    answer = Answer(course.ref(item.id), 1, tuple(right_answer(item)), 9)
    term.write(responding.respond, caller, attempt_key, answer, course, term.now)
    signs = teacher.open(term.path(assignment_id, "小糖")).by_id("signs")
    assert signs.tag == "details"
    assert "open" not in signs.attributes
    assert "第1题在做这份作业的时候" in signs.text
    assert "不影响分数" in signs.text


def test_what_is_not_scored_says_once_that_it_came_late() -> None:
    unscored_look = cell_look(GradebookCell("late", 0.0), 0, 9)
    assert (unscored_look.shown_html, unscored_look.spoken_words) == ("迟交", "迟交")
    scored_look = cell_look(GradebookCell("late", 8.0), 9, 9)
    assert (scored_look.shown_html, scored_look.spoken_words) == ("8<small>迟交</small>", "8，迟交")


@pytest.mark.parametrize(
    ("cell", "is_link"),
    [
        (GradebookCell("exempt"), False),
        (GradebookCell("gone"), False),
        (GradebookCell("exempt", is_by_hand=True), True),
        (GradebookCell("exempt", 7.0), True),
        (GradebookCell("missing"), True),
    ],
)
def test_a_cell_without_work_to_look_at_leads_nowhere(cell: GradebookCell, is_link: bool) -> None:
    assert cell_look(cell, 10, 9).is_link is is_link
