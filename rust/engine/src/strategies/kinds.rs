//! Strategies for documents of a kind, `auto` and `json`: rows, options and makers.

use chunkwright_text::cut::by_kind::ByKind;
use chunkwright_text::cut::strategy::Strategy;
use chunkwright_text::error::{Error, Message, Result};
use serde_json::{Map, Value};

use super::making::Making;
use super::{Parts, Spec, StrategyRow as Row, row};
use crate::options::DefaultValue::{Count, Derived, Name};
use crate::options::families::{
    LIMITS, MIN_SIZE, NO_KEEP_MARK, NO_SPLIT_AT, OVERLAP, OVERLAP_AT, SIZES, SOFT_MAX,
};
use crate::options::{Kind, StrategyOption as Opt, is_shared};

/// The strategies.
pub static ROWS: &[Row] = &[
    row(
        "auto",
        "Auto",
        "Cut each document with the strategy that suits its kind, for folders of mixed files.",
        &[&SIZES],
        &AUTO,
        auto,
    ),
    row(
        "json",
        "Json",
        "Cut JSON, or YAML, between items and members; each chunk is JSON or YAML again.",
        &[&SIZES],
        &JSON,
        json,
    ),
];

/// Those of `auto`.
const AUTO: [Opt; 3] = [
    Opt::new(
        "language",
        Kind::Language,
        Name("en"),
        "The language of documents with elements, as `split_sentences` takes it.",
    )
    .more("Other texts are not cut between sentences."),
    NO_SPLIT_AT,
    NO_KEEP_MARK,
];

fn auto(making: &mut Making<'_>) -> Result<Strategy> {
    let shared = making.spec.options.iter().filter(|(name, _)| is_shared(name));
    let mut shared: Map<String, Value> =
        shared.map(|(name, value)| (name.clone(), value.clone())).collect();
    // It is refused under the name of this strategy.
    shared.remove("split_at");
    let made = |name: &str, options: Map<String, Value>| {
        Spec { name: name.into(), options }.cutter(&Parts::default())
    };
    let mut of_elements = shared.clone();
    // Only what stands under headings is cut between sentences.
    of_elements
        .extend(making.options.value("language").map(|code| ("language".into(), code.clone())));
    let mut of_json = shared.clone();
    // What is repeated would be in JSON twice.
    of_json.remove("overlap");
    Ok(Strategy::ByKind(Box::new(ByKind {
        elements: made("hybrid", of_elements)?,
        json: made("json", of_json)?,
        told: making.parts.told.clone(),
        text: made("recursive", shared)?,
    })))
}

/// Those of `json`.
const JSON: [Opt; 7] = [
    Opt::new(
        "syntax",
        Kind::Name(&["json", "yaml"]),
        Name("json"),
        "The syntax of the text: `\"json\"`, or `\"yaml\"`, which includes JSON.",
    )
    .more(
        "It is never guessed, since almost any text is YAML. Objects that are no texts are cut as \
         JSON only.",
    ),
    Opt::new(
        "soft_max",
        SOFT_MAX,
        Derived,
        "The size at which a chunk is full; the limit itself by default.",
    )
    .more("A value that is larger stays whole up to the limit.")
    .concerns(LIMITS),
    Opt::new(
        "min_size",
        MIN_SIZE,
        Derived,
        "The smallest size of a chunk: a smaller one joins a neighbour if both fit into the \
         limit; 0 by default.",
    )
    .more("It matters where `soft_max` is less than the limit.")
    .concerns(&["soft_max", "max_tokens", "max_chars"]),
    Opt::new("overlap", OVERLAP, Count(0), NOT_FOR_JSON),
    Opt::new("overlap_at", OVERLAP_AT, Name("word"), NOT_FOR_JSON),
    NO_SPLIT_AT,
    NO_KEEP_MARK,
];

const NOT_FOR_JSON: &str = "Not for this strategy: what is repeated would be there twice when parts are put \
    together.";

fn json(making: &mut Making<'_>) -> Result<Strategy> {
    let overlap = making.overlap;
    if overlap > 0 {
        return Err(Error::option(
            "overlap",
            Message::new(
                [("strategy 'json' has no ", "overlap"), (", got ", "overlap")],
                format!("={overlap}"),
            ),
        ));
    }
    Ok(if making.options.name("syntax") == "yaml" { Strategy::Yaml } else { Strategy::Json })
}
