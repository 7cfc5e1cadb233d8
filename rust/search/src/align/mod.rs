//! Alignment of a changed text with the blocks that it was cut into before.
//!
//! A block is untouched if its text stands in the new text, whatever whitespace it has now
//! ([`collapse`](chunkwright_text::identity::collapse) is what both are compared by). [`block_places`] finds for each block
//! one place at most, in three steps:
//! 1. where the blocks occur ([`occurrences`](self)): one pass over the text, by hashes of their beginnings;
//! 2. which of these places keep the order of the blocks and hold the most text: a weighted chain;
//! 3. which of the other blocks stand elsewhere, where no block is yet: those that were moved.
//!
//! # Bounds
//!
//! Time is linear in text and blocks but for sorting, memory some 10 bytes a byte of text. Two limits hold on texts
//! that repeat themselves, rows of dashes for instance, so the chain is the best of the places that are known:
//! - A block that occurs more than [`MAX_OCCURRENCES`] times is known at the first of them, and where it stands
//!   right behind or right before a known place of its neighbour (the ends of the text count as neighbours). So all
//!   blocks of a text that has not changed are found, whatever it says.
//! - Hashes that are compared in vain are counted: blocks of hundreds of lengths that begin like what stands
//!   everywhere are then treated in the same way.

mod candidates;
mod chain;
mod collapsed;
mod hashes;
mod occurrences;
#[cfg(test)]
mod tests;
mod word_border;

use std::collections::{BTreeMap, HashMap};

use candidates::places_of_each;
use chain::{Candidate, best_chain};
use collapsed::Collapsed;
pub use occurrences::MAX_OCCURRENCES;
use occurrences::{Content, find};
pub use word_border::is_inside_word;

use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::{skip_space, trim_end};

/// A block of the old text.
#[derive(Clone, Copy, Debug)]
pub struct Block<'t> {
    /// Its text; whitespace at its ends does not count.
    pub text: &'t str,
    /// Whether it began inside a word ([`is_inside_word`]): only then may its place.
    pub starts_inside_word: bool,
    /// Whether it ended inside a word.
    pub ends_inside_word: bool,
}

impl<'t> Block<'t> {
    /// A block that begins and ends between words.
    pub const fn new(text: &'t str) -> Self {
        Self { text, starts_inside_word: false, ends_inside_word: false }
    }

    /// The block at `span` of the old `text`, without the whitespace at its ends.
    pub fn of(text: &'t str, span: Span) -> Self {
        let start = skip_space(&text[..span.end], span.start);
        let end = trim_end(text, start, span.end);
        Self {
            text: &text[start..end],
            starts_inside_word: is_inside_word(text, start),
            ends_inside_word: is_inside_word(text, end),
        }
    }
}

/// The place of each block in the new `text`, or none; places are disjoint, without whitespace at their ends.
///
/// Of all ways to place blocks in their order, the one with the most text is taken; of several, the one whose first
/// place is earliest, then that of the first of several equal blocks, and so on with the places behind it. The
/// other blocks are then placed one after another, each at its first occurrence that overlaps no place so far.
/// Blocks of whitespace stand nowhere.
///
/// O(n log n), bounded as the [module](self) says.
///
/// ```
/// use chunkwright_search::align::{Block, block_places};
/// use chunkwright_text::pulse::no_pulse;
///
/// let blocks = ["Rain fell.", "The river rose.", "It was May."].map(Block::new);
/// let text = "It was May. Rain\nfell. The sea rose.";
/// let places = block_places(text, &blocks, no_pulse())?;
/// let found = places.iter().map(|place| place.map(|place| &text[place.range()]));
/// assert_eq!(found.collect::<Vec<_>>(), [Some("Rain\nfell."), None, Some("It was May.")]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the pulse.
pub fn block_places(
    text: &str,
    blocks: &[Block<'_>],
    pulse: Pulse<'_>,
) -> Result<Vec<Option<Span>>> {
    let beat = Beat::of_bytes(pulse);
    let text = Collapsed::new(text, &beat)?;
    let texts: Vec<Collapsed<'_>> =
        blocks.iter().map(|block| Collapsed::new(block.text, &beat)).collect::<Result<_>>()?;
    let (mut contents, kinds) = contents(blocks, &texts);
    find(&text, &mut contents, &beat)?;
    let starts = places_of_each(&text, &contents, &kinds, &beat)?;
    let len = |block: usize| texts[block].text().len();
    let numbered = starts.iter().enumerate();
    let candidates: Vec<Candidate> = numbered
        .flat_map(|(block, starts)| starts.iter().map(move |&start| (block, start)))
        .map(|(block, start)| Candidate { block, start, end: start + len(block) })
        .collect();
    let mut placed: Vec<Option<Span>> = vec![None; blocks.len()];
    let mut taken = BTreeMap::new();
    for &Candidate { block, start, end } in best_chain(&candidates) {
        placed[block] = Some(Span::new(start, end));
        taken.insert(start, end);
    }
    for (block, starts) in starts.iter().enumerate().filter(|(_, starts)| !starts.is_empty()) {
        if placed[block].is_none()
            && let Some(&start) = starts.iter().find(|&&at| is_free(&taken, at, at + len(block)))
        {
            placed[block] = Some(Span::new(start, start + len(block)));
            taken.insert(start, start + len(block));
        }
    }
    Ok(placed.into_iter().map(|place| place.map(|place| text.source_span(place))).collect())
}

/// The different contents of `blocks`, whose collapsed texts are `texts`, and which of them each block has.
fn contents<'t>(
    blocks: &[Block<'_>],
    texts: &'t [Collapsed<'_>],
) -> (Vec<Content<'t>>, Vec<Option<usize>>) {
    let (mut contents, mut numbers) = (Vec::new(), HashMap::new());
    let number = |(block, text): (&Block<'_>, &'t Collapsed<'_>)| {
        let cuts = [block.starts_inside_word, block.ends_inside_word];
        (!text.text().is_empty()).then(|| {
            *numbers.entry((text.text(), cuts)).or_insert_with(|| {
                contents.push(Content::new(text.text(), cuts));
                contents.len() - 1
            })
        })
    };
    let kinds = blocks.iter().zip(texts).map(number).collect();
    (contents, kinds)
}

/// Whether `start..end` overlaps none of the `taken` spans, which are disjoint.
fn is_free(taken: &BTreeMap<usize, usize>, start: usize, end: usize) -> bool {
    taken.range(..end).next_back().is_none_or(|(_, &before)| before <= start)
}
