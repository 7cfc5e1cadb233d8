"""Fields of a request that change nothing here, and the warnings that say so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from chunkwright.readers.kinds import LAID_OUT
from chunkwright.server.dialects.unstructured.fields import (
    Fields,
    file_type_of_mime,
    given_in,
    takes_many,
)
from chunkwright.server.dialects.unstructured.sources import HOSTED, Source

_MEDIA_TYPES = ("content_type", "gz_uncompressed_content_type")
_SHOWN = 80
_NO = {"false", "0", "no", "off", "none", "null"}


class _Ignored(NamedTuple):
    """Why a field changes nothing, and the formats of files that it is about; empty: of any."""

    reason: str
    formats: frozenset[str] = frozenset()


_NO_MODELS = _Ignored("no layout models look at pages here", LAID_OUT)
_NO_PDFMINER = _Ignored("PDF files are read by another library", frozenset({"pdf"}))
_IGNORED = {
    "hi_res_model_name": _NO_MODELS,
    "table_ocr_agent": _NO_MODELS,
    "vlm_model": _NO_MODELS,
    "vlm_model_provider": _NO_MODELS,
    "extract_image_block_types": _Ignored("pictures of elements are not cut out", LAID_OUT),
    "pdfminer_char_margin": _NO_PDFMINER,
    "pdfminer_line_margin": _NO_PDFMINER,
    "pdfminer_line_overlap": _NO_PDFMINER,
    "pdfminer_word_margin": _NO_PDFMINER,
    "do_not_break_similarity_on_footer_header": _Ignored(
        "headers and footers are compared as other elements are"
    ),
    "contextual_chunking_strategy": _Ignored("no language model is asked for contexts"),
}


def ignored(
    form: Mapping[str, Sequence[str]], fields: Fields, sources: Sequence[Source]
) -> list[str]:
    """Return a warning for each field that the answer would be the same without.

    Parameters
    ----------
    form
        The fields of the request, by name.
    fields
        What was made of them.
    sources
        The files of the request.
    """
    given = given_in(form)
    formats = {each.file_type.format for each in sources if each.file_type is not None}
    return [*_unknown(given), *_without_meaning(given, formats), *_values(given, fields, formats)]


def _unknown(given: Mapping[str, Sequence[str]]) -> Iterator[str]:
    known = [*Fields.model_fields, "files"]
    for name in given:
        if name not in Fields.model_fields:
            close = get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            yield f"unknown field {name[:_SHOWN]!r} is ignored{hint}"


def _without_meaning(given: Mapping[str, Sequence[str]], formats: set[str]) -> Iterator[str]:
    for name, (reason, about) in _IGNORED.items():
        is_given = any(value.lower() not in _NO for value in given.get(name, ()))
        if is_given and (not about or about & formats):
            yield f"{name} is ignored: {reason}"


def _values(given: Mapping[str, Sequence[str]], fields: Fields, formats: set[str]) -> Iterator[str]:
    for name, values in given.items():
        if name in Fields.model_fields and not takes_many(name) and len(set(values)) > 1:
            yield f"{name} is given {len(values)} times: the last value is taken"
    for name in _MEDIA_TYPES:
        value = getattr(fields, name)
        if value is not None and file_type_of_mime(value) is None:
            yield f"{name}={value[:_SHOWN]!r} is ignored: it is no media type that is read"
    if fields.strategy in HOSTED and LAID_OUT & formats:
        yield f"strategy={fields.strategy!r} is read as 'hi_res': {_NO_MODELS.reason}"
