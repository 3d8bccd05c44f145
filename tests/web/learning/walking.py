"""Going through a section, step by step."""

from tests.web.cast import Reader


def begin(guest: Reader, stage: str, section: str) -> None:
    """Come to the second step of a section."""
    guest.open(f"/lessons/{stage}/{section}")
    guest.go_on()


def walk(guest: Reader, stage: str, section: str, steps: int) -> None:
    """Past the last step of a section. Nobody looks at the pages between."""
    path = f"/lessons/{stage}/{section}/places"
    for step in range(2, steps + 2):
        response = guest.client.post(path, data={"step": step, "next": "/"}, follow_redirects=False)
        assert response.status_code == 303
