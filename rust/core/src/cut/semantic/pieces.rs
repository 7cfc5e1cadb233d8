//! What a text is taken apart into, before anything is known of what it means.

use super::Pieces;
use crate::chunks::Chunks;
use crate::cut::chunker::Chunker;
use crate::cut::levels::Natural;
use crate::cut::pack::add_chunks;
use crate::error::Result;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt, Pulse};
use crate::segment::nearby::Nearby;
use crate::segment::sentence::{Language, Sentences};
use crate::segment::space::{skip_space, trim_end};

/// The pieces of `text`, each a chunk of at most `max` units: in order and disjoint, they leave out
/// nothing but whitespace.
///
/// O(n) in the text's length.
///
/// # Errors
/// Those of the measure, and what `pulse` says.
pub fn pieces(
    text: &str,
    measure: &dyn Measure,
    max: usize,
    kind: Pieces,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    match kind {
        Pieces::Sentences(language) => sentences(text, measure, max, language, pulse),
        Pieces::Small { language, max: most } => {
            small(text, measure, most.clamp(1, max), language, pulse)
        }
    }
}

/// Sentences; one over the limit is cut at its lines, clauses or words.
fn sentences(
    text: &str,
    measure: &dyn Measure,
    max: usize,
    language: Language,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let limits = Limits::new(max, None, 0)?;
    let mut chunker = Chunker::new(text, measure, limits, OverlapAt::Any, pulse);
    let mut levels = [Natural::Lines(text), Natural::Clauses(text), Natural::Words(text)];
    let mut sentences = Sentences::in_language(text, language);
    while let Some(sentence) = sentences.try_next(pulse)? {
        // The first of it may be in the chunk before already.
        let start = sentence.start.max(chunker.done()).min(sentence.end);
        let start = skip_space(&text[..sentence.end], start);
        let end = trim_end(text, start, sentence.end);
        if start < end && chunker.fits(start, end)? {
            chunker.push(start, start, end)?;
        } else {
            add_chunks(&mut chunker, &mut levels, start, end)?;
        }
    }
    Ok(chunker.chunks)
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
