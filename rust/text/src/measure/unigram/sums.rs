//! Running sums of small numbers, most of them one byte each.

/// Numbers in a block that has its own sum.
const BLOCK: usize = 32;
const LARGE: u8 = u8::MAX;

/// Numbers, and how much the first of them are together: 1.25 bytes each.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    numbers: Vec<u8>,
    /// The sum of all that stand before a block.
    before: Vec<usize>,
    /// Those that are too large for a byte, by their place.
    large: Vec<(usize, usize)>,
    total: usize,
}

impl Sums {
    /// Adds a number.
    #[inline]
    pub fn push(&mut self, number: usize) {
        if self.numbers.len().is_multiple_of(BLOCK) {
            self.before.push(self.total);
        }
        self.total += number;
        let byte = u8::try_from(number).unwrap_or(LARGE);
        if byte == LARGE {
            self.large.push((self.numbers.len(), number));
        }
        self.numbers.push(byte);
    }

    /// The number at `i`.
    fn number(&self, i: usize) -> usize {
        match self.numbers[i] {
            LARGE => self.large[self.large.partition_point(|&(at, _)| at < i)].1,
            number => usize::from(number),
        }
    }

    /// The sum of the first `n`. O(1), and O(log n) for large numbers.
    pub fn first(&self, n: usize) -> usize {
        let block = n / BLOCK;
        let Some(before) = self.before.get(block) else { return self.total };
        before + (block * BLOCK..n).map(|i| self.number(i)).sum::<usize>()
    }

    /// The greatest `n` for which the first `n` are at most `most` together. O(log n).
    pub fn fitting(&self, most: usize) -> usize {
        let block = self.before.partition_point(|&before| before <= most);
        let Some(block) = block.checked_sub(1) else { return 0 };
        let (mut n, mut sum) = (block * BLOCK, self.before[block]);
        while n < self.numbers.len() && sum + self.number(n) <= most {
            sum += self.number(n);
            n += 1;
        }
        n
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_are_those_of_a_list(
            numbers in prop::collection::vec(prop_oneof![0_usize..4, 250_usize..260, Just(70_000)], 0..150),
        ) {
            let mut sums = Sums::default();
            for &number in &numbers {
                sums.push(number);
            }
            for n in 0..=numbers.len() {
                let sum: usize = numbers[..n].iter().sum();
                prop_assert_eq!(sums.first(n), sum);
                let most = (0..=numbers.len()).filter(|&n| numbers[..n].iter().sum::<usize>() <= sum).max();
                prop_assert_eq!(Some(sums.fitting(sum)), most);
            }
        }
    }
}
