"""`chunkwright doctor`: versions, extras, keys, settings and caches, and what is missing."""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from chunkwright.cli.installation import REPLIES, VECTORS, diagnose, look_at_cache
from chunkwright.cli.streams import piped
from chunkwright.cli.syntax.options import ConfigFile
from chunkwright.errors import ConfigError
from chunkwright.files.disk_cache import cache_folder_of, clear
from chunkwright.messages.terminal_text import counted, printable, sized

if TYPE_CHECKING:
    from chunkwright.cli.installation import AddedStrategy, Cache, Diagnosis, Extra

CLEARING = {VECTORS: "--clear-cache", REPLIES: "--clear-replies"}
GOOD, MISSING, BAD = "green", "yellow", "red"

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
ClearCache = Annotated[bool, typer.Option("--clear-cache", help="Empty the vector cache.")]
ClearReplies = Annotated[
    bool, typer.Option("--clear-replies", help="Empty the cache of language models' replies.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Empty caches without asking.")]


class Row(NamedTuple):
    """A line of the report: what it is about, what was found, and how good that is."""

    name: str
    found: str
    style: str = ""


def doctor(
    *,
    as_json: AsJson = False,
    clear_cache: ClearCache = False,
    clear_replies: ClearReplies = False,
    yes: Yes = False,
    config: ConfigFile = None,
) -> int:
    """Run `chunkwright doctor`; return its exit code."""
    for kind, is_wanted in ((VECTORS, clear_cache), (REPLIES, clear_replies)):
        if is_wanted and not _clear(kind, yes=yes):
            return 1
    diagnosis = diagnose(config)
    with piped():
        if as_json:
            typer.echo(json.dumps(diagnosis.as_json(), indent=2))
        elif sys.stdout.isatty():
            _write_table(diagnosis)
        else:
            for row in (row for rows in _sections(diagnosis).values() for row in rows):
                typer.echo(f"{row.name}\t{printable(row.found)}")
    return 0


def _clear(kind: str, *, yes: bool) -> bool:
    cache = look_at_cache(kind)
    if cache.models and not yes and not _confirmed(kind, cache):
        return False
    clear(cache_folder_of(kind), kind)
    return True


def _confirmed(kind: str, cache: "Cache") -> bool:
    if not sys.stdin.isatty():
        raise ConfigError(f"{CLEARING[kind]} asks first: say --yes where nobody can answer")
    size = sized(sum(model.bytes for model in cache.models))
    question = f"Remove the {kind} of {counted(len(cache.models), 'model')}, {size}?"
    return typer.confirm(question, err=True)


def _sections(diagnosis: "Diagnosis") -> dict[str, list[Row]]:
    return {
        "": [
            Row("chunkwright", diagnosis.chunkwright),
            Row("python", diagnosis.python),
            Row("platform", diagnosis.platform),
            Row("processors", f"{diagnosis.processors:,}"),
            Row("built-in tokenizers", ", ".join(diagnosis.tokenizers)),
            _config(diagnosis),
        ],
        "extras": [_extra(extra) for extra in diagnosis.extras],
        "strategies of other packages": [_strategy(each) for each in diagnosis.strategies],
        "keys": [_key(name, is_set=is_set) for name, is_set in diagnosis.keys.items()],
        "vector cache": list(_cache(diagnosis.cache, "folder", "models", "vector")),
        "reply cache": list(_cache(diagnosis.replies, "folder of replies", "replies", "answer")),
    }


def _config(diagnosis: "Diagnosis") -> Row:
    if diagnosis.config_error is not None:
        return Row("configuration", diagnosis.config_error, BAD)
    return Row("configuration", diagnosis.config or "none in this folder")


def _extra(extra: "Extra") -> Row:
    there = [f"{name} {version}" for name, version in extra.packages.items() if version]
    missing = [name for name, version in extra.packages.items() if not version]
    found = ", ".join([*there, *(f"{name} is missing" for name in missing)])
    if extra.is_installed:
        return Row(extra.name, found, GOOD)
    return Row(extra.name, f"{found}: {extra.install}", MISSING)


def _strategy(added: "AddedStrategy") -> Row:
    name = f"strategy {added.name} of {added.package}"
    if added.error is not None:
        return Row(name, added.error, BAD)
    return Row(name, added.target, GOOD)


def _key(name: str, *, is_set: bool) -> Row:
    return Row(name, "is set", GOOD) if is_set else Row(name, "is not set", MISSING)


def _cache(cache: "Cache", folder: str, none: str, noun: str) -> Iterator[Row]:
    yield Row(folder, cache.error or str(cache.folder), "" if cache.error is None else BAD)
    for model in cache.models:
        yield Row(model.name, f"{counted(model.entries, noun)}, {sized(model.bytes)}")
    if not cache.models and cache.error is None:
        yield Row(none, "none")


def _write_table(diagnosis: "Diagnosis") -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_header=False)
    table.add_column(style="bold", overflow="fold")
    # A path has no blank at which it could go on in the next line, and is needed whole.
    table.add_column(overflow="fold")
    for title, rows in _sections(diagnosis).items():
        if title and rows:
            table.add_section()
            table.add_row(Text(title, "bold cyan"), "")
        for row in rows:
            table.add_row(Text(printable(row.name)), Text(printable(row.found), row.style))
    Console().print(table)
