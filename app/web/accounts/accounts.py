"""Accounts: 注册, 登录, and the link that makes a teacher."""

from collections.abc import Mapping

from starlette.responses import Response

from app.course.text.typed import single_spaced_name
from app.records.accounts import accounts, learners, passwords, site_secret, tokens
from app.records.accounts.site_secret import NewcomerSecrets
from app.records.accounts.values import Browser, Caller, Credentials, KnownLearner
from app.records.classes import classrooms
from app.records.db.errors import NotFound, Refused, Throttled, sentence_and_field, status_of_refusal
from app.records.people import security_log, signing_in, teachers
from app.web.accounts import hashing
from app.web.site import cookies
from app.web.site.posted_forms import PostedForm
from app.web.site.requests import CallerRequest, RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()
WRONG_LOGIN_SENTENCE = "登录名或密码不对。再看一眼大小写；忘了密码，本页最下面说了找谁。"
TITLE_BY_PAGE = {"sign_in": "登录", "sign_up": "注册"}
"""The two pages with a name and a password, by their template."""
SYSTEM_NAME_BY_AGENT_WORD = {
    "HarmonyOS": "鸿蒙设备", "iPhone": "iPhone", "iPad": "iPad", "Android": "安卓设备",
    "Windows": "Windows电脑", "CrOS": "Chromebook", "Macintosh": "Mac", "Linux": "Linux电脑",
}  # fmt: skip
"""Words of a user agent, and what their owners call these devices; of several the first."""
BROWSER_NAME_BY_AGENT_WORD = {
    "MicroMessenger": "微信", "Edg": "Edge", "HuaweiBrowser": "华为浏览器", "MiuiBrowser": "小米浏览器",
    "QQBrowser": "QQ浏览器", "UCBrowser": "UC浏览器", "Firefox": "Firefox", "Chrome": "Chrome",
    "Safari": "Safari",
}  # fmt: skip
"""Most browsers also claim to be Chrome and Safari: these stand last."""


@router.get("/sign-in")
async def sign_in_page(request: RequestDep) -> Response:
    """Name and password, or the ways to get them; the browser gets a key, by which its tries are counted."""
    http_response = await entry_page(request, "sign_in", form_from_query(request))
    return cookies.give_browser_key(request.http, http_response)


@router.get("/sign-up")
async def sign_up_page(request: RequestDep) -> Response:
    """A name and a password of one's own."""
    return await entry_page(request, "sign_up", form_from_query(request))


def form_from_query(request: CallerRequest) -> PostedForm:
    """A form before anybody typed: the address says where to go afterwards, and maybe under which name."""
    login = request.query.get("login", "")[: passwords.LONGEST_LOGIN]
    return PostedForm({"next": [request.query.get("next", "")], "login": [login]})


async def entry_page(
    request: CallerRequest,
    page_name: str,
    form: PostedForm,
    error_sentence: str = "",
    status: int = 200,
    refused_field: str = "login",
) -> Response:
    """One of the two pages; `error_sentence` stands at the form, with what was typed and ticked."""
    visitor = await request.read(learners.load_visitor)
    return request.page(
        f"accounts/{page_name}",
        is_signed_in=visitor.is_signed_in,
        status=status,
        page="me",
        title=TITLE_BY_PAGE[page_name],
        visitor=visitor,
        next_url=form.next_path("/"),
        login=login_of(form),
        brings_work=not is_work_left(form),
        is_shared=is_device_shared(form),
        ends_code=is_code_given_up(form),
        form_key=tokens.fresh_token(),
        error_sentence=error_sentence,
        refused_field=refused_field,
    )


async def refused_entry_page(request: CallerRequest, page_name: str, error: Refused | Throttled) -> Response:
    """One of the two pages with what was typed, and why it was refused."""
    error_sentence, refused_field = sentence_and_field(error)
    return await entry_page(
        request, page_name, request.form, error_sentence, status_of_refusal(error), refused_field
    )


def login_of(form: PostedForm) -> str:
    """The name that was typed."""
    return form.text("login")[:200]


