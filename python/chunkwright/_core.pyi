# The compiled core: every public name of chunkwright stands on it, and none of these is public.

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias, final

from typing_extensions import Buffer

__all__ = [
    "ArrowBatch",
    "ArrowPlan",
    "ArrowStream",
    "Bm25",
    "Boundaries",
    "Column",
    "Columns",
    "Cutter",
    "DoclingChunks",
    "DoclingDocument",
    "DoclingItems",
    "ElementClasses",
    "ElementKinds",
    "Elements",
    "Embedder",
    "Excerpts",
    "FloatColumn",
    "HeadingPaths",
    "LangChainLengths",
    "LangChainPlan",
    "Limits",
    "Matrix",
    "Neighbours",
    "Places",
    "Separators",
    "Stop",
    "TableGrid",
    "TokenIndex",
    "Tokenizer",
    "Unit",
    "UnstructuredChunks",
    "UnstructuredCutter",
    "UnstructuredElements",
    "__version__",
    "all_occurrences",
    "available_workers",
    "breakpoint_threshold",
    "check_signals",
    "checked_size",
    "cluster_ends",
    "cosines",
    "docling_elements",
    "docling_hybrid",
    "docling_lines",
    "export_array",
    "export_schema",
    "export_stream",
    "first_occurrences",
    "fuse_ranks",
    "fuse_scores",
    "has_yaml_places",
    "json_pointers",
    "langchain_windows",
    "longest",
    "looks_like",
    "native_dicts",
    "neighbour_distances",
    "next_occurrences",
    "reconstruct_table",
    "row_columns",
    "semchunk",
    "semchunk_v3",
    "sentence_ends",
    "sentence_languages",
    "smooth_scores",
    "smooth_vectors",
    "split_markdown",
    "split_rows",
    "split_table",
    "top_k",
]

__version__: str

@final
class Column(Buffer):
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class FloatColumn(Buffer):
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Columns:
    @staticmethod
    def restore(
        sources: Sequence[str | Elements],
        row_ends: list[int],
        pieces: list[list[tuple[int, int, int]]],
        sizes: list[int],
        oversize: list[int],
        boundaries: tuple[list[int], list[float], bytes, list[int], list[int], list[float]]
        | None = None,
        origins: list[tuple[int, int, int, int, int]] | None = None,
        htmls: list[tuple[int, str]] | None = None,
    ) -> Columns: ...
    def expanded(self, rows: list[int], unit: Unit, scope: str, most: int | None) -> Columns: ...
    # For each chunk its pieces: role, start and end in bytes.
    def piece_rows(self) -> list[list[tuple[int, int, int]]]: ...
    # Content, first element, one past the last, part, rows of the header.
    def origins(self) -> list[tuple[int, int, int, int, int]]: ...
    def htmls(self) -> list[tuple[int, str]]: ...
    def html(self, row: int) -> str | None: ...
    def contents(self) -> Column: ...
    def first_elements(self) -> Column: ...
    def end_elements(self) -> Column: ...
    def parts(self) -> Column: ...
    def n_header_rows(self) -> Column: ...
    def oversize(self) -> list[int]: ...
    def __len__(self) -> int: ...
    def sources(self) -> list[str]: ...
    def row_ends(self) -> list[int]: ...
    def doc_index(self) -> Column: ...
    @property
    def starts(self) -> Column: ...
    @property
    def ends(self) -> Column: ...
    def byte_starts(self) -> Column: ...
    def byte_ends(self) -> Column: ...
    def sizes(self) -> Column: ...
    def lines(self) -> tuple[Column, Column]: ...
    def source_places(self) -> list[Column]: ...
    def text(self, row: int) -> str: ...
    def texts(self) -> list[str]: ...
    def pieces(self, row: int) -> list[tuple[int, int, int]]: ...
    def ids(self, names: list[str]) -> list[str]: ...
    def boundaries(self) -> Boundaries: ...
    def endings(self) -> tuple[FloatColumn, list[Literal["score", "limit", "end"]], Column]: ...

