//! Spec of a strategy: its name and options as data, from which a cutter is made.
//!
//! A call, a configuration file, the body of a request, a worker of another process and a test case all say
//! the same object: `{"strategy": "balanced", "max_tokens": 256, "language": "de"}`. A default is that of the
//! strategy, so an option that is null or missing is the same. What is no data stands beside it, in [`Parts`].

mod making;
mod options;

use std::sync::{Arc, OnceLock};

use chunkwright_text::cut::by_kind::ByKind;
use chunkwright_text::cut::elements::Starts;
use chunkwright_text::cut::elements::structural::{Merging, Structure};
use chunkwright_text::cut::hierarchical::Hierarchy;
use chunkwright_text::cut::line_based::Lining;
use chunkwright_text::cut::pieces::Asked;
use chunkwright_text::cut::recursive::Recursion;
use chunkwright_text::cut::semantic::{Mean, Scoring, Segments, Target, Threshold};
use chunkwright_text::cut::sentence::Sentencing;
use chunkwright_text::cut::strategy::{Cutter, Strategy};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::markup::Markup;
use chunkwright_text::segment::separator::{Keep, MARKDOWN, Separator};
use chunkwright_text::vectors::Embedder;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::making::{CHARS_TO_A_TOKEN, Making, PIECE_TOKENS, SHARED, wants};
use self::options::{MAX_SIZE, unknown, wrong};
use crate::unit::Unit;

/// The tokenizer, where none is named.
const DEFAULT_TOKENIZER: &str = "cl100k_base";
/// Paragraphs, lines, words.
const SEPARATORS: [(&str, bool); 3] = [("\n\n", false), ("\n", false), (" ", false)];
/// Each piece is embedded once for every window that it is in.
const MAX_WINDOW: usize = 100;
/// Lists, tables, merged blocks and blocks to be split of the strategy `structural`, in tokens.
const LIST_TOKENS: usize = 200;
const TABLE_TOKENS: usize = 400;
const MERGED_TOKENS: usize = 350;
const SPLIT_TOKENS: usize = 800;
/// The least cosine of blocks that are merged.
const MERGE_AT: f64 = 0.74;
/// What a model is shown of a text at once, in tokens.
const WINDOW_TOKENS: usize = 800;

type Make = fn(&mut Making<'_>) -> Result<Strategy>;

/// One row a strategy: its name, and what makes it of its own options.
const ROWS: [(&str, Make); 19] = [
    ("recursive", recursive),
    ("sentence", sentence),
    ("balanced", balanced),
    ("window", |_| Ok(Strategy::Window)),
    ("line_based", line_based),
    ("kamradt", kamradt),
    ("kamradt_modified", kamradt_modified),
    ("cluster", cluster),
    ("discontinuity", discontinuity),
    ("llm", llm),
    ("hierarchical", |making| hierarchical(making, false, "merge_list_items")),
    ("hybrid", |making| hierarchical(making, true, "merge_peers")),
    ("auto", auto),
    ("json", json),
    ("basic", |making| making.elements(Starts::Nowhere, 0)),
    ("by_title", by_title),
    ("by_page", |making| making.elements(Starts::Pages, 0)),
    ("by_similarity", by_similarity),
    ("structural", structural),
];

/// The name of a strategy, and its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// The name.
    #[serde(rename = "strategy")]
    pub name: String,
    /// The options, by their names; those that are missing or null are as the strategy has them.
    #[serde(flatten)]
    pub options: Map<String, Value>,
}

/// What a strategy may need that is no data.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// What gives pieces their vectors; without, the option `embedder` can only be `"lexical"`.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// What says where chunks begin, for the strategy `llm`.
    pub asked: Option<Arc<dyn Asked>>,
    /// For the strategy `auto`: what cuts the documents that are told to be of a kind, by its number.
    pub told: Vec<Cutter>,
}

