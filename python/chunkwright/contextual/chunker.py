"""Contextual strategy: any other strategy, and a context for each of its chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, get_args

from chunkwright.checks import checked_int, checked_name, checked_number
from chunkwright.chunking.arrow_tables import ArrowBatch, ArrowStream, TableOptions
from chunkwright.chunking.bases.chunker import Chunker, Source
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.chunking.batch import Errors
from chunkwright.chunking.registry import make_strategy
from chunkwright.chunks import Chunks
from chunkwright.columns import Columns
from chunkwright.context import Context
from chunkwright.contextual.passages import (
    Passages,
    passages_of,
    passages_of_objects,
    passages_of_rows,
)
from chunkwright.contextual.replies import Asked
from chunkwright.contextual.requests import Asking, AskingByDocument, AskingByNeighbours, Limits
from chunkwright.contextual.structure import structural_snippets
from chunkwright.elements.elements import Elements
from chunkwright.errors import ConfigError, OptionName
from chunkwright.llm.prompt import PromptLike
from chunkwright.llm.protocol import NOTHING
from chunkwright.llm.request import Request
from chunkwright.llm.run.ledger import Estimate
from chunkwright.llm.run.runner import Runner, RunnerLike, as_runner
from chunkwright.origin import Origin
from chunkwright.rows import OF_CONTEXTS, ContextRow
from chunkwright.tokens.tokenizer import as_tokenizer

if TYPE_CHECKING:
    from chunkwright import _core

T = TypeVar("T")
ContextSource: TypeAlias = Literal["neighbours", "document", "structure"]

_ASKING: dict[str, type[Asking]] = {
    "neighbours": AskingByNeighbours,
    "document": AskingByDocument,
}


@dataclass(frozen=True)
class Contextual(Chunker):
    """Writes a context for each chunk: a snippet that says where it stands in its document.

    A search then finds a chunk by facts that its text leaves out: the company whose revenue grew,
    or the section around it. A language model writes the snippets; with ``context="structure"``
    they consist of titles, headings and neighbours. The strategy cuts the chunks as before, and
    each gets a `Chunk.context` beside its text. Embed `Chunk.contextual_text`, which is ``[context]
    text``; `chunkwright.Retriever` and the evaluation search it. If a snippet fails, the chunk has
    none: `Chunk.context_outcome` and `Chunk.context_why` say why, and a warning in the log of
    ``chunkwright`` counts such chunks, with the last reason.

    Tables of the chunks have these columns after those of the strategy:

    - ``context`` (null if there is none) and ``contextual_text``,
    - ``contextual_n_tokens``: tokens of the contextual text (``n_tokens`` are those of the text),
    - ``context_outcome`` and ``context_why``: how the context came about, and why there is none,
    - ``context_model``, ``context_prompt``: the fingerprints of model and prompt; empty if no model
      was asked or it has no name.

    All tokens are those of the strategy's tokenizer.

    Parameters
    ----------
    strategy
        The strategy that cuts, or its name.
    llm
        The model that writes the snippets: an adapter, a function, or a `chunkwright.llm.Runner`,
        which has a cache, a budget, prices and a number of requests at once.
    context
        What the model is shown besides the chunk and its headings: its ``"neighbours"``; or the
        whole ``"document"``, first and the same for all of its chunks, so that providers cache it.
        With ``"structure"`` no model is asked: a snippet is the title, the headings, and the first
        words of the neighbours.
    neighbours
        Chunks before, and chunks behind.
    max_context_tokens
        Most tokens of all neighbours, headings included. The text farthest away is cut first.
    max_document_tokens
        A longer document is not shown as a whole: its chunks are shown with their neighbours.
    max_snippet_tokens
        Most tokens of a snippet. A longer one is cut.
    temperature
        How random the model's words are, from 0.
    prompt
        The prompt, or the path of its file; by default ``context-1`` for neighbours,
        ``context-document-1`` for documents.

    Raises
    ------
    ConfigError
        If an option makes no sense, or the model is missing.

    Examples
    --------
    >>> import chunkwright as cw
    >>> report = cw.Document(text="Revenue grew by 3 %. Costs fell.", name="ACME 2023")
    >>> contextual = cw.Contextual(
    ...     cw.Sentence(sentences=1), llm=lambda messages: "From ACME's report on 2023."
    ... )
    >>> for chunk in contextual(report):
    ...     print(chunk.text, "|", chunk.contextual_text)
    Revenue grew by 3 %. | [From ACME's report on 2023.] Revenue grew by 3 %.
    Costs fell. | [From ACME's report on 2023.] Costs fell.
    >>> cw.Contextual(cw.Sentence(sentences=1), context="structure")(report).contexts[1]
    'ACME 2023 | Revenue grew by 3 %.'
    """

    strategy: Strategy | str
    _: KW_ONLY
    llm: RunnerLike | None = None
    context: ContextSource = "neighbours"
    neighbours: int = 2
    max_context_tokens: int = 2000
    max_document_tokens: int = 100_000
    max_snippet_tokens: int = 100
    temperature: float = 0.3
    prompt: PromptLike | None = None
    _cuts: Strategy = field(init=False, repr=False, compare=False)
    _limits: Limits = field(init=False, repr=False, compare=False)
    # What asks, and what is asked; None if no model is.
    _asking: tuple[Runner, Asking] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cuts = make_strategy(self.strategy, {}) if isinstance(self.strategy, str) else self.strategy
        if not isinstance(cuts, Strategy):
            raise ConfigError.refused("strategy", "a strategy or its name", self.strategy)
        checked_name("context", self.context, get_args(ContextSource))
        limits = Limits(
            tokenizer=as_tokenizer(cuts.tokenizer),
            neighbours=checked_int("neighbours", self.neighbours, least=0),
            max_context_tokens=checked_int("max_context_tokens", self.max_context_tokens, least=0),
            max_document_tokens=checked_int(
                "max_document_tokens", self.max_document_tokens, least=0
            ),
            max_snippet_tokens=checked_int("max_snippet_tokens", self.max_snippet_tokens, least=1),
            temperature=checked_number("temperature", self.temperature, least=0),
        )
        for name, value in {
            "_cuts": cuts,
            "_limits": limits,
            "_asking": self._made_asking(limits),
        }.items():
            object.__setattr__(self, name, value)

    def _made_asking(self, limits: Limits) -> tuple[Runner, Asking] | None:
        if self.context == "structure":
            for name in ("llm", "prompt"):
                if getattr(self, name) is not None:
                    what = '="structure" asks no model, so it takes no '
                    raise ConfigError(OptionName("context"), what, OptionName(name), option=name)
            return None
        if self.llm is None:
            needed = f'="{self.context}" needs a model: give ', OptionName("llm")
            raise ConfigError(OptionName("context"), *needed, option="llm")
        return as_runner(self.llm), _ASKING[self.context](limits, self.prompt)

    @property
    def inner(self) -> Strategy:
        """The strategy that cuts the chunks."""
        return self._cuts

    @property
    def provenance(self) -> dict[str, str]:
        """The fingerprints of model and prompt: see `Chunks.provenance`."""
        found = dict(self._cuts.provenance)
        if self._asking is not None:
            runner, asking = self._asking
            found |= {"context_model": runner.fingerprint, "context_prompt": asking.fingerprint}
        return found

    def __call__(self, text: Source, *, name: str | None = None) -> Chunks:
        """Cut a document, and write a context for each of its chunks.

        Parameters
        ----------
        text
            A document as the strategy takes it.
        name
            The document's name, from which ids are derived, and which is shown to the model.

        Raises
        ------
        ModelError
            If the model refuses all requests. What was answered before is in the cache.
        ConfigError, ReadError, TokenizerError
            As the strategy does.
        """
        return self._all(self._cuts(text, name=name))

    def batch(
        self,
        texts: Iterable[Source],
        *,
        names: Iterable[str | None] | None = None,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> Chunks:
        """Cut many documents and write their contexts, as one result.

        Parameters
        ----------
        texts, names, workers, errors
            See `chunkwright.Recursive.batch`.

        Raises
        ------
        ModelError
            If the model refuses all requests.
        ConfigError, ReadError, TokenizerError
            As the strategy does.
        """
        return self._all(self._cuts.batch(texts, names=names, workers=workers, errors=errors))

    def stream(
        self,
        texts: Iterable[Source],
        *,
        names: Iterable[str | None] | None = None,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> Iterator[Chunks]:
        """Yield the chunks of one document after another, in order, with their contexts.

        Requests about several documents run at once. Memory holds these documents, and those that
        are read ahead.

        Parameters
        ----------
        texts, names, workers, errors
            See `chunkwright.Recursive.stream`.

        Raises
        ------
        ModelError
            If the model refuses all requests.
        ConfigError, ReadError, TokenizerError
            As the strategy does, when the document's turn comes.
        """
        cut = self._cuts.stream(texts, names=names, workers=workers, errors=errors)
        return self._contextual(cut)

    def cut_table(self, data: object, options: TableOptions) -> ArrowBatch | ArrowStream:
        """Cut a column of a table; see :meth:`arrow`."""
        own = self.provenance
        contexts = own.get("context_model", ""), self._rows
        return self._cuts.cut_table(data, replace(options, contexts=contexts, provenance=own))

    def _rows(
        self,
        core: _core.Columns,
        names: list[str | None],
        elements: list[_core.Elements | None],
    ) -> list[ContextRow]:
        """Return the contexts of chunks that the core cut out of a table."""
        columns = Columns(
            core,
            tokenizer=self._limits.tokenizer,
            sizes_are_tokens=False,
            origin=Origin(
                names, elements=[None if of is None else Elements(of) for of in elements]
            ),
        )
        contextual = self._all(Chunks(columns)).columns
        pairs = zip(contextual.contexts or (), contextual.contextual_n_tokens, strict=True)
        return [context.row(int(n_tokens)) for context, n_tokens in pairs]

    def contexts(self, chunks: Iterable[Any]) -> list[str]:
        """Return a snippet for each of some chunks; empty if there is none.

        Use it for chunks from another source, and for other forms of text, such as that of
        `chunkwright.contextualize`.

        Parameters
        ----------
        chunks
            `chunkwright.Chunks`; or the chunks of one document in order, as rows with ``text``, or
            as objects with an attribute ``text``, such as Unstructured's elements.

        Raises
        ------
        ReadError
            If a chunk has no text.
        ModelError
            If the model refuses all requests.

        Examples
        --------
        >>> import chunkwright as cw
        >>> chunks = cw.chunk("One sentence. And another.", "sentence", sentences=1)
        >>> writer = cw.Contextual("sentence", llm=lambda messages: "Of two.")
        >>> cw.contextualize(chunks, writer.contexts(chunks))[0].text
        'Prefix: Of two.; Original: One sentence.'
        """
        if isinstance(chunks, Chunks):
            passages = passages_of(chunks)
        else:
            passages = [passages_of_objects(chunks)]
        written = self._written(iter([(None, passages)]))
        return [snippet.text for _, _, snippets in written for snippet in snippets]

    def rewrite(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield rows of chunks with new snippets; nothing is cut.

        Parameters
        ----------
        rows
            The rows of one document after another, each with its chunks in order, with contexts or
            without. Rows with equal ``document`` and ``doc_index`` are of one document. The texts
            of its chunks stand for the whole document.

        Yields
        ------
        dict
            The row with new columns of context; all others stay as they are.

        Raises
        ------
        ReadError
            If a row has no text.
        ModelError
            If the model refuses all requests.

        Examples
        --------
        >>> import chunkwright as cw
        >>> rows = cw.chunk("Rain. Sun.", "sentence", sentences=1).to_dicts()
        >>> writer = cw.Contextual("sentence", llm=lambda messages: "On the weather.")
        >>> [row["contextual_text"] for row in writer.rewrite(rows)]
        ['[On the weather.] Rain.', '[On the weather.] Sun.']
        """
        model = self.provenance.get("context_model", "")
        for of_document, (passages,), snippets in self._written(_by_document(rows)):
            pairs = zip(snippets, passages.texts, strict=True)
            texts = [snippet.before(text) for snippet, text in pairs]
            counts = self._limits.tokenizer.count_batch(texts)
            for row, text, snippet, n_tokens in zip(
                of_document, texts, snippets, counts, strict=True
            ):
                context, _, outcome, why, prompt = snippet.row(n_tokens)
                values = (context, text, n_tokens, outcome, why, model, prompt)
                yield {**row, **dict(zip(OF_CONTEXTS, values, strict=True))}

    def estimate(self, documents: Iterable[Source]) -> Estimate:
        """Return an upper bound of the cost of snippets for some documents; nothing is sent.

        The documents are cut for it.

        Examples
        --------
        >>> import chunkwright as cw
        >>> writer = cw.Contextual(cw.Sentence(sentences=1), llm=lambda messages: "")
        >>> writer.estimate(["One sentence. And another."]).n_calls
        2
        """
        if self._asking is None:
            return Estimate(0, 0, NOTHING, 0.0)
        runner, asking = self._asking
        return runner.estimate(
            request
            for chunks in self._cuts.stream(documents)
            for passages in passages_of(chunks)
            for request in asking.about(passages)[1]
        )

    def completed(self, chunks: Chunks, known: Sequence[Context | None]) -> Chunks:
        """Return the chunks of one document with contexts, some of which are known.

        Parameters
        ----------
        chunks
            The chunks, cut by the strategy.
        known
            The context of each chunk; for None, one is written.

        Raises
        ------
        ModelError
            If the model refuses all requests.
        """
        if self._asking is None:
            return self._all(chunks)
        runner, asking = self._asking
        requests: list[Request[str]] = []
        prompt = asking.fingerprint
        for passages in passages_of(chunks):
            prompt, about = asking.about(passages)
            requests += [request for request, of in zip(about, known, strict=True) if of is None]
        answers = (
            Context(answer.value or "", answer.outcome, prompt, answer.why)
            for answer in runner.ask(iter(requests))
        )
        contexts = [next(answers) if of is None else of for of in known]
        columns = chunks.columns
        return Chunks(columns.with_contexts(contexts, self.provenance))

    def _all(self, chunks: Chunks) -> Chunks:
        (found,) = self._contextual(iter([chunks]))
        return found

    def _contextual(self, cut: Iterator[Chunks]) -> Iterator[Chunks]:
        pairs = ((chunks, passages_of(chunks)) for chunks in cut)
        provenance = self.provenance
        for chunks, _, snippets in self._written(pairs):
            columns = chunks.columns
            yield Chunks(columns.with_contexts(snippets, provenance))

    def _written(
        self, pairs: Iterator[tuple[T, list[Passages]]]
    ) -> Iterator[tuple[T, list[Passages], list[Context]]]:
        """Yield what is given, with a snippet for each passage."""
        if self._asking is None:
            for item, passages in pairs:
                yield item, passages, self._structural(passages)
            return
        yield from Asked(*self._asking, pairs).results()

    def _structural(self, passages: Sequence[Passages]) -> list[Context]:
        limits = self._limits
        return [
            snippet
            for of in passages
            for snippet in structural_snippets(
                of,
                neighbours=limits.neighbours,
                max_tokens=limits.max_snippet_tokens,
                tokenizer=limits.tokenizer,
            )
        ]


def _by_document(
    rows: Iterable[Mapping[str, Any]],
) -> Iterator[tuple[list[Mapping[str, Any]], list[Passages]]]:
    n = 0
    for _, group in groupby(rows, lambda row: (row.get("document"), row.get("doc_index"))):
        of_document = list(group)
        yield of_document, [passages_of_rows(of_document, n)]
        n += len(of_document)
