"""LLM strategy: chunks that begin where a language model says that a new subject does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from chunkwright.chunking import batch as batches
from chunkwright.chunking.asking import Asking, boundary_prompt
from chunkwright.chunking.bases.options import set_derived
from chunkwright.chunking.bases.own_boundaries import OverPieces
from chunkwright.rows import OF_BOUNDARIES, OF_ENDINGS

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Source
    from chunkwright.chunking.option_types import Size
    from chunkwright.llm.prompt import PromptLike
    from chunkwright.llm.request import Request
    from chunkwright.llm.run.ledger import Estimate
    from chunkwright.llm.run.runner import Runner, RunnerLike


@dataclass(frozen=True, kw_only=True)
class LLM(OverPieces):
    """Ask a language model at which sentences of a text a new subject begins, and cut there.

    The text is split into sentences, and short ones are joined. The model sees windows of these
    pieces, numbered, and answers with the numbers of those that begin a chunk. Each window decides
    only on the pieces in its middle; the others are context. So windows are independent: those of
    many documents are asked about at the same time, and the chunks do not depend on the concurrency
    or on other documents.

    The model's words are never part of a chunk. After an invalid reply, the model is asked once
    more. If that reply is invalid, too, if there is none, or if the budget is spent, this window is
    cut by the limit alone, evenly and at its strongest boundaries. A warning in the log of
    ``chunkwright`` counts such windows, and the runner's ledger the outcomes of all requests.
    ``chunk.reason`` is ``"given"`` where the model set the boundary, and ``"limit"`` where the
    limit did. A text of one piece needs no request.

    Parameters
    ----------
    llm
        The model: an adapter such as :class:`chunkwright.llm.OpenAIChat`, a function, or a
        :class:`chunkwright.llm.Runner`, which sets the concurrency, cache, budget and prices.
    prompt
        Your own prompt, or the path of its file; see :class:`chunkwright.llm.Prompt`. It has places
        for ``$pieces``, ``$first`` and ``$last``.
    window_tokens
        The part of a text that the model sees at once, in tokens of ``tokenizer``, each piece
        counted by itself: three fifths to decide on, and up to a fifth of context on each side. A
        text that is no longer is one window.
    piece_max
        The largest size of a piece: sentences of a paragraph are joined up to it. 50 tokens or 200
        characters by default, but at most the limit. A longer sentence is a piece by itself, up to
        three fifths of a window (of four characters to a token, if the limit is in characters).
    soft_max
        Where a text is over the limit, it is divided into even chunks, each of which ends between
        this size and the limit if a boundary is there; half of the limit by default.
    language
        The language of the text, as :func:`chunkwright.split_sentences` takes it.
    max_tokens, max_chars, tokenizer, min_size, overlap, overlap_at, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Attributes
    ----------
    runner
        The runner that asks the model; its ledger counts calls, tokens and outcomes.

    Raises
    ------
    ConfigError
        If there is no model, or an option makes no sense.
    ReadError
        If the file of a prompt cannot be read.

    Notes
    -----
    Brandon Smith and Anton Troynikov, "Evaluating Chunking Strategies for Retrieval" (Chroma,
    July 2024). :class:`chunkwright.compat.chroma.LLMSemanticChunker` gives that one's chunks.

    Examples
    --------
    >>> import chunkwright as cw
    >>> def model(messages):
    ...     return {"starts": [3]}
    >>> text = "A cat naps. A cat purrs. An engine hums. An engine stops."
    >>> chunks = cw.LLM(max_chars=60, piece_max=12, llm=model)(text)
    >>> chunks.texts(), chunks.reasons
    (['A cat naps. A cat purrs.', 'An engine hums. An engine stops.'], ['given', 'end'])
    """

    name = "llm"
    columns: ClassVar[tuple[str, ...]] = (*OF_ENDINGS, *OF_BOUNDARIES)
    models: ClassVar[tuple[str, ...]] = ("llm",)

    llm: RunnerLike | None = None
    prompt: PromptLike | None = None
    window_tokens: int = 800
    piece_max: Size | None = None
    _asking: Asking = field(init=False, repr=False, compare=False)

    @property
    def runner(self) -> Runner:
        """The runner that asks the model."""
        return self._asking.runner

    @property
    def provenance(self) -> dict[str, str]:
        """The fingerprints of the model and of the prompt."""
        return {
            "boundaries_model": self.runner.fingerprint,
            "boundaries_prompt": self._asking.prompt.fingerprint,
        }

    def estimate(self, documents: Iterable[Source]) -> Estimate:
        """Estimate the requests and the cost to cut some documents; nothing is sent.

        Parameters
        ----------
        documents
            Texts or documents, as :meth:`batch` takes them.

        Raises
        ------
        ConfigError
            If `documents` is not an iterable of documents.

        Examples
        --------
        >>> import chunkwright as cw
        >>> from chunkwright.llm import Prices, Runner
        >>> runner = Runner(lambda messages: {"starts": []}, prices=Prices(input=1, output=4))
        >>> documents = ["A cat naps. An engine hums.", "Rain falls."]
        >>> cw.LLM(max_chars=60, piece_max=12, llm=runner).estimate(documents).n_calls
        1
        """
        return self.runner.estimate(self._requests(documents))

    def _requests(self, documents: Iterable[Source]) -> Iterator[Request[list[int]]]:
        """Yield all requests that documents need."""
        for pieces in batches.pieces(self._cutting(None, "raise"), documents):
            if texts := pieces.texts():
                yield from self._asking.requests([texts])

    def _beside(self) -> dict[str, Any]:
        from chunkwright.llm.run.runner import as_runner

        if self.llm is None:
            return {}
        prompt = boundary_prompt(self.prompt)
        asking = Asking(as_runner(self.llm), prompt, self._tokenizer, self.window_tokens)
        set_derived(self, "_asking", asking)
        return {"asked": asking}
