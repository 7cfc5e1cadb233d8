//! Options of single strategies that compare pieces of a text, or ask about them.

use super::DefaultValue::{Count, Derived, Name};
use super::families::{LIMITS, MIN_SIZE, PIECE_MAX, SOFT_MAX};
use super::{Kind, MAX_SIZE, Most, StrategyOption as Opt};

/// Each piece is embedded once for every window that it is in.
const MAX_WINDOW: usize = 100;

/// What a language model is shown of a text at once, in tokens.
const WINDOW_TOKENS: usize = 800;

/// Room for a piece of the usual size.
const LEAST_WINDOW: usize = 50;

const DIVIDED: Opt = Opt::new(
    "soft_max",
    SOFT_MAX,
    Derived,
    "What is over the limit is divided into chunks that end from this size on, where a \
     boundary is within reach; half of the limit by default.",
)
.concerns(LIMITS);

/// Those of `kamradt`.
pub const KAMRADT: [Opt; 6] = [
    Opt::new(
        "window",
        Kind::Count { least: 0, most: MAX_WINDOW, unit: "sentences" },
        Count(1),
        "How many sentences on each side are embedded with a sentence.",
    ),
    Opt::new(
        "threshold",
        Kind::Name(&["percentile", "standard_deviation", "interquartile", "gradient"]),
        Name("percentile"),
        "Where the threshold lies: at a `\"percentile\"` of the distances; so many \
         `\"standard_deviation\"` or `\"interquartile\"` ranges above their mean; or, for \
         `\"gradient\"`, at a percentile of how fast they grow, with which that is compared.",
    )
    .concerns(&["amount", "n_chunks"]),
    Opt::new(
        "amount",
        Kind::Number(None),
        Derived,
        "The percentile (0 to 100) or the factor: 95, 3, 1.5 or 95 by default.",
    )
    .concerns(&["threshold"]),
    Opt::new(
        "n_chunks",
        Kind::Count { least: 1, most: MAX_SIZE, unit: "chunks" },
        Derived,
        "How many chunks are wanted, in place of `threshold` and `amount`.",
    )
    .more("Limit, `min_size` and equal distances may make it more or fewer.")
    .concerns(&["threshold", "amount", "min_size"]),
    Opt::new(
        "min_size",
        MIN_SIZE,
        Derived,
        "What a chunk must have for a distance to end it, in the unit of the limit; 0 by default.",
    )
    .concerns(LIMITS),
    DIVIDED,
];

/// Those of `kamradt_modified`.
pub const KAMRADT_MODIFIED: [Opt; 4] = [
    Opt::new(
        "target",
        Kind::Name(&["average", "max"]),
        Name("average"),
        "What the size is of: of chunks on `\"average\"`, which leaves some of them long, or of \
         the largest one (`\"max\"`), for which sentences over that size are divided.",
    )
    .concerns(&["target_size"]),
    Opt::new(
        "target_size",
        Kind::Size { least: 1, most: Most::Limit },
        Derived,
        "The size, in the unit of the limit.",
    )
    .more(
        "By default `soft_max` if given, else the limit for `\"max\"` and half of it for \
         `\"average\"`.",
    )
    .concerns(&["target", "soft_max", "max_tokens", "max_chars"]),
    Opt::new(
        "window",
        Kind::Count { least: 0, most: MAX_WINDOW, unit: "pieces" },
        Count(3),
        "How many pieces on each side are embedded with a piece.",
    ),
    DIVIDED,
];

/// Those of `cluster`.
pub const CLUSTER: [Opt; 2] = [
    Opt::new(
        "mean",
        Kind::Name(&["global", "local"]),
        Name("global"),
        "What a cosine is compared with: the mean of all pairs of the text (`\"global\"`), or of \
         those that are near enough to be in one chunk (`\"local\"`).",
    ),
    Opt::new("soft_max", SOFT_MAX, Derived, "What pieces are joined up to; the limit by default.")
        .more("A piece by itself may have more.")
        .concerns(LIMITS),
];

/// Those of `discontinuity`.
pub const DISCONTINUITY: [Opt; 2] = [
    Opt::new(
        "window",
        Kind::Count { least: 1, most: MAX_WINDOW, unit: "sentences" },
        Count(3),
        "How many sentences on each side of a boundary are compared.",
    ),
    Opt::new(
        "soft_max",
        SOFT_MAX,
        Derived,
        "The size from which on a chunk may end; half of the limit by default.",
    )
    .concerns(LIMITS),
];

const EVENLY: Opt = Opt::new(
    "soft_max",
    SOFT_MAX,
    Derived,
    "What is over the limit is divided into even chunks that end from this size on, where a \
     boundary is within reach; half of the limit by default.",
)
.concerns(LIMITS);

/// Those of `llm`.
pub const LLM: [Opt; 5] = [
    Opt::new(
        "llm",
        Kind::LanguageModel,
        Derived,
        "The model: an adapter such as `OpenAIChat`, a function, or a `Runner`, which has the \
         concurrency, the cache, the budget and the prices.",
    ),
    Opt::new(
        "prompt",
        Kind::Prompt,
        Derived,
        "A prompt of one's own, or the path of its file; see `Prompt`.",
    )
    .more("It has places for `$pieces`, `$first` and `$last`."),
    Opt::new(
        "window_tokens",
        Kind::Count { least: LEAST_WINDOW, most: MAX_SIZE, unit: "tokens" },
        Count(WINDOW_TOKENS),
        "What a model is shown of a text at once, in tokens of `tokenizer`, each piece counted by \
         itself: three fifths to be decided on, and up to a fifth of context on each side.",
    )
    .more("A text of no more is one window.")
    .concerns(&["tokenizer"]),
    Opt::new(
        "piece_max",
        PIECE_MAX,
        Derived,
        "The size up to which sentences of a paragraph are joined, in the unit of the limit: 50 \
         tokens or 200 characters by default, and at most all of the limit.",
    )
    .more(
        "A longer sentence is a piece by itself, up to three fifths of a window (of four \
         characters to a token, if the limit is in characters).",
    )
    .concerns(LIMITS),
    EVENLY,
];

/// Those of `own_boundaries`.
pub const OWN_BOUNDARIES: [Opt; 1] = [EVENLY];
