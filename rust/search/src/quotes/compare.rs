//! Verdict on a quotation: found, abridged, stitched together or missing.

use super::index::{Ends, Place, Source};
use super::nearest::{Nearest, nearest};
use super::quote::{Part, Quote};
use super::slots::{Halt, Slot, Slots};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::span::Span;

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

/// So many places of a part of a text are tried, to find parts in their order.
const MAX_PLACES: usize = 1 << 12;

/// So many bytes of the text lie at most between a part that is short and the next one, for words that stand in any
/// text are no part of what was abridged.
const MAX_LEFT_OUT: usize = 1000;

/// More parts than this are not told by their ellipses.
const MAX_PARTS: usize = 16;

/// Of two runs of a text with fewer bytes between them the quotation has words left out, no two places.
const MIN_GAP_BYTES: usize = 40;

/// Looks for `quote` in `sources`, as one run, at its ellipses, as two or three runs; at most `limit` places.
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_search::quotes::{QuoteIndex, Source, Verdict, compare};
///
/// let text = "It rained all day. Nobody who lived beside the river for years had seen such a flood.";
/// let index = QuoteIndex::new(text, no_pulse())?;
/// let sources = [Source { text, index: &index }];
/// let verdict = |quote| compare(&sources, quote, 1, no_pulse()).map(|found| found.verdict);
/// assert_eq!(verdict("NOBODY WHO LIVED beside the river")?, Verdict::Found);
/// assert_eq!(verdict("It rained all day … such a flood")?, Verdict::Abridged);
/// assert_eq!(verdict("It rained all day, had seen such a flood.")?, Verdict::Stitched);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Option`](chunkwright_text::error::Error::Option) if the quotation is too short; those of the pulse.
pub fn compare(
    sources: &[Source<'_>],
    quote: &str,
    limit: usize,
    pulse: Pulse<'_>,
) -> Result<Comparison> {
    let slots: Vec<Slot<'_>> = sources.iter().copied().map(Slot::of).collect();
    match compare_slots(&slots, quote, limit, slots.len(), pulse)? {
        Outcome::Done(comparison) => Ok(comparison),
        // All are open.
        Outcome::Needs(_) => Ok(Comparison::missing()),
    }
}

/// What became of a quotation, or what has to be opened to tell it.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// What became of it.
    Done(Comparison),
    /// The numbers of slots that are shut, ascending: without their texts there is no answer.
    Needs(Vec<usize>),
}

/// Looks for `quote` in texts that are opened only if their filters let it through; see [`compare`].
///
/// Of the first `n_near` slots every word that is quoted makes a nearest place, of others six bytes at least; of 0,
/// none is looked for.
///
/// # Errors
/// Those of [`compare`].
pub fn compare_slots(
    slots: &[Slot<'_>],
    quote: &str,
    limit: usize,
    n_near: usize,
    pulse: Pulse<'_>,
) -> Result<Outcome> {
    let beat = Beat::of_bytes(pulse);
    let slots = Slots { slots, beat: &beat };
    match compared(slots, quote, limit, n_near) {
        Ok(comparison) => Ok(Outcome::Done(comparison)),
        Err(Halt::Needs(numbers)) => Ok(Outcome::Needs(numbers)),
        Err(Halt::Failed(error)) => Err(error),
    }
}

impl Comparison {
    const fn missing() -> Self {
        Self { verdict: Verdict::Missing, places: Vec::new(), nearest: None }
    }
}

fn compared(
    slots: Slots<'_>,
    quote: &str,
    limit: usize,
    n_near: usize,
) -> std::result::Result<Comparison, Halt> {
    let quoted = Quote::new(quote, slots.beat)?;
    let of = |verdict, places| Comparison { verdict, places, nearest: None };
    let places = slots.places(&quoted, quoted.whole(), limit, Ends::Numbers)?;
    if !places.is_empty() {
        return Ok(of(Verdict::Found, places));
    }
    for other in Quote::other_readings(quote, slots.beat)? {
        let places = slots.places(&other, other.whole(), limit, Ends::Numbers)?;
        if !places.is_empty() {
            return Ok(of(Verdict::Found, places));
        }
    }
    let search = Search { slots, quote: &quoted };
    let parts = search.parts();
    if let Some(places) = search.abridged(&parts)? {
        return Ok(of(Verdict::Abridged, places));
    }
    let is_long = !parts.is_empty() && parts.iter().all(|&part| quoted.is_long(part));
    if is_long && let Some(places) = search.anywhere(&parts, Ends::Numbers)? {
        return Ok(of(Verdict::Stitched, places));
    }
    if let Some(places) = search.stitched()? {
        return Ok(of(Verdict::Stitched, places));
    }
    let nearest = if n_near == 0 { None } else { nearest(slots, quote, &quoted, n_near)? };
    Ok(Comparison { nearest, ..Comparison::missing() })
}

type Found<T> = std::result::Result<T, Halt>;

struct Search<'a> {
    slots: Slots<'a>,
    quote: &'a Quote,
}

