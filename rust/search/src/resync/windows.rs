//! Windows between kept chunks, and the chunks that are made in them.

use chunkwright_text::error::Result;
use chunkwright_text::span::{Piece, Role, Span};
use chunkwright_text::unicode::space::is_space;

use super::chunk::Chunk;
use super::joins::{fewer, without_slivers};
use super::limit::Limit;
use super::untouched::Kept;
use super::version::{Version, Window};

/// A window of new text alone takes in the chunk before it if it has less than this share of the limit: else a
/// sentence between two chunks would be a chunk by itself.
const SMALL: usize = 4;

/// The chunks that stay of those that are `kept` in `text`, and the windows between them, in order; `n_old` is the
/// number of chunks that `before` had.
///
/// # Errors
/// Those of the ruler.
pub fn windows(
    kept: Vec<Kept>,
    [before, text]: [Version<'_>; 2],
    limit: &Limit<'_>,
    n_old: usize,
) -> Result<(Vec<Kept>, Vec<Window>)> {
    let (mut left, mut windows): (Vec<Kept>, Vec<Window>) = (Vec::new(), Vec::new());
    // Where the text begins that is not looked at yet, how many old chunks come before it, and the old gap there.
    let (mut at, mut next, mut gap) = (0, 0, Span::default());
    let end = Span::new(text.text().len(), text.text().len());
    for kept in kept.into_iter().map(Some).chain([None]) {
        let place = kept.as_ref().map_or(end, |kept| kept.chunk.body());
        let ordinal = kept.as_ref().map_or(n_old, |kept| kept.ordinal);
        let span = Span::new(at, place.start);
        let is_same = ordinal == next && words(text.part(span)).eq(words(before.part(gap)));
        if words(text.part(span)).next().is_some() && !is_same {
            let n_gone = ordinal.saturating_sub(next);
            let window = Window { span, n_old: n_gone };
            let last = left.pop_if(|last| n_gone == 0 && last.ordinal + 1 == next);
            match last {
                // Nothing is gone: the new text goes to the chunk before it.
                Some(last) if joins(text, span, limit)? => {
                    let span = Span::new(last.chunk.body().start, span.end);
                    windows.push(Window { span, n_old: 1 });
                }
                last => {
                    left.extend(last);
                    windows.push(window);
                }
            }
        }
        if let Some(kept) = kept {
            (at, next, gap) = (place.end, kept.ordinal + 1, kept.gap);
            left.push(kept);
        }
    }
    Ok((left, windows))
}

/// The chunks of `window` of `text`, which has been `cut` as a text by itself.
///
/// # Errors
/// Those of the ruler.
pub fn cut_alone(
    window: Window,
    text: Version<'_>,
    cut: Vec<Chunk>,
    limit: &Limit<'_>,
) -> Result<Vec<Chunk>> {
    let chunks = cut.into_iter().map(|chunk| chunk.moved(window.span.start)).collect();
    fewer(chunks, window, text, limit)
}

/// The chunks of `window`, of the `cut` of the whole text.
///
/// # Errors
/// Those of the ruler.
pub fn clipped(
    window: Window,
    text: Version<'_>,
    cut: &[Chunk],
    limit: &Limit<'_>,
) -> Result<Vec<Chunk>> {
    let mut parts = Vec::new();
    for chunk in cut {
        let Span { start, end } = chunk.body();
        if start >= window.span.end || end <= window.span.start {
            continue;
        }
        if window.span.start <= start && end <= window.span.end {
            parts.push((chunk.clone(), false));
        } else if let Some(part) = clip(chunk, window, text, limit)? {
            parts.push((part, true));
        }
    }
    fewer(without_slivers(parts, text, limit)?, window, text, limit)
}

/// The `kept` chunks without those that a table of the new `cut` reaches into, but is not.
///
/// Tables are cut between rows, and repeat their headers: they are kept or cut as a whole.
pub fn beside(mut kept: Vec<Kept>, cut: &[Chunk]) -> Vec<Kept> {
    for table in cut.iter().filter(|chunk| !chunk.is_plain()).map(Chunk::body) {
        let meets = |body: Span| body.start < table.end && table.start < body.end;
        let mut met = kept.iter().map(|kept| kept.chunk.body()).filter(|&body| meets(body));
        if met.next() != Some(table) || met.next().is_some() {
            kept.retain(|kept| !meets(kept.chunk.body()));
        }
    }
    kept
}

/// Whether new text is too little for a chunk, and of the section before it.
fn joins(text: Version<'_>, span: Span, limit: &Limit<'_>) -> Result<bool> {
    let own = text.trimmed(span);
    Ok(!text.is_heading(own.start) && limit.ruler.size(text.part(own))? * SMALL < limit.most)
}

/// What a chunk has in a window; none if that is nothing but whitespace.
fn clip(
    chunk: &Chunk,
    window: Window,
    text: Version<'_>,
    limit: &Limit<'_>,
) -> Result<Option<Chunk>> {
    let body = chunk.body();
    let (start, end) = (body.start.max(window.span.start), body.end.min(window.span.end));
    let own = text.trimmed(Span::new(start, end));
    if own.is_empty() {
        return Ok(None);
    }
    let repeated = chunk.repeated().filter(|_| own.start == body.start);
    let pieces = repeated.chain([Piece { role: Role::Body, span: own }]).collect();
    limit.measured(Chunk { pieces, ..chunk.clone() }, text).map(Some)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}
