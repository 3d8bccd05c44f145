"""HEAD, as monitors and `curl -I` send it: the same answer without its body."""

import pytest
from starlette.testclient import TestClient


@pytest.mark.parametrize("path", ["/", "/healthz", "/lessons/concepts", "/nowhere"])
def test_head_answers_as_get_without_the_body(client: TestClient, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert head.status_code == get.status_code
    assert head.headers["content-type"] == get.headers["content-type"]
    assert head.content == b""
