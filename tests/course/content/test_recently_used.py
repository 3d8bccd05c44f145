"""A cache forgets what lay unused for longest, and nothing else."""

import pickle

import pytest

from app.course import Course, load
from app.course.content import recently_used
from app.course.content.recently_used import MOST_VARIANTS, RecentlyUsed
from app.settings import root


def test_the_value_that_lay_unused_for_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recently_used, "LIMIT", 3)
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


def test_new_seeds_without_end_take_a_limited_place(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load(root() / "content")
    assert isinstance(loaded, Course)
    monkeypatch.setattr(loaded._variants, "limit", 20)
    for seed in range(1, 60):
        loaded.variant("practice-cg-1", seed)
    assert len(loaded._variants) == 20
    assert (
        RecentlyUsed[str, int](MOST_VARIANTS).limit == loaded.with_items(loaded.items)._variants.limit == 2000
    )
