//! Cost of a chunk: for its size, and for the boundary that it ends at.
//!
//! Sizes are compared by their ratio and not by their difference: a chunk of half the target costs as much as one
//! of twice the target. Boundaries are priced on the same scale, so that both can be weighed: to end at a
//! paragraph instead of between two sentences of a line pays for a chunk of 0.54 or 1.86 times the target.

/// How strong a boundary is, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Before a heading.
    Heading,
    /// At a blank line.
    Paragraph,
    /// Between sentences, at the end of a line.
    Line,
    /// Between sentences.
    Sentence,
    /// At the end of a line, inside a sentence.
    Break,
    /// Between clauses.
    Clause,
    /// Between words.
    Word,
    /// Between graphemes.
    Grapheme,
    /// Between a line that ends in a colon and the list, code or table that it leads to.
    LeadIn,
}

/// The unit of costs: sums of whole numbers do not depend on what was summed before, so that an edit
/// cannot tip the scales far away.
const MILLIONTHS: f64 = 1e6;
/// The most that a size can cost.
const MOST: f64 = 1e6;
/// What the words around a boundary add or take off at most: half of what one strength differs from the
/// next.
const WORDS: f64 = 0.1;

impl Strength {
    /// The cost of ending a chunk here, where the size of a chunk of half the target costs 0.5.
    ///
    /// Zero lies between paragraphs and lines: if all boundaries had a price, fewer and larger chunks
    /// would be cheaper than those of the target.
    const fn price(self) -> f64 {
        match self {
            Self::Heading => -0.3,
            Self::Paragraph => -0.1,
            Self::Line => 0.1,
            Self::Sentence => 0.3,
            Self::Break => 0.5,
            Self::Clause => 0.7,
            Self::Word => 1.3,
            Self::Grapheme => 2.9,
            // As dear as a crumb of a seventh: only where both have no room in one chunk.
            Self::LeadIn => 5.0,
        }
    }
}

/// The cost of a chunk of `size` units that aims at `target`, in millionths.
///
/// `(size - target)² / (size * target)`: half and twice the target cost the same, and a crumb costs
/// more than any boundary.
#[inline]
pub fn of_size(size: usize, target: usize) -> i64 {
    #[allow(clippy::cast_precision_loss, reason = "a cost is no count")]
    let (size, target) = (size.max(1) as f64, target as f64);
    let off = size - target;
    millionths(off * off / (size * target))
}

/// The cost of ending a chunk at a boundary, in millionths.
///
/// `hash` is that of the words around it. Among equally strong boundaries the same ones are then
/// preferred wherever the chunks before them end, and cuts behind an edit soon meet those before it.
pub fn of_boundary(strength: Strength, hash: u16) -> i64 {
    let words = 2.0 * f64::from(hash) / f64::from(u16::MAX) - 1.0;
    millionths(strength.price() + WORDS * words)
}

fn millionths(cost: f64) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "within bounds")]
    let whole = (cost.min(MOST) * MILLIONTHS) as i64;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_cost_by_ratio() {
        assert_eq!(of_size(384, 384), 0);
        assert_eq!(of_size(192, 384), 500_000);
        assert_eq!(of_size(192, 384), of_size(768, 384));
        assert!(of_size(38, 384) > of_boundary(Strength::Grapheme, u16::MAX));
        assert!(of_size(0, usize::MAX) <= of_size(1, usize::MAX));
    }

    #[test]
    fn words_do_not_outweigh_strength() {
        use Strength::{Break, Clause, Grapheme, Heading, LeadIn, Line, Paragraph, Sentence, Word};
        let all = [Heading, Paragraph, Line, Sentence, Break, Clause, Word, Grapheme, LeadIn];
        assert!(all.is_sorted());
        for pair in all.windows(2) {
            // The highest price of one is the lowest of the next, but for rounding.
            assert!(of_boundary(pair[0], u16::MAX) <= of_boundary(pair[1], 0) + 1);
        }
    }
}
