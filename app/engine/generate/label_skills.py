"""Agreement of judges and clicks by position: how a table is drawn, and which mistakes must show."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from app.engine.generate.fixed_misconceptions import FIXED_MISCONCEPTION_IDS
from app.engine.generate.random_stream import RandomStream
from app.engine.generate.skill_kinds import TableSkill
from app.engine.labelling import Agreement, Clicks, Position

LEAST_KAPPA, MOST_KAPPA = 0.15, 0.95
LABEL_COUNT_BY_LEVEL = MappingProxyType({1: 2, 2: 2, 3: 3})
DOCUMENT_COUNTS_BY_LEVEL = MappingProxyType({1: (20,), 2: (25, 40, 50), 3: (40, 50)})
"""How many labels there are, and how many documents were labelled: whose shares have few decimals."""
DOCUMENT_COUNTS_BY_LEVEL_IN_SECOND_VERSION = MappingProxyType(
    {**DOCUMENT_COUNTS_BY_LEVEL, 1: (20, 25, 40, 50)}
)
"""Of 20 documents, only a dozen tables have nothing beside their kappa."""
POSITION_COUNT_BOUNDS_BY_LEVEL = MappingProxyType({1: (2, 2), 2: (2, 3), 3: (3, 3)})
PROPENSITIES = (0.8, 0.4, 0.25, 0.2, 0.1)
"""From the head of a page down. A half is not among them: seen and unseen would weigh the same."""
SHOWN_TIMES_BOUNDS_IN_TENS = (5, 40)
LEAST_LIKING_PERCENT, MOST_LIKING_PERCENT = 15, 70  # per cent


def draw_agreement(level: int, random_stream: RandomStream) -> Agreement | None:
    """Return a table of two raters who agree better than chance and are not of one mind.

    Level 1: 20 documents, two labels. 2: 25 to 50 documents. 3: three labels.
    """
    return _draw_agreement(level, DOCUMENT_COUNTS_BY_LEVEL[level], random_stream)


def draw_agreement_of_second_version(level: int, random_stream: RandomStream) -> Agreement | None:
    """Return a table as ``draw_agreement`` does; at level 1 of 20 to 50 documents."""
    return _draw_agreement(level, DOCUMENT_COUNTS_BY_LEVEL_IN_SECOND_VERSION[level], random_stream)


def _draw_agreement(
    level: int, document_counts: Sequence[int], random_stream: RandomStream
) -> Agreement | None:
    document_count = random_stream.one_of(document_counts)
    count_table = _draw_counts(LABEL_COUNT_BY_LEVEL[level], document_count, random_stream)
    if count_table is None:
        return None
    agreement = Agreement(count_table)
    if not LEAST_KAPPA <= agreement.figure() <= MOST_KAPPA:
        return None
    return agreement


def _draw_counts(
    label_count: int, document_count: int, random_stream: RandomStream
) -> list[list[int]] | None:
    """Counts that add up to the total, most of them on the diagonal."""
    count_table: list[list[int]] = []
    for diagonal_index in range(label_count):
        counts_of_row = [
            random_stream.between(0, document_count // (3 * label_count)) for _ in range(label_count)
        ]
        counts_of_row[diagonal_index] = random_stream.between(
            document_count // 10, document_count // label_count + document_count // 10
        )
        count_table.append(counts_of_row)
    excess_count = sum(map(sum, count_table)) - document_count
    last_count = count_table[-1][-1] - excess_count
    if last_count < document_count // 10:
        return None
    count_table[-1][-1] = last_count
    return count_table


def draw_clicks(level: int, random_stream: RandomStream) -> Clicks | None:
    """Return positions from the head of a page down, each with showings and clicks of its own.

    Level 1: two positions whose weighted clicks are whole numbers. 2: two or three. 3: three.
    """
    position_count = random_stream.between(*POSITION_COUNT_BOUNDS_BY_LEVEL[level])
    propensity_indexes = sorted(
        {random_stream.between(0, len(PROPENSITIES) - 1) for _ in range(position_count)}
    )
    if len(propensity_indexes) < position_count:
        return None
    positions = []
    for propensity_index in propensity_indexes:
        position = _draw_position(PROPENSITIES[propensity_index], random_stream)
        weighted_click_count = position.clicks / position.propensity
        if not position.clicks or (level == 1 and weighted_click_count % 1):
            return None
        positions.append(position)
    return Clicks(positions)


def _draw_position(propensity: float, random_stream: RandomStream) -> Position:
    shown_times = 10 * random_stream.between(*SHOWN_TIMES_BOUNDS_IN_TENS)
    liking_percent = random_stream.between(LEAST_LIKING_PERCENT, MOST_LIKING_PERCENT)
    return Position(shown_times, round(shown_times * propensity * liking_percent / 100), propensity)


KAPPA_SKILL = TableSkill(
    "kappa",
    draw_agreement,
    (
        "first_label_alone",
        "chance_of_first_label",
        "even_chance",
        "chance_of_first_rater",
        "agreement_uncorrected",
        "chance_subtracted_alone",
        "divided_by_chance",
    ),
)
KAPPA_SKILL_WITH_NOTHING_NEAR = TableSkill(
    "kappa",
    draw_agreement_of_second_version,
    (*KAPPA_SKILL.told_apart_misconception_ids, "chance_of_both_mixed"),
    hidden_misconception_ids=("chance_alone",),
)
"""The second version: the shares of both raters mixed lead to a figure of their own, too. In the first one it
lay beside the answer in most tables, so that a slip in the last place was told that mistake. Chance alone is
kept apart from all of them as well; a skill tells eight."""
IPS_SKILL = TableSkill(
    "ips",
    draw_clicks,
    (
        "clicks_unweighted",
        "weights_upside_down",
        "one_mean_weight",
        "averaged_over_clicks",
        "mean_of_positions",
        "showings_weighted_too",
        "clicks_over_expected_looks",
        "weighted_clicks_not_divided",
    ),
)

LABEL_SKILL_BY_NAME: Mapping[str, TableSkill] = MappingProxyType(
    {
        "kappa": KAPPA_SKILL,
        "ips": IPS_SKILL,
        "kappa@2": KAPPA_SKILL_WITH_NOTHING_NEAR,
        "ips@2": IPS_SKILL._replace(never_right_misconception_ids=FIXED_MISCONCEPTION_IDS),
    }
)
