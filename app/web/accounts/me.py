"""我的: account or 续学码, password, devices, how the pages look; 我的数据, to take along or to delete."""

import base64
import json
from contextlib import suppress

from starlette.responses import Response

from app.records.accounts import accounts, learners, passwords, throttle, tokens
from app.records.authoring import picture_files
from app.records.db.errors import (
    NotFound,
    Refused,
    Throttled,
    naming_field,
    sentence_and_field,
    status_of_refusal,
)
from app.records.db.sqlite import backup
from app.records.people import my_data, signing_in
from app.web.accounts import hashing
from app.web.accounts.accounts import url_with_note, with_former_token
from app.web.site import cookies
from app.web.site.requests import CallerRequest, RequestDep, RowId
from app.web.site.routing import LazyRouter

router = LazyRouter()
WRONG_RESUME_CODE_SENTENCE = "没有这个续学码。看看有没有抄错：一共12位，没有字母I、L、O，也没有数字0和1。"
DOWNLOAD_HEADERS = {"Content-Disposition": 'attachment; filename="tangxu-my-data.json"'}


@router.get("/me")
async def show_my_page(request: RequestDep) -> Response:
    """The 续学码 and the ways in and out."""
    return await my_page(request)


async def my_page(
    request: CallerRequest,
    status: int = 200,
    *,
    typed_code: str = "",
    code_error: str = "",
    password_error: str = "",
    refused_field: str = "",
) -> Response:
    """The page 我的; `code_error`: why a 续学码 was not accepted; `password_error`: why the password in
    `refused_field` was not."""
    account_data = await request.read(accounts.load_account_page)
    return request.page(
        "accounts/me",
        is_signed_in=account_data.visitor.is_signed_in,
        status=status,
        page="me",
        title="我的",
        account_data=account_data,
        done=request.query.get("done", ""),
        leaves_results=request.query.get("stays") == "class",
        brings_work=not code_error or bool(request.form.text("bring")),
        typed_code=typed_code,
        code_error=code_error,
        password_error=password_error,
        refused_field=refused_field,
    )


@router.post("/resume-codes")
async def give_resume_code(request: RequestDep) -> Response:
    """A 续学码, made once."""
    resume_code = await request.write(learners.give_resume_code, request.now)
    return request.redirect("/me", token=resume_code.token)


@router.post("/sign-ins")
async def resume_work(request: RequestDep) -> Response:
    """Go on with a 续学码 from elsewhere; the work of a guest here comes along, where that is ticked."""
    token = request.caller.proposed_token
    if not token:
        token = cookies.sign_in_token(request.http, tokens.fresh_token())
    typed_resume_code = request.form.text("code")
    typed_code = typed_resume_code[:40]
    course = None
    if request.form.text("bring"):
        course = request.course
    database = request.site.db
    client_address, browser_key = request.client_address, cookies.browser_key(request.http)
    try:
        await database.read(
            throttle.expect_few_wrong_codes, "resume", client_address, browser_key, request.now
        )
        known_learner = await request.write(
            signing_in.enter_with_code, typed_resume_code, token, course, request.now
        )
    except Throttled as error:
        return await my_page(request, 429, typed_code=typed_code, code_error=str(error))
    except NotFound:
        await database.write(throttle.count_wrong_code, "resume", client_address, browser_key, request.now)
        http_response = await my_page(
            request, 422, typed_code=typed_code, code_error=WRONG_RESUME_CODE_SENTENCE
        )
        return cookies.give_browser_key(request.http, http_response)
    next_url = url_with_note(
        request.form.next_path("/"), "kept" if known_learner.has_guest_work else "resumed"
    )
    http_response = request.redirect(next_url, token=token)
    return with_former_token(request, http_response, token)


@router.post("/sign-outs")
async def sign_out(request: RequestDep) -> Response:
    """换个人用, 退出登录: this browser forgets who was here, a shared one also how they liked its pages."""
    await request.write(learners.end_own_sign_in, request.now)
    http_response = request.redirect(request.form.next_path("/"))
    former_token = request.caller.token or ""
    forgotten_cookie_names = [cookies.CLASS_MEMBERSHIP_COOKIE]
    if former_token.startswith(tokens.SHARED_PREFIX):
        forgotten_cookie_names += cookies.CHOICES_BY_PREFERENCE
    cookies.forget_sign_in(request.http, http_response, *forgotten_cookie_names)
    return with_former_token(request, http_response)


@router.post("/preferences")
async def set_preferences(request: RequestDep) -> Response:
    """How the pages look and whether keys work; kept in this browser."""
    http_response = request.redirect(request.form.next_path("/"))
    for setting_name, allowed_choices in cookies.CHOICES_BY_PREFERENCE.items():
        chosen_value = request.form.text(setting_name)
        if chosen_value in allowed_choices:
            cookies.set_cookie(request.http, http_response, setting_name, chosen_value)
    return http_response


