"""The opening sequence of an example: DCG terms, ideal order, IDCG terms, ratio; a guess before each."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple

from app import engine
from app.course.items import numbers, rounding, solutions
from app.course.items.examples import Example
from app.course.items.marks import Mood
from app.course.items.printed_figures import STEP_DECIMALS, equals_text, rounded_text
from app.engine.cumulative import share
from app.engine.generate.random_stream import shuffled
from app.engine.rounding import FLOAT_NOISE

OpeningKind = Literal["term", "ideal_order", "ideal_term", "ratio"]
GuessStyle = Literal["compare", "choose", "number"]
GuessMode = Literal["plain", "choices", "number"]
DECIMALS_OF_GUESS = 2
"""How finely a typed guess is asked for, and a term is printed."""
RATIO_STEP_NAME = "归一"
"""The step in which a mistake can be made where both sums stand on the screen."""
_term_text = partial(rounded_text, decimals=DECIMALS_OF_GUESS)


class GuessChoice(NamedTuple):
    """A guess to click; `value` is what the form sends."""

    value: str
    label: str


class RevealPosition(NamedTuple):
    """One thing to open: what is asked before it, and what is true.

    `first_position`: the first of the positions that open with it, where its question is about several at
    once.
    """

    kind: OpeningKind
    rank: int | None
    prompt: str
    button_text: str
    reason: str
    guess_mode: GuessMode = "plain"
    choices: tuple[GuessChoice, ...] = ()
    right_guess: str = ""
    position: int = 0
    first_position: int = 0


class GuessResult(NamedTuple):
    """What a guess met when the thing was opened."""

    is_right: bool | None
    mood: Mood
    text: str
    misconception_code: str | None = None


def reveal_sequence(example: Example, guess_style: GuessStyle = "compare") -> tuple[RevealPosition, ...]:
    """Everything to open in an example, in order; position 1 is the first."""
    term_count, ideal_term_count = len(example.trace.terms), len(example.trace.ideal_terms)
    last_ideal_position = term_count + 1 + ideal_term_count
    reveals = []
    for position, reveal in enumerate(_reveals(example, guess_style), 1):
        first_position = position
        if position == last_ideal_position:
            first_position = term_count + 2
        reveals.append(reveal._replace(position=position, first_position=first_position))
    return tuple(reveals)


def next_reveal(reveals: Sequence[RevealPosition], opened_count: int) -> RevealPosition | None:
    """What is opened after the first `opened_count`: of what can be, that which opens most at once."""
    for reveal in reversed(reveals[opened_count:]):
        if reveal.first_position <= opened_count + 1:
            return reveal
    return None


def _reveals(example: Example, guess_style: GuessStyle) -> Iterator[RevealPosition]:
    trace = example.trace
    for term in trace.terms:
        yield _term_reveal(example, term, guess_style)
    yield _ideal_order_reveal(example)
    for term in trace.ideal_terms[:-1]:
        yield _ideal_term_reveal(term)
    yield _ideal_terms_reveal(trace)
    yield _ratio_reveal(trace, guess_style)


def judge_guess(reveal: RevealPosition, example: Example, guess: str | None) -> GuessResult:
    """Judge a guess; None is 直接看, and so is a choice that is not among the choices.

    Raises `Unreadable` for a number that cannot be read.
    """
    if guess is not None and reveal.guess_mode == "number":
        return _judge_number(reveal, example, guess)
    for choice in reveal.choices:
        if choice.value == guess:
            return _judge_choice(reveal, choice)
    return GuessResult(None, "thinking", reveal.reason)


def _judge_choice(reveal: RevealPosition, choice: GuessChoice) -> GuessResult:
    if choice.value == reveal.right_guess:
        return GuessResult(True, "pleased", f"猜对了。{reveal.reason}")
    return GuessResult(False, "puzzled", f"你猜的是“{choice.label}”。{reveal.reason}")


def _judge_number(reveal: RevealPosition, example: Example, guess: str) -> GuessResult:
    typed_number = numbers.read(guess)
    quantity: Literal["term", "ndcg"] = "ndcg" if reveal.kind == "ratio" else "term"
    question = engine.Question(quantity, example.grades, example.k, example.gain, example.pool, reveal.rank)
    lowest_value, highest_value = rounding.accepted_range(question, DECIMALS_OF_GUESS)
    if lowest_value <= typed_number.value <= highest_value:
        return GuessResult(True, "pleased", f"算对了。{reveal.reason}")
    echo_sentence = f"你算的是{typed_number.echo_text}。"
    diagnosis = None
    if not _is_rough(typed_number.value):
        diagnosis = rounding.diagnose(question, typed_number.value, DECIMALS_OF_GUESS, typed_number.decimals)
    if diagnosis is None or (reveal.kind == "ratio" and diagnosis.step != RATIO_STEP_NAME):
        return GuessResult(False, "puzzled", echo_sentence + reveal.reason)
    explanation = diagnosis.explanation
    if diagnosis.are_alternatives:
        explanation = _possible_misconceptions_sentence(diagnosis.ids)
    return GuessResult(False, "puzzled", f"{echo_sentence}{explanation}{reveal.reason}", diagnosis.code)


def _is_rough(figure: float) -> bool:
    """Whether a number has fewer places than were asked for: it was guessed, and shows no mistake.

    >>> _is_rough(0.9), _is_rough(1.22), _is_rough(3.0)
    (True, False, True)
    """
    return abs(figure * 10 - round(figure * 10)) < FLOAT_NOISE


def _possible_misconceptions_sentence(misconception_ids: Sequence[str]) -> str:
    """Mistakes that lead to one number, by name alone: candies, total and reason share one screen.

    >>> _possible_misconceptions_sentence(["no_discount", "reciprocal_rank_discount"])
    '可能是“没有打折”，也可能是“直接除以了名次”。'
    """
    misconceptions = map(engine.MISCONCEPTIONS.__getitem__, misconception_ids)
    return "，也".join(f"可能是“{misconception.name}”" for misconception in misconceptions) + "。"


def _term_reveal(example: Example, term: engine.Term, guess_style: GuessStyle) -> RevealPosition:
    rank = term.rank
    sweetness_words = _sweetness_words(term, example.gain)
    reason = f"第{rank}位{sweetness_words}，除以log₂({rank + 1})，这一项是{_term_text(term.value)}。"
    reveal = RevealPosition("term", rank, "", f"翻开第{rank}项", reason)
    if rank == 1:
        undiscounted_reason = f"第1位{sweetness_words}，不打折，这一项就是{_term_text(term.value)}。"
        return reveal._replace(prompt="先翻第1项。第1位不打折。", reason=undiscounted_reason)
    if term.gain == 0:
        prompt = f"第{rank}位{sweetness_words}，不管打几折，这一项都是……"
        return reveal._replace(prompt=prompt, reason=f"0打几折都是0，但第{rank}这个名次还是被它占掉了。")
    if guess_style == "number":
        prompt = f"第{rank}位{sweetness_words}。这一项是多少？（保留{DECIMALS_OF_GUESS}位小数）"
        return reveal._replace(prompt=prompt, guess_mode="number", right_guess=_term_text(term.value))
    if guess_style == "choose":
        prompt = f"第{rank}位{sweetness_words}。这一项大概是哪个数？"
        return _with_choices(reveal, prompt, _usual_value_texts(term))
    previous_term = example.trace.terms[rank - 2]
    grade_text = _grade_text(term)
    previous_grade_text = _grade_text(previous_term)
    prompt = f"第{rank}项（甜度{grade_text}）比第{rank - 1}项（甜度{previous_grade_text}）大，还是小？"
    terms_text = f"这一项{_term_text(term.value)}，上一项{_term_text(previous_term.value)}"
    reason = f"{terms_text}：{_gap_reason(term, previous_term)}"
    comparison_code = _comparison_code(term.value, previous_term.value)
    choices_reveal = reveal._replace(prompt=prompt, reason=reason, guess_mode="choices")
    return choices_reveal._replace(choices=_COMPARISON_CHOICES, right_guess=comparison_code)


def _gap_reason(term: engine.Term, previous_term: engine.Term) -> str:
    """Why a term is more or less than the one before, whose discount is lighter."""
    comparison_code = _comparison_code(term.value, previous_term.value)
    if term.gain < previous_term.gain:
        return "没那么甜，折也更重，两头吃亏。"
    if term.gain == previous_term.gain:
        return "一样甜，只是折更重了。"
    if comparison_code == "more":
        return "折是更重了，可它甜得多，还是它大。"
    if comparison_code == "same":
        return "多出来的甜，正好补上多打的折。"
    return "它更甜，可折也更重，没追上。"


def _ideal_order_reveal(example: Example) -> RevealPosition:
    ideal_grades = [term.grade or 0 for term in example.trace.ideal_terms]
    system_grades = [term.grade or 0 for term in example.trace.terms]
    prompt = "同样这些糖，怎样排才最好？"
    candy_words = "手里还是这些糖"
    if example.pool is not None:
        prompt = f"评判池里的糖都拿来，前{len(ideal_grades)}位怎样排才最好？"
        candy_words = "评判池里就是这些糖"
    reason = f"从高到低：{_grade_list_text(ideal_grades)}。{candy_words}，谁也排不出更好的顺序。"
    reveal = RevealPosition("ideal_order", None, prompt, "翻开理想排序", reason)
    order_texts = [_grade_list_text(grades) for grades in (ideal_grades, sorted(ideal_grades), system_grades)]
    if set(order_texts) == {order_texts[0]}:
        return reveal._replace(reason=f"{reason}系统给的正好就是它。")
    return _with_choices(reveal, prompt, order_texts)


def _ideal_term_reveal(term: engine.Term) -> RevealPosition:
    """One term of the ideal by itself: today they open together, but links lead into their midst."""
    rank = term.rank
    grade_text = _grade_text(term)
    term_words = f"理想的第{rank}位甜度{grade_text}，这一项是{_term_text(term.value)}"
    reason = f"{term_words}。折损跟着名次走，和是谁坐在那里无关。"
    prompt = f"理想排序的第{rank}项，甜度{grade_text}。"
    return RevealPosition("ideal_term", rank, prompt, f"翻开理想的第{rank}项", reason)


def _ideal_terms_reveal(trace: engine.Trace) -> RevealPosition:
    """All terms of the ideal at once, after the question which of them grew most."""
    rank = len(trace.ideal_terms)
    most_grown_rank = _rank_of_largest_growth(trace)
    reason, right_guess = "一项也没涨：系统给的已经是最甜的顺序，IDCG就是DCG。", "none"
    if most_grown_rank is not None:
        term = trace.ideal_terms[most_grown_rank - 1]
        growth_words = f"{_former_term_words(trace, most_grown_rank)}到{_term_text(term.value)}"
        reason = f"第{most_grown_rank}项涨得最多，{growth_words}：名次和折损没变，换的只是糖。"
        right_guess = f"rank-{most_grown_rank}"
    prompt = "和上面那一排比，哪一项涨得最多？"
    reveal = RevealPosition("ideal_term", rank, prompt, "翻开理想的各项", reason)
    offered_ranks = [rank for rank in _rival_ranks(trace, most_grown_rank) if rank != most_grown_rank][:2]
    if most_grown_rank is not None:
        offered_ranks.append(most_grown_rank)
    choices = [GuessChoice(f"rank-{rank}", f"第{rank}项") for rank in sorted(offered_ranks)]
    if most_grown_rank is None or len(offered_ranks) < 3:
        choices.append(GuessChoice("none", "都没涨"))
    return reveal._replace(guess_mode="choices", choices=tuple(choices), right_guess=right_guess)


def _growths(trace: engine.Trace) -> list[float]:
    """How much more each term of the ideal is than the system's of the same rank; 0 where that has none."""
    growths = [term.value for term in trace.ideal_terms]
    for term_index, term in enumerate(trace.terms[: len(growths)]):
        growths[term_index] -= term.value
    return growths


