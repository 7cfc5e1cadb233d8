"""`chunkwright mcp`: let agents search, read and cite a store, and read files, over MCP."""

import re
from functools import partial
from typing import Annotated, Any

import typer

from chunkwright.cli.serve import KeyFile, keys_of
from chunkwright.cli.settings.flags import calling
from chunkwright.cli.storing.opening import EMBEDDER_HELP, STORE_HELP
from chunkwright.cli.syntax.setting_options import flags_of, setting_options
from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.server.settings import SETTINGS
from chunkwright.store.settings import VARIABLE

_OF = {one.name: one for one in SETTINGS}
_ADDRESS = re.compile(r"(?:(?P<host>\[[^]]+\]|[^:]*):)?(?P<port>\d{1,5})")

Store = Annotated[
    str | None,
    typer.Argument(
        metavar="STORE",
        envvar=VARIABLE,
        help=f"{STORE_HELP} Without one, there are only tools for files and texts.",
        show_default=False,
    ),
]
NAMES = {"roots", "no_key", "hosts", "cors_origins", "tokenizers", "timeout"}
ABOUT = {
    "roots": "A folder whose files may be read. May be repeated.",
    "timeout": "Seconds that the work for one call may take."
    f" Default: {_OF['timeout'].default_shown}.",
}
Write = Annotated[
    bool, typer.Option("--write", help="Offer tools that write to the store: cite and import_file.")
]
Http = Annotated[
    str | None,
    typer.Option(
        "--http",
        metavar="[HOST:]PORT",
        help="Serve over HTTP at /mcp, instead of standard input and output.",
        show_default=False,
    ),
]
StoreEmbedder = Annotated[
    str | None,
    typer.Option(
        "--store-embedder",
        metavar="PATH",
        help=EMBEDDER_HELP,
        show_default=False,
    ),
]


@setting_options(*(one for one in SETTINGS if one.name in NAMES), about=ABOUT)
def mcp(  # noqa: PLR0913 - one a flag
    options: dict[str, Any],
    *,
    store: Store = None,
    write: Write = False,
    http: Http = None,
    key_file: KeyFile = None,
    store_embedder: StoreEmbedder = None,
) -> int:
    """Run `chunkwright mcp`; return its exit code."""
    try:
        from chunkwright.server.mcp.run import serve_http, serve_stdio
        from chunkwright.server.mcp.service import AgentService
    except ModuleNotFoundError as error:
        raise MissingExtraError("the MCP server", "mcp") from error
    from chunkwright.server.settings import Settings

    if write and store is None:
        raise ConfigError("--write needs STORE: there is nothing to write to")
    names = ("hosts", "cors_origins", "no_key")
    needing = {"--key-file": key_file} | {_OF[name].flag: options.get(name) for name in names}
    if http is None:
        if flag := next((flag for flag, value in needing.items() if value), None):
            raise ConfigError(f"{flag} needs --http")
    else:
        options["host"], options["port"] = address_of(http)
        options["keys"] = keys_of(key_file)
    run = serve_stdio if http is None else serve_http
    make = partial(AgentService, embedder=store_embedder, is_writing=write)
    with calling(flags_of(SETTINGS)):
        run(Settings(**options, store=store), make)
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
    if found is None or int(found["port"]) > (_OF["port"].most or 0):
        raise ConfigError(f"--http: {text!r} is not of the form [HOST:]PORT")
    return (found["host"] or _OF["host"].default).strip("[]"), int(found["port"])
