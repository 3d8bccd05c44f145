"""What was sent, what was acknowledged, and what a database file holds of it."""

import json
import sqlite3
import threading
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from app.records.accounts.learners import token_hash
from tests.other_program import other_program


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer of one guest: what a row of `response` or `reveal` must say."""

    guest: str
    """Hash of the guest's token."""
    ref: str
    item: str
    number: int
    raw: str


def answer_entry(token: str, ref: str, item: str, number: int, raw: str) -> Entry:
    return Entry(token_hash(token), ref, item, number, raw)


@dataclass
class Ledger:
    """Filled by many threads. An entry is open from its sending until it is acknowledged or refused."""

    acknowledged: set[Entry] = field(default_factory=set)
    unanswered: set[Entry] = field(default_factory=set)
    refused: set[Entry] = field(default_factory=set)
    turned_away: int = 0
    """Replies of a proxy that reached nobody behind it: as good as none."""
    strange: list[str] = field(default_factory=list)
    """Replies that no fault explains."""
    changed: threading.Condition = field(default_factory=threading.Condition)

    def sent(self, entry: Entry) -> None:
        with self.changed:
            self.unanswered.add(entry)

    def kept(self, entry: Entry) -> None:
        with self.changed:
            self.unanswered.discard(entry)
            self.refused.discard(entry)
            self.acknowledged.add(entry)
            self.changed.notify_all()

    def not_kept(self, entry: Entry) -> None:
        with self.changed:
            self.unanswered.discard(entry)
            self.refused.add(entry)
            self.changed.notify_all()

    def wait_for(self, count: int, seconds: float = 60) -> bool:
        """Until so many were acknowledged, or something strange was said."""
        with self.changed:
            return self.changed.wait_for(
                lambda: bool(self.strange) or len(self.acknowledged) >= count, seconds
            )


STORED = """
    SELECT token_hash, ref, item, try_number, raw FROM response
    JOIN attempt ON attempt.id = attempt_id JOIN sign_in ON sign_in.learner_id = attempt.learner_id
    UNION ALL
    SELECT token_hash, ref, '', position, '' FROM reveal JOIN sign_in USING (learner_id)
"""


def stored(where: Path | str) -> list[Entry]:
    """All answers in a file, or in a database on a server."""
    with other_program(where) as connection:
        rows = connection.execute(STORED).fetchall()
    entries: list[Entry] = []
    for guest, ref, item, number, raw in rows:
        typed = " ".join(json.loads(raw)) if raw else ""
        entries.append(Entry(guest, ref, item, number, typed))
    return entries


def unsound(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        [(integrity,)] = connection.execute("PRAGMA integrity_check(1)").fetchall()
        orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
    lines = [] if integrity == "ok" else [f"integrity_check: {integrity}"]
    if orphans:
        lines.append(f"{len(orphans)} rows point nowhere")
    return lines


def disagreements(ledger: Ledger, where: Path | str) -> list[str]:
    """What was acknowledged and is not stored; stored twice, or without having been asked for."""
    rows = stored(where)
    entries = set(rows)
    perhaps = ledger.unanswered | ledger.refused
    lines = list(ledger.strange)
    if isinstance(where, Path):
        lines += unsound(where)
    lines += complaint("lost", ledger.acknowledged - entries)
    lines += complaint("never sent", entries - ledger.acknowledged - perhaps)
    if len(entries) != len(rows):
        lines.append(f"{len(rows) - len(entries)} kept twice")
    return lines


def complaint(fault: str, entries: Iterable[Entry]) -> list[str]:
    listed = sorted(entries, key=repr)
    if listed:
        return [f"{len(listed)} {fault}, among them {listed[0]}"]
    return []
