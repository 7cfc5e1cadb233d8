"""Parts of uvicorn that the service builds on, though its documentation does not promise them."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature

from chunkwright.errors import ConfigError


def check_uvicorn() -> None:
    """Check that the installed uvicorn has what the service bounds connections by.

    A method that uvicorn no longer calls would end a limit, and nobody would notice.

    Raises
    ------
    ConfigError
        If it has not: names what is missing.
    """
    import uvicorn

    try:
        from chunkwright.server.connections import Connection
        from chunkwright.server.processes import DrainingServer
        from chunkwright.server.sockets import Socket
    except ImportError as error:
        lacking = [str(error)]
    else:
        lacking = [each for kind in (Connection, Socket, DrainingServer) for each in changed(kind)]
    if lacking:
        raise ConfigError(
            f"uvicorn {uvicorn.__version__} is not as this version of chunkwright needs it"
            f" ({', '.join(lacking)}): install another version of one of them"
        )


def changed(kind: type) -> Iterator[str]:
    """Yield public methods of a class that its base lacks, or has with other parameters.

    Examples
    --------
    >>> class Base:
    ...     def begin(self) -> None: ...
    ...     def end(self, code: int) -> None: ...
    >>> class Kind(Base):
    ...     def begin(self) -> None: ...
    ...     def end(self) -> None: ...
    ...     def stop(self) -> None: ...
    >>> list(changed(Kind))
    ['Base.end', 'Base.stop']
    """
    base = kind.__mro__[1]
    for name, method in vars(kind).items():
        if name.startswith("_") or not callable(method):
            continue
        known = getattr(base, name, None)
        if known is None or len(signature(known).parameters) != len(signature(method).parameters):
            yield f"{base.__name__}.{name}"
