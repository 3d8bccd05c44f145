"""批改: from a question with a rubric to what its student reads, as browsers without a script meet it."""

import pytest

from tests.web.authoring.own_texts import write
from tests.web.cast import browser
from tests.web.marking.worded_answers import WHY, WITHOUT_RUBRIC
from tests.web.school import code_of, join_new
from tests.web.taught import Term, new_helper


def published(term: Term, text: str = WHY) -> tuple[str, str]:
    """The paths of teacher and students to an assignment that asks why."""
    write(term.teacher, text)
    assignment_url = term.draft()
    term.teacher.post(f"{assignment_url}/parts", [("kind", "item"), ("ref", "own-1:why"), ("points", "6")])
    return assignment_url, term.publish(assignment_url)


def handed_in(term: Term, text: str = WHY) -> tuple[str, str]:
    """The paths of teacher and students to an assignment that 小糖 and 小序 have handed in."""
    assignment_url, path = published(term, text)
    term.begin(path)
    term.answer(path, 1, ["手机一屏只放得下几条<b>"])
    term.hand_in(path)
    first, term.student = term.student, browser(term.client)
    join_new(term.student, code_of(term.teacher, term.classroom), "小序")
    term.begin(path)
    term.answer(path, 1, ["没人翻"])
    term.hand_in(path)
    term.student = first
    return assignment_url, path


def test_teacher_and_students_see_before_that_words_are_marked_by_a_rubric(term: Term) -> None:
    assignment_url, path = published(term)
    assert "老师照要点批" in term.teacher.open(assignment_url).main.text
    key = term.teacher.open(f"{assignment_url}/paper").main.one("section", class_="sheet-key").text
    assert "一屏看得见几条 4分" in key
    term.begin(path)
    assert "作业里由老师照要点批" in term.student.open(f"{path}/questions/1").main.text


def test_answers_are_marked_one_after_the_other(term: Term) -> None:
    assignment_url, path = handed_in(term)
    waiting = term.student.open(f"{path}/passes/1").main.text
    assert "已得0分，满分6分，还有1题等老师批" in waiting
    assert "一次就对" not in waiting
    assert "这里的勾不算分" in waiting
    assert "你自己来当老师" not in waiting
    cell = term.teacher.open(f"{assignment_url}/students/1").main.text
    assert "写了" in cell
    assert "✓ 对" not in cell
    assert "批改简答题 还有2份" in term.teacher.open(assignment_url).main.text
    today_url = f"/classrooms/{term.classroom}/today"
    today = term.teacher.open(today_url).main
    assert today.one("a", href=f"{assignment_url}/marking").text == "《第一周》"
    assert "等你批： 《第一周》 2份" in today.text
    page = term.teacher.open(f"{assignment_url}/marking")
    assert page.main.one("h2", id="answer-title").text == "小糖", "sorted as the gradebook is"
    assert page.main.one("blockquote").text == "手机一屏只放得下几条<b>"
    term.teacher.submit(page.form(f"{assignment_url}/marking"), tick=["0"], comment="第二点呢？")
    page = term.teacher.page
    assert page.main.one("h2", id="answer-title").text == "小序"
    term.teacher.submit(page.form(f"{assignment_url}/marking"), tick=["1"])
    assert "都批完了" in term.teacher.page.main.text
    assert term.teacher.page.main.all("a", href=f"/classrooms/{term.classroom}/gradebook")
    assert "还有" not in term.teacher.open(assignment_url).main.one("header").text
    assert "等你批" not in term.teacher.open(today_url).main.text
    result = term.student.open(f"{path}/passes/1").main
    assert "4分，满分6分" in result.text
    assert "等老师批" not in result.text
    lines = result.one("ul", **{"aria-label": "老师照要点批的"}).all("li")
    assert [line.text for line in lines] == ["一屏看得见几条 ✓ 写到了", "后面没人翻 ✗ 没写到"]
    assert "老师批了，得4分" in term.teacher.open(f"{assignment_url}/students/1").main.text
    audit = term.teacher.open(f"/classrooms/{term.classroom}/audit").main.text
    assert "批了小糖的《第一周》第1题：4分" in audit


def test_nothing_waits_for_who_may_only_look(term: Term) -> None:
    handed_in(term)
    today_url = f"/classrooms/{term.classroom}/today"
    assert "等你批" not in new_helper(term, "reader").open(today_url).main.text
    term.teacher.post(f"/classrooms/{term.classroom}/archivings", [])
    assert "等你批" not in term.teacher.open(today_url).main.text


