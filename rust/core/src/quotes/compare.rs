//! Verdict on a quotation: found, abridged, stitched together or missing.

use super::index::Source;
use super::nearest::{Nearest, nearest};
use super::quote::{Part, Quote};
use crate::error::Result;
use crate::pulse::{Beat, Pulse};
use crate::span::Span;

/// Whether a quotation stands in texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As one run.
    Found,
    /// Its parts stand in one text in their order, and it says by an ellipsis where something is left out.
    Abridged,
    /// It is put together of two or three runs of different places or texts, and does not say so.
    Stitched,
    /// Some of its words stand nowhere so.
    Missing,
}

/// Where a quotation or a part of it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the text.
    pub text: usize,
    /// Bytes of the text.
    pub span: Span,
}

/// What became of a quotation.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The verdict.
    pub verdict: Verdict,
    /// Where it stands; or where its parts do, in their order.
    pub places: Vec<Place>,
    /// What is most like it, if it is missing and a long part of it stands somewhere.
    pub nearest: Option<Nearest>,
}

/// So many places of a part are tried, to find parts in their order.
const MAX_PLACES: usize = 16;

/// More parts than this are not told by their ellipses.
const MAX_PARTS: usize = 16;

/// Of two runs of a text with fewer bytes between them the quotation has words left out, no two places.
const MIN_GAP_BYTES: usize = 40;

/// Looks for `quote` in `sources`, as one run, at its ellipses, as two or three runs; at most `limit` places.
///
/// ```
/// use chunkwright_core::pulse::no_pulse;
/// use chunkwright_core::quotes::{QuoteIndex, Source, Verdict, compare};
///
/// let text = "It rained all day. Nobody who lived beside the river for years had seen such a flood.";
/// let index = QuoteIndex::new(text, no_pulse())?;
/// let sources = [Source { text, index: &index }];
/// let verdict = |quote| compare(&sources, quote, 1, no_pulse()).map(|found| found.verdict);
/// assert_eq!(verdict("NOBODY WHO LIVED beside the river")?, Verdict::Found);
/// assert_eq!(verdict("It rained all day … such a flood")?, Verdict::Abridged);
/// assert_eq!(verdict("It rained all day, had seen such a flood.")?, Verdict::Stitched);
/// # Ok::<(), chunkwright_core::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Option`](crate::error::Error::Option) if the quotation is too short; those of the pulse.
pub fn compare(
    sources: &[Source<'_>],
    quote: &str,
    limit: usize,
    pulse: Pulse<'_>,
) -> Result<Comparison> {
    let beat = Beat::of_bytes(pulse);
    let quoted = Quote::new(quote, &beat)?;
    let search = Search { sources, quote: &quoted, beat: &beat };
    let places = search.places(quoted.whole(), limit)?;
    let of = |verdict, places| Comparison { verdict, places, nearest: None };
    if !places.is_empty() {
        return Ok(of(Verdict::Found, places));
    }
    if let Some(parts) = search.parts()
        && let Some((places, in_one)) = search.in_order(&parts)?
    {
        return Ok(of(if in_one { Verdict::Abridged } else { Verdict::Stitched }, places));
    }
    if let Some(places) = search.stitched()? {
        return Ok(of(Verdict::Stitched, places));
    }
    let nearest = nearest(sources, quote, &quoted, &beat)?;
    Ok(Comparison { verdict: Verdict::Missing, places, nearest })
}

struct Search<'a> {
    sources: &'a [Source<'a>],
    quote: &'a Quote,
    beat: &'a Beat<'a>,
}

