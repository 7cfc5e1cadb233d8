"""Chunks as rows of plain values, and as tables of other libraries."""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from chunkwright.errors import MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import NDArray

PlainColumns: TypeAlias = "dict[str, list[Any] | NDArray[np.int64] | NDArray[np.float64]]"
"""Columns by their names in Arrow: lists of strings without lone surrogates or None, numbers."""


def lists_of(columns: PlainColumns) -> dict[str, list[Any]]:
    """Return columns as lists of what JSON knows: a number that is none becomes None."""
    return {name: _plain(column) for name, column in columns.items()}


def rows_of(columns: PlainColumns) -> list[dict[str, Any]]:
    """Return columns as rows of what JSON knows."""
    lists = lists_of(columns).values()
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def _plain(column: Any) -> list[Any]:
    if isinstance(column, list):
        return column
    if column.dtype.kind == "f":
        return [None if math.isnan(number) else number for number in column.tolist()]
    values: list[Any] = column.tolist()
    return values


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

    @abstractmethod
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

    @abstractmethod
    def _plain(self) -> PlainColumns:
        """Return the columns that they have in Arrow."""

    def _json(self) -> list[dict[str, Any]]:
        return rows_of(self._plain())

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
        return pd.DataFrame(self._plain())

    def to_arrow(self) -> pa.Table:
        """Return the chunks as a table of pyarrow.

        It has the columns of a record batch, see :meth:`chunkwright.Chunks.__arrow_c_array__`.
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
        """Return the chunks as dicts of ``str``, ``int``, ``float`` and None, which JSON can say.

        Their keys are the columns of :meth:`to_arrow`. A score that is none is None.

        Examples
        --------
        >>> import json
        >>> import chunkwright as cw
        >>> rows = cw.chunk("One two. Three four.", max_chars=10).to_dicts()
        >>> [(row["text"], row["start"], row["end"]) for row in json.loads(json.dumps(rows))]
        [('One two.', 0, 8), ('Three', 9, 14), ('four.', 15, 20)]
        """
        return self._json()

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the columns of :meth:`to_arrow` as lists of what JSON can say."""
        return lists_of(self._plain())

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
