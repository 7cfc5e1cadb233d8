"""Options of Docling's chunkers and conversion, as requests have them, checked as Docling does.

Names, types and defaults are those of docling-serve's models. What they ask for and is not done
here, is in a table of its own: :mod:`chunkwright.server.dialects.docling.ignored`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)
from pydantic_core import PydanticCustomError

from .languages import languages_of

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
    "default": DEFAULT_TOKENIZER,
    "granite_embedding_278m": "ibm-granite/granite-embedding-278m-multilingual",
    "multilingual_e5_large": "intfloat/multilingual-e5-large",
    "minilm_l6": DEFAULT_TOKENIZER,
    "hierarchical": "",
}
"""Tokenizers of the hybrid chunker by the name of the preset; ``"hierarchical"`` has none."""
# The presets are known when this runs, and not before.
if TYPE_CHECKING:
    Preset: TypeAlias = str
else:
    Preset = Literal[(*PRESETS,)]

FORMATS_OUT = (
    *("md", "json", "yaml", "html", "html_split_page", "text", "doctags", "vtt", "doclang"),
    *("dclx", "chunks", "latex"),
)
"""Docling's names of formats that a document can be exported in."""

ENGINES: dict[str, str | None] = {
    "auto": None,
    "rapidocr": "rapidocr",
    "tesseract": "tesseract",
    "tesseract_cli": "tesseract",
    "tesserocr": "tesseract",
}
"""Our engines of OCR, by Docling's names of those that we have; None: the one that there is."""

_EXCLUSIVE = (
    ("picture_description_local", "picture_description_api"),
    ("vlm_pipeline_model", "vlm_pipeline_model_local"),
    ("vlm_pipeline_model", "vlm_pipeline_model_api"),
    ("vlm_pipeline_model_local", "vlm_pipeline_model_api"),
    ("vlm_pipeline_preset", "vlm_pipeline_custom_config"),
    ("picture_description_preset", "picture_description_custom_config"),
    ("code_formula_preset", "code_formula_custom_config"),
    ("chart_extraction_preset", "chart_extraction_custom_config"),
    ("layout_preset", "layout_custom_config"),
    ("picture_classification_preset", "picture_classification_custom_config"),
    ("chunking_preset", "chunking_options"),
)
_RANGE = re.compile(r"\s*[\[(]?\s*(\d{1,19})\s*[-,:]\s*(\d{1,19})\s*[\])]?\s*")


def _one_of(names: tuple[str, ...], what: str) -> AfterValidator:
    def check(value: str) -> str:
        if value not in names:
            raise PydanticCustomError("enum", f"Input should be one of {what}")
        return value

    return AfterValidator(check)


def _pages_said(value: Any) -> Any:
    """Return a first and a last page, of a text too: ``[1,2]``, ``1,2`` and ``1-2``."""
    if isinstance(value, list) and len(value) == 1:
        (value,) = value
    found = _RANGE.fullmatch(value) if isinstance(value, str) else None
    return value if found is None else (int(found[1]), int(found[2]))


def _page_range(value: tuple[int, int]) -> tuple[int, int]:
    if not 1 <= value[0] <= value[1]:
        raise PydanticCustomError("page_range", "Input should be a first and a last page, from 1")
    return value[0], min(value[1], LAST_PAGE)


def _object_said(value: Any) -> Any:
    """Return an object, of the text of one too, as forms have it."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise PydanticCustomError("json_invalid", "Invalid JSON") from None


FormatIn: TypeAlias = Annotated[str, _one_of(FORMATS_IN, "Docling's input formats")]
FormatOut: TypeAlias = Annotated[str, _one_of(FORMATS_OUT, "Docling's output formats")]
Object: TypeAlias = Annotated[dict[str, Any], BeforeValidator(_object_said)]
PageRange: TypeAlias = Annotated[
    tuple[int, int], BeforeValidator(_pages_said), AfterValidator(_page_range)
]


class Fields(BaseModel):
    """Fields of a request; unknown ones are left out."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="ignore", frozen=True)


class ChunkerOptions(Fields):
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


