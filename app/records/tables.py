"""All tables at once, for what looks at the whole database: migrations, exports, tests.

They share one database: a verb is one transaction, and most read or write several tables.
Each table stands in its room beside the verbs that write it. Everything hangs on a learner; the logs
(response, reveal, hint, review_log) are only added to. `ref`, `stage` and `item` are qualified names of
content (`content:concepts`), not keys: content is in files.
"""

from app.records.accounts import tables as accounts
from app.records.activity import tables as activity
from app.records.assignments import tables as assignments
from app.records.authoring import tables as authoring
from app.records.cards import tables as cards
from app.records.classes import tables as classes
from app.records.games import tables as games
from app.records.grading import tables as grading
from app.records.items import tables as items
from app.records.learning import tables as learning
from app.records.people import tables as people

TABLE_MODULES = (
    accounts,
    activity,
    assignments,
    authoring,
    cards,
    classes,
    games,
    grading,
    items,
    learning,
    people,
)
"""The modules that declare tables."""
