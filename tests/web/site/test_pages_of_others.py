"""An old tab of 小糖, sent after 小序 has signed in beside it: nothing of hers becomes his."""

from math import log

import pytest

from app.course import Course
from app.course.cards.decks import seed_of_review
from app.course.items.kinds import Numeric
from tests.web.assignments.drafting import NUMERIC
from tests.web.cast import Page, Place, Reader, browser, right_answer
from tests.web.pages import Element, Fields, filled, parsed
from tests.web.school import (
    code_of,
    expect_page_of_another,
    invitation,
    join_new,
    new_class,
    sign_in,
    sign_out,
    sign_up,
)
from tests.web.taught import Term

DRILL = "practice-dcg-1"


@pytest.fixture
def neighbour(term: Term) -> Reader:
    """小序, in the same class."""
    reader = browser(term.client)
    join_new(reader, code_of(term.teacher, term.classroom), "小序")
    return reader


@pytest.fixture
def path(term: Term) -> str:
    """An assignment that both may do."""
    return term.publish(term.draft(NUMERIC, NUMERIC))


def begin(reader: Reader, path: str) -> None:
    reader.submit(reader.open(path).form(f"{path}/passes"))


def question_form(reader: Reader, path: str) -> Element:
    return reader.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")


def without_sender(fields: Fields) -> Fields:
    """As a page sent them before forms said whose they are."""
    return [field for field in fields if field[0] != "learner"]


@pytest.mark.parametrize("has_begun", [True, False])
def test_what_is_written_into_a_question_of_another_is_stored_nowhere(
    term: Term, path: str, neighbour: Reader, has_begun: bool
) -> None:
    begin(term.student, path)
    if has_begun:
        begin(neighbour, path)
    old_form = question_form(term.student, path)
    for action in ("drafts", "responses", "hints"):
        for htmx in (True, False):
            fields = filled(old_form, answer="7.77")
            page = Page(neighbour.post(f"{path}/questions/1/{action}", fields, htmx))
            assert page.status == 409
            expect_page_of_another(page)
            assert bool(page.root.all("header")) is not htmx, "htmx puts a fragment into the page"
            if htmx:
                assert page.response.headers["hx-retarget"] == "#status"
    assert term.ledger.count("saved_answer") == term.ledger.count("response") == 0


def test_what_another_wrote_is_shown_again_and_sent_by_who_comes_back(
    term: Term, path: str, neighbour: Reader
) -> None:
    begin(term.student, path)
    begin(neighbour, path)
    page = neighbour.submit(question_form(term.student, path), status=409, answer="3 + 2/1.585 + 1")
    assert "3 + 2/1.585 + 1" in page.main.text
    again = term.student.submit(page.by_id("again"))
    assert again.path == f"{path}/questions/2"
    assert term.ledger.count("saved_answer") == 1


def test_nobody_hands_in_or_begins_from_a_page_of_another(term: Term, path: str, neighbour: Reader) -> None:
    old_begin = term.student.open(path).form(f"{path}/passes")
    neighbour.submit(old_begin, status=409)
    assert term.ledger.count("submission") == 0
    begin(term.student, path)
    begin(neighbour, path)
    old_hand_in = term.student.open(f"{path}/hand-in").form(f"{path}/hand-ins")
    expect_page_of_another(neighbour.submit(old_hand_in, status=409))
    assert term.ledger.rows("SELECT count(*) FROM submission WHERE handed_in_at IS NOT NULL") == [(0,)]
    assert "交了" in term.student.submit(old_hand_in).text


def test_a_form_that_does_not_say_whose_it_is_is_taken(term: Term, path: str) -> None:
    student = term.student
    begin(student, path)
    old_form = question_form(student, path)
    fields = without_sender(filled(old_form, answer="31"))
    assert student.post(f"{path}/questions/1/drafts", fields, htmx=True).status_code == 200
    sign_up(student, "小来")
    student.submit(old_form, status=409, answer="32")


def test_a_page_of_who_has_left_asks_to_sign_in_and_is_theirs_again(term: Term, path: str) -> None:
    student = browser(term.client)
    sign_up(student, "小回")
    student.open(f"/join/{code_of(term.teacher, term.classroom)}")
    student.submit(student.page.form(student.page.path))
    begin(student, path)
    old_form = question_form(student, path)
    sign_out(student)
    page = student.submit(old_form, status=404, answer="3 + 1")
    assert "这台设备现在没有登录" in page.main.text
    sign_in(student, "小回")
    assert student.submit(page.by_id("again")).path == f"{path}/questions/2"


