//! Dot products with the same bits on every machine.
//!
//! A compiler may not reorder a sum of floats, and so adds one product after another: slow, and with an error
//! that grows with the length. Sixteen partial sums can be kept in vector registers of any width, and are added
//! in one fixed order: as fast as the machine allows, and the same everywhere.

use std::fmt::Debug;
use std::ops::{Add, Mul, RangeInclusive};

/// Partial sums that are kept beside each other: four registers of SSE2, which any x86-64 has.
pub(super) const LANES: usize = 16;

/// Steps whose products are added up in the numbers' own precision, before the sum goes on in `f64`:
/// so the error does not grow with the length.
pub(super) const STEPS: usize = 32;

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// `f32` or `f64`.
pub trait Float:
    sealed::Sealed
    + Copy
    + Debug
    + Default
    + Into<f64>
    + Add<Output = Self>
    + Mul<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// Lengths of vectors whose dot products neither overflow nor lose what is too small for this type.
    const SAFE_NORMS: RangeInclusive<f64>;

    /// The nearest `f32`; infinite if it is too large for one.
    fn to_f32(self) -> f32;

    /// The nearest number of this type; infinite if `value` is too large for it.
    fn nearest(value: f64) -> Self;
}

impl Float for f32 {
    // 2^-40 to 2^60: a product that is lost has less than 2^-149, which is 2^-69 of what matters.
    const SAFE_NORMS: RangeInclusive<f64> = 1.0 / 1_099_511_627_776.0..=1_152_921_504_606_846_976.0;

    fn to_f32(self) -> f32 {
        self
    }

    #[allow(clippy::cast_possible_truncation, reason = "that is what is asked for")]
    fn nearest(value: f64) -> Self {
        value as Self
    }
}

impl Float for f64 {
    const SAFE_NORMS: RangeInclusive<f64> = 1e-120..=1e150;

    #[allow(clippy::cast_possible_truncation, reason = "that is what is asked for")]
    fn to_f32(self) -> f32 {
        self as f32
    }

    fn nearest(value: f64) -> Self {
        value
    }
}

/// The sum of the products of `a` and `b`, which are as long as the shorter one.
///
/// Each product goes to the partial sum of its place modulo 16; these are added in pairs. No product is
/// fused with a sum, and the order never depends on the machine, so neither does the result. What it is
/// off by is below 36 times the rounding error of `T`, of the sum of the products' absolute values, in `f32`
/// for vectors of any length. O(d).
///
/// ```
/// use chunkwright_text::vectors::dot::dot;
///
/// assert_eq!(dot(&[1.0_f32, 2.0, 3.0], &[4.0, 5.0, 6.0]), 32.0);
/// ```
#[inline]
pub fn dot<T: Float>(a: &[T], b: &[T]) -> f64 {
    let n = a.len().min(b.len());
    let blocks = a[..n].chunks(LANES * STEPS).zip(b[..n].chunks(LANES * STEPS));
    blocks.fold(0.0, |sum, (a, b)| sum + block(a, b))
}

/// The dot product of at most `LANES * STEPS` numbers.
#[inline]
fn block<T: Float>(a: &[T], b: &[T]) -> f64 {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let sums = products(a, b);
    if a_rest.is_empty() {
        return total(&sums);
    }
    let rest = products(&[padded(a_rest)], &[padded(b_rest)]);
    total(&std::array::from_fn(|i| sums[i] + rest[i]))
}

/// The partial sums.
// Measured: five times as fast as where the compiler sees at the same time how they are added up, which
// makes it hold them in pairs.
#[inline(never)]
fn products<T: Float>(a: &[[T; LANES]], b: &[[T; LANES]]) -> [T; LANES] {
    let mut sums = [T::default(); LANES];
    for (a, b) in a.iter().zip(b) {
        for i in 0..LANES {
            sums[i] = sums[i] + a[i] * b[i];
        }
    }
    sums
}

