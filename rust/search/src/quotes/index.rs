//! Normalised text in which quotations are looked for.

use memchr::memmem::Finder;

use super::chars::cluster_end;
use super::normal::Normal;
use super::quote::{Part, Quote, is_apart, is_border, question};
use super::reader::{Reading, normalised};
use super::units::have_case_of;
use super::vowels::have_vowels_of;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::span::Span;

/// So many places are refused that differ in blanks or lie inside words, before the search of a text ends.
const MAX_REFUSED: usize = 1 << 16;

/// A text, normalised once for many quotations; 2.6 bytes for each byte of it, and as many again if it has words that
/// its page does not show: those for pictures, names of languages of code, targets that links are given elsewhere.
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_search::quotes::QuoteIndex;
///
/// let text = "The co-\nordinates of *this*\nplace are lost.";
/// let index = QuoteIndex::new(text, no_pulse())?;
/// let found = index.find(text, "“Coordinates of this place”", 1, no_pulse())?;
/// assert_eq!(&text[found[0].range()], "co-\nordinates of *this*\nplace");
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct QuoteIndex {
    pub(super) normal: Normal,
    /// The text without the words that its page does not show, if it may have such.
    bare: Option<Box<Self>>,
}

/// A text with its index.
#[derive(Clone, Copy)]
pub struct Source<'t> {
    /// The text.
    pub text: &'t str,
    /// The index of it.
    pub index: &'t QuoteIndex,
}

/// How the ends of a part may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Between words.
    Words,
    /// And numbers do not go on behind them.
    Numbers,
}

impl QuoteIndex {
    /// Normalises `text`. O(n).
    ///
    /// # Errors
    /// Those of the pulse.
    pub fn new(text: &str, pulse: Pulse<'_>) -> Result<Self> {
        let beat = Beat::of_bytes(pulse);
        let of = |reading, bare| Ok(Self { normal: normalised(text, reading, &beat)?, bare });
        let has_unseen = ["![", "```", "~~~", "]:"].iter().any(|sign| text.contains(sign));
        let bare = has_unseen.then(|| of(Reading::Bare, None)).transpose()?;
        of(Reading::Text, bare.map(Box::new))
    }

    /// This, and the index of the text without the words that its page does not show.
    pub(super) fn forms(&self) -> impl Iterator<Item = &Self> + Clone {
        std::iter::once(self).chain(self.bare.as_deref())
    }

    /// The first places of `quote` in `text`, which this is the index of; at most `limit`, none of which overlap.
    ///
    /// A place begins and ends between words, with the punctuation around the quotation as far as it is there.
    ///
    /// # Errors
    /// [`Error::Option`](chunkwright_text::error::Error::Option) if the quotation is too short; those of the pulse.
    pub fn find(
        &self,
        text: &str,
        quote: &str,
        limit: usize,
        pulse: Pulse<'_>,
    ) -> Result<Vec<Span>> {
        let beat = Beat::of_bytes(pulse);
        let mut readings = vec![Quote::new(quote, &beat)?];
        let mut is_first = true;
        loop {
            for quote in &readings {
                let (part, ends) = (quote.whole(), Ends::Numbers);
                let places =
                    Source { text, index: self }.places(quote, part, limit, ends, &beat)?;
                if !places.is_empty() {
                    return Ok(places);
                }
            }
            if !std::mem::take(&mut is_first) {
                return Ok(Vec::new());
            }
            readings = Quote::other_readings(quote, &beat)?;
        }
    }

    /// Bytes of the normalised text where a part of a quotation begins.
    pub(super) fn starts(
        &self,
        quote: &Quote,
        part: Part,
        limit: usize,
        ends: Ends,
        beat: &Beat<'_>,
    ) -> Result<Vec<usize>> {
        let (bytes, needle) = (self.normal.bytes(), &quote.normal.bytes()[part.start..part.end]);
        let finder = Finder::new(needle);
        let (mut starts, mut at, mut n_refused) = (Vec::new(), 0, 0);
        while starts.len() < limit && n_refused < MAX_REFUSED && !needle.is_empty() {
            let found = finder.find(&bytes[at..]).map(|found| at + found);
            beat.after(found.unwrap_or(bytes.len()) - at + needle.len())?;
            let Some(start) = found else { break };
            if self.stands(quote, part, start, ends) {
                starts.push(start);
                at = start + needle.len();
            } else {
                n_refused += 1;
                at = start + 1;
            }
        }
        Ok(starts)
    }

