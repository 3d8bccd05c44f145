"""`/metrics`: who may see it, what is counted, and that it costs nothing where nobody asked for it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import text
from starlette.routing import Route
from starlette.testclient import TestClient

from app.course import Course
from app.main import site_routes, teaching_routes
from app.records.db.migrate import migrate
from app.records.db.session import VerbSession
from app.settings import Settings, SettingsError, root
from app.web.operation.metrics_page import replica_figure_by_name
from app.web.site.site import Site
from tests.postgres_server import PostgresServer, running
from tests.web.cast import Reader, is_numeric, place_asking, right_answer, settings_at, site_with

TOKEN = "t0ken-of-the-tests"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[TestClient]:
    settings = settings_at(tmp_path).model_copy(update={"metrics_token": TOKEN})
    with site_with(settings) as client:
        yield client


def figures(client: TestClient) -> dict[str, float]:
    """Every sample by its name and labels."""
    response = client.get("/metrics", headers=BEARER)
    assert response.status_code == 200
    samples = re.findall(r"^(tangxu_[^ ]+) (\S+)$", response.text, re.MULTILINE)
    return {name: float(value) for name, value in samples}


def test_only_who_has_the_token_sees_them(counted: TestClient) -> None:
    assert counted.get("/metrics").status_code == 401
    assert counted.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert counted.get("/metrics", headers={"Authorization": TOKEN}).status_code == 401
    assert counted.get("/metrics", headers=BEARER).headers["content-type"].startswith("text/plain")


def test_where_nothing_is_set_nothing_is_counted_and_nothing_stands_in_the_way(
    client: TestClient, app: FastAPI
) -> None:
    assert client.get("/metrics", headers=BEARER).status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    assert app.state.metrics is None
    assert "ObservedRequests" not in str(app.user_middleware)
    site = app.state.site
    assert [cache for cache in site.cache_by_name().values() if "recall" in vars(cache)] == []
    assert {"read", "read_late", "write"} & set(vars(site.db)) == set()
    assert site.db.run_batch.__module__ == "functools" or site.db.run_batch.func.__name__ == "run_batch"


def test_a_request_is_counted_by_its_route_and_an_answer_by_its_commit(
    counted: TestClient, course: Course
) -> None:
    guest = Reader(counted)
    question = place_asking(course, is_numeric)
    guest.open(question.url)
    guest.answer(question.name, *right_answer(course.items[question.name]))
    counted.get("/nowhere/of-zhou-yutong?name=zhou")
    counted.get("/static/nothing.css")
    counted.post("/problem-reports", content="x" * 70_000)
    counted.head("/course")
    counted.head("/classrooms/abc")
    before = figures(counted)
    assert before['tangxu_requests_total{method="HEAD",route="/course",status="2xx"}'] == 1
    assert before['tangxu_refusals_total{reason="unreadable_address"}'] == 1
    assert (
        before['tangxu_requests_total{method="GET",route="/lessons/{stage_id}/{section_id}",status="2xx"}']
        >= 1
    )
    assert before['tangxu_requests_total{method="GET",route="(none)",status="4xx"}'] == 1
    assert before['tangxu_requests_total{method="GET",route="/static",status="4xx"}'] == 1
    assert before['tangxu_request_seconds_count{route="/lessons/{stage_id}/{section_id}"}'] >= 1
    assert before['tangxu_refusals_total{reason="large_body"}'] == 1
    assert before["tangxu_batch_verbs_count"] == before["tangxu_commit_seconds_count"] >= 1
    assert before['tangxu_cache_recalls_total{cache="fragments",result="miss"}'] >= 1
    assert before["tangxu_database_bytes"] > 100_000
    assert before["tangxu_free_disk_bytes"] > 0
    assert before['tangxu_waiting_verbs{kind="write"}'] == 0
    assert not [name for name in before if "zhou" in name or question.name in name], "no path, nothing typed"


def test_labels_are_routes_of_the_code_and_kinds_of_errors(counted: TestClient) -> None:
    for path in ("/examples/none", "/lessons/none", "/wp-login.php", "/me/../x", "/items/" + "a" * 999):
        counted.get(path)
    counted.get("/", headers={"Host": "evil.example"})
    counted.request("BREW", "/")
    samples = figures(counted)
    all_routes = (*site_routes(), *teaching_routes())
    written = {route.path for route in all_routes if isinstance(route, Route)}
    named = set(re.findall(r'route="([^"]*)"', " ".join(samples)))
    assert named <= written | {"(none)", "/static"}
    assert set(re.findall(r'method="([^"]*)"', " ".join(samples))) <= {"GET", "HEAD", "POST", "other"}
    assert set(re.findall(r'reason="([^"]*)"', " ".join(samples))) <= {"not_found", "other_method"}


def test_the_guide_explains_every_figure_and_no_other(counted: TestClient) -> None:
    guide = (root() / "docs" / "operating.md").read_text("utf-8")
    explained = set(re.findall(r"`(tangxu_\w+)`", guide))
    names = re.findall(r"^# TYPE (tangxu_\w+)", counted.get("/metrics", headers=BEARER).text, re.MULTILINE)
    of_replica = {"tangxu_replica_follows", "tangxu_replica_lag_seconds"}
    assert explained == {name for name in names if not name.endswith("_created")} | of_replica


@pytest.mark.long
def test_of_several_processes_any_one_tells_of_all(tmp_path: Path) -> None:
    """Each in a process of its own, as the library wants it: it looks for the folder when it is loaded."""
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from app.web.operation import metrics\n"
        "if sys.argv[1] == 'first': metrics.begin_folder(Path(sys.argv[2]))\n"
        "import os; os.environ[metrics.FOLDER_VARIABLE] = sys.argv[2] + '/metrics'\n"
        "from app.web.operation.observing import Observation\n"
        "figures = metrics.Metrics()\n"
        "figures.observe(Observation('GET', '/', 200, 0.01, ''))\n"
        "figures.waiting_verbs.labels('write').inc()\n"
        "if sys.argv[1] == 'last': metrics.forget_process(int(sys.argv[3]))\n"
        "print(os.getpid())\n"
        "print(figures.text_and_media_type({'free_disk_bytes': 5})[0].decode())\n"
    )

    def said(*arguments: str) -> str:
        command = [sys.executable, "-c", program, *arguments]
        return subprocess.run(command, cwd=root(), capture_output=True, text=True, check=True).stdout

    first = said("first", str(tmp_path))
    second = said("last", str(tmp_path), first.partition("\n")[0])
    assert 'tangxu_requests_total{method="GET",route="/",status="2xx"} 2.0' in second
    assert 'tangxu_waiting_verbs{kind="write"} 1.0' in second, "who has died waits no more"
    assert "tangxu_free_disk_bytes 5.0" in second


@pytest.mark.long
def test_without_the_library_a_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(SettingsError, match=r"requirements-metrics\.lock"):
        site_with(Settings(data=tmp_path, metrics_token=TOKEN))
    site_with(Settings(data=tmp_path))


def test_a_replica_that_is_away_is_said() -> None:
    assert replica_figure_by_name("postgresql://nobody@127.0.0.1:1/none") == {"replica_follows": 0}


@pytest.mark.long
def test_on_a_server_reading_is_no_commit(server: PostgresServer, tmp_path: Path) -> None:
    """And whoever reads is answered, also by the last of its threads."""
    settings = Settings(data=tmp_path, database_url=server.empty(), metrics_token=TOKEN)
    with site_with(settings) as client:
        answers = [client.get("/healthz").text for _ in range(10)]
        assert answers == ["ok"] * 10
        commits = figures(client)["tangxu_commit_seconds_count"]
        assert client.get("/readyz").status_code == 200
        assert figures(client)["tangxu_commit_seconds_count"] > commits


@pytest.mark.long
def test_on_a_server_repeats_are_counted(tmp_path: Path) -> None:
    """A key that is taken the first time and free the second."""
    keys = [1, 2]

    def take(session: VerbSession) -> int:
        session.execute(text("CREATE TABLE IF NOT EXISTS taken (id INTEGER PRIMARY KEY)"))
        session.execute(text("INSERT INTO taken VALUES (1)"))
        session.execute(text("INSERT INTO taken VALUES (:id)"), {"id": keys.pop(0)})
        count: int = session.execute(text("SELECT count(*) FROM taken")).scalar_one()
        return count

    with running() as server:
        settings = Settings(data=tmp_path, database_url=server.empty(), metrics_token=TOKEN)
        migrate(settings.database_url, tmp_path)
        with site_with(settings) as client:
            site: Site = client.app.state.site  # type: ignore[attr-defined]
            assert client.portal
            assert client.portal.call(site.db.write, take) == 2
            after = figures(client)
    assert after["tangxu_repeats_total"] == 1
    assert after["tangxu_database_bytes"] > 1_000_000
    assert after["tangxu_commit_seconds_count"] >= 1
    assert after["tangxu_batch_verbs_count"] == 0, "here every verb has a commit of its own"
