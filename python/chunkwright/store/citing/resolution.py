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
    """The present state of a citation.

    Attributes
    ----------
    status
        ``"same"``: the words stand in their block, in the old order. ``"moved"``: their block has
        moved, or they stand in other blocks. ``"altered"``: they stand in another form, either at
        the place of their block, where more than half of the words are equal and in order; or
        elsewhere, where only case, punctuation or markup differ. ``"superseded"``: another block
        has replaced theirs. ``"gone"``: the words are gone, or the document is. ``"erased"``: the
        citation was erased with its document, and only its id was kept.
    citation
        The citation.
    place
        The place of the words in the current version, or of the text that replaced them; None if
        they are gone. cited The place of the words in the cited version. superseded_by For altered
        or superseded words, the id of the block that replaced the cited one; None if there is none.
    difference
        How altered words differ.
    changes
        The changes around the words, or around their altered form (see ``Change``); empty if there
        are none.
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
