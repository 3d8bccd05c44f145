"""Several processes: what each of them takes of what there is, and what the site does for all of them."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.cli import serving
from app.cli.connections import GuardedProtocol
from app.main import MOST_WAITING_VERBS
from app.records.accounts import throttle
from app.records.db.errors import Busy
from app.settings import Settings, env_name
from app.web.accounts import hashing
from app.web.operation import upkeep
from app.web.site import clock
from app.web.site.cookies import SIGN_IN_COOKIE
from tests.web.cast import Ledger, opened_site

DAYS = timedelta(days=2)


def test_of_four_processes_each_takes_a_part_of_the_limits(
    app: FastAPI, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hashing, "HASHING_POOL", hashing.HASHING_POOL)
    with opened_site(app, settings):
        assert hashing.HASHING_POOL._max_workers == hashing.HASHES_AT_ONCE
        assert app.state.site.db._most_waiting_verbs == MOST_WAITING_VERBS
    with opened_site(app, settings.model_copy(update={"workers": 4})):
        assert hashing.HASHING_POOL._max_workers == 1
        assert app.state.site.db._most_waiting_verbs == MOST_WAITING_VERBS // 4


@pytest.mark.long
def test_and_of_the_connections_of_one_address(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardedProtocol, "most_connections_per_address", 512)
    monkeypatch.setenv(env_name("workers"), "4")
    monkeypatch.setenv(env_name("data"), str(settings.data))
    serving.application()
    assert GuardedProtocol.most_connections_per_address == 128


def test_old_tries_are_forgotten_in_passing(client: TestClient, app: FastAPI, ledger: Ledger) -> None:
    site = app.state.site
    assert client.portal
    client.portal.call(site.db.write, throttle.count_try, "sign-in:糖", throttle.NAME_LIMIT, clock.now())
    client.portal.call(upkeep.keep_sign_ins, site, clock.now())
    assert ledger.rows("SELECT key FROM throttle") == [("sign-in:糖",)]
    client.portal.call(upkeep.keep_sign_ins, site, clock.now() + DAYS)
    assert ledger.rows("SELECT key FROM throttle") == []


def test_a_site_whose_database_is_away_closes_as_any_other(
    app: FastAPI, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a machine is shut down, its database may be the first to go."""
    closed_files = []

    async def write_nothing(*_: object) -> None:
        raise Busy

    with opened_site(app, settings) as client:
        client.get("/practice", headers={"Cookie": f"{SIGN_IN_COOKIE}={'t' * 43}"})
        monkeypatch.setattr(app.state.site.db, "write", write_nothing)
        close_database = app.state.site.db.close

        async def close() -> None:
            await close_database()
            closed_files.append(settings.database_path)

        monkeypatch.setattr(app.state.site.db, "close", close)
    assert closed_files == [settings.database_path]


class FailingReader:
    """A database that fails at the first turn; at the second the program ends."""

    def __init__(self) -> None:
        self.turns = 0

    async def read(self, *_: object) -> None:
        self.turns += 1
        if self.turns == 1:
            raise ValueError("a fault of ours")
        raise asyncio.CancelledError


def test_timed_work_is_still_looked_for_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "TIME_UP_EVERY", timedelta())
    reader = FailingReader()
    site: Any = SimpleNamespace(db=reader)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(upkeep.hand_in_forever(site))
    assert reader.turns == 2
