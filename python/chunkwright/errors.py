"""The exceptions that chunkwright raises; each names the value that is to blame."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Self

_DATA = (str, int, float, bool, type(None))
# Of a value that is none of these, so much is kept.
_SHOWN = 80


class OptionName(str):
    """The name of an option in the message of an error, where others may have another name for it.

    Parameters
    ----------
    name
        The name, as Python has it.
    advised
        A value that the message advises; ``...`` for one that only the caller knows.

    Examples
    --------
    >>> OptionName("encoding", "utf-16").in_python
    "encoding='utf-16'"
    """

    __slots__ = ("advised",)
    advised: object

    def __new__(cls, name: str, advised: object = None) -> Self:
        """Make the name, which is a text like others."""
        made = super().__new__(cls, name)
        made.advised = advised
        return made

    @property
    def in_python(self) -> str:
        """How it stands in Python's messages."""
        if self.advised is None:
            return str(self)
        return f"{self}={'...' if self.advised is ... else repr(self.advised)}"


class ChunkwrightError(Exception):
    """Base of all errors of chunkwright.

    Parameters
    ----------
    *parts
        The message: texts, and each :class:`OptionName` in it.

    Examples
    --------
    >>> error = ConfigError(OptionName("overlap"), " must be less than 5")
    >>> print(error)
    overlap must be less than 5
    >>> print(error.spell(lambda name: f"--{name}"))
    --overlap must be less than 5
    """

    args: tuple[Any, ...]

    def __init__(self, *parts: object) -> None:
        self.parts: tuple[object, ...] = parts
        super().__init__(*_joined(parts))

    def spell(self, spelling: Callable[[OptionName], str]) -> Self:
        """Replace the names of options in the message by what `spelling` returns for them.

        Returns
        -------
        Self
            The error itself.
        """
        self.parts = tuple(spelling(p) if isinstance(p, OptionName) else p for p in self.parts)
        self.args = _joined(self.parts)
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args), self.__dict__


class ConfigError(ChunkwrightError, ValueError):
    """An option has an invalid value, or two options contradict each other.

    Parameters
    ----------
    *parts
        The message.
    option
        The name of the wrong option in its strategy or function; by default the first that the
        message names, None if the error is not about one option.
    value
        The value that was given.
    allowed
        The values that it takes: a phrase such as ``"an int"``, or names.

    Attributes
    ----------
    option : str or None
        The option.
    value : object
        The value that was given if it is a number, a text or a flag; else its ``repr``.
    allowed : str, tuple of str or None
        The values that the option takes, if known.
    concerns : tuple of str
        The other options that the message names.

    Examples
    --------
    >>> import chunkwright as cw
    >>> try:
    ...     cw.strategy("window", max_chars=0)
    ... except cw.ConfigError as error:
    ...     print(error.option, "-", error, "-", error.value, "-", error.allowed)
    max_chars - max_chars must be at least 1, got 0 - 0 - at least 1
    """

    def __init__(
        self,
        *parts: object,
        option: str | None = None,
        value: object = None,
        allowed: str | tuple[str, ...] | None = None,
    ) -> None:
        super().__init__(*parts)
        named = [str(part) for part in parts if isinstance(part, OptionName)]
        self.option: str | None = option or next(iter(named), None)
        self.value: object = _as_data(value)
        self.allowed: str | tuple[str, ...] | None = allowed
        self.concerns: tuple[str, ...] = tuple(
            dict.fromkeys(name for name in named if name != self.option)
        )

    @classmethod
    def refused(cls, option: str, allowed: str, value: object, *, shown: str | None = None) -> Self:
        """Return the error for a value that an option cannot have.

        Examples
        --------
        >>> print(ConfigError.refused("overlap", "an int", "5"))
        overlap must be an int, got '5'
        """
        got = repr(value) if shown is None else shown
        message = f" must be {allowed}, got {got}"
        return cls(OptionName(option), message, value=value, allowed=allowed)

    @classmethod
    def unknown(
        cls, option: str, value: object, known: Iterable[str], *, shown: str | None = None
    ) -> Self:
        """Return the error for a value that is not one of an option's names.

        Examples
        --------
        >>> print(ConfigError.unknown("mean", "locl", ["local", "global"]))
        unknown mean 'locl': did you mean 'local'?
        """
        names, got = tuple(known), repr(value) if shown is None else shown
        hint = f" {got}: {nearest(value, list(names))}"
        return cls("unknown ", OptionName(option), hint, value=value, allowed=names)


class TokenizerError(ChunkwrightError):
    """A tokenizer cannot be used, or gave no count."""


class ModelError(ChunkwrightError):
    """A model failed, or its answer cannot be used."""


class ReadError(ChunkwrightError):
    """A document cannot be read."""


class EncryptedError(ReadError):
    """A file needs a password, or another one than was given."""


class NoTextError(ReadError):
    """A file is intact, but has no text."""


class NeedsOcrError(NoTextError):
    """The text of a file is in pictures, and was not recognised (OCR)."""


class StoreError(ChunkwrightError):
    """A store cannot be opened, read or written; its contents stay intact.

    Parameters
    ----------
    *parts
        The message.
    store
        The name of the store, with which the message begins; None if it is not known.
    """

    def __init__(self, *parts: object, store: str | None = None) -> None:
        super().__init__(*parts)
        self.store: str | None = store

    def __str__(self) -> str:
        message = super().__str__()
        return message if self.store is None else f"{self.store}: {message}"

    def of_store(self, store: str) -> None:
        """Put the name of a store at the beginning of the message, unless there is one already.

        Parameters
        ----------
        store
            The name.
        """
        if self.store is None:
            self.store = store


class NoStoreError(StoreError):
    """There is no store in a database, which may be made by the next import."""


class EditedBlockError(StoreError):
    """A block was edited meanwhile, and is no longer in a current version of its document.

    Parameters
    ----------
    block
        The id of the block.
    edited_as
        The id of the block that stands in its place.
    """

    def __init__(self, block: str, edited_as: str) -> None:
        super().__init__(f"the block {block!r} was edited meanwhile: {edited_as} is in its place")
        self.block = block
        self.edited_as = edited_as


class CorpusError(ChunkwrightError):
    """A run over a corpus cannot begin, or go on; what was written before can be resumed."""


class MissingExtraError(ChunkwrightError, ImportError):
    """An optional feature needs a library that is not installed.

    Parameters
    ----------
    feature
        The feature, as the message names it.
    extra
        The extra of chunkwright that brings the library.

    Attributes
    ----------
    exit_code : int
        The exit code of the command line, also if the command line itself is not installed.
    """

    exit_code = 3

    def __init__(self, feature: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{feature} needs an extra: {install_line(extra)}")


def install_line(extra: str) -> str:
    """Return the line that installs an extra, or several with commas.

    Examples
    --------
    >>> install_line("pdf")
    'pip install "chunkwright[pdf]"'
    """
    return f'pip install "chunkwright[{extra}]"'


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


def _restored(kind: type[ChunkwrightError], args: tuple[object, ...]) -> ChunkwrightError:
    """Return an error of a pickle; its class may be made of other arguments than its message."""
    error = kind.__new__(kind)
    error.args = args
    return error


def _joined(parts: tuple[object, ...]) -> tuple[str, ...]:
    """Return the arguments of an exception: its message, if there is any."""
    shown = (part.in_python if isinstance(part, OptionName) else str(part) for part in parts)
    return ("".join(shown),) if parts else ()


def _as_data(value: object) -> object:
    """Return a value that an error may keep and send: how it looks, if it is an object."""
    return value if isinstance(value, _DATA) else repr(value)[:_SHOWN]