def _rank_of_largest_growth(trace: engine.Trace) -> int | None:
    """The rank whose term grew most, the first of equals; None where none did."""
    growths = _growths(trace)
    largest_growth = max(growths)
    if largest_growth < FLOAT_NOISE:
        return None
    return next(rank for rank, growth in enumerate(growths, 1) if growth > largest_growth - FLOAT_NOISE)


def _rival_ranks(trace: engine.Trace, most_grown_rank: int | None) -> list[int]:
    """Other ranks to choose from: those that differ too first. None that grew as much."""
    growths = _growths(trace)
    growth_limit = math.inf  # where nothing grew, every rank is a rival
    if most_grown_rank is not None:
        growth_limit = growths[most_grown_rank - 1] - FLOAT_NOISE
    rival_ranks = [rank for rank, growth in enumerate(growths, 1) if growth < growth_limit]
    return sorted(rival_ranks, key=lambda rank: -abs(growths[rank - 1]))


def _former_term_words(trace: engine.Trace, rank: int) -> str:
    """From where a term grew, in words."""
    if rank > len(trace.terms):
        return "从没有"
    return f"从{_term_text(trace.terms[rank - 1].value)}"


def _ratio_reveal(trace: engine.Trace, guess_style: GuessStyle) -> RevealPosition:
    ndcg_text = equals_text(trace.ndcg, STEP_DECIMALS)
    reason = f"{solutions.division_text(trace)}{ndcg_text}：{_share_words(trace.ndcg)}。"
    dcg_text, idcg_text = rounded_text(trace.dcg, STEP_DECIMALS), rounded_text(trace.idcg, STEP_DECIMALS)
    sum_sentence = f"最后一步：DCG {dcg_text}，IDCG {idcg_text}。"
    reveal = RevealPosition("ratio", None, f"{sum_sentence}NDCG是多少？", "相除", reason)
    if trace.zero_ideal:
        return reveal._replace(prompt="理想排序也是0分。", reason="没有糖可比：按约定，NDCG记作0。")
    if guess_style == "number":
        prompt = f"{reveal.prompt}（保留{DECIMALS_OF_GUESS}位小数）"
        return reveal._replace(prompt=prompt, guess_mode="number", right_guess=_term_text(trace.ndcg))
    inverted_ratio = share(trace.idcg, trace.dcg)
    possible_values = (trace.ndcg, inverted_ratio, trace.dcg)
    value_texts = [rounded_text(possible_value, STEP_DECIMALS) for possible_value in possible_values]
    if len(set(value_texts)) < 3:
        return reveal
    return _with_choices(reveal, f"{sum_sentence}NDCG是哪一个？", value_texts)


