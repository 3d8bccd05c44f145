"""贴题目: each question has its fate, nothing is lost, sound ones go into own content and an assignment."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.course import Course
from app.course.authoring.own_content import parse_own
from tests.web.authoring.own_texts import BROKEN, SMALL, write
from tests.web.authoring.pasting import TEN, TWO_BAD, box, preview_paste, take_questions
from tests.web.cast import HTMX, Ledger, Page, Reader, right_answer
from tests.web.pages import values
from tests.web.school import new_class, new_teacher
from tests.web.taught import Term


def fates(page: Page) -> list[str]:
    return [fate.text for fate in page.by_id("paste-fates").one("ol", class_="paste-unread").all("li")]


def test_a_look_keeps_nothing_and_tells_every_fate(teacher: Reader, ledger: Ledger) -> None:
    page = preview_paste(teacher, TWO_BAD)
    assert fates(page) == [
        "第4行 选项A后面是C，中间好像少了一个，或者重复了 2. 哪个是分母？ A. DCG C. IDCG 答案：C",
        "第6行 没有答案：在题目下面写一行“答案：…” 3. 没写答案的题。",
    ]
    assert [row.text for row in page.by_id("paste-fates").all("tr")][1:] == ["1 判断 越甜越靠前。 对"]
    assert box(page) == TWO_BAD
    fields = [("text", TWO_BAD), ("skill", "")]
    part = Page(teacher.post("/own/pastes", fields, htmx=True))
    assert part.by_id("paste-fates").html == page.by_id("paste-fates").html
    assert ledger.count("own_course") == 0


def test_ten_questions_from_a_draft_to_marks(term: Term) -> None:
    """From the page of the assignment: 贴题目, paste, 看一看, 放进作业."""
    assignment_url = term.draft()
    link = term.teacher.open(assignment_url).main.one("section", class_="adding").all("a")[1]
    page = take_questions(term.teacher, TEN, link["href"], points="2", skill="NDCG入门")
    assert page.path.partition("?")[0] == assignment_url
    assert "满分20分" in page.text
    [(title, text)] = term.ledger.rows("SELECT title, text FROM own_course")
    assert title == "第三章 小测"
    assert ": NDCG入门\n" in text
    course = term.client.app.state.site.course  # type: ignore[attr-defined]
    own = parse_own(text, 1, course)
    assert isinstance(own, Course)
    path = term.publish(assignment_url)
    term.begin(path)
    for number in range(1, 11):
        term.answer(path, number, list(right_answer(own.items[f"q{number}"])))
    assert "20分，满分20分" in term.hand_in(path).main.text


def test_what_was_not_read_stays_and_nothing_goes_in_twice(teacher: Reader, ledger: Ledger) -> None:
    page = take_questions(teacher, TWO_BAD, title="小测")
    assert "放进了1道" in page.text
    assert box(page).split("\n\n") == ["2. 哪个是分母？\nA. DCG\nC. IDCG\n答案：C", "3. 没写答案的题。"]
    form = page.form("/own/pastes")
    mended = box(page).replace("C. IDCG", "B. IDCG").replace("答案：C", "答案：B")
    mended = f"1. 越甜越靠前。答案：对\n{mended}"
    page = teacher.submit(form, text=mended, take="yes")
    assert "放进了2道" in page.text, "the first is there already, and found again"
    [(text,)] = ledger.rows("SELECT text FROM own_course")
    assert text.count("越甜越靠前") == 1
    assert "  q2:\n" in text
    assert "  q3:\n" not in text
    page = teacher.submit(page.form("/own/pastes"), text=box(page) + "答案：写了", take="yes")
    assert page.path.startswith("/own/1"), "everything is in: on to the content"


def test_a_pasted_question_is_no_heir_to_one_that_was_deleted_and_saved_away(
    teacher: Reader, ledger: Ledger
) -> None:
    path = write(teacher, SMALL + "  q2:\n    stem: 老题？\n    answer: true\n")
    teacher.submit(teacher.open(path).form(path), "存下来", text=SMALL)
    take_questions(teacher, "新的一道。答案：错", f"/own/pastes?own={path.rpartition('/')[2]}")
    [(text,)] = ledger.rows("SELECT text FROM own_course")
    assert "  q3:\n    stem: 新的一道。\n" in text


def test_questions_go_into_content_that_is_there(teacher: Reader, ledger: Ledger) -> None:
    path = write(teacher, "# 我的\n" + SMALL)
    where = teacher.open(path).main.one("form", id="own-write").all("a")[0]["href"]
    page = take_questions(teacher, "新的一道。答案：错", where, skill="BM25")
    assert page.path.startswith(path)
    [(text,)] = ledger.rows("SELECT text FROM own_course")
    assert text.startswith("# 我的\n" + SMALL)
    assert "skill: bm25" in text
    assert "没有错，可以用了：2道题。" in page.text


def test_what_cannot_take_questions_says_why_and_keeps_the_box(teacher: Reader, client: TestClient) -> None:
    path = write(teacher, BROKEN.replace("items:\n", "items: [\n"))
    number = path.rpartition("/")[2]
    page = take_questions(teacher, "新的一道。答案：错", f"/own/pastes?own={number}", 422)
    assert "有错，先改好再放" in page.by_id("paste-error").text
    assert box(page) == "新的一道。答案：错"
    page = teacher.submit(page.form("/own/pastes"), status=422, text="读不懂的话", take="yes")
    assert "还没有一道读得懂的题" in page.by_id("paste-error").text
    page = teacher.submit(page.form("/own/pastes"), status=422, text="题" * 34_000)
    assert "太长了" in page.by_id("paste-error").text
    colleague = new_teacher(client, "李")
    colleague.open(f"/own/pastes?own={number}", status=404)
    assert colleague.post("/own/pastes", [("own", number), ("text", "甲。答案：对")]).status_code == 404


def test_who_types_too_much_reads_so_while_typing(teacher: Reader) -> None:
    """In the part of the page that is exchanged; on a whole page beside the box alone."""
    fields = {"text": "题" * 34_000}
    fragment = Page(teacher.client.post("/own/pastes", data=fields, headers=HTMX))
    assert fragment.status == 422
    assert "太长了" in fragment.by_id("paste-fates").one("p", role="alert").text
    page = Page(teacher.client.post("/own/pastes", data=fields))
    assert page.text.count("太长了") == 1
    fragment = Page(teacher.client.post("/own/pastes", data={"text": TEN}, headers=HTMX))
    assert fragment.status == 200
    assert not fragment.by_id("paste-fates").all("p", role="alert")


def test_an_assignment_that_somebody_has_begun_takes_none_but_the_questions_are_kept(term: Term) -> None:
    write(term.teacher, SMALL)
    assignment_url = term.draft()
    term.teacher.post(f"{assignment_url}/parts", [("kind", "item"), ("ref", "own-1:q1"), ("points", "1")])
    path = term.publish(assignment_url)
    term.begin(path)
    classroom, _, assignment = assignment_url.removeprefix("/classrooms/").partition("/assignments/")
    where = f"/own/pastes?classroom={classroom}&assignment={assignment}"
    page = take_questions(term.teacher, "新的一道。答案：错", where, status=422)
    assert "题已经存进《贴来的题》，可是没有加进作业" in page.by_id("paste-error").text
    assert term.ledger.count("own_course") == 2


@pytest.mark.both_databases
def test_questions_reach_every_class_that_has_the_assignment(term: Term) -> None:
    other_class = new_class(term.teacher, "高一4班")
    classes = [("class", str(term.classroom)), ("class", str(other_class))]
    series_url = Page(term.teacher.post("/series", [("title", "第一周"), *classes])).path
    link = term.teacher.open(series_url).main.one("section", class_="adding").all("a")[1]
    page = take_questions(term.teacher, "新的一道。答案：错", link["href"])
    assert page.path.partition("?")[0] == series_url
    rows = term.ledger.rows("SELECT assignment_id, ref FROM assignment_part ORDER BY assignment_id")
    assert rows == [(1, "own-1:q1"), (2, "own-1:q1")]


def test_a_question_can_be_written_field_by_field_into_the_same_text(teacher: Reader, ledger: Ledger) -> None:
    page = preview_paste(teacher, "1. 越甜越靠前。（√）")
    form = page.form("/own/pastes")
    fields: dict[str, Any] = {
        "one-题型": "单选",
        "one-题干": "第3位打几折？",
        "one-A": "五折",
        "one-B": "七折",
        "one-答案": "A",
    }
    page = teacher.submit(form, text="1. 越甜越靠前。（√）", add="yes", **fields)
    text = "1. 越甜越靠前。（√）\n\n2. 【单选】第3位打几折？\nA. 五折\nB. 七折\n答案：A\n"
    assert box(page) == text
    assert "2道可以放进来" in page.by_id("paste-fates").text
    wrong: dict[str, Any] = {"one-题型": "判断", "one-题干": "对不对？", "one-答案": "也许"}
    page = teacher.submit(page.form("/own/pastes"), text=text, add="yes", **wrong)
    assert fates(page) == ["第9行 判断题的答案写“对”或者“错”，这里是“也许” 3. 【判断】对不对？ 答案：也许"]
    assert ledger.count("own_course") == 0


def test_a_question_that_is_not_in_the_box_yet_stays_in_its_fields(teacher: Reader) -> None:
    """Enter in one of its fields asks for a look; questions that are taken leave it where it is."""
    half: dict[str, Any] = {"one-题型": "多选", "one-题干": "哪些会变？", "one-A": "DCG", "one-解析": "想想"}
    page = preview_paste(teacher, "", **half)
    assert question_fields(page) == ["多选", "哪些会变？", "DCG", "想想"]
    page = teacher.submit(page.form("/own/pastes"), text="越甜越靠前。（√）", take="yes")
    assert "放进了1道" in page.text
    assert question_fields(page) == ["多选", "哪些会变？", "DCG", "想想"]
    file = {"file": ("题.txt", "越甜越靠前。（√）".encode())}
    page = Page(teacher.client.post("/own/pastes/files", files=file, data=half))
    assert question_fields(page) == ["多选", "哪些会变？", "DCG", "想想"]
    page = teacher.submit(page.form("/own/pastes"), add="yes")
    assert question_fields(page) == ["单选", "", "", ""]
    assert "【多选】哪些会变？" in box(page)


def question_fields(page: Page) -> list[str]:
    """What stands in the fields of the one question, which are not folded away."""
    assert "open" in page.main.one("details", class_="paste-one").attributes
    return [values(page.by_id(f"one-{name}"))[0].strip() for name in ("kind", "stem", "A", "why")]


def test_gift_in_the_box_is_read_and_what_is_refused_says_why(teacher: Reader) -> None:
    pasted = "1. 越甜越靠前。（T）\n\n第3位？{=五折 ~七折}\n\n配对{=甲 -> 1 =乙 -> 2}\n"
    page = take_questions(teacher, pasted)
    assert "放进了2道" in page.text
    assert fates(page) == ["第1行 这是配对题或者别的题型，这里没有：改写成选择题 配对{=甲 -> 1 =乙 -> 2}"]
    assert box(page) == "配对{=甲 -> 1 =乙 -> 2}"
    file = {"file": ("题.gift", "::甲::对吗？{T}\n\n配对{=甲 -> 1 =乙 -> 2}\n".encode())}
    page = Page(teacher.client.post("/own/pastes/files", files=file))
    assert fates(page) == ["第4行 这是配对题或者别的题型，这里没有：改写成选择题 配对{=甲 -> 1 =乙 -> 2}"]


def test_a_question_that_stands_there_twice_is_asked_once(term: Term) -> None:
    assignment_url = term.draft()
    assignment_id = assignment_url.rpartition("/")[2]
    paste_address = f"/own/pastes?classroom={term.classroom}&assignment={assignment_id}"
    text = "1. 越甜越靠前。（√）\n2. 第一名打折。（×）\n3. 越甜越靠前。（√）\n"
    take_questions(term.teacher, text, paste_address, points="2", skill="dcg")
    refs = [ref for (ref,) in term.ledger.rows("SELECT ref FROM assignment_part ORDER BY position")]
    assert refs == ["own-1:q1", "own-1:q2"]
