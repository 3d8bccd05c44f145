"""The servers and the cases: ours beside the limit, on the same guests."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

from app import course
from app.settings import root
from bench import guests, traffic
from bench.goals import BUSY_CONNECTIONS
from bench.machine import cores, memory_mb
from bench.rounds import Case, MeasuredSite, Results, measured, turns
from bench.servers import Server, bare, ours
from bench.traffic import Guest, Request, Scene
from bench.visiting import page_ms

CONNECTIONS = (1, BUSY_CONNECTIONS)
READERS, WRITERS = 1000, 800
"""Guests who read the page, and guests who write in one slice: enough that none runs out of things to do."""
RETURNING = 200
"""So many of those who read come back to a page that they have seen; the others look for the first time."""


@dataclass(frozen=True)
class LoadFigures:
    """What the load showed: figures of each case, and the memory of our server before and after."""

    results: Results
    idle_mb: float
    loaded_mb: float


def all_loads(folder: Path, rounds: int, seconds: int) -> LoadFigures:
    """Make the guests, start both servers, measure."""
    scene = load_scene()
    pinned = cores()
    slices = len(list(turns(CONNECTIONS, rounds)))
    everybody = guests.make(scene, folder / "ours", READERS + WRITERS * slices)
    readers = everybody[:READERS]
    copy_database(folder / "ours", folder / "bare")
    with ExitStack() as stack:
        site = stack.enter_context(ours(folder / "ours", pinned and pinned[0]))
        keep_bodies(site, scene, readers[0], folder / "bare")
        tag = tag_of(site, traffic.shared_pages(readers[:1])[0])
        limit = stack.enter_context(bare(folder / "bare", pinned and pinned[0]))
        idle_mb = memory_mb(site.pid)
        writers = after_a_look(site, scene, guests.blocks(everybody[READERS:], WRITERS))
        results = measured(
            cases(scene, tag, MeasuredSite(site, folder / "ours"), MeasuredSite(limit, folder / "bare")),
            readers,
            writers,
            connections=CONNECTIONS,
            rounds=rounds,
            seconds=seconds,
            scratch_folder=folder,
        )
        return LoadFigures(results, idle_mb, memory_mb(site.pid))


def load_scene() -> Scene:
    course_or_faults = course.load_course(root() / "content")
    if isinstance(course_or_faults, course.Faults):
        raise course_or_faults
    return traffic.choose_scene(course_or_faults)


def cases(scene: Scene, tag: str, site: MeasuredSite, limit: MeasuredSite) -> list[Case]:
    """In the order of the table; ours and its limit stand side by side. `tag`: of the page for all."""
    page = partial(traffic.pages, scene)
    plain = partial(traffic.pages, scene, encoding="")
    returning = slice(None, RETURNING)
    newcomers = slice(RETURNING, None)
    reveal = partial(traffic.reveals, scene)
    answer = partial(traffic.answers, scene)
    return [
        Case("课文页的极限", limit, page),
        Case("课文页", site, page, readers=returning, comes_back=True),
        Case("课文页，第一次", site, partial(traffic.first_pages, scene), readers=newcomers),
        Case("不压缩的极限", limit, plain),
        Case("课文页，不压缩", site, plain, readers=returning, comes_back=True),
        Case("人人一样的页的极限", limit, traffic.shared_pages),
        Case("人人一样的页", site, traffic.shared_pages),
        Case("人人一样的页，304", site, partial(traffic.shared_pages, tag=tag)),
        Case("翻开的极限", limit, reveal, "reveal"),
        Case("翻开一项", site, reveal, "reveal"),
        Case("回答的极限", limit, answer, "response"),
        Case("回答", site, answer, "response"),
        Case("回答，带下一题", site, partial(traffic.practised, scene), "response"),
        Case("复习一张闪卡", site, partial(traffic.reviews, scene), "review_log"),
        Case("静态文件", site, traffic.static),
        Case("健康检查", site, traffic.health),
    ]


def after_a_look(site: Server, scene: Scene, blocks: Sequence[Sequence[Guest]]) -> Iterator[Sequence[Guest]]:
    """The guests who write in a slice, once each has seen a page, as whoever sends a form from one: what the
    first request of a browser's day costs is part of 课文页，第一次."""
    for block in blocks:
        for guest in block:
            page_ms(site, guest.token, scene.path)
        yield block


def copy_database(source: Path, target: Path) -> None:
    target.mkdir(parents=True)
    with (
        closing(sqlite3.connect(source / "tangxu.db")) as ours_file,
        closing(sqlite3.connect(target / "tangxu.db")) as bare_file,
    ):
        bare_file.execute("PRAGMA journal_mode=WAL")
        ours_file.backup(bare_file)


def keep_bodies(site: Server, scene: Scene, guest: Guest, folder: Path) -> None:
    """Keep what our site answers to one request of each case: the limit sends the same bytes."""
    guests = [guest]
    requests = {
        "page": traffic.pages(scene, guests)[0],
        "plain": traffic.pages(scene, guests, encoding="")[0],
        "shared": traffic.shared_pages(guests)[0],
        "reveal": traffic.reveals(scene, guests)[0],
        "answer": traffic.answers(scene, guests)[0],
    }
    for name, request in requests.items():
        (folder / f"{name}.body").write_bytes(answer_body(site, request))


def answer_body(site: Server, request: Request) -> bytes:
    return body_and_tag(site, request)[0]


def tag_of(site: Server, request: Request) -> str:
    """What the site calls the page as it is now."""
    return body_and_tag(site, request)[1]


def body_and_tag(site: Server, request: Request) -> tuple[bytes, str]:
    """The body of an answer, and its tag."""
    headers = {"Cookie": f"tangxu={request.token}", "Accept-Encoding": request.encoding}
    if request.fields:
        headers["HX-Request"] = "true"
    form = request.form.encode() or None
    with urlopen(HttpRequest(site.url + request.path, form, headers), timeout=10) as response:
        return response.read(), response.headers.get("etag", "")
