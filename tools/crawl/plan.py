"""What is crawled, and how thoroughly."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Plan:
    """The site, its records and its clock; how many of each kind are asked for."""

    tree: Path
    python: str
    data: Path
    work: Path
    moment: float
    samples: int
    relatives: int
    most_pages: int
    form_samples: int
    form_relatives: int
    sections: int
    senders: tuple[str, ...]
    """The visitors who send the forms that they find."""


def sample_sizes(*, quick: bool) -> dict[str, Any]:
    """How many pages of a pattern, of relatives of a pattern, of all; the same for forms; sections walked."""
    small = {
        "samples": 1,
        "relatives": 12,
        "most_pages": 350,
        "form_samples": 1,
        "form_relatives": 5,
        "sections": 1,
    }
    large = {
        "samples": 8,
        "relatives": 200,
        "most_pages": 1500,
        "form_samples": 2,
        "form_relatives": 30,
        "sections": 9,
    }
    senders = ("teacher", "pupil") if quick else ("teacher", "pupil", "other-teacher", "guest")
    return (small if quick else large) | {"senders": senders}
