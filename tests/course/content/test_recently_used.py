"""A cache forgets what lay unused for longest, and nothing else."""

import pickle

import pytest

from app.course.content import recently_used
from app.course.content.recently_used import RecentlyUsed


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
