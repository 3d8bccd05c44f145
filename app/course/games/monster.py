"""击败DCG怪兽: one NDCG, cut into strokes. The ideal comes before the sums, the ratio last."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from app import engine
from app.course.items import rounding
from app.engine.generate.random_stream import RandomStream, shuffled
from app.engine.misconceptions.working import sorted_candidate_grades

HINTS_OF_STROKE = 2
"""A potion that is read opens one."""
SKILLS_BY_LEVEL: Mapping[int, tuple[str, ...]] = {
    1: ("ndcg",),
    2: ("ndcg-exponential", "ndcg-at-k"),
    3: ("ndcg-pool", "ndcg-exponential", "ndcg-at-k"),
}
"""What the engine generates for each difficulty."""
ORDER_MISCONCEPTION_IDS = (
    "ideal_ascending",
    "ideal_not_sorted",
    "ideal_from_first_k",
    "ideal_from_retrieved",
)
FEWEST_CHOICES = 3
FINAL_QUANTITIES = ("idcg", "dcg", "ndcg")
MOST_DRAWS = 1_000
ROUNDING_MARGIN = 0.0006
"""A mistake's number is rounded when it is sent: so far from the accepted ones it must lie."""
CHOICE_LETTERS = "abcdef"
TOLD_APART_MISCONCEPTION_IDS = engine.FIXED_MISCONCEPTION_IDS - {"list_from_below", "list_in_ideal_twice"}
"""Of the two, described when seeds had been handed out, battles promise nothing: each stays as it was."""


class IdealChoice(NamedTuple):
    """An order to choose as the ideal one; `misconception_id` is what leads to it, None for the right one."""

    letter: str
    grades: tuple[int, ...]
    misconception_id: str | None


class Stroke(NamedTuple):
    """One step of the calculation: a number to find, or the ideal order to choose.

    `kind`: gain, discount, term, cg, dcg, ideal-order, idcg, ndcg.
    """

    kind: str
    question: engine.Question
    choices: tuple[IdealChoice, ...] = ()

    @property
    def name(self) -> str:
        """How the records name it.

        >>> [stroke.name for stroke in drawn_battle(1, 7).strokes][1:]
        ['term-2', 'ideal-order', 'idcg', 'dcg', 'ndcg']
        """
        if self.question.rank is None:
            return self.kind
        return f"{self.kind}-{self.question.rank}"

    @property
    def decimals(self) -> int:
        """Places that are asked for; gains and sums of grades are whole."""
        if self.kind in rounding.WHOLE_QUANTITIES:
            return 0
        return rounding.TABLE_DECIMALS

    @property
    def answer(self) -> float:
        return engine.answer(self.question)

    @property
    def accepted_range(self) -> tuple[float, float]:
        return rounding.accepted_range(self.question, self.decimals)

    @property
    def right_answer_text(self) -> str:
        """What is sent for the right answer."""
        for ideal_choice in self.choices:
            if ideal_choice.misconception_id is None:
                return ideal_choice.letter
        return f"{self.answer:.{self.decimals}f}"


class Battle(NamedTuple):
    """A list whose NDCG is to be found, and the strokes that lead there."""

    level: int
    seed: int
    generator_name: str
    question: engine.Question
    strokes: tuple[Stroke, ...]

    @property
    def grades(self) -> tuple[int, ...]:
        return _whole_grades(self.question.grades)

    @property
    def unlisted_grades(self) -> tuple[int, ...]:
        """Grades of what was judged but not returned."""
        return _whole_grades(self.question.pool or ())[len(self.question.grades) :]

    @property
    def trace(self) -> engine.Trace:
        return _trace(self.question)


def practice_exercise_id_of(stroke: Stroke, battle: Battle) -> str:
    """The exercise that practises a stroke.

    >>> first_battle = drawn_battle(1, 7)
    >>> [practice_exercise_id_of(stroke, first_battle) for stroke in first_battle.strokes]
    ['discount', 'term', 'ideal-order', 'idcg', 'dcg', 'ndcg']
    """
    question = battle.question
    match stroke.kind:
        case "ndcg":
            return battle.generator_name
        case "gain" | "term" | "dcg" | "idcg" if question.gain == "exponential":
            return f"{stroke.kind}-exponential"
        case "idcg" if question.pool is not None:
            return "idcg-pool"
        case "idcg" if question.k is not None:
            return "idcg-cut"
        case "cg" | "dcg" if question.k is not None and question.pool is None:
            return f"{stroke.kind}-at-k"
    return stroke.kind


@lru_cache(2048)
def drawn_battle(level: int, seed: int) -> Battle:
    """The battle of a difficulty and a seed: always the same one.

    >>> drawn_battle(1, 7) == drawn_battle(1, 7), len(drawn_battle(3, 7).strokes)
    (True, 7)
    """
    random_stream = RandomStream(f"monster/{level}/{seed}")
    for _ in range(MOST_DRAWS):
        generator_name = random_stream.one_of(SKILLS_BY_LEVEL[level])
        question = engine.generate(generator_name, level, random_stream.between(1, 10**9))
        assert isinstance(question, engine.Question)  # the skills of a battle are about lists
        strokes = tuple(_strokes(level, seed, question))
        candidate_battle = Battle(level, seed, generator_name, question, strokes)
        if strokes and not any(broken_promises(candidate_battle)):
            return candidate_battle
    raise RuntimeError(f"no battle of level {level}, seed {seed}")