@router.post("/accounts/sign-ins")
async def sign_in(request: RequestDep) -> Response:
    """Sign in. An unknown name and a wrong password get the same answer after the same time."""
    token = cookies.sign_in_token(request.http, tokens.fresh_token(), is_device_shared(request.form))
    try:
        known_learner = await enter_account(request, token)
    except NotFound:
        return await entry_page(request, "sign_in", request.form, WRONG_LOGIN_SENTENCE)
    except Throttled as error:
        return await refused_entry_page(request, "sign_in", error)
    next_url = request.form.next_path("/")
    if next_url == "/":  # from nowhere in particular: a teacher's day begins with the classes
        class_lists = await request.site.db.read(classrooms.load_class_lists, Caller(token))
        if class_lists.is_teaching:
            next_url = "/classrooms"
    http_response = request.redirect(url_with_kept_work_note(next_url, known_learner), token=token)
    return with_former_token(request, http_response, token)


def with_former_token(request: CallerRequest, http_response: Response, token: str = "") -> Response:
    """The token of who was here before is kept as a mark of this browser: it has ended, for somebody came in
    with another `token`, or left."""
    former_token = request.caller.token
    if former_token and former_token != token:
        cookies.remember_former_token(request.http, http_response, former_token)
    return http_response


def url_with_kept_work_note(next_url: str, known_learner: KnownLearner) -> str:
    """The next page; where the work of a guest came along, its sentence that says so."""
    if known_learner.has_guest_work:
        return url_with_note(next_url, "kept")
    return next_url


def url_with_note(next_url: str, note_id: str) -> str:
    """The next page, at a sentence that every page has for those who are signed in."""
    if "#" in next_url:
        return next_url
    return f"{next_url}#{note_id}"


async def enter_account(request: CallerRequest, token: str) -> KnownLearner:
    """Count the try, compare the password outside of the database, sign in."""
    form, now = request.form, request.now
    login = login_of(form)
    browser = browser_of(request, token)
    password_hash = await request.site.db.write(accounts.count_sign_in_try, login, browser, now)
    try:
        matched_hash = await hashing.matched_hash_of(form.text("password"), password_hash)
    except NotFound:
        account_name = login if password_hash else ""
        security_log.write_line("sign-in-refused", name=account_name, address=browser.address)
        raise
    course = None
    if form.text("bring"):  # ticked: the work of a guest comes along
        course = request.course
    return await request.write(signing_in.sign_in, Credentials(login, matched_hash), browser, course, now)


def browser_of(request: CallerRequest, token: str) -> Browser:
    """The browser that asks, in which a sign-in with this token begins."""
    http = request.http
    return Browser(
        request.client_address,
        token,
        device_name(http.headers.get("user-agent", "")),
        cookies.device_tokens(http),
        is_device_shared(request.form),
        is_code_given_up(request.form),
        is_work_left(request.form),
    )


def is_device_shared(form: PostedForm) -> bool:
    """Whether 这是公用电脑 is ticked."""
    return bool(form.text("shared"))


def is_code_given_up(form: PostedForm) -> bool:
    """Whether the tick is set that takes along what a guest with a 续学码 did. It has a value of its own: the
    one for a guest without a code is set beforehand, maybe on a page of before they had one."""
    return form.text("bring") == "with-code"


def is_work_left(form: PostedForm) -> bool:
    """Whether a form asks if what a guest did comes along, and the tick is not set. A form of before it asked
    brings it."""
    return "bring" in form.texts("asks") and not form.text("bring")


@router.post("/accounts")
async def sign_up(request: RequestDep) -> Response:
    """A new account; a guest becomes it, with everything done so far, unless a 续学码 keeps that."""
    login = login_of(request.form)
    browser = await newcomer_browser(request, login)
    try:
        password_hash = await hash_of_first_password(request, login, browser)
        credentials = Credentials(login, password_hash)
        known_learner = await request.write(accounts.create_account, credentials, browser, request.now)
    except (Refused, Throttled) as error:
        return await refused_entry_page(request, "sign_up", error)
    next_url = request.form.next_path("/")
    if next_url == "/":  # they are not on their way elsewhere: say that it worked
        next_url = "/me?done=sign-up"
    http_response = request.redirect(url_with_kept_work_note(next_url, known_learner), token=browser.token)
    return with_former_token(request, http_response, browser.token)


async def newcomer_secrets(request: CallerRequest, *typed_texts: str) -> NewcomerSecrets:
    """What the form of a newcomer stands for, with what was typed: one that was put right is another one.
    Something new each time for a form without a key. On a shared device the token says so."""
    form_key = request.caller.proposed_token or tokens.fresh_token()
    form_text = "\0".join((form_key, request.http.url.path, *typed_texts))
    secrets_of_newcomer = await request.site.db.read(site_secret.load_newcomer_secrets, form_text)
    is_shared_device = is_device_shared(request.form)
    return secrets_of_newcomer._replace(
        token=cookies.sign_in_token(request.http, secrets_of_newcomer.token, is_shared_device)
    )


