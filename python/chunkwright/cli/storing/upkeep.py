"""`chunkwright store`: list, remove and erase what is in a store, and copy it."""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from chunkwright.cli.settings.flags import calling
from chunkwright.cli.show.places import write_json
from chunkwright.cli.show.tables import write_table
from chunkwright.cli.storing.opening import AsJson, In, existing
from chunkwright.cli.streams import piped
from chunkwright.cli.syntax.setting_options import setting_options
from chunkwright.errors import ConfigError, StoreError
from chunkwright.messages.terminal_text import printable
from chunkwright.store.settings import KEEP, KEEP_CITATIONS, OVERWRITE

Address = Annotated[
    str, typer.Argument(metavar="ADDRESS", help="The address of a document, as list shows it.")
]
Addresses = Annotated[
    list[str],
    typer.Argument(metavar="ADDRESS", help="Addresses of documents.", show_default=False),
]
Citations = Annotated[
    list[str], typer.Argument(metavar="ID", help="Ids of citations.", show_default=False)
]
Copy = Annotated[
    Path, typer.Argument(metavar="FILE", help="The file of the copy.", show_default=False)
]


def list_documents(*, store: In, as_json: AsJson = False) -> int:
    """Run `chunkwright store list`; return its exit code."""
    with existing(store) as opened:
        found = [asdict(each) for each in opened.documents()]
    _write(found, as_json=as_json)
    return 0


def list_versions(address: Address, *, store: In, as_json: AsJson = False) -> int:
    """Run `chunkwright store versions`; return its exit code."""
    with existing(store) as opened:
        found = [asdict(each) for each in opened.versions(address)]
    if not found:
        raise _unknown(store, [address])
    if not as_json:
        # It is long, and the same for most.
        for each in found:
            del each["fingerprint"]
    _write(found, as_json=as_json)
    return 0


def remove(addresses: Addresses, *, store: In) -> int:
    """Run `chunkwright store remove`; return its exit code."""
    with existing(store, read_only=False) as opened:
        _check_known(store, addresses, (each.uri for each in opened.documents()))
        for report in opened.remove(addresses):
            typer.echo(f"{report.outcome}\t{printable(report.uri)}")
    return 0


@setting_options(KEEP_CITATIONS)
def erase(addresses: Addresses, *, store: In, options: dict[str, Any]) -> int:
    """Run `chunkwright store erase`; return its exit code."""
    with existing(store, read_only=False) as opened:
        known = (each for each in addresses if opened.versions(each))
        _check_known(store, addresses, known)
        found = opened.erase(addresses, **options)
    _write_counts(asdict(found))
    if not found.is_overwritten:
        typer.echo("Not all of it is overwritten yet: see docs/upkeep.md, Erase.", err=True)
    return 0


def uncite(citations: Citations, *, store: In) -> int:
    """Run `chunkwright store uncite`; return its exit code."""
    with existing(store, read_only=False) as opened:
        unknown = [each for each in citations if not opened.uncite(each)]
    for each in unknown:
        typer.echo(f"unknown\t{printable(each)}", err=True)
    return 1 if unknown else 0


@setting_options(KEEP)
def prune(*, store: In, options: dict[str, Any]) -> int:
    """Run `chunkwright store prune`; return its exit code."""
    with existing(store, read_only=False) as opened, calling({KEEP.name: KEEP.flag}):
        _write_counts(asdict(opened.prune(**options)))
    return 0


@setting_options(OVERWRITE)
def backup(path: Copy, *, store: In, options: dict[str, Any]) -> int:
    """Run `chunkwright store backup`; return its exit code."""
    if path.exists() and OVERWRITE.name not in options:
        raise ConfigError(f"{path} is there: {OVERWRITE.flag} replaces it")
    with existing(store) as opened, calling({"path": "FILE"}):
        opened.backup(path, **options)
    typer.echo(f"wrote {printable(str(path))}: {path.stat().st_size:,} bytes", err=True)
    return 0


def _check_known(store: str, addresses: list[str], known: Iterable[str]) -> None:
    from chunkwright.store.reading import checked_uri

    there = {checked_uri(each) for each in known}
    unknown = [each for each in addresses if checked_uri(each) not in there]
    if unknown:
        raise _unknown(store, unknown)


def _unknown(store: str, addresses: list[str]) -> StoreError:
    shown = ", ".join(map(repr, addresses))
    return StoreError(f"{store}: it has no document {shown}; `chunkwright store list` shows them")


def _write(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    """Write rows as JSON lines, or as a table."""
    if as_json:
        with piped():
            write_json(rows)
    elif rows:
        shown = [[_cell(value) for value in row.values()] for row in rows]
        write_table(list(rows[0]), shown, is_table=sys.stdout.isatty())


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else value


def _write_counts(counts: dict[str, Any]) -> None:
    for name, value in counts.items():
        if name.startswith("n_"):
            typer.echo(f"{name.removeprefix('n_')}\t{value}")
