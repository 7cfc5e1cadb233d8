//! Counter of the caller's own: called for whole spans, its answers remembered.
//!
//! A caller's own counter is a black box: it may be slow (a call into Python), not monotone, and stateful. So it
//! is asked as little as possible, about spans as a whole, and only what it said is relied upon:
//! [`Measure::longest`] returns an end whose count it gave.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::Measure;
use crate::error::Result;
use crate::offsets::{skip_chars, skip_chars_back};
use crate::span::Span;

/// Remembered counts; more would be memory without use, since a cut asks for spans close together.
const MEMO_SPANS: usize = 4096;

/// Counts spans with a callable.
///
/// The ends that it proposes are found by doubling and bisection, in a few calls each; every answer
/// holds for the count that was given, whatever the callable does.
pub struct Counter<'t, F> {
    text: &'t str,
    count: F,
    memo: RefCell<HashMap<Span, usize>>,
    /// How many code points fitted last: the next search begins there.
    hint: Cell<usize>,
}

impl<'t, F: Fn(Span) -> Result<usize>> Counter<'t, F> {
    /// Counts spans of `text` with `count`.
    ///
    /// ```
    /// use chunkwright_text::measure::{Counter, Measure};
    /// use chunkwright_text::span::Span;
    ///
    /// let text = "one two three four five";
    /// let words = |span: Span| Ok(text[span.range()].split_whitespace().count());
    /// let counter = Counter::new(text, words);
    /// assert_eq!(counter.size(Span::new(0, 7))?, 2);
    /// let end = counter.longest(4, 2)?;
    /// assert_eq!(text[4..end].trim_end(), "two three");
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    pub fn new(text: &'t str, count: F) -> Self {
        Self { text, count, memo: RefCell::default(), hint: Cell::new(16) }
    }

    /// The greatest number of code points for which the span `of` them has at most `max` units, as far
    /// as doubling and bisection find it; 0 if there is none.
    fn most(&self, max: usize, of: impl Fn(usize) -> Span) -> Result<usize> {
        let fits = |n: usize| Ok(self.size(of(n))? <= max);
        let (mut low, mut high) = (0, self.hint.get().max(1));
        while fits(high)? {
            (low, high) = (high, 2 * high);
            if of(high) == of(low) {
                return Ok(low);
            }
        }
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if fits(middle)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.hint.set(low);
        Ok(low)
    }
}

impl<F: Fn(Span) -> Result<usize>> Measure for Counter<'_, F> {
    fn size(&self, span: Span) -> Result<usize> {
        if let Some(&size) = self.memo.borrow().get(&span) {
            return Ok(size);
        }
        let size = (self.count)(span)?;
        let mut memo = self.memo.borrow_mut();
        if memo.len() >= MEMO_SPANS {
            memo.clear();
        }
        memo.insert(span, size);
        Ok(size)
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        let of = |n: usize| Span::new(start, skip_chars(self.text, start, n));
        Ok(of(self.most(max, of)?).end)
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        let of = |n: usize| Span::new(skip_chars_back(self.text, end, n), end);
        Ok(of(self.most(max, of)?).start)
    }

    fn is_quick(&self) -> bool {
        false
    }
}
