"""Validation of the queries and arrays that retrieval functions are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chunkwright.embed.texts import checked_texts
from chunkwright.embed.vectors import masked_place
from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def checked_queries(queries: str | Sequence[str]) -> list[str]:
    """Return questions as a list; a str is one of them.

    Raises
    ------
    ConfigError
        If they hold something else than str.
    """
    if isinstance(queries, str):
        return [queries]
    try:
        return checked_texts(queries)
    except (ConfigError, TypeError) as error:
        raise ConfigError(f"queries must be a str or a list of str: {error}") from None


def unmasked(name: str, given: object) -> object:
    """Return what was given, unless it is a masked array with entries that are none.

    Raises
    ------
    ConfigError
        If an entry is masked; names the first.
    """
    if (place := masked_place(given)) is not None:
        raise ConfigError(f"{name} must have all entries, but {place} is masked")
    return given


def matrix(name: str, given: object) -> NDArray[np.floating[Any]]:
    """Return vectors or scores as the core reads them: float32 or float64, whichever holds them.

    Raises
    ------
    ConfigError
        If they are no numbers in rows and columns.
    """
    import numpy as np

    try:
        array = np.asarray(unmasked(name, given))
    except ValueError as error:
        raise ConfigError(f"{name} must be rows of equal length: {error}") from None
    if array.ndim != 2 or array.dtype.kind not in "fiu":  # noqa: PLR2004 - rows and columns
        got = f"shape {array.shape} of {array.dtype}"
        raise ConfigError(f"{name} must be numbers in rows and columns, got an array of {got}")
    # Integers of more than 16 bits are told apart in float64 only.
    is_double = np.result_type(array.dtype, np.float32) != np.float32
    # What is too large becomes infinite, which the core sees.
    with np.errstate(over="ignore"):
        return np.require(array, np.float64 if is_double else np.float32, ["C", "A"])


def column(name: str, given: object, n: int) -> NDArray[np.float64]:
    """Return a number for each of ``n`` chunks or questions.

    Raises
    ------
    ConfigError
        If there are not so many, or they are no numbers.
    """
    import numpy as np

    try:
        array = np.asarray(unmasked(name, given))
    except ValueError as error:
        raise ConfigError(f"{name} must be numbers: {error}") from None
    if not array.size and array.ndim == 1:
        array = array.astype(np.float64)
    if array.shape != (n,) or array.dtype.kind not in "fiu":
        got = f"an array of shape {array.shape} of {array.dtype}"
        raise ConfigError(f"{name} must be {n} numbers, got {got}")
    return np.ascontiguousarray(array, np.float64)
