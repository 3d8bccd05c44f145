"""What a class did, written straight into the tables: assignments, passes, answers, at any moment.

For tests of what a teacher sees; how it comes into the tables is tested elsewhere.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from app.records.accounts.learners import token_hash
from tests.other_program import other_program

BODY = '{"kind": "unknown"}'


def stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


@dataclass
class Term:
    """A class in a database. Times are `now` plus minutes, so that histories read as they happened."""

    classroom: int
    now: datetime
    connection: Any

    def at(self, minutes: float) -> str:
        return stamp(self.now + timedelta(minutes=minutes))

    def insert(self, into: str, /, **values: Any) -> int:
        """A row; returns its key."""
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        cursor = self.connection.execute(
            f"INSERT INTO {into} ({columns}) VALUES ({marks}) RETURNING *",
            tuple(values.values()),
        )
        key = cursor.fetchone()[0]
        return key if isinstance(key, int) else 0

    def student(self, name: str, joined: float = -10_000) -> int:
        """A student with an account; returns the place in the class."""
        learner = self.insert("learner", created_at=self.at(joined), time_zone="Asia/Shanghai")
        self.insert(
            "account",
            learner_id=learner,
            login=f"{name}{learner}",
            login_key=f"{name}{learner}",
            password_hash="x",
            teacher=False,
            created_at=self.at(joined),
        )
        return self.enrol(learner, name, joined)

    def enrol(self, learner: int, name: str, joined: float) -> int:
        return self.insert(
            "enrolment",
            classroom_id=self.classroom,
            learner_id=learner,
            name=name,
            name_key=name,
            number="",
            joined_at=self.at(joined),
        )

    def learner(self, place: int) -> int:
        learner_id: int = self.connection.execute(
            "SELECT learner_id FROM enrolment WHERE id = ?", (place,)
        ).fetchone()[0]
        return learner_id

    def assignment(self, parts: Sequence[tuple[str, str, int, int]], **own: Any) -> int:
        """`parts`: kind, ref, level, count. Published an hour ago, due in a day, unless `own` says else."""
        plain = {
            "classroom_id": self.classroom,
            "title": "作业",
            "note": "",
            "seed": 7,
            "everyone": True,
            "opens_at": self.at(-60),
            "due_at": self.at(24 * 60),
            "late_factor": 1.0,
            "passes": 1,
            "tries": 0,
            "hints": True,
            "answers": "at_once",
            "counts": "best",
            "created_at": self.at(-120),
            "published_at": self.at(-60),
        }
        assignment_id = self.insert("assignment", **(plain | own))
        for position, (kind, ref, level, count) in enumerate(parts, 1):
            self.insert(
                "assignment_part",
                assignment_id=assignment_id,
                position=position,
                kind=kind,
                ref=ref,
                level=level,
                count=count,
                same=False,
                points=1.0,
            )
        return assignment_id

    def begin(self, assignment: int, place: int, minutes: float, number: int = 1) -> int:
        """A pass; returns its attempt."""
        attempt = self.insert(
            "attempt",
            learner_id=self.learner(place),
            source="assignment",
            ref=f"assignment-{assignment}",
            round=number,
            seed=7,
            created_at=self.at(minutes),
        )
        self.insert(
            "submission",
            attempt_id=attempt,
            assignment_id=assignment,
            enrolment_id=place,
            number=number,
            started_at=self.at(minutes),
            collected=False,
            factor=1.0,
            parts="{}",
        )
        return attempt

    def practise(self, place: int, ref: str, minutes: float) -> int:
        """A pass of practice that nobody assigned."""
        return self.insert(
            "attempt",
            learner_id=self.learner(place),
            source="practice",
            ref=ref,
            round=1,
            seed=7,
            created_at=self.at(minutes),
        )

    def hand_in(self, attempt: int, minutes: float, points: float = 1.0, total: float = 1.0) -> None:
        self.connection.execute(
            "UPDATE submission SET handed_in_at = ?, points = ?, total = ? WHERE attempt_id = ?",
            (self.at(minutes), points, total, attempt),
        )

    def answer(
        self,
        attempt: int,
        item: str,
        minutes: float,
        verdict: str = "wrong",
        raw: Sequence[str] = ("1",),
        body: str = BODY,
        **own: Any,
    ) -> int:
        """One more try at a question."""
        tried = self.connection.execute(
            "SELECT count(*) FROM response WHERE attempt_id = ? AND item = ?", (attempt, item)
        ).fetchone()[0]
        learner, classroom, source = self.connection.execute(
            "SELECT learner_id, classroom_id, source FROM attempt"
            " LEFT JOIN submission ON attempt_id = attempt.id"
            " LEFT JOIN assignment ON assignment.id = assignment_id WHERE attempt.id = ?",
            (attempt,),
        ).fetchone()
        if not tried and (source != "assignment" or classroom):
            self.insert(
                "first_try_count",
                learner_id=learner,
                classroom_id=classroom,
                item=item.partition("#")[0],
                tried=1,
                clean=int(verdict == "right" and not own.get("hints")),
                last_at=self.at(minutes),
            )
        return self.insert(
            "response",
            **{
                "learner_id": learner,
                "attempt_id": attempt,
                "item": item,
                "try_number": tried + 1,
                "raw": json.dumps(list(raw), ensure_ascii=False),
                "value": " ".join(raw),
                "verdict": verdict,
                "score": float(verdict == "right"),
                "hints": 0,
                "seconds": 30,
                "item_version": self.version(body),
                "created_at": self.at(minutes),
            }
            | own,
        )

    def version(self, body: str) -> str:
        name = f"v{abs(hash(body))}"
        self.connection.execute(
            "INSERT INTO item_version (hash, item, body, created_at) VALUES (?, 'item', ?, ?)"
            " ON CONFLICT DO NOTHING",
            (name, body, self.at(-1)),
        )
        return name

    def save(self, attempt: int, item: str, minutes: float) -> None:
        """An answer that may be changed until it is handed in."""
        self.connection.execute(
            "INSERT INTO saved_answer (attempt_id, item, raw, saved_at) VALUES (?, ?, '[\"1\"]', ?)"
            " ON CONFLICT (attempt_id, item) DO UPDATE SET raw = excluded.raw, saved_at = excluded.saved_at",
            (attempt, item, self.at(minutes)),
        )

    def report(self, place: int, item: str, text: str, page: str = "/") -> None:
        self.insert(
            "problem_report",
            learner_id=self.learner(place),
            item=item,
            text=text,
            page=page,
            created_at=self.at(-1),
        )


def class_of(where: Path | str, token: str, name: str, now: datetime) -> int:
    """A class with a teacher of its own, who is signed in by a token."""
    with term(where, 0, now) as write:
        learner = write.insert("learner", created_at=write.at(-9), time_zone="Asia/Shanghai")
        keys = {"login": token, "login_key": token, "password_hash": "x", "teacher": True}
        write.insert("account", learner_id=learner, created_at=write.at(-9), **keys)
        hidden = token_hash(token)
        write.insert("sign_in", learner_id=learner, token_hash=hidden, created_at=write.at(-9))
        return write.insert(
            "classroom", teacher_id=learner, name=name, created_at=write.at(-9), code=hidden[:6].upper()
        )


@contextmanager
def term(where: Path | str, classroom: int, now: datetime) -> Iterator[Term]:
    """Write into a class of a file or a server; everything is there when the block ends."""
    with other_program(where) as connection:
        yield Term(classroom, now, connection)
