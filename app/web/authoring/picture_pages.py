"""Pictures for one's own questions: sent from the editor, listed, given up, and shown to who has the address.

The address of a picture is a key, as the link of a lesson is: it stands only in pages that show the item, and
nobody can make it up.
"""

from typing import Annotated

from fastapi import Path
from starlette.responses import FileResponse, Response

from app.course.authoring import pictures as drawing
from app.course.authoring.pictures import RedrawnPicture, UnfitPicture
from app.course.text import untrusted
from app.records.authoring import own_courses, picture_files, pictures
from app.records.authoring.pictures import NewPicture
from app.records.db.errors import NotFound, Refused
from app.records.db.row_ids import row_id
from app.web.authoring import own_editor
from app.web.authoring.own_editor import PictureBox
from app.web.site.posted_forms import form_and_file
from app.web.site.requests import CallerRequest, RequestDep, UnreadRequestDep
from app.web.site.routing import LazyRouter
from app.web.site.security import BodyLimitRule
from app.web.site.site import Site

router = LazyRouter()
PICTURES_ADDRESS = "/own/pictures"
BODY_LIMIT_RULE_BY_PATH_PATTERN = {
    PICTURES_ADDRESS: BodyLimitRule(
        drawing.MOST_UPLOAD_BYTES + 2 * untrusted.LARGEST_FILE + 2**16,
        "这张图太大了，最多4MB：照片缩小一些再传。回到上一页，写的还在。",
    )
}
LONGEST_ALT = 200
PictureName = Annotated[str, Path(pattern="^[0-9a-f]{32}-[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$")]
FOR_EVER_HEADERS = {"cache-control": "private, max-age=31536000, immutable"}
_SAFE_CHARACTER_BY_CODE = str.maketrans({"[": "（", "]": "）", "`": "'", "\\": "＼", "#": "＃", ":": "："})
"""Signs that would end the words of a picture, hide where they end, or mean something in YAML."""
NO_ALT_SENTENCE = "写一句图上有什么：看不见图的人靠它，图打不开的时候大家都靠它。"


@router.get("/pictures/{name}.webp")
async def show(request: RequestDep, name: PictureName) -> Response:
    """A picture, for whoever has its address."""
    picture_path = picture_files.picture_path(folder_of(request.site), name)
    if not picture_path.is_file():
        raise NotFound("没有这张图，也许它已经清掉了。")
    return FileResponse(picture_path, media_type="image/webp", headers=FOR_EVER_HEADERS)


def folder_of(site: Site) -> picture_files.Folder:
    return picture_files.picture_folder_in(site.settings.data)


@router.get(PICTURES_ADDRESS)
async def index(request: RequestDep) -> Response:
    """The pictures that one has sent, and how much they take."""
    own_pictures = await request.read(pictures.load_pictures)
    used_bytes = sum(picture.size_bytes for picture in own_pictures)
    return request.page(
        "authoring/pictures",
        is_signed_in=True,
        page="own",
        title="我的图",
        pictures=own_pictures,
        used_megabytes=used_bytes / pictures.MEGABYTE,
        most_megabytes=pictures.MOST_PICTURE_MEGABYTES,
        removed_count=request.query_number("removed"),
    )


@router.post(PICTURES_ADDRESS)
async def upload_picture(request: UnreadRequestDep) -> Response:
    """Keep a picture; the editor again, with the text as it was and the line that shows the picture."""
    await request.read(own_courses.expect_teacher)  # nobody else's file is even read
    form, posted_file = await form_and_file(request.http)
    request = request.with_form(form)
    own_content_id = row_id(form.text("own"))
    own_content = None
    if own_content_id:
        own_content = await request.read(own_courses.load_own_content, own_content_id)
    posted_text = await own_editor.read_posted_text(request, own_content)
    alt = bracketable_line(form.text("alt"))
    picture_box = PictureBox(alt=alt, is_open=True)
    try:
        picture_markdown = await keep_described_picture(request, alt, posted_file.content)
        picture_box = PictureBox(picture_markdown, is_open=True)
    except Refused as refusal:
        posted_text = posted_text._replace(error_sentence=str(refusal))
    return await own_editor.editor_page(request, posted_text, own_content, form.text("begun"), picture_box)


def bracketable_line(picture_words: str) -> str:
    """What is to be seen on a picture, as it can stand between brackets.

    >>> bracketable_line(" 一条[红]线\\n往下 ")
    '一条（红）线 往下'
    """
    one_line_words = " ".join(picture_words.translate(_SAFE_CHARACTER_BY_CODE).split())
    return one_line_words[:LONGEST_ALT]


async def keep_described_picture(request: CallerRequest, alt: str, file_bytes: bytes) -> str:
    """Keep a picture; the line of Markdown that shows it. Refused without words for what is to be seen."""
    if not alt:
        raise Refused(NO_ALT_SENTENCE)
    redrawn_picture = await request.site.off_loop.run(redraw, file_bytes)
    [picture_name] = await keep_pictures(request, [redrawn_picture])
    return drawing.picture_markdown(alt, picture_name)


def redraw(file_bytes: bytes) -> RedrawnPicture:
    """The picture in a file; Refused for any other file."""
    try:
        return drawing.read(file_bytes)
    except UnfitPicture as error:
        raise Refused(f"{error}。") from error


async def keep_pictures(request: CallerRequest, redrawn_pictures: list[RedrawnPicture]) -> list[str]:
    """The names under which they are kept now: first on the disk, then in the database."""
    naming_key = await request.read(pictures.naming_key)
    picture_folder = folder_of(request.site)
    picture_names = [
        pictures.picture_name_of(naming_key, *redrawn_picture) for redrawn_picture in redrawn_pictures
    ]
    new_pictures = []
    for picture_name, redrawn_picture in zip(picture_names, redrawn_pictures, strict=True):
        new_pictures.append(NewPicture(picture_name, len(redrawn_picture.webp)))
    # What is refused takes no room on the disk.
    await request.read(pictures.checked_new_pictures, new_pictures)
    for picture_name, redrawn_picture in zip(picture_names, redrawn_pictures, strict=True):
        await request.site.off_loop.run(
            picture_files.keep_picture, picture_folder, picture_name, redrawn_picture.webp
        )
    await request.write(pictures.add_pictures, new_pictures, request.now)
    return picture_names


@router.post(PICTURES_ADDRESS + "/removals")
async def remove_unused_pictures(request: RequestDep) -> Response:
    """Give up what stands in no text and in no answered question, without what was just sent."""
    picture_folder = folder_of(request.site)
    spared_picture_names = await request.site.off_loop.run(
        picture_files.picture_names_of_open_texts, picture_folder, request.now
    )
    removed_picture_names = await request.write(pictures.forget_own_unused_pictures, spared_picture_names)
    orphaned_picture_names = removed_picture_names - await request.site.db.read(pictures.all_picture_names)
    an_hour_ago = request.now - picture_files.TIME_FOR_OPEN_TEXT
    await request.site.off_loop.run(
        picture_files.remove_pictures_sent_before, picture_folder, orphaned_picture_names, an_hour_ago
    )
    return request.redirect(f"{PICTURES_ADDRESS}?removed={len(removed_picture_names)}")
