//! Occurrences of texts in another, in bytes. An empty text occurs nowhere.
//!
//! Whether an answer was found is asked by texts where a chunker keeps no offsets, and corpora are searched for
//! thousands of chunks at once. All needles are one automaton ([`search`](super::search)) as long as that is
//! small; those that begin alike by the thousand, as rows of dashes do, are bounded by the work that is allowed.

use memchr::memmem::Finder;

use super::extents::{Extent, extents};
use super::search::{Patterns, find};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};

/// So far behind the chunk before the next one is looked for, before all of the text is.
const NEAR_BYTES: usize = 1 << 12;

/// The first occurrence of each of `needles`.
///
/// O(text + needles), unless many begin alike.
///
/// ```
/// use chunkwright_search::evaluate::first_occurrences;
/// use chunkwright_text::pulse::no_pulse;
///
/// let found = first_occurrences("rain and rain", &["rain", "and", "sun"], no_pulse())?;
/// assert_eq!(found, [Some(0), Some(5), None]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`](chunkwright_text::error::Error::Config) if too many begin alike; those of the pulse.
pub fn first_occurrences(
    text: &str,
    needles: &[&str],
    pulse: Pulse<'_>,
) -> Result<Vec<Option<usize>>> {
    let extents = extents(text, needles, pulse)?;
    Ok(extents.into_iter().map(|extent| extent.map(|extent| extent.first)).collect())
}

/// All occurrences of `needle`, also those that overlap. O(text + needle + occurrences).
///
/// ```
/// use chunkwright_search::evaluate::all_occurrences;
/// use chunkwright_text::pulse::no_pulse;
///
/// assert_eq!(all_occurrences("aaaa", "aa", no_pulse())?, [0, 1, 2]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`](chunkwright_text::error::Error::Config) if the needle has two thousand million bytes; what the
/// pulse raises.
pub fn all_occurrences(text: &str, needle: &str, pulse: Pulse<'_>) -> Result<Vec<usize>> {
    let mut starts = Vec::new();
    if !needle.is_empty() && needle.len() <= text.len() {
        Patterns::of([needle.as_bytes()])?.each(text.as_bytes(), pulse, |_, start| {
            starts.push(start);
            true
        })?;
    }
    Ok(starts)
}

/// Where each of `needles` stands if they are the chunks of `text`, in reading order.
///
/// A chunk is taken to stand where the first of these says:
/// 1. directly behind the chunk before, or behind some whitespace there;
/// 2. at the first place behind the start of the chunk before where it reaches beyond that one's end, as
///    chunks that overlap do;
/// 3. at the first place behind the start of the chunk before;
/// 4. where it stands first, out of order.
///
/// So texts that repeat themselves are told apart as long as chunks follow one another. Where chunks
/// overlap within a passage that repeats itself (a row of dashes), or are not in order, another occurrence
/// than the true one may be taken: the texts alone do not say.
///
/// O(text + needles) for chunks near one another, whether others are found or not; a chunk that is far from
/// the one before, and recurs, costs the distance.
///
/// ```
/// use chunkwright_search::evaluate::next_occurrences;
/// use chunkwright_text::pulse::no_pulse;
///
/// let text = "Rain. Sun. Rain. Snow.";
/// let found = next_occurrences(text, &["Rain.", "Sun.", "Rain.", "Snow."], no_pulse())?;
/// assert_eq!(found, [Some(0), Some(6), Some(11), Some(17)]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`](chunkwright_text::error::Error::Config) if too many begin alike; those of the pulse.
pub fn next_occurrences(
    text: &str,
    needles: &[&str],
    pulse: Pulse<'_>,
) -> Result<Vec<Option<usize>>> {
    let mut follower = Follower { text, needles, extents: None, last: Last::default(), pulse };
    let (mut starts, beat) = (Vec::with_capacity(needles.len()), Beat::of_bytes(pulse));
    for (i, needle) in needles.iter().enumerate() {
        beat.after(needle.len())?;
        let start = if needle.is_empty() { None } else { follower.next(i)? };
        if let Some(start) = start {
            follower.last = Last::of(text, start, start + needle.len());
        }
        starts.push(start);
    }
    Ok(starts)
}

