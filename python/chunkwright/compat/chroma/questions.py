"""The questions of Chroma's evaluation: rows of a CSV file, also as a frame of pandas."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.errors import ReadError
from chunkwright.messages.terminal_text import short_repr

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("question", "references", "corpus_id")
PLACES = ("start_index", "end_index")
References = list[dict[str, Any]]


class Row(NamedTuple):
    """A question, what answers it, and the corpus that holds that."""

    question: str
    references: References
    corpus_id: Any


def read_rows(path: str | os.PathLike[str]) -> list[Row]:
    """Read questions; there are none in a file that does not exist.

    Raises
    ------
    ReadError
        If the file has another form; names the row, from 1.
    """
    if not Path(path).exists():
        return []
    # Spreadsheets put a byte order mark in front, which pandas does not read either.
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        try:
            names = rows.fieldnames or ()
        except (csv.Error, ValueError) as error:
            raise ReadError(f"{path}: {error}") from error
        missing = [name for name in COLUMNS if name not in names]
        if missing:
            raise ReadError(f"{path}: there is no column {missing[0]!r}")
        return list(_rows(path, rows))


def _rows(path: str | os.PathLike[str], rows: csv.DictReader[str]) -> Iterator[Row]:
    number = 0
    try:
        for number, row in enumerate(rows, 1):  # noqa: B007 - the error says where it is
            yield Row(row["question"], _references(row["references"]), row["corpus_id"])
    except (csv.Error, ValueError, TypeError, RecursionError) as error:
        raise ReadError(f"{path}: row {number}: {error}") from error


def _references(cell: str) -> References:
    references = json.loads(cell)
    if not isinstance(references, list):
        raise TypeError(f"references must be a list, got {short_repr(references)}")
    for each in references:
        places = [each.get(key) for key in PLACES] if isinstance(each, dict) else [None]
        if not all(type(place) in {int, float} for place in places):
            raise TypeError(f"a reference needs {' and '.join(PLACES)}, got {short_repr(each)}")
    return references


def read_frame(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read questions as a frame of pandas, with all columns that the file has.

    Raises
    ------
    ImportError
        If pandas is not installed.
    ReadError
        If it is no table, or references in it are no JSON.
    """
    pd = pandas()
    if not Path(path).exists():
        return pd.DataFrame(columns=list(COLUMNS))
    # Names and texts stay what they are, whether or not they look like a number or like none.
    try:
        return pd.read_csv(
            path,
            dtype={"question": str, "corpus_id": str},
            converters={"references": json.loads},
            na_filter=False,
        )
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{path}: {error}") from error


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """Return a frame's questions."""
    columns = (frame[name].tolist() for name in COLUMNS)
    return [Row(*row) for row in zip(*columns, strict=True)]


def pandas() -> Any:
    """Return the module pandas.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("questions_df is a frame of pandas: pip install pandas") from error
    return pd
