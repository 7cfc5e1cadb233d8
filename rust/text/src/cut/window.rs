//! Window strategy: chunks as long as the limit allows, whatever the text says.
//!
//! The simplest strategy, and the one to compare others with: what it cannot know about a text costs recall in an
//! evaluation, and any other strategy has to make up for what it costs in time.

use super::chunker::{Chunker, Ends};
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::Result;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt};
use crate::pulse::Pulse;
use crate::segment::word;
use crate::unicode::space::is_space;

/// Cuts a document into windows that tile it; windows of whitespace only are left out.
///
/// A window ends between graphemes. With a soft limit below the hard one it ends before the last word
/// that begins between the two, if one does. O(n) in the text's length.
///
/// ```
/// use chunkwright_text::cut::window::window;
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::options::{Limits, OverlapAt};
/// use chunkwright_text::pulse::no_pulse;
///
/// let document = Document::new("one two three four five");
/// let (chars, limits) = (Chars::new(document), Limits::new(12, Some(6), 0)?);
/// let chunks = window(document, &chars, limits, OverlapAt::Any, no_pulse())?;
/// // Between the soft and the hard limit it ends before a word.
/// let bodies: Vec<_> = chunks.spans().map(|span| &document.text()[span.range()]).collect();
/// assert_eq!(bodies, ["one two ", "three four ", "five"]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn window(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let text = document.text();
    let mut chunker = Chunker::new(text, measure, limits, overlap_at, pulse);
    let mut body = 0;
    while body < text.len() {
        body = add_window(&mut chunker, body)?;
    }
    Ok(chunker.chunks)
}

/// Adds the window whose own text begins at `body`; returns where the next one does.
fn add_window(chunker: &mut Chunker<'_>, body: usize) -> Result<usize> {
    let open = chunker.open(body)?;
    let (open, end) = match end_of_window(chunker, open, body)? {
        Some(end) => (open, end),
        // Next to a full overlap the first grapheme may not fit: it gets a window without one.
        None => match end_of_window(chunker, body, body)? {
            Some(end) => (body, end),
            None => (body, chunker.indivisible(body)?),
        },
    };
    if !chunker.text[body..end].chars().all(is_space) {
        chunker.push(open, body, end)?;
    }
    Ok(end)
}

fn end_of_window(chunker: &Chunker<'_>, open: usize, body: usize) -> Result<Option<usize>> {
    let Chunker { text, measure, limits, .. } = chunker;
    let hard = measure.longest(open, limits.hard_max())?;
    if hard < text.len() && limits.soft_max() < limits.hard_max() {
        let soft = measure.longest(open, limits.soft_max())?.max(body);
        // A counter may reach further with less.
        if soft < hard
            && let Some(end) = word::last_start(text, soft, hard)
            && chunker.fits(open, end)?
        {
            return Ok(Some(end));
        }
    }
    chunker.graphemes(open, body, hard, Ends::AsIs)
}
