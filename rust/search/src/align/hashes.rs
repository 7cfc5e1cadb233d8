//! Hashes of all parts of a text.

/// Polynomial hashes, of which that of any part is had in constant time.
///
/// A text can be made in which they collide, so what has the same hash must be compared.
pub struct Hashes {
    /// The hash of the bytes before each one, and of all.
    before: Vec<u64>,
    /// What a byte counts that has so many behind it.
    powers: Vec<u64>,
}

/// Odd, so that no bit is lost; random else.
const BASE: u64 = 0x9e6c_63d0_876a_68d5;

impl Hashes {
    /// Hashes `bytes`; parts have at most `longest` of them. O(n); 8 bytes for each byte of both.
    pub fn new(bytes: &[u8], longest: usize) -> Self {
        let mut before = Vec::with_capacity(bytes.len() + 1);
        before.push(0);
        for &byte in bytes {
            before.push(with(before[before.len() - 1], byte));
        }
        let powers = std::iter::successors(Some(1_u64), |power| Some(power.wrapping_mul(BASE)));
        Self { before, powers: powers.take(longest + 1).collect() }
    }

    /// The hash of the `len` bytes at `at`.
    #[inline]
    pub fn of(&self, at: usize, len: usize) -> u64 {
        let before = self.before[at].wrapping_mul(self.powers[len]);
        self.before[at + len].wrapping_sub(before)
    }

    /// The hash of all of `bytes`.
    pub fn whole(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0, |value, &byte| with(value, byte))
    }
}

/// The hash with one byte more, which is spread over all bits, since the highest ones of a hash are looked at.
#[inline]
const fn with(value: u64, byte: u8) -> u64 {
    let spread = (byte as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    value.wrapping_mul(BASE).wrapping_add(spread)
}
