"""代码题: what a `code.yaml` may say; and that our own exercises can be solved, and missed, as they say.

Our content is run here, with CPython; nothing that the site serves ever runs a learner's code.
"""

import re
from collections.abc import Mapping
from itertools import pairwise, permutations, product
from math import log2
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from app import engine
from app.course.learning.coding import Check, CodeExercise, UsualMistake
from tests.course.small import FILES, changed, course, faults
from tests.published import published
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
CODE = "01-first/code.yaml"
Outcome = Any
"""What a call gave, or the name of the error in which it ended."""

OWN: Mapping[str, CodeExercise] = published().code_exercises
WRONGS = [(name, number) for name in OWN for number, one in enumerate(OWN[name].usual) if one.wrong]


def outcomes(exercise: CodeExercise, code: str) -> list[Outcome]:
    """What each test of an exercise gives for this code."""
    try:
        space: dict[str, Any] = {}
        exec(code, space)
    except Exception as error:  # noqa: BLE001  # whatever it is, its name is the outcome
        return [type(error).__name__] * len(exercise.tests)
    return [outcome(dict(space), test) for test in exercise.tests]


def outcome(space: dict[str, Any], test: Check) -> Outcome:
    try:
        exec(test.before or "", space)
        return eval(test.call, space)
    except Exception as error:  # noqa: BLE001
        return type(error).__name__


def alike(first_outcome: Outcome, other_outcome: Outcome) -> bool:
    if isinstance(first_outcome, int | float) and isinstance(other_outcome, int | float):
        return abs(first_outcome - other_outcome) <= 1e-6 * max(1, abs(other_outcome))
    return bool(first_outcome == other_outcome)


def failed(exercise: CodeExercise, code: str) -> list[int]:
    """The numbers of the tests that this code does not pass."""
    expected = [eval(test.expected, {"log2": log2}) for test in exercise.tests]
    pairs = zip(outcomes(exercise, code), expected, strict=True)
    return [number for number, (result, right) in enumerate(pairs) if not alike(result, right)]


def likeness(results: list[Outcome], fails: list[int], wrongs: list[Outcome]) -> int:
    """How many tests a mistake gives the same result for; 0 unless it explains the first failure and most."""
    same = [alike(result, wrong) for result, wrong in zip(results, wrongs, strict=True)]
    explains_most = 2 * sum(same[number] for number in fails) >= len(fails)
    return sum(same) if explains_most and same[fails[0]] else 0


def shown_hint(exercise: CodeExercise, code: str) -> str | None:
    """The hint of the entry that fits best, as the page picks it: by error and looks, then by model."""
    results, fails = outcomes(exercise, code), failed(exercise, code)
    alikes = [mistake for mistake in exercise.usual if re.search(mistake.pattern or "", code)]
    for mistake in alikes:
        if not mistake.wrong and mistake.error in (None, results[fails[0]]):
            return mistake.hint
    models = [mistake for mistake in alikes if mistake.wrong]
    likenesses = [likeness(results, fails, outcomes(exercise, model.wrong or "")) for model in models]
    best = max(likenesses, default=0)
    return models[likenesses.index(best)].hint if best else None


def test_the_promised_exercises_are_there() -> None:
    promised = {"code-gain", "code-dcg", "code-ideal", "code-ndcg", "code-ties", "code-mend-article"}
    assert promised <= set(OWN)


@each("name", OWN)
def test_the_solution_passes_and_the_starter_does_not(name: str) -> None:
    assert failed(OWN[name], OWN[name].solution) == []
    assert failed(OWN[name], OWN[name].starter)


@each(("name", "number"), WRONGS)
def test_a_usual_mistake_is_one_and_is_told_from_the_others(name: str, number: int) -> None:
    """It fails, and is met by its own hint: no model before it looks like it and fails in the same way."""
    exercise, own = OWN[name], OWN[name].usual[number]
    assert own.wrong
    assert failed(exercise, own.wrong)
    assert shown_hint(exercise, own.wrong) == own.hint


LOOP = """\
from math import log2
def dcg(grades, k=None):
    total = 0
    for i, g in enumerate(grades[:k], 1):
        total += g / log2(i + 1)
    return total
"""


