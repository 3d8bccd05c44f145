import secrets

from tests.draws import draws_of


def numbers_drawn(name: str) -> list[int]:
    with draws_of(name):
        return [secrets.randbelow(1_000_000) for _ in range(3)]


def test_a_test_draws_what_it_drew_the_last_time() -> None:
    assert numbers_drawn("one test") == numbers_drawn("one test") != numbers_drawn("another test")


def test_this_test_draws_by_its_own_name() -> None:
    assert [secrets.randbelow(1_000_000) for _ in range(3)] == numbers_drawn(
        "tests/test_draws.py::test_this_test_draws_by_its_own_name"
    )
