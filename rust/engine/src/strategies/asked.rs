//! Strategies for which somebody is asked where chunks begin, `llm` and those of others: rows, options and makers.

use chunkwright_text::cut::semantic::Segments;
use chunkwright_text::cut::strategy::Strategy;
use chunkwright_text::error::Result;

use super::making::{CHARS_TO_A_TOKEN, Making, PIECE_TOKENS};
use super::{StrategyRow as Row, row};
use crate::options::DefaultValue::{Count, Derived};
use crate::options::families::{LIMITS, OVER_PIECES, PIECE_MAX, SIZES, SOFT_MAX};
use crate::options::{Kind, MAX_SIZE, StrategyOption as Opt};

/// Those that are offered.
pub static ROWS: &[Row] = &[row(
    "llm",
    "LLM",
    "Ask a language model at which sentences of a text a new subject begins, and cut there.",
    &[&SIZES, &OVER_PIECES],
    &LLM,
    llm,
)];
/// What strategies of others are made of.
pub static BASES: &[Row] = &[Row {
    is_base: true,
    ..row(
        "own_boundaries",
        "OwnBoundaries",
        "Cut where a subclass says, and between sentences wherever the limit needs it.",
        &[&SIZES, &OVER_PIECES],
        &OWN_BOUNDARIES,
        own_boundaries,
    )
}];

/// What a language model is shown of a text at once, in tokens.
const WINDOW_TOKENS: usize = 800;

/// Room for a piece of the usual size.
const LEAST_WINDOW: usize = 50;

/// Those of `llm`.
const LLM: [Opt; 5] = [
    Opt::new(
        "llm",
        Kind::LanguageModel,
        Derived,
        "The model: an adapter such as `OpenAIChat`, a function, or a `Runner`, which sets the \
         concurrency, cache, budget and prices.",
    ),
    Opt::new(
        "prompt",
        Kind::Prompt,
        Derived,
        "Your own prompt, or the path of its file; see `Prompt`.",
    )
    .more("It has places for `$pieces`, `$first` and `$last`."),
    Opt::new(
        "window_tokens",
        Kind::Count { least: LEAST_WINDOW, most: MAX_SIZE, unit: "tokens" },
        Count(WINDOW_TOKENS),
        "The part of a text that the model sees at once, in tokens of `tokenizer`, each piece \
         counted by itself: three fifths to decide on, and up to a fifth of context on each side.",
    )
    .more("A text that is no longer is one window.")
    .concerns(&["tokenizer"]),
    Opt::new(
        "piece_max",
        PIECE_MAX,
        Derived,
        "The largest size of a piece: sentences of a paragraph are joined up to it.",
    )
    .more(
        "50 tokens or 200 characters by default, but at most the limit. A longer sentence is a \
         piece by itself, up to three fifths of a window (of four characters to a token, if the \
         limit is in characters).",
    )
    .concerns(LIMITS),
    EVENLY,
];

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

/// Those of `own_boundaries`.
const OWN_BOUNDARIES: [Opt; 1] = [EVENLY];

const EVENLY: Opt = Opt::new(
    "soft_max",
    SOFT_MAX,
    Derived,
    "Where a text is over the limit, it is divided into even chunks, each of which ends between \
     this size and the limit if a boundary is there; half of the limit by default.",
)
.concerns(LIMITS);

/// What a strategy of somebody else's is made of: each sentence is a piece, however long.
fn own_boundaries(making: &mut Making<'_>) -> Result<Strategy> {
    let asked = making.asked("strategy", "something that says where chunks begin")?;
    let segments = Segments::Joined { language: making.language()?, max: 1, whole: MAX_SIZE };
    Ok(Strategy::Given { segments, asked })
}
