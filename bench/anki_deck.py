"""Runs with Anki's own Python: `python anki_deck.py <collection> <cards> <reviews>` prints p50 in ms."""

import json
import sys
import time
from statistics import median
from typing import Any

GOOD = 3 - 1
"""The third of four ratings, counted from nought."""


def main(path: str, cards: int, reviews: int) -> None:
    from anki.collection import Collection

    collection: Any = Collection(path)
    fill(collection, cards)
    wait_seconds = []
    answer_seconds = []
    for _ in range(reviews):
        wait, answer = review_card(collection)
        wait_seconds.append(wait)
        answer_seconds.append(answer)
    collection.close()
    print(json.dumps({"next": 1000 * median(wait_seconds), "answer": 1000 * median(answer_seconds)}))


def fill(collection: Any, cards: int) -> None:
    """A deck of so many cards, as many of them a day as one likes."""
    from anki.collection import AddNoteRequest

    deck = collection.decks.id("bench")
    model = collection.models.by_name("Basic")
    notes = []
    for number in range(cards):
        note = collection.new_note(model)
        note.fields = [f"front {number}", f"back {number}"]
        notes.append(AddNoteRequest(note, deck))
    collection.add_notes(notes)
    config = collection.decks.config_dict_for_deck_id(deck)
    config["new"]["perDay"] = config["rev"]["perDay"] = 9999
    collection.decks.update_config(config)
    collection.decks.set_current(deck)


def review_card(collection: Any) -> tuple[float, float]:
    """Seconds until the next card is there, and until its answer is written."""
    begun_at = time.perf_counter()
    queued = collection.sched.get_queued_cards(fetch_limit=1).cards[0]
    drawn_at = time.perf_counter()
    card = collection.get_card(queued.card.id)
    card.start_timer()
    answer = collection.sched.build_answer(card=card, states=queued.states, rating=GOOD)
    collection.sched.answer_card(answer)
    return drawn_at - begun_at, time.perf_counter() - drawn_at


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
