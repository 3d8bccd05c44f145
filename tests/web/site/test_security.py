"""What comes from elsewhere: other sites, other hosts, odd bytes, too much of anything."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import EllipsisType
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from starlette.types import Message

from app.course import Course
from app.web.site import security
from app.web.site.security import CSP
from tests.web.cast import (
    FORM,
    Ledger,
    Page,
    Place,
    Reader,
    browser,
    guessed_by_number,
    place_asking,
    place_opening,
    right_answer,
    settings_at,
    site_with,
)
from tests.web.pages import Fields, parsed

GUEST = ("guest", "g" * 43)


def first_click(place: Place) -> tuple[str, Fields]:
    return f"/lessons/{place.stage}/{place.section}/places", [GUEST, ("step", "2")]


FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://testserver.evil.example"},
    {"Origin": "http://testserver:81"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"},
]
OURS: list[dict[str, str]] = [
    {},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "http://testserver"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_post_of_another_site_is_refused(
    guest: Reader, ledger: Ledger, place: Place, headers: dict[str, str]
) -> None:
    response = guest.post(*first_click(place), headers=headers)
    assert response.status_code == 403
    assert "没有执行" in response.text
    assert ledger.count("learner") == 0


@pytest.mark.parametrize("headers", OURS, ids=str)
def test_a_post_of_our_own_is_accepted(
    guest: Reader, ledger: Ledger, place: Place, headers: dict[str, str]
) -> None:
    assert guest.post(*first_click(place), headers=headers).status_code == 200
    assert ledger.count("learner") == 1


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_link_from_another_site_may_be_followed(guest: Reader, headers: dict[str, str]) -> None:
    assert guest.client.get("/", headers=headers).status_code == 200


def every_kind(client: TestClient, place: Place) -> Iterator[httpx2.Response]:
    """One response of each kind."""
    page = parsed(client.get("/").text)
    sheet = page.all("link", rel="stylesheet")[0]["href"]
    path, fields = first_click(place)
    reader = browser(client)
    yield client.get("/")
    yield client.get(sheet)
    yield client.get(sheet, headers={"Accept-Encoding": "identity"})
    yield client.get("/static/nothing.css")
    yield client.get("/static")
    yield client.get("/nowhere")
    yield client.get("/attempts/1")
    yield client.get("/attempts/abc")
    yield client.get("/healthz")
    yield client.head("/healthz")
    yield client.post("/", content=b"")
    yield client.delete("/")
    yield reader.post(path, [("step", "2")])  # 409
    yield reader.post(path, fields, htmx=True)
    yield reader.post(path, fields).history[0]  # 303
    yield reader.post(path, fields, headers={"Origin": "https://evil.example"})  # 403
    yield client.post(path, content=b"x" * 70_000, headers=FORM)  # 413
    yield client.get("/healthz/", follow_redirects=False)


def test_every_response_carries_the_security_headers(client: TestClient, place: Place) -> None:
    statuses = set()
    for response in every_kind(client, place):
        statuses.add(response.status_code)
        assert_protected(response)
    assert statuses >= {200, 303, 403, 404, 405, 409, 413}


def assert_protected(response: httpx2.Response) -> None:
    where = f"{response.status_code} {response.url}"
    assert response.headers.get_list("content-security-policy") == [CSP], where
    assert response.headers["x-content-type-options"] == "nosniff", where
    assert response.headers["x-frame-options"] == "DENY", where
    assert response.headers["referrer-policy"] == "same-origin", where
    assert response.headers["cross-origin-opener-policy"] == "same-origin", where
    assert response.headers["cache-control"], where
    assert "server" not in response.headers, where


def test_the_policy_allows_no_code_in_pages() -> None:
    rules = dict(rule.strip().partition(" ")[::2] for rule in CSP.split(";"))
    assert rules["script-src"] == rules["style-src"] == rules["form-action"] == "'self'"
    assert rules["base-uri"] == rules["object-src"] == rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in CSP


def test_an_error_of_ours_is_a_page_too_with_the_same_headers(tmp_path: Path) -> None:
    def broken() -> None:
        raise RuntimeError("a bug")

    client = site_with(settings_at(tmp_path))
    app = client.app
    assert isinstance(app, FastAPI)
    app.add_api_route("/bug", broken, methods=["GET", "POST"])
    client = TestClient(app, raise_server_exceptions=False)
    with client:
        page = Page(client.get("/bug"))
        fragment = Page(client.post("/bug", headers={"HX-Request": "true"}))
    assert page.status == fragment.status == 500
    assert "不是你的" in page.by_id("trouble").text
    assert page.by_id("trouble").html == fragment.by_id("trouble").html
    assert fragment.response.headers["HX-Retarget"] == "#status"
    assert "RuntimeError" not in page.html
    assert "a bug" not in page.html
    for answer in (page, fragment):
        assert_protected(answer.response)


def test_the_log_names_the_route_and_not_the_address(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(name: str) -> None:
        raise RuntimeError(len(name))

    client = site_with(settings_at(tmp_path))
    app = client.app
    assert isinstance(app, FastAPI)
    app.add_api_route("/bug/{name}", broken)
    with TestClient(app, raise_server_exceptions=False) as opened:
        opened.get("/bug/%1B%5D0;x%07糖%0A")
    [line] = [record.getMessage() for record in caplog.records if record.name == "app.web.site.errors"]
    assert line == "GET /bug/{name}", "an address steers a terminal, and names people"


def test_personal_pages_are_never_stored(client: TestClient, place: Place) -> None:
    for response in every_kind(client, place):
        if "/static/tangxu" not in str(response.url):
            assert response.headers["cache-control"] == "no-store", response.url


def test_a_large_body_is_refused_when_it_says_so(guest: Reader, ledger: Ledger, place: Place) -> None:
    path, fields = first_click(place)
    response = guest.post(path, [*fields, ("answer", "x" * 66_000)])
    assert response.status_code == 413
    assert "太大" in response.text
    assert ledger.count("learner") == 0


def test_a_large_body_is_refused_when_it_turns_out_so(
    client: TestClient, ledger: Ledger, place: Place
) -> None:
    path, _ = first_click(place)
    parts = [b"guest=" + b"g" * 43 + b"&step=2", *[b"&answer=" + b"x" * 1000] * 1000]
    status, _, body = raw_request(client, "POST", path, parts)
    assert status == 413
    assert body > 900, "the rest is not even read"
    assert ledger.count("learner") == 0


def test_a_streamed_body_of_a_good_size_is_read(client: TestClient, ledger: Ledger, place: Place) -> None:
    path, _ = first_click(place)
    status, _, body = raw_request(client, "POST", path, [b"guest=" + b"g" * 40, b"ggg&st", b"", b"ep=2"])
    assert (status, body) == (303, 0)
    assert ledger.rows("SELECT step FROM lesson_place") == [(2,)]


def test_a_body_that_does_not_come_in_time_is_answered_with_a_page(
    client: TestClient, ledger: Ledger, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "BODY_SETUP_SECONDS", 0.01)
    monkeypatch.setattr(security, "SLOWEST_BODY_BYTES_A_SECOND", 1e9)
    path, _ = first_click(place)
    status, body, _ = raw_request(client, "POST", path, [b"guest=" + b"g" * 43, ...])
    assert status == 408
    assert "断断续续" in body.decode()
    assert ledger.count("learner") == 0


def test_whoever_hangs_up_in_the_middle_leaves_nothing(
    client: TestClient, ledger: Ledger, place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    path, _ = first_click(place)
    caplog.clear()
    assert raw_request(client, "POST", path, [b"guest=" + b"g" * 43, None])[0] == 0
    assert caplog.records == [], "phones do that all day: it is no fault of ours"
    assert client.get("/healthz").text == "ok"
    assert ledger.count("learner") == 0


def raw_request(
    client: TestClient, method: str, path: str, parts: Sequence[bytes | EllipsisType | None]
) -> tuple[int, bytes, int]:
    """A request as the server hands it on in parts: status, body, parts not asked for.

    None: hung up; an ellipsis: nothing comes any more.
    """
    waiting, messages = list(parts), list[Message]()
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 5000),
        "headers": [(b"host", b"testserver"), (b"content-type", FORM["Content-Type"].encode())],
    }

    async def receive() -> Message:
        part = waiting.pop(0) if waiting else None
        if part is ...:
            await asyncio.Event().wait()
        if part is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": part, "more_body": bool(waiting)}

    async def send(message: Message) -> None:
        messages.append(message)

    async def request() -> None:
        await app(scope, receive, send)

    app: Any = client.app
    assert client.portal
    client.portal.call(request)
    status = messages[0]["status"] if messages else 0
    return status, b"".join(message.get("body", b"") for message in messages[1:]), len(waiting)


def test_head_of_a_static_file_sends_no_body(client: TestClient) -> None:
    sheet = parsed(client.get("/").text).all("link", rel="stylesheet")[0]["href"]
    assert raw_request(client, "HEAD", sheet, [b""])[:2] == (200, b"")
    assert len(raw_request(client, "GET", sheet, [b""])[1]) > 1000


@pytest.mark.parametrize("length", ["-1", "abc", "", "9" * 30, "9" * 5000, "²"])
def test_a_body_with_an_odd_length_is_refused(client: TestClient, place: Place, length: str) -> None:
    path, _ = first_click(place)
    body = b"guest=" + b"g" * 43
    response = client.post(path, content=body, headers={b"Content-Length": length.encode("latin-1")})
    assert response.status_code in (400, 413)


def test_a_host_of_another_name_is_refused_when_ours_is_known(tmp_path: Path) -> None:
    with site_with(settings_at(tmp_path, public_name="tangxu.example.cn")) as client:
        for host in (
            "tangxu.example.cn",
            "TANGXU.example.cn:443",
            "localhost:8000",
            "127.0.0.1:8000",
            "[::1]:8000",
        ):
            assert client.get("/", headers={"Host": host}).status_code == 200, host
        for host in (
            "testserver",
            "evil.example",
            "tangxu.example.cn.evil.example",
            "xtangxu.example.cn",
            "",
            "a:b:c",
        ):
            response = client.get("/", headers={"Host": host})
            assert response.status_code == 421, host
            assert_protected(response)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "192.168.1.7:8000", "[", "a[b", "", "x" * 3000, "a b", "%00", "[::1", "host:port"],
)
def test_without_a_public_name_any_host_will_do(client: TestClient, host: str) -> None:
    for path in ("/", "/nowhere", "/healthz"):
        response = client.get(path, headers={"Host": host})
        assert response.status_code in (200, 400, 404)
        assert "evil.example" not in response.text


ELSEWHERE = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "http:evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/\n/evil.example",
    "\n//evil.example",
    " //evil.example",
    "/\r\nSet-Cookie: a=b",
    "evil.example",
    "",
    "?x",
    "#x",
    "/%0d%0aSet-Cookie:a=b",
    "/ok\x00",
    "/\u2028x",
    "/@evil.example",
    "/.//evil.example",
    "/%2f/evil.example",
    "/%5cevil.example",
    "/" + "x" * 60_000,
]


@pytest.mark.parametrize("target_url", ELSEWHERE, ids=lambda one: repr(one[:30]))
def test_nobody_is_sent_elsewhere(guest: Reader, place: Place, target_url: str) -> None:
    for path, fields in (
        (f"/lessons/{place.stage}/responses", [GUEST, ("item", place.name), ("answer", "abc")]),
        ("/preferences", [("theme", "dark")]),
        ("/sign-outs", []),
    ):
        response = guest.client.post(path, data=dict([*fields, ("next", target_url)]), follow_redirects=False)
        assert response.status_code in (303, 413)
        to = response.headers.get("location", "/")
        assert to.startswith("/")
        assert not to.startswith(("//", "/\\"))
        assert re.fullmatch(r"[!-~]*", to), to
        assert "\\" not in to
        assert urlsplit(to).netloc == ""
        assert "a" not in {cookie.name for cookie in guest.client.cookies.jar}


EVIL = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'\"><svg/onload=alert(1)>",
    "</textarea><b id=evil>",
    "{{ 7*7 }}{% raw %}",
    "<!--sender-->",
    "${7*7}",
    "]]><x>",
    "&lt;b&gt;&amp;",
    "\u202e<b id=evil>",
]


def assert_harmless(page: Page) -> None:
    """No element and no attribute came out of what was typed."""
    for element in page.root.inside:
        assert element.get("id") != "evil"
        assert element.tag != "img"
        assert not [name for name in element.attributes if name.startswith("on")], element
        assert element.tag != "script" or element["src"].startswith("/static/")


@pytest.mark.parametrize("typed", EVIL)
def test_what_was_typed_comes_back_as_text(guest: Reader, course: Course, place: Place, typed: str) -> None:
    form = guest.open(place.url).answering(place.name)
    fragment = guest.submit(form, htmx=True, status=422, answer=typed)
    page = guest.submit(form, answer=typed)
    for response in (fragment, page):
        assert_harmless(response)
        assert response.by_id(f"item-{place.name}-answer")["value"] == typed
    guest.submit(form, answer=list(right_answer(course.items[place.name])))


@pytest.mark.parametrize("typed", EVIL)
def test_an_option_that_was_never_there_comes_back_as_text(guest: Reader, course: Course, typed: str) -> None:
    for place in (
        place_asking(course, lambda item: hasattr(item, "options")),
        place_asking(course, lambda item: hasattr(item, "documents")),
    ):
        form = guest.open(place.url).answering(place.name)
        assert_harmless(guest.submit(form, htmx=True, status=422, answer=[typed, typed]))
        assert_harmless(guest.submit(form, answer=[typed, typed]))


@pytest.mark.parametrize("typed", EVIL)
def test_a_guess_comes_back_as_text(guest: Reader, course: Course, typed: str) -> None:
    for place in (place_opening(course), guessed_by_number(course)):
        path = f"/examples/{place.name}/reveals"
        for opening in course.reveal_positions(place.name):
            fields = [GUEST, ("position", str(opening.position)), ("next", place.url)]
            answer = guest.post(path, [*fields, ("guess", typed)], htmx=True)
            assert_harmless(Page(answer))
            if answer.status_code == 422:
                assert_harmless(Page(guest.post(path, [*fields, ("guess", typed)])))
                guest.post(path, fields, htmx=True)
        assert_harmless(guest.open(place.url))


@pytest.mark.parametrize("typed", EVIL)
def test_addresses_and_fields_come_back_as_text(
    guest: Reader, course: Course, place: Place, typed: str
) -> None:
    example = place_opening(course).name
    for path, query in (
        (place.url.partition("?")[0], ("step", "item", "typed")),
        (f"/examples/{example}", ("shown", "guess")),
        ("/", ("next", "x")),
        ("/nowhere", ("x",)),
        (f"/examples/{typed}", ()),
        ("/me", ("code",)),
    ):
        page = Page(guest.client.get(path, params=dict.fromkeys(query, typed)))
        assert page.status in (200, 404)
        assert_harmless(page)
    page = Page(
        guest.client.get(
            place.url.partition("?")[0], params={"item": place.name, "typed": typed, "step": place.step}
        )
    )
    assert page.by_id(f"item-{place.name}-answer")["value"] == typed
    guest.open("/me")
    assert_harmless(guest.submit(guest.page.form("/sign-ins"), code=typed, status=422))
    report = guest.open(place.url).by_id(f"item-{place.name}-report").one("form")
    assert_harmless(guest.submit(report, htmx=True, text=typed, next=typed, item=place.name))
    sender_fields = [("guest", typed), ("item", place.name), ("answer", "abc"), ("next", f"/{typed}")]
    assert_harmless(Page(guest.post(f"/lessons/{place.stage}/responses", sender_fields, htmx=True)))
    guest.post(*first_click(place))
    answer = guest.post(f"/lessons/{place.stage}/responses", sender_fields, htmx=True)
    assert answer.status_code == 422
    assert_harmless(Page(answer))


@pytest.mark.parametrize(("body", "front"), [(b"a%00b", "ab"), (b"a\x00b", "ab"), (b"a%%0000b", "a%00b")])
def test_no_form_brings_a_nul(guest: Reader, ledger: Ledger, body: bytes, front: str) -> None:
    """No database keeps it alike: taken out before the form was read, it came together anew."""
    fields = b"&guest=" + b"g" * 43
    for path in ("/cards/imports", "/cards/own"):
        content = b"front=%s&back=q" % body if "own" in path else b"keep=yes&text=%s,q" % body
        assert guest.client.post(path, content=content + fields, headers=FORM).status_code == 200
    assert ledger.rows("SELECT DISTINCT front FROM own_card") == [(front,)]


ODD = [
    b"\xff\xfe\x80",
    b"%ff%fe",
    b"%00",
    b"\x00",
    b"ab%%0000c",
    b"%ED%A0%80",
    "\U0001f36c".encode(),
    b"%",
    b"%zz",
    b"+",
    b"&&==",
    b"9" * 10_000,
    b"-" * 300,
    b"(" * 80,
    b"2**2**2**2**9",
    b"1e999",
    b"9**9**9",
    "٣".encode(),
    "﷽".encode() * 900,
    "⒛".encode() * 3000,
    "½".encode() * 2000,
    b"0x" + b"f" * 70,
    b"1_000",
    b"True",
    b"__import__('os')",
    b"log2(log2(0))",
    b"a" * 4001,
    b"[" * 80,
    b"lambda:0",
    b"1if 1else 2",
    b"0or 1",
    b"'a'*99",
    b"\\",
    b"\xe2\x80\xae",
    b"%0a%0d",
    "e\u0301".encode() * 500,
]
GOOD = {
    "guest": b"g" * 43,
    "try": b"1",
    "answer": b"3",
    "hint": b"1",
    "position": b"1",
    "step": b"2",
    "text": b"x",
    "next": b"/",
}


@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("number", range(len(ODD)))
def test_odd_bytes_never_break_anything(
    guest: Reader, course: Course, place: Place, number: int, stride: int
) -> None:
    """Each field of each form with something that nobody would type; each address with it, too.

    In the short run each text goes into each fourth field, beginning with another one than the text before.
    """
    value = ODD[number]
    lesson, example = f"/lessons/{place.stage}", f"/examples/{guessed_by_number(course).name}"
    fields_of = {
        f"{lesson}/responses": ["answer", "item", "try", "seed", "next", "guest", "shown"],
        f"{lesson}/hints": ["hint", "answer"],
        f"{lesson}/solutions": ["try"],
        f"{lesson}/orderings": ["move", "answer"],
        f"{lesson}/{place.section}/places": ["step"],
        f"{example}/reveals": ["position", "guess"],
        "/reports": ["text", "item", "next"],
        "/sign-ins": ["code", "guest"],
        "/preferences": ["theme"],
    }
    all_fields = [(path, name) for path, names in fields_of.items() for name in names]
    for path, name in all_fields[number % stride :: stride]:
        fields = GOOD | {"item": place.name.encode(), name: value}
        body = b"&".join(key.encode() + b"=" + text for key, text in fields.items())
        response = guest.client.post(path, content=body, headers=FORM, follow_redirects=False)
        assert response.status_code < 500, (path, name)
    quoted = "".join(f"%{byte:02x}" for byte in value[:3000])
    addresses = (
        (place.url.partition("?")[0], "step"),
        (place.url, "typed"),
        (example, "shown"),
        (example, "typed"),
    )
    for path, name in addresses[number % stride :: stride]:
        response = guest.client.get(path, params=f"{name}={quoted}&item={place.name}")
        assert response.status_code < 500, (path, name)


def test_a_number_as_long_as_a_page_is_refused_before_it_is_read(guest: Reader, place: Place) -> None:
    """Reading happens where everybody's writes wait in line; some of these would take seconds."""
    for typed in ("9" * 4000, "⒛" * 4000, "9." * 2000, "½" * 4000, "⁰" * 4000):
        answer = guest.post(
            f"/lessons/{place.stage}/responses",
            [GUEST, ("item", place.name), ("try", "1"), ("answer", typed)],
            htmx=True,
        )
        assert answer.status_code == 422
        assert "太长" in answer.text


