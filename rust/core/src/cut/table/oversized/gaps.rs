//! Free columns: intervals in order, in a balanced tree that knows how wide the widest below a node is.

#![allow(clippy::unnecessary_box_returns, reason = "nodes are passed on, not copied")]

use std::cmp::Ordering;

/// The interval `start..end` of columns; the last one has no end.
pub type Gap = (usize, usize);

/// Where the last gap ends.
const OPEN: usize = usize::MAX;

type Link = Option<Box<Node>>;

struct Node {
    gap: Gap,
    widest: usize,
    height: u32,
    left: Link,
    right: Link,
}

/// Gaps that are disjoint and do not touch. All that is asked for takes O(log n).
pub struct Gaps {
    root: Link,
    n_gaps: usize,
}

impl Default for Gaps {
    /// All columns.
    fn default() -> Self {
        Self { root: Some(insert(None, (0, OPEN))), n_gaps: 1 }
    }
}

impl Gaps {
    /// The first column from `from` on where so many are free.
    pub fn first_fit(&self, from: usize, width: usize) -> usize {
        first_fit(&self.root, from, width).unwrap_or(from)
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

    fn at_or_before(&self, column: usize) -> Option<Gap> {
        let (mut node, mut found) = (&self.root, None);
        while let Some(at) = node {
            if at.gap.0 <= column {
                found = Some(at.gap);
                node = &at.right;
            } else {
                node = &at.left;
            }
        }
        found
    }

    fn add(&mut self, gap: Gap) {
        self.root = Some(insert(self.root.take(), gap));
        self.n_gaps += 1;
    }

    fn remove(&mut self, start: usize) {
        self.root = remove(self.root.take(), start);
        self.n_gaps -= 1;
    }
}

fn first_fit(node: &Link, from: usize, width: usize) -> Option<usize> {
    let node = node.as_ref().filter(|node| node.widest >= width)?;
    let (start, end) = node.gap;
    let left = if start > from { first_fit(&node.left, from, width) } else { None };
    let here = || {
        let column = start.max(from);
        (end == OPEN || column.saturating_add(width) <= end).then_some(column)
    };
    left.or_else(here).or_else(|| first_fit(&node.right, from, width))
}

fn insert(node: Link, gap: Gap) -> Box<Node> {
    let Some(mut node) = node else {
        let widest = gap.1 - gap.0;
        return Box::new(Node { gap, widest, height: 1, left: None, right: None });
    };
    let side = if gap.0 < node.gap.0 { &mut node.left } else { &mut node.right };
    *side = Some(insert(side.take(), gap));
    balanced(node)
}

fn remove(node: Link, start: usize) -> Link {
    let mut node = node?;
    match start.cmp(&node.gap.0) {
        Ordering::Less => node.left = remove(node.left.take(), start),
        Ordering::Greater => node.right = remove(node.right.take(), start),
        Ordering::Equal => match (node.left.take(), node.right.take()) {
            (Some(left), Some(right)) => {
                node.left = Some(left);
                let (right, gap) = without_first(right);
                node.right = right;
                node.gap = gap;
            }
            (child, None) | (None, child) => return child,
        },
    }
    Some(balanced(node))
}

/// A tree without its first gap, and that one.
fn without_first(mut node: Box<Node>) -> (Link, Gap) {
    let Some(left) = node.left.take() else { return (node.right.take(), node.gap) };
    let (left, first) = without_first(left);
    node.left = left;
    (Some(balanced(node)), first)
}

fn height(node: &Link) -> u32 {
    node.as_ref().map_or(0, |node| node.height)
}

fn update(node: &mut Node) {
    let widest = |link: &Link| link.as_ref().map_or(0, |node| node.widest);
    node.height = 1 + height(&node.left).max(height(&node.right));
    node.widest = (node.gap.1 - node.gap.0).max(widest(&node.left)).max(widest(&node.right));
}

/// The same gaps, neither side more than one node higher than the other.
fn balanced(mut node: Box<Node>) -> Box<Node> {
    update(&mut node);
    if height(&node.left) > height(&node.right) + 1 {
        node.left = node.left.map(|left| {
            if height(&left.left) < height(&left.right) { left_up(left) } else { left }
        });
        return right_down(node);
    }
    if height(&node.right) > height(&node.left) + 1 {
        node.right = node.right.map(|right| {
            if height(&right.right) < height(&right.left) { right_down(right) } else { right }
        });
        return left_up(node);
    }
    node
}

/// Its right child in its place.
fn left_up(mut node: Box<Node>) -> Box<Node> {
    let Some(mut pivot) = node.right.take() else { return node };
    node.right = pivot.left.take();
    update(&mut node);
    pivot.left = Some(node);
    update(&mut pivot);
    pivot
}

/// Its left child in its place.
fn right_down(mut node: Box<Node>) -> Box<Node> {
    let Some(mut pivot) = node.left.take() else { return node };
    node.left = pivot.right.take();
    update(&mut node);
    pivot.right = Some(node);
    update(&mut pivot);
    pivot
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

    fn depth(node: &Link) -> u32 {
        node.as_ref().map_or(0, |node| {
            let (left, right) = (depth(&node.left), depth(&node.right));
            assert!(left.abs_diff(right) <= 1);
            1 + left.max(right)
        })
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
                depth(&gaps.root);
            }
        }
    }
}
