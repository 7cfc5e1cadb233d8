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
        "Cut at the largest distances between small pieces, with a threshold that gives chunks of \
         the size wanted.",
        &[&SIZES, &OVER_PIECES, &SEMANTIC, &SMALL_PIECES],
        &KAMRADT_MODIFIED,
        kamradt_modified,
    ),
    row(
        "cluster",
        "Cluster",
        "Choose all cuts of a text together, so that similar pieces share a chunk.",
        &[&SIZES, &OVER_PIECES, &SEMANTIC, &SMALL_PIECES],
        &CLUSTER,
        cluster,
    ),
    row(
        "discontinuity",
        "Discontinuity",
        "Cut between sentences where the text before and after is least similar.",
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
    "Where a text is over the limit, each chunk of it ends at the best boundary between this size \
     and the limit; half of the limit by default.",
)
.concerns(LIMITS);

/// Those of `kamradt`.
const KAMRADT: [Opt; 6] = [
    Opt::new(
        "window",
        Kind::Count { least: 0, most: MAX_WINDOW, unit: "sentences" },
        Count(1),
        "The number of sentences on each side that are embedded with a sentence.",
    ),
    Opt::new(
        "threshold",
        Kind::Name(&["percentile", "standard_deviation", "interquartile", "gradient"]),
        Name("percentile"),
        "How the threshold is set: at a `\"percentile\"` of the distances; at a number of \
         `\"standard_deviation\"`s or `\"interquartile\"` ranges above their mean; or, with \
         `\"gradient\"`, at a percentile of the gradient, which is then compared in place of the \
         distances.",
    )
    .concerns(&["amount", "n_chunks"]),
    Opt::new(
        "amount",
        Kind::Number(None),
        Derived,
        "The percentile (0 to 100) or the factor of `threshold`: by default 95, 3, 1.5 and 95, in \
         the order above.",
    )
    .concerns(&["threshold"]),
    Opt::new(
        "n_chunks",
        Kind::Count { least: 1, most: MAX_SIZE, unit: "chunks" },
        Derived,
        "The number of chunks that you want, in place of `threshold` and `amount`.",
    )
    .more("The limit, `min_size` and equal distances may give more or fewer.")
    .concerns(&["threshold", "amount", "min_size"]),
    Opt::new(
        "min_size",
        MIN_SIZE,
        Derived,
        "The smallest size at which a distance may end a chunk; 0 by default.",
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
        "What `target_size` means: the `\"average\"` size of chunks, so that some are longer, or \
         the largest one (`\"max\"`), so that longer sentences are divided.",
    )
    .concerns(&["target_size"]),
    Opt::new(
        "target_size",
        Kind::Size { least: 1, most: Most::Limit },
        Derived,
        "The size that the threshold is searched for.",
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
        "The number of pieces on each side that are embedded with a piece.",
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
        "The mean that each cosine is compared with: that of all pairs of the text \
         (`\"global\"`), or of the pairs near enough to share a chunk (`\"local\"`).",
    ),
    Opt::new(
        "soft_max",
        SOFT_MAX,
        Derived,
        "The size up to which pieces are joined; the limit by \
                                             default.",
    )
    .more("A single piece may be larger.")
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
        "The number of sentences on each side of a boundary that are compared.",
    ),
    Opt::new(
        "soft_max",
        SOFT_MAX,
        Derived,
        "The smallest size at which a chunk may end; half of the limit by default.",
    )
    .concerns(LIMITS),
];

fn discontinuity(making: &mut Making<'_>) -> Result<Strategy> {
    let segments = Segments::Sentences(making.language()?);
    let window = making.options.count("window");
    making.semantic(segments, Scoring::Discontinuity { window })
}