@final
class Boundaries:
    def __len__(self) -> int: ...
    def positions(self) -> Column: ...
    def byte_positions(self) -> Column: ...
    def scores(self) -> FloatColumn: ...
    def verdicts(self) -> Column: ...
    def n_places(self) -> Column: ...
    def text_ends(self) -> list[int]: ...
    def thresholds(self) -> list[float]: ...
    # Positions in bytes, scores, verdicts, numbers of places; for each text: one past its last
    # boundary, threshold.
    def parts(self) -> tuple[list[int], list[float], bytes, list[int], list[int], list[float]]: ...

@final
class Unit:
    @staticmethod
    def named(name: str) -> Unit: ...
    @staticmethod
    def counter(count: Callable[[str], int]) -> Unit: ...

@final
class Limits:
    def __new__(
        cls,
        hard_max: int,
        soft_max: int | None,
        overlap: int,
        overlap_at: str,
        language: str,
        min_size: int = 0,
    ) -> Limits: ...

@final
class Separators:
    def __new__(cls, separators: Sequence[tuple[str, bool, str]]) -> Separators: ...

@final
class Cutter:
    @property
    def calls_back(self) -> bool: ...
    @staticmethod
    def recursive(
        unit: Unit,
        limits: Limits,
        separators: Separators,
        markup: str,
        repeat_headers: bool,
        markdown: Separators | None,
    ) -> Cutter: ...
    @staticmethod
    def sentence(
        unit: Unit, limits: Limits, language: str, sentences: int | None, window: int
    ) -> Cutter: ...
    @staticmethod
    def balanced(unit: Unit, limits: Limits, language: str, repeat_headers: bool) -> Cutter: ...
    @staticmethod
    def json(unit: Unit, limits: Limits) -> Cutter: ...
    @staticmethod
    def yaml(unit: Unit, limits: Limits) -> Cutter: ...
    @staticmethod
    def by_kind(
        unit: Unit,
        limits: Limits,
        *,
        elements: Cutter,
        json: Cutter,
        told: Sequence[Cutter],
        text: Cutter,
    ) -> Cutter: ...
    @staticmethod
    def window(unit: Unit, limits: Limits) -> Cutter: ...
    @staticmethod
    def line_based(
        unit: Unit, limits: Limits, *, header_lines: int, omit_header_on_overflow: bool
    ) -> Cutter: ...
    @staticmethod
    def kamradt(
        unit: Unit,
        limits: Limits,
        embedder: Embedder,
        language: str,
        *,
        window: int,
        threshold: str,
        amount: float,
        min_size: int,
    ) -> Cutter: ...
    @staticmethod
    def kamradt_modified(
        unit: Unit,
        limits: Limits,
        embedder: Embedder,
        language: str,
        *,
        piece_max: int,
        window: int,
        target: str,
        size: int,
    ) -> Cutter: ...
    @staticmethod
    def cluster(
        unit: Unit,
        limits: Limits,
        embedder: Embedder,
        language: str,
        *,
        piece_max: int,
        mean: str,
        parity: int | None,
    ) -> Cutter: ...
    @staticmethod
    def discontinuity(
        unit: Unit, limits: Limits, embedder: Embedder, language: str, *, window: int
    ) -> Cutter: ...
    @staticmethod
    def given(
        unit: Unit,
        limits: Limits,
        # Of texts, each a list of the texts of its pieces: for each the numbers of those that begin
        # a chunk, or why nobody knows.
        asked: Callable[[list[list[str]]], Iterable[Sequence[int] | Exception]],
        language: str,
        *,
        piece_max: int,
        sentence_max: int,
    ) -> Cutter: ...
    @staticmethod
    def elements(
        unit: Unit,
        limits: Limits,
        *,
        starts: str,
        multipage: bool = True,
        embedder: Embedder | None = None,
        threshold: float = 0.0,
        overlap_all: bool,
        combine_under: int = 0,
        isolate_tables: bool,
        skip_tables: bool,
        repeat_headers: bool,
    ) -> Cutter: ...
    @staticmethod
    def hierarchical(
        unit: Unit,
        limits: Limits,
        *,
        merge_peers: bool,
        merge_list_items: bool,
        repeat_headings: bool,
        always_emit_headings: bool,
        repeat_headers: bool,
        omit_header_on_overflow: bool,
    ) -> Cutter: ...
    def cut(self, source: str | Elements | tuple[str, int]) -> Columns: ...
    def cut_all(
        self, sources: Sequence[str | Elements | tuple[str, int]], workers: int, collects: bool
    ) -> tuple[Columns, list[tuple[int, Exception]]]: ...
    def cut_each(
        self, sources: Sequence[str | Elements | tuple[str, int]], workers: int, collects: bool
    ) -> list[Columns | Exception]: ...

