"""The kinds of steps, one module each. A new kind: copy a neighbour, name it here, give it a template."""

from typing import Annotated

from pydantic import Field

from app.course.steps.ask import Ask
from app.course.steps.base import Step
from app.course.steps.cards import Cards
from app.course.steps.code import CodeStep
from app.course.steps.example import ExampleStep
from app.course.steps.figure import Figure
from app.course.steps.game import GameStep
from app.course.steps.lab import Lab
from app.course.steps.recap import Recap
from app.course.steps.say import Say

AnyStep = Annotated[
    Say | Ask | ExampleStep | Figure | Cards | CodeStep | Lab | GameStep | Recap, Field(discriminator="kind")
]

__all__ = [
    "AnyStep",
    "Ask",
    "Cards",
    "CodeStep",
    "ExampleStep",
    "Figure",
    "GameStep",
    "Lab",
    "Recap",
    "Say",
    "Step",
]