@router.post("/me/passwords")
async def change_password(request: RequestDep) -> Response:
    """A new password; every other device is signed out."""
    new_password = request.form.text("new")
    visitor = await request.read(learners.load_visitor)
    login = ""
    if visitor.account:
        login = visitor.account.login
    try:
        with naming_field("new"):
            passwords.checked_password(new_password, login, visitor.is_teacher)
        matched_hash = await proven_hash(request, "old", "现在的密码不对。")
        password_hash = await hashing.hash_password(new_password)
    except (Refused, Throttled) as error:
        error_sentence, refused_field = sentence_and_field(error)
        return await my_page(
            request, status_of_refusal(error), password_error=error_sentence, refused_field=refused_field
        )
    await request.write(accounts.change_password, matched_hash, password_hash, request.now)
    return request.redirect("/me?done=password#account")


async def proven_hash(request: CallerRequest, field_name: str, error_sentence: str) -> str:
    """The hash of one's own account, that the password in a field matched; Refused for a wrong password."""
    password_hash = await request.write(accounts.count_own_password_try, request.now)
    if not await hashing.matches(request.form.text(field_name), password_hash):
        raise Refused(error_sentence, field_name)
    return password_hash


@router.post("/me/devices/endings")
async def end_other_devices(request: RequestDep) -> Response:
    """Sign out everywhere else."""
    await request.write(accounts.sign_out_devices, None, request.now)
    return request.redirect("/me#devices")


@router.post("/me/devices/{device_id}/endings")
async def end_device(request: RequestDep, device_id: RowId) -> Response:
    """Sign out one of one's own devices."""
    await request.write(accounts.sign_out_devices, device_id, request.now)
    return request.redirect("/me#devices")


@router.get("/me/data")
async def show_data(request: RequestDep) -> Response:
    """What there is, and the two things to do with it."""
    return await data_page(request)


async def data_page(request: CallerRequest, refusal: Refused | Throttled | None = None) -> Response:
    """`refusal`: why nothing was deleted."""
    error_sentence, refused_field = sentence_and_field(refusal)
    visitor = await request.read(learners.load_visitor)
    return request.page(
        "accounts/my_data",
        is_signed_in=visitor.is_signed_in,
        status=status_of_refusal(refusal),
        page="me",
        title="我的数据",
        account=visitor.account,
        backups_kept_days=backup.BACKUPS_KEPT_DAYS,
        error_sentence=error_sentence,
        refused_field=refused_field,
    )


@router.get("/me/data.json")
async def download_my_data(request: RequestDep) -> Response:
    """Everything about who is here, as a file."""
    rows_by_table = await request.read(my_data.load_my_data, request.now)
    picture_folder = picture_files.picture_folder_in(request.site.settings.data)
    json_text = await request.site.off_loop.run(json_text_of, rows_by_table, picture_folder)
    return Response(json_text, media_type="application/json; charset=utf-8", headers=DOWNLOAD_HEADERS)


def json_text_of(rows_by_table: my_data.MyData, picture_folder: picture_files.Folder) -> str:
    """The file; off the event loop, for a diligent year is tens of megabytes."""
    add_picture_bytes(rows_by_table["picture"], picture_folder)
    return json.dumps(rows_by_table, ensure_ascii=False, indent=1)


def add_picture_bytes(picture_rows: list[my_data.ExportedRow], picture_folder: picture_files.Folder) -> None:
    """Put the pictures themselves into the lines of a teacher's pictures."""
    for picture_row in picture_rows:
        picture_path = picture_files.picture_path(picture_folder, picture_row["name"])
        picture_row["webp_base64"] = None
        if picture_path.is_file():
            picture_row["webp_base64"] = base64.b64encode(picture_path.read_bytes()).decode()


@router.post("/me/deletions")
async def delete_account(request: RequestDep) -> Response:
    """Gone, after the password (or, for a guest, the tick) says that it is meant."""
    if not request.form.text("sure"):
        return await data_page(request, Refused("先勾上“我想好了”。", "sure"))
    matched_hash = None
    try:
        with suppress(NotFound):  # a guest has no password
            matched_hash = await proven_hash(request, "password", "密码不对，什么也没有删。")
        leaves_results = await request.write(my_data.delete_me, matched_hash, request.now)
    except (Refused, Throttled) as error:
        return await data_page(request, error)
    done_url = "/me?done=deletion"
    if leaves_results:
        done_url += "&stays=class"
    http_response = request.redirect(done_url)
    return cookies.forget_sign_in(request.http, http_response, cookies.CLASS_MEMBERSHIP_COOKIE)
