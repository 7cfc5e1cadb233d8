"""Options of Docling's chunkers and conversion, as requests have them; what cannot be done is told.

Names, types and defaults are those of docling-serve's models. A value that this service cannot
honour is an error of validation at its field, and so is a field that there is not.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

DEFAULT_TOKENIZER = "sentence-transformers/all-MiniLM-L6-v2"
"""The tokenizer of a request that names none."""

LAST_PAGE = 2**63 - 1
"""The end of a range of pages that has none."""

FORMATS_IN = (
    *("docx", "doc", "rtf", "pptx", "ppt", "html", "mhtml", "image", "pdf", "asciidoc", "md"),
    *("csv", "xlsx", "xls", "odt", "ods", "odp", "xml_uspto", "xml_jats", "xml_xbrl"),
    *("xml_doclang", "dclx", "mets_gbs", "json_docling", "audio", "video", "vtt", "latex"),
    *("email", "epub", "boxnote", "iwork_pages", "iwork_keynote", "iwork_numbers", "ebcdic"),
    "afp",
)
"""Docling's names of formats that documents come in."""

PRESETS = {
    "default": "minilm_l6",
    "minilm_l6": DEFAULT_TOKENIZER,
    "granite_embedding_278m": "ibm-granite/granite-embedding-278m-multilingual",
    "multilingual_e5_large": "intfloat/multilingual-e5-large",
    "hierarchical": "",
}
"""Tokenizers of the hybrid chunker by the name of the preset; ``"hierarchical"`` has none."""

_ENGINES = {
    "auto": None,
    "rapidocr": "rapidocr",
    "tesseract": "tesseract",
    "tesserocr": "tesseract",
}


def _not_done(accepted: str) -> PydanticCustomError:
    return PydanticCustomError(
        "not_supported",
        "this service does not do that; the field takes {accepted}",
        {"accepted": accepted},
    )


def _off(value: bool) -> bool:
    if value:
        raise _not_done("false")
    return value


def _on(value: bool) -> bool:
    if not value:
        raise _not_done("true")
    return value


def _unset(value: object) -> object:
    if value not in (None, "default"):
        raise _not_done("null")
    return value


def _format_out(value: str) -> str:
    if value not in ("md", "json", "text", "chunks"):
        raise _not_done("md, json, text and chunks")
    return value


def _format_in(value: str) -> str:
    if value not in FORMATS_IN:
        raise PydanticCustomError("enum", "Input should be one of Docling's input formats")
    return value


def _engine(value: str, info: ValidationInfo) -> str:
    """Take any engine where no OCR is asked for."""
    if info.data.get("do_ocr", True) and value not in _ENGINES:
        raise _not_done(f"{', '.join(_ENGINES)}, or anything if do_ocr is false")
    return value


def _preset(value: str, info: ValidationInfo) -> str:
    """Take any preset where no OCR is asked for."""
    if info.data.get("do_ocr", True) and value != "auto":
        raise _not_done("'auto', or anything if do_ocr is false")
    return value


def _page_range(value: tuple[int, int]) -> tuple[int, int]:
    if not 1 <= value[0] <= value[1]:
        raise PydanticCustomError("page_range", "Input should be a first and a last page, from 1")
    return value


def _in_body_images(value: str) -> str:
    if value == "referenced":
        raise _not_done("placeholder and embedded")
    return value


Off: TypeAlias = Annotated[bool, AfterValidator(_off)]
On: TypeAlias = Annotated[bool, AfterValidator(_on)]
Unset: TypeAlias = Annotated[Any, AfterValidator(_unset)]


