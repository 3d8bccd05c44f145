"""Items of a teacher's own in assignments: assigned, changed, deleted, reported."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.web.cast import Ledger, Page, browser
from tests.web.pages import Element
from tests.web.school import new_class, new_teacher
from tests.web.taught import Term

OWN = """\
title: 食堂排队
skill: order-matters
items:
  first:
    kind: true_false
    stem: 食堂里，排前面的先吃到。
    answer: true
    hints: [想想队伍。]
"""


def test_items_of_one_s_own_are_assigned_like_others(term: Term, client: TestClient) -> None:
    term.teacher.open("/own/new")
    page = term.teacher.submit(term.teacher.page.form("/own", "存"), text=OWN)
    assert page.path == "/own/1?kept=1", page.text
    draft_path = term.draft()
    page = term.teacher.open(f"{draft_path}/items?skill=order-matters")
    assert "own-1:first" in [element["value"] for element in page.main.all("input", name="ref")]
    term.teacher.submit(page.form(f"{draft_path}/parts"), ref="own-1:first")
    path = term.publish(draft_path)
    term.begin(path)
    assert "排前面的先吃到" in term.student.page.main.text
    term.answer(path, 1, ["true"])
    assert "1分，满分1分" in term.hand_in(path).main.text
    assert term.ledger.rows("SELECT item FROM response") == [("own-1:first#1",)]
    colleague = new_teacher(client, "李")
    room = new_class(colleague, "别的班")
    colleague.open(f"/classrooms/{room}/assignments")
    colleague.submit(colleague.page.form(f"/classrooms/{room}/assignments"), title="借来的")
    stolen = [("kind", "item"), ("ref", "own-1:first")]
    response = colleague.post(f"{colleague.page.path}/parts", stolen)
    assert response.status_code == 422, "what a colleague wrote is theirs"


def test_after_mending_an_item_in_use_its_regrade_is_offered(term: Term) -> None:
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=OWN)
    draft_path = term.draft("cg-chengdu")
    assert (
        term.teacher.post(f"{draft_path}/parts", [("kind", "item"), ("ref", "own-1:first")]).status_code
        == 200
    )
    path = term.publish(draft_path)
    assert "在哪里用着 高一3班：第一周 还没人交" in term.teacher.open("/own/1").main.text
    term.begin(path)
    term.answer(path, 2, ["false"])
    term.hand_in(path)
    page = term.teacher.open("/own/1")
    mended = OWN.replace("answer: true", "answer: false")
    page = term.teacher.submit(page.form("/own/1", "存"), text=mended)
    assert page.path == "/own/1?kept=1&changed=first"
    link = page.main.one("div", class_="own-answered").one("a", class_="button")
    page = term.teacher.open(link["href"])
    assert "小糖 第1遍 0 → 1 ↑" in page.main.text
    page = term.teacher.submit(page.form(f"{draft_path}/regrades"), reason="答案录反了")
    assert "《第一周》第2题重新评分，只升不降，1份的分数变了" in page.main.text
    page = term.teacher.open("/own/1")
    page = term.teacher.submit(page.form("/own/1", "存"), text=mended.replace("食堂排队", "排队"))
    assert "存好了" in page.main.text
    assert not page.main.all("div", class_="own-answered"), "no question has changed"


def test_answers_that_were_marked_at_once_can_be_regraded_before_anybody_hands_in(term: Term) -> None:
    path = assigned_own(term, answers="at_once")
    term.answer(path, 1, ["false"])
    page = term.teacher.open("/own/1")
    mended = OWN.replace("answer: true", "answer: false")
    page = term.teacher.submit(page.form("/own/1", "存"), text=mended)
    assert "这里的题已经有人答过" in page.main.text
    assert "还没人交，另有1份答过了" in page.main.text
    link = page.main.one("div", class_="own-answered").one("a", class_="button")
    page = term.teacher.open(link["href"])
    regrades_url = link["href"].partition("?")[0]
    term.teacher.submit(page.form(regrades_url), reason="答案录反了")
    assert "1分，满分1分" in term.hand_in(path).main.text
    page = term.teacher.open("/own/1")
    assert "交了1份" in page.main.text
    assert "答过了" not in page.main.text


def test_papers_with_no_marked_answer_are_not_said_to_have_answered(term: Term) -> None:
    path = assigned_own(term, answers="handed_in")
    term.answer(path, 1, ["false"])
    page = term.teacher.open("/own/1")
    assert "还没人交" in page.main.text
    assert "答过了" not in page.main.text
    mended = OWN.replace("answer: true", "answer: false")
    page = term.teacher.submit(page.form("/own/1", "存"), text=mended)
    assert "这里的题已经有人答过" not in page.main.text


CHOICE = """\
title: 小测
skill: dcg
items:
  first:
    stem: 第3位打几折？
    options:
      - {text: 五拆, right: true}
      - 七折
      - 三折
