//! Sections of a document that nothing but their numbers tells: lines that look like text, and count.

use std::collections::HashSet;

use super::candidates::{SURE, entries, is_alone, may_be};
use super::numbering::{depth, is_count, is_letter, is_roman, number_of, section};
use crate::pdf::layout::{PageBlock, PageLayout};

/// Lines in the weight of the text that are titles of sections: their numbers, with those of the headings that were
/// found, count from 1 on, and some section has another one in it.
pub fn counted(lines: &Lines<'_>) -> Vec<Numbered> {
    let blocks = lines.pages.iter().flat_map(|page| &page.blocks);
    let has_inner = |line: &String| depth(line).is_some_and(|depth| depth > 1);
    if !blocks.filter_map(|block| block.lines.first()).any(has_inner) {
        return Vec::new();
    }
    let sections = lines.of(section, |_| true);
    if !is_count(sections.iter().map(|(.., number)| *number)) {
        return Vec::new();
    }
    lines.unknown(sections.into_iter().map(|(p, b, _)| (p, b)), 1)
}

/// Italic lines that letters number, each the one behind that of the heading before it, below Roman numbers.
pub fn lettered(lines: &Lines<'_>) -> Vec<Numbered> {
    let number = |line: &str| {
        let number = number_of(line)?;
        let letter = number.bytes().next().filter(|_| is_letter(number));
        if is_roman(number) { Some(b'A' - 1) } else { letter }
    };
    let mut last = u8::MAX;
    let mut found = Vec::new();
    for (p, b, letter) in lines.of(number, |block| block.is_italic) {
        if lines.known.contains(&(p, b)) {
            last = letter;
        } else if last.checked_add(1) == Some(letter) {
            last = letter;
            found.push((p, b));
        }
    }
    lines.unknown(found.into_iter(), 2)
}

/// A heading that its number tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The place of its page.
    pub page: usize,
    /// The place of its block on that.
    pub block: usize,
    /// How many numbers its numbering has.
    pub depth: u8,
}

/// Lines of a document that may be headings for their numbers.
pub struct Lines<'l> {
    /// The pages.
    pub pages: &'l [PageLayout],
    /// The size of most letters.
    pub body_size: f32,
    /// Whether a block is a header or a footer of its page.
    pub is_left_out: &'l dyn Fn(usize, usize) -> bool,
    /// The headings that were found.
    pub known: HashSet<(usize, usize)>,
}

impl Lines<'_> {
    /// The blocks with numbers: headings that were found, and lines that stand alone and end no sentence. O(blocks), but
    /// for what stands beside those with numbers.
    fn of<N>(
        &self,
        number: impl Fn(&str) -> Option<N>,
        looks: impl Fn(&PageBlock) -> bool,
    ) -> Vec<(usize, usize, N)> {
        let mut numbered = Vec::new();
        for (p, page) in self.pages.iter().enumerate() {
            let entries = entries(page);
            for (b, block) in page.blocks.iter().enumerate() {
                let is_line = || {
                    may_be(block)
                        && looks(block)
                        && block.lines.len() == 1
                        && !block.lines[0].ends_with(['.', ',', ';', ':'])
                        && block.size > SURE * self.body_size
                        && !entries.contains(&b)
                        && !(self.is_left_out)(p, b)
                        && is_alone(page, b)
                };
                let number = block.lines.first().and_then(|line| number(line));
                if let Some(number) = number.filter(|_| self.known.contains(&(p, b)) || is_line()) {
                    numbered.push((p, b, number));
                }
            }
        }
        numbered
    }

    /// Headings of this depth of the blocks that were not found before.
    fn unknown(&self, blocks: impl Iterator<Item = (usize, usize)>, depth: u8) -> Vec<Numbered> {
        let others = blocks.filter(|at| !self.known.contains(at));
        others.map(|(page, block)| Numbered { page, block, depth }).collect()
    }
}
