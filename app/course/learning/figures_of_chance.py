"""Figures of chance in texts: what stage 8 prints of differences, of tests, and of plans for them."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from app.course.text.model_base import ContentPart
from app.engine import significance


class DifferencesValue(ContentPart):
    """A named figure of the differences between two systems, new minus old, query by query.

    `share`, for the ends of a bootstrap interval: how many of the resamples lie in it.
    """

    quantity: Literal[
        "sign_test", "randomisation_test", "mean_difference", "deviation", "standard_error",
        "interval_low", "interval_high",
    ]  # fmt: skip
    differences: list[float] = Field(min_length=2)
    share: float = Field(default=0.95, gt=0, lt=1)

    @model_validator(mode="after")
    def _check_computable(self) -> Self:
        self.figure()
        return self

    def figure(self) -> float:
        """The number itself."""
        if self.quantity == "interval_low":
            return significance.bootstrap_interval(self.differences, self.share).low
        if self.quantity == "interval_high":
            return significance.bootstrap_interval(self.differences, self.share).high
        return FIGURE_BY_QUANTITY[self.quantity](self.differences)


FIGURE_BY_QUANTITY: Mapping[str, Callable[[list[float]], float]] = {
    "sign_test": significance.sign_test,
    "randomisation_test": significance.randomisation_test,
    "mean_difference": significance.mean_difference,
    "deviation": significance.deviation,
    "standard_error": significance.standard_error,
}


class PlanValue(ContentPart):
    """A named figure of a plan: how many queries or people it takes, how often chance raises an alarm."""

    quantity: Literal["smallest_p", "at_least_one", "power", "queries_needed", "people_needed"]
    queries: int | None = Field(default=None, ge=1)
    tests: int | None = Field(default=None, ge=1)
    effect: float | None = Field(default=None, gt=0)
    """The true mean difference."""
    deviation: float | None = Field(default=None, gt=0)
    """Of single queries."""
    share: float | None = Field(default=None, gt=0, lt=1)
    """Of the people who do it today."""
    change: float | None = Field(default=None, gt=0)
    """Of that share."""

    @model_validator(mode="after")
    def _has_its_fields(self) -> Self:
        _, *needed_field_names = PLAN_AND_FIELDS_BY_QUANTITY[self.quantity]
        written_field_names = self.model_fields_set - {"quantity"}
        if written_field_names != set(needed_field_names):
            raise ValueError(f"{self.quantity}要写{'、'.join(needed_field_names)}，别的不写")
        self.figure()
        return self

    def figure(self) -> float:
        """The number itself."""
        figure_of, *field_names = PLAN_AND_FIELDS_BY_QUANTITY[self.quantity]
        value_by_argument = {field_name: getattr(self, field_name) for field_name in field_names}
        return float(figure_of(**value_by_argument))


PLAN_AND_FIELDS_BY_QUANTITY: Mapping[str, tuple[Any, *tuple[str, ...]]] = {
    "smallest_p": (significance.smallest_p, "queries"),
    "at_least_one": (significance.at_least_one, "tests"),
    "power": (significance.power, "queries", "effect", "deviation"),
    "queries_needed": (significance.queries_needed, "effect", "deviation"),
    "people_needed": (significance.people_needed, "share", "change"),
}
"""Each plan with what it takes."""