def test_words_count_for_the_class_once_they_are_marked(term: Term) -> None:
    """Neither right before, nor wrong without a word of what is missing."""
    assignment_url, path = handed_in(term)
    assignment = path.rpartition("/")[2]
    room = f"/classrooms/{term.classroom}"
    assert "还没有人交过答案" in term.teacher.open(f"{room}/items?assignment={assignment}").main.text
    assert "一次就对0题" in term.teacher.open(f"{room}/students/1").main.text
    bars = term.teacher.open(f"{assignment_url}/review?shown=1").main.one("ol", class_="wall-bars")
    assert "还没批 2人" in bars.text
    for tick in ("0", "1"):
        page = term.teacher.open(f"{assignment_url}/marking")
        term.teacher.submit(page.form(f"{assignment_url}/marking"), tick=[tick])
    question = term.teacher.open(f"{room}/items?assignment={assignment}").main.text
    assert "第一次就对 0%" in question
    assert "没写到“后面没人翻”" in question
    assert "没写到“一屏看得见几条”" in question
    bars = term.teacher.open(f"{assignment_url}/review").main.one("ol", class_="wall-bars")
    assert [bar.text for bar in bars.all("li")] == ["写到第1个要点 1人", "写到第2个要点 1人"]
    bars = term.teacher.open(f"{assignment_url}/review?shown=1").main.one("ol", class_="wall-bars")
    assert "后面没人翻" in bars.text


def test_a_mark_is_mended_where_it_stands(term: Term) -> None:
    assignment_url, path = handed_in(term)
    for _ in range(2):
        page = term.teacher.open(f"{assignment_url}/marking")
        term.teacher.submit(page.form(f"{assignment_url}/marking"), tick=["0", "1"])
    links = term.teacher.open(f"{assignment_url}/marking").main.one("details", class_="marking-all").all("a")
    page = term.teacher.open(links[0]["href"])
    ticked = [box["value"] for box in page.main.all("input", name="tick") if "checked" in box.attributes]
    assert ticked == ["0", "1"]
    term.teacher.submit(page.form(f"{assignment_url}/marking"), tick=[])
    assert "0分，满分6分" in term.student.open(f"{path}/passes/1").main.text


def test_an_answer_is_marked_however_many_the_site_has_had(term: Term) -> None:
    """It goes by the key of its row, which grows with every answer of anybody."""
    assignment_url, _ = handed_in(term)
    with term.ledger.other_program() as connection:
        connection.execute("UPDATE response SET id = id + 123456")
    page = term.teacher.open(f"{assignment_url}/marking")
    page = term.teacher.submit(page.form(f"{assignment_url}/marking"), tick=["0"])
    assert page.main.one("h2", id="answer-title").text == "小序"


def test_a_comment_that_a_colleague_wrote_meanwhile_stays(term: Term) -> None:
    assignment_url, path = handed_in(term)
    page = term.teacher.open(f"{assignment_url}/marking")
    form = page.form(f"{assignment_url}/marking")
    term.teacher.submit(form, tick=["0"], comment="第二点呢？\n想一想。")
    term.teacher.submit(form, tick=["0"])
    assert "第二点呢？" in term.student.open(f"{path}/passes/1").main.text
    page = term.teacher.open(f"{assignment_url}/marking?question=1&answer=1")
    term.teacher.submit(page.form(f"{assignment_url}/marking"), comment="")
    assert "第二点呢？" not in term.student.open(f"{path}/passes/1").main.text


def test_a_mark_of_a_colleague_is_shown_before_it_is_replaced(term: Term) -> None:
    """Both had the answer open. The second is refused once, with their own ticks and words still there."""
    assignment_url, path = handed_in(term)
    form = term.teacher.open(f"{assignment_url}/marking").form(f"{assignment_url}/marking")
    term.teacher.submit(form, tick=["0"], comment="第二点呢？")
    page = term.teacher.submit(form, status=422, tick=["1"], comment="写得挺好。")
    refusal = page.by_id("marking-error").text
    assert "这份刚才有人批过：4分，评语“第二点呢？”" in refusal
    assert "4分，满分6分" in term.student.open(f"{path}/passes/1").main.text
    ticked = [box["value"] for box in page.main.all("input", name="tick") if "checked" in box.attributes]
    assert ticked == ["1"]
    assert page.by_id("comment").text == "写得挺好。"
    term.teacher.submit(page.form(f"{assignment_url}/marking"))
    result = term.student.open(f"{path}/passes/1").main.text
    assert "2分，满分6分" in result
    assert "写得挺好。" in result
    assert "第二点呢？" not in result


@pytest.mark.parametrize("comment", ["", "第二点呢？"])
def test_who_sends_a_mark_twice_is_not_asked_about_it(term: Term, comment: str) -> None:
    assignment_url, path = handed_in(term)
    form = term.teacher.open(f"{assignment_url}/marking").form(f"{assignment_url}/marking")
    for _ in range(2):
        term.teacher.submit(form, tick=["0"], comment=comment)
    assert "4分，满分6分" in term.student.open(f"{path}/passes/1").main.text


