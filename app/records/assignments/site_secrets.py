"""The secret of a site, from which the numbers of its assignments come. The migration makes it."""

from sqlalchemy import bindparam, update

from app.records.assignments.rows import NUMBERS, SECRET
from app.records.assignments.tables import SiteSecret
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession

SET_SECRET = Prepared(
    update(table(SiteSecret)).where(SECRET.name == bindparam("secret_name")), keys=("value",)
)


def replace(session: VerbSession, new_secret: str) -> None:
    """Another secret, in hexadecimal, for a site on which nothing is assigned yet: a demonstration has the
    same numbers at every start."""
    session.run(SET_SECRET, secret_name=NUMBERS, value=new_secret)
