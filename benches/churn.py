"""Chunks that an edit makes new, which have to be embedded again: every strategy and the peers.

Each of the five corpora is edited at one place, cut again, and the next edit begins with the corpus
as it was. A chunk is new if none of those before the edit has its text. Edits are:

- sentence: one sentence inserted in front of another, at places spread evenly over the corpus;
- mixed: at random places a word or a sentence inserted, deleted or replaced by one of the corpus.

Strategies over elements get the lines of a corpus as elements, and the same sentence inside one of
them. Semantic strategies have lexical vectors. ``python benches/churn.py`` prints a Markdown table;
a peer that is not installed is left out.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from lib import theirs
from lib.corpus import CORPORA, SEED, corpus
from lib.element_input import Item, items_of_text
from lib.measure import tokens
from lib.table import Table, named_version, say, versions

from chunkwright.chunking import ELEMENT_STRATEGIES, STRATEGIES
from chunkwright.embed import Lexical

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Cut = Callable[[Any], list[str]]
    Edit = Callable[..., Iterator[Any]]

WORD = re.compile(r"\S+\s*")
SENTENCE = re.compile(r"\S[^.!?]*[.!?]+\s*")
INSERTED = "This sentence was not in the document when it was imported. "
ACTIONS = ("insert", "delete", "replace")
COLUMNS = (
    "new chunks, mean",
    "90 % of edits, at most",
    "99 %",
    "most",
    "up to 3",
    "chunks",
    "tokens, mean",
    "deviation",
    "least",
)
FEW = 3  # chunks; the share of edits with at most so many new ones is shown
SEMCHUNK, LANGCHAIN = "semchunk", "langchain"
# Their chunks depend on what a model says.
NEED_MODELS = ("llm",)
PEERS = {SEMCHUNK: "semchunk", LANGCHAIN: "langchain_text_splitters"}
PACKAGES = {SEMCHUNK: "semchunk", LANGCHAIN: "langchain-text-splitters"}


def main() -> None:
    """Print a row for each strategy and each peer."""
    options = _parser().parse_args()
    texts = [corpus(name) for name in CORPORA]
    items = [items_of_text(text) for text in texts]
    say(
        f"{versions()}. {options.edits * len(texts)} edits of the kind `{options.kind}`; chunks "
        f"have at most {options.max_tokens} tokens of cl100k_base."
    )
    table = Table("strategy", *COLUMNS)
    for name in options.only:
        is_text = name not in ELEMENT_STRATEGIES
        documents: list[Any] = texts if is_text else items
        edit = KINDS[options.kind] if is_text else _edited_items
        cut = _peer(name, options.max_tokens) or _strategy(name, options)
        shown = named_version(PACKAGES[name]) if name in PEERS else f"`{name}`"
        table.row(shown, *_figures(cut, documents, partial(edit, n=options.edits)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=KINDS, default="sentence", help="of edits")
    parser.add_argument("--edits", type=int, default=40, help="of each corpus (default: 40)")
    parser.add_argument("--max-tokens", type=int, default=512, help="of a chunk (default: 512)")
    parser.add_argument(
        "--soft-max", type=int, help="what our chunks should have at most, in tokens"
    )
    installed = (name for name, module in PEERS.items() if find_spec(module))
    alone = (name for name in STRATEGIES if name not in NEED_MODELS)
    names = (*alone, *installed, *ELEMENT_STRATEGIES)
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="STRATEGY")
    return parser


def _strategy(name: str, asked: argparse.Namespace) -> Cut:
    options: dict[str, Any] = {"max_tokens": asked.max_tokens, "soft_max": asked.soft_max}
    if name == "by_similarity":  # has no embedder unless it is given one
        options["embedder"] = Lexical()
    kinds: dict[str, Any] = {**STRATEGIES, **ELEMENT_STRATEGIES}
    strategy = kinds[name](**options)
    return lambda document: [chunk.text for chunk in strategy(document)]


def _peer(name: str, max_tokens: int) -> Cut | None:
    if name == LANGCHAIN:
        return theirs.langchain("tokens", max_tokens, 0)
    return theirs.semchunk(max_tokens) if name == SEMCHUNK else None


def _edited_at_sentences(text: str, n: int) -> Iterator[str]:
    """Yield the text with one sentence more, at `n` places in turn."""
    starts = [match.start() for match in SENTENCE.finditer(text)]
    for at in _spread(starts, n):
        yield text[:at] + INSERTED + text[at:]


def _edited_anyhow(text: str, n: int) -> Iterator[str]:
    """Yield the text with one random edit, `n` times, the same ones in every run."""
    choose = random.Random(SEED)  # noqa: S311 - nothing secret
    units = [[match.span() for match in unit.finditer(text)] for unit in (WORD, SENTENCE)]
    for _ in range(n):
        spans = choose.choice(units)
        (start, end), (first, last) = choose.choice(spans), choose.choice(spans)
        action = choose.choice(ACTIONS)
        new = "" if action == "delete" else text[first:last]
        yield text[:start] + new + text[start if action == "insert" else end :]


def _edited_items(items: list[Item], n: int) -> Iterator[list[Item]]:
    """Yield the elements with one sentence more in a paragraph, at `n` places in turn."""
    paragraphs = [i for i, item in enumerate(items) if item["type"] == "NarrativeText"]
    for at in _spread(paragraphs, n):
        longer = {**items[at], "text": f"{INSERTED}{items[at]['text']}"}
        yield [*items[:at], longer, *items[at + 1 :]]


def _spread(places: list[int], n: int) -> list[int]:
    return [places[(2 * i + 1) * len(places) // (2 * n)] for i in range(n)]


def _figures(cut: Cut, documents: list[Any], edited: Edit) -> list[str]:
    before = [cut(document) for document in documents]
    new = np.array(
        [
            (Counter(cut(edit)) - Counter(chunks)).total()
            for document, chunks in zip(documents, before, strict=True)
            for edit in edited(document)
        ]
    )
    sizes = np.array([tokens(text) for chunks in before for text in chunks])
    return [
        f"{new.mean():.2f}",
        *(f"{np.percentile(new, share):.0f}" for share in (90, 99, 100)),
        f"{100 * (new <= FEW).mean():.1f} %",
        f"{len(sizes):,}",
        f"{sizes.mean():.0f}",
        f"{100 * sizes.std() / sizes.mean():.0f} %",
        f"{sizes.min()}",
    ]


KINDS: dict[str, Edit] = {"sentence": _edited_at_sentences, "mixed": _edited_anyhow}

if __name__ == "__main__":
    main()