def test_a_comment_from_the_gradebook_is_shown_before_it_is_replaced(term: Term) -> None:
    """It was written on the page of the cell, where nothing is ticked."""
    assignment_url, path = handed_in(term)
    form = term.teacher.open(f"{assignment_url}/marking").form(f"{assignment_url}/marking")
    cell_forms = term.teacher.open(f"{assignment_url}/students/1").main.all("form")
    *_, comment_form = [cell_form for cell_form in cell_forms if cell_form["action"].endswith("/comments")]
    term.teacher.submit(comment_form, text="第二点呢？")
    page = term.teacher.submit(form, status=422, tick=["1"], comment="写得挺好。")
    assert "这份刚才有人写了评语“第二点呢？”" in page.by_id("marking-error").text
    assert "第二点呢？" in term.student.open(f"{path}/passes/1").main.text


def test_an_assignment_without_a_rubric_says_where_one_comes_from(term: Term) -> None:
    assignment_url = term.draft("cg-chengdu")
    term.publish(assignment_url)
    assert "没有要老师批的题" in term.teacher.open(f"{assignment_url}/marking").main.text
    assert (
        term.teacher.post(f"{assignment_url}/marking", [("question", "1"), ("answer", "1")]).status_code
        == 404
    )


def test_whoever_marks_need_not_know_whose_words_these_are(term: Term) -> None:
    """Until they want to; the order is not that of the roster."""
    assignment_url, _ = handed_in(term)
    page = term.teacher.open(f"{assignment_url}/marking")
    page = term.teacher.open(page.by_id("names")["href"])
    texts = []
    for _ in range(2):
        assert not any(name in page.main.text for name in ("小糖", "小序"))
        texts.append(page.main.one("blockquote").text)
        page = term.teacher.submit(page.form(f"{assignment_url}/marking"), tick=["0"])
    assert sorted(texts) == ["手机一屏只放得下几条<b>", "没人翻"]
    assert "names=no" in page.path
    assert [item.text for item in page.main.one("details").all("li")] == ["第1份 4分", "第2份 4分"]
    assert "小糖" in term.teacher.open(page.by_id("names")["href"]).main.text


def test_a_question_that_counts_in_full_for_everybody_waits_for_nobody(term: Term) -> None:
    assignment_url, _ = handed_in(term)
    regrade(term, assignment_url, "full")
    page = term.teacher.open(f"{assignment_url}/marking")
    assert page.main.one("nav", class_="marking-questions").text == "第1题 全员给了满分"
    assert "第1题全员给了满分，不用批。" in page.main.text
    assert "还没批" not in page.main.text
    assert "还有" not in term.teacher.open(assignment_url).main.one("header").text


def test_where_the_rubric_was_taken_out_the_page_says_how_the_waiting_ends(term: Term) -> None:
    assignment_url, path = handed_in(term)
    rewrite(term, WITHOUT_RUBRIC)
    page = term.teacher.open(f"{assignment_url}/marking")
    assert "成绩册里还有2题待批，可是题里的要点（rubric）已经不在了" in page.main.text
    assert page.main.all("a", href=f"{assignment_url}/regrades")
    regrade(term, assignment_url, "again")
    assert "待批" not in term.teacher.open(f"{assignment_url}/marking").main.text
    assert "等老师批" not in term.student.open(f"{path}/passes/1").main.text


def test_words_that_got_a_rubric_after_the_hand_in_wait_for_their_teacher(term: Term) -> None:
    """The line of points and the question say the same, and nothing was corrected yet."""
    assignment_url, path = handed_in(term, WITHOUT_RUBRIC)
    rewrite(term, WHY)
    regrade(term, assignment_url, "again")
    result = term.student.open(f"{path}/passes/1").main.text
    assert "还有1题等老师批" in result
    assert "这里的勾不算分" in result
    for words_of_correction in ("重新评", "更正", "6分里得"):
        assert words_of_correction not in result


def test_points_for_words_without_a_rubric_are_told(term: Term) -> None:
    assignment_url, path = handed_in(term, WITHOUT_RUBRIC)
    cell_url = f"{assignment_url}/students/1"
    form = term.teacher.open(cell_url).form(f"{cell_url}/question-marks")
    term.teacher.submit(form, points="1", reason="只写了一点")
    assert "6分里得1分（老师改过" in term.student.open(f"{path}/passes/1").main.text


def rewrite(term: Term, text: str) -> None:
    term.teacher.submit(term.teacher.open("/own/1").form("/own/1", "存"), text=text)


def regrade(term: Term, assignment_url: str, way: str) -> None:
    """The first question is marked anew."""
    regrades_url = f"{assignment_url}/regrades"
    ways = term.teacher.open(regrades_url).main.one("ol", class_="regrade-parts").all("a")
    [preview_url] = [link["href"] for link in ways if link["href"].endswith(f"way={way}")]
    term.teacher.submit(term.teacher.open(preview_url).form(regrades_url), reason="题改过了")
