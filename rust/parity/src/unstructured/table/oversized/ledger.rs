//! Ledger of the merged cells that reach from the rows above into the current one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::gaps::Gaps;
use chunkwright_text::span::Span;

/// A cell at its column.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Its first column.
    pub column: usize,
    /// The column behind it.
    pub end: usize,
    /// Its number among the table's cells.
    pub cell: usize,
    /// The last row it reaches, as far as the group goes.
    pub last: usize,
}

/// What a merged cell says, below its first row.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Its text.
    pub text: Span,
    /// The column behind it.
    pub end: usize,
    /// The last row it reaches.
    pub last: usize,
}

/// A text that is registered, with what is known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Text {
    n_chars: usize,
    is_oversized: bool,
}

/// Entries of the heap: the row behind the last, the columns, and the text if there is one.
type Expiry = Reverse<(usize, usize, usize, Option<Text>)>;

/// The merged cells that are live. What is done with one takes O(log n), or the time
/// of [`Gaps`].
#[derive(Default)]
pub struct Ledger {
    gaps: Gaps,
    expiry: BinaryHeap<Expiry>,
    labels: BTreeMap<usize, Label>,
    lasts: BTreeMap<usize, usize>,
    n_chars: usize,
    n_oversized: usize,
    version: usize,
}

impl Ledger {
    /// Forgets what does not reach `row`.
    pub fn expire(&mut self, row: usize) {
        while let Some(&Reverse((end_row, column, end, text))) = self.expiry.peek()
            && end_row <= row
        {
            self.expiry.pop();
            self.gaps.free((column, end));
            self.forget_last(end_row - 1);
            if let Some(text) = text {
                self.labels.remove(&column);
                self.n_chars -= text.n_chars;
                self.n_oversized -= usize::from(text.is_oversized);
                self.version += 1;
            }
        }
    }

    fn forget_last(&mut self, last: usize) {
        if let Some(n) = self.lasts.get_mut(&last) {
            *n -= 1;
            if *n == 0 {
                self.lasts.remove(&last);
            }
        }
    }

    /// The first columns from `from` on that no live cell covers.
    pub fn place(&self, from: usize, width: usize) -> usize {
        self.gaps.first_fit(from, width)
    }

    /// Registers a cell that reaches further than its row: its text, if it has one, of `n_chars` code
    /// points, which may be too long for any part.
    pub fn add(&mut self, placed: &Placed, text: Span, n_chars: usize, is_oversized: bool) {
        let &Placed { column, end, last, .. } = placed;
        self.gaps.take((column, end));
        *self.lasts.entry(last).or_default() += 1;
        let known = (!text.is_empty()).then_some(Text { n_chars, is_oversized });
        if known.is_some() {
            self.labels.insert(column, Label { text, end, last });
            self.n_chars += n_chars;
            self.n_oversized += usize::from(is_oversized);
            self.version += 1;
        }
        self.expiry.push(Reverse((last + 1, column, end, known)));
    }

    /// The texts by column.
    pub fn labels(&self) -> impl Iterator<Item = (usize, &Label)> {
        self.labels.iter().map(|(&column, label)| (column, label))
    }

    /// Number of texts.
    pub fn n_labels(&self) -> usize {
        self.labels.len()
    }

    /// Code points of all texts.
    pub fn n_chars(&self) -> usize {
        self.n_chars
    }

    /// Whether a text is too long for any part.
    pub fn has_oversized(&self) -> bool {
        self.n_oversized > 0
    }

    /// Changes whenever the texts do.
    pub fn version(&self) -> usize {
        self.version
    }

    /// Whether no cell is live.
    pub fn is_empty(&self) -> bool {
        self.lasts.is_empty()
    }

    /// The column behind all live cells.
    pub fn width(&self) -> usize {
        self.gaps.width()
    }

    /// The last row of all live cells, if it is the same and they cover all columns up to the last.
    pub fn uniform(&self) -> Option<usize> {
        let (&last, _) = self.lasts.first_key_value()?;
        (self.lasts.len() == 1 && self.gaps.is_one()).then_some(last)
    }
}
