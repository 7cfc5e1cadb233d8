"""Base class of the strategies over elements: shared options, and the calls that cut."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from chunkwright import _core
from chunkwright.checks import checked_flag, checked_int
from chunkwright.chunking import many_elements
from chunkwright.chunking.batch import Errors, checked_errors, checked_workers
from chunkwright.chunking.options import Limited, set_derived
from chunkwright.columns import Origin
from chunkwright.document import Document
from chunkwright.element_chunks import ElementChunks
from chunkwright.element_columns import Cut, ElementColumns
from chunkwright.elements import ElementDocument, Elements
from chunkwright.errors import ConfigError
from chunkwright.readers.unstructured import read_elements

Source = Document | Iterable[Any]

NO_ELEMENTS = (
    "this strategy cuts elements, got {kind}: give a list of elements, or what read_elements makes "
    "of element JSON; for a text take a strategy such as 'recursive' or 'balanced'"
)
"""What is said of a text without elements."""


@dataclass(frozen=True, kw_only=True)
class ElementStrategy(Limited):
    """Cuts between elements, as Unstructured does: what is over the limit alone is split.

    Elements are joined, a blank line between two, as long as ``soft_max`` is not exceeded and the
    limit holds. One that is over the limit by itself is split at newlines and blanks; a table is
    split between rows, and its header is repeated.

    Parameters
    ----------
    max_tokens, max_chars
        The limit, in tokens of ``tokenizer`` or in code points; one of the two, 512 tokens without
        either.
    soft_max
        The size over which nothing is added to a chunk, in the unit of the limit; the limit itself
        by default. 0 leaves each element by itself.
    overlap
        How much of a part is repeated in the next one where an element is split, in the unit of
        the limit; it counts against the limit.
    overlap_all
        Whether chunks of whole elements repeat the end of the one before, too.
    isolate_tables
        Whether tables stand alone.
    skip_tables
        Whether tables are passed on as they are, whatever their size.
    repeat_headers
        Whether the parts of a table repeat its header.
    fix
        Whether what is known to be wrong in Unstructured is repaired, at the price of other chunks
        than it gives: a chunk never holds only an overlap, an overlap begins with a word, all sizes
        are in the unit of the limit, and no text of a table is lost that its HTML does not say.
    tokenizer
        What counts tokens; see :class:`chunkwright.Tokenizer`.

    Raises
    ------
    ConfigError
        If a value is out of range, or makes no sense with another; names it.
    """

    soft_max: int | None = None
    overlap: int = 0
    overlap_all: bool = False
    isolate_tables: bool = True
    skip_tables: bool = False
    repeat_headers: bool = True
    fix: bool = False
    _hard_max: int = field(init=False, repr=False, compare=False)
    _cutter: _core.ElementCutter = field(init=False, repr=False, compare=False)

    def _derive(self) -> None:
        name, hard_max = self._checked_limit()
        flags = ("overlap_all", "isolate_tables", "skip_tables", "repeat_headers", "fix")
        checked = {flag: checked_flag(flag, getattr(self, flag)) for flag in flags}
        if self.skip_tables and not self.isolate_tables:
            raise ConfigError("skip_tables=True needs isolate_tables=True")
        soft_max = hard_max
        if self.soft_max is not None:
            soft_max = checked_int("soft_max", self.soft_max, least=0, most=hard_max)
        overlap = checked_int("overlap", self.overlap, least=0)
        if overlap >= hard_max:
            raise ConfigError(f"overlap must be less than {name}={hard_max}, got {overlap}")
        cutter = _core.ElementCutter(
            self._unit,
            hard_max=hard_max,
            soft_max=soft_max,
            overlap=overlap,
            combine_under=self._checked_combine_under(hard_max),
            **checked,
        )
        set_derived(self, "_hard_max", hard_max)
        set_derived(self, "_cutter", cutter)

    def __call__(self, source: Source, *, name: str | None = None) -> ElementChunks:
        """Cut a document.

        Parameters
        ----------
        source
            What :func:`chunkwright.read_elements` returned, or a list of dicts or objects that it
            takes. A ``str``, or a :class:`chunkwright.Document` without elements, is refused:
            nothing in it says what its titles and pages are.
        name
            The document's name, from which ids are derived.

        Returns
        -------
        ElementChunks
            None if no element has text.

        Raises
        ------
        ConfigError
            If the source is a text.
        ReadError
            If the source is not made of elements; names the first that is none.
        TokenizerError
            If a callable tokenizer gives no count.
        """
        document = document_of(source, name)
        return self._result([self._cut(document)], Origin([document.name]))

    def batch(
        self,
        documents: Iterable[Source],
        *,
        names: Iterable[str | None] | None = None,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> ElementChunks:
        r"""Cut many documents, on several threads.

        Parameters
        ----------
        documents
            An iterable of what the strategy takes by itself: one list of elements is one document.
        names
            The documents' names, from which ids are derived: one, or None, for each.
        workers
            Threads, at most; by default as many as the process may use processors.
        errors
            With ``"raise"`` the first document that cannot be cut ends the batch. With
            ``"collect"`` it has no chunks, and :attr:`chunkwright.Chunks.errors` says why.

        Returns
        -------
        ElementChunks
            Those of all documents, in order; ``doc_index`` says which each is from.

        Raises
        ------
        ConfigError
            If ``documents`` is no iterable of documents, or an option makes no sense.
        ReadError, TokenizerError, ModelError
            If a document cannot be cut.

        Examples
        --------
        >>> import chunkwright as cw
        >>> page = [{"type": "Title", "text": "One"}, {"type": "Text", "text": "Two"}]
        >>> other = [{"type": "Text", "text": "Three"}]
        >>> chunks = cw.Basic(max_chars=20).batch([page, other], names=["a.json", "b.json"])
        >>> chunks.texts(), chunks.doc_index.tolist()
        (['One\n\nTwo', 'Three'], [0, 1])
        """
        work = many_elements.Work(self._cut_of, checked_workers(workers), checked_errors(errors))
        cuts, failed = work.all(documents, names)
        names = [cut.document.name for cut in cuts]
        return self._result(cuts, Origin(names, of_batch=True, errors=failed))

    def stream(
        self,
        documents: Iterable[Source],
        *,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> Iterator[ElementChunks]:
        """Cut one document after another, for more than memory holds.

        Parameters
        ----------
        documents, workers, errors
            As for :meth:`batch`. A few documents for each worker are read ahead.

        Yields
        ------
        ElementChunks
            Those of the next document; one that failed has its error under the number 0.

        Raises
        ------
        ConfigError
            If ``documents`` is no iterable of documents, or an option makes no sense.
        ReadError, TokenizerError, ModelError
            If a document cannot be cut, when its turn comes.
        """
        work = many_elements.Work(self._cut_of, checked_workers(workers), checked_errors(errors))
        return (
            self._result([cut], Origin([cut.document.name], errors={0: error} if error else {}))
            for cut, error in work.each(documents)
        )

    def _cut_of(self, source: Source, name: str | None) -> Cut:
        return self._cut(document_of(source, name))

    def _cut(self, document: ElementDocument) -> Cut:
        return Cut(document, self._columns(document.elements))

    def _result(self, cuts: Sequence[Cut], origin: Origin) -> ElementChunks:
        columns = ElementColumns(
            cuts,
            tokenizer=self._tokenizer,
            sizes_are_tokens=self._in_tokens,
            hard_max=self._hard_max,
            origin=origin,
        )
        return ElementChunks(columns)

    def _checked_combine_under(self, hard_max: int) -> int:
        """Return the size under which chunks are combined with the next one."""
        del hard_max
        return 0

    @abstractmethod
    def _columns(self, elements: Elements) -> _core.ElementColumns:
        """Cut in the core."""


def document_of(source: Source, name: str | None = None) -> ElementDocument:
    """Return what a strategy over elements is given as a document with elements.

    Raises
    ------
    ConfigError, ReadError
        If it is none.
    """
    if not isinstance(name, str | None):
        raise ConfigError(f"name must be a str or None, got {name!r}")
    if isinstance(source, ElementDocument):
        return source if name is None else source.named(name)
    if isinstance(source, str | Document):
        raise ConfigError(NO_ELEMENTS.format(kind="a str" if isinstance(source, str) else "a text"))
    if isinstance(source, bytes | bytearray | dict) or not isinstance(source, Iterable):
        raise ConfigError(f"a document must be a list of elements, got {type(source).__name__}")
    return read_elements(source, name=name)
