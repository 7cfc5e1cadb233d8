//! Options that several strategies have, by what they share.

use super::DefaultValue::{Count, Derived, Flag, Name};
use super::{DEFAULT_TOKENIZER, Family, Kind, MAX_SIZE, Most, StrategyOption as Opt};

/// The limit, in one of its units.
pub const LIMITS: &[&str] = &["max_tokens", "max_chars"];
/// What `soft_max` takes.
pub const SOFT_MAX: Kind = Kind::Size { least: 1, most: Most::Limit };
/// What `min_size` takes.
pub const MIN_SIZE: Kind = Kind::Size { least: 0, most: Most::Limit };
/// What `overlap` takes.
pub const OVERLAP: Kind = Kind::Size { least: 0, most: Most::Any };
/// What `overlap_at` takes.
pub const OVERLAP_AT: Kind = Kind::Name(&["word", "sentence", "any"]);
/// What `piece_max` takes.
pub const PIECE_MAX: Kind = Kind::Size { least: 1, most: Most::Limit };

/// The language that sentences are told apart in.
pub const LANGUAGE: Opt = Opt::new(
    "language",
    Kind::Language,
    Name("en"),
    "What the text is in, as `split_sentences` takes it.",
);

/// Whether the header of a table is repeated.
pub const REPEAT_HEADERS: Opt = Opt::new(
    "repeat_headers",
    Kind::Flag,
    Flag(true),
    "Whether the parts of a table repeat its header.",
);

/// What all strategies have.
pub static SIZES: Family = Family {
    class: "Sizes",
    options: &[
        Opt::new(
            "max_tokens",
            Kind::Count { least: 1, most: MAX_SIZE, unit: "tokens" },
            Derived,
            "The largest chunk, in tokens; 512 by default.",
        )
        .more("They are those of `tokenizer`.")
        .concerns(&["max_chars", "tokenizer"]),
        Opt::new(
            "max_chars",
            Kind::Count { least: 1, most: MAX_SIZE, unit: "characters" },
            Derived,
            "The largest chunk in code points, instead.",
        )
        .more("One of the two is the limit.")
        .concerns(&["max_tokens"]),
        Opt::new(
            "tokenizer",
            Kind::Tokenizer,
            Name(DEFAULT_TOKENIZER),
            "What counts tokens; see `Tokenizer`.",
        )
        .concerns(&["max_tokens"]),
        Opt::new(
            "soft_max",
            SOFT_MAX,
            Derived,
            "The size at which a chunk is full; the limit itself by default.",
        )
        .concerns(LIMITS),
        Opt::new(
            "min_size",
            MIN_SIZE,
            Derived,
            "Chunks with less text of their own are joined with a neighbour, if both fit into one \
             and nothing keeps them apart; 0 by default.",
        )
        .more("In the unit of the limit.")
        .concerns(LIMITS),
        Opt::new(
            "overlap",
            OVERLAP,
            Count(0),
            "How much of the chunk before is repeated, at most.",
        )
        .more("It counts against the limit, and is in its unit, as all sizes are.")
        .concerns(&["max_tokens", "max_chars", "soft_max"]),
        Opt::new(
            "overlap_at",
            OVERLAP_AT,
            Name("word"),
            "Where an overlap may begin: at a `\"word\"`, a `\"sentence\"`, or `\"any\"` grapheme.",
        )
        .more("Where none begins within reach, there is no overlap.")
        .concerns(&["overlap"]),
        Opt::new(
            "split_at",
            Kind::Marks,
            Derived,
            "Where a text is always cut: at a mark of its own, a `str` or a `Separator`, which may \
             be a pattern, or at several.",
        )
        .more(
            "Each part between two marks is cut as a text of its own: no chunk, no overlap and no \
             joining of small chunks goes over a mark.",
        )
        .concerns(&["keep_mark"]),
        Opt::new(
            "keep_mark",
            KEEP_MARK,
            Name("start"),
            "Where a mark of `split_at` goes: to the `\"start\"` of the chunk behind it, to the \
             `\"end\"` of the one before, or into neither (`\"drop\"`).",
        )
        .more("A `Separator` says for itself where it goes.")
        .concerns(&["split_at"]),
    ],
};

/// `split_at` of a strategy that has none.
pub const NO_SPLIT_AT: Opt = Opt::new("split_at", Kind::Marks, Derived, NOT_AT_MARKS);
/// `keep_mark` of a strategy that has none.
pub const NO_KEEP_MARK: Opt = Opt::new("keep_mark", KEEP_MARK, Name("start"), NOT_AT_MARKS);
const KEEP_MARK: Kind = Kind::Name(&["start", "end", "drop"]);
const NOT_AT_MARKS: &str =
    "Not for this strategy: only strategies over text cut at marks of one's own.";

