"""击败DCG怪兽: one NDCG, cut into strokes. The ideal is the shield, the ratio the last blow."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from app import engine
from app.course.games.chance import Chance
from app.course.items import rounding
from app.course.items.kinds.base import shuffled

LEVELS: Mapping[int, tuple[str, ...]] = {
    1: ("ndcg",),
    2: ("ndcg-exponential", "ndcg-at-k"),
    3: ("ndcg-pool", "ndcg-exponential", "ndcg-at-k"),
}
"""What the engine generates for each difficulty."""
ORDER_MODELS = ("ideal_ascending", "ideal_not_sorted", "ideal_from_first_k", "ideal_from_retrieved")
LEAST_CHOICES = 3
GREAT = ("idcg", "dcg", "ndcg")
MOST_DRAWS = 1_000
BLUR = 0.0006
"""A mistake's number is rounded when it is sent: so far from the accepted ones it must lie."""
LETTERS = "abcdef"


@dataclass(frozen=True)
class IdealChoice:
    """An order to choose as the ideal one; `misconception` is what leads to it, None for the right one."""

    value: str
    grades: tuple[int, ...]
    misconception: str | None = None


@dataclass(frozen=True)
class Stroke:
    """One step of the calculation: a number to find, or the ideal order to choose.

    `kind`: gain, discount, term, cg, dcg, ideal-order, idcg, ndcg.
    """

    kind: str
    question: engine.Question
    choices: tuple[IdealChoice, ...] = ()

    @property
    def name(self) -> str:
        """How the records name it.

        >>> [stroke.name for stroke in battle(1, 7).strokes][1:]
        ['term-2', 'ideal-order', 'idcg', 'dcg', 'ndcg']
        """
        return f"{self.kind}-{self.question.rank}" if self.question.rank else self.kind

    @property
    def decimals(self) -> int:
        """Places that are asked for; gains and sums of grades are whole."""
        return 0 if self.kind in rounding.WHOLE else rounding.TABLE_DECIMALS

    @property
    def answer(self) -> float:
        return engine.answer(self.question)

    @property
    def accepted(self) -> tuple[float, float]:
        return rounding.accepted(self.question, self.decimals)

    @property
    def right(self) -> str:
        """What is sent for the right answer."""
        chosen = next((one.value for one in self.choices if one.misconception is None), None)
        return chosen or f"{self.answer:.{self.decimals}f}"


@dataclass(frozen=True)
class Battle:
    """A list whose NDCG is to be found, and the strokes that lead there."""

    level: int
    seed: int
    skill: str
    question: engine.Question
    strokes: tuple[Stroke, ...]

    @property
    def grades(self) -> tuple[int, ...]:
        return tuple(int(grade or 0) for grade in self.question.grades)

    @property
    def unseen(self) -> tuple[int, ...]:
        """Grades of what was judged but not returned."""
        return tuple(int(grade or 0) for grade in (self.question.pool or ())[len(self.grades) :])

    @property
    def trace(self) -> engine.Trace:
        asked = self.question
        return engine.trace(asked.grades, asked.k, asked.gain, pool=asked.pool)


def practice_of(stroke: Stroke, made: Battle) -> str:
    """The exercise that practises a stroke.

    >>> made = battle(1, 7)
    >>> [practice_of(stroke, made) for stroke in made.strokes]
    ['discount', 'term', 'ideal-order', 'idcg', 'dcg', 'ndcg']
    """
    exponential, pooled = made.question.gain == "exponential", made.question.pool is not None
    cut = made.question.k is not None and not pooled
    match stroke.kind:
        case "gain" | "term" | "dcg" | "idcg" if exponential:
            return f"{stroke.kind}-exponential"
        case "cg" | "dcg" if cut:
            return f"{stroke.kind}-at-k"
        case "idcg" if pooled or cut:
            return "idcg-pool" if pooled else "idcg-cut"
        case "ndcg":
            return made.skill
    return stroke.kind


@lru_cache(2048)
def battle(level: int, seed: int) -> Battle:
    """The battle of a difficulty and a seed: always the same one.

    >>> battle(1, 7) == battle(1, 7), len(battle(3, 7).strokes)
    (True, 7)
    """
    chance = Chance(f"monster/{level}/{seed}")
    for _ in range(MOST_DRAWS):
        skill = chance.one_of(LEVELS[level])
        question = engine.generate(skill, level, chance.between(1, 10**9))
        if ranks := _ranks(question):
            made = Battle(level, seed, skill, question, tuple(_strokes(level, seed, question, ranks)))
            if not any(broken(made)):
                return made
    raise RuntimeError(f"no battle of level {level}, seed {seed}")


