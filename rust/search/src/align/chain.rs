//! Chain of places that keeps the order of blocks and holds the most text.

/// A place where a block may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The number of the block.
    pub block: usize,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// The best chain that begins with a candidate.
#[derive(Clone, Copy)]
struct Link {
    /// Bytes that the chain holds.
    total: usize,
    candidate: usize,
}

/// The candidates, of ascending blocks one behind another, that hold the most bytes. Of several such chains the one
/// whose first place is earliest, or of the lowest block, and so on with the next one.
///
/// `candidates` ascend by block. They are taken from the last block to the first, so that each one's best
/// continuation is known; a tree of best chains by where they begin answers in O(log n). O(n log n).
pub fn best_chain(candidates: &[Candidate]) -> impl Iterator<Item = &Candidate> {
    let mut starts: Vec<usize> = candidates.iter().map(|candidate| candidate.start).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut tree = Suffixes { nodes: vec![None; starts.len() + 1], candidates };
    let mut next: Vec<Option<usize>> = vec![None; candidates.len()];
    let mut links = Vec::new();
    let mut last = candidates.len();
    for group in candidates.chunk_by(|a, b| a.block == b.block).rev() {
        let first = last - group.len();
        links.clear();
        for (i, candidate) in (first..last).zip(group) {
            let best = tree.best(starts.partition_point(|&start| start < candidate.end));
            next[i] = best.map(|link| link.candidate);
            let total = candidate.end - candidate.start + best.map_or(0, |link| link.total);
            links.push(Link { total, candidate: i });
        }
        for link in &links {
            let start = candidates[link.candidate].start;
            tree.insert(starts.partition_point(|&at| at < start), *link);
        }
        last = first;
    }
    let first = tree.best(0).map(|link| link.candidate);
    std::iter::successors(first, move |&i| next[i]).map(|i| &candidates[i])
}

/// Fenwick tree over places, from the last to the first, of the best chain that begins at a place or behind it.
struct Suffixes<'c> {
    nodes: Vec<Option<Link>>,
    candidates: &'c [Candidate],
}

impl Suffixes<'_> {
    /// The best chain that begins at the place `rank` or behind it.
    fn best(&self, rank: usize) -> Option<Link> {
        let (mut best, mut node) = (None, self.nodes.len() - 1 - rank);
        while node > 0 {
            best = self.better(best, self.nodes[node]);
            node &= node - 1;
        }
        best
    }

    fn insert(&mut self, rank: usize, link: Link) {
        let mut node = self.nodes.len() - 1 - rank;
        while node < self.nodes.len() {
            self.nodes[node] = self.better(self.nodes[node], Some(link));
            node += node & node.wrapping_neg();
        }
    }

    /// The chain with more bytes, or else the earlier one.
    fn better(&self, a: Option<Link>, b: Option<Link>) -> Option<Link> {
        let order = |link: &Link| {
            let Candidate { start, block, .. } = self.candidates[link.candidate];
            (std::cmp::Reverse(link.total), start, block)
        };
        a.into_iter().chain(b).min_by_key(order)
    }
}
