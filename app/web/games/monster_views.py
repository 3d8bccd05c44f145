"""A battle as a player sees it: the monster, what was struck, what struck back, the next stroke."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from app import engine
from app.course import Course, Unreadable
from app.course.exercises.scenes import dress, pick
from app.course.games.monster import Battle, Stroke, battle, practice_of
from app.course.games.monster_play import HEARTS, POTIONS, BattleState, diagnosis, stand
from app.course.games.words import MonsterWords
from app.course.items import diagnosis as number_diagnosis
from app.course.items import numbers, rounding, solutions
from app.course.items.examples import Document, describe
from app.course.text.model_base import GainName
from app.records.games.values import MoveRow, Play
from app.web.games.game_views import MONSTER, monster_url
from app.web.items.kinds.base import RankingView
from app.web.items.kinds.numeric import discount_table
from app.web.items.variants import LAST_SEED
from app.web.site.requests import Typed
from app.web.site.responses import markup

MOODS = {
    "": "idle", "right": "hurt", "shown": "hurt", "wrong": "attack", "blocked": "attack", "graze": "idle",
    "hint": "idle",
}  # fmt: skip
"""How the monster looks after what came last."""
MOST_PRACTICE = 3
RULER, FLOOR = 126, 144
"""Length and foot of the ruler in the drawing of the end."""


def view(
    course: Course, words: MonsterWords, play: Play, moves: Sequence[MoveRow], typed: Typed | None
) -> dict[str, Any]:
    """The context of `games/_monster.html`. `typed`: what stands in the field unrecorded."""
    made, state = battle(play.level, play.seed), stand(play.level, play.seed, moves)
    outcome = state.outcome(made)
    return {
        "action": f"{MONSTER}/{play.level}/{play.seed}/moves",
        "seed": play.seed,
        "level": words.levels[play.level - 1].name,
        "position": len(moves) + 1,
        "outcome": outcome,
        "mood": _mood(outcome, state),
        "last": state.last,
        "layers": {"all": len(made.strokes), "left": len(made.strokes) - state.at},
        "hearts": {"left": state.hearts, "all": HEARTS[play.level]},
        "potions": {"left": state.potions, "all": POTIONS},
        "shield": state.shield,
        "broken": state.last == "blocked",
        "sword": state.at == len(made.strokes) - 1,
        "said": _said(course, words, made, state, moves),
        "facts": _facts(made, state),
        "ranking": _ranking(course, made),
        "strip": _strip(made),
        "tiny": _tiny(made),
        "stroke": None if outcome else _stroke(course, words, made, state, typed),
        "ending": _ending(course, words, made, state) if outcome else None,
    }


def _mood(outcome: str | None, state: BattleState) -> str:
    return {"won": "small", "retreat": "smug"}.get(outcome or "", MOODS[state.last])


def _ranking(course: Course, made: Battle) -> RankingView:
    """The list that is fought over, in the dress of daily life."""
    scene = pick(course.scenes, made.seed, f"monster-{made.level}")
    dressed = dress(scene, made.grades, made.unseen, made.seed)
    asked = made.question
    gain: GainName = "exponential" if asked.gain == "exponential" else "linear"
    return RankingView(
        query=dressed.query,
        engine=dressed.engine,
        rows=_documents(dressed.documents),
        unseen=_documents(dressed.unseen),
        convention=describe(gain, asked.k, asked.pool is not None),
    )


def _strip(made: Battle) -> dict[str, Any]:
    """The same list as bare candies, to have it in sight beside the field."""
    k = made.question.k or len(made.grades)
    listed = [
        {"rank": rank, "grade": f"{grade}", "out": rank > k} for rank, grade in enumerate(made.grades, 1)
    ]
    return {"listed": listed, "unseen": [f"{grade}" for grade in made.unseen]}


def _tiny(made: Battle) -> dict[str, str]:
    """The beaten monster beside a ruler from 0 to 1: it is as high as its NDCG."""
    height = RULER * made.trace.ndcg
    width = height * 150 / 142
    x, y = 48 + (122 - width) / 2, FLOOR - height
    return {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{width:.1f}", "height": f"{height:.1f}"}


def _documents(documents: Sequence[Document]) -> list[Mapping[str, str | None]]:
    return [{"title": one.title, "grade": f"{one.grade or 0:g}"} for one in documents]


def _said(
    course: Course, words: MonsterWords, made: Battle, state: BattleState, moves: Sequence[MoveRow]
) -> dict[str, Any]:
    """What the monster shouts, and what the tutor says to it."""
    said: dict[str, Any] = {"attack": None, "shout": None, "words": None, "mood": "thinking"}
    match state.last:
        case "":
            shout = words.begin[made.seed % len(words.begin)]
            return said | {"shout": markup(course.line(shout))}
        case "right":
            hit = words.strokes[made.strokes[state.at - 1].kind].hit
            return said | {"words": markup(course.line(hit)), "mood": "pleased"}
        case "shown":
            lines = [words.helped, *_worked(made.strokes[state.at - 1])]
            return said | {"words": _lines(course, lines)}
        case "graze":
            return said | {"words": _lines(course, [words.graze, _why(made, state, moves[-1])])}
        case "wrong" | "blocked":
            return said | _struck_back(course, words, made, state, moves[-1])
    return said


def _struck_back(
    course: Course, words: MonsterWords, made: Battle, state: BattleState, move: MoveRow
) -> dict[str, Any]:
    name, cry = attack_of(words, move.misconception)
    blocked = [words.blocked] if state.last == "blocked" else []
    return {
        "attack": name,
        "shout": markup(course.line(cry)),
        "words": _lines(course, [*blocked, _why(made, state, move)]),
        "mood": "puzzled",
    }


def attack_of(words: MonsterWords, code: str | None) -> tuple[str, str]:
    """The attack that a mistake becomes; two that act together are a combination, of several the first."""
    known = [one for one in (code or "").partition("|")[0].split("+") if one in words.attacks]
    if not known:
        return words.stumble.name, words.stumble.cry
    return "＋".join(words.attacks[one].name for one in known), words.attacks[known[0]].cry


def _why(made: Battle, state: BattleState, move: MoveRow) -> str:
    """What happened, and how it is put right; never the answer."""
    stroke = made.strokes[state.at]
    if stroke.choices and move.misconception:
        model = engine.MISCONCEPTIONS[move.misconception]
        return f"{model.said}：{model.hint}"
    try:
        value = numbers.read(move.raw).value
    except Unreadable:
        return ""
    found = diagnosis(stroke, value)
    if found:
        return number_diagnosis.said(found)
    _, high = stroke.accepted
    if move.verdict == "graze":
        return "就差最后一位了，再看看进位。"
    return f"你的数{'大' if value > high else '小'}了些。先看清要算的是什么，再一项一项核对。"


def _worked(stroke: Stroke) -> list[str]:
    lines = solutions.lines(stroke.question, 3)
    return lines[:1] if stroke.choices else lines


def _lines(course: Course, lines: Sequence[str]) -> Markup:
    return markup("".join(f"<p>{course.line(line)}</p>" for line in lines if line))


def _facts(made: Battle, state: BattleState) -> list[dict[str, str]]:
    """What has been found so far: it may be used from now on."""
    return [_fact(made.strokes[at], at in state.struck) for at in range(state.at)]


def _fact(stroke: Stroke, own: bool) -> dict[str, str]:
    name = "理想排序" if stroke.choices else solutions.name(stroke.question)
    if stroke.choices:
        right = next(one for one in stroke.choices if one.misconception is None)
        value = "、".join(map(str, right.grades))
    else:
        value = f"{stroke.answer:.{stroke.decimals}f}"
    return {"name": name, "value": value, "by": "struck" if own else "helped"}


def _stroke(
    course: Course, words: MonsterWords, made: Battle, state: BattleState, typed: Typed | None
) -> dict[str, Any]:
    """The stroke that is asked now."""
    stroke = made.strokes[state.at]
    said = words.strokes[stroke.kind]
    names = _names(made, stroke)
    return {
        "id": f"{state.at + 1}",
        "number": state.at + 1,
        "kind": stroke.kind,
        "name": said.name,
        "ask": markup(course.line(said.ask.format(**names))),
        "choices": [
            {"value": one.value, "grades": one.grades}
            for one in stroke.choices
            if one.value not in state.tried
        ],
        "hints": [markup(course.line(hint.format(**names))) for hint in said.hints[: state.hints]],
        "can_drink": state.may("potion", len(said.hints)),
        "can_call": state.may("help", len(said.hints)),
        "contract": _contract(stroke),
        "expression": numbers.SUM if stroke.decimals else numbers.WHOLE_SUM,
        "discount_table": None
        if stroke.kind in ("ideal-order", "ndcg")
        else discount_table(stroke.question.quantity),
        "typed": typed.raw[0] if typed else state.tried[-1] if state.tried else "",
        "error": _error(typed.raw[0]) if typed and typed.refused else "",
    }


def _names(made: Battle, stroke: Stroke) -> dict[str, Any]:
    k = made.question.k or len(made.grades)
    return {"name": solutions.name(stroke.question), "rank": stroke.question.rank, "k": k}


def _contract(stroke: Stroke) -> str:
    if not stroke.decimals:
        return "写整数"
    table = rounding.table_name(stroke.question.quantity)
    return f"四舍五入到{stroke.decimals}位小数；用{table}上的数来算也可以"


def _error(typed: str) -> str:
    try:
        numbers.read(typed)
    except Unreadable as error:
        return str(error)
    return ""


def _ending(course: Course, words: MonsterWords, made: Battle, state: BattleState) -> dict[str, Any]:
    """What was struck, what struck back, what to practise; after a retreat the way through."""
    won = state.outcome(made) == "won"
    worked = [] if won else solutions.lines(made.question, 3)
    done = [_done(words, made.strokes[at], at in state.struck) for at in range(state.at)]
    return {
        "title": _title(state, won),
        "text": markup(course.line(words.won if won else words.retreat)),
        "ndcg": f"{made.trace.ndcg:.3f}",
        "struck": [one for one in done if one["by"] == "struck"],
        "helped": [one for one in done if one["by"] == "helped"],
        "own": len(state.struck),
        "total": len(made.strokes),
        "attacks": _attacks(words, state),
        "practice": _practice(course, made, state),
        "worked": [markup(course.line(line)) for line in worked],
        "again": monster_url(made.level, made.seed % LAST_SEED + 1),
        "harder": monster_url(made.level + 1, made.seed) if won and made.level < len(words.levels) else None,
        "easier": monster_url(made.level - 1, made.seed) if not won and made.level > 1 else None,
    }


def _title(state: BattleState, won: bool) -> str:
    """What came of it, and by whom."""
    if not won:
        return "先撤一步"
    if not state.struck:
        return "这一场是小糖替你打的"
    return "归一化之剑到手了，小糖搭了把手" if state.helped else "归一化之剑是你的了"


def _done(words: MonsterWords, stroke: Stroke, own: bool) -> dict[str, str]:
    return {"weapon": words.strokes[stroke.kind].name, **_fact(stroke, own)}


def _attacks(words: MonsterWords, state: BattleState) -> list[dict[str, Any]]:
    """Each attack once, with how often it came, and what wards it off."""
    found = []
    for code, times in Counter(attack.code for attack in state.attacks).items():
        name, _ = attack_of(words, code)
        known = [one for one in (code or "").partition("|")[0].split("+") if one in engine.MISCONCEPTIONS]
        models = [engine.MISCONCEPTIONS[one] for one in known]
        found.append(
            {
                "name": name,
                "times": times,
                "mistake": "，并且".join(model.name for model in models) or "这个数没认出来历",
                "hint": "".join(model.hint for model in models),
            }
        )
    return found


def _practice(course: Course, made: Battle, state: BattleState) -> list[dict[str, str]]:
    """The exercises for where it went wrong, most often first; without any mistake the whole table."""
    hurt = Counter(attack.stroke for attack in state.attacks) + Counter(state.helped)
    names = [practice_of(made.strokes[at], made) for at, _ in hurt.most_common()] or [f"steps-{made.skill}"]
    return [
        {"title": course.exercises[name].title, "url": f"/practice/{name}?level={made.level}"}
        for name in dict.fromkeys(names)
        if name in course.exercises
    ][:MOST_PRACTICE]
