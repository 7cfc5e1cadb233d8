//! Source map: where the parts of a document's text stand in the source that a reader made it of.
//!
//! A reader that makes a text (of HTML, of CSV) still knows where each element stood. Keeping that for each
//! character would take as much as the text; a place is kept for each part, and a chunk stands from the first
//! place of its parts to the last one: O(log parts) and the parts of the chunk.
//!
//! ```
//! use chunkwright_text::source_map::{SourceMap, SourcePlace};
//! use chunkwright_text::span::Span;
//!
//! let source = "<h1>Rain</h1>\n<p>It fell.</p>";
//! // The text is "Rain\n\nIt fell."; each part is said to stand where its tags do.
//! let parts = [(Span::new(0, 4), Span::new(0, 13)), (Span::new(6, 14), Span::new(14, 29))];
//! let map = SourceMap::of_parts(source, &[], parts);
//! let own = SourcePlace { chars: [6, 14], lines: [3, 3] };
//! let place = map.place(Span::new(6, 14), own).unwrap();
//! assert_eq!((place.chars, place.lines), ([14, 29], [2, 2]));
//! assert_eq!(SourceMap::Same.place(Span::new(6, 14), own), Some(own));
//! assert_eq!(SourceMap::Nowhere.place(Span::new(6, 14), own), None);
//! ```

use memchr::memchr_iter;
use serde::{Deserialize, Serialize};

use crate::offsets::CharIndex;
use crate::span::Span;

/// A place in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePlace {
    /// Where it starts and ends, in code points.
    pub chars: [usize; 2],
    /// The lines, from 1, on which it starts and ends; lines end at `\n`.
    pub lines: [usize; 2],
}

/// Where the text of a document stands in what was read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub enum SourceMap {
    /// It is what was read.
    #[default]
    Same,
    /// Its parts stand there, each with its span of the text: those ascend and lie apart.
    Parts(Vec<(Span, SourcePlace)>),
    /// Nowhere: what was read is no text, or does not tell places.
    Nowhere,
}

impl SourceMap {
    /// A text whose parts, spans in bytes, stand each at a span of `source`, in bytes as well; the characters of
    /// that at the bytes `pairs` count twice. Parts without text are left out. O(source + parts log source).
    pub fn of_parts(
        source: &str,
        pairs: &[usize],
        parts: impl IntoIterator<Item = (Span, Span)>,
    ) -> Self {
        let index = SourceIndex::new(source, pairs);
        let parts = parts.into_iter().filter(|(span, _)| !span.is_empty());
        Self::Parts(parts.map(|(span, at)| (span, index.place(at))).collect())
    }

    /// The same of a text whose parts are elements, and the code points of `source` at which each of them starts
    /// and ends, those without text included.
    pub fn of_elements(
        source: &str,
        pairs: &[usize],
        elements: impl ExactSizeIterator<Item = (Span, Span)>,
    ) -> (Self, Vec<[usize; 2]>) {
        let index = SourceIndex::new(source, pairs);
        let (mut parts, mut places) = (Vec::new(), Vec::with_capacity(elements.len()));
        for (span, at) in elements {
            let place = index.place(at);
            places.push(place.chars);
            if !span.is_empty() {
                parts.push((span, place));
            }
        }
        (Self::Parts(parts), places)
    }

    /// Where `span` of the text, in bytes, stands: from the first to the last place of its parts. `own` is where
    /// it stands in the text itself. O(log parts + parts of the span).
    pub fn place(&self, span: Span, own: SourcePlace) -> Option<SourcePlace> {
        let parts = match self {
            Self::Same => return Some(own),
            Self::Nowhere => return None,
            Self::Parts(parts) => parts,
        };
        let first = parts.partition_point(|(part, _)| part.end <= span.start);
        let within = parts[first..].iter().take_while(|(part, _)| part.start < span.end);
        within.map(|(_, place)| *place).reduce(SourcePlace::with)
    }
}

/// Code points and lines of a source.
struct SourceIndex<'s> {
    source: &'s str,
    chars: CharIndex,
    feeds: Vec<usize>,
}

impl<'s> SourceIndex<'s> {
    fn new(source: &'s str, pairs: &[usize]) -> Self {
        let feeds = memchr_iter(b'\n', source.as_bytes()).collect();
        Self { source, chars: CharIndex::new(source, pairs), feeds }
    }

    fn place(&self, at: Span) -> SourcePlace {
        let char = |byte| self.chars.byte_to_char(self.source, byte);
        let line = |byte| 1 + self.feeds.partition_point(|&feed| feed < byte);
        SourcePlace {
            chars: [char(at.start), char(at.end)],
            lines: [line(at.start), line(at.start.max(at.end.saturating_sub(1)))],
        }
    }
}

impl SourcePlace {
    /// The smallest place that holds both.
    fn with(self, other: Self) -> Self {
        let both =
            |[start, end]: [usize; 2], [first, last]: [usize; 2]| [start.min(first), end.max(last)];
        Self { chars: both(self.chars, other.chars), lines: both(self.lines, other.lines) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: SourcePlace = SourcePlace { chars: [7, 8], lines: [1, 1] };

    #[test]
    fn places_are_those_of_all_parts() {
        // "b é" is made of the bold and the second line.
        let source = "<b>b</b>\n\n<i>é</i>\n";
        let parts = [(0, 1, 0, 8), (1, 1, 0, 19), (2, 4, 10, 19)];
        let span = |(a, b, c, d)| (Span::new(a, b), Span::new(c, d));
        let map = SourceMap::of_parts(source, &[], parts.map(span));
        let place = |start, end, first, last| {
            Some(SourcePlace { chars: [start, end], lines: [first, last] })
        };
        assert_eq!(map.place(Span::new(0, 1), OWN), place(0, 8, 1, 1));
        assert_eq!(map.place(Span::new(3, 4), OWN), place(10, 18, 3, 3));
        assert_eq!(map.place(Span::new(0, 4), OWN), place(0, 18, 1, 3));
        assert_eq!(map.place(Span::new(1, 2), OWN), None);
        assert_eq!(SourceMap::Same.place(Span::new(0, 1), OWN), Some(OWN));
        assert_eq!(SourceMap::Nowhere.place(Span::new(0, 1), OWN), None);
    }

    #[test]
    fn pairs_count_twice() {
        let map = SourceMap::of_parts("🚀\nx", &[0], [(Span::new(0, 1), Span::new(5, 6))]);
        let place = map.place(Span::new(0, 1), OWN).unwrap();
        assert_eq!(place, SourcePlace { chars: [3, 4], lines: [2, 2] });
    }
}
