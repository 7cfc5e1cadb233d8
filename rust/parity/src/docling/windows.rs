//! Windows of neighbours that fit, grown by the sizes of the parts as Docling estimates them.

use super::scale::Scale;
use chunkwright_text::error::Result;

/// What windows have to fit in.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Most units of a window with what stands before it.
    pub max: isize,
    /// Units that joining two parts adds, as measured once.
    pub joint: isize,
}

impl Growth {
    /// For windows of at most `max` units, whose parts are joined by newlines.
    pub fn new(scale: Scale<'_>, max: usize) -> Result<Self> {
        let size = |text| scale.size(text).map(usize::cast_signed);
        Ok(Self { max: max.cast_signed(), joint: size("a\nb")? - size("a")? - size("b")? })
    }

    /// The end of the window that begins with the first of the parts, which have these `sizes`: at least
    /// 1. What stands before the window adds `context` to it, and `exact` counts the window of so many.
    ///
    /// Estimates decide while they say that all fits, and exact counts where they do not and at the end.
    /// With `is_given`, the first part is in the window whatever its size.
    pub fn reach(
        self,
        sizes: &[usize],
        context: isize,
        is_given: bool,
        exact: impl Fn(usize) -> Result<usize>,
    ) -> Result<usize> {
        let mut running = 0;
        let mut end = 0;
        for (i, size) in sizes.iter().enumerate() {
            running += size.cast_signed() + if i > 0 { self.joint } else { 0 };
            if running + context > self.max && !(i == 0 && is_given) {
                let counted = exact(i + 1)?.cast_signed();
                if counted > self.max {
                    break;
                }
                running = counted - context;
            }
            end = i + 1;
        }
        while end > 1 && exact(end)?.cast_signed() > self.max {
            end -= 1;
        }
        Ok(end.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::Growth;

    #[test]
    fn a_window_ends_where_the_exact_count_says() {
        let growth = Growth { max: 10, joint: 1 };
        // The estimates say 3, 7, 11; exactly there are 2 fewer.
        let exact = |n: usize| Ok([3, 5, 9, 13][n - 1]);
        assert_eq!(growth.reach(&[3, 3, 3, 3], 0, false, exact).unwrap(), 3);
        // The estimates say that all fit, and are wrong.
        let exact = |n: usize| Ok([3, 9, 12][n - 1]);
        assert_eq!(growth.reach(&[1, 1, 1], 0, false, exact).unwrap(), 2);
    }

    #[test]
    fn a_part_that_does_not_fit_stands_alone() {
        let growth = Growth { max: 10, joint: 0 };
        let exact = |n: usize| Ok([11, 12][n - 1]);
        assert_eq!(growth.reach(&[11, 1], 0, false, exact).unwrap(), 1);
        assert_eq!(growth.reach(&[11, 1], 0, true, exact).unwrap(), 1);
    }
}
