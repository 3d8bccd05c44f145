"""The games: pages by seed, moves by post. A page shows what seed and moves make of it."""

import secrets
from collections.abc import Mapping
from typing import Annotated, NamedTuple

from fastapi import Depends, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course, Unreadable
from app.course.exercises.exercises import LAST_SEED
from app.course.games import Games
from app.course.games.days import day_of_seed
from app.course.games.duel import FIRST_SEED_OF_SECOND_EDITION
from app.course.games.duel_play import DuelState
from app.course.games.interleaving import InterleavingState
from app.course.games.judging import JudgingState
from app.course.games.monster import SKILLS_BY_LEVEL
from app.course.games.monster_play import SHORTCUT_MOVES, BattleJudge
from app.course.games.moves import RAW_SEPARATOR
from app.course.games.pushing_play import UNITS_BY_BUTTON, PushingState
from app.records.db.errors import NotFound
from app.records.games import plays
from app.records.games.values import Game, Judge, Move, Play, PlayData
from app.web.games import game_views
from app.web.games.duel_views import DuelView
from app.web.games.game_views import DUEL_PATH, INTERLEAVING_PATH, JUDGING_PATH, MONSTER_PATH, PUSHING_PATH
from app.web.games.interleaving_views import InterleavingView
from app.web.games.judging_views import JudgingView
from app.web.games.monster_views import BattleView
from app.web.games.pushing_views import PushingView, draft_after_button
from app.web.games.rounds_views import RoundsView
from app.web.items.typed_answers import TypedAnswer, typed_answer_of_address
from app.web.site import slots
from app.web.site.posted_forms import sender_field_again
from app.web.site.requests import CallerRequest, RequestDep, address_number
from app.web.site.responses import fragment
from app.web.site.routing import LazyRouter
from app.web.site.site import Site

router = LazyRouter()
LONGEST_MOVE = 200
GAME_BY_PATH: Mapping[str, Game] = {
    DUEL_PATH: "duel",
    JUDGING_PATH: "judging",
    INTERLEAVING_PATH: "interleaving",
    PUSHING_PATH: "pushing",
}
ANCHOR_BY_GAME: Mapping[Game, str] = {
    "duel": "duel-now",
    "monster": "battle-now",
    "judging": "judging-now",
    "interleaving": "serving-now",
    "pushing": "pushing-now",
}
"""Where the page of a game scrolls to after a move."""
ANSWERING_MOVES = ("answer", "guess", *SHORTCUT_MOVES)
"""The moves that say something; what was typed beside any other stays in its field."""


@router.get("/games")
async def index(request: RequestDep) -> Response:
    """The games, and how the last plays went."""
    game_words = games_of(request.course)
    recent_plays = await request.read(plays.load_recent_plays, request.now)
    context = game_views.games_context(game_words, recent_plays.plays, recent_plays.today)
    return request.page(
        "games/index",
        is_signed_in=recent_plays.learner_id is not None,
        page="games",
        title="游戏",
        **context,
    )


@router.get(DUEL_PATH)
async def show_duel(request: RequestDep, seed: str | None = None, begun: bool = False) -> Response:
    """谁的推荐更懂我."""
    return await show_of_seed(request, "duel", seed, begun)


@router.get(JUDGING_PATH)
async def show_judging(request: RequestDep, seed: str | None = None, begun: bool = False) -> Response:
    """下一篇标谁."""
    return await show_of_seed(request, "judging", seed, begun)


@router.get(INTERLEAVING_PATH)
async def show_interleaving(request: RequestDep, seed: str | None = None, begun: bool = False) -> Response:
    """交替上菜."""
    return await show_of_seed(request, "interleaving", seed, begun)


@router.get(PUSHING_PATH)
async def show_pushing(request: RequestDep, seed: str | None = None, begun: bool = False) -> Response:
    """分力气."""
    return await show_of_seed(request, "pushing", seed, begun)


@router.get(MONSTER_PATH)
async def show_battle(
    request: RequestDep, level: str = "1", seed: str | None = None, begun: bool = False
) -> Response:
    """击败DCG怪兽."""
    games_of(request.course)
    level_number = read_battle_level(level)
    if seed is None:
        fresh_play = Play("monster", level_number, fresh_seed("monster"))
        return request.redirect(await way_into_game(request, fresh_play, begun))
    return await show(request, Play("monster", level_number, read_seed(seed)))


async def show_of_seed(request: CallerRequest, game: Game, seed: str | None, begun: bool) -> Response:
    """A game without levels: the page of a seed, or the way into the game."""
    games_of(request.course)
    if seed is None:
        return request.redirect(await way_into_game(request, Play(game, 0, fresh_seed(game)), begun))
    return await show(request, Play(game, 0, read_seed(seed)))


async def way_into_game(request: CallerRequest, fresh_play: Play, begun: bool) -> str:
    """The address of a fresh play; with `begun`, of the latest one that waits for its end, at this level or a
    higher one, if there is any."""
    if begun:
        recent_plays = await request.read(plays.load_recent_plays, request.now)
        for play in recent_plays.plays:
            is_wanted = play.game == fresh_play.game and play.level >= fresh_play.level
            if is_wanted and play.outcome is None:
                return game_views.play_url(play)
    return game_views.play_url(fresh_play)


async def show(request: CallerRequest, play: Play) -> Response:
    """The page of a play as it stands."""
    play_data = await request.read(plays.load_play, play, request.now)
    play_page = PlayPage(request.site, play, typed_answer_of_address(request.http))
    return request.page(
        "games/show",
        is_signed_in=play_data.learner_id is not None,
        page="games",
        title=play_page.title,
        day=day_of_seed(play.seed),
        game_html=play_page.render(play_data),
    )


