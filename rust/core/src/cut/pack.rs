//! Chunks as full as the limit allows that end at the strongest boundary within reach.
//!
//! From a chunk's start as much is taken as the limit allows; within that, the chunk ends at the last
//! place of the first level that has one, and where none has, between graphemes. Each chunk is
//! measured as a whole, without the whitespace at both ends.

use super::chunker::Chunker;
use crate::error::Result;
use crate::segment::separator::{Boundary, Places};
use crate::segment::space::skip_space;

/// A place that does not fit although it lies within reach is rare (sizes are nearly monotone): after
/// so many, the next level is tried.
const MAX_TRIES: usize = 16;

/// Boundaries of one strength, asked for from left to right.
pub trait Level {
    /// The last boundary whose cut is in `after + 1..=upto`.
    ///
    /// # Errors
    /// What the pulse says.
    fn last(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>>;

    /// The first boundary whose cut is in `after + 1..=upto`.
    ///
    /// # Errors
    /// What the pulse says.
    fn first(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>>;
}

impl Level for Places<'_, '_> {
    fn last(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>> {
        Ok(Places::last(self, after, upto))
    }

    fn first(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>> {
        Ok(Places::first(self, after, upto))
    }
}

/// How far a chunk may reach: the longest text within the soft and within the hard limit, the
/// whitespace behind it included, since a chunk is measured without.
#[derive(Clone, Copy)]
struct Reach {
    soft: usize,
    hard: usize,
}

/// Adds the chunk whose own text begins at `body` and ends up to `upto`; returns where the next one
/// may begin.
///
/// # Errors
/// Those of the measure, and what the pulse says.
pub fn add_chunk(
    chunker: &mut Chunker<'_>,
    levels: &mut [impl Level],
    body: usize,
    upto: usize,
) -> Result<usize> {
    let open = chunker.open(body)?;
    for open in [open, body] {
        if let Some(boundary) = place(chunker, levels, open, body, upto)? {
            chunker.push(open, body, chunker.trimmed(body, boundary.cut))?;
            return Ok(boundary.next);
        }
        // Next to a full overlap the first grapheme may not fit: it gets a chunk without one.
    }
    let end = chunker.indivisible(body)?;
    chunker.push(body, body, end)?;
    Ok(end)
}

/// Adds chunks until all of `body..upto` is in one.
///
/// # Errors
/// Those of the measure, and what the pulse says.
pub fn add_chunks(
    chunker: &mut Chunker<'_>,
    levels: &mut [impl Level],
    body: usize,
    upto: usize,
) -> Result<()> {
    let mut body = body;
    while body < upto {
        let next = add_chunk(chunker, levels, body, upto)?;
        body = skip_space(chunker.text, next);
    }
    Ok(())
}

/// Where a chunk that starts at `open` ends: at the best place behind `body`, up to `upto`; none if not even
/// the grapheme at `body` fits.
///
/// # Errors
/// Those of the measure, and what the pulse says.
pub fn place(
    chunker: &Chunker<'_>,
    levels: &mut [impl Level],
    open: usize,
    body: usize,
    upto: usize,
) -> Result<Option<Boundary>> {
    let reach = reach(chunker, open, body, upto)?;
    boundary(chunker, levels, open, body, upto, reach)
}

fn reach(chunker: &Chunker<'_>, open: usize, body: usize, upto: usize) -> Result<Reach> {
    let Chunker { text, measure, limits, .. } = chunker;
    let longest = |max| -> Result<usize> {
        // A counter that answers by dice may reach less far than the overlap does.
        Ok(skip_space(text, measure.longest(open, max)?).clamp(body, upto))
    };
    let hard = longest(limits.hard_max())?;
    let soft =
        if limits.soft_max() == limits.hard_max() { hard } else { longest(limits.soft_max())? };
    Ok(Reach { soft, hard })
}

/// The best place to end the chunk.
fn boundary(
    chunker: &Chunker<'_>,
    levels: &mut [impl Level],
    open: usize,
    body: usize,
    upto: usize,
    reach: Reach,
) -> Result<Option<Boundary>> {
    let Reach { soft, hard } = reach;
    let end = Boundary { cut: upto, next: upto };
    if soft == end.cut && fits(chunker, open, body, end)? {
        return Ok(Some(end));
    }
    for places in &mut *levels {
        if let Some(boundary) = last_fitting(chunker, places, open, body, soft)? {
            return Ok(Some(boundary));
        }
        // What has no such boundary up to the soft limit stays whole up to the hard one.
        let whole = if soft < hard { places.first(soft, hard)? } else { None };
        let whole = whole.or((soft < hard && hard == end.cut).then_some(end));
        if let Some(boundary) = whole
            && fits(chunker, open, body, boundary)?
        {
            return Ok(Some(boundary));
        }
    }
    let cut = chunker.graphemes(open, body, soft)?;
    Ok(cut.map(|cut| Boundary { cut, next: cut }))
}

/// The last place of a level in reach at which the chunk fits.
fn last_fitting(
    chunker: &Chunker<'_>,
    places: &mut impl Level,
    open: usize,
    body: usize,
    reach: usize,
) -> Result<Option<Boundary>> {
    let mut upto = reach;
    for _ in 0..MAX_TRIES {
        match places.last(body, upto)? {
            Some(boundary) if fits(chunker, open, body, boundary)? => return Ok(Some(boundary)),
            Some(boundary) => upto = boundary.cut - 1,
            None => break,
        }
    }
    Ok(None)
}

fn fits(chunker: &Chunker<'_>, open: usize, body: usize, boundary: Boundary) -> Result<bool> {
    chunker.fits(open, chunker.trimmed(body, boundary.cut))
}
