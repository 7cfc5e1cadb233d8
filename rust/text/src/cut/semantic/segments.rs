//! Segmentation of a text into pieces, before anything is known of what it means.

use super::Segments;
use super::sentences::{Sizes, sentences};
use crate::chunks::Chunks;
use crate::cut::structure::{Next, Structure};
use crate::error::Result;
use crate::markup::Markup;
use crate::measure::Measure;
use crate::options::Limits;
use crate::pulse::{Beat, CHUNK_BYTES, Pulse};
use crate::segment::lead_in::{Led, MAX_RUN};
use crate::span::Span;
use crate::unicode::space::{skip_space, trim_end};

/// What has less than this fraction of what sentences are joined up to is no piece by itself: 10 tokens of 50.
const THIN: usize = 5;

/// The segments of `text`, each a chunk of at most `max` units: in order and disjoint, they leave out
/// nothing but whitespace.
///
/// A code block of the `markup` that fits is one segment, and so are a line that ends in a colon and the first
/// of the list, code or table that it leads to, so that no score can part them. O(n) in the text's length.
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn segments(
    text: &str,
    markup: Markup,
    measure: &dyn Measure,
    max: usize,
    kind: Segments,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let (language, sizes) = match kind {
        Segments::Sentences(language) => {
            (language, Sizes { max, part: max, most: 0, least: 0, block: max })
        }
        Segments::Joined { language, max: most, whole } => {
            let part = most.clamp(1, max);
            let whole = whole.clamp(part, max);
            (language, Sizes { max: whole, part, most: part, least: part / THIN, block: max })
        }
    };
    let found = sentences(text, markup, measure, sizes, language, pulse)?;
    let limits = Limits::new(max, None, 0)?;
    let structure = Structure::of(text, markup, Next::Sentence(language), measure, limits);
    with_lead_ins(text, structure.as_ref(), measure, max, &found, pulse)
}

/// The segments `found`, of which each that ends with a lead-in is joined with the next one, or with the code
/// block at its start, if both have at most `max` units. O(n): a segment is made of a few.
fn with_lead_ins(
    text: &str,
    structure: Option<&Structure<'_>>,
    measure: &dyn Measure,
    max: usize,
    found: &Chunks,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let (mut joined, mut n_joined, beat) = (Chunks::default(), 0, Beat::of_bytes(pulse));
    for i in 0..found.len() {
        beat.after(CHUNK_BYTES)?;
        let (mut span, mut size, mut is_oversize) =
            (found.body(i), found.sizes()[i], found.is_oversize(i));
        let led = Led::at(text, span.start).filter(|_| n_joined < MAX_RUN);
        n_joined = if led.is_some() { n_joined + 1 } else { 0 };
        if let Some((last, led)) = joined.last_body().zip(led) {
            let block = structure.and_then(|kept| kept.block_of(led));
            let block = block.map(|block| trim_end(text, last.start, block.end));
            for end in [Some(span.end), block.filter(|&end| end < span.end)].into_iter().flatten() {
                let together = measure.size(Span::new(last.start, end))?;
                if together <= max {
                    joined.pop();
                    joined.push(last.start, last.start, end, together);
                    span.start = skip_space(text, end).min(span.end);
                    (size, is_oversize) = (measure.size(span)?, false);
                    break;
                }
            }
        }
        if span.is_empty() {
            continue;
        }
        joined.push(span.start, span.start, span.end, size);
        if is_oversize {
            joined.mark_oversize();
        }
    }
    Ok(joined)
}
