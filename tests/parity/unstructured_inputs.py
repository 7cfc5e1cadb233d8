"""Documents and options that hypothesis puts together for Unstructured's chunkers."""

from __future__ import annotations

import copy
import html
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st


@dataclass(frozen=True)
class Recipe:
    """An element to be made, of whichever classes."""

    kind: str
    text: str
    metadata: dict[str, Any] = field(default_factory=dict)
    originals: tuple[Recipe, ...] | None = None

    def made(self, module: Any, element_id: str) -> Any:
        """Make it of ``module``'s classes."""
        metadata = module.ElementMetadata()
        for name, value in self.metadata.items():
            setattr(metadata, name, _value(value, module))
        if self.originals is not None:
            found = [
                part.made(module, f"{element_id}.{i}") for i, part in enumerate(self.originals)
            ]
            metadata.orig_elements = found
        if self.kind == "CheckBox":
            return module.CheckBox(element_id=element_id, metadata=metadata, checked=True)
        return getattr(module, self.kind)(self.text, element_id=element_id, metadata=metadata)


def made(recipes: list[Recipe], module: Any) -> list[Any]:
    """Make a document."""
    return [recipe.made(module, f"e{i}") for i, recipe in enumerate(recipes)]


@dataclass(frozen=True)
class Source:
    """Stands for an object of `DataSourceMetadata`."""

    url: str


@dataclass(frozen=True)
class Place:
    """Stands for an object of `CoordinatesMetadata`."""

    system: str


def _value(value: Any, module: Any) -> Any:
    if isinstance(value, Source):
        return module.DataSourceMetadata(url=value.url, permissions_data=[{"a": 1}])
    if isinstance(value, Place):
        return module.CoordinatesMetadata.from_dict(
            {
                "points": [[1.23456, 2.34567], [0.1, 7]],
                "system": value.system,
                "layout_width": 10.5,
                "layout_height": 20,
            }
        )
    return copy.deepcopy(value)


# Texts.

_WORDS = [
    "a", "I", "is", "word", "words", "Sentence.", "hyphen-ated", "1,234.5", "naïve", "e\u0301",
    "漢字", "ещё", "🚀", "👨\u200d👩\u200d👧", "\ufeffx", "x\u200by", "<b>", "&amp;", "'quoted'",
    '"q"',
]  # fmt: skip
_SPACES = [
    " ", " ", " ", " ", " ", " ", "  ", "\n", "\n\n", "\t", "\r\n", "\x0b", "\x1c", "\x1f", "\x85",
    "\xa0", "\u1680", "\u2003", "\u2028", "\u202f", "\u3000", "", "          ",
]  # fmt: skip

_WORD = st.sampled_from(_WORDS)
_TOKENS = st.tuples(_WORD, st.sampled_from(_SPACES)).map("".join)
_PIECES = st.one_of(_TOKENS, st.sampled_from(_SPACES), st.text(max_size=3))

TEXTS = st.one_of(
    st.lists(_TOKENS, max_size=12).map("".join),
    st.lists(_PIECES, max_size=12).map("".join),
    st.lists(_WORD, max_size=40).map(" ".join),
    st.lists(_WORD, max_size=8).map("".join),
    st.sampled_from(["", " ", "\n", " \x1c", "\u200b"]),
)

# Words that limits in tokens seldom cut.
_SHORT_WORDS = ["a", "I", "is", "it", "word", "words", "tree", "naïve", "ещё", "1,2", "漢", "it's"]
WORDY_TEXTS = st.lists(
    st.tuples(st.sampled_from(_SHORT_WORDS), st.sampled_from(_SPACES[:-2])).map("".join),
    max_size=40,
).map("".join)

CODES = st.lists(
    st.sampled_from(["if x:", "    y = 1", "", "", "# é", "\t", "return f(x)  ", "}"]), max_size=9
).map("\n".join)

# Metadata.