impl Search<'_> {
    fn stands(&self, part: Part) -> Found<bool> {
        self.slots.has(self.quote, part)
    }

    /// What stands between the ellipses of the quotation, if each part is long enough to be a quotation.
    fn parts(&self) -> Vec<Part> {
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
        let is_abridged = is_told && parts.iter().all(|&part| self.quote.is_told(part));
        if is_abridged { parts } else { Vec::new() }
    }

    /// Places of parts one behind the other in one text, each one that is short near the next.
    fn abridged(&self, parts: &[Part]) -> Found<Option<Vec<Place>>> {
        let is_short = |part: &Part| !self.quote.is_long(*part);
        let pairs = parts.windows(2).map(|pair| pair.iter().any(is_short));
        let gaps: Vec<usize> =
            pairs.map(|has_short| if has_short { MAX_LEFT_OUT } else { usize::MAX }).collect();
        self.in_one(parts, Ends::Numbers, &gaps)
    }

    /// Places of parts one behind the other in one text, with at most so many bytes between them.
    fn in_one(&self, parts: &[Part], ends: Ends, gaps: &[usize]) -> Found<Option<Vec<Place>>> {
        self.slots.in_one(self.quote, parts, |source| {
            let mut reached: Vec<Vec<(Span, usize)>> = Vec::new();
            for (part, gap) in parts.iter().zip([&usize::MAX].into_iter().chain(gaps)) {
                let places = source.places(self.quote, *part, MAX_PLACES, ends, self.slots.beat)?;
                let next: Vec<_> = match reached.last() {
                    None => places.into_iter().map(|place| (place, 0)).collect(),
                    Some(before) => behind(before, places, *gap),
                };
                if next.is_empty() {
                    return Ok(None);
                }
                reached.push(next);
            }
            Ok(Some(chain(&reached)))
        })
    }

    /// The first place of each part, if all stand somewhere.
    fn anywhere(&self, parts: &[Part], ends: Ends) -> Found<Option<Vec<Place>>> {
        let mut found = Vec::new();
        for &part in parts {
            let places = self.slots.places(self.quote, part, 1, ends)?;
            let Some(&place) = places.first() else { return Ok(None) };
            found.push(place);
        }
        Ok(Some(found))
    }

    /// The places of two or three runs that the quotation is put together of.
    fn stitched(&self) -> Found<Option<Vec<Place>>> {
        let Some(parts) = self.runs(&self.quote.borders())? else { return Ok(None) };
        let gaps = vec![usize::MAX; parts.len() - 1];
        if let Some(places) = self.in_one(&parts, Ends::Words, &gaps)? {
            let is_close = |pair: &[Place]| pair[1].span.start - pair[0].span.end < MIN_GAP_BYTES;
            let has_words_left_out = places.windows(2).all(is_close);
            return Ok(Some(places).filter(|_| !has_words_left_out));
        }
        self.anywhere(&parts, Ends::Words)
    }

    /// Two or three runs that the quotation is, each of which stands somewhere.
    fn runs(&self, borders: &[usize]) -> Found<Option<Vec<Part>>> {
        let whole = self.quote.whole();
        let head = |end: usize| self.quote.trimmed(Part { start: whole.start, end });
        let tail = |start: usize| self.quote.trimmed(Part { start, end: whole.end });
        let is_long = |part: Part| self.quote.is_long(part);
        // The longest beginning and the longest end that stand somewhere.
        let ends: Vec<usize> = borders.iter().copied().filter(|&at| is_long(head(at))).collect();
        let Some(head_end) = last(&ends, |at| self.stands(head(at)))? else { return Ok(None) };
        let starts = borders.iter().rev().copied().filter(|&at| is_long(tail(at)));
        let starts: Vec<usize> = starts.collect();
        let Some(tail_start) = last(&starts, |at| self.stands(tail(at)))? else { return Ok(None) };
        let cuts = borders.iter().rev().filter(|&&at| tail_start <= at && at <= head_end);
        let two = cuts.map(|&at| vec![head(at), tail(at)]);
        let two = two.into_iter().find(|parts| parts.iter().all(|&part| is_long(part)));
        if two.is_some() || tail_start <= head_end {
            return Ok(two);
        }
        let middle = self.quote.trimmed(Part { start: head_end, end: tail_start });
        if self.quote.n_chars(middle) == 0 {
            return Ok(Some(vec![head(head_end), tail(tail_start)]));
        }
        let three = vec![head(head_end), middle, tail(tail_start)];
        Ok(if is_long(middle) && self.stands(middle)? { Some(three) } else { None })
    }
}

/// The places with one of `before` at most `gap` bytes in front of them, each with the number of that one.
fn behind(before: &[(Span, usize)], places: Vec<Span>, gap: usize) -> Vec<(Span, usize)> {
    let with_last = |place: Span| {
        let n_before = before.partition_point(|(other, _)| other.end <= place.start);
        let last = n_before.checked_sub(1)?;
        (place.start - before[last].0.end <= gap).then_some((place, last))
    };
    places.into_iter().filter_map(with_last).collect()
}

/// The places that lead to the first one of the last part.
fn chain(reached: &[Vec<(Span, usize)>]) -> Vec<Span> {
    let (mut spans, mut at) = (Vec::new(), 0);
    for places in reached.iter().rev() {
        let (span, before) = places[at];
        spans.push(span);
        at = before;
    }
    spans.reverse();
    spans
}

/// The last of `borders` up to which something `stands`, as it then does up to those before; none if it does up to
/// none.
fn last(borders: &[usize], mut stands: impl FnMut(usize) -> Found<bool>) -> Found<Option<usize>> {
    let (mut low, mut high) = (0, borders.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if stands(borders[middle])? { low = middle + 1 } else { high = middle }
    }
    Ok(low.checked_sub(1).map(|i| borders[i]))
}
