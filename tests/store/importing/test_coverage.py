"""Coverage of documents by the blocks of a store: text that a strategy loses is an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import pytest

import chunkwright as cw

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Rain fell. Snow fell. Nothing fell."
PAGE = b"# Rain\n\nIt fell.\n\n| day | mm |\n|---|---|\n| one | 3 |\n\nIt stopped.\n"


class Losing:
    """Strategy that loses every second chunk of another one."""

    fingerprint = "losing 1"

    def __init__(self, cuts: cw.Sentence | cw.Basic) -> None:
        """Lose chunks of a strategy."""
        self._cuts = cuts

    def stream(self, documents: Iterable[cw.Document], **_: object) -> Iterator[cw.Chunks]:
        """Cut the documents one after another."""
        for document in documents:
            yield self._cuts(document)[::2]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[cw.Store]:
    with cw.Store.open(tmp_path / "kb.db") as opened:
        yield opened


def test_text_that_is_lost_is_an_error(store: cw.Store) -> None:
    store.add(cw.Document(text=TEXT, name="a"), strategy="sentence")
    before = store.blocks("a")
    losing = Losing(cw.Sentence(sentences=1))
    (report,) = store.add(cw.Document(text=TEXT, name="a"), strategy=losing)  # type: ignore[arg-type]
    assert report.outcome == "failed"
    assert "'a' leave out its text 'Snow fell.'" in str(report.error)
    assert store.blocks("a") == before


def test_elements_may_be_left_out_whole(store: cw.Store) -> None:
    losing = Losing(cw.Basic(max_tokens=64, soft_max=1))
    (report,) = store.add(cw.read(PAGE, name="a.md"), strategy=losing)  # type: ignore[arg-type]
    assert (report.outcome, report.error) == ("new", None)
    assert len(store.blocks("a.md")) < len(cw.Basic(max_tokens=64, soft_max=1)(cw.read(PAGE)))