class ConvertOptions(Fields):
    """Options of the conversion of a document.

    Those that change nothing here are taken as they are: which library reads a PDF, how a model
    that is not there would find tables.
    """

    from_formats: list[FormatIn] = list(FORMATS_IN)
    to_formats: list[FormatOut] = ["md"]
    image_export_mode: Literal["placeholder", "embedded", "referenced"] = "placeholder"
    do_ocr: bool = True
    force_ocr: bool = False
    ocr_engine: str = "auto"
    ocr_lang: list[str] | None = None
    ocr_preset: str = "auto"
    ocr_custom_config: Object | None = None
    pdf_backend: Literal[
        "pypdfium2", "docling_parse", "_docling_parse", "dlparse_v1", "dlparse_v2", "dlparse_v4"
    ] = "docling_parse"
    table_mode: Literal["fast", "accurate"] = "accurate"
    table_cell_matching: bool = True
    pipeline: Literal["legacy", "standard", "native", "vlm", "asr"] = "standard"
    page_range: PageRange = (1, LAST_PAGE)
    document_timeout: Annotated[float, Field(gt=0)] | None = None
    abort_on_error: bool = False
    do_table_structure: bool = True
    do_pdf_heading_hierarchy: bool = False
    pdf_heading_hierarchy_options: Object | None = None
    include_images: bool = True
    include_page_images: bool = False
    images_scale: Annotated[float, Field(gt=0)] = 2.0
    md_page_break_placeholder: str = ""
    md_compact_tables: bool = False
    chunking_options: Annotated[AnyChunker, Field(discriminator="chunker")] | None = None
    chunking_preset: Preset | None = None
    do_code_enrichment: bool = False
    do_formula_enrichment: bool = False
    do_picture_classification: bool = False
    do_chart_extraction: bool = False
    chart_extraction_preset: str | None = None
    chart_extraction_custom_config: Object | None = None
    do_picture_description: bool = False
    picture_description_area_threshold: float = 0.05
    picture_description_local: Object | None = None
    picture_description_api: Object | None = None
    vlm_pipeline_model: str | None = None
    vlm_pipeline_model_local: Object | None = None
    vlm_pipeline_model_api: Object | None = None
    vlm_pipeline_preset: str | None = None
    picture_description_preset: str | None = None
    code_formula_preset: str | None = None
    vlm_pipeline_custom_config: Object | None = None
    picture_description_custom_config: Object | None = None
    code_formula_custom_config: Object | None = None
    table_structure_preset: str | None = None
    table_structure_custom_config: Object | None = None
    layout_custom_config: Object | None = None
    layout_preset: str | None = None
    picture_classification_preset: str | None = None
    picture_classification_custom_config: Object | None = None

    @model_validator(mode="after")
    def _check_pairs(self) -> ConvertOptions:
        for one, other in _EXCLUSIVE:
            if getattr(self, one) is not None and getattr(self, other) is not None:
                raise ValueError(f"{one} and {other} exclude each other")
        return self

    @property
    def engine(self) -> str:
        """The engine of OCR that is asked for, by the newer of two fields."""
        return self.ocr_engine if self.ocr_preset == "auto" else self.ocr_preset

    @property
    def chunker(self) -> AnyChunker:
        """The chunker of ``to_formats: ["chunks"]``."""
        if self.chunking_options is not None:
            return self.chunking_options
        tokenizer = PRESETS[self.chunking_preset or "default"]
        return HybridOptions(tokenizer=tokenizer) if tokenizer else HierarchicalOptions()

    @property
    def reading(self) -> dict[str, object]:
        """Options of the reader: pages, and which of them are recognised, by what."""
        if not self.do_ocr:
            return {"pages": self.pages, "ocr": "off"}
        return {
            "pages": self.pages,
            "ocr": "all" if self.force_ocr else None,
            "ocr_engine": ENGINES.get(self.engine),
            "ocr_languages": languages_of(self.ocr_lang or ()),
        }

    @property
    def pages(self) -> str | None:
        """The pages that are read, as readers take them; None: all."""
        first, last = self.page_range
        if last >= LAST_PAGE:
            return None if first == 1 else f"{first}-"
        return f"{first}-{last}"