@pytest.mark.parametrize(
    "body",
    [b"", b"&", b"=" * 1000, b"&" * 1000, b"a=1&" * 5000, b"answer=1&" * 300, b"{}", b"\x00" * 99],
    ids=lambda one: repr(one[:12]),
)
@pytest.mark.parametrize(
    "kind",
    ["application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x", "", "\xff"],
)
def test_bodies_of_any_shape_are_met_with_words(
    client: TestClient, place: Place, body: bytes, kind: str
) -> None:
    for path in (
        f"/lessons/{place.stage}/responses",
        f"/lessons/{place.stage}/{place.section}/places",
        "/preferences",
        "/sign-ins",
    ):
        response = client.post(
            path, content=body, headers={b"Content-Type": kind.encode("latin-1")}, follow_redirects=False
        )
        assert response.status_code < 500


@pytest.mark.parametrize("cookie", ["", "x", "x" * 5000, "ü" * 43, "a b", '"quoted"', "\x01", "%00"])
def test_odd_cookies_are_a_visitor(client: TestClient, cookie: str) -> None:
    body = f"tangxu={cookie}; theme={cookie}; size={cookie}; keys={cookie}".encode("latin-1")
    response = client.get("/me", headers={b"Cookie": body})
    assert response.status_code == 200
    assert "换个人用" not in response.text


