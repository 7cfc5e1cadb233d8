//! Many texts looked for in another at once, however they are alike: the automaton of Aho and Corasick.
//!
//! The crate of that name lists for each state all needles that end there, so that needles which are ends of
//! one another take memory that grows with their square. Here a state is noted once, and what it ends with
//! is told afterwards.

use std::collections::HashMap;

use super::extents::Extent;
use crate::error::Result;
use crate::pulse::Pulse;

/// The pulse is asked whenever so many bytes are done.
const PULSE_BYTES: usize = 1 << 16;

/// The state of nothing matched.
const ROOT: u32 = 0;

/// Beginnings of needles, each a state; some 40 bytes each.
pub struct Automaton {
    /// The state that a byte leads to from another, if any needle goes on so.
    ///
    /// Hashed with a key that nobody knows, so that no text can be made whose steps collide.
    steps: HashMap<(u32, u8), u32>,
    /// The longest end of each state that is a state as well.
    suffixes: Vec<u32>,
    /// The states, shorter ones first.
    order: Vec<u32>,
    /// The state that each needle is whole in, and its length.
    whole: Vec<(u32, usize)>,
}

impl Automaton {
    /// O(needles). None if there are more states than numbers for them.
    ///
    /// # Errors
    /// What the pulse raises.
    pub fn of(needles: &[&[u8]], pulse: Pulse<'_>) -> Result<Option<Self>> {
        let n_bytes: usize = needles.iter().map(|needle| needle.len()).sum();
        if u32::try_from(n_bytes).is_err() {
            return Ok(None);
        }
        let (mut steps, mut whole) = (HashMap::new(), Vec::with_capacity(needles.len()));
        // The state before each, the byte that leads to it, and its length.
        let mut states = vec![(ROOT, 0_u8, 0_usize)];
        let mut beat = Beat { pulse, unfelt: 0 };
        for needle in needles {
            let mut state = ROOT;
            for (i, &byte) in needle.iter().enumerate() {
                beat.step()?;
                state = *steps.entry((state, byte)).or_insert_with(|| {
                    states.push((state, byte, i + 1));
                    number(states.len() - 1)
                });
            }
            whole.push((state, needle.len()));
        }
        let mut order: Vec<u32> = (0..number(states.len())).collect();
        order.sort_by_key(|&state| states[state as usize].2);
        let mut automaton = Self { steps, suffixes: vec![ROOT; states.len()], order, whole };
        for i in 1..automaton.order.len() {
            beat.step()?;
            let state = automaton.order[i] as usize;
            let (before, byte, n_bytes) = states[state];
            if n_bytes > 1 {
                automaton.suffixes[state] =
                    automaton.after(automaton.suffixes[before as usize], byte);
            }
        }
        Ok(Some(automaton))
    }

    /// The state that `byte` leads to: the longest end of what was read that a needle begins with.
    fn after(&self, mut state: u32, byte: u8) -> u32 {
        loop {
            match self.steps.get(&(state, byte)) {
                Some(&next) => return next,
                None if state == ROOT => return ROOT,
                None => state = self.suffixes[state as usize],
            }
        }
    }

    /// Where each needle stands in `text`. O(text + needles).
    ///
    /// # Errors
    /// What the pulse raises.
    pub fn extents(&self, text: &[u8], pulse: Pulse<'_>) -> Result<Vec<Option<Extent>>> {
        // Where each state is reached, by the byte behind it.
        let mut reached: Vec<Option<Extent>> = vec![None; self.suffixes.len()];
        let (mut state, mut beat) = (ROOT, Beat { pulse, unfelt: 0 });
        for (at, &byte) in text.iter().enumerate() {
            beat.step()?;
            state = self.after(state, byte);
            let end = at + 1;
            reached[state as usize].get_or_insert(Extent { first: end, last: end }).last = end;
        }
        // Where a state is reached, its ends are.
        for &state in self.order.iter().skip(1).rev() {
            let Some(longer) = reached[state as usize] else { continue };
            let suffix = &mut reached[self.suffixes[state as usize] as usize];
            let own = suffix.get_or_insert(longer);
            *own = Extent { first: own.first.min(longer.first), last: own.last.max(longer.last) };
        }
        let begin = |extent: Extent, n| Extent { first: extent.first - n, last: extent.last - n };
        let of_needle = |&(state, n): &(u32, usize)| {
            reached[state as usize].filter(|_| n > 0).map(|extent| begin(extent, n))
        };
        Ok(self.whole.iter().map(of_needle).collect())
    }
}

/// There are no more states than bytes of needles, and fewer of these than [`u32::MAX`].
fn number(state: usize) -> u32 {
    u32::try_from(state).unwrap_or(u32::MAX)
}

struct Beat<'p> {
    pulse: Pulse<'p>,
    unfelt: usize,
}

impl Beat<'_> {
    #[inline]
    fn step(&mut self) -> Result<()> {
        self.unfelt += 1;
        if self.unfelt >= PULSE_BYTES {
            self.unfelt = 0;
            (self.pulse)()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::pulse::no_pulse;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_found_one_by_one(
            text in "[ab]{0,80}", needles in proptest::collection::vec("[ab]{0,9}", 0..20),
        ) {
            let bytes: Vec<_> = needles.iter().map(String::as_bytes).collect();
            let automaton = Automaton::of(&bytes, no_pulse()).unwrap().unwrap();
            let found = automaton.extents(text.as_bytes(), no_pulse()).unwrap();
            let expected: Vec<_> = needles.iter().map(|needle| {
                let ends = text.find(needle).zip(text.rfind(needle));
                ends.filter(|_| !needle.is_empty()).map(|(first, last)| Extent { first, last })
            }).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn it_can_be_stopped() {
        let stop = || Err(Error::Interrupted);
        let long = "ab".repeat(PULSE_BYTES);
        assert!(Automaton::of(&[long.as_bytes()], &stop).is_err());
        let automaton = Automaton::of(&[b"ab"], &stop).unwrap().unwrap();
        assert!(automaton.extents(long.as_bytes(), &stop).is_err());
    }
}
