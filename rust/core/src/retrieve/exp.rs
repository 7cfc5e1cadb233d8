//! An exponential that is the same on every machine: those of the systems' libraries differ in the last bit.

/// Below `exp(-LOWEST)` there is no normal number.
const LOWEST: f64 = 708.0;

/// Terms of the series; the first one that is left out is below 2^-60 of the sum.
const TERMS: u32 = 14;

/// `exp(-x)` for `x` from 0 to infinity, by additions, multiplications and divisions alone; 0 where it is below
/// the normal numbers.
///
/// It is off by at most `2^-40` of itself: halving `x` until the series is short loses a bit for each time.
pub fn exp_of_minus(x: f64) -> f64 {
    if x > LOWEST {
        return 0.0;
    }
    let (mut part, mut n_halvings) = (-x, 0);
    while part < -0.5 {
        part /= 2.0;
        n_halvings += 1;
    }
    // 1 + part (1 + part/2 (1 + part/3 (...)))
    let series = (1..=TERMS).rev().fold(1.0, |sum, i| 1.0 + sum * part / f64::from(i));
    (0..n_halvings).fold(series, |root, _| root * root)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::exp_of_minus;

    proptest! {
        #[test]
        fn it_is_the_exponential(x in prop_oneof![0.0..2.0_f64, 0.0..708.0_f64, 0.0..1e-6_f64]) {
            let (found, expected) = (exp_of_minus(x), (-x).exp());
            prop_assert!((found - expected).abs() <= expected / f64::from(1_u32 << 20).powi(2));
        }
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "these are exact")]
    fn its_ends_are_exact() {
        assert_eq!(exp_of_minus(0.0), 1.0);
        assert_eq!(exp_of_minus(709.0), 0.0);
        assert_eq!(exp_of_minus(f64::INFINITY), 0.0);
    }

    // As a program of another language has them, which takes the same steps.
    #[test]
    fn every_machine_has_these_bits() {
        let bits: Vec<u64> = [0.1, 1.0, 12.5].map(|x| exp_of_minus(x).to_bits()).to_vec();
        assert_eq!(
            bits,
            [4_606_325_270_462_671_674, 4_600_298_746_774_613_816, 4_525_909_737_269_159_577]
        );
    }
}
