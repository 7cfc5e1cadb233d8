"""Settings of a service: where it listens, who may ask, and how much one request may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address

from chunkwright.checks import checked_flag, checked_int, checked_number, checked_text
from chunkwright.concurrency.cores import usable_cores
from chunkwright.errors import ConfigError

MEGABYTE = 10**6
_MOST_PORTS = 65_535
_LEAST_KEY = 16
_INTEGERS = {
    "workers": 1,
    "threads": 1,
    "most_waiting": 0,
    "most_streams": 1,
    "max_body": 1,
    "max_unpacked": 1,
    "max_held": 1,
    "max_chunks": 1,
    "max_output": 1,
}
_SECONDS = ("timeout", "body_timeout", "drain_timeout", "keep_results")
_TEXTS = ("keys", "hosts", "roots", "url_hosts", "cors_origins")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a service is started with; every value is checked before anything begins.

    Parameters
    ----------
    host, port
        Where it listens. An address that other machines reach needs `keys`.
    keys
        Keys of which each request has to bring one, each of at least 16 characters; none: every
        request from this machine is answered.
    hosts
        Further names by which clients may call the service (the ``Host`` header). With `keys` any
        name will do; without, only those of this machine and these.
    workers
        Processes.
    threads
        Threads of each process that cut and read; the cores by default.
    most_waiting
        Requests of a process that wait for a thread; one more is answered 429.
    most_streams
        Streams that a process serves at once; one more is answered 429.
    timeout
        Seconds that the work for one request may take; then it is ended, and the answer is 504.
    body_timeout
        Seconds in which a request's body has to arrive; of a stream, each part of it.
    max_body
        Bytes of a request's body.
    max_unpacked
        Bytes of a compressed body, or of a compressed file in one, when it is unpacked.
    max_held
        Bytes of all bodies that a process holds at once; more are answered 503.
    max_chunks
        Chunks of one answer.
    max_output
        Bytes of the rows of one stream that wait until its client takes them.
    drain_timeout
        Seconds that requests have to end in when the service is told to stop.
    tasks_file
        The SQLite file of the tasks, which outlives the service; None: a temporary one.
    keep_results
        Seconds that the result of a task can be fetched.
    store
        Path or address of a :class:`chunkwright.Store`, for the routes that search and cite.
    tokenizers, embedders
        Names that requests may say, beside those that are built in, with the path of each.
    roots
        Folders that requests may name files in; none: no request names a file.
    url_hosts
        Hosts that requests may name addresses of, such as ``"example.org"``; none: no request does.
    cors_origins
        Origins whose pages may call the service from a browser.
    docs
        Whether the service describes itself at ``/openapi.json``.

    Raises
    ------
    ConfigError
        If a value makes no sense, naming it; if other machines could reach a service without keys.

    Examples
    --------
    >>> from chunkwright.server import Settings
    >>> Settings(max_body=1_000_000).host
    '127.0.0.1'
    """

    host: str = "127.0.0.1"
    port: int = 8000
    keys: tuple[str, ...] = field(default=(), repr=False)
    hosts: tuple[str, ...] = ()
    workers: int = 1
    threads: int = field(default_factory=usable_cores)
    most_waiting: int = 256
    most_streams: int = 16
    timeout: float = 60.0
    body_timeout: float = 60.0
    max_body: int = 64 * MEGABYTE
    max_unpacked: int = 256 * MEGABYTE
    max_held: int = 1000 * MEGABYTE
    max_chunks: int = 200_000
    max_output: int = 4000 * MEGABYTE
    drain_timeout: float = 30.0
    tasks_file: str | None = None
    keep_results: float = 3600.0
    store: str | None = None
    tokenizers: Mapping[str, str] = field(default_factory=dict)
    embedders: Mapping[str, str] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    url_hosts: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    docs: bool = True

    def __post_init__(self) -> None:
        checked_text("host", self.host)
        checked_int("port", self.port, least=0, most=_MOST_PORTS)
        for name, least in _INTEGERS.items():
            checked_int(name, getattr(self, name), least=least)
        for name in _SECONDS:
            checked_number(name, getattr(self, name), least=0)
        for name in _TEXTS:
            object.__setattr__(self, name, _checked_texts(name, getattr(self, name)))
        for name in ("tokenizers", "embedders"):
            object.__setattr__(self, name, _checked_names(name, getattr(self, name)))
        checked_flag("docs", self.docs)
        self._check_keys()

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches the service."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    def _check_keys(self) -> None:
        for key in self.keys:
            if len(key) < _LEAST_KEY or not key.isascii() or not key.isprintable():
                raise ConfigError(
                    f"keys must have at least {_LEAST_KEY} printable ASCII characters each, got"
                    f" one of {len(key)}",
                    option="keys",
                )
        if not (self.keys or self.is_local):
            raise ConfigError(
                f"host {self.host!r} is reached by other machines: without a key the service"
                " listens on 127.0.0.1 alone",
                option="host",
            )


def _checked_texts(name: str, values: object) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, tuple | list):
        raise ConfigError(f"{name} must be a tuple of texts, got {values!r}", option=name)
    for value in values:
        checked_text(name, value, is_secret=name == "keys")
    return tuple(values)


def _checked_names(name: str, values: object) -> Mapping[str, str]:
    if not isinstance(values, Mapping):
        raise ConfigError(f"{name} must be paths by names, got {values!r}", option=name)
    for key, value in values.items():
        checked_text(name, key)
        checked_text(name, value)
    return dict(values)


OPTIONS = tuple(each.name for each in fields(Settings))
"""The names of the settings."""
