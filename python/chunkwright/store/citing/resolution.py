"""Resolution of a citation: what became of it, and where its words stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from chunkwright.store.citing.places import Place
from chunkwright.store.model import Citation

if TYPE_CHECKING:
    from chunkwright.store.citing.changes import Change
    from chunkwright.store.citing.tokens import Difference

Status = Literal["same", "moved", "altered", "superseded", "gone", "erased"]
"""What became of a citation: its words stand letter for letter where they stood among the other
blocks, or elsewhere; an altered form of them stands in their place; another text took the place of
their block; they are gone; or all of it was erased."""


@dataclass(frozen=True)
class Resolution:
    """What became of a citation.

    Attributes
    ----------
    status
        ``"same"``: the words stand in their block, in the old order. ``"moved"``: they stand in
        another order, or in other blocks. ``"altered"``: they do not stand letter for letter, but
        more than half of the words of both are equal, in their order, in the place of
        their block; or all of them do elsewhere, but for case, punctuation or markup.
        ``"superseded"``: their block is gone, and another one took its place. ``"gone"``: they are
        gone, or the document is. ``"erased"``: all of it was erased with its document, and
        nothing but its id was kept.
    citation
        The citation.
    place
        Where the words stand in the current version, or what took their place; None if they are
        gone.
    cited
        Where they stood in the version that was cited.
    superseded_by
        The id of the block that took the place of the cited one, of words that are altered or
        superseded; None if none did.
    difference
        How altered words differ.
    changes
        What changed around the words, or around their altered form, see
        ``Change``; empty if nothing did.
    """

    status: Status
    citation: Citation
    place: Place | None
    cited: Place
    superseded_by: str | None = None
    difference: Difference | None = None
    changes: tuple[Change, ...] = ()

    @property
    def resolves(self) -> bool:
        """Whether the words stand in the current version, letter for letter."""
        return self.status in {"same", "moved"}


def resolved_as_erased(number: str, erased_at: str) -> Resolution:
    """Return what became of a citation that was erased: no text of it is known.

    Parameters
    ----------
    number
        Its id.
    erased_at
        When that was.
    """
    nothing = Citation(number, "", 0, "", "", 0, 0, None, erased_at)
    return Resolution("erased", nothing, None, Place("", 0, 0, 0, 0, 0, (), (), (), ""))
