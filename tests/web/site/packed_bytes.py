"""Packed pages, to compare."""

import re


def without_time(html: str) -> str:
    """A page may be asked for in two seconds that follow each other."""
    return re.sub(r'name="shown" value="[0-9]+"', "", html)
