//! Tables of contents: rows of texts with the numbers of pages at their ends.

use super::super::refined::is_number;
use super::rows::Page;
use crate::pdf::lines::Line;
use crate::pdf::markers::is_marker;
use crate::pdf::words::Words;

/// So many rows of several texts make a table without any line.
const MIN_ROWS: usize = 3;
/// So many dots lead from a text to a number.
const MIN_DOTS: usize = 3;
/// The number of a page has no more digits.
const MAX_PAGE: usize = 6;

impl Page<'_> {
    /// The entries of a table of contents: texts with the numbers of pages, which never fall, at their ends.
    pub(super) fn entries(&self, rows: &[&[usize]]) -> Option<Vec<Vec<usize>>> {
        let (mut at, mut n_entries, mut n_words) = (0, 0, 0);
        for row in rows {
            match row {
                [i] if has_leader(self.words, &self.lines[*i]) => {}
                // The rest of the entry above, or a heading between entries.
                [_] => continue,
                _ => at = self.page_of(row).filter(|page| *page >= at)?,
            }
            n_entries += 1;
            let title = &row[..row.len().saturating_sub(1).max(1)];
            n_words += title.iter().map(|&i| self.lines[i].words.len()).sum::<usize>();
        }
        let is_long = n_entries >= MIN_ROWS && n_words >= 2 * n_entries;
        let is_most = n_entries * 2 > rows.len();
        (is_long && is_most).then(|| rows.iter().map(|row| row.to_vec()).collect())
    }

    /// The number of the page behind the title of an entry, which may have a number before it.
    fn page_of(&self, row: &[usize]) -> Option<u32> {
        let text = |i: &usize| self.lines[*i].text(self.words);
        let (page, title) = row.split_last()?;
        let is_title = match title {
            [title] => !is_number(&text(title)),
            [number, title] => is_marker(&text(number)) && !is_number(&text(title)),
            _ => false,
        };
        text(page).parse().ok().filter(|_| is_title)
    }
}

/// Whether dots lead from the text of a line to the number of a page.
pub(super) fn has_leader(words: &Words, line: &Line) -> bool {
    let text: String = line.words.iter().map(|&i| words.text_of(&words.words[i])).collect();
    let (title, page) = text.rsplit_once(['.', '\u{b7}', '\u{2026}', '_']).unwrap_or_default();
    let is_page = (1..=MAX_PAGE).contains(&page.len())
        && page.bytes().all(|byte| byte.is_ascii_digit() || b"ivxlc".contains(&byte));
    let leader = title.trim_end_matches(['.', '\u{b7}', '\u{2026}', '_']);
    is_page && title.len() - leader.len() >= MIN_DOTS && !leader.is_empty()
}
