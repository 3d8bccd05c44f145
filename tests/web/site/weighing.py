"""What a page weighs on its way."""

import re
from urllib.parse import urljoin, urlsplit

from starlette.testclient import TestClient

from tests.web.pages import Element, parsed

KILOBYTE = 1024


PACKED = {"Accept-Encoding": "gzip"}


LOADS = {"link": "href", "script": "src", "img": "src", "use": "href", "image": "href"}


RELATIONS = {"stylesheet", "icon", "preload", "manifest"}


def loaded(page: Element) -> list[str]:
    """What a page fetches by itself, each once."""
    addresses = [
        element.get(LOADS[element.tag]).partition("#")[0] for element in page.inside
        if element.tag in LOADS and (element.tag != "link" or element["rel"] in RELATIONS)
    ]  # fmt: skip
    return list(dict.fromkeys(filter(None, addresses)))


def weights(client: TestClient, path: str) -> dict[str, int]:
    """Bytes on the wire for a page and all it loads, also what its style sheets name."""
    weight = {path: size(client, path)}
    waiting = loaded(parsed(client.get(path).text))
    while waiting:
        url = waiting.pop()
        if url not in weight:
            assert url.startswith("/static/"), url
            weight[url] = size(client, url)
            if url.endswith(".css"):
                text = client.get(url).text
                named = re.findall(r"""url\(["']?([^"')]+)""", text) + re.findall(
                    r"""@import\s+["']([^"']+)""", text
                )
                waiting += [
                    urlsplit(urljoin(url, address)).path
                    for address in named
                    if not address.startswith(("data:", "#"))
                ]
    return weight


def size(client: TestClient, url: str) -> int:
    with client.stream("GET", url, headers=PACKED) as response:
        assert response.status_code == 200, url
        body = sum(len(chunk) for chunk in response.iter_raw())
        assert int(response.headers.get("content-length", body)) == body
        return body
