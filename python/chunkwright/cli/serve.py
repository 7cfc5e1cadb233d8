"""`chunkwright serve`: answer over HTTP what the other commands answer on a terminal."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from chunkwright.cli.settings.values import bytes_of
from chunkwright.cli.storing.opening import VARIABLE as STORE_VARIABLE
from chunkwright.errors import ConfigError

VARIABLE = "CHUNKWRIGHT_KEYS"
SIZES = ("max_body", "max_unpacked", "max_held", "max_output")
# Names of flags where they are not those of the settings.
FLAGS = {
    "keys": VARIABLE,
    "hosts": "--allow-host",
    "roots": "--root",
    "url_hosts": "--allow-url",
    "cors_origins": "--allow-origin",
    "tokenizers": "--tokenizer",
    "embedders": "--embedder",
    "tasks_file": "--tasks",
}

Host = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; others need a key.")
]
Port = Annotated[int, typer.Option("--port", metavar="N", help="0: any that is free.")]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help=f"Keys, one a line, of which requests bring one; also {VARIABLE}, with commas.",
        show_default=False,
    ),
]
Workers = Annotated[int, typer.Option("--workers", metavar="N", help="Processes.")]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads", metavar="N", help="Threads of each. Default: one a core.", show_default=False
    ),
]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", help="For the work of one request.")
]
MaxBody = Annotated[str, typer.Option("--max-body", metavar="SIZE", help="Of one request.")]
MaxUnpacked = Annotated[
    str, typer.Option("--max-unpacked", metavar="SIZE", help="Of one request, unpacked.")
]
MaxHeld = Annotated[
    str, typer.Option("--max-held", metavar="SIZE", help="Of all requests of a process at once.")
]
MaxOutput = Annotated[
    str, typer.Option("--max-output", metavar="SIZE", help="Of a stream that waits for its client.")
]
MaxChunks = Annotated[int, typer.Option("--max-chunks", metavar="N", help="Of one answer.")]
MostWaiting = Annotated[
    int, typer.Option("--most-waiting", metavar="N", help="Requests that wait; then 429.")
]
DrainTimeout = Annotated[
    float, typer.Option("--drain-timeout", metavar="SECONDS", help="For requests to end in.")
]
TasksFile = Annotated[
    Path | None,
    typer.Option(
        "--tasks",
        metavar="FILE",
        help="SQLite file of the tasks, to outlive the service.",
        show_default=False,
    ),
]
KeepResults = Annotated[
    float, typer.Option("--keep-results", metavar="SECONDS", help="Of tasks that have ended.")
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="STORE",
        envvar=STORE_VARIABLE,
        help="Store to search and cite from: a file, or postgresql://user@host/name.",
        show_default=False,
    ),
]
Tokenizers = Annotated[
    list[str] | None,
    typer.Option("--tokenizer", metavar="NAME=PATH", help="A tokenizer that requests may name."),
]
Embedders = Annotated[
    list[str] | None,
    typer.Option("--embedder", metavar="NAME=PATH", help="A model that requests may name."),
]
Roots = Annotated[
    list[str] | None,
    typer.Option("--root", metavar="DIR", help="A folder whose files requests may name."),
]
UrlHosts = Annotated[
    list[str] | None,
    typer.Option("--allow-url", metavar="HOST", help="A host whose addresses requests may name."),
]
Hosts = Annotated[
    list[str] | None,
    typer.Option("--allow-host", metavar="NAME", help="A name that clients call the service by."),
]
Origins = Annotated[
    list[str] | None,
    typer.Option("--allow-origin", metavar="ORIGIN", help="An origin whose pages may call it."),
]


def serve(  # noqa: PLR0913, PLR0917 - one a flag
    host: Host = "127.0.0.1",
    port: Port = 8000,
    key_file: KeyFile = None,
    workers: Workers = 1,
    threads: Threads = None,
    timeout: Timeout = 60.0,
    max_body: MaxBody = "64MB",
    max_unpacked: MaxUnpacked = "256MB",
    max_held: MaxHeld = "1GB",
    max_output: MaxOutput = "4GB",
    max_chunks: MaxChunks = 200_000,
    most_waiting: MostWaiting = 256,
    drain_timeout: DrainTimeout = 30.0,
    tasks_file: TasksFile = None,
    keep_results: KeepResults = 3600.0,
    store: Store = None,
    tokenizers: Tokenizers = None,
    embedders: Embedders = None,
    roots: Roots = None,
    url_hosts: UrlHosts = None,
    hosts: Hosts = None,
    cors_origins: Origins = None,
) -> int:
    """Serve chunks over HTTP: our own routes, those of docling-serve and of unstructured-api.

    It listens on this machine alone, unless there are keys. SIGTERM and Ctrl-C let requests that
    have begun end.
    """
    options = {**locals()}
    del options["key_file"]
    return _served(options, keys_of(key_file))


def _served(options: dict[str, Any], keys: tuple[str, ...]) -> int:
    from chunkwright.server import Settings
    from chunkwright.server import serve as run

    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    for name in SIZES:
        given[name] = _size(name, given[name])
    for name in ("tokenizers", "embedders"):
        given[name] = named_paths(FLAGS[name], given.get(name, ()))
    if "tasks_file" in given:
        given["tasks_file"] = str(given["tasks_file"])
    try:
        settings = Settings(keys=keys, **given)
    except ConfigError as error:
        raise ConfigError(_flagged(str(error), error.option)) from error
    run(settings)
    return 0


def _flagged(message: str, option: str | None) -> str:
    if option is None:
        return message
    flag = FLAGS.get(option, f"--{option.replace('_', '-')}")
    return re.sub(rf"\b{option}\b", flag, message, count=1)


def _size(name: str, text: str) -> int:
    try:
        found = bytes_of(text)
    except ValueError:
        found = 0
    if not found:
        flag = f"--{name.replace('_', '-')}"
        raise ConfigError(f"{flag}: {text!r} is no number of bytes, such as 64MB")
    return found


def keys_of(file: Path | None) -> tuple[str, ...]:
    """Return the keys of a file and of the environment: never of the command line, which all see.

    Raises
    ------
    ConfigError
        If the file cannot be read, or has none.
    """
    keys = [key.strip() for key in os.environ.get(VARIABLE, "").split(",")]
    if file is not None:
        try:
            lines = file.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no UTF-8"
            raise ConfigError(f"--key-file: {file}: {reason}") from error
        if not any(line.strip() for line in lines):
            raise ConfigError(f"--key-file: {file} has no key")
        keys += [line.strip() for line in lines]
    return tuple(dict.fromkeys(key for key in keys if key))


def named_paths(flag: str, given: Sequence[str]) -> dict[str, str]:
    """Return the paths that a flag names, by their names.

    Raises
    ------
    ConfigError
        If one is not of the form NAME=PATH.
    """
    found = {}
    for each in given:
        name, sign, path = each.partition("=")
        if not (sign and name and path):
            raise ConfigError(f"{flag}: {each!r} is not of the form NAME=PATH")
        found[name] = path
    return found
