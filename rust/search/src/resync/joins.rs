//! Neighbours that become one chunk.

use chunkwright_text::error::Result;
use chunkwright_text::span::{Piece, Role, Span};

use super::chunk::Chunk;
use super::limit::Limit;
use super::version::{Version, Window};

/// An edit of no more chunks makes at most one more of them, if that fits.
const FEW: usize = 8;

/// Chunks, each with whether it was clipped: what was is joined with its neighbour, where both fit.
pub(super) fn without_slivers(
    parts: Vec<(Chunk, bool)>,
    text: Version<'_>,
    limit: &Limit<'_>,
) -> Result<Vec<Chunk>> {
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut was_clipped = false;
    for (part, is_clipped) in parts {
        let joined = match chunks.last() {
            Some(last) if is_clipped || was_clipped => joined(last, &part, text, limit)?,
            _ => None,
        };
        if joined.is_some() {
            chunks.pop();
        }
        chunks.push(joined.unwrap_or(part));
        was_clipped = is_clipped;
    }
    Ok(chunks)
}

/// The chunks of a window, with neighbours joined, the smallest first, where a small edit has made more than one
/// more of them.
///
/// A strategy may cut a part of a text in another way than it cuts that part within the whole.
pub(super) fn fewer(
    mut chunks: Vec<Chunk>,
    window: Window,
    text: Version<'_>,
    limit: &Limit<'_>,
) -> Result<Vec<Chunk>> {
    let most = window.n_old + 1;
    if window.n_old > FEW
        || chunks.len() <= most
        || limit.ruler.size(text.part(window.span))? > most.saturating_mul(limit.most)
    {
        return Ok(chunks);
    }
    while chunks.len() > most {
        let mut smallest: Option<(usize, Chunk)> = None;
        for (i, pair) in chunks.windows(2).enumerate() {
            if let Some(both) = joined(&pair[0], &pair[1], text, limit)?
                && smallest.as_ref().is_none_or(|(_, smallest)| both.size < smallest.size)
            {
                smallest = Some((i, both));
            }
        }
        let Some((i, both)) = smallest else { break };
        chunks.splice(i..i + 2, [both]);
    }
    Ok(chunks)
}

/// Two chunks as one; none if something keeps them apart, or they do not fit.
fn joined(
    one: &Chunk,
    other: &Chunk,
    text: Version<'_>,
    limit: &Limit<'_>,
) -> Result<Option<Chunk>> {
    let (own, others) = (one.body(), other.body());
    if !(one.is_plain() && other.is_plain()) || text.is_heading(others.start) {
        return Ok(None);
    }
    let body = Piece { role: Role::Body, span: Span::new(own.start, others.end) };
    let both = limit.measured(Chunk::new(one.repeated().chain([body]).collect(), 0), text)?;
    Ok((both.size <= limit.most).then_some(Chunk { part: one.part, ..both }))
}