/// What the chunk before says about the next one; at first, that of a chunk of nothing.
#[derive(Clone, Copy, Default)]
struct Last {
    /// It starts there or later.
    behind: usize,
    end: usize,
    /// If it starts up to here, nothing but whitespace is between the two.
    adjacent: usize,
}

impl Last {
    fn of(text: &str, start: usize, end: usize) -> Self {
        let near =
            text[end..].char_indices().take_while(|&(i, c)| i < NEAR_BYTES && c.is_whitespace());
        let blank: usize = near.map(|(_, c)| c.len_utf8()).sum();
        Self { behind: start + 1, end, adjacent: end + blank }
    }
}

struct Follower<'t, 'p> {
    text: &'t str,
    needles: &'t [&'t str],
    /// Where the needles stand at all, once one was not found nearby.
    extents: Option<Vec<Option<Extent>>>,
    last: Last,
    pulse: Pulse<'p>,
}

impl Follower<'_, '_> {
    fn next(&mut self, i: usize) -> Result<Option<usize>> {
        let Last { behind, end, adjacent } = self.last;
        let needle = Finder::new(self.needles[i]);
        if let Some(start) = self.start(&needle, end, adjacent + 1)? {
            return Ok(Some(start));
        }
        let beyond = behind.max((end + 1).saturating_sub(self.needles[i].len()));
        let near = beyond.max(end + NEAR_BYTES);
        if let Some(start) = self.start(&needle, beyond, near)? {
            return Ok(Some(start));
        }
        let Some(extent) = self.extent(i)? else { return Ok(None) };
        if extent.first >= beyond {
            return Ok(Some(extent.first));
        }
        if let Some(start) = self.start(&needle, near, extent.last + 1)? {
            return Ok(Some(start));
        }
        Ok(self.start(&needle, behind, beyond)?.or(Some(extent.first)))
    }

    /// The first of the bytes `from..to` where a needle starts.
    fn start(&self, needle: &Finder<'_>, from: usize, to: usize) -> Result<Option<usize>> {
        let end = self.text.len().min(to + needle.needle().len() - 1);
        find(&self.text.as_bytes()[..end], needle, from, self.pulse)
    }