def test_a_long_answer_is_cut_and_kept(guest: Reader, ledger: Ledger, course: Course, place: Place) -> None:
    """Not the whole 60 KB of it: what nobody would type is not worth the disk."""
    example = guessed_by_number(course).name
    choice = next(
        asked_opening
        for asked_opening in course.reveal_positions(example)
        if asked_opening.guess_mode == "plain"
    )
    for opening in course.reveal_positions(example)[: choice.position]:
        fields = [GUEST, ("position", str(opening.position)), ("guess", "x" * 60_000)]
        guest.post(f"/examples/{example}/reveals", fields if opening is choice else fields[:2])
    assert all(len(guess or "") <= 4000 for (guess,) in ledger.rows("SELECT guess FROM reveal"))
    report = guest.open(place.url).by_id(f"item-{place.name}-report").one("form")
    guest.submit(report, text="长" * 3000)
    assert [len(text) for (text,) in ledger.rows("SELECT text FROM problem_report")] == [2000]


def test_a_body_that_breaks_off_is_nothing(app: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
    """Neither an answer, for nobody waits, nor a line in the log."""
    messages = [
        {"type": "http.request", "body": b"item=a", "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent_messages: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent_messages.append(message)

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": "/practice/dcg-1-1/responses", "raw_path": b"/", "query_string": b"", "root_path": "",
        "headers": [(b"host", b"testserver"), (b"content-length", b"600")], "client": ("127.0.0.1", 1),
        "server": ("testserver", 80), "state": {},
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    assert (sent_messages, caplog.records) == ([], [])