def _share_words(ndcg: float) -> str:
    """How much of full marks an NDCG is.

    >>> _share_words(0.625), _share_words(0.997), _share_words(1.0)
    ('满分的63%', '离满分只差一丝', '正好满分')
    """
    if abs(ndcg - 1) < FLOAT_NOISE:
        return "正好满分"
    percent_text = f"{rounded_text(100 * ndcg, 0)}%"
    if percent_text == "100%":
        return "离满分只差一丝"
    return f"满分的{percent_text}"


_COMPARISON_CHOICES = (GuessChoice("more", "大"), GuessChoice("less", "小"), GuessChoice("same", "一样"))


def _comparison_code(figure: float, reference_figure: float) -> str:
    if abs(figure - reference_figure) < FLOAT_NOISE:
        return "same"
    if figure > reference_figure:
        return "more"
    return "less"


def _usual_value_texts(term: engine.Term) -> list[str]:
    """The truth, and what two usual mistakes give: no discount, and dividing by the rank."""
    return [_term_text(usual_value) for usual_value in (term.value, term.gain, term.gain / term.rank)]


def _with_choices(reveal: RevealPosition, prompt: str, choice_texts: Sequence[str]) -> RevealPosition:
    """A choice between values, the first of which is true; shuffled the same way for everybody."""
    distinct_texts = list(dict.fromkeys(choice_texts))
    if len(distinct_texts) < 2:
        return reveal._replace(prompt=prompt)
    shuffled_texts = shuffled(distinct_texts, len(choice_texts), f"{reveal.kind}:{choice_texts}")
    choices = tuple(GuessChoice(choice_text, choice_text) for choice_text in shuffled_texts)
    return reveal._replace(prompt=prompt, guess_mode="choices", choices=choices, right_guess=choice_texts[0])


def _grade_text(term: engine.Term) -> str:
    return f"{term.grade or 0:g}"


def _sweetness_words(term: engine.Term, gain: str) -> str:
    """The grade, and the gain where it is another number."""
    if term.grade is None:
        return "未标注，按甜度0算"
    if gain == "linear":
        return f"甜度{_grade_text(term)}"
    return f"甜度{_grade_text(term)}，增益{solutions.gain_text(term, gain)}"


def _grade_list_text(grades: Sequence[float]) -> str:
    return " ".join(f"{grade:g}" for grade in grades)
