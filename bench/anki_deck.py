"""Runs with Anki's own Python: `python anki_deck.py <collection> <cards> <reviews>` prints p50 in ms."""

import json
import sys
import time
from statistics import median
from typing import Any


def main(path: str, cards: int, reviews: int) -> None:
    from anki.collection import AddNoteRequest, Collection

    col: Any = Collection(path)
    deck = col.decks.id("bench")
    model = col.models.by_name("Basic")
    notes = []
    for number in range(cards):
        note = col.new_note(model)
        note.fields = [f"front {number}", f"back {number}"]
        notes.append(AddNoteRequest(note, deck))
    col.add_notes(notes)
    config = col.decks.config_dict_for_deck_id(deck)
    config["new"]["perDay"] = config["rev"]["perDay"] = 9999
    col.decks.update_config(config)
    col.decks.set_current(deck)
    upcoming, answers = [], []
    for _ in range(reviews):
        began = time.perf_counter()
        queued = col.sched.get_queued_cards(fetch_limit=1).cards[0]
        then = time.perf_counter()
        card = col.get_card(queued.card.id)
        card.start_timer()
        col.sched.answer_card(col.sched.build_answer(card=card, states=queued.states, rating=3 - 1))
        upcoming.append(then - began)
        answers.append(time.perf_counter() - then)
    col.close()
    print(json.dumps({"next": 1000 * median(upcoming), "answer": 1000 * median(answers)}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
