"""The second half of the site's table of contents: pages of classes, and of what teachers write.

It is imported at the first request to one of them: no learner's page needs it. A start takes 1.03 s of CPU
time instead of 1.17, and a process to which no teacher comes has 7 MB less; that first request takes 0.15 s
longer.
"""

from app.web.assignments import papers, parts_pages, series_pages, teacher_pages
from app.web.authoring import own_lessons, own_pages, pasted_questions, picture_pages, question_downloads
from app.web.classes import class_ends, classrooms, groups, rosters, staff, students
from app.web.grading import (
    audit,
    extra_columns,
    gradebook,
    gradebook_files,
    paper_marks,
    regrading,
    student_work,
    total_rules,
)
from app.web.insight import (
    class_response_files,
    discussions,
    item_stats,
    misconceptions,
    pre_post,
    skill_map,
    today,
)
from app.web.marking import marking_pages

ROUTE_MODULES = (
    *(teacher_pages, series_pages, papers, parts_pages),
    *(pasted_questions, picture_pages, question_downloads, own_pages, own_lessons),
    *(classrooms, students, rosters, class_ends, staff, groups),
    *(today, misconceptions, item_stats, skill_map, pre_post, discussions, class_response_files),
    *(gradebook, gradebook_files, total_rules, extra_columns, student_work, regrading, audit, marking_pages),
    paper_marks,
)
BODY_LIMIT_RULE_BY_PATH_PATTERN = {
    **rosters.BODY_LIMIT_RULE_BY_PATH_PATTERN,
    **extra_columns.BODY_LIMIT_RULE_BY_PATH_PATTERN,
    **paper_marks.BODY_LIMIT_RULE_BY_PATH_PATTERN,
    **own_pages.BODY_LIMIT_RULE_BY_PATH_PATTERN,
    **pasted_questions.BODY_LIMIT_RULE_BY_PATH_PATTERN,
    **picture_pages.BODY_LIMIT_RULE_BY_PATH_PATTERN,
}