"""


def test_an_answer_stands_when_words_of_its_option_are_corrected(term: Term) -> None:
    path = assigned_own(term, text=CHOICE, answers="handed_in")
    answer_id = answer_inputs(term.student.page)["五拆"]["value"]
    term.answer(path, 1, [answer_id])
    form = term.teacher.open("/own/1?item=first").form("/own/1", "存")
    corrected_field: dict[str, Any] = {"f-options-0-text": "五折"}
    term.teacher.submit(form, **corrected_field)
    assert f"id: {answer_id}" in term.ledger.rows("SELECT text FROM own_course")[0][0]
    answer_input = answer_inputs(term.student.open(f"{path}/questions/1"))["五折"]
    assert answer_input["value"] == answer_id
    assert answer_input.get("checked") is not None
    assert "1分，满分1分" in term.hand_in(path).main.text


def answer_inputs(page: Page) -> dict[str, Element]:
    """The inputs of the options on the page of a question, by the words beside them."""
    labels = page.main.one("ul", class_="options").all("label")
    return {label.text.split()[-1]: label.one("input") for label in labels}


def test_in_a_draft_options_are_written_as_they_are(term: Term) -> None:
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=CHOICE)
    draft_path = term.draft()
    part = [("kind", "item"), ("ref", "own-1:first")]
    assert term.teacher.post(f"{draft_path}/parts", part).status_code == 200
    corrected_text = CHOICE.replace("五拆", "五折")
    term.teacher.submit(term.teacher.open("/own/1").form("/own/1", "存"), text=corrected_text)
    assert term.ledger.rows("SELECT text FROM own_course") == [(corrected_text,)]


def test_a_result_stands_after_its_content_was_deleted(term: Term) -> None:
    """As it was where it was answered; a question that was not says that it cannot be shown."""
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=OWN)
    draft_path = term.draft()
    for _ in range(2):
        fields = [("kind", "item"), ("ref", "own-1:first"), ("points", "1")]
        assert term.teacher.post(f"{draft_path}/parts", fields).status_code == 200
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, ["true"])
    term.hand_in(path)
    term.teacher.submit(term.teacher.open(draft_path).form(f"{draft_path}/collections"))
    term.teacher.submit(term.teacher.open("/own/1").form("/own/1/deletions"))
    page = term.student.open(f"{path}/passes/1")
    assert "排前面的先吃到" in page.by_id("q1").text
    assert "1分里得1分" in page.by_id("q1").text
    assert "题面显示不出来" in page.by_id("q2").text
    assert "没答 · 1分里得0分" in page.by_id("q2").text
    assert "跳过它" not in page.main.text


def assigned_own(term: Term, text: str = OWN, **wishes: Any) -> str:
    """The path of an assignment of what 王 wrote, begun by 小糖."""
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=text)
    draft_path = term.draft()
    part = [("kind", "item"), ("ref", "own-1:first")]
    assert term.teacher.post(f"{draft_path}/parts", part).status_code == 200
    if wishes:
        term.set_up(draft_path, **wishes)
    path = term.publish(draft_path)
    term.begin(path)
    return path


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (OWN.replace("answer: true", "answer: 5"), "作业“第一周”（高一3班）正在用它，可是这里还有错"),
        (OWN.replace("  first:", "  second:"), "作业“第一周”（高一3班）还在用“first”，这里没有了"),
    ],
)
def test_what_an_open_assignment_asks_is_not_taken_from_under_it(
    term: Term, text: str, sentence: str
) -> None:
    assigned_own(term)
    page = term.teacher.open("/own/1")
    page = term.teacher.submit(page.form("/own/1", "存"), text=text, status=422)
    assert sentence in page.by_id("own-error").text
    assert text in page.html.replace("&#34;", '"')
    assert term.ledger.rows("SELECT text FROM own_course") == [(OWN,)]
    term.teacher.submit(page.form("/own/1", "另存"), "另存", text=text)
    assert term.ledger.rows("SELECT text FROM own_course ORDER BY id") == [(OWN,), (text,)]
    harmless = OWN.replace("食堂排队", "食堂")
    term.teacher.open("/own/1")
    term.teacher.submit(term.teacher.page.form("/own/1", "存"), text=harmless)
    path = f"/classrooms/{term.classroom}/assignments/1"
    way_out_words = "那份作业已经结束，还有没收的卷子"
    assert way_out_words not in page.by_id("own-error").text
    term.teacher.submit(term.teacher.open(path).form(f"{path}/closings"))
    term.teacher.open("/own/1")
    page = term.teacher.submit(term.teacher.page.form("/own/1", "存"), text=text, status=422)
    assert way_out_words in page.by_id("own-error").text
    term.teacher.submit(term.teacher.open(path).form(f"{path}/collections"))
    term.teacher.open("/own/1")
    term.teacher.submit(term.teacher.page.form("/own/1", "存"), text=text)


@pytest.mark.parametrize("answers", ["at_once", "handed_in"])
def test_a_report_names_the_question_of_the_assignment(term: Term, answers: str) -> None:
    path = assigned_own(term, answers=answers)
    form = term.student.open(f"{path}/questions/1").form("/reports")
    page = term.student.submit(form, text="第二句不通")
    assert page.path == f"{path}/questions/1"
    term.student.submit(form, text="还有个错字", htmx=True)
    reports = term.ledger.rows("SELECT item, page FROM problem_report")
    assert reports == [("own-1:first#1", f"{path}/questions/1")] * 2
    term.answer(path, 1, ["true"])
    result = term.hand_in(path)
    page = term.student.submit(result.form("/reports"), text="讲解也不通")
    assert page.path.partition("#")[0] == f"{path}/passes/1"
    assert term.ledger.count("problem_report") == 3
    fields = [("item", "own-1:first#1"), ("assignment", "1"), ("text", "x"), ("next", "/")]
    stranger = browser(term.client)
    assert stranger.post("/reports", fields).status_code == 404
    other_fields = [("item", "content:cg-chengdu#1"), *fields[1:]]
    assert term.student.post("/reports", other_fields).status_code == 404
    assert term.ledger.count("problem_report") == 3
    class_url = f"/classrooms/{term.classroom}"
    page = term.teacher.open(f"{class_url}/items?assignment=1")
    assert "1个人说这题有问题" in page.main.text
    [place] = term.ledger.rows("SELECT id FROM enrolment")
    term.teacher.open(page.main.all("a", href=f"{class_url}/assignments/1/students/{place[0]}")[0]["href"])


def test_a_report_is_seen_before_anybody_has_answered(term: Term) -> None:
    path = assigned_own(term)
    term.student.submit(term.student.page.form("/reports"), text="题目没写完")
    class_url = f"/classrooms/{term.classroom}"
    link = term.teacher.open(f"{class_url}/today").by_id("reports")
    assert link.text == "1份“这题有问题”"
    for page in (term.teacher.open(link["href"]), term.teacher.open(f"{class_url}/items?assignment=1")):
        [row] = page.main.all("article")
        assert "题目没写完" in row.text
        assert "先读同学的报告" in row.text
        assert "还没有人答过这道" in row.text
    assert path


def change_own(ledger: Ledger, text: str) -> None:
    """As another version of the program, or a backup, may leave it."""
    with ledger.other_program() as connection:
        connection.execute("UPDATE own_course SET text = ?", (text,))


def test_what_was_saved_is_marked_once_its_question_is_back(term: Term) -> None:
    path = assigned_own(term, answers="handed_in")
    term.answer(path, 1, ["true"])
    change_own(term.ledger, OWN.replace("answer: true", "answer: 5"))
    text_after = term.student.open(f"{path}/questions/1").main.text
    assert "老师正在改这道题，过一会儿再来" in text_after
    assert "跳过" not in text_after
    result = term.hand_in(path)
    assert "0分，满分1分" in result.main.text
    assert "没答" not in result.main.text
    change_own(term.ledger, OWN)
    text = term.student.open(f"{path}/passes/1").main.text
    assert "看不懂" not in text
    assert "没答" not in text
    assert "交的时候老师正在改这道题，还没有批" in text
    regrades = f"/classrooms/{term.classroom}/assignments/1/regrades"
    page = term.teacher.open(f"{regrades}?part=1&way=again")
    assert "1位同学的分数会变" in page.main.text
    term.teacher.submit(page.form(regrades), reason="题目修好了")
    assert "1分，满分1分" in term.student.open(f"{path}/passes/1").main.text
    assert term.ledger.rows("SELECT item, verdict FROM response") == [("own-1:first#1", "right")]
    assert "没有人的分数会变" in term.teacher.open(f"{regrades}?part=1&way=again").main.text


def test_a_new_knowledge_point_of_the_course_closes_no_content(term: Term) -> None:
    path = assigned_own(term)
    text_with_skill = OWN.replace("skill: order-matters", "skill: dcg\nskills: {dcg: 我的}")
    change_own(term.ledger, text_with_skill)
    assert "排前面的先吃到" in term.student.open(f"{path}/questions/1").main.text
    page = term.teacher.open("/own/1")
    assert "课程里已经有知识点“dcg”" in page.by_id("own-faults").text
    page = term.teacher.submit(page.form("/own/1", "存"), text=f"{text_with_skill}# 改过\n", status=422)
    assert term.ledger.rows("SELECT text FROM own_course") == [(text_with_skill,)]
