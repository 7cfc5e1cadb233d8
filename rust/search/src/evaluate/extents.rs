//! First and last occurrences of many texts in another.
//!
//! Where only the first and the last place are asked for, all others may be skipped. The needles' first bytes are
//! looked for at once by an automaton, which keeps memory bounded for needles of any length.

use std::collections::{BTreeMap, HashMap};

use memchr::memmem::Finder;

use super::search::{Patterns, find};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;

/// What is looked for at once are the first bytes of needles, at most so many. This bounds the automaton:
/// needles that are ends of one another would take memory that grows with their square.
const ANCHOR_BYTES: usize = 16;

/// Fewer needles are looked for one by one.
const MANY: usize = 8;

/// Bytes that are compared at a time where a needle may stand.
const BLOCK_BYTES: usize = 64;

/// For each byte of the text so many blocks are compared, on the average, before needles are taken to be too
/// much alike, and are looked for one by one.
const COMPARED: usize = 32;

/// So many bytes are looked at one by one, at most: a minute's work where needles are chosen to be slow.
const MOST_BYTES: u64 = 1 << 36;

/// Where the occurrences of a needle begin, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Where it stands first.
    pub first: usize,
    /// It stands nowhere behind this; if it was looked for by itself, the end of the text.
    pub last: usize,
}

/// Where the occurrences of each of `needles` begin; None for one that has none, as an empty one.
///
/// One pass over the text finds the first bytes of all needles, and the rest is compared there: O(text +
/// needles) as long as few needles begin alike where the text does. Else, and if there are few, they are
/// looked for one by one, O(text) for each.
///
/// # Errors
/// [`Error::Config`] if one by one is too much work; those of the pulse.
pub fn extents(text: &str, needles: &[&str], pulse: Pulse<'_>) -> Result<Vec<Option<Extent>>> {
    let (mut distinct, mut numbers) = (Vec::new(), HashMap::new());
    let mut of_needle = Vec::with_capacity(needles.len());
    for &needle in needles {
        of_needle.push(*numbers.entry(needle).or_insert_with(|| {
            distinct.push(needle.as_bytes());
            distinct.len() - 1
        }));
    }
    let found = of_distinct(text.as_bytes(), &distinct, pulse)?;
    Ok(of_needle.into_iter().map(|i| found[i]).collect())
}

fn of_distinct(text: &[u8], needles: &[&[u8]], pulse: Pulse<'_>) -> Result<Vec<Option<Extent>>> {
    if needles.len() >= MANY {
        if let Some(found) = at_once(text, needles, pulse)? {
            return Ok(found);
        }
        if (needles.len() as u64).saturating_mul(text.len() as u64) > MOST_BYTES {
            return Err(Error::Config(format!(
                "cannot find {} texts in one of {} bytes: too many of them start alike",
                needles.len(),
                text.len()
            )));
        }
    }
    needles.iter().map(|needle| alone(text, needle, pulse)).collect()
}

fn alone(text: &[u8], needle: &[u8], pulse: Pulse<'_>) -> Result<Option<Extent>> {
    if needle.is_empty() {
        return Ok(None);
    }
    let first = find(text, &Finder::new(needle), 0, pulse)?;
    Ok(first.map(|first| Extent { first, last: text.len() }))
}

/// Looks for all needles in one pass; None if too much had to be compared.
fn at_once(
    text: &[u8],
    needles: &[&[u8]],
    pulse: Pulse<'_>,
) -> Result<Option<Vec<Option<Extent>>>> {
    let mut by_anchor: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (i, needle) in needles.iter().enumerate().filter(|(_, needle)| !needle.is_empty()) {
        let anchor = &needle[..needle.len().min(ANCHOR_BYTES)];
        by_anchor.entry(anchor).or_default().push(i);
    }
    let anchors = Patterns::of(by_anchor.keys().copied())?;
    let alike: Vec<_> = by_anchor.into_values().collect();
    let mut found = vec![None; needles.len()];
    let mut left = COMPARED * text.len();
    let is_done = anchors.each(text, pulse, |anchor, at| {
        alike[anchor].iter().all(|&i| match begins_with(&text[at..], needles[i], &mut left) {
            Some(true) => {
                found[i].get_or_insert(Extent { first: at, last: at }).last = at;
                true
            }
            is_known => is_known.is_some(),
        })
    })?;
    Ok(is_done.then_some(found))
}

