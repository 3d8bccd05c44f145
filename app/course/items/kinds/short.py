"""简答题: a reason in a few words. Nobody marks it: the learner holds it against checkpoints."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from app.course.items.kinds.base import Item
from app.course.items.kinds.form_fields import TextField, hint_rows, item_form
from app.course.items.marks import Mark, Unreadable
from app.course.text.model_base import Text


class Short(Item):
    """Any words will do; then come checkpoints to tick, and a model answer. It is never scored."""

    WORD = "简答"
    FORM = item_form(hint_rows("checkpoints", "要点", 5), TextField("model", "参考答案"))
    kind: Literal["short"]
    checkpoints: list[Text] = Field(min_length=1, max_length=5)
    model: Text

    def _judge(self, raw: Sequence[str]) -> Mark:
        text = "\n".join(raw).strip()
        if not text:
            raise Unreadable("这里还空着。写几个字就行，写得不完整也没关系，写完再来对照。")
        return Mark("right", text)

    def solution(self) -> list[str]:
        points = [f"要提到：{checkpoint}" for checkpoint in self.checkpoints]
        return [*points, f"连起来说：{' '.join(self.model.split())}"]
