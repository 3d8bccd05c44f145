"""A line from the teacher on the page of a class, until a day; another one takes its place."""

from datetime import datetime, timedelta

from app.course.text.typed import single_spaced_name
from app.records.accounts.values import Caller
from app.records.classes import class_log, classrooms
from app.records.classes.classrooms import IS_THIS_CLASS
from app.records.classes.tables import Classroom
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.db.statements import prepared_update

LONGEST_NOTICE = 200
NOTICE_DAYS = (1, 3, 7, 30)
"""For how long a line may stand; whoever wants it for longer writes it again."""
USUAL_NOTICE_DAYS = 7

SET_NOTICE = prepared_update(Classroom, IS_THIS_CLASS, ["notice", "notice_until"])


def set_notice(
    session: VerbSession, caller: Caller, classroom_id: int, notice_line: str, day_count: int, now: datetime
) -> None:
    """The line for so many days from now; an empty one takes it away. Refused for one that is too long."""
    classroom = classrooms.editable_class(session, caller, classroom_id)
    notice_line = checked_notice(notice_line)
    shown_until = None
    if notice_line:
        if day_count not in NOTICE_DAYS:
            raise Refused("通知挂几天？从下面选一个。")
        shown_until = now + timedelta(days=day_count)
    session.run(SET_NOTICE, classroom=classroom.id, notice=notice_line, notice_until=shown_until)
    former_notice = classroom.current_notice(now)
    if notice_line != former_notice:
        class_log.add_line(session, classroom, "notice", {"text": [former_notice, notice_line]}, now)


def checked_notice(typed_notice: str) -> str:
    """A line as it is kept; Refused says what is wrong with another.

    >>> checked_notice(" 周五  小测 ")
    '周五 小测'
    """
    notice_line = single_spaced_name(typed_notice, 10 * LONGEST_NOTICE)
    if len(notice_line) > LONGEST_NOTICE:
        raise Refused(f"通知最多{LONGEST_NOTICE}个字，现在有{len(notice_line)}个。")
    if not notice_line.isprintable():
        raise Refused("通知里有看不见的符号，删掉再发。")
    return notice_line


def fitting_day_count(shown_until: datetime | None, now: datetime) -> int:
    """The least of `NOTICE_DAYS` that does not cut short a line which stands until then; the usual one
    where none stands.

    >>> now = datetime(2026, 9, 4)
    >>> [fitting_day_count(datetime(2026, 9, day), now) for day in (3, 5, 12, 30)]
    [7, 1, 30, 30]
    >>> fitting_day_count(datetime(2026, 10, 5), now)
    30
    """
    if shown_until is None or shown_until <= now:
        return USUAL_NOTICE_DAYS
    fitting_day_counts = [
        day_count for day_count in NOTICE_DAYS if now + timedelta(days=day_count) >= shown_until
    ]
    return min(fitting_day_counts, default=max(NOTICE_DAYS))  # none where the clock was set back since
