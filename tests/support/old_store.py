"""Store that version 0.2.0 wrote, kept as a file, and what it answered.

`tests/data/stores/0.2.0.db` was made by this module with chunkwright 0.2.0, whose tables are of
version 1, and is never made again: ``python -m tests.support.old_store FOLDER`` writes such a file,
and the answers beside it, with the code that it runs with. The last answer, what becomes of an
import again, is that of a copy.

Some answers are those of later versions, which find what 0.2.0 did not: words that were written by
hand are found, what was edited is superseded, cosines are standardised before words are added, and
texts that differ in a number are all shown. So :func:`told` says the same of any two stores of the
same history, to compare the migrated one with one that is made now.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import chunkwright as cw
from chunkwright.store.store import Store
from tests.support.stores import VOCABULARY, Words, documents

DATA = Path(__file__).parents[1] / "data" / "stores"
DATABASE, ANSWERS = DATA / "0.2.0.db", DATA / "0.2.0.json"
N_DOCUMENTS = 3
QUESTIONS = ("harbour and engine", "copper ledger of winter", "Größe", "the same everywhere")
QUOTES = ("The same everywhere.", "Written by a hand that knows better.", "Nobody has said this.")
_ID = re.compile(r"\b[0-9a-f]{32}\b")
LETTER = "# Letter\n\nThe {} needs a new roof by spring.\n\nIt is built of stone and wood.\n"


def make(store: Store) -> None:
    """Import documents in versions, with metadata; cite, edit, remove, and link duplicates."""
    store.add(documents(N_DOCUMENTS, 0), metadata={"team": "red", "year": 2024, "share": 0.25})
    store.add(letters("mill", "barn"), metadata={"final": True, "note": None})
    for uri in ("report-0.md", "report-1.md", "letter-mill"):
        for number, block in enumerate(store.blocks(uri)[:3]):
            store.cite(block.id, None if number else block.text[:24].strip(), by="an answer")
    store.edit(store.blocks("report-0.md")[2].id, "Written by a hand that knows better.")
    store.add(documents(N_DOCUMENTS, 1), metadata={"team": "blue"})
    store.add(documents(N_DOCUMENTS - 1, 2))
    store.add(letters("shed"))
    store.cite(store.blocks("letter-shed")[0].id)
    store.remove(["letter-shed", "letter-barn"])
    store.link_duplicates(0.6)
    store.calibrate({"What needs a new roof?": "The mill needs a new roof"})
    store.note("embedder", "none")


def letters(*subjects: str) -> list[cw.Document]:
    """Return a letter about each subject."""
    return [
        cw.read(LETTER.format(each).encode(), name=f"letter-{each}", kind="markdown")
        for each in subjects
    ]


def imported_again(store: Store) -> list[list[Any]]:
    """Import what is known, and what is new; return what became of each document."""
    reports = [*store.add(documents(N_DOCUMENTS, 2)), *store.add(letters("mill", "shed"))]
    return [
        [each.uri, each.outcome, list(each.kept), list(each.new), each.n_embedded]
        for each in reports
    ]


def answers(store: Store) -> dict[str, Any]:
    """Return what a store says of itself, as JSON has it."""
    uris = [each.uri for each in store.documents()]
    found: dict[str, Any] = {
        "documents": [asdict(each) for each in store.documents()],
        "versions": [asdict(each) for uri in uris for each in store.versions(uri)],
        "texts": {uri: store.document(uri).text for uri in uris},
        "blocks": [asdict(each) for uri in uris for each in store.blocks(uri)],
        "chunks": {uri: store.chunks(uri).texts() for uri in uris},
        "rows": list(store.rows()),
        "edits": [asdict(each) for each in store.edits()],
        "citations": [asdict(each) for each in store.citations()],
        "resolved": [_resolved(store, each.id) for each in store.citations()],
        "verified": [[each, _verified(store, each)] for each in QUOTES],
        "hits": [[each, _hits(store, each)] for each in QUESTIONS],
        "models": [asdict(each) for each in store.models()],
        "note": store.note("embedder"),
    }
    return dict(json.loads(json.dumps(found)))


def told(store: Store) -> dict[str, Any]:
    """Return what a store says of itself, whatever the ids and the hour of what it holds.

    Ids are told by the numbers of their first occurrences, citations in the order of what they
    cite; many questions are asked, and answered with scores.
    """
    cited = {each.id: each for each in store.citations()}
    in_order = sorted(cited, key=lambda each: (cited[each].document, cited[each].quote))
    found = answers(store) | {
        "citations": [asdict(cited[each]) | {"created_at": ""} for each in in_order],
        "resolved": [_resolved(store, each) for each in in_order],
        "scores": [_scores(store, each) for each in _questions(40)],
    }
    for version in found["versions"]:
        version |= {"created_at": "", "fingerprint": ""}
    numbers: dict[str, str] = {}
    text = json.dumps(found, ensure_ascii=False)
    by_number = re.sub(_ID, lambda of: numbers.setdefault(of[0], f"id {len(numbers)}"), text)
    return dict(json.loads(by_number))


def _questions(n: int) -> list[str]:
    chance = random.Random(n)
    words = (*VOCABULARY, "the", "same", "everywhere", "added", "version", "2", "roof", "hand")
    return [" ".join(chance.choices(words, k=chance.randint(1, 5))) for _ in range(n)]


def _scores(store: Store, question: str) -> list[list[Any]]:
    hits = store.search(question, k=12, floor=0.0, gate=0.0)
    return [[each.document, each.block, round(each.score, 5)] for each in hits]


def _resolved(store: Store, citation: str) -> list[Any]:
    found = store.resolve(citation)
    place = found.place
    return [citation, found.status, found.cited.text, place and place.text, place and place.block]


def _verified(store: Store, quote: str) -> list[Any]:
    found = store.verify(quote)
    places = [[each.document, each.version, each.start, each.end] for each in found.places]
    return [found.verdict, found.is_current, places]


def _hits(store: Store, question: str) -> list[list[Any]]:
    filtered = store.search(question, where={"metadata": {"team": "blue"}}, floor=0.0, gate=0.0)
    return [
        [each.document, each.block, each.text, each.line_start, each.line_end, [*each.pages]]
        for each in [*store.search(question, floor=0.0, gate=0.0), *filtered]
    ]


def main(folder: Path) -> None:
    """Write a store and its answers."""
    with Store.open(folder / DATABASE.name, embedder=Words()) as store:
        make(store)
        found = answers(store)
    with closing(sqlite3.connect(folder / DATABASE.name)) as connection:
        for statement in ("PRAGMA journal_mode = DELETE", "PRAGMA page_size = 1024", "VACUUM"):
            connection.execute(statement)
    copy = folder / "copy.db"
    shutil.copy(folder / DATABASE.name, copy)
    with Store.open(copy, embedder=Words()) as store:
        found["imported again"] = imported_again(store)
    copy.unlink()
    (folder / ANSWERS.name).write_text(json.dumps(found, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
