"""The two games: pages by seed, moves by post. A page shows what seed and moves make of it."""

import re
import secrets
from dataclasses import dataclass, replace

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course, Unreadable
from app.course.games import Games
from app.course.games.duel_play import Duel
from app.course.games.monster_play import Fight
from app.records.db.errors import NotFound
from app.records.games import plays
from app.records.games.values import Judge, Move, Play, PlayData
from app.web.games import duel_views, monster_views
from app.web.games.game_views import DUEL, MONSTER, duel_url, monster_url, shelf
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.requests import Typed, caller_of, guest_again, read_form, typed_in
from app.web.site.responses import fragment, page, see, wants_fragment
from app.web.site.site import Site, site_of

router = APIRouter()
LEVELS = 3
LAST_SEED = 999_999_999
LONGEST = 200
ANSWERS = ("answer", "guess")
"""The moves that say something; what was typed beside any other stays in its field."""


@router.get("/games")
async def index(request: Request) -> Response:
    """Both games, and how the last plays went."""
    site = site_of(request)
    words = words_of(site.course)
    look = await site.db.read(plays.plays, caller_of(request))
    known = look.learner_id is not None
    return page(request, "games/index", known=known, page="games", title="游戏", **shelf(words, look.plays))


@router.get(DUEL)
async def show_duel(request: Request) -> Response:
    """谁的推荐更懂我."""
    words_of(site_of(request).course)
    if "seed" not in request.query_params:
        return see(request, duel_url(fresh_seed()))
    return await shown(request, Play("duel", 0, number_of(request.query_params["seed"], LAST_SEED)))


@router.get(MONSTER)
async def show_monster(request: Request) -> Response:
    """击败DCG怪兽."""
    words_of(site_of(request).course)
    level = number_of(request.query_params.get("level", "1"), LEVELS)
    if "seed" not in request.query_params:
        return see(request, monster_url(level, fresh_seed()))
    return await shown(request, Play("monster", level, number_of(request.query_params["seed"], LAST_SEED)))


@router.post(DUEL + "/{seed}/moves")
async def move_in_duel(request: Request, seed: str) -> Response:
    """A guess, a term opened, the next round."""
    return await moved(request, Play("duel", 0, number_of(seed, LAST_SEED)))


@router.post(MONSTER + "/{level}/{seed}/moves")
async def move_in_battle(request: Request, level: str, seed: str) -> Response:
    """A stroke, a potion, a call for help."""
    return await moved(request, Play("monster", number_of(level, LEVELS), number_of(seed, LAST_SEED)))


def words_of(course: Course) -> Games:
    if course.games is None:
        raise NotFound("这门课里还没有游戏。")
    return course.games


def fresh_seed() -> int:
    return 1000 + secrets.randbelow(9000)


def number_of(text: str, most: int) -> int:
    """A whole number from 1 on; NotFound says what may stand in the address."""
    if re.fullmatch(r"[1-9][0-9]{0,8}", text) and int(text) <= most:
        return int(text)
    raise NotFound(f"地址里的数不对：难度level是1到{LEVELS}，局号seed是1到{LAST_SEED}。")


async def shown(request: Request, play: Play) -> Response:
    """The page of a play as it stands."""
    site = site_of(request)
    look = await site.db.read(plays.load_play, caller_of(request), play)
    board = Board(site, play, typed_in(request))
    return page(
        request,
        "games/show",
        known=look.learner_id is not None,
        page="games",
        title=board.title,
        game_html=board.render(look),
    )


async def moved(request: Request, play: Play) -> Response:
    """Make the move that was sent. What cannot be read costs nothing and stays where it was typed."""
    site, form = site_of(request), await read_form(request)
    words_of(site.course)
    person = caller_of(request, form)
    raw, move = form.one("answer").strip()[:LONGEST], form.one("move", "answer")
    sent = Move(form.number("position", 0), move, raw if move in ANSWERS else "")
    board = Board(
        site, play, Typed(play.game, (raw,), refused=False) if raw and move not in ANSWERS else None
    )
    try:
        look = await site.db.write(plays.move, person, play, sent, board.judge, now())
    except Unreadable:
        board = replace(board, typed=Typed(play.game, (raw,)))
        if not wants_fragment(request):
            return see(request, board.here)
        look = await site.db.read(plays.load_play, person, play)
        return fragment(request, board.render(look), status=422, guest=guest_again(form))
    if not wants_fragment(request):
        return see(request, board.here, token=look.token)
    return fragment(request, board.render(look), token=look.token)


@dataclass(frozen=True)
class Board:
    """A play on the page: its address, its judge, its look. `typed`: what could not be read."""

    site: Site
    play: Play
    typed: Typed | None = None

    @property
    def words(self) -> Games:
        return words_of(self.site.course)

    @property
    def is_duel(self) -> bool:
        return self.play.game == "duel"

    @property
    def title(self) -> str:
        return self.words.duel.title if self.is_duel else self.words.monster.title

    @property
    def url(self) -> str:
        play = self.play
        return duel_url(play.seed) if self.is_duel else monster_url(play.level, play.seed)

    @property
    def here(self) -> str:
        """Where a browser without a script goes on."""
        path = f"{self.url}#{'duel-now' if self.is_duel else 'battle-now'}"
        return self.typed.within(path) if self.typed else path

    @property
    def judge(self) -> Judge:
        return Duel(self.play.seed) if self.is_duel else Fight(self.play.level, self.play.seed)

    def render(self, look: PlayData) -> Markup:
        course, play = self.site.course, self.play
        if self.is_duel:
            context = duel_views.view(course, self.words.duel, play.seed, look.moves)
            drawn = self.site.render("games/_duel.html", duel=context, guest_field=slots.GUEST)
        else:
            typed = self.typed if self.typed and self.typed.item == play.game else None
            context = monster_views.view(course, self.words.monster, play, look.moves, typed)
            drawn = self.site.render("games/_monster.html", fight=context, guest_field=slots.GUEST)
        return drawn
