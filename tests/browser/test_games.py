"""Both games to their end in a real browser: by finger at 360 px, by keyboard, without a script."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from app.course.games.duel_play import moves_through
from app.course.games.monster import Stroke, drawn_battle
from app.course.games.monster_play import HEARTS_BY_LEVEL
from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.looking import axe, fits
from tests.browser.watch import UNREADABLE, Watch
from tests.course.games.ways_through import answer_by_mistake, way_through_judging

SEED = 7
QUICK = "by finger"
WAYS: dict[str, dict[str, Any]] = {
    QUICK: {"is_mobile": True, "has_touch": True},
    "by keyboard": {"viewport": {"width": 1280, "height": 800}},
    "without a script": {"java_script_enabled": False},
}


@dataclass
class Player:
    """A page, and how somebody presses what is on it."""

    page: Page
    way: str

    def press(self, control: Locator) -> None:
        if self.way == "by keyboard":
            self.tab_to(control)
            self.page.keyboard.press("Enter")
        elif self.way == "by finger":
            control.tap()
        else:
            control.click()

    def tab_to(self, control: Locator) -> None:
        """From where the focus is, by Tab alone."""
        for _ in range(40):
            if control.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{control} cannot be reached")

    def position(self) -> str:
        """The number of the move that comes next; empty once it is over."""
        fields = self.page.locator("[name=position]")
        return fields.first.input_value() if fields.count() else ""

    def moved(self, before: str) -> None:
        """The page shows what came of the move, and htmx is done."""
        fresh = self.page.locator(f"[name=position][value='{before}']")
        expect(fresh).to_have_count(0)
        expect(self.page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)

    def make(self, control: Locator) -> None:
        before = self.position()
        self.press(control)
        self.moved(before)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    def duel(self, move: str, raw: str) -> None:
        if move == "guess":
            self.make(self.page.locator(f"button[value={raw}]"))
        elif move == "on":
            self.make(self.button("下一回合").or_(self.button("等等，规则变了")))
        else:
            self.make(self.button("一口气翻完").or_(self.button("翻开第")).last)

    def strike(self, stroke: Stroke, raw: str) -> None:
        if stroke.choices:
            self.make(self.page.locator(f"button[name=answer][value={raw}]"))
            return
        field = self.page.locator("#stroke-answer")
        if self.way == "by keyboard":
            self.tab_to(field)
            self.page.keyboard.press("Control+a")
            self.page.keyboard.type(raw)
            before = self.position()
            self.page.keyboard.press("Enter")
            self.moved(before)
            return
        field.fill(raw)
        self.make(self.button("出招"))


@pytest.fixture(params=[pytest.param(way, marks=[] if way == QUICK else pytest.mark.long) for way in WAYS])
def player(request: pytest.FixtureRequest, visit: Visit) -> Player:
    return Player(visit(**WAYS[request.param]), request.param)


def test_the_chosen_candies_are_staked(player: Player) -> None:
    player.page.goto(f"/games/duel?seed={SEED}")
    if player.way == "by keyboard":
        player.tab_to(player.page.get_by_label("1颗"))
        player.page.keyboard.press("ArrowDown")
        player.page.keyboard.press("ArrowDown")
    else:
        player.press(player.page.get_by_label("3颗"))
    player.make(player.page.locator("button[value=y]"))
    expect(player.page.locator(".bet")).to_contain_text("押3颗")


@pytest.mark.long
def test_a_duel_to_its_end(player: Player) -> None:
    page = player.page
    page.goto(f"/games/duel?seed={SEED}")
    player.make(page.locator("button[value=x]"))
    expect(page.locator(".bet")).to_contain_text("你猜系统X高")
    for count in (1, 2):
        player.make(player.button(f"翻开第{count}位"))
        expect(page.locator("tr.open")).to_have_count(count)
    fits(page)
    player.make(player.button("一口气翻完"))
    expect(page.locator(".bubble.puzzled")).to_contain_text("没猜中")
    page.reload()
    expect(page.locator(".bubble.puzzled")).to_contain_text("系统Y更高")
    for move, raw in list(moves_through(SEED))[2:]:
        player.duel(move, raw)
    expect(page.locator("#duel-end")).to_contain_text("金牌试糖员")
    expect(page.locator(".end-score")).to_have_text(re.compile(r"11\s*／12"))
    fits(page)
    player.press(page.get_by_role("link", name="再来一局"))
    expect(page).to_have_url(re.compile(r"/games/duel\?seed=[0-9]+$"))


@pytest.mark.long
def test_every_question_of_a_duel_fits_on_a_small_phone(visit: Visit) -> None:
    """With its table and its answers, six ranks with their terms too: nobody scrolls between them."""
    page = visit(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    player = Player(page, "by finger")
    page.goto("/games/duel?seed=12")
    most_ranks = 0
    for move, raw in moves_through(12):
        if move == "guess":
            most_ranks = max(most_ranks, page.locator(".versus tbody tr").count())
            expect(page.locator(".duel .ask")).to_be_in_viewport(ratio=1)
            expect(page.locator(".guesses")).to_be_in_viewport(ratio=1)
            fits(page)
        player.duel(move, raw)
    assert most_ranks == 6


def test_what_flies_in_begins_on_the_page(visit: Visit) -> None:
    """For a third of a second a phone could be scrolled sideways."""
    small_phone = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}
    page = visit(reduced_motion="no-preference", **small_phone)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0})
    page.goto(f"/games/duel?seed={SEED}")
    player = Player(page, "by finger")
    player.duel("guess", "y")
    player.duel("all", "")
    expect(page.locator("tr.fresh")).not_to_have_count(0)
    fits(page)


def test_a_battle_to_its_end(player: Player) -> None:
    page, strokes = player.page, drawn_battle(1, SEED).strokes
    page.goto(f"/games/monster?level=1&seed={SEED}")
    player.strike(strokes[0], answer_by_mistake(strokes[0])["natural_log"])
    expect(page.locator(".attack-name")).to_contain_text("对数底弄错之爪")
    expect(page.locator(".kit")).to_contain_text(f"还剩{HEARTS_BY_LEVEL[1] - 1}颗")
    player.make(player.button("喝药水"))
    expect(page.locator(".kit")).to_contain_text(f"还剩{HEARTS_BY_LEVEL[1]}颗")
    expect(page.locator(".hints li")).to_have_count(0)
    player.make(player.button("读药水瓶"))
    expect(page.locator(".hints li")).to_have_count(1)
    fits(page)
    for stroke in strokes[:-1]:
        player.strike(stroke, stroke.right_answer_text)
    expect(page.locator(".kit")).to_contain_text("盾举着")
    player.strike(strokes[-1], answer_by_mistake(strokes[-1])["ratio_inverted"])
    expect(page.locator(".attack-name")).to_contain_text("夺剑反刺")
    expect(page.locator(".kit")).to_contain_text("盾裂了")
    page.reload()
    expect(page.locator(".attack-name")).to_contain_text("夺剑反刺")
    player.strike(strokes[-1], strokes[-1].right_answer_text)
    expect(page.locator("#battle-end")).to_contain_text("归一化之剑是你的了")
    expect(page.locator(".struck-back")).to_have_count(2)
    fits(page)
    player.press(page.locator("#battle-end a[href^='/practice/']").first)
    expect(page).to_have_url(re.compile("/practice/"))


@pytest.mark.long
def test_candy_and_monster_stand_side_by_side_on_a_phone_with_large_letters(visit: Visit) -> None:
    page = visit()
    page.goto(f"/games/monster?level=1&seed={SEED}")
    page.evaluate("document.documentElement.dataset.size = 'projector'")
    fighter, monster = (page.locator(css).bounding_box() for css in (".fighter-body", ".monster"))
    assert fighter
    assert monster
    assert fighter["x"] + fighter["width"] <= monster["x"]
    assert monster["x"] + monster["width"] <= 360


def test_a_retreat_leads_to_another_go(player: Player) -> None:
    page, [first, *_] = player.page, drawn_battle(2, SEED).strokes
    page.goto(f"/games/monster?level=2&seed={SEED}")
    for times in range(HEARTS_BY_LEVEL[2]):
        player.strike(first, f"{40 + times}")
    expect(page.locator("#battle-end")).to_contain_text("这一列是这样算的")
    player.press(page.get_by_role("link", name="换一批糖，再战"))
    expect(page).to_have_url(re.compile("level=2&seed=[0-9]+$"))
    expect(page.locator(".kit")).to_contain_text(f"还剩{HEARTS_BY_LEVEL[2]}颗")


def test_what_is_new_has_the_focus(visit: Visit, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    player = Player(visit(), "by mouse")
    page, strokes = player.page, drawn_battle(1, SEED).strokes
    page.goto(f"/games/monster?level=1&seed={SEED}")
    player.strike(strokes[0], "40")
    expect(page.locator("#battle .bubble")).to_be_focused()
    player.make(player.button("读药水瓶"))
    expect(page.locator(".hints li")).to_be_focused()
    page.locator("#stroke-answer").fill("十来颗")
    player.press(player.button("出招"))
    expect(page.get_by_role("alert").filter(has_text="认不出")).to_be_visible()
    expect(page.locator("#stroke-answer")).to_be_focused()
    expect(page.locator("#stroke-answer")).to_have_value("十来颗")
    player.strike(strokes[0], strokes[0].right_answer_text)
    expect(page.locator("#battle .bubble.pleased")).to_be_focused()


def test_what_a_move_came_to_has_the_focus(visit: Visit) -> None:
    """And is told thereby: the guess that was taken, the candy that was opened, whether a dish was right."""
    player = Player(visit(), "by mouse")
    page, focused = player.page, player.page.locator(":focus")
    page.goto(f"/games/duel?seed={SEED}")
    player.duel("guess", "y")
    expect(focused).to_contain_text("你猜系统Y高，押1颗")
    page.goto(f"/games/judging?seed={SEED}")
    _, costliest = next(way_through_judging(SEED, is_right=False))
    player.make(page.locator(f"button[name=answer][value='{costliest}']"))
    expect(focused).to_have_text(re.compile("^.的甜度是[0-9]。现在只知道"))
    page.goto(f"/games/interleaving?seed={SEED}")
    player.make(page.locator("button[name=answer]").first)
    expect(focused).to_have_text(re.compile("^[✓✗] .+端哪一道？$"))
    page.goto(f"/games/pushing?seed={SEED}")
    page.locator("#push-1-more").click()
    expect(focused).to_have_accessible_name(re.compile("现在5份$"))
    expect(focused).to_have_accessible_description("还剩95份")


def test_what_is_left_is_told_while_it_is_typed(visit: Visit) -> None:
    page = visit()
    page.goto(f"/games/pushing?seed={SEED}")
    fields = page.locator(".pushes [name=answer]")
    rest = page.locator("#pushing-rest")
    for text, words in (("60", "还剩40份"), ("６０", "还剩40份"), ("100", "正好分完"), ("1o", "还剩100份")):
        fields.first.fill(text)
        expect(rest).to_have_text(words)
    fields.first.fill("60")
    fields.nth(1).fill("45")
    expect(rest).to_have_text("多分了5份")


def test_the_last_move_shows_the_way_to_the_result(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    player = Player(page, "by finger")
    page.goto(f"/games/judging?seed={SEED}")
    for move, raw in way_through_judging(SEED):
        player.make(page.locator("[data-next]" if move == "on" else f"button[name=answer][value='{raw}']"))
    player.press(page.get_by_role("link", name="看结果").last)
    expect(page.locator("#choice-end")).to_be_focused()
    expect(page.locator("#choice-end-title")).to_be_in_viewport()


BREATHING_SECONDS = """monster => {
  const { animationName, animationDuration, animationIterationCount: times } = getComputedStyle(monster);
  if (animationName === 'none') return 0;
  return parseFloat(animationDuration) * (times === 'infinite' ? 99 : times);
}"""


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_nothing_moves_for_who_prefers_stillness(visit: Visit, motion: str, moves: bool) -> None:
    page = visit(reduced_motion=motion)
    page.goto(f"/games/monster?level=1&seed={SEED}")
    breathing_seconds = page.locator(".monster").first.evaluate(BREATHING_SECONDS)
    assert (breathing_seconds > 0) == moves
    assert breathing_seconds < 5, "what moves longer needs a way to stop it"
    page.goto(f"/games/duel?seed={SEED}")
    page.locator("button[value=y]").click()
    page.get_by_role("button", name="翻开第1位").click()
    expect(page.locator("tr.open")).to_have_count(1)
    if not moves:
        assert page.evaluate(eyes.MOVING) == []


@pytest.mark.long
def test_every_face_of_the_games_is_accessible_and_fits(visit: Visit) -> None:
    """Start, middle and end of both, in light and dark; nothing runs off a small phone."""
    player = Player(visit(), "by mouse")
    page = player.page
    page.goto("/games")
    check_look(page)
    page.goto(f"/games/duel?seed={SEED}")
    check_look(page)
    for number, (move, raw) in enumerate(moves_through(SEED, is_right=False)):
        player.duel(move, raw)
        if number in (0, 1, 13, 14):
            check_look(page)
    check_look(page)
    page.goto(f"/games/monster?level=3&seed={SEED}")
    check_look(page)
    for stroke in drawn_battle(3, SEED).strokes:
        if stroke.kind in ("term", "ideal-order", "ndcg"):
            player.strike(stroke, next(iter(answer_by_mistake(stroke).values())))
            check_look(page)
        player.strike(stroke, stroke.right_answer_text)
    check_look(page)
    page.goto("/games")
    check_look(page)


def check_look(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.set_viewport_size({"width": 360, "height": 740})
    fits(page)
    assert page.evaluate("document.querySelectorAll('h1').length") == 1
    assert axe(page) == []
    page.emulate_media(color_scheme="dark")
    assert axe(page, "color-contrast") == []
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 320, "height": 640})
    fits(page)
    page.set_viewport_size({"width": 360, "height": 740})
