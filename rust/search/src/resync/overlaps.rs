//! Overlaps of chunks whose neighbours have changed.

use chunkwright_text::error::Result;
use chunkwright_text::span::{Piece, Role, Span};
use chunkwright_text::unicode::space::{follows_space, is_space};

use super::chunk::Chunk;
use super::limit::Limit;
use super::untouched::Kept;
use super::version::Version;

/// After so many starts that do not fit there is no overlap, as where whole texts are cut.
const MAX_TRIES: usize = 64;
/// Bytes that a unit of a limit has at most in most texts.
const BYTES_A_UNIT: usize = 8;

/// How far chunks reach back into those before them.
#[derive(Clone, Copy, Debug)]
pub struct Overlaps {
    /// The longest overlap, in the unit of the limit; 0 where none is made.
    pub most: usize,
    /// Whether every chunk overlaps the one before: strategies over elements do so within one.
    pub is_added: bool,
}

/// The chunks of a new text: what is kept, and what was cut `fresh`; in order, each with an overlap that lies in the
/// chunk before, and the number of the old chunk that it is.
///
/// # Errors
/// Those of the ruler.
pub fn merged(
    kept: Vec<Kept>,
    fresh: Vec<Chunk>,
    text: Version<'_>,
    limit: &Limit<'_>,
    overlaps: Overlaps,
) -> Result<Vec<(Chunk, Option<usize>)>> {
    let kept = kept.into_iter().map(|kept| (kept.chunk, Some(kept.ordinal)));
    let mut chunks: Vec<_> = kept.chain(fresh.into_iter().map(|chunk| (chunk, None))).collect();
    chunks.sort_by_key(|(chunk, _)| chunk.body());
    let mut before: Option<Span> = None;
    for (chunk, _) in &mut chunks {
        let body = chunk.body();
        *chunk = overlapping(chunk.clone(), before, text, limit, overlaps)?;
        before = Some(body);
    }
    Ok(chunks)
}

/// A chunk with an overlap that lies in the own text of the chunk `before`.
fn overlapping(
    chunk: Chunk,
    before: Option<Span>,
    text: Version<'_>,
    limit: &Limit<'_>,
    overlaps: Overlaps,
) -> Result<Chunk> {
    let begin = chunk.body().start;
    let is_own = |piece: &Piece| piece.role == Role::Overlap && piece.span.end <= begin;
    let own = chunk.pieces.iter().filter(|&piece| is_own(piece));
    let floor = before.map_or(begin, |before| before.start);
    match own.map(|piece| piece.span.start).min() {
        Some(start) if start < floor => {
            let pieces = chunk.pieces.iter().copied().filter(|piece| !is_own(piece)).collect();
            let bare = limit.measured(Chunk { pieces, ..chunk }, text)?;
            with_overlap(bare, floor, text, limit, overlaps.most)
        }
        None if overlaps.is_added && before.is_some_and(|before| before.end <= begin) => {
            with_overlap(chunk, floor, text, limit, overlaps.most)
        }
        _ => Ok(chunk),
    }
}

/// A chunk with as long an overlap from `floor` on as fits.
fn with_overlap(
    chunk: Chunk,
    floor: usize,
    text: Version<'_>,
    limit: &Limit<'_>,
    most: usize,
) -> Result<Chunk> {
    let begin = chunk.body().start;
    let leads = chunk.pieces.first().is_some_and(|piece| piece.role == Role::Body);
    let at = floor.max(begin.saturating_sub(most.saturating_mul(BYTES_A_UNIT)));
    if most == 0 || !leads || at >= begin {
        return Ok(chunk);
    }
    let at = (at..begin).find(|&at| text.text().is_char_boundary(at)).unwrap_or(begin);
    let part = text.part(Span::new(at, begin));
    let begins_word = |&(i, c): &(usize, char)| !is_space(c) && follows_space(part, i);
    let starts: Vec<_> = part.char_indices().filter(begins_word).map(|(i, _)| i).collect();
    for &i in &starts[starts.len().saturating_sub(MAX_TRIES)..] {
        if limit.ruler.size(&part[i..])? > most {
            continue;
        }
        let overlap = Piece::overlap(Span::new(at + i, begin));
        let pieces = [overlap].into_iter().chain(chunk.pieces.iter().copied()).collect();
        let wide = limit.measured(Chunk { pieces, ..chunk.clone() }, text)?;
        if wide.size <= limit.most {
            return Ok(wide);
        }
    }
    Ok(chunk)
}