async def play_of_path(http: Request) -> Play:
    """The play that the address of a move names: a level has only the battle."""
    seed = read_seed(http.path_params["seed"])
    if "level" not in http.path_params:
        page_path = http.url.path.removesuffix(f"/{http.path_params['seed']}/moves")
        return Play(GAME_BY_PATH[page_path], 0, seed)
    return Play("monster", read_battle_level(http.path_params["level"]), seed)


@router.post(DUEL_PATH + "/{seed}/moves")
@router.post(JUDGING_PATH + "/{seed}/moves")
@router.post(INTERLEAVING_PATH + "/{seed}/moves")
@router.post(PUSHING_PATH + "/{seed}/moves")
@router.post(MONSTER_PATH + "/{level}/{seed}/moves")
async def make_move(request: RequestDep, play: Annotated[Play, Depends(play_of_path)]) -> Response:
    """Make the move that was sent. What cannot be read costs nothing and stays where it was typed."""
    games_of(request.course)
    site, form = request.site, request.form
    move_kind = form.text("move", "answer")
    # A stake has a name of its own: of two fields that share one, htmx sends only the pressed button.
    raw_texts = (*form.texts("stake"), *form.texts("answer"))
    typed_move = RAW_SEPARATOR.join(raw_texts).strip()[:LONGEST_MOVE]
    if play.game == "pushing" and move_kind.partition("-")[0] in UNITS_BY_BUTTON:
        return await show_play_again(
            request, PlayPage(site, play, draft_after_button(play.seed, typed_move, move_kind))
        )
    typed_answer = None
    if move_kind not in ANSWERING_MOVES and typed_move:
        typed_answer = TypedAnswer(play.game, (typed_move,), is_refused=False)
        typed_move = ""
    play_page = PlayPage(site, play, typed_answer)
    sent_move = Move(form.number("position", 0), move_kind, typed_move)
    try:
        play_data = await request.write(plays.make_move, play, sent_move, play_page.judge, request.now)
    except Unreadable:
        return await show_play_again(
            request, PlayPage(site, play, TypedAnswer(play.game, (typed_move,))), status=422
        )
    if not request.wants_fragment:
        return request.redirect(play_page.path, token=play_data.token)
    return request.fragment(play_page.render(play_data), token=play_data.token)


async def show_play_again(request: CallerRequest, play_page: "PlayPage", status: int = 200) -> Response:
    """The page of a play as it was, with what stands in its fields; nothing is recorded."""
    if not request.wants_fragment:
        return request.redirect(play_page.path)
    play_data = await request.read(plays.load_play, play_page.play, request.now)
    play_html, sender_field = play_page.render(play_data), sender_field_again(request.form)
    return fragment(request.http, play_html, status=status, sender_field_html=sender_field)


def games_of(course: Course) -> Games:
    if course.games is None:
        raise NotFound("这门课里还没有游戏。")
    return course.games


def fresh_seed(game: Game) -> int:
    lowest_seed = 1_000
    if game == "duel":
        lowest_seed = FIRST_SEED_OF_SECOND_EDITION
    return lowest_seed + secrets.randbelow(9_000)


def read_seed(seed_text: str) -> int:
    """A seed from an address."""
    return address_number("局号seed", seed_text, LAST_SEED)


def read_battle_level(level_text: str) -> int:
    """A level of the battle from an address."""
    return address_number("难度level", level_text, len(SKILLS_BY_LEVEL))


class PlayPage(NamedTuple):
    """A play on its page: address, judge, HTML. `typed_answer`: what stands in its field unrecorded."""

    site: Site
    play: Play
    typed_answer: TypedAnswer | None

    @property
    def game_words(self) -> Games:
        return games_of(self.site.course)

    @property
    def title(self) -> str:
        return self.game_words.words_of(self.play.game).title

    @property
    def path(self) -> str:
        """Where a browser without a script goes on."""
        page_path = f"{game_views.play_url(self.play)}#{ANCHOR_BY_GAME[self.play.game]}"
        if self.typed_answer is None:
            return page_path
        return self.typed_answer.url_within(page_path)

    @property
    def judge(self) -> Judge:
        seed = self.play.seed
        match self.play.game:
            case "duel":
                return DuelState(seed)
            case "monster":
                return BattleJudge(self.play.level, seed)
            case "judging":
                return JudgingState(seed)
            case "interleaving":
                return InterleavingState(seed)
            case "pushing":
                return PushingState(seed)

    @property
    def draft(self) -> TypedAnswer | None:
        """What stands in the fields of this game; what was typed elsewhere is none of it."""
        if self.typed_answer is None or self.typed_answer.item_id != self.play.game:
            return None
        return self.typed_answer

    def render(self, play_data: PlayData) -> Markup:
        """The play as far as it has come."""
        view_of_play = self.view_of(play_data)
        return self.site.render(f"games/_{self.play.game}.html", game=view_of_play, sender_field=slots.SENDER)

    def view_of(self, play_data: PlayData) -> BattleView | RoundsView:
        """What the template of the game is given."""
        course, game_words, seed = self.site.course, self.game_words, self.play.seed
        moves = play_data.moves
        match self.play.game:
            case "duel":
                return DuelView(course, game_words.duel, seed, moves, self.draft, play_data.is_of_today)
            case "monster":
                return BattleView(course, game_words.monster, self.play, moves, self.draft)
            case "judging":
                return JudgingView(course, game_words.judging, seed, moves)
            case "interleaving":
                return InterleavingView(course, game_words.interleaving, seed, moves)
            case "pushing":
                return PushingView(course, game_words.pushing, seed, moves, self.draft)
