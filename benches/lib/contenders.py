"""What one library does in one row of the benchmark, and what came out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

OURS = "chunkwright"
TIMES = "\N{MULTIPLICATION SIGN}"

Work = Callable[[str], Any]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A result in terms that every library shares.

    Parameters
    ----------
    texts : sequence of str, optional
        The chunks; None where the work is no chunking.
    spans : sequence of (int, int), optional
        Start and end of each chunk in code points; None where the library gives none.
    note : str
        What else a reader should know.
    """

    texts: Sequence[str] | None = None
    spans: Sequence[tuple[int, int]] | None = None
    note: str = ""


Check = Callable[[str, Any], Outcome]


@dataclass(frozen=True)
class Contender:
    """One library's way to do a row's work.

    Parameters
    ----------
    label : str
        What is called.
    package : str
        The distribution whose version is shown.
    make : callable
        Imports the library and returns the work, ``work(text)``. Called before every run and
        outside the clock, so that no memo of an earlier run is left.
    outcome : callable
        ``outcome(text, result)``, outside the clock.
    cap : float, optional
        Megabytes of the text that a slow library is given at most.
    wanted : float, optional
        How many times faster ours should be.
    """

    label: str
    package: str
    make: Callable[[], Work]
    outcome: Check
    _: KW_ONLY
    cap: float | None = None
    wanted: float | None = None

    @property
    def version(self) -> str | None:
        """The installed version; None where the library is absent."""
        return installed(self.package)

    @property
    def missing(self) -> str:
        """Why it cannot run; empty where it can."""
        try:
            self.make()
        except ImportError as error:
            return str(error)
        return ""


@dataclass(frozen=True, kw_only=True)
class Row:
    """Libraries that do the same work; the first is ours.

    Parameters
    ----------
    key : str
        The name by which ``--rows`` picks it.
    title : str
        What the work is.
    contenders : tuple of Contender
        Ours, then the peers.
    limit : int, optional
        The longest chunk allowed, in `unit`.
    unit : str
        ``"tokens"`` (cl100k_base), ``"characters"`` (code points) or ``"word pieces"``
        (all-MiniLM-L6-v2).
    identical : bool
        Whether ours must give the very chunks of the peers.
    """

    key: str
    title: str
    contenders: tuple[Contender, ...]
    limit: int | None = None
    unit: str = "tokens"
    identical: bool = False


@dataclass(kw_only=True)
class Line:
    """One printed line; None is shown as a dash.

    Parameters
    ----------
    row : str
        Key of the row.
    title : str
        What the work is.
    label : str
        What is called.
    package : str
        The distribution.
    version : str, optional
        None where it is not installed.
    speed : float, optional
        In `unit`.
    unit : str
        ``"MB/s"`` of UTF-8 per CPU second, or a time.
    ratio : float, optional
        How many times faster ours is.
    wanted : str
        What ours should reach, with ``yes`` or ``no`` behind it.
    memory : float, optional
        Peak of extra memory as a multiple of the text's bytes.
    chunks, over, wrong : int, optional
        Chunks, those over the limit, those that do not stand at their offsets.
    note : str
        What else a reader should know.
    """

    row: str
    title: str
    label: str
    package: str
    version: str | None
    speed: float | None = None
    unit: str = "MB/s"
    ratio: float | None = None
    wanted: str = ""
    memory: float | None = None
    chunks: int | None = None
    over: int | None = None
    wrong: int | None = None
    note: str = ""


def verdict(wanted: str, *, reached: bool) -> str:
    """Say what was wanted and whether it was reached."""
    return f"{wanted}: {'yes' if reached else 'no'}"


def installed(package: str) -> str | None:
    """Return the version of a distribution, None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
