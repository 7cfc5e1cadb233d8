"""Detached rows: what columns or elements answer about a few of them, for pickles and copies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar, NoReturn

from chunkwright.errors import ReadError


class Detached:
    """Answers about some rows, apart from their document; it is asked as all of them are.

    Parameters
    ----------
    rows
        The numbers of the rows.
    answers
        For each of :attr:`columns`, and then of :attr:`methods`, what it says of each row. A method
        raises what is a ReadError.

    Attributes
    ----------
    columns
        Names of columns, which have a value for each row.
    methods
        Names of methods of one row.
    """

    columns: ClassVar[tuple[str, ...]] = ()
    methods: ClassVar[tuple[str, ...]] = ()

    _names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._names = (*cls.columns, *cls.methods)

    def __init__(self, rows: list[int], answers: list[list[Any]]) -> None:
        self._rows, self._answers = rows, answers

    @classmethod
    def answers_of(cls, asked: Any, rows: Iterable[int]) -> list[list[Any]]:
        """Return what all columns or elements answer about some rows."""
        answers = []
        for name in cls.columns:
            column = getattr(asked, name)
            values = map(column.get if isinstance(column, Mapping) else column.__getitem__, rows)
            # A number of Python is a tenth as large in a pickle as one of NumPy.
            answers.append([of.item() if hasattr(of, "item") else of for of in values])
        for name in cls.methods:
            call = getattr(asked, name)
            try:
                answers.append([call(row) for row in rows])
            except ReadError:
                answers.append([_asked(call, row) for row in rows])
        return answers

    def column(self, name: str) -> dict[int, Any]:
        """Return what a column, or a method, says of each row."""
        return dict(zip(self._rows, self._answers[self._names.index(name)], strict=True))

    def change(self, row: int, /, **answers: Any) -> None:
        """Let the columns and methods of these names answer so about a row."""
        at = self._rows.index(row)
        for name, answer in answers.items():
            self._answers[self._names.index(name)][at] = answer

    def __getattr__(self, name: str) -> Any:
        if name not in self._names:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        values = self.column(name)
        return values if name in self.columns else partial(_answer, values)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._rows, self._answers)


def refusing(module: str, name: str) -> Callable[[str], NoReturn]:
    """Return the ``__getattr__`` of a module, one name of which pickles of 0.2.0 ask for.

    Raises
    ------
    ReadError
        By what is returned, for that name.
    """

    def get(asked: str) -> NoReturn:
        if asked == name:
            raise ReadError(
                "chunks that chunkwright 0.2.0 or an earlier version pickled cannot be read: cut "
                "the documents again"
            )
        raise AttributeError(f"module {module!r} has no attribute {asked!r}")

    return get


def _answer(values: Mapping[int, Any], row: int) -> Any:
    answer = values[row]
    if isinstance(answer, ReadError):
        raise answer
    return answer


def _asked(call: Callable[[int], Any], row: int) -> Any:
    try:
        return call(row)
    except ReadError as error:
        return error
