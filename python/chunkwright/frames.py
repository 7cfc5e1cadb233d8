"""Chunks as rows of plain values, and as tables of other libraries."""

from __future__ import annotations

from abc import abstractmethod
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from chunkwright.errors import MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import NDArray

    from chunkwright import _core


def without_surrogates(text: str) -> str:
    """Return a text that UTF-8 can say: pairs of surrogates joined, lone ones as U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class Pydantic:
    """How pydantic, and FastAPI by it, writes an object: as what :meth:`_json` returns.

    Only pydantic calls these methods, so it is there.
    """

    __slots__ = ()

    _json_schema: ClassVar[dict[str, Any]] = {"type": "dict"}

    @abstractmethod
    def _json(self) -> Any:
        """Return what JSON can say."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Return how an annotation with the class is read and written."""
        del source, handler
        from pydantic_core import core_schema

        form: Any = cls._json_schema
        written = core_schema.plain_serializer_function_ser_schema(cls._json, return_schema=form)
        return core_schema.is_instance_schema(cls, serialization=written)

    @property
    def __pydantic_serializer__(self) -> Any:
        """What writes an object that is annotated as anything."""
        kind: Any = type(self)
        return _serializer(kind)


@cache
def _serializer(kind: Any) -> Any:
    from pydantic_core import SchemaSerializer

    return SchemaSerializer(kind.__get_pydantic_core_schema__(kind, None))


class Tables(Pydantic):
    """What chunks are as tables of other libraries, and as values that JSON can say."""

    __slots__ = ()

    _json_schema: ClassVar[dict[str, Any]] = {"type": "list", "items_schema": {"type": "dict"}}

    @abstractmethod
    def __len__(self) -> int: ...

    def __arrow_c_schema__(self) -> object:
        """Export the schema through the Arrow PyCapsule interface."""
        return self._batch().__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Export a record batch through the Arrow PyCapsule interface; see :meth:`to_arrow`.

        ``requested_schema`` is ignored, as it may be.
        """
        del requested_schema
        return self._batch().__arrow_c_array__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the same as a stream of one batch, which some consumers ask for."""
        del requested_schema
        return self._batch().__arrow_c_stream__()

    @abstractmethod
    def _batch(self) -> _core.ArrowBatch:
        """Return the rows as the core writes them."""

    def _json(self) -> list[dict[str, Any]]:
        return self._batch().to_dicts()

    def to_polars(self) -> pl.DataFrame:
        """Return the chunks as a data frame of Polars, with the columns of :meth:`to_arrow`.

        Raises
        ------
        MissingExtraError
            If Polars is not installed: ``pip install "chunkwright[polars]"``.
        """
        try:
            import polars as pl
        except ImportError as error:
            raise MissingExtraError("chunks as a data frame of Polars", "polars") from error
        return pl.DataFrame(self)

    def to_pandas(self) -> pd.DataFrame:
        """Return the chunks as a data frame of pandas, with the columns of :meth:`to_arrow`.

        Raises
        ------
        MissingExtraError
            If pandas is not installed: ``pip install "chunkwright[pandas]"``.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("chunks as a data frame of pandas", "pandas") from error
        batch = self._batch()
        # Of no rows pandas would not know what they are.
        return pd.DataFrame(batch.to_columns()).astype(dict.fromkeys(batch.integers(), "int64"))

    def to_arrow(self) -> pa.Table:
        """Return the chunks as a table of pyarrow.

        Its columns are those of every writer of rows, in this order:

        - of every chunk ``chunk_id``, ``document`` (null if it has no name), ``document_id``,
          ``doc_index``, ``index`` (in its document), ``text``; ``start``, ``end`` (code points),
          ``byte_start``, ``byte_end``, ``line_start``, ``line_end`` (from 1); ``source_start``,
          ``source_end``, ``source_line_start``, ``source_line_end`` (the same in the source, null
          if not known, see :attr:`chunkwright.Chunk.source_start`); ``n_tokens``, ``oversize``;
        - of documents with elements ``kind``, ``part``, ``first_element``, ``last_element``,
          ``html``, ``pages``, ``boxes`` (null where no element has one; otherwise a list with the
          ``page`` and the edges ``left``, ``top``, ``right`` and ``bottom`` of each of
          :attr:`chunkwright.Chunk.boxes`), ``confidence`` (null where no text was recognised),
          ``headings``, ``headings_above``, ``speaker``, ``speakers``, ``time_start``,
          ``time_end``;
        - of :class:`chunkwright.Code` ``scope``, ``name``, ``symbol``, ``language``, where metadata
          have no such name;
        - of a semantic strategy ``score`` (null where there is none), ``reason``, ``threshold``;
          of :class:`chunkwright.LLM` ``boundaries_model``, ``boundaries_prompt``;
        - of chunks with contexts ``context`` (null where there is none), ``contextual_text``,
          ``contextual_n_tokens``, ``context_outcome``, ``context_why``, ``context_model``,
          ``context_prompt``: see :class:`chunkwright.Contextual`;
        - of chunks with shadows ``prefix_shadow``, ``suffix_shadow`` (null where there is none):
          see :func:`chunkwright.shadows`;
        - the metadata of documents, see :class:`chunkwright.Document`.

        Lone surrogates in texts are U+FFFD.

        Raises
        ------
        MissingExtraError
            If pyarrow is not installed: ``pip install "chunkwright[arrow]"``.
        """
        try:
            import pyarrow as pa
        except ImportError as error:
            raise MissingExtraError("chunks as a table of pyarrow", "arrow") from error
        return pa.table(self)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the chunks as dicts of ``str``, ``int``, ``float`` and None, ready for JSON.

        Their keys are the columns of :meth:`to_arrow`. A missing score is None.

        Examples
        --------
        >>> import json
        >>> import chunkwright as cw
        >>> rows = cw.chunk("One two. Three four.", max_chars=10).to_dicts()
        >>> [(row["text"], row["start"], row["end"]) for row in json.loads(json.dumps(rows))]
        [('One two.', 0, 8), ('Three', 9, 14), ('four.', 15, 20)]
        """
        return self._json()

    def json_rows(self, separator: bytes = b"\n") -> bytes:
        """Return :meth:`to_dicts` as JSON: an object for each chunk, with a separator between them.

        It is compact and in UTF-8, and is written without a dict for each chunk.

        Examples
        --------
        >>> import json
        >>> import chunkwright as cw
        >>> lines = cw.chunk("One two. Three four.", max_chars=10).json_rows().splitlines()
        >>> [json.loads(line)["text"] for line in lines]
        ['One two.', 'Three', 'four.']
        """
        return self._batch().json_rows(separator)

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the columns of :meth:`to_arrow` as lists of plain values for JSON."""
        return self._batch().to_columns()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.object_]:
        # pandas asks for it, and would make one column of objects of what it got.
        import numpy as np

        if dtype is None or np.dtype(dtype) != np.dtype(object):
            raise TypeError(
                "chunks are no array: call to_pandas(), to_polars(), to_arrow() or to_dicts(), or "
                "take a column, such as starts; dtype=object makes an array of single chunks"
            )
        del copy
        array = np.empty(len(self), dtype=object)
        array[:] = list(self)  # type: ignore[call-overload]
        return array