def broken_promises(battle: Battle) -> Iterator[str]:
    """A sentence for every promise that a battle breaks.

    >>> list(broken_promises(drawn_battle(2, 7)))
    []
    """
    for stroke in battle.strokes:
        if stroke.choices:
            yield from _broken_promises_of_choices(stroke)
        else:
            yield from _broken_promises_of_number(stroke)
    yield from _broken_promises_of_numbers(battle)
    last_stroke = battle.strokes[-1]
    if last_stroke.kind != "ndcg" or not 0 < last_stroke.answer < 1:
        yield "the last number is no ratio below 1"
    stroke_kinds = [stroke.kind for stroke in battle.strokes]
    if stroke_kinds[-4:] != ["ideal-order", "idcg", "dcg", "ndcg"]:
        yield "the ideal order, IDCG, DCG and NDCG do not come last, in this order"
    if not 6 <= len(stroke_kinds) <= 7:
        yield "it is too short, or too long"


def _broken_promises_of_choices(stroke: Stroke) -> Iterator[str]:
    misconception_ids = [ideal_choice.misconception_id for ideal_choice in stroke.choices]
    grade_orders = {ideal_choice.grades for ideal_choice in stroke.choices}
    if misconception_ids.count(None) != 1:
        yield f"{stroke.name}: not exactly one right choice"
    if len(grade_orders) < max(FEWEST_CHOICES, len(misconception_ids)):
        yield f"{stroke.name}: too few different choices"


def _broken_promises_of_number(stroke: Stroke) -> Iterator[str]:
    lowest_accepted_value, highest_accepted_value = stroke.accepted_range
    for misconception_id, predicted_value in engine.predictions(stroke.question).items():
        if misconception_id not in TOLD_APART_MISCONCEPTION_IDS:
            continue
        if (
            lowest_accepted_value - ROUNDING_MARGIN
            <= predicted_value
            <= highest_accepted_value + ROUNDING_MARGIN
        ):
            yield f"{stroke.name}: {misconception_id} would count as right"


def _broken_promises_of_numbers(battle: Battle) -> Iterator[str]:
    """IDCG, DCG or NDCG with a number found before: the DCG of a single relevant document is its term."""
    earlier_numbers: set[float] = set()
    for stroke in battle.strokes:
        if stroke.choices:
            continue
        rounded_answer = round(stroke.answer, rounding.TABLE_DECIMALS)
        if stroke.kind in FINAL_QUANTITIES and rounded_answer in earlier_numbers:
            yield f"{stroke.name}: {rounded_answer} is in hand already"
        earlier_numbers.add(rounded_answer)


def _strokes(level: int, seed: int, question: engine.Question) -> Iterator[Stroke]:
    """From one rank over the ideal and the sum to the ratio.

    None at all for a list without a sweet document from rank 2 on: nothing in it is discounted.
    """
    top_grades = question.grades[: question.k]
    ranks_to_ask = [rank for rank, grade in enumerate(top_grades[1:], 2) if grade]
    if not ranks_to_ask:
        return
    first_rank = ranks_to_ask[0]
    last_rank = ranks_to_ask[-1]
    if level == 1:
        yield _stroke(question, "discount", last_rank)
    elif question.gain == "exponential":
        yield _stroke(question, "gain", last_rank)
    else:
        yield _stroke(question, "cg")
    yield _stroke(question, "term", first_rank)
    if level == 3 and last_rank == first_rank:
        yield _stroke(question, "discount", last_rank)
    elif level == 3:
        yield _stroke(question, "term", last_rank)
    ideal_question = _stroke_question(question, "idcg")
    yield Stroke("ideal-order", ideal_question, _ideal_choices(seed, ideal_question))
    yield Stroke("idcg", ideal_question)
    yield _stroke(question, "dcg")
    yield _stroke(question, "ndcg")


def _stroke(question: engine.Question, quantity: str, rank: int | None = None) -> Stroke:
    return Stroke(quantity, _stroke_question(question, quantity, rank))


def _stroke_question(question: engine.Question, quantity: str, rank: int | None = None) -> engine.Question:
    k = None if rank else question.k
    return engine.Question(quantity, question.grades, k, question.gain, question.pool, rank)


def _ideal_choices(seed: int, ideal_question: engine.Question) -> tuple[IdealChoice, ...]:
    """The ideal order, and the orders that wrong beliefs lead to; each order once."""
    right_grade_order = _whole_grades(term.grade for term in _trace(ideal_question).ideal_terms)
    misconception_id_by_order: dict[tuple[int, ...], str | None] = {right_grade_order: None}
    for misconception_id, grade_order in _misconception_ids_with_orders(ideal_question):
        misconception_id_by_order.setdefault(grade_order, misconception_id)
    shuffled_orders_and_ids = shuffled(
        list(misconception_id_by_order.items()), seed, f"ideal:{ideal_question.grades}"
    )
    letters_and_orders_with_ids = zip(CHOICE_LETTERS, shuffled_orders_and_ids, strict=False)
    return tuple(
        IdealChoice(letter, grades, misconception_id)
        for letter, (grades, misconception_id) in letters_and_orders_with_ids
    )


def _misconception_ids_with_orders(ideal_question: engine.Question) -> Iterator[tuple[str, tuple[int, ...]]]:
    for misconception_id in ORDER_MISCONCEPTION_IDS:
        misconception = engine.MISCONCEPTIONS[misconception_id]
        if misconception.applies(ideal_question):
            yield (
                misconception_id,
                _whole_grades(misconception.wrong_steps["ideal"](ideal_question)[: ideal_question.k]),
            )
    if engine.MISCONCEPTIONS["ideal_not_cut"].applies(ideal_question):
        yield "ideal_not_cut", _whole_grades(sorted_candidate_grades(ideal_question))


def _trace(question: engine.Question) -> engine.Trace:
    return engine.trace(question.grades, question.k, question.gain, pool=question.pool)


def _whole_grades(grades: Iterable[float | None]) -> tuple[int, ...]:
    """The grades as whole numbers; a document without a judgement counts 0."""
    return tuple(int(grade or 0) for grade in grades)
