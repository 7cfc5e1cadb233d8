"""Base of what requests ask: every name has to be known."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

from chunkwright.frames import without_surrogates


class Asked(BaseModel):
    """A request, in which every name has to be known."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


def _well_formed(value: object) -> object:
    return without_surrogates(value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_well_formed)]
"""A text; JSON can say half of a surrogate pair, which becomes U+FFFD as in rows of chunks."""