/// `rest`, with zeros behind.
fn padded<T: Float>(rest: &[T]) -> [T; LANES] {
    let mut padded = [T::default(); LANES];
    padded[..rest.len()].copy_from_slice(rest);
    padded
}

/// The sum of all: halves are added to each other, the last ones in `f64`.
#[inline(always)]
pub(super) fn total<T: Float>(sums: &[T; LANES]) -> f64 {
    let eight: [T; 8] = std::array::from_fn(|i| sums[i] + sums[i + 8]);
    let four: [f64; 4] = std::array::from_fn(|i| (eight[i] + eight[i + 4]).into());
    (four[0] + four[2]) + (four[1] + four[3])
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "these are exact")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The sum, and that of the absolute values.
    fn naive(a: &[f64], b: &[f64]) -> (f64, f64) {
        let products = a.iter().zip(b).map(|(x, y)| x * y);
        (products.clone().sum(), products.map(f64::abs).sum())
    }

    fn pairs() -> impl Strategy<Value = Vec<(f32, f32)>> {
        let number = || prop_oneof![4 => -1.0_f32..1.0, 1 => -1e6_f32..1e6, 1 => Just(0.0)];
        proptest::collection::vec((number(), number()), 0..700)
    }

    proptest! {
        #[test]
        fn it_is_the_sum_of_the_products(pairs in pairs()) {
            let (a, b): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
            let (wide_a, wide_b): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
            let (sum, scale) = naive(&wide_a, &wide_b);
            prop_assert!((dot(&a, &b) - sum).abs() <= 36.0 * f64::from(f32::EPSILON / 2.0) * scale);
            prop_assert!((dot(&wide_a, &wide_b) - sum).abs() <= 2e-13 * scale);
            prop_assert_eq!(dot(&a, &b).to_bits(), dot(&b, &a).to_bits());
        }
    }

    #[test]
    fn the_order_of_the_sum_is_this_one() {
        // Each number is lost beside 2^24 unless it is added to its own lane first.
        let mut a = vec![0.0_f32; 100];
        a[0] = 16_777_216.0;
        for i in [1, 33, 65, 97] {
            a[i] = 1.0;
        }
        assert_eq!(dot(&a, &vec![1.0; 100]), 16_777_220.0);
        // In one lane they are.
        a[32] = 1.0;
        a[64] = 1.0;
        assert_eq!(dot(&a, &vec![1.0; 100]), 16_777_220.0);
        // Behind 512 numbers the sum goes on in double precision.
        let mut long = vec![0.0_f32; 2048];
        (long[0], long[512], long[1024]) = (16_777_216.0, 1.0, 1.0);
        assert_eq!(dot(&long, &vec![1.0; 2048]), 16_777_218.0);
    }

    /// Numbers from a generator of integers, so that they are the same everywhere.
    fn numbers(n: usize, mut seed: u32) -> Vec<f32> {
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from(u16::try_from(seed >> 16).unwrap()) / 65_536.0 - 0.5
        };
        (0..n).map(|_| next()).collect()
    }

    // As a program of another language has them, which takes the documented order step by step.
    #[test]
    fn every_machine_has_these_bits() {
        let (a, b) = (numbers(1000, 1), numbers(1000, 2));
        assert_eq!(dot(&a, &b).to_bits(), 13_831_436_947_215_613_952);
        let wide = |row: &[f32]| -> Vec<f64> { row.iter().map(|&x| f64::from(x) / 3.0).collect() };
        assert_eq!(dot(&wide(&a), &wide(&b)).to_bits(), 13_817_327_693_715_093_732);
    }

    #[test]
    fn nothing_has_the_product_0() {
        assert_eq!(dot::<f32>(&[], &[]).to_bits(), 0.0_f64.to_bits());
        assert_eq!(dot(&[2.0_f64], &[3.0, 5.0]), 6.0);
    }
}
