"""Runs with Anki's own Python: import packages one after the other, tell what is then in the collection.

`python anki_import.py <collection> <package>…` prints JSON: what each import did, and all notes at the end.
"""

import json
import sys
from typing import Any


def main(collection: str, packages: list[str]) -> None:
    from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

    col: Any = Collection(collection)
    imports = []
    for package in packages:
        options = ImportAnkiPackageOptions(merge_notetypes=True)
        request = ImportAnkiPackageRequest(package_path=package, options=options)
        log = col.import_anki_package(request).log
        imports.append(
            {name: len(getattr(log, name)) for name in ("new", "updated", "duplicate", "conflicting")}
        )
    notes = [col.get_note(note_id) for note_id in col.find_notes("")]
    notes_and_cards = [
        {
            "fields": dict(note.items()),
            "tags": note.tags,
            "deck": col.decks.name(note.cards()[0].did),
            "question": note.cards()[0].question(),
        }
        for note in notes
    ]
    problems, fine = col.fix_integrity()
    col.close()
    print(json.dumps({"imports": imports, "notes": notes_and_cards, "fine": fine, "problems": problems}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
