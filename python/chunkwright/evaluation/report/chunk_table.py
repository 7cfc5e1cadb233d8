"""Table of what can be said of chunks without questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from chunkwright.evaluation.report.tables import NONE, Cell, Column, Table, percent

if TYPE_CHECKING:
    from chunkwright.evaluation.intrinsic import Measures

_TOKENS, _LIMIT, _TEXT = "tokens of a chunk", "of the limit, %", "text, %"
# For each share: its title, that of its group, that where groups are not shown, what it counts.
_SHARES = {
    "within_limit": ("within", _LIMIT, "in limit, %", "chunks that are not larger than the limit"),
    "below_half_limit": ("< half", _LIMIT, "< half, %", "chunks below half of the limit"),
    "cut_sentences": (
        "sentences",
        "cut, %",
        "sentences cut, %",
        "sentences that no chunk has whole",
    ),
    "cut_tables": ("tables", "cut, %", "tables cut, %", "tables that no chunk has whole"),
    "parted_headings": (
        *("headings parted, %", "", "headings parted, %"),
        "headings that are the last line of a chunk",
    ),
    "parted_lead_ins": (
        *("lead-ins parted, %", "", "lead-ins parted, %"),
        "lines that end in a colon, and that a chunk ends with, above a list, code or a table",
    ),
    "covered": ("covered", _TEXT, "covered, %", "characters that stand in a chunk"),
    "repeated": ("repeated", _TEXT, "repeated, %", "characters that stand in more than one chunk"),
}


def chunk_table(names: Sequence[str], measures: Sequence[Measures]) -> Table:
    """Return what is known of the chunks of each run.

    Parameters
    ----------
    names
        The runs, from top to bottom.
    measures
        Those of some of them, by their names; of the others nothing is known.
    """
    by_name = {each.name: each for each in measures}
    rows = [by_name.get(name) for name in names]
    return Table("Chunks", tuple(names), tuple(_columns(rows)))


def _columns(rows: Sequence[Measures | None]) -> Iterator[Column]:
    numbers = _numbers([None if each is None else each.n_chunks for each in rows])
    yield Column("chunks", "chunks", numbers, about="chunks of all texts")
    nowhere = _numbers([None if each is None else each.n_unplaced for each in rows])
    about = "chunks whose text does not stand in what they were cut from"
    yield Column("unplaced", "unplaced", nowhere, about=about)
    for name, title, attribute in (
        ("min_tokens", "min", "least"),
        ("median_tokens", "median", "median"),
        ("mean_tokens", "mean", "mean"),
        ("max_tokens", "max", "most"),
    ):
        sizes = _numbers(
            [None if each is None else getattr(each.sizes, attribute) for each in rows]
        )
        yield Column(name, title, sizes, _TOKENS, f"{title} tokens of a chunk", f"{title} tok")
    for name, (title, group, alone, about) in _SHARES.items():
        cells = tuple(_share(each, name) for each in rows)
        yield Column(name, title, cells, group, about, alone)


def _numbers(values: Sequence[float | None]) -> tuple[Cell, ...]:
    return tuple(Cell(NONE) if each is None else Cell(f"{each:,.0f}", each) for each in values)


def _share(measures: Measures | None, name: str) -> Cell:
    share = None if measures is None else measures.shares[name]
    if share is None or share.share is None:
        return Cell(NONE)
    return Cell(percent(share.share), share.share, f"of {share.of:,}")
