"""Originals of the documents of a store: found in their folder, checked, and drawn page by page."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.errors import StoreError
from chunkwright.io.page_images import PAGE_WIDTH, is_pdf, page_images
from chunkwright.server.bodies.request_documents import reading_cost
from chunkwright.server.problems import Problem
from chunkwright.server.reading_roots import Roots
from chunkwright.server.schemas.stored_pages import StoredPageAnswer
from chunkwright.server.stored.absent import NOT_FOUND, absent, versions_of

if TYPE_CHECKING:
    from chunkwright.server.service import Service
    from chunkwright.store.originals import Original


class Looked(NamedTuple):
    """What was found of an original.

    Attributes
    ----------
    data
        Its bytes; none unless they are those that were read.
    is_there
        Whether there is a file, if with other bytes.
    """

    data: bytes | None
    is_there: bool


def stored_page(
    service: Service, document: str, version: int | None, page: int
) -> StoredPageAnswer:
    """Draw a page of a stored document from its original, if that is there as it was read.

    Raises
    ------
    Problem
        If there is no such document, or no such version of it.
    ReadError
        If the page is not there, or cannot be drawn.
    """
    folder = service.settings.originals
    versions_of(service.store, document)
    try:
        known = service.store.original(document, version)
    except StoreError as error:
        raise absent("version", str(error)) from error
    if folder is None or known is None:
        return StoredPageAnswer(page=page, image=None, original="unknown")
    data, is_there = _looked_up(Path(folder), known, service.settings.max_body)
    if data is None:
        return StoredPageAnswer(
            page=page, image=None, original="changed" if is_there else "missing"
        )
    image = None
    if is_pdf(data):
        with service.reading(reading_cost(len(data), "pdf", None)):
            image = page_images(data, [page], width=PAGE_WIDTH).get(page)
    return StoredPageAnswer(page=page, image=image, original="same")


def _looked_up(folder: Path, known: Original, most: int) -> Looked:
    """Look for the bytes that were read, by where they were and by the document's address."""
    roots = Roots([str(folder)], option="originals")
    is_there = False
    for path in _paths(folder.resolve(), known):
        try:
            data = roots.read(path, most)
        except Problem as problem:
            # One that is too large is there, and not read.
            is_there = is_there or problem.code != NOT_FOUND
            continue
        if sha256(data).hexdigest() == known.sha256:
            return Looked(data, is_there=True)
        is_there = True
    return Looked(None, is_there=is_there)


def _paths(folder: Path, known: Original) -> list[str]:
    """Return where an original may be below the folder: it may have been imported elsewhere."""
    paths = [known.uri]
    if known.file is not None and Path(known.file).is_relative_to(folder):
        paths.insert(0, Path(known.file).relative_to(folder).as_posix())
    return list(dict.fromkeys(paths))
