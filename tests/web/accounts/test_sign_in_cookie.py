"""How long a browser stays signed in: renewed each day, under a safer name, short on shared devices."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.learning import lesson_progress
from app.web.operation import upkeep
from app.web.site import clock, presence
from app.web.site.cookies import LEARNER_KEY_COOKIE, SIGN_IN_COOKIE
from app.web.site.presence import Presence
from tests.records.cast import WHY
from tests.web.cast import Ledger, Reader, browser, settings_at, site_with
from tests.web.school import PASSWORD, code_of, invitation, join_new, new_class, new_teacher, sign_in, sign_up

DAY = timedelta(days=1)
SECURE = f"__Host-{SIGN_IN_COOKIE}"


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The present: the last of these."""
    moments = [datetime.now(UTC)]
    monkeypatch.setattr(clock, "time_source", lambda: moments[-1])
    return moments


@pytest.fixture
def secure_client(tmp_path: Path) -> Iterator[TestClient]:
    """A site that is reached by https."""
    client = site_with(settings_at(tmp_path, https=True))
    client.base_url = "https://testserver"
    with client:
        yield client


def cookies_of_sign_in(reader: Reader, **typed: Any) -> str:
    """What signing in sets."""
    response = sign_in(reader, **typed).response
    return " / ".join(response.history[0].headers.get_list("set-cookie"))


def upkeep_now(client: TestClient) -> None:
    site = client.app.state.site  # type: ignore[attr-defined]
    assert client.portal
    client.portal.call(upkeep.keep_sign_ins, site, clock.now())


def test_a_cookie_is_renewed_once_a_day(guest: Reader, moment: list[datetime], ledger: Ledger) -> None:
    sign_up(guest)
    token = guest.token
    me = guest.open("/me")
    assert "set-cookie" not in me.response.headers
    sheet = me.root.all("link", rel="stylesheet")[0]["href"]
    moment.append(moment[-1] + DAY)
    assert "set-cookie" not in guest.client.get(sheet).headers
    renewed = guest.client.get("/me").headers["set-cookie"]
    assert renewed.startswith(f"{SIGN_IN_COOKIE}={token}; ")
    assert "max-age=31536000" in renewed.lower()
    assert "set-cookie" not in guest.client.get("/me").headers
    upkeep_now(guest.client)
    assert ledger.rows("SELECT seen_at FROM sign_in") == [(f"{moment[-1]:%Y-%m-%d %H:%M:%S.%f}",)]


def test_who_came_by_the_code_of_a_class_stays_as_long(
    client: TestClient, guest: Reader, moment: list[datetime]
) -> None:
    teacher = new_teacher(client, "王")
    join_new(guest, code_of(teacher, new_class(teacher, "高一3班")), "小糖")
    for _ in range(3):
        moment.append(moment[-1] + 40 * DAY)
        assert "set-cookie" in guest.client.get("/me").headers, "it is renewed"
        upkeep_now(guest.client)
    assert "小糖" in guest.open("/me").main.text


def test_signing_out_on_the_first_request_of_a_day_is_signing_out(
    guest: Reader, moment: list[datetime]
) -> None:
    sign_up(guest)
    form = guest.open("/me").root.one("form", class_="leave")
    moment.append(moment[-1] + DAY)
    guest.submit(form)
    assert guest.token is None


def test_who_stays_away_for_ninety_days_signs_in_again(guest: Reader, moment: list[datetime]) -> None:
    sign_up(guest)
    upkeep_now(guest.client)
    moment.append(moment[-1] + 90 * DAY)
    upkeep_now(guest.client)
    assert "小糖" not in guest.open("/me").main.text
    sign_in(guest)
    assert "小糖" in guest.open("/me").main.text


def test_on_a_shared_device_nothing_stays(guest: Reader, other_guest: Reader, moment: list[datetime]) -> None:
    sign_up(guest)
    cookies = cookies_of_sign_in(other_guest, shared="yes")
    assert "max-age" not in cookies.split(" / ")[0].lower(), "it ends with the browser"
    moment.append(moment[-1] + timedelta(hours=11))
    assert "小糖" in other_guest.open("/me").main.text
    moment.append(moment[-1] + timedelta(hours=13))
    assert "set-cookie" not in other_guest.client.get("/me").headers, "it is not renewed"
    upkeep_now(guest.client)
    assert "小糖" not in other_guest.open("/me").main.text
    assert "小糖" in guest.open("/me").main.text