const SOFT_MAX_OF_ELEMENTS: Opt = Opt::new(
    "soft_max",
    SOFT_MAX,
    Derived,
    "The size over which nothing is added to a chunk, in the unit of the limit; the limit \
     itself by default.",
)
.more("1 leaves each element by itself.")
.concerns(LIMITS);
const REPEAT_HEADERS_OF_ELEMENTS: Opt = Opt::new(
    "repeat_headers",
    Kind::Flag,
    Flag(true),
    "Whether the parts of a table repeat its header, unless it takes more than half of the \
     limit.",
)
.more("Cells that are merged with rows of an earlier part are repeated all the same.");
const LANGUAGE_OF_ELEMENTS: Opt = Opt::new(
    "language",
    Kind::Language,
    Name("en"),
    "Language of the text, as `split_sentences` takes it.",
)
.more("A text over the limit is split between its sentences.");

/// What packs elements.
pub static ELEMENTWISE: Family = Family {
    class: "ElementStrategy",
    options: &[
        SOFT_MAX_OF_ELEMENTS,
        Opt::new(
            "min_size",
            MIN_SIZE,
            Derived,
            "Chunks with less text of their own are joined with a neighbour, if both are of whole \
             elements and fit into one, and nothing keeps them apart; 0 by default.",
        )
        .more("In the unit of the limit.")
        .concerns(LIMITS),
        Opt::new(
            "overlap",
            OVERLAP,
            Count(0),
            "How much of a part is repeated in the next one where an element is split, in the \
             unit of the limit; it counts against the limit.",
        )
        .concerns(&["overlap_all", "max_tokens", "max_chars", "soft_max"]),
        Opt::new(
            "overlap_all",
            Kind::Flag,
            Flag(false),
            "Whether chunks of whole elements repeat the end of the one before, too, as far as \
             the limit allows.",
        )
        .concerns(&["overlap"]),
        Opt::new("isolate_tables", Kind::Flag, Flag(true), "Whether tables stand alone."),
        Opt::new(
            "skip_tables",
            Kind::Flag,
            Flag(false),
            "Whether tables that stand alone are passed on whole, whatever their size; those over \
             the limit say so in `Chunk.oversize`.",
        )
        .concerns(&["isolate_tables"]),
        REPEAT_HEADERS_OF_ELEMENTS,
        LANGUAGE_OF_ELEMENTS,
        NO_SPLIT_AT,
        NO_KEEP_MARK,
    ],
};

/// What knows headings.
pub static SECTIONWISE: Family = Family {
    class: "SectionStrategy",
    options: &[
        SOFT_MAX_OF_ELEMENTS,
        Opt::new(
            "min_size",
            MIN_SIZE,
            Derived,
            "Chunks with less text of their own are joined with a neighbour under the same \
             heading, else with the next or the last section of the same level, or the first one \
             below, if both fit into one; 0 by default.",
        )
        .more("In the unit of the limit.")
        .concerns(LIMITS),
        Opt::new(
            "overlap",
            OVERLAP,
            Count(0),
            "How much of the chunk before is repeated, at most, if it is of the same section and \
             no table was split.",
        )
        .more("It counts against the limit, and is in its unit.")
        .concerns(&["max_tokens", "max_chars", "soft_max"]),
        Opt::new(
            "repeat_headings",
            Kind::Flag,
            Flag(true),
            "Whether chunks repeat the headings above them in their text.",
        )
        .more("Without, the headings are in `Chunk.headings` only, and where they stand."),
        Opt::new(
            "always_emit_headings",
            Kind::Flag,
            Flag(false),
            "Whether headings with nothing below them are chunks of their own.",
        )
        .more("Without, they begin the next chunk."),
        REPEAT_HEADERS_OF_ELEMENTS,
        Opt::new(
            "omit_header_on_overflow",
            Kind::Flag,
            Flag(false),
            "Whether a row that fits without the table's header only is kept whole without it.",
        )
        .more("Without, it is cut between its cells, and the header repeated.")
        .concerns(&["repeat_headers"]),
        LANGUAGE_OF_ELEMENTS,
        NO_SPLIT_AT,
        NO_KEEP_MARK,
    ],
};

/// What cuts between pieces of a text.
pub static OVER_PIECES: Family = Family { class: "OverPieces", options: &[LANGUAGE] };

/// What cuts between pieces by what their vectors say.
pub static SEMANTIC: Family = Family {
    class: "Semantic",
    options: &[Opt::new(
        "embedder",
        Kind::Embedder,
        Name("lexical"),
        "What gives texts their vectors: `\"lexical\"` (the text's own words, no model; see \
         `Lexical`), the path of a folder with a model, an embedder such as `Onnx`, or a callable \
         `list[str] -> array` with a row for each text.",
    )
    .more("It is given the text as it is; lone surrogates are U+FFFD.")],
};

/// What cuts between pieces of one or a few sentences.
pub static SMALL_PIECES: Family = Family {
    class: "SmallPieces",
    options: &[Opt::new(
        "piece_max",
        PIECE_MAX,
        Derived,
        "The size up to which sentences of a paragraph are joined, in the unit of the limit; a \
         piece of less than a fifth of it is joined with a neighbour wherever the limit allows.",
    )
    .more(
        "A longer sentence is a piece by itself. By default 50 tokens or 200 characters, but at \
         least a sixteenth of the limit and at most all of it.",
    )
    .concerns(LIMITS)],
};
