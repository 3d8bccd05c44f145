"""What all pages share: rendered fragments are made once, and the longest unused makes room."""

from dataclasses import replace

from fastapi import FastAPI

from app.course.content.recently_used import RecentlyUsed
from app.web.site.site import Site


def test_the_fragment_that_was_used_longest_ago_makes_room(app: FastAPI) -> None:
    site: Site = replace(app.state.site, _fragments=RecentlyUsed(2))
    rendered: list[str] = []

    def render(key: str) -> str:
        def make() -> str:
            rendered.append(key)
            return f"<p>{key}</p>"

        return site.cached(key, make)

    assert [render(key) for key in ("a", "b", "a")] == ["<p>a</p>", "<p>b</p>", "<p>a</p>"]
    render("c")
    render("a")
    assert rendered == ["a", "b", "c"], "a was used after b, so b made room for c"
    render("b")
    assert rendered == ["a", "b", "c", "b"]
