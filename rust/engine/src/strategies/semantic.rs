//! Strategies that compare vectors of pieces of a text: rows, options and makers.

use chunkwright_text::cut::semantic::{Mean, Scoring, Segments, Target, Threshold};
use chunkwright_text::cut::strategy::Strategy;
use chunkwright_text::error::{Error, Message, Result};
use serde_json::Value;

use super::making::Making;
use super::values::Options;
use super::{StrategyRow as Row, row};
use crate::options::DefaultValue::{Count, Derived, Name};
use crate::options::families::{
    LIMITS, MIN_SIZE, OVER_PIECES, SEMANTIC, SIZES, SMALL_PIECES, SOFT_MAX,
};
use crate::options::{Kind, MAX_SIZE, Most, Range, StrategyOption as Opt, shown};

/// The strategies.
pub static ROWS: &[Row] = &[
    row(
        "kamradt",
        "Kamradt",
        "Cut between sentences where the distance of their vectors exceeds a threshold.",
        &[&SIZES, &OVER_PIECES, &SEMANTIC],
        &KAMRADT,
        kamradt,
    ),
    row(
        "kamradt_modified",
        "KamradtModified",
        "Cut at the largest distances between small pieces, the threshold searched for a size.",
        &[&SIZES, &OVER_PIECES, &SEMANTIC, &SMALL_PIECES],
        &KAMRADT_MODIFIED,
        kamradt_modified,
    ),
    row(
        "cluster",
        "Cluster",
        "Choose all cuts of a text together, so that chunks are made of pieces that are alike.",
        &[&SIZES, &OVER_PIECES, &SEMANTIC, &SMALL_PIECES],
        &CLUSTER,
        cluster,
    ),
    row(
        "discontinuity",
        "Discontinuity",
        "Cut between sentences where what stands before and behind is least alike.",
        &[&SIZES, &OVER_PIECES, &SEMANTIC],
        &DISCONTINUITY,
        discontinuity,
    ),
];

/// Each piece is embedded once for every window that it is in.
const MAX_WINDOW: usize = 100;

const DIVIDED: Opt = Opt::new(
    "soft_max",
    SOFT_MAX,
    Derived,
    "What is over the limit is divided into chunks that end from this size on, where a \
     boundary is within reach; half of the limit by default.",
)
.concerns(LIMITS);

/// Those of `kamradt`.
const KAMRADT: [Opt; 6] = [
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

/// Those of `kamradt_modified`.
const KAMRADT_MODIFIED: [Opt; 4] = [
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

/// Those of `cluster`.
const CLUSTER: [Opt; 2] = [
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

fn cluster(making: &mut Making<'_>) -> Result<Strategy> {
    let mean = if making.options.name("mean") == "local" { Mean::Local } else { Mean::Global };
    let (language, max) = (making.language()?, making.piece_max()?);
    let segments = Segments::Joined { language, max, whole: usize::MAX };
    making.semantic(segments, Scoring::Cluster { mean })
}

/// Those of `discontinuity`.
const DISCONTINUITY: [Opt; 2] = [
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

fn discontinuity(making: &mut Making<'_>) -> Result<Strategy> {
    let segments = Segments::Sentences(making.language()?);
    let window = making.options.count("window");
    making.semantic(segments, Scoring::Discontinuity { window })
}
