"""Knowledge points of one's own in the picker: apart from the course's, and from another content's."""

from tests.web.assignments.own_models import MODELS, NAMESAKE, ticks
from tests.web.authoring.own_texts import write
from tests.web.cast import Page
from tests.web.taught import Term


def test_own_points_stand_under_their_content_and_their_items_are_asked(term: Term) -> None:
    write(term.teacher, MODELS)
    write(term.teacher, NAMESAKE)
    assignment_url = term.draft()
    page = term.teacher.open(f"{assignment_url}/items")
    links = page.by_id("skill")
    assert "检索模型" in [group["label"] for group in links.all("optgroup")]
    assert "另一个BM25" in links.text, "the same id in another content is another point"
    page = term.teacher.open(f"{assignment_url}/items?skill=own-1:bm25")
    assert page.main.one("h2").text == "BM25"
    assert ticks(page) == ["own-1:weight", "own-1:saturation"]
    fields = [("kind", "item"), ("ref", "own-1:saturation"), ("points", "2")]
    assert "BM25" in Page(term.teacher.post(f"{assignment_url}/parts", fields)).text
    path = term.publish(assignment_url)
    term.begin(path)
    term.answer(path, 1, [" 饱 和"])
    assert "2分，满分2分" in term.hand_in(path).main.text


def test_contents_of_one_title_are_two_groups(term: Term) -> None:
    write(term.teacher, MODELS)
    write(term.teacher, MODELS + "# 又一份\n")
    groups = term.teacher.open(f"{term.draft()}/items").by_id("skill").all("optgroup")
    assert [group["label"] for group in groups].count("检索模型") == 2


def test_a_point_that_is_nowhere_is_not_found(term: Term) -> None:
    write(term.teacher, MODELS)
    assignment_url = term.draft()
    for name in ("own-9:bm25", "own-1:none", "bm25"):
        term.teacher.open(f"{assignment_url}/items?skill={name}", status=404)


def test_ones_own_come_first_and_are_marked(term: Term) -> None:
    write(term.teacher, MODELS.replace("skill: bm25\n", "skill: dcg\n"))
    assignment_url = term.draft()
    page = term.teacher.open(f"{assignment_url}/items?skill=dcg")
    assert ticks(page)[:2] == ["own-1:weight", "own-1:saturation"]
    entries = page.main.one("ul", class_="pick-list").all("li")
    assert [" · 我的" in entry.text for entry in entries[:3]] == [True, True, False]
    write(term.teacher, NAMESAKE)
    groups = term.teacher.open(f"{assignment_url}/items").by_id("skill").all("optgroup")
    assert groups[0]["label"] == "另一份"


def test_blanks_stand_on_paper_and_in_its_key(term: Term) -> None:
    write(term.teacher, MODELS)
    assignment_url = term.draft()
    term.teacher.post(
        f"{assignment_url}/parts", [("kind", "item"), ("ref", "own-1:saturation"), ("points", "2")]
    )
    paper = term.teacher.open(f"{assignment_url}/paper").main
    assert paper.all("p", class_="sheet-answer")
    assert "饱和" in paper.text


BLANKS = """\
title: 填一填
skill: dcg
items:
  both:
    stem: 甲是____，乙是____。
    blanks: [[tf_idf, TF*IDF], {accept: ["0.63"], tolerance: 0.01}]
"""
ORDER = """\
title: 排一排
skill: dcg
items:
  plain:
    stem: 从甜到淡排好。
    documents: [甲糖: 0, 乙糖: 2, 丙糖: 1]
  asked:
    stem: 再排一次。
    query: 成都美食
    documents: [甲糖: 0, 乙糖: 2, 丙糖: 1]
"""


def print_own(term: Term, text: str, *item_ids: str) -> Page:
    """A paper with these items of a first own content."""
    write(term.teacher, text)
    assignment_url = term.draft()
    refs = [("ref", f"own-1:{item_id}") for item_id in item_ids]
    term.teacher.post(f"{assignment_url}/parts", [("kind", "item"), ("points", "2"), *refs])
    return term.teacher.open(f"{assignment_url}/paper")


def test_the_key_has_every_blank_as_it_was_written_and_how_far_a_number_may_be_off(term: Term) -> None:
    key = print_own(term, BLANKS, "both").main.one("section", class_="sheet-key").one("b").text
    assert key == "tf_idf，或者TF*IDF；0.63（误差不超过0.01）"


def test_documents_to_order_are_printed_under_their_query_where_there_is_one(term: Term) -> None:
    sheet = print_own(term, ORDER, "plain", "asked").main.one("ol", class_="sheet-questions")
    assert [line.text for line in sheet.all("p", class_="sheet-query")] == ["查询：成都美食"]
    assert "None" not in sheet.text


def test_a_class_that_was_asked_only_points_of_ones_own_has_answered(term: Term) -> None:
    """The page of a class shows the points of the course."""
    class_url = f"/classrooms/{term.classroom}"
    assert "还没有人答过题" in term.teacher.open(class_url).main.text
    write(term.teacher, MODELS)
    assignment_url = term.draft()
    term.teacher.post(f"{assignment_url}/parts", [("kind", "item"), ("ref", "own-1:saturation")])
    path = term.publish(assignment_url)
    assert "小糖 还没开始" in term.teacher.open(class_url).main.text
    term.begin(path)
    begun_words = "小糖 课文还没有开始 最近开始的作业：《第一周》"
    assert begun_words in term.teacher.open(class_url).main.text
    term.answer(path, 1, [" 饱 和"])
    term.hand_in(path)
    page = term.teacher.open(class_url)
    assert "还没有人答过题" not in page.main.text
    assert "课文里的知识点还没有人练过" in page.main.text
    assert begun_words in page.main.text
