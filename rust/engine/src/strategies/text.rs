//! Strategies over text that look at sentences, lines or nothing: rows, options and makers.

use chunkwright_text::cut::line_based::Lining;
use chunkwright_text::cut::sentence::Sentencing;
use chunkwright_text::cut::strategy::Strategy;
use chunkwright_text::error::{Error, Message, Result};

use super::making::Making;
use super::values::Options;
use super::{StrategyRow as Row, row};
use crate::options::DefaultValue::{Count, Derived, Flag, Name};
use crate::options::families::{LANGUAGE, LIMITS, OVERLAP_AT, REPEAT_HEADERS, SIZES, SOFT_MAX};
use crate::options::{Kind, MAX_SIZE, StrategyOption as Opt};

/// The strategies.
pub static ROWS: &[Row] = &[
    row("sentence", "Sentence", "Cut between sentences.", &[&SIZES], &SENTENCE, sentence),
    row(
        "balanced",
        "Balanced",
        "Choose all cuts of a text together, so that chunks are even and begin at strong \
         boundaries.",
        &[&SIZES],
        &BALANCED,
        balanced,
    ),
    row(
        "window",
        "Window",
        "Cut into windows as long as the limit allows, whatever the text says.",
        &[&SIZES],
        &[],
        |_| Ok(Strategy::Window),
    ),
    row(
        "line_based",
        "LineBased",
        "Cut between lines, for texts in which a line says something by itself: logs, lists, \
         records.",
        &[&SIZES],
        &LINE_BASED,
        |making| Ok(line_based(&making.options)),
    ),
];

/// Those of `sentence`.
const SENTENCE: [Opt; 5] = [
    LANGUAGE,
    REPEAT_HEADERS.more("Beside a `window` they do not."),
    Opt::new(
        "sentences",
        Kind::Count { least: 1, most: MAX_SIZE, unit: "sentences" },
        Derived,
        "The number of sentences in each chunk.",
    )
    .more(
        "With it, no limit is needed. If there is one, sentences that exceed it together are cut \
         as if they were a text of their own.",
    )
    .concerns(&["max_tokens", "max_chars"]),
    Opt::new(
        "window",
        Kind::Count { least: 0, most: MAX_SIZE, unit: "sentences" },
        Count(0),
        "The number of neighbouring sentences that a chunk shows on each side, as pieces with the \
         role `\"overlap\"` (sentence-window retrieval).",
    )
    .more(
        "They count towards the limit: if they do not all fit, the outermost are left out, first \
         the one in front. A `soft_max` leaves room for them.",
    )
    .concerns(&["overlap", "soft_max"]),
    Opt::new(
        "overlap_at",
        OVERLAP_AT,
        Name("sentence"),
        "Where an overlap may begin: at a `\"sentence\"` by default.",
    )
    .concerns(&["overlap"]),
];

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
    let repeat_headers = making.options.flag("repeat_headers");
    Ok(Strategy::Sentence(Sentencing { language, sentences, window, repeat_headers }))
}

/// Those of `balanced`.
const BALANCED: [Opt; 3] = [
    LANGUAGE,
    REPEAT_HEADERS,
    Opt::new(
        "soft_max",
        SOFT_MAX,
        Derived,
        "The target size, overlap included: by default three quarters of what the overlap leaves \
         of the limit.",
    )
    .concerns(LIMITS),
];

fn balanced(making: &mut Making<'_>) -> Result<Strategy> {
    let repeat_headers = making.options.flag("repeat_headers");
    Ok(Strategy::Balanced { language: making.language()?, repeat_headers })
}

/// Those of `line_based`.
const LINE_BASED: [Opt; 2] = [
    Opt::new(
        "header_lines",
        Kind::Count { least: 0, most: MAX_SIZE, unit: "lines" },
        Count(0),
        "The number of lines at the start of the text that each later chunk repeats; 0 by \
         default.",
    )
    .more("Blank lines are not counted."),
    Opt::new(
        "omit_header_on_overflow",
        Kind::Flag,
        Flag(false),
        "Whether a line that fits only without the repeated lines stays whole and goes without \
         them.",
    )
    .more("If not, the line is cut, and each part repeats them.")
    .concerns(&["header_lines"]),
];

fn line_based(options: &Options<'_>) -> Strategy {
    Strategy::LineBased(Lining {
        header_lines: options.count("header_lines"),
        omit_header_on_overflow: options.flag("omit_header_on_overflow"),
    })
}
