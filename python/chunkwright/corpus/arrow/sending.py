"""Sending of options to other processes: small pickles, made into an object once a process."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")

MOST_BYTES = 64 * 2**10
"""Bytes of an option as a pickle, at most: more is no configuration."""
# Objects that a process has been sent; an old one may hold a large model.
_MOST_KNOWN = 8
_known: OrderedDict[bytes, Any] = OrderedDict()
_knowing = Lock()


def check_sendable(name: str, value: object, instead: str) -> None:
    """Check that an option is configuration, which every process can be sent.

    Parameters
    ----------
    name, value
        The option.
    instead
        What to give in its place.

    Raises
    ------
    ConfigError
        If it cannot be pickled, or is larger than `MOST_BYTES` so.
    """
    try:
        n_bytes = len(pickle.dumps(value))
    except Exception as error:
        message = f"{name} cannot be sent to other processes: {error}; {instead}"
        raise ConfigError(message, option=name) from error
    if n_bytes > MOST_BYTES:
        message = f"{name} is too large to be sent to other processes, {n_bytes:,} bytes: {instead}"
        raise ConfigError(message, option=name)


def received(make: Callable[..., T], options: Mapping[str, Any]) -> T:
    """Return what ``make`` makes of options: what it made of equal ones before, if it did.

    Options are known by what they pickle to in this process, not where they come from: a function
    of a notebook, which is another one after each change of it, does not pickle here.
    """
    try:
        key = pickle.dumps((make, options))
    except Exception:  # noqa: BLE001 - whatever a user's object raises
        return make(**options)
    with _knowing:
        known: T = _known.pop(key) if key in _known else make(**options)
        _known[key] = known
        if len(_known) > _MOST_KNOWN:
            _known.popitem(last=False)
        return known
