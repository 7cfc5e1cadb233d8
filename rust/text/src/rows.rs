//! Row schema of chunks: names, types and order of all columns, for every writer of rows.

/// Type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Texts in UTF-8.
    String,
    /// Integers of 64 bits.
    Integer,
    /// Floating-point numbers of 64 bits.
    Float,
    /// True or false.
    Boolean,
    /// Lists of integers.
    Integers,
    /// Lists of texts.
    Strings,
    /// Lists of rectangles on pages, each of [`BOX_FIELDS`].
    Boxes,
}

/// Column of rows of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, the same in tables, JSON lines and Arrow.
    pub name: &'static str,
    /// The type of its values.
    pub values: Type,
    /// Whether a chunk may have no value; all may be null in the row of a document that could not be cut.
    pub is_nullable: bool,
}

/// A column that every chunk has a value in.
const fn known(name: &'static str, values: Type) -> Column {
    Column { name, values, is_nullable: false }
}

/// A column that a chunk may have no value in.
const fn nullable(name: &'static str, values: Type) -> Column {
    Column { name, values, is_nullable: true }
}

/// Id derived from the text, 32 hexadecimal digits.
pub const CHUNK_ID: Column = known("chunk_id", Type::String);
/// Name of the document.
pub const DOCUMENT: Column = nullable("document", Type::String);
/// Id of the document: the caller's, else derived from its text.
pub const DOCUMENT_ID: Column = known("document_id", Type::String);
/// Number of the document, from 0, among those that were cut together.
pub const DOC_INDEX: Column = known("doc_index", Type::Integer);
/// Number of the chunk in its document, from 0.
pub const INDEX: Column = known("index", Type::Integer);
/// Text, repeated parts included.
pub const TEXT: Column = known("text", Type::String);
/// Start in the document's text, in code points.
pub const START: Column = known("start", Type::Integer);
/// End in the document's text, in code points.
pub const END: Column = known("end", Type::Integer);
/// Start in UTF-8 bytes.
pub const BYTE_START: Column = known("byte_start", Type::Integer);
/// End in UTF-8 bytes.
pub const BYTE_END: Column = known("byte_end", Type::Integer);
/// Line, from 1, on which it starts.
pub const LINE_START: Column = known("line_start", Type::Integer);
/// Line, from 1, on which it ends.
pub const LINE_END: Column = known("line_end", Type::Integer);
/// Start in the source that was read, in code points.
pub const SOURCE_START: Column = nullable("source_start", Type::Integer);
/// End in the source that was read, in code points.
pub const SOURCE_END: Column = nullable("source_end", Type::Integer);
/// Line of the source, from 1, on which it starts.
pub const SOURCE_LINE_START: Column = nullable("source_line_start", Type::Integer);
/// Line of the source, from 1, on which it ends.
pub const SOURCE_LINE_END: Column = nullable("source_line_end", Type::Integer);
/// Tokens of the text.
pub const N_TOKENS: Column = known("n_tokens", Type::Integer);
/// Whether it is over the limit.
pub const OVERSIZE: Column = known("oversize", Type::Boolean);

/// Kind of its elements, see [`Kind`](crate::elements::Kind).
pub const KIND: Column = known("kind", Type::String);
/// Number among the chunks that its elements were split into.
pub const PART: Column = known("part", Type::Integer);
/// First element.
pub const FIRST_ELEMENT: Column = nullable("first_element", Type::Integer);
/// Last element.
pub const LAST_ELEMENT: Column = nullable("last_element", Type::Integer);
/// HTML of a table or of rows of one.
pub const HTML: Column = nullable("html", Type::String);
/// Pages that its elements are on.
pub const PAGES: Column = known("pages", Type::Integers);
/// Boxes of its elements, one an element and page, in reading order; none if no element has one.
pub const BOXES: Column = nullable("boxes", Type::Boxes);
/// How sure the source is of its elements, from 0 to 1: the least of those that it states; none if it states none.
pub const CONFIDENCE: Column = nullable("confidence", Type::Float);
/// Headings of the section that it is from, its own included.
pub const HEADINGS: Column = known("headings", Type::Strings);
/// Headings above its first element.
pub const HEADINGS_ABOVE: Column = known("headings_above", Type::Strings);

/// Speaker of its turns, if they have one.
pub const SPEAKER: Column = nullable("speaker", Type::String);
/// All speakers of its turns, in the order in which each speaks first.
pub const SPEAKERS: Column = known("speakers", Type::Strings);
/// When what it holds of its turns begins, in seconds.
pub const TIME_START: Column = nullable("time_start", Type::Float);
/// When it ends, in seconds.
pub const TIME_END: Column = nullable("time_end", Type::Float);

/// Names of the definitions that a chunk of source code is in, from the outermost to the innermost, joined by dots.
pub const SCOPE: Column = nullable("scope", Type::String);
/// Name of the definition that it is in or that begins in it.
pub const NAME: Column = nullable("name", Type::String);
/// What that definition is, see [`Symbol`](crate::subject::Symbol).
pub const SYMBOL: Column = nullable("symbol", Type::String);
/// Language that it is written in.
pub const LANGUAGE: Column = nullable("language", Type::String);

