"""The database as a server: PostgreSQL behind the same two calls, for several processes and machines.

Nothing here is imported by a site whose records lie in an SQLite file, except the look at its address.
"""

SCHEMES = ("postgresql://", "postgresql+psycopg://", "postgres://")


def is_postgres(url: str) -> bool:
    """Whether an address names a PostgreSQL database.

    >>> is_postgres("postgresql://teacher:secret@db/tangxu"), is_postgres("sqlite:///tangxu.db")
    (True, False)
    """
    return url.startswith(SCHEMES)
