//! Captions of tables and figures: which of the blocks beside it each belongs to.

use std::collections::{HashMap, HashSet};

use crate::blocks::Block;
use chunkwright_text::elements::Kind;
use chunkwright_text::unicode::space::is_space;

/// The ends of words for tables that begin with `tab`.
const ENDS: [&str; 7] = ["le", "elle", "leau", "la", "ela", "ella", "el"];

/// Says of captions what they are of. O(n).
///
/// A caption belongs to the table or figure beside it. Between two it belongs to that of its kind; of the same kind,
/// a table's caption stands above it, and a figure's below. `sequences` are what the numbers of captions count, by the
/// numbers of their blocks.
pub fn set_captions(blocks: &mut [Block], sequences: &HashMap<usize, String>) {
    let mut taken = HashSet::new();
    for at in 0..blocks.len() {
        if blocks[at].kind == Kind::Caption {
            let sequence = sequences.get(&at).map_or("", String::as_str);
            let object = object_of(blocks, at, sequence, &taken);
            taken.extend(object);
            blocks[at].caption_of = object;
        }
    }
}

fn object_of(blocks: &[Block], at: usize, sequence: &str, taken: &HashSet<usize>) -> Option<usize> {
    let is_free = |of: &usize| is_object(blocks, *of) && !taken.contains(of);
    let before = at.checked_sub(1).map(|before| top(blocks, before)).filter(is_free);
    let after = Some(at + 1).filter(is_free);
    let Some((before, after)) = before.zip(after) else { return before.or(after) };
    let text = if sequence.is_empty() { blocks[at].text.as_str() } else { sequence };
    let is_of_table = names_table(text);
    let kind = if is_of_table { Kind::Table } else { Kind::Figure };
    match [before, after].map(|of| blocks[of].kind == kind) {
        [true, false] => Some(before),
        [false, true] => Some(after),
        _ => Some(if is_of_table { after } else { before }),
    }
}

fn is_object(blocks: &[Block], at: usize) -> bool {
    blocks.get(at).is_some_and(|block| matches!(block.kind, Kind::Table | Kind::Figure))
}

/// The table or figure in which a block stands, else the block.
fn top(blocks: &[Block], at: usize) -> usize {
    blocks[at].parent.filter(|&parent| is_object(blocks, parent)).unwrap_or(at)
}

/// Whether a text begins as captions of tables do, or names what counts them.
fn names_table(text: &str) -> bool {
    let begin: String = text.chars().take(16).flat_map(char::to_lowercase).collect();
    let Some(rest) = begin.strip_prefix("tab") else {
        return ["таблица", "表", "표"].iter().any(|word| begin.starts_with(word));
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_short = |c: char| matches!(c, '.' | ':') || is_space(c) || c.is_numeric();
    rest.chars().next().is_none_or(is_short)
        || ENDS
            .iter()
            .any(|end| rest.strip_prefix(end).is_some_and(|behind| !behind.starts_with(is_word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_of_tables_are_told_by_their_first_word() {
        for text in
            ["Table 1", "Tab. 2", "tab", "Tabelle 3", "TABLEAU: x", "таблица 4", "表5", "Tab6"]
        {
            assert!(names_table(text), "{text}");
        }
        for text in ["Figure 1", "Tablet 2", "Tabular", "", "A table"] {
            assert!(!names_table(text), "{text}");
        }
    }
}
