"""An assignment from draft to result, as browsers without a script meet it."""

from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from app.course import Course
from tests.web.assignments.drafting import FUTURE, NUMERIC, in_rows, press
from tests.web.cast import Page, Reader, browser, right_answer, wrong_answer
from tests.web.school import code_of, join_new, sign_in
from tests.web.taught import Term


@pytest.mark.both_databases
def test_from_draft_to_result(term: Term, course: Course) -> None:
    item = course.items[NUMERIC]
    draft_path = term.draft(NUMERIC, NUMERIC)
    assert "满分4分" in term.teacher.open(draft_path).by_id("parts").text
    path = term.publish(draft_path)
    assert "第一周" in term.student.open("/assignments").main.text
    assert "作业：第一周" in term.student.open("/").main.one("p", class_="due-line").text
    term.begin(path)
    assert term.student.page.path == f"{path}/questions/1"
    term.answer(path, 1, right_answer(item))
    assert term.student.page.path == f"{path}/questions/2"
    rail = term.student.page.by_id("rail")
    assert [element.text for element in rail.all("a")] == ["第 1 题，存好了", "第 2 题，没答"]
    assert term.student.open(path).main.one("a", class_="primary")["href"] == f"{path}/questions/2"
    term.answer(path, 2, wrong_answer(item))
    assert term.student.page.path == f"{path}/hand-in"
    assert "都答了" in term.student.page.main.text
    page = term.hand_in(path)
    assert page.path == f"{path}/passes/1"
    assert "2分，满分4分" in page.main.one("p", class_="score").text
    assert "2分里得2分" in page.by_id("question-1").text
    assert "2分里得0分" in page.by_id("question-2").text
    assert page.by_id("question-2").all("ol", class_="worked")
    progress = term.teacher.open(draft_path).by_id("progress")
    assert "2/4" in progress.text
    assert "2分" not in term.teacher.open(progress.one("table").one("a")["href"]).main.one("h1").text
    assert [element.text for element in term.teacher.page.main.all("b", class_="verdict")] == [
        "✓ 对",
        "✗ 不对",
    ]
    heat = term.teacher.open(f"/classrooms/{term.classroom}").main.one("table", class_="heat-table")
    assert "1/2" in heat.text, "also questions of assignments"
    assert not term.student.open("/").main.all("p", class_="due-line")


@pytest.mark.parametrize("is_gone", [True, False], ids=["no cookie", "signed out elsewhere"])
def test_whose_sign_in_has_ended_is_told_so_and_comes_back_by_signing_in(term: Term, is_gone: bool) -> None:
    path = term.publish(term.draft("cg-chengdu"))
    term.begin(path)
    if is_gone:
        term.student.client.cookies.clear()
    else:
        term.student.twin().post("/sign-outs", [("next", "/")])
    trouble = term.student.open(f"{path}/questions/1", status=404).main
    assert "没有登录" in trouble.text
    assert (
        trouble.all("a", class_="primary")[0]["href"] == f"/sign-in?next={quote(f'{path}/questions/1', '')}"
    )
    assert "没有登录" not in term.teacher.open(path, status=404).main.text, "it is another one's"


def test_who_has_not_handed_in_is_a_text_to_paste(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due=FUTURE)
    task = term.publish(draft_path)
    text = term.teacher.open(draft_path).by_id("missing-names").text
    assert text.startswith("《第一周》还有1位没交：小糖。")
    assert f"9月1日周二23:59截止，在这里做：http://testserver{task}" in text
    term.begin(task)
    term.hand_in(task)
    assert not term.teacher.open(draft_path).main.all("pre", id="missing-names")


@pytest.mark.parametrize("way", ["excused", "left out"])
def test_who_need_not_do_it_any_more_is_not_called_out(term: Term, way: str) -> None:
    join_new(browser(term.client), code_of(term.teacher, term.classroom), "小序")
    [(other_place,)] = term.ledger.rows("SELECT id FROM enrolment WHERE name = '小序'")
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment WHERE name = '小糖'")
    draft_path = term.draft(NUMERIC)
    term.begin(term.publish(draft_path))
    page = term.teacher.open(draft_path)
    if way == "excused":
        work_path = f"{draft_path}/students/{place}"
        term.teacher.submit(term.teacher.open(work_path).form(f"{work_path}/excuses"), reason="病假")
    else:
        term.teacher.submit(page.form(f"{draft_path}/assignees"), everyone="no", student=str(other_place))
    page = term.teacher.open(draft_path)
    assert page.by_id("missing-names").text.startswith("《第一周》还有1位没交：小序。")
    assert page.by_id("progress-title").text == "谁做了 交了0/2", "nothing is handed in either"


def test_the_text_to_paste_says_once_that_nothing_is_taken_any_more(term: Term) -> None:
    """It led a whole class to a page on which there was nothing to do; whoever has more time is still led."""
    draft_path = term.draft(NUMERIC)
    task = term.publish(draft_path)
    form = term.teacher.open(draft_path).form(f"{draft_path}/collections")
    page = term.teacher.submit(form)
    text = page.by_id("missing-names").text
    assert (text.endswith("结束了，不再收了。"), task in text) == (True, False)
    assert page.main.one("p", class_="lead").text.count("结束了") == 1
    [(student_id,)] = term.ledger.rows("SELECT id FROM enrolment")
    form = page.form(f"{draft_path}/extensions", "改时间")
    page = term.teacher.submit(form, "改时间", due=FUTURE, student=str(student_id))
    assert page.by_id("missing-names").text.endswith(f"不再收了。延了期的还能做：http://testserver{task}")