    fn extent(&mut self, i: usize) -> Result<Option<Extent>> {
        if self.extents.is_none() {
            self.extents = Some(extents(self.text, self.needles, self.pulse)?);
        }
        Ok(self.extents.as_ref().and_then(|extents| extents[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkwright_text::error::Error;
    use chunkwright_text::pulse::no_pulse;
    use proptest::prelude::*;

    /// Each place is tried.
    fn all(text: &str, needle: &str) -> Vec<usize> {
        let starts = (0..text.len()).filter(|&at| text.is_char_boundary(at));
        starts.filter(|&at| !needle.is_empty() && text[at..].starts_with(needle)).collect()
    }

    /// The rules one after another, each place tried.
    fn next(text: &str, needles: &[&str]) -> Vec<Option<usize>> {
        let mut last: Option<(usize, usize)> = None;
        let mut next = |needle: &&str| {
            let places = all(text, needle);
            let (behind, end) = last.map_or((0, 0), |(start, end)| (start + 1, end));
            let is_adjacent =
                |at: usize| at >= end && text[end..at].chars().all(char::is_whitespace);
            let first = |rule: &dyn Fn(usize) -> bool| places.iter().copied().find(|&at| rule(at));
            let start = first(&is_adjacent)
                .or_else(|| first(&|at| at >= behind && at + needle.len() > end))
                .or_else(|| first(&|at| at >= behind))
                .or_else(|| first(&|_| true));
            last = start.map(|start| (start, start + needle.len())).or(last);
            start
        };
        needles.iter().map(&mut next).collect()
    }

    fn borrowed(texts: &[String]) -> Vec<&str> {
        texts.iter().map(String::as_str).collect()
    }

    proptest! {
        #[test]
        fn occurrences_are_those_found_one_by_one(
            text in "[abé ]{0,60}", needles in proptest::collection::vec("[abé]{0,4}", 0..30),
        ) {
            let needles = borrowed(&needles);
            for needle in &needles {
                prop_assert_eq!(all_occurrences(&text, needle, no_pulse()).unwrap(), all(&text, needle));
            }
            let first: Vec<_> = needles.iter().map(|n| all(&text, n).first().copied()).collect();
            prop_assert_eq!(first_occurrences(&text, &needles, no_pulse()).unwrap(), first);
            let expected = next(&text, &needles);
            prop_assert_eq!(next_occurrences(&text, &needles, no_pulse()).unwrap(), expected);
        }

        #[test]
        fn chunks_that_follow_one_another_are_found_where_they_are(
            words in proptest::collection::vec("(the|rain|a|go)", 1..60),
            sizes in proptest::collection::vec(1_usize..5, 60),
        ) {
            let text = words.join(" ");
            let (mut chunks, mut starts, mut at) = (Vec::new(), Vec::new(), 0);
            let mut rest = words.as_slice();
            for size in sizes {
                let (own, others) = rest.split_at(size.min(rest.len()));
                if own.is_empty() {
                    break;
                }
                chunks.push(own.join(" "));
                starts.push(Some(at));
                at += own.iter().map(|word| word.len() + 1).sum::<usize>();
                rest = others;
            }
            let found = next_occurrences(&text, &borrowed(&chunks), no_pulse()).unwrap();
            prop_assert_eq!(found, starts);
        }
    }

    #[test]
    fn chunks_that_overlap_are_found_behind_one_another() {
        let text = "one two three four. one two three five.";
        let chunks = ["one two three", "two three four.", "four. one two", "one two three five."];
        let found = next_occurrences(text, &chunks, no_pulse()).unwrap();
        assert_eq!(found, [Some(0), Some(4), Some(14), Some(20)]);
    }

    #[test]
    fn a_chunk_within_the_one_before_is_found_there_if_nowhere_behind() {
        let found = next_occurrences("one two three", &["one two three", "three"], no_pulse());
        assert_eq!(found.unwrap(), [Some(0), Some(8)]);
        let text = "yes or no. yes and so on";
        let found = next_occurrences(text, &["yes or no.", "yes"], no_pulse());
        assert_eq!(found.unwrap(), [Some(0), Some(11)]);
    }

    #[test]
    fn far_chunks_are_found_and_missing_ones_change_nothing() {
        let filling = "x".repeat(2 * NEAR_BYTES);
        let text = format!("here {filling} there {filling} here and there");
        let chunks = ["there", "nowhere", "here", "here", "here and there", "here"];
        let found = next_occurrences(&text, &chunks, no_pulse()).unwrap();
        let [there, last] = [text.find("there"), text.rfind("here and")];
        let end = text.rfind("here");
        assert_eq!(found, [there, None, last, end, last, end]);
        // Behind the last one there is none, so it is taken where it stands first.
        let found = next_occurrences(&text, &["here and there", "there", "here"], no_pulse());
        assert_eq!(found.unwrap(), [last, text.rfind("there"), end]);
        let found = next_occurrences(&text, &["and there", "here and", "x here"], no_pulse());
        assert_eq!(found.unwrap(), [text.find("and"), last, text.rfind("x here")]);
    }

    #[test]
    fn occurrences_reach_over_steps_of_the_search() {
        let steps = [1_usize << 18, 2 << 18];
        let mut text = vec![b'.'; 3 << 18];
        for at in steps {
            text[at - 5..at + 5].copy_from_slice(b"0123456789");
        }
        let text = String::from_utf8(text).unwrap();
        assert_eq!(
            all_occurrences(&text, "0123456789", no_pulse()).unwrap(),
            steps.map(|at| at - 5)
        );
        let needles: Vec<_> = (0..10).map(|i| &"0123456789"[i..]).collect();
        let found = first_occurrences(&text, &needles, no_pulse()).unwrap();
        assert_eq!(found, (0..10).map(|i| Some(steps[0] - 5 + i)).collect::<Vec<_>>());
    }

    #[test]
    fn all_can_be_stopped() {
        let stop = || Err(Error::Interrupted);
        let text = "a".repeat(1 << 20);
        assert!(all_occurrences(&text, "aa", &stop).is_err());
        assert!(all_occurrences(&text, "b", &stop).is_err());
        assert!(first_occurrences(&text, &["b"], &stop).is_err());
        assert!(first_occurrences(&text, &[&"b".repeat(20), &"c".repeat(20)], &stop).is_err());
        assert!(next_occurrences(&text, &["b"], &stop).is_err());
        assert!(next_occurrences(&text, &vec!["a"; 1 << 17], &stop).is_err());
    }
}
