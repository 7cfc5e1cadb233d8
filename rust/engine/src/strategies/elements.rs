//! Strategies over elements: rows, options and makers.

use chunkwright_text::cut::elements::Starts;
use chunkwright_text::cut::elements::structural::{Merging, Structure};
use chunkwright_text::cut::hierarchical::Hierarchy;
use chunkwright_text::cut::strategy::Strategy;
use chunkwright_text::error::Result;

use super::making::{CHARS_TO_A_TOKEN, Making};
use super::{StrategyRow as Row, row};
use crate::options::DefaultValue::{Derived, Flag, Number};
use crate::options::families::{ELEMENTWISE, LIMITS, MIN_SIZE, SECTIONWISE, SIZES, SOFT_MAX};
use crate::options::{Kind, Most, Range, StrategyOption as Opt};

/// Lists, tables, merged blocks and blocks to be split of the strategy `structural`, in tokens.
const LIST_TOKENS: usize = 200;
const TABLE_TOKENS: usize = 400;
const MERGED_TOKENS: usize = 350;
const SPLIT_TOKENS: usize = 800;

/// Those under headings.
pub static SECTIONS: &[Row] = &[
    row(
        "hierarchical",
        "Hierarchical",
        "Make a chunk of each element, with the headings above it; split long elements.",
        &[&SIZES, &SECTIONWISE],
        &HIERARCHICAL,
        |making| hierarchical(making, false),
    ),
    row(
        "hybrid",
        "Hybrid",
        "Split long elements, then join elements under one heading as long as they fit.",
        &[&SIZES, &SECTIONWISE],
        &HYBRID,
        |making| hierarchical(making, true),
    ),
];

/// Those that join elements.
pub static PACKED: &[Row] = &[
    row(
        "basic",
        "Basic",
        "Join elements as long as they fit, whatever they are.",
        &[&SIZES, &ELEMENTWISE],
        &[],
        |making| making.elements(Starts::Nowhere, 0),
    ),
    row(
        "by_title",
        "ByTitle",
        "Join elements as long as they fit and no title comes; a title begins a new chunk.",
        &[&SIZES, &ELEMENTWISE],
        &BY_TITLE,
        by_title,
    ),
    row(
        "by_page",
        "ByPage",
        "Join elements as long as they fit and the page is the same.",
        &[&SIZES, &ELEMENTWISE],
        &[],
        |making| making.elements(Starts::Pages, 0),
    ),
    row(
        "by_similarity",
        "BySimilarity",
        "Join elements as long as they fit and each is similar to the one before it.",
        &[&SIZES, &ELEMENTWISE],
        &BY_SIMILARITY,
        by_similarity,
    ),
    row(
        "structural",
        "Structural",
        "Keep the author's blocks whole; merge similar neighbours under one heading.",
        &[&SIZES, &ELEMENTWISE],
        &STRUCTURAL,
        structural,
    ),
];

/// Those of `hierarchical`.
const HIERARCHICAL: [Opt; 1] = [Opt::new(
    "merge_list_items",
    Kind::Flag,
    Flag(true),
    "Whether the items of a list make one chunk, if they fit.",
)];

/// Those of `hybrid`.
const HYBRID: [Opt; 1] = [Opt::new(
    "merge_peers",
    Kind::Flag,
    Flag(true),
    "Whether neighbouring elements under the same heading are joined.",
)
.more("If not, each element, list or table with its caption is a chunk.")];

/// `hierarchical` and `hybrid`, each with an option that the other one lacks.
fn hierarchical(making: &mut Making<'_>, is_hybrid: bool) -> Result<Strategy> {
    let (language, options) = (making.language()?, &making.options);
    Ok(Strategy::Hierarchical(Hierarchy {
        merge_peers: is_hybrid && options.flag("merge_peers"),
        merge_list_items: is_hybrid || options.flag("merge_list_items"),
        repeat_headings: options.flag("repeat_headings"),
        always_emit_headings: options.flag("always_emit_headings"),
        repeat_headers: options.flag("repeat_headers"),
        omit_header_on_overflow: options.flag("omit_header_on_overflow"),
        language,
    }))
}

/// Those of `by_title`.
const BY_TITLE: [Opt; 2] = [
    Opt::new(
        "multipage_sections",
        Kind::Flag,
        Flag(true),
        "Whether a section may continue on the next page.",
    ),
    Opt::new(
        "min_size",
        MIN_SIZE,
        Derived,
        "The smallest size of a chunk: a smaller one joins the next one, even across a title, if \
         both fit into one chunk.",
    )
    .more("By default the limit, so that small sections are joined; 0 keeps all sections apart.")
    .concerns(LIMITS),
];

