"""Files of a request: what each holds, once it is unpacked, and of which type it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chunkwright.errors import ReadError
from chunkwright.readers.kinds import FILES, kind_of_file
from chunkwright.readers.signatures import refuse
from chunkwright.server.bodies.uploads import Upload, unpacked
from chunkwright.server.dialects.unstructured.fields import (
    Fields,
    FileType,
    file_type_of_format,
    file_type_of_mime,
    file_type_of_name,
)
from chunkwright.server.problems import Problem

_GZIP = frozenset({"application/gzip", "application/x-gzip"})
# Clients give this type to files of which they know no better.
_VAGUE = frozenset({"text/plain"})
HI_RES = "hi_res"
"""The strategy of Unstructured's client: layout and tables, of pictures of pages as well."""
OCR_ONLY = "ocr_only"
"""The strategy that recognises all pages, whatever text they have."""

# Settings for pictures of pages; other files are read alike with and without them.
_OF_PICTURES = {
    "strategy": ("auto", "fast", HI_RES, OCR_ONLY),
    "hi_res_model_name": (None,),
    "extract_image_block_types": ((),),
    "table_ocr_agent": (None,),
    "vlm_model": (None,),
    "vlm_model_provider": (None,),
    "pdfminer_char_margin": (None,),
    "pdfminer_line_margin": (None,),
    "pdfminer_line_overlap": (None,),
    "pdfminer_word_margin": (None,),
}


class Source(NamedTuple):
    """A file to read.

    Attributes
    ----------
    name
        Its name, without folders.
    data
        Its bytes.
    file_type
        Its type; None if only reading it can tell.
    """

    name: str
    data: bytes
    file_type: FileType | None


def sources_of(files: Sequence[Upload], fields: Fields, most: int) -> list[Source]:
    """Return the files of a request, unpacked, each with its type.

    Parameters
    ----------
    files
        The files of the form, whatever their fields are called.
    fields
        The other fields.
    most
        Bytes that a file may hold when it is unpacked.

    Raises
    ------
    Problem
        422 if there is none, a file stands in another field, or a field asks for what cannot be
        done for a file; 400 for a type that is not read; 413 for one that is too large.
    """
    for file in files:
        if file.field.removesuffix("[]") != "files":
            message = f"files are sent in the field 'files', not in {file.field!r}"
            raise Problem(422, "extra_forbidden", message, field=file.field)
    if not files:
        message = "a request needs a file: send it in the field 'files'"
        raise Problem(422, "missing", message, field="files")
    return [_source(file, fields, most) for file in files]


def _source(upload: Upload, fields: Fields, most: int) -> Source:
    name, data, declared = upload.name, upload.data, upload.content_type or ""
    if declared.lower() in _GZIP or name.lower().endswith(".gz"):
        name = name[: -len(".gz")] if name.lower().endswith(".gz") else name
        data = unpacked(data, most)
        declared = fields.gz_uncompressed_content_type or ""
    hint = fields.content_type
    source = Source(name, data, _file_type(name, data, hint or declared, is_hint=bool(hint)))
    _check_type(source, fields)
    return source


def _file_type(name: str, data: bytes, declared: str, *, is_hint: bool) -> FileType | None:
    """Return the type of a file: by its content, else as declared, else by its name."""
    by_mime, named = file_type_of_mime(declared), file_type_of_name(name)
    if (kind := kind_of_file(data, name)) is not None:
        alike = [each for each in (by_mime, named) if each is not None and each.format == kind]
        return alike[0] if alike else file_type_of_format(kind)
    if by_mime is not None and (is_hint or by_mime.mime not in _VAGUE):
        return by_mime
    # A file named as text may be of a more specific type by its content.
    return None if named is None or named.mime in _VAGUE else named


def _check_type(source: Source, fields: Fields) -> None:
    """Refuse what cannot be read, and fields that ask for what this service does not do.

    Raises
    ------
    Problem
        422, naming the field; 400 for a type that is not read.
    """
    name, data, file_type = source
    try:
        refuse(data, name, allowed=FILES)
        refused = None
    except ReadError as error:
        refused = error
    is_image = file_type is not None and file_type.format == "image"
    is_picture = kind_of_file(data, name) == "image"
    if is_image or is_picture or (file_type is not None and file_type.format == "pdf"):
        _check_pictures(name, fields)
    if refused is not None or is_image != is_picture:
        reason = str(refused) if refused else f"{name}: no image, though it is called one"
        raise Problem(400, "unsupported_file", reason, field="files")
    if not fields.include_slide_notes and file_type is not None:
        _check_slides(name, file_type)


def _check_pictures(name: str, fields: Fields) -> None:
    for field, plain in _OF_PICTURES.items():
        value = getattr(fields, field)
        if value in plain:
            continue
        remedy = "send 'auto', or " if field == "strategy" else "leave it out, or "
        message = (
            f"{field}={value!r} is not done: {name} would need layout models, which the"
            f" service has none of; {remedy}have it read by Unstructured or Docling, and send the"
            " elements or the document"
        )
        raise Problem(422, "unsupported", message, field=field)


def _check_slides(name: str, file_type: FileType) -> None:
    if file_type.short_name in {"pptx", "ppt", "odp"}:
        message = (
            f"include_slide_notes=False is not done: what notes the reader of {name} finds are"
            " kept; leave it out"
        )
        raise Problem(422, "unsupported", message, field="include_slide_notes")
