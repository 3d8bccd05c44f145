"""A busy machine must not fail a law of arithmetic: no deadline for hypothesis here."""

from hypothesis import settings

settings.register_profile("tangxu", deadline=None)
settings.load_profile("tangxu")