impl Spec {
    /// The names of all strategies.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ROWS.iter().map(|(name, _)| *name)
    }

    /// What sizes are counted in, if the tokenizer is a built-in one.
    ///
    /// # Errors
    /// [`Error::Option`] if it is not.
    pub fn unit(&self) -> Result<Unit> {
        let given = |name| self.options.get(name).filter(|value| !value.is_null());
        let named = match given("max_chars") {
            Some(_) => "chars",
            None => {
                given("tokenizer").map_or(DEFAULT_TOKENIZER, |name| name.as_str().unwrap_or(""))
            }
        };
        let unknown = || Error::option("tokenizer", format!("no built-in tokenizer is '{named}'"));
        Unit::named(named).ok_or_else(unknown)
    }

    /// The cutter, with `parts` beside the options. The unit that it cuts by is handed to each cut.
    ///
    /// # Errors
    /// [`Error::Option`] for a strategy or an option that is unknown, a value that makes no sense, and a part
    /// that is missing.
    pub fn cutter(&self, parts: &Parts) -> Result<Cutter> {
        let row = ROWS.iter().find(|(name, _)| *name == self.name);
        let (name, make) = row.ok_or_else(|| {
            Error::option("strategy", unknown(&format!("strategy '{}'", self.name), Self::names()))
        })?;
        let mut making = Making::new(self, parts, *name == "sentence")?;
        let strategy = make(&mut making)?;
        making.cutter(strategy)
    }
}

fn recursive(making: &mut Making<'_>) -> Result<Strategy> {
    let named = [
        ("text", Markup::Unknown),
        ("markdown", Markup::Markdown),
        ("rst", Markup::Rst),
        ("code", Markup::Code),
    ];
    let markup = making.options.one_of("markup", &named)?;
    let repeat_headers = making.options.flag("repeat_headers", true)?;
    let (separators, own) = match making.options.value("separators") {
        None => (compiled(&SEPARATORS)?, Markup::Unknown),
        Some(Value::String(name)) if name == "markdown" => (of_markdown()?, Markup::Markdown),
        Some(Value::Array(marks)) => (separators(marks)?, Markup::Unknown),
        Some(other) => return Err(wrong("separators", "must be a list, or 'markdown'", other)),
    };
    // Who says nothing has each document cut as what it is known to be.
    let is_told = markup.is_some() || wants(making.spec, "separators");
    let markdown = if is_told { None } else { Some(of_markdown()?) };
    let markup = markup.unwrap_or(own);
    Ok(Strategy::Recursive(Recursion { separators, markdown, markup, repeat_headers }))
}

/// The separators of Markdown, compiled once.
fn of_markdown() -> Result<Vec<Separator>> {
    static COMPILED: OnceLock<Vec<Separator>> = OnceLock::new();
    if let Some(separators) = COMPILED.get() {
        return Ok(separators.clone());
    }
    let separators = compiled(&MARKDOWN)?;
    Ok(COMPILED.get_or_init(|| separators).clone())
}

fn compiled(marks: &[(&str, bool)]) -> Result<Vec<Separator>> {
    marks.iter().map(|(mark, is_regex)| separator(mark, *is_regex, Keep::Start)).collect()
}

fn separator(mark: &str, is_regex: bool, keep: Keep) -> Result<Separator> {
    let make = if is_regex { Separator::pattern } else { Separator::literal };
    make(mark, keep).map_err(|error| Error::option("separators", error.to_string()))
}

/// Separators up to an empty one, which stands anywhere.
fn separators(marks: &[Value]) -> Result<Vec<Separator>> {
    let mut separators = Vec::with_capacity(marks.len());
    for mark in marks {
        let (pattern, is_regex, keep) = match mark {
            Value::String(text) => (text.as_str(), false, Keep::Start),
            other => Mark::deserialize(other)
                .map(|mark| (mark.pattern, mark.regex, mark.keep))
                .map_err(|_| wrong("separators", "must hold strings, or marks", other))?,
        };
        if pattern.is_empty() {
            break;
        }
        separators.push(separator(pattern, is_regex, keep)?);
    }
    Ok(separators)
}

/// A separator that is more than a text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mark<'s> {
    pattern: &'s str,
    #[serde(default)]
    regex: bool,
    #[serde(default)]
    keep: Keep,
}

fn sentence(making: &mut Making<'_>) -> Result<Strategy> {
    let language = making.language()?;
    let sentences = making.options.size("sentences", 1, MAX_SIZE)?;
    let window = making.options.size("window", 0, MAX_SIZE)?.unwrap_or(0);
    if window > 0 && making.overlap > 0 {
        let message = format!(
            "a window takes the place of an overlap: give one, got overlap={} and window={window}",
            making.overlap
        );
        return Err(Error::option("window", message));
    }
    Ok(Strategy::Sentence(Sentencing { language, sentences, window }))
}

