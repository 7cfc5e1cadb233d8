//! Rows of the strategies: name, class, families, and the options that each adds to theirs.

use super::elements::{BY_SIMILARITY, BY_TITLE, HIERARCHICAL, HYBRID, STRUCTURAL};
use super::families::{ELEMENTWISE, OVER_PIECES, SECTIONWISE, SEMANTIC, SIZES, SMALL_PIECES};
use super::semantic::{CLUSTER, DISCONTINUITY, KAMRADT, KAMRADT_MODIFIED, LLM, OWN_BOUNDARIES};
use super::text::{AUTO, BALANCED, JSON, LINE_BASED, RECURSIVE, SENTENCE};
use super::{StrategyOption as Opt, StrategyRow as Row};

/// All strategies, in the order in which they are shown.
pub static STRATEGIES: [Row; 20] = [
    row(
        "recursive",
        "Recursive",
        "Cut at the first separator of a list that stands within reach.",
        &[&SIZES],
        &RECURSIVE,
    ),
    row("sentence", "Sentence", "Cut between sentences.", &[&SIZES], &SENTENCE),
    row(
        "balanced",
        "Balanced",
        "Choose all cuts of a text together, so that chunks are even and begin at strong \
         boundaries.",
        &[&SIZES],
        &BALANCED,
    ),
    row(
        "window",
        "Window",
        "Cut into windows as long as the limit allows, whatever the text says.",
        &[&SIZES],
        &[],
    ),
    row(
        "line_based",
        "LineBased",
        "Cut between lines, for texts in which a line says something by itself: logs, lists, \
         records.",
        &[&SIZES],
        &LINE_BASED,
    ),
    row(
        "kamradt",
        "Kamradt",
        "Cut between sentences where the distance of their vectors exceeds a threshold.",
        &[&SIZES, &OVER_PIECES, &SEMANTIC],
        &KAMRADT,
    ),
    row(
        "kamradt_modified",
        "KamradtModified",
        "Cut at the largest distances between small pieces, the threshold searched for a size.",
        &[&SIZES, &OVER_PIECES, &SEMANTIC, &SMALL_PIECES],
        &KAMRADT_MODIFIED,
    ),
    row(
        "cluster",
        "Cluster",
        "Choose all cuts of a text together, so that chunks are made of pieces that are alike.",
        &[&SIZES, &OVER_PIECES, &SEMANTIC, &SMALL_PIECES],
        &CLUSTER,
    ),
    row(
        "discontinuity",
        "Discontinuity",
        "Cut between sentences where what stands before and behind is least alike.",
        &[&SIZES, &OVER_PIECES, &SEMANTIC],
        &DISCONTINUITY,
    ),
    row(
        "llm",
        "LLM",
        "Ask a language model at which sentences of a text a new subject begins, and cut there.",
        &[&SIZES, &OVER_PIECES],
        &LLM,
    ),
    row(
        "hierarchical",
        "Hierarchical",
        "Make a chunk of each element, with the headings above it; long ones are split.",
        &[&SIZES, &SECTIONWISE],
        &HIERARCHICAL,
    ),
    row(
        "hybrid",
        "Hybrid",
        "Join elements under one heading as long as they fit; long ones are split before.",
        &[&SIZES, &SECTIONWISE],
        &HYBRID,
    ),
    row(
        "auto",
        "Auto",
        "Cut each document by the strategy that its kind wants, for folders of all kinds of \
         files.",
        &[&SIZES],
        &AUTO,
    ),
    row(
        "json",
        "Json",
        "Cut JSON, or YAML, between items and members; each chunk is JSON or YAML again.",
        &[&SIZES],
        &JSON,
    ),
    row(
        "basic",
        "Basic",
        "Join elements as long as they fit, whatever they are.",
        &[&SIZES, &ELEMENTWISE],
        &[],
    ),
    row(
        "by_title",
        "ByTitle",
        "Join elements as long as they fit and no title comes; a title begins a new chunk.",
        &[&SIZES, &ELEMENTWISE],
        &BY_TITLE,
    ),
    row(
        "by_page",
        "ByPage",
        "Join elements as long as they fit and the page is the same.",
        &[&SIZES, &ELEMENTWISE],
        &[],
    ),
    row(
        "by_similarity",
        "BySimilarity",
        "Join elements as long as they fit and each is similar to the one before it.",
        &[&SIZES, &ELEMENTWISE],
        &BY_SIMILARITY,
    ),
    row(
        "structural",
        "Structural",
        "Keep together what the author did; merge neighbours under one heading that are alike.",
        &[&SIZES, &ELEMENTWISE],
        &STRUCTURAL,
    ),
    Row {
        is_base: true,
        ..row(
            "own_boundaries",
            "OwnBoundaries",
            "Cut where a subclass says, and between sentences wherever the limit needs it.",
            &[&SIZES, &OVER_PIECES],
            &OWN_BOUNDARIES,
        )
    },
];

const fn row(
    name: &'static str,
    class: &'static str,
    about: &'static str,
    families: &'static [&'static super::Family],
    options: &'static [Opt],
) -> Row {
    Row { name, class, about, families, options, is_base: false }
}