@final
class Tokenizer:
    @staticmethod
    def names() -> list[str]: ...
    @staticmethod
    def named(name: str) -> Tokenizer: ...
    @staticmethod
    def from_ranks(
        name: str, pattern: str, tokens: list[bytes], ranks: list[int]
    ) -> Tokenizer | None: ...
    @staticmethod
    def from_json(name: str, json: str) -> Tokenizer | None: ...
    @staticmethod
    def foreign(name: str, json: str) -> tuple[int, bool] | None: ...
    def with_special_tokens(self) -> Tokenizer: ...
    @property
    def kind(self) -> Literal["plain", "bpe", "wordpiece", "unigram"]: ...
    @property
    def pattern(self) -> str | None: ...
    @property
    def max_id(self) -> int: ...
    @property
    def max_token_bytes(self) -> int | None: ...
    def unit(self) -> Unit: ...
    def count(self, text: str) -> int: ...
    def encode(self, text: str) -> list[int]: ...
    def decode(self, ids: list[int]) -> bytes: ...
    def index(self, text: str) -> TokenIndex: ...

@final
class TokenIndex:
    @property
    def text(self) -> str: ...
    def count(self, start: int, end: int) -> int: ...
    def longest(self, start: int, max_tokens: int) -> int: ...

# Vectors of texts.

@final
class Matrix(Buffer):
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Bm25:
    def __new__(
        cls, texts: list[str], *, k1: float, b: float, subwords: str | None = None
    ) -> Bm25: ...
    @property
    def n_texts(self) -> int: ...
    @property
    def n_terms(self) -> int: ...
    def bounds(self, queries: list[str]) -> FloatColumn: ...
    def scores(
        self, queries: list[str], neighbours: Neighbours | None = None, weight: float = 0.0
    ) -> Matrix: ...
    def top(self, queries: list[str], k: int) -> tuple[Column, Column, FloatColumn]: ...

@final
class Embedder:
    @staticmethod
    def lexical(dimensions: int) -> Embedder: ...
    @staticmethod
    def static(
        tokenizer: Tokenizer | Callable[[str], list[int]],
        vectors: Buffer,
        *,
        weights: Sequence[float] | None,
        mapping: Sequence[int] | None,
        unknown: int | None,
        max_tokens: int | None,
        normalize: bool,
        max_chars: int | None = None,
    ) -> Embedder: ...
    @staticmethod
    def called(embed: Callable[[list[str]], Buffer], *, concurrent: bool = False) -> Embedder: ...
    def embed(self, texts: Sequence[str]) -> Matrix: ...

def has_yaml_places(text: str) -> bool: ...
def json_pointers(text: str, places: Sequence[int]) -> list[str]: ...
def sentence_ends(text: str, language: str) -> list[int]: ...
def sentence_languages() -> list[str]: ...
def longest(text: str, unit: Unit, start: int, most: int) -> int: ...
def check_signals() -> None: ...
def checked_size(counted: object, n_chars: int) -> int: ...

@final
class ArrowPlan:
    def __new__(
        cls,
        cutter: Cutter,
        text: str,
        name: str | None,
        id: str | None,  # noqa: A002 - the name in the core
        sizes: bool,
        workers: int,
        errors: bool,
        kind: str | None,
        # Of a kind, if it is named, a text, and the number of its row.
        reader: Callable[[str | None, str, int], Elements | str],
        metadata: dict[str, str],
    ) -> ArrowPlan: ...
    def batch(self, source: object) -> ArrowBatch: ...
    def stream(self, source: object) -> ArrowStream: ...

@final
class ArrowBatch:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class ArrowStream:
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def available_workers() -> int: ...
def neighbour_distances(vectors: Buffer) -> list[float]: ...
def breakpoint_threshold(
    distances: list[float], kind: str, amount: float
) -> tuple[float, list[float]]: ...
def cluster_ends(vectors: Buffer, max_pieces: int) -> list[int]: ...

