"""The licences of what is locked: permissive, or named in NOTICE."""

import re
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
NOTICE = (ROOT / "NOTICE").read_text("utf-8")
PERMISSIVE = {
    *("MIT", "MIT License", "MIT-0", "MIT-CMU", "ISC", "ISC License", "Zlib", "CC0-1.0", "PSF-2.0"),
    *("BSD", "BSD License", "0BSD", "BSD-2-Clause", "BSD-3-Clause"),
    *("Apache-2.0", "Apache 2.0", "Apache License", "Apache Software License"),
}


def packages(lock: str) -> list[str]:
    """The packages of a lock that are for this machine."""
    lines = re.findall(r"^([a-z0-9].*?) \\$", (ROOT / lock).read_text("utf-8"), re.MULTILINE)
    requirements = [Requirement(line) for line in lines]
    return sorted(
        {
            requirement.name
            for requirement in requirements
            if requirement.marker is None or requirement.marker.evaluate()
        }
    )


def licence_of(package: str) -> str:
    """What the installed package says of itself, as one expression."""
    metadata = distribution(package).metadata
    classifiers = [line for line in metadata.get_all("Classifier", []) if line.startswith("License")]
    texts = [
        *metadata.get_all("License-Expression", []),
        *(text.partition("\n")[0].strip() for text in metadata.get_all("License", [])),
        " AND ".join(line.rpartition(" :: ")[2] for line in classifiers),
    ]
    return next(filter(None, texts), "")


def is_permissive(licence: str) -> bool:
    """
    >>> is_permissive("MIT AND PSF-2.0"), is_permissive("GPL-3.0-only OR MIT")
    (True, True)
    >>> is_permissive("MIT AND MPL-2.0"), is_permissive(""), is_permissive("LGPL-3.0-only")
    (False, False, False)
    """
    choices = licence.split(" OR ")
    return any(all(part.strip(" ()") in PERMISSIVE for part in choice.split(" AND ")) for choice in choices)


def restricted(lock: str) -> set[str]:
    return {name for name in packages(lock) if not is_permissive(licence_of(name))}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_what_is_not_permissive_is_named(lock: str) -> None:
    assert len(packages(lock)) > 40
    assert [name for name in sorted(restricted(lock)) if f"* {name} (" not in NOTICE] == []


def test_what_serves_has_one_that_is_not_permissive_and_may_be_exchanged() -> None:
    assert {name: licence_of(name) for name in restricted("requirements.lock")} == {
        "frozendict": "LGPL-3.0-only"
    }
