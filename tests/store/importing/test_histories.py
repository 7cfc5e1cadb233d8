"""Histories of documents in a store, held to the laws of chunks and to a slow model of identity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests import laws
from tests.store.importing.edited_texts import Form, Paragraphs, histories, written
from tests.store.importing.identity_model import IdentityModel, blocks_of
from tests.store.importing.strategies import CASES, strategy
from tests.support.mostly_slow import mostly_slow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[cw.Store]:
    """Return an empty store."""
    with cw.Store.open(tmp_path / "kb.db") as opened:
        yield opened


@pytest.mark.parametrize(("name", "form"), mostly_slow(CASES, quick=8))
@given(versions=histories(of_words=True), max_chars=st.sampled_from([40, 120]))
def test_versions(
    name: str, form: Form, versions: list[Paragraphs], max_chars: int, store: cw.Store
) -> None:
    options = {"max_chars": max_chars, "overlap": 0}
    cuts = strategy(name, **options)
    _hold([written(each, form) for each in versions], cuts, options, store)


def test_more_whitespace_in_a_block_at_its_limit(store: cw.Store) -> None:
    options = {"max_chars": 40, "overlap": 0}
    text = "Snow, 1,5 fell; sun snow, wind fell; was."
    versions = [cw.Document(text=each, name="doc") for each in (text, text.replace(" ", " \t"))]
    _hold(versions, cw.Recursive(max_chars=40), options, store)


def test_a_paragraph_before_blocks_at_their_limit_of_tokens(store: cw.Store) -> None:
    text = (
        "😀 漢字 the e.g. of naïve grüße was not was grüße rain. Not monday snow, 漢字 monday snow,"
        " naïve rain not sun fell;. Grüße snow, the was of 漢字 wind the 😀 snow, sun 1,5."
    )
    options = {"max_tokens": 16, "overlap": 0, "tokenizer": "cl100k_base"}
    texts = (text, f"Of e.g. monday naïve.\n\n{text}")
    versions = [cw.Document(text=each, name="doc") for each in texts]
    _hold(versions, cw.Window(max_tokens=16, min_size=4), options, store)


def test_overlaps_of_paragraphs_that_change_places(store: cw.Store) -> None:
    options = {"max_chars": 40, "overlap": 20}
    before = "E.g. snow, was wind snow, 1,5 monday e.g. sun wind sun.\n\n"
    one, other = "Was monday 1,5 fell;.", "The not was naïve fell; sun wind."
    texts = (f"{before}{one}\n\n{other}", f"{before}{other}\n\n{one}")
    versions = [cw.Document(text=each, name="doc") for each in texts]
    _hold(versions, cw.Window(max_chars=40, overlap=20), options, store)


def _hold(versions: list[cw.Document], cuts: Any, options: dict[str, Any], store: cw.Store) -> None:
    """Import versions of a document, and hold each to the laws and to the model."""
    model = IdentityModel()
    # Another address for each example, which is quicker than another file.
    uri = f"doc {len(store.documents())}"
    for document in versions:
        (report,) = store.add(document.with_id(uri), strategy=cuts, shadows=None)
        chunks = store.chunks(uri)
        laws.bodies_cover_the_text(document.text, chunks)
        laws.offsets_are_exact(document.text, chunks)
        laws.overlaps_belong_to_the_chunk_before(chunks, options)
        for chunk in chunks:
            size = chunk.n_tokens if "max_tokens" in options else len(chunk.text)
            limit = next(iter(options.values()))
            assert size <= limit or (chunk.oversize and len(chunk.text) <= laws.MAX_CLUSTER)
        model.check(blocks_of(store, uri), report)