@each("name", ["code-dcg", "code-ndcg", "code-mend-article"])
def test_who_counts_from_one_and_forgets_to_add_one_is_told_to_add_one(name: str) -> None:
    """In the loop of the lesson `i` is the rank already: two would be one too many."""
    code = LOOP if name == "code-dcg" else OWN[name].solution
    missing = code.replace("log2(i + 1)", "log2(i)")
    assert missing != code
    assert "还差加1" in (shown_hint(OWN[name], missing) or "")


DCG_CODE = """\
from math import log2
def dcg(grades):
    total = 0
{head}        total += g / {divisor}
    return total
"""
HEADS = (
    "    for i, g in enumerate(grades):\n",
    "    for i, g in enumerate(grades, 1):\n",
    "    for i in range(1, len(grades) + 1):\n        g = grades[i - 1]\n",
    "    i = 0\n    for g in grades:\n        i += 1\n",
)
"""Ways of counting: from 0, and three times from 1."""
DIVISORS = ("1", "i", "(i + 1)", "(i + 2)", "log2(i)", "log2(i + 1)", "log2(i + 2)", "log2(i + 3)")


@each(("head", "divisor"), product(HEADS, DIVISORS))
def test_the_divisor_of_a_hint_is_right_for_whoever_counts_as_the_code_does(head: str, divisor: str) -> None:
    """Typed as it stands, it passes; a hint that has two says which is for whom."""
    exercise = OWN["code-dcg"]
    code = DCG_CODE.format(head=head, divisor=divisor)
    if not failed(exercise, code):
        return
    hint = shown_hint(exercise, code) or ""
    assert "log_2(i" not in hint, "the i of the formula is a rank, that of the code may not be"
    divisors = re.findall(r"`(log2\(i.*?\))`", hint)
    codes = [DCG_CODE.format(head=head, divisor=right_divisor) for right_divisor in divisors]
    passing = [repaired for repaired in codes if not failed(exercise, repaired)]
    assert len(passing) == min(1, len(divisors)), hint
    assert len(divisors) < 2 or ("从0数" in hint and "从1数" in hint)


BRANCHES_EXCHANGED = """\
def gain(grade, kind):
    if kind == "linear":
        return 2 ** grade - 1
    return grade
"""
SORTED_BEFORE_DISCOUNT = LOOP.replace("    total = 0\n", "    total = 0\n    grades.sort(reverse=True)\n")
SORTED_IN_PLACE = f"""{LOOP}
def ndcg(grades, k):
    grades.sort(reverse=True)
    best = dcg(grades, k)
    return dcg(grades, k) / best if best else 0
"""
NOTHING_CUT = f"""{LOOP}
def ndcg(grades, k):
    best = dcg(sorted(grades, reverse=True))
    return dcg(grades) / best if best else 0
"""
CUTOFF_TO_SHORT_DCG = f"""{OWN["code-ndcg"].starter}
def ndcg(grades, k):
    best = sorted(grades, reverse=True)
    return dcg(best[:k]) / dcg(best, k)
"""


@each(
    ("name", "code", "sign"),
    [
        ("code-gain", BRANCHES_EXCHANGED, "走反了"),
        ("code-dcg", SORTED_BEFORE_DISCOUNT, "折打对了"),
        ("code-ndcg", SORTED_IN_PLACE, "系统的那一排也改了"),
        ("code-ndcg", SORTED_IN_PLACE.replace(" if best else 0", ""), "系统的那一排也改了"),
        ("code-ndcg", NOTHING_CUT, "`k`没有用上"),
        ("code-ndcg", CUTOFF_TO_SHORT_DCG, "`dcg`只收一样东西"),
        (
            "code-ndcg",
            CUTOFF_TO_SHORT_DCG.replace("dcg(best, k)", "dcg(sorted(best), k)"),
            "`dcg`只收一样东西",
        ),
    ],
)
def test_a_mistake_is_not_taken_for_another_one(name: str, code: str, sign: str) -> None:
    """Sorted, and told that nothing was discounted; sorted in place, and told that nothing was sorted."""
    assert sign in (shown_hint(OWN[name], code) or "")