fn by_title(making: &mut Making<'_>) -> Result<Strategy> {
    let multipage = making.options.flag("multipage_sections");
    // Sections are joined before they are cut.
    let combine_under = making.min_size.take().unwrap_or(making.hard_max);
    making.elements(Starts::Titles { multipage }, combine_under)
}

/// Those of `by_similarity`.
const BY_SIMILARITY: [Opt; 2] = [
    Opt::new(
        "embedder",
        Kind::Embedder,
        Derived,
        "The embedder: the path of a model's folder, an object such as `Onnx`, `\"lexical\"` (the \
         document's own words; few elements share many, so set a low threshold), or a callable \
         `list[str] -> array` that returns a row for each text.",
    )
    .more(
        "It is called once for each document, with the texts of all elements that have any, and \
         never by two threads at once.",
    ),
    Opt::new(
        "similarity_threshold",
        Kind::Number(Some(Range { least: 0.0, most: 1.0, excludes_ends: true })),
        Number(0.5),
        "The lowest cosine similarity at which elements are joined, between 0 and 1, both \
         excluded.",
    ),
];

fn by_similarity(making: &mut Making<'_>) -> Result<Strategy> {
    let embedder = making.embedder(None)?;
    let threshold = making.options.number("similarity_threshold");
    making.elements(Starts::Similarity { embedder, threshold }, 0)
}

/// Those of `structural`.
const STRUCTURAL: [Opt; 7] = [
    Opt::new(
        "list_max",
        Kind::Size { least: 1, most: Most::Limit },
        Derived,
        "Lists up to this size stay whole.",
    )
    .more(
        "Larger ones are split between items, each with all that is nested in it; an item that \
         does not fit is split between its nested items. 200 tokens or 800 characters by default, \
         but at most the limit.",
    )
    .concerns(LIMITS),
    Opt::new(
        "table_max",
        Kind::Size { least: 1, most: Most::Limit },
        Derived,
        "Tables up to this size stay whole, if they fit together with the text that introduces \
         them.",
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
        "The embedder of blocks: the path of a model's folder, an object such as `Onnx`, \
         `\"lexical\"` (the document's own words; set a low `merge_at`), or a callable `list[str] \
         -> array` that returns a row for each text.",
    )
    .more(
        "With None, the default, nothing is merged. It is called once for the blocks of many \
         documents.",
    )
    .concerns(&["merge_at"]),
    Opt::new(
        "merge_at",
        Kind::Number(Some(Range { least: -1.0, most: 1.0, excludes_ends: false })),
        Number(0.74),
        "The lowest cosine similarity at which neighbours are merged, from -1 to 1.",
    )
    .more("Each model needs its own threshold; `chunkwright eval` compares thresholds.")
    .concerns(&["embedder"]),
    Opt::new(
        "split_above",
        Kind::Size { least: 1, most: Most::Any },
        Derived,
        "With an embedder, texts over this size are split between sentences: neighbours stay \
         together while their cosine similarity is at least `merge_at` and their size at most \
         `soft_max`.",
    )
    .more(
        "800 tokens or 3,200 characters by default. Without an embedder, or below this size, only \
         texts over the limit are split.",
    )
    .concerns(&["embedder", "merge_at", "soft_max"]),
    Opt::new(
        "soft_max",
        SOFT_MAX,
        Derived,
        "The size up to which blocks are merged, and that the parts of a text over the limit may \
         reach.",
    )
    .more("350 tokens or 1,400 characters by default, but at most the limit.")
    .concerns(LIMITS),
    Opt::new(
        "isolate_tables",
        Kind::Flag,
        Flag(true),
        "Whether tables are kept apart from other blocks; the text that introduces a table, and \
         its captions, stay in its chunk all the same.",
    ),
];

fn structural(making: &mut Making<'_>) -> Result<Strategy> {
    let to_a_token = if making.in_tokens { 1 } else { CHARS_TO_A_TOKEN };
    let hard_max = making.hard_max;
    let usual = |tokens: usize| (tokens * to_a_token).min(hard_max);
    let options = &making.options;
    let list_max = options.size("list_max").unwrap_or_else(|| usual(LIST_TOKENS));
    let table_max = options.size("table_max").unwrap_or_else(|| usual(TABLE_TOKENS));
    let split_above = options.size("split_above").unwrap_or(SPLIT_TOKENS * to_a_token);
    let merge_at = options.number("merge_at");
    let has_embedder = making.parts.embedder.is_some() || options.value("embedder").is_some();
    let embedder = if has_embedder { Some(making.embedder(None)?) } else { None };
    // Room is left for an overlap, whatever else is wanted.
    let merged = usual(MERGED_TOKENS).max(making.overlap + 1).min(hard_max);
    making.soft_max = making.soft_max.or(Some(merged));
    let merging = embedder.map(|embedder| Merging { embedder, merge_at, split_above });
    making.elements(Starts::Structure(Structure { list_max, table_max, merging }), 0)
}
