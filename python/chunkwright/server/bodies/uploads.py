"""Uploads: the files and fields of a multipart body, within limits."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from chunkwright.server.answers import media_type_of
from chunkwright.server.guard.unpacking import Unpacking
from chunkwright.server.problems import Problem, too_large
from chunkwright.server.service import service_of

if TYPE_CHECKING:
    from starlette.requests import Request

FORM = "multipart/form-data"
"""Media type of forms with files."""
_MOST_FILES = 1000
_MOST_FIELDS = 1000
_MOST_NAME = 255
# Bytes that are unpacked at once.
_STEP = 1 << 22
_FOLDERS = re.compile(r"^.*[/\\]", re.DOTALL)


class Upload(NamedTuple):
    """A file of a multipart body.

    Attributes
    ----------
    field
        The name of its part.
    name
        The file's name, without folders; empty if it has none.
    content_type
        What the client says that it is; empty if nothing.
    data
        Its bytes.
    """

    field: str
    name: str
    content_type: str
    data: bytes


class Form(NamedTuple):
    """A multipart body: its files, and its other fields, of which each may be there repeatedly."""

    files: list[Upload]
    fields: dict[str, list[str]]


async def read_form(request: Request) -> Form:
    """Return the files and fields of a multipart body.

    Raises
    ------
    Problem
        If the body is no such one, or has too many parts, or a field that is too large.
    """
    if media_type_of(request) != FORM:
        raise Problem(415, "unsupported_body", f"a body of {FORM} is needed")
    files: list[Upload] = []
    fields: dict[str, list[str]] = {}
    most = service_of(request).settings.max_body
    limits = {"max_files": _MOST_FILES, "max_fields": _MOST_FIELDS, "max_part_size": most}
    try:
        async with aclosing(request.stream()) as stream:
            parser = _Parser(request.headers, stream, **limits)
            parsed = await parser.parse()
    except MultiPartException as error:
        raise _damaged(error.message) from error
    try:
        for field, value in parsed.multi_items():
            if isinstance(value, UploadFile):
                files.append(await _upload(field, value))
            else:
                fields.setdefault(field, []).append(value)
    finally:
        await parsed.close()
    return Form(files, fields)


class _Parser(MultiPartParser):
    """A parser that refuses a body without a last boundary.

    Starlette's leaves out the part that is cut off, as if it had not been sent.
    """

    has_end = False

    def __init__(
        self, headers: Headers, stream: AsyncGenerator[bytes, None], **limits: int
    ) -> None:
        super().__init__(headers, self._whole(stream), **limits)

    def on_end(self) -> None:
        """Note the last boundary."""
        self.has_end = True

    async def _whole(self, stream: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        async for part in stream:
            yield part
        if not self.has_end:
            raise MultiPartException("it is cut off before its last boundary")


def _damaged(said: str) -> Problem:
    return Problem(400, "damaged_body", f"the multipart body is damaged: {said}")


async def _upload(field: str, file: UploadFile) -> Upload:
    name = plain_name(file.filename or "")
    return Upload(field, name, file.content_type or "", await file.read())


def plain_name(name: str) -> str:
    r"""Return a file's name without folders and control characters.

    Examples
    --------
    >>> plain_name("../../etc/passwd"), plain_name("C:\\reports\\may.pdf")
    ('passwd', 'may.pdf')
    """
    last = _FOLDERS.sub("", name)
    shown = "".join(each for each in last if each.isprintable())
    return "" if shown in {".", ".."} else shown[-_MOST_NAME:]


def unpacked(data: bytes, most: int) -> bytes:
    """Return what gzip has packed, never more than `most` bytes of it.

    Raises
    ------
    Problem
        If it is damaged, or larger.
    """
    damaged = Problem(422, "unreadable", "the gzip file is damaged or cut off")
    unpacking = Unpacking(data, "gzip", damaged)
    parts, size = [], 0
    while data and not unpacking.is_over:
        part = unpacking.step(min(_STEP, most + 1 - size))
        size += len(part)
        if size > most:
            raise too_large("the unpacked file", most)
        parts.append(part)
    return b"".join(parts)
