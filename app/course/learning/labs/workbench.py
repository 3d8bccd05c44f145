"""The workbench in a lesson: where it begins, in the words of its address."""

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from app.course.text.model_base import ContentPart, GainName
from app.course.workbench.state import StateReading, read_state

MOST_DOCUMENTS = 12
"""Documents; more are no glance on a phone."""
Line = Annotated[str, StringConstraints(min_length=1, max_length=300, strip_whitespace=True)]


class WorkbenchStart(ContentPart):
    """Where the workbench begins: the fields of its address, `list` as it would be pasted."""

    list: Annotated[str, StringConstraints(min_length=1, max_length=600)]
    k: int | None = Field(default=None, ge=1, le=1000)
    gain: GainName = "linear"
    pool: Line | None = None
    convention: Line | None = None
    versus: Line | None = None

    @property
    def state_reading(self) -> StateReading:
        """The state of the workbench."""
        texts_by_field: dict[str, Sequence[str]] = {"list": [self.list], "gain": [self.gain]}
        if self.k is not None:
            texts_by_field["k"] = [f"{self.k}"]
        for field_name in ("pool", "convention", "versus"):
            pasted_text = getattr(self, field_name)
            if pasted_text is not None:
                texts_by_field[field_name] = [pasted_text]
        return read_state(texts_by_field)

    @model_validator(mode="after")
    def _can_be_read(self) -> Self:
        state_reading = self.state_reading
        for fault_sentence in state_reading.fault_by_field.values():
            raise ValueError(fault_sentence)
        for line_fault in state_reading.pasted_list.faults:
            raise ValueError(f"list第{line_fault.line_number}行：{line_fault.fault_words}")
        if len(state_reading.state.documents) > MOST_DOCUMENTS:
            raise ValueError(f"课文里的一列最多{MOST_DOCUMENTS}篇：手机上还看得清")
        return self
