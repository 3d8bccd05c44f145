"""The kinds of steps, one module each.

A new kind: copy a neighbour and name it here; `app/web/learning/step_views.py` and a template present it.
"""

from typing import Annotated

from pydantic import Field

from app.course.learning.steps.ask import Ask
from app.course.learning.steps.base import Step
from app.course.learning.steps.cards import CardsStep
from app.course.learning.steps.code import CodeStep
from app.course.learning.steps.example import ExampleStep
from app.course.learning.steps.figure import DifferencesFigure, Figure
from app.course.learning.steps.game import GameStep
from app.course.learning.steps.lab import Lab, WorkbenchLab
from app.course.learning.steps.play import ToyStep
from app.course.learning.steps.recap import Recap
from app.course.learning.steps.say import Say

AnyLab = Annotated[Lab | WorkbenchLab, Field(discriminator="lab")]
AnyFigure = Annotated[Figure | DifferencesFigure, Field(discriminator="figure")]
AnyStep = Annotated[
    Say | Ask | ExampleStep | AnyFigure | CardsStep | CodeStep | AnyLab | GameStep | ToyStep | Recap,
    Field(discriminator="kind"),
]

__all__ = [
    "AnyStep",
    "Ask",
    "CardsStep",
    "CodeStep",
    "DifferencesFigure",
    "ExampleStep",
    "Figure",
    "GameStep",
    "Lab",
    "Recap",
    "Say",
    "Step",
    "ToyStep",
    "WorkbenchLab",
]
