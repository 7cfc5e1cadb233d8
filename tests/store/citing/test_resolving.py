"""Resolution of citations over random histories: what texts alone say of quoted words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests.store.importing.edited_texts import Form, Paragraphs, histories, written
from tests.store.importing.strategies import strategy
from tests.support.mostly_slow import mostly_slow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chunkwright.store import Citation

URI = "doc"
SENTENCES = ["It rained on Monday.", "Then the sun came out.", "Nobody knew of wind and snow."]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the store of an example is."""
    return tmp_path / "kb.db"


@pytest.fixture
def store(path: Path) -> Iterator[cw.Store]:
    """Return an empty store."""
    with cw.Store.open(path) as opened:
        yield opened


def texts(*sentences: str) -> cw.Document:
    return cw.Document(text="\n\n".join(sentences), name=URI)


@pytest.mark.parametrize(
    ("name", "form"),
    mostly_slow(
        [
            *(("recursive", "text"), ("window", "text")),
            *(("hybrid", "markdown"), ("structural", "markdown")),
        ],
        quick=1,
    ),
)
@given(versions=histories(), data=st.data())
def test_citations_over_histories(
    name: str, form: Form, versions: list[Paragraphs], data: st.DataObject, store: cw.Store
) -> None:
    uri = f"doc {len(store.documents())}"
    cuts = strategy(name, max_chars=80)
    citations: list[Citation] = []
    for version in versions:
        document = written(version, form)
        (report,) = store.add(document.with_id(uri), strategy=cuts)
        blocks = {block.id for block in store.blocks(uri)}
        broken = 0
        for citation in citations:
            broken += not held(store, citation, document.text, blocks)
        if report.outcome == "changed":
            assert report.citations_broken == broken
        for block in store.blocks(uri):
            words = block.text.split()
            first = data.draw(st.integers(0, len(words) - 1))
            last = data.draw(st.integers(first + 1, len(words)))
            citation = store.cite(block.id, " ".join(words[first:last]))
            assert held(store, citation, document.text, blocks)
            citations.append(citation)


def stand(words: list[str], text: str) -> bool:
    """Return whether words stand in a text between borders of words, in any white space."""
    said = r"\s+".join(map(re.escape, words))
    before = r"(?<!\w)" if re.match(r"\w", words[0]) else ""
    behind = r"(?!\w)" if re.search(r"\w\Z", words[-1]) else ""
    return re.search(before + said + behind, text) is not None


def held(store: cw.Store, citation: Citation, text: str, blocks: set[str]) -> bool:
    """Hold a citation to the text of the current version; return whether it resolves."""
    found = store.resolve(citation)
    quoted = citation.quote.split()
    assert found.cited.text.split() == quoted
    assert (found.difference is None) == (found.status != "altered")
    cited = store.document(citation.document, citation.version).text
    is_unique = " ".join(cited.split()).count(" ".join(quoted)) == 1
    if citation.block in blocks and is_unique:
        assert found.status in {"same", "moved"}
    if found.place is not None:
        assert found.place.text == text[found.place.start : found.place.end]
        assert found.place.line_start == 1 + text[: found.place.start].count("\n")
    if found.resolves:
        assert found.place is not None
        assert found.place.text.split() == quoted
        if is_unique and citation.block in blocks and found.place.block != citation.block:
            # What says the same under other headings has the id of the block, and is a copy.
            assert found.place.headings == found.cited.headings != ()
        return True
    if found.status == "altered":
        assert found.place is not None
        assert found.place.text.split() != quoted
    # Of altered words a copy may stand elsewhere: what stands between the old neighbours is theirs.
    if found.status != "altered":
        assert not stand(quoted, text)
    assert found.superseded_by is None or found.superseded_by in blocks
    assert (found.status != "superseded") or found.superseded_by is not None
    assert (found.place is None) == (found.status == "gone")
    return False


def test_a_quote_that_is_said_twice_is_that_of_its_block(store: cw.Store) -> None:
    cuts = cw.Sentence(max_tokens=8)
    document = texts("It rained here today.", "It snowed.", "It rained there today.")
    store.add(document, strategy=cuts)
    last = store.blocks(URI)[-1]
    citation = store.cite(last.id, "rained")
    place = store.resolve(citation).place
    assert place is not None
    assert place.start == document.text.rindex("rained")


def test_blocks_that_change_places(store: cw.Store) -> None:
    cuts = cw.Sentence(max_tokens=8)
    one, two, three = SENTENCES
    store.add(texts(one, two, three), strategy=cuts)
    citations = [store.cite(block.id) for block in store.blocks(URI)]
    store.add(texts(three, one, two), strategy=cuts)
    found = [store.resolve(each) for each in citations]
    assert [each.status for each in found] == ["same", "same", "moved"]
    assert [each.place.text for each in found if each.place] == [one, two, three]


def test_words_that_go_to_another_block(store: cw.Store) -> None:
    one, two, three = SENTENCES
    store.add(texts(one, two, three), strategy=cw.Sentence(max_tokens=8))
    citation = store.cite(store.blocks(URI)[1].id, "sun came")
    store.add(texts(one, two, three), strategy=cw.Sentence(max_tokens=64))
    found = store.resolve(citation)
    assert (found.status, found.place and found.place.text) == ("moved", "sun came")
    assert found.place is not None
    assert found.place.block == store.blocks(URI)[0].id


def test_chains_of_successors(store: cw.Store) -> None:
    cuts = cw.Sentence(max_tokens=16)
    store.add(texts("Alpha rain fell on Monday in the hills."), strategy=cuts)
    citation = store.cite(store.blocks(URI)[0].id)
    for said in (
        "Beta rain fell on Monday in the hills.",
        "Beta rain fell on Friday in the hills.",
    ):
        store.add(texts(said), strategy=cuts)
        found = store.resolve(citation)
        assert (found.status, found.superseded_by) == ("altered", store.blocks(URI)[0].id)
        assert found.place is not None
        assert found.place.text == said
    store.add(texts("Alpha rain fell on Monday in the hills."), strategy=cuts)
    assert store.resolve(citation).status == "same"


def test_removed_documents(store: cw.Store) -> None:
    store.add(texts(*SENTENCES))
    citation = store.cite(store.blocks(URI)[0].id, "sun came out")
    assert store.remove(URI).citations_broken == 1
    found = store.resolve(citation.id)
    assert (found.status, found.place, found.cited.text) == ("gone", None, "sun came out")
    store.add(texts(*SENTENCES))
    assert store.resolve(citation).status == "same"


def test_a_document_that_was_removed_and_pruned_comes_back(store: cw.Store) -> None:
    store.add(texts(*SENTENCES))
    store.remove(URI)
    store.prune()
    (report,) = store.add(texts(*SENTENCES))
    assert report.outcome == "new"
    assert [each.version for each in store.versions(URI)] == [report.version]
    assert store.resolve(store.cite(store.blocks(URI)[0].id)).status == "same"


def test_cited_versions_are_not_pruned(store: cw.Store) -> None:
    cuts = cw.Sentence(max_tokens=8)
    store.add(texts(*SENTENCES), strategy=cuts)
    citation = store.cite(store.blocks(URI)[1].id)
    store.add(texts(SENTENCES[0]), strategy=cuts)
    store.add(texts("Other words."), strategy=cuts)
    assert store.prune().n_versions == 1
    found = store.resolve(citation)
    assert (found.status, found.cited.text) == ("gone", SENTENCES[1])
    assert [each.version for each in store.versions(URI)] == [1, 3]