def test_an_answer_before_a_beginning_is_refused_in_a_fragment(
    term: Term, path: str, neighbour: Reader
) -> None:
    begin(term.student, path)
    fields = without_sender(filled(question_form(term.student, path), answer="31"))
    for action in ("drafts", "responses", "hints"):
        response = neighbour.post(f"{path}/questions/1/{action}", fields, htmx=True)
        assert response.status_code == 422
        assert response.headers["hx-retarget"] == "#status"
        assert "还没有开始" in response.text
        assert not parsed(response.text).all("main")


def test_an_old_page_of_a_lesson_gives_nobody_a_first_answer(
    term: Term, place: Place, course: Course, neighbour: Reader
) -> None:
    old_form = term.student.open(place.url).answering(place.name)
    answer = list(right_answer(course.items[place.name]))
    expect_page_of_another(neighbour.submit(old_form, status=409, answer=answer))
    expect_page_of_another(neighbour.submit(old_form, status=409, htmx=True, answer=answer))
    assert term.ledger.count("response") == 0
    term.student.submit(old_form, answer=answer)
    assert term.ledger.count("response") == 1


def test_a_card_is_rated_by_who_has_seen_it(term: Term, neighbour: Reader) -> None:
    for reader in (term.student, neighbour):
        page = reader.open("/cards")
        reader.submit(next(form for form in page.main.all("form") if form["action"] == "/cards/collected"))
    first_form = term.student.open("/cards/review").main.one("form", class_="ratings")
    neighbour.submit(first_form, "记得", status=409, htmx=True)
    next_card = term.student.submit(first_form, "记得", htmx=True)
    next_form = next_card.root.one("form", class_="ratings")
    neighbour.submit(next_form, "记得", status=409)
    undo_form = next_card.form("/cards/undone")
    neighbour.submit(undo_form, status=409)
    assert term.ledger.count("review_log") == 1


def test_a_card_about_a_mistake_is_kept_by_who_made_it(term: Term, course: Course, neighbour: Reader) -> None:
    student = term.student
    student.post("/cards/collected", [("card", DRILL)])
    drill = course.variant(course.drill_by_id[DRILL].item_id, seed_of_review(f"content:{DRILL}", 0))
    assert isinstance(drill, Numeric)
    drill_form = student.open("/cards/review").form(f"/cards/{DRILL}/answers", "对一对")
    page = student.submit(drill_form, htmx=True, answer=f"{drill.answer / log(2):.3f}")
    old_form = page.form("/cards/collected", "这个错")
    for htmx in (True, False):
        expect_page_of_another(neighbour.submit(old_form, status=409, htmx=htmx))
    assert term.ledger.count("card_memory") == 1
    student.submit(old_form)
    assert term.ledger.count("card_memory") == 2


def test_a_move_of_a_game_is_made_by_who_has_seen_it(term: Term, neighbour: Reader) -> None:
    url = "/games/interleaving?seed=1234"
    old_page = term.student.open(url)
    old_form = next(form for form in old_page.main.all("form") if form["action"].endswith("/moves"))
    neighbour.submit(old_form, status=409)
    assert term.ledger.count("game_move") == 0


def test_who_continues_as_a_guest_where_a_sign_in_has_ended_is_not_taken_for_another(
    term: Term, place: Place, course: Course
) -> None:
    """The key of who was here is still in the browser when the guest answers, and no more after that."""
    reader = browser(term.client)
    sign_up(reader, "小停")
    elsewhere = browser(term.client)
    sign_in(elsewhere, "小停")
    elsewhere.submit(elsewhere.open("/me").form("/me/devices/endings"))
    form = reader.open(place.url).answering(place.name)
    answer = list(right_answer(course.items[place.name]))
    assert "learner" in reader.client.cookies
    fragment = reader.submit(form, htmx=True, answer=answer)
    assert not fragment.root.all("input", name="learner")
    reader.open(place.url)
    reader.go_on()


