"""代码题 on the pages: complete without a script, nothing of the interpreter before 运行, strict policies."""

import re

import pytest
from starlette.testclient import TestClient

from app.course import Course
from app.web.learning import step_views
from app.web.site.security import CSP, WORKER_CSP
from tests.web.cast import Ledger, Reader
from tests.web.pages import Element
from tests.web.site.weighing import KILOBYTE, PACKED, size, weights

EXERCISES = (
    *("code-dcg", "code-empty-query", "code-gain", "code-ideal"),
    *("code-mean-ndcg", "code-mend-article", "code-ndcg", "code-ties"),
)
"""By name, so that nobody reads the content before a test runs."""


def exercise(guest: Reader, name: str) -> Element:
    return guest.open(f"/code/{name}").by_id(f"code-{name}")


def test_the_list_leads_to_every_exercise(guest: Reader, course: Course) -> None:
    assert sorted(EXERCISES) == sorted(course.code_exercises)
    links = [link["href"] for link in guest.open("/code").main.all("a")]
    assert links == [f"/code/{name}" for name in course.code_exercises]


def test_the_list_is_found_from_the_examples(guest: Reader) -> None:
    assert "/code" in [link["href"] for link in guest.open("/examples").main.all("a")]


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_is_complete_without_a_script(guest: Reader, course: Course, name: str) -> None:
    """Task, starter, tests, hints, the solution with its reason, and how to run it at home."""
    box, own = exercise(guest, name), course.code_exercises[name]
    area = box.one("textarea")
    assert "".join(map(str, area.children)).strip("\n") == own.starter.rstrip("\n")
    assert (
        int(area["rows"])
        == len(own.starter.splitlines())
        == len(box.one("ol", class_="code-gutter").all("li"))
    )
    assert len(box.one("ol", class_="code-tests").all("li")) == len(own.tests)
    assert " ".join(own.solution.split()) in box.one("pre", class_="code-solution").text
    summaries = [summary.text for summary in box.all("summary")]
    hints = [f"提示{number}" for number in range(1, len(own.hints) + 1)]
    assert summaries == [*hints, "参考写法", "在自己电脑上跑"]
    assert f"print({own.tests[0].call})" in box.text


@pytest.mark.parametrize("name", EXERCISES)
def test_the_tests_and_mistakes_are_handed_to_the_script(guest: Reader, course: Course, name: str) -> None:
    box, own = exercise(guest, name), course.code_exercises[name]
    rows = box.one("ol", class_="code-tests").all("li")
    assert [row["data-call"] for row in rows] == [test.call for test in own.tests]
    assert [row["data-expect"] for row in rows] == [test.expected for test in own.tests]
    usual = box.one("ul", class_="code-usual").all("li")
    assert [row.get("data-wrong") for row in usual] == [row.wrong or "" for row in own.usual]


def test_an_unknown_exercise_is_not_found(guest: Reader) -> None:
    guest.open("/code/nowhere", status=404)


def test_writing_code_leaves_no_trace(guest: Reader, ledger: Ledger) -> None:
    """There is no form to send it: only the footer and the settings post something."""
    page = guest.open("/code/code-dcg")
    assert page.main.all("form") == []
    assert [name for name, rows in ledger.everything().items() if rows] == []


def test_a_step_shows_the_same_exercise(course: Course) -> None:
    from app.course.learning.steps import CodeStep

    code = step_views.code_context(course, CodeStep(id="write", kind="code", exercise="code-dcg"))
    assert code["code"].exercise.id == "code-dcg"


@pytest.mark.parametrize("name", EXERCISES)
def test_a_page_loads_nothing_of_the_interpreter(client: TestClient, name: str) -> None:
    """Nor htmx: there is nothing on it to send."""
    weight = weights(client, f"/code/{name}")
    assert not [url for url in weight if url.endswith((".mjs", ".wasm")) or "worker" in url], weight
    assert sum(weight.values()) <= 52 * KILOBYTE, weight


def modules(client: TestClient) -> dict[str, str]:
    """The scripts that an exercise brings: url to text, found as the browser finds them."""
    texts: dict[str, str] = {}
    waiting = re.findall(r'data-script="([^"]+)"', client.get("/code/code-dcg").text)
    while waiting:
        url = waiting.pop()
        if url not in texts:
            response = client.get(url)
            assert response.status_code == 200, url
            texts[url] = response.text if url.endswith(".js") else ""
            waiting += re.findall(r"'(/static/[^']+)'", texts[url])
    return texts


def test_the_scripts_of_an_exercise_are_named_by_their_content(client: TestClient) -> None:
    urls = modules(client)
    kinds = sorted(re.sub(r"\.[0-9a-f]{10}\.", ".", url).removeprefix("/static/") for url in urls)
    assert kinds == [
        "modules/10-worker.js", "modules/20-editor.js", "modules/30-python.js", "modules/40-exercise.js",
        "vendor/micropython-1.27.0.mjs", "vendor/micropython-1.27.0.wasm",
    ]  # fmt: skip
    assert all(re.search(r"\.[0-9a-f]{10}\.", url) for url in urls)


def test_running_costs_what_was_promised(client: TestClient) -> None:
    """About 220 KB, once: the interpreter is kept for ever under its hash."""
    urls = modules(client)
    heavy = [url for url in urls if "micropython" in url]
    assert sum(size(client, url) for url in heavy) <= 222 * KILOBYTE
    assert sum(size(client, url) for url in urls if url not in heavy) <= 12 * KILOBYTE
    [wasm] = [url for url in heavy if url.endswith(".wasm")]
    response = client.get(wasm, headers=PACKED)
    assert response.headers["content-type"] == "application/wasm"
    assert response.headers["content-encoding"] == "gzip"
    assert "immutable" in response.headers["cache-control"]


def test_only_the_worker_may_compile_and_it_may_connect_to_nothing(client: TestClient) -> None:
    assert "wasm" not in CSP
    assert WORKER_CSP == "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"
    for url in [*modules(client), "/code/code-dcg"]:
        policies = client.get(url).headers.get_list("content-security-policy")
        assert policies == [WORKER_CSP if "10-worker" in url else CSP], url
        assert client.get(url).headers["x-content-type-options"] == "nosniff"
