"""The home page: where one stopped, what comes next, and of who has learnt everything there is."""

import re
from datetime import UTC, datetime

from app.course import Course
from app.course.learning.steps import Ask
from app.records.learning.values import LessonPlaceRow
from app.web.learning.stage_views import stage_view
from app.web.practice.five_minutes import GAME_TAG, DailyOffer, DailyPart
from tests.tables import each
from tests.web.cast import Ledger, Reader, right_answer, wrong_answer
from tests.web.learning.nights import sleep
from tests.web.learning.walking import begin, walk

MORNING, EVENING = datetime(2026, 9, 7, 1, tzinfo=UTC), datetime(2026, 9, 7, 12, tzinfo=UTC)


def test_who_has_walked_the_whole_way_is_told_so(guest: Reader, course: Course, ledger: Ledger) -> None:
    sections = [(stage, own_section) for stage in course.stages for own_section in stage.sections]
    guest.open(f"/lessons/{sections[0][0].id}/{sections[0][1].id}")
    guest.go_on()
    for stage, section in sections[:-1]:
        walk(guest, stage.id, section.id, len(section.steps))
    assert guest.open("/").main.one("p", class_="resume-title").text == sections[-1][1].title
    last_stage, last_section = sections[-1]
    walk(guest, last_stage.id, last_section.id, len(last_section.steps))
    end = guest.open(f"/lessons/{last_stage.id}/{last_section.id}?step={len(last_section.steps) + 1}")
    assert "最后一罐也满了" in end.by_id("moves-finish").text
    page = guest.open("/")
    assert page.main.one("p", class_="tag").text == "全程走完"
    assert page.main.all("a", href="/progress/certificate")
    assert page.main.one("a", class_="primary")["href"] == "/practice", "today all of it was read already"
    assert "接着学" not in page.main.text
    tags = [tag.text for tag in guest.open("/progress").main.all("p", class_="tag")]
    assert "课文" not in tags, "nothing is left to go on with"
    assert page.root.one("a", class_="primary")["href"]
    assert "从第一颗糖开始" not in page.text, "whoever has done everything does not begin"
    sleep(ledger)
    [button] = guest.open("/").main.all("a", class_="primary")
    assert button["href"] == "/five-minutes"


def test_a_section_that_was_never_opened_is_the_next_one(guest: Reader, course: Course) -> None:
    first, second = course.stages[0].sections[:2]
    guest.open(f"/lessons/{course.stages[0].id}/{first.id}")
    guest.go_on()
    page = guest.open("/")
    step_url = f"/lessons/{course.stages[0].id}/{first.id}#step-{first.steps[1].id}"
    assert page.main.one("div", class_="resume").one("a")["href"] == step_url
    assert guest.open("/progress").main.all("a", href=step_url)
    begun = page.main.one("div", class_="resume").text
    assert "上次学到这里" in begun
    assert "第2步" in begun
    walk(guest, course.stages[0].id, first.id, len(first.steps))
    ahead = guest.open("/").main.one("div", class_="resume").text
    assert "下一节" in ahead
    assert second.title in ahead
    assert f"共{len(second.steps)}步" in ahead
    assert "第0步" not in ahead
    assert "上次" not in ahead


def test_what_was_finished_before_its_turn_is_not_the_next_one(guest: Reader, course: Course) -> None:
    first_stage, second_stage = course.stages[:2]
    quiz = first_stage.sections[-1]
    early_section, later_section = second_stage.sections[:2]
    guest.open(f"/lessons/{first_stage.id}/{first_stage.sections[0].id}")
    guest.go_on()
    walk(guest, second_stage.id, early_section.id, len(early_section.steps))
    walk(guest, first_stage.id, quiz.id, len(quiz.steps))
    later_url = f"/lessons/{second_stage.id}/{later_section.id}"
    assert guest.open("/").main.one("div", class_="resume").one("a")["href"] == later_url
    assert guest.open("/progress").main.one("a", class_="primary", data_next="")["href"] == later_url