/// Whether `text` begins with `needle`; None once no block is `left` to be compared.
fn begins_with(text: &[u8], needle: &[u8], left: &mut usize) -> Option<bool> {
    for (i, block) in needle.chunks(BLOCK_BYTES).enumerate() {
        *left = left.checked_sub(1)?;
        if !text.get(i * BLOCK_BYTES..).is_some_and(|text| text.starts_with(block)) {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkwright_text::pulse::no_pulse;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_found_one_by_one(
            text in "[ab]{0,200}", needles in proptest::collection::vec("[ab]{0,30}", 0..20),
            places in proptest::collection::vec((0_usize..200, 0_usize..60), 0..20),
        ) {
            let slice = |&(start, n): &(usize, usize)| text.get(start..start + n).map(str::to_owned);
            let needles: Vec<_> = needles.into_iter().chain(places.iter().filter_map(slice)).collect();
            let needles: Vec<_> = needles.iter().map(String::as_str).collect();
            let found = extents(&text, &needles, no_pulse()).unwrap();
            for (needle, extent) in needles.iter().zip(found) {
                let first = text.find(needle).filter(|_| !needle.is_empty());
                prop_assert_eq!(extent.map(|extent| extent.first), first);
                let last = text.rfind(needle).unwrap_or_default();
                let is_exact = |found| found == last || found == text.len();
                prop_assert!(extent.is_none_or(|extent| is_exact(extent.last)));
            }
        }
    }

    #[test]
    fn needles_that_begin_alike_are_found_one_by_one() {
        let text = "a".repeat(2000);
        let needles: Vec<_> = (0..100).map(|i| format!("{}{i}", "a".repeat(500))).collect();
        let borrowed: Vec<_> = needles.iter().map(String::as_bytes).collect();
        assert_eq!(at_once(text.as_bytes(), &borrowed, no_pulse()).unwrap(), None);
        let all: Vec<_> = needles.iter().map(String::as_str).chain(["aaa"]).collect();
        let found = extents(&text, &all, no_pulse()).unwrap();
        assert!(found[..100].iter().all(Option::is_none));
        assert_eq!(found[100], Some(Extent { first: 0, last: 2000 }));
    }

    #[test]
    fn ends_of_one_another_are_found() {
        // Lists of what ends at each byte of the longest would grow with the square of their number.
        let text = "a".repeat(20_000) + "b";
        let mut needles: Vec<_> = (1..400).map(|n| "a".repeat(n)).collect();
        needles.extend((1..400).map(|n| "a".repeat(n) + "b"));
        needles.extend((1..400).map(|n| "a".repeat(n) + "c"));
        let needles: Vec<_> = needles.iter().map(String::as_str).collect();
        let found = extents(&text, &needles, no_pulse()).unwrap();
        let first: Vec<_> = found.iter().map(|extent| extent.map(|extent| extent.first)).collect();
        let expected = (1..400).map(|_| Some(0)).chain((1..400).map(|n| Some(20_000 - n)));
        assert_eq!(first, expected.chain((1..400).map(|_| None)).collect::<Vec<_>>());
    }

    #[test]
    fn very_many_that_begin_alike_are_refused() {
        let text = "a".repeat(1 << 17);
        let needles: Vec<_> = (0..=1 << 19).map(|i| format!("{}{i}", "a".repeat(16))).collect();
        let needles: Vec<_> = needles.iter().map(String::as_str).collect();
        let error = extents(&text, &needles, no_pulse()).unwrap_err().to_string();
        assert_eq!(
            error,
            "cannot find 524289 texts in one of 131072 bytes: too many of them start alike"
        );
    }
}
