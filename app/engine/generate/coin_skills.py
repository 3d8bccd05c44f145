"""Tests by coins that can be practised: how many queries, and which mistakes must show."""

from collections.abc import Mapping
from types import MappingProxyType

from app.engine.generate.random_stream import RandomStream
from app.engine.generate.skill_kinds import TableSkill
from app.engine.misconceptions.tables.coin_working import RIGHT_COIN_WORKING_BY_QUANTITY
from app.engine.significance.coin_tests import CoinTest, RandomisationTest, SignTest

DECIDED_QUERY_BOUNDS_BY_LEVEL = MappingProxyType({1: (5, 7), 2: (6, 8), 3: (8, 10)})
TIED_QUERY_BOUNDS_BY_LEVEL = MappingProxyType({1: (0, 0), 2: (1, 2), 3: (1, 2)})
"""Of the sign test: how many queries have a winner, and how many none."""
WEIGHED_QUERY_BOUNDS_BY_LEVEL = MappingProxyType({1: (4, 5), 2: (5, 5), 3: (6, 6)})
FAR_SHUFFLE_BOUNDS_BY_LEVEL = MappingProxyType({1: (2, 7), 2: (2, 9), 3: (3, 12)})
"""Of the randomisation test: queries, and how many shuffles of one tail count, few enough to list."""
HUNDREDTHS_OF_ONE = 100
LARGEST_DIFFERENCE_HUNDREDTHS = 30  # the largest difference, in hundredths
LARGEST_P_VALUE = 0.8  # above it nearly every shuffle counts, and there is little to work out
ONE_TURNED_IN = 3
"""A query in so many goes against the others, a list in so many is turned round as a whole."""


def draw_sign_test(level: int, random_stream: RandomStream) -> SignTest | None:
    """Return differences of 5 to 10 queries with a winner, above level 1 with one or two ties beside them."""
    difference_hundredths = _draw_difference_hundredths(
        random_stream.between(*DECIDED_QUERY_BOUNDS_BY_LEVEL[level]), random_stream
    )
    for _ in range(random_stream.between(*TIED_QUERY_BOUNDS_BY_LEVEL[level])):
        difference_hundredths.insert(random_stream.between(0, len(difference_hundredths)), 0)
    sign_test = SignTest(_as_differences(difference_hundredths))
    if not _may_be_asked(sign_test):
        return None
    return sign_test


def draw_randomisation_test(level: int, random_stream: RandomStream) -> RandomisationTest | None:
    """Return differences of 4 to 6 queries, of which few shuffles lie as far from 0."""
    difference_hundredths = _draw_difference_hundredths(
        random_stream.between(*WEIGHED_QUERY_BOUNDS_BY_LEVEL[level]), random_stream
    )
    randomisation_test = RandomisationTest(_as_differences(difference_hundredths))
    fewest_far_shuffles, most_far_shuffles = FAR_SHUFFLE_BOUNDS_BY_LEVEL[level]
    far_shuffle_count = RIGHT_COIN_WORKING_BY_QUANTITY[randomisation_test.quantity].far_shuffle_count(
        randomisation_test
    )
    if not fewest_far_shuffles <= far_shuffle_count <= most_far_shuffles or not _may_be_asked(
        randomisation_test
    ):
        return None
    return randomisation_test


def _draw_difference_hundredths(query_count: int, random_stream: RandomStream) -> list[int]:
    """Differences in hundredths, most of them of one sign."""
    is_list_turned = random_stream.between(1, ONE_TURNED_IN) == 1
    difference_hundredths = []
    for _ in range(query_count):
        size_in_hundredths = random_stream.between(1, LARGEST_DIFFERENCE_HUNDREDTHS)
        is_query_turned = random_stream.between(1, ONE_TURNED_IN) == 1
        if is_query_turned != is_list_turned:
            size_in_hundredths = -size_in_hundredths
        difference_hundredths.append(size_in_hundredths)
    return difference_hundredths


def _as_differences(difference_hundredths: list[int]) -> list[float]:
    return [difference / HUNDREDTHS_OF_ONE for difference in difference_hundredths]


def _may_be_asked(coin_test: CoinTest) -> bool:
    """Whether no two queries differ by the same, and p leaves something to work out."""
    sizes_in_thousandths = [
        abs(difference) for difference in coin_test.differences_in_thousandths if difference
    ]
    return (
        len(set(sizes_in_thousandths)) == len(sizes_in_thousandths) and coin_test.figure() <= LARGEST_P_VALUE
    )


SIGN_TEST_SKILL = TableSkill(
    "sign_test",
    draw_sign_test,
    ("exact_outcome_alone", "only_farther", "one_tail", "chance_of_better", "share_of_wins"),
)
RANDOMISATION_TEST_SKILL = TableSkill(
    "randomisation_test",
    draw_randomisation_test,
    ("sizes_ignored", "exact_outcome_alone", "only_farther", "one_tail", "chance_of_better"),
)
COIN_SKILL_BY_NAME: Mapping[str, TableSkill] = MappingProxyType(
    {"sign-test": SIGN_TEST_SKILL, "randomisation-test": RANDOMISATION_TEST_SKILL}
)