def broken(made: Battle) -> Iterator[str]:
    """A sentence for every promise that a battle breaks.

    >>> list(broken(battle(2, 7)))
    []
    """
    for stroke in made.strokes:
        low, high = stroke.accepted
        for name, value in engine.predictions(stroke.question).items():
            if low - BLUR <= value <= high + BLUR and not stroke.choices:
                yield f"{stroke.name}: {name} would count as right"
        if stroke.choices:
            yield from _broken_choices(stroke)
    yield from _already_in_hand(made)
    last = made.strokes[-1]
    if last.kind != "ndcg" or not 0 < last.answer < 1:
        yield "the last blow is no ratio below 1"
    kinds = [stroke.kind for stroke in made.strokes]
    if kinds[-4:] != ["ideal-order", "idcg", "dcg", "ndcg"]:
        yield "the shield is not up before the great blows"
    if not 6 <= len(made.strokes) <= 7:
        yield "it is too short, or too long"


def _already_in_hand(made: Battle) -> Iterator[str]:
    """A great blow is no blow if its number was found before: the DCG of a single sweet candy is its term."""
    found: set[float] = set()
    for stroke in made.strokes:
        if stroke.choices:
            continue
        number = round(stroke.answer, rounding.TABLE_DECIMALS)
        if stroke.kind in GREAT and number in found:
            yield f"{stroke.name}: {number} is in hand already"
        found.add(number)


def _broken_choices(stroke: Stroke) -> Iterator[str]:
    if [one.misconception for one in stroke.choices].count(None) != 1:
        yield f"{stroke.name}: not exactly one right choice"
    if len({one.grades for one in stroke.choices}) < max(LEAST_CHOICES, len(stroke.choices)):
        yield f"{stroke.name}: too few different choices"


def _ranks(question: engine.Question) -> list[int]:
    """Ranks from the second on that count and hold something sweet."""
    counted = question.grades[: question.k]
    return [rank for rank, grade in enumerate(counted, 1) if rank > 1 and grade]


def _strokes(level: int, seed: int, question: engine.Question, ranks: list[int]) -> Iterator[Stroke]:
    """From the small to the whole: one rank; the ideal, which is the shield; the sum; the ratio."""
    near, far = ranks[0], ranks[-1]
    if level > 1:
        yield _opening_stroke(question, far)
    if level == 1:
        yield _asked(question, "discount", far)
    yield _asked(question, "term", near)
    if level == 3 and far != near:
        yield _asked(question, "term", far)
    elif level == 3:
        yield _asked(question, "discount", far)
    yield Stroke("ideal-order", _question(question, "idcg"), _choices(seed, question))
    yield _asked(question, "idcg")
    yield _asked(question, "dcg")
    yield _asked(question, "ndcg")


def _opening_stroke(question: engine.Question, rank: int) -> Stroke:
    """What the list is worth before any discount: the gain where it is exponential, else the sum."""
    return _asked(question, "gain", rank) if question.gain == "exponential" else _asked(question, "cg")


def _asked(question: engine.Question, quantity: str, rank: int | None = None) -> Stroke:
    return Stroke(quantity, _question(question, quantity, rank))


def _question(question: engine.Question, quantity: str, rank: int | None = None) -> engine.Question:
    k = None if rank else question.k
    return engine.Question(quantity, question.grades, k, question.gain, question.pool, rank)


def _choices(seed: int, question: engine.Question) -> tuple[IdealChoice, ...]:
    """The ideal order, and the orders that wrong beliefs lead to; each order once."""
    asked = _question(question, "idcg")
    right = tuple(int(term.grade or 0) for term in _trace(asked).ideal_terms)
    found: dict[tuple[int, ...], str | None] = {right: None}
    for name in ORDER_MODELS:
        model = engine.MISCONCEPTIONS[name]
        if model.applies(asked):
            order = model.instead["ideal"](asked)[: asked.k]
            found.setdefault(tuple(int(grade or 0) for grade in order), name)
    model = engine.MISCONCEPTIONS["ideal_not_cut"]
    if model.applies(asked):
        pool = asked.grades if asked.pool is None else asked.pool
        whole = sorted((int(grade or 0) for grade in pool), reverse=True)
        found.setdefault(tuple(whole), model.id)
    mixed = shuffled(list(found.items()), seed, f"ideal:{question.grades}")
    return tuple(
        IdealChoice(letter, grades, name) for letter, (grades, name) in zip(LETTERS, mixed, strict=False)
    )


def _trace(asked: engine.Question) -> engine.Trace:
    return engine.trace(asked.grades, asked.k, asked.gain, pool=asked.pool)
