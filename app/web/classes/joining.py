"""加入班级: by the code, with an account, a new one, or a class account."""

from starlette.responses import Response

from app.records.accounts import accounts, passwords, tokens
from app.records.accounts.values import Credentials
from app.records.classes import classrooms, joining
from app.records.classes.class_members import TakenName
from app.records.classes.joining import WrongNumber
from app.records.classes.values import JoinableClass
from app.records.db import codes
from app.records.db.errors import NotFound, Refused, Throttled, sentence_and_field, status_of_refusal
from app.web.accounts import hashing
from app.web.accounts.accounts import (
    browser_of,
    is_code_given_up,
    is_device_shared,
    is_work_left,
    newcomer_secrets,
    with_former_token,
)
from app.web.site import cookies
from app.web.site.requests import CallerRequest, RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()


@router.get("/join")
async def show_code_form(request: RequestDep, code: str = "") -> Response:
    """Where the code is typed; with one in the address, on to its class."""
    plain_code = codes.normalise_code(code)
    if plain_code:
        return request.redirect(f"/join/{plain_code[:12]}")
    return await code_page(request, code)


async def code_page(
    request: CallerRequest, join_code: str, error_sentence: str = "", status: int = 200
) -> Response:
    """Where the code is typed; `error_sentence`: why the one that was typed opens nothing."""
    class_lists = await request.read(classrooms.load_class_lists)
    return request.page(
        "classes/join",
        is_signed_in=class_lists.visitor.learner_id is not None,
        status=status,
        page="class",
        title="加入班级",
        code=join_code[:20],
        error_sentence=error_sentence,
    )


@router.get("/join/{code}")
async def show(request: RequestDep, code: str) -> Response:
    """The class behind an open code, and the ways in."""
    return await join_page(request, code)


async def join_page(
    request: CallerRequest,
    join_code: str,
    student_name: str = "",
    student_number: str = "",
    refusal: Refused | Throttled | None = None,
) -> Response:
    """The class behind an open code; `refusal`: why nobody came in by this `student_name` and
    `student_number`. Who may be in it already is offered to sign in."""
    try:
        joinable_class = await load_class_or_count_wrong_code(request, join_code)
    except NotFound as not_found:
        return await closed_code_page(request, join_code, not_found)
    except Throttled as throttled:
        return await code_page(request, join_code, str(throttled), 429)
    error_sentence, refused_field = sentence_and_field(refusal)
    account = joinable_class.visitor.account
    if account and not student_name:
        student_name = account.login
    return request.page(
        "classes/open_class",
        is_signed_in=joinable_class.visitor.learner_id is not None,
        status=status_of_refusal(refusal),
        page="class",
        title=f"加入{joinable_class.classroom.name}",
        joinable_class=joinable_class,
        own_class_sentence=joining.OWN_CLASS_SENTENCE,
        name=student_name,
        number=student_number,
        is_shared=is_device_shared(request.form),
        brings_work=not is_work_left(request.form),
        ends_code=is_code_given_up(request.form),
        form_key=tokens.fresh_token(),
        error_sentence=error_sentence,
        refused_field=refused_field,
        offers_sign_in=isinstance(refusal, TakenName | WrongNumber),
    )


async def closed_code_page(request: CallerRequest, join_code: str, not_found: NotFound) -> Response:
    """Where a code is typed again: this one opens nothing, or was closed while its form was filled in."""
    http_response = await code_page(request, join_code, str(not_found), 404)
    return cookies.give_browser_key(request.http, http_response)


async def refused_page(request: CallerRequest, join_code: str, error: Refused | Throttled) -> Response:
    """The class again, with what was typed; a 学号 of somebody else is counted as a wrong code is."""
    form = request.form
    if isinstance(error, WrongNumber):
        browser_key = cookies.browser_key(request.http)
        await request.site.db.write(
            joining.count_wrong_join_code, request.client_address, request.now, browser_key
        )
    student_name, student_number = form.text("name")[:40], form.text("number")[:40]
    http_response = await join_page(request, join_code, student_name, student_number, error)
    return cookies.give_browser_key(request.http, http_response)


async def load_class_or_count_wrong_code(request: CallerRequest, join_code: str) -> JoinableClass:
    """The class behind an open code. A wrong one is counted; nothing is written for a right one."""
    now = request.now
    client_address = request.client_address
    browser_key = cookies.browser_key(request.http)
    try:
        return await request.read(joining.load_joinable_class, join_code, client_address, now, browser_key)
    except NotFound:
        await request.site.db.write(joining.count_wrong_join_code, client_address, now, browser_key)
        raise


@router.post("/join/{code}")
async def join_class(request: RequestDep, code: str) -> Response:
    """Who has an account comes in."""
    student_name, student_number = request.form.text("name"), request.form.text("number")
    client_address, now = request.client_address, request.now
    try:
        await load_class_or_count_wrong_code(request, code)
        classroom_id = await request.write(
            joining.join_class, code, student_name, client_address, now, student_number
        )
    except NotFound as not_found:
        return await closed_code_page(request, code, not_found)
    except (Refused, Throttled) as error:
        return await refused_page(request, code, error)
    return cookies.renew_sign_in(request.http, request.redirect(f"/classrooms/{classroom_id}"))


def login_suffix(login: str, display_name: str) -> str:
    """What stands behind a name that somebody else signs in with; empty where it is free.

    >>> login_suffix("小糖2", "小糖"), login_suffix("小糖", "小糖")
    ('2', '')
    """
    if not login.startswith(display_name):  # of a form that came twice, with another name
        return ""
    return login.removeprefix(display_name)


@router.post("/join/{code}/accounts")
async def join_with_new_name(request: RequestDep, code: str) -> Response:
    """A class account. The page that follows shows its password, this once: so it is no redirect. Who taps
    twice sees the second answer alone, so it shows the same."""
    student_name, student_number = request.form.text("name"), request.form.text("number")
    token, password = await newcomer_secrets(request, student_name, student_number)
    now = request.now
    browser = browser_of(request, token)
    try:
        display_name = passwords.checked_display_name(student_name, "名字", "name")
        await load_class_or_count_wrong_code(request, code)  # a closed code costs no hashing
        await request.site.db.write(accounts.count_sign_up_try, student_name, browser, now)
        password_hash = await hashing.hash_password(password)
        known_learner, login, classroom_id = await request.write(
            joining.join_with_new_account,
            code,
            Credentials(student_name, password_hash),
            browser,
            now,
            student_number,
        )
    except NotFound as not_found:
        return await closed_code_page(request, code, not_found)
    except (Refused, Throttled) as error:
        return await refused_page(request, code, error)
    preferences = cookies.preferences_of(request.http)
    http_response = request.page(
        "classes/joined",
        is_signed_in=True,
        preferences=preferences._replace(has_learner_key=True, class_membership="on"),
        page="class",
        title="记下密码",
        login=login,
        login_suffix=login_suffix(login, display_name),
        password=password,
        classroom_id=classroom_id,
    )
    cookies.keep_signed_in(request.http, http_response, known_learner.token)
    return with_former_token(request, http_response, known_learner.token)