def test_how_pages_look_is_chosen_on_a_page_of_another_too(term: Term, neighbour: Reader) -> None:
    old_form = term.student.open("/glossary").form("/preferences")
    assert neighbour.submit(old_form, size="large").path == "/glossary"


def test_nobody_becomes_a_teacher_or_comes_into_a_class_by_the_page_of_another(
    term: Term, neighbour: Reader
) -> None:
    reader = browser(term.client)
    sign_up(reader, "小客")
    invited = invitation(term.client)
    staff_url = f"/classrooms/{term.classroom}/staff"
    staff_page = term.teacher.open(staff_url)
    staff_page = term.teacher.submit(staff_page.form(f"{staff_url}/invitations"), role="assistant")
    offer = staff_page.by_id("staff-link").text.partition("testserver")[2]
    joining = f"/join/{code_of(term.teacher, new_class(term.teacher, '高一4班'))}"
    for url, action in (
        (invited, f"{invited}/acceptances"),
        (joining, joining),
        (offer, f"{offer}/acceptances"),
    ):
        old_form = reader.open(url).form(action)
        before = term.ledger.everything()
        expect_page_of_another(neighbour.submit(old_form, status=409))
        assert term.ledger.everything() == before
        reader.submit(old_form)


def test_a_guest_does_not_delete_their_work_on_the_page_of_an_account(
    term: Term, place: Place, course: Course
) -> None:
    """That of an account asks for a password, and a guest has none."""
    reader, guest = browser(term.client), browser(term.client)
    sign_up(reader, "小客")
    old_form = reader.open("/me/data").form("/me/deletions")
    guest.open(place.url)
    guest.answer(place.name, *right_answer(course.items[place.name]))
    learner_count = term.ledger.count("learner")
    guest.submit(old_form, status=409, sure="yes")
    assert term.ledger.count("learner") == learner_count


@pytest.mark.parametrize(("first_choice", "second_choice"), [("yes", []), ([], "yes")])
def test_who_signs_in_again_goes_on_whether_the_computer_is_shared_or_not(
    term: Term, first_choice: object, second_choice: object
) -> None:
    reader = browser(term.client)
    sign_up(browser(term.client), "小客")
    sign_in(reader, "小客", shared=first_choice)
    old_form = reader.open("/cards/new").form("/cards/own")
    sign_out(reader)
    sign_in(reader, "小客", shared=second_choice)
    reader.submit(old_form, front="问", back="答")
    assert term.ledger.count("own_card") == 1


@pytest.mark.parametrize("htmx", [True, False])
def test_an_old_page_of_a_guest_gives_no_account_an_answer(
    term: Term, place: Place, course: Course, htmx: bool
) -> None:
    reader = browser(term.client)
    sign_up(browser(term.client), "小客")
    answer = list(right_answer(course.items[place.name]))
    reader.post("/cards/collected", [("card", DRILL), *guest_fields(reader, place)])
    old_form = reader.open(place.url).answering(place.name)
    sign_in(reader, "小客", bring=[])
    page = reader.submit(old_form, status=409, htmx=htmx, answer=answer)
    expect_page_of_another(page)
    assert "重新打开这一页" in page.text
    assert term.ledger.count("response") == 0
    reader.submit(reader.open(place.url).answering(place.name), htmx=htmx, answer=answer)
    assert term.ledger.count("response") == 1


def test_a_guest_who_has_signed_up_sends_what_they_wrote_before_once_more(
    term: Term, place: Place, course: Course
) -> None:
    """The page cannot know that they are the same. That of a newcomer belongs to nobody yet."""
    reader = browser(term.client)
    newcomer_form = reader.open(place.url).answering(place.name)
    reader.post("/cards/collected", [("card", DRILL), *guest_fields(reader, place)])
    old_form = reader.open("/cards/new").form("/cards/own")
    reader.submit(newcomer_form, answer=list(right_answer(course.items[place.name])))
    sign_up(reader, "小客")
    page = reader.submit(old_form, status=409, front="问", back="答")
    assert term.ledger.count("own_card") == 0
    reader.submit(page.by_id("again"))
    assert term.ledger.count("own_card") == 1


def guest_fields(reader: Reader, place: Place) -> Fields:
    """How the first form of a newcomer says who sends it."""
    fields = filled(reader.open(place.url).answering(place.name))
    return [field for field in fields if field[0] == "guest"]
