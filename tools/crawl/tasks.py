"""The crawls and walks, each at a site of its own with records of its own."""

import re
import shutil
import time
from collections.abc import Callable

from .lesson_walk import walk_lessons
from .links import STRANGE_ADDRESSES, Crawl
from .page_lines import without_chance
from .plan import Plan
from .posts import send_forms
from .process import COMMANDS, Clock, command_outputs, running_site
from .school_walk import School
from .visitors import (
    OTHER_TEACHER,
    PUPIL,
    STEP_SECONDS,
    TEACHER,
    AnswerRecord,
    Visitor,
    become_guest,
    sign_in,
)

SIGN_INS: dict[str, Callable[[Visitor], None]] = {
    "teacher": lambda visitor: sign_in(visitor, TEACHER),
    "pupil": lambda visitor: sign_in(visitor, PUPIL),
    "other-teacher": lambda visitor: sign_in(visitor, OTHER_TEACHER),
    "guest": become_guest,
    "nobody": lambda _: None,
}
TASKS = (
    "walk-lessons",
    "walk-lessons-htmx",
    "teacher",
    "pupil",
    "other-teacher",
    "guest",
    "nobody",
    "walk-school",
    "walk-school-htmx",
)


def perform(plan: Plan, task: str) -> tuple[str, list[AnswerRecord], float]:
    """One crawl or walk, at a site of its own with records of its own."""
    begun = time.monotonic()
    data = plan.work / f"data-{task}"
    shutil.copytree(plan.data, data)
    clock = Clock(plan.work / f"clock-{task}", plan.moment)
    outputs = command_outputs(plan, data, clock) if "school" in task else []
    with running_site(plan, task, "serve", data, clock) as port:
        if task.startswith("walk-"):
            records = walk(plan, task, port, clock, outputs)
        else:
            records = crawl_as(plan, task, port, clock)
    return task, records, time.monotonic() - begun


def crawl_as(plan: Plan, role: str, port: int, clock: Clock) -> list[AnswerRecord]:
    visitor = Visitor(role, port, clock)
    SIGN_INS[role](visitor)
    crawl = Crawl(visitor, plan)
    crawl.run(["/", *STRANGE_ADDRESSES])
    if role in plan.thoroughness.senders:
        visitor.step_seconds = STEP_SECONDS
        send_forms(crawl)
    return visitor.records


def walk(plan: Plan, task: str, port: int, clock: Clock, outputs: list[str]) -> list[AnswerRecord]:
    htmx = task.endswith("-htmx")
    if "lessons" in task:
        visitor = Visitor("guest", port, clock, htmx, STEP_SECONDS)
        walk_lessons(visitor, plan)
        return visitor.records
    records = []
    for command, output in zip(COMMANDS, outputs, strict=True):
        lines = [without_folders(line, plan) for line in output.splitlines()]
        records.append(AnswerRecord(f"python -m app {' '.join(command)}", lines))
    teacher, colleague, pupil, guest = (
        Visitor(name, port, clock, htmx, STEP_SECONDS, records=records)
        for name in ("teacher", "colleague", "pupil", "guest")
    )
    invitations = [invitation_address(output) for output in outputs[:2]]
    School(teacher, colleague, pupil, guest, *invitations).run()
    return records


def invitation_address(output: str) -> str:
    """The address that a command names."""
    match = re.search(r"/invitations/\S+", output)
    return match[0] if match else "/invitations/none"


def without_folders(line: str, plan: Plan) -> str:
    """A line of a command; folders of this crawl and this machine's addresses have no place in it."""
    line = re.sub(re.escape(str(plan.work)) + r"/[\w-]+", "<data>", line).replace(str(plan.tree), "<tree>")
    return without_chance(re.sub(r"http://[0-9.:]+/", "http://<address>/", line))