async def newcomer_browser(request: CallerRequest, login: str) -> Browser:
    """The browser of an account with a password of its own."""
    secrets_of_newcomer = await newcomer_secrets(request, login, request.form.text("password"))
    return browser_of(request, secrets_of_newcomer.token)


async def hash_of_first_password(
    request: CallerRequest, login: str, browser: Browser, is_of_teacher: bool = False
) -> str:
    """The hash of the password of a new account, once the try is counted.

    Nothing is hashed for a name that is taken: Refused.
    """
    passwords.checked_display_name(login)
    password = passwords.checked_password(request.form.text("password"), login, is_of_teacher)
    database = request.site.db
    is_login_taken = await database.write(accounts.count_sign_up_try, login, browser, request.now)
    if is_login_taken:
        raise accounts.taken_login_refusal(single_spaced_name(login))
    return await hashing.hash_password(password)


@router.get("/invitations/{token}")
async def show_invitation(request: RequestDep, token: str) -> Response:
    """Become a teacher: with the account that is here, or a new one."""
    return await invitation_page(request, token)


async def invitation_page(
    request: CallerRequest, invitation_token: str, refusal: Refused | Throttled | None = None
) -> Response:
    """The way in for a teacher; `refusal`: why there is no new account."""
    error_sentence, refused_field = sentence_and_field(refusal)
    visitor = await request.read(teachers.load_invited_visitor, invitation_token, request.now)
    return request.page(
        "accounts/invitation",
        is_signed_in=visitor.is_signed_in,
        status=status_of_refusal(refusal),
        page="class",
        title="来当老师",
        visitor=visitor,
        token=invitation_token,
        form_key=tokens.fresh_token(),
        login=login_of(request.form),
        is_shared=is_device_shared(request.form),
        ends_code=is_code_given_up(request.form),
        error_sentence=error_sentence,
        refused_field=refused_field,
    )


@router.post("/invitations/{token}/acceptances")
async def accept_invitation(request: RequestDep, token: str) -> Response:
    """The account that is here becomes a teacher's."""
    is_new_teacher = await request.write(teachers.accept_invitation, token, request.now)
    if is_new_teacher:
        security_log.write_line("invitation-used", by="account", address=request.client_address)
    return cookies.renew_sign_in(request.http, request.redirect("/classrooms"))


@router.post("/invitations/{token}/accounts")
async def create_teacher(request: RequestDep, token: str) -> Response:
    """A new account, of a teacher."""
    login = login_of(request.form)
    browser = await newcomer_browser(request, login)
    await request.site.db.read(teachers.expect_way_in, browser, token, request.now)
    try:
        password_hash = await hash_of_first_password(request, login, browser, is_of_teacher=True)
        credentials = Credentials(login, password_hash)
        is_new_teacher = await request.write(teachers.sign_up, token, credentials, browser, request.now)
    except (Refused, Throttled) as error:
        return await invitation_page(request, token, error)
    if is_new_teacher:
        security_log.write_line("invitation-used", name=login, address=browser.address)
    http_response = request.redirect("/classrooms", token=browser.token)
    return with_former_token(request, http_response, browser.token)


# What a browser and its device are called in the list of one's sign-ins.


def device_name(user_agent: str) -> str:
    """From what a browser says of itself (its user agent); nothing of it is kept but this name.

    >>> device_name("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/129.0 Mobile Safari/537.36")
    '安卓设备 · Chrome'
    >>> device_name("curl/8.0")
    '一台设备'
    """
    system_name = first_matching_name(SYSTEM_NAME_BY_AGENT_WORD, user_agent)
    browser_name = first_matching_name(BROWSER_NAME_BY_AGENT_WORD, user_agent)
    system_and_browser_names = filter(None, (system_name, browser_name))
    return " · ".join(system_and_browser_names) or "一台设备"


def first_matching_name(name_by_agent_word: Mapping[str, str], user_agent: str) -> str:
    """The name of the first mark that the agent bears; empty where it bears none."""
    for agent_word, shown_name in name_by_agent_word.items():
        if agent_word in user_agent:
            return shown_name
    return ""
