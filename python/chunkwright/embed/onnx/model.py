"""A sentence model: tokens, graph, pooling."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

from chunkwright.concurrency.ordered_results import in_threads
from chunkwright.embed.files import read_object
from chunkwright.embed.onnx.folder import ModelFolder
from chunkwright.embed.onnx.graph import Batch, Graph, batches, depends_on_batch, padded
from chunkwright.embed.onnx.pooling import pool
from chunkwright.embed.texts import repaired
from chunkwright.errors import MissingExtraError, ModelError
from chunkwright.messages.logs import SLOW_SECONDS, timed
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# So many texts are tokenized and sorted at a time: memory stays bounded, and lengths alike.
BLOCK = 4096
# So many code points of texts that are read in pairs are tokenized at a time.
_BLOCK_CHARS = 1 << 18
# Texts that some vocabulary may not know.
_SHORT = ("a", "the", "1", ".", "?")


class Model:
    """A model that is loaded.

    Parameters
    ----------
    folder
        What its folder says.
    batch_tokens
        How many tokens go through the graph at once, padding included.
    n_threads
        How many batches are run at once, over all callers.
    providers
        See :class:`chunkwright.embed.onnx.graph.Graph`.

    Raises
    ------
    ModelError
        If a file cannot be used; names it.
    MissingExtraError
        If a library is not installed.
    """

    def __init__(
        self,
        folder: ModelFolder,
        *,
        batch_tokens: int,
        n_threads: int,
        providers: Sequence[Any] | None,
    ) -> None:
        self._folder = folder
        self._tokens = TokenIds(folder)
        with timed(f"loading {str(folder.graph)!r}"):
            self._graph = Graph(folder.graph, providers)
        if self._graph.is_of_tokens and folder.modes is None:
            raise ModelError(
                f"{str(folder.graph)!r} gives vectors of tokens, and no 'Pooling' in"
                " 'modules.json' says how they become one: say pooling='mean' or 'cls'"
            )
        self._batch_tokens = batch_tokens
        self._max_rows = 1 if depends_on_batch(folder.graph) else None
        self._n_threads = n_threads
        self._free = BoundedSemaphore(n_threads)

    def embed(
        self, texts: list[str], prompt: str, on_progress: Callable[[int], None]
    ) -> NDArray[np.float32]:
        """Return a vector for each text.

        Parameters
        ----------
        texts
            One at least.
        prompt
            What is put before each.
        on_progress
            Is told how many texts are done, by the thread that calls.
        """
        import numpy as np

        vectors = np.zeros((0, 0), dtype=np.float32)
        n_done = 0
        # A reference to the exception would keep the threads alive.
        about = f"embedding {counted(len(texts), 'text')}"
        with timed(about, least=SLOW_SECONDS), closing(self._batches(texts, prompt)) as done:
            for rows, found in done:
                if not n_done:
                    vectors = np.empty((len(texts), found.shape[1]), dtype=np.float32)
                vectors[rows] = found
                n_done += len(rows)
                on_progress(n_done)
        return vectors

    def _batches(
        self, texts: list[str], prompt: str
    ) -> Generator[tuple[list[int], NDArray[np.float32]]]:
        """Yield which texts are done and their vectors."""
        for start in range(0, len(texts), BLOCK):
            ids = self._tokens.of(texts[start : start + BLOCK], prompt)
            planned = batches([len(text) for text in ids], self._batch_tokens, self._max_rows)
            results = in_threads(partial(self._run, ids), planned, self._n_threads)
            for batch, found in zip(planned, results, strict=True):
                yield [start + row for row in batch.rows], found

    def _run(self, ids: list[list[int]], batch: Batch) -> NDArray[np.float32]:
        import numpy as np

        matrix, mask = padded(ids, batch, self._tokens.pad_id)
        with self._free:
            vectors = self._graph.run(matrix, mask)
        wanted = matrix.shape if self._graph.is_of_tokens else matrix.shape[:1]
        if vectors.ndim != len(wanted) + 1 or vectors.shape[:-1] != wanted:
            raise ModelError(
                f"the graph {str(self._folder.graph)!r} gave an array of shape {vectors.shape}"
                f" for tokens of shape {matrix.shape}"
            )
        if not self._graph.is_of_tokens:
            # Whoever put the pooling into the graph put all that follows it there too.
            return vectors
        pooled = pool(vectors, mask.astype(np.float32), self._folder.modes or ())
        for layer in self._folder.layers:
            pooled = layer(pooled)
        return pooled


class TokenIds:
    """The tokenizer of a model.

    Parameters
    ----------
    folder
        What the model's folder says.
    of_pairs
        Whether texts are read in pairs, for which more of a text has to be known than is read.

    Raises
    ------
    ModelError
        If the file cannot be used; names it.
    MissingExtraError
        If the library tokenizers is not installed.
    """

    def __init__(self, folder: ModelFolder, *, of_pairs: bool = False) -> None:
        self._folder = folder
        self._tokenizer = _tokenizer(folder.tokenizer, None if of_pairs else folder.max_tokens)
        self.pad_id: int = _pad_id(folder.tokenizer, self._tokenizer)

    def of(self, texts: list[str], prompt: str) -> list[list[int]]:
        """Return the ids of each text behind a prompt, special tokens included: one id at least.

        Raises
        ------
        ModelError
            If tokenizers fails.
        """
        encoded = self._encoded([repaired(prompt + self._cased(text)) for text in texts])
        return [encoding.ids or [self.pad_id] for encoding in encoded]

    def bare(self, texts: Sequence[str]) -> Iterator[tuple[list[int], int]]:
        """Yield the ids of each text, as many as the model reads, and how many tokens it has.

        Special tokens are no part of them.

        What tokenizers knows of texts is let go of block by block: of a long one that takes a
        hundred times as much as its ids do.

        Raises
        ------
        ModelError
            If tokenizers fails.
        """
        given = [repaired(self._cased(text)) for text in texts]
        start = 0
        while start < len(given):
            end, n_chars = start + 1, len(given[start])
            while end < len(given) and n_chars + len(given[end]) <= _BLOCK_CHARS:
                n_chars += len(given[end])
                end += 1
            whole = [each.ids for each in self._encoded(given[start:end], special=False)]
            yield from [(ids[: self._folder.max_tokens], len(ids)) for ids in whole]
            start = end

    def pair(self) -> Any:
        """Return the encoding of two short texts as a pair: where special tokens stand in one.

        Raises
        ------
        ModelError
            If tokenizers fails.
        """
        made = self._tokenizer
        try:
            for text in _SHORT:
                if made.encode(text, add_special_tokens=False).ids:
                    return made.encode(text, text)
        except Exception as error:
            raise ModelError(
                f"{str(self._folder.tokenizer)!r} failed on a pair: {error}"
            ) from error
        raise ModelError(f"{str(self._folder.tokenizer)!r} has no token for any of {_SHORT}")

    def _cased(self, text: str) -> str:
        return text.lower() if self._folder.lowers else text

    def _encoded(self, given: Sequence[str], *, special: bool = True) -> list[Any]:
        try:
            encoded: list[Any] = self._tokenizer.encode_batch_fast(
                given, add_special_tokens=special
            )
        except Exception as error:
            message = (
                f"{str(self._folder.tokenizer)!r} failed on {counted(len(given), 'text')}: {error}"
            )
            raise ModelError(message) from error
        return encoded


def _tokenizer(file: Path, max_tokens: int | None) -> Any:
    try:
        import tokenizers
    except ImportError as error:
        raise MissingExtraError("running a model's graph", "onnx") from error
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(file))
        # The model's folder says how long a text may be; batches are padded here.
        tokenizer.no_padding()
        tokenizer.no_truncation()
        if max_tokens is not None:
            tokenizer.enable_truncation(max_tokens)
    except Exception as error:
        raise ModelError(f"{str(file)!r} cannot be used: {error}") from error
    return tokenizer


def _pad_id(file: Path, tokenizer: Any) -> int:
    """Return the id of padding: the graph is told where it is, so any id will do."""
    padding = tokenizer.padding or {}
    config = read_object(file.with_name("tokenizer_config.json"), optional=True)
    named = config.get("pad_token")
    content = named.get("content") if isinstance(named, dict) else named
    found = tokenizer.token_to_id(content) if isinstance(content, str) else None
    return int(padding.get("pad_id", 0) if found is None else found)