# Steps of retrieval: vectors by chunks, scores by questions and chunks, of float32 or float64;
# scales of float64.

@final
class Neighbours:
    # Documents and sizes of chunks, int64.
    def __new__(cls, doc_ids: Buffer, n_tokens: Buffer, reach: float) -> Neighbours: ...
    def __len__(self) -> int: ...

def cosines(vectors: Buffer, queries: Buffer) -> Matrix: ...
def smooth_vectors(vectors: Buffer, neighbours: Neighbours, weight: float) -> Matrix: ...
def smooth_scores(scores: Buffer, neighbours: Neighbours, weight: float) -> Matrix: ...
def fuse_scores(a: Buffer, b: Buffer, weight: float, scales: Buffer | None = None) -> Matrix: ...
def fuse_ranks(matrices: Sequence[Buffer], k: float) -> Matrix: ...
def top_k(
    scores: Buffer, k: int, groups: Buffer | None = None
) -> tuple[Column, Column, FloatColumn]: ...

# Whether a text looks like "elements", "html" or "markdown".
def looks_like(kind: str, text: str) -> bool: ...

# Names of columns: of every row, of those of elements, of those by meaning.
def row_columns() -> list[list[str]]: ...

# Name, kind (str, str?, int, float, bool, strs, ints, int?) and values of each column.
def export_schema(columns: Sequence[tuple[str, str, Any]], metadata: dict[str, str]) -> object: ...
def export_array(
    columns: Sequence[tuple[str, str, Any]], metadata: dict[str, str]
) -> tuple[object, object]: ...
def export_stream(columns: Sequence[tuple[str, str, Any]], metadata: dict[str, str]) -> object: ...

# LangChain's splitters.

@final
class LangChainPlan:
    def __new__(
        cls, separators: Sequence[tuple[object, str]], keep: str, recursive: bool
    ) -> LangChainPlan: ...
    def split(
        self, source: str, lengths: LangChainLengths, starts: bool
    ) -> tuple[list[str], list[int] | None]: ...
    def merge(self, source: str, n_chars: list[int], lengths: LangChainLengths) -> list[str]: ...

@final
class LangChainLengths:
    def __new__(
        cls,
        chunk_size: float,
        chunk_overlap: float,
        strip: bool,
        unit: Tokenizer | Literal[True] | None,
        function: Callable[[str], Any],
        warn: Callable[[float], object],
    ) -> LangChainLengths: ...

def langchain_windows(
    source: str, tokenizer: Tokenizer, size: int, overlap: int
) -> tuple[list[str], list[int] | None]: ...

# semchunk's chunks, and their starts and ends in code points; sizes are those of `unit` where it is
# native, else what `count` returns.

def semchunk(
    text: str,
    limit: float,
    count: Callable[[str], Any],
    unit: Unit | None = None,
    prefix: tuple[int, int] | None = None,
) -> tuple[list[str], list[tuple[int, int]]]: ...
def semchunk_v3(
    text: str, unit: Unit, size: int, max_token_chars: int | None = None
) -> list[str]: ...

# Elements of documents.

@final
class Stop:
    def __new__(cls) -> Stop: ...
    def obey(self) -> None: ...
    def set(self) -> None: ...

@final
class ElementKinds:
    def __new__(cls, title: type, table: type, code: type) -> ElementKinds: ...

@final
class ElementClasses:
    def __new__(
        cls, composite: type, table: type, table_chunk: type, metadata: type
    ) -> ElementClasses: ...

# A chunk of Docling's: text, items, which of them are bare, headings, whether it has an origin, and
# how its metadata was made.
_HybridChunk: TypeAlias = tuple[str, list[int], list[bool], list[str] | None, bool, str]

def docling_elements(document: DoclingDocument) -> tuple[Elements, DoclingItems]: ...
def docling_hybrid(
    unit: Unit,
    items: object,
    sections: list[tuple[str, list[int], list[str] | None, bool]],
    max_tokens: int,
    repeat_table_header: bool,
    merge_peers: bool,
    omit_header_on_overflow: bool,
    max_token_chars: int | None,
) -> tuple[list[_HybridChunk], list[tuple[Any, ...]]]: ...
def docling_lines(
    unit: Unit, lines: list[str], max_tokens: int, prefix: str, omit_prefix_on_overflow: bool
) -> tuple[list[str], list[tuple[str, int, int]]]: ...

