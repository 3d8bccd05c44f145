"""学成单: one sheet of paper that says what was done. It counts work, and marks nobody."""

from collections.abc import Sequence

from starlette.responses import Response

from app.records.accounts import learners
from app.records.practice import learner_pages
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter
from app.web.start_page import StageProgress, course_progress

router = LazyRouter()


@router.get("/progress/certificate")
async def show(request: RequestDep) -> Response:
    """The sheet, ready to be printed; before the first section is done, what is missing."""
    course = request.site.course
    visitor = await request.read(learners.load_visitor)
    progress_page_data = await request.read(learner_pages.load_progress_page, course, request.now)
    progress = course_progress(course, progress_page_data.progress)
    name_on_sheet = visitor.account.login if visitor.account else ""
    held_skill_states = [
        skill_state
        for skill_state in progress_page_data.skill_state_by_skill_id.values()
        if skill_state.is_mastered
    ]
    return request.page(
        "learning/certificate",
        is_signed_in=visitor.is_signed_in,
        page="certificate",
        title="学成单",
        learner_name=name_on_sheet,
        today=progress_page_data.today,
        progress=progress,
        stages=stages_finished_first(progress.stages),
        held_skill_states=held_skill_states,
    )


def stages_finished_first(stage_progresses: Sequence[StageProgress]) -> list[StageProgress]:
    """The stages in which a section is done, those that are complete before the others."""
    begun_stages = [
        stage_progress for stage_progress in stage_progresses if stage_progress.stage_view.done_section_count
    ]
    return sorted(begun_stages, key=lambda stage_progress: stage_progress.stage_view.state != "done")
