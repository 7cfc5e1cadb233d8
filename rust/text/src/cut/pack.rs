//! Packing: chunks as full as the limit allows that end at the strongest boundary within reach.
//!
//! From a chunk's start as much is taken as the limit allows; within that, the chunk ends at the last
//! place of the first level that has one, and where none has, between graphemes. Each chunk is
//! measured as a whole, without the whitespace at both ends.
//!
//! Measuring candidates as a whole and not by the sum of their parts is what makes the limit exact: token counts
//! do not add up, and counts are not even monotone, so a longer text may have fewer tokens. With an index of the
//! text a measurement is O(1) ([`TokenIndex`](crate::measure::TokenIndex)); a caller's own counter is asked a few
//! times a chunk.

use super::chunker::{Chunker, Ends};
use super::kept::{Kept, is_inside_lead_in, parts_lead_in};
use super::levels::{Level, Natural};
use super::structure::{Keeping, Structure};
use crate::error::Result;
use crate::segment::separator::Boundary;
use crate::span::Span;
use crate::unicode::space::skip_space;

/// A place that does not fit although it lies within reach is rare (sizes are nearly monotone): after
/// so many, the next level is tried.
const MAX_TRIES: usize = 16;

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
/// Those of the measure and of the pulse.
pub fn add_chunk(
    chunker: &mut Chunker<'_>,
    levels: &mut [impl Level],
    body: usize,
    upto: usize,
) -> Result<usize> {
    let open = chunker.open(body)?;
    if let Some((open, boundary)) = within(chunker, levels, [open, body], upto)? {
        chunker.push(open, body, chunker.trimmed(body, boundary.cut))?;
        return Ok(boundary.next);
    }
    let mut end = chunker.indivisible(body)?;
    if chunker.is_bounded {
        end = end.min(upto);
    }
    chunker.push(body, body, end)?;
    Ok(end)
}

/// Adds chunks until all of `body..upto` is in one.
///
/// # Errors
/// Those of the measure and of the pulse.
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

/// The best place to end the chunk, and where the chunk starts: at `open` if it can.
///
/// What has structure keeps it before an overlap, and if it cannot, keeps less of it.
fn within(
    chunker: &Chunker<'_>,
    levels: &mut [impl Level],
    [open, body]: [usize; 2],
    upto: usize,
) -> Result<Option<(usize, Boundary)>> {
    let structure = chunker.structure.as_ref();
    let most = if structure.is_some() { Keeping::All } else { Keeping::Nothing };
    let less = structure.map_or(&[][..], Structure::yielding);
    let mut lines = [Natural::Lines(chunker.text)];
    let mut inside = None;
    if let Some(structure) = structure {
        structure.take_moved();
    }
    for &keeping in [most].iter().chain(less) {
        for open in [open, body] {
            let reach = reach(chunker, open, body, upto)?;
            let place = Place { chunker, keeping, open, body, upto, reach, least: 0 };
            let boundary = if keeping == Keeping::Lines {
                place.at_level(&mut lines)?
            } else {
                place.boundary(levels)?
            };
            if let Some(boundary) = boundary {
                let yields = keeping == Keeping::All && !less.is_empty();
                if yields && is_inside_lead_in(chunker, boundary.cut)? {
                    inside = inside.or(Some((open, boundary)));
                    break;
                }
                return Ok(Some((open, boundary)));
            }
            // Next to a full overlap the first grapheme may not fit: it gets a chunk without one.
        }
        if keeping == most && !structure.is_some_and(Structure::take_moved) {
            break;
        }
    }
    Ok(inside)
}