@pytest.mark.parametrize("door", ["sign-up", "class", "invitation"])
def test_an_account_that_is_made_on_a_shared_device_ends_with_the_browser(
    client: TestClient, guest: Reader, moment: list[datetime], door: str
) -> None:
    path, action = "/sign-up", "/accounts"
    if door == "class":
        teacher = new_teacher(client, "王")
        path = f"/join/{code_of(teacher, new_class(teacher, '高一3班'))}"
        action = f"{path}/accounts"
    elif door == "invitation":
        path = invitation(client)
        action = f"{path}/accounts"
    page = guest.open(path)
    typed: dict[str, Any] = {"name": "小糖"} if door == "class" else {"login": "小糖", "password": "12345"}
    if door != "class":
        page = guest.submit(page.form(action), shared="yes", status=422, **typed)
        assert "checked" in page.main.one("input", name="shared").attributes, "what was ticked stays ticked"
        typed["password"] = PASSWORD
    guest.submit(page.form(action), shared="yes", **typed)
    assert guest.token
    assert guest.token.startswith("shared-")
    assert "小糖" in guest.open("/me").main.text
    moment.append(moment[-1] + timedelta(hours=13))
    upkeep_now(guest.client)
    assert "小糖" not in guest.open("/me").main.text


def test_a_shared_device_is_not_remembered(guest: Reader, other_guest: Reader, ledger: Ledger) -> None:
    """It keeps the mark that the form gave to the browser, with which nobody was ever signed in."""

    def remembered() -> list[str]:
        hashes = [learners.token_hash(token) for token in other_guest.client.cookies["device"].split(".")]
        ours = {row[0] for row in ledger.rows("SELECT token_hash FROM sign_in")}
        return [token_hash for token_hash in hashes if token_hash in ours]

    sign_up(guest)
    sign_in(other_guest, shared="yes")
    other_guest.submit(other_guest.open("/me").root.one("form", class_="leave"))
    assert list(other_guest.client.cookies) == ["device"]
    assert remembered() == []
    sign_in(other_guest)
    other_guest.submit(other_guest.open("/me").root.one("form", class_="leave"))
    assert len(remembered()) == 1


def test_with_https_no_neighbour_can_set_the_cookie(secure_client: TestClient) -> None:
    guest = browser(secure_client)
    guest.client.base_url = secure_client.base_url
    sign_up(guest)
    assert list(guest.client.cookies) == [SECURE, LEARNER_KEY_COOKIE]
    assert "小糖" in guest.open("/me").main.text
    guest.submit(guest.open("/me").root.one("form", class_="leave"))
    assert list(guest.client.cookies) == ["__Host-device"]


def test_the_cookie_of_before_is_read_and_exchanged(tmp_path: Path) -> None:
    """That of a sign-in which began while the site had no https."""
    with site_with(settings_at(tmp_path)) as client:
        guest = browser(client)
        sign_up(guest)
        token = guest.token
    assert token
    secure_client = site_with(settings_at(tmp_path, https=True))
    secure_client.base_url = "https://testserver"
    with secure_client:
        guest = browser(secure_client)
        guest.client.base_url = secure_client.base_url
        guest.client.cookies.set(SIGN_IN_COOKIE, token, domain="testserver.local")
        assert "小糖" in guest.open("/me").main.text
        assert guest.client.cookies[SECURE] == token
        assert SIGN_IN_COOKIE not in guest.client.cookies


@pytest.mark.parametrize("way_in", ["account", "shared", "invitation", "guest", "code"])
def test_no_neighbour_signs_anybody_in_under_the_name_of_before(
    secure_client: TestClient, way_in: str
) -> None:
    """A site beside this one can set a cookie of that name, and put a sign-in of its own into it: who learns
    on would do so in an account that is not theirs."""
    neighbour, victim = browser(secure_client), browser(secure_client)
    for reader in (neighbour, victim):
        reader.client.base_url = secure_client.base_url
    if way_in in ("account", "shared"):
        sign_up(neighbour)
        sign_in(neighbour, shared="yes" if way_in == "shared" else "")
    elif way_in == "invitation":
        link = invitation(secure_client)
        form = neighbour.open(link).form(f"{link}/accounts")
        neighbour.submit(form, login="小糖", password=PASSWORD)
    else:
        place_url = "/lessons/concepts/which-is-better"
        neighbour.submit(neighbour.open(place_url).root.one("form", class_="next"))
        neighbour.submit(neighbour.open("/me").form("/resume-codes"))
        if way_in == "code":
            code = neighbour.open("/me").root.one("output").text
            neighbour.client.cookies.clear()
            neighbour.submit(neighbour.open("/me").form("/sign-ins"), code=code)
    token = neighbour.client.cookies[SECURE]
    assert not victim.open("/me").has("kept")
    victim.client.cookies.set(SIGN_IN_COOKIE, token, domain="testserver.local")
    assert not victim.open("/me").has("kept")
    assert SECURE not in victim.client.cookies
    assert neighbour.open("/me").has("kept")


