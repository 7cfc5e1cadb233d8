//! Runs of ASCII classes, and the letters among 64 bytes, eight bytes at a time.
//!
//! SIMD within a register: eight bytes are a number of 64 bits, in which a few additions and masks set the high
//! bit of each byte that is in a class (Lamport, *Multiple Byte Processing with Full-Word Instructions*, 1975).
//! No byte's carry reaches into the next one, and the first byte outside the class is a count of trailing zeros.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The high bit of each byte of `word` that lies in `low..=high`, an ASCII range.
#[inline]
const fn in_range(word: u64, low: u8, high: u8) -> u64 {
    let seven_bits = word & !HIGH;
    let at_least = seven_bits + ONES * (0x80 - low as u64);
    let above = seven_bits + ONES * (0x7f - high as u64);
    at_least & !above & !word & HIGH
}

/// The end of the run of bytes from `at` on that lie in `low..=high` once `fold` is or'ed in.
#[inline(always)]
fn run(bytes: &[u8], mut at: usize, fold: u8, low: u8, high: u8) -> usize {
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word) | (ONES * u64::from(fold));
        let outside = !in_range(word, low, high) & HIGH;
        if outside != 0 {
            return at + outside.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while at < bytes.len() && (low..=high).contains(&(bytes[at] | fold)) {
        at += 1;
    }
    at
}

/// The end of the run of ASCII letters from `at` on.
#[inline]
pub fn letters_end(bytes: &[u8], at: usize) -> usize {
    run(bytes, at, 0x20, b'a', b'z')
}

/// The end of the run of `a` to `z` from `at` on.
#[inline]
pub fn lower_end(bytes: &[u8], at: usize) -> usize {
    run(bytes, at, 0, b'a', b'z')
}

/// The end of the run of `A` to `Z` from `at` on.
#[inline]
pub fn upper_end(bytes: &[u8], at: usize) -> usize {
    run(bytes, at, 0, b'A', b'Z')
}

/// The end of the run of `0` to `9` from `at` on.
#[inline]
pub fn digits_end(bytes: &[u8], at: usize) -> usize {
    run(bytes, at, 0, b'0', b'9')
}

/// The end of the run of ASCII letters and digits from `at` on.
#[inline(always)]
pub fn word_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word);
        let letters = in_range(word | (ONES * 0x20), b'a', b'z');
        let outside = !(letters | in_range(word, b'0', b'9')) & HIGH;
        if outside != 0 {
            return at + outside.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
        at += 1;
    }
    at
}

/// So many bytes have their [`Letters`] in a word.
pub const WINDOW: usize = 64;

/// The ASCII letters of a window, a bit for each byte.
#[derive(Clone, Copy, Debug, Default)]
pub struct Letters {
    /// All of them.
    pub all: u64,
    /// The capitals.
    pub upper: u64,
    /// The bytes that are not ASCII.
    pub non_ascii: u64,
}

impl Letters {
    /// Those of the window that `text` begins with.
    #[inline(always)]
    pub fn of<const N: usize>(text: &[u8; N]) -> Self {
        const { assert!(N >= WINDOW) };
        let mut bytes = [[0; WINDOW / 8]; 3];
        for (i, word) in text.as_chunks::<8>().0.iter().enumerate().take(WINDOW / 8) {
            let word = u64::from_le_bytes(*word);
            let letters = in_range(word | (ONES * 0x20), b'a', b'z');
            // Capitals are the letters without the sixth bit.
            let of_word = [letters, letters & !(word << 2), word & HIGH];
            bytes.iter_mut().zip(of_word).for_each(|(bytes, bits)| bytes[i] = gathered(bits));
        }
        let [all, upper, non_ascii] = bytes.map(u64::from_le_bytes);
        Self { all, upper, non_ascii }
    }
}

/// The high bits of the bytes of `word`, which has no others, in one byte.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the shift leaves 8 bits")]
const fn gathered(word: u64) -> u8 {
    (word.wrapping_mul(0x0002_0408_1020_4081) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn letters_are_those_of_the_predicates(text in "[a-zA-Z0-9@\\[`{/: é'~]{64}") {
            let window: &[u8; WINDOW] = text.as_bytes().first_chunk().unwrap();
            let naive = |holds: fn(&u8) -> bool| {
                window.iter().rev().fold(0, |bits, byte| bits << 1 | u64::from(holds(byte)))
            };
            let letters = Letters::of(window);
            prop_assert_eq!(letters.all, naive(u8::is_ascii_alphabetic));
            prop_assert_eq!(letters.upper, naive(u8::is_ascii_uppercase));
            prop_assert_eq!(letters.non_ascii, naive(|byte| !byte.is_ascii()));
        }

        #[test]
        fn runs_are_those_of_the_predicates(text in "[a-zA-Z0-9@\\[`{/: é]{0,40}", at in 0_usize..40) {
            let bytes = text.as_bytes();
            let at = at.min(bytes.len());
            let naive = |holds: fn(&u8) -> bool| at + bytes[at..].iter().take_while(|b| holds(b)).count();
            prop_assert_eq!(letters_end(bytes, at), naive(u8::is_ascii_alphabetic));
            prop_assert_eq!(lower_end(bytes, at), naive(u8::is_ascii_lowercase));
            prop_assert_eq!(upper_end(bytes, at), naive(u8::is_ascii_uppercase));
            prop_assert_eq!(word_end(bytes, at), naive(u8::is_ascii_alphanumeric));
            prop_assert_eq!(digits_end(bytes, at), naive(u8::is_ascii_digit));
        }
    }
}