    /// Whether a part whose bytes stand at `start` stands there with all else.
    fn stands(&self, quote: &Quote, part: Part, start: usize, ends: Ends) -> bool {
        let (own, len) = (&self.normal, part.end - part.start);
        is_border(own, start)
            && is_border(own, start + len)
            && (ends == Ends::Words || is_apart(own, start, &quote.normal, part))
            && own.has_gaps_of(start, &quote.normal, part.start, len)
            && own.has_forms_of(start, &quote.normal, part.start, len)
            && have_vowels_of(&quote.normal, part.start, own, start, len)
            && (ends == Ends::Words || self.has_ends_of(quote, part, start))
            && have_case_of(&quote.normal, part.start, own, start, len)
    }

    /// Whether marks of notes and the like stand around `start`, where a part begins, that are around the part.
    fn has_ends_of(&self, quote: &Quote, part: Part, start: usize) -> bool {
        let (whole, shift) = (quote.whole(), |at: usize| (at + start).checked_sub(part.start));
        let stands = |at: usize, end: usize| {
            let others = quote.normal.joints(at, end);
            let first = shift(at).unwrap_or(0);
            let last = shift(end).unwrap_or(0).min(self.normal.bytes().len() + 1);
            let own = if first < last { self.normal.joints(first, last) } else { &[] };
            let is_needed = |joint: &&super::joints::Joint| joint.is_content();
            others
                .iter()
                .filter(is_needed)
                .all(|joint| own.iter().any(|other| other.is_same(*joint)))
        };
        let end = quote.normal.bytes().len() + 1;
        let asks = || match (question(&quote.normal, part.end), shift(part.end)) {
            (Some(is_asked), Some(at)) => {
                question(&self.normal, at).map_or(!is_asked, |stands| stands == is_asked)
            }
            _ => true,
        };
        (part.start > whole.start || stands(0, part.start + 1))
            && (part.end < whole.end || stands(part.end, end))
            && asks()
    }

    /// The place in `text` of a part of a quotation that stands at byte `at` of the normalised text.
    fn span(&self, text: &str, quote: &Quote, part: Part, at: usize) -> Span {
        let (mut start, mut end) = (at, at + part.end - part.start);
        let (bytes, quoted) = (self.normal.bytes(), quote.normal.bytes());
        let whole = quote.whole();
        if part.start == whole.start {
            let before = bytes[..start].iter().rev().zip(quoted[..part.start].iter().rev());
            start -= before.take_while(|(a, b)| a == b && a.is_ascii()).count();
        }
        if part.end == whole.end {
            let behind = bytes[end..].iter().zip(&quoted[part.end..]);
            end += behind.take_while(|(a, b)| a == b && a.is_ascii()).count();
        }
        self.source(text, start, end)
    }

    /// The place in `text` of a part of the normalised text that is not empty.
    pub(super) fn source(&self, text: &str, start: usize, end: usize) -> Span {
        let last = self.normal.source(end - 1);
        let end = self.normal.entity_end(last).unwrap_or_else(|| cluster_end(text, last));
        Span::new(self.normal.source(start), end)
    }
}

impl Source<'_> {
    /// The first places of a part of a quotation, which do not overlap.
    pub(super) fn places(
        self,
        quote: &Quote,
        part: Part,
        limit: usize,
        ends: Ends,
        beat: &Beat<'_>,
    ) -> Result<Vec<Span>> {
        let mut places: Vec<Span> = Vec::new();
        for index in self.index.forms() {
            let n_known = places.len();
            if n_known >= limit {
                break;
            }
            for at in index.starts(quote, part, limit, ends, beat)? {
                let place = index.span(self.text, quote, part, at);
                let known = &places[..n_known];
                let next = known.partition_point(|other| other.end <= place.start);
                if known.get(next).is_none_or(|other| place.end <= other.start) {
                    places.push(place);
                }
            }
        }
        places.sort_unstable_by_key(|place| place.start);
        places.truncate(limit);
        Ok(places)
    }
}

/// Where a quotation or a part of it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the slot of the text.
    pub slot: usize,
    /// The number of the text in it.
    pub text: usize,
    /// Bytes of the text.
    pub span: Span,
}
