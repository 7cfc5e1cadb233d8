"""Fields of a form, as the unstructured-api takes them, and the types of files that it knows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from chunkwright.errors import ConfigError, nearest
from chunkwright.readers.kinds import FILES, KINDS, LANGUAGES, YAML_SUFFIXES
from chunkwright.readers.text import check_decoding
from chunkwright.server.problems import Problem


class FileType(NamedTuple):
    """A type of files.

    Attributes
    ----------
    mime
        Its media type, as ``metadata.filetype`` says it.
    format
        What it is read as: a kind of :data:`chunkwright.readers.kinds.KINDS` or
        :data:`chunkwright.readers.kinds.FILES`, or ``"json"``, ``"ndjson"``, ``"xml"`` or
        ``"image"``.
    suffixes
        How names of its files end.
    aliases
        Other media types of it.
    """

    mime: str
    format: str
    suffixes: tuple[str, ...]
    aliases: tuple[str, ...] = ()

    @property
    def short_name(self) -> str:
        """What ``skip_infer_table_types`` calls it: ``"pdf"``, ``"docx"``."""
        return self.suffixes[0].removeprefix(".")


_MS = "application/vnd.openxmlformats-officedocument"
_ODF = "application/vnd.oasis.opendocument"
# Office files with macros and templates are recognised by their content, like all others.
_TYPES = (
    FileType("application/pdf", "pdf", FILES["pdf"].suffixes),
    FileType(f"{_MS}.wordprocessingml.document", "docx", FILES["docx"].suffixes),
    FileType(f"{_MS}.presentationml.presentation", "office", (".pptx", ".pptm")),
    FileType(f"{_MS}.spreadsheetml.sheet", "office", (".xlsx", ".xlsm")),
    FileType("application/msword", "office", (".doc",)),
    FileType("application/vnd.ms-powerpoint", "office", (".ppt",)),
    FileType("application/vnd.ms-excel", "office", (".xls",)),
    FileType("application/vnd.ms-outlook", "mail", (".msg",), ("application/x-ole-storage",)),
    FileType("message/rfc822", "mail", (".eml",)),
    FileType(f"{_ODF}.text", "office", (".odt",)),
    FileType(f"{_ODF}.spreadsheet", "office", (".ods",)),
    FileType(f"{_ODF}.presentation", "office", (".odp",)),
    FileType("application/epub", "office", (".epub",), ("application/epub+zip",)),
    FileType("text/rtf", "office", (".rtf",), ("application/rtf",)),
    FileType("text/html", "html", KINDS["html"].suffixes, ("application/xhtml+xml",)),
    FileType(
        "text/markdown",
        "markdown",
        KINDS["markdown"].suffixes,
        ("text/x-markdown",),
    ),
    FileType("text/x-rst", "rst", KINDS["rst"].suffixes, ("text/prs.fallenstein.rst",)),
    FileType(
        "text/csv",
        "csv",
        KINDS["csv"].suffixes,
        (
            *("application/csv", "application/x-csv", "text/x-csv"),
            *("text/comma-separated-values", "text/x-comma-separated-values"),
        ),
    ),
    FileType("text/tsv", "tsv", KINDS["tsv"].suffixes, ("text/tab-separated-values",)),
    FileType("application/json", "json", (".json",)),
    FileType("application/x-ndjson", "ndjson", (".ndjson", ".jsonl"), ("application/jsonl",)),
    FileType("application/xml", "xml", (".xml",), ("text/xml",)),
    FileType(
        "text/plain",
        "text",
        (*KINDS["text"].suffixes, *YAML_SUFFIXES, *(f".{each}" for each in LANGUAGES)),
        ("text/yaml", "application/yaml", "text/org"),
    ),
    FileType("image/png", "image", (".png",)),
    FileType("image/jpeg", "image", (".jpg", ".jpeg")),
    FileType("image/tiff", "image", (".tiff", ".tif")),
    FileType("image/bmp", "image", (".bmp",)),
    FileType("image/heic", "image", (".heic",)),
    FileType("image/webp", "image", (".webp",)),
    FileType("image/gif", "image", (".gif",)),
)
FILE_TYPES = {mime: each for each in _TYPES for mime in (each.mime, *each.aliases)}
"""The types by their media types."""
_BY_SUFFIX = {suffix: each for each in _TYPES for suffix in each.suffixes}
_BY_FORMAT = {each.format: each for each in reversed(_TYPES)}


def file_type_of_mime(mime: str) -> FileType | None:
    """Return the type of a media type, parameters such as ``; charset=utf-8`` aside."""
    return FILE_TYPES.get(mime.partition(";")[0].strip().lower())


def file_type_of_name(name: str) -> FileType | None:
    """Return the type that a file's name tells."""
    return _BY_SUFFIX.get(os.path.splitext(name)[1].lower())  # noqa: PTH122 - no name is too odd


def file_type_of_format(read_as: str) -> FileType:
    """Return the first type that is read so."""
    return _BY_FORMAT[read_as]


_LITERAL = "literal_error"


def _listed(value: object) -> object:
    """Return the items of a list that a client wrote into one value: as JSON, or by ``,`` or ``+``.

    ``languages=["eng","deu"]``, ``languages=eng,deu`` and ``languages=eng+deu`` say the same.
    """
    if not isinstance(value, list) or len(value) != 1:
        return value
    written = value[0]
    try:
        found = json.loads(written)
    except (ValueError, RecursionError):
        found = written.replace("+", ",").split(",")
    return [str(each).strip() for each in found] if isinstance(found, list) else value