/// Block type, see [`block_types`](crate::block_types).
pub const BLOCK_TYPE: Column = known("block_type", Type::String);
/// Number, in its document, of the chunk that holds the heading above its first element.
pub const PARENT: Column = nullable("parent", Type::Integer);
/// First of the pages that it is on.
pub const PAGE_START: Column = nullable("page_start", Type::Integer);
/// Last of the pages that it is on.
pub const PAGE_END: Column = nullable("page_end", Type::Integer);

/// Distance between the texts that meet at its end.
pub const SCORE: Column = nullable("score", Type::Float);
/// Cause of the boundary at its end.
pub const REASON: Column = known("reason", Type::String);
/// Number that a score had to exceed in its document.
pub const THRESHOLD: Column = nullable("threshold", Type::Float);

/// Fingerprint of the language model that set the boundaries; empty if it has no name.
pub const BOUNDARIES_MODEL: Column = known("boundaries_model", Type::String);
/// Fingerprint of the prompt that it was asked by.
pub const BOUNDARIES_PROMPT: Column = known("boundaries_prompt", Type::String);

/// Context: a text that stands nowhere in the document, and says where the chunk does.
pub const CONTEXT: Column = nullable("context", Type::String);
/// Context and text, as they are embedded and searched.
pub const CONTEXTUAL_TEXT: Column = known("contextual_text", Type::String);
/// Tokens of context and text.
pub const CONTEXTUAL_N_TOKENS: Column = known("contextual_n_tokens", Type::Integer);
/// How the context came about.
pub const CONTEXT_OUTCOME: Column = known("context_outcome", Type::String);
/// Why there is no context, if a model was asked.
pub const CONTEXT_WHY: Column = nullable("context_why", Type::String);
/// Fingerprint of the language model that wrote the context; empty if it has no name, or none was asked.
pub const CONTEXT_MODEL: Column = known("context_model", Type::String);
/// Fingerprint of the prompt that it was asked by; empty if none was asked.
pub const CONTEXT_PROMPT: Column = known("context_prompt", Type::String);

/// End of the sibling before the chunk, which is searched beside it.
pub const PREFIX_SHADOW: Column = nullable("prefix_shadow", Type::String);
/// Start of the sibling behind the chunk.
pub const SUFFIX_SHADOW: Column = nullable("suffix_shadow", Type::String);

/// Why a document has no chunks, where errors are collected.
pub const ERROR: Column = nullable("error", Type::String);

/// Columns of every row, in order.
pub const BASE: [Column; 18] = [
    CHUNK_ID,
    DOCUMENT,
    DOCUMENT_ID,
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

/// Columns of chunks of documents with elements, behind those of [`BASE`].
pub const OF_ELEMENTS: [Column; 14] = [
    KIND,
    PART,
    FIRST_ELEMENT,
    LAST_ELEMENT,
    HTML,
    PAGES,
    BOXES,
    CONFIDENCE,
    HEADINGS,
    HEADINGS_ABOVE,
    SPEAKER,
    SPEAKERS,
    TIME_START,
    TIME_END,
];

/// Fields of a box: its page, and its edges in the units of the source (points, in a PDF), measured from the top
/// left corner of the page; see [`PageBox`](crate::read::PageBox).
pub const BOX_FIELDS: [Column; 5] = [
    nullable("page", Type::Integer),
    known("left", Type::Float),
    known("top", Type::Float),
    known("right", Type::Float),
    known("bottom", Type::Float),
];

/// Columns of chunks that are blocks of their author, behind those of elements.
pub const OF_BLOCKS: [Column; 4] = [BLOCK_TYPE, PARENT, PAGE_START, PAGE_END];

/// Columns of chunks of source code; of a document whose metadata have one of these names the metadata are written.
pub const OF_CODE: [Column; 4] = [SCOPE, NAME, SYMBOL, LANGUAGE];

/// Columns of chunks of strategies that score boundaries, behind the others.
pub const OF_ENDINGS: [Column; 3] = [SCORE, REASON, THRESHOLD];

/// Columns of chunks whose boundaries a language model set.
pub const OF_BOUNDARIES: [Column; 2] = [BOUNDARIES_MODEL, BOUNDARIES_PROMPT];

/// Columns of chunks with contexts.
pub const OF_CONTEXTS: [Column; 7] = [
    CONTEXT,
    CONTEXTUAL_TEXT,
    CONTEXTUAL_N_TOKENS,
    CONTEXT_OUTCOME,
    CONTEXT_WHY,
    CONTEXT_MODEL,
    CONTEXT_PROMPT,
];

/// Columns of chunks with shadows.
pub const OF_SHADOWS: [Column; 2] = [PREFIX_SHADOW, SUFFIX_SHADOW];

/// All columns, in the order in which rows have them.
pub fn all() -> impl Iterator<Item = Column> {
    let of_elements = OF_ELEMENTS.into_iter().chain(OF_BLOCKS).chain(OF_CODE);
    let of_boundaries = OF_ENDINGS.into_iter().chain(OF_BOUNDARIES);
    let more = of_elements.chain(of_boundaries).chain(OF_CONTEXTS).chain(OF_SHADOWS);
    BASE.into_iter().chain(more).chain([ERROR])
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn every_column_has_a_name_of_its_own() {
        let mut names: Vec<_> = all().map(|column| column.name).collect();
        names.sort_unstable();
        let n = names.len();
        names.dedup();
        assert_eq!(names.len(), n);
    }
}
