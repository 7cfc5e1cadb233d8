//! Outline of a document (its bookmarks): the words, pages and levels that it states of headings.

use std::collections::{BTreeSet, HashMap};

use super::numbering::MAX_LEVEL;
use crate::pdf::lines::Line;
use crate::pdf::markers::is_marker;
use crate::pdf::page::PageContent;
use crate::pdf::words::Words;

/// A title has no more lines.
pub const MAX_LINES: usize = 4;
/// Lines of a title are no further apart than so much of the size.
const MAX_LEADING: f32 = 2.0;
/// So often the face of a line is looked at where it changes.
const MAX_CHANGES: usize = 8;

/// An entry of a document's outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// Its words.
    pub title: String,
    /// The page that it leads to, from 1; 0 if it leads to none.
    pub page: i64,
    /// Its level, from 1.
    pub level: u8,
}

/// The entries of an outline by their words, and by the pages that they lead to.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    entries: HashMap<String, Vec<(i64, u8)>>,
    titles: HashMap<i64, BTreeSet<String>>,
}

impl Outline {
    /// That of these entries. O(n log n).
    pub fn of(entries: impl Iterator<Item = OutlineEntry>) -> Self {
        let mut outline = Self::default();
        for OutlineEntry { title, page, level } in entries {
            let words = plain(&title);
            if !words.is_empty() {
                outline.titles.entry(page).or_default().insert(words.clone());
                let place = (page, level.clamp(1, MAX_LEVEL));
                outline.entries.entry(words).or_default().push(place);
            }
        }
        outline
    }

    /// The level of the entry with these words that leads to this page, or to one beside it.
    pub fn level(&self, text: &str, page: i64) -> Option<u8> {
        if self.entries.is_empty() {
            return None;
        }
        let entries = forms(text).find_map(|words| self.entries.get(&words))?;
        let near = entries.iter().find(|(of, _)| *of == 0 || (of - page).abs() <= 1);
        near.map(|(_, level)| *level)
    }

    /// Marks the lines that are titles of their page, and parts a title from the text that goes on behind it.
    /// O(n log n).
    pub fn mark(&self, page: &PageContent, words: &Words, lines: Vec<Line>) -> Vec<Line> {
        let Some(of_page) = self.titles.get(&page.number) else { return lines };
        let titles = Titles { of_page, page, words };
        let mut lines: Vec<Line> =
            lines.into_iter().flat_map(|line| titles.without_text(line)).collect();
        let mut at = 0;
        while at < lines.len() {
            let n_lines = titles.n_lines(&lines[at..]);
            lines[at..at + n_lines].iter_mut().for_each(|line| line.title = Some(at));
            at += n_lines.max(1);
        }
        lines
    }
}

/// The titles of a page.
#[derive(Clone, Copy)]
struct Titles<'a> {
    of_page: &'a BTreeSet<String>,
    page: &'a PageContent,
    words: &'a Words,
}

impl Titles<'_> {
    /// Of how many of these lines, from the first one, a title is made; 0 if none begins here.
    fn n_lines(self, lines: &[Line]) -> usize {
        let n_lines = |mut title: String| {
            for (i, line) in lines.iter().enumerate().take(MAX_LINES) {
                if i > 0 {
                    if !is_below(&lines[i - 1], line) {
                        break;
                    }
                    title.extend(letters(&line.text(self.words)));
                }
                if self.of_page.contains(&title) {
                    return Some(i + 1);
                }
                let next = self.of_page.range(title.clone()..).next();
                if !next.is_some_and(|next| next.starts_with(&title)) {
                    break;
                }
            }
            None
        };
        forms(&lines[0].text(self.words)).find_map(n_lines).unwrap_or(0)
    }

    /// A line, or the title that it begins with and the text behind that, which is set in another face.
    fn without_text(self, line: Line) -> Vec<Line> {
        let Some(n) = self.n_words(&line) else { return vec![line] };
        let part = |of: &[usize]| Line::of_words(self.page, self.words, of.to_vec(), line.row);
        vec![part(&line.words[..n]), part(&line.words[n..])]
    }

    /// How many words of a line are a title in front of a text.
    fn n_words(self, line: &Line) -> Option<usize> {
        let face = |at: usize| {
            let style = self.page.styles[self.words.words[line.words[at]].style as usize];
            (style.is_bold, style.is_italic, style.is_caps)
        };
        let changes = |n: &usize| face(n - 1) != face(*n);
        let is_title = |n: &usize| {
            let front = Line { words: line.words[..*n].to_vec(), ..Line::default() };
            forms(&front.text(self.words)).any(|title| self.of_page.contains(&title))
        };
        // A title changes its face no more often than that.
        (1..line.words.len()).filter(changes).take(MAX_CHANGES).find(is_title)
    }
}

/// Whether a line stands right below another one, and is as large.
fn is_below(above: &Line, line: &Line) -> bool {
    let (size, step) = (line.size.max(above.size), line.baseline - above.baseline);
    step > 0.3 * size
        && step <= MAX_LEADING * size
        && (line.size - above.size).abs() < 0.5
        && line.area.shared_width(above.area) > 0.0
}

/// What a text may be in an outline: its letters and digits without its number, or without the marker before it.
fn forms(text: &str) -> impl Iterator<Item = String> {
    let without = text.trim().split_once(' ').filter(|(marker, _)| is_marker(marker));
    [Some(text), without.map(|(_, title)| title)].into_iter().flatten().map(plain)
}

/// The letters and digits of a title, without its number.
fn plain(text: &str) -> String {
    let text = text.trim();
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    letters(if behind.is_empty() { text } else { behind }).collect()
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}