def test_of_a_whole_class_those_who_have_not_handed_in_are_listed_alone(
    term: Term, client: TestClient
) -> None:
    roster = "\n".join(f"同学{number},{number:03}" for number in range(12))
    page = term.teacher.post(
        f"/classrooms/{term.classroom}/roster-previews", [("text", f"姓名,学号\n{roster}")]
    )
    term.teacher.submit(Page(page).form(f"/classrooms/{term.classroom}/roster"))
    assignment_url = term.draft(NUMERIC)
    path = term.publish(assignment_url)
    term.begin(path)
    term.answer(path, 1, ["1"])
    term.hand_in(path)

    def listed(query: str) -> int:
        page = term.teacher.open(f"{assignment_url}{query}")
        assert "全部 13 没交的 12 交了的 1" in page.main.text
        return len(page.main.one("table", class_="doing").one("tbody").all("tr"))

    assert [listed(query) for query in ("", "?only=missing", "?only=done", "?only=x")] == [13, 12, 1, 13]


def test_the_log_holds_changes_of_what_there_is_to_do(term: Term) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC)
    log = f"/classrooms/{term.classroom}/audit"
    form = term.teacher.open(draft_path).form(f"{draft_path}/parts/settings", "改好")
    term.teacher.submit(form, **in_rows(points_1="3"))
    assert "题目和分值" not in term.teacher.open(log).main.text, "a draft is nobody else's business"
    term.publish(draft_path)
    form = term.teacher.open(draft_path).form(f"{draft_path}/parts/settings", "改好")
    term.teacher.submit(form, **in_rows(points_1="4"))
    press(term, term.teacher.page, f"{draft_path}/parts/1/moves", "↓")
    press(term, term.teacher.page, f"{draft_path}/parts/1/swaps", "换")
    press(term, term.teacher.page, f"{draft_path}/parts/2/removals", "移走")
    term.teacher.submit(term.teacher.page.by_id("add-practice").one("form"))
    term.set_up(draft_path, pre="yes")
    term.set_up(draft_path, due=FUTURE, note="请带计算器")
    main_text = term.teacher.open(log).main
    assert [element.text for element in main_text.all("p", class_="audit-text")] == [
        "把《第一周》的截止时间从“没有”改到09-01 23:59",
        "改了《第一周》的设置",
        *["改了《第一周》的题目和分值"] * 5,
        "发布了《第一周》",
    ]
    assert [element.text for element in main_text.all("ul", class_="audit-more")] == [
        "说明：空着 → 请带计算器",
        "种类：都不是 → 前测",
        "第2项：加上的",
        "原来的第1项：移走了",
        "第2项换了一道同类题",
        "换了顺序",
        "第1项的分值：3 → 4",
    ]
    assert {element.text.rpartition(" · ")[2] for element in main_text.all("p", class_="section-note")} == {
        "王"
    }


def test_the_preview_is_what_students_see_and_takes_nothing(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    page = term.teacher.open(f"{draft_path}/preview")
    assert page.main.one("fieldset", class_="plain").attributes.get("disabled") == ""
    assert page.by_id("question-1")
    term.teacher.open(f"{draft_path}/preview?question=9", status=404)


def test_whoever_left_the_class_still_reads_what_they_handed_in(term: Term, course: Course) -> None:
    path, other_path = (term.publish(term.draft(NUMERIC, title=title)) for title in ("第一周", "第二周"))
    for url in (path, other_path):
        term.begin(url)
        term.answer(url, 1, right_answer(course.items[NUMERIC]))
    form = term.student.page.form(f"{other_path}/hand-ins")
    term.hand_in(path)
    term.student.open(f"{other_path}/questions/1")
    answer = term.student.page.form(f"{other_path}/questions/1/responses")
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    term.teacher.post(f"/classrooms/{term.classroom}/students/{place}/removals", [])
    page = term.student.open("/assignments")
    assert [element.text for element in page.main.all("a", class_="task-title")] == ["第一周", "第二周"]
    assert "只能看" in page.by_id("past").text
    page = term.student.open(path)
    assert "已经不布置给你了" in page.main.text
    assert not page.main.all("button")
    assert "2分，满分2分" in page.main.text
    assert "你没有" not in page.main.text
    unfinished = term.student.open(other_path).main.text
    assert "你没有交过。存下的答案，老师还看得到。" in unfinished
    assert "2分里得2分" in term.student.open(f"{path}/passes/1").by_id("question-1").text
    assert not term.student.page.main.all("a", href=path)[1:], "no other pass is offered"
    assert term.student.open(f"{other_path}/questions/1").path == other_path
    page = term.student.submit(answer, answer=["7"], status=422)
    assert "已经不布置给你了" in page.by_id("question-1-error").text
    assert page.by_id("question-1-answer")["value"] == "7", "what was typed is still there"
    assert "已经不布置给你了" in term.student.submit(form, status=422).main.one("p", class_="error").text


def test_whoever_is_in_a_class_has_a_way_there_on_every_page(term: Term, client: TestClient) -> None:
    def way(reader: Reader) -> list[str]:
        """What stands there before 我的, where a reader has 进度."""
        links = reader.open("/course").root.one("nav", class_="site-nav").all("a")
        return [link["href"] for link in links[5:-1]]

    assert way(term.student) == ["/assignments"]
    assert way(browser(client)) == []
    assert way(term.teacher) == ["/classrooms"]
    again = browser(client)
    sign_in(again, "王")
    assert way(again) == ["/classrooms"]
    term.student.submit(term.student.page.form("/sign-outs"))
    assert way(term.student) == [], "another one at the same computer"
