//! Old chunks that stand in the new text.

use std::collections::BTreeMap;

use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::span::{Piece, Role, Span};

use super::chunk::Chunk;
use super::limit::Limit;
use super::version::Version;
use crate::align::{Block, block_places};

/// An old chunk in the new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its number among the old ones.
    pub ordinal: usize,
    /// What restores it from the new text.
    pub chunk: Chunk,
    /// What stood between it and the next one, in the old text.
    pub gap: Span,
}

/// The chunks `old` of the text `before` that stand in `text`, in its order, and fit or never did; those alone whose
/// elements are as they were if chunks are made `by_elements`.
///
/// # Errors
/// Those of the ruler and the pulse.
pub fn untouched(
    [before, text]: [Version<'_>; 2],
    old: &[Chunk],
    limit: &Limit<'_>,
    by_elements: bool,
    pulse: Pulse<'_>,
) -> Result<Vec<Kept>> {
    let places = places([before, text], old, pulse)?;
    let mut by_place: Vec<_> = places.iter().map(|(&i, &place)| (old[i].body(), place)).collect();
    by_place.sort_unstable();
    let moved = Moved { before, text, places: &by_place, limit };
    let mut kept = Vec::new();
    for (&ordinal, &place) in &places {
        let body = old[ordinal].body();
        let Some(chunk) = moved.chunk(&old[ordinal], place)? else { continue };
        let is_same = !by_elements || before.is_shaped_as(body, text, place);
        if is_same && (chunk.size <= limit.most || chunk.is_oversize) {
            let next = old.get(ordinal + 1).map_or(before.text().len(), |next| next.body().start);
            kept.push(Kept { ordinal, chunk, gap: Span::new(body.end, next.max(body.end)) });
        }
    }
    kept.sort_by_key(|kept| kept.chunk.body());
    Ok(kept)
}

/// Where the own texts of old chunks stand in the new text, with the whitespace that they had at their ends if that
/// is still there.
fn places(
    [before, text]: [Version<'_>; 2],
    old: &[Chunk],
    pulse: Pulse<'_>,
) -> Result<BTreeMap<usize, Span>> {
    let numbers: Vec<_> = (0..old.len()).filter(|&i| old[i].is_whole()).collect();
    let block = |&i: &usize| Block::of(before.text(), old[i].body());
    let blocks: Vec<_> = numbers.iter().map(block).collect();
    let found = block_places(text.text(), &blocks, pulse)?;
    let known = numbers.into_iter().zip(found);
    let mut places: Vec<_> = known.filter_map(|(i, place)| Some((place?, i))).collect();
    places.sort_unstable();
    let mut free = 0;
    let with_whitespace = |(place, i): (Span, usize)| {
        let body = old[i].body();
        let inner = before.trimmed(body);
        let led = before.part(Span::new(body.start, inner.start));
        let trailed = before.part(Span::new(inner.end, body.end));
        let start = place.start.checked_sub(led.len());
        let start = start.filter(|&start| start >= free && text.has(led, start));
        let trailed = if text.has(trailed, place.end) { trailed.len() } else { 0 };
        free = place.end + trailed;
        (i, Span::new(start.unwrap_or(place.start), free))
    };
    Ok(places.into_iter().map(with_whitespace).collect())
}

/// Old chunks at their places in the new text, with what they repeat.
struct Moved<'m> {
    before: Version<'m>,
    text: Version<'m>,
    /// Where own texts stood, ascending, and where they stand.
    places: &'m [(Span, Span)],
    limit: &'m Limit<'m>,
}

impl Moved<'_> {
    /// An old chunk at its new place; none if what it repeats is not as it was.
    fn chunk(&self, old: &Chunk, place: Span) -> Result<Option<Chunk>> {
        let body = old.body();
        let mut pieces: Vec<Piece> = Vec::new();
        for &Piece { role, span } in &old.pieces {
            if role == Role::Body {
                // Parts of the own text that meet are one now.
                if pieces.iter().all(|piece| piece.role != Role::Body) {
                    pieces.push(Piece { role, span: place });
                }
            } else if let Some(span) = self.repeated(span, body, place).or_else(|| {
                (role == Role::Heading).then(|| self.heading(span, place.start)).flatten()
            }) {
                pieces.push(Piece { role, span });
            } else if role != Role::Overlap || span.end > body.start {
                return Ok(None);
            }
            // An overlap of another text is left out; it gets its own again when all chunks have their places.
        }
        let is_same = pieces.len() == old.pieces.len();
        let chunk = Chunk { pieces, ..old.clone() };
        if is_same && self.before.part(body) == self.text.part(place) {
            return Ok(Some(chunk));
        }
        // Its whitespace is another, and so may be its size.
        let chunk = self.limit.measured(chunk, self.text)?;
        let is_oversize = chunk.is_oversize && chunk.size > self.limit.most;
        Ok(Some(Chunk { is_oversize, ..chunk }))
    }

    /// Where the same heading stands in front of a place, if it does.
    fn heading(&self, span: Span, before: usize) -> Option<Span> {
        let heading = self.before.part(span);
        let at = self.text.part(Span::new(0, before)).rfind(heading)?;
        self.text.is_heading(at).then(|| Span::new(at, at + heading.len()))
    }

    /// Where what stood at `span`, and was repeated by the chunk that has moved from `body` to `place`, stands now;
    /// none if something else does.
    fn repeated(&self, span: Span, body: Span, place: Span) -> Option<Span> {
        let at = if span.end == body.start {
            place.start.checked_sub(span.len())?
        } else if span.start == body.end {
            place.end
        } else {
            let by = self.places.partition_point(|(body, _)| body.start <= span.start);
            let (around, now) = self.places.get(by.checked_sub(1)?)?;
            (around.end >= span.end).then(|| now.start + span.start - around.start)?
        };
        let is_same = self.text.has(self.before.part(span), at);
        is_same.then(|| Span::new(at, at + span.len()))
    }
}
