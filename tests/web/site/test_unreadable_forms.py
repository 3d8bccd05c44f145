"""A form that cannot be read, or has too many fields: 422 and the way back to it. A bad path stays 404."""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from app.web.site.posted_forms import MOST_FIELDS, TOO_MANY_FIELDS_SENTENCE, UNREADABLE_FORM_SENTENCE
from tests.web.cast import HTMX, Page

REFERER = {"referer": "http://testserver/cards/new?card=1"}
URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=s"
FIELD = '--s\r\nContent-Disposition: form-data; name="front"\r\n\r\n折损\r\n'
FILE = '--s\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n折损,位次\r\n'
END = "--s--\r\n"
UNREADABLE_FORMS = {
    "no boundary": ("multipart/form-data", f"{FIELD}{END}"),
    "another boundary": ("multipart/form-data; boundary=t", f"{FIELD}{END}"),
    "a field without a name": (MULTIPART, f"--s\r\nContent-Disposition: form-data\r\n\r\n折损\r\n{END}"),
    "letters that nobody knows": (f"{MULTIPART}; charset=undefined", f"{FIELD}{END}"),
    "two files": (MULTIPART, f"{FILE}{FILE}{END}"),
    "two files, in capitals": ("Multipart/Form-Data; boundary=s", f"{FILE}{FILE}{END}"),
}


def multipart_of(field_count: int) -> tuple[str, str]:
    return MULTIPART, "--s\r\nContent-Disposition:form-data;name=a\r\n\r\n\r\n" * field_count + END


def urlencoded_of(field_count: int) -> tuple[str, str]:
    return URLENCODED, "&".join(["front=a"] * field_count)


@pytest.mark.parametrize("path", ["/cards/own", "/cards/imports"])
@pytest.mark.parametrize(("content_type", "body"), UNREADABLE_FORMS.values(), ids=UNREADABLE_FORMS)
def test_an_unreadable_form_is_refused_with_the_way_back(
    client: TestClient, path: str, content_type: str, body: str
) -> None:
    response = client.post(path, content=body, headers=REFERER | {"content-type": content_type})
    assert response.status_code == 422
    main = Page(response).main
    assert UNREADABLE_FORM_SENTENCE in main.text
    assert [link["href"] for link in main.all("a")] == ["/cards/new?card=1", "/"]


def test_an_unreadable_form_for_htmx_stays_where_it_is(client: TestClient) -> None:
    content_type, body = UNREADABLE_FORMS["no boundary"]
    response = client.post("/cards/own", content=body, headers=HTMX | {"content-type": content_type})
    assert response.status_code == 422
    assert response.headers["hx-retarget"] == "#status", "the form is not replaced"
    assert UNREADABLE_FORM_SENTENCE in response.text
    assert "<main" not in response.text


@pytest.mark.parametrize(
    ("path", "form_of", "sentence"),
    [
        ("/cards/own", urlencoded_of, TOO_MANY_FIELDS_SENTENCE),
        ("/cards/own", multipart_of, UNREADABLE_FORM_SENTENCE),
        ("/cards/imports", urlencoded_of, TOO_MANY_FIELDS_SENTENCE),
        ("/cards/imports", multipart_of, UNREADABLE_FORM_SENTENCE),
        ("/cards/undone", urlencoded_of, TOO_MANY_FIELDS_SENTENCE),
    ],
)
def test_a_form_with_too_many_fields_is_refused_by_whatever_reads_it(
    client: TestClient, path: str, form_of: Callable[[int], tuple[str, str]], sentence: str
) -> None:
    assert f"{MOST_FIELDS}格" in sentence
    for field_count in (MOST_FIELDS, MOST_FIELDS + 1):
        content_type, body = form_of(field_count)
        response = client.post(path, content=body, headers=REFERER | {"content-type": content_type})
        assert (sentence in response.text) == (field_count > MOST_FIELDS)
    assert response.status_code == 422
    assert 'href="/cards/new?card=1"' in response.text, "the way back to the form"


def test_a_form_with_far_too_many_fields_is_refused_alike(client: TestClient) -> None:
    content_type, body = urlencoded_of(5 * MOST_FIELDS)
    response = client.post("/cards/own", content=body, headers={"content-type": content_type})
    assert response.status_code == 422
    assert TOO_MANY_FIELDS_SENTENCE in response.text


@pytest.mark.parametrize("path", ["/classrooms/abc/archivings", "/cards/own-x/edit"])
def test_a_path_that_does_not_fit_is_no_page(client: TestClient, path: str) -> None:
    response = client.post(path, data={"title": "早饭也要排<先后>"})
    assert response.status_code == 404
    assert Page(response).main.one("h1").text == "这里没有糖"
