"""Both games without a script and as fragments: what was done stays, and a stranger sees nothing of it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from typing import Any, get_args

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.course import Course
from app.course.games import judging
from app.course.games.duel import is_second_edition
from app.course.games.duel_play import moves_through
from app.course.games.monster import drawn_battle
from app.course.games.monster_play import HEARTS_BY_LEVEL
from app.course.games.moves import RAW_SEPARATOR
from app.records.games.values import Game
from app.settings import Settings
from app.web.games.judging_views import JudgingView
from app.web.site import clock as site_clock
from tests.course.games.made_games import Made
from tests.course.games.ways_through import WAY_BY_GAME, answer_by_mistake, way_through_judging
from tests.course.small import FILES
from tests.web.cast import Ledger, Page, Reader, browser, settings_at, site_with
from tests.web.pages import Element, button, filled
from tests.web.site.fragments import assert_is_part
from tests.web.site.well_made import faults_of

DUEL, BATTLE = "/games/duel?seed=7", "/games/monster?level=1&seed=7"
LIGHT = 12 * 1024


def form(page: Page, move: str) -> tuple[Element, Element]:
    """The form and the button of a move."""
    for move_form in page.main.all("form"):
        for pressed in move_form.all("button"):
            fields = dict(filled(move_form, pressed))
            if "position" in fields and (
                fields.get("move", "answer") == move or pressed.get("value") == move
            ):
                return move_form, pressed
    raise AssertionError(f"no {move} in {page.main.text[:300]}")


def move(reader: Reader, move_name: str, **options: Any) -> Page:
    """Make a move of a duel on the open page."""
    move_form, pressed = form(reader.page, move_name)
    return reader.submit(move_form, pressed.text, **options)


def strike(reader: Reader, raw: str, both: bool = False) -> Page:
    """Send a number, or choose an order; `both`: first as a fragment, which must be a part of the page."""
    [move_form] = reader.page.main.all("form", class_="answer")
    choice = next(
        (control for control in move_form.all("button", name="answer") if control["value"] == raw), None
    )
    fields = filled(move_form, choice) if choice else filled(move_form, button(move_form, "出招"), answer=raw)
    fragment = Page(reader.post(move_form["action"], fields, htmx=True)) if both else None
    reader.page = Page(reader.post(move_form["action"], fields))
    if fragment:
        assert_is_part(fragment, reader.page)
    return reader.page


def walk(reader: Reader, moves: Iterator[tuple[str, str]], both: bool = False) -> Page:
    for move_name, raw in moves:
        move_form, pressed = form(reader.page, raw if move_name == "guess" else move_name)
        if both:
            fragment = reader.submit(move_form, pressed.text, htmx=True)
            assert_is_part(fragment, reader.submit(move_form, pressed.text))
        else:
            reader.submit(move_form, pressed.text)
    return reader.page


def test_a_seed_is_chosen_and_stands_in_the_address(guest: Reader) -> None:
    assert "seed=" in guest.open("/games/duel").path
    assert guest.open("/games/monster").path.startswith("/games/monster?level=1&seed=")
    assert guest.open("/games/judging").path.startswith("/games/judging?seed=")
    assert guest.open("/games/interleaving").path.startswith("/games/interleaving?seed=")
    assert guest.open("/games/pushing").path.startswith("/games/pushing?seed=")
    assert guest.open("/games/monster?level=3").path.startswith("/games/monster?level=3&seed=")


def test_a_play_that_waits_for_its_end_is_gone_on_with_where_that_is_asked(guest: Reader) -> None:
    for game in ("duel?", "monster?level=2&"):
        assert "seed=" in guest.open(f"/games/{game}begun=1").path, "a fresh one, where none was begun"
    guest.open("/games/monster?level=2&seed=7")
    strike(guest, "40")
    assert guest.open("/games/monster?level=1&begun=1").path == "/games/monster?level=2&seed=7"
    assert guest.open("/games/monster?level=2&begun=1").path == "/games/monster?level=2&seed=7"
    assert guest.open("/games/monster?level=2").path != "/games/monster?level=2&seed=7"
    assert guest.open("/games/monster?level=3&begun=1").path.startswith("/games/monster?level=3&")
    assert guest.open("/games/duel?begun=1").path.startswith("/games/duel?seed=")
    guest.open("/games/monster?level=2&seed=7")
    for times in range(1, HEARTS_BY_LEVEL[2]):
        strike(guest, f"{40 + times}")
    assert guest.open("/games/monster?level=2&begun=1").path != "/games/monster?level=2&seed=7", "it is over"


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/games/duel?seed=0", "局号seed不对：要写1到999999999之间的整数"),
        ("/games/duel?seed=x", "局号seed不对"),
        ("/games/monster?level=4&seed=7", "难度level不对：要写1到3之间的整数"),
        ("/games/monster?seed=-1", "局号seed不对"),
    ],
)
def test_an_address_that_is_none_says_what_may_stand_in_it(
    guest: Reader, address: str, sentence: str
) -> None:
    assert sentence in guest.open(address, status=404).text


def test_round_one_answers_the_question_of_the_dialogue(guest: Reader) -> None:
    guest.open(DUEL)
    assert "系统X" in guest.page.text
    move(guest, "y")
    page = move(guest, "all")
    assert "猜中了" in page.text
    assert "系统X的DCG@4≈2.923" in page.text
    assert "系统Y的DCG@4≈4.762" in page.text


@pytest.mark.parametrize("stake_field", ["stake", "answer"])
def test_candies_are_staked_and_counted(guest: Reader, stake_field: str) -> None:
    """As `answer`, beside the guess, they come from a page that was opened long ago."""
    guest.open(DUEL)
    move_form, pressed = form(guest.page, "x")
    fields = [field for field in filled(move_form, pressed) if field != ("stake", "1")]
    assert ("answer", "x") in fields
    position = fields.index(("answer", "x"))
    fields.insert(position, (stake_field, "3"))
    guest.page = Page(guest.post(move_form["action"], fields))
    assert "你猜系统X高，押3颗" in guest.page.text
    assert "糖−3" in move(guest, "all").text


def test_a_fresh_duel_is_one_of_the_second_edition(guest: Reader) -> None:
    seed = int(guest.open("/games/duel").path.rpartition("=")[2])
    assert is_second_edition(seed)


def test_terms_slide_in_one_by_one(guest: Reader) -> None:
    guest.open(DUEL)
    assert not guest.page.root.all("span", class_="piece")
    move(guest, "x")
    for count in (1, 2, 3):
        page = move(guest, "open")
        assert len(page.root.all("span", class_="piece")) == 2 * count
    assert "翻开第4位" in page.text


@pytest.mark.both_databases
@pytest.mark.parametrize("right", [True, False])
def test_a_duel_to_its_end(guest: Reader, ledger: Ledger, right: bool) -> None:
    guest.open(DUEL)
    page = walk(guest, moves_through(7, right), both=right)
    assert page.by_id("duel-end").text.startswith(f"这一局猜中 {12 if right else 0} ／12")
    assert f"押糖{'+12' if right else 0}颗，最多能有36颗；只算这一局" in page.text
    assert ledger.rows("SELECT outcome, score, total FROM game_move WHERE outcome IS NOT NULL") == [
        ("done", 12 if right else 0, 12)
    ]
    links = [address["href"] for address in page.by_id("duel-end").all("a")]
    assert links[0] == "/games/duel", "a fresh one: the next seed may have been played"
    assert any(address.startswith("/practice/") for address in links) is not right
    for link in links:
        guest.open(link)


def assert_rounds_look_as_they_went(page: Page, score: int) -> None:
    """A round that brought less than it could is no hit; the rounds add up to the score."""
    score_sum = 0
    for row in page.by_id("choice-end").one("ol").all("li"):
        round_score, most = row.one("small").text.split("／")
        assert row["class"] == ("hit" if round_score == most else "missed"), row.text
        score_sum += int(round_score)
    assert score_sum == score


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize(("game", "most"), [("judging", 12), ("interleaving", 15)])
def test_a_game_of_choices_to_its_end(
    guest: Reader, ledger: Ledger, game: str, most: int, right: bool
) -> None:
    guest.open(f"/games/{game}?seed=7")
    page = walk(guest, WAY_BY_GAME[game](7, right), both=right)
    [(outcome, score, total)] = ledger.rows(
        "SELECT outcome, score, total FROM game_move WHERE outcome IS NOT NULL"
    )
    assert (outcome, total) == ("done", most)
    assert (score == most) is right
    assert page.by_id("choice-end").text.startswith(f"这一局得了 {score} ／{most}")
    assert_rounds_look_as_they_went(page, score)
    assert ledger.rows("SELECT DISTINCT game, level FROM game_move") == [(game, 0)]
    for link in page.by_id("choice-end").all("a"):
        guest.open(link["href"])
    assert guest.open(f"/games/{game}?seed=7").by_id("choice-end")
    assert f"局号7 · 打完了 · {score}／{most}" in guest.open("/games").text


def test_a_candy_is_paid_for_once_and_a_sealed_one_shows_no_grade(guest: Reader, ledger: Ledger) -> None:
    page = guest.open("/games/judging?seed=7")
    assert len(page.main.all("span", class_="wrapped")) == 2 * len(judging.draw_rounds(7)[0].unjudged_indexes)
    place = judging.draw_rounds(7)[0].unjudged_indexes[0]
    move_form, pressed = form(page, str(place))
    for _ in range(2):
        page = guest.submit(move_form, pressed.text)
    assert ledger.count("game_move") == 1
    assert (
        len(page.main.all("span", class_="wrapped"))
        == 2 * len(judging.draw_rounds(7)[0].unjudged_indexes) - 2
    )


def test_a_system_that_can_only_draw_level_is_said_to(course: Course) -> None:
    """It is ahead by no 0.00 and by no -0.00 at most."""
    assert course.games
    can_only_draw = set()
    for seed in range(1, 41):
        moves: list[Any] = []
        for move_name, raw in way_through_judging(seed):
            view = JudgingView(course, course.games.judging, seed, tuple(moves))
            moves.append(Made(move_name, raw, ""))
            if view.state.is_decided:
                continue
            least, most = view.round.least_and_greatest_lead(view.state.judged_indexes)
            expected = (most < 1e-9, least > -1e-9)
            assert ("X最多打平" in view.doubt_sentence, "Y最多打平" in view.doubt_sentence) == expected, (
                seed,
                view.doubt_sentence,
            )
            assert "0.00" not in view.doubt_sentence
            can_only_draw.add(any(expected))
    assert can_only_draw == {True, False}


def test_a_lead_is_told_in_as_many_places_as_show_it(course: Course) -> None:
    """Of 0.004 nobody hears that it is 0.00."""
    assert course.games
    way = [*way_through_judging(6)]
    fourth_round_begins_at = [index for index, (move, _) in enumerate(way) if move == "on"][2] + 1
    way_to_lead = [*way[:fourth_round_begins_at], *product(["guess"], "1345")]
    moves: list[Any] = [Made(move, raw, "") for move, raw in way_to_lead]
    view = JudgingView(course, course.games.judging, 6, tuple(moves))
    assert view.state.round_index == 3
    assert "高0.004" in view.doubt_sentence


def test_what_was_done_stays_after_a_reload_and_on_another_device(guest: Reader) -> None:
    guest.open(DUEL)
    move(guest, "x")
    before = move(guest, "open").main.html
    assert guest.open(DUEL).main.html == before
    assert guest.twin().open(DUEL).main.html == before


def test_a_double_click_is_harmless(guest: Reader, ledger: Ledger) -> None:
    guest.open(DUEL)
    move_form, pressed = form(guest.page, "y")
    guest.submit(move_form, pressed.text)
    again = guest.submit(move_form, pressed.text)
    assert ledger.count("game_move") == 1
    assert "你猜系统Y高" in again.text
    guest.open(BATTLE)
    wrong = next(iter(answer_by_mistake(drawn_battle(1, 7).strokes[0]).values()))
    [move_form] = guest.page.main.all("form", class_="answer")
    for _ in range(2):
        page = guest.submit(move_form, "出招", answer=wrong)
    assert f"还剩{HEARTS_BY_LEVEL[1] - 1}颗" in page.text


def test_a_stranger_sees_a_fresh_board(guest: Reader, other_guest: Reader) -> None:
    guest.open(DUEL)
    move(guest, "y")
    assert "谁的DCG@4更高" in other_guest.open(DUEL).text
    assert other_guest.page.main.all("button", value="y")
    assert "最近几局" not in other_guest.open("/games").text
    assert "最近几局" in guest.open("/games").text


def spread(reader: Reader, raw: str, both: bool = False) -> Page:
    """Hand in so many units for each pair; `both`: first as a fragment, which must be a part of the page."""
    [move_form] = reader.page.main.all("form", class_="pushes")
    fields = [field for field in filled(move_form, button(move_form, "交上去")) if field[0] != "answer"]
    fields += [("answer", units) for units in raw.split(RAW_SEPARATOR)]
    fragment = Page(reader.post(move_form["action"], fields, htmx=True)) if both else None
    reader.page = Page(reader.post(move_form["action"], fields))
    if fragment:
        assert_is_part(fragment, reader.page)
    return reader.page


@pytest.mark.parametrize("right", [True, False])
def test_a_hundred_units_are_spread_to_the_end(
    guest: Reader, course: Course, ledger: Ledger, right: bool
) -> None:
    page = guest.open("/games/pushing?seed=7")
    for move_name, raw in WAY_BY_GAME["pushing"](7, right):
        page = spread(guest, raw, both=right) if move_name == "guess" else move(guest, "on")
    [(outcome, score, total)] = ledger.rows(
        "SELECT outcome, score, total FROM game_move WHERE outcome IS NOT NULL"
    )
    assert (outcome, total, score == 12) == ("done", 12, right)
    assert page.by_id("choice-end").text.startswith(f"这一局得了 {score} ／12")
    assert_rounds_look_as_they_went(page, score)
    assert course.games
    mistakes = course.games.pushing.mistakes.values()
    assert any(words in page.text for words in mistakes) is not right
    for link in page.by_id("choice-end").all("a"):
        guest.open(link["href"])
    assert f"局号7 · 打完了 · {score}／12" in guest.open("/games").text


@pytest.mark.parametrize("htmx", [True, False])
def test_a_button_moves_five_units_and_records_nothing(guest: Reader, ledger: Ledger, htmx: bool) -> None:
    guest.open("/games/pushing?seed=7")
    for press in ("more-1", "more-1", "more-3", "less-2"):
        [move_form] = guest.page.root.all("form", class_="pushes")
        [pressed] = move_form.all("button", value=press)
        guest.page = guest.submit(move_form, pressed.text, htmx=htmx)
    [move_form] = guest.page.root.all("form", class_="pushes")
    assert [field["value"] for field in move_form.all("input", name="answer")] == ["10", "0", "5"]
    assert "还剩85份" in guest.page.text
    assert ledger.count("game_move") == ledger.count("learner") == 0


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("50;30;10", "还差10份"),
        ("90;30;10", "多了30份"),
        ("一半;30;20", "写的“一半”读不出来"),
        ("", "还差100份"),
    ],
)
def test_what_is_no_spread_is_said_and_stays_in_its_fields(
    guest: Reader, ledger: Ledger, raw: str, message: str
) -> None:
    guest.open("/games/pushing?seed=7")
    page = spread(guest, raw)
    assert message in page.by_id("pushing-error").text
    assert page.main.all("input", name="answer")[0]["value"] == raw.split(";", maxsplit=1)[0]
    assert ledger.count("game_move") == 0


def test_looking_records_nothing(guest: Reader, ledger: Ledger) -> None:
    choices = ("/games/judging?seed=7", "/games/interleaving?seed=7", "/games/pushing?seed=7")
    for address in (*choices, "/games", DUEL, BATTLE, "/games/monster?level=3&seed=9"):
        guest.open(address)
    assert [name for name, rows in ledger.everything().items() if rows] == []


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_battle_won_step_by_step(guest: Reader, ledger: Ledger, level: int) -> None:
    guest.open(f"/games/monster?level={level}&seed=7")
    strokes = drawn_battle(level, 7).strokes
    for stroke in strokes:
        page = strike(guest, stroke.right_answer_text, both=True)
    assert "归一化之剑是你的了" in page.text
    assert "一下都没挨着" in page.text
    assert ledger.rows("SELECT outcome, score FROM game_move WHERE outcome IS NOT NULL") == [
        ("won", len(strokes))
    ]
    for link in page.by_id("battle-end").all("a"):
        guest.open(link["href"])
    assert ("赢过" in guest.open("/games").text) is True


def test_a_mistake_is_the_monsters_attack_and_says_how_to_mend_it(guest: Reader) -> None:
    guest.open(BATTLE)
    wrong = answer_by_mistake(drawn_battle(1, 7).strokes[0])["natural_log"]
    page = strike(guest, wrong, both=True)
    assert "对数底弄错之爪" in page.text
    assert "公式里是以2为底的对数" in page.text
    assert guest.page.root.one("input", name="answer")["value"] == wrong


def test_a_blow_above_one_hears_that_no_ndcg_gets_there(guest: Reader) -> None:
    """Where no mistake explains it, as with the same number in an exercise."""
    guest.open(BATTLE)
    for stroke in drawn_battle(1, 7).strokes[:-1]:
        strike(guest, stroke.right_answer_text)
    assert "@3不会超过1。先看清要算的是什么" in strike(guest, "7.698").text


def test_a_wrong_order_is_an_attack_and_is_not_offered_again(guest: Reader) -> None:
    guest.open(BATTLE)
    strokes = drawn_battle(1, 7).strokes
    at = [stroke.kind for stroke in strokes].index("ideal-order")
    for stroke in strokes[:at]:
        strike(guest, stroke.right_answer_text)
    choices = len(guest.page.main.all("button", class_="order-choice"))
    page = strike(guest, answer_by_mistake(strokes[at])["ideal_ascending"])
    assert "倒挂金钩" in page.text
    assert len(page.main.all("button", class_="order-choice")) == choices - 1


def test_a_potion_is_a_hint_and_what_was_typed_stays(guest: Reader) -> None:
    guest.open(BATTLE)
    [move_form] = guest.page.main.all("form", class_="answer")
    fragment = guest.submit(move_form, "读药水瓶", answer="0.4", htmx=True)
    page = guest.submit(move_form, "读药水瓶", answer="0.4")
    assert_is_part(fragment, page)
    assert len(page.root.one("ol", class_="hints").all("li")) == 1
    assert page.root.one("input", name="answer")["value"] == "0.4"
    assert "还剩2瓶" in page.text


def test_a_potion_that_is_drunk_brings_a_heart_back_and_no_hint(guest: Reader) -> None:
    guest.open(BATTLE)
    assert "回一颗心" not in guest.page.text
    strike(guest, "40")
    [move_form] = guest.page.main.all("form", class_="answer")
    page = guest.submit(move_form, "喝药水")
    assert f"还剩{HEARTS_BY_LEVEL[1]}颗" in page.text
    assert not page.root.all("ol", class_="hints")
    assert "心回来了一颗" in page.text


def test_bold_blows_are_offered_and_struck(guest: Reader) -> None:
    guest.open(BATTLE)
    strokes = drawn_battle(1, 7).strokes
    [move_form] = guest.page.main.all("form", class_="answer")
    page = guest.submit(move_form, "估一剑", answer=f"{strokes[0].answer * 1.03:.3f}")
    assert "第3招，共6招" in page.text
    assert "糖衣先掉了两层" in page.text
    for stroke in strokes[2:3]:
        strike(guest, stroke.right_answer_text)
    [move_form] = guest.page.main.all("form", class_="answer")
    page = guest.submit(move_form, "快剑", answer="9")
    assert f"还剩{HEARTS_BY_LEVEL[1] - 1}颗" in page.text
    [move_form] = page.main.all("form", class_="answer")
    page = guest.submit(move_form, "快剑", answer=strokes[-1].right_answer_text)
    assert "归一化之剑是你的了" in page.text


def test_an_estimate_that_is_far_hears_how_far_it_may_be(guest: Reader) -> None:
    """Too few places are no reason to lose a heart: 0.4 for 0.431 is 7 % away."""
    guest.open("/games/monster?level=1&seed=1")
    [move_form] = guest.page.main.all("form", class_="answer")
    page = guest.submit(move_form, "估一剑", answer="0.4")
    assert f"还剩{HEARTS_BY_LEVEL[1] - 1}颗" in page.text
    assert "离准数差了5%以上，小了些。" in page.text
    assert "位小数" not in page.by_id("battle-said-2").text
    [move_form] = page.main.all("form", class_="answer")
    page = guest.submit(
        move_form, "估一剑", answer=answer_by_mistake(drawn_battle(1, 1).strokes[0])["natural_log"]
    )
    assert "公式里是以2为底的对数" in page.text, "a mistake is named as ever"


def test_what_cannot_be_read_costs_nothing_and_stays(guest: Reader, ledger: Ledger) -> None:
    guest.open(BATTLE)
    [move_form] = guest.page.main.all("form", class_="answer")
    fields = filled(move_form, button(move_form, "出招"), answer="十来颗")
    response = guest.post(move_form["action"], fields, htmx=True)
    assert response.status_code == 422
    page = Page(guest.post(move_form["action"], fields))
    assert_is_part(Page(response), page)
    assert page.root.one("input", name="answer")["value"] == "十来颗"
    assert "认不出“十来颗”" in page.text
    assert ledger.count("game_move") == ledger.count("learner") == 0


def test_losing_all_hearts_is_a_retreat_with_the_worked_steps_and_another_go(guest: Reader) -> None:
    guest.open("/games/monster?level=2&seed=7")
    for times in range(HEARTS_BY_LEVEL[2]):
        page = strike(guest, f"{40 + times}")
    assert "先撤一步" in page.text
    assert "这一列是这样算的" in page.text
    links = [link["href"] for link in page.by_id("battle-end").all("a")]
    assert links[:2] == ["/games/monster?level=2", "/games/monster?level=1"], "neither is one that was played"
    assert "打中你的" in guest.open(page.path).text


def test_the_tutor_can_be_called_after_a_try(guest: Reader) -> None:
    guest.open(BATTLE)
    assert "小糖，你来这一招" not in guest.page.text
    strike(guest, "40")
    [move_form] = guest.page.main.all("form", class_="answer")
    page = guest.submit(move_form, "小糖，你来这一招")
    assert "小糖替你出了这一手" in page.text
    assert "第2招，共6招" in page.text


@pytest.mark.parametrize(
    ("helped", "title"), [(1, "归一化之剑到手了，小糖搭了把手"), (6, "这一场是小糖替你打的")]
)
def test_the_end_tells_who_struck(guest: Reader, helped: int, title: str) -> None:
    guest.open(BATTLE)
    strokes = drawn_battle(1, 7).strokes
    for at, stroke in enumerate(strokes):
        if at >= helped:
            strike(guest, stroke.right_answer_text)
            continue
        if at < 3:
            [move_form] = guest.page.main.all("form", class_="answer")
            guest.submit(move_form, "读药水瓶")
        else:
            strike(guest, next(iter(answer_by_mistake(stroke).values())))
        [move_form] = guest.page.main.all("form", class_="answer")
        guest.submit(move_form, "小糖，你来这一招")
    end = guest.page.by_id("battle-end")
    assert end.one("h2").text == title
    lists = {
        move_form.one("h3").text: len(move_form.all("li"))
        for move_form in end.all("section")
        if move_form.all("h3")
    }
    assert lists["小糖替你打的"] == helped
    assert lists["你打中的"] == len(strokes) - helped
    assert "我作证你没有" not in end.text


def test_the_shelf_counts_guesses_and_promises_no_more_than_is_new(guest: Reader) -> None:
    assert "八个回合，要猜12次" in guest.open("/games").text
    assert "每局的数都不一样" in guest.page.by_id("game-duel-note").text
    assert "从第2回合起" in guest.page.by_id("game-duel-note").text
    assert "每局的数都不一样" not in guest.page.main.one("p", class_="lead").text
    guest.open(DUEL)
    walk(guest, moves_through(7, is_right=True))
    assert "最好一次猜了12次，中了12次" in guest.open("/games").text


def test_a_move_that_is_not_to_be_made_changes_nothing(guest: Reader, ledger: Ledger) -> None:
    guest.open(DUEL)
    [move_form] = [candidate for candidate in guest.page.main.all("form") if "moves" in candidate["action"]]
    fields = dict(filled(move_form)) | {"move": "on"}
    guest.post(move_form["action"], list(fields.items()))
    guest.post(move_form["action"], [*(fields | {"move": "wave", "position": "x"}).items()])
    assert ledger.count("game_move") == 0


def test_pages_of_games_are_well_made_and_light(guest: Reader, app: FastAPI) -> None:
    guest.open(DUEL)
    walk(guest, moves_through(7, is_right=False))
    guest.open("/games/monster?level=2&seed=7")
    for times in range(HEARTS_BY_LEVEL[2]):
        strike(guest, f"{40 + times}")
    for game in ("judging", "interleaving"):
        guest.open(f"/games/{game}?seed=7")
        walk(guest, WAY_BY_GAME[game](7, False))
    guest.open("/games/pushing?seed=7")
    spread(guest, "100;0;0")
    names = ("judging", "interleaving", "pushing")
    choices = [f"/games/{game}?seed={seed}" for game in names for seed in (7, 9)]
    for address in (*choices, "/games", DUEL, "/games/duel?seed=9", BATTLE, "/games/monster?level=2&seed=7"):
        assert faults_of(guest.open(address), app) == [], address
        with guest.client.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as response:
            assert sum(len(chunk) for chunk in response.iter_raw()) < LIGHT


def test_every_game_on_the_shelf_is_drawn(guest: Reader) -> None:
    cards = guest.open("/games").main.all("section", class_="game-card")
    assert len(cards) == len(get_args(Game))
    assert [len(card.all("svg", class_="game-art")) for card in cards] == [1] * len(cards)


def test_the_way_to_the_games(guest: Reader) -> None:
    for address in ("/", "/practice"):
        assert guest.open(address).main.all("a", href="/games"), address


# A lesson that leads to a game, and a course without any.


@pytest.fixture(params=["with", "without"])
def small_site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    content = tmp_path_factory.mktemp("content")
    for name, text in FILES.items():
        if request.param == "without":
            text = text.replace("      - {id: play, kind: game, game: monster}\n", "")  # noqa: PLW2901
        if request.param == "with" or name != "games.yaml":
            (content / name).parent.mkdir(exist_ok=True)
            (content / name).write_text(text, encoding="utf-8")
    settings: Settings = settings_at(tmp_path_factory.mktemp("small"), content=content)
    with site_with(settings) as opened:
        yield browser(opened)


def test_a_lesson_leads_to_a_game(small_site: Reader, request: pytest.FixtureRequest) -> None:
    if "without" in request.node.name:
        small_site.open("/games", status=404)
        small_site.open(DUEL, status=404)
        return
    page = small_site.open("/lessons/first/cards?step=6")
    assert page.root.one("div", class_="game-step").one("a")["href"] == "/games/monster"
    small_site.open("/games/monster")


def test_every_course_of_ours_has_both_games(course: Course, client: TestClient) -> None:
    assert course.games
    assert client.get("/games").status_code == 200


def test_a_day_has_one_play_of_every_game_for_a_whole_class(
    guest: Reader, other_guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address carries the date; the result stands on the shelf, and after it comes a fresh play."""
    morning = datetime(2026, 11, 22, 21, tzinfo=UTC)
    monkeypatch.setattr(site_clock, "time_source", lambda: morning)
    guest.open("/games")
    [duel, *other_links] = guest.page.main.one("section", aria_labelledby="game-today").all("a")
    assert duel["href"] == "/games/duel?seed=20261123", "past four in the morning in Shanghai"
    assert len(other_links) == 4
    assert "11月23日的糖" in guest.page.main.text
    for link in other_links:
        assert link["href"].endswith("seed=20261123")
        assert "11月23日这一局" in other_guest.open(link["href"]).main.text
    guest.open(duel["href"])
    end = walk(guest, moves_through(20261123, is_right=True)).by_id("duel-end")
    assert end.one("a", class_="primary")["href"] == "/games/duel", "a fresh one, which nobody has played"
    today = guest.open("/games").main.one("section", aria_labelledby="game-today")
    assert "打完了 · 12／12" in today.text
    assert "这一局，谁打" not in guest.open(DUEL).main.text
