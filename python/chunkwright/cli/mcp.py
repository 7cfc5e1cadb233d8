"""`chunkwright mcp`: let agents search, read and cite a store, and read files, over MCP."""

import re
from typing import Annotated, Any

import typer

from chunkwright.cli.serve import (
    FLAGS,
    Hosts,
    KeyFile,
    Origins,
    Timeout,
    Tokenizers,
    keys_of,
    named_paths,
)
from chunkwright.cli.storing.opening import STORE_HELP, VARIABLE
from chunkwright.errors import ConfigError

_MOST_PORTS = 65_535
_ADDRESS = re.compile(r"(?:(?P<host>\[[^]]+\]|[^:]*):)?(?P<port>\d{1,5})")

Store = Annotated[
    str | None,
    typer.Argument(
        metavar="STORE",
        envvar=VARIABLE,
        help=f"{STORE_HELP} Without one, there are tools for files and texts alone.",
        show_default=False,
    ),
]
Roots = Annotated[
    list[str] | None,
    typer.Option(
        "--root", metavar="DIR", help="A folder whose files may be read; may be repeated."
    ),
]
Write = Annotated[
    bool, typer.Option("--write", help="Offer tools that write to the store: cite and import_file.")
]
Http = Annotated[
    str | None,
    typer.Option(
        "--http",
        metavar="[HOST:]PORT",
        help="Serve over HTTP, at /mcp, and not over standard input and output.",
        show_default=False,
    ),
]
StoreEmbedder = Annotated[
    str | None,
    typer.Option(
        "--store-embedder",
        metavar="PATH",
        help="Model of the store's vectors: the path of its folder, or none. Default: the one of "
        "the last import.",
        show_default=False,
    ),
]


def mcp(  # noqa: PLR0913, PLR0917 - one a flag
    store: Store = None,
    roots: Roots = None,
    write: Write = False,
    http: Http = None,
    key_file: KeyFile = None,
    hosts: Hosts = None,
    cors_origins: Origins = None,
    tokenizers: Tokenizers = None,
    store_embedder: StoreEmbedder = None,
    timeout: Timeout = 60.0,
) -> int:
    """Serve a store and files to agents, over MCP.

    It speaks on standard input and output to the client that has started it, or over HTTP: there
    it listens on this machine alone, unless there are keys. Nothing is written to the store without
    --write, and no file is read but those below --root.
    """
    if write and store is None:
        raise ConfigError("--write needs STORE: there is nothing to write to")
    options = {
        "store": store,
        "roots": tuple(roots or ()),
        "hosts": tuple(hosts or ()),
        "cors_origins": tuple(cors_origins or ()),
        "tokenizers": named_paths(FLAGS["tokenizers"], tokenizers or ()),
        "timeout": timeout,
    }
    given = {"--key-file": key_file, "--allow-host": hosts, "--allow-origin": cors_origins}
    keys: tuple[str, ...] = ()
    if http is None:
        for flag, value in given.items():
            if value:
                raise ConfigError(f"{flag} needs --http")
    else:
        options["host"], options["port"] = address_of(http)
        keys = keys_of(key_file)
    return _served(
        {**options, "keys": keys},
        is_http=http is not None,
        embedder=store_embedder,
        is_writing=write,
    )


def _served(options: dict[str, Any], *, is_http: bool, **tools: Any) -> int:
    from chunkwright.server.mcp.run import serve_http, serve_stdio
    from chunkwright.server.settings import Settings

    try:
        settings = Settings(**options)
        (serve_http if is_http else serve_stdio)(settings, **tools)
    except ConfigError as error:
        option = error.option
        flag = None if option is None else FLAGS.get(option, f"--{option.replace('_', '-')}")
        if option == "store" or flag is None:
            raise
        raise ConfigError(re.sub(rf"\b{option}\b", flag, str(error), count=1)) from error
    return 0


def address_of(text: str) -> tuple[str, int]:
    """Return the host and the port of ``[HOST:]PORT``; this machine where no host is said.

    Raises
    ------
    ConfigError
        If it is not of that form.

    Examples
    --------
    >>> address_of("8001"), address_of("[::1]:8001")
    (('127.0.0.1', 8001), ('::1', 8001))
    """
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found["port"]) > _MOST_PORTS:
        raise ConfigError(f"--http: {text!r} is not of the form [HOST:]PORT")
    return (found["host"] or "127.0.0.1").strip("[]"), int(found["port"])
