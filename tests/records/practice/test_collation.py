"""A server whose database sorts by a language: what belongs to an item is found there all the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.records.accounts import learners
from app.records.db.session import VerbSession
from app.records.learning import attempts
from app.records.practice import item_practice
from tests.empty_database import migrate_alike
from tests.postgres_server import PostgresServer
from tests.records.cast import Desk
from tests.records.practice.diary import Diary


@pytest.fixture
def chinese_desk(server: PostgresServer, tmp_path: Path) -> Iterator[Desk]:
    url = server.in_order_of_a_language()
    migrate_alike(url, tmp_path)
    opened = Desk(tmp_path, url)
    yield opened
    opened.close()


def refs_of_sums(session: VerbSession, diary: Diary, *item_refs: str) -> list[str]:
    learner_id = learners.find_learner_id(session, diary.who)
    sum_rows = session.all(item_practice.sums_statement_of(item_refs), learner=learner_id)
    return sorted(item_ref for item_ref, *_ in sum_rows)


def test_an_item_and_its_questions_are_told_from_its_twin(chinese_desk: Desk) -> None:
    diary = Diary(chinese_desk)
    for item in ("free-ndcg", "free-ndcg#1", "free-ndcg#12", "free-ndcg-v2", "free-ndcg2", "free"):
        diary.once(item, "right")
    item_refs = chinese_desk.read(refs_of_sums, diary, "content:free-ndcg")
    assert item_refs == ["content:free-ndcg", "content:free-ndcg#1", "content:free-ndcg#12"]


def test_variants_and_practised_items_are_those_of_their_prefix(chinese_desk: Desk) -> None:
    diary = (
        Diary(chinese_desk).variant("ndcg-2", "right").variant("ndcg-12", "right").once("free-ndcg", "right")
    )
    practised = chinese_desk.read(attempts.load_practised_items, diary.who, "content:practice-ndcg-")
    assert sorted(practised.verdicts_by_item_ref) == ["content:practice-ndcg-12", "content:practice-ndcg-2"]
