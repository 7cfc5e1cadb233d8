"""Formats of a DoclingDocument that docling-core writes: HTML, DocTags, YAML, and pictures."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from chunkwright.errors import MissingExtraError, ReadError

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument


def check_renderer() -> None:
    """Check that docling-core is there.

    Raises
    ------
    MissingExtraError
        If it is not.
    """
    _library()


def rendered(document: bytes, to: str, mode: str, page_break: str = "") -> str:
    """Return a document in a format that docling-core writes.

    Parameters
    ----------
    document
        A DoclingDocument's JSON.
    to
        The format: ``"md"``, or one of ``FORMATS`` that is rendered.
    mode
        What becomes of pictures: ``"placeholder"``, ``"embedded"`` or ``"referenced"``.
    page_break
        What stands between two pages of Markdown.

    Raises
    ------
    ReadError
        If the JSON is no DoclingDocument that docling-core reads.
    MissingExtraError
        If docling-core is not installed.
    """
    kind, image_mode = _library()
    with warnings.catch_warnings():
        # Its own modules use what they have deprecated.
        warnings.simplefilter("ignore")
        try:
            read: DoclingDocument = kind.model_validate_json(document)
            write: dict[str, Callable[[], str]] = {
                "md": lambda: read.export_to_markdown(
                    image_mode=image_mode(mode), page_break_placeholder=page_break or None
                ),
                "html": lambda: read.export_to_html(image_mode=image_mode(mode)),
                "html_split_page": lambda: read.export_to_html(
                    image_mode=image_mode(mode), split_page_view=True
                ),
                "yaml": lambda: _yaml(read),
                "vtt": read.export_to_vtt,
                "doctags": read.export_to_doctags,
                "doclang": read.export_to_doclang,
            }
            return write[to]()
        except (ValidationError, ValueError, IndexError, KeyError, RecursionError) as error:
            said = type(error).__name__
            raise ReadError(f"docling-core cannot write it as {to} ({said})") from error


def _yaml(document: DoclingDocument) -> str:
    """Return a document as docling-core saves it as YAML, which it can do to a file alone."""
    import yaml  # type: ignore[import-untyped]

    written: str = yaml.dump(document.export_to_dict(), default_flow_style=False)
    return written


@cache
def _library() -> tuple[Any, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from docling_core.types.doc.base import ImageRefMode
            from docling_core.types.doc.document import DoclingDocument
    except ImportError as error:
        raise MissingExtraError("writing this format", "docling") from error
    return DoclingDocument, ImageRefMode