@each("name", OWN)
def test_code_is_short_enough_for_a_phone_and_runs_in_the_small_python_too(name: str) -> None:
    """Four spaces deep, no tabs; nothing but `math` is imported, which MicroPython has."""
    exercise = OWN[name]
    codes = [
        exercise.starter,
        exercise.solution,
        *filter(None, (mistake.wrong for mistake in exercise.usual)),
    ]
    for code in codes:
        assert "\t" not in code
        assert set(re.findall(r"^(?:from|import) (\w+)", code, flags=re.MULTILINE)) <= {"math"}
    assert max(len(line) for line in exercise.starter.splitlines()) <= 80


@each("name", OWN)
def test_hints_lead_from_a_nudge_to_nearly_the_answer(name: str) -> None:
    hints = OWN[name].hints
    assert len(hints) >= 3
    assert len(set(hints)) == len(hints)
    assert len({mistake.hint for mistake in OWN[name].usual}) >= 4


@each(
    ("name", "sign"),
    [("code-dcg", "log2(1)"), ("code-dcg", "自然对数"), ("code-ndcg", "除"), ("code-ndcg", "排序")],
)
def test_the_usual_errors_have_their_hint(name: str, sign: str) -> None:
    """Missing +1, log for log2, forgot to sort, division by zero."""
    assert any(sign in mistake.hint for mistake in OWN[name].usual)


@each(("scores", "grades"), [([5, 5], [3, 0]), ([1, 1, 1, 1], [3, 0, 2, 0]), ([2, 8, 5, 5], [1, 0, 3, 2])])
def test_equal_shares_are_the_mean_over_all_orders(scores: list[int], grades: list[int]) -> None:
    space: dict[str, Any] = {}
    exec(OWN["code-ties"].solution, space)
    pairs = list(zip(scores, grades, strict=True))
    orders = [
        permutation for permutation in permutations(pairs)
        if all(a[0] >= b[0] for a, b in pairwise(permutation))
    ]  # fmt: skip
    average = mean(engine.trace([grade for _, grade in permutation]).dcg for permutation in orders)
    assert space["tie_dcg"](scores, grades) == pytest.approx(average, abs=1e-12)


def test_the_engine_says_what_is_expected() -> None:
    tests = course().code_exercises["double"].tests
    assert [test.expected for test in tests] == ["4", "[2, 2]", "1.0", "log2(4)"]
    assert failed(course().code_exercises["double"], course().code_exercises["double"].solution) == []


@each(
    ("old", "new", "expected"),
    [
        ("call: double(2), expect: 4", "call: double(2)", "expect、engine、python要写一个"),
        ("expect: 4", "expect: 4, python: 2 + 2", "expect、engine、python要写一个"),
        ("error: NameError, pattern: y, hint", "hint", "wrong（会这样错的代码）"),
        ("error: NameError", "error: 糟糕", "只能是"),
        ("pattern: y", "pattern: (y", "不是正则表达式"),
        ("skill: order", "skill: swim", "skills.yaml里没有知识点“swim”"),
        ("quantity: dcg, grades: [1]", "quantity: dcg, grades: []", "至少要有1个"),
        ("explanation: 自己加自己。", "explanation: 一共是2.5。", "“2.5”是手写的数字"),
    ],
)
def test_what_is_wrong_with_an_exercise_is_said(old: str, new: str, expected: str) -> None:
    [line] = [fault for fault in faults(changed(CODE, old, new)) if expected in fault]
    assert line.startswith(f"{CODE}:")


def test_a_step_without_its_exercise_is_a_fault() -> None:
    files = changed("01-first/lesson.yaml", "exercise: double", "exercise: triple")
    assert faults(files) == ["01-first/lesson.yaml:36: sections.2.steps.4.exercise: 没有叫“triple”的代码题"]


def test_nobody_says_missing_of_what_could_not_be_read() -> None:
    files = {**FILES, CODE: "double: ["}
    assert [fault for fault in faults(files) if "triple" in fault or "double”" in fault] == []


def test_an_id_is_used_once() -> None:
    files = {**FILES, "02-more/code.yaml": FILES[CODE]}
    assert any("已经用过了" in fault for fault in faults(files))


def test_a_mistake_must_be_met_somehow() -> None:
    assert UsualMistake(pattern=r"\blog\(", hint="自然对数。").wrong is None
