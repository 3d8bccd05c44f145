"""Tables: invitations."""

from datetime import datetime

from sqlmodel import Field

from app.records.db.metadata import StoredRow


class Invitation(StoredRow, table=True):
    """A link that makes one teacher. Only the sha256 of its token is kept."""

    token_hash: str = Field(primary_key=True)
    created_at: datetime
    until: datetime
    used_at: datetime | None = None