/// Where a chunk that starts at `open` ends best behind `body`, up to `upto`, whatever its structure; none if
/// not even the grapheme at `body` fits.
///
/// Where a level would leave a chunk of less than `least` units, a weaker one is taken that leaves more, but
/// for the weakest.
///
/// # Errors
/// Those of the measure and of the pulse.
pub fn best_end(
    chunker: &Chunker<'_>,
    levels: &mut [impl Level],
    open: usize,
    body: usize,
    upto: usize,
    least: usize,
) -> Result<Option<Boundary>> {
    let (reach, keeping) = (reach(chunker, open, body, upto)?, Keeping::Nothing);
    Place { chunker, keeping, open, body, upto, reach, least }.boundary(levels)
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

/// A chunk whose end is looked for.
#[derive(Clone, Copy)]
struct Place<'c, 'a> {
    chunker: &'c Chunker<'a>,
    keeping: Keeping,
    open: usize,
    body: usize,
    upto: usize,
    reach: Reach,
    /// The size that the chunk should have.
    least: usize,
}

impl Place<'_, '_> {
    /// The best place to end the chunk.
    fn boundary(self, levels: &mut [impl Level]) -> Result<Option<Boundary>> {
        let (Reach { soft, hard }, end) = (self.reach, self.end());
        if soft == end.cut && self.fits(end)? {
            return Ok(Some(end));
        }
        if let Some(boundary) = self.at_level(levels)? {
            return Ok(Some(boundary));
        }
        match self.graphemes(soft)? {
            // What is kept may reach beyond the soft limit.
            None if soft < hard && self.keeping != Keeping::Nothing => self.graphemes(hard),
            found => Ok(found),
        }
    }

    /// The last place of the first level that has one and leaves enough; else of the first that has one.
    fn at_level(self, levels: &mut [impl Level]) -> Result<Option<Boundary>> {
        let (mut found, n_levels) = (None, levels.len());
        for (i, level) in levels.iter_mut().enumerate() {
            if found.is_some() && i + 1 == n_levels {
                break;
            }
            let Some(boundary) = self.of_level(level)? else { continue };
            if self.least == 0 || self.size(boundary)? >= self.least {
                return Ok(Some(boundary));
            }
            found = found.or(Some(boundary));
        }
        Ok(found)
    }

    /// The last place of a level up to the soft limit, else the first up to the hard one.
    fn of_level(self, level: &mut impl Level) -> Result<Option<Boundary>> {
        let (Reach { soft, hard }, end) = (self.reach, self.end());
        let Self { chunker, keeping, open, .. } = self;
        let mut places = Kept { level, chunker, keeping, open };
        if let Some(boundary) = self.last_fitting(&mut places)? {
            return Ok(Some(boundary));
        }
        // What has no such boundary up to the soft limit stays whole up to the hard one.
        let whole = if soft < hard { places.first(soft, hard)? } else { None };
        let whole = whole.or((soft < hard && hard == end.cut).then_some(end));
        match whole {
            Some(boundary) if self.fits(boundary)? => Ok(Some(boundary)),
            _ => Ok(None),
        }
    }

    /// The last place of a level in reach at which the chunk fits.
    fn last_fitting(self, places: &mut impl Level) -> Result<Option<Boundary>> {
        let mut upto = self.reach.soft;
        for _ in 0..MAX_TRIES {
            match places.last(self.body, upto)? {
                Some(boundary) if self.fits(boundary)? => return Ok(Some(boundary)),
                Some(boundary) => upto = boundary.cut - 1,
                None => break,
            }
        }
        Ok(None)
    }

    /// The place behind as many graphemes as fit up to `upto`.
    fn graphemes(self, upto: usize) -> Result<Option<Boundary>> {
        let Self { chunker, open, body, .. } = self;
        let Some(end) = chunker.graphemes(open, body, upto, Ends::Trimmed)? else {
            return Ok(None);
        };
        let structure = chunker.structure.as_ref();
        let cut = match structure {
            Some(structure) => structure.moved(end, open, self.keeping)?,
            None => end,
        };
        let boundary = Boundary { cut, next: cut };
        if cut <= body {
            return Ok(None);
        }
        // What is kept does not begin where that parts it from its lead-in: it is cut instead.
        let is_place =
            cut == end || self.fits(boundary)? && !parts_lead_in(chunker, self.keeping, open, cut)?;
        Ok(is_place.then_some(boundary))
    }

    /// The size of the chunk that ends at `boundary`.
    fn size(self, boundary: Boundary) -> Result<usize> {
        self.chunker.size(Span::new(self.open, self.chunker.trimmed(self.body, boundary.cut)))
    }

    fn fits(self, boundary: Boundary) -> Result<bool> {
        self.chunker.fits(self.open, self.chunker.trimmed(self.body, boundary.cut))
    }

    const fn end(self) -> Boundary {
        Boundary { cut: self.upto, next: self.upto }
    }
}
