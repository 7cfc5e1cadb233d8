//! Run-in headings: numbered titles at the beginning of the first line of their paragraph, in letters of another look.

use crate::pdf::lines::Line;
use crate::pdf::markers::{is_marker, is_section_number};
use crate::pdf::page::{PageContent, Style};
use crate::pdf::paragraphs::Paragraph;
use crate::pdf::words::Words;

/// A title has no more words.
const MAX_WORDS: usize = 14;

/// A paragraph in two if it begins with a run-in heading: the heading, and the rest. O(words of its first line).
pub fn parted(page: &PageContent, words: &Words, mut paragraph: Paragraph) -> Vec<Paragraph> {
    let Some(n) = title(page, words, &paragraph.lines[0]) else { return vec![paragraph] };
    let line = &paragraph.lines[0];
    let (head, rest) = line.words.split_at(n);
    let of = |part: &[usize]| Line::of_words(page, words, part.to_vec(), line.row);
    let (head, rest) = (of(head), of(rest));
    let column = paragraph.column;
    paragraph.lines[0] = rest;
    let title = Paragraph { column, is_run_in: true, ..Paragraph::of(head) };
    vec![title, paragraph]
}

/// How many words of a line are a run-in heading: they begin with a number, are all bold or all italic, and end with a
/// stop or a colon; what follows is neither. A number in upright letters is that of an item.
fn title(page: &PageContent, words: &Words, line: &Line) -> Option<usize> {
    let text = |i: usize| words.text_of(&words.words[line.words[i]]);
    let style = |i: usize| page.styles[words.words[line.words[i]].style as usize];
    let first = text(0);
    let is_item = is_marker(first) && first.ends_with(')') && !first.starts_with('(');
    let is_number = is_section_number(first) || is_item;
    if !is_number || line.words.len() < 3 || line.tag.is_some() {
        return None;
    }
    let is_set = |style: Style| style.is_bold || style.is_italic;
    let limit = line.words.len().min(MAX_WORDS + 1);
    let n = (0..limit).find(|&i| !is_set(style(i)))?;
    let is_title = n > 1
        && is_set(style(n - 1))
        && text(n - 1).ends_with(['.', ':'])
        && text(1).starts_with(char::is_uppercase)
        && !text(n).starts_with(char::is_lowercase);
    is_title.then_some(n)
}