@final
class DoclingChunks:
    def __len__(self) -> int: ...
    def texts(self) -> list[str]: ...
    def references(self) -> list[list[str]]: ...
    def headings(self) -> list[list[str] | None]: ...
    def bare(self) -> list[list[bool]]: ...
    def with_origin(self) -> list[bool]: ...
    def made(self) -> list[str]: ...
    def bare_json(self) -> str: ...

@final
class DoclingDocument:
    @staticmethod
    def of_json(source: str | bytes) -> DoclingDocument: ...
    @staticmethod
    def of_live(json: str | bytes) -> DoclingDocument: ...
    @property
    def name(self) -> str: ...
    def hierarchical(
        self, *, tables: str = "triplets", always_emit_headings: bool = False
    ) -> DoclingChunks: ...
    def pages(self, *, tables: str = "triplets") -> DoclingChunks: ...
    def hybrid(
        self,
        unit: Unit,
        *,
        tables: str,
        always_emit_headings: bool,
        max_tokens: int,
        repeat_table_header: bool,
        merge_peers: bool,
        omit_header_on_overflow: bool,
        max_token_chars: int | None,
    ) -> tuple[DoclingChunks, list[tuple[Any, ...]]]: ...
    def lines(
        self,
        unit: Unit,
        *,
        tables: str,
        max_tokens: int,
        prefix: str,
        omit_prefix_on_overflow: bool,
    ) -> tuple[list[str], list[str], list[tuple[str, int, int]]]: ...
    def items_json(self, references: list[str]) -> str: ...
    def origin_json(self) -> str | None: ...
    def item(self, reference: str, *, tables: str = "triplets") -> str: ...

@final
class DoclingItems:
    def references(self) -> list[str]: ...
    def boxes(self, index: int) -> list[tuple[int, list[float], list[float] | None]]: ...

@final
class Elements:
    @staticmethod
    def of_objects(
        items: Iterable[object],
        kinds: ElementKinds,
        recover: Callable[[str], str | None] | None = None,
    ) -> Elements: ...
    @staticmethod
    def of_dicts(
        items: Iterable[object], recover: Callable[[str], str | None] | None = None
    ) -> Elements: ...
    @staticmethod
    def of_spans(
        text: str,
        kinds: list[str],
        starts: list[int],
        ends: list[int],
        pages: list[int | None] | None = None,
    ) -> Elements: ...
    @staticmethod
    def of_html(source: str, drop: list[str]) -> tuple[Elements, str]: ...
    @staticmethod
    def of_markdown(text: str) -> Elements: ...
    @staticmethod
    def of_rows(
        rows: Iterable[tuple[list[str], int, int]], n_header_rows: int, source: str
    ) -> Elements: ...
    def nested(self, levels: list[int], parents: list[int]) -> Elements: ...
    def heading_paths(self, levels: list[int], parents: list[int]) -> HeadingPaths: ...
    @property
    def text(self) -> str: ...
    def __len__(self) -> int: ...
    @property
    def n_chars(self) -> int: ...
    def starts(self) -> Column: ...
    def ends(self) -> Column: ...
    def kinds(self) -> list[str]: ...
    def titles(self) -> dict[int, str]: ...
    def languages(self) -> dict[int, str]: ...
    def links(self) -> list[tuple[int, int, str, bool]]: ...
    def row_starts(self, index: int) -> list[int] | None: ...
    def levels(self) -> list[int | None]: ...
    def parents(self) -> list[int | None]: ...
    def places(self) -> list[Column] | None: ...
    def pages(self) -> list[int | None]: ...
    def several_pages(self) -> dict[int, list[int]]: ...
    def with_originals(self) -> list[int]: ...

@final
class HeadingPaths:
    def above(self, element: int) -> list[int]: ...
    def section(self, first: int, end: int) -> list[int]: ...

@final
class UnstructuredElements:
    @staticmethod
    def of_objects(
        items: Iterable[object],
        kinds: ElementKinds,
        recover: Callable[[str], str | None] | None = None,
    ) -> UnstructuredElements: ...
    @staticmethod
    def of_dicts(
        items: Iterable[object], recover: Callable[[str], str | None] | None = None
    ) -> UnstructuredElements: ...
    def __len__(self) -> int: ...
    def unread(self) -> list[int]: ...

