"""Going through a section, step by step."""

from tests.web.cast import Reader


def walk(guest: Reader, stage: str, section: str, steps: int) -> None:
    """Past the last step of a section."""
    for step in range(2, steps + 2):
        guest.post(f"/lessons/{stage}/{section}/places", [("step", str(step)), ("next", "/")])
