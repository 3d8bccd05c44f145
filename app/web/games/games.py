"""The games: pages by seed, moves by post. A page shows what seed and moves make of it."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course, Unreadable
from app.course.exercises.exercises import LAST_SEED
from app.course.games import Games
from app.course.games.days import day_of_seed
from app.course.games.duel_play import Duel
from app.course.games.interleaving import Interleaving
from app.course.games.judging import Judging
from app.course.games.monster_play import Fight
from app.course.games.pushing_play import SEPARATOR, STEPS, Pushing
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.games import plays
from app.records.games.values import Game, Judge, Move, MoveRow, Play
from app.web.games import game_views
from app.web.games.duel_views import DuelView
from app.web.games.game_views import DUEL, INTERLEAVING, JUDGING, MONSTER, PUSHING
from app.web.games.interleaving_views import InterleavingView
from app.web.games.judging_views import JudgingView
from app.web.games.monster_views import BattleView
from app.web.games.pushing_views import PushingView, redraft
from app.web.items.typed_answers import Typed, typed_in
from app.web.site import slots
from app.web.site.requests import CallerDep, FormDep, Now, PostedForm, SiteDep, address_number, guest_again
from app.web.site.responses import fragment, page, see, wants_fragment
from app.web.site.routing import LateRoute
from app.web.site.site import Site

router = APIRouter(route_class=LateRoute)
LEVEL_COUNT = 3
LONGEST_MOVE = 200
ANCHORS = {
    "duel": "duel-now",
    "monster": "battle-now",
    "judging": "judging-now",
    "interleaving": "serving-now",
    "pushing": "pushing-now",
}
WITHOUT_LEVELS: Mapping[str, Game] = {
    DUEL: "duel",
    JUDGING: "judging",
    INTERLEAVING: "interleaving",
    PUSHING: "pushing",
}
ANSWERING_MOVES = ("answer", "guess")
"""The moves that say something; what was typed beside any other stays in its field."""


@router.get("/games")
async def index(http: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """The games, and how the last plays went."""
    words = words_of(site.course)
    recent_plays = await site.db.read(plays.load_recent_plays, caller, now)
    shelf = game_views.shelf(words, recent_plays.plays, recent_plays.today)
    return page(
        http,
        "games/index",
        signed_in=recent_plays.learner_id is not None,
        page="games",
        title="游戏",
        **shelf,
    )


@router.get(DUEL)
async def show_duel(http: Request, site: SiteDep, caller: CallerDep, seed: str | None = None) -> Response:
    """谁的推荐更懂我."""
    return await show_of_seed(http, site, caller, "duel", seed)


@router.get(JUDGING)
async def show_judging(http: Request, site: SiteDep, caller: CallerDep, seed: str | None = None) -> Response:
    """下一篇标谁."""
    return await show_of_seed(http, site, caller, "judging", seed)


@router.get(INTERLEAVING)
async def show_interleaving(
    http: Request, site: SiteDep, caller: CallerDep, seed: str | None = None
) -> Response:
    """交替上菜."""
    return await show_of_seed(http, site, caller, "interleaving", seed)


@router.get(PUSHING)
async def show_pushing(http: Request, site: SiteDep, caller: CallerDep, seed: str | None = None) -> Response:
    """分力气."""
    return await show_of_seed(http, site, caller, "pushing", seed)


@router.get(MONSTER)
async def show_battle(
    http: Request, site: SiteDep, caller: CallerDep, level: str = "1", seed: str | None = None
) -> Response:
    """击败DCG怪兽."""
    words_of(site.course)
    level_number = level_of(level)
    if seed is None:
        return see(http, game_views.monster_url(level_number, fresh_seed()))
    return await show(http, site, caller, Play("monster", level_number, seed_of(seed)))


async def show_of_seed(
    http: Request, site: SiteDep, caller: CallerDep, game: Game, seed: str | None
) -> Response:
    """A game without levels: the page of a seed, or the way to a fresh one."""
    words_of(site.course)
    if seed is None:
        return see(http, game_views.seed_url(game, fresh_seed()))
    return await show(http, site, caller, Play(game, 0, seed_of(seed)))


async def show(http: Request, site: SiteDep, caller: CallerDep, play: Play) -> Response:
    """The page of a play as it stands."""
    stored_play = await site.db.read(plays.load_play, caller, play)
    board = Board(site, play, typed_in(http))
    return page(
        http,
        "games/show",
        signed_in=stored_play.learner_id is not None,
        page="games",
        title=board.title,
        day=day_of_seed(play.seed),
        game_html=board.render(stored_play.moves),
    )


async def play_of_path(http: Request) -> Play:
    """The play that the address of a move names: a level has only the battle."""
    seed = seed_of(http.path_params["seed"])
    if "level" not in http.path_params:
        page_path = http.url.path.removesuffix(f"/{http.path_params['seed']}/moves")
        return Play(WITHOUT_LEVELS[page_path], 0, seed)
    return Play("monster", level_of(http.path_params["level"]), seed)


@router.post(DUEL + "/{seed}/moves")
@router.post(JUDGING + "/{seed}/moves")
@router.post(INTERLEAVING + "/{seed}/moves")
@router.post(PUSHING + "/{seed}/moves")
@router.post(MONSTER + "/{level}/{seed}/moves")
async def move(
    http: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    play: Annotated[Play, Depends(play_of_path)],
) -> Response:
    """Make the move that was sent. What cannot be read costs nothing and stays where it was typed."""
    words_of(site.course)
    kind = form.text("move", "answer")
    raw = SEPARATOR.join(form.all("answer")).strip()[:LONGEST_MOVE]
    if play.game == "pushing" and kind.partition("-")[0] in STEPS:
        return await show_again(http, Board(site, play, redraft(play.seed, raw, kind)), caller, form)
    typed = None
    if kind not in ANSWERING_MOVES and raw:
        typed = Typed(play.game, (raw,), refused=False)
        raw = ""
    board = Board(site, play, typed)
    sent_move = Move(form.number("position", 0), kind, raw)
    try:
        stored_play = await site.db.write(plays.move, caller, play, sent_move, board.judge, now)
    except Unreadable:
        as_typed = Board(site, play, Typed(play.game, (raw,)))
        return await show_again(http, as_typed, caller, form, status=422)
    if not wants_fragment(http):
        return see(http, board.path, token=stored_play.token)
    return fragment(http, board.render(stored_play.moves), token=stored_play.token)


async def show_again(
    http: Request, board: "Board", caller: Caller, form: PostedForm, status: int = 200
) -> Response:
    """The board as it was, with what stands in its fields; nothing is recorded."""
    if not wants_fragment(http):
        return see(http, board.path)
    stored_play = await board.site.db.read(plays.load_play, caller, board.play)
    return fragment(http, board.render(stored_play.moves), status=status, guest=guest_again(form))


def words_of(course: Course) -> Games:
    if course.games is None:
        raise NotFound("这门课里还没有游戏。")
    return course.games


def fresh_seed() -> int:
    return 1000 + secrets.randbelow(9000)


def seed_of(text: str) -> int:
    """A seed from an address."""
    return address_number("局号seed", text, LAST_SEED)


def level_of(text: str) -> int:
    """A level of the battle from an address."""
    return address_number("难度level", text, LEVEL_COUNT)


@dataclass(frozen=True)
class Board:
    """A play on the page: its address, its judge, its HTML. `typed`: what stands in its field unrecorded."""

    site: Site
    play: Play
    typed: Typed | None = None

    @property
    def words(self) -> Games:
        return words_of(self.site.course)

    @property
    def title(self) -> str:
        return self.words.words_of(self.play.game).title

    @property
    def path(self) -> str:
        """Where a browser without a script goes on."""
        path = f"{game_views.play_url(self.play)}#{ANCHORS[self.play.game]}"
        if self.typed is None:
            return path
        return self.typed.within(path)

    @property
    def judge(self) -> Judge:
        match self.play.game:
            case "duel":
                return Duel(self.play.seed)
            case "judging":
                return Judging(self.play.seed)
            case "interleaving":
                return Interleaving(self.play.seed)
            case "pushing":
                return Pushing(self.play.seed)
        return Fight(self.play.level, self.play.seed)

    @property
    def draft(self) -> Typed | None:
        """What stands in the fields of this game; what was typed elsewhere is none of it."""
        if self.typed is None or self.typed.item != self.play.game:
            return None
        return self.typed

    def render(self, moves: Sequence[MoveRow]) -> Markup:
        course = self.site.course
        seed = self.play.seed
        match self.play.game:
            case "duel":
                duel = DuelView(course, self.words.duel, seed, moves)
                return self.site.render("games/_duel.html", duel=duel, guest_field=slots.GUEST)
            case "judging":
                judging = JudgingView(course, self.words.judging, seed, moves)
                return self.site.render("games/_judging.html", game=judging, guest_field=slots.GUEST)
            case "interleaving":
                serving = InterleavingView(course, self.words.interleaving, seed, moves)
                return self.site.render("games/_interleaving.html", game=serving, guest_field=slots.GUEST)
            case "pushing":
                pushing = PushingView(course, self.words.pushing, seed, moves, self.draft)
                return self.site.render("games/_pushing.html", game=pushing, guest_field=slots.GUEST)
        fight = BattleView(course, self.words.monster, self.play, moves, self.draft)
        return self.site.render("games/_monster.html", fight=fight, guest_field=slots.GUEST)
