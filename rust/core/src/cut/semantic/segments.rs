//! Segmentation of a text into pieces, before anything is known of what it means.

use super::Segments;
use super::sentences::{Sizes, sentences};
use crate::chunks::Chunks;
use crate::cut::chunker::Chunker;
use crate::cut::levels::Natural;
use crate::cut::pack::add_chunks;
use crate::error::Result;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt};
use crate::pulse::Pulse;
use crate::segment::nearby::Nearby;
use crate::segment::sentence::Language;
use crate::unicode::space::skip_space;

/// What has less than this fraction of what sentences are joined up to is no piece by itself: 10 tokens of 50.
const THIN: usize = 5;

/// The segments of `text`, each a chunk of at most `max` units: in order and disjoint, they leave out
/// nothing but whitespace.
///
/// O(n) in the text's length.
///
/// # Errors
/// Those of the measure, and what `pulse` says.
pub fn segments(
    text: &str,
    measure: &dyn Measure,
    max: usize,
    kind: Segments,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    match kind {
        Segments::Sentences(language) => {
            let sizes = Sizes { max, part: max, most: 0, least: 0 };
            sentences(text, measure, sizes, language, pulse)
        }
        Segments::Joined { language, max: most, whole } => {
            let part = most.clamp(1, max);
            let sizes = Sizes { max: whole.clamp(part, max), part, most: part, least: part / THIN };
            sentences(text, measure, sizes, language, pulse)
        }
        Segments::Small { language, max: most } => {
            small(text, measure, most.clamp(1, max), language, pulse)
        }
    }
}

/// As much as fits, up to the strongest boundary.
fn small(
    text: &str,
    measure: &dyn Measure,
    max: usize,
    language: Language,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let limits = Limits::new(max, None, 0)?;
    let mut chunker = Chunker::new(text, measure, limits, OverlapAt::Any, pulse);
    let mut levels = [
        Natural::Paragraphs(text),
        Natural::Lines(text),
        Natural::Nearby(Box::new(Nearby::new(text, language, pulse))),
        Natural::Clauses(text),
        Natural::Words(text),
    ];
    add_chunks(&mut chunker, &mut levels, skip_space(text, 0), text.len())?;
    Ok(chunker.chunks)
}