_RECORDS: list[dict[str, str]] = [
    {"type": "t", "provider": "p", "model": "m"},
    {"model": "m", "type": "t", "provider": "p"},
    {"type": "t", "provider": "q", "model": "m"},
]
_FIELDS: list[tuple[str, Any]] = [
    ("page_number", 1), ("page_number", 1), ("page_number", 2), ("page_number", 2),
    ("page_number", 3), ("page_number", 0), ("filename", "a.pdf"), ("filename", "dir/sub/b.txt"),
    ("filename", "/abs/c.docx"), ("filename", "only/directory/"), ("file_directory", "dir"),
    ("file_directory", "other/"), ("filetype", "text/plain"), ("languages", ["eng"]),
    ("languages", ["deu", "eng"]), ("languages", ["eng", "eng", ""]), ("languages", []),
    ("link_texts", ["here", "there"]), ("link_texts", []), ("link_urls", ["https://x.org"]),
    ("link_start_indexes", [3]), ("links", [{"text": "t", "url": "u", "start_index": 1}]),
    ("emphasized_text_contents", ["bold", "bold"]), ("emphasized_text_tags", ["b", "i"]),
    ("category_depth", 1), ("parent_id", "e0"), ("coordinates", Place("PixelSpace")),
    ("coordinates", Place("RelativeCoordinateSystem")), ("data_source", Source("https://a")),
    ("data_source", Source("https://b")), ("detection_class_prob", 0.123456789),
    ("enrichment_origins", {"text": _RECORDS[:1]}), ("enrichment_origins", {"text": _RECORDS}),
    ("enrichment_origins", {"text_as_html": _RECORDS[2:], "text": []}),
    ("header_footer_type", "primary"), ("image_base64", "aGk="), ("image_path", "x.png"),
    ("image_mime_type", "image/png"), ("image_url", "https://i"), ("is_continuation", True),
    ("is_extracted", "true"), ("last_modified", "2024-01-01"), ("last_modified", "2025-01-01"),
    ("email_message_id", "<m>"), ("page_name", "Sheet 1"), ("routing", "fast"),
    ("routing_score", 0.5), ("sent_from", ["a@x"]), ("sent_to", ["b@x", "c@x"]),
    ("cc_recipient", ["d@x"]), ("bcc_recipient", ["e@x"]), ("signature", "yours"),
    ("subject", "hello"), ("attached_to_filename", "mail.eml"), ("text_as_html", " <p>one</p>\n"),
    ("text_as_html", ""), ("table_as_cells", {"0": "x"}), ("table_extraction_method", "grid"),
    ("table_id", "t"), ("chunk_index", 3), ("num_carried_over_header_rows", 1), ("url", "https://u"),
    ("segment_start_seconds", 0.5), ("segment_end_seconds", 1.5), ("custom", "kept on tables"),
    ("other_custom", {"a": [1, {"b": None}]}), ("tags", []),
]  # fmt: skip

METADATA = st.one_of(
    st.just({}),
    st.lists(st.sampled_from(_FIELDS), max_size=2).map(dict),
    st.lists(st.sampled_from(_FIELDS), max_size=12).map(dict),
)

# Tables.

_CELL_TEXTS = [
    "", "", " ", "a", "b1", "word", "two words", "Total", "1,234", "漢字", "<", "a & b", "'", '"',
    "line\nbreak", "a rather long cell that says a lot", "x" * 45, "many words " * 12, "\xa0",
    "\x1c",
]  # fmt: skip
_INSIDES = ["{}", "{}", "{}", "{}", "{}", "<b>{}</b>", "{}<br>{}", "<p>{}</p> tail", "<!-- c -->{}"]
_SPANS = ["", "", "", "", "", "", ' colspan="2"', ' rowspan="2"', ' rowspan="3"', ' rowspan="0"']
_ODD_SPANS = [
    ' colspan="2" rowspan="2"', ' rowspan="9"', ' colspan="0"', ' colspan="x"', ' rowspan=" 2 "',
    ' style="color:red"', ' rowspan="-1"', ' colspan="7"',
]  # fmt: skip
_SECTIONS = ["{}", "{}", "<tbody>{}</tbody>", "<thead>{}</thead>", "<tfoot>{}</tfoot>"]
_AROUND = [
    "<table>{}</table>", "<table>{}</table>", "<table>{}</table>",
    '<table border="1" class="dataframe">\n  {}\n</table>', "<div><table>{}</table></div>",
    "<table><caption>of this</caption>{}</table>", " <TABLE>{}</TABLE>\n",
]  # fmt: skip
_BROKEN = [
    "", "  ", "no table", "<p>no table</p>", "<table>{}", "text <table>{}</table>",
    "<table>{}</table> text", "<table>{}</table><table>{}</table>", "<table><tr><td>a<td>b",
    "<table></table>", "<table>{}<tr><td><table><tr><td>in</td></tr></table></td></tr></table>",
    "<table>loose{}</table>", "<table><tr>{}</tr></table>", "<table>{}</tabl",
    "<table>&bogus;{}</table>",
]  # fmt: skip


@st.composite
def _cells(draw: st.DrawFn, tag: str) -> tuple[str, str]:
    text = draw(st.sampled_from(_CELL_TEXTS))
    span = draw(st.sampled_from(_SPANS + _SPANS + _ODD_SPANS))
    inside = draw(st.sampled_from(_INSIDES)).replace("{}", html.escape(text))
    return f"<{tag}{span}>{inside}</{tag}>", text


@st.composite
def _rows(draw: st.DrawFn) -> tuple[str, str]:
    tags = draw(st.sampled_from(["td", "td", "td", "td", "th"]))
    cells = draw(st.lists(_cells(tags), min_size=0, max_size=5))
    space = draw(st.sampled_from(["", "", "\n    "]))
    return f"<tr>{space.join(cell for cell, _ in cells)}</tr>", " ".join(text for _, text in cells)


@st.composite
def _sections(draw: st.DrawFn) -> tuple[str, str]:
    rows = draw(st.lists(_rows(), min_size=1, max_size=5))
    around = draw(st.sampled_from(_SECTIONS))
    return around.format("".join(row for row, _ in rows)), " ".join(text for _, text in rows)


