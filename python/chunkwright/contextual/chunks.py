"""Contextual chunks: a sequence of chunks with snippets in front, and the same as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from chunkwright import _core, frames
from chunkwright.chunk_view import Chunk
from chunkwright.contextual.snippets import Snippet, SnippetOutcome, with_snippet
from chunkwright.rows import KINDS, OF_CONTEXT, arrow_metadata

if TYPE_CHECKING:
    from collections.abc import Sequence as Base
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.chunks import Chunks
    from chunkwright.contextual.passages import Passages
    from chunkwright.tokenizer import Tokenizer
else:
    # As for Chunks: Polars would take a registered sequence for a list of objects.
    class Base:
        """Nothing but a name that can be subscripted."""

        __slots__ = ()

        def __class_getitem__(cls, _: object) -> type:
            return cls


STRATEGY = "contextual"
"""What contextual chunks have in the column ``chunking_strategy``."""


@dataclass(frozen=True, slots=True)
class SituatedChunk:
    """A chunk, and the snippet that says where it stands.

    Parameters
    ----------
    chunk
        The chunk as it was cut: offsets, pages and ids are its own.
    contextual_snippet
        The snippet; empty if there is none.
    section
        The headings of the section that it is from, as ``"A > B"``.
    context
        The same below the title of its document: its name, or else the heading above all others.
    outcome
        How the snippet came about: see `ContextualChunks.outcomes`.
    why
        Why there is none, if a model was asked.
    """

    chunk: Chunk
    contextual_snippet: str
    section: str
    context: str
    outcome: SnippetOutcome
    why: str

    @property
    def original_text(self) -> str:
        """The text of the chunk."""
        return self.chunk.text

    @property
    def text(self) -> str:
        """What is to be embedded: ``[snippet] original``; the original if there is no snippet."""
        return with_snippet(self.contextual_snippet, self.chunk.text)


class ContextualChunks(frames.Tables, Base[SituatedChunk]):
    """Chunks with snippets in front, in order; `chunkwright.Contextual` makes them.

    As a table it has the columns of `chunkwright.Chunks`, which say where the original stands and
    how large it is, but for ``text``, which is ``[snippet] original``; and behind them:

    - ``original_text`` and ``contextual_snippet`` (empty if there is none),
    - ``token_count``: tokens of ``text``, in the strategy's tokenizer (``n_tokens`` are those of
      the original),
    - ``chunking_strategy``: ``"contextual"``,
    - ``section`` and ``context``: the chunk's headings, and the same below the title,
    - ``snippet_outcome`` and ``snippet_why``: how the snippet came about, and why there is none,
    - ``snippet_model``, ``snippet_prompt``: the fingerprints of model and prompt; empty if no model
      was asked or it has no name.

    Parameters
    ----------
    chunks
        The chunks.
    passages
        The same with their sections, document by document.
    snippets
        One for each chunk.
    provenance
        The fingerprints of models and prompts: see `provenance`.
    tokenizer
        Counts.
    """

    def __init__(
        self,
        chunks: Chunks,
        passages: Sequence[Passages],
        snippets: Sequence[Snippet],
        *,
        provenance: Mapping[str, str],
        tokenizer: Tokenizer,
    ) -> None:
        self.chunks = chunks
        self._snippets = snippets
        self._sections = [section for of in passages for section in of.sections]
        self._paths = [path for of in passages for path in of.paths]
        self._provenance = provenance
        self._tokenizer = tokenizer

    @property
    def snippets(self) -> list[str]:
        """The snippets; empty where there is none."""
        return [snippet.text for snippet in self._snippets]

    @property
    def outcomes(self) -> list[SnippetOutcome]:
        """How the snippets came about.

        That of the request: ``"answered"``, ``"cached"``, ``"repaired"``; without snippet
        ``"invalid"``, ``"failed"`` or ``"unpaid"``, see `chunkwright.llm.Answer`. ``"structure"``
        if no model was asked.
        """
        return [snippet.outcome for snippet in self._snippets]

    @property
    def whys(self) -> list[str]:
        """Why there is no snippet, if a model was asked; empty where there is one."""
        return [snippet.why for snippet in self._snippets]

    @property
    def provenance(self) -> dict[str, str]:
        """The fingerprints of language models and prompts that texts and chunks depend on.

        Those of snippets are ``snippet_model``, empty if the model has no name, and
        ``snippet_prompt``; others are those of `chunkwright.Chunks.provenance`. Tables have them in
        the metadata of their schema, ``chunkwright.`` before the name.
        """
        return dict(self._provenance)

    @property
    def errors(self) -> dict[int, Exception]:
        """For each document that could not be cut, its number and why."""
        return self.chunks.errors

    def texts(self) -> list[str]:
        """Return what is to be embedded: ``[snippet] original``."""
        originals = self.chunks.texts()
        return list(map(with_snippet, self.snippets, originals))

    @cached_property
    def token_counts(self) -> NDArray[np.int64]:
        """Tokens of each text, shape ``(n,)``."""
        import numpy as np

        return np.array(self._tokenizer.count_batch(self.texts()), dtype=np.int64)

    def __len__(self) -> int:
        return len(self._snippets)

    @overload
    def __getitem__(self, index: int) -> SituatedChunk: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> SituatedChunk | Self:
        if isinstance(index, slice):
            return self._sliced(index)
        snippet = self._snippets[index]
        return SituatedChunk(
            self.chunks[index],
            snippet.text,
            self._sections[index],
            self._paths[index],
            snippet.outcome,
            snippet.why,
        )

    def _sliced(self, index: slice) -> Self:
        view = type(self)(
            self.chunks[index],
            (),
            self._snippets[index],
            provenance=self._provenance,
            tokenizer=self._tokenizer,
        )
        view._sections, view._paths = self._sections[index], self._paths[index]  # noqa: SLF001
        return view

    def __iter__(self) -> Iterator[SituatedChunk]:
        return (self[i] for i in range(len(self)))

    if not TYPE_CHECKING:
        __contains__ = Sequence.__contains__
        __reversed__ = Sequence.__reversed__
        index = Sequence.index
        count = Sequence.count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContextualChunks):
            return NotImplemented
        return self.chunks == other.chunks and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def _plain(self) -> frames.PlainColumns:
        plain = self.chunks._plain()  # noqa: SLF001 - the same table, with more columns
        originals: Any = plain["text"]
        n, snippets = len(self), self._snippets
        texts = list(map(with_snippet, self.snippets, originals))
        of_context = (
            originals,
            self.snippets,
            self.token_counts,
            [STRATEGY] * n,
            self._sections,
            self._paths,
            self.outcomes,
            self.whys,
            [self._provenance.get("snippet_model", "")] * n,
            [snippet.prompt for snippet in snippets],
        )
        return plain | {"text": texts} | dict(zip(OF_CONTEXT, of_context, strict=True))

    def _arrow(self) -> tuple[list[tuple[str, str, Any]], dict[str, str]]:
        """Return the columns, and what tables of the chunks say of themselves."""
        plain = self._plain()
        columns = [(name, KINDS.get(name, "int"), values) for name, values in plain.items()]
        return columns, arrow_metadata(self._provenance)

    def __arrow_c_schema__(self) -> object:
        """Export the schema through the Arrow PyCapsule interface."""
        return _core.export_schema(*self[:0]._arrow())  # noqa: SLF001 - of its own class

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Export a record batch through the Arrow PyCapsule interface.

        ``requested_schema`` is ignored, as it may be.
        """
        del requested_schema
        return _core.export_array(*self._arrow())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the same as a stream of one batch, which some consumers ask for."""
        del requested_schema
        return _core.export_stream(*self._arrow())

    def __repr__(self) -> str:
        n_without = sum(not snippet.text for snippet in self._snippets)
        without = f", {n_without} without snippet" if n_without else ""
        return f"<{len(self)} contextual chunks{without}>"
