//! Free columns of a table: intervals in order, in blocks that know how wide their widest is.

/// The interval `start..end` of columns; the last one has no end.
pub type Gap = (usize, usize);

/// Where the last gap ends.
const OPEN: usize = usize::MAX;

/// A block of more gaps is parted.
const MOST_GAPS: usize = if cfg!(test) { 4 } else { 256 };

/// Gaps in a row, at least one.
struct Block {
    gaps: Vec<Gap>,
    widest: usize,
}

/// Gaps that are disjoint and do not touch. What is asked for looks at [`MOST_GAPS`] of them and at one block
/// for as many of the others, so that tables of a million merged cells are no slower than small ones.
pub struct Gaps {
    blocks: Vec<Block>,
    n_gaps: usize,
}

impl Default for Gaps {
    /// All columns.
    fn default() -> Self {
        Self { blocks: vec![Block::of(vec![(0, OPEN)])], n_gaps: 1 }
    }
}

impl Gaps {
    /// The first column from `from` on where so many are free.
    pub fn first_fit(&self, from: usize, width: usize) -> usize {
        let wide = self.blocks[self.block(from)..].iter().filter(|block| block.widest >= width);
        let mut columns = wide.flat_map(|block| &block.gaps).map(|gap| (gap.0.max(from), gap.1));
        let fits = |&(column, end): &Gap| end == OPEN || column.saturating_add(width) <= end;
        columns.find(fits).map_or(from, |(column, _)| column)
    }

    /// Occupies columns that are free.
    pub fn take(&mut self, (start, end): Gap) {
        let Some(gap) = self.at_or_before(start).filter(|gap| end <= gap.1) else { return };
        self.remove(gap.0);
        if gap.0 < start {
            self.add((gap.0, start));
        }
        if end < gap.1 {
            self.add((end, gap.1));
        }
    }

    /// Frees columns that are occupied.
    pub fn free(&mut self, (mut start, mut end): Gap) {
        if let Some(left) = self.at_or_before(start).filter(|left| left.1 == start) {
            self.remove(left.0);
            start = left.0;
        }
        if let Some(right) = self.at_or_before(end).filter(|right| right.0 == end) {
            self.remove(right.0);
            end = right.1;
        }
        self.add((start, end));
    }

    /// The first column of those that are free to the right of all others.
    pub fn width(&self) -> usize {
        self.at_or_before(OPEN).map_or(0, |gap| gap.0)
    }

    /// Whether there are none but these.
    pub fn is_one(&self) -> bool {
        self.n_gaps == 1
    }

    /// The block for a gap that begins at `column`.
    fn block(&self, column: usize) -> usize {
        self.blocks.partition_point(|block| block.gaps[0].0 <= column).saturating_sub(1)
    }

    fn at_or_before(&self, column: usize) -> Option<Gap> {
        let block = self.blocks.get(self.block(column))?;
        block.gaps[..block.behind(column)].last().copied()
    }

    fn add(&mut self, gap: Gap) {
        self.n_gaps += 1;
        let number = self.block(gap.0);
        let Some(block) = self.blocks.get_mut(number) else {
            return self.blocks.push(Block::of(vec![gap]));
        };
        block.gaps.insert(block.behind(gap.0), gap);
        block.widest = block.widest.max(gap.1 - gap.0);
        if block.gaps.len() > MOST_GAPS {
            let rest = block.gaps.split_off(MOST_GAPS / 2);
            *block = Block::of(std::mem::take(&mut block.gaps));
            self.blocks.insert(number + 1, Block::of(rest));
        }
    }

    /// Takes off the gap that begins at `start`.
    fn remove(&mut self, start: usize) {
        self.n_gaps -= 1;
        let number = self.block(start);
        let mut gaps = std::mem::take(&mut self.blocks[number].gaps);
        gaps.retain(|gap| gap.0 != start);
        if gaps.is_empty() {
            self.blocks.remove(number);
        } else {
            self.blocks[number] = Block::of(gaps);
        }
    }
}

impl Block {
    fn of(gaps: Vec<Gap>) -> Self {
        let widest = gaps.iter().map(|gap| gap.1 - gap.0).max().unwrap_or(0);
        Self { gaps, widest }
    }

    /// How many of its gaps begin up to `column`.
    fn behind(&self, column: usize) -> usize {
        self.gaps.partition_point(|gap| gap.0 <= column)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by looking at each column.
    struct Columns(Vec<bool>);

    impl Columns {
        fn first_fit(&self, from: usize, width: usize) -> usize {
            let is_free = |column: usize| !self.0.get(column).copied().unwrap_or(false);
            (from..=self.0.len().max(from)).find(|&at| (at..at + width).all(is_free)).unwrap()
        }

        fn set(&mut self, (start, end): Gap, taken: bool) {
            self.0.resize(self.0.len().max(end), false);
            self.0[start..end].fill(taken);
        }
    }

    proptest! {
        #[test]
        fn finds_what_a_look_at_each_column_finds(
            steps in prop::collection::vec((0..30_usize, 1..5_usize, any::<bool>()), 1..120),
        ) {
            let (mut gaps, mut columns, mut taken) = (Gaps::default(), Columns(Vec::new()), Vec::new());
            for (from, width, takes) in steps {
                let start = gaps.first_fit(from, width);
                prop_assert_eq!(start, columns.first_fit(from, width));
                if takes || taken.is_empty() {
                    taken.push((start, start + width));
                    gaps.take((start, start + width));
                    columns.set((start, start + width), true);
                } else {
                    let gap = taken.swap_remove(from % taken.len());
                    gaps.free(gap);
                    columns.set(gap, false);
                }
                let width = columns.0.iter().rposition(|&taken| taken).map_or(0, |last| last + 1);
                prop_assert_eq!(gaps.width(), width);
                let is_dense = columns.0[..width].iter().all(|&taken| taken);
                prop_assert_eq!(gaps.is_one(), is_dense);
            }
        }
    }
}