@st.composite
def tables(draw: st.DrawFn, kind: str = "Table") -> Recipe:
    """A table: with HTML that says what the text says, or something else, or with none."""
    metadata = draw(METADATA)
    sections = draw(st.lists(_sections(), min_size=1, max_size=3))
    around = draw(st.sampled_from(_AROUND * 3 + _BROKEN))
    source = around.replace("{}", "".join(section for section, _ in sections))
    text = draw(st.one_of(st.just(" ".join(said for _, said in sections)), TEXTS))
    if draw(st.integers(0, 7)):
        metadata = {**metadata, "text_as_html": source}
    return Recipe(kind, text, metadata)


# Documents.

_TEXT_KINDS = [
    "NarrativeText", "NarrativeText", "NarrativeText", "Text", "ListItem", "Title", "Title",
    "Header", "Footer", "Image", "FigureCaption", "Formula", "Address", "PageNumber", "Form",
    "DocumentData",
]  # fmt: skip
_BLANK = st.sampled_from([
    Recipe("PageBreak", ""), Recipe("CheckBox", ""), Recipe("Image", ""), Recipe("Image", " "),
    Recipe("PageBreak", "", {"page_number": 2}), Recipe("Image", "", {"page_number": 5}),
    Recipe("Image", "", {"languages": ["eng"], "text_as_html": " ", "link_urls": ["u"]}),
])  # fmt: skip


def text_elements(texts: st.SearchStrategy[str] = TEXTS) -> st.SearchStrategy[Recipe]:
    """Elements with text."""
    return st.builds(Recipe, st.sampled_from(_TEXT_KINDS), texts, METADATA)


@st.composite
def _chunks(draw: st.DrawFn) -> Recipe:
    """A chunk, which is chunked again."""
    originals = tuple(draw(st.lists(text_elements(), min_size=1, max_size=2)))
    kind = draw(st.sampled_from(["CompositeElement", "CompositeElement", "TableChunk", "Table"]))
    if kind == "CompositeElement":
        return Recipe(kind, draw(TEXTS), draw(METADATA), originals)
    table = draw(tables(kind))
    return Recipe(kind, table.text, table.metadata, originals)


CODE = st.builds(Recipe, st.just("CodeSnippet"), CODES, METADATA)

DOCUMENTS = st.lists(st.one_of(text_elements(), text_elements(), CODE, _BLANK), max_size=14)
MIXED = st.lists(
    st.one_of(text_elements(), text_elements(), CODE, _BLANK, tables(), _chunks()), max_size=8
)
TABLES = st.lists(tables(), min_size=1, max_size=2)
WORDY = st.lists(
    st.one_of(text_elements(WORDY_TEXTS), text_elements(WORDY_TEXTS), _BLANK), max_size=8
)

# Options.

_BASIC = {
    "include_orig_elements": [None, True, False],
    "overlap_all": [None, False, True, True],
    "repeat_table_headers": [None, True, False],
    "skip_table_chunking": [None, None, None, False, True],
    "isolate_table": [None, None, True, False],
}
_BY_TITLE = {"multipage_sections": [None, True, False, False]}
_LIMITS = [1, 2, 5, 8, 10, 13, 20, 30, 40, 49, 50, 51, 60, 75, 100, 120, 150, 250, 500, None]


def _choices(draw: st.DrawFn, by_title: bool) -> dict[str, Any]:
    pools = {**_BASIC, **(_BY_TITLE if by_title else {})}
    chosen = {name: draw(st.sampled_from(pool)) for name, pool in pools.items()}
    if chosen["skip_table_chunking"]:
        chosen["isolate_table"] = True
    return {name: value for name, value in chosen.items() if value is not None}


@st.composite
def char_options(draw: st.DrawFn, by_title: bool, limits: list[Any] = _LIMITS) -> dict[str, Any]:
    """Options in code points."""
    chosen = _choices(draw, by_title)
    limit = draw(st.sampled_from(limits))
    if limit is not None:
        chosen["max_characters"] = limit
    limit = limit or 500
    for name, most in (
        ("new_after_n_chars", limit + 5),
        ("overlap", limit - 1),
        *([("combine_text_under_n_chars", limit)] if by_title else []),
    ):
        if draw(st.booleans()):
            value = draw(st.integers(0, most))
            chosen[name] = value // draw(st.sampled_from([1, 1, 4, 10]))
    return chosen


@st.composite
def token_options(draw: st.DrawFn, by_title: bool, least: int = 1) -> dict[str, Any]:
    """Options in tokens."""
    chosen = _choices(draw, by_title)
    limit = draw(st.sampled_from([n for n in (1, 3, 8, 12, 14, 15, 16, 20, 40, 90) if n >= least]))
    chosen["max_tokens"] = limit
    chosen["tokenizer"] = draw(st.sampled_from(["cl100k_base", "o200k_base", "gpt-4o"]))
    if draw(st.booleans()):
        chosen["new_after_n_tokens"] = draw(st.integers(0, limit + 3))
    if by_title and draw(st.booleans()):
        chosen["combine_text_under_n_chars"] = draw(st.integers(0, limit))
    if draw(st.booleans()):
        chosen["overlap"] = draw(st.integers(0, limit - 1))
    return chosen
