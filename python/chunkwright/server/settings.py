"""Settings of a service: where it listens, who may ask, and how much one request may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address

from chunkwright.concurrency.cores import usable_cores
from chunkwright.errors import ConfigError, OptionName
from chunkwright.settings import documented, setting, settings_of

MEGABYTE = 10**6
_LEAST_KEY = 16
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Variable of the environment that names the folder in which processes put their metrics.

The library of Prometheus reads it when it is imported.
"""


@documented
@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a service is started with; every value is checked before anything begins.

    The options of ``chunkwright serve``, with their help, are made of these fields, and so are its
    variables and the keys of its table in a configuration file.

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

    host: str = setting(
        "Where it listens. An address that other machines reach needs a key.",
        default="127.0.0.1",
        metavar="ADDRESS",
    )
    port: int = setting("Its port. 0 is any that is free.", default=8000, most=65_535)
    keys: tuple[str, ...] = setting(
        f"Keys of which each request brings one, of at least {_LEAST_KEY} characters. Without, all"
        " requests from this machine are answered.",
        default=(),
        variable="CHUNKWRIGHT_KEYS",
        is_secret=True,
    )
    hosts: tuple[str, ...] = setting(
        "Name by which clients may call the service (the Host header), beside those of this"
        " machine. With keys, any name will do.",
        default=(),
        called="--allow-host",
        metavar="NAME",
    )
    workers: int = setting("Processes.", default=1, least=1)
    threads: int = setting(
        "Threads of each process that cut and read.",
        default=usable_cores,
        default_text="one a core",
        kind=int,
        least=1,
    )
    most_waiting: int = setting(
        "Requests of a process that wait for a thread; one more is answered 429.", default=256
    )
    most_streams: int = setting(
        "Streams that a process serves at once; one more is answered 429.", default=16, least=1
    )
    timeout: float = setting(
        "Seconds that the work for one request may take; then it is ended, and the answer is 504."
        " Of a stream, seconds without progress.",
        default=60.0,
    )
    body_timeout: float = setting(
        "Seconds in which a request's body has to arrive; of a stream, each part of it.",
        default=60.0,
    )
    max_body: int = setting(
        "Bytes of a request's body.", default=64 * MEGABYTE, is_size=True, least=1
    )
    max_unpacked: int = setting(
        "Bytes of a compressed body, or of a compressed file in one, when it is unpacked.",
        default=256 * MEGABYTE,
        is_size=True,
        least=1,
    )
    max_held: int = setting(
        "Bytes of all bodies that a process holds at once; more are answered 503.",
        default=1000 * MEGABYTE,
        is_size=True,
        least=1,
    )
    max_chunks: int = setting("Chunks of one answer.", default=200_000, least=1)
    max_output: int = setting(
        "Bytes of the rows of one stream that wait until its client takes them.",
        default=4000 * MEGABYTE,
        is_size=True,
        least=1,
    )
    drain_timeout: float = setting(
        "Seconds that requests have to end in when the service is told to stop.", default=30.0
    )
    tasks_file: str | None = setting(
        "SQLite file of the tasks, which outlives the service; without, a temporary one.",
        called="--tasks",
        metavar="FILE",
    )
    keep_results: float = setting(
        "Seconds that the result of a task can be fetched.", default=3600.0
    )
    store: str | None = setting(
        "Store to search and cite from: a file, or postgresql://user@host/name.",
        variable="CHUNKWRIGHT_STORE",
        metavar="STORE",
    )
    allow_edits: bool = setting(
        "Whether requests may edit blocks of the store by hand.", default=False
    )
    tokenizers: Mapping[str, str] = setting(
        "A tokenizer that requests may name, beside those that are built in, and its path.",
        default=dict,
        kind=dict,
        called="--tokenizer",
    )
    embedders: Mapping[str, str] = setting(
        "A model that requests may name, beside those that are built in, and its path.",
        default=dict,
        kind=dict,
        called="--embedder",
    )
    roots: tuple[str, ...] = setting(
        "Folder that requests may name files in; without, no request names a file.",
        default=(),
        called="--root",
        metavar="DIR",
    )
    url_hosts: tuple[str, ...] = setting(
        "Host that requests may name addresses of, such as example.org; without, no request does.",
        default=(),
        called="--allow-url",
        metavar="HOST",
    )
    cors_origins: tuple[str, ...] = setting(
        "Origin whose pages may call the service from a browser.",
        default=(),
        called="--allow-origin",
        metavar="ORIGIN",
    )
    docs: bool = setting("Whether the service describes itself at /openapi.json.", default=True)

    def __post_init__(self) -> None:
        for one in SETTINGS:
            object.__setattr__(self, one.name, one.checked(getattr(self, one.name)))
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
                allowed = f" must have at least {_LEAST_KEY} printable ASCII characters each"
                raise ConfigError(OptionName("keys"), f"{allowed}, got one of {len(key)}")
        if not (self.keys or self.is_local):
            reached = f" {self.host!r} is reached by other machines: without a key the service"
            raise ConfigError(OptionName("host"), f"{reached} listens on 127.0.0.1 alone")


SETTINGS = settings_of(Settings)
"""The settings, with what each is called, takes and means."""
