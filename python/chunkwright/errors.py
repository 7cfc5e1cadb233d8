"""The exceptions that chunkwright raises; each names the value that is to blame."""

from __future__ import annotations


class ChunkwrightError(Exception):
    """Base of all errors of chunkwright."""


class ConfigError(ChunkwrightError, ValueError):
    """An option, or two options together, make no sense.

    Parameters
    ----------
    *args
        The message.
    option
        The name of the option that is wrong, as its strategy or function has it; None if it is not
        one option.

    Examples
    --------
    >>> import chunkwright as cw
    >>> try:
    ...     cw.strategy("window", max_chars=0)
    ... except cw.ConfigError as error:
    ...     print(error.option, "-", error)
    max_chars - max_chars must be at least 1, got 0
    """

    def __init__(self, *args: object, option: str | None = None) -> None:
        super().__init__(*args)
        self.option = option


class TokenizerError(ChunkwrightError):
    """A tokenizer cannot be used, or gave no count."""


class ModelError(ChunkwrightError):
    """A model cannot be used, or gave no answer that can be used."""


class ReadError(ChunkwrightError):
    """A document cannot be read."""


class StoreError(ChunkwrightError):
    """A store cannot be opened, read or written; nothing of it is lost.

    Parameters
    ----------
    *args
        The message.
    store
        The name of the store, which begins the message; None if it is not known.
    """

    def __init__(self, *args: object, store: str | None = None) -> None:
        super().__init__(*args)
        self.store: str | None = store

    def __str__(self) -> str:
        message = super().__str__()
        return message if self.store is None else f"{self.store}: {message}"

    def of_store(self, store: str) -> None:
        """Begin the message with the name of a store, unless it has one.

        Parameters
        ----------
        store
            The name.
        """
        if self.store is None:
            self.store = store


class NoStoreError(StoreError):
    """There is no store in a database, which may be made by the next import."""


class CorpusError(ChunkwrightError):
    """A run over a corpus cannot begin, or go on; what was written before can be resumed."""


class MissingExtraError(ChunkwrightError, ImportError):
    """A library that an optional feature needs is not installed.

    Parameters
    ----------
    feature
        What was asked for.
    extra
        The extra of chunkwright that brings the library.
    """

    def __init__(self, feature: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f'{feature} needs an extra: pip install "chunkwright[{extra}]"')


def nearest(value: object, names: list[str]) -> str:
    """Return a hint for an unknown name: the nearest right one, or all of them.

    Parameters
    ----------
    value
        What was given.
    names
        What could have been given.

    Returns
    -------
    str
        ``"did you mean 'x'?"`` or ``"known are 'x', 'y'"``.
    """
    import difflib

    close = difflib.get_close_matches(str(value), names, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"known are {', '.join(map(repr, names))}"
