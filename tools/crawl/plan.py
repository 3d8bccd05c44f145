"""What is crawled, and how thoroughly."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


class Thoroughness(NamedTuple):
    """How many pages of a pattern, of relatives of a pattern, of all; the same for forms; sections walked;
    and the visitors who send the forms that they find."""

    samples: int
    relatives: int
    most_pages: int
    form_samples: int
    form_relatives: int
    sections: int
    senders: tuple[str, ...]


QUICK = Thoroughness(
    samples=1,
    relatives=12,
    most_pages=350,
    form_samples=1,
    form_relatives=5,
    sections=1,
    senders=("teacher", "pupil"),
)
THOROUGH = Thoroughness(
    samples=8,
    relatives=200,
    most_pages=1500,
    form_samples=2,
    form_relatives=30,
    sections=9,
    senders=("teacher", "pupil", "other-teacher", "guest"),
)


@dataclass(frozen=True)
class Plan:
    """The site, its records and its clock; how many of each kind are asked for."""

    tree: Path
    python: str
    data: Path
    work: Path
    moment: float
    thoroughness: Thoroughness
