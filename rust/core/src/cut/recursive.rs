//! Chunks that end at the strongest separator within reach.
//!
//! From a chunk's start as much is taken as the limit allows; within that, the chunk ends at the last
//! place of the first separator in the list that has one. So paragraphs stay together as long as they
//! fit, then lines, then words, and where no separator is left, graphemes. Each chunk is measured as
//! a whole, without the whitespace at both ends.
//!
//! The idea is LangChain's `RecursiveCharacterTextSplitter`, which sums the sizes of parts instead.

use super::chunker::Chunker;
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::Result;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt, Pulse};
use crate::segment::separator::{Boundary, Places, Separator};
use crate::segment::space::skip_space;
use crate::span::Span;

/// A place that does not fit although it lies within reach is rare (sizes are nearly monotone): after
/// so many, the next separator is tried.
const MAX_TRIES: usize = 16;

/// How far a chunk may reach: the longest text within the soft and within the hard limit, the
/// whitespace behind it included, since a chunk is measured without.
#[derive(Clone, Copy)]
struct Reach {
    soft: usize,
    hard: usize,
}

/// Cuts a document at `separators`, the strongest first.
///
/// O(n) in the text's length for each separator. An empty text, and one of whitespace only, has no
/// chunks.
///
/// # Errors
/// Those of the measure, and what `pulse` says.
pub fn recursive(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    separators: &[Separator],
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let text = document.text();
    let mut levels: Vec<Places<'_, '_>> = separators.iter().map(|s| s.places(text)).collect();
    let mut chunker = Chunker::new(text, measure, limits, overlap_at, pulse);
    let mut body = skip_space(text, 0);
    if body < text.len() && whole_fits(&chunker, body)? {
        chunker.push(body, body, chunker.trimmed(body, text.len()))?;
        return Ok(chunker.chunks);
    }
    while body < text.len() {
        let next = add_chunk(&mut chunker, &mut levels, body)?;
        body = skip_space(text, next);
    }
    Ok(chunker.chunks)
}

/// Asked once, so that a counter for which longer texts are smaller still gets its one chunk.
fn whole_fits(chunker: &Chunker<'_>, body: usize) -> Result<bool> {
    let whole = Span::new(body, chunker.trimmed(body, chunker.text.len()));
    Ok(chunker.measure.size(whole)? <= chunker.limits.soft_max())
}

/// Adds the chunk whose own text begins at `body`; returns where the next one may begin.
fn add_chunk(
    chunker: &mut Chunker<'_>,
    levels: &mut [Places<'_, '_>],
    body: usize,
) -> Result<usize> {
    let open = chunker.open(body)?;
    for open in [open, body] {
        let reach = reach(chunker, open)?;
        if let Some(boundary) = boundary(chunker, levels, open, body, reach)? {
            chunker.push(open, body, chunker.trimmed(body, boundary.cut))?;
            return Ok(boundary.next);
        }
        // Next to a full overlap the first grapheme may not fit: it gets a chunk without one.
    }
    let end = chunker.indivisible(body)?;
    chunker.push(body, body, end)?;
    Ok(end)
}

fn reach(chunker: &Chunker<'_>, open: usize) -> Result<Reach> {
    let Chunker { text, measure, limits, .. } = chunker;
    let hard = skip_space(text, measure.longest(open, limits.hard_max())?);
    let soft = if limits.soft_max() == limits.hard_max() {
        hard
    } else {
        skip_space(text, measure.longest(open, limits.soft_max())?)
    };
    Ok(Reach { soft, hard })
}

/// The best place to end the chunk.
fn boundary(
    chunker: &Chunker<'_>,
    levels: &mut [Places<'_, '_>],
    open: usize,
    body: usize,
    reach: Reach,
) -> Result<Option<Boundary>> {
    let Reach { soft, hard } = reach;
    let end = Boundary { cut: chunker.text.len(), next: chunker.text.len() };
    if soft == end.cut && fits(chunker, open, body, end)? {
        return Ok(Some(end));
    }
    for places in &mut *levels {
        if let Some(boundary) = last_fitting(chunker, places, open, body, soft)? {
            return Ok(Some(boundary));
        }
        // What has no such separator up to the soft limit stays whole up to the hard one.
        let whole = if soft < hard { places.first(soft, hard) } else { None };
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

/// The last place of a separator in reach at which the chunk fits.
fn last_fitting(
    chunker: &Chunker<'_>,
    places: &mut Places<'_, '_>,
    open: usize,
    body: usize,
    reach: usize,
) -> Result<Option<Boundary>> {
    let mut upto = reach;
    for _ in 0..MAX_TRIES {
        match places.last(body, upto) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Bpe, Chars, Encoder, Tokens};
    use crate::options::no_pulse;
    use crate::oracle;
    use crate::segment::separator::Keep;
    use proptest::prelude::*;

    const MARKS: [&str; 3] = ["\n\n", "\n", " "];

    fn texts<'t>(document: Document<'t>, measure: &dyn Measure, max: usize) -> Vec<&'t str> {
        let limits = Limits::new(max, None, 0).unwrap();
        let marks = MARKS.map(|mark| Separator::literal(mark, Keep::Start).unwrap());
        let at = OverlapAt::Word;
        let chunks = recursive(document, measure, limits, at, &marks, no_pulse()).unwrap();
        chunks.spans().map(|span| &document.text()[span.range()]).collect()
    }

    proptest! {
        #[test]
        fn chunks_are_those_of_the_oracle(
            text in "[a-c.,漢e\u{301}\n ]{0,80}",
            max in 1_usize..30,
        ) {
            let document = Document::new(&text);
            let chars = oracle::recursive(&text, &MARKS, max, |part| part.chars().count());
            prop_assert_eq!(texts(document, &Chars::new(document), max), chars);
            for name in ["cl100k_base", "o200k_base"] {
                let bpe = Bpe::named(name).unwrap();
                let count = |part: &str| Encoder::new(bpe.clone()).count(part, no_pulse()).unwrap();
                let index = Encoder::new(bpe.clone()).index(&text, no_pulse()).unwrap();
                let tokens = oracle::recursive(&text, &MARKS, max, count);
                prop_assert_eq!(texts(document, &Tokens::new(&text, &index), max), tokens);
            }
        }
    }
}
