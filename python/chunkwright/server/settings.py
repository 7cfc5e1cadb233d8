"""Settings of a service: where it listens, who may ask, and how much one request may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_address
from secrets import token_urlsafe

from chunkwright.concurrency.cores import usable_cores
from chunkwright.errors import ConfigError, OptionName
from chunkwright.settings import documented, setting, settings_of
from chunkwright.store.settings import VARIABLE

MEGABYTE = 10**6
_LEAST_KEY = 16
# Random bytes of a key that is made here: 22 characters.
_KEY_BYTES = 16
KEY_ID_LENGTH = 8
"""Digits of what logs call a key: the first of its SHA-256."""
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Variable of the environment that names the folder in which processes put their metrics.

The library of Prometheus reads it when it is imported.
"""


@documented
@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a service, which are checked before it starts.

    They are also the options of ``chunkwright serve``, with their help, its environment variables,
    and the keys of its table in a configuration file.

    Raises
    ------
    ConfigError
        If a value makes no sense; names it. Also if other machines could reach a service without
        keys.

    Examples
    --------
    >>> from chunkwright.server import Settings
    >>> Settings(max_body=1_000_000).host
    '127.0.0.1'
    """

    host: str = setting(
        "Address to listen on. One that other machines can reach needs a key.",
        default="127.0.0.1",
        metavar="ADDRESS",
    )
    port: int = setting("Port to listen on; 0 picks a free one.", default=8000, most=65_535)
    keys: tuple[str, ...] = setting(
        f"Keys of which each request brings one, of at least {_LEAST_KEY} characters. Without, all"
        " requests from this machine are answered.",
        default=(),
        variable="CHUNKWRIGHT_KEYS",
        is_secret=True,
    )
    no_key: bool = setting(
        "Listen without keys although other machines can reach the service, so that everybody "
        "on the network may use it. Only for a private network.",
        default=False,
    )
    hosts: tuple[str, ...] = setting(
        "Name by which clients may call the service (the Host header), besides those of this "
        "machine. With keys, any name is accepted.",
        default=(),
        called="--allow-host",
        metavar="NAME",
    )
    workers: int = setting("Number of processes.", default=1, least=1)
    threads: int = setting(
        "Threads of each process that read and cut.",
        default=usable_cores,
        default_text="one a core",
        kind=int,
        least=1,
    )
    most_waiting: int = setting(
        "Most requests of a process that wait for a thread, and most open websockets; further ones"
        " get 429.",
        default=256,
    )
    most_streams: int = setting(
        "Most streams that a process serves at once; further ones get 429.", default=16, least=1
    )
    timeout: float = setting(
        "Most seconds of work for one request; then the work is stopped, and the answer is "
        "504. For a stream, most seconds without progress.",
        default=60.0,
    )
    body_timeout: float = setting(
        "Most seconds for a request's body to arrive; for a stream, for each part of it.",
        default=60.0,
    )
    max_body: int = setting(
        "Most bytes of a request's body.", default=64 * MEGABYTE, is_size=True, least=1
    )
    max_unpacked: int = setting(
        "Most bytes of an unpacked body, or of an unpacked file in it.",
        default=256 * MEGABYTE,
        is_size=True,
        least=1,
    )
    max_held: int = setting(
        "Most bytes of all bodies that a process holds at once; further requests get 503.",
        default=1000 * MEGABYTE,
        is_size=True,
        least=1,
    )
    max_memory: int | None = setting(
        "Most bytes of memory of a worker, with the child process that reads files and asks models"
        " for it. Work that takes more ends the child, and is answered 507. Linux only. Default: no"
        " limit, and no child.",
        kind=int,
        is_size=True,
        least=1,
    )
    max_chunks: int = setting("Most chunks of one answer.", default=200_000, least=1)
    max_output: int = setting(
        "Most bytes of one stream's rows that wait for the client to take them.",
        default=4000 * MEGABYTE,
        is_size=True,
        least=1,
    )
    drain_timeout: float = setting(
        "Most seconds for running requests to finish when the service is told to stop.",
        default=30.0,
    )
    tasks_file: str | None = setting(
        "SQLite file of the tasks, so that they survive a restart. Default: a temporary file.",
        called="--tasks",
        metavar="FILE",
    )
    keep_results: float = setting(
        "Seconds for which the result of a task can be fetched.", default=3600.0
    )
    store: str | None = setting(
        "Store to search and cite from: a file, or postgresql://user@host/name.",
        variable=VARIABLE,
        metavar="STORE",
    )
    originals: str | None = setting(
        "Folder with the files that the store was made from. The page /store shows pages of those"
        " that have not changed since. Default: it shows their text.",
        metavar="FOLDER",
    )
    allow_edits: bool = setting("Let requests edit blocks of the store by hand.", default=False)
    tokenizers: Mapping[str, str] = setting(
        "A tokenizer that requests may name, besides the built-in ones, and its path.",
        default=dict,
        kind=dict,
        called="--tokenizer",
    )
    embedders: Mapping[str, str] = setting(
        "An embedding model that requests may name, besides the built-in ones, and its path.",
        default=dict,
        kind=dict,
        called="--embedder",
    )
    roots: tuple[str, ...] = setting(
        "Folder whose files requests may name. Default: requests may name no files.",
        default=(),
        called="--root",
        metavar="DIR",
    )
    url_hosts: tuple[str, ...] = setting(
        "Host whose URLs requests may name, such as example.org. Default: requests may name "
        "no URLs.",
        default=(),
        called="--allow-url",
        metavar="HOST",
    )
    private_hosts: tuple[str, ...] = setting(
        "Host of --allow-url that may have a private address, such as minio.",
        default=(),
        called="--allow-private",
        metavar="HOST",
    )
    cors_origins: tuple[str, ...] = setting(
        "Origin whose pages may call the service from a browser.",
        default=(),
        called="--allow-origin",
        metavar="ORIGIN",
    )
    strict: bool = setting(
        "Refuse requests of docling-serve's clients that have unknown fields, or options that "
        "the service cannot honour. Default: ignore these fields, and name them in a warning.",
        default=False,
    )
    docs: bool = setting("Serve a description of the API at /openapi.json.", default=True)

    def __post_init__(self) -> None:
        for one in SETTINGS:
            object.__setattr__(self, one.name, one.checked(getattr(self, one.name)))
        self._check_keys()
        self._check_private_hosts()

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches the service."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def is_supervised(self) -> bool:
        """Whether a process starts those that serve, and replaces one that ends."""
        return self.workers > 1 or self.max_memory is not None

    def _check_keys(self) -> None:
        for key in self.keys:
            if (fault := fault_of_key(key)) is not None:
                raise ConfigError(OptionName("keys"), f": {fault}")
        if self.keys and self.no_key:
            raise ConfigError(OptionName("no_key"), " makes no sense with keys: leave one out")
        if not (self.keys or self.no_key or self.is_local):
            raise ConfigError(
                OptionName("host"),
                f" {self.host!r} is reached by other machines, so that requests need a key: ",
                OptionName("keys", advised=...),
                " (`chunkwright serve --new-key` makes one). A private network may do without: ",
                OptionName("no_key", advised=True),
            )

    def _check_private_hosts(self) -> None:
        named = {host_in(each) for each in self.url_hosts}
        for host in self.private_hosts:
            if host_in(host) not in named:
                message = f" {host!r} is a host that no request may name: give it as "
                advised = OptionName("url_hosts", advised=host)
                raise ConfigError(OptionName("private_hosts"), message, advised)


def fault_of_key(key: str) -> str | None:
    """Return what is wrong with a key, without the key; None if nothing is.

    Examples
    --------
    >>> fault_of_key("secret")
    'a key has at least 16 printable ASCII characters, got one of 6'
    """
    if len(key) >= _LEAST_KEY and key.isascii() and key.isprintable():
        return None
    return f"a key has at least {_LEAST_KEY} printable ASCII characters, got one of {len(key)}"


def new_key() -> str:
    """Return a new random key: 128 bits in 22 characters that URLs and shells take as they are."""
    # A key that begins with a dash would be taken for an option.
    while (key := token_urlsafe(_KEY_BYTES)).startswith("-"):
        pass
    return key


def key_id(key: str) -> str:
    """Return what logs call a key, which does not give it away.

    Examples
    --------
    >>> key_id("a-key-of-the-tests")
    'fe5cf6ee'
    """
    return sha256(key.encode()).hexdigest()[:KEY_ID_LENGTH]


def host_in(text: str) -> str:
    """Return the host of ``HOST`` or ``HOST:PORT``, in small letters.

    Examples
    --------
    >>> host_in("Minio:9000"), host_in("[fd00::1]:9000")
    ('minio', 'fd00::1')
    """
    text = text.lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


SETTINGS = settings_of(Settings)
"""The settings, with what each is called, takes and means."""
