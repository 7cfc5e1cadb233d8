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
use chunkwright_text::error::{Error, Message, Result};
use chunkwright_text::markup::Markup;
use chunkwright_text::segment::separator::{Keep, MARKDOWN, Separator};
use chunkwright_text::vectors::Embedder;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::making::{CHARS_TO_A_TOKEN, Making, PIECE_TOKENS};
use self::options::Options;
use crate::options::{DEFAULT_TOKENIZER, MAX_SIZE, Range, STRATEGIES, is_shared, shown};
use crate::unit::Unit;

/// Paragraphs, lines, words.
const SEPARATORS: [(&str, bool); 3] = [("\n\n", false), ("\n", false), (" ", false)];
/// Lists, tables, merged blocks and blocks to be split of the strategy `structural`, in tokens.
const LIST_TOKENS: usize = 200;
const TABLE_TOKENS: usize = 400;
const MERGED_TOKENS: usize = 350;
const SPLIT_TOKENS: usize = 800;

type Make = fn(&mut Making<'_>) -> Result<Strategy>;

/// What makes each strategy of its own options, by its name.
const MAKERS: [(&str, Make); 20] = [
    ("recursive", recursive),
    ("sentence", sentence),
    ("balanced", balanced),
    ("window", |_| Ok(Strategy::Window)),
    ("line_based", |making| Ok(line_based(&making.options))),
    ("kamradt", kamradt),
    ("kamradt_modified", kamradt_modified),
    ("cluster", cluster),
    ("discontinuity", discontinuity),
    ("llm", llm),
    ("hierarchical", |making| hierarchical(making, false)),
    ("hybrid", |making| hierarchical(making, true)),
    ("auto", auto),
    ("json", json),
    ("basic", |making| making.elements(Starts::Nowhere, 0)),
    ("by_title", by_title),
    ("by_page", |making| making.elements(Starts::Pages, 0)),
    ("by_similarity", by_similarity),
    ("structural", structural),
    ("own_boundaries", own_boundaries),
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
    /// What says where chunks begin, for the strategies `llm` and `own_boundaries`.
    pub asked: Option<Arc<dyn Asked>>,
    /// How many special tokens a model adds to each text.
    pub special_tokens: usize,
    /// For the strategy `auto`: what cuts the documents that are told to be of a kind, by its number.
    pub told: Vec<Cutter>,
}

impl Spec {
    /// The names of all strategies.
    pub fn names() -> impl Iterator<Item = &'static str> {
        STRATEGIES.iter().filter(|row| !row.is_base).map(|row| row.name)
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

    /// Checks the names of the options and each value, and gives the size that no chunk exceeds.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Value`] or [`Error::Name`] for a strategy, an option or a value that is none.
    pub fn hard_max(&self, parts: &Parts) -> Result<usize> {
        self.making(parts).map(|(making, _)| making.hard_max)
    }

    /// The cutter, with `parts` beside the options. The unit that it cuts by is handed to each cut.
    ///
    /// # Errors
    /// As [`Self::hard_max`]; [`Error::Option`] for values that make no sense together, and for a part that is missing.
    pub fn cutter(&self, parts: &Parts) -> Result<Cutter> {
        let (mut making, make) = self.making(parts)?;
        let strategy = make(&mut making)?;
        making.cutter(strategy)
    }

    fn making<'s>(&'s self, parts: &'s Parts) -> Result<(Making<'s>, Make)> {
        let maker = MAKERS.iter().find(|(name, _)| *name == self.name);
        let (name, make) = maker.ok_or_else(|| {
            let (option, got) = ("strategy".to_owned(), format!("'{}'", self.name));
            Error::Name { option, got, known: Self::names().collect() }
        })?;
        Ok((Making::new(self, parts, *name == "sentence")?, *make))
    }
}

fn recursive(making: &mut Making<'_>) -> Result<Strategy> {
    let markup = match making.options.name("markup") {
        "text" => Some(Markup::Unknown),
        "markdown" => Some(Markup::Markdown),
        "rst" => Some(Markup::Rst),
        "code" => Some(Markup::Code),
        _ => None,
    };
    let repeat_headers = making.options.flag("repeat_headers");
    let given = making.options.value("separators");
    let (separators, own) = match given {
        None => (compiled(&SEPARATORS)?, Markup::Unknown),
        Some(Value::Array(marks)) => (separators(marks)?, Markup::Unknown),
        // A name: that of Markdown's.
        Some(_) => (of_markdown()?, Markup::Markdown),
    };
    // Who says nothing has each document cut as what it is known to be.
    let is_told = markup.is_some() || given.is_some();
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
                .map_err(|_| no_separator(other))?,
        };
        if pattern.is_empty() {
            break;
        }
        separators.push(separator(pattern, is_regex, keep)?);
    }
    Ok(separators)
}

fn no_separator(mark: &Value) -> Error {
    let message = format!("a separator must be a str, got {}", shown(mark));
    Error::option("separators", message)
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
    let (sentences, window) = (making.options.size("sentences"), making.options.count("window"));
    if window > 0 && making.overlap > 0 {
        return Err(Error::option(
            "window",
            Message::new(
                [
                    ("a window takes the place of an overlap: give one, got ", "overlap"),
                    (&format!("={} and ", making.overlap), "window"),
                ],
                format!("={window}"),
            ),
        ));
    }
    Ok(Strategy::Sentence(Sentencing { language, sentences, window }))
}

