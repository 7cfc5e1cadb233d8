//! Jagged array: rows of different lengths, behind one another.
//!
//! As Arrow and NumPy have them: one flat column of items, and an offset for each row. So the hits of all
//! questions are two arrays, whatever their number, and are passed on without a copy.
//!
//! ```
//! use chunkwright_search::evaluate::Groups;
//!
//! let groups = Groups::of_sizes([2, 0, 1]);
//! assert_eq!((groups.len(), groups.n_items()), (3, 3));
//! assert_eq!((groups.of(0), groups.of(1), groups.of(2)), (0..2, 2..2, 2..3));
//! ```

use std::ops::Range;

use chunkwright_text::error::{Error, Result};

/// Which of the items, behind one another, belong to each group.
#[derive(Clone, Debug)]
pub struct Groups {
    /// Where each group begins, and the end of the last one.
    offsets: Vec<usize>,
}

impl Groups {
    /// Group i is `offsets[i]..offsets[i + 1]`; there are `n` groups, which share `n_items` items.
    ///
    /// # Errors
    /// [`Error::Config`] if they do not, naming `what` the items are.
    pub fn new(what: &str, offsets: &[i64], n: usize, n_items: usize) -> Result<Self> {
        if offsets.len() != n + 1 {
            let given = offsets.len();
            return Err(Error::Config(format!(
                "offsets of {what} must be {} numbers for {n} groups, got {given}",
                n + 1
            )));
        }
        let refused = |i: usize, at: i64| {
            let sharing = format!("offsets of {what} must ascend from 0 to {n_items}");
            Error::Config(format!("{sharing}, got {at} at {i}"))
        };
        let mut last = 0;
        let mut checked = Vec::with_capacity(offsets.len());
        for (i, &at) in offsets.iter().enumerate() {
            let fits = |&at: &usize| at >= last && (i > 0 || at == 0) && (i < n || at == n_items);
            last = usize::try_from(at).ok().filter(fits).ok_or_else(|| refused(i, at))?;
            checked.push(last);
        }
        Ok(Self { offsets: checked })
    }

    /// Groups of so many items each.
    pub fn of_sizes(sizes: impl IntoIterator<Item = usize>) -> Self {
        let mut offsets = vec![0];
        let mut end = 0;
        for size in sizes {
            end += size;
            offsets.push(end);
        }
        Self { offsets }
    }

    /// Number of items of all groups.
    pub fn n_items(&self) -> usize {
        self.offsets[self.len()]
    }

    /// Number of groups.
    pub const fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no group.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of group `i`.
    pub fn of(&self, i: usize) -> Range<usize> {
        self.offsets[i]..self.offsets[i + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_share_all_items_in_order() {
        let groups = Groups::new("hits", &[0, 2, 2, 5], 3, 5).unwrap();
        let of: Vec<_> = (0..groups.len()).map(|i| groups.of(i)).collect();
        assert_eq!(of, [0..2, 2..2, 2..5]);
        assert!(Groups::new("hits", &[0], 0, 0).unwrap().is_empty());
    }

    #[test]
    fn offsets_that_do_not_share_are_named() {
        let message = |offsets: &[i64], n, n_items| {
            Groups::new("hits", offsets, n, n_items).unwrap_err().to_string()
        };
        assert_eq!(message(&[0, 1], 2, 1), "offsets of hits must be 3 numbers for 2 groups, got 2");
        let ends = [(&[1, 2], 1, 0), (&[0, 3], 3, 1), (&[0, -1], -1, 1)];
        for (offsets, at, i) in ends {
            let expected = format!("offsets of hits must ascend from 0 to 2, got {at} at {i}");
            assert_eq!(message(offsets, 1, 2), expected);
        }
        assert!(message(&[0, 2, 1, 3], 3, 3).ends_with("got 1 at 2"));
    }
}
