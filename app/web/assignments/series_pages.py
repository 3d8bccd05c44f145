"""One assignment of several classes: begun for all of them, given to more, due for each, left by one."""

from starlette.responses import Response

from app.records.assignments import series
from app.records.assignments.series import ClassPlan
from app.records.db.errors import Refused
from app.web.assignments.assignment_requests import ASSIGNMENT_ADDRESS, TeacherDep
from app.web.assignments.teacher_pages import assignment_page, plans_of_ticked_classes
from app.web.classes.classrooms import classes_page
from app.web.site.clock import read_moment
from app.web.site.posted_forms import PostedForm
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()


@router.post("/series")
async def create_series(request: RequestDep) -> Response:
    """A draft in each class that is ticked on the teacher's home; what there is to do comes next."""
    form = request.form
    title = form.text("title")
    try:
        first_assignment_key = await request.write(
            series.create_drafts, form.ids("class"), title, request.now
        )
    except Refused as error:
        return await classes_page(request, typed_title=title[:80], title_error=str(error))
    return request.redirect(
        f"/classrooms/{first_assignment_key.classroom_id}/assignments/{first_assignment_key.assignment_id}"
    )


@router.post(ASSIGNMENT_ADDRESS + "/series")
async def give_to_classes(request: TeacherDep) -> Response:
    """To the classes that are ticked as well; and the due times of those that have it, each as it stands in
    its field, or one for all."""
    time_zone = request.site.settings.time_zone
    try:
        due_plans = plans_with_changed_due_times(request.form, time_zone)
        class_plans = plans_of_ticked_classes(request.form, time_zone)
        await request.write(series.change_classes, due_plans, class_plans, request.now)
    except Refused as error:
        return await assignment_page(request, error, "series")
    return request.redirect_within("?done=series#series")


def plans_with_changed_due_times(form: PostedForm, time_zone: str) -> list[ClassPlan]:
    """The due time of each class that has the assignment; one that is typed for all holds for each. What
    nobody touched since the page was opened is left out: it may have been changed elsewhere."""
    due_at_for_all = read_moment(form.text("due_all"), time_zone)
    class_plans = []
    for classroom_id in form.ids("member"):
        due_text = form.text(f"due-{classroom_id}")
        seen_due_text = form.text(f"seen_due-{classroom_id}", "unknown")
        if due_at_for_all or due_text != seen_due_text:
            due_at = due_at_for_all or read_moment(due_text, time_zone)
            class_plans.append(ClassPlan(classroom_id, due_at))
    return class_plans


@router.post(ASSIGNMENT_ADDRESS + "/series/departures")
async def leave_series(request: TeacherDep) -> Response:
    """From now on this class has it for itself."""
    await request.write(series.leave_series, request.now)
    return request.redirect_within("?done=departure#settings")
