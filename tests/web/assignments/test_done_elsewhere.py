"""Parts of an assignment that are done elsewhere: sections of a lesson, cards, games."""

from app.course import Course
from app.course.content.model import Section
from tests.web.assignments.drafting import NUMERIC, PAST, learn
from tests.web.taught import Term


def test_before_handing_in_what_is_undone_elsewhere_is_said(term: Term, course: Course) -> None:
    assignment_url, stage = term.draft(NUMERIC), course.stages[0]
    first, second = stage.sections[:2]
    for section in (first, second):
        refs = [("kind", "section"), ("ref", f"content:{stage.id}/{section.id}"), ("points", "5")]
        term.teacher.post(f"{assignment_url}/parts", refs)
    term.teacher.post(
        f"{assignment_url}/parts", [("kind", "game"), ("ref", "duel"), ("count", "1"), ("points", "0.5")]
    )
    path = term.publish(assignment_url)
    learn(term, course, first)
    term.begin(path)
    rows = term.student.open(f"{path}/hand-in").main.one("ul", class_="elsewhere").all("li")
    assert rows[0].text == f"课文：{second.title} 还没学完（里面的题也都要答），现在交就没有这5分"
    assert "还没打，现在交就没有这0.5分" in rows[1].text
    assert len(rows) == 2
    assert rows[0].one("a")["href"].endswith(f"/{second.id}")
    assert "题目以外有2项没做完" in term.hand_in(path).main.text


def draft_of_a_section(term: Term, course: Course) -> tuple[str, Section]:
    """A draft with the first section of the course, for 5 points."""
    assignment_url, stage = term.draft(), course.stages[0]
    refs = [("kind", "section"), ("ref", f"content:{stage.id}/{stage.sections[0].id}"), ("points", "5")]
    term.teacher.post(f"{assignment_url}/parts", refs)
    return assignment_url, stage.sections[0]


def test_what_was_done_after_handing_in_is_not_said_to_count(term: Term, course: Course) -> None:
    """The page of the assignment and that of the pass agree; another pass would still count it."""
    assignment_url, section = draft_of_a_section(term, course)
    term.set_up(assignment_url, passes="2")
    path = term.publish(assignment_url)
    term.begin(path)
    assert "题目以外有1项没做完" in term.hand_in(path).main.text
    learn(term, course, section)
    assert done_elsewhere(term, path) == "完成了"
    term.set_up(assignment_url, passes="1")
    assert done_elsewhere(term, path) == "交卷后才完成"
    assert "5分，交卷以后做的不算" in term.student.page.main.one("ul", class_="elsewhere").text


def done_elsewhere(term: Term, path: str) -> str:
    rows = term.student.open(path).main.one("ul", class_="elsewhere")
    return rows.one("b", class_="task-word").text


def test_what_was_not_done_in_time_is_said_so(term: Term, course: Course) -> None:
    assignment_url, section = draft_of_a_section(term, course)
    path = term.publish(assignment_url)
    assert done_elsewhere(term, path) == "还没做"
    term.set_up(assignment_url, due=PAST)
    learn(term, course, section)
    assert done_elsewhere(term, path) == "截止前没做"


def test_a_section_counts_once_it_is_learnt(term: Term, course: Course) -> None:
    assignment_url, section = term.draft(), course.stages[0].sections[0]
    stage = course.stages[0]
    refs = [("kind", "section"), ("ref", f"content:{stage.id}"), ("points", "1")]
    term.teacher.post(f"{assignment_url}/parts", refs)
    assert len(term.teacher.open(assignment_url).main.all("li", class_="part")) == len(stage.sections)
    path = term.publish(assignment_url)
    learn(term, course, section)
    term.begin(path)
    assert term.student.page.path == path
    assert "完成了" in term.student.page.main.text
    page = term.hand_in(path)
    assert f"1分，满分{len(stage.sections)}分" in page.main.text


def test_a_game_can_be_asked_for_from_a_level_on(term: Term) -> None:
    draft_path = term.draft()
    panel = term.teacher.open(draft_path).by_id("add-game")
    term.teacher.submit(panel.one("form"), ref="monster/2", count="3")
    assert "第2关以上，打赢3局，撤退的不算" in term.teacher.page.by_id("parts").text
    assert term.ledger.rows("SELECT ref, level, count FROM assignment_part") == [("monster", 2, 3)]
    for wrong in ("monster/9", "monster/" + "9" * 5000, "duel/2", "chess"):
        term.teacher.submit(panel.one("form"), ref=wrong, status=422)


def test_the_link_of_a_card_goal_leads_to_reviewing(term: Term) -> None:
    draft_path = term.draft()
    term.teacher.submit(term.teacher.open(draft_path).by_id("add-cards").one("form"))
    path = term.publish(draft_path)
    assert term.student.open(path).main.one("ul", class_="elsewhere").one("a")["href"] == "/cards/review"


def test_a_paper_is_offered_where_a_question_is_asked(term: Term, course: Course) -> None:
    """A sheet with nothing but a name and no points helps nobody."""
    assignment_url, _ = draft_of_a_section(term, course)
    paper_url = f"{assignment_url}/paper"
    assert not term.teacher.open(assignment_url).main.all("a", href=paper_url)
    fields = [("kind", "item"), ("points", "2"), ("ref", "content:cg-chengdu")]
    term.teacher.post(f"{assignment_url}/parts", fields)
    assert term.teacher.open(assignment_url).main.all("a", href=paper_url)
