//! Row schema of chunks: the names of all columns, whoever writes rows of chunks.

/// Id derived from what the chunk says, 32 hexadecimal digits.
pub const CHUNK_ID: &str = "chunk_id";
/// Name of the document.
pub const DOCUMENT: &str = "document";
/// Number of the document, from 0.
pub const DOC_INDEX: &str = "doc_index";
/// Number of the chunk in its document, from 0.
pub const INDEX: &str = "index";
/// Text, repeated parts included.
pub const TEXT: &str = "text";
/// Start in the document's text, in code points.
pub const START: &str = "start";
/// End in the document's text, in code points.
pub const END: &str = "end";
/// Start in UTF-8 bytes.
pub const BYTE_START: &str = "byte_start";
/// End in UTF-8 bytes.
pub const BYTE_END: &str = "byte_end";
/// Line, from 1, on which it starts.
pub const LINE_START: &str = "line_start";
/// Line, from 1, on which it ends.
pub const LINE_END: &str = "line_end";
/// Start in what was read, in code points.
pub const SOURCE_START: &str = "source_start";
/// End in what was read, in code points.
pub const SOURCE_END: &str = "source_end";
/// Line of what was read, from 1, on which it starts.
pub const SOURCE_LINE_START: &str = "source_line_start";
/// Line of what was read, from 1, on which it ends.
pub const SOURCE_LINE_END: &str = "source_line_end";
/// Tokens of the text.
pub const N_TOKENS: &str = "n_tokens";
/// Whether it is over the limit.
pub const OVERSIZE: &str = "oversize";
/// What it is: a text or a table.
pub const KIND: &str = "kind";
/// Number among the chunks that its elements were split into.
pub const PART: &str = "part";
/// First element.
pub const FIRST_ELEMENT: &str = "first_element";
/// Last element.
pub const LAST_ELEMENT: &str = "last_element";
/// HTML of a table or of rows of one.
pub const HTML: &str = "html";
/// Pages that its elements are on.
pub const PAGES: &str = "pages";
/// Headings of the section that it is from, its own included.
pub const HEADINGS: &str = "headings";
/// Headings above its first element.
pub const HEADINGS_ABOVE: &str = "headings_above";
/// Distance of what meets at its end.
pub const SCORE: &str = "score";
/// Why it ends where it does.
pub const REASON: &str = "reason";
/// What a score had to exceed in its document.
pub const THRESHOLD: &str = "threshold";
/// Why a document has no chunks, where errors are collected.
pub const ERROR: &str = "error";

/// Columns of every row, in order.
pub const BASE: [&str; 17] = [
    CHUNK_ID,
    DOCUMENT,
    DOC_INDEX,
    INDEX,
    TEXT,
    START,
    END,
    BYTE_START,
    BYTE_END,
    LINE_START,
    LINE_END,
    SOURCE_START,
    SOURCE_END,
    SOURCE_LINE_START,
    SOURCE_LINE_END,
    N_TOKENS,
    OVERSIZE,
];

/// Columns of where chunks stand in what was read; null where that is not known.
pub const OF_SOURCE: [&str; 4] = [SOURCE_START, SOURCE_END, SOURCE_LINE_START, SOURCE_LINE_END];

/// Columns of chunks of documents with elements, behind those of [`BASE`].
pub const OF_ELEMENTS: [&str; 8] =
    [KIND, PART, FIRST_ELEMENT, LAST_ELEMENT, HTML, PAGES, HEADINGS, HEADINGS_ABOVE];

/// Columns of chunks that end where their meaning does, behind the others.
pub const OF_MEANING: [&str; 3] = [SCORE, REASON, THRESHOLD];
