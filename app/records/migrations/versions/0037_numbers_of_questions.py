"""The number of a question of own content never comes again

A new question got the number behind the last in the text; of one that was deleted before, the answers are
kept under its number, and were taken for answers to the new one. The last number is now kept with the text:
the highest in it, or in what was answered or assigned and is in the text no more.

Revision ID: 0037
Revises: 0036
Create Date: 2026-11-30
"""

import re
from collections import defaultdict

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

QUESTION_IN_TEXT_PATTERN = re.compile(r"""(?<![\w-])q([0-9]{1,6})["']?\s*:""")
QUESTION_REF_PATTERN = re.compile(r"own-([0-9]{1,15}):q([0-9]{1,6})")
REFERRING_COLUMNS = (("item_version", "item"), ("assignment_part", "ref"))
"""Where a question of own content is named: `own-42:q7`."""


def upgrade() -> None:
    op.add_column(
        "own_course", sa.Column("last_item_number", sa.Integer(), nullable=False, server_default="0")
    )
    connection = op.get_bind()
    own_course = sa.table("own_course", sa.column("id"), sa.column("text"), sa.column("last_item_number"))
    last_number_by_id = last_numbers_of_refs(connection)
    for own_content_id, content_text in connection.execute(sa.select(own_course.c.id, own_course.c.text)):
        numbers_in_text = map(int, QUESTION_IN_TEXT_PATTERN.findall(content_text))
        last_number_by_id[own_content_id] = max(last_number_by_id[own_content_id], *numbers_in_text, 0)
    for own_content_id, last_number in last_number_by_id.items():
        is_content = own_course.c.id == own_content_id
        connection.execute(sa.update(own_course).where(is_content).values(last_item_number=last_number))


def last_numbers_of_refs(connection: sa.Connection) -> defaultdict[int, int]:
    """The highest number of a question that is named, by the number of its own content."""
    last_number_by_id = defaultdict[int, int](int)
    for table_name, column_name in REFERRING_COLUMNS:
        column = sa.column(column_name, sa.String)
        refs_query = sa.select(column).select_from(sa.table(table_name, column)).distinct()
        for ref in connection.execute(refs_query.where(column.startswith("own-"))).scalars():
            if ref_match := QUESTION_REF_PATTERN.fullmatch(ref):
                own_content_id, number = map(int, ref_match.groups())
                last_number_by_id[own_content_id] = max(last_number_by_id[own_content_id], number)
    return last_number_by_id


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
