//! Options of single strategies over elements.

use super::DefaultValue::{Derived, Flag, Number};
use super::families::{LIMITS, MIN_SIZE, SOFT_MAX};
use super::{Kind, Most, Range, StrategyOption as Opt};

/// Those of `hierarchical`.
pub const HIERARCHICAL: [Opt; 1] = [Opt::new(
    "merge_list_items",
    Kind::Flag,
    Flag(true),
    "Whether the items of one list are one chunk, if they fit.",
)];

/// Those of `hybrid`.
pub const HYBRID: [Opt; 1] = [Opt::new(
    "merge_peers",
    Kind::Flag,
    Flag(true),
    "Whether neighbours under the same heading are joined.",
)
.more("Without, each element, list or table with its caption is a chunk.")];

/// Those of `by_title`.
pub const BY_TITLE: [Opt; 2] = [
    Opt::new(
        "multipage_sections",
        Kind::Flag,
        Flag(true),
        "Whether a section may go on over the end of a page.",
    ),
    Opt::new(
        "min_size",
        MIN_SIZE,
        Derived,
        "Chunks of less than this are joined with the next one, whatever stands between them, if \
         both fit into one; by default the limit, so that small sections come together.",
    )
    .more("In the unit of the limit; 0 keeps all apart.")
    .concerns(LIMITS),
];

/// Those of `by_similarity`.
pub const BY_SIMILARITY: [Opt; 2] = [
    Opt::new(
        "embedder",
        Kind::Embedder,
        Derived,
        "What gives texts their vectors: the path of a folder with a model, an embedder such as \
         `Onnx`, `\"lexical\"` (the document's own words: few elements share many, so the \
         threshold must be low), or a callable `list[str] -> array` with a row for each text.",
    )
    .more(
        "Asked once for a document, for the texts of all elements that have any, and never by two \
         threads at once.",
    ),
    Opt::new(
        "similarity_threshold",
        Kind::Number(Some(Range { least: 0.0, most: 1.0, excludes_ends: true })),
        Number(0.5),
        "The least cosine, between 0 and 1, both excluded.",
    ),
];

/// Those of `structural`.
pub const STRUCTURAL: [Opt; 7] = [
    Opt::new(
        "list_max",
        Kind::Size { least: 1, most: Most::Limit },
        Derived,
        "Lists up to this size stay whole.",
    )
    .more(
        "Larger ones are split between items with all that is nested in them, as many as fit; \
         where a single one does not fit, between what is nested. 200 tokens or 800 characters by \
         default, but at most the limit.",
    )
    .concerns(LIMITS),
    Opt::new(
        "table_max",
        Kind::Size { least: 1, most: Most::Limit },
        Derived,
        "Tables up to this size stay whole, if they fit with what leads to them.",
    )
    .more(
        "Larger ones are split between rows, into parts up to this size. 400 tokens or 1,600 \
         characters by default, but at most the limit.",
    )
    .concerns(LIMITS),
    Opt::new(
        "embedder",
        Kind::Embedder,
        Derived,
        "What gives atomic blocks their vectors: the path of a folder with a model, an embedder \
         such as `Onnx`, `\"lexical\"` (the document's own words, for which `merge_at` must be \
         low), or a callable `list[str] -> array` with a row for each text.",
    )
    .more("None, the default, merges nothing. Asked once for the blocks of many documents.")
    .concerns(&["merge_at"]),
    Opt::new(
        "merge_at",
        Kind::Number(Some(Range { least: -1.0, most: 1.0, excludes_ends: false })),
        Number(0.74),
        "The least cosine of neighbours that are merged, from -1 to 1.",
    )
    .more("Each model needs its own; `chunkwright eval` compares them.")
    .concerns(&["embedder"]),
    Opt::new(
        "split_above",
        Kind::Size { least: 1, most: Most::Any },
        Derived,
        "Texts over this size are split between sentences, where an embedder is given: sentences \
         stay together as long as the cosine of neighbours is at least `merge_at` and they have \
         no more than `soft_max`.",
    )
    .more(
        "800 tokens or 3,200 characters by default. Without an embedder, and below this size, \
         only what is over the limit is split.",
    )
    .concerns(&["embedder", "merge_at", "soft_max"]),
    Opt::new(
        "soft_max",
        SOFT_MAX,
        Derived,
        "The size up to which blocks are merged, and at which the parts of a text over the limit \
         are full.",
    )
    .more("350 tokens or 1,400 characters by default, but at most the limit.")
    .concerns(LIMITS),
    Opt::new(
        "isolate_tables",
        Kind::Flag,
        Flag(true),
        "Whether tables are merged with nothing; what leads to a table, and its captions, are in \
         the same chunk all the same.",
    ),
];
