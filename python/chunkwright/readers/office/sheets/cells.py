"""Places of cells: their names, such as ``B4``, and their rows and columns from 0."""

from __future__ import annotations

import re
from functools import lru_cache

MAX_COLUMNS = 1 << 18
"""No sheet has more columns."""
_PLACE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_N_LETTERS = 26


def place_of(name: str) -> tuple[int, int] | None:
    """Return the row and the column of a cell by its name; None if it is none.

    Examples
    --------
    >>> place_of("B4"), place_of("$AA$1"), place_of("4B")
    ((3, 1), (0, 26), None)
    """
    found = _PLACE.fullmatch(name)
    return None if found is None else (int(found[2]) - 1, column_of(found[1], 0))


def name_of(row: int, column: int) -> str:
    """Return the name of a cell.

    Examples
    --------
    >>> name_of(3, 1), name_of(0, 26)
    ('B4', 'AA1')
    """
    letters, left = "", column + 1
    while left:
        left, at = divmod(left - 1, _N_LETTERS)
        letters = chr(ord("A") + at) + letters
    return f"{letters}{row + 1}"


@lru_cache(20_000)
def column_of(letters: str, default: int) -> int:
    """Return the number of a column from 0 by its letters; the default if they are none."""
    number = 0
    for letter in letters.upper():
        if not "A" <= letter <= "Z" or number > MAX_COLUMNS:
            return default
        number = _N_LETTERS * number + ord(letter) - ord("A") + 1
    return number - 1 if number else default
