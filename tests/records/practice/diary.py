"""A learner's practice, written day by day."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from app.records.accounts.values import Caller
from app.records.learning import responding
from app.records.learning.values import Answer, AttemptKey
from app.records.practice import learner_pages, notebook, overview
from app.records.practice.item_practice import load_item_practice
from app.records.practice.learner_pages import ProgressPageData
from app.records.practice.notebook import NotebookData
from app.records.practice.overview import PracticeData, SkillMapData
from app.records.practice.recent_answers import RecentAnswer
from tests.published import published
from tests.records.cast import XIAOTANG, XIAOXU, Desk

MORNING = datetime(2026, 9, 7, 1, 0, tzinfo=UTC)  # nine o'clock in Shanghai


TANG, XU = (
    Caller(XIAOTANG.proposed_token, XIAOTANG.proposed_token),
    Caller(XIAOXU.proposed_token, XIAOXU.proposed_token),
)


COURSE = published()


@dataclass
class Told:
    """A course that takes the word of the test: `+`, `-`, `half` (right, but the tutor filled some)."""

    misconception_code: str | None = None

    def mark(self, _item: str, _seed: int, raw: tuple[str, ...], _tries: int, _before: object) -> "Told":
        self.raw = raw[0]
        return self

    @property
    def verdict(self) -> Literal["right", "wrong"]:
        return "wrong" if self.raw == "-" else "right"

    @property
    def score(self) -> float:
        return {"+": 1.0, "-": 0.0}.get(self.raw, 0.5)

    @property
    def understood_answer(self) -> str:
        return self.raw

    def version_hash_and_body(self, item: str, _seed: int) -> tuple[str, str]:
        return f"{item}-1", "{}"


@dataclass
class Diary:
    """Somebody who answers, a minute after the other."""

    desk: Desk
    who: Caller = TANG
    now: datetime = MORNING
    seed: int = 0

    def sleep(self, days: int = 1) -> "Diary":
        self.now += timedelta(days=days)
        return self

    def variant(self, name: str, *tries: str, hints: int = 0, mistake: str | None = None) -> "Diary":
        """A new variant such as `dcg-2`."""
        self.seed += 1
        target = AttemptKey(source="practice", ref=f"content:practice-{name}-{self.seed}", seed=self.seed)
        return self.answer(target, f"practice-{name}", *tries, hints=hints, mistake=mistake)

    def once(self, item: str, *tries: str) -> "Diary":
        """A fixed item, once more."""
        self.seed += 1
        ref = f"content:item-{item}.{self.seed}"
        return self.answer(AttemptKey(source="practice", ref=ref, seed=self.seed), item, *tries)

    def answer(
        self, target: AttemptKey, item: str, *tries: str, hints: int = 0, mistake: str | None = None
    ) -> "Diary":
        ref = f"content:{item}"
        for position in range(1, hints + 1):
            self.desk.write(responding.open_next_hint, self.who, target, ref, position, self.now)
        for number, result in enumerate(tries, 1):
            self.now += timedelta(minutes=1)
            if result == "shown":
                self.desk.write(responding.show_solution, self.who, target, ref, number, Told(), self.now)
            else:
                response = Answer(ref, number, (result,))
                self.desk.write(responding.respond, self.who, target, response, Told(mistake), self.now)
        return self

    def look(self, point: str | None = None) -> PracticeData:
        return self.desk.read(
            overview.load_practice, Caller(self.who.proposed_token), COURSE, self.now, point
        )

    def guessed_answer(self) -> RecentAnswer | None:
        caller = Caller(self.who.proposed_token)
        item_practice = self.desk.read(load_item_practice, caller, COURSE, self.now, "practice-dcg-1")
        return item_practice.guessed_answer

    def progress(self) -> ProgressPageData:
        return self.desk.read(
            learner_pages.load_progress_page,
            Caller(self.who.proposed_token),
            COURSE,
            self.now,
            reads_streak=True,
        )

    def skill_map(self) -> SkillMapData:
        return self.desk.read(overview.load_skill_map, Caller(self.who.proposed_token), COURSE, self.now)

    def mistakes(self, kind: str = "") -> NotebookData:
        return self.desk.read(notebook.load_notebook, Caller(self.who.proposed_token), COURSE, self.now, kind)

    def state(self, point: str) -> str:
        return self.look().skill_state_by_skill_id[point].mastery
