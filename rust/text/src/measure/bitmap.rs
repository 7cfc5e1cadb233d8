//! Bitmap of positions with rank and select.
//!
//! Jacobson's rank over a bit vector (*Space-efficient Static Trees and Graphs*, 1989): a running count every 512
//! bits and a population count of the words between answer "how many before" in O(1); "where is number n" bisects
//! over the running counts. 1.125 bits a position, so both bitmaps of a text take 0.28 bytes a byte.

/// Bits between two samples.
const SAMPLE_BITS: usize = 512;
const SAMPLE_WORDS: usize = SAMPLE_BITS / 64;

/// A set of positions below a bound: one bit each, and 8 bytes for each 512.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bitmap {
    words: Vec<u64>,
    /// Members below `512 * i`.
    samples: Vec<usize>,
}

impl Bitmap {
    /// An empty set for positions below `bound`; not to be asked before [`Bitmap::finish`].
    pub fn new(bound: usize) -> Self {
        // One word more than needed, so that a mask may reach over the last one.
        Self { words: vec![0; bound / 64 + 2], samples: Vec::new() }
    }

    /// Adds `position`.
    #[inline]
    pub fn insert(&mut self, position: usize) {
        self.words[position / 64] |= 1 << (position % 64);
    }

    /// Adds `position + i` for each bit `i` of `bits`.
    #[inline]
    pub fn insert_bits(&mut self, position: usize, bits: u64) {
        let (word, shift) = (position / 64, position % 64);
        let bits = u128::from(bits) << shift;
        #[allow(clippy::cast_possible_truncation, reason = "the halves of 128 bits")]
        let (low, high) = (bits as u64, (bits >> 64) as u64);
        self.words[word] |= low;
        self.words[word + 1] |= high;
    }

    /// Adds `position + i` for each member `i` of `other`, which must not have been finished either.
    pub fn insert_all(&mut self, position: usize, other: &Self) {
        for (i, &members) in other.words.iter().enumerate().filter(|(_, members)| **members != 0) {
            self.insert_bits(position + 64 * i, members);
        }
    }

    /// Counts the members, after which the set can be asked.
    pub fn finish(mut self) -> Self {
        let mut total = 0;
        self.samples = Vec::with_capacity(self.words.len() / SAMPLE_WORDS + 2);
        for block in self.words.chunks(SAMPLE_WORDS) {
            self.samples.push(total);
            total += block.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        }
        self.samples.push(total);
        self
    }

    /// Whether `position` is a member.
    #[inline]
    pub fn contains(&self, position: usize) -> bool {
        self.words[position / 64] >> (position % 64) & 1 == 1
    }

    /// Members below `position`. O(1).
    pub fn rank(&self, position: usize) -> usize {
        let (sample, word) = (position / SAMPLE_BITS, position / 64);
        let full = &self.words[sample * SAMPLE_WORDS..word];
        let full: usize = full.iter().map(|word| word.count_ones() as usize).sum();
        let rest = self.words[word] & !(u64::MAX << (position % 64));
        self.samples[sample] + full + rest.count_ones() as usize
    }

    /// Member number `n` (from 0) in ascending order. O(log n).
    pub fn select(&self, n: usize) -> Option<usize> {
        let sample = self.samples.partition_point(|&before| before <= n) - 1;
        let mut left = n - self.samples[sample];
        for (i, &word) in self.words.iter().enumerate().skip(sample * SAMPLE_WORDS) {
            let ones = word.count_ones() as usize;
            if left < ones {
                let cleared = (0..left).fold(word, |word, _| word & (word - 1));
                return Some(i * 64 + cleared.trailing_zeros() as usize);
            }
            left -= ones;
        }
        None
    }

    /// The greatest member up to `position`. O(1) if one is near, else O(log n).
    pub fn at_or_before(&self, position: usize) -> Option<usize> {
        let word = position / 64;
        let upto = self.words[word] & (u64::MAX >> (63 - position % 64));
        if upto != 0 {
            return Some(word * 64 + 63 - upto.leading_zeros() as usize);
        }
        let rank = self.rank(position);
        if rank == 0 { None } else { self.select(rank - 1) }
    }

    /// The least member from `position` on. O(1) if one is near, else O(log n).
    pub fn at_or_after(&self, position: usize) -> Option<usize> {
        let word = position / 64;
        let from = self.words.get(word)? & (u64::MAX << (position % 64));
        if from != 0 {
            return Some(word * 64 + from.trailing_zeros() as usize);
        }
        self.select(self.rank(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn answers_as_a_sorted_list(members in prop::collection::btree_set(0_usize..3000, 0..80)) {
            let members: Vec<usize> = members.into_iter().collect();
            let mut bitmap = Bitmap::new(3000);
            for &member in &members {
                bitmap.insert(member);
            }
            let bitmap = bitmap.finish();
            for position in 0..3000 {
                let below = members.partition_point(|&member| member < position);
                prop_assert_eq!(bitmap.rank(position), below);
                prop_assert_eq!(bitmap.contains(position), members.get(below) == Some(&position));
                prop_assert_eq!(bitmap.at_or_after(position), members.get(below).copied());
                let upto = members.partition_point(|&member| member <= position);
                let before = upto.checked_sub(1).map(|i| members[i]);
                prop_assert_eq!(bitmap.at_or_before(position), before);
            }
            for (n, &member) in members.iter().enumerate() {
                prop_assert_eq!(bitmap.select(n), Some(member));
            }
            prop_assert_eq!(bitmap.select(members.len()), None);
        }

        #[test]
        fn a_set_inserts_its_members(position in 0_usize..200, members in prop::collection::vec(0_usize..300, 0..20)) {
            let (mut part, mut by_set, mut by_bit) = (Bitmap::new(300), Bitmap::new(500), Bitmap::new(500));
            for member in members {
                part.insert(member);
                by_bit.insert(position + member);
            }
            by_set.insert_all(position, &part);
            prop_assert_eq!(by_set.words, by_bit.words);
        }

        #[test]
        fn bits_are_inserted(position in 0_usize..500, bits: u64) {
            let (mut by_mask, mut by_bit) = (Bitmap::new(570), Bitmap::new(570));
            by_mask.insert_bits(position, bits);
            (0..64).filter(|i| bits >> i & 1 == 1).for_each(|i| by_bit.insert(position + i));
            prop_assert_eq!(by_mask.words, by_bit.words);
        }
    }
}
