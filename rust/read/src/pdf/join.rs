//! Text of lines as one: hyphens at the ends of lines, and blanks between them.

use std::collections::HashSet;

use super::layout::PageLayout;

/// Words of a document, by which hyphens at line ends are told from those of compounds.
#[derive(Debug, Default)]
pub struct Vocabulary(HashSet<String>);

impl Vocabulary {
    /// The words within the lines of a document, if any line ends in a hyphen. O(n).
    pub fn of(pages: &[PageLayout]) -> Self {
        let lines = || pages.iter().flat_map(|page| &page.blocks).flat_map(|block| &block.lines);
        if !lines().any(|line| hyphen(line).is_some()) {
            return Self::default();
        }
        let mut words = HashSet::new();
        for line in lines() {
            let within = line.rsplit_once(' ').map_or("", |(within, _)| within);
            let last =
                if hyphen(line).is_some() { "" } else { line.rsplit(' ').next().unwrap_or("") };
            for word in within.split(' ').chain([last]) {
                let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
                if !word.is_empty() {
                    words.insert(word);
                }
            }
        }
        Self(words)
    }

    /// Whether a hyphen between two parts of a word belongs to it: the compound occurs, and no word without it.
    fn keeps(&self, before: &str, after: &str) -> bool {
        let part = |text: &str, is_last: bool| {
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
            if is_last { words.next_back() } else { words.next() }.unwrap_or("").to_lowercase()
        };
        let (before, after) = (part(before, true), part(after, false));
        !self.0.contains(&format!("{before}{after}"))
            && self.0.contains(&format!("{before}-{after}"))
    }
}

/// The text before a hyphen at the end of a line, and whether the hyphen is a soft one.
fn hyphen(line: &str) -> Option<(&str, bool)> {
    let line = line.trim_end();
    let (before, is_soft) = match line.strip_suffix('\u{ad}') {
        Some(before) => (before, true),
        None => (line.strip_suffix(['-', '\u{2010}', '\u{2011}'])?, false),
    };
    before.ends_with(char::is_alphabetic).then_some((before, is_soft))
}

/// Whether a text ends with a hyphen that may part a word.
pub fn is_cut(text: &str) -> bool {
    hyphen(text).is_some()
}

/// Adds a line to a text: a hyphen that parts a word goes, else a blank comes between, if the script has any.
///
/// Returns where it begins in the text.
pub fn add_line(text: &mut String, line: &str, vocabulary: &Vocabulary) -> usize {
    let line = line.trim();
    if text.is_empty() || line.is_empty() {
        return push(text, line);
    }
    let first = line.chars().next().unwrap_or(' ');
    match hyphen(text) {
        Some((before, is_soft)) if is_soft || first.is_alphabetic() => {
            let keeps = !is_soft && (!first.is_lowercase() || vocabulary.keeps(before, line));
            let end = if keeps { text.trim_end().len() } else { before.len() };
            text.truncate(end);
        }
        _ => {
            let last = text.chars().next_back().unwrap_or(' ');
            if !(is_unspaced(last) && is_unspaced(first)) {
                text.push(' ');
            }
        }
    }
    push(text, line)
}

/// Adds a text without soft hyphens within it, and returns where it begins; one at its end may part a word.
fn push(text: &mut String, line: &str) -> usize {
    let start = text.len();
    match line.strip_suffix('\u{ad}') {
        Some(within) => {
            text.extend(within.chars().filter(|c| *c != '\u{ad}'));
            text.push('\u{ad}');
        }
        None => text.extend(line.chars().filter(|c| *c != '\u{ad}')),
    }
    start
}

/// Whether a character is of a script that puts no blanks between words.
pub const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::layout::PageBlock;

    fn joined(lines: &[&str], known: &str) -> String {
        let block = |text: &str| PageBlock { lines: vec![text.into()], ..PageBlock::default() };
        let blocks = lines.iter().map(|line| block(line)).chain([block(known)]).collect();
        let vocabulary = Vocabulary::of(&[PageLayout { blocks, ..PageLayout::default() }]);
        let mut text = String::new();
        for line in lines {
            add_line(&mut text, line, &vocabulary);
        }
        text
    }

    #[test]
    fn hyphens_at_line_ends_go() {
        assert_eq!(joined(&["a hyphen-", "ated word"], ""), "a hyphenated word");
        assert_eq!(joined(&["a soft\u{ad}", "ly so\u{ad}ft one"], ""), "a softly soft one");
        assert_eq!(joined(&["environ\u{2011}", "ment"], ""), "environment");
        assert_eq!(joined(&["self-", "locking nuts"], "a self-locking nut"), "self-locking nuts");
        assert_eq!(joined(&["Jean-", "Paul"], ""), "Jean-Paul");
        assert_eq!(joined(&["1990-", "1995"], ""), "1990- 1995");
        assert_eq!(joined(&["\u{6f22}", "\u{5b57}"], ""), "\u{6f22}\u{5b57}");
    }
}