def _word(value: object) -> object:
    """Return a word of a list in small letters, without the quotes that some clients send."""
    return value.strip("\"' ").lower() if isinstance(value, str) else value


def _encoding(value: object) -> object:
    try:
        check_decoding(value, "strict")  # type: ignore[arg-type]
    except ConfigError as error:
        raise ValueError(str(error)) from error
    return value


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
Size = Annotated[int, Field(ge=0)]


class Fields(BaseModel):
    """The fields of a request beside its files, with the defaults of the unstructured-api."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True)

    # How files are read.
    strategy: Annotated[
        Literal["auto", "fast", "hi_res", "ocr_only", "od_only", "vlm"], BeforeValidator(_word)
    ] = "auto"
    content_type: str | None = None
    gz_uncompressed_content_type: str | None = None
    encoding: Annotated[str | None, BeforeValidator(_encoding)] = None
    languages: Texts = ()
    ocr_languages: Texts = ()
    starting_page_number: Annotated[int, Field(ge=1)] = 1
    xml_keep_tags: bool = False
    include_slide_notes: bool = True
    # What elements say.
    output_format: Literal["application/json", "text/csv"] = "application/json"
    coordinates: bool = False
    include_page_breaks: bool = False
    pdf_infer_table_structure: bool = True
    skip_infer_table_types: Texts = ()
    unique_element_ids: bool = False
    # How they are cut.
    chunking_strategy: Annotated[
        Literal["basic", "by_title", "by_page", "by_similarity"] | None, BeforeValidator(_word)
    ] = None
    max_characters: Annotated[int, Field(gt=0)] = 500
    new_after_n_chars: Size | None = None
    overlap: Size = 0
    overlap_all: bool = False
    include_orig_elements: bool = True
    combine_under_n_chars: Size | None = None
    multipage_sections: bool = True
    similarity_threshold: Annotated[float, Field(gt=0, lt=1)] | None = None
    embedder: str = "lexical"
    # What changes nothing here: see `ignored`. Whatever it says is taken.
    hi_res_model_name: Texts = ()
    table_ocr_agent: Texts = ()
    extract_image_block_types: Texts = ()
    vlm_model: Texts = ()
    vlm_model_provider: Texts = ()
    pdfminer_char_margin: Texts = ()
    pdfminer_line_margin: Texts = ()
    pdfminer_line_overlap: Texts = ()
    pdfminer_word_margin: Texts = ()
    do_not_break_similarity_on_footer_header: Texts = ()
    contextual_chunking_strategy: Texts = ()
    # Options of the client's own work, which it sends nevertheless.
    split_pdf_page: Texts = ()
    split_pdf_page_range: Texts = ()
    split_pdf_allow_failed: Texts = ()
    split_pdf_concurrency_level: Texts = ()
    split_pdf_cache_tmp_data: Texts = ()
    split_pdf_cache_tmp_data_dir: Texts = ()


def given_in(form: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the values of a form by names of fields, without ``[]``; an empty value is none."""
    given: dict[str, list[str]] = {}
    for name, values in form.items():
        given.setdefault(name.removesuffix("[]"), []).extend(value for value in values if value)
    return {name: values for name, values in given.items() if values}


def takes_many(name: str) -> bool:
    """Return whether a field is a list; of others the last value is taken."""
    return get_origin(Fields.model_fields[name].annotation) is tuple


def fields_of(form: Mapping[str, Sequence[str]]) -> Fields:
    """Check the fields of a form; those that are unknown are passed over.

    Parameters
    ----------
    form
        The values of each field, by its name, with or without ``[]`` behind it. An empty value is
        none.

    Raises
    ------
    Problem
        422, naming the first field that has a value that is none of its own.
    """
    given = {name: of for name, of in given_in(form).items() if name in Fields.model_fields}
    held = {name: of if takes_many(name) else of[-1] for name, of in given.items()}
    try:
        fields = Fields.model_validate(held)
    except ValidationError as error:
        raise _problem(error.errors(include_url=False)[0]) from error
    if fields.chunking_strategy is not None:
        _check_together(fields)
    return fields


def _check_together(fields: Fields) -> None:
    """Check the options of chunking, two of which may contradict each other.

    Raises
    ------
    Problem
        422, naming the field.
    """
    most = fields.max_characters
    sizes = {"overlap": fields.overlap + 1}
    if fields.chunking_strategy == "by_title":
        sizes["combine_under_n_chars"] = fields.combine_under_n_chars or 0
    for name, size in sizes.items():
        if size > most:
            allowed = "less than" if name == "overlap" else "at most"
            value = getattr(fields, name)
            message = f"{name} must be {allowed} max_characters={most}, got {value}"
            raise Problem(422, "value_error", message, field=name)


def _problem(error: Mapping[str, Any]) -> Problem:
    """Return the problem of the first thing that is wrong with a form."""
    name = str(error["loc"][0])
    message = f"{error['msg'].removeprefix('Value error, ')}, got {error['input']!r}"
    if error["type"] == _LITERAL:
        message += f"; {nearest(error['input'], _values(name))}"
    return Problem(422, str(error["type"]), message, field=name)


def _values(name: str) -> list[str]:
    """Return the values that a field has to choose from."""
    annotation = Fields.model_fields[name].annotation
    found = [*get_args(annotation)]
    nested = [value for each in found for value in get_args(each)]
    return [value for value in nested or found if isinstance(value, str)]