fn balanced(making: &mut Making<'_>) -> Result<Strategy> {
    let language = making.language()?;
    let repeat_headers = making.options.flag("repeat_headers", true)?;
    Ok(Strategy::Balanced { language, repeat_headers })
}

fn line_based(making: &mut Making<'_>) -> Result<Strategy> {
    let options = &mut making.options;
    Ok(Strategy::LineBased(Lining {
        header_lines: options.size("header_lines", 0, MAX_SIZE)?.unwrap_or(0),
        omit_header_on_overflow: options.flag("omit_header_on_overflow", false)?,
    }))
}

fn kamradt(making: &mut Making<'_>) -> Result<Strategy> {
    let segments = Segments::Sentences(making.language()?);
    let window = making.options.size("window", 0, MAX_WINDOW)?.unwrap_or(1);
    let threshold = threshold(making)?;
    // No distance ends a smaller chunk; what the limit cuts stays as it is.
    let min_size = making.min_size.take().unwrap_or(0);
    making.semantic(segments, Scoring::Kamradt { window, threshold, min_size })
}

/// The threshold of distances that is wanted, and its number.
fn threshold(making: &mut Making<'_>) -> Result<Threshold> {
    let options = &mut making.options;
    let kind = options.one_of("threshold", &Threshold::KINDS)?;
    let (make, usual, is_percentile) = kind.unwrap_or(Threshold::KINDS[0].1);
    let (least, most) = if is_percentile { (0.0, 100.0) } else { (f64::MIN, f64::MAX) };
    let amount = options.number("amount", least, most)?;
    let n_chunks = options.size("n_chunks", 1, MAX_SIZE)?;
    if n_chunks.is_some() && (amount.is_some() || kind.is_some_and(|(.., usual)| !usual)) {
        let message = "n_chunks takes the place of threshold and amount";
        return Err(Error::option("n_chunks", message));
    }
    Ok(n_chunks.map_or_else(|| make(amount.unwrap_or(usual)), Threshold::NumberOfChunks))
}

fn kamradt_modified(making: &mut Making<'_>) -> Result<Strategy> {
    let targets = [("average", false), ("max", true)];
    let is_max = making.options.one_of("target", &targets)?.unwrap_or(false);
    let window = making.options.size("window", 0, MAX_WINDOW)?.unwrap_or(3);
    let hard_max = making.hard_max;
    let usual = if is_max { hard_max } else { (hard_max / 2).max(1) };
    let size = making.options.size("target_size", 1, hard_max)?.or(making.soft_max);
    let size = size.unwrap_or(usual);
    let (target, whole) =
        if is_max { (Target::Max(size), size) } else { (Target::Average(size), usize::MAX) };
    let (language, max) = (making.language()?, making.piece_max()?);
    let segments = Segments::Joined { language, max, whole };
    making.semantic(segments, Scoring::KamradtModified { window, target })
}

fn cluster(making: &mut Making<'_>) -> Result<Strategy> {
    let means = [("global", Mean::Global), ("local", Mean::Local)];
    let mean = making.options.one_of("mean", &means)?.unwrap_or(Mean::Global);
    let (language, max) = (making.language()?, making.piece_max()?);
    let segments = Segments::Joined { language, max, whole: usize::MAX };
    making.semantic(segments, Scoring::Cluster { mean })
}

fn discontinuity(making: &mut Making<'_>) -> Result<Strategy> {
    let segments = Segments::Sentences(making.language()?);
    let window = making.options.size("window", 1, MAX_WINDOW)?.unwrap_or(3);
    making.semantic(segments, Scoring::Discontinuity { window })
}

fn llm(making: &mut Making<'_>) -> Result<Strategy> {
    // The model and its prompt stand beside the options.
    making.options.value("llm");
    making.options.value("prompt");
    let missing = || Error::option("llm", "the strategy 'llm' needs a language model");
    let asked = making.parts.asked.clone().ok_or_else(missing)?;
    let window = making.options.size("window_tokens", PIECE_TOKENS, MAX_SIZE)?;
    let to_a_token = if making.in_tokens { 1 } else { CHARS_TO_A_TOKEN };
    let whole = (window.unwrap_or(WINDOW_TOKENS).saturating_mul(3) / 5).saturating_mul(to_a_token);
    let usual = PIECE_TOKENS * to_a_token;
    let max = making.options.size("piece_max", 1, making.hard_max)?;
    let max = max.unwrap_or_else(|| usual.min(making.hard_max));
    let segments = Segments::Joined { language: making.language()?, max, whole };
    Ok(Strategy::Given { segments, asked })
}

