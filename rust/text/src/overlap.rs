//! Overlap: how far a chunk reaches back into the one before.
//!
//! An overlap is measured from the end: the measure says how far back the wanted number of units reaches
//! ([`Measure::longest_back`]), and from there the first place is taken at which an overlap may begin. So it is
//! the longest one that is allowed, found in O(1) measurements, and it moves no cut: if it does not fit beside
//! the chunk's own text, it is shortened, and last of all left out.

use crate::error::Result;
use crate::measure::Measure;
use crate::options::Limits;
use crate::segment::starts::SentenceStarts;
use crate::segment::{grapheme, word};
use crate::span::Span;
use crate::unicode::space::skip_space;

/// After so many starts that do not fit there is no overlap.
const MAX_TRIES: usize = 64;

/// The places where an overlap may begin.
#[derive(Clone, Copy, Debug)]
pub enum Begins<'s> {
    /// First letters of words.
    Word,
    /// Starts of sentences.
    Sentence(&'s SentenceStarts),
    /// Graphemes.
    Any,
}

/// Where the overlap of a chunk whose own text begins at `body` starts; `body` itself if there is none.
///
/// It reaches back to `floor` at most and has at most `limits.overlap()` units.
///
/// ```
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::options::Limits;
/// use chunkwright_text::overlap::{Begins, start};
///
/// let document = Document::new("one two three four");
/// let (text, chars) = (document.text(), Chars::new(document));
/// let limits = Limits::new(12, None, 5)?;
/// let body = 8; // "three"
/// // Five characters reach back into "one"; the first word behind that is "two".
/// assert_eq!(start(text, &chars, limits, Begins::Word, 0, body)?, 4);
/// assert_eq!(start(text, &chars, limits, Begins::Any, 0, body)?, 4);
/// // A chunk that ends at 6 leaves nothing that begins with a word.
/// assert_eq!(start(text, &chars, limits, Begins::Word, 6, body)?, body);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure.
pub fn start(
    text: &str,
    measure: &dyn Measure,
    limits: Limits,
    begins: Begins<'_>,
    floor: usize,
    body: usize,
) -> Result<usize> {
    if limits.overlap() == 0 {
        return Ok(body);
    }
    reach_back(text, measure, limits.overlap(), begins, Span::new(floor, body))
}

/// From where on the end of `span` has at most `most` units; its end if there is no such place.
///
/// # Errors
/// Those of the measure.
pub fn reach_back(
    text: &str,
    measure: &dyn Measure,
    most: usize,
    begins: Begins<'_>,
    span: Span,
) -> Result<usize> {
    let reach = Reach { text, measure, begins, floor: span.start, body: span.end };
    reach.start(span.end, most, span.start)
}

/// The same for a chunk whose own text is `body`: with the overlap it is within the limit, or it has
/// none.
///
/// ```
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::options::Limits;
/// use chunkwright_text::overlap::{Begins, start_beside};
/// use chunkwright_text::span::Span;
///
/// let document = Document::new("one two three four");
/// let (text, chars) = (document.text(), Chars::new(document));
/// let limits = Limits::new(10, None, 9)?;
/// // "three" leaves room for "two", and "three four" for nothing.
/// assert_eq!(start_beside(text, &chars, limits, Begins::Word, 0, Span::new(8, 13))?, 4);
/// assert_eq!(start_beside(text, &chars, limits, Begins::Word, 0, Span::new(8, 18))?, 8);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure.
pub fn start_beside(
    text: &str,
    measure: &dyn Measure,
    limits: Limits,
    begins: Begins<'_>,
    floor: usize,
    body: Span,
) -> Result<usize> {
    let reach = Reach { text, measure, begins, floor, body: body.start };
    let start = start(text, measure, limits, begins, floor, body.start)?;
    if start == body.start || measure.size(Span::new(start, body.end))? <= limits.hard_max() {
        return Ok(start);
    }
    reach.start(body.end, limits.hard_max(), start + 1)
}

/// How far back an overlap may reach.
#[derive(Clone, Copy)]
struct Reach<'a> {
    text: &'a str,
    measure: &'a dyn Measure,
    begins: Begins<'a>,
    floor: usize,
    body: usize,
}

impl Reach<'_> {
    /// The first place from `from` on from which the text up to `end` has at most `max` units.
    fn start(self, end: usize, max: usize, from: usize) -> Result<usize> {
        if self.floor >= self.body {
            return Ok(self.body);
        }
        let reach = self.measure.longest_back(end, max)?.max(from);
        let mut start = self.begin(reach);
        // A later start may have more units than an earlier one, but seldom: each step is one place.
        for _ in 0..MAX_TRIES {
            if start >= self.body || self.measure.size(Span::new(start, end))? <= max {
                return Ok(start);
            }
            start = self.begin(start + 1);
        }
        Ok(self.body)
    }

    /// The first place that is allowed from `reach` on.
    fn begin(self, reach: usize) -> usize {
        let Self { text, floor, body, .. } = self;
        let reach = text.ceil_char_boundary(reach).min(body);
        let start = match self.begins {
            Begins::Word => word::first_start(text, reach, body).unwrap_or(body),
            Begins::Sentence(starts) => starts.first(reach, body).unwrap_or(body),
            Begins::Any => grapheme::ceil(text, floor, reach).min(body),
        };
        // A mark behind a blank is of one grapheme with it.
        let start = skip_space(&text[..body], start);
        skip_space(&text[..body], grapheme::ceil(text, floor, start).min(body))
    }
}