impl Search<'_> {
    /// The first places of a part in all texts.
    fn places(&self, part: Part, limit: usize) -> Result<Vec<Place>> {
        let mut places = Vec::new();
        for (text, source) in self.sources.iter().enumerate() {
            let left = limit - places.len();
            if left == 0 {
                break;
            }
            for at in source.index.starts(self.quote, part, left, self.beat)? {
                let span = source.index.span(source.text, self.quote, part, at);
                places.push(Place { text, span });
            }
        }
        Ok(places)
    }

    fn stands(&self, part: Part) -> Result<bool> {
        Ok(!self.places(part, 1)?.is_empty())
    }

    /// What stands between the ellipses of the quotation, if each part is long enough to be looked for.
    fn parts(&self) -> Option<Vec<Part>> {
        let (bytes, whole) = (self.quote.normal.bytes(), self.quote.whole());
        let (mut parts, mut start, mut at) = (Vec::new(), whole.start, whole.start);
        while at < whole.end {
            let n_dots = bytes[at..whole.end].iter().take_while(|&&b| b == b'.').count();
            if n_dots >= 3 {
                parts.push(Part { start, end: at });
                start = at + n_dots;
            }
            at += n_dots.max(1);
        }
        parts.push(Part { start, end: whole.end });
        let parts: Vec<Part> = parts.into_iter().map(|part| self.quote.trimmed(part)).collect();
        let is_told = (2..=MAX_PARTS).contains(&parts.len());
        (is_told && parts.iter().all(|&part| self.quote.is_long(part))).then_some(parts)
    }

    /// Places of parts one behind the other in one text, and true; else the first one of each part, if all stand
    /// somewhere.
    fn in_order(&self, parts: &[Part]) -> Result<Option<(Vec<Place>, bool)>> {
        let mut found = Vec::new();
        for &part in parts {
            let mut places = Vec::new();
            for (text, source) in self.sources.iter().enumerate() {
                for at in source.index.starts(self.quote, part, MAX_PLACES, self.beat)? {
                    let span = source.index.span(source.text, self.quote, part, at);
                    places.push(Place { text, span });
                }
            }
            if places.is_empty() {
                return Ok(None);
            }
            found.push(places);
        }
        let ascending = |text: usize| {
            let mut end = 0;
            let next = |places: &Vec<Place>| {
                let behind = |place: &&Place| place.text == text && place.span.start >= end;
                let place = places.iter().find(behind).copied()?;
                end = place.span.end;
                Some(place)
            };
            found.iter().map(next).collect::<Option<Vec<_>>>()
        };
        let in_one = (0..self.sources.len()).find_map(ascending);
        let anywhere = || found.iter().filter_map(|places| places.first().copied()).collect();
        Ok(Some(in_one.map_or_else(|| (anywhere(), false), |places| (places, true))))
    }

    /// The places of two or three runs that the quotation is put together of.
    fn stitched(&self) -> Result<Option<Vec<Place>>> {
        let borders = self.quote.borders();
        let Some(parts) = self.runs(&borders)? else { return Ok(None) };
        let Some((places, in_one)) = self.in_order(&parts)? else { return Ok(None) };
        let is_close = |pair: &[Place]| pair[1].span.start - pair[0].span.end < MIN_GAP_BYTES;
        let has_words_left_out = in_one && places.windows(2).all(is_close);
        Ok(Some(places).filter(|_| !has_words_left_out))
    }

    /// Two or three runs that the quotation is, each of which stands somewhere.
    fn runs(&self, borders: &[usize]) -> Result<Option<Vec<Part>>> {
        let whole = self.quote.whole();
        let head = |end: usize| Part { start: whole.start, end };
        let tail = |start: usize| Part { start, end: whole.end };
        // The longest beginning and the longest end that stand somewhere.
        let n_head = last(borders, |at| self.stands(self.quote.trimmed(head(at))))?;
        let reversed: Vec<usize> = borders.iter().rev().copied().collect();
        let n_tail = last(&reversed, |at| self.stands(self.quote.trimmed(tail(at))))?;
        let (head_end, tail_start) = (borders[n_head], reversed[n_tail]);
        let is_long = |parts: &Vec<Part>| parts.iter().all(|&part| self.quote.is_long(part));
        let trimmed = |parts: Vec<Part>| -> Vec<Part> {
            parts.into_iter().map(|part| self.quote.trimmed(part)).collect()
        };
        let cuts = borders.iter().rev().filter(|&&at| tail_start <= at && at <= head_end);
        let two = cuts.map(|&at| trimmed(vec![head(at), tail(at)])).find(is_long);
        if two.is_some() || tail_start <= head_end {
            return Ok(two);
        }
        let middle = Part { start: head_end, end: tail_start };
        if self.quote.n_chars(self.quote.trimmed(middle)) == 0 {
            return Ok(Some(trimmed(vec![head(head_end), tail(tail_start)])).filter(is_long));
        }
        let three = trimmed(vec![head(head_end), middle, tail(tail_start)]);
        Ok(if is_long(&three) && self.stands(three[1])? { Some(three) } else { None })
    }
}

/// The last of `borders`, as a number, up to which something `stands`, as it then does up to those before; at least
/// the first one, which stands for nothing.
fn last(borders: &[usize], mut stands: impl FnMut(usize) -> Result<bool>) -> Result<usize> {
    let (mut low, mut high) = (0, borders.len());
    while low + 1 < high {
        let middle = usize::midpoint(low, high);
        if stands(borders[middle])? { low = middle } else { high = middle }
    }
    Ok(low)
}
