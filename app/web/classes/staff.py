"""和谁一起教: who helps in a class, the links that invite them, and the page behind such a link."""

from starlette.responses import Response

from app.records.classes.rights import DESCRIPTION_BY_ROLE, INVITED_ROLES, WORD_BY_ROLE
from app.records.db.errors import Refused
from app.records.people import class_staff, security_log
from app.web.classes.classrooms import CLASSROOM_ADDRESS, ClassDep, ClassRequest
from app.web.site import cookies
from app.web.site.requests import CallerRequest, RequestDep, RowId, site_url
from app.web.site.routing import LazyRouter

router = LazyRouter()
STAFF_ADDRESS = CLASSROOM_ADDRESS + "/staff"


@router.get(STAFF_ADDRESS)
async def show(request: ClassDep) -> Response:
    """Who teaches the class, for all who do; its teacher invites here."""
    return await staff_page(request)


async def staff_page(
    request: ClassRequest, link_url: str = "", role: str = "", error_sentence: str = ""
) -> Response:
    """The page. `link_url`: an invitation that was just made, shown this once, and for which `role`."""
    staff_data = await request.read(class_staff.load_staff, request.now)
    return request.page(
        "classes/staff",
        title=f"和谁一起教：{staff_data.classroom.name}",
        classroom=staff_data.classroom,
        staff_data=staff_data,
        link=link_url,
        role=role,
        roles=INVITED_ROLES,
        words=WORD_BY_ROLE,
        rules=DESCRIPTION_BY_ROLE,
        error_sentence=error_sentence,
    )


@router.post(STAFF_ADDRESS + "/invitations")
async def invite_helper(request: ClassDep) -> Response:
    """A link for one person. The page that follows shows it, this once: so it is no redirect."""
    role = request.form.text("role")
    try:
        invitation_token = await request.write(class_staff.create_role_token, role, request.now)
    except Refused as error:
        return await staff_page(request, error_sentence=str(error))
    security_log.write_line("staff-invited", classroom=request.classroom_id)
    return await staff_page(request, f"{site_url(request.http)}/staff/{invitation_token}", role)


@router.post(STAFF_ADDRESS + "/withdrawals")
async def withdraw_invitations(request: ClassDep) -> Response:
    """All links that nobody has used are void."""
    await request.write(class_staff.withdraw_links)
    return request.redirect_within("/staff")


@router.post(STAFF_ADDRESS + "/departures")
async def leave_staff(request: ClassDep) -> Response:
    """Whoever helps goes by themselves."""
    try:
        await request.write(class_staff.leave_staff, request.now)
    except Refused as error:
        return await staff_page(request, error_sentence=str(error))
    return cookies.renew_sign_in(request.http, request.redirect("/classrooms"))


@router.post(STAFF_ADDRESS + "/{role_id}/removals")
async def remove_helper(request: ClassDep, role_id: RowId) -> Response:
    """Somebody does not help any more."""
    await request.write(class_staff.remove_staff_member, role_id, request.now)
    return request.redirect_within("/staff")


@router.get("/staff/{token}")
async def show_offer(request: RequestDep, token: str) -> Response:
    """What an open link offers."""
    return await offer_page(request, token)


async def offer_page(request: CallerRequest, token: str, error_sentence: str = "") -> Response:
    """The page; `error_sentence`: why the role was not taken."""
    invited_class, visitor = await request.read(class_staff.load_offer_and_visitor, token, request.now)
    return request.page(
        "classes/staff_offer",
        is_signed_in=visitor.is_signed_in,
        page="class",
        title=f"一起教{invited_class.class_name}",
        offer=invited_class,
        visitor=visitor,
        token=token,
        words=WORD_BY_ROLE,
        rules=DESCRIPTION_BY_ROLE,
        error_sentence=error_sentence,
    )


@router.post("/staff/{token}/acceptances")
async def accept_offer(request: RequestDep, token: str) -> Response:
    """The account that is here takes the role."""
    try:
        invited_class = await request.write(class_staff.accept_role, token, request.now)
    except Refused as error:
        return await offer_page(request, token, str(error))
    classroom_id = invited_class.classroom_id
    if not invited_class.is_taken:
        security_log.write_line("staff-joined", classroom=classroom_id, address=request.client_address)
    return cookies.renew_sign_in(request.http, request.redirect(f"/classrooms/{classroom_id}"))
