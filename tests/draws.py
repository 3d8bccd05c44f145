"""What the app draws for itself, the same at every run: a test that fails once fails until it is mended.

Seeds of exercises, of assignments and of groups come from `secrets.randbelow`.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest


@contextmanager
def draws_of(name: str) -> Iterator[None]:
    """The same draws each time for this name, and others for another one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "randbelow", Random(name).randrange)
        yield