/// `hierarchical` and `hybrid`, each with an option that the other one lacks.
fn hierarchical(making: &mut Making<'_>, is_hybrid: bool, own: &'static str) -> Result<Strategy> {
    let language = making.language()?;
    let options = &mut making.options;
    let merges = options.flag(own, true)?;
    Ok(Strategy::Hierarchical(Hierarchy {
        merge_peers: is_hybrid && merges,
        merge_list_items: is_hybrid || merges,
        repeat_headings: options.flag("repeat_headings", true)?,
        always_emit_headings: options.flag("always_emit_headings", false)?,
        repeat_headers: options.flag("repeat_headers", true)?,
        omit_header_on_overflow: options.flag("omit_header_on_overflow", false)?,
        language,
    }))
}

fn auto(making: &mut Making<'_>) -> Result<Strategy> {
    let shared = making.spec.options.iter().filter(|(name, _)| SHARED.contains(&name.as_str()));
    let shared: Map<String, Value> =
        shared.map(|(name, value)| (name.clone(), value.clone())).collect();
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

fn json(making: &mut Making<'_>) -> Result<Strategy> {
    let overlap = making.overlap;
    if overlap > 0 {
        let message = format!("strategy 'json' has no overlap, got overlap={overlap}");
        return Err(Error::option("overlap", message));
    }
    let is_yaml = making.options.one_of("syntax", &[("json", false), ("yaml", true)])?;
    Ok(if is_yaml.unwrap_or(false) { Strategy::Yaml } else { Strategy::Json })
}

fn by_title(making: &mut Making<'_>) -> Result<Strategy> {
    let multipage = making.options.flag("multipage_sections", true)?;
    // Sections are joined before they are cut.
    let combine_under = making.min_size.take().unwrap_or(making.hard_max);
    making.elements(Starts::Titles { multipage }, combine_under)
}

fn by_similarity(making: &mut Making<'_>) -> Result<Strategy> {
    let embedder = making.embedder(None)?;
    let threshold = making.options.number("similarity_threshold", 0.0, 1.0)?.unwrap_or(0.5);
    if threshold <= 0.0 || threshold >= 1.0 {
        let message = "similarity_threshold must be between 0 and 1, both excluded";
        return Err(Error::option("similarity_threshold", format!("{message}, got {threshold}")));
    }
    making.elements(Starts::Similarity { embedder, threshold }, 0)
}

fn structural(making: &mut Making<'_>) -> Result<Strategy> {
    let to_a_token = if making.in_tokens { 1 } else { CHARS_TO_A_TOKEN };
    let hard_max = making.hard_max;
    let usual = |tokens: usize| (tokens * to_a_token).min(hard_max);
    let options = &mut making.options;
    let list_max = options.size("list_max", 1, hard_max)?.unwrap_or_else(|| usual(LIST_TOKENS));
    let table_max = options.size("table_max", 1, hard_max)?.unwrap_or_else(|| usual(TABLE_TOKENS));
    let split_above = options.size("split_above", 1, MAX_SIZE)?;
    let split_above = split_above.unwrap_or(SPLIT_TOKENS * to_a_token);
    let merge_at = options.number("merge_at", -1.0, 1.0)?.unwrap_or(MERGE_AT);
    let has_embedder = making.parts.embedder.is_some() || wants(making.spec, "embedder");
    let embedder = if has_embedder { Some(making.embedder(None)?) } else { None };
    making.options.value("embedder");
    // Room is left for an overlap, whatever else is wanted.
    let merged = usual(MERGED_TOKENS).max(making.overlap + 1).min(hard_max);
    making.soft_max = making.soft_max.or(Some(merged));
    let merging = embedder.map(|embedder| Merging { embedder, merge_at, split_above });
    making.elements(Starts::Structure(Structure { list_max, table_max, merging }), 0)
}
