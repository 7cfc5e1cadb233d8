//! Where many texts stand first in another, and behind which place no more.

use std::collections::HashMap;

use memchr::memmem::Finder;

use super::automaton::Automaton;
use super::search::find;
use crate::error::Result;
use crate::pulse::Pulse;

/// Needles are told apart by so many of their first bytes.
const ANCHOR_BYTES: usize = 16;

/// Fewer needles are looked for one by one.
const MANY: usize = 8;

/// The pulse is asked whenever so many bytes of the text are done.
const PULSE_BYTES: usize = 1 << 17;

/// For each byte of the text so many bytes of needles are compared with it, on the average; what is not
/// known then is looked for by an automaton.
const COMPARED: usize = 16;

/// So many needles are looked for by an automaton, which takes as long for a byte of the text as a substring
/// search for some hundreds.
const VERY_MANY: usize = 512;

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
/// One pass over the text finds all needles of [`ANCHOR_BYTES`] or more, O(text + needles), as long as few
/// that begin alike have to be compared. Otherwise, and for many shorter ones, an [`Automaton`] does, which
/// is slower and takes some 40 bytes for each of theirs. A few are looked for one by one.
///
/// # Errors
/// What the pulse raises.
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
    let mut found = vec![None; needles.len()];
    let is_long = |&&i: &&usize| needles[i].len() >= ANCHOR_BYTES;
    let all: Vec<usize> = (0..needles.len()).collect();
    let (mut anchored, mut single): (Vec<_>, Vec<_>) = all.iter().partition(is_long);
    if anchored.len() < MANY {
        single.append(&mut anchored);
    }
    let anchors = Anchors::of(needles, &anchored);
    if !anchored.is_empty() && !anchors.scan(text, needles, &mut found, pulse)? {
        single.append(&mut anchored);
    }
    if single.len() >= VERY_MANY {
        let needles: Vec<_> = single.iter().map(|&i| needles[i]).collect();
        if let Some(automaton) = Automaton::of(&needles, pulse)? {
            let extents = automaton.extents(text, pulse)?;
            single.into_iter().zip(extents).for_each(|(i, extent)| found[i] = extent);
            return Ok(found);
        }
    }
    for i in single {
        found[i] = alone(text, needles[i], pulse)?;
    }
    Ok(found)
}

fn alone(text: &[u8], needle: &[u8], pulse: Pulse<'_>) -> Result<Option<Extent>> {
    if needle.is_empty() {
        return Ok(None);
    }
    let first = find(text, &Finder::new(needle), 0, pulse)?;
    Ok(first.map(|first| Extent { first, last: text.len() }))
}

/// Needles by their first bytes.
struct Anchors {
    by_anchor: HashMap<u128, Vec<usize>>,
    /// A bit for the hash of each anchor: most places of a text need no look at the map.
    filter: Vec<u64>,
    shift: u32,
}

impl Anchors {
    fn of(needles: &[&[u8]], numbers: &[usize]) -> Self {
        // Some 64 bits for each needle.
        let n_bits = (numbers.len().max(1) * 64).next_power_of_two();
        let mut anchors = Self {
            by_anchor: HashMap::new(),
            filter: vec![0; n_bits / 64],
            shift: 64 - n_bits.trailing_zeros(),
        };
        for &i in numbers {
            if let Some(&anchor) = needles[i].first_chunk() {
                let anchor = u128::from_le_bytes(anchor);
                let bit = anchors.bit(anchor);
                anchors.filter[bit / 64] |= 1 << (bit % 64);
                anchors.by_anchor.entry(anchor).or_default().push(i);
            }
        }
        anchors
    }

    #[allow(clippy::cast_possible_truncation, reason = "both halves of the anchor are mixed")]
    fn bit(&self, anchor: u128) -> usize {
        let (low, high) = (anchor as u64, (anchor >> 64) as u64);
        let mixed = (low ^ high.rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> self.shift) as usize
    }

    /// Notes where the needles stand; whether that was done before too many bytes had to be compared.
    fn scan(
        &self,
        text: &[u8],
        needles: &[&[u8]],
        found: &mut [Option<Extent>],
        pulse: Pulse<'_>,
    ) -> Result<bool> {
        let mut left = COMPARED * text.len();
        for at in 0..text.len() {
            if at.is_multiple_of(PULSE_BYTES) {
                pulse()?;
            }
            let Some(&anchor) = text[at..].first_chunk() else { break };
            let anchor = u128::from_le_bytes(anchor);
            let bit = self.bit(anchor);
            if self.filter[bit / 64] >> (bit % 64) & 1 == 0 {
                continue;
            }
            for &i in self.by_anchor.get(&anchor).into_iter().flatten() {
                let Some(rest) = left.checked_sub(needles[i].len()) else { return Ok(false) };
                left = rest;
                if text[at..].starts_with(needles[i]) {
                    found[i].get_or_insert(Extent { first: at, last: at }).last = at;
                }
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pulse::no_pulse;
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
    fn needles_that_begin_alike_end_the_pass() {
        let text = "a".repeat(2000);
        let needles: Vec<_> = (0..100).map(|i| format!("{}{i}", "a".repeat(500))).collect();
        let borrowed: Vec<_> = needles.iter().map(String::as_bytes).collect();
        let numbers: Vec<_> = (0..needles.len()).collect();
        let mut found = vec![None; needles.len()];
        let anchors = Anchors::of(&borrowed, &numbers);
        assert!(!anchors.scan(text.as_bytes(), &borrowed, &mut found, no_pulse()).unwrap());
        let all: Vec<_> = needles.iter().map(String::as_str).chain(["aaa"]).collect();
        let found = extents(&text, &all, no_pulse()).unwrap();
        assert!(found[..100].iter().all(Option::is_none));
        assert_eq!(found[100], Some(Extent { first: 0, last: 2000 }));
    }

    #[test]
    fn very_many_that_are_alike_are_found_in_one_pass() {
        // One by one, they were looked for in two hundred million bytes.
        let text = "a".repeat(100_000) + "b";
        let mut needles: Vec<_> = (1..1000).map(|n| "a".repeat(n) + "b").collect();
        needles.extend((1..1000).map(|n| "a".repeat(n) + "c"));
        let needles: Vec<_> = needles.iter().map(String::as_str).collect();
        let found = extents(&text, &needles, no_pulse()).unwrap();
        for (n, extent) in (1..).zip(&found[..999]) {
            let at = 100_000 - n;
            assert_eq!(*extent, Some(Extent { first: at, last: at }));
        }
        assert!(found[999..].iter().all(Option::is_none));
    }
}
