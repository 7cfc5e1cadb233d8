//! Grapheme clusters (UAX #29), the least that a reader sees as one character.
//!
//! A cluster of up to 32 code points is never cut. A longer one is no character of any language, but
//! what Unicode's Stream-Safe Text Format (UAX #15) guards against: it is cut between code points.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::offsets::skip_chars;

/// A longer cluster is cut: the stream-safe 30 marks, their base, and one to spare.
const MAX_CLUSTER_CHARS: usize = 32;

/// The last boundary up to `at` of the clusters that begin at `start`, itself one. O(distance).
pub fn floor(text: &str, start: usize, at: usize) -> usize {
    if at <= start || at >= text.len() || is_plain_boundary(text, at) {
        return at;
    }
    let inside = &text[start..];
    let mut cursor = GraphemeCursor::new(at - start, inside.len(), true);
    if cursor.is_boundary(inside, 0).unwrap_or(true) {
        return at;
    }
    let before = cursor.prev_boundary(inside, 0).ok().flatten().map_or(start, |at| start + at);
    if at <= skip_chars(text, before, MAX_CLUSTER_CHARS) && end(text, before).is_some() {
        before
    } else {
        at
    }
}

/// The first boundary from `at` on of the clusters that begin at `start`, itself one.
pub fn ceil(text: &str, start: usize, at: usize) -> usize {
    let floor = floor(text, start, at);
    if floor == at { at } else { end(text, floor).unwrap_or(at) }
}

/// The end of the cluster that begins at `start`; none if it is too long to be kept whole.
///
/// ```
/// use chunkwright_text::segment::grapheme::{ceil, end, floor};
///
/// let text = "e\u{301}👨\u{200d}👩\u{200d}👧!"; // an accent, and a family of three
/// assert_eq!(end(text, 0), Some(3));
/// assert_eq!(end(text, 3), Some(21));
/// assert_eq!((floor(text, 0, 10), ceil(text, 0, 10)), (3, 21));
/// ```
pub fn end(text: &str, start: usize) -> Option<usize> {
    let longest = skip_chars(text, start, MAX_CLUSTER_CHARS);
    let lookahead = skip_chars(text, longest, 1);
    let first = text[start..lookahead].graphemes(true).next()?;
    let end = start + first.len();
    (end <= longest).then_some(end)
}

/// Whether `at` lies between two ASCII bytes that are no CR LF: always a boundary.
fn is_plain_boundary(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let (before, after) = (bytes[at - 1], bytes[at]);
    before.is_ascii() && after.is_ascii() && (before, after) != (b'\r', b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn floor_and_ceil_are_boundaries(text in "[ae\u{301}\u{200d}👩🇩🇪한\r\n ]{0,40}") {
            let bounds: Vec<usize> =
                text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
            let short = bounds.windows(2).all(|pair| text[pair[0]..pair[1]].chars().count() <= 32);
            prop_assume!(short);
            for (at, _) in text.char_indices() {
                let below = bounds.iter().copied().rfind(|&bound| bound <= at);
                let above = bounds.iter().copied().find(|&bound| bound >= at);
                prop_assert_eq!(Some(floor(&text, 0, at)), below);
                prop_assert_eq!(Some(ceil(&text, 0, at)), above);
            }
        }
    }

    #[test]
    fn an_endless_cluster_is_cut_between_code_points() {
        let text = format!("e{} tail", "\u{301}".repeat(1000));
        assert_eq!(floor(&text, 0, 201), 201);
        assert_eq!(ceil(&text, 0, 201), 201);
        assert_eq!(end(&text, 0), None);
        let marks = |count| format!("e{}", "\u{301}".repeat(count));
        assert_eq!((end(&marks(31), 0), end(&marks(32), 0)), (Some(63), None));
        let short = "e\u{301}x";
        assert_eq!((floor(short, 0, 1), ceil(short, 0, 1)), (0, 3));
    }
}
