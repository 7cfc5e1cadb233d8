//! Trie of strings with ids, walked code point by code point.
//!
//! Children of a node stand behind one another in ascending order, so a step is a search in a short range of
//! memory, by halving where they are many. From the root, where a walk begins, steps by characters of up to two
//! bytes are a table. It is built in O(total length) after sorting.

/// Two sets of strings with ids, each a tree whose edges are code points.
///
/// Nodes stand breadth first, so the children of one are neighbours: 12 bytes a node, no pointers.
#[derive(Clone, Debug)]
pub struct Trie {
    nodes: Vec<Node>,
    /// What the roots' children are for each of the first code points: they have many.
    first_steps: [Vec<Option<Place>>; 2],
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The last code point on the way here.
    symbol: char,
    /// The id of the string that ends here, or [`NO_ID`].
    id: u32,
    /// Its children end where the next node's begin.
    first_child: u32,
}

const NO_ID: u32 = u32::MAX;
/// More children are searched by halving.
const FEW: usize = 8;
/// Those of two bytes: most alphabets.
const N_FIRST_STEPS: u32 = 0x800;

/// A place in a [`Trie`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u32);

impl Trie {
    /// Where the walks through the first set begin.
    pub const FIRST: Place = Place(0);
    /// Where the walks through the second set begin.
    pub const SECOND: Place = Place(1);

    /// From two sets; of two equal strings the later one holds, and the empty one is never found.
    pub fn new(sets: [Vec<(&str, u32)>; 2]) -> Self {
        let sets = sets.map(sorted);
        let root = |_: &_| Node { symbol: '\0', id: NO_ID, first_child: 0 };
        let mut nodes: Vec<Node> = sets.iter().map(root).collect();
        // The strings below each node, which begin with the same `depth` bytes, in the order of nodes.
        let mut below = Vec::with_capacity(nodes.len());
        below.extend(sets.iter().map(|set| (set.as_slice(), 0)));
        let mut at = 0;
        while at < nodes.len() {
            let (strings, depth) = below[at];
            nodes[at].first_child = as_u32(nodes.len());
            for (symbol, strings) in by_symbol(strings, depth) {
                let depth = depth + symbol.len_utf8();
                let id = strings.first().filter(|(string, _)| string.len() == depth);
                nodes.push(Node { symbol, id: id.map_or(NO_ID, |&(_, id)| id), first_child: 0 });
                below.push((strings, depth));
            }
            at += 1;
        }
        nodes.push(Node { symbol: '\0', id: NO_ID, first_child: as_u32(nodes.len()) });
        let mut trie = Self { nodes, first_steps: [Vec::new(), Vec::new()] };
        trie.first_steps = [Self::FIRST, Self::SECOND].map(|root| {
            let symbols = (0..N_FIRST_STEPS).filter_map(char::from_u32);
            symbols.map(|symbol| trie.search(root, symbol)).collect()
        });
        trie
    }

    /// One step further, if a string goes on with `symbol`.
    #[inline]
    pub fn step(&self, place: Place, symbol: char) -> Option<Place> {
        let steps = self.first_steps.get(place.0 as usize);
        match steps.and_then(|steps| steps.get(symbol as usize)) {
            Some(&step) => step,
            None => self.search(place, symbol),
        }
    }

    fn search(&self, place: Place, symbol: char) -> Option<Place> {
        let at = place.0 as usize;
        let first = self.nodes[at].first_child as usize;
        let children = &self.nodes[first..self.nodes[at + 1].first_child as usize];
        let child = if children.len() <= FEW {
            children.iter().position(|child| child.symbol == symbol)?
        } else {
            children.binary_search_by_key(&symbol, |child| child.symbol).ok()?
        };
        Some(Place(as_u32(first + child)))
    }

    /// The id of the string that ends at `place`, if one does.
    #[inline]
    pub fn id(&self, place: Place) -> Option<u32> {
        Some(self.nodes[place.0 as usize].id).filter(|&id| id != NO_ID)
    }

    /// The longest string that `symbols` begin with: its number of code points, and its id.
    pub fn longest(&self, root: Place, symbols: &[char]) -> Option<(usize, u32)> {
        let (mut place, mut longest) = (root, None);
        for (i, &symbol) in symbols.iter().enumerate() {
            let Some(next) = self.step(place, symbol) else { break };
            place = next;
            longest = self.id(place).map(|id| (i + 1, id)).or(longest);
        }
        longest
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "there are fewer nodes than bytes in a vocabulary"
)]
const fn as_u32(n: usize) -> u32 {
    n as u32
}

/// Strings in ascending order, the empty one left out; of two equal ones the later one.
fn sorted(mut strings: Vec<(&str, u32)>) -> Vec<(&str, u32)> {
    strings.reverse();
    strings.sort_by_key(|&(string, _)| string);
    strings.dedup_by_key(|&mut (string, _)| string);
    strings.retain(|(string, _)| !string.is_empty());
    strings
}

/// The runs of `strings` that have the same code point at byte `depth`; those that end there are left out.
fn by_symbol<'s>(
    strings: &'s [(&'s str, u32)],
    depth: usize,
) -> impl Iterator<Item = (char, &'s [(&'s str, u32)])> {
    let symbol = move |(string, _): &(&str, u32)| string[depth..].chars().next();
    let runs = strings.chunk_by(move |a, b| symbol(a) == symbol(b));
    runs.filter_map(move |run| Some((symbol(run.first()?)?, run)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_the_longest_string(
            strings in prop::collection::vec("[ab漢]{0,5}", 0..30),
            others in prop::collection::vec("[ab漢]{0,5}", 0..30),
            text in "[ab漢]{0,8}",
        ) {
            fn numbered(strings: &[String]) -> Vec<(&str, u32)> {
                strings.iter().map(String::as_str).zip(0..).collect()
            }
            let trie = Trie::new([numbered(&strings), numbered(&others)]);
            let symbols: Vec<char> = text.chars().collect();
            for (root, set) in [(Trie::FIRST, &strings), (Trie::SECOND, &others)] {
                let fits = |(string, _): &(&str, u32)| !string.is_empty() && text.starts_with(string);
                let best = numbered(set).into_iter().filter(fits).max_by_key(|(string, id)| (string.len(), *id));
                let best = best.map(|(string, id)| (string.chars().count(), id));
                prop_assert_eq!(trie.longest(root, &symbols), best);
            }
        }
    }
}
