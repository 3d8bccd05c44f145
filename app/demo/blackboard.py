"""The picture that 王老师 has sent: how far down a class reads, as it stood on the blackboard."""

from datetime import datetime
from pathlib import Path

from app.course.authoring.pictures import picture_line
from app.records.accounts.values import Caller
from app.records.authoring import picture_files, pictures
from app.records.authoring.picture_files import Folder
from app.records.authoring.pictures import NewPicture
from app.records.db.session import VerbSession

WEBP = Path(__file__).with_name("blackboard.webp")
WIDTH, HEIGHT = 640, 400
ALT = "黑板上的柱形图：搜出来5条，40位同学里点开第1名的有36人，第2名24人，第3名15人，第4名8人，第5名5人"


def hang(session: VerbSession, teacher: Caller, folder: Folder, sent_at: datetime) -> str:
    """Keep it among the teacher's pictures; the line that shows it in a text."""
    webp = WEBP.read_bytes()
    name = pictures.name_of(pictures.naming_key(session, teacher), webp, WIDTH, HEIGHT)
    picture_files.keep(folder, name, webp)
    pictures.add(session, teacher, [NewPicture(name, len(webp))], sent_at)
    return picture_line(ALT, name)