@final
class UnstructuredCutter:
    def __new__(
        cls,
        unit: Unit,
        *,
        hard_max: int,
        soft_max: int,
        overlap: int,
        overlap_all: bool,
        combine_under: int,
        isolate_tables: bool,
        skip_tables: bool,
        repeat_headers: bool,
    ) -> UnstructuredCutter: ...
    def basic(self, elements: UnstructuredElements) -> UnstructuredChunks: ...
    def by_title(self, elements: UnstructuredElements, multipage: bool) -> UnstructuredChunks: ...
    def by_page(self, elements: UnstructuredElements) -> UnstructuredChunks: ...
    def by_similarity(
        self, elements: UnstructuredElements, embedder: Embedder, threshold: float
    ) -> UnstructuredChunks: ...

@final
class UnstructuredChunks:
    def __len__(self) -> int: ...
    def elements(self) -> UnstructuredElements: ...
    def kinds(self) -> Column: ...
    def first(self) -> Column: ...
    def parts(self) -> Column: ...
    def objects(self, classes: ElementClasses, *, originals: bool) -> list[Any]: ...
    def dicts(self, ids: list[str], *, originals: bool) -> list[dict[str, Any]]: ...

@final
class TableGrid:
    @staticmethod
    def of_html(
        html: str, recover: Callable[[str], str | None] | None = None
    ) -> TableGrid | None: ...
    @property
    def html(self) -> str: ...
    def header_row(self, i: int, max_rowspan: int) -> str | None: ...
    # Compact HTML, source, whether a header, section, cells (text, HTML, columns, rows) of each.
    def rows(self) -> list[tuple[str, str, bool, int, list[tuple[str, str, int, int | None]]]]: ...

def native_dicts(
    columns: Columns,
    doc: int,
    items: Iterable[object],
    kinds: ElementKinds | None,
    ids: list[str],
    *,
    originals: bool,
) -> list[dict[str, Any]]: ...
def reconstruct_table(
    parts: list[tuple[str, str | None, int]], recover: Callable[[str], str | None] | None = None
) -> tuple[str, str | None]: ...
def split_table(
    html: str,
    unit: Unit,
    *,
    hard_max: int,
    text: str | None = None,
    prefix: str | None = None,
    overlap: int = 0,
    repeat_headers: bool = True,
    recover: Callable[[str], str | None] | None = None,
) -> tuple[bool, list[tuple[str, str | None, int]]]: ...
def split_markdown(
    markdown: str, unit: Unit, *, hard_max: int, repeat_headers: bool = True
) -> list[tuple[str, int, int, int, bool]]: ...
def split_rows(
    rows: list[list[str]],
    n_header_rows: int,
    unit: Unit,
    *,
    hard_max: int,
    repeat_headers: bool = True,
) -> list[tuple[list[list[str]], int, int, int, bool]]: ...

@final
class Places:
    # Chunks at corpus -1 stand nowhere.
    def __new__(cls, corpora: Buffer, starts: Buffer, ends: Buffer) -> Places: ...
    def __len__(self) -> int: ...

@final
class Excerpts:
    def __new__(
        cls,
        corpora: Buffer,
        offsets: Buffer,
        starts: Buffer,
        ends: Buffer,
        occurrence_offsets: Buffer | None = None,
        occurrence_starts: Buffer | None = None,
    ) -> Excerpts: ...
    def __len__(self) -> int: ...
    # Recall, precision and intersection over union of each question.
    def score(
        self, places: Places, hit_offsets: Buffer, hits: Buffer
    ) -> tuple[FloatColumn, FloatColumn, FloatColumn]: ...
    # Precision omega of each question, and how many chunks hold an excerpt of it.
    def omega(self, places: Places) -> tuple[FloatColumn, Column]: ...

# In code points; -1 for a needle that stands nowhere, as an empty one does.
def first_occurrences(text: str, needles: list[str]) -> Column: ...
def next_occurrences(text: str, needles: list[str]) -> Column: ...
def all_occurrences(text: str, needle: str) -> Column: ...
