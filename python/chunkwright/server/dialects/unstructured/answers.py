"""Answers of the unstructured-api: JSON, a table of CSV, or a part for each file."""

from __future__ import annotations

import csv
import secrets
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.server.answers import JSON, json_bytes, media_types, needs_ocr
from chunkwright.server.dialects.unstructured.fields import fields_of
from chunkwright.server.dialects.unstructured.ignored import ignored
from chunkwright.server.dialects.unstructured.partition import partition, written_chunks
from chunkwright.server.dialects.unstructured.sources import FAST, is_sent_as_file, sources_of
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from chunkwright.embed import EmbedderLike
    from chunkwright.server.bodies.uploads import Upload

_CSV = "text/csv"
_MIXED = "multipart/mixed"
FORMS = (JSON, _CSV, _MIXED)
"""Media types of answers."""
# A field that holds an object, and is not spread over columns.
_WHOLE = "data_source_record_locator"

Element = dict[str, Any]


class FileLimits(NamedTuple):
    """What one request may take.

    Attributes
    ----------
    max_unpacked
        Bytes of a compressed file, or of compressed parts of one, when they are unpacked.
    max_chunks
        Elements of an answer.
    """

    max_unpacked: int
    max_chunks: int


class Answer(NamedTuple):
    """The body of an answer, its media type, and what it lacks."""

    media_type: str
    body: bytes
    warnings: tuple[str, ...] = ()


def answer(
    files: Sequence[Upload],
    form: Mapping[str, Sequence[str]],
    *,
    accept: str | None,
    limits: FileLimits,
    embedder: Callable[[str], EmbedderLike],
) -> Answer:
    """Answer a request.

    Parameters
    ----------
    files
        Its files.
    form
        Its other fields: values by name.
    accept
        Its header ``Accept``.
    limits
        What it may take.
    embedder
        Finds an embedder by its name.

    Returns
    -------
    Answer
        A list of elements, a list of such lists for several files, one table of CSV, or a part for
        each file if ``multipart/mixed`` is accepted.

    Raises
    ------
    Problem
        If the request is wrong; names the field.
    ReadError
        If a file cannot be read; names it.
    """
    fields = fields_of(form)
    sources = sources_of(files, fields, limits.max_unpacked)
    accepted = media_types(accept or "")
    if len(sources) > 1:
        _check_accepted(accept, accepted)
    is_csv = fields.output_format == _CSV
    tables: list[list[Element]] = []
    jsons: list[bytes] = []
    warnings = ignored(form, fields, sources)
    others = dict.fromkeys(file.field for file in files if not is_sent_as_file(file))
    warnings += (
        f"the file in the field {name!r} is ignored: send it in 'files'" for name in others
    )
    n_left = limits.max_chunks
    for source in sources:
        written = None if is_csv else written_chunks(source, fields)
        if written is not None:
            n_made = written.n_chunks
        else:
            made, read = partition(source, fields, embedder=embedder, most=limits.max_unpacked)
            n_made = len(made)
            warnings += read.warnings
            if read.unread and fields.strategy != FAST:
                warnings.append(needs_ocr(source.name, read.unread))
        n_left -= n_made
        if n_left < 0:
            message = f"an answer has at most {limits.max_chunks:,} elements: send less at once"
            raise Problem(413, "too_large", message, field="files")
        if is_csv:
            tables.append(made)
        else:
            jsons.append(json_bytes(made) if written is None else written.json)
    found = _of_tables(tables, accepted) if is_csv else _of_jsons(jsons, accepted)
    return found._replace(warnings=tuple(warnings))


def _of_tables(tables: Sequence[list[Element]], accepted: Sequence[str]) -> Answer:
    if _MIXED in accepted:
        return _mixed([_csv(elements) for elements in tables], _CSV)
    return Answer(f"{_CSV}; charset=utf-8", _csv(each for file in tables for each in file))


def _of_jsons(jsons: Sequence[bytes], accepted: Sequence[str]) -> Answer:
    if _MIXED in accepted:
        return _mixed(jsons, JSON)
    return Answer(JSON, jsons[0] if len(jsons) == 1 else b"[%b]" % b",".join(jsons))


def _check_accepted(accept: str | None, accepted: Sequence[str]) -> None:
    """Refuse an answer for several files that the client could not take.

    Raises
    ------
    Problem
        406, naming what it takes.
    """
    taken = {"*/*", "application/*", *FORMS}
    if accepted and taken.isdisjoint(accepted):
        message = f"several files are answered as {_MIXED}, {JSON} or {_CSV}, not as {accept}"
        raise Problem(406, "not_acceptable", message)


def _csv(elements: Iterable[Element]) -> bytes:
    """Return a table with a row for each element, and a column for each field that one has."""
    rows = [dict(_row(each)) for each in elements]
    columns = dict.fromkeys(
        name for row in rows for name, value in row.items() if value is not None
    )
    file = StringIO(newline="")
    writer = csv.DictWriter(file, list(columns), extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode("utf-8", "backslashreplace")


def _row(element: Element) -> Iterator[tuple[str, Any]]:
    for name, value in element.items():
        if name == "metadata":
            yield from _spread(value, "")
        else:
            yield name, value


def _spread(fields: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    """Spread fields within fields over columns: ``data_source`` with ``url`` in it is one."""
    for key, value in fields.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and name != _WHOLE:
            yield from _spread(value, f"{name}_")
        else:
            yield name, value


def _mixed(by_file: Sequence[bytes], output_format: str) -> Answer:
    """Return a part for each file: JSON or CSV in base64."""
    boundary = secrets.token_hex(16)
    body = bytearray()
    for written in by_file:
        part = b64encode(written)
        head = {
            "Content-Length": len(part),
            "Content-Transfer-Encoding": "base64",
            "Content-Type": output_format,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        body += f"--{boundary}\r\n{lines}\r\n".encode() + part + b"\r\n"
    body += f"--{boundary}--\r\n".encode()
    return Answer(f'{_MIXED}; boundary="{boundary}"', bytes(body))
