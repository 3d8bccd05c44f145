"""The lab: all of it stands in the address, nothing is recorded, and in a lesson the lesson stays."""

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.course.learning.steps import Lab
from app.settings import Settings
from tests.course.small import FILES, course
from tests.web.cast import HTMX, Ledger, Page, Reader, browser, settings_at, site_with
from tests.web.pages import button, filled
from tests.web.site.fragments import assert_is_part
from tests.web.site.well_made import faults_of

LAB = "/labs/lambdarank"
SECTION = next(
    f"{stage.id}.{section.id}"
    for stage in course().stages
    for section in stage.sections
    if any(isinstance(step, Lab) for step in section.steps)
)
LESSON = f"/lessons/{SECTION.replace('.', '/')}"


@pytest.fixture(scope="module")
def small_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A site with the small course, in which a lesson has a lab."""
    content = tmp_path_factory.mktemp("content")
    for name, text in FILES.items():
        file = content / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return settings_at(tmp_path_factory.mktemp("small"), content=content)


@pytest.fixture(scope="module")
def small_site(small_settings: Settings) -> Iterator[TestClient]:
    with site_with(small_settings) as opened:
        yield opened


@pytest.fixture
def learner(small_site: TestClient) -> Reader:
    return browser(small_site)


def lab_step(page: Page) -> int:
    """The step of the lesson at which its lab stands."""
    places = [
        number for number, entry in enumerate(page.root.all("li", class_="step"), 1) if entry.all("article")
    ]
    assert len(places) == 1
    return places[0]


def pressed(page: Page, label: str) -> str:
    """The address that a button of the lab asks for."""
    form = page.root.one("form", class_="lab-form")
    return f"{form['action'].partition('#')[0]}?{urlencode(filled(form, button(form, label)))}"


def asked_fragment(reader: Reader, label: str) -> Page:
    """The same for htmx."""
    form = reader.page.root.one("form", class_="lab-form")
    fields = [*parse_qsl(urlsplit(form["data-hx-get"]).query), *filled(form, button(form, label))]
    return Page(reader.client.get(f"{LAB}/board?{urlencode(fields)}", headers=HTMX))


def pushed_url(reader: Reader, label: str) -> str:
    """The short address that then stands in the address bar."""
    return asked_fragment(reader, label).response.headers["HX-Push-Url"]


def ndcg(page: Page) -> str:
    return page.root.one("span", class_="lab-ndcg").one("b").text


def test_each_press_is_a_step_and_its_address_shows_the_same(guest: Reader) -> None:
    figures = [ndcg(guest.open(LAB))]
    for _ in range(8):
        short_url = pushed_url(guest, "走一步")
        page = guest.open(pressed(guest.page, "走一步"))
        assert ndcg(guest.open(short_url)) == ndcg(page)
        figures.append(ndcg(page))
    assert figures == ["0.629", "0.629", "0.629", "0.681", "0.759", "0.759", "0.843", "0.843", "1.000"]
    assert guest.page.path == f"{LAB}?steps=8"
    guest.open(pushed_url(guest, "退一步"))
    assert guest.page.path == f"{LAB}?steps=7"
    guest.open(pushed_url(guest, "从头来"))
    assert (guest.page.path, ndcg(guest.page)) == (LAB, "0.629")


def test_the_ends_are_kept(guest: Reader) -> None:
    guest.open(f"{LAB}?steps=35")
    assert pushed_url(guest, "走十步") == f"{LAB}?steps=40"
    guest.open(f"{LAB}?steps=40")
    assert pushed_url(guest, "走一步") == f"{LAB}?steps=40"
    guest.open(LAB)
    assert pushed_url(guest, "退一步") == LAB


def test_a_setting_is_chosen_with_a_form(guest: Reader) -> None:
    form = guest.open(f"{LAB}?steps=2").root.one("form", class_="lab-form")
    fields = filled(form, button(form, "按这套"), k="2", weight="none")
    page = guest.open(f"{form['action']}?{urlencode(fields)}")
    assert "NDCG@2" in page.text
    assert "这一路不看|ΔNDCG|" in page.text
    assert [option["value"] for option in page.root.all("option", selected="")][:3] == [
        "none",
        "exponential",
        "2",
    ]
    assert pushed_url(guest, "走一步") == f"{LAB}?weight=none&k=2&steps=3"


def test_what_cannot_be_read_is_said_and_stays_where_it_was_typed(guest: Reader) -> None:
    page = guest.open(f"{LAB}?scores=1&scores=甜甜&scores=2&scores=3&k=9&steps=3", status=422)
    errors = [paragraph.text for paragraph in page.root.all("p", class_="error")]
    assert errors == [
        "k要是1到4的整数，或者all（全部）；写的是“9”，先按全部来。",
        "模型分要是−10到10的数；写的是“1、甜甜、2、3”，先按2、1.5、1、0.5来。",
    ]
    assert [paragraph["value"] for paragraph in page.root.all("input", name="scores")] == [
        "1",
        "甜甜",
        "2",
        "3",
    ]
    assert [paragraph["value"] for paragraph in page.root.all("input", aria_invalid="true")] == ["甜甜"]
    assert "走了 3 步" in page.text


@pytest.mark.parametrize("query", ["", "?weight=none&steps=5", "?k=1&sigma=4", "?steps=x"])
def test_the_fragment_is_a_part_of_the_page_it_names(guest: Reader, query: str) -> None:
    status = 422 if "x" in query else 200
    page = guest.open(f"{LAB}{query}", status=status)
    response = guest.client.get(f"{LAB}/board{query}", headers=HTMX)
    assert response.status_code == status
    assert response.headers["HX-Push-Url"] == (LAB if "x" in query else f"{LAB}{query}")
    fragment = Page(response)
    [message_block] = fragment.root.all("div", id="status-order")
    assert message_block.parent
    message_block.parent.children.remove(message_block)
    assert_is_part(fragment, page)
    assert message_block.text.startswith("走了")


def test_the_address_bar_keeps_what_can_be_read(guest: Reader) -> None:
    response = guest.client.get(f"{LAB}/board?steps=3&k=9", headers=HTMX)
    assert response.headers["HX-Push-Url"] == f"{LAB}?steps=3"


def test_nothing_is_recorded(guest: Reader, ledger: Ledger) -> None:
    guest.open(LAB)
    for _ in range(3):
        page = guest.open(pressed(guest.page, "走十步"))
        assert "set-cookie" not in page.response.headers
    assert [name for name, rows in ledger.everything().items() if rows] == []


def test_a_lab_in_a_lesson_starts_where_the_lesson_says(learner: Reader) -> None:
    step = lab_step(learner.open(f"{LESSON}?step=9"))
    page = learner.open(f"{LESSON}?step={step}")
    assert page.root.one("article", class_="lab")["id"] == "lab-try-out"
    assert [option.text for option in page.root.one("form", class_="lab-form").all("option", selected="")][
        -4:
    ] == [
        "0",
        "3",
        "1",
        "2",
    ]


def test_pressing_in_a_lesson_stays_in_the_lesson(learner: Reader, small_site: TestClient) -> None:
    step = lab_step(learner.open(f"{LESSON}?step=9"))
    learner.open(f"{LESSON}?step={step}")
    fragment = asked_fragment(learner, "走一步")
    short_url = fragment.response.headers["HX-Push-Url"]
    assert short_url == f"{LESSON}?step={step}&lab=try-out&steps=1"
    page = learner.open(pressed(learner.page, "走一步"))
    assert len(page.root.all("li", class_="step")) == step
    assert "走了 1 步" in page.text
    lab_html = page.root.one("article", class_="lab").html
    assert fragment.root.one("article", class_="lab").html == lab_html
    assert learner.open(short_url).root.one("article", class_="lab").html == lab_html


def test_a_form_in_a_lesson_stays_in_the_lesson(learner: Reader) -> None:
    step = lab_step(learner.open(f"{LESSON}?step=9"))
    form = learner.open(f"{LESSON}?step={step}&lab=try-out&steps=4").root.one("form", class_="lab-form")
    fields = dict(filled(form, button(form, "按这套")))
    assert (form["action"], fields["step"], fields["lab"], fields["steps"]) == (
        f"{LESSON}#lab-try-out",
        f"{step}",
        "try-out",
        "4",
    )


def test_a_bad_address_of_a_lab_does_not_break_its_lesson(learner: Reader) -> None:
    step = lab_step(learner.open(f"{LESSON}?step=9"))
    page = learner.open(f"{LESSON}?step={step}&lab=try-out&rate=许多")
    assert "学习率（rate）要是0.01到5的数；写的是“许多”" in page.text


def test_who_has_gone_on_is_not_sent_back_by_a_lab(learner: Reader) -> None:
    step = lab_step(learner.open(f"{LESSON}?step=9"))
    learner.open(LESSON)
    for _ in range(step):
        learner.go_on()
    total = len(learner.page.root.all("li", class_="step"))
    page = learner.open(f"{LESSON}?step={step}&lab=try-out&steps=2")
    assert len(page.root.all("li", class_="step")) == total
    assert "走了 2 步" in page.text


@pytest.mark.parametrize(
    "query", ["at=first.nowhere&lab=try-out", "at=x&lab=try-out", f"at={SECTION}&lab=sum"]
)
def test_a_lab_that_is_not_there_is_not_found(learner: Reader, query: str) -> None:
    assert learner.client.get(f"{LAB}/board?{query}", headers=HTMX).status_code == 404


def test_pages_with_a_lab_are_well_made(learner: Reader, guest: Reader, app: FastAPI) -> None:
    step = lab_step(learner.open(f"{LESSON}?step=9"))
    assert faults_of(learner.open(f"{LESSON}?step={step}&lab=try-out&steps=2"), app) == []
    for query in ("", "?steps=40&weight=none", "?grades=1&grades=1&grades=1&grades=1"):
        assert faults_of(guest.open(f"{LAB}{query}"), app) == []


def test_the_lab_is_light(guest: Reader) -> None:
    with guest.client.stream("GET", f"{LAB}?steps=40", headers={"Accept-Encoding": "gzip"}) as response:
        assert sum(len(chunk) for chunk in response.iter_raw()) < 12 * 1024
