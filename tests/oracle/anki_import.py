"""Runs with Anki's own Python: import packages one after the other, tell what is then in the collection.

`python anki_import.py <collection> <package>…` prints JSON: what each import did, all notes at the end, and
the text files that Anki makes of them.
"""

import json
import sys
from pathlib import Path
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
    texts = [text_of(col, Path(f"{collection}.txt"), with_html) for with_html in (True, False)]
    problems, fine = col.fix_integrity()
    col.close()
    report = {"imports": imports, "notes": notes_and_cards, "texts": texts, "fine": fine}
    print(json.dumps(report | {"problems": problems}))


def text_of(col: Any, file: Path, with_html: bool) -> str:
    """All notes as text, by what Anki's dialog has ticked at first, or without HTML."""
    col.export_note_csv(
        out_path=str(file),
        limit=None,
        with_html=with_html,
        with_tags=True,
        with_deck=False,
        with_notetype=False,
        with_guid=False,
    )
    return file.read_text("utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
