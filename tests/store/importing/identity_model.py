"""Slow model of identity: what ids the blocks of a new version may have, by their texts alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import chunkwright as cw
    from chunkwright.store import DocumentReport


class Block(NamedTuple):
    """A block of a version: its id, and its own text with each run of whitespace as one blank."""

    id: str
    text: str


def blocks_of(store: cw.Store, uri: str) -> list[Block]:
    """Return the blocks of the current version of a document, in order."""
    chunks = store.chunks(uri)
    source = store.document(uri).body
    with store._database.reading() as session:
        rows = session.rows(
            "SELECT p.block FROM placements p JOIN documents d ON d.id = p.document"
            " AND d.current_version = p.version WHERE d.uri = ? ORDER BY p.ordinal",
            (uri,),
        )
    texts = [
        "".join(source[each.start : each.end] for each in chunk.pieces if each.role == "body")
        for chunk in chunks
    ]
    return [Block(row[0], " ".join(text.split())) for row, text in zip(rows, texts, strict=True)]


class IdentityModel:
    """Ids of a document's blocks by their texts, as they were imported one version after another.

    Blocks of one text are alike: of so many as both versions have, the ids stay. More of them get
    those of blocks that the document had before, the first ones first, and then new ids.
    """

    def __init__(self) -> None:
        self._known: dict[str, list[str]] = defaultdict(list)
        self._current: list[Block] = []

    def check(self, blocks: list[Block], report: DocumentReport) -> None:
        """Hold the blocks of a new version, and its report, to the model."""
        old = {block.id: block.text for block in self._current}
        ids = [block.id for block in blocks]
        assert len(set(ids)) == len(ids)
        counts, before = Counter(b.text for b in blocks), Counter(old.values())
        for text, n in counts.items():
            own = {block.id for block in blocks if block.text == text}
            was = {id_ for id_, each in old.items() if each == text}
            assert len(own & was) == min(n, before[text])
            known = [id_ for id_ in self._known[text] if id_ not in was]
            n_back = min(max(0, n - before[text]), len(known))
            assert own - was >= set(known[:n_back])
            fresh = own - was - set(known)
            assert len(fresh) == max(0, n - before[text] - len(known))
            assert not any(id_ in each for id_ in fresh for each in self._known.values())
        if report.outcome != "unchanged":
            new = {id_ for id_ in ids if all(id_ not in each for each in self._known.values())}
            assert set(report.new) == new
            assert set(report.gone) == set(old) - set(ids)
            assert list(report.kept) == [id_ for id_ in ids if id_ not in new]
            assert set(report.moved) <= set(report.kept)
            stay = [id_ for id_ in ids if id_ in old and id_ not in set(report.moved)]
            order = [id_ for id_ in old if id_ in set(stay)]
            assert stay == order
        for block in blocks:
            if block.id not in self._known[block.text]:
                self._known[block.text].append(block.id)
        self._current = blocks
