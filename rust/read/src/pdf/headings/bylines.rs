//! Byline of a paper: who wrote it, between its title and its abstract.

use crate::pdf::layout::{PageBlock, PageLayout};

/// What the abstract of a paper is called.
const ABSTRACTS: &[&str] = &[
    "abstract",
    "summary",
    "zusammenfassung",
    "kurzfassung",
    "résumé",
    "resumen",
    "resumo",
    "riassunto",
    "abstrakt",
    "аннотация",
];

/// The headings of the first page of a document that stand between its title and its abstract; none if it has no
/// abstract. The headings are given by their blocks, in order. O(blocks).
pub fn byline(page: &PageLayout, headings: &[usize]) -> Vec<usize> {
    let largest = |a: &&usize, b: &&usize| {
        page.blocks[**a].size.total_cmp(&page.blocks[**b].size).then(b.cmp(a))
    };
    let title = headings.iter().max_by(largest);
    let opening = (0..page.blocks.len()).find(|&b| begins_abstract(&page.blocks[b]));
    let (Some(&title), Some(opening)) = (title, opening) else { return Vec::new() };
    headings.iter().copied().filter(|b| (title + 1..opening).contains(b)).collect()
}

/// Whether a block begins with the word for an abstract, alone or with a mark behind it.
fn begins_abstract(block: &PageBlock) -> bool {
    let Some(line) = block.lines.first() else { return false };
    let letters: String = line.chars().filter(|c| !c.is_whitespace()).take(40).collect();
    let letters = letters.to_lowercase();
    let rest = ABSTRACTS.iter().find_map(|word| letters.strip_prefix(word));
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors_stand_between_title_and_abstract() {
        let block = |text: &str, size: f32| PageBlock {
            lines: vec![text.into()],
            size,
            ..PageBlock::default()
        };
        let blocks = [("Of Rain", 18.0), ("A. Writer", 12.0), ("Abstract", 11.0), ("1 Rain", 11.0)];
        let of = |blocks: &[(&str, f32)]| PageLayout {
            blocks: blocks.iter().map(|(text, size)| block(text, *size)).collect(),
            ..PageLayout::default()
        };
        assert_eq!(byline(&of(&blocks), &[0, 1, 2, 3]), [1]);
        let spaced = [blocks[0], blocks[1], ("A B S T R A C T", 9.0)];
        assert_eq!(byline(&of(&spaced), &[0, 1]), [1]);
        let others = [blocks[0], blocks[1], ("Abstraction", 11.0)];
        assert_eq!(byline(&of(&others), &[0, 1, 2]), [0_usize; 0]);
    }
}