class Strict(BaseModel):
    """Fields of a request, of which none may be unknown."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)


class ChunkerOptions(Strict):
    """Options that both chunkers have."""

    use_markdown_tables: bool = False
    use_markdown_images: bool = False
    image_placeholder: str = "![IMAGE]"
    include_raw_text: bool = False


class HierarchicalOptions(ChunkerOptions):
    """Options of the hierarchical chunker."""

    chunker: Literal["hierarchical"] = "hierarchical"


class HybridOptions(ChunkerOptions):
    """Options of the hybrid chunker."""

    chunker: Literal["hybrid"] = "hybrid"
    max_tokens: Annotated[int, Field(ge=1, le=2**62)] | None = None
    tokenizer: str = DEFAULT_TOKENIZER
    merge_peers: bool = True


AnyChunker: TypeAlias = HybridOptions | HierarchicalOptions


class ConvertOptions(Strict):
    """Options of the conversion of a document.

    Those that change nothing here are taken as they are: which library reads a PDF, how a model
    that is not there would find tables, how large images would be. Those that ask for work that is
    not done here are refused.
    """

    from_formats: list[Annotated[str, AfterValidator(_format_in)]] = list(FORMATS_IN)
    to_formats: list[Annotated[str, AfterValidator(_format_out)]] = ["md"]
    image_export_mode: Annotated[
        Literal["placeholder", "embedded", "referenced"], AfterValidator(_in_body_images)
    ] = "placeholder"
    do_ocr: bool = True
    force_ocr: bool = False
    ocr_engine: Annotated[str, AfterValidator(_engine)] = "auto"
    ocr_lang: list[str] | None = None
    ocr_preset: Annotated[str, AfterValidator(_preset)] = "auto"
    ocr_custom_config: Unset = None
    pdf_backend: Literal[
        "pypdfium2", "docling_parse", "_docling_parse", "dlparse_v1", "dlparse_v2", "dlparse_v4"
    ] = "docling_parse"
    table_mode: Literal["fast", "accurate"] = "accurate"
    table_cell_matching: bool = True
    pipeline: Literal["legacy", "standard", "native"] = "standard"
    page_range: Annotated[tuple[int, int], AfterValidator(_page_range)] = (1, LAST_PAGE)
    document_timeout: Annotated[float, Field(gt=0)] | None = None
    abort_on_error: bool = False
    do_table_structure: On = True
    do_pdf_heading_hierarchy: bool = False
    pdf_heading_hierarchy_options: Unset = None
    include_images: bool = True
    include_page_images: Off = False
    images_scale: Annotated[float, Field(gt=0)] = 2.0
    md_page_break_placeholder: Annotated[str, Field(max_length=0)] = ""
    md_compact_tables: bool = False
    chunking_options: Annotated[AnyChunker, Field(discriminator="chunker")] | None = None
    chunking_preset: (
        Literal[
            "default",
            "granite_embedding_278m",
            "multilingual_e5_large",
            "minilm_l6",
            "hierarchical",
        ]
        | None
    ) = None
    do_code_enrichment: Off = False
    do_formula_enrichment: Off = False
    do_picture_classification: Off = False
    do_chart_extraction: Off = False
    chart_extraction_preset: Unset = None
    chart_extraction_custom_config: Unset = None
    do_picture_description: Off = False
    picture_description_area_threshold: float = 0.05
    picture_description_local: Unset = None
    picture_description_api: Unset = None
    vlm_pipeline_model: Unset = None
    vlm_pipeline_model_local: Unset = None
    vlm_pipeline_model_api: Unset = None
    vlm_pipeline_preset: Unset = None
    picture_description_preset: Unset = None
    code_formula_preset: Unset = None
    vlm_pipeline_custom_config: Unset = None
    picture_description_custom_config: Unset = None
    code_formula_custom_config: Unset = None
    table_structure_preset: Unset = None
    table_structure_custom_config: Unset = None
    layout_custom_config: Unset = None
    layout_preset: Unset = None
    picture_classification_preset: Unset = None
    picture_classification_custom_config: Unset = None

    @model_validator(mode="after")
    def _check_chunking(self) -> ConvertOptions:
        if self.chunking_preset is not None and self.chunking_options is not None:
            raise ValueError("chunking_preset and chunking_options exclude each other")
        return self

    @property
    def chunker(self) -> AnyChunker:
        """The chunker of ``to_formats: ["chunks"]``."""
        if self.chunking_options is not None:
            return self.chunking_options
        preset = self.chunking_preset or "default"
        tokenizer = PRESETS[PRESETS[preset] if preset == "default" else preset]
        return HybridOptions(tokenizer=tokenizer) if tokenizer else HierarchicalOptions()

    @property
    def reading(self) -> dict[str, object]:
        """Options of the reader: pages, and which of them are recognised, by what."""
        if not self.do_ocr:
            return {"pages": self.pages, "ocr": "off"}
        return {
            "pages": self.pages,
            "ocr": "all" if self.force_ocr else None,
            "ocr_engine": _ENGINES[self.ocr_engine],
            "ocr_languages": self.ocr_lang or None,
        }

    @property
    def pages(self) -> str | None:
        """The pages that are read, as readers take them; None: all."""
        first, last = self.page_range
        if last >= LAST_PAGE:
            return None if first == 1 else f"{first}-"
        return f"{first}-{last}"