def test_the_five_minutes_of_the_day_come_first_and_then_the_lesson(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    """One button says what to do: it names how much the day offers, until that is done."""
    stage = course.stages[0]
    first, second = stage.sections[:2]
    begin(guest, stage.id, first.id)
    page = guest.open("/")
    assert page.main.one("a", class_="primary").text == "接着学", "nothing is finished yet"
    walk(guest, stage.id, first.id, len(first.steps))
    sleep(ledger)
    page = guest.open("/")
    button = page.main.one("a", class_="primary")
    assert button["href"] == "/five-minutes"
    daily_page = guest.open("/five-minutes")
    daily_parts = daily_page.main.all("ol", class_="daily")[0].all("li")
    minutes = re.search("约[0-9]+分钟", daily_page.main.one("p", class_="lead").text)
    assert minutes
    assert button.text == f"今天的五分钟 · {len(daily_parts)}件 · {minutes[0]}"
    assert page.main.one("div", class_="resume").one("a").text == "接着学"
    assert not page.main.all("a", href="/cards/review"), "they are among the five minutes"
    for daily_part in daily_parts:
        do_part(guest, course, daily_part.one("a")["href"])
    page = guest.open("/")
    assert "做完了，收工" in guest.open("/five-minutes").text
    way_on = page.main.one("a", class_="primary")
    assert (way_on.text, way_on["href"]) == ("接着学", f"/lessons/{stage.id}/{second.id}")
    assert "五分钟做完了" in page.main.text


def test_cards_that_wait_are_told_where_the_five_minutes_do_not_hold_them(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    """Before a section is finished; not beside the five minutes that hold them, first or as a link."""
    forms = guest.open("/cards").main.all("form")
    collect_form = next(form for form in forms if form["action"] == "/cards/collected")
    guest.submit(collect_form)
    waiting = guest.open("/").main.one("a", href="/cards/review")
    assert "新闪卡等你翻开" in waiting.text
    stage = course.stages[0]
    first, second = stage.sections[:2]
    begin(guest, stage.id, first.id)
    walk(guest, stage.id, first.id, len(first.steps))
    sleep(ledger)
    page = guest.open("/")
    assert page.main.one("a", class_="primary")["href"] == "/five-minutes"
    assert not page.main.all("a", href="/cards/review"), "they are among the five minutes"
    begin(guest, stage.id, second.id)
    page = guest.open("/")
    assert page.main.one("a", class_="primary", data_next="").text == "接着学"
    assert not page.main.all("a", href="/cards/review"), "the link to the five minutes counts them"


def test_who_is_in_the_midst_of_a_section_goes_on_with_it(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    """It is what they came for: the five minutes are a link, until the next time."""
    stage = course.stages[0]
    first, second = stage.sections[:2]
    begin(guest, stage.id, first.id)
    walk(guest, stage.id, first.id, len(first.steps))
    begin(guest, stage.id, second.id)
    page = guest.open("/")
    assert page.main.one("a", class_="primary", data_next="").text == "接着学"
    assert [link.text for link in page.main.all("a", href="/five-minutes")] == ["今天的五分钟"]
    sleep(ledger)
    assert guest.open("/").main.one("a", class_="primary", data_next="")["href"] == "/five-minutes"


def test_who_finished_another_section_since_is_not_in_the_midst_of_the_next_one(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    """They came to its second step yesterday, and finished the section before it today."""
    stage = course.stages[0]
    first, second, third = stage.sections[:3]
    begin(guest, stage.id, first.id)
    walk(guest, stage.id, first.id, len(first.steps))
    begin(guest, stage.id, third.id)
    sleep(ledger)
    walk(guest, stage.id, second.id, len(second.steps))
    page = guest.open("/")
    assert third.title in page.main.one("div", class_="resume").text
    assert page.main.one("a", class_="primary", data_next="")["href"] == "/five-minutes"


def test_a_round_of_a_game_alone_is_not_the_first_thing_to_do() -> None:
    game = DailyPart(GAME_TAG, "猜一回合就行", "/games/duel", "猜一回合", 1)
    case = DailyPart("勘误馆", "翻案", "/errata/a", "断这一案", 1)
    assert not DailyOffer([game], []).has_waiting_besides_game
    assert not DailyOffer([case._replace(is_done=True), game], []).has_waiting_besides_game
    assert DailyOffer([case, game], []).has_waiting_besides_game
    assert not DailyOffer([], []).is_done, "nothing was offered"
    assert DailyOffer([case._replace(is_done=True)], []).is_done


def do_part(reader: Reader, course: Course, way: str) -> None:
    """A question, a case or two rounds of the duel."""
    page = reader.open(way)
    if way.startswith("/games/"):
        reader.submit(page.main.all("form")[0], page.main.all("button", name="answer")[0].text)
        reader.submit(reader.page.main.all("form")[1], "一口气翻完")
        page = reader.submit(reader.page.main.all("form")[0], "下一回合")
        reader.submit(page.main.all("form")[0], page.main.all("button", name="answer")[0].text)
        return
    answer_form = page.main.one("form", class_="answer")
    item_id = answer_form.one("input", name="item")["value"]
    seed = sum(int(field["value"]) for field in answer_form.all("input", name="seed"))
    reader.answer(item_id, *right_answer(course.variant(item_id, seed)))


def test_who_answered_the_first_question_alone_is_no_beginner(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    """On another device, with a 续学码, nothing else tells that somebody was here."""
    stage = course.stages[0]
    first = stage.sections[0]
    item_id = next(step.item for step in first.steps if isinstance(step, Ask))
    guest.open(f"/lessons/{stage.id}/{first.id}?step={len(first.steps)}")
    guest.answer(item_id, *wrong_answer(course.items[item_id]))
    page = guest.open("/")
    assert "从第一颗糖开始" not in page.text
    assert first.title in page.main.one("div", class_="resume").text
    with ledger.other_program() as connection:
        connection.execute(
            "INSERT INTO attempt (learner_id, source, ref, round, seed, created_at)"
            " SELECT learner_id, source, 'own-1:words', 1, 0, created_at FROM attempt"
        )
        connection.execute(
            "INSERT INTO response (attempt_id, learner_id, item, try_number, raw, verdict, score, hints,"
            " item_version, created_at) SELECT (SELECT max(id) FROM attempt), learner_id, 'own-1:q1', 1, raw,"
            " verdict, score, hints, item_version, created_at FROM response"
        )
    assert first.title in guest.open("/").main.one("div", class_="resume").text, "a lesson of a teacher's own"


def test_what_was_left_out_is_next_after_the_end(guest: Reader, course: Course) -> None:
    """And a section that was begun goes on where it was left."""
    sections = [(stage, section) for stage in course.stages for section in stage.sections]
    (first_stage, first), (last_stage, last) = sections[0], sections[-1]
    guest.open(f"/lessons/{first_stage.id}/{first.id}")
    guest.go_on()
    walk(guest, last_stage.id, last.id, len(last.steps))
    begun = guest.open("/").main.one("div", class_="resume")
    assert first.title in begun.text
    assert "上次学到这里" in begun.text


def test_the_course_opens_the_stages_that_are_begun_and_the_next_one(guest: Reader, course: Course) -> None:
    first, second, third = course.stages[:3]
    assert open_stages(guest) == [f"{first.title}的{len(first.sections)}节"]
    guest.open(f"/lessons/{first.id}/{first.sections[0].id}")
    guest.go_on()
    for section in first.sections:
        walk(guest, first.id, section.id, len(section.steps))
    next_stage = f"{second.title}的{len(second.sections)}节"
    assert open_stages(guest) == [next_stage]
    guest.open(f"/lessons/{third.id}/{third.sections[0].id}")
    guest.go_on()
    assert open_stages(guest) == [next_stage, f"{third.title}的{len(third.sections)}节"]


def open_stages(reader: Reader) -> list[str]:
    stages = reader.open("/course").main.all("details", class_="stage-sections", open="")
    return [stage.one("summary").text for stage in stages]


def test_a_section_that_is_gone_does_not_hide_where_else_somebody_was(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    first, second = course.stages[0].sections[:2]
    for section in (first, second):
        guest.open(f"/lessons/{course.stages[0].id}/{section.id}")
        guest.go_on()
    with ledger.other_program() as connection:
        connection.execute("UPDATE lesson_place SET section = 'gone' WHERE section = ?", (second.id,))
    for path in ("/", "/progress"):
        step_url = f"/lessons/{course.stages[0].id}/{first.id}#step-{first.steps[1].id}"
        assert guest.open(path).main.all("a", href=step_url)


def test_who_stand_alike_in_a_stage_share_its_card(course: Course) -> None:
    stage = course.stages[0]
    first, second = stage.sections[:2]
    begun = LessonPlaceRow(course.ref(stage.id), first.id, 1, 2, first.step_id_of(2), False, MORNING)
    later = begun._replace(updated_at=EVENING, round=2)
    card = stage_view(course, stage, [begun])
    assert stage_view(course, stage, [later]) is card
    for other_place in (
        begun._replace(is_done=True),
        begun._replace(step_number=1, step_id=first.step_id_of(1)),
        begun._replace(section_id=second.id, step_id=second.step_id_of(2)),
    ):
        assert stage_view(course, stage, [other_place]) is not card
    assert stage_view(course, stage, [begun], "/own/3").url == "/own/3"
    assert stage_view(course, stage, [begun]).url == f"/lessons/{stage.id}"


@each(
    ("stage_id", "former_section_id", "former_last_step_id"),
    [
        ("concepts", "head-and-tail", "play-first-stays"),
        ("definitions", "read-the-score", "cards-of-ndcg"),
        ("practice", "the-album", "ask-gaokao-flip"),
        ("applications", "how-to-choose-k", "ask-shopping-k"),
        ("comparison", "family-photo", "ask-pork-dcg"),
        ("optimisation", "lambda-by-hand", "ask-forces"),
    ],
)
def test_a_stage_that_was_finished_before_a_section_was_divided_is_finished(
    course: Course, stage_id: str, former_section_id: str, former_last_step_id: str
) -> None:
    """One new section stood open in it, and 全程走完 was gone."""
    stage = course.stage(stage_id)
    assert stage is not None
    [new_section] = [section for section in stage.sections if section.divided_from == former_section_id]
    places = [
        LessonPlaceRow(
            course.ref(stage.id), section.id, 1, len(section.steps), section.steps[-1].id, True, MORNING
        )
        for section in stage.sections
        if section is not new_section
    ]
    assert stage_view(course, stage, places).state == "begun", "its last steps were left out"
    former_places = [
        place._replace(step_id=former_last_step_id) if place.section_id == former_section_id else place
        for place in places
    ]
    assert stage_view(course, stage, former_places).state == "done"
    looked_at_again = LessonPlaceRow(
        course.ref(stage.id), new_section.id, 1, 1, new_section.steps[0].id, False, EVENING
    )
    assert stage_view(course, stage, [*former_places, looked_at_again]).state == "done"
    former_places = [place._replace(is_done=place.section_id != former_section_id) for place in former_places]
    assert stage_view(course, stage, former_places).state == "begun"
