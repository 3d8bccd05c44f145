"""A cache forgets what lay unused for longest, and nothing else."""

import pickle
from dataclasses import replace
from operator import itemgetter

import pytest

from app.course import Course, load_course
from app.course.content import recently_used
from app.course.content.recently_used import MOST_VARIANTS, RecentHtml, RecentlyUsed, RecentlyUsedByOwner
from app.settings import root


@pytest.fixture(scope="module")
def course() -> Course:
    course = load_course(root() / "content")
    assert isinstance(course, Course)
    return course


def test_the_value_that_lay_unused_for_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recently_used, "MOST_CACHED_VALUES", 3)
    cache = RecentlyUsed[str, int]()
    for number, key in enumerate("abc"):
        cache.keep(key, number)
    assert cache.recall("a") == 0
    cache.keep("d", 3)
    assert list(cache) == ["c", "a", "d"]
    assert cache.recall("b") is None


def test_it_is_stored_with_the_course() -> None:
    cache = RecentlyUsed[str, int]()
    cache.keep("a", 1)
    stored = pickle.loads(pickle.dumps(cache))
    assert isinstance(stored, RecentlyUsed)
    assert stored.recall("a") == 1


def test_new_seeds_without_end_take_a_limited_place(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course._variant_cache, "most_values", 20)
    for seed in range(1, 60):
        course.variant("practice-cg-1", seed)
    assert len(course._variant_cache) == 20
    assert (
        RecentlyUsed[str, int](MOST_VARIANTS).most_values
        == course.with_items(course.items)._variant_cache.most_values
        == 800
    )


def test_html_is_bounded_by_its_size() -> None:
    cache = RecentHtml[str](most_values=100, most_characters=1000)
    for number in range(50):
        assert cache.keep(f"a{number}", "x" * 300) == "x" * 300
    assert list(cache) == ["a47", "a48", "a49"]
    cache.keep("a48", "x")
    assert cache.keep("long", "x" * 1001) == "x" * 1001
    assert list(cache) == ["a47", "a49", "a48"], "what is longer than all of it pushes nothing out"
    assert cache.character_count == 601
    stored = pickle.loads(pickle.dumps(cache))
    assert (stored.recall("a48"), stored.character_count, stored.most_characters) == ("x", 601, 1000)
    cache.clear()
    assert cache.character_count == 0


def test_a_course_keeps_so_much_html(course: Course) -> None:
    cached = replace(course, _html_cache=RecentHtml(most_characters=1000))
    for number in range(200):
        assert cached.html(f"第{number}名").startswith("<p>")
    assert 900 < cached._html_cache.character_count <= 1000
    assert isinstance(course._html_cache, RecentHtml)


def test_who_adds_without_end_pushes_out_their_own() -> None:
    cache = RecentlyUsedByOwner[tuple[str, int], int](most_values=6, most_per_owner=3, owner_of=itemgetter(0))
    for key in (("a", 1), ("b", 1), ("b", 2)):
        cache.keep(key, 0)
    for number in range(50):
        cache.keep(("crawler", number), number)
    cache.keep(("b", 2), 7)
    assert list(cache) == [("a", 1), ("b", 1), ("b", 2), *[("crawler", number) for number in (47, 48, 49)]]
    assert cache.recall(("b", 2)) == 7
    cache.keep(("c", 1), 1)
    cache.keep(("b", 3), 3)
    assert list(cache)[-3:] == [("b", 2), ("c", 1), ("b", 3)]
    assert ("a", 1) not in cache
    assert len(cache) == 6
