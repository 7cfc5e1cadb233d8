"""Blocks that were edited by hand: kept while their source is, stale where it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError, StoreError
from tests.support.stores import Toy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CUTS = cw.Sentence(max_tokens=14)
SAID = [f"Paragraph number {i} says thing {7 * i}." for i in range(6)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[cw.Store]:
    """Return a store of one document of six blocks."""
    with cw.Store.open(tmp_path / "kb.db") as opened:
        add(opened, SAID)
        yield opened


def add(store: cw.Store, said: list[str]) -> cw.store.DocumentReport:
    document = cw.Document(text="\n\n".join(said), name="doc")
    (report,) = store.add(document, strategy=CUTS)
    return report


def ids(store: cw.Store) -> list[str]:
    return [block.id for block in store.blocks("doc")]


def found(store: cw.Store, word: str) -> list[str]:
    return [hit.block for hit in store.search(word, k=9)]


def test_an_edit_is_found_in_the_place_of_what_it_was_made_of(store: cw.Store) -> None:
    before = ids(store)
    edit = store.edit(before[2], "A zebra wrote this.")
    assert (edit.base, edit.source, edit.is_stale) == (before[2], SAID[2], False)
    (hit,) = [hit for hit in store.search("zebra", k=9) if "zebra" in hit.text]
    assert (hit.block, hit.origin, hit.ordinal) == (edit.block, "manual", 2)
    assert hit.start == "\n\n".join(SAID).index(SAID[2])
    assert ids(store) == [*before[:2], edit.block, *before[3:]]
    assert store.document("doc", 1).text == store.document("doc").text
    assert [block.id for block in store.blocks("doc", 1)] == before


@pytest.mark.parametrize(
    "said",
    [
        SAID,
        [*SAID[:5], "Another last one is here."],
        ["Another first one is here.", *SAID],
        [*SAID[3:], *SAID[:3]],
        SAID[2:3],
    ],
)
def test_imports_keep_edits_whose_source_stays(store: cw.Store, said: list[str]) -> None:
    edit = store.edit(ids(store)[2], "A zebra wrote this.")
    report = add(store, said)
    assert not report.stale_edits
    assert ids(store)[said.index(SAID[2])] == edit.block
    assert found(store, "zebra")[0] == edit.block
    assert store.edits() == [edit]


@pytest.mark.parametrize("said", [[*SAID[:2], *SAID[3:]], [*SAID[:2], "Anew.", *SAID[3:]]])
def test_an_edit_whose_source_has_changed_is_stale(store: cw.Store, said: list[str]) -> None:
    edit = store.edit(ids(store)[2], "A zebra wrote this.")
    report = add(store, said)
    assert report.stale_edits == [edit.block]
    assert edit.block not in ids(store)
    assert edit.block not in found(store, "zebra")
    (kept,) = store.edits()
    assert (kept.is_stale, kept.text, kept.source) == (True, edit.text, SAID[2])
    assert store.block(edit.block).text == edit.text


def test_an_edit_stands_again_where_its_source_does(store: cw.Store) -> None:
    edit = store.edit(ids(store)[2], "A zebra wrote this.")
    add(store, SAID[3:])
    assert found(store, "zebra") == []
    add(store, SAID)
    assert ids(store)[2] == edit.block
    assert found(store, "zebra")[0] == edit.block
    assert store.edits() == [edit]


def test_edits_of_edits(store: cw.Store) -> None:
    base = ids(store)[2]
    first = store.edit(base, "A zebra wrote this.")
    citation = store.cite(first.block)
    second = store.edit(first.block, "An okapi wrote this.")
    assert second.base == base
    assert store.edits() == [second]
    assert first.block not in found(store, "zebra")
    third = store.edit(second.block, "A zebra wrote this.")
    assert len({first.block, second.block, third.block}) == len([first, second, third])
    assert store.edits() == [third]
    resolved = store.resolve(citation)
    assert (resolved.status, resolved.changes) == ("same", ("edited",))
    assert resolved.place is not None
    assert resolved.place.block == third.block
    assert not add(store, SAID[1:]).stale_edits
    assert ids(store)[1] == third.block


def test_one_of_equal_blocks_is_edited(store: cw.Store) -> None:
    said = "The same again, and nothing else is said."
    add(store, [said] * 3)
    first, second, third = ids(store)
    edit = store.edit(second, "A zebra wrote this.")
    assert add(store, ["Something before all of it stands here.", *[said] * 3]).stale_edits == []
    assert ids(store)[1:] == [first, edit.block, third]


def test_citations_of_what_was_cut_are_held_to_the_edit(store: cw.Store) -> None:
    base = ids(store)[2]
    citation = store.cite(base, "says thing")
    edit = store.edit(base, "A zebra wrote this.")
    for resolved in (store.resolve(citation), (add(store, SAID[1:]), store.resolve(citation))[1]):
        assert (resolved.status, resolved.superseded_by) == ("superseded", edit.block)
        assert resolved.changes == ("edited",)
        assert resolved.cited.text == "says thing"
        assert resolved.place is not None
        assert (resolved.place.text, resolved.place.origin) == (edit.text, "manual")
    again = store.edit(edit.block, "Paragraph number 2 says thing 41.")
    resolved = store.resolve(citation)
    assert (resolved.status, resolved.changes) == ("same", ("sentence", "number", "edited"))
    assert resolved.place is not None
    assert (resolved.place.block, resolved.place.text) == (again.block, "says thing")


def test_edits_are_embedded(tmp_path: Path) -> None:
    with cw.Store.open(tmp_path / "toy.db", embedder=Toy()) as store:
        add(store, SAID)
        edit = store.edit(ids(store)[2], "A zebra wrote this.")
        hits = store.search("A zebra wrote this.", k=1)
        assert [hit.block for hit in hits] == [edit.block]
        assert add(store, SAID[1:]).n_embedded == 0


def test_edits_of_removed_documents_stand_again(store: cw.Store) -> None:
    edit = store.edit(ids(store)[2], "A zebra wrote this.")
    store.remove("doc")
    assert found(store, "zebra") == []
    with pytest.raises(StoreError, match=edit.block):
        store.edit(edit.block, "An okapi wrote this.")
    add(store, SAID)
    assert found(store, "zebra")[0] == edit.block


@pytest.mark.parametrize("text", ["", " \n", "\ud800", 3, None, b"x"])
def test_texts_that_say_nothing_are_refused(store: cw.Store, text: object) -> None:
    before = ids(store)
    with pytest.raises(ConfigError, match="text"):
        store.edit(before[0], text)  # type: ignore[arg-type]
    assert ids(store) == before
    assert len(store.versions("doc")) == 1


def test_any_other_text_is_taken(store: cw.Store) -> None:
    for text in ("a\0b", "漢字" * 999, "x" * 99_999):
        edit = store.edit(ids(store)[0], text)
        assert len(edit.text) == len(text)
        assert add(store, SAID).outcome == "unchanged"
        assert store.edits() == [edit]


def test_edits_are_verified_and_cited(store: cw.Store) -> None:
    base = ids(store)[2]
    edit = store.edit(base, "Paragraph number 2 says thing 41.")
    found = store.verify("paragraph number 2 says thing 41")
    assert (found.verdict, found.is_current) == ("found", True)
    (place,) = found.places
    assert (place.text, place.origin) == (edit.text[:-1], "manual")
    assert (place.block, place.document) == (edit.block, "doc")
    assert place.start == "\n\n".join(SAID).index(SAID[2])
    (place,) = store.verify("paragraph number 2 says thing 14").places
    assert (place.text, place.origin) == (SAID[2][:-1], "cut")
    assert (place.block, place.edited_as) == (base, edit.block)
    assert store.verify("Paragraph number 2 says thing 41.", "doc").verdict == "found"
    citation = store.cite(edit.block, "thing 41")
    resolved = store.resolve(citation)
    assert (resolved.status, resolved.changes) == ("same", ())
    assert resolved.place is not None
    assert (resolved.place.text, resolved.place.origin) == ("thing 41", "manual")
    # The source is put right: what was written by hand stands in it now.
    add(store, [*SAID[:2], edit.text, *SAID[3:]])
    resolved = store.resolve(citation)
    assert resolved.resolves
    assert resolved.place is not None
    assert (resolved.place.text, resolved.place.origin) == ("thing 41", "cut")
    assert store.verify("Paragraph number 2 says thing 41.").places[0].origin == "cut"


def test_citations_of_words_that_were_edited_say_so(store: cw.Store) -> None:
    base = ids(store)[2]
    citation = store.cite(base)
    edit = store.edit(base, "Paragraph number 2 says thing 41.")
    resolved = store.resolve(citation)
    assert (resolved.status, resolved.superseded_by) == ("altered", edit.block)
    assert "edited" in resolved.changes
    assert resolved.place is not None
    assert (resolved.place.text, resolved.place.origin) == (edit.text, "manual")
    assert resolved.difference is not None
    assert (resolved.difference.quoted, resolved.difference.stands) == ("14", "41")
