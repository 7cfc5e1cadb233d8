"""Searches of a store with hits shown, in CPU time of one core: `Store.search` as it is called.

Documents are Markdown of some hundred blocks, made of the paragraphs of the five corpora, with
metadata; vectors are drawn by the texts' hashes; questions are those of Chroma's report. After a
write, the first search takes in what changed. Quotes are verified in the same store, and in one
whose texts are old versions mostly. One document is 3 MB large, with and without letters beyond
ASCII. What is printed is Markdown.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before NumPy is loaded

import numpy as np
from index_parts import questions_of
from lib.importers import DIMS, Counting
from lib.table import Table, duration, say, versions
from store import documents_of

import chunkwright as cw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

BLOCKS = 100  # of a document, about
CHARS_OF_BLOCK = 560
LARGE = 3_000_000  # characters of the large document
TEAMS = 20
OLD_DOCUMENTS, OLD_VERSIONS = 200, 20
EMBEDDER = Counting()
WORDS, BOTH = cw.Retriever(), cw.Retriever(embedder=EMBEDDER)
VECTORS = cw.Retriever(words=False, embedder=EMBEDDER)


def main() -> None:
    """Print a row for each kind of search."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=60)
    arguments = parser.parse_args()
    questions = questions_of(arguments.questions)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kb.db"
        with cw.Store.open(path, embedder=EMBEDDER) as store:
            texts = documents_of(arguments.blocks // BLOCKS, BLOCKS * CHARS_OF_BLOCK)
            store.add(list(_read(texts)), metadata=_metadata)
        with cw.Store.open(path, embedder=EMBEDDER) as store:
            n_blocks = sum(each.n_blocks for each in store.documents())
            say(
                f"{versions('numpy')}. {len(texts):,} documents, {n_blocks:,} blocks of {DIMS} "
                f"dimensions in SQLite, {path.stat().st_size / 1e6:,.0f} MB."
            )
            _searches(store, questions)
            _after_writes(store, questions)
        _quotes(path, questions)
        _old_quotes(Path(folder), questions)
        _large(Path(folder), questions)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say(f"Peak memory of all that: {peak:,.0f} MB.")


def _read(texts: dict[str, str]) -> Iterable[cw.Document]:
    return (cw.read(text.encode(), name=name) for name, text in texts.items())


def _metadata(uri: str) -> dict[str, Any]:
    return {"team": f"team {sum(uri.encode()) % TEAMS}"}


def _searches(store: cw.Store, questions: list[str]) -> None:
    table = Table("search", "hits", "median", "95 % within")
    for name, retriever in (("words", WORDS), ("vectors", VECTORS), ("both", BOTH)):
        store.search(questions[0], 1, retriever=retriever)
        for k in (1, 5, 20):
            table.row(name, k, *_times(store, questions, k=k, retriever=retriever))
    found = [store.search(question, 5, retriever=BOTH) for question in questions]
    scores = [hit.score for hits in found for hit in hits]
    floor, gate = float(np.quantile(scores, 0.1)), float(np.quantile(scores, 0.9))
    for name, asked in (
        ("both, one team of 20", {"where": {"metadata": {"team": "team 3"}}}),
        ("both, floor and gate", {"floor": floor, "gate": gate}),
        ('both, `expand="section"`', {"expand": "section"}),
    ):
        table.row(name, 5, *_times(store, questions, k=5, retriever=BOTH, **asked))


def _times(store: cw.Store, questions: Iterable[str], **asked: Any) -> tuple[str, str]:
    return _shown([_timed(partial(store.search, each, **asked)) for each in questions])


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _shown(seconds: list[float]) -> tuple[str, str]:
    return duration(median(seconds)), duration(float(np.quantile(seconds, 0.95)))


def _after_writes(store: cw.Store, questions: list[str]) -> None:
    """Measure the first search after a document of 3 blocks was added, edited and removed."""
    waiting = cycle(questions)
    seconds: dict[str, list[float]] = {"added": [], "edited": [], "removed": []}
    middle = [each.uri for each in store.documents()]
    middle = middle[len(middle) // 2 :][:10]
    store.search(questions[0], 5)
    for number, uri in enumerate(middle):
        text = "\n\n".join(f"## Part {part}\n\nNew words of {number}." for part in range(3))
        store.add(cw.read(text.encode(), name=f"new-{number}.md"))
        seconds["added"].append(_timed(partial(store.search, next(waiting), 5)))
        store.edit(store.blocks(uri)[5].id, f"Written by hand for {number}.")
        seconds["edited"].append(_timed(partial(store.search, next(waiting), 5)))
        store.remove(uri)
        seconds["removed"].append(_timed(partial(store.search, next(waiting), 5)))
    say("The first search by both after a write of one document, 5 hits.")
    table = Table("after a document was", "median", "95 % within")
    for name, values in seconds.items():
        table.row(name, *_shown(values))


def _quotes(path: Path, questions: list[str]) -> None:
    """Measure `verify`: the first call after a store is opened, and the next."""
    say("Quotes that `verify` looks for: the first one after a store is opened, and others.")
    table = Table("the quote", "first", "others, median", "95 % within")
    with cw.Store.open(path) as store:
        uris = [each.uri for each in store.documents()]
        step = max(1, len(uris) // len(questions))
        texts = [store.document(uri).text for uri in uris[::step]]
    true = [text[at : text.index(".", at + 80)] for text in texts for at in [text.index(". ") + 2]]
    for name, quotes in (
        ("stands nowhere", questions),
        ("stands in a document", true),
        ("is one with a word in its middle altered", [_altered(each) for each in true]),
    ):
        table.row(name, *_verified(path, quotes))


def _old_quotes(folder: Path, questions: list[str]) -> None:
    """Measure `verify` where most texts are old versions, each with another last sentence."""
    say(f"The same in {OLD_DOCUMENTS} documents of 10 kB, in {OLD_VERSIONS} versions each.")
    table = Table("the quote", "first", "others, median", "95 % within")
    texts = documents_of(OLD_DOCUMENTS, 10_000)
    path = folder / "versions.db"
    old = {name: f"It was said of {name} in the beginning." for name in texts}
    with cw.Store.open(path) as store:
        for version in range(OLD_VERSIONS):
            more = old if version == 0 else dict.fromkeys(texts, f"This is version {version}.")
            store.add(
                list(_read({name: f"{text}\n\n{more[name]}" for name, text in texts.items()}))
            )
    table.row("stands nowhere", *_verified(path, questions))
    table.row("stands in old versions only", *_verified(path, list(old.values())[: len(questions)]))


def _altered(quote: str) -> str:
    words = quote.split()
    return " ".join([*words[: len(words) // 2], "otherwise", *words[len(words) // 2 + 1 :]])


def _verified(path: Path, quotes: list[str]) -> tuple[str, ...]:
    with cw.Store.open(path, read_only=True) as store:
        first, *others = [_timed(partial(store.verify, each)) for each in quotes]
    return duration(first), *_shown(others)


def _large(folder: Path, questions: list[str]) -> None:
    say("The first hit in a document of 3 MB, by words, 5 hits; then with others of it.")
    table = Table("its letters", "first search with a hit", "others, median")
    (text,) = documents_of(1, LARGE).values()
    for name, source in (
        ("ASCII", text.encode("ascii", "replace").decode()),
        ("beyond it", text.replace("e", "é")),
    ):
        with cw.Store.open(folder / f"{name}.db") as store:
            store.add(cw.read(source.encode(), name="large.md"))
            store.search("zyxwv", 5)
            asked = questions if source.isascii() else [q.replace("e", "é") for q in questions]
            first = _timed(partial(store.search, asked[0], 5))
            others = [_timed(partial(store.search, each, 5)) for each in asked[1:]]
            table.row(name, duration(first), duration(median(others)))


if __name__ == "__main__":
    main()
