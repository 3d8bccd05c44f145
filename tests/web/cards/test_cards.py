"""Flashcards without a script: collect, review, compute, take back, write one's own, look back."""

import re
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI

from app.course import Course
from app.course.cards.decks import seed_of_review
from app.course.content.model import Quiz
from app.course.items.kinds import Item, Numeric
from app.course.learning.steps import Ask, CardsStep
from app.course.text import markdown
from app.engine import predictions
from app.records.cards import own_cards
from app.records.cards.scheduling import Memory
from app.records.cards.values import NO_PAST, CardRow, DeckSettings
from app.web.cards.card_views import CardExercise, rating_buttons_of
from app.web.cards.editable_texts import editable_text
from app.web.site import clock as site_clock
from tests.web.cast import Ledger, Page, Reader, right_answer, steps
from tests.web.pages import Element

START = datetime(2026, 9, 1, 1, 0, tzinfo=UTC)
DRILL = "practice-dcg-1"


class Clock:
    """Tells the pages what time it is."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at

    def forward(self, **by: float) -> None:
        self.at += timedelta(**by)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock_of_test = Clock()
    monkeypatch.setattr(site_clock, "time_source", clock_of_test)
    return clock_of_test


@pytest.fixture
def deck(guest: Reader, clock: Clock) -> Reader:
    """小糖 has the cards of the first stage."""
    page = guest.open("/cards")
    guest.submit(collecting(page)[0])
    return guest


def collecting(page: Page) -> list[Element]:
    return [form for form in page.main.all("form") if form["action"] == "/cards/collected"]


def rating(page: Page) -> Element:
    return page.main.one("form", class_="ratings")


def collect(reader: Reader, *cards: str) -> None:
    fields = [("card", card) for card in cards]
    guest = [
        (element["name"], element["value"])
        for element in reader.open("/cards").main.all("input", name="guest")[:1]
    ]
    assert reader.post("/cards/collected", [*fields, *guest]).status_code == 200


def alone(reader: Reader, card: str) -> Page:
    """Only this card is in the deck, and on the page."""
    collect(reader, card)
    return reader.open("/cards/review")


def drill(course: Course, reps: int = 0, card: str = DRILL) -> Numeric:
    item = course.variant(course.drill_by_id[card].item_id, seed_of_review(f"content:{card}", reps))
    assert isinstance(item, Numeric)
    return item


def test_looking_records_nothing(guest: Reader, ledger: Ledger) -> None:
    before = ledger.everything()
    pages = ("", "/review", "/all", "/stats", "/settings", "/new", "/gain-when-moved", "/practice-dcg-1")
    for path in (*pages, "/mistake-natural_log"):
        guest.open(f"/cards{path}")
    assert ledger.everything() == before


def test_a_step_of_a_lesson_puts_its_set_into_the_deck_once(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    place, step = next((place, step) for place, step in steps(course) if isinstance(step, CardsStep))
    page = guest.open(place.url)
    page = guest.submit(collecting(page)[0])
    assert page.path == place.url
    assert "这几张在你的闪卡里了" in page.text
    assert not collecting(page)
    assert [row[0] for row in ledger.rows("SELECT card FROM card_memory ORDER BY id")] == [
        course.ref(card) for card in step.cards
    ]


def test_a_card_is_turned_rated_and_the_next_one_comes(deck: Reader, ledger: Ledger) -> None:
    page = deck.open("/cards/review")
    first = page.main.one("article").text
    assert page.main.one("details", class_="flip").one("div", class_="back").text
    assert [button.text for button in rating(page).all("button")] == ["忘了 1 1分钟后", "记得 2 10分钟后"]
    page = deck.submit(rating(page), "记得")
    assert page.main.one("article").text != first
    assert ledger.rows("SELECT number, rating, day FROM review_log") == [(1, 3, "2026-09-01")]


def test_four_buttons_on_request(deck: Reader) -> None:
    page = deck.open("/cards/settings")
    page = deck.submit(page.form("/cards/settings"), buttons="4", new_a_day="3", retention="95")
    assert "记下了" in page.text
    page = deck.open("/cards/review")
    names = [button.text.split()[0] for button in rating(page).all("button")]
    assert names == ["重来", "困难", "良好", "简单"]
    assert "还有 3 张" in page.text


def test_full_width_digits_are_read_in_the_settings(deck: Reader, ledger: Ledger) -> None:
    form = deck.open("/cards/settings").form("/cards/settings")
    assert "记下了" in deck.submit(form, new_a_day="５", due_a_day=" 30 ").text
    assert ledger.rows("SELECT new_a_day, due_a_day FROM deck") == [(5, 30)]


@pytest.mark.parametrize(
    ("new_a_day", "due_a_day", "refused"),
    [("二十", "7", ["new_a_day"]), ("0", "0", ["due_a_day"]), ("x", "y", ["new_a_day", "due_a_day"])],
)
def test_the_setting_that_was_refused_is_marked(
    deck: Reader, new_a_day: str, due_a_day: str, refused: list[str]
) -> None:
    form = deck.open("/cards/settings").form("/cards/settings")
    page = deck.submit(form, new_a_day=new_a_day, due_a_day=due_a_day, status=422)
    fields = page.main.all("input", aria_invalid="true")
    assert [field["id"] for field in fields] == refused
    assert {field["aria-describedby"] for field in fields} == {"settings-error"}


@pytest.mark.parametrize("typed", ["二十", "-3", "", "1.5", "99999"])
def test_settings_that_cannot_be_read_are_refused_and_kept(deck: Reader, ledger: Ledger, typed: str) -> None:
    form = deck.open("/cards/settings").form("/cards/settings")
    page = deck.submit(form, new_a_day=typed, due_a_day="7", retention="95", status=422)
    assert page.main.one("p", role="alert").text
    values = {element["name"]: element["value"] for element in page.main.all("input", type="text")}
    assert values == {"new_a_day": typed, "due_a_day": "7"}
    assert page.main.one("option", selected="", value="95")
    assert ledger.count("deck") == 0


def test_a_double_click_says_so_kindly(deck: Reader, ledger: Ledger) -> None:
    page = deck.open("/cards/review")
    form = rating(page)
    deck.submit(form, "记得")
    page = deck.submit(form, "忘了")
    assert "多点的那一下没有算" in page.text
    assert ledger.count("review_log") == 1


def test_a_card_that_the_course_has_no_more_bars_no_way(deck: Reader, ledger: Ledger) -> None:
    with ledger.other_program() as connection:
        connection.execute("UPDATE card_memory SET card = 'content:long-gone' WHERE id = 1")
    page = deck.open("/cards/review")
    assert "这张卡片没有了" in page.text
    assert "做完了" not in page.text
    page = deck.submit(page.form("/cards/long-gone/status"))
    assert page.path == "/cards/review"
    assert rating(page)
    assert ledger.rows("SELECT card FROM card_memory WHERE card = 'content:long-gone'") == []
    assert deck.post("/cards/long-gone/status", [("status", "active")]).status_code == 404


def test_a_mistake_that_the_course_has_no_more_bars_no_list_and_no_file(deck: Reader, ledger: Ledger) -> None:
    with ledger.other_program() as connection:
        connection.execute("UPDATE card_memory SET card = 'content:mistake-long-gone' WHERE id = 1")
    for url in ("/cards/all", "/cards/all?q=CG", "/cards/all?state=new"):
        assert "long-gone" not in deck.open(url).main.html
    for name in ("cards.csv", "deck.json", "deck.apkg"):
        assert deck.client.get(f"/cards/files/{name}").status_code == 200
    page = deck.open("/cards/review")
    assert deck.submit(page.form("/cards/mistake-long-gone/status")).path == "/cards/review"
    assert ledger.rows("SELECT card FROM card_memory WHERE card LIKE '%long-gone'") == []


@pytest.mark.parametrize(
    ("streak", "lapse_count", "due_texts"),
    [
        (1, 0, ["10分钟后", "14天后"]),
        (2, 0, ["10分钟后", "毕业"]),
        (2, 5, ["先放一边", "毕业"]),
        (2, 6, ["10分钟后", "毕业"]),
    ],
)
def test_a_rating_says_where_the_card_does_not_come_back(
    streak: int, lapse_count: int, due_texts: list[str]
) -> None:
    memory = Memory(
        state="review",
        stability=5.0,
        difficulty=5.0,
        due_at=START,
        last_review_at=START - timedelta(days=5),
        review_count=8,
        lapse_count=lapse_count,
        streak=streak,
    )
    card_row = CardRow("content:mistake-natural_log", "dcg", START, "active", memory)
    rating_buttons = rating_buttons_of(
        card_row, NO_PAST, DeckSettings(), "Asia/Shanghai", START, is_right=False
    )
    assert [rating_button.due_words for rating_button in rating_buttons] == due_texts


@pytest.mark.usefixtures("clock")
def test_u_takes_back_also_the_last_card(guest: Reader, ledger: Ledger) -> None:
    page = alone(guest, "gain-when-moved")
    before = ledger.rows("SELECT * FROM card_memory")
    guest.submit(guest.open("/cards/settings").form("/cards/settings"), buttons="4")
    page = guest.submit(rating(guest.open("/cards/review")), "简单")
    assert "今天的闪卡做完了" in page.text
    page = guest.submit(page.form("/cards/undone"))
    assert "收回了" in page.text
    assert page.main.one("article")
    assert ledger.rows("SELECT * FROM card_memory") == before
    assert "撤销" not in page.main.text


def test_what_htmx_gets_is_what_the_page_shows(deck: Reader) -> None:
    page = deck.open("/cards/review")
    fragment = deck.submit(rating(page), "记得", htmx=True)
    again = deck.open("/cards/review")
    ours, whole = fragment.by_id("review").html, again.by_id("review").html
    assert re.sub('value="[0-9.]+"', "", ours) == re.sub('value="[0-9.]+"', "", whole)


@pytest.mark.one_file
def test_the_loop_asks_the_database_nothing_for_the_next_card(deck: Reader, app: FastAPI) -> None:
    """Reviews that others send meanwhile wait for the writer, and share a commit."""
    page = deck.open("/cards/review")
    statements: list[str] = []
    app.state.site.db._glance_connection.driver.set_trace_callback(statements.append)
    assert deck.submit(rating(page), "记得", htmx=True).by_id("review")
    assert not statements


def test_a_card_that_looks_alike_asks_everybody_for_their_own_review(
    guest: Reader, other_guest: Reader, clock: Clock
) -> None:
    page = alone(guest, "gain-when-moved")
    page = guest.submit(rating(page), "记得")
    clock.forward(seconds=5)
    page = guest.submit(page.form("/cards/undone"))
    second_review = hidden_fields(rating(page))
    clock.forward(seconds=7)
    first_review = hidden_fields(rating(alone(other_guest, "gain-when-moved")))
    start = START.timestamp()
    assert second_review.pop("guest") != first_review.pop("guest")
    assert second_review == {"number": "2", "shown": f"{start + 5:.1f}"}
    assert first_review == {"number": "1", "shown": f"{start + 12:.1f}"}


def hidden_fields(form: Element) -> dict[str, str]:
    return {element["name"]: element["value"] for element in form.all("input", type="hidden")}


def test_tomorrow_begins_at_four(deck: Reader, clock: Clock) -> None:
    deck.submit(deck.open("/cards/settings").form("/cards/settings"), buttons="4", new_a_day="1")
    page = deck.submit(rating(deck.open("/cards/review")), "简单")
    assert "今天的闪卡做完了" in page.text
    clock.at = datetime(2026, 9, 1, 19, 59, tzinfo=UTC)
    assert "今天的闪卡做完了" in deck.open("/cards/review").text
    clock.forward(minutes=1)
    assert "还有 1 张" in deck.open("/cards/review").text


def test_a_backlog_is_met_with_a_plan(deck: Reader, clock: Clock) -> None:
    form = deck.open("/cards/settings").form("/cards/settings")
    deck.submit(form, buttons="4", new_a_day="12", due_a_day="4")
    for _ in range(11):  # the last one is to be computed
        deck.submit(rating(deck.open("/cards/review")), "简单")
    clock.forward(days=60)
    page = deck.open("/cards")
    assert "一共积了11张" in page.text
    assert "大约3天就清完" in page.text
    assert "4张" in page.main.one("a", class_="primary").text
    page = deck.submit(page.form("/cards/less"))
    assert "今天只做一半" in page.text
    assert "2张" in page.main.one("a", class_="primary").text


def test_when_the_share_of_a_day_is_done_the_rest_is_for_tomorrow(deck: Reader, clock: Clock) -> None:
    form = deck.open("/cards/settings").form("/cards/settings")
    deck.submit(form, buttons="4", new_a_day="5", due_a_day="2")
    for _ in range(5):
        deck.submit(rating(deck.open("/cards/review")), "简单")
    clock.forward(days=60)
    assert "今天先拿最容易捡回来的2张" in deck.open("/cards").text
    for _ in range(2):
        page = deck.submit(rating(deck.open("/cards/review")), "简单")
    assert "看了2张，记得2次" in page.text
    assert "下一张明天" in page.text
    page = deck.open("/cards")
    assert "今天的份做完了，还剩3张，明天接着来" in page.text
    assert "0张" not in page.main.one("section", class_="today").text


@pytest.mark.usefixtures("clock")
def test_who_wants_no_new_cards_is_told_when_the_next_one_is_due(deck: Reader) -> None:
    deck.submit(deck.open("/cards/settings").form("/cards/settings"), buttons="4")
    deck.submit(rating(deck.open("/cards/review")), "简单")
    page = deck.submit(deck.open("/cards/settings").form("/cards/settings"), buttons="4", new_a_day="0")
    page = deck.open("/cards/review")
    assert re.search("下一张[0-9]+天后", page.text), page.main.text


def test_who_has_collected_cards_may_learn_them_now(guest: Reader) -> None:
    page = guest.submit(collecting(guest.open("/cards"))[0], htmx=True)
    link = page.root.one("a")
    assert (link["href"], link.text) == ("/cards/review", "现在就学10张")
    assert "来找你" not in page.text


def test_new_cards_beyond_the_limit_are_said_to_wait(deck: Reader) -> None:
    assert "还有5张新卡排着，每天来10张" in deck.open("/cards").main.text.replace(" ", "")
    deck.submit(deck.open("/cards/settings").form("/cards/settings"), new_a_day="1")
    page = deck.submit(rating(deck.open("/cards/review")), "记得")
    assert "张新卡排着" not in page.text, "the day is not over"
    page = deck.submit(collecting(deck.open("/cards"))[0], htmx=True)
    assert "轮到" in page.text
    assert "今天就能" not in page.text, "the new ones of today have come"
    deck.submit(deck.open("/cards/settings").form("/cards/settings"), new_a_day="99")
    assert "排着" not in deck.open("/cards").main.text


def test_other_settings_leave_the_half_day_half(deck: Reader) -> None:
    deck.submit(deck.open("/cards").form("/cards/less"))
    deck.submit(deck.open("/cards/settings").form("/cards/settings"), new_a_day="8")
    page = deck.open("/cards")
    assert "今天只做一半" in page.text
    assert "4张" in page.main.one("a", class_="primary").text


def test_a_second_press_on_undo_says_that_it_did_not_count(deck: Reader, ledger: Ledger) -> None:
    for _ in range(2):
        page = deck.submit(rating(deck.open("/cards/review")), "记得")
    form = page.form("/cards/undone")
    deck.submit(form)
    page = deck.submit(form)
    assert "这一下没有撤" in page.text
    assert page.form("/cards/undone"), "the review before can still be taken back"
    assert ledger.rows("SELECT count(*) FROM review_log WHERE undone_at IS NULL") == [(1,)]


def test_who_is_signed_out_is_told_so_on_taking_a_review_back(deck: Reader) -> None:
    page = deck.submit(rating(deck.open("/cards/review")), "记得")
    deck.client.cookies.clear()
    page = deck.submit(page.form("/cards/undone"), status=409)
    assert "没有撤" not in page.text


@pytest.mark.parametrize("htmx", [False, True])
def test_a_double_tap_on_undo_takes_one_review_back(
    deck: Reader, ledger: Ledger, clock: Clock, htmx: bool
) -> None:
    """Where the page is there within the tap, its second half meets the button for the review before."""
    for _ in range(2):
        page = deck.submit(rating(deck.open("/cards/review")), "记得")
    page = deck.submit(page.form("/cards/undone"), htmx=htmx)
    undone_card = page.by_id("review").one("article").html
    for _ in range(2):
        page = deck.submit(page.form("/cards/undone"), htmx=htmx)
        assert "只撤了一张" in page.text
        assert page.by_id("review").one("article").html == undone_card
        assert ledger.rows("SELECT count(*) FROM review_log WHERE undone_at IS NULL") == [(1,)]
    clock.forward(seconds=1)
    page = deck.submit(page.form("/cards/undone"), htmx=htmx)
    assert "收回了" in page.text
    assert ledger.rows("SELECT count(*) FROM review_log WHERE undone_at IS NULL") == [(0,)]


def test_undo_of_a_card_that_was_put_aside_says_that_it_stays_there(deck: Reader, ledger: Ledger) -> None:
    page = deck.open("/cards/review")
    card_path = page.main.one("p", class_="flash-ways").all("a")[0]["href"]
    deck.submit(rating(page), "记得")
    [form] = [form for form in deck.open(card_path).main.all("form") if "先停一停" in form.text]
    deck.submit(form)
    page = deck.submit(deck.open("/cards/review").form("/cards/undone"))
    assert "还停着" in page.by_id("review").text
    assert "这张重新来" not in page.text
    assert ledger.rows("SELECT count(*) FROM card_memory WHERE status = 'suspended'") == [(1,)]


def test_cards_of_a_day_are_told_in_progress(deck: Reader, clock: Clock) -> None:
    deck.submit(deck.open("/cards/settings").form("/cards/settings"), buttons="4", new_a_day="0")
    assert "/cards/review" not in deck.open("/progress").main.html, "no new ones are wanted"
    deck.submit(deck.open("/cards/settings").form("/cards/settings"), buttons="4", new_a_day="8")
    for _ in range(8):
        deck.submit(rating(deck.open("/cards/review")), "简单")
    clock.forward(days=60)
    assert "要复习 8 在学 0 新卡 7 开始复习 15张" in deck.open("/cards").main.text
    page = deck.open("/progress")
    assert len([element for element in page.main.all("a") if element["href"] == "/cards/review"]) == 1
    assert "15张" in page.main.text
    assert "约3分钟" in page.main.text


@pytest.mark.usefixtures("clock")
def test_a_computed_card_is_marked_and_diagnosed(guest: Reader, course: Course, ledger: Ledger) -> None:
    page = alone(guest, DRILL)
    wrong = f"{drill(course).answer / 0.6931471805599453:.3f}"
    page = guest.submit(page.form(f"/cards/{DRILL}/answers", "对一对"), answer=wrong)
    assert "自然对数" in page.text
    assert "记成忘了，1分钟后" in page.text
    assert ledger.rows("SELECT rating, raw, misconception FROM review_log") == [(1, wrong, "natural_log")]
    page = guest.open("/cards/review")
    assert drill(course, 1).question.engine_question != drill(course).question.engine_question
    right = f"{drill(course, 1).answer:.3f}"
    page = guest.submit(page.form(f"/cards/{DRILL}/answers", "对一对"), answer=right)
    assert ledger.count("review_log") == 1, "a right answer waits for its rating"
    assert page.main.one("button", class_="primary").text.startswith("记得")
    page = guest.submit(rating(page), "记得")
    assert ledger.rows("SELECT rating, raw FROM review_log")[1] == (3, right)


@pytest.mark.parametrize("htmx", [True, False])
def test_the_time_of_a_computed_card_is_that_from_seeing_to_rating(
    guest: Reader, clock: Clock, course: Course, ledger: Ledger, htmx: bool
) -> None:
    page = alone(guest, DRILL)
    clock.forward(seconds=40)
    form = page.form(f"/cards/{DRILL}/answers", "对一对")
    page = guest.submit(form, answer=f"{drill(course).answer:.3f}", htmx=htmx)
    clock.forward(seconds=2)
    guest.submit(page.root.one("form", class_="ratings"), "记得")
    assert ledger.rows("SELECT seconds FROM review_log") == [(42.0,)]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("moment", ["inf", "-inf", "nan", "1e9", "刚才", ""])
def test_a_form_that_says_nonsense_of_its_time_counts_without_one(
    guest: Reader, ledger: Ledger, moment: str
) -> None:
    form = alone(guest, DRILL).form(f"/cards/{DRILL}/answers", "忘了")
    guest.submit(form, "忘了", shown=moment)
    assert ledger.rows("SELECT rating, seconds FROM review_log") == [(1, None)]


@pytest.mark.usefixtures("clock")
def test_a_sum_that_was_typed_stays_a_sum(guest: Reader, course: Course, ledger: Ledger) -> None:
    page = alone(guest, DRILL)
    typed = f"{drill(course).answer - 1:.3f}+1"
    page = guest.submit(page.form(f"/cards/{DRILL}/answers", "对一对"), answer=typed)
    guest.submit(rating(page), "记得")
    assert ledger.rows("SELECT rating, raw FROM review_log") == [(3, typed)]


@pytest.mark.usefixtures("clock")
def test_what_cannot_be_read_costs_nothing(guest: Reader, ledger: Ledger) -> None:
    page = alone(guest, DRILL)
    form = page.form(f"/cards/{DRILL}/answers", "对一对")
    page = guest.submit(form, answer="十来颗", htmx=True, status=422)
    assert page.root.one("p", class_="error").text
    page = guest.submit(form, answer="十来颗")
    assert page.main.one("input", name="answer")["value"] == "十来颗"
    assert page.main.one("p", class_="error").text
    assert ledger.count("review_log") == 0


@pytest.mark.usefixtures("clock")
def test_giving_up_shows_the_way(guest: Reader, ledger: Ledger) -> None:
    page = alone(guest, DRILL)
    page = guest.submit(page.form(f"/cards/{DRILL}/answers", "忘了"), "忘了")
    assert page.main.one("ol", class_="worked").text
    page = guest.submit(page.form("/cards/undone"))
    assert page.main.one("form", class_="drill")
    assert ledger.rows("SELECT rating, raw, undone_at IS NOT NULL FROM review_log") == [(1, "", 1)]


def test_a_diagnosed_mistake_offers_a_card(guest: Reader, course: Course, ledger: Ledger) -> None:
    item = course.variant("practice-dcg-2", 4821)
    assert isinstance(item, Numeric)
    guest.open("/practice/dcg?level=2&seed=4821")
    page = guest.answer("practice-dcg-2", f"{item.answer / 0.6931471805599453:.3f}")
    page = guest.submit(page.form("/cards/collected", "这个错"))
    assert ledger.rows("SELECT card, family FROM card_memory") == [
        ("content:mistake-natural_log", course.drill_by_id["mistake-natural_log"].skill)
    ]
    page = guest.open("/cards/review")
    assert "你在这里摔过一跤：用了自然对数" in page.text


def test_a_card_of_a_mistake_asks_what_the_mistake_gets_wrong(course: Course) -> None:
    """Not the gain of a grade of 1, which is 1 by either rule."""
    blunted = []
    for drill in course.drill_by_id.values():
        for reps in range(12):
            question = CardExercise(course, drill, reps).item.question.engine_question
            if drill.misconception_id and drill.misconception_id not in predictions(question):
                blunted.append((drill.id, reps))
    assert blunted == []


@pytest.mark.usefixtures("clock")
def test_a_mistake_made_again_brings_its_card_back(guest: Reader, ledger: Ledger) -> None:
    mistake = "mistake-natural_log"
    collect(guest, mistake)
    with ledger.other_program() as connection:
        connection.execute("UPDATE card_memory SET status = 'retired'")
    message = guest.post("/cards/collected", [("card", mistake)], htmx=True).text
    assert "它又回来了" in message
    assert ledger.rows("SELECT status FROM card_memory") == [("active",)]
    assert "已经在你的闪卡里了" in guest.post("/cards/collected", [("card", mistake)], htmx=True).text


def test_there_are_at_least_fifteen_computed_cards(course: Course) -> None:
    drills = [card_drill for card_drill in course.drill_by_id.values() if card_drill.misconception_id is None]
    assert len(drills) >= 15
    card_ids_by_stage_id = course.card_ids_by_stage_id
    assert {drill.id for drill in drills} <= set().union(*card_ids_by_stage_id.values())
    assert sum(len(names) for names in card_ids_by_stage_id.values()) == len(course.cards) + len(drills)


def test_no_card_hides_a_page(course: Course) -> None:
    """`/cards/review` and its like are pages: no card of the course may be called so."""
    reserved_names = {
        "review",
        "all",
        "new",
        "own",
        "stats",
        "files",
        "settings",
        "collected",
        "less",
        "undone",
    }
    assert not reserved_names & (set(course.cards) | set(course.drill_by_id))


def test_the_page_of_a_computed_card_shows_the_list_it_asks_about(guest: Reader, course: Course) -> None:
    page = guest.open(f"/cards/{DRILL}")
    ranking = drill(course).ranking
    assert ranking
    assert all(document.title in page.main.one("article").text for document in ranking.documents)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("card", ["practice-kappa-1", "mistake-one_tail"])
def test_a_card_about_no_documents_is_asked_without_their_list(guest: Reader, card: str) -> None:
    page = alone(guest, card)
    assert page.main.all("figure", class_="ranking-shown") == []
    page = guest.submit(page.form(f"/cards/{card}/answers", "对一对"), answer="123.4", htmx=True)
    assert page.by_id("flash-said").text
    assert guest.open(f"/cards/{card}").main.one("article").text


def test_a_leech_is_put_aside_with_a_way_out(guest: Reader, clock: Clock, ledger: Ledger) -> None:
    alone(guest, "gain-when-moved")
    guest.submit(guest.open("/cards/settings").form("/cards/settings"), buttons="4")
    for _ in range(6):
        guest.submit(rating(guest.open("/cards/review")), "简单")
        clock.forward(days=400)
        page = guest.submit(rating(guest.open("/cards/review")), "重来")
        clock.forward(minutes=11)
    assert "先放到一边" in page.text
    page = guest.open("/cards/all?state=leech")
    assert "1张" in page.text
    page = guest.open("/cards/gain-when-moved")
    links = {link.text: link["href"] for link in page.main.all("a")}
    assert links["换成自己的话"] == "/cards/new?card=gain-when-moved"
    assert any(text.startswith("回课文") for text in links)
    draft = guest.open(links["换成自己的话"])
    assert "一颗3分糖" in draft.main.one("textarea", id="front").text
    guest.open("/cards/gain-when-moved")
    guest.submit(guest.page.form("/cards/gain-when-moved/status", "让它回来"))
    assert ledger.rows("SELECT status FROM card_memory") == [("active",)]


def test_a_computed_card_that_is_never_right_is_put_aside(
    guest: Reader, clock: Clock, ledger: Ledger
) -> None:
    page = alone(guest, DRILL)
    for _ in range(6):
        form = guest.open("/cards/review").form(f"/cards/{DRILL}/answers", "对一对")
        assert "先放到一边" not in page.text
        page = guest.submit(form, answer="0.001")
        clock.forward(days=1)
    assert "先放到一边" in page.text
    assert "记成忘了。" in page.text, "it does not come back in a minute"
    assert ledger.rows("SELECT status, lapses FROM card_memory") == [("leech", 0)]
    assert "今天的闪卡做完了" in guest.open("/cards/review").text
    page = guest.open(f"/cards/{DRILL}")
    assert "忘过6次" in page.text
    assert "先练几道" in page.main.one("div", class_="bubble").text
    last_rows = [row.text for row in page.main.one("tbody").all("tr")[:2]]
    assert [row.split()[-1] for row in last_rows] == ["先放一边", "1分钟后"]


def test_a_computed_leech_can_be_written_anew(guest: Reader, course: Course, ledger: Ledger) -> None:
    collect(guest, DRILL)
    with ledger.other_program() as connection:
        connection.execute("UPDATE card_memory SET status = 'leech', reps = 6")
    [link] = [
        element["href"]
        for element in guest.open(f"/cards/{DRILL}").main.all("a")
        if element.text == "换成自己的话"
    ]
    page = guest.open(link)
    ranking = drill(course, 6).ranking
    assert ranking
    assert ranking.documents[0].title in page.by_id("front").text
    assert drill(course, 6).solution()[0] in page.by_id("back").text


def test_a_card_is_put_aside_and_taken_out(deck: Reader, ledger: Ledger) -> None:
    [(card,)] = ledger.rows("SELECT card FROM card_memory ORDER BY id LIMIT 1")
    url = "/cards/" + card.removeprefix("content:")
    page = deck.open(url)
    page = deck.submit(page.form(f"{url}/status", "先停一停"))
    assert "不会来找你" in page.text
    page = deck.submit(page.form(f"{url}/status", "不要了"))
    assert "不在你的闪卡里" in page.text


def test_all_cards_are_searched_by_words_stage_and_state(deck: Reader, course: Course) -> None:
    total = len(course.cards) + sum(drill.misconception_id is None for drill in course.drill_by_id.values())
    assert f"{total}张，第1页" in deck.open("/cards/all").text
    page = deck.open("/cards/all?state=new")
    assert f"{len(course.card_ids_by_stage_id['concepts'])}张" in page.text
    assert "没有这样的卡片" in deck.open("/cards/all?q=火锅底料").text
    assert len(deck.open("/cards/all?q=对折").main.all("li")) == 1


@pytest.mark.usefixtures("clock")
def test_own_cards_are_written_edited_reviewed_deleted(guest: Reader, ledger: Ledger) -> None:
    page = guest.open("/cards/new")
    form = page.form("/cards/own", "记下来")
    page = guest.submit(form, front="", back="x", status=422)
    assert "正面还空着" in page.text
    form = page.form("/cards/own", "先看看")
    words = {"front": r"$\frac{1}{2}$和**<b>粗</b>**？", "back": "一半\n\n- 对", "tags": "#折损，常考 折损"}
    page = guest.submit(form, "先看看", **words)  # type: ignore[arg-type]
    assert page.main.one("article").one("mfrac")
    assert "<b>粗</b>" in page.text, "HTML is text"
    page = guest.submit(page.form("/cards/own", "记下来"), "记下来")
    assert page.path == "/cards/own-1"
    assert ledger.rows("SELECT tags FROM own_card") == [("折损 常考",)]
    page = guest.submit(rating(guest.open("/cards/review")), "记得")
    page = guest.open("/cards/own-1/edit")
    page = guest.submit(page.form("/cards/own-1/edit", "记下来"), "记下来", front="一半是几？")
    assert "一半是几？" in page.text
    assert "复习过1次" in page.text
    deletion_form = guest.open("/cards/own-1/edit").form("/cards/own-1/deletion")
    first_address = guest.submit(deletion_form).path
    assert guest.submit(deletion_form).path == first_address, "a second tap"
    assert ledger.rows("SELECT front, back, deleted_at IS NOT NULL FROM own_card") == [("", "", 1)]
    assert ledger.count("card_memory") == 0
    guest.open("/cards/own-1", status=404)


@pytest.mark.parametrize(
    ("front", "back", "refused"),
    [
        ("", "第3位", "front"),
        ("几？", " ", "back"),
        ("几？", "长" * 2001, "back"),
        ("几？", r"$\frac{1}$", "back"),
    ],
)
def test_the_side_of_a_card_that_was_refused_is_marked(
    guest: Reader, front: str, back: str, refused: str
) -> None:
    """For a screen reader that goes from field to field."""
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    page = guest.submit(form, front=front, back=back, status=422)
    [side] = page.main.all("textarea", aria_invalid="true")
    assert (side["id"], side["aria-describedby"]) == (refused, "own-error")


def test_a_bad_formula_is_said(guest: Reader) -> None:
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    page = guest.submit(form, front=r"$\frac{1}$", back="x", status=422)
    assert page.main.one("p", role="alert").text
    assert page.main.one("textarea", id="front").text == r"$\frac{1}$"


def test_one_card_too_many_is_said_and_stays_written(
    guest: Reader, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    monkeypatch.setattr(own_cards, "MOST_OWN_CARDS", 0)
    page = guest.submit(form, front="几？", back="三", status=422)
    assert "最多0张" in page.main.one("p", role="alert").text
    assert page.main.one("textarea", id="front").text == "几？"
    assert ledger.rows("SELECT id FROM own_card") == []


def test_no_side_is_drawn_where_others_wait(guest: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    render = markdown.render

    def noted(text: str) -> str:
        threads.append(threading.current_thread().name)
        return render(text)

    monkeypatch.setattr(markdown, "render", noted)
    form = guest.open("/cards/new").form("/cards/own", "先看看样子")
    page = guest.submit(form, "先看看样子", front="**几**折？", back="对折")
    assert page.main.one("article", class_="flash").one("strong").text == "几"
    assert threads
    assert {name.rpartition("_")[0] for name in threads} == {"off-loop"}


@pytest.mark.usefixtures("clock")
def test_nobody_sees_the_cards_of_another(guest: Reader, other_guest: Reader) -> None:
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    guest.submit(
        form,
        front="秘密？",
        back="甜",
    )
    for path in ("/cards/own-1", "/cards/own-1/edit", "/cards/own-99"):
        other_guest.open(path, status=404)
    collect(other_guest, "gain-when-moved")
    assert other_guest.post("/cards/own-1/edit", [("front", "x"), ("back", "y")]).status_code == 404
    assert other_guest.post("/cards/own-1/deletion", []).status_code == 404
    rated = other_guest.post("/cards/own-1/reviews", [("number", "1"), ("rating", "3")])
    assert "不在你的闪卡里" in rated.text
    assert "秘密" not in rated.text
    assert "秘密" in guest.open("/cards/own-1").text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("item=gain-of-grade", "一颗糖的甜度是4"),
        ("example=chengdu-food", "NDCG怎么算"),
        ("step=definitions.gain-and-discount.late-is-cheaper", "逛夜市"),
        ("card=gain-when-moved", "一颗3分糖"),
    ],
)
def test_a_card_begins_with_what_was_read(guest: Reader, query: str, words: str) -> None:
    page = guest.open(f"/cards/new?{query}")
    assert words in "".join(element.text for element in page.main.all("textarea"))


@pytest.mark.parametrize(
    ("seed", "most"),
    [(1, 4), *(pytest.param(seed, 10**6, marks=pytest.mark.long) for seed in (1, 4821))],
)
def test_a_card_of_an_item_can_be_answered(guest: Reader, course: Course, seed: int, most: int) -> None:
    """All that its question stands on goes along: the list, the options, the lines.

    most: how many items of a kind are looked at.
    """
    counts = Counter[type[Item]]()
    for name in course.items:
        kind = type(course.items[name])
        counts[kind] += 1
        if counts[kind] > most:
            continue
        item = course.variant(name, seed)
        front = unquoted(guest.open(f"/cards/new?item={name}&seed={seed}").by_id("front").text)
        ranking = getattr(item, "ranking", None)
        parts = [*(ranking.documents + ranking.unseen if ranking else ()), *getattr(item, "documents", ())]
        words = [getattr(part, "title", "") or part.text for part in parts]
        texts = [part.text for part in (*getattr(item, "options", ()), *getattr(item, "lines", ()))]
        assert all(
            unquoted(part) in front for part in (*words, *(editable_text(course, text) for text in texts))
        ), name


def test_a_card_of_an_open_question_keeps_its_answer_back(guest: Reader, course: Course) -> None:
    url, item = "/practice/dcg?level=1&seed=91", course.variant("practice-dcg-1", 91)
    page = begun(guest, url)
    assert page.by_id("front").text
    assert page.by_id("back").text == ""
    assert "答完这道题" in page.text
    guest.open(url)
    guest.answer("practice-dcg-1", "77")
    assert begun(guest, url).by_id("back").text == "", "it is still asked"
    guest.open(url)
    guest.answer("practice-dcg-1", *right_answer(item))
    page = begun(guest, url)
    assert "2.292" in page.by_id("back").text
    assert "答完这道题" not in page.text
    attempt = begun(guest, "/practice/dcg?level=1&seed=92")
    assert attempt.by_id("back").text == "", "other numbers are another question"


def test_a_card_of_a_question_that_was_shown_has_its_answer(guest: Reader, other_guest: Reader) -> None:
    url = "/items/noodle-order"
    page = guest.submit(guest.open(url).answering("noodle-order"), "提示")
    guest.submit(page.answering("noodle-order"), "看答案")
    assert begun(guest, url).by_id("back").text
    assert begun(other_guest, url).by_id("back").text == "", "somebody else has not seen it"


def test_a_card_of_a_question_in_a_lesson_waits_for_the_answer(guest: Reader, course: Course) -> None:
    section = next(anchor for anchor in course.stages[0].sections if isinstance(anchor, Quiz))
    url = f"/lessons/{course.stages[0].id}/{section.id}"
    ask_step = next(step for step in section.steps if isinstance(step, Ask))
    page = guest.open(f"{url}?step={section.steps.index(ask_step) + 1}")
    [link] = [anchor["href"] for anchor in page.main.all("a") if f".{ask_step.id}&" in anchor["href"]]
    assert guest.open(link).by_id("back").text == ""
    guest.open(url)
    page = guest.answer(ask_step.item, *right_answer(course.items[ask_step.item]))
    [link] = [anchor["href"] for anchor in page.main.all("a") if f".{ask_step.id}&" in anchor["href"]]
    assert guest.open(link).by_id("back").text


def begun(reader: Reader, url: str) -> Page:
    """The card that a page offers of its question."""
    [link] = [link["href"] for link in reader.open(url).main.all("a") if link.text == "记一张"]
    return reader.open(link)


def test_the_card_of_an_example_computes_its_own_list(guest: Reader, course: Course) -> None:
    example = course.examples["chengdu-food"]
    back = guest.open("/cards/new?example=chengdu-food").by_id("back").text
    assert f"**{example.trace.ndcg:.3f}**" in back


def unquoted(text: str) -> str:
    """Words without the spaces between them."""
    return "".join(text.split())


def test_a_question_offers_a_card_of_itself(guest: Reader) -> None:
    for url in ("/practice/dcg?level=2&seed=4821", "/items/noodle-order", "/items/noodle-order?seed=7"):
        page = guest.open(url)
        [link] = [link["href"] for link in page.main.all("a") if link.text == "记一张"]
        front = guest.open(link).by_id("front").text
        assert front.split("\n")[0][:6] in page.main.text
    assert "practice-dcg-2&seed=4821" in guest.open("/practice/dcg?level=2&seed=4821").html.replace(
        "&amp;", "&"
    )


def test_lessons_and_examples_offer_a_card(guest: Reader) -> None:
    page = guest.open("/lessons/definitions/gain-and-discount?step=6")
    links = [link["href"] for link in page.main.all("a") if link.text == "记一张"]
    assert len(links) >= 4
    for link in links:
        assert any(element.text for element in guest.open(link).main.all("textarea"))


def test_the_stats_are_honest_about_small_numbers(deck: Reader, clock: Clock) -> None:
    deck.submit(deck.open("/cards/settings").form("/cards/settings"), buttons="4")
    deck.submit(rating(deck.open("/cards/review")), "简单")
    clock.forward(days=20)
    deck.submit(rating(deck.open("/cards/review")), "良好")
    page = deck.open("/cards/stats")
    assert "100%" in page.text
    assert "才1次，先不下结论" in page.text
    assert "这30天没有卡片要回来" in page.main.text, "it was remembered so well that it comes later"
    assert len(page.main.all("table")) == 3
    assert len(page.main.all("svg")) == 1


def test_before_the_first_review_there_is_a_sentence_and_no_empty_picture(deck: Reader) -> None:
    page = deck.open("/cards/stats")
    assert "还没翻过" in page.by_id("no-reviews").text
    assert not page.main.all("figure")
    assert not page.main.all("table")
    assert "卡片都在哪" in page.main.text


def test_a_deck_goes_along_with_the_code(deck: Reader, other_guest: Reader) -> None:
    page = deck.submit(deck.open("/me").form("/resume-codes"))
    code = page.main.one("output").text
    other_guest.submit(other_guest.open("/me").form("/sign-ins"), code=code)
    assert "还有 10 张" in other_guest.open("/cards/review").text


@pytest.mark.parametrize(
    "path", ["/cards/unheard-of", "/cards/review?card=unheard-of", "/cards/review?slip=1"]
)
def test_what_is_not_there_is_not_found(guest: Reader, path: str) -> None:
    guest.open(path, status=404)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize("button", ["对一对", "忘了，给我看"])
def test_a_slip_that_is_sent_again_is_explained_again(
    guest: Reader, ledger: Ledger, htmx: bool, button: str
) -> None:
    """Its response was lost on the way: the answer is still in the form."""
    form = alone(guest, DRILL).form(f"/cards/{DRILL}/answers", "对一对")
    collect(guest, "gain-when-moved")
    explanations = []
    for _ in range(2):
        page = guest.submit(form, button, answer="0.001", htmx=htmx)
        assert "记成忘了" in page.text
        explanations.append(page.by_id("flash-said").text)
    assert explanations[0] == explanations[1]
    assert ledger.rows("SELECT number FROM review_log") == [(1,)]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("htmx", [True, False])
def test_another_answer_to_a_review_that_is_over_is_stale(guest: Reader, ledger: Ledger, htmx: bool) -> None:
    form = alone(guest, DRILL).form(f"/cards/{DRILL}/answers", "对一对")
    guest.submit(form, answer="0.001")
    page = guest.submit(form, answer="0.002", htmx=htmx)
    assert "已经复习过了" in page.text
    assert ledger.rows("SELECT number, raw FROM review_log") == [(1, "0.001")]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("htmx", [True, False])
def test_a_slip_that_was_taken_back_is_not_told_as_one(guest: Reader, htmx: bool) -> None:
    page = alone(guest, DRILL)
    form = page.form(f"/cards/{DRILL}/answers", "对一对")
    page = guest.submit(form, answer="0.001")
    assert page.path == "/cards/review?slip=1"
    guest.submit(page.form("/cards/undone"))
    assert "记成忘了" not in guest.open("/cards/review?slip=1").text
    assert "已经复习过了" in guest.submit(form, answer="0.001", htmx=htmx).text


def put_aside_elsewhere(reader: Reader, card: str, button: str) -> None:
    """In another tab of the same browser."""
    other_tab = reader.twin()
    other_tab.open(f"/cards/{card}")
    other_tab.submit(other_tab.page.form(f"/cards/{card}/status", button))


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("htmx", [True, False])
def test_a_computed_card_that_was_put_aside_meanwhile_is_answered_all_the_same(
    guest: Reader, course: Course, ledger: Ledger, htmx: bool
) -> None:
    form = alone(guest, DRILL).form(f"/cards/{DRILL}/answers", "对一对")
    put_aside_elsewhere(guest, DRILL, "先停一停")
    page = guest.submit(form, answer=right_answer(drill(course))[0], htmx=htmx)
    assert page.root.all("form", class_="ratings")
    page = guest.submit(form, answer="0.001", htmx=htmx)
    assert "记成忘了" in page.text
    assert ledger.rows("SELECT status, reps FROM card_memory") == [("suspended", 1)]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize("card", [DRILL, "gain-when-moved"])
def test_after_a_card_that_was_taken_out_meanwhile_the_next_one_comes(
    guest: Reader, ledger: Ledger, card: str, htmx: bool
) -> None:
    page = alone(guest, card)
    form = page.form(f"/cards/{DRILL}/answers", "对一对") if card == DRILL else rating(page)
    put_aside_elsewhere(guest, card, "不要了")
    collect(guest, "idcg-of-reversed")
    if card == DRILL:
        page = guest.submit(form, answer="0.001", htmx=htmx)
    else:
        page = guest.submit(form, "忘了", htmx=htmx)
    assert "已经不在你的闪卡里了" in page.text
    assert "已经复习过了" not in page.text
    assert page.root.all("form", class_="ratings")
    assert not ledger.rows("SELECT id FROM review_log")


def test_the_button_says_that_the_card_will_be_put_aside(guest: Reader, clock: Clock, ledger: Ledger) -> None:
    alone(guest, "gain-when-moved")
    due_texts = []
    for _ in range(6):
        form = rating(guest.open("/cards/review"))
        due_texts.append(form.all(class_="when")[0].text)
        guest.submit(form, "忘了")
        clock.forward(days=1)
    assert due_texts == ["1分钟后"] * 5 + ["先放一边"]
    assert ledger.rows("SELECT status FROM card_memory") == [("leech",)]


def test_the_button_says_when_a_mistake_made_again_retires(
    guest: Reader, clock: Clock, ledger: Ledger
) -> None:
    """With two 困难 it takes four reviews to retire; made again, three more, counted from there."""
    card = "mistake-natural_log"
    alone(guest, card)
    guest.submit(guest.open("/cards/settings").form("/cards/settings"), buttons="4")
    statuses = []
    for number, pressed in enumerate("2233" + "333", start=1):
        fields = [("number", str(number)), ("rating", pressed)]
        assert guest.post(f"/cards/{card}/reviews", fields).status_code == 200
        statuses += [status for (status,) in ledger.rows("SELECT status FROM card_memory")]
        if number == 4:
            clock.forward(days=1)
            collect(guest, card)
            [(due_at,)] = ledger.rows("SELECT due_at FROM card_memory")
            assert due_at < str(clock.at), "it is back, and comes at once"
        else:
            clock.forward(days=30)
    assert statuses == ["active"] * 3 + ["retired"] + ["active"] * 2 + ["retired"]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(("new_a_day", "words"), [("1", "还有1张新卡排着，每天来1张"), ("99", "")])
def test_a_day_that_is_done_says_what_waits_for_the_next(guest: Reader, new_a_day: str, words: str) -> None:
    collect(guest, "gain-when-moved", "idcg-of-reversed")
    guest.submit(guest.open("/cards/settings").form("/cards/settings"), new_a_day=new_a_day, buttons="4")
    page = guest.open("/cards/review")
    while forms := page.main.all("form", class_="ratings"):
        page = guest.submit(forms[0], "简单")
    assert "今天的闪卡做完了" in page.text
    assert words in page.main.text.replace(" ", "")
    assert ("张新卡排着" in page.text) == bool(words)
