//! Boundaries that part nothing that is kept: a level of them, as the structure of a text allows.
//!
//! Behind a line that ends in a colon above a list, code or a table there is a cut only where the first of what
//! follows, such as the first item, has no room beside it; else the boundary of the same level before it is taken.

use super::chunker::Chunker;
use super::levels::Level;
use super::structure::{Keeping, Structure};
use crate::error::Result;
use crate::segment::lead_in::{Led, MAX_BYTES, MAX_RUN};
use crate::segment::line::Line;
use crate::segment::sentence::ends_sentence;
use crate::segment::separator::Boundary;
use crate::unicode::space::{is_space, skip_space, trim_end};

/// Whether a cut at `at` parts a lead-in from something that has room beside it in a chunk that starts at `open`.
///
/// # Errors
/// Those of the measure.
pub fn parts_lead_in(
    chunker: &Chunker<'_>,
    keeping: Keeping,
    open: usize,
    at: usize,
) -> Result<bool> {
    let Some(structure) = &chunker.structure else { return Ok(false) };
    let led = structure.led(at, keeping);
    led.map_or(Ok(false), |led| has_room(chunker, structure, open, led))
}

/// Whether a cut at `at` lies inside the sentence that leads to a block which no chunk can hold: that is cut instead,
/// between its lines.
///
/// # Errors
/// Those of the measure.
pub fn is_inside_lead_in(chunker: &Chunker<'_>, at: usize) -> Result<bool> {
    let Some(structure) = chunker.structure.as_ref().filter(|of| !of.blocks().is_empty()) else {
        return Ok(false);
    };
    let text = structure.text();
    let ends = text[..at].trim_end_matches(is_space).ends_with(ends_sentence);
    let mut line = Line::around(text, at, MAX_BYTES).filter(|_| !ends);
    while let Some(own) = line.filter(|own| !own.precedes_blank(text)) {
        line = own.below(text, MAX_BYTES).filter(|below| below.end - at < MAX_BYTES);
    }
    let Some(line) = line else { return Ok(false) };
    let led = structure.led(line.end, Keeping::All).filter(|led| led.lead_end > at);
    let Some(block) = led.and_then(|led| structure.block_of(led)) else { return Ok(false) };
    let start = skip_space(text, block.start);
    Ok(!chunker.fits(start, trim_end(text, start, block.end))?)
}

/// Whether the first of what a lead-in leads to has room in a chunk that starts at `open`: an item of a list, a block
/// or table; of an item that no chunk can hold, and of what else it leads to, a line, and of such a block two.
fn has_room(
    chunker: &Chunker<'_>,
    structure: &Structure<'_>,
    open: usize,
    led: Led,
) -> Result<bool> {
    let text = structure.text();
    let open = skip_space(text, open).min(led.lead_end);
    let fits = |end: Option<usize>| {
        end.map_or(Ok(false), |end| chunker.fits(open, trim_end(text, open, end)))
    };
    let fits_alone = |start, end| {
        let start = skip_space(text, start);
        chunker.fits(start, trim_end(text, start, end))
    };
    match structure.block_of(led) {
        None => {
            let item = led.end_of_item(text);
            match item {
                Some(_) if fits(item)? => Ok(true),
                Some(end) if fits_alone(led.start, end)? => Ok(false),
                _ => fits(led.end_of_lines(text, 1)),
            }
        }
        Some(block) if fits(Some(block.end))? => Ok(true),
        Some(block) if fits_alone(block.start, block.end)? => Ok(false),
        Some(_) => fits(led.end_of_lines(text, 2)),
    }
}

/// A level whose cuts part nothing that is kept.
pub struct Kept<'l, 'c, 'a, L> {
    /// The boundaries.
    pub level: &'l mut L,
    /// Knows what is kept, if anything, and what fits.
    pub chunker: &'c Chunker<'a>,
    /// How much of it.
    pub keeping: Keeping,
    /// Where the chunk starts whose end is looked for.
    pub open: usize,
}

impl<L: Level> Kept<'_, '_, '_, L> {
    /// The boundary of the level at which what begins at `start` does; `start` itself if it has none.
    fn before(
        &mut self,
        structure: &Structure<'_>,
        after: usize,
        start: usize,
    ) -> Result<Boundary> {
        let begin = skip_space(structure.text(), start);
        let boundary = self.level.last(after, start)?.filter(|boundary| {
            boundary.next <= begin && skip_space(structure.text(), boundary.next) == begin
        });
        match boundary {
            Some(found) if structure.moved(found.cut, self.open, self.keeping)? == found.cut => {
                Ok(found)
            }
            _ => Ok(Boundary { cut: start, next: start }),
        }
    }

    /// The last boundary in `after + 1..=upto` that parts no heading and no block.
    fn last_free(
        &mut self,
        structure: &Structure<'_>,
        after: usize,
        upto: usize,
    ) -> Result<Option<Boundary>> {
        let mut upto = upto;
        while upto > after
            && let Some(boundary) = self.level.last(after, upto)?
        {
            if let Some(block) = structure.block(boundary.cut, self.keeping) {
                // What stands inside is no boundary of the text: a comment is no heading.
                structure.was_moved();
                upto = block.start;
                continue;
            }
            let start = structure.moved(boundary.cut, self.open, self.keeping)?;
            if start == boundary.cut {
                return Ok(Some(boundary));
            }
            // All places in between would be moved as far.
            return if start <= after {
                Ok(None)
            } else {
                self.before(structure, after, start).map(Some)
            };
        }
        Ok(None)
    }
}

impl<L: Level> Level for Kept<'_, '_, '_, L> {
    fn last(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>> {
        let chunker = self.chunker;
        let Some(structure) = chunker.structure.as_ref() else {
            return self.level.last(after, upto);
        };
        let (mut upto, mut parted) = (upto, None);
        for _ in 0..=MAX_RUN {
            let found = self.last_free(structure, after, upto)?;
            let led = found.and_then(|boundary| structure.led(boundary.cut, self.keeping));
            if let (Some(boundary), Some(led)) = (found, led) {
                parted = parted.or(Some((boundary, led)));
                upto = led.lead_end - 1;
                continue;
            }
            let Some((cut, led)) = parted else { return Ok(found) };
            // What begins at the boundary before holds the lead-in; else all of this chunk does.
            let open = found.map_or(self.open, |boundary| boundary.next);
            if !has_room(chunker, structure, open, led)? {
                return Ok(Some(cut));
            }
            structure.was_moved();
            return Ok(found);
        }
        Ok(parted.map(|(cut, _)| cut))
    }

    fn first(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>> {
        let (mut from, chunker) = (after, self.chunker);
        while let Some(boundary) = self.level.first(from, upto)? {
            let Some(structure) = chunker.structure.as_ref() else {
                return Ok(Some(boundary));
            };
            let start = structure.moved(boundary.cut, self.open, self.keeping)?;
            if start == boundary.cut {
                if !parts_lead_in(chunker, self.keeping, self.open, boundary.cut)? {
                    return Ok(Some(boundary));
                }
                structure.was_moved();
                from = boundary.cut;
                continue;
            }
            let is_inside = structure.block(boundary.cut, self.keeping).is_some();
            if start > after && !is_inside {
                return Ok(Some(Boundary { cut: start, next: start }));
            }
            from = structure.forbidden(boundary.cut, self.keeping);
        }
        Ok(None)
    }
}
