"""Stage 9 tells of judges, clicks and boards in figures: each stands where it belongs, as fractions say."""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, log2

import pytest

from app import engine
from app.course.items.asked_tables import AskedTable
from app.course.items.kinds import Numeric
from app.course.learning import figures_in_text
from app.course.learning.steps import Say, ToyStep, WorkbenchLab
from app.course.text.text_fields import texts_with_paths
from app.engine.labelling import alpha, bpref, condensed, deviation_of_ips
from tests.published import published
from tests.tables import each

COURSE = published()
[STAGE] = [stage for stage in COURSE.stages if stage.id == "labels"]
STEPS = {step.id: step for section in STAGE.sections for step in section.steps}
LIST_SKILL_BY_NAME = ("agreement", "holes", "click-models", "judges", "leaderboards", "sampled", "leakage")
PUBLISHED: list[list[float | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, None],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
"""Krippendorff's own example."""
LABELS: list[list[float | None]] = [[3, 2, 0, 1, 0, None], [3, 3, 0, 1, 1, 0], [2, 3, 0, None, 0, 0]]
MOVIES, EXTRAS, CUT = 10_000, 99, 10


def step_text(step_id: str) -> str:
    step = STEPS[step_id]
    assert isinstance(step, Say)
    return figures_in_text.fill(step.text, COURSE.examples, COURSE.value_by_name)


def cells(step_id: str) -> list[list[str]]:
    """The rows of the table in a step, without its head."""
    rows = [line for line in step_text(step_id).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def chance_of_hit(rank: int) -> Fraction:
    """That a document of this rank among all comes within the cut among so many extras drawn at random."""
    above = rank - 1
    ways = [comb(above, drawn) * comb(MOVIES - 1 - above, EXTRAS - drawn) for drawn in range(CUT)]
    return Fraction(sum(ways), comb(MOVIES - 1, EXTRAS))


def test_the_stage_moves_and_tries_out() -> None:
    moving = [step for step in STEPS.values() if isinstance(step, ToyStep | WorkbenchLab)]
    assert len(moving) >= 4


@each("skill", LIST_SKILL_BY_NAME)
def test_a_knowledge_point_has_six_items_or_a_generator(skill: str) -> None:
    own = [name for name, item in COURSE.items.items() if item.skill == skill and name.startswith("lbl-")]
    endless = [exercise for exercise in COURSE.exercises.values() if exercise.skill == skill]
    assert len(own) >= 6 or endless


def test_the_tables_in_the_stems_are_those_that_are_asked() -> None:
    numeric = [item for item in COURSE.items.values() if isinstance(item, Numeric)]
    about_tables = [item for item in numeric if isinstance(item.question, AskedTable)]
    assert len(about_tables) >= 3
    for item in about_tables:
        assert isinstance(item.question, AskedTable)
        own = item.question.table_markdown.splitlines()
        stem = item.stem.splitlines()
        assert [line for line in stem if line.startswith("|")][2:] == own[2:] or _same_numbers(stem, own)


def _same_numbers(stem: Sequence[str], table: Sequence[str]) -> bool:
    """The same figures in the same order, whatever the rows are called."""

    def numbers(lines: Sequence[str]) -> list[str]:
        return re.findall(r"[\d.]+", "".join(line for line in lines if line.startswith("|")))

    return numbers(stem) == numbers(table)


def test_the_table_of_the_maple_leaves() -> None:
    assert cells("kappa-by-table") == [["小满：有用", "9", "2"], ["小满：没用", "3", "6"]]
    chance = Fraction(11, 20) * Fraction(12, 20) + Fraction(9, 20) * Fraction(8, 20)
    kappa = (Fraction(15, 20) - chance) / (1 - chance)
    assert Fraction(1, 2) < chance < Fraction(11, 20), "一半多一点"
    assert f"这里是{float(kappa):.2f}。" in step_text("kappa-by-table")


def test_two_blind_judges_agree_on_eight_tenths() -> None:
    assert Fraction(9, 10) ** 2 + Fraction(1, 10) ** 2 == Fraction(82, 100)


def test_the_alphas_of_the_published_labels() -> None:
    for rater, labels in zip("甲乙丙丁", PUBLISHED, strict=True):
        printed = " ".join("–" if label is None else str(label) for label in labels)
        assert f"- {rater}：`{printed}`" in step_text("alpha-by-table")
    alphas = [f"α是{alpha(PUBLISHED, scale):.3f}" for scale in ("nominal", "interval")]
    assert [figure for figure in alphas if figure not in step_text("alpha-by-table")] == []
    gaps = []
    for column in zip(*PUBLISHED, strict=True):
        unit_labels = [label for label in column if label is not None]
        gaps += [abs(first - second) for first, second in combinations(unit_labels, 2) if first != second]
    assert f"对不上的{len(gaps)}对里，{gaps.count(1)}对只差一级" in step_text("alpha-by-table")


def test_the_alphas_of_three_judges() -> None:
    assert [round(alpha(LABELS, scale), 2) for scale in ("nominal", "interval")] == [0.49, 0.88]
    harsher = [LABELS[0], LABELS[1], [0, *LABELS[2][1:]]]
    assert [round(alpha(harsher, scale), 2) for scale in ("nominal", "interval")] == [0.46, 0.59]


def test_the_two_systems_under_four_treatments() -> None:
    old, new, later = (
        COURSE.examples[name] for name in ("lbl-old-system", "lbl-new-system", "lbl-after-judging")
    )
    assert new.pool is not None
    assert condensed(new.grades) == [3, 3, 2]
    assert [bpref(example.grades, new.pool) for example in (old, new)] == [0.75, 0.75]
    assert later.pool is not None
    expected = [
        [old.trace.ndcg, new.trace.ndcg],
        [old.trace.ndcg, engine.ndcg([3, 3, 2], 5, pool=new.pool)],
        [0.75, 0.75],
        [engine.ndcg(old.grades, 5, pool=later.pool), 1],
    ]
    printed = [[float(cell) for cell in row[1:]] for row in cells("four-treatments")]
    assert printed == [pytest.approx(row, abs=5e-4) for row in expected]
    assert sorted(later.pool, key=float) == sorted([*new.pool, 3, 2], key=float)


def test_clicks_that_are_weighted() -> None:
    weighted = 80 / Fraction("0.8") + 15 / Fraction("0.25")
    assert weighted == 160
    assert f"会点的占{float(weighted / 300):.3f}。" in step_text("weigh-a-click")


def test_a_click_at_the_end_shakes_the_estimate() -> None:
    likely_spread, hidden = (
        deviation_of_ips(0.3, [engine.Position(1000, 0, chance)]) for chance in (0.8, 0.05)
    )
    assert (round(likely_spread, 3), round(hidden, 3)) == (0.017, 0.077)
    assert 4.5 < hidden / likely_spread < 5


def test_the_machine_is_a_lenient_judge() -> None:
    chance = Fraction(30, 50) * Fraction(20, 50) + Fraction(20, 50) * Fraction(30, 50)
    kappa = (Fraction(36, 50) - chance) / (1 - chance)
    assert f"κ是{float(kappa):.2f}" in step_text("never-tired")


def test_the_board_changes_its_champion() -> None:
    rows = {row[0]: [Fraction(cell) for cell in row[1:]] for row in cells("first-on-average")}
    means = [sum(column, Fraction(0)) / 3 for column in zip(*list(rows.values())[:3], strict=True)]
    assert [round(float(mean), 3) for mean in means] == [float(cell) for cell in rows["平均"]]
    assert means[0] > means[1]
    assert sum(rows["客服"][place] + rows["法律"][place] for place in (1,)) > sum(
        rows["客服"][place] + rows["法律"][place] for place in (0,)
    )


def test_extras_turn_two_systems_round() -> None:
    half_first = (chance_of_hit(1) + chance_of_hit(2000)) / 2
    all_hundredth = chance_of_hit(100)
    assert Fraction(1, 2) <= half_first < Fraction(51, 100)
    assert all_hundredth > Fraction(999_999, 1_000_000)
    assert Fraction(99 * 99, MOVIES - 1) < 1, "平均抽中不到1部"


def test_one_sweet_candy_leaves_its_discount() -> None:
    text = step_text("only-one-sweet")
    assert f"排第2得{1 / log2(3):.3f}，排第5得{1 / log2(6):.3f}" in text


def test_impressions_weigh_the_people() -> None:
    assert Fraction(300 * 6 + 100 * 10, 400) == 7
    assert Fraction(300 * 6 + 100 * 10, 600) < 5, "四成七：表哥留在分母里"
    assert Fraction(6 + 10, 2) == Fraction(300 * 6 + 100 * 10 + 200 * 10, 600) == 8, "八成：两条歪路"


def test_every_claim_of_a_paper_names_author_and_year() -> None:
    text_of_stage = "\n".join(text for section in STAGE.sections for _, text, _ in texts_with_paths(section))
    claims = ["Landis和Koch", "Schaer", "Buckley和Voorhees，2004", "Sakai，2007", "Craswell等，2008"]
    claims += ["Chapelle和Zhang，2009", "Joachims等人2017", "Liu等人2024", "Zheng等人2023"]
    claims += ["Thakur等，2021", "Muennighoff等，2023", "Krichene和Rendle在2020"]
    assert [claim for claim in claims if claim not in text_of_stage] == []
