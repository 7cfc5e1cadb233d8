"""Sentences inserted into the guides: few new blocks, and no citation of others that breaks."""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import chunkwright as cw
from tests.store.importing.identity_model import blocks_of
from tests.store.importing.strategies import CASES, strategy
from tests.support.mostly_slow import mostly_slow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkwright.store import Citation
    from tests.store.importing.edited_texts import Form

GUIDES = Path(__file__).parents[3] / "docs"
# Between two sentences of a paragraph, and before one.
PLACES = re.compile(r"(?<=[a-z)]\. )(?=[A-Z])|(?<=\n\n)(?=[A-Z])")
MOST_NEW = 2
# Others fill a chunk with the beginning of the next section.
WITHIN_SECTIONS = {"auto", "hierarchical", "hybrid", "structural"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[cw.Store]:
    """Return an empty store."""
    with cw.Store.open(tmp_path / "kb.db") as opened:
        yield opened


def guide(text: str, form: Form, name: str) -> cw.Document:
    if form == "markdown":
        return cw.read(text.encode(), kind="markdown", name=name)
    return cw.Document(text=text, name=name)


def with_sentence(text: str, rng: random.Random) -> tuple[str, int]:
    """Return the text with a sentence more, and where it stands."""
    at = rng.choice([match.end() for match in PLACES.finditer(text)])
    said = f"Note {rng.randrange(10**9)}: there is nothing new of it. "
    return f"{text[:at]}{said}{text[at:]}", at


def sections_of(store: cw.Store, name: str) -> list[int]:
    """Return where sections begin; headings with nothing in between begin one together."""
    elements = store.document(name).elements
    assert elements is not None
    kinds = [None, *(each.kind for each in elements)]
    return [
        each.start
        for each, before in zip(elements, kinds, strict=False)
        if each.kind == "heading" and before != "heading"
    ]


def outside(store: cw.Store, name: str, new: Sequence[str], at: int) -> list[str]:
    """Return the texts of new blocks that hold nothing of the section of a place."""
    begins = sections_of(store, name)
    own = bisect_right(begins, at)
    return [
        chunk.text
        for chunk, block in zip(store.chunks(name), blocks_of(store, name), strict=True)
        if block.id in new
        and not any(
            bisect_right(begins, piece.start) <= own <= bisect_right(begins, piece.end - 1)
            for piece in chunk.pieces
            if piece.role == "body"
        )
    ]


@pytest.mark.parametrize(("name", "form"), CASES)
@pytest.mark.parametrize("max_tokens", mostly_slow([64, 256], quick=1))
def test_a_sentence_makes_two_new_blocks_at_most(
    name: str, form: Form, max_tokens: int, store: cw.Store
) -> None:
    rng = random.Random(f"{name} {form} {max_tokens}")
    text = (GUIDES / "quickstart.md").read_text("utf-8")
    cuts = strategy(name, max_tokens=max_tokens)
    store.add(guide(text, form, "a"), strategy=cuts, shadows=None)
    before = blocks_of(store, "a")
    for _ in range(8):
        text, at = with_sentence(text, rng)
        (report,) = store.add(guide(text, form, "a"), strategy=cuts, shadows=None)
        assert len(report.new) <= MOST_NEW
        assert not report.moved
        if form == "markdown" and name in WITHIN_SECTIONS:
            assert not outside(store, "a", report.new, at)
        after = blocks_of(store, "a")
        # What was not cut again is as it was, and in order.
        gone = set(report.gone)
        assert [block for block in before if block.id not in gone] == [
            block for block in after if block in before
        ]
        assert store.document("a").text == text
        before = after


@pytest.mark.slow
def test_citations_outlive_many_edits(store: cw.Store) -> None:
    rng = random.Random(27)
    texts = {
        file.name: text
        for file in sorted(GUIDES.glob("*.md"))
        if len(PLACES.findall(text := file.read_text("utf-8"))) > MOST_NEW
    }
    citations: dict[str, list[Citation]] = {}
    for name, text in texts.items():
        store.add(guide(text, "markdown", name))
        citations[name] = [store.cite(block.id) for block in blocks_of(store, name)]
    gone = set[str]()
    for _ in range(100):
        name = rng.choice(list(texts))
        texts[name], at = with_sentence(texts[name], rng)
        (report,) = store.add(guide(texts[name], "markdown", name))
        assert not outside(store, name, report.new, at)
        gone |= set(report.gone)
        left = [each for each in citations[name] if each.block not in gone]
        assert report.citations_resolved >= len(left)
        assert report.citations_moved + report.citations_broken <= len(citations[name]) - len(left)
        for each in rng.sample(left, min(3, len(left))):
            found = store.resolve(each)
            assert found.status == "same"
            assert found.place is not None
            assert found.place.text.split() == each.quote.split()
            assert found.place.text == texts[name][found.place.start : found.place.end]
    for name, own in citations.items():
        for each in own:
            found = store.resolve(each)
            assert (found.status == "same") == (each.block not in gone)
            assert found.place is not None
            assert found.cited.text.split() == each.quote.split()
            if found.status == "superseded":
                assert found.superseded_by in {block.id for block in blocks_of(store, name)}
