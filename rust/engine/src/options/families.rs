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
    "The language of the text, as `split_sentences` takes it.",
);

/// Whether the header of a table is repeated.
pub const REPEAT_HEADERS: Opt = Opt::new(
    "repeat_headers",
    Kind::Flag,
    Flag(true),
    "Whether each part of a split table repeats the header.",
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
        .more("`tokenizer` counts them.")
        .concerns(&["max_chars", "tokenizer"]),
        Opt::new(
            "max_chars",
            Kind::Count { least: 1, most: MAX_SIZE, unit: "characters" },
            Derived,
            "The largest chunk, in characters, instead of tokens.",
        )
        .more("Characters are code points. Give one of the two, not both.")
        .concerns(&["max_tokens"]),
        Opt::new(
            "tokenizer",
            Kind::Tokenizer,
            Name(DEFAULT_TOKENIZER),
            "The tokenizer that counts tokens; see `Tokenizer`.",
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
            "The smallest size of a chunk: a smaller one joins a neighbour if both fit into one \
             chunk and nothing keeps them apart; 0 by default.",
        )
        .more("In the unit of the limit.")
        .concerns(LIMITS),
        Opt::new(
            "overlap",
            OVERLAP,
            Count(0),
            "How much of the previous chunk is repeated, at most.",
        )
        .more("It counts towards the limit, and is in the unit of the limit, as all sizes are.")
        .concerns(&["max_tokens", "max_chars", "soft_max"]),
        Opt::new(
            "overlap_at",
            OVERLAP_AT,
            Name("word"),
            "Where an overlap may begin: at a `\"word\"`, a `\"sentence\"`, or `\"any\"` grapheme.",
        )
        .more("If none begins within the overlap, nothing is repeated.")
        .concerns(&["overlap"]),
        Opt::new(
            "split_at",
            Kind::Marks,
            Derived,
            "Marks at which a text is always cut: a `str`, a `Separator` (which may be a \
             pattern), or several of them.",
        )
        .more(
            "Each part between two marks is cut as a text of its own: no chunk and no overlap \
             crosses a mark, and small chunks are not joined across it.",
        )
        .concerns(&["keep_mark"]),
        Opt::new(
            "keep_mark",
            KEEP_MARK,
            Name("start"),
            "Where a mark of `split_at` goes: to the `\"start\"` of the next chunk, to the \
             `\"end\"` of the previous one, or into neither (`\"drop\"`).",
        )
        .more("A `Separator` has its own setting for this.")
        .concerns(&["split_at"]),
    ],
};

/// `split_at` of a strategy that has none.
pub const NO_SPLIT_AT: Opt = Opt::new("split_at", Kind::Marks, Derived, NOT_AT_MARKS);
/// `keep_mark` of a strategy that has none.
pub const NO_KEEP_MARK: Opt = Opt::new("keep_mark", KEEP_MARK, Name("start"), NOT_AT_MARKS);
const KEEP_MARK: Kind = Kind::Name(&["start", "end", "drop"]);
const NOT_AT_MARKS: &str =
    "Not for this strategy: only strategies over text cut at marks that you choose.";

const SOFT_MAX_OF_ELEMENTS: Opt = Opt::new(
    "soft_max",
    SOFT_MAX,
    Derived,
    "The size from which on nothing is added to a chunk; the limit itself by default.",
)
.more("1 leaves each element by itself.")
.concerns(LIMITS);
const REPEAT_HEADERS_OF_ELEMENTS: Opt = Opt::new(
    "repeat_headers",
    Kind::Flag,
    Flag(true),
    "Whether each part of a split table repeats the header, unless the header takes more than \
     half of the limit.",
)
.more("Cells that are merged with rows of an earlier part are repeated all the same.");
const LANGUAGE_OF_ELEMENTS: Opt = Opt::new(
    "language",
    Kind::Language,
    Name("en"),
    "The language of the text, as `split_sentences` takes it.",
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
            "The smallest size of a chunk: a smaller one joins a neighbour if both are whole \
             elements, fit into one chunk, and nothing keeps them apart; 0 by default.",
        )
        .more("In the unit of the limit.")
        .concerns(LIMITS),
        Opt::new(
            "overlap",
            OVERLAP,
            Count(0),
            "How much of a part is repeated in the next one where an element is split; it counts \
             towards the limit.",
        )
        .concerns(&["overlap_all", "max_tokens", "max_chars", "soft_max"]),
        Opt::new(
            "overlap_all",
            Kind::Flag,
            Flag(false),
            "Whether chunks of whole elements also repeat the end of the previous chunk, as far \
             as the limit allows.",
        )
        .concerns(&["overlap"]),
        Opt::new(
            "isolate_tables",
            Kind::Flag,
            Flag(true),
            "Whether each table is a chunk of its own.",
        ),
        Opt::new(
            "skip_tables",
            Kind::Flag,
            Flag(false),
            "Whether tables that are chunks of their own stay whole, whatever their size; \
             `Chunk.oversize` marks those over the limit.",
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
            "The smallest size of a chunk: a smaller one joins a neighbour under the same \
             heading, else the next or the previous section of the same level, or the first one \
             below, if both fit into one chunk; 0 by default.",
        )
        .more("In the unit of the limit.")
        .concerns(LIMITS),
        Opt::new(
            "overlap",
            OVERLAP,
            Count(0),
            "How much of the previous chunk is repeated, at most, if it is of the same section \
             and no table was split.",
        )
        .more("It counts towards the limit, and is in the unit of the limit.")
        .concerns(&["max_tokens", "max_chars", "soft_max"]),
        Opt::new(
            "repeat_headings",
            Kind::Flag,
            Flag(true),
            "Whether chunks repeat the headings above them in their text.",
        )
        .more("If not, the headings are only where they stand, and in `Chunk.headings`."),
        Opt::new(
            "always_emit_headings",
            Kind::Flag,
            Flag(false),
            "Whether headings with nothing below them are chunks of their own.",
        )
        .more("If not, they begin the next chunk."),
        REPEAT_HEADERS_OF_ELEMENTS,
        Opt::new(
            "omit_header_on_overflow",
            Kind::Flag,
            Flag(false),
            "Whether a row that fits only without the table's header stays whole and goes without \
             the header.",
        )
        .more("If not, the row is cut between its cells, and each part repeats the header.")
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
        "The embedder: `\"lexical\"` (the text's own words, no model; see `Lexical`), the path of \
         a model's folder, an object such as `Onnx`, or a callable `list[str] -> array` that \
         returns a row for each text.",
    )
    .more("It gets the text unchanged, except that lone surrogates become U+FFFD.")],
};

/// What cuts between pieces of one or a few sentences.
pub static SMALL_PIECES: Family = Family {
    class: "SmallPieces",
    options: &[Opt::new(
        "piece_max",
        PIECE_MAX,
        Derived,
        "The largest size of a piece: sentences of a paragraph are joined up to it.",
    )
    .more(
        "A piece of less than a fifth of it joins a neighbour wherever the limit allows, and a \
         longer sentence is a piece by itself. By default 50 tokens or 200 characters, but at \
         least a sixteenth of the limit and at most all of it.",
    )
    .concerns(LIMITS)],
};