def test_two_names_at_once_are_one_sign_in(secure_client: TestClient) -> None:
    guest, second_guest = browser(secure_client), browser(secure_client)
    for reader, login in ((guest, "小糖"), (second_guest, "小序")):
        reader.client.base_url = secure_client.base_url
        sign_up(reader, login)
    guest.client.cookies.set(SIGN_IN_COOKIE, second_guest.client.cookies[SECURE], domain="testserver.local")
    assert "小糖" in guest.open("/me").main.text


def test_unsent_words_have_the_key_of_their_account(
    guest: Reader, other_guest: Reader, moment: list[datetime]
) -> None:
    """The same in each of its browsers; with the sign-in of another one, or of a guest, it is exchanged."""
    sign_up(guest)
    own_key = guest.client.cookies[LEARNER_KEY_COOKIE]
    assert own_key in cookies_of_sign_in(other_guest)
    cookies = cookies_of_sign_in(other_guest, shared="yes")
    assert f"{LEARNER_KEY_COOKIE}=shared-{own_key}; Path=/; SameSite=lax" in cookies
    sign_up(other_guest, "小序")
    assert other_guest.client.cookies[LEARNER_KEY_COOKIE] not in (own_key, f"shared-{own_key}")
    guest.client.cookies.delete(LEARNER_KEY_COOKIE)  # a sign-in of before there was one
    moment.append(moment[-1] + DAY)
    guest.open("/me")
    assert guest.client.cookies[LEARNER_KEY_COOKIE] == own_key
    guest.client.cookies.delete(SIGN_IN_COOKIE)
    guest.submit(guest.open("/lessons/concepts/which-is-better").root.one("form", class_="next"))
    assert guest.token
    assert LEARNER_KEY_COOKIE not in guest.client.cookies
    sign_in(guest)
    guest.submit(guest.open("/me").root.one("form", class_="leave"))
    assert LEARNER_KEY_COOKIE not in guest.client.cookies


def test_presence_is_told_once_a_day_and_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "MOST_PRESENT_SIGN_INS", 2)
    now = datetime(2026, 9, 1, tzinfo=UTC)
    own_presence = Presence()
    tokens = [letter * 43 for letter in "abc"]
    assert [
        own_presence.record_sighting(token, now) for token in (*tokens, tokens[0], "short", "x" * 5000)
    ] == [*(True, True, False, False, False, False)]
    assert len(own_presence.take_sightings(1)) == 1
    assert own_presence.take_sightings(5) == [(learners.token_hash(tokens[0]), now)]
    assert own_presence.take_sightings(5) == []
    assert own_presence.record_sighting(tokens[2], now + DAY)


def test_the_site_sweeps_when_it_starts(tmp_path: Path, moment: list[datetime]) -> None:
    """A guest of long ago who did nothing is gone; one with work is there, and still signed in."""
    settings = settings_at(tmp_path)
    ledger = Ledger(settings.database_url)
    with site_with(settings) as client:
        client.portal.call(_guests, client)  # type: ignore[union-attr]
    assert ledger.count("learner") == 3
    moment.append(moment[-1] + 365 * DAY)
    with site_with(settings) as client:
        for _ in range(5000):
            if ledger.count("learner") == 1:
                break
            client.get("/healthz")  # it sweeps beside the requests
        rows = ledger.rows("SELECT learner_id FROM sign_in WHERE ended_at IS NULL")
    assert rows == [(2,)]


async def _guests(client: TestClient) -> None:
    db = client.app.state.site.db  # type: ignore[attr-defined]
    for number in range(3):
        await db.write(learners.find_or_add_learner, Caller(proposed_token=f"guest {number}"), clock.now())
    await db.write(
        lesson_progress.save_place, Caller("guest 1"), "content:concepts", WHY, 1, False, clock.now()
    )
