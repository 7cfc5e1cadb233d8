"""Citations over documents whose edits are known: status, place, difference and changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import chunkwright as cw
from tests.support.cited_histories import REPEATED, Cited, History, Truth
from tests.support.mostly_slow import mostly_slow

if TYPE_CHECKING:
    from pathlib import Path

    from chunkwright.store import Citation, Resolution

STRATEGIES = {
    "structural": {},
    "recursive": {"max_tokens": 60},
    "hybrid": {"max_tokens": 80},
    "window": {"max_tokens": 50},
}
N_VERSIONS = 4


def cite(store: cw.Store, uri: str, cited: Cited, start: int) -> Citation | None:
    """Cite words at a place of the current version."""
    for block in store.blocks(uri):
        try:
            citation = store.cite(block.id, cited.quote)
        except cw.ConfigError:
            continue
        if store.resolve(citation).cited.start == start:
            return citation
    return None


def held(found: Resolution, truth: Truth, cited: Cited) -> None:
    """Hold a resolution to the truth."""
    is_repeated = any(cited.quote in each for each in REPEATED)
    said = f"{found}\n{truth}"
    is_renamed = truth.has_other_heading and not truth.stands
    if truth.span is None or (is_renamed and found.status != "altered"):
        # Altered under another heading: nothing need be left by which words are known again.
        assert is_repeated or not found.resolves, said
        return
    assert found.resolves == truth.stands, said
    assert found.place is not None, said
    if truth.stands:
        assert (found.place.start, found.place.end) == truth.span, said
    else:
        assert found.status == "altered", said
        assert found.difference is not None
        assert found.difference.kind == truth.kind, said
        assert (found.place.start, found.place.end) == truth.span, said
    for name, has_changed in {
        "heading": truth.has_other_heading,
        "sentence": truth.has_other_sentence,
        "negation": truth.has_other_negation,
        "number": truth.has_other_number,
    }.items():
        assert (name in found.changes) == has_changed, f"{name}: {said}"


def run(path: Path, name: str, seeds: range) -> int:
    """Import histories, and hold all citations to the truth; return how many that were."""
    cuts, n_held = cw.strategy(name, **STRATEGIES[name]), 0
    with cw.Store.open(path) as store:
        for seed in seeds:
            history, uri = History(seed), f"{seed}.md"
            citations: list[tuple[Citation, Cited]] = []
            for _ in range(N_VERSIONS):
                document = cw.read(history.text.encode(), name=uri)
                assert document.text == history.text
                store.add(document, strategy=cuts)
                for known, cited in citations:
                    held(store.resolve(known), history.truth(cited), cited)
                    n_held += 1
                if not citations:
                    citations = [
                        (citation, cited)
                        for cited, start in history.citations()
                        if (citation := cite(store, uri, cited, start)) is not None
                    ]
                history.edit()
    return n_held


@pytest.mark.parametrize("name", mostly_slow(STRATEGIES, quick=1))
def test_what_became_of_words_is_said(name: str, tmp_path: Path) -> None:
    assert run(tmp_path / "kb.db", name, range(3)) > 25


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 1040, 10))
@pytest.mark.parametrize("name", STRATEGIES)
def test_what_became_of_words_is_said_of_many_histories(
    name: str, first: int, tmp_path: Path
) -> None:
    assert run(tmp_path / "kb.db", name, range(first, first + 10)) > 200