fn balanced(making: &mut Making<'_>) -> Result<Strategy> {
    let repeat_headers = making.options.flag("repeat_headers");
    Ok(Strategy::Balanced { language: making.language()?, repeat_headers })
}

fn line_based(options: &Options<'_>) -> Strategy {
    Strategy::LineBased(Lining {
        header_lines: options.count("header_lines"),
        omit_header_on_overflow: options.flag("omit_header_on_overflow"),
    })
}

fn kamradt(making: &mut Making<'_>) -> Result<Strategy> {
    let segments = Segments::Sentences(making.language()?);
    let window = making.options.count("window");
    let threshold = threshold(&making.options)?;
    // No distance ends a smaller chunk; what the limit cuts stays as it is.
    let min_size = making.min_size.take().unwrap_or(0);
    making.semantic(segments, Scoring::Kamradt { window, threshold, min_size })
}

/// The threshold of distances that is wanted, and its number.
fn threshold(options: &Options<'_>) -> Result<Threshold> {
    let (kind, given) = (options.name("threshold"), options.value("amount"));
    let known = Threshold::KINDS.iter().find(|(name, _)| *name == kind);
    let (usual_kind, usual) = &Threshold::KINDS[0];
    let (make, usual, is_percentile) = known.map_or(usual, |(_, known)| known);
    if let Some(n_chunks) = options.size("n_chunks") {
        if given.is_some() || kind != *usual_kind {
            let amount = given.map_or_else(|| "None".into(), shown);
            return Err(Error::option(
                "n_chunks",
                Message::new(
                    [
                        ("", "n_chunks"),
                        (" takes the place of ", "threshold"),
                        (" and ", "amount"),
                        (", got ", "n_chunks"),
                        (&format!("={n_chunks} with '{kind}' and "), "amount"),
                    ],
                    format!("={amount}"),
                ),
            ));
        }
        return Ok(Threshold::NumberOfChunks(n_chunks));
    }
    let amount = given.and_then(Value::as_f64).unwrap_or(*usual);
    let percentiles = Range { least: 0.0, most: 100.0, excludes_ends: false };
    if *is_percentile && !percentiles.holds(amount) {
        let got = given.map_or_else(String::new, shown);
        return Err(Error::value("amount", percentiles.allowed(), got));
    }
    Ok(make(amount))
}

fn kamradt_modified(making: &mut Making<'_>) -> Result<Strategy> {
    let window = making.options.count("window");
    let is_max = making.options.name("target") == "max";
    let hard_max = making.hard_max;
    let usual = if is_max { hard_max } else { (hard_max / 2).max(1) };
    let size = match making.given_size("target_size")? {
        None => making.given_size("soft_max")?,
        size => size,
    };
    let size = size.unwrap_or(usual);
    let (target, whole) =
        if is_max { (Target::Max(size), size) } else { (Target::Average(size), usize::MAX) };
    let (language, max) = (making.language()?, making.piece_max()?);
    let segments = Segments::Joined { language, max, whole };
    making.semantic(segments, Scoring::KamradtModified { window, target })
}

fn cluster(making: &mut Making<'_>) -> Result<Strategy> {
    let mean = if making.options.name("mean") == "local" { Mean::Local } else { Mean::Global };
    let (language, max) = (making.language()?, making.piece_max()?);
    let segments = Segments::Joined { language, max, whole: usize::MAX };
    making.semantic(segments, Scoring::Cluster { mean })
}

fn discontinuity(making: &mut Making<'_>) -> Result<Strategy> {
    let segments = Segments::Sentences(making.language()?);
    let window = making.options.count("window");
    making.semantic(segments, Scoring::Discontinuity { window })
}

fn llm(making: &mut Making<'_>) -> Result<Strategy> {
    let asked = making.asked("llm", "a language model: llm=")?;
    let to_a_token = if making.in_tokens { 1 } else { CHARS_TO_A_TOKEN };
    let window = making.options.count("window_tokens");
    let whole = (window.saturating_mul(3) / 5).saturating_mul(to_a_token);
    let usual = PIECE_TOKENS * to_a_token;
    let max = making.given_size("piece_max")?.unwrap_or_else(|| usual.min(making.hard_max));
    let segments = Segments::Joined { language: making.language()?, max, whole };
    Ok(Strategy::Given { segments, asked })
}

/// What a strategy of somebody else's is made of: each sentence is a piece, however long.
fn own_boundaries(making: &mut Making<'_>) -> Result<Strategy> {
    let asked = making.asked("strategy", "something that says where chunks begin")?;
    let segments = Segments::Joined { language: making.language()?, max: 1, whole: MAX_SIZE };
    Ok(Strategy::Given { segments, asked })
}

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

fn auto(making: &mut Making<'_>) -> Result<Strategy> {
    let shared = making.spec.options.iter().filter(|(name, _)| is_shared(name));
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

fn by_title(making: &mut Making<'_>) -> Result<Strategy> {
    let multipage = making.options.flag("multipage_sections");
    // Sections are joined before they are cut.
    let combine_under = making.min_size.take().unwrap_or(making.hard_max);
    making.elements(Starts::Titles { multipage }, combine_under)
}

fn by_similarity(making: &mut Making<'_>) -> Result<Strategy> {
    let embedder = making.embedder(None)?;
    let threshold = making.options.number("similarity_threshold");
    making.elements(Starts::Similarity { embedder, threshold }, 0)
}

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
